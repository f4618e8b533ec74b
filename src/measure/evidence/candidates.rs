//! The atoms that an answer may rely on.

use std::iter;

use rustc_hash::FxHashMap;

use super::atoms::{Usage, of_program};
use super::interface::Interface;
use super::lines::KnownLines;
use super::logged::of_logged;
use super::matching::Atom;
use super::parts::ways;
use crate::agent::Turn;
use crate::scenario::Scenario;
use ptc_lisp::symbol::Symbol;

/// The turn that defined each name last, of the turns so far.
pub type Defined = FxHashMap<Symbol, u32>;

/// Atoms that an answer may rely on.
pub struct Candidates {
    /// The atoms that the answer uses.
    pub used: Vec<Candidate>,
    /// The entries of `needs:`, each with its atom.
    pub listed: Vec<(String, Candidate)>,
}

/// An atom that an answer may rely on.
pub struct Candidate {
    pub atom: Atom,
    pub usage: Usage,
    /// The turn that defined it last, if it is a name.
    pub defined: Option<u32>,
    /// The ways to put it together from other atoms.
    pub ways: Vec<Vec<Atom>>,
}

impl Candidates {
    /// The candidates of the turn at an index. Adds the lines of the turn to the known ones.
    pub fn of(
        scenario: &Scenario,
        (index, turn): (usize, Turn<'_>),
        defined: &Defined,
        (known, interface): (&mut KnownLines, &Interface),
    ) -> Candidates {
        let used = match turn {
            Turn::Logged(turn) => of_logged(turn, known, interface),
            Turn::Program(turn) => of_program(&turn.program, &|name| defined.contains_key(&name)),
        };
        let listed = scenario.needs.get(index).into_iter().flatten();
        Candidates {
            used: used.into_iter().map(|one| Candidate::of(one.atom, one.usage, defined)).collect(),
            listed: listed.map(|text| (text.clone(), Candidate::listed(text, defined))).collect(),
        }
    }

    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        let listed = self.listed.iter().map(|(_, candidate)| candidate);
        self.used.iter().chain(listed).flat_map(Candidate::atoms)
    }
}

impl Candidate {
    fn of(atom: Atom, usage: Usage, defined: &Defined) -> Candidate {
        let turn = match &atom {
            Atom::Name(name) => defined.get(&Symbol::new(name)).copied(),
            _ => None,
        };
        let ways = ways(&atom, usage);
        Candidate { atom, usage, defined: turn, ways }
    }

    /// The atom, and those from which it can be put together.
    fn atoms(&self) -> impl Iterator<Item = &Atom> {
        iter::once(&self.atom).chain(self.ways.iter().flatten())
    }

    /// The candidate of an entry of `needs:`.
    fn listed(text: &str, defined: &Defined) -> Candidate {
        let name = text.strip_prefix("user/").unwrap_or(text);
        let is_defined = Symbol::known(name).is_some_and(|name| defined.contains_key(&name));
        let literal = || Atom::of_text(text).unwrap_or_else(|| Atom::Literal(text.into()));
        let atom = if is_defined { Atom::Name(name.into()) } else { literal() };
        Candidate::of(atom, Usage::Program, defined)
    }
}
