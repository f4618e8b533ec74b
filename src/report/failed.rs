//! The names of scenarios that failed, in a file next to the reports, for `--only-failed`. Written by `run`
//! and `merge`.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::record::ScenarioRecord;
use super::verdicts::{SnapshotVerdict, Unreadable};
use super::write::GITIGNORE;
use crate::scenario::files;
use crate::snapshot::atomic::{at_place, write_atomically};

/// One name per line, sorted.
const FILE: &str = "failed.txt";

/// Names of scenarios that failed before this evaluation or in it.
#[derive(Clone)]
pub struct FailedNames {
    path: PathBuf,
    before: BTreeSet<String>,
    now: BTreeSet<String>,
    /// Scenarios that failed before, but passed in this evaluation.
    fine: BTreeSet<String>,
}

impl FailedNames {
    /// Reads the names from a report folder; empty without such a file.
    ///
    /// # Errors
    /// The file exists, but cannot be read.
    pub fn read(folder: &Path) -> io::Result<FailedNames> {
        let path = folder.join(FILE);
        let text = files::read_if_there(&path).map_err(|error| at_place(&path, &error))?.unwrap_or_default();
        let before = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
        Ok(FailedNames { path, before, now: BTreeSet::new(), fine: BTreeSet::new() })
    }

    /// The scenarios that failed before.
    pub fn before(&self) -> &BTreeSet<String> {
        &self.before
    }

    /// Records the outcome of a replayed scenario.
    pub fn note(&mut self, record: &ScenarioRecord) {
        if has_failed(record) {
            self.now.insert(record.name.clone());
        } else if self.before.contains(&record.name) {
            self.fine.insert(record.name.clone());
        }
    }

    /// Records a scenario that could not be replayed.
    pub fn note_unreadable(&mut self, unreadable: &Unreadable) {
        self.now.insert(unreadable.name.clone());
    }

    /// Scenarios that failed now. For an evaluation of the whole suite, as older names may no longer exist.
    pub fn now(&self) -> BTreeSet<String> {
        self.now.clone()
    }

    /// Scenarios that failed now, or failed before and were not replayed.
    pub fn now_or_not_replayed(&self) -> BTreeSet<String> {
        &self.now_or_before() - &self.fine
    }

    /// Scenarios that failed now or before. For an evaluation with some strategies only, or with other
    /// options.
    pub fn now_or_before(&self) -> BTreeSet<String> {
        &self.before | &self.now
    }

    /// Writes the names for the next evaluation.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, names: &BTreeSet<String>) -> io::Result<()> {
        if *names == self.before {
            return Ok(());
        }
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let ignore = folder.join(".gitignore");
        if !ignore.exists() {
            write_atomically(&ignore, |out| out.write_all(GITIGNORE.as_bytes()))
                .map_err(|error| at_place(&ignore, &error))?;
        }
        write_atomically(&self.path, |out| names.iter().try_for_each(|name| writeln!(out, "{name}")))
            .map_err(|error| at_place(&self.path, &error))
    }
}

/// Returns true if an expectation failed, a snapshot changed, or a strategy made no requests.
fn has_failed(record: &ScenarioRecord) -> bool {
    let changed = record.snapshots.iter().any(|snapshot| snapshot.verdict == SnapshotVerdict::Changed);
    changed || !record.failures.is_empty() || !record.broken_strategies.is_empty()
}
