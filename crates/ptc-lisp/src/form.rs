//! Forms, as the reader makes them of text: literals, names and brackets, each with its place.

use ecow::EcoString;

use super::source::Span;
use super::symbol::Symbol;

/// One form as it was read.
#[derive(Clone, Debug)]
pub struct Form {
    /// The form without its place.
    pub kind: FormKind,
    /// The place of the form.
    pub span: Span,
}

/// A form without its place.
#[derive(Clone, Debug)]
pub enum FormKind {
    /// `nil`
    Nil,
    /// `true` and `false`
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A fractional quotient of integers.
    Ratio(i64, i64),
    /// Strings and characters.
    Str(EcoString),
    /// `:name`
    Keyword(Symbol),
    /// `name` or `namespace/name`, one text.
    Symbol(Symbol),
    /// The source of `#"…"`, not yet compiled.
    Regex(EcoString),
    /// `(…)`
    List(Vec<Form>),
    /// `[…]`
    Vector(Vec<Form>),
    /// Keys and values in turn; always an even number.
    Map(Vec<Form>),
    /// `#{…}`
    Set(Vec<Form>),
    /// The forms inside `#(…)`.
    ShortFn(Vec<Form>),
    /// `#'name`
    Var(Symbol),
    /// `'form`
    Quote(Box<Form>),
}

impl Form {
    /// A form at a place.
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

/// The text of a form, one space between the parts of a collection.
pub fn print(form: &Form) -> EcoString {
    let mut out = EcoString::new();
    write_form(form, &mut out);
    out
}

fn write_form(form: &Form, out: &mut EcoString) {
    match &form.kind {
        FormKind::Symbol(name) => out.push_str(name.name()),
        FormKind::Regex(source) => {
            out.push_str("#\"");
            out.push_str(source);
            out.push('"');
        }
        FormKind::List(items) => write_items("(", items, ")", out),
        FormKind::Vector(items) => write_items("[", items, "]", out),
        FormKind::Map(items) => write_items("{", items, "}", out),
        FormKind::Set(items) => write_items("#{", items, "}", out),
        FormKind::ShortFn(items) => write_items("#(", items, ")", out),
        FormKind::Var(name) => {
            out.push_str("#'");
            out.push_str(name.name());
        }
        FormKind::Quote(quoted) => {
            out.push('\'');
            write_form(quoted, out);
        }
        FormKind::Nil
        | FormKind::Bool(_)
        | FormKind::Int(_)
        | FormKind::Float(_)
        | FormKind::Ratio(..)
        | FormKind::Str(_)
        | FormKind::Keyword(_) => {
            out.push_str(&super::print::pr_str(&super::read::literal(form).unwrap_or_default()));
        }
    }
}

fn write_items(open: &str, items: &[Form], close: &str, out: &mut EcoString) {
    out.push_str(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        write_form(item, out);
    }
    out.push_str(close);
}
