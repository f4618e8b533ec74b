//! The report that an evaluation is compared with: the committed one, or the one that `--against` names.

use std::path::Path;

use super::error::CliError;
use super::git::Repository;
use crate::report::{Against, Totals};
use crate::scenario::files;

/// The file of it that is read.
const FILE: &str = "strategies.csv";
const HEAD: &str = "HEAD";

/// The report that is named, a revision or a folder. Without a name it is the one that `HEAD` has committed, or else the file
/// as it stands. The first of the folders that has it counts.
pub(super) fn find(named: Option<&str>, folders: &[&Path]) -> Result<Against, CliError> {
    match named {
        Some(name) if Path::new(name).exists() => of_path(name),
        Some(name) => of_revision(name, folders),
        None => Ok(usual(folders)),
    }
}

/// The report in a folder or a file.
fn of_path(name: &str) -> Result<Against, CliError> {
    let path = Path::new(name);
    let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
    let text = files::read_to_string(&file)
        .map_err(|error| CliError::UnreadableBaseline { path: file.clone(), error })?;
    Ok(Against { name: name.to_owned(), totals: Some(parse(&file.display().to_string(), &text)?) })
}

fn parse(name: &str, text: &str) -> Result<Totals, CliError> {
    Totals::parse(text).map_err(|error| CliError::Baseline { name: name.to_owned(), reason: error })
}

fn of_revision(name: &str, folders: &[&Path]) -> Result<Against, CliError> {
    let unknown = || CliError::UnknownBaseline { name: name.to_owned() };
    let repository = Repository::around(Path::new(".")).ok_or_else(unknown)?;
    let commit = repository.commit(name).ok_or_else(unknown)?;
    let text = folders.iter().find_map(|folder| repository.file(&commit, &folder.join(FILE)));
    let totals = text.map(|text| parse(name, &text)).transpose()?;
    Ok(Against { name: name.to_owned(), totals })
}

/// The report to compare with if none is named.
fn usual(folders: &[&Path]) -> Against {
    let committed = folders.iter().find_map(|folder| Some((HEAD.to_owned(), committed(folder)?)));
    let report = committed.or_else(|| {
        folders.iter().find_map(|folder| {
            let name = folder.file_name().map_or_else(|| FILE.into(), |name| Path::new(name).join(FILE));
            Some((name.display().to_string(), files::read_to_string(&folder.join(FILE)).ok()?))
        })
    });
    let Some((name, text)) = report else { return Against { name: HEAD.to_owned(), totals: None } };
    let parsed = Totals::parse(&text);
    // A report that cannot be read does not keep an evaluation from writing a better one.
    if let Err(error) = &parsed {
        errln!("warning: {name}: {error}");
    }
    Against { name, totals: parsed.ok() }
}

/// The report that `HEAD` has in a folder, which need not be there any more.
fn committed(folder: &Path) -> Option<String> {
    let existing = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
    Repository::around(existing)?.file(HEAD, &folder.join(FILE))
}
