//! One cycle of request, response, program and execution: an immutable record.

use ecow::EcoString;

use super::tool::ToolCall;
use crate::lisp::error::Error;
use crate::lisp::limits::Usage;
use crate::lisp::memory::Memory;
use crate::lisp::value::Value;

/// What happened in one turn (ARC-001).
#[derive(Clone)]
pub struct Turn {
    /// From 1.
    pub number: u32,
    /// The model's answer, every byte of it (ARC-010, BRK-008).
    pub raw_response: EcoString,
    /// The code found in it; empty where there was none.
    pub program: EcoString,
    /// The value of the program or what it returned; the error of a failed turn.
    pub result: Result<Value, Error>,
    /// One entry per print, those before an error included.
    pub prints: Vec<EcoString>,
    /// In call order, those of a failed turn included.
    pub tool_calls: Vec<ToolCall>,
    /// `user/` after the turn; of a failed turn, as it was before.
    pub memory: Memory,
    /// Whether it ended without an error and without a return value that was refused.
    pub success: bool,
    /// What the program spent; kept for snapshots, shown to no model.
    pub usage: Usage,
}
