//! Patterns of keys, as a table.

/// A pattern unique to keys.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The service, or the type of key.
    pub name: &'static str,
    pub pattern: &'static str,
    /// A substring of every key, for keys without a fixed prefix. Searched first: an automaton for keys at any position needs a state for
    /// each key length.
    pub literal: &'static str,
    /// A similar text without a key.
    pub look_alike: &'static str,
}

/// All rules. Tests generate sample keys from the patterns, since secret scanners would flag samples in this repository.
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
