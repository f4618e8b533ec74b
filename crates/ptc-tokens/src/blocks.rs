//! Cuts texts at places no token of any encoding spans, so the parts can be counted separately.

use memchr::memchr_iter;

/// The blocks of a text: lines, cut after each newline unless white space or `/` follows. In both encodings no token
/// spans such a place.
pub fn blocks(text: &str) -> impl Iterator<Item = &str> {
    split_at_ends(text, block_end)
}

/// The end of the first block.
fn block_end(text: &str) -> usize {
    for newline in memchr_iter(b'\n', text.as_bytes()) {
        if begins_block(text.get(newline + 1..)) {
            return newline + 1;
        }
    }
    text.len()
}

/// The words of a block: cut between a visible ASCII character and a space, and where ASCII digits begin or end.
/// In both encodings a token has white space only at its start, and digits are tokens of their own.
pub fn split_words(block: &str) -> impl Iterator<Item = &str> {
    split_at_ends(block, word_end)
}

/// The end of the first word.
fn word_end(block: &str) -> usize {
    for (at, pair) in block.as_bytes().windows(2).enumerate() {
        if let [before, after] = pair
            && is_cut(*before, *after)
        {
            return at + 1;
        }
    }
    block.len()
}

/// Cuts a text into parts. `end` returns the end of the first part of the rest.
fn split_at_ends(mut rest: &str, end: impl Fn(&str) -> usize) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (part, after) = rest.split_at_checked(end(rest))?;
        if part.is_empty() {
            return None;
        }
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
    match text.split_at_checked(after) {
        Some((head, rest)) => head.ends_with('\n') && begins_block(Some(rest)),
        None => false,
    }
}

/// Returns true if a block may begin with this text after a newline.
fn begins_block(text: Option<&str>) -> bool {
    let Some(text) = text else { return false };
    match text.chars().next() {
        Some(next) => !next.is_whitespace() && next != '/',
        None => false,
    }
}
