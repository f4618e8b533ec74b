//! The hash of an evaluation's whole input, equal for all its shards.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use crate::cli::error::CliError;
use crate::cli::suite::same_place;
use crate::report::{Header, has_reports};
use crate::scenario::{Selection, files};

/// Hashes all files of the suite, the settings, the selection and the program version. Line ends, hidden files, and report and snapshot
/// folders do not count. `root` is `None` for standard input without a suite.
pub(super) fn hash(
    root: Option<&Path>,
    written: &[&Path],
    selection: &Selection,
    header: &Header,
) -> Result<String, CliError> {
    let mut hash = Xxh3::new();
    add_bytes(&mut hash, env!("CARGO_PKG_VERSION").as_bytes());
    add_bytes(&mut hash, &serde_json::to_vec(header).map_err(io::Error::from)?);
    add_bytes(&mut hash, format!("{:?}", as_any_spelling(selection, root)).as_bytes());
    let mut pending: Vec<PathBuf> = root.into_iter().map(Path::to_owned).collect();
    while let Some(path) = pending.pop() {
        let unreadable = |error| CliError::Read { path: path.clone(), error };
        // Skip links to folders: scenarios are not searched there, and links may form cycles. Skip links out of the suite too: scenarios
        // may not read them.
        let is_link = Some(path.as_path()) != root && path.is_symlink();
        if path.is_dir() && !is_link {
            let entries =
                fs::read_dir(&path).map_err(unreadable)?.map(|entry| entry.map(|entry| entry.path()));
            let mut entries: Vec<PathBuf> = entries.collect::<Result<_, _>>().map_err(unreadable)?;
            entries.retain(|entry| !is_hidden(entry) && !is_written(entry, written));
            entries.sort();
            pending.extend(entries);
        } else if path.is_file() && !(is_link && root.is_some_and(|root| files::leads_out(root, &path))) {
            let name = root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(&path);
            add_bytes(&mut hash, name.to_string_lossy().replace('\\', "/").as_bytes());
            add_bytes(&mut hash, &files::with_line_feeds(&files::read(&path).map_err(unreadable)?));
        }
    }
    Ok(format!("{:032x}", hash.digest128()))
}

/// Hashes the length too, so that no two lists of texts have the same hash.
fn add_bytes(hash: &mut Xxh3, bytes: &[u8]) {
    hash.update(&(bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// The normalized selection: canonical paths and tags, sorted and without duplicates.
fn as_any_spelling(selection: &Selection, root: Option<&Path>) -> Selection {
    let root = canonical_path(root.unwrap_or(Path::new("")));
    let mut paths = BTreeSet::new();
    for path in &selection.paths {
        let path = canonical_path(path);
        paths.insert(path.strip_prefix(&root).map(Path::to_owned).unwrap_or(path));
    }
    let tags: BTreeSet<&String> = selection.tags.iter().collect();
    Selection {
        paths: paths.into_iter().collect(),
        tags: tags.into_iter().cloned().collect(),
        ..selection.clone()
    }
}

fn canonical_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns true for report and snapshot folders, and for snapshots.
fn is_written(path: &Path, written: &[&Path]) -> bool {
    let is_snapshot = path.extension().is_some_and(|extension| extension == "snap" || extension == "new");
    is_snapshot
        || written.iter().any(|written| same_place(written, path))
        || path.is_dir() && has_reports(path)
}
