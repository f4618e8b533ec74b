//! Writes decisions to files at once, so nothing is lost however a review ends. The files follow from all decisions
//! alone, so undoing one is the same operation.

use std::collections::BTreeMap;
use std::io;

use super::questions::{Decision, Question, Questions};
use crate::snapshot::cause::Change;
use crate::snapshot::store::{Files, Store};

/// Writes decisions to the files of snapshots.
pub(super) struct DecisionFiles {
    store: Store,
    /// The files when the review began.
    before: BTreeMap<String, Files>,
}

/// Number of snapshots by decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReviewSummary {
    /// With something accepted.
    pub accepted: usize,
    pub rejected: usize,
    /// With something not decided.
    pub left: usize,
}

impl DecisionFiles {
    pub(super) fn new(store: Store) -> DecisionFiles {
        DecisionFiles { store, before: BTreeMap::new() }
    }

    /// Writes the files of one question as all decisions say.
    pub(super) fn put(
        &mut self,
        questions: &Questions,
        number: usize,
        decisions: &[Decision],
    ) -> io::Result<()> {
        match questions.question(number) {
            None => Ok(()),
            Some(Question::New(pending)) => {
                let decision = decisions.get(number).copied().unwrap_or(Decision::Skipped);
                self.write(&pending.key, |before| match decision {
                    Decision::Accepted => before.decided(&pending.source, Some(&pending.body), None),
                    Decision::Rejected => before.decided(&pending.source, None, None),
                    Decision::Skipped => before.clone(),
                })
            }
            Some(Question::Cause(cause)) => {
                let mut changes: Vec<usize> = cause.members.iter().map(|(change, _)| *change).collect();
                changes.dedup();
                changes.into_iter().try_for_each(|index| {
                    let Some(change) = questions.changes.get(index) else { return Ok(()) };
                    let decided = questions.decided(index, decisions);
                    let body = |text| questions.body(index, text);
                    let source = questions.source(index);
                    self.write(&change.key, |before| files(change, source, body, &decided, before))
                })
            }
        }
    }

    /// Waits until the disk has what is written.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.store.sync()
    }

    fn write(&mut self, key: &str, files: impl Fn(&Files) -> Files) -> io::Result<()> {
        if !self.before.contains_key(key) {
            self.before.insert(key.to_string(), self.store.files(key)?);
        }
        self.before.get(key).map_or(Ok(()), |before| self.store.put(key, &files(before)))
    }
}

/// The files of a change: accepted hunks in the one, open hunks in the other.
fn files(
    change: &Change,
    source: &str,
    body: impl Fn(String) -> String,
    decided: &[Decision],
    before: &Files,
) -> Files {
    let is = |hunk: usize, decision: Decision| decided.get(hunk) == Some(&decision);
    // Undoing every decision must give back the files byte by byte.
    if decided.iter().all(|decision| *decision == Decision::Skipped) {
        return before.clone();
    }
    let accepted = || body(change.with_hunks(|hunk| is(hunk, Decision::Accepted)));
    let accepted = decided.contains(&Decision::Accepted).then(accepted);
    let pending = || body(change.with_hunks(|hunk| !is(hunk, Decision::Rejected)));
    let pending = decided.contains(&Decision::Skipped).then(pending);
    before.decided(source, accepted.as_deref(), pending.as_deref())
}

impl ReviewSummary {
    pub(super) fn of(questions: &Questions, decisions: &[Decision]) -> ReviewSummary {
        let mut summary = ReviewSummary::default();
        for number in 0..questions.new.len() {
            summary.add(&[decisions.get(number).copied().unwrap_or(Decision::Skipped)]);
        }
        for index in 0..questions.changes.len() {
            summary.add(&questions.decided(index, decisions));
        }
        summary
    }

    fn add(&mut self, decided: &[Decision]) {
        let is_left = decided.contains(&Decision::Skipped);
        if decided.contains(&Decision::Accepted) {
            self.accepted += 1;
        } else if !is_left {
            self.rejected += 1;
        }
        self.left += usize::from(is_left);
    }
}
