//! Strings. What is visible counts in code points. Splitting, replacing and
//! formatting stand in files of their own.

use ecow::EcoString;

use super::format::format_arguments;
use super::interop::{parse_double, parse_long};
use super::replace::{escape, quoted_replacement, replace_first};
use super::text::{
    append, byte_offset, code_point_index, converted, is_whitespace, not_text, push, short_text, text_of,
    whole_number,
};
use super::{at_least, between, builtins, exactly};
use crate::error::{Eval, type_error, type_error_hint};
use crate::eval::Interpreter;
use crate::limits::MAX_STRING;
use crate::print::Style;
use crate::value::Value;

builtins! {
    pub(super) static ROWS;

    /// Whether a string is nil, empty or whitespace.
    "blank?" [exactly(1)] = is_blank => r#"(blank? " \t") ;=> true"#
    /// The first character in upper case, the others in lower case.
    "capitalize" [exactly(1)] = capitalize => r#"(capitalize "hELLO") ;=> "Hello""#
    /// The character of a code point, a string of length one.
    "char" [exactly(1)] = char => r#"(char 65) ;=> "A""#
    /// How a string shows the character, if not as itself; else nil or the default.
    "char-escape-string" [between(1, 2)] = |cx, args| character_text(cx, |row| row.1, args) =>
        r#"(char-escape-string \newline) ;=> "\\n""#
    /// The name of the character, if it has one; else nil or the default.
    "char-name-string" [between(1, 2)] = |cx, args| character_text(cx, |row| row.2, args) =>
        r#"(char-name-string \newline) ;=> "newline""#
    /// The same as lower-case.
    "downcase" [exactly(1)] = downcase => r#"(downcase "AB") ;=> "ab""#
    /// Whether a string ends with another.
    "ends-with?" [exactly(2)] = ends_with => r#"(ends-with? "abc" "bc") ;=> true"#
    /// Replaces the characters that a map has, each by its value.
    "escape" [exactly(2)] = escape => r#"(escape "a<b" {"<" "&lt;"}) ;=> "a&lt;b""#
    /// Formats values by a template as Java does: %s %d %.2f %x %e %,d %-5s %05d.
    "format" [at_least(1)] = format => r#"(format "%s: %.2f" "a" 2.345) ;=> "a: 2.35""#
    /// Whether a string contains another.
    "includes?" [exactly(2)] = includes => r#"(includes? "abc" "bc") ;=> true"#
    /// Where a string first occurs in another, from an index on; nil if nowhere.
    "index-of" [between(2, 3)] = index_of => r#"(index-of "abcb" "b" 2) ;=> 3"#
    /// The items as one string, with a separator between each two.
    "join" [between(1, 2)] = join => r#"(join ", " [1 nil :a]) ;=> "1, , :a""#
    /// The keyword of a name, or of a namespace and a name.
    "keyword" [between(1, 2)] = keyword => r#"(keyword "a" "b") ;=> :a/b"#
    /// Where a string last occurs in another, up to an index; nil if nowhere.
    "last-index-of" [between(2, 3)] = last_index_of => r#"(last-index-of "abcb" "b") ;=> 3"#
    /// The string in lower case.
    "lower-case" [exactly(1)] = lower_case => r#"(lower-case "AB") ;=> "ab""#
    /// The name of a keyword without its namespace; a string itself.
    "name" [exactly(1)] = name => r#"(name :a/b) ;=> "b""#
    /// The namespace of a keyword, or nil.
    "namespace" [exactly(1)] = namespace => r#"(namespace :a/b) ;=> "a""#
    /// The boolean that a string spells, or nil.
    "parse-boolean" [exactly(1)] = parse_boolean => r#"(parse-boolean "true") ;=> true"#
    /// The float that a string spells, or nil.
    "parse-double" [exactly(1)] = parse_float => r#"(parse-double "1e3") ;=> 1000.0"#
    /// The same as parse-long.
    "parse-int" [exactly(1)] = parse_integer => r#"(parse-int "42") ;=> 42"#
    /// The integer that a string spells, or nil.
    "parse-long" [exactly(1)] = parse_integer => r#"(parse-long "4.2") ;=> nil"#
    /// The string in lower case if it is a UUID, else nil.
    "parse-uuid" [exactly(1)] = parse_uuid => r#"(parse-uuid "x") ;=> nil"#
    /// Values as the reader reads them, with spaces between them.
    "pr-str" [at_least(0)] = pr_str => r#"(pr-str "a" [:b nil]) ;=> "\"a\" [:b nil]""#
    /// The text as a replacement that means itself.
    "re-quote-replacement" [exactly(1)] = quoted_replacement =>
        r#"(str/replace "a" #"a" (re-quote-replacement "$1")) ;=> "$1""#
    /// Replaces the first occurrence of a string or match of a regex.
    "replace-first" [exactly(3)] = replace_first => r#"(replace-first "aab" "a" "z") ;=> "zab""#
    /// The pieces between a separator, a string or a regex; empty ones at the end are dropped unless a
    /// negative limit is given.
    "split" [between(2, 3)] = split => r#"(split "a,b,,c,," ",") ;=> ["a" "b" "" "c"]"#
    /// The lines of a string; empty ones at the end are dropped.
    "split-lines" [exactly(1)] = split_lines => r#"(split-lines "a\nb\n") ;=> ["a" "b"]"#
    /// Whether a string starts with another.
    "starts-with?" [exactly(2)] = starts_with => r#"(starts-with? "abc" "ab") ;=> true"#
    /// The values as one string; nil is nothing.
    "str" [at_least(0)] = str => r#"(str "a" 1 nil :b) ;=> "a1:b""#
    /// The string from its end to its beginning.
    "str/reverse" [exactly(1)] = reverse => r#"(str/reverse "abc") ;=> "cba""#
    /// The part of a string from one index up to another; indices are clamped.
    "subs" [between(2, 3)] = subs => r#"(subs "hello" 1 3) ;=> "el""#
    /// The string without whitespace at its ends.
    "trim" [exactly(1)] = trim => r#"(trim " a \n") ;=> "a""#
    /// The string without line breaks at its end.
    "trim-newline" [exactly(1)] = trim_newline => r#"(trim-newline "a\n\n") ;=> "a""#
    /// The string without whitespace at its beginning.
    "triml" [exactly(1)] = triml => r#"(triml " a ") ;=> "a ""#
    /// The string without whitespace at its end.
    "trimr" [exactly(1)] = trimr => r#"(trimr " a ") ;=> " a""#
    /// The same as upper-case.
    "upcase" [exactly(1)] = upcase => r#"(upcase "ab") ;=> "AB""#
    /// The string in upper case.
    "upper-case" [exactly(1)] = upper_case => r#"(upper-case "ab") ;=> "AB""#
}

/// Characters, how strings show them, and what they are called.
const SPECIAL_CHARACTERS: [(&str, &str, &str); 8] = [
    ("\n", r"\n", "newline"),
    ("\t", r"\t", "tab"),
    ("\r", r"\r", "return"),
    ("\"", "\\\"", ""),
    ("\\", r"\\", ""),
    ("\x0c", r"\f", "formfeed"),
    ("\x08", r"\b", "backspace"),
    (" ", "", "space"),
];

fn character_text(
    cx: &mut Interpreter<'_>,
    text: fn(&(&'static str, &'static str, &'static str)) -> &'static str,
    args: &mut [Value],
) -> Eval {
    let found = match args.first() {
        Some(Value::Str(character)) => {
            SPECIAL_CHARACTERS.iter().find(|row| row.0 == character.as_str()).map(text)
        }
        _ => None,
    };
    match found.filter(|text| !text.is_empty()) {
        Some(text) => cx.string(text),
        None => Ok(args.get_mut(1).map(Value::take).unwrap_or_default()),
    }
}

fn str(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if let Some(text) = short_text(args) {
        return cx.string(text);
    }
    let mut text = EcoString::new();
    let mut others = args;
    // A text that nobody else holds is appended to in place.
    if let [Value::Str(first), rest @ ..] = others {
        cx.tick_text(first)?;
        (text, others) = (std::mem::take(first), rest);
    }
    // Growing part by part would move a short text several times.
    let more: usize = others.iter().map(length).sum();
    if others.len() > 1 && more > 0 {
        text.reserve(more.min(MAX_STRING));
    }
    for value in others {
        append(cx, &mut text, value)?;
    }
    cx.string(text)
}

/// How many bytes a value adds to a text, where that is quickly said.
fn length(part: &Value) -> usize {
    match part {
        Value::Str(text) => text.len(),
        Value::Int(number) => {
            usize::from(*number < 0)
                + number.unsigned_abs().checked_ilog10().map_or(1, |log| log as usize + 1)
        }
        _ => 0,
    }
}

fn pr_str(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = super::print::printed(cx, Style::Readable, args)?;
    cx.string(text)
}

fn subs(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let (text, start, end) = match args {
        [Value::Str(text), start] => (text, whole_number("subs", start)?, i64::MAX),
        [Value::Str(text), start, end] => (text, whole_number("subs", start)?, whole_number("subs", end)?),
        _ => return not_text("subs", args),
    };
    let end = byte_offset(text, end);
    cx.tick(end / 64)?;
    let part = text.get(byte_offset(text, start)..end).unwrap_or("");
    cx.string(part)
}

fn join(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let (separator, items) = match args {
        [separator, items] => (text_of(cx, separator.take())?, items.take()),
        _ => (EcoString::new(), args.first_mut().map(Value::take).unwrap_or_default()),
    };
    let items = cx.items("join", items)?;
    cx.tick(items.len())?;
    let mut text = EcoString::new();
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            push(&mut text, &separator);
        }
        append(cx, &mut text, item)?;
    }
    cx.string(text)
}

fn split(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text), separator] => super::split::split_text(cx, "split", text, separator, 0),
        [Value::Str(text), separator, limit] => {
            let limit = whole_number("split", limit)?;
            super::split::split_text(cx, "split", text, separator, limit)
        }
        [separator @ Value::Regex(_), ..] => {
            let hint = "Arguments look swapped; use (split text separator)";
            type_error_hint("split", "a string", separator, hint)
        }
        _ => not_text("split", args),
    }
}

fn split_lines(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text)] => super::split::split_lines(cx, text),
        _ => not_text("split-lines", args),
    }
}

fn trim(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    cut(cx, "trim", args, |text| text.trim_matches(is_whitespace))
}

fn triml(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    cut(cx, "triml", args, |text| text.trim_start_matches(is_whitespace))
}

fn trimr(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    cut(cx, "trimr", args, |text| text.trim_end_matches(is_whitespace))
}

fn trim_newline(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    cut(cx, "trim-newline", args, |text| text.trim_end_matches(['\n', '\r']))
}

fn cut(cx: &mut Interpreter<'_>, name: &str, args: &[Value], cut: fn(&str) -> &str) -> Eval {
    match args {
        [Value::Str(text)] => {
            cx.tick_text(text)?;
            cx.string(cut(text))
        }
        _ => not_text(name, args),
    }
}

fn upper_case(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    mapped(cx, "upper-case", args, str::to_uppercase)
}

fn upcase(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    mapped(cx, "upcase", args, str::to_uppercase)
}

fn lower_case(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    mapped(cx, "lower-case", args, str::to_lowercase)
}

fn downcase(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    mapped(cx, "downcase", args, str::to_lowercase)
}

fn capitalize(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    mapped(cx, "capitalize", args, |text| {
        let mut characters = text.chars();
        let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
        first + &characters.as_str().to_lowercase()
    })
}

fn mapped(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value], map: fn(&str) -> String) -> Eval {
    let text = first_converted(cx, name, args)?;
    cx.string(map(&text))
}

fn first_converted(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value]) -> Eval<EcoString> {
    let first = args.first_mut().map(Value::take).unwrap_or_default();
    converted(cx, name, first)
}

fn starts_with(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    test(cx, "starts-with?", args, |text, part| text.starts_with(part))
}

fn ends_with(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    test(cx, "ends-with?", args, |text, part| text.ends_with(part))
}

fn includes(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    test(cx, "includes?", args, |text, part| text.contains(part))
}

fn test(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value], holds: fn(&str, &str) -> bool) -> Eval {
    let text = first_converted(cx, name, args)?;
    match args {
        [_, Value::Str(part)] => Ok(Value::Bool(holds(&text, part))),
        _ => no_part(name, &text, args),
    }
}

/// What is looked for is no string, often since it is looked for in a collection.
fn no_part<T>(name: &str, text: &str, args: &[Value]) -> Eval<T> {
    let part = args.get(1).unwrap_or(&Value::Nil);
    let hint = match name {
        _ if !text.starts_with(['[', '(', '#', '{']) => {
            return type_error(name, "a string to look for", part);
        }
        "index-of" | "last-index-of" => "For items of a collection use (.indexOf coll x)",
        _ => "For items of a collection use (some #{x} coll)",
    };
    type_error_hint(name, "a string to look for", part, hint)
}

fn index_of(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = first_converted(cx, "index-of", args)?;
    let (part, from) = match args {
        [_, Value::Str(part)] => (part, 0),
        [_, Value::Str(part), from] => (part, byte_offset(&text, whole_number("index-of", from)?)),
        _ => return no_part("index-of", &text, args),
    };
    let found = text[from..].find(part.as_str());
    Ok(found.map_or(Value::Nil, |at| Value::Int(code_point_index(&text, from + at))))
}

fn last_index_of(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = first_converted(cx, "last-index-of", args)?;
    let (part, from) = match args {
        [_, Value::Str(part)] => (part, i64::MAX),
        [_, Value::Str(part), from] => (part, whole_number("last-index-of", from)?),
        _ => return no_part("last-index-of", &text, args),
    };
    if from < 0 {
        return Ok(Value::Nil);
    }
    // What begins at `from` at the latest ends this far at the latest.
    let mut end = text.len().min(byte_offset(&text, from) + part.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let found = text[..end].rfind(part.as_str());
    Ok(found.map_or(Value::Nil, |at| Value::Int(code_point_index(&text, at))))
}

fn is_blank(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Nil] => Ok(Value::Bool(true)),
        [Value::Str(text)] => {
            cx.tick_text(text)?;
            Ok(Value::Bool(text.chars().all(is_whitespace)))
        }
        _ => not_text("blank?", args),
    }
}

fn reverse(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text)] => {
            cx.tick_text(text)?;
            cx.string(text.chars().rev().collect::<EcoString>())
        }
        _ => not_text("str/reverse", args),
    }
}

fn format(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = format_arguments(cx, "format", args)?;
    cx.string(text)
}

fn name(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text)] => Ok(Value::Str(text.clone())),
        [Value::Keyword(keyword)] => cx.string(parts_of(keyword.name()).1),
        _ => type_error("name", "a keyword or string", args.first().unwrap_or(&Value::Nil)),
    }
}

fn namespace(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Keyword(keyword)] => {
            parts_of(keyword.name()).0.map_or(Ok(Value::Nil), |text| cx.string(text))
        }
        _ => type_error("namespace", "a keyword", args.first().unwrap_or(&Value::Nil)),
    }
}

/// The namespace and the name of a keyword; the first slash divides them.
fn parts_of(keyword: &str) -> (Option<&str>, &str) {
    match keyword.split_once('/') {
        Some((namespace, name)) if keyword != "/" => (Some(namespace), name),
        _ => (None, keyword),
    }
}

fn keyword(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Keyword(name)] => Ok(Value::Keyword(*name)),
        [Value::Str(name)] | [Value::Nil, Value::Str(name)] => named(cx, name),
        [_] => Ok(Value::Nil),
        [Value::Str(namespace), Value::Str(name)] => named(cx, &format!("{namespace}/{name}")),
        [Value::Str(_) | Value::Nil, other] | [other, _] => type_error("keyword", "a string", other),
        _ => not_text("keyword", args),
    }
}

/// The keyword of this name. Names are kept for good, so each costs what a string does, and its entry.
fn named(cx: &mut Interpreter<'_>, name: &str) -> Eval {
    cx.tick_text(name)?;
    cx.allocate(name.len() + 32)?;
    Ok(Value::keyword(name))
}

fn char(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let code_point = match args {
        [Value::Str(text)] if text.chars().nth(1).is_none() && !text.is_empty() => {
            return Ok(Value::Str(text.clone()));
        }
        [number @ (Value::Int(_) | Value::Float(..))] => whole_number("char", number)?,
        _ => return type_error("char", "a code point", args.first().unwrap_or(&Value::Nil)),
    };
    match u32::try_from(code_point).ok().and_then(char::from_u32) {
        Some(c) => cx.string(EcoString::from(c)),
        None => type_error("char", "a code point", &Value::Int(code_point)),
    }
}

fn parse_integer(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text)] => cx.tick_text(text).map(|()| parse_long(text).map_or(Value::Nil, Value::Int)),
        _ => Ok(Value::Nil),
    }
}

fn parse_float(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text)] => {
            cx.tick_text(text).map(|()| parse_double(text).map_or(Value::Nil, Value::float))
        }
        _ => Ok(Value::Nil),
    }
}

/// Java admits groups of fewer digits too; a text that Java would fill up is none here.
fn parse_uuid(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(text)] = args else { return not_text("parse-uuid", args) };
    let is_dash = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    let mut bytes = text.bytes().enumerate();
    let is_uuid = text.len() == 36
        && bytes.all(|(at, byte)| if is_dash(at) { byte == b'-' } else { byte.is_ascii_hexdigit() });
    if is_uuid { cx.string(text.to_lowercase()) } else { Ok(Value::Nil) }
}

fn parse_boolean(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    Ok(match args {
        [Value::Str(text)] if text == "true" => Value::Bool(true),
        [Value::Str(text)] if text == "false" => Value::Bool(false),
        _ => Value::Nil,
    })
}
