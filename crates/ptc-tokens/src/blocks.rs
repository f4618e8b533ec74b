//! Cuts texts at places where no token of any encoding spans the cut, so that the parts can be counted alone.

/// The blocks of a text: lines, cut after each newline that is followed by neither white space nor `/`. In both
/// encodings no token spans such a place.
pub struct Blocks<'t> {
    rest: &'t str,
}

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

/// The words of a block: cut between a visible ASCII character and a space, and where ASCII digits begin or end.
/// In both encodings a token has white space only at its start, and digits are tokens of their own.
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

/// Returns true if a text can be cut at this byte, just after a newline.
pub fn may_cut(text: &str, after: usize) -> bool {
    let ends_line = text.get(..after).is_some_and(|head| head.ends_with('\n'));
    let next = text.get(after..).and_then(|tail| tail.chars().next());
    ends_line && next.is_some_and(|next| !next.is_whitespace() && next != '/')
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
}
