//! Hints for names that do not exist: functions of Clojure that are left out, and the names that other
//! languages use. They are rows of `absent.tsv`, sorted: a kind, the names that share a hint, the hint.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// Hints by kind and name.
static HINTS: LazyLock<FxHashMap<(&str, &str), &str>> = LazyLock::new(|| {
    let rows = include_str!("absent.tsv").lines().filter_map(|row| {
        let (kind, row) = row.split_once('\t')?;
        let (names, hint) = row.split_once('\t')?;
        Some(names.split(' ').map(move |name| ((kind, name), hint)))
    });
    rows.flatten().collect()
});

/// Hint for a name: a `form` of Clojure, a `name`, method or constructor, one that is `qualified` with the shortest
/// name of a namespace that exists, or a `namespace` or class that does not.
pub fn of(kind: &str, name: &str) -> Option<&'static str> {
    HINTS.get(&(kind, name)).copied()
}
