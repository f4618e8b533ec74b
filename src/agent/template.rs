//! Text with `{{name}}` placeholders.

use std::fmt;

use ecow::EcoString;

/// A text with placeholders.
#[derive(Clone, Copy, Debug)]
pub struct Template<'t> {
    text: &'t str,
}

/// The most bytes of all values together. A value with shared parts may be huge when printed.
pub const MAX_VALUES: usize = 16 << 20;

/// The error for a placeholder without a value, or for values larger than [`MAX_VALUES`] together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceholderError {
    pub name: String,
    /// The start in the text: line and column from 1, the column in code points.
    pub line: usize,
    pub column: usize,
    /// The known names. `None` if the values are too large.
    pub available: Option<Vec<String>>,
}

impl<'t> Template<'t> {
    pub fn new(text: &'t str) -> Template<'t> {
        Template { text }
    }

    /// Replaces each placeholder. Other braces stay unchanged. `value_of` gets a name and a number of bytes, at which it may truncate the
    /// value.
    ///
    /// # Errors
    /// The first placeholder without a value (`available` is empty), or with a value that is too large.
    pub fn fill(
        &self,
        value_of: impl Fn(&str, usize) -> Option<EcoString>,
    ) -> Result<String, PlaceholderError> {
        let mut left = MAX_VALUES;
        let mut filled = String::with_capacity(self.text.len());
        let mut rest = self.text;
        while let Some((before, name, after)) = next_placeholder(rest) {
            filled.push_str(before);
            let at = self.text.len() - rest.len() + before.len();
            let value =
                value_of(name, left).ok_or_else(|| self.refuse_placeholder(name, at, Some(Vec::new())))?;
            left = left.checked_sub(value.len()).ok_or_else(|| self.refuse_placeholder(name, at, None))?;
            filled.push_str(&value);
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    fn refuse_placeholder(&self, name: &str, at: usize, available: Option<Vec<String>>) -> PlaceholderError {
        let (before, _) = self.text.split_at(at);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        PlaceholderError { name: name.to_string(), line, column, available }
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
            // The next brace may open a placeholder, as in `{{{name}}}`.
            _ => from = open + 1,
        }
    }
}

/// Returns true if data can have this name: a symbol without `/`.
fn is_name(text: &str) -> bool {
    let starts = text.chars().next().is_some_and(|first| !first.is_ascii_digit());
    starts && !text.contains(|c: char| c.is_whitespace() || "()[]\"\\/;,@^`~'#:".contains(c))
}

impl fmt::Display for PlaceholderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlaceholderError { name, line, column, available } = self;
        let place = format!("the placeholder {{{{{name}}}}} at line {line}, column {column}");
        match available.as_deref() {
            None => write!(f, "{place} makes the text longer by more than {MAX_VALUES} bytes"),
            Some([]) => write!(f, "no data for {place}; there is no data"),
            Some(names) => write!(f, "no data for {place}; there is data for {}", names.join(", ")),
        }
    }
}

impl std::error::Error for PlaceholderError {}
