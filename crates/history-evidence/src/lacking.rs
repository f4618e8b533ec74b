//! Atoms missing from requests. A summary in place of earlier turns would have to contain them.

use crate::matching::Atom;
use crate::shown::Shown;
use crate::{EvidenceFinder, Needs, is_seen};
use conversation::{MessageId, Table};
use history_strategies::Requests;

/// An [`Atom`] needed by an answer, but neither shown by its request nor reachable from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lacking<'n> {
    /// The atom.
    pub atom: &'n Atom,
    /// True if less than its text would be enough: the name of a definition that holds it, or parts to assemble it from.
    pub needs_less: bool,
}

impl EvidenceFinder {
    /// For each answer, the atoms missing from its request: none if [`Evidence::lacks_fact`](crate::Evidence::lacks_fact) is false.
    pub fn lacking<'n>(
        &mut self,
        needs: &'n Needs<'_>,
        table: &Table,
        requests: &Requests,
    ) -> Vec<Vec<Lacking<'n>>> {
        self.index.read(table);
        let (mut shown, mut turn) = (Shown::default(), 0);
        requests.map(|request, _, replaced| {
            shown.advance(request, replaced, table);
            turn += 1;
            let mut shows = |atom: &Atom| shown.shows(atom, &mut self.index, table);
            needs.find_lacking(turn - 1, &mut shows, |id| shown.names_file_of(id))
        })
    }
}

impl Needs<'_> {
    fn find_lacking(
        &self,
        index: usize,
        shows: &mut dyn FnMut(&Atom) -> bool,
        is_in_file: impl Fn(MessageId) -> bool,
    ) -> Vec<Lacking<'_>> {
        let mut lacking = Vec::new();
        let needs = self.of_turns.get(index).map_or(&[][..], Vec::as_slice);
        for (at, need) in needs.iter().enumerate() {
            let atom = &need.atom;
            if need.is_weak || is_seen(needs, at, shows) || self.is_held(atom, index, shows) {
                continue;
            }
            if need.told_by.iter().copied().any(&is_in_file) {
                continue;
            }
            let needs_less = !need.ways.is_empty() || self.is_held(atom, index, &mut |_| true);
            lacking.push(Lacking { atom, needs_less });
        }
        lacking
    }
}
