//! Hints for missing names: functions of Clojure left out here, and names of other languages. They are the sorted rows
//! of `absent.tsv`: a kind, names with a common hint, the hint.

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

/// Hint for a name, by its kind: a `form` of Clojure; a `name`, method or constructor; a name `qualified` with the
/// shortest name of an existing namespace; a missing `namespace` or class.
pub fn of(kind: &str, name: &str) -> Option<&'static str> {
    HINTS.get(&(kind, name)).copied()
}
