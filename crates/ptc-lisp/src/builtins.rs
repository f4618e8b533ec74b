//! The functions of the language, one row each. Arity errors, did-you-mean, `list builtins` and the
//! model's language reference follow from the rows; each row's example is a test.

mod call;
mod change;
pub(super) mod filter;
mod format;
mod hash;
mod interop;
mod json;
mod logic;
mod map;
mod math;
mod predicate;
mod prelude;
mod pretty;
mod print;
mod regex;
mod replace;
mod seq;
mod set;
mod split;
mod string;
mod text;
mod time;
mod transient;

use std::fmt;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::error::Eval;
use super::eval::Interpreter;
use super::items::Items;
use super::value::{Function, Value};
use call::{builtins, from_value};

pub use call::{
    AtLeast, Call, FromValue, Implementation, IntoEval, Parameter, arity_of, every, run_typed, taken,
};
pub(super) use logic::{AT_LEAST, AT_MOST, DIFFERENT, EQUAL, GREATER, IDENTITY, LESS, SAME_NUMBER};
pub(super) use math::{DEC, INC, MINUS, MOD, PLUS, QUOT, REM, TIMES, quotient, sum};
pub(super) use predicate::{IS_NIL, of_class_named};
pub(super) use print::WITH_OUT_STR;
pub(super) use seq::{CAT, FIRST, LAZY_SEQ, MAPCAT, SEQ};
pub(super) use seq::{Rows, Source, Substitutes, Walk, merge_sort};

/// Converts the arguments, which it may take out of the slice, and calls the function of a builtin.
type Run = fn(&'static Builtin, &mut Interpreter<'_>, &mut [Value]) -> Eval;

/// One builtin function.
pub struct Builtin {
    /// The name in programs, with the namespace only where the bare name is another function.
    pub name: &'static str,
    /// The name that errors begin with.
    pub error_name: &'static str,
    /// Number of arguments.
    pub arity: Arity,
    /// The function itself.
    pub run: Run,
    /// One line, for people and for the model.
    pub doc: &'static str,
    /// `EXPRESSION ;=> VALUE`, run by a test.
    pub example: &'static str,
}

/// A named value that is no function, such as `Math/PI`.
pub struct Constant {
    /// The name in programs.
    pub name: &'static str,
    /// The value.
    pub value: Value,
    /// One line, for people and for the model.
    pub doc: &'static str,
}

const fn constant(name: &'static str, value: Value, doc: &'static str) -> Constant {
    Constant { name, value, doc }
}

/// The number of arguments that a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arity {
    /// The least number.
    pub min: u8,
    /// None: any number.
    pub max: Option<u8>,
}

/// A family of builtins, as `list builtins` shows them.
pub struct Family {
    /// Heading of the family.
    pub title: &'static str,
    /// Sorted by name.
    pub rows: &'static [&'static Builtin],
}

/// Exactly this many arguments.
pub const fn exactly(count: u8) -> Arity {
    Arity { min: count, max: Some(count) }
}

/// From `min` to `max` arguments.
pub const fn between(min: u8, max: u8) -> Arity {
    Arity { min, max: Some(max) }
}

/// This many arguments or more.
pub const fn at_least(min: u8) -> Arity {
    Arity { min, max: None }
}

/// All builtin functions, by family.
pub static FAMILIES: &[Family] = &[
    Family { title: "Arithmetic", rows: math::ROWS },
    Family { title: "The rest of java.lang.Math", rows: math::JAVA },
    Family { title: "Comparison and logic", rows: logic::ROWS },
    Family { title: "Type and value predicates", rows: predicate::ROWS },
    Family { title: "Sequence access and slicing", rows: seq::ACCESS },
    Family { title: "Sequence transformation", rows: seq::TRANSFORMATION },
    Family { title: "Aggregation helpers", rows: seq::AGGREGATION },
    Family { title: "Maps", rows: map::ROWS },
    Family { title: "Sets", rows: set::ROWS },
    Family { title: "Functions", rows: logic::FUNCTIONS },
    Family { title: "Exceptions", rows: logic::EXCEPTIONS },
    Family { title: "Hashes", rows: hash::ROWS },
    Family { title: "Transients", rows: transient::ROWS },
    Family { title: "Strings", rows: string::ROWS },
    Family { title: "Regular expressions", rows: regex::ROWS },
    Family { title: "Output", rows: print::ROWS },
    Family { title: "Pretty printing", rows: pretty::ROWS },
    Family { title: "JSON and EDN", rows: json::ROWS },
    Family { title: "Java-style interop", rows: interop::ROWS },
    Family { title: "More methods of strings", rows: interop::TEXTS },
    Family { title: "Methods of collections and numbers", rows: interop::COLLECTIONS },
    Family { title: "Statics of numbers and strings", rows: interop::BOXES },
    Family { title: "Dates", rows: time::ROWS },
    Family { title: "Calendar", rows: time::CALENDAR },
    Family { title: "Patterns of dates and periods", rows: time::PATTERNS },
];

/// All named constants.
pub static CONSTANTS: &[&[Constant]] = &[math::CONSTANTS, interop::CONSTANTS, time::CONSTANTS];

/// Every builtin function, family by family.
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    FAMILIES.iter().flat_map(|family| family.rows.iter().copied())
}

/// The builtin of this name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    static BY_NAME: LazyLock<FxHashMap<&str, &Builtin>> =
        LazyLock::new(|| all().map(|builtin| (builtin.name, builtin)).collect());
    BY_NAME.get(name).copied()
}

/// The constant of this name.
pub fn find_constant(name: &str) -> Option<&'static Constant> {
    CONSTANTS.iter().flat_map(|constants| constants.iter()).find(|constant| constant.name == name)
}

/// The value of the name of a builtin: a function or a named constant.
pub fn value(name: &str) -> Option<Value> {
    match find(name) {
        Some(builtin) => Some(Value::Function(Function::Builtin(builtin))),
        None if name == interop::EMPTY_QUEUE => Some(Value::List(Items::default().into_queue())),
        None if name == interop::IGNORING_CASE => value(".compareToIgnoreCase"),
        None => find_constant(name).map(|constant| constant.value.clone()),
    }
}

impl Arity {
    /// The arity of parameters that stand one after another.
    pub(super) const fn total(parameters: &[Arity]) -> Arity {
        let mut total = exactly(0);
        let mut rest = parameters;
        while let [first, others @ ..] = rest {
            total.min += first.min;
            total.max = match (total.max, first.max) {
                (Some(a), Some(b)) => Some(a + b),
                _ => None,
            };
            rest = others;
        }
        total
    }

    /// The arity of a function whose first arguments are given.
    pub fn after(self, given: usize) -> Arity {
        let given = given.min(usize::from(u8::MAX)) as u8;
        Arity { min: self.min.saturating_sub(given), max: self.max.map(|max| max.saturating_sub(given)) }
    }

    /// Returns true if that many arguments are taken.
    pub fn admits(self, count: usize) -> bool {
        count >= self.min as usize && self.max.is_none_or(|max| count <= max as usize)
    }
}

/// The form in messages: `2`, `1 or 2`, `2 to 4`, `1+`.
impl fmt::Display for Arity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.max {
            None => write!(f, "{}+", self.min),
            Some(max) if max == self.min => write!(f, "{max}"),
            Some(max) if max == self.min + 1 => write!(f, "{} or {max}", self.min),
            Some(max) => write!(f, "{} to {max}", self.min),
        }
    }
}
