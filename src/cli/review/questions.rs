//! The questions of a review: one for every new snapshot, and one for every cause of changes, in however many
//! snapshots it shows.

use std::io;

use crate::snapshot::cause::{Cause, Change, Hunk, causes};
use crate::snapshot::requests::requests_of;
use crate::snapshot::store::{Pending, Store};
use crate::snapshot::text::RUN;
use crate::snapshot::{RunSections, body_of};

/// Snapshots that wait for review. The texts of changes have every message whole that is new in its request.
pub(super) struct Questions {
    /// Snapshots that have no accepted one, asked about first.
    pub new: Vec<NewSnapshot>,
    /// Snapshots that differ from the accepted ones.
    pub changes: Vec<Change>,
    /// The files and causes of each change. Causes are computed from the changes alone, which therefore stand apart.
    details: Vec<ChangeDetails>,
    pub causes: Vec<Cause>,
}

/// A snapshot that has no accepted one.
pub(super) struct NewSnapshot {
    pub key: String,
    pub source: String,
    pub body: String,
    /// The body with every new message whole.
    pub text: String,
}

/// The files and the causes of a change.
struct ChangeDetails {
    /// The scenario's file.
    source: String,
    /// The body of the accepted file.
    accepted: String,
    /// The body of the file that waits for review.
    pending: String,
    /// The accepted run, empty if it is reviewed too. None: the texts of the change are the bodies.
    run: Option<String>,
    /// The index of the cause of each hunk.
    causes: Vec<usize>,
}

/// One thing to decide.
#[derive(Clone, Copy)]
pub(super) enum Question<'s> {
    New(&'s NewSnapshot),
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
        let (mut new, mut changes, mut details) = (Vec::new(), Vec::new(), Vec::<ChangeDetails>::new());
        for Pending { key, source, old, new: pending } in store.pending()? {
            let [old_run, new_run] = runs_of(store, &key)?;
            let [old_requests, new_requests] = store.request_bodies(&key)?;
            let text = new_requests.and_then(|body| whole(&body, &new_run));
            let Some(accepted) = old else {
                new.push(NewSnapshot { key, source, text: text.unwrap_or_default(), body: pending });
                continue;
            };
            let is_same_run = old_run == new_run;
            let old_text = old_requests.and_then(|body| whole(&body, &old_run));
            let (change, run) = match (old_text, text) {
                (Some(old), Some(new)) if old != new => {
                    (Change::new(key, old, new), Some(if is_same_run { old_run } else { String::new() }))
                }
                _ => (Change::new(key, accepted.clone(), pending.clone()), None),
            };
            let causes = vec![0; change.hunks.len()];
            changes.push(change);
            details.push(ChangeDetails { source, accepted, pending, run, causes });
        }
        let causes = causes(&changes);
        for (number, cause) in causes.iter().enumerate() {
            for &(change, hunk) in &cause.members {
                let of_change = details.get_mut(change);
                if let Some(place) = of_change.and_then(|details| details.causes.get_mut(hunk)) {
                    *place = number;
                }
            }
        }
        Ok(Questions { new, changes, details, causes })
    }

    /// The body of a file whose text is that of the change at this index with some of its hunks.
    pub(super) fn body(&self, change: usize, text: String) -> String {
        let (Some(details), Some(change)) = (self.details.get(change), self.changes.get(change)) else {
            return text;
        };
        match &details.run {
            Some(_) if text == change.new => details.pending.clone(),
            Some(_) if text == change.old => details.accepted.clone(),
            Some(run) => match requests_of(&text, &RunSections::default()) {
                Ok(requests) => body_of(&requests, Some(&RunSections::of(run))),
                Err(_) => text,
            },
            None => text,
        }
    }

    /// The scenario file of the change at this index. There is an entry for each change.
    pub(super) fn source(&self, change: usize) -> &str {
        &self.details[change].source
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
        let of_cause = |cause: &usize| decisions.get(self.new.len() + cause).copied();
        // There is an entry for each change, and without its decisions hunks would be put back.
        let causes = self.details[change].causes.iter();
        causes.map(|cause| of_cause(cause).unwrap_or(Decision::Skipped)).collect()
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

/// The accepted and the newest run of the scenario of a snapshot; empty if there is none.
fn runs_of(store: &Store, key: &str) -> io::Result<[String; 2]> {
    let files = match key.rsplit_once('/') {
        Some((scenario, name)) if name != RUN => store.bodies(&format!("{scenario}/{RUN}"))?,
        _ => Default::default(),
    };
    let [accepted, pending] = files;
    let accepted = accepted.unwrap_or_default();
    Ok([accepted.clone(), pending.unwrap_or(accepted)])
}

/// The text of a strategy's golden file with every new message whole; none for other texts.
fn whole(body: &str, run: &str) -> Option<String> {
    let requests = requests_of(body, &RunSections::of(run)).ok()?;
    (!requests.is_empty()).then(|| body_of(&requests, None))
}
