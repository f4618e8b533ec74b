//! Errors of strategies and of their options.

use std::fmt;
use std::sync::Arc;

use ecow::EcoString;

use ptc_lisp::diagnostic;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::hint::suggestion;
use ptc_lisp::source::Source;

/// Error of a strategy that made no request. Only strategies of the user's own fail.
#[derive(Clone, Debug)]
pub struct StrategyError {
    error: Box<Error>,
    /// The file of a strategy in PTC-Lisp.
    source: Option<Arc<Source>>,
}

impl StrategyError {
    /// Error of a strategy in Rust.
    pub fn new(message: impl Into<String>) -> StrategyError {
        StrategyError { error: Box::new(Error::new(ErrorKind::Failed, message.into())), source: None }
    }

    pub(super) fn in_file(error: Error, source: Arc<Source>) -> StrategyError {
        StrategyError { error: Box::new(error), source: Some(source) }
    }

    /// `last-two.clj:3:5: type_error`, or the first line of the message if there is no file.
    pub fn place(&self) -> String {
        match &self.source {
            Some(source) => {
                let (line, column) = self.error.position.unwrap_or((1, 1));
                format!("{}:{line}:{column}: {}", source.name, self.error.kind)
            }
            None => self.to_string(),
        }
    }

    /// The error with the line of the file and a mark under the place, ending in a line break.
    pub fn diagnostic(&self) -> String {
        match &self.source {
            Some(source) => diagnostic::render(&self.error, source),
            None => format!("error: {}\n", self.error.message),
        }
    }
}

/// `last-two.clj:3:5: type_error: ` and the first line of the message.
impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.source.is_some() {
            write!(f, "{}: ", self.place())?;
        }
        f.write_str(self.error.message.lines().next().unwrap_or_default())
    }
}

impl std::error::Error for StrategyError {}

/// Error in the name or the options of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    #[error("unknown strategy '{name}'; {}", suggestion(name, known))]
    UnknownStrategy { name: String, known: Vec<String> },
    #[error("{strategy} has no option '{option}'; {}", suggestion(option, known))]
    UnknownOption { strategy: EcoString, option: EcoString, known: Vec<&'static str> },
    #[error("{option}: expected {expected}, found {found}")]
    BadValue { option: EcoString, expected: EcoString, found: String },
    /// The file of an instruction cannot be read.
    #[error("prompt: {reason}")]
    Prompt { reason: String },
}
