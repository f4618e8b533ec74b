//! Turns: one answer and its observation.

use std::sync::Arc;

use ecow::EcoString;

use super::recorded::RecordedTurn;
use super::tool::ToolCall;
use ptc_lisp::error::Error;
use ptc_lisp::limits::Usage;
use ptc_lisp::memory::Memory;
use ptc_lisp::value::Value;

/// The immutable record of one turn.
#[derive(Clone, Debug)]
pub struct Turn {
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
    /// The messages of a turn that was recorded, not executed.
    pub recorded: Option<Arc<RecordedTurn>>,
}

/// The fields of a [`Turn`] that do not depend on its success.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pub number: u32,
    pub raw_response: EcoString,
    pub program: EcoString,
    pub prints: Vec<EcoString>,
    pub tool_calls: Vec<ToolCall>,
    pub usage: Usage,
    pub recorded: Option<Arc<RecordedTurn>>,
}

impl Turn {
    /// A successful turn, and `user/` after it.
    pub fn success(work: Work, result: Value, memory: Memory) -> Turn {
        Turn::new(work, Ok(result), memory)
    }

    /// A failed turn, and `user/` as before it.
    pub fn failure(work: Work, error: Error, memory: Memory) -> Turn {
        Turn::new(work, Err(error), memory)
    }

    fn new(work: Work, result: Result<Value, Error>, memory: Memory) -> Turn {
        Turn {
            number: work.number,
            raw_response: work.raw_response,
            program: work.program,
            success: result.is_ok(),
            result,
            prints: work.prints,
            tool_calls: work.tool_calls,
            memory,
            usage: work.usage,
            recorded: work.recorded,
        }
    }
}
