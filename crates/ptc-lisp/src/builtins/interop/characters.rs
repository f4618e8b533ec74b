//! The statics of `Character`. A character is a string of length one.

use std::sync::LazyLock;

use ecow::EcoString;
use regex::Regex;

use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::value::Value;

pub(super) fn test(name: &str, holds: fn(char) -> bool, args: &[Value]) -> Eval {
    Ok(Value::Bool(holds(character(name, args)?)))
}

pub(super) fn changed(name: &str, change: fn(char) -> char, args: &[Value]) -> Eval {
    Ok(Value::Str(EcoString::from(change(character(name, args)?))))
}

pub(super) fn numeric_value(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    Ok(Value::Int(digit_value(character("Character/getNumericValue", args)?, 36)))
}

pub(super) fn digit(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let digit = character("Character/digit", args)?;
    match args {
        [_, Value::Int(radix @ 2..=36)] => Ok(Value::Int(digit_value(digit, *radix as u32))),
        [_, Value::Int(_)] => Ok(Value::Int(-1)),
        [_, radix] => type_error("Character/digit", "an integer", radix),
        _ => Ok(Value::Nil),
    }
}

/// What a character becomes; itself where more than one would come out, as in Java.
pub(super) fn single(original: char, mut changed: impl ExactSizeIterator<Item = char>) -> char {
    match changed.len() {
        1 => changed.next().unwrap_or(original),
        _ => original,
    }
}

pub(super) fn is_digit(character: char) -> bool {
    static DECIMAL_DIGIT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\p{Nd}").ok());
    is_in(&DECIMAL_DIGIT, character)
}

pub(super) fn is_letter(character: char) -> bool {
    static LETTER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\p{L}").ok());
    is_in(&LETTER, character)
}

pub(super) fn is_space(character: char) -> bool {
    static SPACE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\p{Z}").ok());
    is_in(&SPACE, character)
}

fn is_in(class: &Option<Regex>, character: char) -> bool {
    class.as_ref().is_some_and(|class| class.is_match(character.encode_utf8(&mut [0; 4])))
}

fn digit_value(digit: char, radix: u32) -> i64 {
    digit.to_digit(radix).map_or(-1, i64::from)
}

/// Java's methods about characters take code points too.
fn code_point(value: &Value) -> Option<char> {
    match value {
        Value::Int(code) => u32::try_from(*code).ok().and_then(char::from_u32),
        _ => None,
    }
}

fn character(name: &str, args: &[Value]) -> Eval<char> {
    let Some(value) = args.first() else { return type_error(name, "a character", &Value::Nil) };
    let Value::Str(text) = value else {
        return code_point(value).map_or_else(|| type_error(name, "a character", value), Ok);
    };
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => Ok(only),
        _ => type_error(name, "a character", value),
    }
}
