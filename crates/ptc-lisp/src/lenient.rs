//! Reads programs with the spaces and quotes of word processors, as models send them (`docs/language.md` §10).

use std::borrow::Cow;

use super::atom::is_invisible;
use super::error::Error;
use super::form::Form;
use super::read::read;
use super::source::Source;

/// Forms of a program, and the normalised text for their places.
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
