//! Lines of texts, and parts of long lines.

use std::borrow::Cow;

use memchr::memchr;

/// A line of a text, or a part of a long line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Line<'t> {
    pub text: Cow<'t, str>,
    /// True for all parts of a line but the first.
    pub goes_on: bool,
}

impl<'t> Line<'t> {
    /// A whole line.
    pub fn whole(text: impl Into<Cow<'t, str>>) -> Line<'t> {
        Line { text: text.into(), goes_on: false }
    }
}

/// Joins lines into a text.
pub(super) fn text_of<'l>(lines: impl IntoIterator<Item = &'l Line<'l>>) -> String {
    let mut text = String::new();
    for (number, line) in lines.into_iter().enumerate() {
        if number > 0 && !line.goes_on {
            text.push('\n');
        }
        text.push_str(&line.text);
    }
    text
}

/// The lines of a text. Same as `split('\n')`.
pub(super) fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = memchr(b'\n', text.as_bytes());
        rest = end.and_then(|end| text.get(end + 1..));
        end.map_or(Some(text), |end| text.get(..end))
    })
}
