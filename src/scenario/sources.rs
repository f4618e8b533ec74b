//! The scenarios of a suite before loading: files, lines of files and streams, and conversations in memory.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use super::data_files::{display, unreadable};
use super::files;
use super::loader::{ScenarioSource, SourceContent, SourceFormat};
use super::problem::{Problem, ScenarioError, for_shell};
use super::recognize::{FileKind, log_format};
use super::walk::{WalkedFile, is_transcript};
use agent_logs::ShelvedTranscript;

/// The path shown for conversations in memory, in messages and reports.
pub const LOGS_FILE: &str = "logs.jsonl";

/// Iterator over the texts of scenarios.
pub type Texts<'a> = dyn Iterator<Item = Result<ScenarioSource, ScenarioError>> + 'a;

/// Opens a file with one scenario per line.
///
/// # Errors
/// The file is unreadable, or is a log.
pub fn open_lines(file: &WalkedFile) -> Result<Box<Texts<'static>>, ScenarioError> {
    let path = display(&file.path);
    let opened = files::open(&file.path).map_err(|error| unreadable(&path, &error))?;
    let mut reader = BufReader::new(opened);
    let first = files::first_line(&mut reader).map_err(|error| unreadable(&path, &error))?;
    if FileKind::of_line(&first) == FileKind::Log
        && let Some(format) = log_format(&file.path)
    {
        // One error for the file instead of one per line.
        let message = format!("a log in the format {format}, and no scenarios");
        let help = format!(
            "`ptc-eval import {}` makes scenarios and transcripts of it; move the log out of the suite",
            for_shell(&path)
        );
        return Err(Problem::of_file(&path, message, help).into());
    }
    Ok(Box::new(lines(path, folder_of(&file.path), Cursor::new(first).chain(reader))))
}

/// Reads a file with one scenario.
pub fn read_whole(file: WalkedFile) -> Result<ScenarioSource, ScenarioError> {
    let path = display(&file.path);
    let text = files::read(&file.path).map_err(|error| unreadable(&path, &error))?;
    let folder = folder_of(&file.path);
    let format = if is_transcript(&file.path) { SourceFormat::Transcript } else { SourceFormat::Yaml };
    let content = SourceContent::Text { bytes: text, format };
    Ok(ScenarioSource { name: Some(file.name), path, folder, line: 1, content })
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}

/// The conversation at an index. Its position in messages is a line of the file written by `--save`.
pub fn in_memory(conversations: &[ShelvedTranscript], index: usize) -> ScenarioSource {
    ScenarioSource {
        name: None,
        path: LOGS_FILE.to_owned(),
        folder: PathBuf::from("."),
        line: index as u32 + 1,
        content: SourceContent::Conversation(conversations[index].clone()),
    }
}

/// The non-blank lines of a stream. Stops at the first read error.
pub fn lines(
    path: String,
    folder: PathBuf,
    reader: impl BufRead,
) -> impl Iterator<Item = Result<ScenarioSource, ScenarioError>> {
    let mut is_broken = false;
    let lines = bounded_lines(reader).zip(1..);
    let readable = lines.take_while(move |(text, _)| !std::mem::replace(&mut is_broken, text.is_err()));
    let written = readable.filter(|(text, _)| !text.as_ref().is_ok_and(|text| text.trim_ascii().is_empty()));
    written.map(move |(text, line)| {
        let text = text.map_err(|error| unreadable(&path, &error))?;
        let (path, folder) = (path.clone(), folder.clone());
        let content = SourceContent::Text { bytes: text, format: SourceFormat::JsonLine };
        Ok(ScenarioSource { name: None, path, folder, line, content })
    })
}

/// The most bytes of a line. The largest request that a provider takes has 100 MB. A line takes up to three times its size in memory.
const MOST_BYTES_OF_LINE: u64 = 1 << 28;

/// The lines of a stream without line breaks. A line of more than [`MOST_BYTES_OF_LINE`] is an error.
fn bounded_lines(mut reader: impl BufRead) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    let mut number = 0;
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        number += 1;
        match reader.by_ref().take(MOST_BYTES_OF_LINE + 1).read_until(b'\n', &mut line) {
            Ok(0) => return None,
            Ok(length) if length as u64 > MOST_BYTES_OF_LINE => {
                let message = format!("line {number} has more than {} MiB", MOST_BYTES_OF_LINE >> 20);
                return Some(Err(io::Error::other(message)));
            }
            Ok(_) => {}
            Err(error) => return Some(Err(error)),
        }
        if line.ends_with(b"\n") {
            line.pop();
        }
        Some(Ok(line))
    })
}
