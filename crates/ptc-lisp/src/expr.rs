//! The tree that is evaluated: names have become slots, captures, builtins or entries of `user/`.

use std::sync;
use std::sync::atomic::{AtomicU32, Ordering};

use ecow::EcoString;
use triomphe::Arc;

use super::builtins::Builtin;
use super::exception::{Class, Classes};
use super::record::Keys;
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
    Record(Box<Record>),
    Set(Box<[Expr]>),
    Call(Box<Call>),
    Builtin(Box<BuiltinCall>),
    Read(Box<Read>),
    /// Builtins of two arguments that are short for integers.
    Arithmetic(Box<Binary<Arithmetic>>),
    Comparison(Box<Binary<Comparison>>),
    /// `inc` and `dec`, which are short for integers too.
    Step(Box<Step>),
    /// `(:key collection)`
    Lookup(Box<Lookup>),
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
    /// Where in memory the name was found last; checked before it is believed.
    place: AtomicU32,
}

/// `(cond test value …)` and its kin: the value of the first test that holds, else `otherwise`.
pub struct Cond {
    pub clauses: Box<[(Expr, Expr)]>,
    pub otherwise: Expr,
}

/// A map of few constant keys: all maps that it makes have them together.
pub struct Record {
    pub keys: Arc<Keys>,
    pub values: Box<[Expr]>,
}

/// `(let [pattern value …] body)`
pub struct Let {
    pub bindings: Box<[Binding]>,
    pub body: Expr,
}

/// A pattern and what it takes apart.
pub struct Binding {
    pub pattern: Pattern,
    pub value: Expr,
    pub span: Span,
}

/// What is bound by a destructuring form (`docs/language.md` §3.1).
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
    /// In the order in which they are bound.
    pub entries: Box<[MapEntry]>,
    pub whole: Option<Slot>,
}

pub struct MapEntry {
    pub pattern: Pattern,
    pub key: Value,
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

/// A pattern that takes apart what already lies in a slot.
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

/// Where a captured value comes from.
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

/// Makes closures that know each other.
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
    /// The builtin that cannot be called here, since a local has its name.
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

/// A call of a builtin that only looks at its first argument, which is a local or a constant.
pub struct Read {
    pub query: Query,
    pub call: BuiltinCall,
}

/// What is looked for in the first argument.
#[derive(Clone, Copy)]
pub enum Query {
    Contains,
    Count,
    First,
    Get,
    IsEmpty,
    IsNil,
    IsSome,
    Nth,
    Second,
}

pub struct Binary<Operation> {
    pub operation: Operation,
    pub builtin: &'static Builtin,
    pub left: Expr,
    pub right: Expr,
    /// Both operands are locals or constants.
    pub is_short: bool,
    pub span: Span,
}

/// An integer one up or down.
pub struct Step {
    pub by: i64,
    pub builtin: &'static Builtin,
    pub operand: Expr,
    pub span: Span,
}

/// What is computed of two integers.
#[derive(Clone, Copy)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Quotient,
    Remainder,
    Modulo,
}

/// What holds of two integers: a bit for each order that is accepted.
#[derive(Clone, Copy)]
pub struct Comparison(u8);

pub struct Lookup {
    pub key: Value,
    pub collection: Expr,
    pub default: Option<Expr>,
    pub span: Span,
}

pub struct Def {
    pub name: Symbol,
    /// Without semicolons, on one line (DEF-007).
    pub docstring: Option<EcoString>,
    /// None: `(def name)`, which defines nothing.
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
    /// Ticks that a round costs beside those of the element.
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
    /// Ticks of a round.
    pub weight: usize,
}

pub struct Try {
    pub body: Expr,
    pub catches: Box<[Catch]>,
    /// The classes that they name.
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
    /// The class that is thrown, where the form says it: `(throw (Class. …))`.
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

/// Functions that were defined together and can call each other.
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
    /// Members of the group that the body names, and where it expects them.
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

    /// A local or a constant.
    pub fn is_leaf(&self) -> bool {
        matches!(self, Expr::Int(_) | Expr::Const(_) | Expr::Local(_) | Expr::Last(_))
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

impl Arithmetic {
    /// What a builtin computes of two integers, if it is short for that.
    pub fn of(builtin: &Builtin) -> Option<Arithmetic> {
        Some(match builtin.name {
            "+" => Arithmetic::Add,
            "-" => Arithmetic::Subtract,
            "*" => Arithmetic::Multiply,
            "quot" => Arithmetic::Quotient,
            "rem" => Arithmetic::Remainder,
            "mod" => Arithmetic::Modulo,
            _ => return None,
        })
    }

    /// The result; none where the builtin has to decide.
    #[inline(always)]
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Arithmetic::Add => a.checked_add(b),
            Arithmetic::Subtract => a.checked_sub(b),
            Arithmetic::Multiply => a.checked_mul(b),
            Arithmetic::Quotient => a.checked_div(b),
            Arithmetic::Remainder => a.checked_rem(b),
            Arithmetic::Modulo => {
                let remainder = a.checked_rem(b)?;
                Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
            }
        }
    }
}

impl Query {
    /// What a builtin looks for when it is called with that many arguments.
    pub fn of(builtin: &Builtin, arguments: usize) -> Option<Query> {
        Some(match (builtin.name, arguments) {
            ("contains?", 2) => Query::Contains,
            ("count", 1) => Query::Count,
            ("empty?", 1) => Query::IsEmpty,
            ("first", 1) => Query::First,
            ("get", 2 | 3) => Query::Get,
            ("nil?", 1) => Query::IsNil,
            ("nth", 2) => Query::Nth,
            ("second", 1) => Query::Second,
            ("some?", 1) => Query::IsSome,
            _ => return None,
        })
    }
}

impl Comparison {
    pub const LESS: Comparison = Comparison(0b001);
    pub const EQUAL: Comparison = Comparison(0b010);
    pub const GREATER: Comparison = Comparison(0b100);
    pub const AT_MOST: Comparison = Comparison(0b011);
    pub const AT_LEAST: Comparison = Comparison(0b110);
    pub const DIFFERENT: Comparison = Comparison(0b101);

    /// Without a branch: tests would be guessed twice otherwise.
    #[inline(always)]
    pub fn holds(self, a: i64, b: i64) -> bool {
        self.0 >> (a.cmp(&b) as i8 + 1) & 1 != 0
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
