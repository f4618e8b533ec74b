//! Reads program text as forms (`docs/language.md` §1) up to the first error, in linear time.

use super::error::Error;
use super::form::{Form, FormKind};
use super::identity::Identities;
use super::lex::{Lexer, Opening, Token, TokenKind, nothing_after, parse_error, unclosed};
use super::limits::{MAX_NESTING, MAX_SOURCE};
use super::ratio::quotient;
use super::source::{Source, Span};
use super::table::Map;
use super::value::Value;
use super::{atom, table};

pub use super::lex::is_unfinished;

/// Forms of a program. Errors are `parse_error`s with the place in message and span.
pub fn read(source: &Source) -> Result<Vec<Form>, Error> {
    read_tokens(source)?.finish()
}

/// The error of the first closing bracket that closes nothing. [`read`] skips it, since models write one too many; a person made a
/// mistake. None for a text that `read` refuses.
pub fn stray_closer(source: &Source) -> Option<Error> {
    let reader = read_tokens(source).ok()?;
    let span = reader.stray?;
    let closer = source.slice(span);
    Some(parse_error(source, span, format!("Unexpected '{closer}'. No bracket is open")))
}

fn read_tokens(source: &Source) -> Result<Reader<'_>, Error> {
    check_length(source)?;
    let mut reader = Reader {
        source,
        open: Vec::new(),
        nesting: 0,
        forms: Vec::new(),
        identities: Identities::default(),
        stray: None,
    };
    for token in Lexer::new(source) {
        reader.take(token?)?;
    }
    Ok(reader)
}

/// Value of a literal form. None if the form contains a name, a regex or code.
pub fn literal(form: &Form) -> Option<Value> {
    match &form.kind {
        FormKind::Nil => Some(Value::Nil),
        FormKind::Bool(value) => Some(Value::Bool(*value)),
        FormKind::Int(value) => Some(Value::Int(*value)),
        FormKind::Float(value) => Some(Value::float(*value)),
        FormKind::Ratio(above, below) => Some(quotient(*above, *below)),
        FormKind::Str(text) => Some(Value::Str(text.clone())),
        FormKind::Keyword(name) => Some(Value::Keyword(*name)),
        FormKind::List(forms) => Some(Value::list(literals(forms)?)),
        FormKind::Vector(forms) => Some(Value::vector(literals(forms)?)),
        FormKind::Map(forms) => literal_map(forms).map(Value::map),
        FormKind::Set(forms) => {
            let members = literals(forms)?.into_iter().map(|member| (member, ()));
            Some(Value::set(members.collect::<table::Set>()))
        }
        FormKind::Symbol(_)
        | FormKind::Regex(_)
        | FormKind::ShortFn(_)
        | FormKind::Var(_)
        | FormKind::Quote(_) => None,
    }
}

struct Reader<'s> {
    source: &'s Source,
    /// Open brackets and prefixes, the innermost last.
    open: Vec<Open>,
    /// How many of these count as nesting.
    nesting: u32,
    forms: Vec<Form>,
    identities: Identities,
    /// The first closer between top-level forms.
    stray: Option<Span>,
}

struct Open {
    by: Opening,
    span: Span,
    forms: Vec<Form>,
}

fn nests(opening: Opening) -> bool {
    opening.closer().is_some() || opening == Opening::Quote
}

impl Reader<'_> {
    fn take(&mut self, token: Token) -> Result<(), Error> {
        match token.kind {
            TokenKind::Atom(kind) => self.accept(Form::new(kind, token.span)),
            TokenKind::Open(opening) => self.push(opening, token.span),
            TokenKind::Close(closer) => self.close(closer, token.span),
        }
    }

    fn push(&mut self, by: Opening, span: Span) -> Result<(), Error> {
        if nests(by) {
            self.nesting += 1;
        }
        if self.nesting > MAX_NESTING {
            return self.fail(span, format!("Forms are nested too deeply: more than {MAX_NESTING} levels"));
        }
        self.open.push(Open { by, span, forms: Vec::new() });
        Ok(())
    }

    fn pop(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        if nests(open.by) {
            self.nesting -= 1;
        }
        Some(open)
    }

    /// Adds a form to the innermost open one, and closes it if it is complete.
    fn accept(&mut self, form: Form) -> Result<(), Error> {
        let mut next = Some(form);
        while let Some(form) = next.take() {
            match self.open.last_mut() {
                None => self.forms.push(form),
                Some(Open { by, forms, .. }) if by.closer().is_some() => forms.push(form),
                Some(Open { by: Opening::Described, .. }) => {
                    self.pop();
                    next = Some(form);
                }
                Some(Open { by, span, .. }) => {
                    let (prefix, span) = (*by, *span);
                    next = self.apply(prefix, span, form)?;
                }
            }
        }
        Ok(())
    }

    /// Applies the innermost prefix to the form after it.
    fn apply(&mut self, prefix: Opening, span: Span, form: Form) -> Result<Option<Form>, Error> {
        self.pop();
        let whole = span.to(form.span);
        let kind = match prefix {
            Opening::Quote => FormKind::Quote(Box::new(form)),
            Opening::Var => match form.as_symbol() {
                Some(name) => FormKind::Var(name),
                None => return self.fail(whole, "Invalid var: expected a symbol after #'"),
            },
            Opening::Metadata => {
                self.open.push(Open { by: Opening::Described, span, forms: Vec::new() });
                return Ok(None);
            }
            _ => return Ok(None),
        };
        Ok(Some(Form::new(kind, whole)))
    }

    /// Skips closers between top-level forms, since models write one too many.
    fn close(&mut self, closer: char, span: Span) -> Result<(), Error> {
        match self.pop() {
            None => {
                self.stray.get_or_insert(span);
                Ok(())
            }
            Some(Open { by, span: start, forms }) if by.closer() == Some(closer) => {
                let whole = start.to(span);
                let kind = self.collection(by, forms, whole)?;
                self.accept(Form::new(kind, whole))
            }
            Some(open) => self.mismatched(closer, span, &open),
        }
    }

    /// Error of a closer of another kind than the innermost open form.
    fn mismatched<T>(&self, closer: char, span: Span, open: &Open) -> Result<T, Error> {
        let Some(expected) = open.by.closer() else {
            return self.fail(span, format!("Unexpected '{closer}'"));
        };
        let (text, (line, column)) = (self.source.slice(open.span), self.source.position(open.span.start));
        let hint = format!("'{text}' opened at line {line}, column {column} needs '{expected}'");
        self.fail(span, format!("Unexpected '{closer}'. {hint}"))
    }

    fn collection(&mut self, opening: Opening, forms: Vec<Form>, span: Span) -> Result<FormKind, Error> {
        match opening {
            Opening::Vector => Ok(FormKind::Vector(forms)),
            Opening::ShortFn => Ok(FormKind::ShortFn(forms)),
            Opening::Set => {
                self.check_duplicates(&forms, 1)?;
                Ok(FormKind::Set(forms))
            }
            Opening::Map if !forms.len().is_multiple_of(2) => {
                let count = forms.len();
                self.fail(span, format!("Map literal needs an even number of forms, got {count}"))
            }
            Opening::Map => {
                self.check_duplicates(&forms, 2)?;
                Ok(FormKind::Map(forms))
            }
            _ => Ok(FormKind::List(forms)),
        }
    }

    /// Refuses equal keys. Every `step`-th form is a key.
    fn check_duplicates(&mut self, forms: &[Form], step: usize) -> Result<(), Error> {
        if forms.len() <= step {
            return Ok(());
        }
        let mut seen = rustc_hash::FxHashSet::default();
        for key in forms.iter().step_by(step) {
            if !seen.insert(self.identities.of(key)) {
                let text = atom::shown(self.source.slice(key.span));
                return self.fail(key.span, format!("Duplicate key: {text}"));
            }
        }
        Ok(())
    }

    /// Returns the forms if nothing is open. Otherwise the innermost bracket is the most likely mistake.
    fn finish(self) -> Result<Vec<Form>, Error> {
        let bracket = self.open.iter().rev().find(|open| open.by.closer().is_some());
        match (bracket, self.open.last()) {
            (Some(bracket), _) => Err(self.unclosed(bracket)),
            (None, Some(prefix)) => Err(nothing_after(self.source, prefix.span, "a form")),
            (None, None) => Ok(self.forms),
        }
    }

    /// Error of the innermost bracket, with a hint where the closer is missing.
    fn unclosed(&self, innermost: &Open) -> Error {
        let mut error = unclosed(self.source, innermost.span);
        let closers: String = self.open.iter().rev().filter_map(|open| open.by.closer()).collect();
        if let Some((line, column)) = self.first_at_margin(innermost) {
            let hint = format!("The form at line {line}, column {column} stands inside of it");
            error.message = ecow::eco_format!("{}. {hint}", error.message);
        } else if closers.len() > 1 {
            error.message = ecow::eco_format!("{}. Missing in all: {closers}", error.message);
        }
        error
    }

    /// Position of a nested list that begins its line. The missing closer probably belongs before it.
    fn first_at_margin(&self, open: &Open) -> Option<(u32, u32)> {
        let (first_line, _) = self.source.position(open.span.start);
        let is_list = |form: &&Form| matches!(form.kind, FormKind::List(_));
        let mut places = open.forms.iter().filter(is_list).map(|form| self.source.position(form.span.start));
        places.find(|(line, column)| *line > first_line && *column == 1)
    }

    fn fail<T>(&self, span: Span, message: impl std::fmt::Display) -> Result<T, Error> {
        Err(parse_error(self.source, span, message))
    }
}

fn check_length(source: &Source) -> Result<(), Error> {
    let length = source.text.len();
    if length <= MAX_SOURCE {
        return Ok(());
    }
    let message = format!("Source is too long: at most {MAX_SOURCE} bytes, got {length}");
    Err(parse_error(source, Span::new(MAX_SOURCE, MAX_SOURCE), message))
}

fn literals(forms: &[Form]) -> Option<Vec<Value>> {
    forms.iter().map(literal).collect()
}

fn literal_map(forms: &[Form]) -> Option<Map> {
    forms.chunks_exact(2).map(|entry| Some((literal(&entry[0])?, literal(&entry[1])?))).collect()
}
