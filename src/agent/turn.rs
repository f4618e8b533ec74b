//! Turns: one answer and its observation. A program turn was executed, a logged turn was read from a log.

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
    /// The model's answer, every byte of it.
    pub raw_response: EcoString,
    /// The program in it; empty if there is none.
    pub program: EcoString,
    /// The value of the program or what it returned; the error of a failed turn.
    pub result: Result<Value, Error>,
    /// One entry for each print, those before an error included.
    pub prints: Vec<EcoString>,
    /// In call order, those of a failed turn included.
    pub tool_calls: Vec<ToolCall>,
    /// `user/` after the turn; for a failed turn, as before it.
    pub memory: Memory,
    /// True if the turn ended without an error and without a refused return value.
    pub success: bool,
    /// Resources that the program used, for snapshots; shown to no model.
    pub usage: Usage,
}

/// The fields of a [`ProgramTurn`] that do not depend on its success.
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
    /// A successful turn, and `user/` after it.
    pub fn success(work: Work, result: Value, memory: Memory) -> ProgramTurn {
        ProgramTurn::new(work, Ok(result), memory)
    }

    /// A failed turn, and `user/` as before it.
    pub fn failure(work: Work, error: Error, memory: Memory) -> ProgramTurn {
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

    /// The text of the answer: of a program every byte of it, of a log as it is sent again.
    pub fn text(self) -> &'a EcoString {
        match self {
            Turn::Program(turn) => &turn.raw_response,
            Turn::Logged(turn) => &turn.answer.content,
        }
    }

    /// The prints of a program; the outputs of the tools of a logged turn that did not fail.
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

    /// Returns false for a program that ended with an error, and for a logged turn whose outputs are all errors.
    pub fn has_succeeded(self) -> bool {
        match self {
            Turn::Program(turn) => turn.success,
            Turn::Logged(turn) => turn.error.is_none(),
        }
    }

    /// The turn, if a program ran in it.
    pub fn program(self) -> Option<&'a ProgramTurn> {
        match self {
            Turn::Program(turn) => Some(turn),
            Turn::Logged(_) => None,
        }
    }

    /// The turn, if it is from a log.
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
