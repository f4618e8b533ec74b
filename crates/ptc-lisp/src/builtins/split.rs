//! Splits texts at separators, as Java's `Pattern.split` does.

use crate::builtins::prelude::*;

/// Pieces of a text, at most `limit` if it is positive. Empty ones at the end are dropped if it is 0.
pub(super) fn split_text(cx: &mut Call, text: &str, separator: &Value, limit: i64) -> Eval {
    match separator {
        Value::Regex(regex) => {
            cx.tick(text.len() / 16)?;
            let matches = regex.matches(text).map(|found| (found.start(), found.end()));
            vector_of_texts(cx, pieces(text, limit, matches))
        }
        Value::Str(literal) => {
            cx.tick_text(text)?;
            let matches = text.match_indices(literal.as_str()).map(|(at, found)| (at, at + found.len()));
            vector_of_texts(cx, pieces(text, limit, matches))
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
    vector_of_texts(cx, pieces(text, 0, line_ends))
}

/// An empty match at the beginning is no separator. A text without a match is one piece, even if it is empty.
fn pieces(text: &str, limit: i64, matches: impl Iterator<Item = (usize, usize)>) -> Vec<&str> {
    let cuts = usize::try_from(limit).ok().filter(|limit| *limit > 0).map_or(usize::MAX, |limit| limit - 1);
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
    let texts = texts.into_iter().map(|text| cx.string(text)).collect::<Eval<Vec<Value>>>()?;
    cx.vector(texts)
}
