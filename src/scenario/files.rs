//! Opens files to read. Pipes, devices and sockets are refused, since reading them may never end. Links that lead nowhere are refused too:
//! such a file is broken and not absent.

use std::borrow::Cow;
use std::fs::{self, File, FileType};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Opens a file to read. The paths of standard input and of a shell's `<(…)` may name a pipe.
///
/// # Errors
/// There is no such file, or it is not one that can be read to its end.
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

/// Entries of a folder.
///
/// # Errors
/// It is not there, or not a folder.
pub fn list(folder: &Path) -> io::Result<fs::ReadDir> {
    fs::read_dir(folder).map_err(|error| unless_link(folder, error))
}

/// Refuses a folder that is written to by default and leads elsewhere. A link that is part of a stranger's suite could lead to the files
/// of its user.
///
/// # Errors
/// The folder is a link.
pub fn refuse_link(folder: &Path) -> io::Result<()> {
    if !folder.is_symlink() {
        return Ok(());
    }
    let reason = "it is a link, which could lead anywhere; an option names the folder that is meant";
    Err(io::Error::other(format!("{}: {reason}", folder.display())))
}

/// Refuses a file that is to be written when the file, or a folder between it and this folder, is a link. Below `""` are the parts of a
/// relative path.
///
/// # Errors
/// One of them is a link.
pub fn refuse_links_below(folder: &Path, file: &Path) -> io::Result<()> {
    for place in file.ancestors().take_while(|place| *place != folder && !place.as_os_str().is_empty()) {
        if place.is_symlink() {
            let reason = "it is a link, which could lead anywhere; remove it";
            return Err(io::Error::other(format!("{}: {reason}", place.display())));
        }
    }
    Ok(())
}

/// Returns true for a path below a folder whose links lead out of the folder. A stranger's folder could bring links to the files of its
/// user.
pub fn leads_out(folder: &Path, path: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (folder.canonicalize(), path.canonicalize()) {
        (Ok(folder), Ok(path)) => !path.starts_with(folder),
        // Opening a link that leads nowhere is an error.
        _ => false,
    }
}

/// The error of a path. A link that leads nowhere has an error of its own, since callers take a file that is not found for absent.
fn unless_link(path: &Path, error: io::Error) -> io::Error {
    let leads_nowhere = error.kind() == io::ErrorKind::NotFound && path.is_symlink();
    if leads_nowhere { io::Error::other("it is a link that leads nowhere") } else { error }
}

/// Content of a file.
///
/// # Errors
/// Those of [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The first line of a file that is not blank.
///
/// # Errors
/// Those of [`open`].
pub fn read_first_line(path: &Path) -> io::Result<Vec<u8>> {
    first_line(&mut BufReader::new(open(path)?))
}

/// The first line that is not blank, and the blank ones before it.
///
/// # Errors
/// The system fails.
pub fn first_line(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    while reader.read_until(b'\n', &mut lines)? > 0 && lines.trim_ascii().is_empty() {}
    Ok(lines)
}

/// Text of a file.
///
/// # Errors
/// Those of [`open`], or the file is not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    io::read_to_string(open(path)?)
}

/// The text with LF at the end of each line. Git writes CR LF there in clones with `core.autocrlf`, Windows' default.
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

/// Content of a file; none if there is no such file.
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
