//! Errors of strategies and of their options.

use std::fmt;

use ecow::EcoString;

/// Error of a strategy that made no request. Only strategies of the user's own fail.
#[derive(Clone, Debug)]
pub struct StrategyError {
    message: String,
    /// The place in the file of the strategy, if it has one.
    place: Option<Box<ErrorPlace>>,
}

/// The place of an error in the file of a strategy.
#[derive(Clone, Debug)]
pub struct ErrorPlace {
    /// `last-two.clj:3:5: type_error`
    pub name: String,
    /// The error with the line of the file and a mark under the place, ending in a line break.
    pub diagnostic: String,
}

impl StrategyError {
    /// Error of a strategy without a file.
    pub fn new(message: impl Into<String>) -> StrategyError {
        StrategyError { message: message.into(), place: None }
    }

    /// Error at a place in the file of a strategy.
    pub fn at(place: ErrorPlace, message: impl Into<String>) -> StrategyError {
        StrategyError { message: message.into(), place: Some(Box::new(place)) }
    }

    /// `last-two.clj:3:5: type_error`, or the first line of the message if there is no file.
    pub fn place(&self) -> String {
        match &self.place {
            Some(place) => place.name.clone(),
            None => self.to_string(),
        }
    }

    /// The error with the line of the file and a mark under the place, ending in a line break.
    pub fn diagnostic(&self) -> String {
        match &self.place {
            Some(place) => place.diagnostic.clone(),
            None => format!("error: {}\n", self.message),
        }
    }
}

/// `last-two.clj:3:5: type_error: ` and the first line of the message.
impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{}: ", place.name)?;
        }
        f.write_str(self.message.lines().next().unwrap_or_default())
    }
}

impl std::error::Error for StrategyError {}

/// Error in the name or the options of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    #[error("unknown strategy '{name}'; expected one of: {}", known.join(", "))]
    UnknownStrategy { name: String, known: Vec<String> },
    #[error("{strategy} has no option '{option}'; expected one of: {}", known.join(", "))]
    UnknownOption { strategy: EcoString, option: EcoString, known: Vec<&'static str> },
    #[error("{option}: expected {expected}, found {found}")]
    BadValue { option: EcoString, expected: EcoString, found: String },
    /// The file of an instruction cannot be read.
    #[error("prompt: {reason}")]
    Prompt { reason: String },
}
