//! Methods of strings; some take a vector or set too. Indices count characters.

use ecow::EcoString;

use crate::builtins::logic::{equal, tick_nested};
use crate::builtins::regex::compile;
use crate::builtins::seq::compare;
use crate::builtins::split::split_text;
use crate::builtins::text::{byte_offset, code_point_index, push, text_of, whole_number};
use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::exception::{Class, of_class};
use crate::value::Value;

use super::characters::single;

pub(super) fn length(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if let [Value::Vector(items)] = args {
        return Ok(Value::from(items.len()));
    }
    let [Value::Str(text)] = args else { return wrong(".length", args) };
    cx.tick_text(text)?;
    Ok(Value::from(text.chars().count()))
}

pub(super) fn is_empty(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    Ok(Value::Bool(match args {
        [Value::Str(text)] => text.is_empty(),
        [Value::Vector(items) | Value::List(items)] => items.is_empty(),
        [Value::Map(map)] => map.is_empty(),
        [Value::Set(set)] => set.is_empty(),
        _ => return type_error(".isEmpty", "a string or a collection", args.first().unwrap_or(&Value::Nil)),
    }))
}

/// A method that makes another string of one.
pub(super) fn changed(
    cx: &mut Interpreter<'_>,
    name: &str,
    change: fn(&str) -> EcoString,
    args: &[Value],
) -> Eval {
    let [Value::Str(text)] = args else { return wrong(name, args) };
    cx.tick_text(text)?;
    cx.string(change(text))
}

pub(super) fn contains(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text), Value::Str(part)] => {
            cx.tick_text(text)?;
            Ok(Value::Bool(text.contains(part.as_str())))
        }
        [Value::Vector(items) | Value::List(items), item] => {
            Ok(Value::Bool(position(cx, items.iter(), item)?.is_some()))
        }
        [Value::Set(set), item] => {
            tick_nested(cx, item)?;
            Ok(Value::Bool(set.contains(item)))
        }
        _ => wrong(".contains", args),
    }
}

pub(super) fn starts_with(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let ([Value::Str(text), Value::Str(start)] | [Value::Str(text), Value::Str(start), _]) = &*args else {
        return wrong(".startsWith", args);
    };
    cx.tick_text(start)?;
    let Some(from) = args.get(2) else { return Ok(Value::Bool(text.starts_with(start.as_str()))) };
    let from = whole_number(".startsWith", from)?;
    cx.tick_text(text)?;
    let rest = offset_within(text, from).and_then(|at| text.get(at..));
    Ok(Value::Bool(rest.is_some_and(|rest| rest.starts_with(start.as_str()))))
}

pub(super) fn ends_with(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(text), Value::Str(end)] = args else { return wrong(".endsWith", args) };
    cx.tick_text(end)?;
    Ok(Value::Bool(text.ends_with(end.as_str())))
}

pub(super) fn index_of(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    name_code_point(args);
    match args {
        [Value::Str(text), Value::Str(part), from @ ..] => {
            let from = from.first().map_or(Ok(0), |from| whole_number(".indexOf", from))?;
            cx.tick_text(text)?;
            let (before, rest) = text.split_at(byte_offset(text, from));
            let found = rest.find(part.as_str()).map(|at| code_point_index(text, before.len() + at));
            Ok(Value::Int(found.unwrap_or(-1)))
        }
        [Value::Vector(items) | Value::List(items), item] => {
            Ok(position(cx, items.iter(), item)?.map_or(Value::Int(-1), Value::from))
        }
        _ => wrong(".indexOf", args),
    }
}

pub(super) fn last_index_of(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    name_code_point(args);
    match args {
        [Value::Str(text), Value::Str(part), from @ ..] => {
            let from = from.first().map_or(Ok(i64::MAX), |from| whole_number(".lastIndexOf", from))?;
            cx.tick_text(text)?;
            let searched = if from < 0 { None } else { Some(ends_by(text, part, from)) };
            let found = searched.and_then(|searched| searched.rfind(part.as_str()));
            Ok(Value::Int(found.map_or(-1, |at| code_point_index(text, at))))
        }
        [Value::Vector(items) | Value::List(items), item] => {
            let from_end = position(cx, items.iter().rev(), item)?;
            Ok(from_end.map_or(Value::Int(-1), |at| Value::from(items.len() - 1 - at)))
        }
        _ => wrong(".lastIndexOf", args),
    }
}

/// A character that is given as its code point.
fn name_code_point(args: &mut [Value]) {
    if let [Value::Str(_), part @ Value::Int(_), ..] = args
        && let Value::Int(code) = *part
        && let Some(character) = u32::try_from(code).ok().and_then(char::from_u32)
    {
        *part = Value::Str(EcoString::from(character));
    }
}

pub(super) fn compare_to(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let (a, b) = match args {
        [Value::Str(a), Value::Str(b)] => (a, b),
        [Value::Keyword(a), Value::Keyword(b)] => {
            (&mut EcoString::from(a.name()), &mut EcoString::from(b.name()))
        }
        [Value::Str(_) | Value::Keyword(_), _] => return wrong(".compareTo", args),
        [a, b] if a.type_name() == b.type_name() => {
            return Ok(Value::Int(compare(cx, a, b)? as i64));
        }
        _ => return wrong(".compareTo", args),
    };
    cx.tick_text(a)?;
    cx.tick_text(b)?;
    let differing = a.chars().zip(b.chars()).find(|(a, b)| a != b);
    let by_length = || a.chars().count() as i64 - b.chars().count() as i64;
    Ok(Value::Int(
        differing.map_or_else(by_length, |(a, b)| i64::from(u32::from(a)) - i64::from(u32::from(b))),
    ))
}

pub(super) fn equals_ignoring_case(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(a), Value::Str(b)] => {
            cx.tick_text(a)?;
            cx.tick_text(b)?;
            Ok(Value::Bool(a.chars().map(folded).eq(b.chars().map(folded))))
        }
        [Value::Str(_), Value::Nil] => Ok(Value::Bool(false)),
        _ => wrong(".equalsIgnoreCase", args),
    }
}

/// What an index outside of a string is.
const OUTSIDE: Class = Class::StringIndexOutOfBoundsException;

pub(super) fn substring(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(text), bounds @ ..] = &*args else { return wrong(".substring", args) };
    cx.tick_text(text)?;
    let mut cut = text.as_str();
    // The end first: it must not be measured from the start.
    for (bound, is_end) in bounds.iter().zip([false, true]).rev() {
        let Some(at) = offset_within(cut, whole_number(".substring", bound)?) else {
            let expected = format!("an index from 0 to {}", code_point_index(cut, cut.len()));
            return type_error(".substring", &expected, bound).map_err(of_class(OUTSIDE));
        };
        cut = if is_end { &cut[..at] } else { &cut[at..] };
    }
    cx.string(cut)
}

pub(super) fn split(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(text), Value::Str(pattern)] = &*args else { return wrong(".split", args) };
    let regex = compile(cx, pattern)?;
    split_text(cx, ".split", text, &Value::Regex(regex), 0)
}

pub(super) fn replace(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text), Value::Str(old), Value::Str(new)] => {
            cx.tick_text(text)?;
            cx.string(replaced(text, old, new))
        }
        [Value::Str(_), Value::Str(_), other] | [Value::Str(_), other, _] => {
            type_error(".replace", "a string", other)
        }
        _ => wrong(".replace", args),
    }
}

pub(super) fn char_at(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(text), at] = &*args else { return wrong(".charAt", args) };
    cx.tick_text(text)?;
    let found = offset_within(text, whole_number(".charAt", at)?);
    match found.and_then(|found| text.get(found..)?.chars().next()) {
        Some(character) => Ok(Value::Str(EcoString::from(character))),
        None => type_error(".charAt", &format!("an index below {}", text.chars().count()), at)
            .map_err(of_class(OUTSIDE)),
    }
}

pub(super) fn equals(cx: &mut Interpreter<'_>, args: &[Value]) -> Eval {
    let [a, b] = args else { return Ok(Value::Nil) };
    equal(cx, a, b).map(Value::Bool)
}

pub(super) fn to_string(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [value] = args else { return Ok(Value::Nil) };
    let text = text_of(cx, value.take())?;
    cx.string(text)
}

/// Upper case first, for letters that have two lower cases.
fn folded(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    let upper = single(character, character.to_uppercase());
    single(upper, upper.to_lowercase())
}

fn replaced(text: &str, old: &str, new: &str) -> EcoString {
    let mut out = EcoString::new();
    for (number, part) in text.split(old).enumerate() {
        if number > 0 {
            push(&mut out, new);
        }
        push(&mut out, part);
    }
    out
}

/// The start of the text that a part ends in if it begins at this character or before.
fn ends_by<'a>(text: &'a str, part: &str, from: i64) -> &'a str {
    let end = byte_offset(text, from).saturating_add(part.len()).min(text.len());
    (0..=end).rev().find_map(|end| text.get(..end)).unwrap_or(text)
}

/// As [`byte_offset`], but none outside the text.
fn offset_within(text: &str, index: i64) -> Option<usize> {
    let len = || code_point_index(text, text.len());
    let within = index == 0 || index > 0 && (byte_offset(text, index) < text.len() || index == len());
    within.then(|| byte_offset(text, index))
}

fn position<'a>(
    cx: &mut Interpreter<'_>,
    items: impl Iterator<Item = &'a Value>,
    item: &Value,
) -> Eval<Option<usize>> {
    for (at, other) in items.enumerate() {
        cx.tick(1)?;
        if equal(cx, other, item)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// The type error of the first argument that is no string.
fn wrong(name: &str, args: &[Value]) -> Eval {
    let wrong = args.iter().find(|value| !matches!(value, Value::Str(_)));
    type_error(name, "a string", wrong.unwrap_or(&Value::Nil))
}
