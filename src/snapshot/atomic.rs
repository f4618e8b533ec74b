//! Writing files so that others see the old or the new one, never a part. What stands in them is decided elsewhere.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// What the names of files begin with that are being written.
const PREFIX: &str = ".ptc-eval-";

/// Writes a file whole or not at all.
///
/// # Errors
/// Whatever `write` or the system says; the old file stays.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(temporary(path.parent().unwrap_or(Path::new(".")))?);
    write(&mut file)?;
    file.into_inner().map_err(|error| error.into_error())?.persist(path)?;
    Ok(())
}

/// A file beside those it will stand among, readable by all whom the system lets.
///
/// # Errors
/// The folder is not there or cannot be written to.
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
