//! Finds the report to compare an evaluation with: the committed one, or the one in `--against`.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use super::error::CliError;
use super::git::Repository;
use crate::report::{Against, RESULTS, ResultsReader, Totals};
use crate::scenario::files;
use crate::snapshot::Store;

/// The file of a report used for the comparison.
const FILE: &str = "strategies.csv";
pub(super) const HEAD: &str = "HEAD";
/// The end of the path of a run's golden file.
const RUN_FILE: &str = "/run.snap";

/// A scenario in `results.json`, reduced to its name.
#[derive(Deserialize)]
struct Named {
    name: String,
}

/// The revision in `--against REV|FOLDER`. `None` for a folder or a file.
pub(super) fn revision(named: Option<&str>) -> Option<&str> {
    named.filter(|name| !Path::new(name).exists())
}

/// Finds the report at a revision or in a folder. Without a name it is the one committed in `HEAD`, else the file in the working tree. The
/// first folder with a report wins.
pub(super) fn find(named: Option<&str>, folders: &[&Path], snapshots: &Path) -> Result<Against, CliError> {
    match named {
        Some(name) if Path::new(name).exists() => of_path(name),
        Some(name) => of_revision(name, folders, snapshots),
        None => Ok(find_by_default(folders, snapshots)),
    }
}

/// The report in a folder or a file.
fn of_path(name: &str) -> Result<Against, CliError> {
    let path = Path::new(name);
    let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
    let text = match files::read_to_string(&file) {
        Ok(text) => text,
        Err(error) => return Err(CliError::UnreadableBaseline { path: file, error }),
    };
    let totals = Some(parse_totals(&file.display().to_string(), &text)?);
    let scenarios = scenarios_of_results(&file.with_file_name(RESULTS));
    Ok(Against { name: name.to_owned(), totals, scenarios })
}

/// The scenarios in the results next to a report, if present.
fn scenarios_of_results(results: &Path) -> Option<BTreeSet<String>> {
    let mut reader = ResultsReader::open_file(results).ok()?;
    let mut names = BTreeSet::new();
    while let Some(Named { name }) = reader.scenario().ok()? {
        names.insert(name);
    }
    Some(names)
}

fn parse_totals(name: &str, text: &str) -> Result<Totals, CliError> {
    Totals::parse(text).map_err(|error| CliError::Baseline { name: name.to_owned(), reason: error })
}

fn of_revision(name: &str, folders: &[&Path], snapshots: &Path) -> Result<Against, CliError> {
    let repository = match Repository::find(Path::new(".")) {
        Ok(Some(repository)) => repository,
        Ok(None) => return Err(CliError::UnknownBaseline { name: name.to_owned() }),
        Err(foreign) => return Err(CliError::ForeignRepository { foreign }),
    };
    let Some(commit) = repository.commit(name) else {
        return Err(CliError::UnknownBaseline { name: name.to_owned() });
    };
    let mut totals = None;
    for folder in folders {
        if let Some(text) = repository.file(&commit, &folder.join(FILE)) {
            totals = Some(parse_totals(name, &text)?);
            break;
        }
    }
    Ok(Against { name: name.to_owned(), totals, scenarios: scenarios_at(name, snapshots) })
}

/// The report to compare with by default.
fn find_by_default(folders: &[&Path], snapshots: &Path) -> Against {
    let folder = match folders.first() {
        Some(folder) => existing_part(folder),
        None => Path::new("."),
    };
    if let Err(foreign) = Repository::find(folder) {
        let (git, found, help) = (foreign.git.display(), foreign.found(), foreign.help());
        errln!("note: commits are not read: {git} {found}; if both are yours: {help}");
    }
    let committed = folders.iter().find_map(|folder| Some((HEAD.to_owned(), committed_report(folder)?)));
    let is_committed = committed.is_some();
    let report = committed.or_else(|| folders.iter().find_map(|folder| report_in_folder(folder)));
    let Some((name, text)) = report else {
        return Against { name: HEAD.to_owned(), totals: None, scenarios: None };
    };
    let parsed = Totals::parse(&text);
    // An unreadable report must not prevent the evaluation from writing a better one.
    if let Err(error) = &parsed {
        errln!("warning: {name}: {error}");
    }
    let scenarios = if is_committed { scenarios_at(HEAD, snapshots) } else { accepted_scenarios(snapshots) };
    Against { name, totals: parsed.ok(), scenarios }
}

/// The scenarios with golden files at a revision.
fn scenarios_at(revision: &str, snapshots: &Path) -> Option<BTreeSet<String>> {
    let repository = Repository::around(existing_part(snapshots))?;
    let files = repository.files(&repository.commit(revision)?, snapshots)?;
    let mut names = BTreeSet::new();
    for file in files.keys() {
        names.extend(file.strip_suffix(RUN_FILE).map(str::to_owned));
    }
    Some(names)
}

/// The scenarios with accepted golden files.
fn accepted_scenarios(snapshots: &Path) -> Option<BTreeSet<String>> {
    Some(Store::new(snapshots).list().ok()?.accepted_scenarios())
}

/// The report in the working tree, with its short path.
fn report_in_folder(folder: &Path) -> Option<(String, String)> {
    let name = match folder.file_name() {
        Some(name) => Path::new(name).join(FILE),
        None => FILE.into(),
    };
    Some((name.display().to_string(), files::read_to_string(&folder.join(FILE)).ok()?))
}

/// The report committed in `HEAD` in a folder. The folder may have been deleted since.
fn committed_report(folder: &Path) -> Option<String> {
    Repository::around(existing_part(folder))?.file(HEAD, &folder.join(FILE))
}

/// The longest part of a path that is a folder. The rest may have been deleted since the commit.
fn existing_part(folder: &Path) -> &Path {
    folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."))
}
