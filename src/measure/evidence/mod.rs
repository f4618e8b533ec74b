//! Evidence in the conversations of scenarios. Adds programs to the evidence found in messages by the crate `history_evidence`.

mod definitions;
mod program_atoms;
mod programs;

use std::collections::BTreeSet;

pub use history_evidence::{
    Atom, Evidence, EvidenceFinder, EvidenceItem, EvidenceKind, Grade, Lacking, Needs, OpeningLines,
    Unproduced,
};
use history_evidence::{AtomIndex, Beside, Programs};

use crate::agent::Past;
use crate::compression::{History, history_of, past_of};
use crate::scenario::Scenario;
use programs::RunPrograms;
use ptc_lisp::hint::nearest;

/// Finds the needs of all answers of a scenario.
pub fn needs_of<'p>(scenario: &'p Scenario, past: Past<'p>) -> Needs<'p> {
    let history = history_of(past, &|_| 0);
    needs_in_history(scenario, past, &history).0
}

/// Finds the needs of all answers of a scenario, and indexes their atoms in the history's message table.
pub fn needs_in_history<'p>(
    scenario: &'p Scenario,
    past: Past<'p>,
    history: &History<'_>,
) -> (Needs<'p>, AtomIndex) {
    let programs: Option<Box<dyn Programs + 'p>> = match past {
        Past::Program { turns, .. } => Some(Box::new(RunPrograms::new(turns))),
        Past::Logged { .. } => None,
    };
    Needs::in_history(history, Beside { listed: &scenario.needs, programs })
}

/// The definition or word of an earlier turn most similar to `text`. `index` is the turn with the unproduced text.
pub fn nearest_produced(history: &History<'_>, index: usize, text: &str) -> Option<String> {
    let earlier = history.after(index);
    let mut words: BTreeSet<&str> = BTreeSet::new();
    for (turn, _) in earlier.exchanges(0) {
        for reply in &turn.replies {
            let content = &reply.message.content;
            words.extend(content.split(|c: char| !c.is_alphanumeric() && !"_-/.:".contains(c)));
        }
    }
    if let Some(memory) = past_of(&earlier).memory() {
        words.extend(memory.iter().map(|definition| definition.name.name()));
    }
    nearest(text, words.into_iter()).map(str::to_owned)
}
