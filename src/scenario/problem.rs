//! Problems of a file as data, with their place and a help, and as drawn text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::{Error as FilesError, Files, SimpleFile};
use codespan_reporting::term;
use console::measure_text_width;

use ptc_lisp::excerpt::excerpt;

/// Severity of a problem. A file with errors cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

/// Most problems of a file that are listed. The place of each is searched in the whole text, so all would take quadratic time.
pub const LISTED: usize = 100;

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub severity: Severity,
    /// A fixed word for a kind of problem that people look up, such as `shadowed_builtin`.
    pub code: Option<&'static str>,
    /// The file as messages name it, `-` for standard input.
    pub path: String,
    /// The place in the file. None if the file could not be read at all.
    pub place: Option<Box<Place>>,
    pub message: String,
    /// Advice on what to do.
    pub help: Option<String>,
}

/// A stretch of one line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// From 1.
    pub line: u32,
    /// From 1, in code points.
    pub column: u32,
    /// The keys that lead there, such as `tools.rank.cases[2]`; empty at the top.
    pub within: String,
    excerpt: String,
    /// The bytes of the excerpt that are marked.
    marked: Range<usize>,
}

/// Error of a file that cannot be used. It has at least one problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", render(problems))]
pub struct ScenarioError {
    /// The file as messages name it.
    pub path: String,
    pub problems: Vec<Problem>,
}

impl Problem {
    /// A problem with a file as a whole, such as one that cannot be opened.
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

    /// A problem that stands for problems of a file that are not listed. `number` is their number.
    pub fn more(path: &str, number: usize) -> Problem {
        Problem::of_file(path, format!("{number} more problems"), "mend those above first")
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

/// All problems as text, in order, a blank line between two and a line break at the end.
pub fn render(problems: &[Problem]) -> String {
    problems.iter().map(render_one).collect::<Vec<_>>().join("\n")
}

/// The text with its line breaks written as `\n` and `\r`, and characters that nobody sees as `\u{200b}`.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    // A name with a line break could begin a line that looks like ours, or that continuous integration takes for a command. Two names
    // that differ in hidden characters would look the same.
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

/// Returns true for characters without width, and those that change the order of others. Joiners are part of words.
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
            &drawing(problem, place),
        ),
        None => term::emit_into_string(&term::Config::default(), &SimpleFile::new("", ""), &outline(problem))
            .map(|drawn| drawn.replacen("\n = help", "\n  = help", 1).replace("\n   ", "\n          ")),
    };
    let drawn = drawn.unwrap_or_else(|_| format!("{}: {}\n", problem.path, problem.message));
    let lines: Vec<&str> = drawn.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

fn drawing(problem: &Problem, place: &Place) -> Diagnostic<()> {
    let mut label = Label::primary((), place.marked.clone());
    if !place.within.is_empty() {
        label = label.with_message(format!("in {}", place.within));
    }
    heading(problem).with_message(&problem.message).with_label(label)
}

fn outline(problem: &Problem) -> Diagnostic<()> {
    heading(problem).with_message(format!("{}: {}", problem.path, problem.message))
}

fn heading(problem: &Problem) -> Diagnostic<()> {
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
    /// The stretch of `width` bytes at the byte `offset` of a text. The text begins on the line `first_line` of its file. The stretch does
    /// not reach beyond its line.
    pub fn new(text: &str, first_line: u32, offset: usize, width: usize, within: String) -> Place {
        let (before, rest) = text.split_at(text.floor_char_boundary(offset));
        let lead = before.rsplit_once('\n').map_or(before, |(_, lead)| lead);
        let rest = rest.split_once(['\n', '\r']).map_or(rest, |(rest, _)| rest);
        let (shown_lead, shown_rest) = excerpt(lead, rest);
        let (shown_lead, shown_rest) = (blanked(&shown_lead), blanked(&shown_rest));
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
        let part = |range: Range<usize>| measure_text_width(self.excerpt.get(range).unwrap_or_default());
        let (before, carets) = (part(0..self.marked.start), part(self.marked.clone()).max(1));
        let number = self.line.to_string();
        writeln!(f, "{number} │ {}", self.excerpt.trim_end())?;
        write!(f, "{:width$} │ {:before$}{:^>carets$}", "", "", "", width = number.len())
    }
}

/// The text with a blank in place of each tab and control character, so that carets stand right.
fn blanked(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The one line of a file that is shown.
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
