//! The namespaces other than `tool/`, `data/` and `user/`, and their names (`docs/language.md` §6.1).

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

const fn space(
    title: &'static str,
    aliases: &'static str,
    prefix: &'static str,
    names: &'static str,
) -> Namespace {
    Namespace { title, aliases, prefix, names }
}

static NAMESPACES: &[Namespace] = &[
    space("clojure.core", "core", "", ""),
    space(
        "clojure.string",
        "string str",
        "str/",
        "blank? capitalize ends-with? escape includes? index-of join last-index-of lower-case replace \
         replace-first reverse split split-lines starts-with? trim trim-newline triml trimr upper-case",
    ),
    space(
        "clojure.set",
        "set",
        "set/",
        "difference index intersection join map-invert project rename rename-keys select subset? \
         superset? union",
    ),
    space("clojure.edn", "edn", "edn/", ""),
    space(
        "clojure.walk",
        "walk",
        "walk/",
        "keywordize-keys postwalk postwalk-replace prewalk prewalk-replace stringify-keys walk",
    ),
    space("clojure.pprint", "pprint pp", "pprint/", "pprint print-table"),
    space("regex", "", "regex/", "extract extract-int re-find re-matches re-pattern re-seq re-split"),
    space("Math", "clojure.math math java.lang.Math", "Math/", ""),
    space("json", "", "json/", ""),
    space("Double", "java.lang.Double", "Double/", ""),
    space("Float", "java.lang.Float", "Float/", ""),
    space("Integer", "java.lang.Integer", "Integer/", ""),
    space("Long", "java.lang.Long", "Long/", ""),
    space("Boolean", "java.lang.Boolean", "Boolean/", ""),
    space("Character", "java.lang.Character", "Character/", ""),
    space("String", "java.lang.String", "String/", ""),
    space("PersistentQueue", "clojure.lang.PersistentQueue", "PersistentQueue/", ""),
    space("System", "java.lang.System", "System/", ""),
    space("LocalDate", "java.time.LocalDate", "LocalDate/", ""),
    space("Instant", "java.time.Instant", "Instant/", ""),
    space("ChronoUnit", "java.time.temporal.ChronoUnit", "ChronoUnit/", ""),
    space("DayOfWeek", "java.time.DayOfWeek", "DayOfWeek/", ""),
    space("Duration", "java.time.Duration", "Duration/", ""),
];

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
        None => absent::of_namespace(space).map(str::to_string).or_else(|| hint_elsewhere(space, bare)),
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

/// Names that a program gives to namespaces: `(require '[clojure.string :as s])`, also inside `ns`.
pub(super) fn names_given_in(forms: &[Form]) -> FxHashMap<Symbol, Symbol> {
    let mut given = FxHashMap::default();
    for form in forms {
        if let FormKind::List(items) = &form.kind
            && let [head, libraries @ ..] = items.as_slice()
            && head.as_symbol().is_some_and(|name| matches!(name.name(), "require" | "ns"))
        {
            libraries.iter().for_each(|library| collect_given(library, &mut given));
        }
    }
    given
}

fn collect_given(form: &Form, given: &mut FxHashMap<Symbol, Symbol>) {
    match &form.kind {
        FormKind::Quote(quoted) => collect_given(quoted, given),
        FormKind::List(items) | FormKind::Vector(items) => {
            given.extend(name_given(items));
            items.iter().for_each(|item| collect_given(item, given));
        }
        _ => {}
    }
}

fn name_given(items: &[Form]) -> Option<(Symbol, Symbol)> {
    let library = items.first()?.as_symbol().filter(|library| find(library.name()).is_some())?;
    let is_as = |form: &Form| matches!(&form.kind, FormKind::Keyword(name) if name.name() == "as");
    let name = items.get(items.iter().position(is_as)? + 1)?.as_symbol()?;
    Some((name, library))
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
        if let Some(instead) = absent::of_qualified(&own) {
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
        let constants = builtins::CONSTANTS.iter().flat_map(|constants| constants.iter()).map(|c| c.name);
        let names = builtins::all().map(|builtin| builtin.name).chain(constants);
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
