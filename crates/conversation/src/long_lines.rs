//! Parts of long lines. A line that each turn adds to, such as a list, is stored and shown as parts of which most stay as they are.

use memchr::memchr_iter;

/// A line of more bytes is cut, if it has blanks.
pub const LONG: usize = 2 << 10;
/// The fewest bytes of a part, except the last.
const LEAST: usize = 256;
/// One word of so many ends a part.
const WORDS: u8 = 8;

/// The parts of a line. A long line is cut before certain blanks, other lines are one part. An empty line has one part.
// Which blanks these are depends on the word before alone, so that most parts of a line stay when some words of it change.
pub fn line_parts(line: &str) -> impl Iterator<Item = &str> {
    let is_long = line.len() > LONG;
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let line = rest?;
        let (part, after) = line.split_at(if is_long { first_cut(line) } else { line.len() });
        rest = (!after.is_empty()).then_some(after);
        Some(part)
    })
}

/// The end of the first part of a long line: after the first word past the least length whose bytes add up to a multiple of
/// [`WORDS`].
fn first_cut(line: &str) -> usize {
    let mut start = 0;
    for end in memchr_iter(b' ', line.as_bytes()) {
        let word = &line.as_bytes()[start..end];
        if end >= LEAST && word.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte)) % WORDS == 0 {
            return end;
        }
        start = end + 1;
    }
    line.len()
}
