//! The shapes of keys, as a table.

/// A shape that only keys have.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The service, or the kind of the key.
    pub name: &'static str,
    pub pattern: &'static str,
    /// A part of each such key, if no characters of its own begin it. Searched first: an automaton for keys that may begin
    /// anywhere has a state for each of their lengths.
    pub literal: &'static str,
    /// A text that is like a key and is none.
    pub look_alike: &'static str,
}

/// All shapes. Tests make samples of the patterns, since no file of this repository holds what a scanner would take for a key.
pub fn rules() -> impl Iterator<Item = Rule> {
    include_str!("rules.tsv").lines().skip(1).filter_map(|line| {
        let mut columns = line.split('\t');
        Some(Rule {
            name: columns.next()?,
            pattern: columns.next()?,
            literal: columns.next()?,
            look_alike: columns.next()?,
        })
    })
}
