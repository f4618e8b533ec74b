//! Regular expressions. `split` and `replace` belong to the strings.

use super::interop::parse_long;
use super::text::{Whole, split_text};
use crate::builtins::prelude::*;
use crate::regexp::{self, Match, Regex, invalid_regex};

/// Approximate size of a compiled pattern.
const BYTES_PER_EFFORT: usize = 128;

builtins! {
    pub(super) static ROWS;

    "extract" = extract;
    "extract-int" = |cx: &mut Call, pattern: Pattern, text: &Value, group: Option<Whole>, default: Option<Value>| -> Eval {
        let found = match extract(cx, pattern, text, group)? {
            Value::Str(digits) => parse_long(&digits).map(Value::Int),
            _ => None,
        };
        Ok(found.or(default).unwrap_or_default())
    };
    "re-find" = |cx: &mut Call, Pattern(regex): Pattern, text: &Value| -> Eval {
        search(cx, text, |cx, text| match_or_nil(cx, regex.find(text)))
    };
    "re-matches" = re_matches;
    "re-pattern" = re_pattern;
    "re-seq" = |cx: &mut Call, Pattern(regex): Pattern, text: &Value| -> Eval {
        search(cx, text, |cx, text| {
            let mut found = Vec::new();
            for one in regex.matches(text).take(MAX_ITEMS + 1) {
                found.push(match_value(cx, &one)?);
            }
            if found.is_empty() { Ok(Value::Nil) } else { cx.list(found) }
        })
    };
    "re-split" = |cx: &mut Call, separator: &Value, text: &str| split_text(cx, text, separator, 0);
}

/// A regex, or a string compiled to one.
pub(super) struct Pattern(pub Arc<Regex>);

from_value! {
    Pattern: |cx, value| match value {
        Value::Regex(regex) => Ok(Pattern(regex.clone())),
        Value::Str(source) => compile(cx, source).map(Pattern),
        other => cx.type_error("a regex", other),
    };
}

/// The whole match as a string, or a vector of it and its groups if the pattern has any.
pub(super) fn match_value(cx: &mut Interpreter<'_>, found: &Match<'_>) -> Eval {
    if !found.has_groups() {
        return cx.string(found.as_str());
    }
    let mut groups = Vec::new();
    for group in found.groups() {
        groups.push(string_or_nil(cx, group)?);
    }
    cx.vector(groups)
}

fn match_or_nil(cx: &mut Interpreter<'_>, found: Option<Match<'_>>) -> Eval {
    match found {
        Some(found) => match_value(cx, &found),
        None => Ok(Value::Nil),
    }
}

fn string_or_nil(cx: &mut Interpreter<'_>, text: Option<&str>) -> Eval {
    match text {
        Some(text) => cx.string(text),
        None => Ok(Value::Nil),
    }
}

/// Compiles a pattern made by a program. The cache, which all programs fill, does not change the cost.
pub(super) fn compile(cx: &mut Interpreter<'_>, source: &str) -> Eval<Arc<Regex>> {
    compile_with(cx, source, regexp::effort(source))
}

fn compile_with(cx: &mut Interpreter<'_>, source: &str, effort: usize) -> Eval<Arc<Regex>> {
    cx.tick_pattern(effort)?;
    match Regex::of(source) {
        Ok(regex) => Ok(regex),
        Err(reason) => raise(ErrorKind::RegexError, invalid_regex(source, &reason)),
    }
}

fn re_pattern(cx: &mut Call, source: Value) -> Eval {
    match &source {
        Value::Regex(_) => Ok(source),
        Value::Str(source) => {
            let effort = regexp::effort(source);
            cx.allocate(BYTES_PER_EFFORT * effort)?;
            compile_with(cx, source, effort).map(Value::Regex)
        }
        other => cx.type_error("a string", other),
    }
}

pub(super) fn re_matches(cx: &mut Call, Pattern(regex): Pattern, text: &Value) -> Eval {
    search(cx, text, |cx, text| match_or_nil(cx, regex.find_whole(text)))
}

fn extract(cx: &mut Call, Pattern(regex): Pattern, text: &Value, group: Option<Whole>) -> Eval {
    let Whole(group) = group.unwrap_or(Whole(1));
    search(cx, text, |cx, text| match (regex.find(text), usize::try_from(group)) {
        (Some(found), Ok(number)) => string_or_nil(cx, found.group(number)),
        _ => Ok(Value::Nil),
    })
}

/// Searches a text, a tick for 16 bytes. Nothing is found in nil.
fn search(cx: &mut Call, text: &Value, find: impl FnOnce(&mut Call, &str) -> Eval) -> Eval {
    match text {
        Value::Str(text) => {
            cx.tick(text.len() / 16)?;
            find(cx, text)
        }
        Value::Nil => Ok(Value::Nil),
        other => cx.type_error("a string to search", other),
    }
}
