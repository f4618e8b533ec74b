//! Folder for the files of one command. It is removed at the end; after the process was killed the next one removes it.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;

use crate::scenario::files;

/// Prefix of the names of folders.
const PREFIX: &str = "ptc-eval-";
/// The file that is locked as long as a process uses the folder.
const LOCK: &str = ".lock";

/// A folder for temporary files. It may hold logs, so nobody else can enter it.
pub(super) struct Scratch {
    folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// Creates a folder, and removes those that killed processes left.
    ///
    /// # Errors
    /// The system fails.
    pub(super) fn new() -> io::Result<Scratch> {
        let place = std::env::temp_dir();
        fs::read_dir(&place).into_iter().flatten().flatten().for_each(|entry| remove_if_left(&entry.path()));
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&place)?;
            let path = folder.path().join(LOCK);
            // Another process may remove the folder before it is locked.
            let lock = match File::create(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                lock => lock?,
            };
            // Some file systems have no locks.
            let _ = lock.lock();
            if path.exists() {
                return Ok(Scratch { folder, _lock: lock });
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes a folder that no process uses. What cannot be removed stays.
fn remove_if_left(folder: &Path) {
    let name = folder.file_name().unwrap_or_default();
    if !name.as_encoded_bytes().starts_with(PREFIX.as_bytes()) || folder.is_symlink() {
        return;
    }
    match files::open(&folder.join(LOCK)) {
        Ok(lock) if lock.try_lock().is_ok() => drop(fs::remove_dir_all(folder)),
        // A process was killed, or is, between the folder and its lock.
        Err(error) if error.kind() == io::ErrorKind::NotFound => drop(fs::remove_dir(folder)),
        _ => {}
    }
}
