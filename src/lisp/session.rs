//! A sequence of programs that share `user/` and `*1 *2 *3`: what an agent's turns run in. It does not
//! know turns' results are validated: the caller commits or rolls back.

use std::sync::Arc;

use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::error::{Error, Eval};
use super::eval::Interpreter;
use super::limits::{Limits, Usage};
use super::memory::Memory;
use super::symbol::Symbol;
use super::table::Map;
use super::value::Value;

/// Named values, in a fixed order.
pub type Bindings = IndexMap<Symbol, Value, FxBuildHasher>;

/// What programs find around them.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Names of the registered tools, sorted.
    pub tools: Vec<Symbol>,
    /// `data/`, sorted by name.
    pub data: Arc<Bindings>,
    /// The clock, in milliseconds since 1970; it does not advance.
    pub now: i64,
}

/// How a program passed arguments to a tool (`ptc-lisp.md` §7.1).
#[derive(Clone, Debug)]
pub enum Arguments {
    Named(Arc<Map>),
    Positional(Vec<Value>),
}

/// A call of a tool, before anybody looked at it.
#[derive(Clone, Debug)]
pub struct ToolRequest {
    pub name: Symbol,
    pub arguments: Arguments,
    /// Made while the value of a `def` was being evaluated.
    pub captured: bool,
}

/// Who answers tool calls. It records them too; the interpreter keeps no record.
pub trait Host {
    /// The result of the call, or the error that ends the program. While it runs, the interpreter has no
    /// tools and captures no prints, so that a tool written in PTC-Lisp can be called through it.
    fn call_tool(&mut self, interpreter: &mut Interpreter<'_>, request: ToolRequest) -> Eval<Value>;
}

/// How a program ended.
#[derive(Clone, Debug)]
pub enum Ended {
    /// It ran to its end with this value.
    Value(Value),
    Return(Value),
    Fail(Value),
    Error(Error),
}

/// What one program did (`ptc-lisp.md` §10).
#[derive(Clone, Debug)]
pub struct Outcome {
    pub ended: Ended,
    /// One entry per print (TRN-008).
    pub prints: Vec<EcoString>,
    pub usage: Usage,
}

/// The state that programs leave behind.
pub struct Session {
    environment: Environment,
    limits: Limits,
    memory: Memory,
}

impl Session {
    pub fn new(environment: Environment, limits: Limits) -> Session {
        Session { environment, limits, memory: Memory::default() }
    }

    /// `user/` after the last committed program.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Reads, analyses and runs one program, the one of this turn (from 1). Its definitions are pending
    /// until [`Session::commit`] or [`Session::roll_back`] is called.
    pub fn run(&mut self, _name: &str, _program: &str, _turn: u32, _host: &mut dyn Host) -> Outcome {
        let _ = (&self.environment, self.limits);
        Outcome { ended: Ended::Value(Value::Nil), prints: Vec::new(), usage: Usage::default() }
    }

    /// Keeps what the last program defined. A value shifts `*1 *2 *3`, see `ptc-lisp.md` §6.5.
    pub fn commit(&mut self, _value: Option<Value>) {}

    /// Forgets what the last program defined.
    pub fn roll_back(&mut self) {}
}
