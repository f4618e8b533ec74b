//! Errors of programs for people: where, the line with a mark under it, the message. Models are shown the
//! message alone.

use std::io;
use std::ops::Range;

use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::{Error as FilesError, SimpleFile};
use codespan_reporting::term::termcolor::WriteColor;
use codespan_reporting::term::{Config, emit_into_string, emit_to_write_style};

use super::error::Error;
use super::source::{Source, Span, floor_char_boundary};

/// The error as plain text of several lines, the last one ended.
pub fn render(error: &Error, source: &Source) -> String {
    emit_into_string(&Config::default(), &file(source), &diagnostic(error, source))
        .unwrap_or_else(|_| format!("{}: {}\n", source.name, error.message))
}

/// The error in colours, for terminals.
pub fn render_coloured(error: &Error, source: &Source, out: &mut dyn WriteColor) -> io::Result<()> {
    match emit_to_write_style(out, &Config::default(), &file(source), &diagnostic(error, source)) {
        Ok(()) => Ok(()),
        Err(FilesError::Io(failure)) => Err(failure),
        Err(_) => writeln!(out, "{}: {}", source.name, error.message),
    }
}

fn file(source: &Source) -> SimpleFile<&str, &str> {
    SimpleFile::new(source.name.as_str(), source.text.as_str())
}

/// Analysis says several things at once, one a line: the first is the title, the others are notes.
fn diagnostic(error: &Error, source: &Source) -> Diagnostic<()> {
    let mut lines = error.message.lines();
    let label = error.span.map(|span| Label::primary((), clamp(span, &source.text)));
    Diagnostic::error()
        .with_code(error.kind)
        .with_message(lines.next().unwrap_or(""))
        .with_labels_iter(label)
        .with_notes(lines.map(str::to_string).collect())
}

/// The nearest range that the text has.
fn clamp(span: Span, text: &str) -> Range<usize> {
    let start = floor_char_boundary(text, span.start as usize);
    let end = floor_char_boundary(text, span.end as usize);
    start..end.max(start)
}

#[cfg(test)]
mod tests {
    use codespan_reporting::term::termcolor::Ansi;

    use super::super::error::ErrorKind;
    use super::super::read::read;
    use super::*;

    #[test]
    fn a_person_sees_the_place_the_line_and_the_message() {
        let source = Source::new("answer.clj", "(let [a 1]\n  (+ é 1/2))");
        let error = read(&source).unwrap_err();
        let expected = "\
error[parse_error]: Invalid number '1/2'. Ratio literals are not supported at line 2, column 8
  ┌─ answer.clj:2:8
  │
2 │   (+ é 1/2))
  │        ^^^

";
        assert_eq!(render(&error, &source), expected);
    }

    #[test]
    fn findings_after_the_first_become_notes() {
        let error = Error::new(ErrorKind::InvalidForm, "one at line 1, column 1\ntwo at line 1, column 2");
        let text = render(&error, &Source::new("a", "ab"));
        assert_eq!(text, "error[invalid_form]: one at line 1, column 1\n = two at line 1, column 2\n\n");
    }

    #[test]
    fn places_outside_the_text_do_no_harm() {
        let text = "é“\n";
        for (start, end) in [(0, 1), (1, 2), (4, 3), (5, 900), (900, 901), (7, 2), (u32::MAX, u32::MAX)] {
            let error = Error { span: Some(Span { start, end }), ..Error::new(ErrorKind::TypeError, "no") };
            assert!(render(&error, &Source::new("a", text)).contains("error[type_error]: no"));
            assert!(render(&error, &Source::new("a", "")).contains("error[type_error]: no"));
        }
    }

    #[test]
    fn terminals_get_colours_around_the_same_words() {
        let source = Source::new("a", ")(");
        let mut out = Ansi::new(Vec::new());
        render_coloured(&read(&source).unwrap_err(), &source, &mut out).unwrap();
        let text = String::from_utf8(out.into_inner()).unwrap();
        assert!(text.contains("\u{1b}[") && text.contains("unclosed '(' opened"), "{text:?}");
    }
}
