//! Statics of numbers, booleans and strings, and numbers in text (`docs/language.md` §16.3).

use std::ops::RangeInclusive;

use super::characters::{Character, is_letter};
use crate::builtins::math::sum;
use crate::builtins::prelude::*;
use crate::builtins::string::{char, format, join, str};

pub(super) const INTEGER: RangeInclusive<i64> = i32::MIN as i64..=i32::MAX as i64;
pub(super) const LONG: RangeInclusive<i64> = i64::MIN..=i64::MAX;

builtins! {
    pub(in crate::builtins) static ROWS;

    "Boolean/toString" = |cx: &mut Call, value: Value| str(cx, &mut [value]);
    "Boolean/valueOf" = |cx: &mut Call, value: &Value| -> Eval<bool> {
        if let Value::Bool(value) = value { Ok(*value) } else { parse_boolean(cx, value) }
    };
    "Character/isAlphabetic" = |Character(c): Character| is_letter(c);
    "Character/toString" = char;
    "Character/valueOf" = char;
    "Double." = double_value;
    "Double/isFinite" = f64::is_finite;
    "Double/isInfinite" = f64::is_infinite;
    "Double/isNaN" = f64::is_nan;
    "Double/sum" = sum;
    "Double/toString" = |cx: &mut Call, number: f64| str(cx, &mut [Value::float(number)]);
    "Double/valueOf" = double_value;
    "Integer." = value_of_int;
    "Integer/bitCount" = |number: i64| i64::from((number as i32).count_ones());
    "Integer/highestOneBit" = |number: i64| i64::from(highest(u64::from(number as u32)) as i32);
    "Integer/lowestOneBit" = lowest;
    "Integer/numberOfLeadingZeros" = |number: i64| i64::from((number as u32).leading_zeros());
    "Integer/numberOfTrailingZeros" = |number: i64| i64::from((number as u32).trailing_zeros());
    "Integer/reverse" = |number: i64| i64::from((number as i32).reverse_bits());
    "Integer/signum" = i64::signum;
    "Integer/sum" = sum;
    "Integer/toOctalString" = |cx: &mut Call, number: i64| cx.string(format!("{:o}", number as i32));
    "Integer/valueOf" = value_of_int;
    "Long." = value_of_long;
    "Long/bitCount" = |number: i64| i64::from(number.count_ones());
    "Long/highestOneBit" = |number: i64| highest(number as u64);
    "Long/lowestOneBit" = lowest;
    "Long/numberOfLeadingZeros" = |number: i64| i64::from(number.leading_zeros());
    "Long/numberOfTrailingZeros" = |number: i64| i64::from(number.trailing_zeros());
    "Long/reverse" = i64::reverse_bits;
    "Long/rotateLeft" = |bits: i64, places: i64| bits.rotate_left((places & 63) as u32);
    "Long/rotateRight" = |bits: i64, places: i64| bits.rotate_right((places & 63) as u32);
    "Long/signum" = i64::signum;
    "Long/sum" = sum;
    "Long/toBinaryString" = |cx: &mut Call, number: i64| cx.string(format!("{number:b}"));
    "Long/toHexString" = |cx: &mut Call, number: i64| cx.string(format!("{number:x}"));
    "Long/toOctalString" = |cx: &mut Call, number: i64| cx.string(format!("{number:o}"));
    "Long/valueOf" = value_of_long;
    "String." = |cx: &mut Call, mut value: Option<Value>| str(cx, value.as_mut_slice());
    "String/format" = formatted;
    "String/join" = joined;
}

/// An integer of 32 bits.
pub(super) struct Int32(pub i32);

impl<'a> FromValue<'a> for Int32 {
    fn from_value(cx: &mut Call, value: &'a mut Value) -> Eval<Int32> {
        if let Value::Int(number) = value
            && let Ok(number) = i32::try_from(*number)
        {
            return Ok(Int32(number));
        }
        cx.type_error("an integer of 32 bits", value)
    }
}

pub(super) fn parse_boolean(cx: &mut Call, text: &Value) -> Eval<bool> {
    match text {
        Value::Str(text) => Ok(text.eq_ignore_ascii_case("true")),
        Value::Nil => Ok(false),
        other => cx.type_error("a string", other),
    }
}

fn value_of_int(cx: &mut Call, value: &Value) -> Eval<i64> {
    integer_value(cx, value, INTEGER)
}

fn value_of_long(cx: &mut Call, value: &Value) -> Eval<i64> {
    integer_value(cx, value, LONG)
}

fn integer_value(cx: &mut Call, value: &Value, range: RangeInclusive<i64>) -> Eval<i64> {
    match value {
        Value::Int(number) if range.contains(number) => Ok(*number),
        _ => parse_integer(cx, value, None, range),
    }
}

/// Reads an integer, to base ten or the given one.
pub(super) fn parse_integer(
    cx: &mut Call,
    text: &Value,
    radix: Option<&Value>,
    range: RangeInclusive<i64>,
) -> Eval<i64> {
    const EXPECTED: &str = "a string that shows an integer";
    let Value::Str(source) = text else {
        // Java's methods accept nil as a text. Other values have no such method.
        let class =
            if text.is_nil() { Class::NumberFormatException } else { Class::IllegalArgumentException };
        return cx.type_error(EXPECTED, text).map_err(of_class(class));
    };
    let radix = match radix {
        None => 10,
        Some(Value::Int(radix @ 2..=36)) => *radix as u32,
        Some(other) => return cx.type_error("a base from 2 to 36", other),
    };
    meter::owe_steps(source.len());
    match i64::from_str_radix(source, radix) {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => cx.type_error(EXPECTED, text).map_err(of_class(Class::NumberFormatException)),
    }
}

fn double_value(cx: &mut Call, value: &Value) -> Eval<f64> {
    match value.as_number() {
        Some(number) => Ok(number),
        None => parse_float(cx, value),
    }
}

pub(super) fn parse_float(cx: &mut Call, text: &Value) -> Eval<f64> {
    const EXPECTED: &str = "a string that shows a number";
    match text {
        Value::Str(source) => {
            meter::owe_steps(source.len());
            match parse_double(source) {
                Some(number) => Ok(number),
                None => cx.type_error(EXPECTED, text).map_err(of_class(Class::NumberFormatException)),
            }
        }
        Value::Nil => cx.type_error(EXPECTED, text),
        _ => cx.type_error(EXPECTED, text).map_err(of_class(Class::NumberFormatException)),
    }
}

/// An integer as text, to base ten or the given one.
pub(super) fn integer_text(
    cx: &mut Call,
    number: &Value,
    radix: Option<&Value>,
    range: RangeInclusive<i64>,
) -> Eval {
    match (number, radix) {
        (Value::Int(number), radix) if range.contains(number) => match radix {
            None => cx.string(number.to_string()),
            Some(Value::Int(radix)) => cx.string(to_base(*number, *radix)),
            Some(other) => cx.type_error("a base from 2 to 36", other),
        },
        (other, _) => cx.type_error("an integer", other),
    }
}

/// Digits to a base, or to base ten if there is no such base, as in Java.
fn to_base(number: i64, radix: i64) -> String {
    let radix = if (2..=36).contains(&radix) { radix as u64 } else { 10 };
    let mut digits = Vec::new();
    let mut rest = number.unsigned_abs();
    while rest > 0 || digits.is_empty() {
        digits.extend(char::from_digit((rest % radix) as u32, radix as u32));
        rest /= radix;
    }
    digits.extend((number < 0).then_some('-'));
    digits.iter().rev().collect()
}

/// The highest bit that is set.
fn highest(bits: u64) -> i64 {
    match bits.checked_ilog2() {
        Some(place) => (1_u64 << place) as i64,
        None => 0,
    }
}

/// The lowest bit that is set.
fn lowest(bits: i64) -> i64 {
    bits & bits.wrapping_neg()
}

/// Accepts the arguments one by one, or in a vector as Java does in an array.
fn formatted(cx: &mut Call, AtLeast(arguments): AtLeast<1>) -> Eval {
    match arguments {
        [template, Value::Vector(items)] => {
            cx.tick(items.len())?;
            let mut all: Vec<Value> = std::iter::once(template.take()).chain(items.iter().cloned()).collect();
            format(cx, AtLeast(&mut all))
        }
        _ => format(cx, AtLeast(arguments)),
    }
}

fn joined(cx: &mut Call, separator: EcoString, first: Value, others: &mut [Value]) -> Eval {
    let separator = Value::Str(separator);
    if others.is_empty() && matches!(first, Value::Vector(_) | Value::List(_) | Value::Set(_)) {
        return join(cx, separator, Some(first));
    }
    let texts = std::iter::once(first).chain(others.iter_mut().map(Value::take)).collect();
    let texts = cx.list(texts)?;
    join(cx, separator, Some(texts))
}

/// Reads an optional sign and decimal digits. None outside 64 bits.
pub(in crate::builtins) fn parse_long(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Reads what `Double.parseDouble` reads, except hexadecimal floats. Numbers that are too large are infinite.
pub(in crate::builtins) fn parse_double(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c| c <= ' ');
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let magnitude = match unsigned {
        "NaN" => f64::NAN,
        "Infinity" => f64::INFINITY,
        _ => parse_decimal(unsigned.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(unsigned))?,
    };
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

fn parse_decimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent_digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_number = are_digits(whole)
        && are_digits(fraction)
        && are_digits(exponent_digits)
        && !exponent_digits.is_empty()
        && !(whole.is_empty() && fraction.is_empty());
    if is_number { text.parse().ok() } else { None }
}

fn are_digits(text: &str) -> bool {
    text.as_bytes().iter().all(u8::is_ascii_digit)
}
