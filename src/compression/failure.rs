//! Why a strategy made no request: something that strategies of the user's own can do.

use std::fmt;
use std::sync::Arc;

use ptc_lisp::diagnostic;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::source::Source;

/// Why a strategy made no request.
#[derive(Clone, Debug)]
pub struct StrategyError {
    error: Box<Error>,
    /// The file in which it is written; none: it is not written in one.
    source: Option<Arc<Source>>,
}

impl StrategyError {
    /// For strategies in Rust.
    pub fn new(message: impl Into<String>) -> StrategyError {
        StrategyError { error: Box::new(Error::new(ErrorKind::Failed, message.into())), source: None }
    }

    /// An error that happened in a file.
    pub(super) fn in_file(error: Error, source: Arc<Source>) -> StrategyError {
        StrategyError { error: Box::new(error), source: Some(source) }
    }

    /// `last-two.clj:3:5: type_error`; where it is not written in a file, the message.
    pub fn place(&self) -> String {
        match &self.source {
            Some(source) => {
                let (line, column) = self.error.position.unwrap_or((1, 1));
                format!("{}:{line}:{column}: {}", source.name, self.error.kind)
            }
            None => self.error.message.to_string(),
        }
    }

    /// The error with the line of the file and a mark under the place, the last line ended.
    pub fn diagnostic(&self) -> String {
        match &self.source {
            Some(source) => diagnostic::render(&self.error, source),
            None => format!("error: {self}\n"),
        }
    }
}

/// `last-two.clj:3:5: type_error: the message`, the first line of it.
impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.source.is_some() {
            write!(f, "{}: ", self.place())?;
        }
        f.write_str(self.error.message.lines().next().unwrap_or_default())
    }
}

impl std::error::Error for StrategyError {}
