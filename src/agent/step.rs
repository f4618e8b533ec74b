//! The outcome of a run.

use super::transcript::Transcript;
use crate::lisp::error::Error;
use crate::lisp::value::Value;

/// How a run ended and all that led there (ARC-007, BRK-002).
#[derive(Clone)]
pub struct Step {
    pub ending: Ending,
    pub turns: Transcript,
}

/// The three ways a run ends.
#[derive(Clone, Debug)]
pub enum Ending {
    /// `(return v)`, or the plain value of a single shot.
    Return(Value),
    /// `(fail v)`
    Fail(Value),
    /// An error of the loop, such as `max_turns_exceeded`.
    Error(Error),
}
