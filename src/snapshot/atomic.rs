//! Writes files atomically: readers see the old or the new file, never a part.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Prefix of the names of temporary files.
const PREFIX: &str = ".ptc-eval-";

/// Writes a file whole or not at all.
///
/// # Errors
/// `write` or the system fails; the old file stays.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(temporary(path.parent().unwrap_or(Path::new(".")))?);
    write(&mut file)?;
    file.into_inner().map_err(|error| error.into_error())?.persist(path)?;
    Ok(())
}

/// Creates a temporary file in the folder, with the permissions of a new file.
///
/// # Errors
/// The folder does not exist or is not writable.
pub fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
