//! Append-only files for answers of live models, one JSON line per entry.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::endpoint::EndpointArguments;
use super::error::CliError;
use super::exit::Exit;
use super::interrupt;
use crate::scenario::files::{self, refuse_link};
use crate::snapshot::atomic::{folder_of, write_atomically};

/// The key of an entry: the question to the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct QuestionKey {
    pub model: String,
    pub temperature: Option<f64>,
    pub strategy: String,
    pub scenario: String,
    pub turn: u32,
    /// A hash of the request. It changes with the scenario and the strategy.
    pub request: String,
    /// From 1.
    pub repeat: u32,
}

/// A file of entries, locked against other processes.
pub(super) struct KeptFile {
    path: PathBuf,
    file: File,
}

impl QuestionKey {
    pub(super) fn new(
        endpoint: &EndpointArguments,
        strategy: &str,
        scenario: &str,
        (turn, request): (u32, u64),
        repeat: u32,
    ) -> QuestionKey {
        QuestionKey {
            model: endpoint.model.clone(),
            temperature: endpoint.temperature,
            strategy: strategy.to_owned(),
            scenario: scenario.to_owned(),
            turn,
            request: format!("{request:016x}"),
            repeat,
        }
    }

    /// Returns true if both belong to the same run of a scenario.
    pub(super) fn is_of_run(&self, key: &QuestionKey) -> bool {
        QuestionKey { turn: self.turn, request: self.request.clone(), ..key.clone() } == *self
    }
}

impl KeptFile {
    /// Opens or creates a file, locks it and reads its entries. Truncates an incomplete last line.
    ///
    /// # Errors
    /// The file cannot be read or written, another process has locked it, or a line is invalid.
    pub(super) fn open<T: DeserializeOwned>(path: &Path) -> Result<(KeptFile, Vec<T>), CliError> {
        let failed = |error| CliError::Write { path: path.to_owned(), error };
        // A stranger's suite could contain a link to one of the user's files. Never append to that.
        refuse_link(path).and_then(|()| refuse_link(folder_of(path))).map_err(failed)?;
        fs::create_dir_all(folder_of(path)).map_err(failed)?;
        if let Err(error) = files::open(path)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(failed(error));
        }
        let file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(failed)?;
        // Some file systems have no locks.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(CliError::InUse { path: path.to_owned() });
        }
        let read = files::read_to_string(path);
        let text = read.map_err(|error| CliError::Read { path: path.to_owned(), error })?;
        let whole = whole_lines(&text);
        let kept = parse_entries(path, whole)?;
        file.set_len(whole.len() as u64).map_err(failed)?;
        Ok((KeptFile { path: path.to_owned(), file }, kept))
    }

    /// Reads the entries of a file. A missing file has none.
    ///
    /// # Errors
    /// The file cannot be read, or a line is invalid.
    pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, CliError> {
        let read = files::read_if_there(path);
        let bytes =
            read.map_err(|error| CliError::Read { path: path.to_owned(), error })?.unwrap_or_default();
        parse_entries(path, whole_lines(&String::from_utf8_lossy(&bytes)))
    }

    /// Appends an entry and syncs it to disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&mut self, entry: &impl Serialize) -> Result<(), CliError> {
        let added = append_line(&mut self.file, entry);
        added.map_err(|error| CliError::Write { path: self.path.clone(), error })
    }

    /// Replaces the entries of the file with these. Removes the file if there are none.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn end<T: Serialize>(self, rest: &[&T]) -> Result<(), CliError> {
        drop(self.file);
        let written = match rest {
            [] => fs::remove_file(&self.path),
            rest => write_atomically(&self.path, |out| {
                rest.iter().try_for_each(|entry| writeln!(out, "{}", serde_json::to_string(entry)?))
            }),
        };
        written.map_err(|error| CliError::Write { path: self.path, error })
    }
}

fn append_line(file: &mut File, entry: &impl Serialize) -> io::Result<()> {
    file.write_all((serde_json::to_string(entry)? + "\n").as_bytes())?;
    file.sync_data()
}

/// Drops an incomplete last line, left by a killed process.
fn whole_lines(text: &str) -> &str {
    text.rfind('\n').map_or("", |end| &text[..=end])
}

fn parse_entries<T: DeserializeOwned>(path: &Path, text: &str) -> Result<Vec<T>, CliError> {
    let mut entries = Vec::new();
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        let entry = serde_json::from_str(line);
        let path = path.to_owned();
        entries.push(entry.map_err(|error| CliError::NoEntry { path, line: number, error })?);
    }
    Ok(entries)
}

/// Makes Ctrl-C exit with a message about the saved entries.
pub(super) fn tell_interruptions(kept: String) {
    interrupt::handle(move || {
        errln!("interrupted: {kept}, the same command goes on");
        std::process::exit(Exit::Interrupted.code().into());
    });
}
