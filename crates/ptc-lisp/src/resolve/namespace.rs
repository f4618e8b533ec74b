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
    /// Prefix of names that have a row of their own.
    prefix: &'static str,
    /// Names that messages list, separated by spaces; empty: those that begin with the prefix.
    names: &'static str,
}

/// The rows of `namespaces.tsv`: title, aliases, prefix, names.
static NAMESPACES: LazyLock<Vec<Namespace>> = LazyLock::new(|| {
    let rows = include_str!("namespaces.tsv").lines().map(|row| {
        let mut columns = row.split('\t');
        let [title, aliases, prefix, names] = [(); 4].map(|()| columns.next().unwrap_or_default());
        Namespace { title, aliases, prefix, names }
    });
    rows.collect()
});

/// Namespace and name; none for a bare name, `/` among them.
pub(super) fn split(name: &str) -> Option<(&str, &str)> {
    let (space, bare) = name.split_once('/')?;
    (!space.is_empty() && !bare.is_empty()).then_some((space, bare))
}

/// The builtin that a qualified name means.
pub(super) fn lookup(space: &str, bare: &str) -> Option<Value> {
    let own = find(space)?.own(bare);
    let in_camel_case = || builtins::value(&camel_case(&own));
    builtins::value(&own).or_else(|| builtins::value(bare)).or_else(in_camel_case)
}

/// Why a qualified name means nothing. `written` is the namespace as the program calls it.
pub(super) fn missing(space: &str, bare: &str, written: &str) -> String {
    let (bare, written) = (atom::shown(bare), atom::shown(written));
    match find(space) {
        Some(namespace) => {
            let listed = namespace.listed().join(", ");
            format!("'{written}/{bare}' does not exist. Functions in {}: {listed}", namespace.title)
        }
        None => format!(
            "unknown namespace '{written}' in {written}/{bare}. Use tool/ for tools, data/ for input data, \
             user/ for your definitions"
        ),
    }
}

/// Hint for a qualified name that means nothing.
pub(super) fn hint(space: &str, bare: &str, written: &str) -> Option<String> {
    match find(space) {
        Some(namespace) => namespace.hint(bare, written),
        None => absent::of("namespace", space).map(str::to_string).or_else(|| hint_elsewhere(space, bare)),
    }
}

/// A namespace that is spelt nearly so, then the name itself, wherever it stands.
fn hint_elsewhere(space: &str, bare: &str) -> Option<String> {
    let spaces = NAMESPACES.iter().flat_map(|namespace| namespace.names_of_it()).chain(OWN_SPACES);
    let has_name = |near: &&str| OWN_SPACES.contains(near) || lookup(near, bare).is_some();
    let meant = hint::nearest(space, spaces.filter(has_name)).map(|near| format!("{near}/{bare}"));
    let listing = || {
        let namespace = NAMESPACES
            .iter()
            .find(|namespace| namespace.names.split_whitespace().any(|name| name == bare))?;
        Some(format!("{}{bare}", namespace.prefix))
    };
    let itself = || builtins::value(bare).map(|_| bare.to_string());
    match meant.or_else(listing).or_else(itself) {
        Some(meant) => Some(format!("Did you mean '{meant}'?")),
        None => hint::undefined(bare, &[], std::iter::empty()),
    }
}

const OWN_SPACES: [&str; 3] = ["tool", "data", "user"];

/// The names that `require`, `use` and `ns` anywhere in a program give to namespaces and to what these hold.
#[derive(Default)]
pub(super) struct Given {
    /// Namespaces by their aliases.
    pub spaces: FxHashMap<Symbol, Symbol>,
    /// Namespaces and the names in them, by the bare names that refer to them.
    referred: FxHashMap<Symbol, (&'static str, Symbol)>,
}

impl Given {
    /// The builtin that a bare name refers to.
    pub(super) fn value(&self, name: Symbol) -> Option<Value> {
        let (space, name) = self.referred.get(&name)?;
        lookup(space, name.name())
    }

    /// Takes what a form says, if it begins with a name such as `require`.
    pub(super) fn take(&mut self, head: Symbol, operands: &[Form]) {
        if matches!(head.name(), "require" | "use" | "ns") {
            operands.iter().for_each(|form| self.library(form, head.name() == "use"));
        }
    }

    /// `library`, `[library option…]`, or several of them after a keyword or a prefix.
    fn library(&mut self, form: &Form, is_use: bool) {
        let (head, options) = match &unquoted(form).kind {
            FormKind::List(items) | FormKind::Vector(items) => match items.split_first() {
                Some((head, options)) => (unquoted(head), options),
                None => return,
            },
            _ => (unquoted(form), &[][..]),
        };
        let is_use = match &head.kind {
            FormKind::Symbol(library) => match find(library.name()) {
                Some(space) => return self.options(*library, space, options, is_use),
                None => is_use,
            },
            FormKind::Keyword(word) => word.name() == "use",
            _ => is_use,
        };
        options.iter().for_each(|form| self.library(form, is_use));
    }

    fn options(&mut self, library: Symbol, space: &'static Namespace, options: &[Form], is_use: bool) {
        let named = |words: [&str; 2]| {
            let is_named =
                |form: &Form| matches!(&form.kind, FormKind::Keyword(word) if words.contains(&word.name()));
            options.iter().position(is_named).and_then(|at| options.get(at + 1)).map(unquoted)
        };
        if let Some(alias) = named(["as", "as-alias"]).and_then(Form::as_symbol) {
            self.spaces.insert(alias, library);
        }
        let excluded: Vec<Symbol> = match named(["exclude", "exclude"]).map(|form| &form.kind) {
            Some(FormKind::Vector(names) | FormKind::List(names)) => {
                names.iter().filter_map(Form::as_symbol).collect()
            }
            _ => Vec::new(),
        };
        match named(["refer", "only"]).map(|form| &form.kind) {
            Some(FormKind::Vector(names) | FormKind::List(names)) => {
                for name in names.iter().filter_map(Form::as_symbol) {
                    self.referred.insert(name, (space.title, name));
                }
            }
            None if !is_use => {}
            _ => {
                // Those that core has in Clojure too take more arguments there.
                for name in space.listed().into_iter().filter(|name| !matches!(*name, "max" | "min")) {
                    let name = Symbol::new(&kebab_case(name));
                    if !excluded.contains(&name) {
                        self.referred.insert(name, (space.title, name));
                    }
                }
            }
        }
        if let Some(FormKind::Map(names)) = named(["rename", "rename"]).map(|form| &form.kind) {
            for pair in names.chunks_exact(2) {
                if let (Some(name), Some(other)) = (pair[0].as_symbol(), pair[1].as_symbol()) {
                    self.referred.remove(&name);
                    self.referred.insert(other, (space.title, name));
                }
            }
        }
    }
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
    name.chars().fold(String::new(), |kebab, letter| match letter {
        'A'..='Z' if is_camel_case => kebab + "-" + &letter.to_ascii_lowercase().to_string(),
        letter => kebab + &letter.to_string(),
    })
}

/// `clojure.math/floor-mod` is `Math/floorMod`.
fn camel_case(name: &str) -> String {
    let mut parts = name.split('-');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |mut name, part| {
        let mut rest = part.chars();
        name.extend(rest.next().map(|letter| letter.to_ascii_uppercase()));
        name + rest.as_str()
    })
}

fn find(space: &str) -> Option<&'static Namespace> {
    NAMESPACES.iter().find(|namespace| namespace.names_of_it().any(|name| name == space))
}

impl Namespace {
    /// The name under which a builtin of this namespace has a row of its own.
    fn own(&self, bare: &str) -> String {
        format!("{}{bare}", self.prefix)
    }

    fn names_of_it(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.title).chain(self.aliases.split_whitespace())
    }

    fn hint(&self, bare: &str, written: &str) -> Option<String> {
        let own = self.own(bare);
        if let Some(instead) = absent::of("qualified", &own) {
            return Some(instead.to_string());
        }
        match hint::nearest(bare, self.listed().into_iter()) {
            Some(meant) => Some(format!("Did you mean '{written}/{meant}'?")),
            None => hint::undefined(bare, &[], std::iter::empty()),
        }
    }

    fn listed(&self) -> Vec<&'static str> {
        if !self.names.is_empty() {
            return self.names.split_whitespace().collect();
        }
        let names = builtins::all().map(|builtin| builtin.name).chain(builtins::constants());
        let mut names: Vec<&str> = names.filter_map(|name| self.bare(name)).collect();
        names.sort_unstable();
        names
    }

    fn bare(&self, name: &'static str) -> Option<&'static str> {
        let bare = name.strip_prefix(self.prefix)?;
        let is_bare = split(bare).is_none() && (!self.prefix.is_empty() || !bare.starts_with('.'));
        is_bare.then_some(bare)
    }
}
