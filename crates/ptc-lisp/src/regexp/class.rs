//! Translates Java's character classes, escapes such as `\w`, and properties; ASCII unless `(?U)` is on.

use super::dialect::{Translator, push_character};

impl Translator<'_> {
    /// Reads a class after its opening bracket.
    pub(super) fn class(&mut self) -> Result<String, String> {
        let negation = if self.eat('^') { "^" } else { "" };
        let operands = self.operands()?;
        match operands.as_slice() {
            [single] => Ok(format!("[{negation}{single}]")),
            several => Ok(format!("[{negation}[{}]]", several.join("]&&["))),
        }
    }

    /// Reads the operands of `&&` in a class, each a run of items.
    fn operands(&mut self) -> Result<Vec<String>, String> {
        let mut operands = Vec::new();
        let mut items = String::new();
        loop {
            let c = self.next().ok_or("unclosed character class")?;
            match c {
                ']' if !(items.is_empty() && operands.is_empty()) => break,
                '&' if self.peek() == Some('&') => {
                    while self.eat('&') {}
                    operands.push(std::mem::take(&mut items));
                }
                _ => self.class_item(c, &mut items)?,
            }
        }
        operands.push(items);
        operands.retain(|items| !items.is_empty());
        Ok(operands)
    }

    fn class_item(&mut self, c: char, items: &mut String) -> Result<(), String> {
        match c {
            '[' => items.push_str(&self.class()?),
            '\\' => return self.class_escape(items),
            c if self.flags.comments && c.is_ascii_whitespace() => {}
            '#' if self.flags.comments => self.skip_comment(),
            c => return self.range(c, items),
        }
        Ok(())
    }

    fn class_escape(&mut self, items: &mut String) -> Result<(), String> {
        if self.eat('Q') {
            for c in self.quoted().chars() {
                self.push_range(c, c, items);
            }
            return Ok(());
        }
        let c = self.next().ok_or("a backslash ends the pattern")?;
        match self.set_escape(c)? {
            Some(set) => items.push_str(&set),
            None => {
                let low = self.character_escape(c)?;
                return self.range(low, items);
            }
        }
        Ok(())
    }

    /// One character, or a range.
    fn range(&mut self, low: char, items: &mut String) -> Result<(), String> {
        let mut ahead = self.rest().chars();
        let is_range = ahead.next() == Some('-') && !matches!(ahead.next(), None | Some(']' | '['));
        if !is_range {
            self.push_range(low, low, items);
            return Ok(());
        }
        self.next();
        let high = match self.next().ok_or("unclosed character class")? {
            '\\' => {
                let c = self.next().ok_or("a backslash ends the pattern")?;
                if c.is_ascii_alphabetic() && self.set_escape(c)?.is_some() {
                    return Err(format!("illegal character range '{low}-\\{c}'"));
                }
                self.character_escape(c)?
            }
            c => c,
        };
        if high < low {
            return Err(format!("illegal character range '{low}-{high}'"));
        }
        self.push_range(low, high, items);
        Ok(())
    }

    /// Without `(?u)`, only ASCII letters ignore case.
    fn push_range(&self, low: char, high: char, items: &mut String) {
        push_span(items, low, high);
        if self.flags.ignores_ascii_case() {
            let (from, to) = (low.max('a'), high.min('z'));
            if from <= to {
                push_span(items, from.to_ascii_uppercase(), to.to_ascii_uppercase());
            }
            let (from, to) = (low.max('A'), high.min('Z'));
            if from <= to {
                push_span(items, from.to_ascii_lowercase(), to.to_ascii_lowercase());
            }
        }
    }

    /// Set of the escape `\c`, if it is one. Properties read their name.
    pub(super) fn set_escape(&mut self, c: char) -> Result<Option<String>, String> {
        let unicode = self.flags.unicode_classes;
        let set = match c {
            'd' | 'D' | 's' | 'S' | 'w' | 'W' if unicode => return Ok(Some(format!("\\{c}"))),
            'd' => "[0-9]",
            'D' => "[^0-9]",
            's' => "[\\t-\\r ]",
            'S' => "[^\\t-\\r ]",
            'w' => "[0-9A-Za-z_]",
            'W' => "[^0-9A-Za-z_]",
            'h' => "[\\t \\x{A0}\\x{1680}\\x{180E}\\x{2000}-\\x{200A}\\x{202F}\\x{205F}\\x{3000}]",
            'H' => "[^\\t \\x{A0}\\x{1680}\\x{180E}\\x{2000}-\\x{200A}\\x{202F}\\x{205F}\\x{3000}]",
            'v' => "[\\n-\\r\\x{85}\\x{2028}\\x{2029}]",
            'V' => "[^\\n-\\r\\x{85}\\x{2028}\\x{2029}]",
            'p' => return self.property("").map(Some),
            'P' => return self.property("^").map(Some),
            _ => return Ok(None),
        };
        Ok(Some(set.to_string()))
    }

    /// `\pL` or `\p{Name}`, whose `\p` has been read.
    fn property(&mut self, negation: &str) -> Result<String, String> {
        let name = match self.next().ok_or("unclosed character property")? {
            '{' => {
                let (name, _) = self.rest().split_once('}').ok_or("unclosed character property")?;
                self.skip(name.len() + 1);
                name.to_string()
            }
            c => c.to_string(),
        };
        let items = self.property_items(&name)?;
        Ok(format!("[{negation}{items}]"))
    }

    fn property_items(&self, name: &str) -> Result<String, String> {
        let folds = self.flags.ignore_case;
        if let Some(items) = ascii_property(name, folds) {
            return Ok(items.to_string());
        }
        let name = match name {
            "javaLowerCase" => "Lowercase",
            "javaUpperCase" => "Uppercase",
            "javaAlphabetic" => "Alphabetic",
            "javaDigit" | "IsDigit" => "Nd",
            "javaLetter" => "L",
            "javaLetterOrDigit" | "LD" => return Ok("\\p{L}\\p{Nd}".to_string()),
            "javaWhitespace" => {
                return Ok("\\t-\\r\\x1C- \\x{1680}\\x{2000}-\\x{2006}\\x{2008}-\\x{200A}\
                           \\x{2028}\\x{2029}\\x{205F}\\x{3000}"
                    .to_string());
            }
            other => other.strip_prefix("Is").unwrap_or(other),
        };
        if name.is_empty() || !name.chars().all(is_of_name) || regex_lacks(name) {
            return Err(format!("unknown character property '{name}'"));
        }
        Ok(format!("\\p{{{name}}}"))
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '=' | ' ')
}

/// True if the `regex` crate has no property of this name.
fn regex_lacks(name: &str) -> bool {
    regex::Regex::new(&format!("\\p{{{name}}}")).is_err()
}

fn ascii_property(name: &str, folds: bool) -> Option<&'static str> {
    Some(match name {
        "Lower" | "Upper" if folds => "a-zA-Z",
        "Lower" => "a-z",
        "Upper" => "A-Z",
        "ASCII" => "\\x00-\\x7F",
        "Alpha" => "a-zA-Z",
        "Digit" => "0-9",
        "Alnum" => "0-9a-zA-Z",
        "Punct" => "!-/:-@\\[-`{-~",
        "Graph" => "!-~",
        "Print" => "\\x20-~",
        "Blank" => "\\t\\x20",
        "Cntrl" => "\\x00-\\x1F\\x7F",
        "XDigit" => "0-9a-fA-F",
        "Space" => "\\t-\\r\\x20",
        "L1" => "\\x00-\\x{FF}",
        _ => return None,
    })
}

fn push_span(items: &mut String, low: char, high: char) {
    push_character(items, low);
    if low != high {
        items.push('-');
        push_character(items, high);
    }
}
