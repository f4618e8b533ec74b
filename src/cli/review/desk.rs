//! Puts decisions into files, at once, so that nothing is lost however a review ends. What the files shall
//! be follows from all decisions alone, so taking one back needs no second way.

use std::collections::BTreeMap;
use std::io;

use super::subject::{Decision, Question, Subject};
use crate::snapshot::cause::Change;
use crate::snapshot::store::{Files, Store};

/// Where the files lie, and what they were when the review began.
pub(super) struct Desk {
    store: Store,
    before: BTreeMap<String, Files>,
}

/// How a review ended, in snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// With something accepted.
    pub accepted: usize,
    pub rejected: usize,
    /// With something not decided.
    pub left: usize,
}

impl Desk {
    pub(super) fn new(store: Store) -> Desk {
        Desk { store, before: BTreeMap::new() }
    }

    /// Makes the files of one question what all decisions say.
    pub(super) fn put(&mut self, subject: &Subject, number: usize, decisions: &[Decision]) -> io::Result<()> {
        match subject.question(number) {
            None => Ok(()),
            Some(Question::New(pending)) => {
                let decision = decisions.get(number).copied().unwrap_or(Decision::Skipped);
                self.write(&pending.key, |before| match decision {
                    Decision::Accepted => before.decided(Some(&pending.new), None),
                    Decision::Rejected => before.decided(None, None),
                    Decision::Skipped => before.clone(),
                })
            }
            Some(Question::Cause(cause)) => {
                let mut changes: Vec<usize> = cause.members.iter().map(|(change, _)| *change).collect();
                changes.dedup();
                changes.into_iter().try_for_each(|index| {
                    let Some(change) = subject.changes.get(index) else { return Ok(()) };
                    let decided = subject.decided(index, decisions);
                    self.write(&change.key, |before| files(change, &decided, before))
                })
            }
        }
    }

    fn write(&mut self, key: &str, files: impl Fn(&Files) -> Files) -> io::Result<()> {
        if !self.before.contains_key(key) {
            self.before.insert(key.to_string(), self.store.files(key)?);
        }
        match self.before.get(key) {
            Some(before) => self.store.put(key, &files(before)),
            None => Ok(()),
        }
    }
}

/// The files of a change: what is accepted stands in the one, what is open in the other.
fn files(change: &Change, decided: &[Decision], before: &Files) -> Files {
    let is = |hunk: usize, decision: Decision| decided.get(hunk) == Some(&decision);
    if decided.iter().all(|decision| *decision == Decision::Skipped) {
        return before.clone();
    }
    let accepted =
        decided.contains(&Decision::Accepted).then(|| change.with_hunks(|hunk| is(hunk, Decision::Accepted)));
    let pending =
        decided.contains(&Decision::Skipped).then(|| change.with_hunks(|hunk| !is(hunk, Decision::Rejected)));
    before.decided(accepted.as_deref(), pending.as_deref())
}

impl Summary {
    pub(super) fn of(subject: &Subject, decisions: &[Decision]) -> Summary {
        let mut summary = Summary::default();
        for number in 0..subject.new.len() {
            summary.add(&[decisions.get(number).copied().unwrap_or(Decision::Skipped)]);
        }
        for index in 0..subject.changes.len() {
            summary.add(&subject.decided(index, decisions));
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
