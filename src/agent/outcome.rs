//! The outcome of a run.

use super::turn::ProgramTurn;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::print::pr_str;
use ptc_lisp::value::Value;

/// The outcome of a run: its ending and its turns.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    pub ending: Ending,
    /// Oldest first.
    pub turns: Vec<ProgramTurn>,
}

/// The ending and the turns of a run, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct FinishedRun<'a> {
    pub ending: &'a Ending,
    /// Oldest first.
    pub turns: &'a [ProgramTurn],
}

impl RunOutcome {
    pub fn borrowed(&self) -> FinishedRun<'_> {
        FinishedRun { ending: &self.ending, turns: &self.turns }
    }
}

/// The ending of a run.
#[derive(Clone, Debug)]
pub enum Ending {
    /// `(return v)`, or the plain value of a single shot.
    Return(Value),
    /// `(fail v)`
    Fail(Value),
    /// An error of the loop, such as `max_turns_exceeded`.
    Error(Error),
}

impl Ending {
    /// The error of a run without a return value. The message of `(fail v)` is `v` as printed by `pr-str`.
    pub fn error(&self) -> Option<Error> {
        match self {
            Ending::Return(_) => None,
            Ending::Fail(reason) => Some(Error::new(ErrorKind::Failed, pr_str(reason))),
            Ending::Error(error) => Some(error.clone()),
        }
    }
}
