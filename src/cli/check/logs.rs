//! Prints the contents of a log, and information missing in it.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::Checked;
use crate::cli::error::CliError;
use crate::cli::logs::{collect, open_log, read_all, shown_path, unread};
use crate::cli::suite::count;
use agent_logs::{Notes, ReadError, ReadOptions, Transcript};

impl Checked {
    /// Reads a log, or all logs in a folder, and prints a summary of each. Other files in a folder are skipped with a note.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub(super) fn add_logs(&mut self, path: &Path) -> Result<(), CliError> {
        let mut files = Vec::new();
        collect(path, &mut files).map_err(|error| CliError::Read { path: path.to_owned(), error })?;
        for file in files {
            match read_log(&file) {
                Ok(log) => {
                    log.print();
                    self.good_logs += 1;
                    self.warnings += log.notes.lost_lines().count();
                }
                Err(error) if file == *path => {
                    err!("{}", error.report());
                    self.bad_logs += 1;
                }
                Err(error) => errln!("note: left out: {error}"),
            }
        }
        Ok(())
    }
}

/// A log after reading.
struct ReadLog {
    file: PathBuf,
    transcripts: Vec<Transcript>,
    notes: Notes,
}

fn read_log(file: &Path) -> Result<ReadLog, CliError> {
    let log = open_log(file).map_err(|error| CliError::Read { path: file.to_owned(), error })?;
    let (transcripts, notes) = read_all(BufReader::new(log), &shown_path(file), ReadOptions::default());
    let notes = notes.map_err(|error| match error {
        ReadError::Io(error) => CliError::Read { path: file.to_owned(), error },
        error => unread(file, error),
    })?;
    Ok(ReadLog { file: file.to_owned(), transcripts, notes })
}

impl ReadLog {
    fn print(&self) {
        let answers: usize = self.transcripts.iter().map(|transcript| transcript.answers().count()).sum();
        let messages = self.transcripts.iter().flat_map(|transcript| &transcript.messages);
        let calls = messages.map(|message| message.tool_calls.len()).sum();
        outln!(
            "{}: {}, {}, {}, {}",
            shown_path(&self.file),
            self.format(),
            count(self.transcripts.len(), "conversation"),
            count(answers, "answer"),
            count(calls, "call")
        );
        let missing = self.missing();
        if !missing.is_empty() {
            outln!("  missing: {}", missing.join("; "));
        }
        self.notes.lost_lines().for_each(|line| outln!("  warning: {line}"));
        let lost: Vec<String> = self.notes.lost_lines().collect();
        self.notes.lines().filter(|line| !lost.contains(line)).for_each(|line| outln!("  note: {line}"));
    }

    /// The name of the format.
    fn format(&self) -> &str {
        if let Some(format) = self.notes.format {
            return format;
        }
        let source = self.transcripts.first().and_then(|transcript| transcript.source.as_ref());
        source.map_or("transcript", |source| source.format.as_str())
    }

    /// Missing information needed for token counts and costs.
    fn missing(&self) -> Vec<String> {
        let all = &self.transcripts;
        let mut missing = Vec::new();
        if all.iter().all(|transcript| transcript.system.is_none()) {
            missing.push("the system prompt".to_owned());
        }
        let has_calls =
            all.iter().flat_map(|transcript| &transcript.messages).any(|m| !m.tool_calls.is_empty());
        if has_calls && all.iter().all(|transcript| transcript.tools.is_empty()) {
            missing.push("the declared tools".to_owned());
        }
        let answers: Vec<_> = all.iter().flat_map(Transcript::answers).collect();
        let usages: Vec<_> = answers.iter().filter_map(|answer| answer.usage.as_ref()).collect();
        let billed =
            usages.iter().filter(|usage| usage.input_tokens.is_some_and(|tokens| tokens > 0)).count();
        match answers.len() - billed {
            0 => {}
            all if all == answers.len() => missing.push("billed tokens".to_owned()),
            some => missing.push(format!("billed tokens of {some} of {} answers", answers.len())),
        }
        if usages.iter().all(|usage| usage.model.is_none()) {
            missing.push("the model".to_owned());
        }
        if answers.iter().all(|answer| answer.time.is_none()) {
            missing.push("times".to_owned());
        }
        missing
    }
}
