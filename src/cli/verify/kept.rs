//! Results of verified requests in a file, a line for each run, written as they come.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cli::endpoint::Usage;
use crate::cli::error::CliError;

/// The run that a result belongs to. Two runs with the same key are the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Key {
    pub model: String,
    pub temperature: Option<f64>,
    pub strategy: String,
    pub scenario: String,
    pub turn: u32,
    /// Hash of the request, which changes with the scenario and the strategy.
    pub request: String,
    /// From 1.
    pub repeat: u32,
}

/// A run of a live model from one request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    #[serde(flatten)]
    pub key: Key,
    /// True if the scripted answer is short.
    pub short: bool,
    /// True if the run ended as expected.
    pub right: bool,
    pub ending: String,
    /// Calls of the model.
    pub calls: u32,
    /// Sums over the calls.
    pub usage: Usage,
}

/// A file of results.
pub(super) struct KeptFile {
    file: File,
}

impl KeptFile {
    /// Opens a file, or makes it, and reads its results.
    ///
    /// # Errors
    /// It cannot be read or written, or a line is not a result.
    pub(super) fn open(path: &Path) -> Result<(KeptFile, Vec<Kept>), CliError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(CliError::Read(path.to_owned(), error)),
        };
        // A run that was killed leaves a part of a line.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let lines = text.get(..whole).unwrap_or_default().lines().zip(1..);
        let read = |(line, number): (&str, usize)| {
            serde_json::from_str(line).map_err(|error| CliError::NoResult(path.to_owned(), number, error))
        };
        let kept = lines.filter(|(line, _)| !line.trim().is_empty()).map(read).collect::<Result<_, _>>()?;
        let open = || {
            fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            file.set_len(whole as u64)?;
            Ok(file)
        };
        let file = open().map_err(|error| CliError::Write(path.to_owned(), error))?;
        Ok((KeptFile { file }, kept))
    }

    /// Adds a result.
    pub(super) fn add(&mut self, kept: &Kept) -> io::Result<()> {
        let line = serde_json::to_string(kept)? + "\n";
        self.file.write_all(line.as_bytes())
    }
}
