//! Splits long lines into parts. A line that grows each turn, such as a list, is stored and shown in parts, most of which never change.

use memchr::memchr_iter;

/// Lines with more bytes are split, if they have blanks.
pub const LONG: usize = 2 << 10;
/// The fewest bytes of a part, except the last.
const LEAST: usize = 256;
/// On average, one word in this many ends a part.
const WORDS: u8 = 8;

/// Splits a long line before certain blanks. Other lines have one part, even an empty one.
// Only the word before a blank determines whether to split there, so most parts survive a change of some words.
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

/// The end of the first part of a long line: after the first word beyond [`LEAST`] whose byte sum is a multiple of [`WORDS`].
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
