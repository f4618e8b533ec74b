//! The atoms of an answer, with their usage.

use rustc_hash::FxHashMap;

use crate::identifiers::identifiers;
use crate::matching::Atom;

/// An [`Atom`] of an answer, with its [`Usage`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The atom.
    pub atom: Atom,
    /// How the answer uses it.
    pub usage: Usage,
}

/// How an answer uses an atom, from weak to strong evidence. If an answer uses an atom in several ways, the strongest
/// counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Usage {
    /// A name in prose.
    Name,
    /// A quoted word inside a longer text.
    Word,
    /// A place in a file, such as the first line to read.
    Position,
    /// A limit for a tool, such as a number of lines.
    Bound,
    /// A search term.
    Search,
    /// A whole shell command.
    Command,
    /// An argument of a call, or a small number in text for the user.
    Argument,
    /// In text for the user.
    Said,
    /// In a program, so the spelling must match the data.
    Program,
}

/// Adds the whole string, and the identifiers inside it.
pub fn add_string(text: &str, usage: Usage, found: &mut Vec<Use>) {
    for atom in Atom::of_text(text).into_iter().chain(identifiers(text)) {
        found.push(Use { atom, usage });
    }
}

/// Removes duplicate atoms, keeping the strongest usage of each.
pub fn keep_distinct(uses: Vec<Use>) -> Vec<Use> {
    let mut at = FxHashMap::default();
    let mut distinct: Vec<Use> = Vec::new();
    for used in uses {
        let known = *at.entry(used.atom.clone()).or_insert(distinct.len());
        match distinct.get_mut(known) {
            Some(known) => known.usage = known.usage.max(used.usage),
            None => distinct.push(used),
        }
    }
    distinct
}
