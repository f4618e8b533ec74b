//! Writing to people: standard output and error that may be closed at any moment, and colour that is used
//! only where it is wanted.

use std::fmt::Arguments;
use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;

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
    if !writes_out(text) {
        std::process::exit(INTERRUPTED.into());
    }
}

/// Writes to standard output, if somebody reads it.
pub(super) fn writes_out(text: Arguments<'_>) -> bool {
    io::stdout().lock().write_fmt(text).is_ok()
}

/// Writes to standard error; what cannot be said there cannot be said.
pub(super) fn write_err(text: Arguments<'_>) {
    let _ = io::stderr().lock().write_fmt(text);
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

    /// A line of a diff: what is gone in red, what is new in green.
    pub(super) fn diff_line(self, line: &str) -> String {
        match line.trim_start().chars().next() {
            Some('-') => self.paint(Paint::Bad, line),
            Some('+') => self.paint(Paint::Good, line),
            _ => line.to_string(),
        }
    }
}
