//! Reads logs for `advise` and `import`: standard input, files, and folders of them.

use std::io::{self, BufRead, Cursor, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::error::CliError;
use super::opencode::{sessions_in, whole_session};
use super::roo;
use crate::report::has_reports;
use crate::scenario::problem::for_shell;
use crate::scenario::suite::STANDARD_INPUT;
use crate::scenario::{FileKind, files};
use agent_logs::{Notes, ReadError, ReadOptions, Transcript, read};

/// Reads a log like [`read`], but stops at the first error of `take`. Returns the notes so far and that error.
pub(super) fn read_until_error<E>(
    source: impl BufRead,
    name: &str,
    options: ReadOptions,
    mut take: impl FnMut(Transcript) -> Result<(), E>,
) -> (Result<Notes, ReadError>, Result<(), E>) {
    let mut taken = Ok(());
    let notes = read(source, name, options, &mut |transcript| {
        taken = take(transcript);
        if taken.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    (notes, taken)
}

/// Reads all conversations of a log. On error, returns the earlier ones too.
pub(super) fn read_all(
    source: impl BufRead,
    name: &str,
    options: ReadOptions,
) -> (Vec<Transcript>, Result<Notes, ReadError>) {
    let mut transcripts = Vec::new();
    let notes = read(source, name, options, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    (transcripts, notes)
}

/// Lines peeked from standard input but not yet consumed.
static LOOKED_AT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Peeks at the first line of standard input.
pub(super) fn look_at_standard_input() -> io::Result<Vec<u8>> {
    let mut looked_at = LOOKED_AT.lock().unwrap_or_else(PoisonError::into_inner);
    if looked_at.is_empty() {
        *looked_at = files::first_line(&mut io::stdin().lock())?;
    }
    Ok(looked_at.clone())
}

/// Puts back a consumed line.
pub(super) fn put_back(line: Vec<u8>) {
    *LOOKED_AT.lock().unwrap_or_else(PoisonError::into_inner) = line;
}

/// The kind of standard input, by its first line. `None` if it is empty.
pub(super) fn kind_of_standard_input() -> io::Result<Option<FileKind>> {
    let line = look_at_standard_input()?;
    Ok(Some(line.trim_ascii()).filter(|line| !line.is_empty()).map(FileKind::of_line))
}

/// Standard input, including peeked lines.
pub(super) fn standard_input() -> impl BufRead {
    let mut looked_at = LOOKED_AT.lock().unwrap_or_else(PoisonError::into_inner);
    Cursor::new(std::mem::take(&mut *looked_at)).chain(io::stdin().lock())
}

/// The name of a file in messages.
pub(super) fn shown_path(file: &Path) -> String {
    if file == Path::new(STANDARD_INPUT) { "standard input".to_owned() } else { file.display().to_string() }
}

/// The error for a file in an unknown format. A scenario gets its own message.
pub(super) fn unread(file: &Path, error: ReadError) -> CliError {
    let path = PathBuf::from(shown_path(file));
    let is_scenario = file.is_file() && FileKind::of_file(file) == FileKind::Scenario;
    match error {
        ReadError::UnknownFormat(_) if is_scenario => {
            let instead = format!(
                "ptc-eval run {0} replays it, ptc-eval show {0} prints it",
                for_shell(&path.display().to_string())
            );
            CliError::OtherInput { path, found: "a scenario".to_owned(), expected: "a log", instead }
        }
        error => CliError::Transcript { path, error },
    }
}

/// Opens a log. Joins logs of several files: Cline's messages with its compactions, Roo Code's answers with their bills, sessions of
/// Droid with their settings, and all files of an opencode session.
pub(super) fn open_log(file: &Path) -> io::Result<Box<dyn Read>> {
    if file == Path::new(STANDARD_INPUT) {
        return Ok(Box::new(standard_input()));
    }
    if let Some(whole) = whole_session(file).or_else(|| roo::with_bills(file)) {
        return Ok(Box::new(Cursor::new(whole?)));
    }
    let log = files::open(file)?;
    if let Some(settings) = beside(file, ".jsonl", SETTINGS) {
        return Ok(Box::new(log.chain(Cursor::new(one_line(&settings)?))));
    }
    Ok(match beside(file, ".messages.json", ".compaction.json") {
        Some(compactions) => Box::new(log.chain(&b"\n"[..]).chain(files::open(&compactions)?)),
        None => Box::new(log),
    })
}

/// A JSON file as one line after a line break.
fn one_line(file: &Path) -> io::Result<Vec<u8>> {
    let text = files::read(file)?;
    // Broken JSON stays as it is, and the reader notes it.
    match serde_json::from_slice::<serde_json::Value>(&text) {
        Ok(value) => Ok(format!("\n{value}\n").into_bytes()),
        Err(_) => Ok([b"\n", text.as_slice()].concat()),
    }
}

/// The end of the name of a session's settings in Factory Droid, with the tokens of the session.
const SETTINGS: &str = ".settings.json";

/// The existing file next to another, with another end of the name.
fn beside(file: &Path, end: &str, other: &str) -> Option<PathBuf> {
    let name = file.file_name()?.to_str()?.strip_suffix(end)?;
    let path = file.with_file_name(format!("{name}{other}"));
    (path.is_file() && !files::leads_out(file.parent()?, &path)).then_some(path)
}

/// Collects a file, or all files below a folder in order of their paths. Skips links out of the folder with a note: in a stranger's folder
/// they could lead to the user's own logs.
pub(super) fn collect(path: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let collected = Collected::below(path)?;
    for link in &collected.links_out {
        let (link, folder) = (link.display(), path.display());
        errln!("note: {link} left out: it is a link that leads out of {folder}; name the file itself");
    }
    found.extend(collected.files);
    Ok(())
}

/// The files below a path.
#[derive(Default)]
pub(super) struct Collected {
    pub files: Vec<PathBuf>,
    /// Skipped links out of the folder.
    links_out: Vec<PathBuf>,
}

impl Collected {
    /// # Errors
    /// A folder cannot be read.
    pub(super) fn below(path: &Path) -> io::Result<Collected> {
        let mut collected = Collected::default();
        collected.add(path, path)?;
        Ok(collected)
    }

    /// Adds a file, or the files below a folder.
    fn add(&mut self, root: &Path, path: &Path) -> io::Result<()> {
        if !path.is_dir() {
            self.files.push(path.to_owned());
            return Ok(());
        }
        // The other folders contain the parts of these sessions.
        if let Some(sessions) = sessions_in(path) {
            return self.add(root, &sessions);
        }
        let listing = files::list_within(root, path)?;
        self.links_out
            .extend(listing.links_out.into_iter().filter(|link| !is_hidden(link) && !is_part(link)));
        for entry in listing.entries {
            if is_hidden(&entry) || is_part(&entry) {
                continue;
            }
            // Don't follow links to folders: they may be cyclic, or lead to logs already found. Listed as a file, the link is skipped
            // with a note.
            if entry.is_symlink() {
                self.files.push(entry);
            } else if !has_reports(&entry) {
                // An earlier run started in the folder of the logs writes its reports there.
                self.add(root, &entry)?;
            }
        }
        Ok(())
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns true for a file read together with another one next to it: a part of its session, or a packed copy.
fn is_part(path: &Path) -> bool {
    beside(path, ".compaction.json", ".messages.json").is_some()
        || beside(path, SETTINGS, ".jsonl").is_some()
        || roo::is_shown(path)
        || PACKED.iter().any(|end| beside(path, end, "").is_some())
}

/// File extensions of compressed logs.
const PACKED: [&str; 3] = [".gz", ".zst", ".zstd"];

/// The name of a log without folder and extensions.
pub(super) fn stem(file: &Path) -> String {
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let unpacked = PACKED.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    match Path::new(unpacked).file_stem() {
        Some(stem) if file != Path::new("-") => {
            let stem = stem.to_string_lossy();
            stem.strip_suffix(".transcript").unwrap_or(&stem).to_owned()
        }
        _ => "chat".to_owned(),
    }
}

/// The paths of logs, joined by spaces.
pub(super) fn names(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" ")
}
