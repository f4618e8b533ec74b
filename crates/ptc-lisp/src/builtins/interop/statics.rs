//! Static methods that read and write numbers. What cannot be read is a type error, not nil.

use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::exception::{Class, of_class};
use crate::meter;
use crate::value::Value;

use super::strings::to_string;
use super::{parse_double, parse_long};

/// An integer from `min` to `max`, to the base that the second argument names.
pub(super) fn parse_integer(name: &str, min: i64, max: i64, args: &[Value]) -> Eval {
    read(args);
    let parsed = match args {
        [Value::Str(text)] => parse_long(text),
        [Value::Str(text), Value::Int(radix @ 2..=36)] => i64::from_str_radix(text, *radix as u32).ok(),
        [Value::Str(_), radix] => return type_error(name, "a base from 2 to 36", radix),
        _ => None,
    };
    match parsed.filter(|number| (min..=max).contains(number)) {
        Some(number) => Ok(Value::Int(number)),
        None => wrong(name, "a string that shows an integer", args).map_err(of_class(unreadable(args))),
    }
}

pub(super) fn parse_float(name: &str, args: &[Value]) -> Eval {
    read(args);
    let parsed = match args {
        [Value::Str(text)] => parse_double(text),
        _ => None,
    };
    match parsed {
        Some(number) => Ok(Value::float(number)),
        None if matches!(args, [Value::Nil, ..]) => wrong(name, FLOAT_TEXT, args),
        None => wrong(name, FLOAT_TEXT, args).map_err(of_class(Class::NumberFormatException)),
    }
}

const FLOAT_TEXT: &str = "a string that shows a number";

/// A method that reads integers takes nil for a text; what is neither has no method that would read it.
fn unreadable(args: &[Value]) -> Class {
    match args {
        [Value::Str(_) | Value::Nil, ..] => Class::NumberFormatException,
        _ => Class::IllegalArgumentException,
    }
}

/// The ticks of reading a string: one per 64 bytes.
fn read(args: &[Value]) {
    if let [Value::Str(text), ..] = args {
        meter::owe_steps(text.len());
    }
}

pub(super) fn parse_boolean(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text)] => Ok(Value::Bool(text.eq_ignore_ascii_case("true"))),
        [Value::Nil] => Ok(Value::Bool(false)),
        _ => wrong("Boolean/parseBoolean", "a string", args),
    }
}

pub(super) fn value_of(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Nil] => cx.string("null"),
        _ => to_string(cx, args),
    }
}

/// An integer from `min` to `max` as text, to the base that the second argument names.
pub(super) fn integer_to_string(
    cx: &mut Interpreter<'_>,
    name: &str,
    min: i64,
    max: i64,
    args: &[Value],
) -> Eval {
    match args {
        [Value::Int(number)] if (min..=max).contains(number) => cx.string(number.to_string()),
        [Value::Int(number), Value::Int(radix)] if (min..=max).contains(number) => {
            cx.string(to_base(*number, u32::try_from(*radix).ok().filter(|radix| (2..=36).contains(radix))))
        }
        [Value::Int(number), radix] if (min..=max).contains(number) => {
            type_error(name, "a base from 2 to 36", radix)
        }
        _ => wrong(name, "an integer", args),
    }
}

/// Java takes base ten where the base is none.
fn to_base(number: i64, radix: Option<u32>) -> String {
    let radix = radix.unwrap_or(10);
    let mut digits = Vec::new();
    let mut rest = number.unsigned_abs();
    while rest > 0 || digits.is_empty() {
        digits.extend(char::from_digit((rest % u64::from(radix)) as u32, radix));
        rest /= u64::from(radix);
    }
    digits.extend((number < 0).then_some('-'));
    digits.iter().rev().collect()
}

/// The text of an integer of 32 bits.
pub(super) fn formatted(
    cx: &mut Interpreter<'_>,
    name: &str,
    format: fn(i32) -> String,
    args: &[Value],
) -> Eval {
    let number = match args {
        [Value::Int(number)] => i32::try_from(*number).ok(),
        _ => None,
    };
    number.map_or_else(|| wrong(name, "an integer of 32 bits", args), |number| cx.string(format(number)))
}

fn wrong(name: &str, expected: &str, args: &[Value]) -> Eval {
    type_error(name, expected, args.first().unwrap_or(&Value::Nil))
}
