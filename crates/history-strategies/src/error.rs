//! Errors of strategies and of their options.

use std::fmt;

use ecow::EcoString;

/// A strategy failed to make a request. Only users' own strategies fail.
#[derive(Clone, Debug)]
pub struct StrategyError {
    message: String,
    /// The position in the strategy's file, if it has one.
    place: Option<Box<ErrorPlace>>,
}

/// The position of a [`StrategyError`] in the strategy's file.
#[derive(Clone, Debug)]
pub struct ErrorPlace {
    /// `last-two.clj:3:5: type_error`
    pub name: String,
    /// The error with its source line and a mark under the position, ending in a line break.
    pub diagnostic: String,
}

impl StrategyError {
    /// An error of a strategy without a file.
    pub fn new(message: impl Into<String>) -> StrategyError {
        StrategyError { message: message.into(), place: None }
    }

    /// An error at a position in a strategy's file.
    pub fn at(place: ErrorPlace, message: impl Into<String>) -> StrategyError {
        StrategyError { message: message.into(), place: Some(Box::new(place)) }
    }

    /// `last-two.clj:3:5: type_error`, or the first line of the message without a file.
    pub fn place(&self) -> String {
        match &self.place {
            Some(place) => place.name.clone(),
            None => self.to_string(),
        }
    }

    /// The error with its source line and a mark under the position, ending in a line break.
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

/// An invalid name or option of a strategy, from [`Variant::named`](crate::Variant::named) and [`Variant::with`](crate::Variant::with).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    #[error("unknown strategy '{name}'; expected one of: {}", known.join(", "))]
    UnknownStrategy { name: String, known: Vec<String> },
    #[error("{strategy} has no option '{option}'; expected one of: {}", known.join(", "))]
    UnknownOption { strategy: EcoString, option: EcoString, known: Vec<&'static str> },
    #[error("{option}: expected {expected}, found {found}")]
    BadValue { option: EcoString, expected: EcoString, found: String },
    /// The instruction's file cannot be read.
    #[error("prompt: {reason}")]
    Prompt { reason: String },
}
