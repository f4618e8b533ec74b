//! The questions of a review: one for every new snapshot, and one for every cause of changes, in however many
//! snapshots it shows.

use std::io;

use crate::snapshot::cause::{Cause, Change, Hunk, causes};
use crate::snapshot::store::{Pending, Store};

/// Snapshots that wait for review.
pub(super) struct Questions {
    /// Snapshots that have no accepted one, asked about first.
    pub new: Vec<Pending>,
    pub changes: Vec<Change>,
    pub causes: Vec<Cause>,
    /// For every change the causes of its hunks, in their order.
    causes_of: Vec<Vec<usize>>,
}

/// One thing to decide.
#[derive(Clone, Copy)]
pub(super) enum Question<'s> {
    New(&'s Pending),
    Cause(&'s Cause),
}

/// Decision of the reviewer about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Accepted,
    Rejected,
    Skipped,
}

impl Questions {
    pub(super) fn read(store: &Store) -> io::Result<Questions> {
        let (new, changed): (Vec<_>, Vec<_>) =
            store.pending()?.into_iter().partition(|pending| pending.old.is_none());
        let change =
            |pending: Pending| Change::new(pending.key, pending.old.unwrap_or_default(), pending.new);
        let changes: Vec<Change> = changed.into_iter().map(change).collect();
        let causes = causes(&changes);
        let mut causes_of: Vec<Vec<usize>> =
            changes.iter().map(|change| vec![0; change.hunks.len()]).collect();
        for (number, cause) in causes.iter().enumerate() {
            for &(change, hunk) in &cause.members {
                if let Some(place) = causes_of.get_mut(change).and_then(|hunks| hunks.get_mut(hunk)) {
                    *place = number;
                }
            }
        }
        Ok(Questions { new, changes, causes, causes_of })
    }

    /// Number of questions.
    pub(super) fn len(&self) -> usize {
        self.new.len() + self.causes.len()
    }

    pub(super) fn question(&self, number: usize) -> Option<Question<'_>> {
        match self.new.get(number) {
            Some(pending) => Some(Question::New(pending)),
            None => self.causes.get(number - self.new.len()).map(Question::Cause),
        }
    }

    /// The decisions about each hunk of a change; an open one counts as skipped.
    pub(super) fn decided(&self, change: usize, decisions: &[Decision]) -> Vec<Decision> {
        let causes = self.causes_of.get(change).map(Vec::as_slice).unwrap_or_default();
        let of_cause = |cause: &usize| decisions.get(self.new.len() + cause).copied();
        causes.iter().map(|cause| of_cause(cause).unwrap_or(Decision::Skipped)).collect()
    }

    /// The snapshots of a question.
    pub(super) fn keys<'s>(&'s self, question: Question<'s>) -> Vec<&'s str> {
        match question {
            Question::New(pending) => vec![pending.key.as_str()],
            Question::Cause(cause) => {
                let keys = cause.members.iter().filter_map(|(change, _)| self.changes.get(*change));
                let mut keys: Vec<&str> = keys.map(|change| change.key.as_str()).collect();
                keys.dedup();
                keys
            }
        }
    }

    /// One place of a cause.
    pub(super) fn member(&self, cause: &Cause, index: usize) -> Option<(&Change, &Hunk)> {
        cause.member(index, &self.changes)
    }
}
