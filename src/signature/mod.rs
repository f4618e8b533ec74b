//! Signatures of tools and agents: parsing, checking, coercing and printing (`docs/language.md` §14).

mod check;
mod parse;
mod print;

use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

pub use check::{Accepted, Meter, Mismatch, Mismatches, coerce, describe_refusal, validate};
pub use parse::SignatureError;
pub use print::{Fields, format_signature};

/// Parameter types and return type of a tool or an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub parameters: Vec<Field>,
    pub returns: Type,
}

/// A named parameter, or a field of a map type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub kind: Type,
}

/// A type. Values of an optional type may be nil or missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    pub shape: Shape,
    pub optional: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    String,
    Int,
    Float,
    Bool,
    Keyword,
    /// `:map` or `{}`
    Map,
    Any,
    /// `[T]`
    List(Box<Type>),
    /// `{name T, …}`
    Record(Vec<Field>),
}

/// The shapes written as a keyword.
const PRIMITIVES: [Shape; 7] =
    [Shape::String, Shape::Int, Shape::Float, Shape::Bool, Shape::Keyword, Shape::Map, Shape::Any];

impl Shape {
    /// The name in signatures and messages.
    fn name(&self) -> &'static str {
        match self {
            Shape::String => "string",
            Shape::Int => "int",
            Shape::Float => "float",
            Shape::Bool => "bool",
            Shape::Keyword => "keyword",
            Shape::Map | Shape::Record(_) => "map",
            Shape::Any => "any",
            Shape::List(_) => "list",
        }
    }
}

/// Returns true if two names are equal, treating `-` and `_` as the same.
pub fn same_name(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().map(unify_dashes).eq(b.bytes().map(unify_dashes))
}

fn unify_dashes(byte: u8) -> u8 {
    if byte == b'-' { b'_' } else { byte }
}

/// The text of a keyword or a string.
pub fn key_name(key: &Value) -> Option<&str> {
    match key {
        Value::Keyword(name) => Some(name.name()),
        Value::Str(text) => Some(text),
        _ => None,
    }
}

/// Finds the entry of a name: the keyword, then the string, then either with `-` and `_` exchanged.
pub fn lookup<'a>(map: &'a Map, name: &str) -> Option<(&'a Value, &'a Value)> {
    if let Some(entry) = map.entry(&Value::keyword(name)).or_else(|| map.entry(&Value::str(name))) {
        return Some(entry);
    }
    map.iter().find(|(key, _)| key_name(key).is_some_and(|text| same_name(text, name)))
}
