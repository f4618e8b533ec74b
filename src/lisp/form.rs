//! What the reader makes of text: literals, names and brackets, each with its place.

use ecow::EcoString;

use super::source::Span;
use super::symbol::Symbol;

/// One form as it was read.
#[derive(Clone, Debug)]
pub struct Form {
    pub kind: FormKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum FormKind {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// Strings and characters.
    Str(EcoString),
    Keyword(Symbol),
    /// `name` or `namespace/name`, one text.
    Symbol(Symbol),
    /// The source of `#"…"`, not yet compiled.
    Regex(EcoString),
    List(Vec<Form>),
    Vector(Vec<Form>),
    /// Keys and values in turn; always an even number.
    Map(Vec<Form>),
    Set(Vec<Form>),
    /// The forms inside `#(…)`.
    ShortFn(Vec<Form>),
    /// `#'name`
    Var(Symbol),
    /// `'form`
    Quote(Box<Form>),
}

impl Form {
    pub fn new(kind: FormKind, span: Span) -> Form {
        Form { kind, span }
    }

    /// The name, if the form is a symbol.
    pub fn as_symbol(&self) -> Option<Symbol> {
        match self.kind {
            FormKind::Symbol(name) => Some(name),
            _ => None,
        }
    }
}
