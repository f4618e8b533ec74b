//! Problems of a file, with position and help, and their rendering as text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::{Error as FilesError, Files, SimpleFile};
use codespan_reporting::term;
use console::measure_text_width;

use ptc_lisp::excerpt::excerpt;

/// Severity of a problem. A file with errors is unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

/// Maximum listed problems per file. Locating each one searches the whole text, so listing all would take quadratic time.
pub const LISTED: usize = 100;

/// One error or warning about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub severity: Severity,
    /// A fixed code for users to look up, such as `shadowed_builtin`.
    pub code: Option<&'static str>,
    /// The path as shown in messages, `-` for standard input.
    pub path: String,
    /// The position in the file. `None` if the file could not be read.
    pub place: Option<Box<Place>>,
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
}

/// A range on one line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// From 1.
    pub line: u32,
    /// From 1, in code points.
    pub column: u32,
    /// The keys leading there, such as `tools.rank.cases[2]`; empty at the top level.
    pub within: String,
    excerpt: String,
    /// The marked bytes of the excerpt.
    marked: Range<usize>,
}

/// Error for an unusable file. It has at least one problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", render(problems))]
pub struct ScenarioError {
    /// The path as shown in messages.
    pub path: String,
    pub problems: Vec<Problem>,
}

impl Problem {
    /// A problem with a whole file, for example a failure to open it.
    pub fn of_file(path: &str, message: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem {
            severity: Severity::Error,
            code: None,
            path: path.to_owned(),
            place: None,
            message: message.into(),
            help: Some(help.into()),
        }
    }

    /// A problem representing `number` unlisted problems of a file.
    pub fn more(path: &str, number: usize) -> Problem {
        Problem::of_file(path, format!("{number} more problems"), "fix those above first")
    }
}

impl From<Problem> for ScenarioError {
    fn from(problem: Problem) -> ScenarioError {
        ScenarioError { path: problem.path.clone(), problems: vec![problem] }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render_one(self))
    }
}

/// Renders all problems in order, with a blank line between two and a line break at the end.
pub fn render(problems: &[Problem]) -> String {
    problems.iter().map(render_one).collect::<Vec<_>>().join("\n")
}

/// Quotes a text for a shell, if necessary: names of a stranger's files are in the commands that a message suggests. A name with a leading
/// hyphen gets `./`, because it would be an option. A single hyphen is standard input.
pub fn for_shell(text: &str) -> Cow<'_, str> {
    if text.len() > 1 && text.starts_with('-') {
        return Cow::Owned(for_shell(&format!("./{text}")).into_owned());
    }
    if !text.is_empty() && !text.contains(|c: char| "{}[]()<>|&;*?!$#~`\"\\' \t\n".contains(c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
}

/// Quotes the value of an option for a shell. A value with a leading hyphen would be another option, unless `=` stands before it.
pub fn option_for_shell(option: &str, value: &str) -> String {
    match value.starts_with('-') {
        true => format!("{option}='{}'", value.replace('\'', r"'\''")),
        false => format!("{option} {}", for_shell(value)),
    }
}

/// Escapes line breaks as `\n` and `\r`, and invisible characters as `\u{200b}`.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    // A line break in a name could fake a line of our output or a command of the CI system. Hidden characters could make two names look
    // equal.
    if !text.contains(|c: char| matches!(c, '\n' | '\r') || is_hidden(c)) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            hidden if is_hidden(hidden) => line.extend(hidden.escape_unicode()),
            other => line.push(other),
        }
    }
    Cow::Owned(line)
}

/// Returns true for zero-width and bidirectional control characters, but not for joiners: they are part of words.
fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    )
}

fn render_one(problem: &Problem) -> String {
    let [path, message] = [&problem.path, &problem.message].map(|text| on_one_line(text).into_owned());
    let problem = &Problem { path, message, ..problem.clone() };
    let drawn = match &problem.place {
        Some(place) => term::emit_into_string(
            &term::Config::default(),
            &Line { problem, place },
            &draw_problem(problem, place),
        ),
        None => term::emit_into_string(
            &term::Config::default(),
            &SimpleFile::new("", ""),
            &outline_problem(problem),
        )
        .map(|drawn| drawn.replacen("\n = help", "\n  = help", 1).replace("\n   ", "\n          ")),
    };
    let drawn = drawn.unwrap_or_else(|_| format!("{}: {}\n", problem.path, problem.message));
    let lines: Vec<&str> = drawn.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

fn draw_problem(problem: &Problem, place: &Place) -> Diagnostic<()> {
    let mut label = Label::primary((), place.marked.clone());
    if !place.within.is_empty() {
        label = label.with_message(format!("in {}", place.within));
    }
    format_heading(problem).with_message(&problem.message).with_label(label)
}

fn outline_problem(problem: &Problem) -> Diagnostic<()> {
    format_heading(problem).with_message(format!("{}: {}", problem.path, problem.message))
}

fn format_heading(problem: &Problem) -> Diagnostic<()> {
    let diagnostic = match problem.severity {
        Severity::Error => Diagnostic::error(),
        Severity::Warning => Diagnostic::warning(),
    };
    let mut diagnostic =
        diagnostic.with_notes_iter(problem.help.as_ref().map(|help| format!("help: {help}")));
    diagnostic.code = problem.code.map(str::to_owned);
    diagnostic
}

impl Place {
    /// The range of `width` bytes at byte `offset` of a text, cut at the end of the line. `first_line` is the line of the file where the
    /// text begins.
    pub fn new(text: &str, first_line: u32, offset: usize, width: usize, within: String) -> Place {
        let (before, rest) = text.split_at(text.floor_char_boundary(offset));
        let lead = before.rsplit_once('\n').map_or(before, |(_, lead)| lead);
        let rest = rest.split_once(['\n', '\r']).map_or(rest, |(rest, _)| rest);
        let (shown_lead, shown_rest) = excerpt(lead, rest);
        let (shown_lead, shown_rest) = (blank_controls(&shown_lead), blank_controls(&shown_rest));
        let width = shown_rest.floor_char_boundary(width.max(1));
        Place {
            line: first_line + before.matches('\n').count() as u32,
            column: lead.chars().count() as u32 + 1,
            within,
            marked: shown_lead.len()..shown_lead.len() + width,
            excerpt: shown_lead + &shown_rest,
        }
    }
}

/// The line with carets below the place:
/// ```text
/// 8 │ expect: {value: 3}
///   │          ^^^^^
/// ```
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.excerpt.get(..self.marked.start).map_or(0, measure_text_width);
        let carets = self.excerpt.get(self.marked.clone()).map_or(0, measure_text_width).max(1);
        let number = self.line.to_string();
        writeln!(f, "{number} │ {}", self.excerpt.trim_end())?;
        write!(f, "{:width$} │ {:before$}{:^>carets$}", "", "", "", width = number.len())
    }
}

/// Replaces each tab and control character by a space, so that carets line up.
fn blank_controls(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The only line of the file known to the renderer.
struct Line<'a> {
    problem: &'a Problem,
    place: &'a Place,
}

impl<'a> Files<'a> for Line<'_> {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, FilesError> {
        Ok(&self.problem.path)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, FilesError> {
        Ok(&self.place.excerpt)
    }

    fn line_index(&'a self, (): (), _byte: usize) -> Result<usize, FilesError> {
        Ok(0)
    }

    fn line_number(&'a self, (): (), _index: usize) -> Result<usize, FilesError> {
        Ok(self.place.line as usize)
    }

    fn column_number(&'a self, (): (), _index: usize, _byte: usize) -> Result<usize, FilesError> {
        Ok(self.place.column as usize)
    }

    fn line_range(&'a self, (): (), _index: usize) -> Result<Range<usize>, FilesError> {
        Ok(0..self.place.excerpt.len())
    }
}
