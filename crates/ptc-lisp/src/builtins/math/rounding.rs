//! From floats to integers, and to fewer decimals.

use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::value::Value;

use super::{not_an_integer, number_of};

/// The first float that is too large for an integer.
const BEYOND_INTEGERS: f64 = 9_223_372_036_854_775_808.0;

/// `floor`, `ceil`, `trunc`: infinities and NaN are returned as they are.
pub(super) fn to_integer(name: &str, rounded: fn(f64) -> f64, args: &mut [Value]) -> Eval {
    match args {
        [Value::Float(number, ..)] if number.is_finite() => exact_integer(rounded(*number)),
        [value] => number_of(name, value),
        _ => number_of(name, &Value::Nil),
    }
}

/// `int` and `long`.
pub(super) fn integer(name: &str, args: &mut [Value]) -> Eval {
    match args {
        [Value::Int(number)] => Ok(Value::Int(*number)),
        [Value::Float(number, ..)] => exact_integer(number.trunc()),
        [value] => match code_point(value) {
            Some(code) => Ok(Value::Int(code)),
            None => type_error(name, "a number", value),
        },
        _ => type_error(name, "a number", &Value::Nil),
    }
}

/// `round`: halves away from zero.
pub(super) fn round(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [number, Value::Int(decimals)] => match number_of("round", number)? {
            Value::Int(number) => Ok(Value::float(round_decimals(number as f64, *decimals))),
            Value::Float(number, ..) => Ok(Value::float(round_decimals(number, *decimals))),
            other => Ok(other),
        },
        [number, decimals] => {
            number_of("round", number)?;
            type_error("round", "an integer number of decimals", decimals)
        }
        _ => to_integer("round", f64::round, args),
    }
}

/// `Math/round`: halves up; floats beyond the integers give the nearest integer and NaN gives 0, as in Java.
pub(super) fn round_half_up(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Float(number, ..)] => {
            let floor = number.floor();
            Ok(Value::Int(if *number - floor >= 0.5 { floor + 1.0 } else { floor } as i64))
        }
        [value] => number_of("Math/round", value),
        _ => number_of("Math/round", &Value::Nil),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_rounded_as_they_print() {
        let cases = [
            (2.345, 2, 2.35),
            (-2.345, 2, -2.35),
            (1234.0, -2, 1200.0),
            (9.999, 2, 10.0),
            (0.05, 1, 0.1),
            (0.04, 1, 0.0),
            (0.004, 1, 0.0),
            (1e300, 2, 1e300),
            (5.0, -1, 10.0),
            (4.0, -1, 0.0),
            (5.0, -2, 0.0),
        ];
        for (number, decimals, expected) in cases {
            assert_eq!(round_decimals(number, decimals), expected, "{number} to {decimals}");
        }
        assert_eq!(round_decimals(1.5, i64::MAX), 1.5);
        assert_eq!(round_decimals(1.5, i64::MIN), 0.0);
    }
}
