//! Measures how deeply the brackets of a YAML text are nested without parsing it, since the parser needs time
//! quadratic in that depth. It only tells text from brackets.

/// The byte of the first `[` or `{` that is nested more than `limit` deep.
pub fn too_deep(text: &str, limit: u32) -> Option<usize> {
    Scan { bytes: text.as_bytes(), at: 0, limit, text_deeper_than: None }.run().err()
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    limit: u32,
    /// While set, lines indented deeper than this many columns belong to a scalar.
    text_deeper_than: Option<isize>,
}

impl Scan<'_> {
    fn run(mut self) -> Result<(), usize> {
        while self.at < self.bytes.len() {
            self.line()?;
        }
        Ok(())
    }

    /// One line outside brackets, or as many as a bracket or a quoted text spans.
    fn line(&mut self) -> Result<(), usize> {
        let start = self.at;
        self.skip(|byte| byte == b' ');
        let indent = (self.at - start) as isize;
        if self.ends_line() || self.text_deeper_than.is_some_and(|column| indent > column) {
            self.end_line();
            return Ok(());
        }
        self.text_deeper_than = None;
        if self.bytes.get(start..).is_some_and(|line| line.starts_with(b"---")) {
            self.at = start + 3;
        }
        self.nodes(start)?;
        self.end_line();
        Ok(())
    }

    /// The nodes of a line: entries of lists and maps, one inside the other, then a scalar or bracket.
    fn nodes(&mut self, line: usize) -> Result<(), usize> {
        let mut column = -1;
        loop {
            self.skip(|byte| byte == b' ' || byte == b'\t');
            let begins = (self.at - line) as isize;
            match self.peek() {
                Some(b'-' | b'?' | b':') if self.blank_follows() => {
                    column = begins;
                    self.at += 1;
                    continue;
                }
                Some(b'&' | b'!' | b'*') => {
                    self.skip(|byte| !byte.is_ascii_whitespace());
                    continue;
                }
                Some(b'[' | b'{') => self.brackets()?,
                Some(quote @ (b'"' | b'\'')) => self.quoted(quote),
                None | Some(b'\n' | b'\r' | b'#') => return Ok(()),
                Some(b'|' | b'>') => {
                    self.text_deeper_than = Some(column);
                    return Ok(());
                }
                Some(_) => self.plain(|_| false),
            }
            if self.peek() == Some(b':') && self.blank_follows() {
                column = begins;
                self.at += 1;
            } else if self.ends_line() {
                self.text_deeper_than = Some(column);
                return Ok(());
            }
        }
    }

    /// From an opening bracket to the one that closes it.
    fn brackets(&mut self) -> Result<(), usize> {
        let mut depth = 0;
        while let Some(byte) = self.peek() {
            match byte {
                b'[' | b'{' if depth == self.limit => return Err(self.at),
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth -= 1,
                b'"' | b'\'' => {
                    self.quoted(byte);
                    continue;
                }
                b'#' => {
                    self.skip(|byte| byte != b'\n');
                    continue;
                }
                b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' => {}
                _ => {
                    self.plain(|byte| matches!(byte, b',' | b'[' | b']' | b'{' | b'}'));
                    continue;
                }
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Unquoted text up to the end of the line, a comment, `: ` or a byte that ends it.
    fn plain(&mut self, ends: fn(u8) -> bool) {
        let start = self.at;
        while let Some(byte) = self.peek() {
            let blank_before = self.at > start && matches!(self.bytes.get(self.at - 1), Some(b' ' | b'\t'));
            let key_ends = byte == b':' && self.blank_follows();
            if matches!(byte, b'\n' | b'\r') || ends(byte) || key_ends || (byte == b'#' && blank_before) {
                break;
            }
            self.at += 1;
        }
        self.at = self.at.max((start + 1).min(self.bytes.len()));
    }

    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += 1;
            if byte == b'\\' && quote == b'"' {
                self.at += 1;
            } else if byte == quote {
                return;
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blank_follows(&self) -> bool {
        self.bytes.get(self.at + 1).is_none_or(u8::is_ascii_whitespace)
    }

    fn ends_line(&self) -> bool {
        matches!(self.peek(), None | Some(b'\n' | b'\r'))
    }

    fn skip(&mut self, belongs: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&belongs) {
            self.at += 1;
        }
    }

    fn end_line(&mut self) {
        self.skip(|byte| byte != b'\n');
        self.at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::too_deep;

    fn deep(open: &str, depth: usize) -> String {
        open.repeat(depth)
    }

    #[test]
    fn finds_nesting_in_brackets_only() {
        for (text, found) in [
            (deep("[", 10), None),
            (deep("[", 11), Some(10)),
            (format!("a: {}", deep("[", 11)), Some(13)),
            (format!("- a: {}", deep("{x: [", 6)), Some(5 + 25)),
            (format!("a: text {}", deep("[", 11)), None),
            (format!("a: \"{}\"", deep("[", 11)), None),
            (format!("a: it's\nb: {}", deep("[", 11)), Some(21)),
            (format!("a: |\n  it's \" {}\nb: 1", deep("[", 11)), None),
            (format!("- |\n  {}\n- {}", deep("[", 11), deep("[", 11)), Some(30)),
            (format!("a: x\n  {}", deep("[", 11)), None),
            (format!("a: [1] # {}", deep("[", 11)), None),
            (format!("{{a: [\"]]]]\", it's, {}", deep("['}',", 9)), Some(19 + 40)),
            ("[]\n".repeat(20), None),
            (format!("---\na: {}", deep("[", 11)), Some(17)),
            (format!("a: &x\n  b: {}", deep("[", 11)), Some(21)),
            (format!("k: &x |\n  b: {}", deep("[", 11)), None),
        ] {
            assert_eq!(too_deep(&text, 10), found, "{text}");
        }
    }
}
