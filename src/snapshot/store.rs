//! Golden files on disk, in insta's format: compared, written beside as `.snap.new`, accepted. Every
//! write is atomic. It decides nothing: who accepts is the reviewer.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::atomic::write_atomically;
use super::cause::Change;
use super::large;
use super::text::{LargeSnapshot, Snapshot};
use crate::scenario::reason;

const ACCEPTED: &str = "snap";
const PENDING: &str = "snap.new";

/// The folder of golden files.
#[derive(Clone, Debug)]
pub struct Store {
    pub folder: PathBuf,
}

/// What comparing one snapshot gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Same,
    /// There was none.
    New,
    /// The accepted body, to be compared with the new one.
    Changed(String),
}

/// What comparing one gave that is not held in memory.
#[derive(Debug)]
pub enum LargeVerdict {
    Same,
    /// There was none.
    New,
    /// Where the change begins.
    Changed(Change),
}

/// A `.snap.new` file and the accepted one beside it.
#[derive(Clone, Debug)]
pub struct Pending {
    pub key: String,
    /// None: there is no accepted file.
    pub old: Option<String>,
    pub new: String,
}

/// The texts of the two files of a key, with their headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    pub accepted: Option<String>,
    pub pending: Option<String>,
}

impl Files {
    /// The files when a reviewer has decided on these bodies; none: as it is, and nothing left to decide.
    pub fn decided(&self, accepted: Option<&str>, pending: Option<&str>) -> Files {
        let source = self.pending.as_deref().map_or("", source_of);
        Files {
            accepted: accepted.map(|body| file_text(source, body)).or_else(|| self.accepted.clone()),
            pending: pending.map(|body| file_text(source, body)),
        }
    }
}

impl Store {
    /// Compares a snapshot with the accepted one. Trailing white space does not count.
    ///
    /// # Errors
    /// When the accepted file cannot be read.
    pub fn compare(&self, snapshot: &Snapshot) -> io::Result<Verdict> {
        let Some(text) = self.text(&snapshot.key, ACCEPTED)? else { return Ok(Verdict::New) };
        let body = body_of(&text);
        Ok(match body.trim_end() == snapshot.body.trim_end() {
            true => Verdict::Same,
            false => Verdict::Changed(body.into_owned()),
        })
    }

    /// Compares one that is not held in memory. Of a change only the place where it begins is told.
    ///
    /// # Errors
    /// When one of the two cannot be read.
    pub fn compare_large(&self, snapshot: &mut LargeSnapshot) -> io::Result<LargeVerdict> {
        match large::difference(&self.path(&snapshot.key, ACCEPTED), snapshot) {
            Ok(None) => Ok(LargeVerdict::Same),
            Ok(Some(change)) => Ok(LargeVerdict::Changed(change)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(LargeVerdict::New),
            Err(error) => Err(error),
        }
    }

    /// Writes one that is not held in memory beside the accepted one, to be reviewed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_pending_large(&self, snapshot: &mut LargeSnapshot) -> io::Result<()> {
        self.write_large(snapshot, PENDING)
    }

    /// Makes one that is not held in memory the accepted one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn accept_large(&self, snapshot: &mut LargeSnapshot) -> io::Result<()> {
        self.write_large(snapshot, ACCEPTED)?;
        self.forget_pending(&snapshot.key)
    }

    /// Writes a snapshot beside the accepted one, to be reviewed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_pending(&self, snapshot: &Snapshot) -> io::Result<()> {
        self.put_one(&snapshot.key, PENDING, Some(&file_text(&snapshot.source, &snapshot.body)))
    }

    /// Makes a snapshot the accepted one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn accept(&self, snapshot: &Snapshot) -> io::Result<()> {
        self.write(&snapshot.key, ACCEPTED, &file_text(&snapshot.source, &snapshot.body))?;
        self.forget_pending(&snapshot.key)
    }

    /// The texts of both files of a key.
    ///
    /// # Errors
    /// When one is there and cannot be read.
    pub fn files(&self, key: &str) -> io::Result<Files> {
        Ok(Files { accepted: self.text(key, ACCEPTED)?, pending: self.text(key, PENDING)? })
    }

    /// Makes both files of a key what they shall be. What is so already is not touched.
    ///
    /// # Errors
    /// When one cannot be written or removed.
    pub fn put(&self, key: &str, files: &Files) -> io::Result<()> {
        self.put_one(key, ACCEPTED, files.accepted.as_deref())?;
        self.put_one(key, PENDING, files.pending.as_deref())
    }

    /// Removes what waits for review, if anything does.
    ///
    /// # Errors
    /// When it is there and cannot be removed.
    pub fn forget_pending(&self, key: &str) -> io::Result<()> {
        remove_if_there(&self.path(key, PENDING))
    }

    /// Removes an accepted snapshot that nobody claims.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self, key: &str) -> io::Result<()> {
        remove_if_there(&self.path(key, ACCEPTED))?;
        self.forget_pending(key)
    }

    /// Accepted snapshots that nobody claims, sorted (invariant 9).
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn orphans(&self, is_claimed: impl Fn(&str) -> bool) -> io::Result<Vec<String>> {
        let mut keys = self.keys(ACCEPTED)?;
        keys.retain(|key| !is_claimed(key));
        Ok(keys)
    }

    /// Everything that waits for review, sorted.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn pending(&self) -> io::Result<Vec<Pending>> {
        let keys = self.keys(PENDING)?.into_iter();
        let read = keys.map(|key| {
            let files = self.files(&key)?;
            let body = |text: Option<String>| text.map(|text| body_of(&text).into_owned());
            Ok(Pending { key, old: body(files.accepted), new: body(files.pending).unwrap_or_default() })
        });
        read.collect()
    }

    /// The keys of everything that waits for review, sorted.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn pending_keys(&self) -> io::Result<Vec<String>> {
        self.keys(PENDING)
    }

    /// The accepted file of a key, for messages.
    pub fn path_of(&self, key: &str) -> PathBuf {
        self.path(key, ACCEPTED)
    }

    fn path(&self, key: &str, extension: &str) -> PathBuf {
        self.folder.join(format!("{key}.{extension}"))
    }

    fn text(&self, key: &str, extension: &str) -> io::Result<Option<String>> {
        match fs::read(self.path(key, extension)) {
            // What is no text was not written here: it is shown as well as can be, as a change.
            Ok(bytes) => Ok(Some(
                String::from_utf8(bytes)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            )),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(at_place(&self.path(key, extension), &error)),
        }
    }

    fn put_one(&self, key: &str, extension: &str, text: Option<&str>) -> io::Result<()> {
        match text {
            None => remove_if_there(&self.path(key, extension)),
            Some(text) if self.text(key, extension).is_ok_and(|there| there.as_deref() == Some(text)) => {
                Ok(())
            }
            Some(text) => self.write(key, extension, text),
        }
    }

    fn write_large(&self, snapshot: &mut LargeSnapshot, extension: &str) -> io::Result<()> {
        self.write_with(&snapshot.key, extension, |file| {
            file.write_all(header(&snapshot.source).as_bytes())?;
            snapshot.body.copy_to(file)?;
            file.write_all(b"\n")
        })
    }

    fn write(&self, key: &str, extension: &str, text: &str) -> io::Result<()> {
        self.write_with(key, extension, |file| file.write_all(text.as_bytes()))
    }

    fn write_with(
        &self,
        key: &str,
        extension: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let path = self.path(key, extension);
        let written = fs::create_dir_all(path.parent().unwrap_or(&self.folder));
        written.and_then(|()| write_atomically(&path, write)).map_err(|error| at_place(&path, &error))
    }

    fn keys(&self, extension: &str) -> io::Result<Vec<String>> {
        let mut keys = Vec::new();
        if self.folder.is_dir() {
            collect_keys(&self.folder, "", extension, &mut keys)?;
        }
        keys.sort();
        Ok(keys)
    }
}

/// The same error, with the file or folder it is about.
fn at_place(path: &Path, error: &io::Error) -> io::Error {
    io::Error::other(format!("{}: {}", path.display(), reason(error)))
}

fn collect_keys(folder: &Path, prefix: &str, extension: &str, keys: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            collect_keys(&entry.path(), &format!("{prefix}{name}/"), extension, keys)?;
        } else if let Some(stem) = name.strip_suffix(extension).and_then(|rest| rest.strip_suffix('.')) {
            keys.push(format!("{prefix}{stem}"));
        }
    }
    Ok(())
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A file in insta's format: a header with at least one key, then the body and one line break.
fn file_text(source: &str, body: &str) -> String {
    format!("{}{}\n", header(source), body.trim_end())
}

fn header(source: &str) -> String {
    format!("---\nsource: {}\n---\n", quoted(source))
}

/// A path as YAML: quoted where it could be taken for something else.
fn quoted(source: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    match source.chars().all(plain) && source.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => source.to_string(),
        false => format!("{source:?}"),
    }
}

/// The body of a file in insta's format; the whole text where there is no header.
fn body_of(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        let text = text.replace("\r\n", "\n");
        let body = parts_of(&text).map_or(text.as_str(), |(_, body)| body);
        return Cow::Owned(body.to_string());
    }
    Cow::Borrowed(parts_of(text).map_or(text, |(_, body)| body))
}

fn source_of(text: &str) -> &str {
    let header = parts_of(text).map_or("", |(header, _)| header);
    let line = header.lines().find_map(|line| line.strip_prefix("source: "));
    line.unwrap_or_default().trim_matches('"')
}

/// Header and body.
fn parts_of(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix("---\n")?.split_once("\n---\n")
}
