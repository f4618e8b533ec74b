//! Strings. Indices count code points. Splitting, replacing and formatting have modules of their own.

use super::format::format_arguments;
use super::interop::{parse_double, parse_long};
use super::print::as_string;
use super::replace::{escape, quoted_replacement, replace_first};
use super::text::{
    Converted, Whole, append, byte_offset, changed, code_point_index, find_last, is_whitespace, push,
    split_lines, split_text, text_of,
};
use crate::atom::NAMED_CHARACTERS;
use crate::builtins::prelude::*;
use crate::symbol::Symbol;

builtins! {
    pub(super) static ROWS;

    "blank?" = is_blank;
    "capitalize" = |cx: &mut Call, Converted(text): Converted| -> Eval {
        let mut characters = text.chars();
        let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
        cx.string(first + &characters.as_str().to_lowercase())
    };
    "char" = char;
    "char-escape-string" = char_escape_string;
    "char-name-string" = |cx: &mut Call, character: &Value, default: Option<Value>| -> Eval {
        for (name, named) in NAMED_CHARACTERS.iter() {
            if character.as_character() == Some(*named) {
                return cx.string(*name);
            }
        }
        Ok(default.unwrap_or_default())
    };
    "downcase" = lower_case;
    "ends-with?" = |cx: &mut Call, Converted(text): Converted, part: &Value| sought(cx, &text, part).map(|part| text.ends_with(part));
    "escape" = escape;
    "format" = format;
    "includes?" = |cx: &mut Call, Converted(text): Converted, part: &Value| sought(cx, &text, part).map(|part| text.contains(part));
    "index-of" = |cx: &mut Call, Converted(text): Converted, part: &Value, from: Option<Whole>| -> Eval {
        let part = sought(cx, &text, part)?;
        let from = from.map_or(0, |Whole(from)| byte_offset(&text, from));
        let found = text[from..].find(part);
        match found {
            Some(at) => Ok(Value::Int(code_point_index(&text, from + at))),
            None => Ok(Value::Nil),
        }
    };
    "join" = join;
    "keyword" = keyword;
    "last-index-of" = |cx: &mut Call, Converted(text): Converted, part: &Value, from: Option<Whole>| -> Eval {
        let part = sought(cx, &text, part)?;
        let found = find_last(&text, part, from.map_or(i64::MAX, |Whole(from)| from));
        Ok(found.map_or(Value::Nil, Value::Int))
    };
    "lower-case" = lower_case;
    "name" = name;
    "namespace" = namespace;
    "parse-boolean" = |text: &Value| -> Value {
        match text {
            Value::Str(text) => text.parse().map_or(Value::Nil, Value::Bool),
            _ => Value::Nil,
        }
    };
    "parse-double" = |cx: &mut Call, text: &Value| -> Eval {
        let Value::Str(text) = text else { return Ok(Value::Nil) };
        cx.tick_text(text)?;
        Ok(parse_double(text).map_or(Value::Nil, Value::float))
    };
    "parse-int" = parse_integer;
    "parse-long" = parse_integer;
    // Java also reads groups with fewer digits.
    "parse-uuid" = |cx: &mut Call, text: &str| -> Eval {
        if is_uuid(text) { cx.string(text.to_lowercase()) } else { Ok(Value::Nil) }
    };
    "pr-str" = |cx: &mut Call, values: &mut [Value]| as_string(cx, Style::Readable, values, "");
    "re-quote-replacement" = quoted_replacement;
    "replace-first" = replace_first;
    "split" = split;
    "split-lines" = split_lines;
    "starts-with?" = |cx: &mut Call, Converted(text): Converted, part: &Value| sought(cx, &text, part).map(|part| text.starts_with(part));
    "str" = str;
    "str/reverse" = |cx: &mut Call, text: &str| changed(cx, text, |text| text.chars().rev().collect::<EcoString>());
    "subs" = |cx: &mut Call, text: &str, Whole(start): Whole, end: Option<Whole>| -> Eval {
        let end = end.map_or(text.len(), |Whole(end)| byte_offset(text, end));
        cx.tick(end / 64)?;
        cx.string(text.get(byte_offset(text, start)..end).unwrap_or(""))
    };
    "trim" = trim;
    "trim-newline" = |cx: &mut Call, text: &str| changed(cx, text, |text| text.trim_end_matches(['\n', '\r']));
    "triml" = trim_start;
    "trimr" = trim_end;
    "upcase" = upper_case;
    "upper-case" = upper_case;
}

fn is_uuid(text: &str) -> bool {
    if text.len() != 36 {
        return false;
    }
    for (at, byte) in text.bytes().enumerate() {
        let is_valid = match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        };
        if !is_valid {
            return false;
        }
    }
    true
}

fn char_escape_string(cx: &mut Call, character: &Value, default: Option<Value>) -> Eval {
    let escape = match character.as_character() {
        Some('\n') => r"\n",
        Some('\t') => r"\t",
        Some('\r') => r"\r",
        Some('"') => "\\\"",
        Some('\\') => r"\\",
        Some('\x0c') => r"\f",
        Some('\x08') => r"\b",
        _ => return Ok(default.unwrap_or_default()),
    };
    cx.string(escape)
}

pub(super) fn str(cx: &mut Call, parts: &mut [Value]) -> Eval {
    let mut text = EcoString::new();
    let mut others = parts;
    // Appends in place if the first text is not shared.
    if let [Value::Str(first), rest @ ..] = others {
        cx.tick_text(first)?;
        (text, others) = (std::mem::take(first), rest);
    }
    for value in others {
        append(cx, &mut text, value)?;
    }
    cx.string(text)
}

pub(super) fn join(cx: &mut Call, first: Value, second: Option<Value>) -> Eval {
    let (separator, items) = match second {
        Some(items) => (text_of(cx, first)?, items),
        None => (EcoString::new(), first),
    };
    let items = cx.all(items)?;
    let mut text = EcoString::new();
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            push(&mut text, &separator);
        }
        append(cx, &mut text, item)?;
    }
    cx.string(text)
}

fn split(cx: &mut Call, text: &Value, separator: &Value, limit: Option<Whole>) -> Eval {
    match text {
        Value::Str(text) => split_text(cx, text, separator, limit.map_or(0, |Whole(limit)| limit)),
        Value::Regex(_) => {
            let hint = "Arguments look swapped; use (split text separator)";
            type_error_hint(cx.name, "a string", text, hint)
        }
        other => cx.type_error("a string", other),
    }
}

pub(super) fn trim(cx: &mut Call, text: &str) -> Eval {
    changed(cx, text, |text| text.trim_matches(is_whitespace))
}

pub(super) fn trim_start(cx: &mut Call, text: &str) -> Eval {
    changed(cx, text, |text| text.trim_start_matches(is_whitespace))
}

pub(super) fn trim_end(cx: &mut Call, text: &str) -> Eval {
    changed(cx, text, |text| text.trim_end_matches(is_whitespace))
}

fn upper_case(cx: &mut Call, Converted(text): Converted) -> Eval {
    cx.string(text.to_uppercase())
}

fn lower_case(cx: &mut Call, Converted(text): Converted) -> Eval {
    cx.string(text.to_lowercase())
}

/// The string to look for. The error has a hint if the text is that of a collection.
fn sought<'a>(cx: &Call, text: &str, part: &'a Value) -> Eval<&'a str> {
    const EXPECTED: &str = "a string to look for";
    match part {
        Value::Str(part) => Ok(part),
        _ if !text.starts_with(['[', '(', '#', '{']) => cx.type_error(EXPECTED, part),
        _ => {
            let instead =
                if cx.name.ends_with("index-of") { "(.indexOf coll x)" } else { "(some #{x} coll)" };
            type_error_hint(cx.name, EXPECTED, part, &format!("For items of a collection use {instead}"))
        }
    }
}

fn is_blank(cx: &mut Call, text: &Value) -> Eval<bool> {
    match text {
        Value::Nil => Ok(true),
        Value::Str(text) => {
            cx.tick_text(text)?;
            Ok(text.chars().all(is_whitespace))
        }
        other => cx.type_error("a string", other),
    }
}

pub(super) fn format(cx: &mut Call, AtLeast(arguments): AtLeast<1>) -> Eval {
    let text = format_arguments(cx, arguments)?;
    cx.string(text)
}

fn name(cx: &mut Call, value: Value) -> Eval {
    match value {
        Value::Str(_) => Ok(value),
        Value::Keyword(keyword) => keyword_name(cx, keyword),
        other => cx.type_error("a keyword or string", &other),
    }
}

pub(super) fn keyword_name(cx: &mut Call, keyword: Symbol) -> Eval {
    cx.string(parts_of(keyword.name()).1)
}

pub(super) fn namespace(cx: &mut Call, keyword: Symbol) -> Eval {
    match parts_of(keyword.name()).0 {
        Some(namespace) => cx.string(namespace),
        None => Ok(Value::Nil),
    }
}

/// The namespace and the name of a keyword, divided by the first slash.
fn parts_of(keyword: &str) -> (Option<&str>, &str) {
    match keyword.split_once('/') {
        Some((namespace, name)) if keyword != "/" => (Some(namespace), name),
        _ => (None, keyword),
    }
}

fn keyword(cx: &mut Call, first: &Value, second: Option<&Value>) -> Eval {
    match (first, second) {
        (Value::Keyword(name), None) => Ok(Value::Keyword(*name)),
        (Value::Str(name), None) | (Value::Nil, Some(Value::Str(name))) => keyword_named(cx, name),
        (_, None) => Ok(Value::Nil),
        (Value::Str(namespace), Some(Value::Str(name))) => keyword_named(cx, &format!("{namespace}/{name}")),
        (Value::Str(_) | Value::Nil, Some(other)) | (other, _) => cx.type_error("a string", other),
    }
}

/// Names are never freed, so each costs what a string does, and its entry.
fn keyword_named(cx: &mut Call, name: &str) -> Eval {
    cx.tick_text(name)?;
    cx.allocate(name.len() + 32)?;
    Ok(Value::keyword(name))
}

pub(super) fn char(cx: &mut Call, value: Value) -> Eval {
    let code_point = match &value {
        Value::Str(text) if text.chars().nth(1).is_none() && !text.is_empty() => return Ok(value),
        Value::Int(code_point) => *code_point,
        Value::Float(number, ..) => *number as i64,
        other => return cx.type_error("a code point", other),
    };
    match u32::try_from(code_point).ok().and_then(char::from_u32) {
        Some(c) => cx.string(EcoString::from(c)),
        None => cx.type_error("a code point", &Value::Int(code_point)),
    }
}

fn parse_integer(cx: &mut Call, text: &Value) -> Eval {
    let Value::Str(text) = text else { return Ok(Value::Nil) };
    cx.tick_text(text)?;
    Ok(parse_long(text).map_or(Value::Nil, Value::Int))
}
