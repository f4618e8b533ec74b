//! Shortens texts. Characters are code points. A mark replaces the omitted text, so a text without a mark is complete.

use std::borrow::Cow;

/// Splits a text after its first `characters` characters.
pub fn split_start(text: &str, characters: usize) -> (&str, &str) {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    text.split_at(end)
}

/// Splits a text before its last `characters` characters.
pub fn split_end(text: &str, characters: usize) -> (&str, &str) {
    // Search from the end, since a text may be long.
    let last = characters.checked_sub(1).map(|before| text.char_indices().nth_back(before));
    text.split_at(last.map_or(text.len(), |last| last.map_or(0, |(at, _)| at)))
}

/// The text cut to `characters` characters, with `...` appended if it was longer.
pub fn shortened(text: &str, characters: usize) -> Cow<'_, str> {
    shortened_with(text, characters, "...")
}

/// The text cut to `characters` characters, with a mark appended if it was longer.
pub fn shortened_with<'t>(text: &'t str, characters: usize, mark: &str) -> Cow<'t, str> {
    match split_start(text, characters) {
        (_, "") => Cow::Borrowed(text),
        (start, _) => Cow::Owned(format!("{start}{mark}")),
    }
}

/// The start and end of a text with `...` between them if it has more than `characters` characters. For paths, whose end matters.
pub fn shortened_inside(text: &str, characters: usize) -> Cow<'_, str> {
    if split_start(text, characters).1.is_empty() {
        return Cow::Borrowed(text);
    }
    let of_end = characters / 2;
    let (start, end) = (split_start(text, characters - of_end).0, split_end(text, of_end).1);
    Cow::Owned(format!("{start}...{end}"))
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
