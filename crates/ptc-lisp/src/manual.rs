//! The names of the language with their docs and examples, for people and for the model. They are rows of
//! `language.tsv`: name, family, arity, origin (C: as in Clojure, D: differs, E: extension), version of the
//! prompt that has it, doc, example.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// A name of the language.
#[derive(Clone, Copy, Default)]
pub struct Entry {
    /// The name in programs.
    pub name: &'static str,
    /// Family of names that it belongs to.
    pub family: &'static str,
    /// Numbers of arguments; `const` of a value that is no function.
    pub arity: &'static str,
    /// One line.
    pub doc: &'static str,
    /// `EXPRESSION ;=> VALUE`, run by a test; empty for constants and for forms that leave the program.
    pub example: &'static str,
}

/// All names, family by family.
pub fn entries() -> impl Iterator<Item = Entry> {
    include_str!("language.tsv").lines().map(|line| {
        let mut columns = line.split('\t');
        let mut next = || columns.next().unwrap_or_default();
        let [name, family, arity, _, _, doc, example] = [(); 7].map(|()| next());
        Entry { name, family, arity, doc, example }
    })
}

/// The entry of a name; an empty one for a name that the language does not have.
pub fn entry(name: &str) -> Entry {
    static BY_NAME: LazyLock<FxHashMap<&str, Entry>> =
        LazyLock::new(|| entries().map(|entry| (entry.name, entry)).collect());
    BY_NAME.get(name).copied().unwrap_or_default()
}
