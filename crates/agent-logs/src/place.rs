//! Places in a log.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place in a log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct LogPlace {
    /// 0 if unknown.
    pub line: usize,
    /// JSON path within the value starting in this line, such as `messages[3]`; empty for the value itself.
    pub path: String,
}

impl LogPlace {
    /// The value starting in a line.
    pub(super) fn at(line: usize) -> LogPlace {
        LogPlace { line, path: String::new() }
    }

    /// A field of the value.
    pub(super) fn key(&self, key: &str) -> LogPlace {
        let dot = if self.path.is_empty() || key.is_empty() { "" } else { "." };
        LogPlace { line: self.line, path: format!("{}{dot}{key}", self.path) }
    }

    /// An element of the list in a field, or of the value itself.
    pub(super) fn item(&self, key: &str, index: usize) -> LogPlace {
        let mut place = self.key(key);
        place.path.push_str(&format!("[{index}]"));
        place
    }
}

impl fmt::Display for LogPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.path.is_empty() { Ok(()) } else { write!(f, ": {}", self.path) }
    }
}
