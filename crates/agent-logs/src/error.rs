//! Reasons why a log has no transcript.

use std::fmt;
use std::io;

use super::notes::Notes;

/// The error of a log without a readable transcript.
#[derive(Debug)]
pub enum ReadError {
    Io(io::Error),
    /// Unknown format. Contains a description of the file.
    UnknownFormat(String),
    /// No conversation could be read. The notes contain the reasons.
    Nothing(Box<Notes>),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => error.fmt(f),
            ReadError::UnknownFormat(found) => write!(
                f,
                "expected {{\"messages\": [{{\"role\", \"content\"}}]}} or another format of ptc-eval list formats, found {found}",
            ),
            ReadError::Nothing(notes) => {
                f.write_str(&notes.describe_nothing_read())?;
                notes.lines().try_for_each(|line| write!(f, "\n  {line}"))
            }
        }
    }
}

impl std::error::Error for ReadError {}
