//! Lines as parts: a short line is one part, a long one is cut after certain words. The cuts depend on the words alone,
//! so that a change elsewhere in a line, such as a list that each turn adds to, leaves most parts the same.

use std::borrow::Cow;

/// Bytes of a line that is one part.
const WHOLE: usize = 2 << 10;
/// The fewest bytes of a part of a longer line, except its last.
const LEAST: usize = 256;

/// A line, or a part of a long one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part<'t> {
    pub text: Cow<'t, str>,
    /// The line goes on with the next part.
    pub is_open: bool,
}

impl Part<'_> {
    pub fn into_owned(self) -> Part<'static> {
        Part { text: Cow::Owned(self.text.into_owned()), is_open: self.is_open }
    }
}

/// The parts of a line.
pub(super) fn parts(line: &str) -> impl Iterator<Item = Part<'_>> {
    let mut left = line.len();
    pieces(line).map(move |text| {
        left -= text.len();
        Part { text: Cow::Borrowed(text), is_open: left > 0 }
    })
}

/// The texts of the parts of a line.
pub fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let is_long = line.len() > WHOLE;
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let line = rest?;
        let (piece, after) = line.split_at(if is_long { first_cut(line) } else { line.len() });
        rest = (!after.is_empty()).then_some(after);
        Some(piece)
    })
}

/// After the first word past the least length whose bytes add up to a multiple of eight.
fn first_cut(line: &str) -> usize {
    let mut end = 0;
    for word in line.split_inclusive(' ') {
        end += word.len();
        if end >= LEAST && word.bytes().fold(0, u8::wrapping_add) % 8 == 0 {
            break;
        }
    }
    end
}
