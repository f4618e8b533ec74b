//! The atoms an answer may rely on.

use std::iter;

use ecow::EcoString;
use rustc_hash::FxHashMap;

use crate::common::is_common;
use crate::identifiers::identifiers;
use crate::matching::Atom;
use crate::parts::ways_to_assemble;
use crate::uses::{Usage, Use};

/// For each name, the last turn so far that defined it.
pub type Defined = FxHashMap<EcoString, u32>;

/// The atoms one answer may rely on.
pub struct Candidates {
    /// The atoms used by the answer.
    pub used: Vec<Candidate>,
    /// The entries of `needs:`, with their atoms.
    pub listed: Vec<(String, Candidate)>,
}

/// An atom an answer may rely on.
pub struct Candidate {
    pub atom: Atom,
    pub usage: Usage,
    /// For names, the last turn that defined it.
    pub defined: Option<u32>,
    /// Alternatives: each is a list of atoms the atom can be assembled from.
    pub ways: Vec<Vec<Atom>>,
    /// The names in a line, without common ones. They suffice next to a copied line.
    pub names: Vec<Atom>,
}

impl Candidates {
    /// Combines the uses of an answer with the texts in its `needs:`.
    pub fn of_turn(used: Vec<Use>, listed: &[String], defined: &Defined) -> Candidates {
        Candidates {
            used: used.into_iter().map(|one| Candidate::of(one, defined)).collect(),
            listed: listed.iter().map(|text| (text.clone(), Candidate::from_listed(text, defined))).collect(),
        }
    }

    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        let listed = self.listed.iter().map(|(_, candidate)| candidate);
        self.used.iter().chain(listed).flat_map(Candidate::atoms)
    }
}

impl Candidate {
    fn of(Use { atom, usage }: Use, defined: &Defined) -> Candidate {
        let turn = match &atom {
            Atom::Name(name) => defined.get(name).copied(),
            _ => None,
        };
        let ways = ways_to_assemble(&atom, usage);
        let mut names = Vec::new();
        if let Atom::Line(line) = &atom {
            names = identifiers(line);
            names.retain(|name| !is_common(name.text()));
        }
        Candidate { atom, usage, defined: turn, ways, names }
    }

    /// The atom, and the atoms it can be assembled from.
    fn atoms(&self) -> impl Iterator<Item = &Atom> {
        iter::once(&self.atom).chain(self.ways.iter().flatten()).chain(&self.names)
    }

    /// The candidate of an entry of `needs:`.
    fn from_listed(text: &str, defined: &Defined) -> Candidate {
        let name = text.strip_prefix("user/").unwrap_or(text);
        let atom = match Atom::of_text(text) {
            _ if defined.contains_key(name) => Atom::Name(name.into()),
            Some(atom) => atom,
            None => Atom::Literal(text.into()),
        };
        Candidate::of(Use { atom, usage: Usage::Program }, defined)
    }
}
