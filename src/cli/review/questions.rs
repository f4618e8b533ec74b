//! The questions of a review: one for each new snapshot, and one for each change, even if it affects many snapshots. Snapshots are read
//! only when shown.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use crate::report::change::{Cause, Change, ChangeList, WaitingChanges};
use crate::snapshot::Store;
use crate::snapshot::cause::Change as TextChange;
use crate::snapshot::text::SYSTEM_PROMPT;

/// The cause of changes not explained by the last run.
const UNEXPLAINED: &str = "not explained by the last run: ptc-eval run lists what changed";

/// Snapshots waiting for review.
pub(super) struct Questions {
    store: Store,
    /// The models whose costs are shown.
    pub models: Vec<String>,
    /// The keys of new snapshots, without an accepted version. They are asked about first.
    pub new: Vec<String>,
    pub changes: Vec<WaitingChange>,
    /// Indexes into `changes`, by the key of a changed snapshot.
    by_key: BTreeMap<String, Vec<usize>>,
}

/// A change and the snapshots affected by it.
pub(super) struct WaitingChange {
    pub change: Change,
    /// Sorted.
    pub keys: Vec<String>,
}

/// One decision to make.
#[derive(Clone, Copy)]
pub(super) enum Question<'s> {
    New(&'s str),
    Change(&'s WaitingChange),
}

/// The reviewer's answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Accepted,
    Rejected,
    Skipped,
}

impl Questions {
    /// Reads the snapshots of a store waiting for review, and their changes as written by the last run into the reports.
    pub(super) fn read(store: &Store, reports: &Path) -> io::Result<Questions> {
        let pending = store.pending_keys_of_own_folder(&store.list()?)?;
        let waiting = WaitingChanges::read(reports)?;
        let (changed, new): (Vec<String>, Vec<String>) =
            pending.into_iter().partition(|key| store.path_of(key).is_file());
        let scenarios: BTreeSet<&str> = changed.iter().map(|key| scenario_of(key)).collect();
        let mut list = ChangeList::default();
        for (name, difference) in &waiting.scenarios {
            if scenarios.contains(name.as_str()) {
                list.add(name, difference);
            }
        }
        if changed.iter().any(|key| key == SYSTEM_PROMPT) {
            list.add_system(&system_diff(store)?, 0);
        }
        let (mut changes, explained) = assign_snapshots(&list, &changed);
        let rest: Vec<String> = changed.iter().filter(|key| !explained.contains(*key)).cloned().collect();
        if !rest.is_empty() {
            let change = Change::unexplained(Cause::Guess(UNEXPLAINED.to_owned()), &rest);
            changes.push(WaitingChange { change, keys: rest });
        }
        let mut by_key: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, change) in changes.iter().enumerate() {
            for key in &change.keys {
                by_key.entry(key.clone()).or_default().push(index);
            }
        }
        Ok(Questions { store: store.clone(), models: waiting.models, new, changes, by_key })
    }

    /// Number of questions.
    pub(super) fn len(&self) -> usize {
        self.new.len() + self.changes.len()
    }

    pub(super) fn question(&self, number: usize) -> Option<Question<'_>> {
        match self.new.get(number) {
            Some(key) => Some(Question::New(key)),
            None => self.changes.get(number - self.new.len()).map(Question::Change),
        }
    }

    /// The decision about a snapshot, combined from all its changes: skipped if one is skipped or undecided, else rejected if one is
    /// rejected.
    pub(super) fn decided(&self, key: &str, decisions: &[Decision]) -> Decision {
        let Some(indexes) = self.by_key.get(key) else {
            let number = self.new.iter().position(|known| known == key);
            let decision = number.and_then(|number| decisions.get(number)).copied();
            return decision.unwrap_or(Decision::Skipped);
        };
        let mut all: Vec<Decision> = Vec::with_capacity(indexes.len());
        for index in indexes {
            let decision = decisions.get(self.new.len() + index).copied();
            all.push(decision.unwrap_or(Decision::Skipped));
        }
        for decision in [Decision::Skipped, Decision::Rejected] {
            if all.contains(&decision) {
                return decision;
            }
        }
        Decision::Accepted
    }

    /// The keys of changed snapshots.
    pub(super) fn changed_keys(&self) -> impl Iterator<Item = &str> {
        self.by_key.keys().map(String::as_str)
    }

    /// Compares the accepted and the waiting text of a snapshot.
    pub(super) fn text_change(&self, key: &str) -> io::Result<TextChange> {
        let [old, new] = self.store.bodies(key)?.map(Option::unwrap_or_default);
        Ok(TextChange::new(key.to_owned(), old, new))
    }
}

impl<'s> Question<'s> {
    /// The snapshots affected by a question.
    pub(super) fn keys(self) -> Vec<&'s str> {
        match self {
            Question::New(key) => vec![key],
            Question::Change(change) => change.keys.iter().map(String::as_str).collect(),
        }
    }
}

/// The changes with their snapshots, and the set of all these snapshots. A scenario's other snapshots, such as its run, belong to all of
/// its changes.
fn assign_snapshots(list: &ChangeList, changed: &[String]) -> (Vec<WaitingChange>, BTreeSet<String>) {
    let sorted = list.sorted();
    let of_changes: BTreeSet<&String> = sorted.iter().flat_map(|change| &change.files).collect();
    let (mut changes, mut explained) = (Vec::new(), BTreeSet::new());
    for change in sorted {
        let mut keys: Vec<String> = Vec::new();
        for key in changed {
            let follows = change.scenarios.iter().any(|name| name == scenario_of(key));
            if change.files.contains(key) || follows && !of_changes.contains(key) {
                keys.push(key.clone());
            }
        }
        if !keys.is_empty() {
            explained.extend(keys.iter().cloned());
            changes.push(WaitingChange { change: change.clone(), keys });
        }
    }
    (changes, explained)
}

/// The changed lines of the SYSTEM text, with `+` and `-`.
fn system_diff(store: &Store) -> io::Result<String> {
    let [old, new] = store.bodies(SYSTEM_PROMPT)?.map(Option::unwrap_or_default);
    Ok(TextChange::new(SYSTEM_PROMPT.to_owned(), old, new).signed_lines())
}

/// `shop/well-reviewed/trim` belongs to `shop/well-reviewed`.
fn scenario_of(key: &str) -> &str {
    key.rsplit_once('/').map_or("", |(scenario, _)| scenario)
}
