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
        if let Err(error) = collect(path, &mut files) {
            return Err(CliError::Read { path: path.to_owned(), error });
        }
        for file in files {
            match read_log(&file) {
                Ok(log) => {
                    log.print_summary();
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
    let log = match open_log(file) {
        Ok(log) => log,
        Err(error) => return Err(CliError::Read { path: file.to_owned(), error }),
    };
    let (transcripts, notes) = read_all(BufReader::new(log), &shown_path(file), ReadOptions::default());
    match notes {
        Ok(notes) => Ok(ReadLog { file: file.to_owned(), transcripts, notes }),
        Err(ReadError::Io(error)) => Err(CliError::Read { path: file.to_owned(), error }),
        Err(error) => Err(unread(file, error)),
    }
}

impl ReadLog {
    fn print_summary(&self) {
        let (mut answers, mut calls) = (0, 0);
        for transcript in &self.transcripts {
            answers += transcript.answers().count();
            for message in &transcript.messages {
                calls += message.tool_calls.len();
            }
        }
        outln!(
            "{}: {}, {}, {}, {}",
            shown_path(&self.file),
            self.format_name(),
            count(self.transcripts.len(), "conversation"),
            count(answers, "answer"),
            count(calls, "call")
        );
        let missing = self.missing_information();
        if !missing.is_empty() {
            outln!("  missing: {}", missing.join("; "));
        }
        let lost: Vec<String> = self.notes.lost_lines().collect();
        for line in &lost {
            outln!("  warning: {line}");
        }
        for line in self.notes.lines() {
            if !lost.contains(&line) {
                outln!("  note: {line}");
            }
        }
    }

    /// The name of the format.
    fn format_name(&self) -> &str {
        if let Some(format) = self.notes.format {
            return format;
        }
        match self.transcripts.first() {
            Some(Transcript { source: Some(source), .. }) => &source.format,
            _ => "transcript",
        }
    }

    /// Missing information needed for token counts and costs.
    fn missing_information(&self) -> Vec<String> {
        let (mut has_system, mut has_tools, mut has_calls) = (false, false, false);
        let (mut has_model, mut has_times) = (false, false);
        let (mut answers, mut billed) = (0_usize, 0);
        for transcript in &self.transcripts {
            has_system |= transcript.system.is_some();
            has_tools |= !transcript.tools.is_empty();
            for message in &transcript.messages {
                has_calls |= !message.tool_calls.is_empty();
            }
            for answer in transcript.answers() {
                answers += 1;
                has_times |= answer.time.is_some();
                if let Some(usage) = &answer.usage {
                    has_model |= usage.model.is_some();
                    billed += usize::from(matches!(usage.input_tokens, Some(1..)));
                }
            }
        }
        let mut missing = Vec::new();
        if !has_system {
            missing.push("the system prompt".to_owned());
        }
        if has_calls && !has_tools {
            missing.push("the declared tools".to_owned());
        }
        match answers - billed {
            0 => {}
            all if all == answers => missing.push("billed tokens".to_owned()),
            some => missing.push(format!("billed tokens of {some} of {answers} answers")),
        }
        if !has_model {
            missing.push("the model".to_owned());
        }
        if !has_times {
            missing.push("times".to_owned());
        }
        missing
    }
}
