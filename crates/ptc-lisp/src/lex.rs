//! Splits program text into tokens with their places. `atom` reads words, `read` the nesting of tokens.

use std::fmt::Display;

use super::atom;
use super::error::{Error, ErrorKind};
use super::form::FormKind;
use super::source::{Source, Span};

#[derive(Clone, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TokenKind {
    /// Form of one token.
    Atom(FormKind),
    Open(Opening),
    /// `)`, `]` or `}`
    Close(char),
}

/// Opening bracket of a collection, or a mark before a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// `(`
    List,
    /// `[`
    Vector,
    /// `{`
    Map,
    /// `#{`
    Set,
    /// `#(`
    ShortFn,
    /// `'`
    Quote,
    /// `#'`
    Var,
    /// `#_`
    Discard,
    /// `^`
    Metadata,
    /// Metadata for the next form.
    Described,
}

/// Iterator over tokens up to the end of the source or the first error.
pub struct Lexer<'s> {
    source: &'s Source,
    at: usize,
}

impl Opening {
    /// The closing bracket; none for marks.
    pub fn closer(self) -> Option<char> {
        match self {
            Opening::List | Opening::ShortFn => Some(')'),
            Opening::Vector => Some(']'),
            Opening::Map | Opening::Set => Some('}'),
            Opening::Quote | Opening::Var | Opening::Discard | Opening::Metadata | Opening::Described => None,
        }
    }
}

impl<'s> Lexer<'s> {
    pub fn new(source: &'s Source) -> Lexer<'s> {
        Lexer { source, at: 0 }
    }
}

impl Iterator for Lexer<'_> {
    type Item = Result<Token, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks();
        let start = self.at;
        let first = self.rest().chars().next()?;
        let kind = self.token(first);
        Some(kind.map(|kind| Token { kind, span: Span::new(start, self.at) }))
    }
}

/// A `parse_error` at this place. The message ends with the position (`docs/language.md` §13.1).
pub(super) fn parse_error(source: &Source, span: Span, message: impl Display) -> Error {
    let (line, column) = source.position(span.start);
    let message = format!("{message} at line {line}, column {column}");
    Error { span: Some(span), ..Error::new(ErrorKind::ParseError, message) }
}

/// Beginning of errors of unfinished text.
const UNFINISHED: &str = "Unexpected end of input";

/// True if the text was refused only because it ends too early.
pub fn is_unfinished(error: &Error) -> bool {
    error.message.starts_with(UNFINISHED)
}

/// `Unexpected end of input: unclosed '(' opened at line L, column C`.
pub(super) fn unclosed(source: &Source, opening: Span) -> Error {
    let text = source.slice(opening);
    parse_error(source, opening, format_args!("{UNFINISHED}: unclosed '{text}' opened"))
}

/// `Unexpected end of input: expected EXPECTED after 'PREFIX' at line L, column C`.
pub(super) fn nothing_after(source: &Source, prefix: Span, expected: &str) -> Error {
    let text = source.slice(prefix);
    parse_error(source, prefix, format_args!("{UNFINISHED}: expected {expected} after '{text}'"))
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        self.source.text.get(self.at..).unwrap_or("")
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest().trim_start_matches(is_blank);
            self.at = self.source.text.len() - rest.len();
            if !rest.starts_with(';') && !rest.starts_with("#!") {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn token(&mut self, first: char) -> Result<TokenKind, Error> {
        match first {
            '(' => Ok(self.take(1, TokenKind::Open(Opening::List))),
            '[' => Ok(self.take(1, TokenKind::Open(Opening::Vector))),
            '{' => Ok(self.take(1, TokenKind::Open(Opening::Map))),
            ')' | ']' | '}' => Ok(self.take(1, TokenKind::Close(first))),
            '\'' => Ok(self.take(1, TokenKind::Open(Opening::Quote))),
            '^' => Ok(self.take(1, TokenKind::Open(Opening::Metadata))),
            '"' => self.quoted(1).map(|raw| TokenKind::Atom(FormKind::Str(atom::unescape(raw)))),
            '\\' => self.character(),
            '#' => self.dispatch(),
            '`' | '~' | '@' => self.fail(1, unsupported_mark(self.rest())),
            _ => self.word(),
        }
    }

    /// Reads a token behind `#`.
    fn dispatch(&mut self) -> Result<TokenKind, Error> {
        let rest = self.rest();
        match rest.chars().nth(1) {
            Some('(') => Ok(self.take(2, TokenKind::Open(Opening::ShortFn))),
            Some('{') => Ok(self.take(2, TokenKind::Open(Opening::Set))),
            Some('\'') => Ok(self.take(2, TokenKind::Open(Opening::Var))),
            Some('_') => Ok(self.take(2, TokenKind::Open(Opening::Discard))),
            Some('^') => Ok(self.take(2, TokenKind::Open(Opening::Metadata))),
            Some('"') => self.quoted(2).map(|raw| TokenKind::Atom(FormKind::Regex(raw.into()))),
            Some('#') => self.symbolic(),
            Some(_) => self.fail(word_length(rest).max(1), unsupported_dispatch(rest)),
            None => self.fail(1, "Unexpected '#'".to_string()),
        }
    }

    /// Raw text up to the next unescaped quote, after the first `opening` bytes.
    fn quoted(&mut self, opening: usize) -> Result<&'s str, Error> {
        let body = self.rest().get(opening..).unwrap_or("");
        let mut escaped = false;
        let end = body.bytes().position(|byte| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        let Some(end) = end else {
            return Err(unclosed(self.source, Span::new(self.at, self.at + opening)));
        };
        self.at += opening + end + 1;
        Ok(body.get(..end).unwrap_or(""))
    }

    /// `\a`, `\newline`: any character after the backslash, then the rest of a word.
    fn character(&mut self) -> Result<TokenKind, Error> {
        let after = self.rest().get(1..).unwrap_or("");
        let Some(first) = after.chars().next() else {
            return Err(nothing_after(self.source, Span::new(self.at, self.at + 1), "a character"));
        };
        let tail = after.get(first.len_utf8()..).unwrap_or("");
        let name = after.get(..first.len_utf8() + word_length(tail)).unwrap_or("");
        self.atom(1 + name.len(), atom::character(name))
    }

    /// `##Inf`, `##-Inf`, `##NaN`
    fn symbolic(&mut self) -> Result<TokenKind, Error> {
        let rest = self.rest();
        let length = word_length(rest);
        self.atom(length, atom::symbolic(rest.get(..length).unwrap_or("")))
    }

    fn word(&mut self) -> Result<TokenKind, Error> {
        let rest = self.rest();
        let length = word_length(rest);
        self.atom(length, atom::word(rest.get(..length).unwrap_or("")))
    }

    fn atom(&mut self, length: usize, read: Result<FormKind, String>) -> Result<TokenKind, Error> {
        match read {
            Ok(kind) => Ok(self.take(length, TokenKind::Atom(kind))),
            Err(message) => self.fail(length, message),
        }
    }

    fn take(&mut self, length: usize, kind: TokenKind) -> TokenKind {
        self.at += length;
        kind
    }

    fn fail(&self, length: usize, message: String) -> Result<TokenKind, Error> {
        Err(parse_error(self.source, Span::new(self.at, self.at + length), message))
    }
}

/// True for separators of tokens: white space, commas and byte order marks.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, ',' | '\u{feff}')
}

/// True for characters behind a word. `'` and `#` are parts of names.
fn ends_word(character: char) -> bool {
    is_blank(character)
        || matches!(character, '(' | ')' | '[' | ']' | '{' | '}' | '"' | ';' | '^' | '`' | '~' | '@' | '\\')
}

/// Length of the word in bytes.
fn word_length(text: &str) -> usize {
    text.find(ends_word).unwrap_or(text.len())
}

fn unsupported_mark(text: &str) -> String {
    let construct = match text.chars().next() {
        Some('`') if text.starts_with("```") => {
            "Syntax quote '`' is not supported. Leave the marks around the code out"
        }
        Some('`') => "Syntax quote '`' is not supported. Write the form itself, or quote data with '",
        Some('@') => {
            "Dereference '@' is not supported. mutable state is not available; use def, reduce or loop"
        }
        _ if text.starts_with("~@") => "Unquote-splicing '~@' is not supported",
        _ => "Unquote '~' is not supported",
    };
    construct.to_string()
}

fn unsupported_dispatch(text: &str) -> String {
    let word = atom::shown(text.get(..word_length(text)).unwrap_or(""));
    match text.chars().nth(1) {
        Some('?') => "Reader conditional '#?' is not supported".to_string(),
        Some('=') => "Read-time evaluation '#=' is not supported".to_string(),
        Some('<') => "A printed object '#<' cannot be read back".to_string(),
        Some(':') => format!("Namespaced map '{word}' is not supported"),
        _ if word == "#inst" => format!("Tagged literal '{word}' is not supported. Use (Instant/parse text)"),
        _ if word == "#uuid" => format!("Tagged literal '{word}' is not supported. Write a string"),
        Some(c) if c.is_alphabetic() => format!("Tagged literal '{word}' is not supported"),
        _ => "Unexpected '#'".to_string(),
    }
}
