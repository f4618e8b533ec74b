//! Translates Java's regular expressions to the syntax of the `regex` crate (`docs/language.md` §16.1). Flags
//! are applied here, item by item, since those of `regex` differ: its classes and its `(?i)` cover all of
//! Unicode. Look-around, back-references, possessive and atomic groups are refused, since `regex` runs in
//! linear time.

use std::fmt::Write;

/// Characters not matched by `.`.
const LINE_ENDS: &str = "\\n\\r\\x{85}\\x{2028}\\x{2029}";

const UNSUPPORTED: &str = "look-around and back-references are not supported";

/// A pattern for the `regex` crate, and the properties beyond its syntax.
pub(super) struct Translation {
    pub pattern: String,
    /// Has a `$` or `\Z`: it may match before a line end at the end of the text.
    pub has_final_anchor: bool,
    /// Has a `^` under `(?m)`: it does not match at the end of the text.
    pub has_line_start: bool,
}

/// Reads a pattern from left to right.
pub(super) struct Translator<'s> {
    rest: &'s str,
    out: Translation,
    pub flags: Flags,
    /// Flags to restore at the end of each open group.
    groups: Vec<Flags>,
    /// True if a quantifier may follow.
    after_item: bool,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Flags {
    pub ignore_case: bool,
    unicode_case: bool,
    multi_line: bool,
    dot_all: bool,
    pub comments: bool,
    unix_lines: bool,
    pub unicode_classes: bool,
}

/// Translates a pattern.
///
/// # Errors
/// Reason why the pattern is invalid or not supported.
pub(super) fn translate(source: &str) -> Result<Translation, String> {
    let mut translator = Translator {
        rest: source,
        out: Translation { pattern: String::new(), has_final_anchor: false, has_line_start: false },
        flags: Flags::default(),
        groups: Vec::new(),
        after_item: false,
    };
    while let Some(c) = translator.next() {
        translator.item(c)?;
    }
    if translator.groups.is_empty() { Ok(translator.out) } else { Err("unclosed group".to_string()) }
}

impl Flags {
    pub(super) fn ignores_ascii_case(self) -> bool {
        self.ignore_case && !self.unicode_case
    }

    fn ignores_unicode_case(self) -> bool {
        self.ignore_case && self.unicode_case
    }

    fn with(mut self, letter: char, on: bool) -> Result<Flags, String> {
        match letter {
            'i' => self.ignore_case = on,
            'u' => self.unicode_case = on,
            'm' => self.multi_line = on,
            's' => self.dot_all = on,
            'x' => self.comments = on,
            'd' => self.unix_lines = on,
            'U' => {
                self.unicode_classes = on;
                self.unicode_case = on;
            }
            other => return Err(format!("unknown flag '{other}'")),
        }
        Ok(self)
    }
}

impl<'s> Translator<'s> {
    pub(super) fn rest(&self) -> &'s str {
        self.rest
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.skip(c.len_utf8());
        Some(c)
    }

    pub(super) fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.skip(expected.len_utf8());
        }
        found
    }

    pub(super) fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or("");
    }

    pub(super) fn skip_comment(&mut self) {
        self.skip(self.rest.find('\n').map_or(self.rest.len(), |at| at + 1));
    }

    /// Takes the text up to `\E` or the end.
    pub(super) fn quoted(&mut self) -> &'s str {
        let (quoted, rest) = self.rest.split_once("\\E").unwrap_or((self.rest, ""));
        self.rest = rest;
        quoted
    }

    fn item(&mut self, c: char) -> Result<(), String> {
        match c {
            '\\' => return self.escape(),
            '[' => {
                let class = self.class()?;
                self.push_set(&class);
            }
            '(' => return self.open_group(),
            ')' => return self.close_group(),
            '|' => self.push_break("|"),
            '^' => self.start_anchor(),
            '$' if self.flags.multi_line => self.push_item("(?mR:$)"),
            '$' => self.final_anchor(),
            '.' => self.dot(),
            '*' | '+' | '?' => return self.quantifier(&c.to_string()),
            '{' => return self.counted_quantifier(),
            '#' if self.flags.comments => self.skip_comment(),
            c if self.flags.comments && c.is_ascii_whitespace() => {}
            c => self.push_literal(c),
        }
        Ok(())
    }

    fn push_item(&mut self, text: &str) {
        self.out.pattern.push_str(text);
        self.after_item = true;
    }

    /// Adds an item. A quantifier after it is an error.
    fn push_break(&mut self, text: &str) {
        self.out.pattern.push_str(text);
        self.after_item = false;
    }

    fn push_set(&mut self, set: &str) {
        if self.flags.ignores_unicode_case() {
            self.push_item(&format!("(?i:{set})"));
        } else {
            self.push_item(set);
        }
    }

    fn push_literal(&mut self, c: char) {
        let mut text = String::new();
        push_character(&mut text, c);
        if self.flags.ignores_ascii_case() && c.is_ascii_alphabetic() {
            text = format!("[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase());
        }
        self.push_set(&text);
    }

    fn start_anchor(&mut self) {
        if !self.flags.multi_line {
            return self.push_item("\\A");
        }
        self.out.has_line_start = true;
        self.push_item(if self.flags.unix_lines { "(?m:^)" } else { "(?mR:^)" });
    }

    fn final_anchor(&mut self) {
        self.out.has_final_anchor = true;
        self.push_item("\\z");
    }

    fn dot(&mut self) {
        let set = match self.flags {
            Flags { dot_all: true, .. } => "(?s:.)".to_string(),
            Flags { unix_lines: true, .. } => "[^\\n]".to_string(),
            _ => format!("[^{LINE_ENDS}]"),
        };
        self.push_item(&set);
    }

    fn escape(&mut self) -> Result<(), String> {
        let c = self.next().ok_or("a backslash ends the pattern")?;
        if let Some(set) = self.set_escape(c)? {
            self.push_set(&set);
            return Ok(());
        }
        match c {
            'Q' => self.quoted().chars().for_each(|c| self.push_literal(c)),
            'A' => self.push_item("\\A"),
            'z' => self.push_item("\\z"),
            'Z' => self.final_anchor(),
            'b' | 'B' if self.flags.unicode_classes => self.push_item(&format!("\\{c}")),
            'b' | 'B' => self.push_item(&format!("(?-u:\\{c})")),
            'R' => self.push_item(&format!("(?:\\r\\n|[\\x0B\\x0C{LINE_ENDS}])")),
            'k' | '1'..='9' => return Err(UNSUPPORTED.to_string()),
            c => {
                let literal = self.character_escape(c)?;
                self.push_literal(literal);
            }
        }
        Ok(())
    }

    /// Character of the escape `\c`.
    pub(super) fn character_escape(&mut self, c: char) -> Result<char, String> {
        Ok(match c {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'a' => '\u{7}',
            'e' => '\u{1b}',
            'x' => return self.hexadecimal_escape(),
            'u' => return self.unicode_escape(),
            '0' => return self.octal_escape(),
            'c' => {
                let control = self.next().filter(char::is_ascii).ok_or("illegal control character escape")?;
                char::from(control as u8 ^ 64)
            }
            c if c.is_ascii_alphanumeric() => return Err(format!("unknown escape '\\{c}'")),
            c => c,
        })
    }

    fn hexadecimal_escape(&mut self) -> Result<char, String> {
        const ILLEGAL: &str = "illegal hexadecimal escape";
        let digits = match self.rest.strip_prefix('{') {
            Some(rest) => rest.split_once('}').ok_or(ILLEGAL)?.0,
            None => self.rest.get(..2).ok_or(ILLEGAL)?,
        };
        self.skip(if self.peek() == Some('{') { digits.len() + 2 } else { 2 });
        hexadecimal(digits).and_then(char::from_u32).ok_or(ILLEGAL.to_string())
    }

    /// Four digits; two such escapes for characters beyond the first plane.
    fn unicode_escape(&mut self) -> Result<char, String> {
        const ILLEGAL: &str = "illegal Unicode escape";
        let unit = self.four_digits().ok_or(ILLEGAL)?;
        if (0xD800..0xDC00).contains(&unit) && self.rest.starts_with("\\u") {
            self.skip(2);
            let low = self.four_digits().filter(|low| (0xDC00..0xE000).contains(low)).ok_or(ILLEGAL)?;
            return char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)).ok_or(ILLEGAL.into());
        }
        char::from_u32(unit).ok_or(ILLEGAL.to_string())
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.rest.get(..4)?;
        self.skip(4);
        hexadecimal(digits)
    }

    /// One to three digits, at most `\0377`.
    fn octal_escape(&mut self) -> Result<char, String> {
        let most = if matches!(self.peek(), Some('0'..='3')) { 3 } else { 2 };
        let digits = self.rest.bytes().take(most).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
        let value = self.rest.get(..digits).and_then(|digits| u8::from_str_radix(digits, 8).ok());
        self.skip(digits);
        value.map(char::from).ok_or("illegal octal escape".to_string())
    }

    fn open_group(&mut self) -> Result<(), String> {
        self.groups.push(self.flags);
        if !self.eat('?') {
            self.push_break("(");
            return Ok(());
        }
        match self.peek() {
            Some('=' | '!' | '>') => Err(UNSUPPORTED.to_string()),
            Some('<') => self.open_named_group(),
            _ => self.flag_group(),
        }
    }

    fn open_named_group(&mut self) -> Result<(), String> {
        self.skip(1);
        if matches!(self.peek(), Some('=' | '!')) {
            return Err(UNSUPPORTED.to_string());
        }
        let (name, _) = self.rest.split_once('>').ok_or("unclosed group name")?;
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric());
        if !is_name {
            return Err(format!("illegal group name '{name}'"));
        }
        self.skip(name.len() + 1);
        self.push_break(&format!("(?<{name}>"));
        Ok(())
    }

    /// `(?i-s:…)`, or `(?i-s)`, whose flags apply up to the end of the enclosing group.
    fn flag_group(&mut self) -> Result<(), String> {
        let mut on = true;
        loop {
            match self.next().ok_or("unclosed group")? {
                '-' if on => on = false,
                ':' => {
                    self.push_break("(?:");
                    return Ok(());
                }
                ')' => {
                    self.groups.pop();
                    self.push_break("");
                    return Ok(());
                }
                letter => self.flags = self.flags.with(letter, on)?,
            }
        }
    }

    fn close_group(&mut self) -> Result<(), String> {
        self.flags = self.groups.pop().ok_or("unmatched ')'")?;
        self.push_item(")");
        Ok(())
    }

    fn quantifier(&mut self, text: &str) -> Result<(), String> {
        if !self.after_item {
            return Err(format!("nothing to repeat before '{text}'"));
        }
        self.push_break(text);
        if self.eat('?') {
            self.push_break("?");
        }
        if self.peek() == Some('+') { Err(UNSUPPORTED.to_string()) } else { Ok(()) }
    }

    fn counted_quantifier(&mut self) -> Result<(), String> {
        let (counts, _) = self.rest.split_once('}').ok_or("unclosed repetition")?;
        let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
        let illegal = || format!("illegal repetition '{{{counts}}}'");
        let least = count(least).ok_or_else(illegal)?;
        if !most.is_empty() && count(most).is_none_or(|most| most < least) {
            return Err(illegal());
        }
        self.skip(counts.len() + 1);
        self.quantifier(&format!("{{{counts}}}"))
    }
}

fn count(digits: &str) -> Option<u32> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

fn hexadecimal(digits: &str) -> Option<u32> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_number { u32::from_str_radix(digits, 16).ok() } else { None }
}

/// Writes a literal character, inside a class or outside.
pub(super) fn push_character(out: &mut String, c: char) {
    if c.is_ascii() && !c.is_ascii_alphanumeric() {
        let _ = write!(out, "\\x{:02X}", u32::from(c));
    } else {
        out.push(c);
    }
}
