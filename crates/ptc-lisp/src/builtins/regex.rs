//! Regular expressions. `split` and `replace` stand with the strings.

use triomphe::Arc;

use super::interop::parse_long;
use super::split::split_text;
use super::text::whole_number;
use super::{between, builtins, exactly};
use crate::error::{ErrorKind, Eval, raise, type_error};
use crate::eval::Interpreter;
use crate::limits::MAX_ITEMS;
use crate::regexp::{self, Match, Regex, invalid_regex};
use crate::value::Value;

/// What a compiled pattern takes, roughly.
const BYTES_PER_EFFORT: usize = 128;

builtins! {
    pub(super) static ROWS;

    /// A capture group (the first by default) of the first match, or nil.
    "extract" [between(2, 3)] = extract => r##"(extract #"id=(\d+)" "id=42;") ;=> "42""##
    /// As extract, parsed as an integer; a fourth argument is the default.
    "extract-int" [between(2, 4)] = extract_int => r##"(extract-int #"id=(\d+)" "id=42;") ;=> 42"##
    /// The first match: a string, or [whole group…] if the pattern has groups; nil if none.
    "re-find" [exactly(2)] = re_find => r##"(re-find #"(\d)(x)?" "a1") ;=> ["1" "1" nil]"##
    /// The match of the whole string, as re-find gives it; nil if it does not match.
    "re-matches" [exactly(2)] = re_matches => r##"(re-matches #"\d+" "12a") ;=> nil"##
    /// A regex made of a string.
    "re-pattern" [exactly(1)] = re_pattern => r##"(re-find (re-pattern "b+") "abb") ;=> "bb""##
    /// All matches, each as re-find gives it; nil if none.
    "re-seq" [exactly(2)] = re_seq => r##"(re-seq #"\d" "a1b2") ;=> ("1" "2")"##
    /// The pieces between the matches of a regex.
    "re-split" [exactly(2)] = re_split => r##"(re-split #",+" "a,,b") ;=> ["a" "b"]"##
}

/// The whole match as a string, or a vector of it and its groups if the pattern has any.
pub(super) fn match_value(cx: &mut Interpreter<'_>, found: &Match<'_>) -> Eval {
    if !found.has_groups() {
        return cx.string(found.as_str());
    }
    let groups = found.groups().map(|group| group.map_or(Ok(Value::Nil), |text| cx.string(text)));
    let groups = groups.collect::<Eval<Vec<Value>>>()?;
    cx.vector(groups)
}

/// Compiles a pattern that a program made. Whether it has been compiled before makes no difference to
/// what that costs, since other programs may have done so.
pub(super) fn compile(cx: &mut Interpreter<'_>, source: &str) -> Eval<Arc<Regex>> {
    compile_with(cx, source, regexp::effort(source))
}

fn compile_with(cx: &mut Interpreter<'_>, source: &str, effort: usize) -> Eval<Arc<Regex>> {
    cx.tick_pattern(effort)?;
    Regex::of(source).or_else(|reason| raise(ErrorKind::RegexError, invalid_regex(source, &reason)))
}

fn re_pattern(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Regex(regex)] => Ok(Value::Regex(regex.clone())),
        [Value::Str(source)] => {
            let effort = regexp::effort(source);
            cx.allocate(BYTES_PER_EFFORT * effort)?;
            Ok(Value::Regex(compile_with(cx, source, effort)?))
        }
        _ => type_error("re-pattern", "a string", args.first().unwrap_or(&Value::Nil)),
    }
}

fn re_find(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    search(cx, "re-find", args, |cx, regex, text| {
        regex.find(text).map_or(Ok(Value::Nil), |found| match_value(cx, &found))
    })
}

fn re_matches(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    search(cx, "re-matches", args, |cx, regex, text| {
        regex.find_whole(text).map_or(Ok(Value::Nil), |found| match_value(cx, &found))
    })
}

fn re_seq(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    search(cx, "re-seq", args, |cx, regex, text| {
        let matches = regex.matches(text).take(MAX_ITEMS + 1);
        let found = matches.map(|found| match_value(cx, &found)).collect::<Eval<Vec<Value>>>()?;
        if found.is_empty() { Ok(Value::Nil) } else { cx.list(found) }
    })
}

fn re_split(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [separator, Value::Str(text)] => split_text(cx, "re-split", text, separator, 0),
        [_, other] => type_error("re-split", "a string", other),
        _ => type_error("re-split", "a regex", &Value::Nil),
    }
}

fn extract(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    extract_group(cx, "extract", args)
}

fn extract_int(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let default = args.get_mut(3).map(Value::take).unwrap_or_default();
    match extract_group(cx, "extract-int", args)? {
        Value::Str(digits) => Ok(parse_long(&digits).map_or(default, Value::Int)),
        _ => Ok(default),
    }
}

fn extract_group(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value]) -> Eval {
    let number = args.get(2).map_or(Ok(1), |number| whole_number(name, number))?;
    search(cx, name, args, |cx, regex, text| {
        let found = regex.find(text);
        let group = found.and_then(|found| found.group(usize::try_from(number).ok()?));
        group.map_or(Ok(Value::Nil), |text| cx.string(text))
    })
}

/// Looks for a pattern in a text; there is nothing in nil. Searching costs a tick for 16 bytes.
fn search(
    cx: &mut Interpreter<'_>,
    name: &str,
    args: &[Value],
    look: impl FnOnce(&mut Interpreter<'_>, &Regex, &str) -> Eval,
) -> Eval {
    let made;
    let regex = match args.first() {
        Some(Value::Regex(regex)) => regex,
        Some(Value::Str(source)) => {
            made = compile(cx, source)?;
            &made
        }
        other => return type_error(name, "a regex", other.unwrap_or(&Value::Nil)),
    };
    match args.get(1) {
        Some(Value::Str(text)) => {
            cx.tick(text.len() / 16)?;
            look(cx, regex, text)
        }
        None | Some(Value::Nil) => Ok(Value::Nil),
        Some(other) => type_error(name, "a string to search", other),
    }
}
