//! Opens files for reading. Pipes, devices and sockets are refused, since reading them may never end. Dangling links are refused too: such
//! a file is broken, not missing.

use std::borrow::Cow;
use std::fs::{self, File, FileType};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The standard library's message.
const NOT_UTF8: &str = "stream did not contain valid UTF-8";

/// Opens a file for reading. Pipes are allowed as standard input and for a shell's `<(…)`.
///
/// # Errors
/// The file is missing, or cannot be read to its end.
pub fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path).map_err(|error| unless_link(path, error))?;
    match refused(kind.file_type()) {
        _ if kind.is_dir() && path.is_symlink() => Err(io::Error::other("it is a link to a folder")),
        _ if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Some(what) if path != Path::new("/dev/stdin") && !path.starts_with("/dev/fd") => {
            Err(io::Error::other(format!("it is {what} and not a file")))
        }
        _ => File::open(path),
    }
}

/// The entries of a folder.
///
/// # Errors
/// The folder is missing, or is not a folder.
pub fn list(folder: &Path) -> io::Result<fs::ReadDir> {
    fs::read_dir(folder).map_err(|error| unless_link(folder, error))
}

/// The entries of a folder below `root`.
#[derive(Debug, Default)]
pub struct Listing {
    /// In the order of their names.
    pub entries: Vec<PathBuf>,
    /// Skipped links out of `root`. In an untrusted folder they could lead to the user's own files.
    pub links_out: Vec<PathBuf>,
}

/// Lists a folder without leaving `root`. Links are entries, and are not followed.
///
/// # Errors
/// The folder is missing, or is not a folder.
pub fn list_within(root: &Path, folder: &Path) -> io::Result<Listing> {
    let mut listing = Listing::default();
    if leads_out(root, folder) {
        listing.links_out.push(folder.to_owned());
        return Ok(listing);
    }
    for entry in list(folder)? {
        let path = entry?.path();
        let leads_out = path.is_symlink() && leads_out(root, &path);
        let list = if leads_out { &mut listing.links_out } else { &mut listing.entries };
        list.push(path);
    }
    listing.entries.sort();
    listing.links_out.sort();
    Ok(listing)
}

/// Refuses to write to a default folder through a link. A link in an untrusted suite could lead to the user's files.
///
/// # Errors
/// The folder is a link.
pub fn refuse_link(folder: &Path) -> io::Result<()> {
    if !folder.is_symlink() {
        return Ok(());
    }
    let reason = "it is a symbolic link, which could lead anywhere; replace it with a real file or folder";
    Err(io::Error::other(format!("{}: {reason}", folder.display())))
}

/// Refuses to write a file through links. Checks the file and its parents up to `folder`. For a relative path, `folder` is `""`.
///
/// # Errors
/// The file or one of these parents is a link.
pub fn refuse_links_below(folder: &Path, file: &Path) -> io::Result<()> {
    for place in file.ancestors().take_while(|place| *place != folder && !place.as_os_str().is_empty()) {
        if place.is_symlink() {
            let reason = "it is a link, which could lead anywhere; remove it";
            return Err(io::Error::other(format!("{}: {reason}", place.display())));
        }
    }
    Ok(())
}

/// Returns true if links lead a path out of its folder. An untrusted folder could contain links to the user's files.
pub fn leads_out(folder: &Path, path: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (folder.canonicalize(), path.canonicalize()) {
        (Ok(folder), Ok(path)) => !path.starts_with(folder),
        // A missing path is no escape, and opening a dangling link fails anyway.
        _ => false,
    }
}

/// The error of a path, with a different kind for dangling links: callers treat `NotFound` as an absent file.
fn unless_link(path: &Path, error: io::Error) -> io::Error {
    let leads_nowhere = error.kind() == io::ErrorKind::NotFound && path.is_symlink();
    if leads_nowhere { io::Error::other("it is a link that leads nowhere") } else { error }
}

/// The most bytes of a file. A sparse file takes no disk, but all the memory. Chosen, not measured: the largest
/// transcripts known have a tenth of it.
pub const MOST_BYTES: u64 = 1 << 30;

/// The content of a file.
///
/// # Errors
/// Those of [`open`], or more than [`MOST_BYTES`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    // A pipe has no length and is cut below.
    if file.metadata()?.len() > MOST_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.by_ref().take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES { Err(too_large()) } else { Ok(bytes) }
}

/// The error of a file or line with more than [`MOST_BYTES`].
pub fn too_large() -> io::Error {
    io::Error::other(format!("it has more than {} MiB", MOST_BYTES >> 20))
}

/// The first non-blank line of a file, and the blank lines before it.
///
/// # Errors
/// Those of [`open`].
pub fn read_first_line(path: &Path) -> io::Result<Vec<u8>> {
    first_line(&mut BufReader::new(open(path)?))
}

/// The first non-blank line, and the blank lines before it.
///
/// # Errors
/// Any I/O error.
pub fn first_line(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    let mut reader = reader.take(MOST_BYTES);
    while reader.read_until(b'\n', &mut lines)? > 0 && lines.trim_ascii().is_empty() {}
    Ok(lines)
}

/// The text of a file.
///
/// # Errors
/// Those of [`read`], or invalid UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, NOT_UTF8))
}

/// Converts CRLF to LF. Git checks out CRLF with `core.autocrlf`, the default on Windows.
pub fn with_line_feeds(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'\r') {
        return Cow::Borrowed(text);
    }
    let mut plain = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(line) => plain.extend([line, b"\n"].concat()),
            None => plain.extend(line),
        }
    }
    Cow::Owned(plain)
}

/// The content of a file. `None` if there is no such file.
///
/// # Errors
/// Those of [`open`].
pub fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

#[cfg(unix)]
fn refused(kind: FileType) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    let kinds = [
        (kind.is_fifo(), "a pipe"),
        (kind.is_socket(), "a socket"),
        (kind.is_char_device() || kind.is_block_device(), "a device"),
    ];
    kinds.into_iter().find_map(|(is_it, what)| is_it.then_some(what))
}

#[cfg(not(unix))]
fn refused(kind: FileType) -> Option<&'static str> {
    (!kind.is_file()).then_some("a device")
}
