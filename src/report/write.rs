//! Writes reports to files, each whole or not at all.

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

/// Content of the folder's `.gitignore`: all files are ignored but those that are committed.
pub(super) const GITIGNORE: &str = "*\n!.gitignore\n!strategies.csv\n!summary.md\n";

/// Its first lines in every version.
const IGNORED_FIRST: &[u8] = b"*\n!.gitignore\n!strategies.csv\n";

/// A folder of reports that is being written.
pub struct ReportFolder {
    path: PathBuf,
    header: Header,
    scenarios: u64,
    files: Vec<StreamFile>,
}

/// The file of a stream that is being written.
struct StreamFile {
    stream: &'static ReportStream,
    out: BufWriter<NamedTempFile>,
    /// Hashes of the shared texts that it has.
    shared: FxHashSet<u64>,
}

/// Text that one scenario adds to each stream. Writing it is most of the work of a report, and can be done on any
/// thread.
#[derive(Default)]
pub struct ReportEntry {
    /// In the order of the streams.
    pub(super) parts: Vec<EntryPart>,
}

/// The part of an entry that one stream gets.
#[derive(Default)]
pub(super) struct EntryPart {
    pub text: Vec<u8>,
    pub shared: Option<SharedText>,
}

impl ReportEntry {
    pub fn new(header: &Header, record: &ScenarioRecord) -> io::Result<ReportEntry> {
        let part = |stream: &ReportStream| {
            let mut part = EntryPart::default();
            if (stream.is_written)(header) {
                (stream.scenario)(header, record, &mut part.text)?;
                part.shared = (stream.shared)(record)?;
            }
            Ok(part)
        };
        Ok(ReportEntry { parts: STREAMS.iter().map(part).collect::<io::Result<_>>()? })
    }
}

impl ReportFolder {
    /// Begins the files that every scenario adds to. They appear at [`ReportFolder::finish`].
    pub fn create(path: &Path, header: Header) -> io::Result<ReportFolder> {
        claim(path)?;
        let begin = |stream: &'static ReportStream| {
            let mut out = BufWriter::new(begin_in(path)?);
            (stream.head)(&header, &mut out)?;
            Ok(StreamFile { stream, out, shared: FxHashSet::default() })
        };
        let files = STREAMS.iter().map(begin).collect::<io::Result<_>>()?;
        Ok(ReportFolder { path: path.to_owned(), header, scenarios: 0, files })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the next scenario.
    pub fn scenario(&mut self, record: &ScenarioRecord) -> io::Result<()> {
        self.add(ReportEntry::new(&self.header, record)?)
    }

    /// Adds the entry of the next scenario.
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

    /// Puts all files in their places but those that are committed.
    pub fn finish(self, comparison: &Comparison) -> io::Result<()> {
        // It vouches for the other files, also when the process is killed between two of them.
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

/// Prepares a folder for reports, which need one of their own: their `.gitignore` hides all other files.
pub(super) fn claim(folder: &Path) -> io::Result<()> {
    let has_other_ignore_file = match read_at(folder, ".gitignore")? {
        Some(text) => !files::with_line_feeds(&text).starts_with(b"*\n"),
        None => false,
    };
    let holds = |name: &str| folder.join(name).exists();
    if has_other_ignore_file
        || [SUITE_FILE, SUITE_FOLDER, "system-prompt.snap"].into_iter().any(holds)
        || folder.ends_with(SUITE_FOLDER)
    {
        return Err(at_place(folder, &io::Error::other("reports need a folder of their own")));
    }
    if let Some(name) = foreign_file(folder)? {
        let reason = "it is a file of another program; reports need a folder of their own";
        return Err(at_place(&folder.join(name), &io::Error::other(reason)));
    }
    remove_left_below(folder);
    Ok(())
}

/// A file in the place of a report that no report was written to. The `.gitignore` of a folder vouches for all of them; without it the
/// committed ones are known by their first words.
fn foreign_file(folder: &Path) -> io::Result<Option<&'static str>> {
    let ignored = read_at(folder, ".gitignore")?;
    if ignored.is_some_and(|text| files::with_line_feeds(&text).starts_with(IGNORED_FIRST)) {
        return Ok(None);
    }
    let streams = STREAMS.iter().map(|stream| (stream.file, None));
    let formats = FORMATS.iter().map(|format| (format.file, Some(format.first_words)));
    for (name, first_words) in streams.chain(formats) {
        let is_own = |text: &[u8]| first_words.is_some_and(|words: &str| text.starts_with(words.as_bytes()));
        if !name.is_empty() && read_at(folder, name)?.is_some_and(|text| !is_own(&text)) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Removes what killed processes left in the folders of selections and shards, to which no later one may write.
fn remove_left_below(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.is_dir() && !path.is_symlink()).for_each(|path| remove_all_left(&path));
}

/// Begins a file in a folder of reports.
pub(super) fn begin_in(folder: &Path) -> io::Result<NamedTempFile> {
    temporary(folder).map_err(|error| at_place(folder, &error))
}

fn read_at(folder: &Path, name: &str) -> io::Result<Option<Vec<u8>>> {
    let path = folder.join(name);
    files::read_if_there(&path).map_err(|error| at_place(&path, &error))
}

/// Returns true for a folder of reports.
pub fn has_reports(folder: &Path) -> bool {
    let ignore = files::read(&folder.join(".gitignore"));
    ignore.is_ok_and(|text| has_same_lines(&text, GITIGNORE.as_bytes()))
}

pub(super) fn write_gitignore(folder: &Path) -> io::Result<()> {
    write_text(folder, ".gitignore", GITIGNORE.as_bytes())
}

/// Writes the reports that are committed.
pub fn write_committed(folder: &Path, comparison: &Comparison) -> io::Result<()> {
    committed().try_for_each(|format| write_text(folder, format.file, &text_of(format, comparison)?))
}

/// The committed reports that are not what this comparison would write; a missing one is among them.
pub fn stale(folder: &Path, comparison: &Comparison) -> io::Result<Vec<&'static str>> {
    let mut stale = Vec::new();
    for format in committed() {
        let there = read_at(folder, format.file)?;
        let expected = text_of(format, comparison)?;
        if !there.is_some_and(|there| has_same_lines(&there, &expected)) {
            stale.push(format.file);
        }
    }
    Ok(stale)
}

fn committed() -> impl Iterator<Item = &'static ReportFormat> {
    FORMATS.iter().filter(|format| format.committed)
}

fn text_of(format: &ReportFormat, comparison: &Comparison) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    (format.write)(comparison, &mut text)?;
    Ok(text)
}

/// Writes a file that is committed. One with the same lines stays as it is: git would show other line ends as a change.
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

/// The file of a stream, with its front before its body.
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
