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

#[cfg(test)]
mod tests {
    use super::super::error::ErrorKind;
    use super::super::read::read;
    use super::*;

    #[test]
    fn rendered_errors_show_message_place_and_line() {
        let source = Source::new("answer.clj", "(let [a 1]\n  (+ é 1x2))");
        let error = read(&source).unwrap_err();
        let expected = "\
error[parse_error]: Invalid number '1x2' at line 2, column 8
  ┌─ answer.clj:2:8
  │
2 │   (+ é 1x2))
  │        ^^^

";
        assert_eq!(render(&error, &source), expected);
    }

    #[test]
    fn lines_after_the_first_become_notes() {
        let error = Error::new(ErrorKind::InvalidForm, "one at line 1, column 1\ntwo at line 1, column 2");
        let text = render(&error, &Source::new("a", "ab"));
        assert_eq!(text, "error[invalid_form]: one at line 1, column 1\n = two at line 1, column 2\n\n");
    }

    #[test]
    fn places_outside_the_text_are_clamped() {
        let text = "é“\n";
        for (start, end) in [(0, 1), (1, 2), (4, 3), (5, 900), (900, 901), (7, 2), (u32::MAX, u32::MAX)] {
            let error = Error { span: Some(Span { start, end }), ..Error::new(ErrorKind::TypeError, "no") };
            assert!(render(&error, &Source::new("a", text)).contains("error[type_error]: no"));
            assert!(render(&error, &Source::new("a", "")).contains("error[type_error]: no"));
        }
    }

    #[test]
    fn long_lines_are_cut_but_keep_their_column() {
        let padding = "(str 1) ".repeat(10_000);
        let source = Source::new("long.clj", format!("1\n{padding}(inc 1x2) {padding}"));
        let shown = format!("{}(inc 1x2) {}", &padding[padding.len() - 35..], "(str 1) ".repeat(20));
        let expected = format!(
            "\
error[parse_error]: Invalid number '1x2' at line 2, column 80006
  ┌─ long.clj:2:80006
  │
2 │ …{}…
  │  {}^^^

",
            &shown[..160],
            " ".repeat(40)
        );
        assert_eq!(render(&read(&source).unwrap_err(), &source), expected);
    }

    #[test]
    fn marks_over_several_long_lines_show_both_ends() {
        let long = "x".repeat(1_000);
        let text = format!("{long}[{long}\n{long}\n{long}]{long}");
        let span = Some(Span::new(1_000, text.len() - 1_000));
        let error = Error { span, ..Error::new(ErrorKind::TypeError, "no") };
        let shown = render(&error, &Source::new("a", text));
        assert!(shown.contains("a:1:1001") && shown.contains("x[x") && shown.contains("x]x"), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() < 180), "{shown}");
    }
}
