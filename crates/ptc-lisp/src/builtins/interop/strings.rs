//! Methods of strings, some of which vectors and sets have, too. Indices count characters.

use super::characters::{lower_case, upper_case};
use crate::builtins::hash::java_hash;
use crate::builtins::logic::{equal, tick_nested};
use crate::builtins::prelude::*;
use crate::builtins::regex::{Pattern, compile, re_matches};
use crate::builtins::replace;
use crate::builtins::seq::compare;
use crate::builtins::string::{str, trim, trim_end, trim_start};
use crate::builtins::text::{
    Converted, Whole, byte_offset, changed, code_point, code_point_index, find_last, is_whitespace, push,
    split_text,
};

builtins! {
    pub(in crate::builtins) static ROWS;

    ".chars" = |cx: &mut Call, text: &str| -> Eval {
        cx.tick_text(text)?;
        cx.vector(text.chars().map(|character| Value::Int(u32::from(character).into())).collect())
    };
    ".codePointAt" = |cx: &mut Call, text: &str, index: &mut Value| character_at(cx, text, index).map(|c| i64::from(u32::from(c)));
    ".compareToIgnoreCase" = |cx: &mut Call, a: &str, b: &str| -> Eval<i64> {
        cx.tick_text(a)?;
        cx.tick_text(b)?;
        compare_texts(cx, &folded(a), &folded(b))
    };
    ".concat" = |cx: &mut Call, a: EcoString, b: EcoString| str(cx, &mut [Value::Str(a), Value::Str(b)]);
    ".getBytes" = bytes;
    ".hashCode" = |cx: &mut Call, value: &Value| -> Eval<i64> {
        if let Value::Str(text) = value {
            cx.tick_text(text)?;
        }
        match java_hash(value) {
            Some(hash) => Ok(hash.into()),
            None => cx.type_error("a string, number or boolean", value),
        }
    };
    ".isBlank" = |text: &str| text.chars().all(is_whitespace);
    ".matches" = |cx: &mut Call, text: EcoString, pattern: &str| -> Eval<bool> {
        let regex = compile(cx, pattern)?;
        Ok(!re_matches(cx, Pattern(regex), &Value::Str(text))?.is_nil())
    };
    ".regionMatches" = region_matches;
    ".repeat" = |cx: &mut Call, text: &str, count: &Value| -> Eval {
        let Value::Int(count @ 0..) = count else { return cx.type_error("a count of at least 0", count) };
        let times = usize::try_from(*count).unwrap_or(usize::MAX).min(MAX_STRING / text.len().max(1) + 1);
        cx.allocate(text.len() * times)?;
        cx.string(EcoString::from(text).repeat(times))
    };
    ".replaceAll" = |cx: &mut Call, text: EcoString, pattern: &str, by: EcoString| replace_matches(cx, text, pattern, by, usize::MAX);
    ".replaceFirst" = |cx: &mut Call, text: EcoString, pattern: &str, by: EcoString| replace_matches(cx, text, pattern, by, 1);
    ".strip" = trim;
    ".stripLeading" = trim_start;
    ".stripTrailing" = trim_end;
    ".subSequence" = |cx: &mut Call, text: &str, from: &mut Value, to: &mut Value| substring(cx, text, from, Some(to));
    ".toCharArray" = characters;
}

/// Error class of an index outside of a string.
const OUTSIDE: Class = Class::StringIndexOutOfBoundsException;

pub(super) fn length(cx: &mut Call, text: &Value) -> Eval<usize> {
    match text {
        Value::Vector(items) => Ok(items.len()),
        Value::Str(text) => {
            cx.tick_text(text)?;
            Ok(text.chars().count())
        }
        other => cx.type_error("a string", other),
    }
}

pub(super) fn is_empty(cx: &mut Call, value: &Value) -> Eval<bool> {
    match value {
        Value::Str(text) => Ok(text.is_empty()),
        other => match other.item_count() {
            Some(count) => Ok(count == 0),
            None => cx.type_error("a string or a collection", other),
        },
    }
}

pub(super) fn contains(cx: &mut Call, value: &Value, part: &Value) -> Eval<bool> {
    match (value, part) {
        (Value::Str(text), Value::Str(part)) => {
            cx.tick_text(text)?;
            Ok(text.contains(part.as_str()))
        }
        (Value::Vector(items) | Value::List(items), item) => Ok(position(cx, items.iter(), item)?.is_some()),
        (Value::Set(set), item) => {
            tick_nested(cx, item)?;
            Ok(set.contains(item))
        }
        (Value::Str(_), other) | (other, _) => cx.type_error("a string", other),
    }
}

pub(super) fn starts_with(cx: &mut Call, text: &str, start: &str, from: Option<Whole>) -> Eval<bool> {
    cx.tick_text(start)?;
    let Some(Whole(from)) = from else { return Ok(text.starts_with(start)) };
    cx.tick_text(text)?;
    match offset_within(text, from) {
        Some(at) => Ok(text[at..].starts_with(start)),
        None => Ok(false),
    }
}

pub(super) fn ends_with(cx: &mut Call, text: &str, end: &str) -> Eval<bool> {
    cx.tick_text(end)?;
    Ok(text.ends_with(end))
}

pub(super) fn index_of(cx: &mut Call, value: &Value, part: &Value, from: Option<Whole>) -> Eval<i64> {
    let found = match value {
        Value::Str(text) => {
            let part = text_or_code_point(cx, part)?;
            cx.tick_text(text)?;
            let from = from.map_or(0, |Whole(from)| byte_offset(text, from));
            text[from..].find(part.as_str()).map(|at| code_point_index(text, from + at))
        }
        Value::Vector(items) | Value::List(items) if from.is_none() => {
            position(cx, items.iter(), part)?.map(|at| at as i64)
        }
        other => return cx.type_error("a string", other),
    };
    Ok(found.unwrap_or(-1))
}

pub(super) fn last_index_of(cx: &mut Call, value: &Value, part: &Value, from: Option<Whole>) -> Eval<i64> {
    let found = match value {
        Value::Str(text) => {
            let part = text_or_code_point(cx, part)?;
            cx.tick_text(text)?;
            find_last(text, &part, from.map_or(i64::MAX, |Whole(from)| from))
        }
        Value::Vector(items) | Value::List(items) if from.is_none() => {
            position(cx, items.iter().rev(), part)?.map(|at| (items.len() - 1 - at) as i64)
        }
        other => return cx.type_error("a string", other),
    };
    Ok(found.unwrap_or(-1))
}

fn text_or_code_point(cx: &Call, part: &Value) -> Eval<EcoString> {
    match part {
        Value::Str(text) => Ok(text.clone()),
        other => match code_point(other) {
            Some(character) => Ok(EcoString::from(character)),
            None => cx.type_error("a string", other),
        },
    }
}

fn position<'a>(cx: &mut Call, items: impl Iterator<Item = &'a Value>, item: &Value) -> Eval<Option<usize>> {
    for (at, other) in items.enumerate() {
        cx.tick(1)?;
        if equal(cx, other, item)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

pub(super) fn compare_to(cx: &mut Call, a: &Value, b: &Value) -> Eval<i64> {
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => compare_texts(cx, a, b),
        (Value::Keyword(a), Value::Keyword(b)) => compare_texts(cx, a.name(), b.name()),
        (Value::Str(_), other) => cx.type_error("a string", other),
        (a, b) if a.type_name() == b.type_name() => Ok(compare(cx, a, b)? as i64),
        (other, _) => cx.type_error("a string", other),
    }
}

fn compare_texts(cx: &mut Call, a: &str, b: &str) -> Eval<i64> {
    cx.tick_text(a)?;
    cx.tick_text(b)?;
    for (a, b) in a.chars().zip(b.chars()) {
        if a != b {
            return Ok(i64::from(u32::from(a)) - i64::from(u32::from(b)));
        }
    }
    Ok(a.chars().count() as i64 - b.chars().count() as i64)
}

pub(super) fn equals_ignoring_case(cx: &mut Call, a: &str, b: &Value) -> Eval<bool> {
    let b = match b {
        Value::Nil => return Ok(false),
        Value::Str(b) => b,
        other => return cx.type_error("a string", other),
    };
    cx.tick_text(a)?;
    cx.tick_text(b)?;
    Ok(a.chars().map(folded_character).eq(b.chars().map(folded_character)))
}

/// A text for comparing without case. Upper case comes first, for letters with two lower cases.
fn folded(text: &str) -> String {
    text.to_uppercase().to_lowercase()
}

fn folded_character(character: char) -> char {
    if character.is_ascii() { character.to_ascii_lowercase() } else { lower_case(upper_case(character)) }
}

pub(super) fn substring(cx: &mut Call, text: &str, start: &mut Value, end: Option<&mut Value>) -> Eval {
    cx.tick_text(text)?;
    let head = match end {
        Some(end) => &text[..checked_offset(cx, text, end)?],
        None => text,
    };
    let start = checked_offset(cx, head, start)?;
    cx.string(&head[start..])
}

fn checked_offset(cx: &mut Call, text: &str, index: &mut Value) -> Eval<usize> {
    let Whole(at) = Whole::from_value(cx, index)?;
    if let Some(offset) = offset_within(text, at) {
        return Ok(offset);
    }
    let expected = format!("an index from 0 to {}", code_point_index(text, text.len()));
    cx.type_error(&expected, index).map_err(of_class(OUTSIDE))
}

/// Same as [`byte_offset`], but `None` outside the text.
fn offset_within(text: &str, index: i64) -> Option<usize> {
    if index < 0 {
        return None;
    }
    let offset = byte_offset(text, index);
    let is_within = offset < text.len() || index == 0 || index == code_point_index(text, text.len());
    is_within.then_some(offset)
}

pub(super) fn character_at(cx: &mut Call, text: &str, index: &mut Value) -> Eval<char> {
    cx.tick_text(text)?;
    let Whole(at) = Whole::from_value(cx, index)?;
    match offset_within(text, at).and_then(|at| text.get(at..)?.chars().next()) {
        Some(character) => Ok(character),
        None => cx
            .type_error(&format!("an index below {}", text.chars().count()), index)
            .map_err(of_class(OUTSIDE)),
    }
}

pub(super) fn split(cx: &mut Call, text: &str, pattern: &str) -> Eval {
    let regex = compile(cx, pattern)?;
    split_text(cx, text, &Value::Regex(regex), 0)
}

pub(super) fn replace_text(cx: &mut Call, text: &str, old: &str, new: &str) -> Eval {
    changed(cx, text, |text| {
        let mut out = EcoString::new();
        for (number, part) in text.split(old).enumerate() {
            if number > 0 {
                push(&mut out, new);
            }
            push(&mut out, part);
        }
        out
    })
}

pub(super) fn to_string(cx: &mut Call, value: Value) -> Eval {
    match value {
        Value::Nil => cx.type_error("a value", &value),
        value => str(cx, &mut [value]),
    }
}

/// The bytes in UTF-8, whatever encoding is named.
fn bytes(cx: &mut Call, text: &str, _encoding: Option<&str>) -> Eval {
    cx.tick_text(text)?;
    cx.vector(text.bytes().map(|byte| Value::Int(i64::from(byte as i8))).collect())
}

fn replace_matches(
    cx: &mut Call,
    text: EcoString,
    pattern: &str,
    replacement: EcoString,
    most: usize,
) -> Eval {
    let regex = Value::Regex(compile(cx, pattern)?);
    let text = Converted::of(cx, Value::Str(text))?;
    replace::replace(cx, text, &regex, &Value::Str(replacement), most)
}

/// `(.regionMatches text ignoring-case? start other other-start length)`
fn region_matches(
    cx: &mut Call,
    text: &str,
    ignoring_case: &mut Value,
    start: &mut Value,
    other: &mut Value,
    from: &mut Value,
    length: Option<&mut Value>,
) -> Eval<bool> {
    let (ignoring_case, [start, other, from, length]) = match length {
        Some(length) => (bool::from_value(cx, ignoring_case)?, [start, other, from, length]),
        None => (false, [ignoring_case, start, other, from]),
    };
    let (start, other) = (i64::from_value(cx, start)?, <&str>::from_value(cx, other)?);
    let (from, length) = (i64::from_value(cx, from)?, i64::from_value(cx, length)?);
    cx.tick_text(text)?;
    cx.tick_text(other)?;
    let (Some(a), Some(b)) = (region(text, start, length), region(other, from, length)) else {
        return Ok(false);
    };
    Ok(a == b || ignoring_case && folded(a) == folded(b))
}

/// `length` characters from an index. `None` if the text is shorter.
fn region(text: &str, start: i64, length: i64) -> Option<&str> {
    let rest = text.get(offset_within(text, start)?..)?;
    rest.get(..offset_within(rest, length.max(0))?)
}

fn characters(cx: &mut Call, text: &str) -> Eval {
    cx.tick(text.chars().count())?;
    cx.vector(text.chars().map(Value::from).collect())
}
