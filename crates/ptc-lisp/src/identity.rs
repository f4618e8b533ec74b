//! Equality of forms of one source, to refuse duplicate keys in literal maps and sets.
//! Equal forms get equal numbers. Each form is visited once, at any depth.

use ecow::EcoString;
use rustc_hash::FxHashMap;

use super::form::{Form, FormKind};
use super::symbol::Symbol;

/// The numbers given so far.
#[derive(Default)]
pub(super) struct Identities {
    numbers: FxHashMap<Content, u32>,
    /// By where the form starts, which no two forms of a source share. Brackets only.
    seen: FxHashMap<u32, u32>,
}

/// Content by which forms are equal; the parts of a collection by their numbers.
#[derive(PartialEq, Eq, Hash)]
enum Content {
    Nil,
    Bool(bool),
    Int(i64),
    Float(u64),
    Str(EcoString),
    Keyword(Symbol),
    Symbol(Symbol),
    /// Lists as well as vectors.
    Sequence(Vec<u32>),
    /// In the order of their numbers.
    Map(Vec<(u32, u32)>),
    Set(Vec<u32>),
    /// Equal to itself alone: where it starts.
    Unique(u32),
}

impl Identities {
    /// The number of a form.
    pub(super) fn of(&mut self, form: &Form) -> u32 {
        if let Some(&number) = self.seen.get(&form.span.start) {
            return number;
        }
        let content = self.content(form);
        let is_collection = matches!(content, Content::Sequence(_) | Content::Map(_) | Content::Set(_));
        let number = self.number(content);
        if is_collection {
            self.seen.insert(form.span.start, number);
        }
        number
    }

    fn number(&mut self, content: Content) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(content).or_insert(next)
    }

    fn content(&mut self, form: &Form) -> Content {
        match &form.kind {
            FormKind::Nil => Content::Nil,
            FormKind::Bool(value) => Content::Bool(*value),
            FormKind::Int(value) => Content::Int(*value),
            // `0.0` is `-0.0`.
            FormKind::Float(value) => Content::Float((value + 0.0).to_bits()),
            FormKind::Ratio(above, below) => Content::Float((*above as f64 / *below as f64).to_bits()),
            FormKind::Str(text) => Content::Str(text.clone()),
            FormKind::Keyword(name) => Content::Keyword(*name),
            FormKind::Symbol(name) => Content::Symbol(*name),
            FormKind::List(forms) | FormKind::Vector(forms) => Content::Sequence(self.all(forms)),
            FormKind::Map(forms) => Content::Map(self.entries(forms)),
            FormKind::Set(forms) => Content::Set(sorted(self.all(forms))),
            FormKind::Quote(quoted) => {
                let quoted = self.of(quoted);
                self.call("quote", quoted)
            }
            FormKind::Var(name) => {
                let name = self.number(Content::Symbol(*name));
                self.call("var", name)
            }
            FormKind::Regex(_) | FormKind::ShortFn(_) => Content::Unique(form.span.start),
        }
    }

    fn all(&mut self, forms: &[Form]) -> Vec<u32> {
        forms.iter().map(|form| self.of(form)).collect()
    }

    fn entries(&mut self, forms: &[Form]) -> Vec<(u32, u32)> {
        sorted(forms.chunks_exact(2).map(|pair| (self.of(&pair[0]), self.of(&pair[1]))).collect())
    }

    /// `'x` is short for `(quote x)`, `#'x` for `(var x)`.
    fn call(&mut self, name: &str, operand: u32) -> Content {
        Content::Sequence(vec![self.number(Content::Symbol(Symbol::new(name))), operand])
    }
}

fn sorted<T: Ord>(mut parts: Vec<T>) -> Vec<T> {
    parts.sort_unstable();
    parts
}
