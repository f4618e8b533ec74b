//! The evaluated tree: names have become slots, captures, builtins or entries of `user/`.

use std::sync;
use std::sync::atomic::{AtomicU32, Ordering};

use ecow::EcoString;
use triomphe::Arc;

use super::builtin::Builtin;
use super::exception::{Class, Classes};
use super::source::{Source, Span};
use super::symbol::Symbol;
use super::table::Table;
use super::value::Value;

/// A place in the frame of a function or program.
pub type Slot = u32;

/// A resolved form.
pub enum Expr {
    /// An integer stands here itself: tight loops need not look behind a pointer. Nothing else that is
    /// larger than a slot does, so that the kind of a form is a plain number.
    Int(i64),
    Const(Box<Value>),
    Local(Slot),
    /// A local that nothing reads afterwards: it is moved out, so that its value can change in place.
    Last(Slot),
    Captured(u32),
    /// A free name, looked up each time (`docs/language.md` §6.2).
    Global(Box<Global>),
    /// `user/name`
    User(Box<Global>),
    /// `tool/name`
    Tool(Symbol, Span),
    /// `data/name`
    Data(Symbol, Span),
    /// `*1 *2 *3`, from 0.
    History(u8),
    If(Box<[Expr; 3]>),
    /// Several tests in a row. As tests inside each other they would nest as deep as there are clauses.
    Cond(Box<Cond>),
    And(Box<[Expr]>),
    Or(Box<[Expr]>),
    Do(Box<[Expr]>),
    Let(Box<Let>),
    Loop(Box<Loop>),
    Recur(Box<Recur>),
    Fn(Box<MakeFn>),
    LetFn(Box<LetFn>),
    Vector(Box<[Expr]>),
    /// Keys and values in turn.
    Map(Box<[Expr]>),
    Set(Box<[Expr]>),
    Call(Box<Call>),
    Builtin(Box<BuiltinCall>),
    /// A builtin of integers with a fast path.
    Binary(Box<Binary>),
    Def(Box<Def>),
    Case(Box<Case>),
    Iterate(Box<Iterate>),
    Repeat(Box<Repeat>),
    While(Box<While>),
    Try(Box<Try>),
    /// Leaves the program or the form: `return`, `fail`, `throw`, a failed `assert`.
    Leave(Box<Leave>),
}

/// A free name.
pub struct Global {
    pub name: Symbol,
    pub span: Span,
    /// Names of the locals in scope, kept only where the name means nothing yet, for the hint.
    pub locals: Box<[Symbol]>,
    /// Index in memory where the name was found last; checked before it is used.
    place: AtomicU32,
}

/// `(cond test value …)`: the value of the first true test, else `otherwise`.
pub struct Cond {
    pub clauses: Box<[(Expr, Expr)]>,
    pub otherwise: Expr,
}

/// `(let [pattern value …] body)`
pub struct Let {
    pub bindings: Box<[Binding]>,
    pub body: Expr,
}

/// A pattern and its value.
pub struct Binding {
    pub pattern: Pattern,
    pub value: Expr,
    pub span: Span,
}

impl Binding {
    pub fn slot(slot: Slot, value: Expr, span: Span) -> Binding {
        Binding { pattern: Pattern::Slot(slot), value, span }
    }
}

/// A destructuring pattern (`docs/language.md` §3.1).
pub enum Pattern {
    Slot(Slot),
    Sequence(Box<SequencePattern>),
    Map(Box<MapPattern>),
}

pub struct SequencePattern {
    pub items: Box<[Pattern]>,
    pub rest: Option<Pattern>,
    pub whole: Option<Slot>,
}

pub struct MapPattern {
    /// In binding order.
    pub entries: Box<[MapEntry]>,
    pub whole: Option<Slot>,
}

pub struct MapEntry {
    pub pattern: Pattern,
    pub key: Expr,
    /// Evaluated only when the key is missing.
    pub default: Option<Expr>,
}

/// `(loop [pattern value …] body)`: values go to consecutive slots, patterns are bound from there.
pub struct Loop {
    pub first: Slot,
    pub values: Box<[Expr]>,
    pub patterns: Box<[Parameter]>,
    pub body: Expr,
    pub span: Span,
    /// Ticks of a round.
    pub weight: usize,
}

/// A pattern for the value of a slot.
pub struct Parameter {
    pub slot: Slot,
    pub pattern: Pattern,
    pub span: Span,
}

/// `(recur value …)`
pub struct Recur {
    pub first: Slot,
    pub values: Box<[Expr]>,
}

/// Origin of a captured value.
pub enum Capture {
    Local(Slot),
    Last(Slot),
    Captured(u32),
}

/// Makes a closure.
pub struct MakeFn {
    pub group: Arc<Group>,
    pub captures: Box<[Capture]>,
}

/// Makes closures with references to each other.
pub struct LetFn {
    pub group: Arc<Group>,
    pub captures: Box<[Capture]>,
    /// One a member.
    pub slots: Box<[Slot]>,
    pub body: Expr,
}

pub struct Call {
    pub callee: Expr,
    pub arguments: Box<[Expr]>,
    /// The builtin hidden here by a local of its name.
    pub hidden: Option<&'static str>,
    /// In tail position of a function.
    pub tail: bool,
    pub span: Span,
}

pub struct BuiltinCall {
    pub builtin: &'static Builtin,
    pub arguments: Box<[Expr]>,
    pub span: Span,
}

/// A call of a builtin whose arguments are mostly two integers.
pub struct Binary {
    pub operation: Operation,
    pub operands: [Expr; 2],
    pub builtin: &'static Builtin,
    /// Number of operands passed to the builtin as arguments.
    pub arguments: usize,
    pub span: Span,
}

/// Operation on two integers.
#[derive(Clone, Copy)]
pub enum Operation {
    Add,
    Subtract,
    Multiply,
    Quotient,
    Remainder,
    Modulo,
    Less,
    Greater,
    AtMost,
    AtLeast,
    Equal,
    Different,
}

pub struct Def {
    pub name: Symbol,
    /// Without semicolons, on one line.
    pub docstring: Option<EcoString>,
    /// `None` for `(def name)`: it defines nothing.
    pub value: Option<Expr>,
    /// `defonce`: nothing happens where the name is bound.
    pub once: bool,
}

pub struct Case {
    pub subject: Expr,
    /// The branch of each constant.
    pub constants: Table<usize>,
    pub branches: Box<[Expr]>,
    pub default: Expr,
}

/// `for` and `doseq`.
pub struct Iterate {
    pub clauses: Box<[Clause]>,
    pub body: Expr,
    /// `for` collects what its body gives.
    pub collects: bool,
    /// Ticks of a round in addition to those of the element.
    pub extra: usize,
}

pub enum Clause {
    Each(Binding),
    Let(Box<[Binding]>),
    When(Expr),
    While(Expr),
}

/// `(dotimes [i n] body)`
pub struct Repeat {
    pub slot: Slot,
    pub count: Expr,
    pub body: Expr,
    pub span: Span,
    /// Ticks of a round.
    pub weight: usize,
}

/// `(while test body)`
pub struct While {
    pub test: Expr,
    pub body: Expr,
    pub span: Span,
    /// Ticks of a round.
    pub weight: usize,
}

pub struct Try {
    pub body: Expr,
    pub catches: Box<[Catch]>,
    /// Their classes.
    pub handled: Classes,
    pub finally: Option<Expr>,
}

/// `(catch Class name body)`
pub struct Catch {
    /// None if no error has it.
    pub class: Option<Class>,
    pub slot: Slot,
    pub body: Expr,
}

pub struct Leave {
    pub way: Way,
    /// The class in a form such as `(throw (Class. …))`.
    pub class: Option<Class>,
    pub value: Expr,
    pub span: Span,
}

pub enum Way {
    Return,
    Fail,
    Throw,
    /// The message is the value, a string.
    FailedAssertion,
}

/// Functions defined together. They can call each other.
pub struct Group {
    pub members: Vec<Lambda>,
    pub source: sync::Arc<Source>,
}

/// The code of a function.
pub struct Lambda {
    pub name: Option<Symbol>,
    /// The parameter lists as they were written, each in its brackets.
    pub parameters: Vec<EcoString>,
    /// By number of parameters, the variadic one last.
    pub arities: Box<[FnArity]>,
}

/// One parameter list and its body.
pub struct FnArity {
    pub required: u32,
    pub variadic: bool,
    /// Ticks of a call, and of a round of `recur`.
    pub weight: usize,
    /// Slots of a call: parameters first.
    pub frame: u32,
    /// Members of the group named in the body, and their places there.
    pub siblings: Box<[(u32, Slot)]>,
    pub patterns: Box<[Parameter]>,
    pub body: Expr,
}

/// A whole program.
pub struct Program {
    pub source: sync::Arc<Source>,
    pub frame: u32,
    pub body: Expr,
}

impl Expr {
    pub fn constant(value: Value) -> Expr {
        match value {
            Value::Int(integer) => Expr::Int(integer),
            other => Expr::Const(Box::new(other)),
        }
    }

    /// `(if test then otherwise)`
    pub fn choose(test: Expr, then: Expr, otherwise: Expr) -> Expr {
        Expr::If(Box::new([test, then, otherwise]))
    }

    /// `(let [bindings] body)`
    pub fn bound(bindings: impl Into<Box<[Binding]>>, body: Expr) -> Expr {
        Expr::Let(Box::new(Let { bindings: bindings.into(), body }))
    }

    pub fn as_constant(&self) -> Option<Value> {
        match self {
            Expr::Int(integer) => Some(Value::Int(*integer)),
            Expr::Const(value) => Some((**value).clone()),
            _ => None,
        }
    }
}

impl Global {
    pub fn new(name: Symbol, span: Span, locals: Box<[Symbol]>) -> Global {
        Global { name, span, locals, place: AtomicU32::new(u32::MAX) }
    }

    pub fn place(&self) -> usize {
        self.place.load(Ordering::Relaxed) as usize
    }

    pub fn remember(&self, place: u32) {
        self.place.store(place, Ordering::Relaxed);
    }
}

impl FnArity {
    pub fn admits(&self, count: usize) -> bool {
        count == self.required as usize || self.variadic && count > self.required as usize
    }
}

impl Lambda {
    /// `[x y]`, or `[[a] [a b]]` where there are several arities.
    pub fn parameters_in_brackets(&self) -> EcoString {
        match self.parameters.as_slice() {
            [single] => single.clone(),
            several => ecow::eco_format!("[{}]", several.join(" ")),
        }
    }

    /// The arities as messages say them: `2`, `1 or 2`, `1+`.
    pub fn arity_text(&self) -> String {
        let counts: Vec<String> = self
            .arities
            .iter()
            .map(|arity| format!("{}{}", arity.required, if arity.variadic { "+" } else { "" }))
            .collect();
        match counts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::from("0"),
        }
    }
}
