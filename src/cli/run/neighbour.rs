//! Refuses a suite beside another one with the same folders: each would take the snapshots of the other for orphans of its own,
//! and write over its reports.

use std::path::{Path, PathBuf};

use crate::cli::error::CliError;
use crate::report::{RESULTS, ResultsReader};
use crate::scenario::Suite;
use crate::scenario::suite::{beside, is_suite};
use crate::snapshot::store::Store;

/// Refuses folders of snapshots and of reports that another suite has written to. A folder of reports that the command line
/// names is no accident.
///
/// # Errors
/// There is such a suite, or a snapshot cannot be read.
pub(super) fn refuse(suite: &Suite, store: &Store, reports: Option<&Path>) -> Result<(), CliError> {
    if let Some(other) = of_snapshots(suite, store)? {
        return Err(CliError::SharedFolder { folder: store.folder.clone(), other });
    }
    match reports.and_then(|reports| Some((reports, of_reports(suite, reports)?))) {
        Some((folder, other)) => Err(CliError::SharedFolder { folder: folder.to_owned(), other }),
        None => Ok(()),
    }
}

/// The scenario of another suite that a snapshot is of. One that is gone was renamed with its suite.
fn of_snapshots(suite: &Suite, store: &Store) -> Result<Option<PathBuf>, CliError> {
    let sources = store.sources().map_err(|error| CliError::Read { path: store.folder.clone(), error })?;
    let others = sources.iter().filter(|source| {
        let folder = source.split_once('/').map_or(source.as_str(), |(folder, _)| folder);
        folder != suite.name && is_other(suite, folder)
    });
    Ok(others.map(|source| beside(&suite.root, source)).find(|path| path.is_file()))
}

/// The folder of another suite that reports are of.
fn of_reports(suite: &Suite, reports: &Path) -> Option<PathBuf> {
    let results = ResultsReader::open(&reports.join(RESULTS)).ok()?;
    let name = &results.head.header.suite;
    let other = beside(&suite.root, name);
    (*name != suite.name && is_suite(&other) && is_other(suite, name)).then_some(other)
}

/// Returns true if a folder of this name lies beside the suite's. A link to the suite is none.
fn is_other(suite: &Suite, name: &str) -> bool {
    let (Ok(other), Ok(own)) = (beside(&suite.root, name).canonicalize(), suite.root.canonicalize()) else {
        return false;
    };
    other.is_dir() && other != own
}
