//! Writes reports to files, each one atomically.

use std::fs;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use tempfile::NamedTempFile;

use super::comparison::Comparison;
use super::format::{FORMATS, ReportFormat, ReportStream, STREAMS};
use super::header::Header;
use super::page::SharedText;
use super::record::ScenarioRecord;
use crate::scenario::{SUITE_FILE, SUITE_FOLDER, files};
use crate::snapshot::atomic::{
    at_place, persist, remove_all_left, remove_if_there, temporary, write_atomically,
};

/// The `.gitignore` of a report folder: ignores all but the committed files.
pub(super) const GITIGNORE: &str = "*\n!.gitignore\n!strategies.csv\n!summary.md\n";

/// The first lines of [`GITIGNORE`] in every version.
const IGNORED_FIRST: &[u8] = b"*\n!.gitignore\n!strategies.csv\n";

/// A report folder while it is written.
pub struct ReportFolder {
    path: PathBuf,
    header: Header,
    scenarios: u64,
    files: Vec<StreamFile>,
}

/// A stream's file while it is written.
struct StreamFile {
    stream: &'static ReportStream,
    out: BufWriter<NamedTempFile>,
    /// Hashes of the shared texts already written.
    shared: FxHashSet<u64>,
}

/// The text of one scenario for each stream. Formatting it is most of the work of a report, and can run on
/// any thread.
#[derive(Default)]
pub struct ReportEntry {
    /// In the order of the streams.
    pub(super) parts: Vec<EntryPart>,
}

/// The part of an entry for one stream.
#[derive(Default)]
pub(super) struct EntryPart {
    pub text: Vec<u8>,
    pub shared: Option<SharedText>,
}

impl ReportEntry {
    pub fn new(header: &Header, record: &ScenarioRecord) -> io::Result<ReportEntry> {
        let mut parts = Vec::with_capacity(STREAMS.len());
        for stream in STREAMS {
            let mut part = EntryPart::default();
            if (stream.is_written)(header) {
                (stream.scenario)(header, record, &mut part.text)?;
                part.shared = (stream.shared)(record)?;
            }
            parts.push(part);
        }
        Ok(ReportEntry { parts })
    }
}

impl ReportFolder {
    /// Starts the stream files. They appear at [`ReportFolder::finish`].
    pub fn create(path: &Path, header: Header) -> io::Result<ReportFolder> {
        claim(path)?;
        let mut files = Vec::with_capacity(STREAMS.len());
        for stream in STREAMS {
            let mut out = BufWriter::new(begin_in(path)?);
            (stream.head)(&header, &mut out)?;
            files.push(StreamFile { stream, out, shared: FxHashSet::default() });
        }
        Ok(ReportFolder { path: path.to_owned(), header, scenarios: 0, files })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Formats and writes the next scenario.
    pub fn scenario(&mut self, record: &ScenarioRecord) -> io::Result<()> {
        self.add(ReportEntry::new(&self.header, record)?)
    }

    /// Writes the entry of the next scenario.
    pub fn add(&mut self, entry: ReportEntry) -> io::Result<()> {
        for (file, part) in self.files.iter_mut().zip(entry.parts) {
            if self.scenarios >= file.stream.most {
                continue;
            }
            if self.scenarios > 0 {
                file.out.write_all(file.stream.between.as_bytes())?;
            }
            file.add(part)?;
        }
        self.scenarios += 1;
        Ok(())
    }

    /// Writes the remaining files, except the committed ones, and moves all to their final names.
    pub fn finish(self, comparison: &Comparison) -> io::Result<()> {
        // First, as it marks the folder as ours even if the process is killed before the other files.
        write_gitignore(&self.path)?;
        for StreamFile { stream, out: mut file, .. } in self.files {
            if !(stream.is_written)(&self.header) {
                remove_if_there(&self.path.join(stream.file))?;
                continue;
            }
            (stream.tail)(comparison, &mut file)?;
            let body = file.into_inner().map_err(|error| error.into_error())?;
            let path = self.path.join(stream.file);
            persist(behind_front(stream, body, comparison, &self.path)?, &path)
                .map_err(|error| at_place(&path, &error))?;
        }
        let mut formats = FORMATS.iter().filter(|format| !format.committed);
        formats
            .try_for_each(|format| write_file(&self.path, format.file, |out| (format.write)(comparison, out)))
    }
}

impl StreamFile {
    fn add(&mut self, part: EntryPart) -> io::Result<()> {
        if let Some(shared) = part.shared
            && self.shared.insert(shared.hash)
        {
            self.out.write_all(&shared.text)?;
        }
        self.out.write_all(&part.text)
    }
}

/// Prepares a folder for reports. They need a folder of their own: their `.gitignore` would hide all other
/// files.
pub(super) fn claim(folder: &Path) -> io::Result<()> {
    let has_other_ignore_file = match read_at(folder, ".gitignore")? {
        Some(text) => !files::with_line_feeds(&text).starts_with(b"*\n"),
        None => false,
    };
    let is_suite =
        [SUITE_FILE, SUITE_FOLDER, "system-prompt.snap"].iter().any(|name| folder.join(name).exists());
    if has_other_ignore_file || is_suite || folder.ends_with(SUITE_FOLDER) {
        return Err(at_place(folder, &io::Error::other("reports need a folder of their own")));
    }
    if let Some(name) = foreign_file(folder)? {
        let reason = "it is a file of another program; reports need a folder of their own";
        return Err(at_place(&folder.join(name), &io::Error::other(reason)));
    }
    remove_left_below(folder);
    Ok(())
}

/// Finds a file that has the name of a report but was written by another program. A report `.gitignore`
/// proves that all files in the folder are ours; without it, the committed reports are recognized by their
/// first words.
fn foreign_file(folder: &Path) -> io::Result<Option<&'static str>> {
    let ignored = read_at(folder, ".gitignore")?;
    if ignored.is_some_and(|text| files::with_line_feeds(&text).starts_with(IGNORED_FIRST)) {
        return Ok(None);
    }
    let streams = STREAMS.iter().map(|stream| (stream.file, None));
    let formats = FORMATS.iter().map(|format| (format.file, Some(format.first_words)));
    for (name, first_words) in streams.chain(formats) {
        if name.is_empty() {
            continue;
        }
        let Some(text) = read_at(folder, name)? else { continue };
        if !first_words.is_some_and(|words: &str| text.starts_with(words.as_bytes())) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Removes temporary files of killed processes from subfolders for selections and shards, as there may be no
/// later run to do so.
fn remove_left_below(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.is_dir() && !path.is_symlink()).for_each(|path| remove_all_left(&path));
}

/// Creates a temporary file in a report folder.
pub(super) fn begin_in(folder: &Path) -> io::Result<NamedTempFile> {
    temporary(folder).map_err(|error| at_place(folder, &error))
}

fn read_at(folder: &Path, name: &str) -> io::Result<Option<Vec<u8>>> {
    let path = folder.join(name);
    files::read_if_there(&path).map_err(|error| at_place(&path, &error))
}

/// Returns true for a report folder.
pub fn has_reports(folder: &Path) -> bool {
    let ignore = files::read(&folder.join(".gitignore"));
    ignore.is_ok_and(|text| has_same_lines(&text, GITIGNORE.as_bytes()))
}

pub(super) fn write_gitignore(folder: &Path) -> io::Result<()> {
    write_text(folder, ".gitignore", GITIGNORE.as_bytes())
}

/// Writes the committed reports.
pub fn write_committed(folder: &Path, comparison: &Comparison) -> io::Result<()> {
    committed_formats().try_for_each(|format| write_text(folder, format.file, &text_of(format, comparison)?))
}

/// The committed reports with content different from this comparison's, or missing.
pub fn stale(folder: &Path, comparison: &Comparison) -> io::Result<Vec<&'static str>> {
    let mut stale = Vec::new();
    for format in committed_formats() {
        let there = read_at(folder, format.file)?;
        let expected = text_of(format, comparison)?;
        if !there.is_some_and(|there| has_same_lines(&there, &expected)) {
            stale.push(format.file);
        }
    }
    Ok(stale)
}

fn committed_formats() -> impl Iterator<Item = &'static ReportFormat> {
    FORMATS.iter().filter(|format| format.committed)
}

fn text_of(format: &ReportFormat, comparison: &Comparison) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    (format.write)(comparison, &mut text)?;
    Ok(text)
}

/// Writes a committed file. Keeps one with the same lines, because git would show other line endings as a
/// change.
fn write_text(folder: &Path, name: &str, text: &[u8]) -> io::Result<()> {
    let path = folder.join(name);
    let there = files::read(&path).ok().filter(|_| !path.is_symlink());
    if there.is_some_and(|there| has_same_lines(&there, text)) {
        return Ok(());
    }
    write_file(folder, name, |out| out.write_all(text))
}

fn has_same_lines(left: &[u8], right: &[u8]) -> bool {
    files::with_line_feeds(left) == files::with_line_feeds(right)
}

fn write_file(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let path = folder.join(name);
    write_atomically(&path, write).map_err(|error| at_place(&path, &error))
}

/// The file of a stream, with the front inserted before the body.
fn behind_front(
    stream: &ReportStream,
    mut body: NamedTempFile,
    comparison: &Comparison,
    folder: &Path,
) -> io::Result<NamedTempFile> {
    let mut front = Vec::new();
    (stream.front)(comparison, &mut front)?;
    if front.is_empty() {
        return Ok(body);
    }
    let mut whole = begin_in(folder)?;
    whole.write_all(&front)?;
    body.rewind()?;
    io::copy(body.as_file_mut(), &mut whole)?;
    Ok(whole)
}
