//! Scripted tools and the record of their calls.

use triomphe::Arc;

use crate::signature::Signature;
use ptc_lisp::session::Arguments;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// A tool for programs to call.
#[derive(Clone, Debug)]
pub struct Tool {
    pub name: Symbol,
    pub signature: Option<Signature>,
    /// One line.
    pub description: Option<String>,
    pub behaviour: Behaviour,
}

/// The script of a tool.
#[derive(Clone, Debug)]
pub enum Behaviour {
    /// Answers independent of the arguments, one per call. The last one repeats.
    Always(Vec<ToolAnswer>),
    /// The first matching case, else `otherwise`. Without either the run ends with `tool_unscripted`.
    Cases { cases: Vec<ToolCase>, otherwise: Option<Vec<ToolAnswer>> },
    /// A PTC-Lisp function of the map of arguments.
    Program(String),
}

/// Answers for calls with all arguments in `when`.
#[derive(Clone, Debug)]
pub struct ToolCase {
    pub when: Arc<Map>,
    /// One per call. The last one repeats; never empty.
    pub answers: Vec<ToolAnswer>,
}

/// The answer to one call.
#[derive(Clone, Debug)]
pub enum ToolAnswer {
    Returns(Value),
    /// The reason in the `tool_error`.
    Fails(Value),
}

/// The record of one call (`docs/language.md` §7.5).
#[derive(Clone, Debug)]
pub struct ToolCall {
    pub name: Symbol,
    /// The arguments as passed by the program.
    pub arguments: Arguments,
    /// Nil if the call failed.
    pub result: Value,
    pub error: Option<String>,
    /// Coercions of arguments; never shown to a model.
    pub warnings: Vec<String>,
    /// Made while the value of a `def` was being evaluated.
    pub captured: bool,
}
