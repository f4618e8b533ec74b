//! Reads `results.json` one scenario at a time. Callers choose a type with only the fields they need.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::results::{Head, Tail, VERSION};
use crate::scenario::{files, reason};

/// The file name of results in a report folder.
pub const RESULTS: &str = "results.json";

/// An open results file.
pub struct ResultsReader {
    path: PathBuf,
    lines: BufReader<File>,
    /// Number of the last line read, from 1.
    line: u64,
    pub head: Head,
    /// Set after the last scenario.
    tail: Option<Tail>,
}

/// A results file that cannot be read or parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultsError {
    pub path: PathBuf,
    /// From 1; 0 if the file cannot be read at all.
    pub line: u64,
    pub message: String,
}

impl ResultsError {
    fn at_line(path: &Path, line: u64, message: String) -> ResultsError {
        ResultsError { path: path.to_owned(), line, message }
    }
}

impl fmt::Display for ResultsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, message) = (self.path.display(), &self.message);
        match self.line {
            0 => write!(f, "cannot read {path}: {message}"),
            line => write!(f, "{path}:{line}: {message}"),
        }
    }
}

impl std::error::Error for ResultsError {}

#[derive(Deserialize)]
struct Version {
    version: u64,
}

impl ResultsReader {
    /// Opens the file and reads the part before the scenarios.
    ///
    /// # Errors
    /// The file cannot be read, or has another version.
    pub fn open_file(path: &Path) -> Result<ResultsReader, ResultsError> {
        let file = files::open(path).map_err(|error| ResultsError::at_line(path, 0, reason(&error)))?;
        let mut lines = BufReader::new(file);
        let mut first = String::new();
        lines.read_line(&mut first).map_err(|error| ResultsError::at_line(path, 0, reason(&error)))?;
        let text = format!("{}}}", first.trim_end().trim_end_matches(','));
        let Version { version } = parse(&text).map_err(|message| ResultsError::at_line(path, 1, message))?;
        if version != u64::from(VERSION) {
            let message = format!("expected results of version {VERSION}, found version {version}");
            return Err(ResultsError::at_line(path, 1, message));
        }
        let head = parse(&text).map_err(|message| ResultsError::at_line(path, 1, message))?;
        let mut reader = ResultsReader { path: path.to_owned(), lines, line: 1, head, tail: None };
        match reader.read_line()?.trim_end() {
            "\"scenarios\":[" => Ok(reader),
            _ => Err(reader.refuse_line(expected_layout("\"scenarios\":["))),
        }
    }

    /// Reads the next scenario; `None` after the last.
    ///
    /// # Errors
    /// The file cannot be read or parsed.
    pub fn scenario<T: DeserializeOwned>(&mut self) -> Result<Option<T>, ResultsError> {
        if self.tail.is_some() {
            return Ok(None);
        }
        let mut line = self.read_line()?;
        // Without scenarios, the file has an empty line here.
        if line.trim_end().is_empty() {
            line = self.read_line()?;
        }
        let line = line.trim_end();
        if let Some(rest) = line.strip_prefix("],") {
            self.tail = Some(parse(&format!("{{{rest}")).map_err(|message| self.refuse_line(message))?);
            return Ok(None);
        }
        let scenario = line.strip_suffix(',').unwrap_or(line);
        parse(scenario).map(Some).map_err(|message| self.refuse_line(message))
    }

    /// Skips unread scenarios and reads the part after them.
    ///
    /// # Errors
    /// The file cannot be read or parsed.
    pub fn finish(mut self) -> Result<Tail, ResultsError> {
        while self.scenario::<serde::de::IgnoredAny>()?.is_some() {}
        let missing = self.refuse_line(expected_layout("what follows the scenarios"));
        self.tail.ok_or(missing)
    }

    fn read_line(&mut self) -> Result<String, ResultsError> {
        let mut line = String::new();
        self.line += 1;
        match self.lines.read_line(&mut line) {
            Ok(0) => Err(self.refuse_line("the file ends too early".to_owned())),
            Ok(_) => Ok(line),
            Err(error) => Err(self.refuse_line(reason(&error))),
        }
    }

    fn refuse_line(&self, message: String) -> ResultsError {
        ResultsError { path: self.path.clone(), line: self.line, message }
    }
}

fn parse<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| expected_layout(&error.to_string()))
}

fn expected_layout(what: &str) -> String {
    format!("not a results.json laid out as ptc-eval writes it, a line for each scenario: {what}")
}
