//! Hints for names that do not exist: functions of Clojure that are left out, and the names that other
//! languages use. They are rows of `absent.tsv`, sorted: a kind, the names that share a hint, the hint.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// Hints by kind and name.
static HINTS: LazyLock<FxHashMap<(&str, &str), &str>> = LazyLock::new(|| {
    let kinds = ["form", "name", "namespace", "qualified"].into_iter();
    let names = |kind| {
        rows(kind).flat_map(move |(names, hint)| names.split(' ').map(move |name| ((kind, name), hint)))
    };
    kinds.flat_map(names).collect()
});

/// Hint for a name, method or constructor.
pub(super) fn of_name(name: &str) -> Option<&'static str> {
    HINTS.get(&("name", name)).copied()
}

/// Hint for a form of Clojure that does not exist here.
pub fn of_form(name: &str) -> Option<&'static str> {
    HINTS.get(&("form", name)).copied()
}

/// Hint for a name in a namespace that exists, under the namespace's shortest name.
pub fn of_qualified(name: &str) -> Option<&'static str> {
    HINTS.get(&("qualified", name)).copied()
}

/// Hint for all names in a namespace or class that does not exist.
pub fn of_namespace(name: &str) -> Option<&'static str> {
    HINTS.get(&("namespace", name)).copied()
}

fn rows(kind: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = include_str!("absent.tsv").lines();
    rows.filter_map(move |row| row.strip_prefix(kind)?.strip_prefix('\t')?.split_once('\t'))
}
