//! The namespaces other than `tool/`, `data/` and `user/`, and their names (`docs/language.md` §6.1).

use std::sync::LazyLock;

use super::*;
use crate::hint::absent;
use crate::{atom, hint};

/// A namespace under all its names.
struct Namespace {
    /// The name in messages.
    title: &'static str,
    /// Other names, separated by spaces.
    aliases: &'static str,
    /// Prefix of names with a row of their own.
    prefix: &'static str,
    /// Names for messages, separated by spaces. If empty, all names with the prefix.
    names: &'static str,
}

/// The rows of `namespaces.tsv`: title, aliases, prefix, names.
static NAMESPACES: LazyLock<Vec<Namespace>> = LazyLock::new(|| {
    let mut namespaces = Vec::new();
    for row in include_str!("namespaces.tsv").lines() {
        let mut columns = row.split('\t');
        let [title, aliases, prefix, names] = [(); 4].map(|()| columns.next().unwrap_or_default());
        namespaces.push(Namespace { title, aliases, prefix, names });
    }
    namespaces
});

/// Namespace and name. `None` for a bare name such as `/`.
pub(super) fn split(name: &str) -> Option<(&str, &str)> {
    let (space, bare) = name.split_once('/')?;
    (!space.is_empty() && !bare.is_empty()).then_some((space, bare))
}

/// The builtin of a qualified name.
pub(super) fn lookup(space: &str, bare: &str) -> Option<Value> {
    let own = find(space)?.own(bare);
    if let Some(value) = builtins::value(&own) {
        return Some(value);
    }
    match builtins::value(bare) {
        Some(value) => Some(value),
        None => builtins::value(&camel_case(&own)),
    }
}

/// Why a qualified name means nothing. `written` is the namespace as the program calls it.
pub(super) fn missing(space: &str, bare: &str, written: &str) -> String {
    let (bare, written) = (atom::shown(bare), atom::shown(written));
    match find(space) {
        Some(namespace) => {
            let listed = namespace.list_names().join(", ");
            format!("'{written}/{bare}' does not exist. Functions in {}: {listed}", namespace.title)
        }
        None => format!(
            "unknown namespace '{written}' in {written}/{bare}. Use tool/ for tools, data/ for input data, \
             user/ for your definitions"
        ),
    }
}

/// Hint for an unknown qualified name.
pub(super) fn hint(space: &str, bare: &str, written: &str) -> Option<String> {
    match find(space) {
        Some(namespace) => namespace.hint(bare, written),
        None => match absent::of("namespace", space) {
            Some(hint) => Some(hint.to_string()),
            None => hint_elsewhere(space, bare),
        },
    }
}

/// Suggests a namespace with a similar name, else another namespace with the same name in it, else the bare name.
fn hint_elsewhere(space: &str, bare: &str) -> Option<String> {
    match name_elsewhere(space, bare) {
        Some(meant) => Some(format!("Did you mean '{meant}'?")),
        None => hint::undefined(bare, &[], std::iter::empty()),
    }
}

fn name_elsewhere(space: &str, bare: &str) -> Option<String> {
    let mut spaces = Vec::new();
    for near in NAMESPACES.iter().flat_map(Namespace::all_names) {
        if lookup(near, bare).is_some() {
            spaces.push(near);
        }
    }
    spaces.extend(OWN_SPACES);
    if let Some(near) = hint::nearest(space, spaces.into_iter()) {
        return Some(format!("{near}/{bare}"));
    }
    for namespace in NAMESPACES.iter() {
        if namespace.names.split_whitespace().any(|name| name == bare) {
            return Some(format!("{}{bare}", namespace.prefix));
        }
    }
    builtins::value(bare).is_some().then(|| bare.to_string())
}

const OWN_SPACES: [&str; 3] = ["tool", "data", "user"];

/// Names for namespaces and their members, from each `require`, `use` and `ns` of a program.
#[derive(Default)]
pub(super) struct Given {
    /// Namespaces by their aliases.
    pub spaces: FxHashMap<Symbol, Symbol>,
    /// Namespaces and names in them, by bare name.
    referred: FxHashMap<Symbol, (&'static str, Symbol)>,
}

impl Given {
    /// The builtin of a bare name.
    pub(super) fn value(&self, name: Symbol) -> Option<Value> {
        let (space, name) = self.referred.get(&name)?;
        lookup(space, name.name())
    }

    /// Records the names in a form such as `require`.
    pub(super) fn take(&mut self, head: Symbol, operands: &[Form]) {
        if matches!(head.name(), "require" | "use" | "ns") {
            for form in operands {
                self.note_library(form, head.name() == "use");
            }
        }
    }

    /// `library`, `[library option…]`, or several of them after a keyword or a prefix.
    fn note_library(&mut self, form: &Form, is_use: bool) {
        let (head, options) = match &unquoted(form).kind {
            FormKind::List(items) | FormKind::Vector(items) => match items.split_first() {
                Some((head, options)) => (unquoted(head), options),
                None => return,
            },
            _ => (unquoted(form), &[][..]),
        };
        let is_use = match &head.kind {
            FormKind::Symbol(library) => match find(library.name()) {
                Some(space) => return self.note_options(*library, space, options, is_use),
                None => is_use,
            },
            FormKind::Keyword(word) => word.name() == "use",
            _ => is_use,
        };
        for form in options {
            self.note_library(form, is_use);
        }
    }

    fn note_options(&mut self, library: Symbol, space: &'static Namespace, options: &[Form], is_use: bool) {
        if let Some(alias) = option_named(options, &["as", "as-alias"])
            && let Some(alias) = alias.as_symbol()
        {
            self.spaces.insert(alias, library);
        }
        let excluded: Vec<Symbol> = match option_named(options, &["exclude"]).map(|form| &form.kind) {
            Some(FormKind::Vector(names) | FormKind::List(names)) => {
                names.iter().filter_map(Form::as_symbol).collect()
            }
            _ => Vec::new(),
        };
        match option_named(options, &["refer", "only"]).map(|form| &form.kind) {
            Some(FormKind::Vector(names) | FormKind::List(names)) => {
                for name in names.iter().filter_map(Form::as_symbol) {
                    self.referred.insert(name, (space.title, name));
                }
            }
            None if !is_use => {}
            _ => {
                for name in space.list_names() {
                    // In Clojure's core, these accept more arguments.
                    if matches!(name, "max" | "min") {
                        continue;
                    }
                    let name = Symbol::new(&kebab_case(name));
                    if !excluded.contains(&name) {
                        self.referred.insert(name, (space.title, name));
                    }
                }
            }
        }
        if let Some(Form { kind: FormKind::Map(names), .. }) = option_named(options, &["rename"]) {
            for pair in names.chunks_exact(2) {
                if let (Some(name), Some(other)) = (pair[0].as_symbol(), pair[1].as_symbol()) {
                    self.referred.remove(&name);
                    self.referred.insert(other, (space.title, name));
                }
            }
        }
    }
}

/// The value after one of these keywords.
fn option_named<'f>(options: &'f [Form], words: &[&str]) -> Option<&'f Form> {
    for pair in options.windows(2) {
        if let FormKind::Keyword(word) = &pair[0].kind
            && words.contains(&word.name())
        {
            return Some(unquoted(&pair[1]));
        }
    }
    None
}

fn unquoted(form: &Form) -> &Form {
    match &form.kind {
        FormKind::Quote(quoted) => quoted,
        _ => form,
    }
}

/// `Math/floorMod` is `clojure.math/floor-mod`.
fn kebab_case(name: &str) -> String {
    let is_camel_case = name.starts_with(char::is_lowercase);
    let mut kebab = String::new();
    for letter in name.chars() {
        if is_camel_case && letter.is_ascii_uppercase() {
            kebab.push('-');
            kebab.push(letter.to_ascii_lowercase());
        } else {
            kebab.push(letter);
        }
    }
    kebab
}

/// `clojure.math/floor-mod` is `Math/floorMod`.
fn camel_case(name: &str) -> String {
    let mut parts = name.split('-');
    let mut camel = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let mut rest = part.chars();
        if let Some(letter) = rest.next() {
            camel.push(letter.to_ascii_uppercase());
        }
        camel.push_str(rest.as_str());
    }
    camel
}

fn find(space: &str) -> Option<&'static Namespace> {
    NAMESPACES.iter().find(|namespace| namespace.all_names().any(|name| name == space))
}

impl Namespace {
    /// The name of the row of a builtin in this namespace.
    fn own(&self, bare: &str) -> String {
        format!("{}{bare}", self.prefix)
    }

    fn all_names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.title).chain(self.aliases.split_whitespace())
    }

    fn hint(&self, bare: &str, written: &str) -> Option<String> {
        let own = self.own(bare);
        if let Some(instead) = absent::of("qualified", &own) {
            return Some(instead.to_string());
        }
        match hint::nearest(bare, self.list_names().into_iter()) {
            Some(meant) => Some(format!("Did you mean '{written}/{meant}'?")),
            None => hint::undefined(bare, &[], std::iter::empty()),
        }
    }

    fn list_names(&self) -> Vec<&'static str> {
        if !self.names.is_empty() {
            return self.names.split_whitespace().collect();
        }
        let names = builtins::all().map(|builtin| builtin.name).chain(builtins::constants());
        let mut names: Vec<&str> = names.filter_map(|name| self.bare_name(name)).collect();
        names.sort_unstable();
        names
    }

    fn bare_name(&self, name: &'static str) -> Option<&'static str> {
        let bare = name.strip_prefix(self.prefix)?;
        let is_bare = split(bare).is_none() && (!self.prefix.is_empty() || !bare.starts_with('.'));
        is_bare.then_some(bare)
    }
}
