//! Division, of integers and floats: `/`, and `quot`, `rem` and `mod`, which leave whole quotients.

use crate::lisp::error::{ErrorKind, Eval, raise};
use crate::lisp::eval::Interpreter;
use crate::lisp::value::Value;

use super::{float, not_an_integer, number_of, overflow, wrong};

/// The leading integers are divided as Clojure's ratios are: exactly, and never by zero.
pub(super) fn divide(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let one = Value::Int(1);
    let (first, divisors) = match &*args {
        [first, divisors @ ..] if !divisors.is_empty() => (first, divisors),
        only => (&one, only),
    };
    let integers = match first {
        Value::Int(_) => divisors.iter().take_while(|value| matches!(value, Value::Int(_))).count(),
        _ => 0,
    };
    let (exact, floats) = divisors.split_at(integers);
    let quotient = exact_quotient(first, exact)?;
    floats.iter().try_fold(quotient, |a, b| Ok(Value::Float(float("/", &a)? / float("/", b)?)))
}

/// An integer divided by integers: an integer where it comes out even, otherwise a float.
fn exact_quotient(dividend: &Value, divisors: &[Value]) -> Eval {
    let Value::Int(dividend) = dividend else { return number_of("/", dividend) };
    let mut product = Some(1_i128);
    let mut approximate = 1.0;
    for divisor in divisors {
        match divisor {
            Value::Int(0) => return divide_by_zero(),
            Value::Int(divisor) => {
                product = product.and_then(|product| product.checked_mul((*divisor).into()));
                approximate *= *divisor as f64;
            }
            _ => {}
        }
    }
    match product {
        Some(product) if i128::from(*dividend) % product == 0 => {
            i64::try_from(i128::from(*dividend) / product).map_or_else(|_| overflow(), |even| Ok(even.into()))
        }
        _ => Ok(Value::Float(*dividend as f64 / approximate)),
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
        [Value::Int(_) | Value::Float(_), Value::Int(0)] => divide_by_zero(),
        [Value::Int(a), Value::Int(b)] => {
            integers(*a, *b).map_or_else(overflow, |result| Ok(Value::Int(result)))
        }
        [Value::Int(_) | Value::Float(_), Value::Float(0.0)] => divide_by_zero(),
        [a, b] => {
            let (a, b) = (float(name, a)?, float(name, b)?);
            let quotient = a / b;
            if !quotient.is_finite() {
                return not_an_integer(quotient);
            }
            // Adding zero makes -0.0 a 0.0, which a quotient taken as an integer has no sign for.
            Ok(Value::Float(floats(a, b, quotient.trunc() + 0.0)))
        }
        _ => wrong(name, "two numbers", args),
    }
}

pub(super) fn divide_by_zero() -> Eval {
    raise(ErrorKind::ArithmeticError, "Divide by zero")
}
