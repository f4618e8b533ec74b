//! A builtin function as values and forms hold it. `builtins` has the functions themselves.

use std::fmt;

use super::error::Eval;
use super::eval::Interpreter;
use super::value::Value;

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
}

/// The number of arguments that a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arity {
    /// The least number.
    pub min: u8,
    /// None: any number.
    pub max: Option<u8>,
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

impl Builtin {
    /// Calls the builtin with arguments of a number that its arity admits. Takes them out of the slice.
    #[inline(always)]
    pub fn call(&'static self, cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
        (self.run)(self, cx, args)
    }
}

impl Arity {
    /// The arity of consecutive parameters.
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
