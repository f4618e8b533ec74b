//! Program errors for people: the message, the place and the marked line. Models see only the message.

use std::ops::Range;

use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::{Error as FilesError, Files, SimpleFile};
use codespan_reporting::term::{Config, emit_into_string};

use super::error::Error;
use super::excerpt::excerpt;
use super::source::{Source, Span};

/// Plain text of the error: several lines, each with a line end.
pub fn render(error: &Error, source: &Source) -> String {
    let drawn = match error.span {
        Some(span) => {
            let shown = Shown::around(span, source);
            let label = Label::primary((), shown.marked.clone());
            emit_into_string(&Config::default(), &shown, &message(error).with_label(label))
        }
        None => emit_into_string(&Config::default(), &SimpleFile::new("", ""), &message(error)),
    };
    drawn.unwrap_or_else(|_| format!("{}: {}\n", source.name, error.message))
}

/// Analysis reports several problems, one a line. The first becomes the title, the others become notes.
fn message(error: &Error) -> Diagnostic<()> {
    let mut lines = error.message.lines();
    Diagnostic::error()
        .with_code(error.kind)
        .with_message(lines.next().unwrap_or(""))
        .with_notes(lines.map(str::to_string).collect())
}

/// Excerpt of a source with a marked range.
struct Shown<'s> {
    file: SimpleFile<&'s str, String>,
    marked: Range<usize>,
    /// Place in the source where the mark begins.
    line: usize,
    column: usize,
}

impl<'s> Shown<'s> {
    fn around(span: Span, source: &'s Source) -> Shown<'s> {
        let place = clamp(span, &source.text);
        let (line, column) = source.position(place.start as u32);
        let (lead, rest) = source.text.split_at(place.start);
        let (marked, rest) = rest.split_at(place.len());
        let lead = lead.rsplit('\n').next().unwrap_or_default();
        let rest = rest.split('\n').next().unwrap_or_default();
        let (text, marked) = match marked.rsplit_once('\n') {
            Some((above, last)) => several_lines(lead, above, last, rest),
            None => one_line(lead, marked, rest),
        };
        let file = SimpleFile::new(source.name.as_str(), text);
        Shown { file, marked, line: line as usize, column: column as usize }
    }
}

fn one_line(lead: &str, marked: &str, rest: &str) -> (String, Range<usize>) {
    let (text, rest) = excerpt(lead, &[marked, rest].concat());
    let start = text.len();
    (text + &rest, start..start + marked.len().min(rest.len()))
}

/// Cuts the first and the last line around the ends of the mark.
fn several_lines(lead: &str, above: &str, last: &str, rest: &str) -> (String, Range<usize>) {
    let mut lines = above.split('\n');
    let (mut text, first) = excerpt(lead, lines.next().unwrap_or_default());
    let start = text.len();
    text += &first;
    for line in lines {
        text = text + "\n" + &excerpt("", line).1;
    }
    let (last, rest) = excerpt(last, rest);
    text = text + "\n" + &last;
    let end = text.len();
    (text + &rest, start..end)
}

impl<'a> Files<'a> for Shown<'_> {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, FilesError> {
        Ok(self.file.name())
    }

    fn source(&'a self, (): ()) -> Result<&'a str, FilesError> {
        Ok(self.file.source())
    }

    fn line_index(&'a self, (): (), byte: usize) -> Result<usize, FilesError> {
        self.file.line_index((), byte)
    }

    fn line_number(&'a self, (): (), index: usize) -> Result<usize, FilesError> {
        Ok(self.line + index)
    }

    fn column_number(&'a self, (): (), _index: usize, _byte: usize) -> Result<usize, FilesError> {
        Ok(self.column)
    }

    fn line_range(&'a self, (): (), index: usize) -> Result<Range<usize>, FilesError> {
        self.file.line_range((), index)
    }
}

/// Nearest range inside the text.
fn clamp(span: Span, text: &str) -> Range<usize> {
    let start = text.floor_char_boundary(span.start as usize);
    let end = text.floor_char_boundary(span.end as usize);
    start..end.max(start)
}
