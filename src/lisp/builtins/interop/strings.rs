//! Methods of strings; some take a vector or set too. Indices count characters.

use ecow::EcoString;

use crate::lisp::builtins::logic::{equal, tick_nested};
use crate::lisp::builtins::math::index;
use crate::lisp::error::{Eval, type_error};
use crate::lisp::eval::{Interpreter, infinite};
use crate::lisp::limits::MAX_STRING;
use crate::lisp::print::Style;
use crate::lisp::value::Value;

use super::characters::single;

pub(super) fn length(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(text)] = args else { return wrong(".length", args) };
    cx.tick_text(text)?;
    Ok(Value::from(text.chars().count()))
}

pub(super) fn is_empty(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(text)] = args else { return wrong(".isEmpty", args) };
    Ok(Value::Bool(text.is_empty()))
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
    let from = usize::try_from(index(".startsWith", from)?).ok();
    cx.tick_text(text)?;
    let rest = from.and_then(|from| byte_offset(text, from)).and_then(|at| text.get(at..));
    Ok(Value::Bool(rest.is_some_and(|rest| rest.starts_with(start.as_str()))))
}

pub(super) fn ends_with(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(text), Value::Str(end)] = args else { return wrong(".endsWith", args) };
    cx.tick_text(end)?;
    Ok(Value::Bool(text.ends_with(end.as_str())))
}

pub(super) fn index_of(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text), Value::Str(part), from @ ..] => {
            let from = from.first().map_or(Ok(0), |from| index(".indexOf", from))?;
            cx.tick_text(text)?;
            let start = byte_offset(text, from.max(0) as usize).unwrap_or(text.len());
            let (before, rest) = text.split_at(start);
            let found = rest.find(part.as_str()).and_then(|at| text.get(..before.len() + at));
            Ok(found.map_or(Value::Int(-1), |before| before.chars().count().into()))
        }
        [Value::Vector(items) | Value::List(items), item] => {
            Ok(position(cx, items.iter(), item)?.map_or(Value::Int(-1), Value::from))
        }
        _ => wrong(".indexOf", args),
    }
}

pub(super) fn last_index_of(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text), Value::Str(part), from @ ..] => {
            let from = from.first().map_or(Ok(i64::MAX), |from| index(".lastIndexOf", from))?;
            cx.tick_text(text)?;
            let searched = usize::try_from(from).ok().map(|from| ends_by(text, part, from));
            let found = searched.and_then(|searched| Some(&searched[..searched.rfind(part.as_str())?]));
            Ok(found.map_or(Value::Int(-1), |before| before.chars().count().into()))
        }
        [Value::Vector(items) | Value::List(items), item] => {
            let from_end = position(cx, items.iter().rev(), item)?;
            Ok(from_end.map_or(Value::Int(-1), |at| Value::from(items.len() - 1 - at)))
        }
        _ => wrong(".lastIndexOf", args),
    }
}

pub(super) fn compare_to(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(a), Value::Str(b)] = args else { return wrong(".compareTo", args) };
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
            Ok(Value::Bool(a.chars().map(folded).eq(b.chars().map(folded))))
        }
        [Value::Str(_), Value::Nil] => Ok(Value::Bool(false)),
        _ => wrong(".equalsIgnoreCase", args),
    }
}

pub(super) fn substring(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(text), bounds @ ..] = &*args else { return wrong(".substring", args) };
    cx.tick_text(text)?;
    let mut cut = text.as_str();
    // The end first: it must not be measured from the start.
    for (bound, is_end) in bounds.iter().zip([false, true]).rev() {
        let at = usize::try_from(index(".substring", bound)?).ok().and_then(|at| byte_offset(cut, at));
        let Some(at) = at else {
            let expected = format!("an index from 0 to {}", cut.chars().count());
            return type_error(".substring", &expected, bound);
        };
        cut = if is_end { &cut[..at] } else { &cut[at..] };
    }
    cx.string(cut)
}

pub(super) fn split(_cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    wrong(".split", args)
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
    match usize::try_from(index(".charAt", at)?).ok().and_then(|at| text.chars().nth(at)) {
        Some(character) => Ok(Value::Str(EcoString::from(character))),
        None => type_error(".charAt", &format!("an index below {}", text.chars().count()), at),
    }
}

pub(super) fn equals(cx: &mut Interpreter<'_>, args: &[Value]) -> Eval {
    let [a, b] = args else { return Ok(Value::Nil) };
    equal(cx, a, b).map(Value::Bool)
}

pub(super) fn to_string(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Generator(_)] => infinite(),
        [Value::Str(text)] => Ok(Value::Str(text.clone())),
        [value] => {
            let text = cx.print_with(Style::Readable, |printer| printer.write_str_argument(value))?;
            cx.string(text)
        }
        _ => Ok(Value::Nil),
    }
}

/// Upper case first, for letters that have two lower cases.
fn folded(character: char) -> char {
    let upper = single(character, character.to_uppercase());
    single(upper, upper.to_lowercase())
}

/// Stops soon after the longest string, which then is refused.
fn replaced(text: &str, old: &str, new: &str) -> EcoString {
    let mut out = EcoString::new();
    for (number, part) in text.split(old).enumerate() {
        if number > 0 {
            out.push_str(new);
        }
        out.push_str(part);
        if out.len() > MAX_STRING {
            break;
        }
    }
    out
}

/// The start of the text that a part ends in if it begins at this character or before.
fn ends_by<'a>(text: &'a str, part: &str, from: usize) -> &'a str {
    let start = byte_offset(text, from).unwrap_or(text.len());
    let end = start.saturating_add(part.len()).min(text.len());
    (0..=end).rev().find_map(|end| text.get(..end)).unwrap_or(text)
}

/// Where the character of this number begins; the end of the text counts as one.
fn byte_offset(text: &str, characters: usize) -> Option<usize> {
    let starts = text.char_indices().map(|(at, _)| at);
    starts.chain([text.len()]).nth(characters)
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
