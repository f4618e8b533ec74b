//! Texts of programs as people see them: excerpts of long lines, errors with their place, and answers with curly quotes.

use std::borrow::Cow;

use ptc_lisp::diagnostic::render;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::excerpt::excerpt;
use ptc_lisp::lenient::{normalize, read_lenient};
use ptc_lisp::read::read;
use ptc_lisp::source::{Source, Span};

#[test]
fn short_lines_are_shown_whole() {
    let (lead, rest) = ("a".repeat(80), "b".repeat(80));
    assert_eq!(excerpt(&lead, &rest), (lead, rest));
    assert_eq!(excerpt("", ""), Default::default());
}

#[test]
fn long_lines_are_cut_on_both_sides() {
    let (lead, rest) = excerpt(&"a".repeat(100_000), &"b".repeat(100_000));
    assert_eq!(lead, format!("…{}", "a".repeat(40)));
    assert_eq!(rest, format!("{}…", "b".repeat(120)));
}

#[test]
fn unused_columns_on_one_side_go_to_the_other() {
    assert_eq!(excerpt(&"a".repeat(1_000), "bb"), (format!("…{}", "a".repeat(158)), "bb".to_owned()));
    assert_eq!(excerpt("aa", &"b".repeat(1_000)), ("aa".to_owned(), format!("{}…", "b".repeat(158))));
}

#[test]
fn width_is_counted_in_columns_and_no_combining_mark_starts_an_excerpt() {
    let (lead, rest) = excerpt(&"漢".repeat(1_000), &"\t".repeat(1_000));
    assert_eq!((lead.chars().count(), rest.chars().count()), (1 + 20, 30 + 1));
    let (lead, rest) = excerpt(&"e\u{301}".repeat(1_000), &"\u{301}".repeat(1_000));
    assert!(lead.starts_with("…e"), "{lead:?}");
    assert!(rest.chars().count() < 200);
    let (lead, _) =
        excerpt(&format!("{}{}", "漢".repeat(100), "e\u{301}".repeat(19) + "e"), &"b".repeat(200));
    assert!(lead.starts_with("…e"), "{lead:?}");
}

#[test]
fn normalize_leaves_plain_text_alone() {
    assert!(matches!(normalize("(+ 1 2)\n\t“é”"), Cow::Borrowed(_)));
}

#[test]
fn normalize_makes_lines_spaces_and_invisible_characters_plain() {
    let text = "\u{feff}(+\u{a0}1\r\n\u{2009}2\u{200b}\u{200d}\u{2060}\u{ad}\u{180e})\u{202f}\r;";
    assert_eq!(normalize(text), "(+ 1\n 2) \r;");
    assert_eq!(normalize("a\r\u{200c}\nb"), "a\nb");
}

#[track_caller]
fn check(text: &str, expected: &str, reads: bool) {
    let reading = read_lenient(&Source::new("answer", text));
    assert_eq!(reading.source.text, expected);
    assert_eq!(reading.source.name, "answer");
    assert_eq!(reading.forms.is_ok(), reads, "{:?}", reading.forms);
}

#[test]
fn curly_quotes_become_straight_only_if_the_text_does_not_read() {
    check("(str “a b” ‘x)", "(str \"a b\" 'x)", true);
    check("(str \"“a b”\")", "(str \"“a b”\")", true);
    check("(str “a b”", "(str “a b”", false);
    check("(str \"it’s\"", "(str \"it’s\"", false);
}

#[test]
fn places_fit_the_text_that_was_read() {
    let reading = read_lenient(&Source::new("answer", "\u{feff}[a\u{200b} “b”]"));
    let forms = reading.forms.unwrap();
    assert_eq!(reading.source.slice(forms[0].span), "[a \"b\"]");
}

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
