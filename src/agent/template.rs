//! Text with `{{name}}` placeholders.

use std::fmt;

use ecow::EcoString;

/// A text with placeholders (BRK-003).
#[derive(Clone, Copy, Debug)]
pub struct Template<'t> {
    text: &'t str,
}

/// Error of a placeholder without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingPlaceholder {
    pub name: String,
    /// Start in the text: line and column from 1, the column in code points.
    pub line: usize,
    pub column: usize,
    /// The known names.
    pub available: Vec<String>,
}

impl<'t> Template<'t> {
    pub fn new(text: &'t str) -> Template<'t> {
        Template { text }
    }

    /// The text with each placeholder replaced. Braces that are no placeholder stay as they are.
    ///
    /// # Errors
    /// The first placeholder that has no value; its `available` is left empty.
    pub fn fill(&self, value_of: impl Fn(&str) -> Option<EcoString>) -> Result<String, MissingPlaceholder> {
        let mut filled = String::with_capacity(self.text.len());
        let mut rest = self.text;
        while let Some((before, name, after)) = next_placeholder(rest) {
            filled.push_str(before);
            let at = self.text.len() - rest.len() + before.len();
            filled.push_str(&value_of(name).ok_or_else(|| self.missing(name, at))?);
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    fn missing(&self, name: &str, at: usize) -> MissingPlaceholder {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        MissingPlaceholder { name: name.to_string(), line, column, available: Vec::new() }
    }
}

/// The text before the next placeholder, its name, and the text after it.
fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let open = from + text.get(from..)?.find("{{")?;
        let inside = text.get(open + 2..)?;
        let length = inside.find(['{', '}'])?;
        let (name, after) = inside.split_at_checked(length)?;
        match after.strip_prefix("}}") {
            Some(after) if is_name(name.trim_matches(' ')) => {
                return Some((text.get(..open)?, name.trim_matches(' '), after));
            }
            _ => from = open + 1,
        }
    }
}

/// True if data can have this name: a symbol without `/`.
fn is_name(text: &str) -> bool {
    let refused = |c: char| c.is_whitespace() || "()[]\"\\/;,@^`~'#:".contains(c);
    let starts = text.chars().next().is_some_and(|first| !first.is_ascii_digit());
    starts && !text.contains(refused)
}

impl fmt::Display for MissingPlaceholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MissingPlaceholder { name, line, column, available } = self;
        write!(f, "no data for the placeholder {{{{{name}}}}} at line {line}, column {column}")?;
        if available.is_empty() {
            f.write_str("; there is no data")
        } else {
            write!(f, "; there is data for {}", available.join(", "))
        }
    }
}

impl std::error::Error for MissingPlaceholder {}
