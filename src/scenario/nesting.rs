//! Measures the bracket nesting of a YAML text without parsing it: the parser takes quadratic time in the depth. The scan only separates
//! text from brackets.

use memchr::memchr2_iter;

/// The byte offset of the first `[` or `{` nested deeper than `limit`.
pub fn too_deep(text: &str, limit: u32) -> Option<usize> {
    // Fast path: most files have fewer brackets in total.
    memchr2_iter(b'[', b'{', text.as_bytes()).nth(limit as usize)?;
    Scan { bytes: text.as_bytes(), at: 0, limit, text_deeper_than: None }.check_text().err()
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    limit: u32,
    /// The column of the entry with the current scalar. Deeper indented lines belong to the scalar.
    text_deeper_than: Option<isize>,
}

impl Scan<'_> {
    fn check_text(mut self) -> Result<(), usize> {
        while self.at < self.bytes.len() {
            self.check_line()?;
        }
        Ok(())
    }

    /// Scans a line outside brackets, including any bracket or quoted text that it opens.
    fn check_line(&mut self) -> Result<(), usize> {
        let start = self.at;
        self.skip_bytes(|byte| byte == b' ');
        let indent = (self.at - start) as isize;
        if self.is_at_end() || self.text_deeper_than.is_some_and(|column| indent > column) {
            self.end_line();
            return Ok(());
        }
        self.text_deeper_than = None;
        if self.bytes.get(start..).is_some_and(|line| line.starts_with(b"---")) {
            self.at = start + 3;
        }
        self.check_nodes(start)?;
        self.end_line();
        Ok(())
    }

    /// Scans the nodes of a line: nested list and map entries, then a scalar or a bracket.
    fn check_nodes(&mut self, line: usize) -> Result<(), usize> {
        // The column of the innermost entry. −1 for a scalar at the top of the document.
        let mut column = -1;
        loop {
            self.skip_bytes(|byte| byte == b' ' || byte == b'\t');
            let begins = (self.at - line) as isize;
            match self.peek_byte() {
                Some(b'-' | b'?' | b':') if self.blank_follows() => {
                    column = begins;
                    self.at += 1;
                    continue;
                }
                Some(b'&' | b'!' | b'*') => {
                    self.skip_until(|scan| scan.is_at_end() || scan.is_blank());
                    continue;
                }
                Some(b'[' | b'{') => self.check_brackets()?,
                Some(quote @ (b'"' | b'\'')) => self.skip_quoted(quote),
                Some(b'#') => return Ok(()),
                _ if self.is_at_end() => return Ok(()),
                Some(b'|' | b'>') => {
                    self.text_deeper_than = Some(column);
                    return Ok(());
                }
                _ => self.skip_plain(|_| false),
            }
            if self.peek_byte() == Some(b':') && self.blank_follows() {
                column = begins;
                self.at += 1;
            } else if self.is_at_end() {
                self.text_deeper_than = Some(column);
                return Ok(());
            }
        }
    }

    /// Scans from an opening bracket to its closing bracket.
    fn check_brackets(&mut self) -> Result<(), usize> {
        let mut depth = 0;
        while let Some(byte) = self.peek_byte() {
            match byte {
                b'[' | b'{' if depth == self.limit => return Err(self.at),
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth -= 1,
                b'"' | b'\'' => {
                    self.skip_quoted(byte);
                    continue;
                }
                b'#' => {
                    self.skip_until(Scan::is_at_end);
                    continue;
                }
                b',' | b':' | b' ' | b'\t' => {}
                _ if self.line_break() > 0 => {}
                _ => {
                    self.skip_plain(|byte| matches!(byte, b',' | b'[' | b']' | b'{' | b'}'));
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

    /// Scans unquoted text up to the end of the line, a comment, `: ` or a byte in `ends`.
    fn skip_plain(&mut self, ends: fn(u8) -> bool) {
        let start = self.at;
        while let Some(byte) = self.peek_byte() {
            let blank_before = self.at > start && matches!(self.bytes.get(self.at - 1), Some(b' ' | b'\t'));
            let key_ends = byte == b':' && self.blank_follows();
            if self.is_at_end() || ends(byte) || key_ends || (byte == b'#' && blank_before) {
                break;
            }
            self.at += 1;
        }
        // Consume at least one byte, so that the scan terminates.
        self.at = self.at.max((start + 1).min(self.bytes.len()));
    }

    fn skip_quoted(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.peek_byte() {
            self.at += 1;
            if byte == b'\\' && quote == b'"' {
                self.at += 1;
            } else if byte == quote {
                return;
            }
        }
    }

    fn peek_byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blank_follows(&self) -> bool {
        let next = Scan { at: self.at + 1, ..*self };
        next.is_at_end() || next.is_blank()
    }

    fn is_blank(&self) -> bool {
        self.peek_byte().is_some_and(|byte| byte.is_ascii_whitespace())
    }

    /// Length in bytes of the line break here; 0 if there is none. YAML 1.1 has additional line breaks.
    fn line_break(&self) -> usize {
        match &self.bytes[self.at..] {
            [b'\n', ..] => 1,
            [b'\r', rest @ ..] => 1 + usize::from(rest.starts_with(b"\n")),
            rest if rest.starts_with("\u{85}".as_bytes()) => 2,
            rest if ["\u{2028}", "\u{2029}"].iter().any(|end| rest.starts_with(end.as_bytes())) => 3,
            _ => 0,
        }
    }

    /// Returns true at the end of a line or of the text.
    fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len() || self.line_break() > 0
    }

    fn skip_until(&mut self, ends: impl Fn(&Self) -> bool) {
        while !ends(self) {
            self.at += 1;
        }
    }

    fn skip_bytes(&mut self, belongs: impl Fn(u8) -> bool) {
        while self.peek_byte().is_some_and(&belongs) {
            self.at += 1;
        }
    }

    fn end_line(&mut self) {
        self.skip_until(Scan::is_at_end);
        self.at += self.line_break();
    }
}
