//! Reads the files of a folder at a commit.

use std::collections::BTreeMap;
use std::path::Path;

use super::git::{Blob, Repository};

/// The most files to read at once, because command lines are limited.
const MOST_AT_ONCE: usize = 500;
/// The most bytes of all files together.
pub(super) const MOST_BYTES: usize = 256 << 20;

/// The files below a folder at a revision, keyed by their paths below it. Excludes hidden files and links. `None` without a repository or
/// revision, or if the files are too large.
pub(super) fn committed_files(folder: &Path, revision: &str) -> Option<BTreeMap<String, Vec<u8>>> {
    let existing = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
    let repository = Repository::around(existing)?;
    let blobs = repository.files(&repository.commit(revision)?, folder)?;
    if blobs.values().map(|blob| blob.size).sum::<usize>() > MOST_BYTES {
        return None;
    }
    let blobs: Vec<(String, Blob)> = blobs.into_iter().collect();
    let mut files = BTreeMap::new();
    for some in blobs.chunks(MOST_AT_ONCE) {
        let asked: Vec<&Blob> = some.iter().map(|(_, blob)| blob).collect();
        let bytes = repository.blobs(&asked)?;
        let mut rest = bytes.as_slice();
        for (path, blob) in some {
            let (text, after) = rest.split_at_checked(blob.size)?;
            files.insert(path.clone(), text.to_vec());
            rest = after;
        }
    }
    Some(files)
}
