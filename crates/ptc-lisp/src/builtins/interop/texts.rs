//! Methods of strings that `interop` does not hold: comparing, repeating, patterns given as text.

use ecow::EcoString;

use crate::builtins::hash::java_hash;
use crate::builtins::regex::compile;
use crate::builtins::text::is_whitespace;
use crate::builtins::{between, builtins, exactly, run_as};
use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::limits::MAX_STRING;
use crate::value::Value;

use super::strings::changed;

builtins! {
    pub(in crate::builtins) static ROWS;

    /// The code points of the string.
    ".chars" [exactly(1)] = |cx, args| match args {
            [Value::Str(_)] => code_points(cx, args),
            _ => wrong(".chars", args),
        } =>
        "(.chars \"ab\") ;=> [97 98]"
    /// The code point of the character at the index.
    ".codePointAt" [exactly(2)] = code_point => "(.codePointAt \"abc\" 0) ;=> 97"
    /// As .compareTo, but for case.
    ".compareToIgnoreCase" [exactly(2)] = compare_ignoring_case => "(.compareToIgnoreCase \"A\" \"b\") ;=> -1"
    /// Both strings, one after the other.
    ".concat" [exactly(2)] = concat => "(.concat \"ab\" \"cd\") ;=> \"abcd\""
    /// The bytes of the string in UTF-8, from -128 to 127.
    ".getBytes" [between(1, 2)] = bytes => "(.getBytes \"añ\") ;=> [97 -61 -79]"
    /// The hash that Java has for a string, number or boolean.
    ".hashCode" [exactly(1)] = hash_code => "(.hashCode \"abc\") ;=> 96354"
    /// Whether the string has nothing but white space.
    ".isBlank" [exactly(1)] = |_, args| match args {
            [Value::Str(text)] => Ok(Value::Bool(text.chars().all(is_whitespace))),
            _ => wrong(".isBlank", args),
        } =>
        "(.isBlank \" \") ;=> true"
    /// Whether the whole string matches a regular expression, given as text.
    ".matches" [exactly(2)] = |cx, args| {
            let [text, regex] = with_regex(cx, ".matches", args)?;
            let found = run_as(cx, "re-matches", &mut [regex, text])?;
            Ok(Value::Bool(!found.is_nil()))
        } =>
        "(.matches \"abc\" \"[a-c]+\") ;=> true"
    /// Whether the string has a part of another at the index, whatever the case if true comes first.
    ".regionMatches" [between(5, 6)] = region_matches => "(.regionMatches \"hello\" 1 \"well\" 1 3) ;=> true"
    /// The string this many times.
    ".repeat" [exactly(2)] = repeat => "(.repeat \"ab\" 3) ;=> \"ababab\""
    /// The string with each match of a regular expression, given as text, replaced.
    ".replaceAll" [exactly(3)] = |cx, args| replace(cx, ".replaceAll", "replace", args) =>
        "(.replaceAll \"a1b2\" \"[0-9]\" \"#\") ;=> \"a#b#\""
    /// The string with the first match of a regular expression, given as text, replaced.
    ".replaceFirst" [exactly(3)] = |cx, args| replace(cx, ".replaceFirst", "replace-first", args) =>
        "(.replaceFirst \"a1b2\" \"[0-9]\" \"#\") ;=> \"a#b2\""
    /// The string without white space at its ends.
    ".strip" [exactly(1)] = |cx, args| changed(cx, ".strip", |text| text.trim_matches(is_whitespace).into(), args) =>
        "(.strip \" a \") ;=> \"a\""
    /// The string without white space at its start.
    ".stripLeading" [exactly(1)] = |cx, args| changed(cx, ".stripLeading", |text| text.trim_start_matches(is_whitespace).into(), args) =>
        "(.stripLeading \" a \") ;=> \"a \""
    /// The string without white space at its end.
    ".stripTrailing" [exactly(1)] = |cx, args| changed(cx, ".stripTrailing", |text| text.trim_end_matches(is_whitespace).into(), args) =>
        "(.stripTrailing \" a \") ;=> \" a\""
    /// The same as .substring.
    ".subSequence" [exactly(3)] = super::strings::substring => "(.subSequence \"abcd\" 1 3) ;=> \"bc\""
    /// The characters of the string.
    ".toCharArray" [exactly(1)] = |cx, args| match args {
            [Value::Str(_)] => run_as(cx, "vec", args),
            _ => wrong(".toCharArray", args),
        } =>
        "(.toCharArray \"ab\") ;=> [\"a\" \"b\"]"
}

fn code_point(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let character = super::strings::char_at(cx, args)?;
    run_as(cx, "int", &mut [character])
}

fn code_points(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(text)] = &*args else { return wrong(".chars", args) };
    cx.tick_text(text)?;
    let points = text.chars().map(|character| Value::Int(u32::from(character).into())).collect();
    cx.vector(points)
}

/// The name of an encoding may follow; it is always UTF-8.
fn bytes(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let ([Value::Str(text)] | [Value::Str(text), Value::Str(_)]) = &*args else {
        return wrong(".getBytes", args);
    };
    cx.tick_text(text)?;
    let bytes = text.bytes().map(|byte| Value::Int(i64::from(byte as i8))).collect();
    cx.vector(bytes)
}

/// `(.regionMatches text ignoring-case? start other other-start length)`
fn region_matches(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let (ignoring_case, args) = match args {
        [text, Value::Bool(ignoring), rest @ ..] if rest.len() == 4 => {
            (*ignoring, [vec![text.take()], rest.to_vec()].concat())
        }
        _ => (false, args.to_vec()),
    };
    let [Value::Str(text), Value::Int(start), Value::Str(other), Value::Int(from), Value::Int(length)] =
        &args[..]
    else {
        return wrong(".regionMatches", &args);
    };
    cx.tick_text(text)?;
    cx.tick_text(other)?;
    let (Some(a), Some(b)) = (region(text, *start, *length), region(other, *from, *length)) else {
        return Ok(Value::Bool(false));
    };
    let folded = |text: &str| text.to_uppercase().to_lowercase();
    Ok(Value::Bool(a == b || ignoring_case && folded(&a) == folded(&b)))
}

/// So many characters from an index; none where the text ends before.
fn region(text: &str, start: i64, length: i64) -> Option<String> {
    let (start, length) = (usize::try_from(start).ok()?, usize::try_from(length).unwrap_or(0));
    let mut rest = text.chars();
    if start > 0 {
        rest.nth(start - 1)?;
    }
    let part: String = rest.take(length).collect();
    (part.chars().count() == length).then_some(part)
}

fn compare_ignoring_case(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Str(a), Value::Str(b)] = &*args else { return wrong(".compareToIgnoreCase", args) };
    cx.tick_text(a)?;
    cx.tick_text(b)?;
    let mut folded = [a, b].map(|text| Value::str(text.to_uppercase().to_lowercase()));
    super::strings::compare_to(cx, &mut folded)
}

fn concat(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(_), Value::Str(_)] => run_as(cx, "str", args),
        _ => wrong(".concat", args),
    }
}

fn hash_code(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if let [Value::Str(text)] = args {
        cx.tick_text(text)?;
    }
    let value = args.first().unwrap_or(&Value::Nil);
    java_hash(value).map_or_else(
        || type_error(".hashCode", "a string, number or boolean", value),
        |hash| Ok(Value::Int(hash.into())),
    )
}

fn repeat(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Str(text), Value::Int(count @ 0..)] => {
            let times = usize::try_from(*count).unwrap_or(usize::MAX).min(MAX_STRING / text.len().max(1) + 1);
            cx.allocate(text.len() * times)?;
            cx.string(EcoString::from(text.as_str()).repeat(times))
        }
        [Value::Str(_), other] => type_error(".repeat", "a count of at least 0", other),
        _ => wrong(".repeat", args),
    }
}

fn replace(cx: &mut Interpreter<'_>, name: &str, builtin: &str, args: &mut [Value]) -> Eval {
    let [first, second, replacement] = args else { return wrong(name, args) };
    if !matches!(replacement, Value::Str(_)) {
        return type_error(name, "a string", replacement);
    }
    let [text, regex] = with_regex(cx, name, &mut [first.take(), second.take()])?;
    run_as(cx, builtin, &mut [text, regex, replacement.take()])
}

/// A string and a pattern that is given as text.
fn with_regex(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value]) -> Eval<[Value; 2]> {
    let [text @ Value::Str(_), Value::Str(pattern)] = args else {
        return wrong(name, args).map(|_| [Value::Nil, Value::Nil]);
    };
    Ok([text.take(), Value::Regex(compile(cx, pattern)?)])
}

/// The type error of the first argument that is no string.
fn wrong(name: &str, args: &[Value]) -> Eval {
    let wrong = args.iter().find(|value| !matches!(value, Value::Str(_)));
    type_error(name, "a string", wrong.unwrap_or(&Value::Nil))
}
