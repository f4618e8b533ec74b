//! Output to standard output and standard error: closed pipes, colour, control characters and secrets.

use std::borrow::Cow;
use std::fmt::{Arguments, Display};
use std::io::{self, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex};

use clap::ValueEnum;

use super::error::CliError;
use crate::measure::numbers::grouped;
use crate::processes;
use crate::scenario::on_one_line;
use crate::secrets::Secrets;
use crate::snapshot::view::{Row, Tint};
use conversation::cut::split_start;
use ptc_lisp::limits::MAX_STRING;

/// Use of colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// ANSI codes of the colours with a meaning.
pub(super) const GOOD: &str = "32";
pub(super) const BAD: &str = "31";
pub(super) const QUIET: &str = "2";

/// All secrets printed so far, so that the same secret always gets the same number. `None` if secrets are printed.
static SECRETS: LazyLock<Mutex<Option<Secrets>>> = LazyLock::new(|| Mutex::new(Some(Secrets::default())));
/// True if standard output must be byte-exact.
static PRINTS_SOURCE: AtomicBool = AtomicBool::new(false);

/// Prints all further standard output unchanged. Standard error still hides secrets.
pub(super) fn print_source() {
    PRINTS_SOURCE.store(true, Ordering::Relaxed);
}

/// Prints secrets from now on.
pub(super) fn keep_secrets() {
    if let Ok(mut secrets) = SECRETS.lock() {
        *secrets = None;
    }
}

/// The text as it may be printed. For texts that are wrapped or cut before they are printed.
pub(super) fn without_secrets(text: &str) -> Cow<'_, str> {
    let Ok(mut secrets) = SECRETS.lock() else { return text.into() };
    let Some(secrets) = secrets.as_mut() else { return text.into() };
    secrets.learn(text, None);
    secrets.hidden(text).map_or(text.into(), |(hidden, _)| hidden.into())
}

/// Writes untrusted text to standard output, with control characters escaped.
pub(super) fn write_out(text: Arguments<'_>) {
    let text = text.to_string();
    write_painted(&visible(&text));
}

/// Returns true in GitHub Actions, where the runner executes workflow commands found in the output.
fn is_obeyed() -> bool {
    static IS_OBEYED: LazyLock<bool> =
        LazyLock::new(|| std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true"));
    *IS_OBEYED
}

/// Breaks workflow commands in output for a runner: `::name` except after a word or path, and `##[name]`.
fn without_commands(text: &str) -> Cow<'_, str> {
    if !is_obeyed() || !(text.contains("::") || text.contains("##[")) {
        return text.into();
    }
    broken_commands(text).into()
}

/// Inserts a space into the marker of each command.
fn broken_commands(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(at) = rest.find([':', '#']) {
        let (before, after) = rest.split_at(at);
        out += before;
        let follows_word = out.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '>');
        rest = if let Some(name) = after.strip_prefix("##[") {
            out += "## [";
            name
        } else if let Some(name) = after.strip_prefix("::").filter(|_| !follows_word) {
            out += ": :";
            name
        } else {
            let (first, others) = after.split_at(1);
            out += first;
            others
        };
    }
    out + rest
}

/// Writes text painted by [`Color`] to standard output. Ends the program on error.
pub(super) fn write_painted(text: &str) {
    let is_source = PRINTS_SOURCE.load(Ordering::Relaxed);
    let text = if is_source { text.into() } else { without_secrets(text) };
    let _ = StandardOutput.write_all(without_commands(&text).as_bytes());
}

/// Writes to standard output. Ends the program on error.
pub(super) struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Without a reader there is no reason to continue.
        if let Err(error) = io::stdout().lock().write_all(bytes) {
            end_unread(error);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Ends the program and its child processes, after its output was closed.
fn end_unread(error: io::Error) -> ! {
    processes::end_all();
    std::process::exit(CliError::Output { error }.tell().code().into())
}

/// Standard output for lines of JSON. Each write must contain whole lines.
pub(super) struct JsonOutput;

impl Write for JsonOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::str::from_utf8(bytes) {
            Ok(text) if is_obeyed() && text.contains(MARK) => {
                StandardOutput.write_all(text.replace(MARK, ESCAPED_MARK).as_bytes())?;
            }
            _ => StandardOutput.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a line of JSON to standard output. Ends the program on error.
pub(super) fn write_json(json: &impl Display) {
    let _ = StandardOutput.write_all(json_line(&json.to_string()).as_bytes());
}

/// Writes a line of JSON to standard output. Returns false if the pipe is closed; ends the program on any other error.
pub(super) fn writes_json(json: &impl Display) -> bool {
    let line = json_line(&json.to_string());
    match io::stdout().lock().write_all(line.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => false,
        Err(error) => end_unread(error),
        Ok(()) => true,
    }
}

/// Writes to standard error. Ignores errors.
pub(super) fn write_err(text: Arguments<'_>) {
    let text = text.to_string();
    let shown = visible(&text);
    let plain = without_secrets(&shown);
    let _ = io::stderr().lock().write_all(without_commands(&plain).as_bytes());
}

/// Writes a line to standard error. Ignores errors.
pub(super) fn write_err_line(text: Arguments<'_>) {
    write_err(format_args!("{}\n", on_one_line(&text.to_string())));
}

/// The command marker that GitHub's runner accepts anywhere in a line, and the same marker escaped in a JSON string.
const MARK: &str = "##[";
const ESCAPED_MARK: &str = "##\\u005b";
/// The most lines of a value on a terminal.
const SHOWN_LINES: usize = 10;
/// The most characters of a value on a terminal: ten lines of 80 columns and some more.
const SHOWN_CHARACTERS: usize = 1_000;

/// The text for a file or pipe. On a terminal, only its start and its size.
pub(super) fn for_reader(text: &str, is_terminal: bool) -> Cow<'_, str> {
    if is_terminal { start_of(text, "in a file or a pipe all of them") } else { text.into() }
}

/// A short text unchanged. Otherwise its start, its size, and where to find the whole text.
pub(super) fn start_of<'t>(text: &'t str, whole: &str) -> Cow<'t, str> {
    let end_of_lines = text.match_indices('\n').nth(SHOWN_LINES - 1).map_or(text.len(), |(at, _)| at);
    let end = end_of_lines.min(split_start(text, SHOWN_CHARACTERS).0.len());
    if end == text.len() {
        return text.into();
    }
    // Printers truncate at the longest string, so a text of this length may be truncated.
    let characters = text.chars().count().min(MAX_STRING);
    let more = if characters == MAX_STRING { "more than " } else { "" };
    let (start, characters) = (text.get(..end).unwrap_or(text), grouped(characters as u64));
    format!("{start}… ({more}{characters} characters; {whole})").into()
}

/// Ends a line of JSON and escapes control characters as `\u001b`. They occur in strings only.
pub(super) fn json_line(json: &str) -> String {
    let line = escape_characters(json, |hidden| format!("\\u{:04x}", u32::from(hidden))).into_owned() + "\n";
    // `::` counts only at the start of a line, and JSON starts with a bracket. `##[` occurs only in strings.
    if is_obeyed() { line.replace(MARK, ESCAPED_MARK) } else { line }
}

/// Escapes control characters (except line breaks and tabs) and marks of writing direction as `\u{1b}`.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    escape_characters(text, |hidden| hidden.escape_unicode().to_string())
}

fn escape_characters(text: &str, escape: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            out.push_str(&escape(character));
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// Returns true for characters that could move the cursor or reorder the text.
pub(super) fn is_hidden(character: char) -> bool {
    const DIRECTION: [RangeInclusive<char>; 4] =
        ['\u{61c}'..='\u{61c}', '\u{200e}'..='\u{200f}', '\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
    let is_control = character.is_control() && !matches!(character, '\n' | '\t');
    is_control || DIRECTION.iter().any(|range| range.contains(&character))
}

/// Returns true if the environment variable is neither empty nor `0`.
fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}

/// The width of standard output in columns; 80 if it is no terminal.
pub(super) fn columns() -> usize {
    console::Term::stdout().size_checked().map_or(80, |(_, columns)| columns.into())
}

impl Color {
    /// Returns true if output is coloured: by the flag, else `NO_COLOR`, `FORCE_COLOR` and `CLICOLOR_FORCE`, else if it is a terminal.
    pub(super) fn is_on(self) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if is_set("NO_COLOR") => false,
            Color::Auto => is_set("FORCE_COLOR") || is_set("CLICOLOR_FORCE") || io::stdout().is_terminal(),
        }
    }

    /// Escapes control characters, then adds colour if it is on.
    pub(super) fn paint(self, code: &str, text: &str) -> String {
        let text = visible(text);
        let is_painted = self.is_on() && !code.is_empty();
        if is_painted { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into_owned() }
    }

    /// Escapes control characters in a row, then adds colour if it is on: red for removed, green for added text.
    pub(super) fn row(self, row: &Row) -> String {
        if !self.is_on() {
            return visible(&row.to_string()).into_owned();
        }
        row.spans.iter().map(|span| self.paint(code_of(span.tint), &span.text)).collect()
    }
}

fn code_of(tint: Tint) -> &'static str {
    match tint {
        Tint::Plain => "",
        Tint::Quiet => QUIET,
        Tint::Strong => "1",
        Tint::Removed => BAD,
        Tint::Added => GOOD,
        Tint::RemovedWord => "1;4;31",
        Tint::AddedWord => "1;4;32",
    }
}
