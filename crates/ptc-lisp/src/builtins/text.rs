//! What the text builtins share: arguments as texts and numbers, building a text within its limit, code
//! points and bytes. No builtins stand here.

use arrayvec::ArrayString;
use ecow::EcoString;

use crate::error::{Eval, type_error};
use crate::eval::{Interpreter, infinite};
use crate::limits::MAX_STRING;
use crate::print::Style;
use crate::value::Value;

/// Java's `Character.isWhitespace`: no-break spaces are none.
pub(super) fn is_whitespace(c: char) -> bool {
    match c {
        '\t'..='\r' | '\u{1c}'..=' ' => true,
        c if c.is_ascii() => false,
        '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}' => false,
        c => c.is_whitespace(),
    }
}

/// The type error about the first argument of a function that takes a string.
pub(super) fn not_text<T>(name: &str, arguments: &[Value]) -> Eval<T> {
    type_error(name, "a string", arguments.first().unwrap_or(&Value::Nil))
}

/// The first argument of the functions that convert it as `str` does, nil excepted.
pub(super) fn converted(cx: &mut Interpreter<'_>, name: &str, value: Value) -> Eval<EcoString> {
    match value {
        Value::Nil => type_error(name, "a string", &Value::Nil),
        other => text_of(cx, other),
    }
}

/// What `str` makes of one value; reading it is paid for.
pub(super) fn text_of(cx: &mut Interpreter<'_>, value: Value) -> Eval<EcoString> {
    if let Value::Str(text) = value {
        cx.tick_text(&text)?;
        return Ok(text);
    }
    let mut text = EcoString::new();
    append(cx, &mut text, &value)?;
    Ok(text)
}

/// Appends what `str` makes of a value; reading it is paid for.
pub(super) fn append(cx: &mut Interpreter<'_>, text: &mut EcoString, value: &Value) -> Eval<()> {
    match value {
        Value::Nil => {}
        Value::Str(part) => {
            cx.tick_text(part)?;
            push(text, part);
        }
        Value::Int(number) => text.push_str(itoa::Buffer::new().format(*number)),
        Value::Keyword(name) => {
            text.push(':');
            text.push_str(name.name());
        }
        Value::Generator(_) => return infinite(),
        other => {
            let part = cx.print_with(Style::Readable, |printer| printer.write_str_argument(other))?;
            push(text, &part);
        }
    }
    Ok(())
}

/// What `str` makes of a few short parts, put together at once: most texts are that short, and growing one
/// part by part takes several times as long. None where the text gets longer or a part costs ticks.
pub(super) fn short_text(parts: &[Value]) -> Option<EcoString> {
    let mut short = ArrayString::<128>::new();
    for part in parts {
        match part {
            Value::Nil => {}
            Value::Str(text) if text.len() < 64 => short.try_push_str(text).ok()?,
            Value::Int(number) => short.try_push_str(itoa::Buffer::new().format(*number)).ok()?,
            _ => return None,
        }
    }
    Some(EcoString::from(&short[..]))
}

/// Appends to a text unless it is too long already, so that memory stays bounded until
/// [`Interpreter::string`] refuses the result.
pub(super) fn push(text: &mut EcoString, part: &str) {
    if text.len() <= MAX_STRING {
        text.push_str(part);
    }
}

/// An index or a limit: floats are truncated, as Clojure does.
pub(super) fn whole_number(name: &str, value: &Value) -> Eval<i64> {
    match value {
        Value::Int(number) => Ok(*number),
        Value::Float(number, ..) => Ok(*number as i64),
        other => type_error(name, "an integer", other),
    }
}

/// Where the code point of this index begins, in bytes; the end of the text beyond the last.
pub(super) fn byte_offset(text: &str, index: i64) -> usize {
    let index = usize::try_from(index).unwrap_or(0);
    match text.as_bytes().get(..index) {
        None => text.len(),
        Some(prefix) if prefix.is_ascii() => index,
        Some(_) => text.char_indices().nth(index).map_or(text.len(), |(at, _)| at),
    }
}

/// The index of the code point that begins at this byte.
pub(super) fn code_point_index(text: &str, offset: usize) -> i64 {
    text.get(..offset).map_or(0, |prefix| prefix.chars().count() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whitespace_is_javas() {
        let spaces = "\t\n\u{b}\u{c}\r\u{1c}\u{1f} \u{1680}\u{2000}\u{2028}\u{2029}\u{205f}\u{3000}";
        assert!(spaces.chars().all(is_whitespace));
        assert!(!"\u{a0}\u{85}\u{2007}\u{202f}\u{180e}\u{feff}a\u{1b}".chars().any(is_whitespace));
    }

    #[test]
    fn short_texts_are_those_of_short_parts() {
        let parts = |texts: &[&str]| texts.iter().map(|text| Value::str(*text)).collect::<Vec<Value>>();
        let joined = |values: &[Value]| short_text(values).map(String::from);
        assert_eq!(joined(&[Value::str("é"), Value::Nil, Value::Int(-7)]), Some("é-7".into()));
        assert_eq!(joined(&[]), Some(String::new()));
        assert_eq!(joined(&[Value::Bool(true)]), None);
        let long = "x".repeat(63);
        assert_eq!(joined(&parts(&[&long, &long, "ab"])), Some(format!("{long}{long}ab")));
        assert_eq!(joined(&parts(&[&long, &long, "abc"])), None);
        assert_eq!(joined(&parts(&["x".repeat(64).as_str()])), None);
    }

    #[test]
    fn indices_count_code_points() {
        assert_eq!([0, 1, 2, 3, 9, -1].map(|index| byte_offset("aéz", index)), [0, 1, 3, 4, 4, 0]);
        assert_eq!([0, 1, 3].map(|offset| code_point_index("aéz", offset)), [0, 1, 2]);
    }
}
