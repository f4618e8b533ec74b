//! Scripted tools and the record of their calls.

use triomphe::Arc;

use crate::signature::Signature;
use ptc_lisp::session::Arguments;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// A tool that programs can call.
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
    /// The same answers for all arguments, one for each call. The last one repeats.
    Always(Vec<ToolAnswer>),
    /// The first case that matches, else `otherwise`. Without it the run ends with `tool_unscripted`.
    Cases { cases: Vec<ToolCase>, otherwise: Option<Vec<ToolAnswer>> },
    /// A PTC-Lisp function of the map of arguments.
    Program(String),
}

/// Answers for calls whose arguments hold all of `when`.
#[derive(Clone, Debug)]
pub struct ToolCase {
    pub when: Arc<Map>,
    /// One for each call. The last one repeats; never empty.
    pub answers: Vec<ToolAnswer>,
}

/// The answer to one call.
#[derive(Clone, Debug)]
pub enum ToolAnswer {
    Returns(Value),
    /// The reason of a `tool_error`.
    Fails(Value),
}

/// The record of one call (`docs/language.md` §7.5).
#[derive(Clone, Debug)]
pub struct ToolCall {
    pub name: Symbol,
    /// The arguments that the program passed.
    pub arguments: Arguments,
    /// Nil if the call failed.
    pub result: Value,
    pub error: Option<String>,
    /// Coercions of arguments; shown to no model.
    pub warnings: Vec<String>,
    /// Made while the value of a `def` was being evaluated.
    pub captured: bool,
}
