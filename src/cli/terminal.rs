//! Writing to people: standard output and error that may be closed at any moment, and colour that is used
//! only where it is wanted.

use std::borrow::Cow;
use std::fmt::Arguments;
use std::io::{self, IsTerminal, Write};
use std::ops::RangeInclusive;

use clap::ValueEnum;

use crate::snapshot::view::{Row, Tint};

/// The exit code of a run that was interrupted, by Ctrl-C or by a reader that went away.
pub(super) const INTERRUPTED: u8 = 130;

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// The colours that mean something here.
#[derive(Clone, Copy)]
pub(super) enum Paint {
    Good,
    Bad,
    Quiet,
}

/// Writes to standard output. Nobody is left to read the rest when that fails.
pub(super) fn write_out(text: Arguments<'_>) {
    if io::stdout().lock().write_fmt(text).is_err() {
        std::process::exit(INTERRUPTED.into());
    }
}

/// Writes to standard error; what cannot be said there cannot be said.
pub(super) fn write_err(text: Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(text);
}

/// The text with what could give orders to a terminal, or make it lie about the order of characters, written
/// out as `\u{1b}`: control characters but line breaks and tabs, and marks of writing direction.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match is_hidden(character) {
            true => out.extend(character.escape_unicode()),
            false => out.push(character),
        }
    }
    Cow::Owned(out)
}

fn is_hidden(character: char) -> bool {
    const DIRECTION: [RangeInclusive<char>; 4] =
        ['\u{61c}'..='\u{61c}', '\u{200e}'..='\u{200f}', '\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
    let is_control = character.is_control() && !matches!(character, '\n' | '\t');
    is_control || DIRECTION.iter().any(|range| range.contains(&character))
}

/// The columns that standard output has; 80 where it is no terminal.
pub(super) fn columns() -> usize {
    console::Term::stdout().size_checked().map_or(80, |(_, columns)| columns.into())
}

impl Color {
    /// Whether standard output takes colour: the flag, then `NO_COLOR` and `CLICOLOR_FORCE`, then whether
    /// it is a terminal.
    pub(super) fn is_on(self) -> bool {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if set("NO_COLOR") => false,
            Color::Auto => set("CLICOLOR_FORCE") || io::stdout().is_terminal(),
        }
    }

    /// The text in a colour, or as it is.
    pub(super) fn paint(self, paint: Paint, text: &str) -> String {
        let code = match paint {
            Paint::Good => 32,
            Paint::Bad => 31,
            Paint::Quiet => 2,
        };
        if self.is_on() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }

    /// A row in colour: what is gone in red, what is new in green.
    pub(super) fn row(self, row: &Row) -> String {
        if !self.is_on() {
            return row.to_string();
        }
        let spans = row.spans.iter().map(|span| match code_of(span.tint) {
            "" => span.text.clone(),
            code => format!("\x1b[{code}m{}\x1b[0m", span.text),
        });
        spans.collect()
    }
}

fn code_of(tint: Tint) -> &'static str {
    match tint {
        Tint::Plain => "",
        Tint::Quiet => "2",
        Tint::Strong => "1",
        Tint::Removed => "31",
        Tint::Added => "32",
        Tint::RemovedWord => "1;4;31",
        Tint::AddedWord => "1;4;32",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_get_no_orders_from_texts() {
        let hostile = "a\u{1b}[2Jb\u{202e}c\u{9b}31m\u{7f}\r\u{2066}\n\té日";
        let expected = "a\\u{1b}[2Jb\\u{202e}c\\u{9b}31m\\u{7f}\\u{d}\\u{2066}\n\té日";
        assert_eq!(visible(hostile), expected);
        assert!(matches!(visible("plain\n\té日"), Cow::Borrowed(_)));
    }
}
