//! The atoms of an answer, each with what the answer does with it.

use rustc_hash::FxHashMap;

use crate::identifiers::identifiers;
use crate::matching::Atom;

/// An atom of an answer, and what the answer does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The atom.
    pub atom: Atom,
    /// What the answer does with it.
    pub usage: Usage,
}

/// Use of an atom in an answer. The later a use stands here, the more it tells: of several uses of an atom the last counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Usage {
    /// It is a name in prose.
    Name,
    /// It is a word in quotes inside a longer text.
    Word,
    /// It bounds what a tool does, such as the first line that is read.
    Bound,
    /// It is looked for.
    Search,
    /// It is a command of a shell as a whole.
    Command,
    /// It is in the arguments of a call, or a small number that is said to the user.
    Argument,
    /// It is said to the user.
    Said,
    /// It is in a program, which needs the spelling that its data have.
    Program,
}

/// Adds a string as a whole, and the identifiers inside of it.
pub fn add_string(text: &str, usage: Usage, found: &mut Vec<Use>) {
    let atoms = Atom::of_text(text).into_iter().chain(identifiers(text));
    found.extend(atoms.map(|atom| Use { atom, usage }));
}

/// The atoms, each once with its last usage.
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
