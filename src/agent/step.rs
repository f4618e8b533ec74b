//! The outcome of a run.

use ecow::EcoString;

use super::transcript::Transcript;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::limits::MAX_STRING;
use ptc_lisp::print::{Printer, Style};
use ptc_lisp::value::Value;

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

/// How many elements of a failure are printed at most.
const PRINTED_ELEMENTS: u64 = 1_000_000;

impl Ending {
    /// The error record of a run that did not return; what was given to `fail` as `pr-str` prints it.
    pub fn error(&self) -> Option<Error> {
        match self {
            Ending::Return(_) => None,
            Ending::Fail(reason) => Some(Error::new(ErrorKind::Failed, printed(reason))),
            Ending::Error(error) => Some(error.clone()),
        }
    }
}

fn printed(reason: &Value) -> EcoString {
    let mut printer = Printer::limited(Style::Readable, PRINTED_ELEMENTS, MAX_STRING);
    printer.write(reason);
    printer.finish().0
}
