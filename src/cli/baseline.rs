//! The report that changes are told against and increases are measured from: the committed one, or what
//! `--against` names.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::report::{Against, Totals};
use crate::scenario::reason;

/// The file of it that is read.
const FILE: &str = "strategies.csv";
const HEAD: &str = "HEAD";

/// The report that is named, a revision or a folder; else that of `HEAD`; without one there the file as it
/// stands. A revision's is looked for at the first of the folders that it has one in.
pub(super) fn find(named: Option<&str>, folders: &[&Path]) -> Result<Against, String> {
    match named {
        Some(name) if Path::new(name).exists() => of_path(name),
        Some(name) => of_revision(name, folders),
        None => Ok(usual(folders)),
    }
}

/// What a folder or a file holds.
fn of_path(name: &str) -> Result<Against, String> {
    let path = Path::new(name);
    let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
    let text = std::fs::read_to_string(&file).map_err(|error| {
        let (file, reason) = (file.display(), reason(&error));
        format!("error: cannot read {file}: {reason}\n  = help: a report folder holds {FILE} once ptc-eval has run on the whole suite\n")
    })?;
    let totals = Totals::parse(&text).map_err(|error| format!("error: {}: {error}\n", file.display()))?;
    Ok(Against { name: name.to_owned(), totals: Some(totals) })
}

fn of_revision(name: &str, folders: &[&Path]) -> Result<Against, String> {
    let commit = format!("{name}^{{commit}}");
    if git(Path::new("."), &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]).is_none() {
        return Err(format!(
            "error: there is neither a folder nor a revision '{name}'\n  = help: ptc-eval run writes the folder reports, git fetch brings revisions; in CI, fetch the branch that is compared with\n"
        ));
    }
    let totals = match folders.iter().find_map(|folder| show(name, folder)) {
        Some(text) => Some(Totals::parse(&text).map_err(|error| format!("error: {name}: {error}\n"))?),
        None => None,
    };
    Ok(Against { name: name.to_owned(), totals })
}

/// A report that cannot be read does not keep a run from writing a better one.
fn usual(folders: &[&Path]) -> Against {
    let committed = folders.iter().find_map(|folder| Some((HEAD.to_owned(), show(HEAD, folder)?)));
    let found = committed.or_else(|| {
        let mut files = folders.iter().map(|folder| folder.join(FILE));
        files.find_map(|file| Some((file.display().to_string(), std::fs::read_to_string(&file).ok()?)))
    });
    let Some((name, text)) = found else { return Against { name: HEAD.to_owned(), totals: None } };
    let parsed = Totals::parse(&text);
    if let Err(error) = &parsed {
        errln!("warning: {name}: {error}");
    }
    Against { name, totals: parsed.ok() }
}

/// The report of a revision in a folder, which need not be there any more.
fn show(revision: &str, folder: &Path) -> Option<String> {
    let there = folder.ancestors().find(|folder| folder.is_dir());
    let there = there.map_or(PathBuf::from("."), Path::to_owned);
    let below = folder.strip_prefix(&there).unwrap_or(folder).join(FILE);
    git(&there, &["show", &format!("{revision}:./{}", below.to_string_lossy())])
}

fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(folder).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok())?
}
