//! Writes each decision to files at once, so nothing is lost if a review ends early. The files depend only on the current decisions, so
//! undo is the same operation.

use std::collections::BTreeMap;
use std::io;

use super::questions::{Decision, Questions};
use crate::snapshot::store::{Files, Store};

/// Writes decisions to snapshot files.
pub(super) struct DecisionFiles {
    store: Store,
    /// The last decision written for each snapshot, and its files from before the review.
    before: BTreeMap<String, (Decision, Files)>,
}

/// Number of snapshots by decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReviewSummary {
    pub accepted: usize,
    pub rejected: usize,
    /// Snapshots with an undecided change.
    pub left: usize,
}

impl DecisionFiles {
    pub(super) fn new(store: Store) -> DecisionFiles {
        DecisionFiles { store, before: BTreeMap::new() }
    }

    /// Writes the files of one question according to all decisions.
    pub(super) fn put(
        &mut self,
        questions: &Questions,
        number: usize,
        decisions: &[Decision],
    ) -> io::Result<()> {
        let keys = questions.question(number).map_or_else(Vec::new, |question| question.keys());
        for key in keys {
            self.write(key, questions.decided(key, decisions))?;
        }
        Ok(())
    }

    /// Waits until all files are on disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.store.sync()
    }

    fn write(&mut self, key: &str, decision: Decision) -> io::Result<()> {
        match self.before.get(key) {
            None if decision == Decision::Skipped => return Ok(()),
            Some((known, _)) if *known == decision => return Ok(()),
            None => {
                let files = self.store.files(key)?;
                // Decided by another review in the meantime.
                if files.pending.is_none() {
                    return Ok(());
                }
                self.before.insert(key.to_owned(), (Decision::Skipped, files));
            }
            Some(_) => {}
        }
        let Some((known, before)) = self.before.get_mut(key) else { return Ok(()) };
        *known = decision;
        let files = match decision {
            Decision::Accepted => Files { accepted: before.pending.clone(), pending: None },
            Decision::Rejected => Files { accepted: before.accepted.clone(), pending: None },
            Decision::Skipped => before.clone(),
        };
        self.store.put(key, &files)
    }
}

impl ReviewSummary {
    pub(super) fn of(questions: &Questions, decisions: &[Decision]) -> ReviewSummary {
        let mut summary = ReviewSummary::default();
        let new = questions.new.iter().map(String::as_str);
        for key in new.chain(questions.changed_keys()) {
            match questions.decided(key, decisions) {
                Decision::Accepted => summary.accepted += 1,
                Decision::Rejected => summary.rejected += 1,
                Decision::Skipped => summary.left += 1,
            }
        }
        summary
    }
}
