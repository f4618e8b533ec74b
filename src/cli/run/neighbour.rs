//! Rejects a suite if a neighbouring suite uses the same folders. Each would treat the other's snapshots as orphans and overwrite its
//! reports.

use std::path::{Path, PathBuf};

use crate::cli::error::CliError;
use crate::report::{RESULTS, ResultsReader};
use crate::scenario::Suite;
use crate::scenario::suite::{beside, is_suite};
use crate::snapshot::store::{Listing, Store};

/// Rejects snapshot and report folders already used by another suite. Report folders named on the command line are not checked: they are
/// chosen on purpose.
///
/// # Errors
/// There is such a suite, or a snapshot cannot be read.
pub(super) fn refuse(
    suite: &Suite,
    (store, listing): (&Store, &Listing),
    reports: Option<&Path>,
) -> Result<(), CliError> {
    if let Some(other) = of_snapshots(suite, store, listing)? {
        return Err(CliError::SharedFolder { folder: store.folder.clone(), other });
    }
    match reports.and_then(|reports| Some((reports, of_reports(suite, reports)?))) {
        Some((folder, other)) => Err(CliError::SharedFolder { folder: folder.to_owned(), other }),
        None => Ok(()),
    }
}

/// The source file of a snapshot made by another suite. Snapshots without a source file do not count: their suite was renamed.
fn of_snapshots(suite: &Suite, store: &Store, listing: &Listing) -> Result<Option<PathBuf>, CliError> {
    let sources = store.sources(listing);
    let sources = sources.map_err(|error| CliError::Read { path: store.folder.clone(), error })?;
    let others = sources.iter().filter(|source| {
        let folder = source.split_once('/').map_or(source.as_str(), |(folder, _)| folder);
        folder != suite.name && is_other(suite, folder)
    });
    Ok(others.map(|source| beside(&suite.root, source)).find(|path| path.is_file()))
}

/// The folder of the other suite that made these reports.
fn of_reports(suite: &Suite, reports: &Path) -> Option<PathBuf> {
    let results = ResultsReader::open_file(&reports.join(RESULTS)).ok()?;
    let name = &results.head.header.suite;
    let other = beside(&suite.root, name);
    (*name != suite.name && is_suite(&other) && is_other(suite, name)).then_some(other)
}

/// Returns true if there is another folder `name` next to the suite's. A link to the suite itself does not count.
fn is_other(suite: &Suite, name: &str) -> bool {
    let (Ok(other), Ok(own)) = (beside(&suite.root, name).canonicalize(), suite.root.canonicalize()) else {
        return false;
    };
    other.is_dir() && other != own
}
