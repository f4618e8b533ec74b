//! Reasons why a log gives no transcript.

use std::fmt;
use std::io;

use super::notes::Notes;

/// Error of a log from which no transcript can be read.
#[derive(Debug)]
pub enum ReadError {
    Io(io::Error),
    /// The file is in no known format, but looks like this.
    UnknownFormat(String),
    /// Everything in the log is wrong, for these reasons.
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
                f.write_str(&notes.nothing())?;
                notes.lines().try_for_each(|line| write!(f, "\n  {line}"))
            }
        }
    }
}

impl std::error::Error for ReadError {}
