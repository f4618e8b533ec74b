//! A temporary folder for one command. It is removed at the end. If the process was killed, the next one removes it.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;

use crate::scenario::files;

/// The prefix of the folder's name.
const PREFIX: &str = "ptc-eval-";
/// The lock file. It is locked while a process uses the folder.
const LOCK: &str = ".lock";

/// A folder for temporary files. It may contain logs, so it is private to the user.
pub(super) struct Scratch {
    folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// Creates a folder, and removes the folders of killed processes.
    ///
    /// # Errors
    /// The folder or its lock cannot be created.
    pub(super) fn new() -> io::Result<Scratch> {
        let place = std::env::temp_dir();
        fs::read_dir(&place).into_iter().flatten().flatten().for_each(|entry| remove_if_left(&entry.path()));
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&place)?;
            let path = folder.path().join(LOCK);
            // Another process may remove the folder before it is locked, so try again.
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

/// Removes a folder if no process uses it. Ignores errors.
fn remove_if_left(folder: &Path) {
    let name = folder.file_name().unwrap_or_default();
    if !name.as_encoded_bytes().starts_with(PREFIX.as_bytes()) || folder.is_symlink() {
        return;
    }
    match files::open(&folder.join(LOCK)) {
        Ok(lock) if lock.try_lock().is_ok() => drop(fs::remove_dir_all(folder)),
        // A process was killed after creating the folder and before the lock. If it is still running, it tries again.
        Err(error) if error.kind() == io::ErrorKind::NotFound => drop(fs::remove_dir(folder)),
        _ => {}
    }
}
