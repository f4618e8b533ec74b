//! Division, of integers and floats: `/`, and `quot`, `rem` and `mod`, which leave whole quotients.

use super::{checked, float, not_an_integer, number_of, overflow};
use crate::builtins::prelude::*;
use crate::ratio::{Ratio, divide_by_zero, quotient};

pub(super) fn divide(cx: &mut Call, AtLeast(numbers): AtLeast<1>) -> Eval {
    match &*numbers {
        [only] => divide_two(cx, &Value::Int(1), only),
        [first, divisors @ ..] => {
            divisors.iter().try_fold(number_of(cx, first)?, |a, b| divide_two(cx, &a, b))
        }
        [] => Ok(Value::Nil),
    }
}

/// Integers and quotients of them are divided exactly, and never by zero.
fn divide_two(cx: &Call, a: &Value, b: &Value) -> Eval {
    match (a, b) {
        (Value::Int(_), Value::Int(0)) => divide_by_zero(),
        (Value::Int(a), Value::Int(b)) => match a.checked_rem(*b) {
            Some(0) => Ok(Value::Int(a / b)),
            Some(_) => Ok(quotient(*a, *b)),
            None => overflow(),
        },
        _ => match Ratio::pair(a, b).map_or(Ok(None), |(a, b)| a.by(b))? {
            Some(exact) => Ok(exact.value()),
            None => Ok(Value::float(float(cx.name, a)? / float(cx.name, b)?)),
        },
    }
}

/// `quot`, `rem` or `mod`: of two integers (`None` on overflow), of two floats, and of two quotients of integers (`None`
/// when they grow too large). The last two also take their quotient without its fraction.
pub(super) struct Integral {
    integers: fn(i64, i64) -> Option<i64>,
    floats: fn(f64, f64, f64) -> f64,
    ratios: fn(Ratio, Ratio, Ratio) -> Option<Ratio>,
}

pub(super) static QUOTIENT: Integral = Integral {
    integers: i64::checked_div,
    floats: |_, _, quotient| quotient,
    ratios: |_, _, quotient| Some(quotient),
};
pub(super) static REMAINDER: Integral = Integral {
    integers: |a, b| Some(a.wrapping_rem(b)),
    floats: |a, b, quotient| a - quotient * b,
    ratios: |a, b, quotient| a.minus(quotient.times(b)?),
};
pub(super) static MODULUS: Integral = Integral {
    integers: |a, b| {
        let rest = a.wrapping_rem(b);
        Some(if rest == 0 || (rest > 0) == (b > 0) { rest } else { rest + b })
    },
    floats: |a, b, quotient| {
        let rest = a - quotient * b;
        if rest == 0.0 || (a > 0.0) == (b > 0.0) { rest } else { rest + b }
    },
    ratios: |a, b, quotient| {
        let rest = a.minus(quotient.times(b)?)?;
        if rest.signum() == 0 || rest.signum() == b.signum() { Some(rest) } else { rest.plus(b) }
    },
};

pub(super) fn divide_integrally(cx: &Call, division: &Integral, a: &Value, b: &Value) -> Eval {
    match (a, b) {
        (Value::Int(_) | Value::Float(..), Value::Int(0) | Value::Float(0.0, ..)) => divide_by_zero(),
        (Value::Int(a), Value::Int(b)) => checked((division.integers)(*a, *b)),
        _ => match divide_exactly(division, a, b)? {
            Some(exact) => Ok(exact.value()),
            None => divide_floats(division, float(cx.name, a)?, float(cx.name, b)?),
        },
    }
}

/// None where neither number is a quotient of integers, or what comes of them grows too large.
fn divide_exactly(division: &Integral, a: &Value, b: &Value) -> Eval<Option<Ratio>> {
    let Some((a, b)) = Ratio::pair(a, b) else { return Ok(None) };
    Ok(a.by(b)?.and_then(|quotient| (division.ratios)(a, b, quotient.whole())))
}

fn divide_floats(division: &Integral, a: f64, b: f64) -> Eval {
    let quotient = a / b;
    if !quotient.is_finite() {
        return not_an_integer(quotient);
    }
    // Adding zero makes -0.0 a 0.0, which a quotient taken as an integer has no sign for.
    Ok(Value::float((division.floats)(a, b, quotient.trunc() + 0.0)))
}
