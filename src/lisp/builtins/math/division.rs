//! Division, of integers and floats: `/`, and `quot`, `rem` and `mod`, which leave whole quotients.

use crate::lisp::error::{ErrorKind, Eval, raise};
use crate::lisp::eval::Interpreter;
use crate::lisp::value::Value;

use super::ratio::{self, Ratio};
use super::{float, not_an_integer, number_of, overflow, wrong};

pub(super) fn divide(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match &*args {
        [only] => divide_two(&Value::Int(1), only),
        [first, divisors @ ..] => divisors.iter().try_fold(number_of("/", first)?, |a, b| divide_two(&a, b)),
        [] => wrong("/", "a number", args),
    }
}

/// Integers and quotients of them are divided exactly, and never by zero.
fn divide_two(a: &Value, b: &Value) -> Eval {
    match (a, b) {
        (Value::Int(_), Value::Int(0)) => divide_by_zero(),
        (Value::Int(a), Value::Int(b)) => match a.checked_rem(*b) {
            Some(0) => Ok(Value::Int(a / b)),
            Some(_) => Ok(ratio::quotient(*a, *b)),
            None => overflow(),
        },
        _ => match Ratio::pair(a, b).map_or(Ok(None), |(a, b)| a.by(b))? {
            Some(exact) => Ok(exact.value()),
            None => Ok(Value::float(float("/", a)? / float("/", b)?)),
        },
    }
}

pub(super) fn quotient(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    divide_integrally("quot", i64::checked_div, |_, _, quotient| quotient, args)
}

pub(super) fn remainder(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    divide_integrally("rem", |a, b| Some(a.wrapping_rem(b)), |a, b, quotient| a - quotient * b, args)
}

pub(super) fn modulus(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let integers = |a: i64, b: i64| {
        let rest = a.wrapping_rem(b);
        Some(if rest == 0 || (rest > 0) == (b > 0) { rest } else { rest + b })
    };
    let floats = |a: f64, b: f64, quotient: f64| {
        let rest = a - quotient * b;
        if rest == 0.0 || (a > 0.0) == (b > 0.0) { rest } else { rest + b }
    };
    divide_integrally("mod", integers, floats, args)
}

/// `floats` is given both operands and their quotient without its fraction.
fn divide_integrally(
    name: &str,
    integers: impl Fn(i64, i64) -> Option<i64>,
    floats: impl Fn(f64, f64, f64) -> f64,
    args: &mut [Value],
) -> Eval {
    match args {
        [Value::Int(_) | Value::Float(..), Value::Int(0)] => divide_by_zero(),
        [Value::Int(a), Value::Int(b)] => {
            integers(*a, *b).map_or_else(overflow, |result| Ok(Value::Int(result)))
        }
        [Value::Int(_) | Value::Float(..), Value::Float(0.0, ..)] => divide_by_zero(),
        [a, b] => {
            let (a, b) = (float(name, a)?, float(name, b)?);
            let quotient = a / b;
            if !quotient.is_finite() {
                return not_an_integer(quotient);
            }
            // Adding zero makes -0.0 a 0.0, which a quotient taken as an integer has no sign for.
            Ok(Value::float(floats(a, b, quotient.trunc() + 0.0)))
        }
        _ => wrong(name, "two numbers", args),
    }
}

pub(super) fn divide_by_zero<T>() -> Eval<T> {
    raise(ErrorKind::ArithmeticError, "Divide by zero")
}
