//! Files of a folder as a commit has them.

use std::collections::BTreeMap;
use std::path::Path;

use super::git::{Blob, Repository};

/// Most files that are asked for at once: a command line has an end.
const MOST_AT_ONCE: usize = 500;
/// Most bytes of all files.
const MOST_BYTES: usize = 256 << 20;

/// The files below a folder at a revision, by their paths below it. Hidden files and links are left out. None without a repository or
/// such a revision.
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
