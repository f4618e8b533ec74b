//! Shortened texts. Characters are code points, and a mark stands for what is left out, so a text without one is whole.

use std::borrow::Cow;

/// The first characters of a text, and the rest.
pub fn split_start(text: &str, characters: usize) -> (&str, &str) {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    text.split_at(end)
}

/// All of a text before its last characters, and these.
pub fn split_end(text: &str, characters: usize) -> (&str, &str) {
    // From the end, since a text may be long.
    let last = characters.checked_sub(1).map(|before| text.char_indices().nth_back(before));
    text.split_at(last.map_or(text.len(), |last| last.map_or(0, |(at, _)| at)))
}

/// The text up to a number of characters, then `...` if there are more.
pub fn shortened(text: &str, characters: usize) -> Cow<'_, str> {
    shortened_with(text, characters, "...")
}

/// The text up to a number of characters, then a mark if there are more.
pub fn shortened_with<'t>(text: &'t str, characters: usize, mark: &str) -> Cow<'t, str> {
    match split_start(text, characters) {
        (_, "") => Cow::Borrowed(text),
        (start, _) => Cow::Owned(format!("{start}{mark}")),
    }
}

/// The start and the end of a text with `...` between them if it has more than a number of characters. The end of a path tells it from
/// others.
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
