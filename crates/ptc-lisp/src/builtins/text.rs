//! Arguments as texts and indices, building a text within its limit, the indices of code points, and pieces as those of
//! Java's `Pattern.split`.

use crate::builtins::prelude::*;

/// Converts any argument but nil to text, as `str` does.
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
    match value {
        Value::Int(code) => char::from_u32(u32::try_from(*code).ok()?),
        _ => None,
    }
}

/// Java's `Character.isWhitespace`, without no-break spaces.
pub(super) fn is_whitespace(c: char) -> bool {
    match c {
        '\t'..='\r' | '\u{1c}'..=' ' => true,
        c if c.is_ascii() => false,
        '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}' => false,
        c => c.is_whitespace(),
    }
}

/// A string made of another one. Spends the ticks of reading it.
pub(super) fn changed<'a, T: Into<EcoString>>(
    cx: &mut Call,
    text: &'a str,
    change: impl FnOnce(&'a str) -> T,
) -> Eval {
    cx.tick_text(text)?;
    cx.string(change(text))
}

/// Result of `str` with one value. Spends the ticks of reading it.
pub(super) fn text_of(cx: &mut Interpreter<'_>, value: Value) -> Eval<EcoString> {
    if let Value::Str(text) = value {
        cx.tick_text(&text)?;
        return Ok(text);
    }
    let mut text = EcoString::new();
    append(cx, &mut text, &value)?;
    Ok(text)
}

/// Appends the result of `str` with one value. Spends the ticks of reading it.
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
        Some(_) => match text.char_indices().nth(index) {
            Some((at, _)) => at,
            None => text.len(),
        },
    }
}

/// Index of the code point at this byte offset.
pub(super) fn code_point_index(text: &str, offset: usize) -> i64 {
    match text.get(..offset) {
        Some(prefix) => prefix.chars().count() as i64,
        None => 0,
    }
}

/// Index of the last occurrence of a part at this index or before.
pub(super) fn find_last(text: &str, part: &str, from: i64) -> Option<i64> {
    if from < 0 {
        return None;
    }
    let end = text.floor_char_boundary(byte_offset(text, from) + part.len());
    text[..end].rfind(part).map(|at| code_point_index(text, at))
}

/// Pieces of a text, at most `limit` if it is positive. Empty ones at the end are dropped if it is 0.
pub(super) fn split_text(cx: &mut Call, text: &str, separator: &Value, limit: i64) -> Eval {
    match separator {
        Value::Regex(regex) => {
            cx.tick(text.len() / 16)?;
            let matches = regex.matches(text).map(|found| (found.start(), found.end()));
            vector_of_texts(cx, split_at_matches(text, limit, matches))
        }
        Value::Str(literal) => {
            cx.tick_text(text)?;
            let matches = text.match_indices(literal.as_str()).map(|(at, found)| (at, at + found.len()));
            vector_of_texts(cx, split_at_matches(text, limit, matches))
        }
        other => cx.type_error("a regex or a string as separator", other),
    }
}

/// Lines of a text, which end with `\n` or `\r\n`. Empty lines at the end are dropped.
pub(super) fn split_lines(cx: &mut Call, text: &str) -> Eval {
    cx.tick_text(text)?;
    let line_ends = text.match_indices('\n').map(|(at, _)| {
        let start = if text[..at].ends_with('\r') { at - 1 } else { at };
        (start, at + 1)
    });
    vector_of_texts(cx, split_at_matches(text, 0, line_ends))
}

/// An empty match at the beginning is no separator. A text without a match is one piece, even if it is empty.
fn split_at_matches(text: &str, limit: i64, matches: impl Iterator<Item = (usize, usize)>) -> Vec<&str> {
    let cuts = match usize::try_from(limit) {
        Ok(limit @ 1..) => limit - 1,
        _ => usize::MAX,
    };
    let mut pieces = Vec::new();
    let mut begin = 0;
    for (start, end) in matches.filter(|(_, end)| *end > 0).take(cuts) {
        pieces.push(&text[begin..start]);
        begin = end;
    }
    pieces.push(&text[begin..]);
    while limit == 0 && begin > 0 && pieces.last().is_some_and(|piece| piece.is_empty()) {
        pieces.pop();
    }
    pieces
}

fn vector_of_texts(cx: &mut Call, texts: Vec<&str>) -> Eval {
    let mut values = Vec::with_capacity(texts.len());
    for text in texts {
        values.push(cx.string(text)?);
    }
    cx.vector(values)
}
