//! Arguments as texts and indices, building a text within its limit, and the indices of code points.

use crate::builtins::prelude::*;

/// A text that any argument but nil converts to, as `str` does.
pub(super) struct Converted(pub EcoString);

impl Converted {
    pub(super) fn of(cx: &mut Call, value: Value) -> Eval<Converted> {
        match value {
            Value::Nil => cx.type_error("a string", &Value::Nil),
            other => text_of(cx, other).map(Converted),
        }
    }
}

from_value! { Converted: |cx, value| Converted::of(cx, value.take()); }

/// An index or a limit. Floats are truncated, as Clojure does.
pub(super) struct Whole(pub i64);

from_value! {
    Whole: Value::Int(number) => Whole(*number), Value::Float(number, ..) => Whole(*number as i64); "an integer"
}

/// The character of a code point.
pub(super) fn code_point(value: &Value) -> Option<char> {
    if let Value::Int(code) = value { u32::try_from(*code).ok().and_then(char::from_u32) } else { None }
}

/// Java's `Character.isWhitespace`, which excludes no-break spaces.
pub(super) fn is_whitespace(c: char) -> bool {
    match c {
        '\t'..='\r' | '\u{1c}'..=' ' => true,
        c if c.is_ascii() => false,
        '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}' => false,
        c => c.is_whitespace(),
    }
}

/// Another string made of a string, whose reading is paid for.
pub(super) fn changed<'a, T: Into<EcoString>>(
    cx: &mut Call,
    text: &'a str,
    change: impl FnOnce(&'a str) -> T,
) -> Eval {
    cx.tick_text(text)?;
    cx.string(change(text))
}

/// Result of `str` with one value, whose reading is paid for.
pub(super) fn text_of(cx: &mut Interpreter<'_>, value: Value) -> Eval<EcoString> {
    if let Value::Str(text) = value {
        cx.tick_text(&text)?;
        return Ok(text);
    }
    let mut text = EcoString::new();
    append(cx, &mut text, &value)?;
    Ok(text)
}

/// Appends the result of `str` with one value, whose reading is paid for.
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
        other => {
            let value = cx.realized(other.clone())?;
            let part = cx.print_with(Style::Readable, |printer| printer.write_str_argument(&value))?;
            push(text, &part);
        }
    }
    Ok(())
}

/// Appends unless the text is too long already: [`Interpreter::string`] will refuse it.
pub(super) fn push(text: &mut EcoString, part: &str) {
    if text.len() <= MAX_STRING {
        text.push_str(part);
    }
}

/// Byte offset of the code point at this index; the length of the text beyond the last.
pub(super) fn byte_offset(text: &str, index: i64) -> usize {
    let index = usize::try_from(index).unwrap_or(0);
    match text.as_bytes().get(..index) {
        None => text.len(),
        Some(prefix) if prefix.is_ascii() => index,
        Some(_) => text.char_indices().nth(index).map_or(text.len(), |(at, _)| at),
    }
}

/// Index of the code point at this byte offset.
pub(super) fn code_point_index(text: &str, offset: usize) -> i64 {
    text.get(..offset).map_or(0, |prefix| prefix.chars().count() as i64)
}

/// Index of the last occurrence of a part that begins at this index or before.
pub(super) fn find_last(text: &str, part: &str, from: i64) -> Option<i64> {
    if from < 0 {
        return None;
    }
    let end = text.floor_char_boundary(byte_offset(text, from) + part.len());
    text[..end].rfind(part).map(|at| code_point_index(text, at))
}
