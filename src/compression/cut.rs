//! Shortened texts. Characters are code points.

use std::borrow::Cow;

/// The first characters, then `...` if there are more.
pub fn shortened(text: &str, characters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(characters) {
        Some((at, _)) => Cow::Owned(format!("{}...", text.get(..at).unwrap_or(text))),
        None => Cow::Borrowed(text),
    }
}

/// The text with each run of line breaks replaced by one space.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    const BREAKS: [char; 2] = ['\n', '\r'];
    if !text.contains(BREAKS) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    let mut after_break = false;
    for character in text.chars() {
        let is_break = BREAKS.contains(&character);
        if !is_break {
            line.push(character);
        } else if !after_break {
            line.push(' ');
        }
        after_break = is_break;
    }
    Cow::Owned(line)
}
