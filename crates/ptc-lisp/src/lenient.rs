//! Reads programs with the spaces and quotes of word processors, as models send them (`docs/language.md` §10).

use std::borrow::Cow;

use super::atom::is_invisible;
use super::error::Error;
use super::form::Form;
use super::read::read;
use super::source::Source;

/// Forms of a program and the normalised text that their places refer to.
pub struct Reading {
    /// The normalised text.
    pub source: Source,
    /// The forms, or the first error.
    pub forms: Result<Vec<Form>, Error>,
}

/// Reads the normalised text. Only if that fails, tries again with curly quotes as straight ones, so that curly
/// quotes inside strings survive. If both fail, returns the first error.
pub fn read_lenient(source: &Source) -> Reading {
    let source = Source::new(source.name.clone(), normalize(&source.text).as_ref());
    let forms = read(&source);
    if forms.is_err()
        && let Cow::Owned(text) = straighten(&source.text)
    {
        let straight = Source::new(source.name.clone(), text);
        if let Ok(forms) = read(&straight) {
            return Reading { source: straight, forms: Ok(forms) };
        }
    }
    Reading { source, forms }
}

/// Ends lines with LF, drops characters without width, and replaces other spaces by plain ones.
pub fn normalize(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| c == '\r' || is_invisible(c) || is_other_space(c)) {
        return Cow::Borrowed(text);
    }
    let visible = text.chars().filter(|c| !is_invisible(*c));
    let plain: String = visible.map(|c| if is_other_space(c) { ' ' } else { c }).collect();
    Cow::Owned(plain.replace("\r\n", "\n"))
}

fn is_other_space(character: char) -> bool {
    matches!(character, '\u{a0}' | '\u{202f}' | '\u{2000}'..='\u{200a}')
}

fn straighten(text: &str) -> Cow<'_, str> {
    const DOUBLE: [char; 2] = ['\u{201c}', '\u{201d}'];
    const SINGLE: [char; 2] = ['\u{2018}', '\u{2019}'];
    if !text.contains(DOUBLE) && !text.contains(SINGLE) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(DOUBLE, "\"").replace(SINGLE, "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
