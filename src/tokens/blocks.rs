//! Where a text can be cut without changing how many tokens it has. It counts nothing.

/// A text as blocks of lines. A text can be cut after a newline that is followed by neither white space
/// nor `/`: in both encodings no token spans such a place.
pub struct Blocks<'t> {
    rest: &'t str,
}

/// What an encoder must not be given whole.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// In bytes.
    pub block: usize,
    /// Blank characters in a row.
    pub blanks: usize,
}

/// Beyond these the reference is slow or fails: it gives up on a million blanks in a row.
pub const BOUNDS: Bounds = Bounds { block: 256 * 1024, blanks: 100_000 };

impl<'t> Blocks<'t> {
    pub fn new(text: &'t str) -> Blocks<'t> {
        Blocks { rest: text }
    }
}

impl<'t> Iterator for Blocks<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        if self.rest.is_empty() {
            return None;
        }
        let mut newlines = self.rest.match_indices('\n').map(|(at, _)| at + 1);
        let end = newlines.find(|&end| may_cut(self.rest, end)).unwrap_or(self.rest.len());
        let (block, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        Some(block)
    }
}

/// A block as words. A text can also be cut between a visible ASCII character and a space, and where
/// ASCII digits begin or end: in both encodings white space never goes on what is visible, and digits
/// stand in tokens by themselves.
pub struct Words<'t> {
    rest: &'t str,
}

impl<'t> Words<'t> {
    pub fn new(block: &'t str) -> Words<'t> {
        Words { rest: block }
    }
}

impl<'t> Iterator for Words<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        if self.rest.is_empty() {
            return None;
        }
        let pairs = self.rest.as_bytes().windows(2);
        let cut = pairs.into_iter().position(|pair| matches!(pair, [one, other] if parts(*one, *other)));
        let (word, rest) = self.rest.split_at_checked(cut.map_or(self.rest.len(), |before| before + 1))?;
        self.rest = rest;
        Some(word)
    }
}

fn parts(before: u8, after: u8) -> bool {
    let begins = before.is_ascii_graphic() && (after == b' ' || after.is_ascii_digit());
    let ends = before.is_ascii_digit() && after.is_ascii();
    (begins || ends) && !(before.is_ascii_digit() && after.is_ascii_digit())
}

/// Whether a text can be cut here, just after a newline.
pub fn may_cut(text: &str, after: usize) -> bool {
    let ends_line = text.get(..after).is_some_and(|head| head.ends_with('\n'));
    let next = text.get(after..).and_then(|tail| tail.chars().next());
    ends_line && next.is_some_and(|next| !next.is_whitespace() && next != '/')
}

/// A block in pieces within the bounds. It is cut where that changes no count if there is such a place:
/// before a single space between words and between ASCII letters and digits. Else it is cut at the bound,
/// the same everywhere, which may cost a token or two.
pub fn pieces(block: &str, bounds: Bounds) -> Vec<&str> {
    if block.len() <= bounds.block.min(bounds.blanks) {
        return vec![block];
    }
    let mut pieces = Vec::new();
    let (mut start, mut exact, mut blanks) = (0, 0, 0);
    let mut before = None;
    let mut characters = block.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let after = characters.peek().map(|(_, after)| *after);
        if divides(before, character, after) {
            exact = at;
        }
        if blanks >= bounds.blanks || at - start >= bounds.block {
            let cut = if blanks < bounds.blanks && exact > start { exact } else { at };
            pieces.extend(block.get(start..cut));
            start = cut;
            blanks = 0;
        }
        blanks = if character.is_whitespace() { blanks + 1 } else { 0 };
        before = Some(character);
    }
    pieces.extend(block.get(start..));
    pieces
}

/// Whether no token spans the place before a character.
fn divides(before: Option<char>, character: char, after: Option<char>) -> bool {
    let Some(before) = before else { return false };
    let is_word = |character: char| !character.is_whitespace();
    let single_space = character == ' ' && is_word(before) && after.is_some_and(is_word);
    let letter_to_digit = before.is_ascii_alphabetic() && character.is_ascii_digit();
    let digit_to_letter = before.is_ascii_digit() && character.is_ascii_alphabetic();
    single_space || letter_to_digit || digit_to_letter
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str) -> Vec<&str> {
        Blocks::new(text).collect()
    }

    #[test]
    fn blocks_begin_where_lines_begin_with_a_word() {
        assert_eq!(blocks(""), Vec::<&str>::new());
        assert_eq!(blocks("a\nb\n"), ["a\n", "b\n"]);
        assert_eq!(blocks("a\n  b\n\nc\n/d\ne"), ["a\n  b\n\n", "c\n/d\n", "e"]);
        assert_eq!(blocks("a\r\n\u{a0}b\né"), ["a\r\n\u{a0}b\n", "é"]);
    }

    #[test]
    fn words_begin_at_spaces_and_digits() {
        let words = |block| Words::new(block).collect::<Vec<_>>();
        assert_eq!(words("(take 12 xs)\n"), ["(take", " 12", " xs)\n"]);
        assert_eq!(words("é 1٣a-1234.5"), ["é 1٣a-", "1234", ".", "5"]);
        assert_eq!(words("  a\t b"), ["  a\t b"]);
        assert_eq!(words(""), [""; 0]);
    }

    #[test]
    fn long_blocks_are_cut_where_words_meet() {
        let bounds = Bounds { block: 8, blanks: 4 };
        assert_eq!(pieces("12345678", bounds), ["12345678"]);
        assert_eq!(pieces("abc def ghi", bounds), ["abc def", " ghi"]);
        assert_eq!(pieces("abcde12345", bounds), ["abcde", "12345"]);
        assert_eq!(pieces("ééééééé", bounds), ["éééé", "ééé"]);
        assert_eq!(pieces("a          b", bounds), ["a    ", "    ", "  b"]);
    }
}
