//! Writes files atomically. Readers see the old or the new file, never a truncated one, even after a system crash.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, IntoInnerError, Seek, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;
use xxhash_rust::xxh3::xxh3_64;

use crate::scenario::{files, reason};

/// Prefix of the names of temporary files.
const PREFIX: &str = ".ptc-eval-";

/// Writes a file atomically, and creates its parent folders. If the content is unchanged, the file is not touched.
///
/// # Errors
/// `write` fails, or the file cannot be written; the old file is kept.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(temporary(folder_of(path))?);
    write(&mut file)?;
    persist(file.into_inner().map_err(IntoInnerError::into_error)?, path)
}

/// Syncs a temporary file and renames it to `path`. If the content is unchanged, the old file is not touched.
///
/// # Errors
/// The file cannot be synced or renamed; the old file is kept.
pub fn persist(mut file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.rewind()?;
    if is_same(file.as_file(), path).unwrap_or(false) {
        return Ok(());
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    sync(folder_of(path))
}

/// Creates a temporary file in the folder, with the permissions of a new file. The process locks it; leftovers of killed processes are
/// unlocked.
///
/// # Errors
/// The folder cannot be created or is not writable.
pub fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    create_folder(folder)?;
    remove_left_once(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        // Some file systems have no locks. Before the lock is taken, another process may remove the file.
        let _ = file.as_file().lock();
        if file.path().exists() {
            return Ok(file);
        }
    }
}

/// Locks a folder until the result is dropped. Waits for other processes to release it. `None` if the folder does not exist or the file
/// system has no locks.
pub fn lock_folder(folder: &Path) -> Option<File> {
    let locked = open_folder(folder)?;
    locked.lock().ok()?;
    Some(locked)
}

/// Like [`lock_folder`], but also returns `None` if another process holds the lock.
pub fn try_lock_folder(folder: &Path) -> Option<File> {
    let locked = open_folder(folder)?;
    locked.try_lock().ok()?;
    Some(locked)
}

/// Opens a folder, nothing else: opening a pipe would block.
fn open_folder(folder: &Path) -> Option<File> {
    if folder.is_dir() { File::open(folder).ok() } else { None }
}

/// Removes a file, if it exists.
///
/// # Errors
/// The file cannot be removed.
pub fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes temporary files of killed processes from a folder, before this process first writes there.
fn remove_left_once(folder: &Path) {
    /// Hashes, to save memory: there may be as many folders as scenarios.
    static CLEARED: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());
    let hash = xxh3_64(folder.as_os_str().as_encoded_bytes());
    if CLEARED.lock().unwrap_or_else(PoisonError::into_inner).insert(hash) {
        remove_all_left(folder);
    }
}

/// Removes temporary files of killed processes from a folder. Errors are ignored.
pub fn remove_all_left(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        remove_if_left(&entry.path());
    }
}

/// Removes a temporary file of a killed process.
pub fn remove_if_left(path: &Path) {
    let name = path.file_name().unwrap_or_default();
    if name.as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
        // May be a pipe planted by someone else; opening it plainly would block.
        if let Ok(file) = files::open(path)
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(path);
        }
    }
}

/// Prefixes the error with the path.
pub fn at_place(path: &Path, error: &io::Error) -> io::Error {
    io::Error::other(format!("{}: {}", path.display(), reason(error)))
}

/// The folder of a file, or the parent of a folder.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn create_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let above = folder_of(folder);
    create_folder(above)?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists || !folder.is_dir() => Err(error),
        _ => sync(above),
    }
}

/// Syncs the content of a file, or the names in a folder, to disk.
///
/// # Errors
/// It cannot be opened or synced.
pub fn sync(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

/// Returns true if two files have the same content.
fn is_same(file: &File, path: &Path) -> io::Result<bool> {
    let there = fs::symlink_metadata(path)?;
    if !there.is_file() || there.len() != file.metadata()?.len() {
        return Ok(false);
    }
    is_equal(BufReader::new(file), BufReader::new(File::open(path)?))
}

/// Returns true if two readers yield the same bytes.
///
/// # Errors
/// One cannot be read.
pub fn is_equal(mut new: impl BufRead, mut old: impl BufRead) -> io::Result<bool> {
    loop {
        let (of_new, of_old) = (new.fill_buf()?, old.fill_buf()?);
        let length = of_new.len().min(of_old.len());
        if of_new.get(..length) != of_old.get(..length) {
            return Ok(false);
        }
        if length == 0 {
            return Ok(of_new.len() == of_old.len());
        }
        new.consume(length);
        old.consume(length);
    }
}
