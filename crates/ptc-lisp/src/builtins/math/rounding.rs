//! From floats to integers, and to fewer decimals.

use super::{not_an_integer, number_of};
use crate::builtins::format::digits::Digits;
use crate::builtins::prelude::*;

/// The first float that is too large for an integer.
const BEYOND_INTEGERS: f64 = 9_223_372_036_854_775_808.0;

/// `floor`, `ceil`, `trunc`: infinities and NaN are returned as they are.
pub(super) fn to_integer(cx: &Call, number: &Value, rounded: fn(f64) -> f64) -> Eval {
    match number {
        Value::Float(number, ..) if number.is_finite() => exact_integer(rounded(*number)),
        other => number_of(cx, other),
    }
}

/// `int` and `long`.
pub(in crate::builtins) fn integer(cx: &mut Call, value: &Value) -> Eval {
    match value {
        Value::Int(number) => Ok(Value::Int(*number)),
        Value::Float(number, ..) => exact_integer(number.trunc()),
        other => match other.as_character() {
            Some(character) => Ok(Value::Int(u32::from(character).into())),
            None => cx.type_error("a number", other),
        },
    }
}

/// `round`: halves away from zero.
pub(super) fn round(cx: &mut Call, number: &Value, decimals: Option<&Value>) -> Eval {
    match decimals {
        None => to_integer(cx, number, f64::round),
        Some(decimals) => match (number_of(cx, number)?.as_number(), decimals) {
            (Some(number), Value::Int(decimals)) => Ok(Value::float(round_decimals(number, *decimals))),
            _ => cx.type_error("an integer number of decimals", decimals),
        },
    }
}

/// `Math/round`: halves up; floats beyond the integers give the nearest integer and NaN gives 0, as in Java.
pub(super) fn round_half_up(cx: &mut Call, number: &Value) -> Eval {
    match number {
        Value::Float(number, ..) => {
            let floor = number.floor();
            Ok(Value::Int(if *number - floor >= 0.5 { floor + 1.0 } else { floor } as i64))
        }
        other => number_of(cx, other),
    }
}

fn exact_integer(whole: f64) -> Eval {
    if (-BEYOND_INTEGERS..BEYOND_INTEGERS).contains(&whole) {
        return Ok(Value::Int(whole as i64));
    }
    not_an_integer(whole)
}

/// Rounds the decimal digits that the number prints with, so that 2.345 gives 2.35 as people expect.
fn round_decimals(number: f64, decimals: i64) -> f64 {
    if number.is_finite() {
        Digits::of(number.abs()).with_decimals(decimals).copysign(number)
    } else {
        number
    }
}
