//! Golden files in insta's format: compares snapshots with them, writes pending `.snap.new` files next to them, and accepts these. Every
//! write is atomic. Accepted files are synced before they replace the old ones. Pending files are not, because each evaluation writes
//! them again; a file truncated by a crash is rejected.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, IntoInnerError, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::atomic::{at_place, folder_of, is_equal, remove_if_left, remove_if_there, sync, temporary};
use super::reference::repeated_strategy;
use super::text::Snapshot;
use super::yaml;
use crate::scenario::{GOLDEN_TEXTS, files};

const ACCEPTED: &str = "snap";
const PENDING: &str = "snap.new";
/// The suffix of every run's key.
const RUN: &str = "/run";
/// The header line that marks a snapshot as written by this program.
const OWNER: &str = "tool: ptc-eval";
/// The line above and below a header.
const HEADER_EDGE: &[u8] = b"---\n";
/// Maximum size of a header, in bytes.
const LONGEST_HEADER: u64 = 64 << 10;

/// The folder of golden files.
#[derive(Clone, Debug)]
pub struct Store {
    pub folder: PathBuf,
    /// Folders of accepted files written or moved since the last [`Store::sync`].
    touched: Arc<Mutex<BTreeSet<PathBuf>>>,
}

/// Result of comparing a snapshot with the accepted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Same,
    /// No snapshot is accepted yet.
    New,
    /// The accepted body, which differs.
    Changed(String),
}

/// The sorted keys of all files in the folder, by kind. A large folder takes longer to list than a few scenarios to evaluate, so
/// evaluations list it once.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    accepted: Vec<String>,
    pending: Vec<String>,
    golden_texts: Vec<String>,
}

/// The contents of a key's two files, headers included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    pub accepted: Option<String>,
    pub pending: Option<String>,
}

impl Store {
    pub fn new(folder: impl Into<PathBuf>) -> Store {
        Store { folder: folder.into(), touched: Arc::default() }
    }

    /// Syncs the folders of all accepted files, so that their names survive a crash.
    ///
    /// # Errors
    /// A folder cannot be synced.
    pub fn sync(&self) -> io::Result<()> {
        let touched = std::mem::take(&mut *self.touched.lock().unwrap_or_else(PoisonError::into_inner));
        let mut folders = BTreeSet::new();
        for folder in &touched {
            folders.insert(folder_of(&self.folder));
            folders.extend(folder.ancestors().take_while(|above| above.starts_with(&self.folder)));
        }
        for folder in folders {
            sync(folder).map_err(|error| at_place(folder, &error))?;
        }
        Ok(())
    }

    /// Compares a snapshot with the accepted one, ignoring trailing white space.
    ///
    /// # Errors
    /// The accepted file cannot be read.
    pub fn compare(&self, snapshot: &Snapshot) -> io::Result<Verdict> {
        let path = self.path(&snapshot.key, ACCEPTED);
        // Fast path without reading the file into memory: nearly all files are unchanged, and those of a long run are large.
        if has_body(&path, snapshot.body.trim_end()).unwrap_or(false) {
            return Ok(Verdict::Same);
        }
        let Some(text) = self.text(&snapshot.key, ACCEPTED)? else { return Ok(Verdict::New) };
        let body = body_of(&text);
        let is_same = body.trim_end() == snapshot.body.trim_end();
        Ok(if is_same { Verdict::Same } else { Verdict::Changed(body.to_owned()) })
    }

    /// Writes a pending snapshot for review.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_pending(&self, snapshot: &Snapshot) -> io::Result<()> {
        let file = FileText::new(&snapshot.source, &snapshot.body);
        if let Ok(there) = files::open(&self.path(&snapshot.key, PENDING))
            && is_equal(file.reader(), BufReader::new(there)).unwrap_or(false)
        {
            return Ok(());
        }
        self.write(&snapshot.key, PENDING, file.reader())
    }

    /// Accepts a snapshot.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn accept(&self, snapshot: &Snapshot) -> io::Result<()> {
        self.write(&snapshot.key, ACCEPTED, FileText::new(&snapshot.source, &snapshot.body).reader())?;
        self.forget_pending(&snapshot.key)
    }

    /// The contents of both files of a key.
    ///
    /// # Errors
    /// A file exists and cannot be read.
    pub fn files(&self, key: &str) -> io::Result<Files> {
        // A concurrent review may accept the pending file between the two reads. Read in this order, its text is seen at least once.
        let pending = self.text(key, PENDING)?;
        Ok(Files { accepted: self.text(key, ACCEPTED)?, pending })
    }

    /// The bodies of both files of a key, the accepted one first.
    ///
    /// # Errors
    /// A file exists and cannot be read.
    pub fn bodies(&self, key: &str) -> io::Result<[Option<String>; 2]> {
        let Files { accepted, pending } = self.files(key)?;
        let accepted = accepted.as_deref().map(body_of).map(str::to_owned);
        let pending = pending.as_deref().map(body_of).map(str::to_owned);
        Ok([accepted, pending])
    }

    /// The bodies of both files of a strategy, the accepted one first. A body that only refers to another strategy is replaced by that
    /// strategy's body.
    ///
    /// # Errors
    /// A file exists and cannot be read.
    pub fn request_bodies(&self, key: &str) -> io::Result<[Option<String>; 2]> {
        let mut bodies = self.bodies(key)?;
        for (at, body) in bodies.iter_mut().enumerate() {
            let Some(text) = body else { continue };
            let Some(strategy) = repeated_strategy(text) else { continue };
            let folder = key.rsplit_once('/').map_or("", |(folder, _)| folder);
            let [accepted, pending] = self.bodies(&format!("{folder}/{strategy}"))?;
            // The other strategy may have only one of both files.
            let repeated = if at == 0 { accepted.or(pending) } else { pending.or(accepted) };
            *body = repeated.or(body.take());
        }
        Ok(bodies)
    }

    /// Writes or removes both files of a key. Up-to-date files are left alone.
    ///
    /// # Errors
    /// A file cannot be written or removed.
    pub fn put(&self, key: &str, files: &Files) -> io::Result<()> {
        let Files { accepted, pending } = files;
        // Accepting a pending file unchanged is one rename, so a crash cannot leave it half done.
        let is_as_it_waits = pending.is_none() && accepted.is_some() && self.text(key, PENDING)? == *accepted;
        if is_as_it_waits && self.accept_pending(key).is_ok() {
            return Ok(());
        }
        self.put_one(key, ACCEPTED, accepted.as_deref())?;
        self.put_one(key, PENDING, pending.as_deref())
    }

    fn accept_pending(&self, key: &str) -> io::Result<()> {
        let (from, to) = (self.written_path(key, PENDING)?, self.written_path(key, ACCEPTED)?);
        sync(&from)?;
        fs::rename(from, &to)?;
        self.touch(&to);
        Ok(())
    }

    fn touch(&self, path: &Path) {
        let mut touched = self.touched.lock().unwrap_or_else(PoisonError::into_inner);
        touched.insert(folder_of(path).to_owned());
    }

    /// Removes the pending file, if there is one.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn forget_pending(&self, key: &str) -> io::Result<()> {
        remove_if_there(&self.written_path(key, PENDING)?)
    }

    /// Removes an orphan: an accepted snapshot, or golden texts.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(&self, key: &str) -> io::Result<()> {
        let path = self.path_of(key);
        files::refuse_links_below(&self.folder, folder_of(&path))?;
        remove_if_there(&path)?;
        self.forget_pending(key)
    }

    /// The sorted keys of accepted snapshots without a scenario and strategy (invariant 9), then those of golden summaries. The key of a
    /// summary is that of its requests plus the file name's suffix.
    pub fn orphans(&self, listing: &Listing, is_claimed: impl Fn(&str) -> bool) -> Vec<String> {
        let mut orphans = Vec::new();
        for key in &listing.accepted {
            // Files of other tools have no scenario here either, but are not ours to remove.
            if !is_claimed(key) && self.is_ours(key, ACCEPTED) {
                orphans.push(key.clone());
            }
        }
        for key in &listing.golden_texts {
            if !is_claimed(key) {
                orphans.push(format!("{key}{GOLDEN_TEXTS}"));
            }
        }
        orphans
    }

    /// The sorted keys of pending snapshots. Rejects a folder containing snapshots of another tool; such files in subfolders are left
    /// alone.
    ///
    /// # Errors
    /// The folder contains a file of another tool.
    pub fn pending_keys_of_own_folder(&self, listing: &Listing) -> io::Result<Vec<String>> {
        for (keys, extension) in [(&listing.accepted, ACCEPTED), (&listing.pending, PENDING)] {
            for key in keys {
                if !key.contains('/') && !self.is_ours(key, extension) {
                    let path = self.path(key, extension);
                    let reason = "it is a snapshot of another tool; snapshots need a folder of their own, \
                                  which --snapshot-dir names";
                    return Err(at_place(&path, &io::Error::other(reason)));
                }
            }
        }
        Ok(self.own_pending_keys(listing))
    }

    /// Returns true if this program owns the file according to its header, or if the file was removed concurrently.
    fn is_ours(&self, key: &str, extension: &str) -> bool {
        match header_at(&self.path(key, extension)) {
            Ok(header) => is_own_header(&header),
            Err(error) => error.kind() == ErrorKind::NotFound,
        }
    }

    fn own_pending_keys(&self, listing: &Listing) -> Vec<String> {
        listing.pending.iter().filter(|key| self.is_ours(key, PENDING)).cloned().collect()
    }

    /// The keys of pending snapshots.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn pending_keys(&self) -> io::Result<BTreeSet<String>> {
        Ok(self.own_pending_keys(&self.list()?).into_iter().collect())
    }

    /// The scenario files named as sources by the snapshots of runs.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn sources(&self, listing: &Listing) -> io::Result<BTreeSet<String>> {
        let mut sources = BTreeSet::new();
        for (keys, extension) in [(&listing.accepted, ACCEPTED), (&listing.pending, PENDING)] {
            for key in keys {
                if !key.ends_with(RUN) {
                    continue;
                }
                let path = self.path(key, extension);
                match source_at(&path) {
                    Ok(source) => sources.extend(source),
                    // Accepted or removed concurrently, after the folder was listed.
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(error) => return Err(at_place(&path, &error)),
                }
            }
        }
        Ok(sources)
    }

    /// The path of the accepted file of a key.
    pub fn path_of(&self, key: &str) -> PathBuf {
        if is_golden_text(key) { self.folder.join(key) } else { self.path(key, ACCEPTED) }
    }

    fn path(&self, key: &str, extension: &str) -> PathBuf {
        self.folder.join(format!("{key}.{extension}"))
    }

    /// The path of a file to write or remove. Rejects symbolic links among its folders: they could lead to another project's files.
    fn written_path(&self, key: &str, extension: &str) -> io::Result<PathBuf> {
        let path = self.path(key, extension);
        files::refuse_links_below(&self.folder, folder_of(&path))?;
        Ok(path)
    }

    fn text(&self, key: &str, extension: &str) -> io::Result<Option<String>> {
        let path = self.path(key, extension);
        let Some(bytes) = files::read_if_there(&path).map_err(|error| at_place(&path, &error))? else {
            return Ok(None);
        };
        if extension == PENDING && !bytes.ends_with(b"\n") {
            let truncated = "the file is truncated (did the machine crash?); `ptc-eval run` writes it again";
            return Err(at_place(&path, &io::Error::other(truncated)));
        }
        Ok(Some(text_of(bytes)))
    }

    fn put_one(&self, key: &str, extension: &str, text: Option<&str>) -> io::Result<()> {
        let Some(text) = text else {
            return remove_if_there(&self.written_path(key, extension)?);
        };
        if let Ok(Some(there)) = self.text(key, extension)
            && there == text
        {
            return Ok(());
        }
        self.write(key, extension, text.as_bytes())
    }

    fn write(&self, key: &str, extension: &str, text: impl Read) -> io::Result<()> {
        let path = self.written_path(key, extension)?;
        self.write_at(&path, extension, text).map_err(|error| at_place(&path, &error))
    }

    fn write_at(&self, path: &Path, extension: &str, mut text: impl Read) -> io::Result<()> {
        let folder = folder_of(path);
        fs::create_dir_all(folder)?;
        let mut file = BufWriter::new(temporary(folder)?);
        io::copy(&mut text, &mut file)?;
        let file = file.into_inner().map_err(IntoInnerError::into_error)?;
        if extension == ACCEPTED {
            file.as_file().sync_all()?;
            self.touch(path);
        }
        file.persist(path)?;
        Ok(())
    }

    /// Lists the folder.
    ///
    /// # Errors
    /// The folder cannot be read, or contains symbolic links.
    pub fn list(&self) -> io::Result<Listing> {
        let mut listing = Listing::default();
        if self.folder.is_dir() || self.folder.is_symlink() {
            listing.add_folder(&self.folder, "")?;
        }
        for keys in [&mut listing.accepted, &mut listing.pending, &mut listing.golden_texts] {
            keys.sort();
        }
        Ok(listing)
    }
}

impl Listing {
    /// The scenarios with an accepted run.
    pub fn accepted_scenarios(&self) -> BTreeSet<String> {
        self.accepted.iter().filter_map(|key| key.strip_suffix(RUN)).map(str::to_owned).collect()
    }

    /// Adds the files of a folder. Rejects symbolic links, since they could lead out of it.
    fn add_folder(&mut self, folder: &Path, prefix: &str) -> io::Result<()> {
        for entry in files::list(folder).map_err(|error| at_place(folder, &error))? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let name = entry.file_name().to_string_lossy().into_owned();
            remove_if_left(&path);
            if kind.is_symlink() {
                let reason = "links among snapshots are not followed; remove it";
                return Err(at_place(&path, &io::Error::other(reason)));
            }
            if kind.is_dir() {
                self.add_folder(&path, &format!("{prefix}{name}/"))?;
            } else if let Some(key) = name.strip_suffix(GOLDEN_TEXTS) {
                self.golden_texts.push(format!("{prefix}{key}"));
            } else if let Some((key, extension)) = key_of(&name) {
                let keys = if extension == ACCEPTED { &mut self.accepted } else { &mut self.pending };
                keys.push(format!("{prefix}{key}"));
            }
        }
        Ok(())
    }
}

/// The key and the extension of a snapshot's file.
fn key_of(name: &str) -> Option<(&str, &str)> {
    for extension in [ACCEPTED, PENDING] {
        if let Some(rest) = name.strip_suffix(extension)
            && let Some(key) = rest.strip_suffix('.')
        {
            return Some((key, extension));
        }
    }
    None
}

/// Returns true if an orphan's key is that of golden texts, not of a snapshot.
pub fn is_golden_text(key: &str) -> bool {
    key.ends_with(GOLDEN_TEXTS)
}

/// The text of a file with LF line ends. Invalid UTF-8 is replaced, so it shows as a change.
fn text_of(bytes: Vec<u8>) -> String {
    // Most files have no CR LF. Copying them all would dominate the memory of a long run.
    let bytes = match files::with_line_feeds(&bytes) {
        Cow::Borrowed(_) => bytes,
        Cow::Owned(bytes) => bytes,
    };
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}

/// A file in insta's format: a header with at least one key, the body, a line break. The body is borrowed, since it may be large.
struct FileText<'b> {
    header: String,
    body: &'b str,
}

impl<'b> FileText<'b> {
    fn new(source: &str, body: &'b str) -> FileText<'b> {
        let header = format!("---\nsource: {}\n{OWNER}\n---\n", quoted(source));
        FileText { header, body: body.trim_end() }
    }

    fn reader(&self) -> impl BufRead + '_ {
        self.header.as_bytes().chain(self.body.as_bytes()).chain(&b"\n"[..])
    }
}

/// A path as YAML, quoted if necessary.
fn quoted(source: &str) -> String {
    let is_plain = source.starts_with(|c: char| c.is_ascii_alphabetic())
        && source.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-'));
    if is_plain { source.to_string() } else { yaml::quoted(source) }
}

/// The body of a file in insta's format, or the whole text without a header.
pub fn body_of(text: &str) -> &str {
    match parts_of(text) {
        Some((_, body)) => body,
        None => text,
    }
}

/// The header lines of a file, without reading the body. `None` without a header.
fn header_at(path: &Path) -> io::Result<Option<Vec<String>>> {
    let mut lines = BufReader::new(files::open(path)?).take(LONGEST_HEADER).lines();
    let Some(first) = lines.next() else { return Ok(None) };
    if first?.trim_end() != "---" {
        return Ok(None);
    }
    let mut header = Vec::new();
    for line in lines {
        let line = line?;
        if line.trim_end() == "---" {
            return Ok(Some(header));
        }
        header.push(line.trim_end().to_owned());
    }
    Ok(None)
}

/// Returns true for our own headers. Earlier versions wrote only the source. Insta's headers name a Rust test file, or have more lines.
fn is_own_header(header: &Option<Vec<String>>) -> bool {
    let Some(lines) = header else { return false };
    match lines.as_slice() {
        [only] => matches!(source_in(only), Some(source) if !source.ends_with(".rs")),
        lines => lines.iter().any(|line| line == OWNER),
    }
}

/// The source in the header of a file, without reading the body.
fn source_at(path: &Path) -> io::Result<Option<String>> {
    // A file of another tool may be one line of any length.
    for line in BufReader::new(files::open(path)?.take(LONGEST_HEADER)).lines() {
        // The body may contain anything, also invalid UTF-8.
        let Ok(line) = line else { return Ok(None) };
        let line = line.trim_end();
        if let Some(source) = source_in(line) {
            return Ok(Some(source));
        }
        if line != "---" && !line.starts_with(OWNER) {
            return Ok(None);
        }
    }
    Ok(None)
}

fn source_in(line: &str) -> Option<String> {
    let source = line.strip_prefix("source: ")?;
    Some(serde_yaml::from_str(source).unwrap_or_else(|_| source.to_owned()))
}

/// Returns true if a file has exactly this body, then one line break. The file is streamed.
fn has_body(path: &Path, body: &str) -> io::Result<bool> {
    let mut file = BufReader::new(files::open(path)?).take(files::MOST_BYTES);
    let mut line = Vec::new();
    file.read_until(b'\n', &mut line)?;
    if line != HEADER_EDGE {
        return Ok(false);
    }
    loop {
        line.clear();
        match file.read_until(b'\n', &mut line)? {
            0 => return Ok(false),
            _ if line == HEADER_EDGE => break,
            _ => {}
        }
    }
    is_equal(file, body.as_bytes().chain(&b"\n"[..]))
}

fn parts_of(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix("---\n")?.split_once("\n---\n")
}
