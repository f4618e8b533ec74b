//! Cuts texts at places no token of any encoding spans, so the parts can be counted separately.

use memchr::memchr_iter;

/// The blocks of a text: lines, cut after each newline unless white space or `/` follows. In both encodings no token
/// spans such a place.
pub fn blocks(text: &str) -> impl Iterator<Item = &str> {
    split_at_ends(text, |rest| {
        let mut newlines = memchr_iter(b'\n', rest.as_bytes()).map(|at| at + 1);
        newlines.find(|&end| begins_block(rest.get(end..))).unwrap_or(rest.len())
    })
}

/// The words of a block: cut between a visible ASCII character and a space, and where ASCII digits begin or end.
/// In both encodings a token has white space only at its start, and digits are tokens of their own.
pub fn split_words(block: &str) -> impl Iterator<Item = &str> {
    split_at_ends(block, |rest| {
        let mut pairs = rest.as_bytes().windows(2);
        let cut = pairs.position(|pair| matches!(pair, [before, after] if is_cut(*before, *after)));
        cut.map_or(rest.len(), |before| before + 1)
    })
}

/// Cuts a text into parts. `end` returns the end of the first part of the rest.
fn split_at_ends(mut rest: &str, end: impl Fn(&str) -> usize) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (part, after) = rest.split_at_checked(end(rest)).filter(|(part, _)| !part.is_empty())?;
        rest = after;
        Some(part)
    })
}

/// Returns true if a word ends between two bytes.
// Only ASCII digits count: any other, such as ², is in one piece with the digits next to it.
fn is_cut(before: u8, after: u8) -> bool {
    let begins = before.is_ascii_graphic() && (after == b' ' || after.is_ascii_digit());
    let ends = before.is_ascii_digit() && after.is_ascii();
    (begins || ends) && !(before.is_ascii_digit() && after.is_ascii_digit())
}

/// Returns true if a text can be cut at this byte, just after a newline.
pub fn may_cut(text: &str, after: usize) -> bool {
    text.get(..after).is_some_and(|head| head.ends_with('\n')) && begins_block(text.get(after..))
}

/// Returns true if a block may begin with this text after a newline.
fn begins_block(text: Option<&str>) -> bool {
    let next = text.and_then(|text| text.chars().next());
    next.is_some_and(|next| !next.is_whitespace() && next != '/')
}
