//! Reads `results.json` one scenario at a time. The caller chooses a type with the fields that it needs.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::results::{Head, Tail, VERSION};
use crate::scenario::{files, reason};

/// The name of results among reports.
pub const RESULTS: &str = "results.json";

/// A results file that is being read.
pub struct ResultsReader {
    path: PathBuf,
    lines: BufReader<File>,
    /// Number of the line that was read last, from 1.
    line: u64,
    pub head: Head,
    /// Known after the last scenario.
    tail: Option<Tail>,
}

/// A file that is not as `ptc-eval` writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultsError {
    pub path: PathBuf,
    /// From 1; 0 if the file cannot be read at all.
    pub line: u64,
    pub message: String,
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
    /// Reads the part before the scenarios.
    ///
    /// # Errors
    /// The file cannot be read, or is not one of this version.
    pub fn open(path: &Path) -> Result<ResultsReader, ResultsError> {
        let unreadable = |message: String| ResultsError { path: path.to_owned(), line: 0, message };
        let file = files::open(path).map_err(|error| unreadable(reason(&error)))?;
        let mut lines = BufReader::new(file);
        let mut first = String::new();
        lines.read_line(&mut first).map_err(|error| unreadable(reason(&error)))?;
        let refuse = |message: String| ResultsError { path: path.to_owned(), line: 1, message };
        let text = format!("{}}}", first.trim_end().trim_end_matches(','));
        let Version { version } = parse(&text).map_err(refuse)?;
        if version != u64::from(VERSION) {
            return Err(refuse(format!("expected results of version {VERSION}, found version {version}")));
        }
        let head = parse(&text).map_err(refuse)?;
        let mut reader = ResultsReader { path: path.to_owned(), lines, line: 1, head, tail: None };
        match reader.read_line()?.trim_end() {
            "\"scenarios\":[" => Ok(reader),
            _ => Err(reader.refuse(layout("\"scenarios\":["))),
        }
    }

    /// Reads the next scenario; none after the last.
    ///
    /// # Errors
    /// The file cannot be read, or is not as it was written.
    pub fn scenario<T: DeserializeOwned>(&mut self) -> Result<Option<T>, ResultsError> {
        if self.tail.is_some() {
            return Ok(None);
        }
        let mut line = self.read_line()?;
        // A file without scenarios has an empty line.
        if line.trim_end().is_empty() {
            line = self.read_line()?;
        }
        let line = line.trim_end();
        if let Some(rest) = line.strip_prefix("],") {
            self.tail = Some(parse(&format!("{{{rest}")).map_err(|message| self.refuse(message))?);
            return Ok(None);
        }
        let scenario = line.strip_suffix(',').unwrap_or(line);
        parse(scenario).map(Some).map_err(|message| self.refuse(message))
    }

    /// Reads the part after the scenarios; scenarios that were not read are skipped.
    ///
    /// # Errors
    /// The file cannot be read, or is not as it was written.
    pub fn finish(mut self) -> Result<Tail, ResultsError> {
        while self.scenario::<serde::de::IgnoredAny>()?.is_some() {}
        let missing = self.refuse(layout("what follows the scenarios"));
        self.tail.ok_or(missing)
    }

    fn read_line(&mut self) -> Result<String, ResultsError> {
        let mut line = String::new();
        self.line += 1;
        match self.lines.read_line(&mut line) {
            Ok(0) => Err(self.refuse("the file ends too early".to_owned())),
            Ok(_) => Ok(line),
            Err(error) => Err(self.refuse(reason(&error))),
        }
    }

    fn refuse(&self, message: String) -> ResultsError {
        ResultsError { path: self.path.clone(), line: self.line, message }
    }
}

fn parse<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| layout(&error.to_string()))
}

fn layout(what: &str) -> String {
    format!("not a results.json laid out as ptc-eval writes it, a line for each scenario: {what}")
}
