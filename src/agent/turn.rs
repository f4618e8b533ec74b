//! Turns: an answer and its observation. A program turn was executed, a logged turn comes from a log.

use ecow::EcoString;

use super::tool::ToolCall;
use conversation::{Call as LoggedCall, Turn as LoggedTurn};
use ptc_lisp::error::Error;
use ptc_lisp::limits::Usage;
use ptc_lisp::memory::Memory;
use ptc_lisp::value::Value;

/// The immutable record of an executed turn.
#[derive(Clone, Debug)]
pub struct ProgramTurn {
    /// From 1.
    pub number: u32,
    /// The model's answer, unchanged.
    pub raw_response: EcoString,
    /// The program in the answer; empty if there is none.
    pub program: EcoString,
    /// The value of the program, or its returned value, or the error of a failed turn.
    pub result: Result<Value, Error>,
    /// One entry per print, including prints before an error.
    pub prints: Vec<EcoString>,
    /// In call order, including the calls of a failed turn.
    pub tool_calls: Vec<ToolCall>,
    /// The definitions in `user/` after the turn. A failed turn does not change them.
    pub memory: Memory,
    /// True if the program ended without an error, and any returned value was accepted.
    pub success: bool,
    /// Resources used by the program, for snapshots; never shown to a model.
    pub usage: Usage,
}

/// The fields of a [`ProgramTurn`] that are independent of its success.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pub number: u32,
    pub raw_response: EcoString,
    pub program: EcoString,
    pub prints: Vec<EcoString>,
    pub tool_calls: Vec<ToolCall>,
    pub usage: Usage,
}

impl ProgramTurn {
    /// A successful turn with its value, and `user/` after it.
    pub fn of_success(work: Work, result: Value, memory: Memory) -> ProgramTurn {
        ProgramTurn::new(work, Ok(result), memory)
    }

    /// A failed turn with its error, and the unchanged `user/`.
    pub fn of_failure(work: Work, error: Error, memory: Memory) -> ProgramTurn {
        ProgramTurn::new(work, Err(error), memory)
    }

    fn new(work: Work, result: Result<Value, Error>, memory: Memory) -> ProgramTurn {
        ProgramTurn {
            number: work.number,
            raw_response: work.raw_response,
            program: work.program,
            success: result.is_ok(),
            result,
            prints: work.prints,
            tool_calls: work.tool_calls,
            memory,
            usage: work.usage,
        }
    }
}

/// A turn of a conversation of either kind.
#[derive(Clone, Copy, Debug)]
pub enum Turn<'a> {
    Program(&'a ProgramTurn),
    Logged(&'a LoggedTurn),
}

impl<'a> Turn<'a> {
    /// From 1.
    pub fn number(self) -> u32 {
        match self {
            Turn::Program(turn) => turn.number,
            Turn::Logged(turn) => turn.number,
        }
    }

    /// The text of the answer: unchanged for a program, in its request form for a log.
    pub fn text(self) -> &'a EcoString {
        match self {
            Turn::Program(turn) => &turn.raw_response,
            Turn::Logged(turn) => &turn.answer.content,
        }
    }

    /// The prints of a program. For a logged turn, its tool outputs unless it failed.
    pub fn prints(self) -> &'a [EcoString] {
        match self {
            Turn::Program(turn) => &turn.prints,
            Turn::Logged(turn) => &turn.outputs,
        }
    }

    /// In call order.
    pub fn calls(self) -> impl DoubleEndedIterator<Item = Call<'a>> + use<'a> {
        let (program, logged) = match self {
            Turn::Program(turn) => (turn.tool_calls.as_slice(), &[][..]),
            Turn::Logged(turn) => (&[][..], turn.calls.as_slice()),
        };
        program.iter().map(Call::Program).chain(logged.iter().map(Call::Logged))
    }

    pub fn call_count(self) -> usize {
        match self {
            Turn::Program(turn) => turn.tool_calls.len(),
            Turn::Logged(turn) => turn.calls.len(),
        }
    }

    /// Returns false if the program ended with an error, or if all outputs of a logged turn are errors.
    pub fn has_succeeded(self) -> bool {
        match self {
            Turn::Program(turn) => turn.success,
            Turn::Logged(turn) => turn.error.is_none(),
        }
    }

    /// The program turn. `None` for a logged turn.
    pub fn program(self) -> Option<&'a ProgramTurn> {
        match self {
            Turn::Program(turn) => Some(turn),
            Turn::Logged(_) => None,
        }
    }

    /// The logged turn. `None` for a program turn.
    pub fn logged(self) -> Option<&'a LoggedTurn> {
        match self {
            Turn::Program(_) => None,
            Turn::Logged(turn) => Some(turn),
        }
    }
}

/// A call of a tool in a turn of either kind.
#[derive(Clone, Copy, Debug)]
pub enum Call<'a> {
    Program(&'a ToolCall),
    Logged(&'a LoggedCall),
}

impl<'a> Call<'a> {
    pub fn name(self) -> &'a str {
        match self {
            Call::Program(call) => call.name.name(),
            Call::Logged(call) => &call.name,
        }
    }
}
