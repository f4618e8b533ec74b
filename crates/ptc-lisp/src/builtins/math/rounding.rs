//! From floats to integers, and to fewer decimals.

use super::{not_an_integer, number_of};
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
        other => match code_point(other) {
            Some(code) => Ok(Value::Int(code)),
            None => cx.type_error("a number", other),
        },
    }
}

/// `round`: halves away from zero.
pub(super) fn round(cx: &mut Call, number: &Value, decimals: Option<&Value>) -> Eval {
    match decimals {
        None => to_integer(cx, number, f64::round),
        Some(decimals) => match (number_of(cx, number)?, decimals) {
            (Value::Int(number), Value::Int(decimals)) => {
                Ok(Value::float(round_decimals(number as f64, *decimals)))
            }
            (Value::Float(number, ..), Value::Int(decimals)) => {
                Ok(Value::float(round_decimals(number, *decimals)))
            }
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

fn code_point(value: &Value) -> Option<i64> {
    let Value::Str(text) = value else { return None };
    let mut characters = text.chars();
    let only = characters.next()?;
    characters.next().is_none().then_some(u32::from(only).into())
}

/// Rounds the decimal digits that the number prints with, so that 2.345 gives 2.35 as people expect.
fn round_decimals(number: f64, decimals: i64) -> f64 {
    if !number.is_finite() {
        return number;
    }
    let text = format!("{:e}", number.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let before_point = exponent.parse::<i64>().unwrap_or(0).saturating_add(1);
    let kept = before_point.saturating_add(decimals);
    match usize::try_from(kept) {
        Ok(kept) if kept >= digits.len() => number,
        Ok(kept) => carried(&digits, kept, before_point).copysign(number),
        Err(_) => 0.0_f64.copysign(number),
    }
}

/// The first `kept` of the digits, one more if the next is five or greater; at most 17 digits come in.
fn carried(digits: &str, kept: usize, before_point: i64) -> f64 {
    let (head, tail) = digits.split_at(kept);
    let whole = head.parse::<u64>().unwrap_or(0) + u64::from(tail.as_bytes().first() >= Some(&b'5'));
    format!("{whole}e{}", before_point - kept as i64).parse().unwrap_or(f64::NAN)
}
