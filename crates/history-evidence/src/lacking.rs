//! Atoms missing from requests. A summary in place of earlier turns would have to contain them.

use crate::index::Present;
use crate::matching::Atom;
use crate::{EvidenceFinder, Needs};
use conversation::Table;
use history_strategies::Requests;

/// An atom needed by an answer, but neither shown by its request nor reachable from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lacking<'n> {
    /// The atom.
    pub atom: &'n Atom,
    /// True if the value of a definition holds it. Showing the definition's name would then be enough.
    pub is_defined: bool,
}

impl EvidenceFinder {
    /// For each answer, the atoms missing from its request.
    pub fn lacking<'n>(
        &mut self,
        needs: &'n Needs<'_>,
        table: &Table,
        requests: &Requests,
    ) -> Vec<Vec<Lacking<'n>>> {
        self.index.read(table);
        let (mut present, mut turn) = (Present::default(), 0);
        requests.map(|request, _, replaced| {
            for id in replaced {
                present.remove(*id, table);
            }
            for id in request.added() {
                present.add(id, table);
            }
            turn += 1;
            needs.find_lacking(turn - 1, |atom| present.shows(self.index.places(atom, table)))
        })
    }
}

impl Needs<'_> {
    fn find_lacking(&self, index: usize, mut shows: impl FnMut(&Atom) -> bool) -> Vec<Lacking<'_>> {
        let mut lacking = Vec::new();
        for need in self.of_turns.get(index).into_iter().flatten() {
            let atom = &need.atom;
            if !need.is_weak && !shows(atom) && !self.is_held(atom, index, &mut shows) {
                let is_defined = self.is_held(atom, index, &mut |_| true);
                lacking.push(Lacking { atom, is_defined });
            }
        }
        lacking
    }
}
