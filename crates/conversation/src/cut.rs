//! Shortened texts. Characters are code points.

use std::borrow::Cow;

/// The text up to a number of characters, then `...` if there are more.
pub fn shortened(text: &str, characters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(characters) {
        Some((at, _)) => Cow::Owned(format!("{}...", text.get(..at).unwrap_or(text))),
        None => Cow::Borrowed(text),
    }
}

/// The start and the end of a text with `...` between them if it has more than a number of characters. The end of a path tells it from
/// others.
pub fn shortened_inside(text: &str, characters: usize) -> Cow<'_, str> {
    let all = text.chars().count();
    if all <= characters {
        return Cow::Borrowed(text);
    }
    let end = characters / 2;
    let byte_of = |character: usize| text.char_indices().nth(character).map_or(text.len(), |(at, _)| at);
    let (head, tail) = (text.get(..byte_of(characters - end)), text.get(byte_of(all - end)..));
    Cow::Owned([head, tail].map(|part| part.unwrap_or(text)).join("..."))
}

/// The text with each run of line breaks replaced by one space.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    const BREAKS: [char; 2] = ['\n', '\r'];
    if !text.contains(BREAKS) {
        return Cow::Borrowed(text);
    }
    let (mut line, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once(BREAKS) {
        line.push_str(before);
        line.push(' ');
        rest = after.trim_start_matches(BREAKS);
    }
    line.push_str(rest);
    Cow::Owned(line)
}
