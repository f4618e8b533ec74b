//! Deserializes a Rust type from a node. An error has a message, a help, and the trail to its position.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, MapDeserializer, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, Error, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde::forward_to_deserialize_any;

use super::document::{Document, Step, Target, Trail};
use super::node::{LISP_TAG, Node};
use super::problem::Problem;
use ptc_lisp::hint::suggestion;

/// Why a node does not fit a type.
#[derive(Debug)]
pub struct Misfit {
    /// From the innermost step outwards.
    steps: Vec<Step>,
    target: Target,
    message: String,
    help: String,
}

/// Deserializes a value of a type from a node.
pub fn fit<'a, T: Deserialize<'a>>(node: &'a Node) -> Result<T, Misfit> {
    T::deserialize(Reader(node))
}

impl Misfit {
    /// The problem, with its position in the document.
    pub fn into_problem(self, document: &Document<'_>) -> Problem {
        let trail: Trail = self.steps.into_iter().rev().collect();
        document.problem(&trail, self.target, self.message, &self.help)
    }

    fn new(message: String, help: impl Into<String>) -> Misfit {
        Misfit { steps: Vec::new(), target: Target::Value, message, help: help.into() }
    }

    fn below(mut self, step: Step) -> Misfit {
        self.steps.push(step);
        self
    }
}

/// Keys used by other tools, and the equivalent key here.
const SYNONYMS: [(&str, &str); 8] = [
    ("prompt", "mission"),
    ("task", "mission"),
    ("goal", "mission"),
    ("question", "mission"),
    ("instructions", "mission"),
    ("answers", "responses"),
    ("steps", "responses"),
    ("assert", "expect"),
];

/// Help on how to write the expected value.
fn how_to_write(expected: &str, found: &Unexpected<'_>) -> &'static str {
    const ROWS: [(&str, &str); 6] = [
        ("text", "write it as `key: some text`, or as lines below `key: |`"),
        ("a whole number", "write digits alone, such as 3"),
        ("a number", "write it as 1.5"),
        ("a list", "write it as `[one, two]`, or with a `-` before each item"),
        ("a map", "write it as `{key: value}`, or as `key: value` on lines of their own"),
        ("true or false", "write it as true or false"),
    ];
    let is_scalar =
        ["a whole number", "a number", "true or false"].iter().any(|what| expected.starts_with(what));
    let is_quoted = matches!(found, Unexpected::Str(text)
        if text.parse::<f64>().is_ok() || matches!(*text, "true" | "false"));
    if is_scalar && is_quoted {
        return "write it without quotes";
    }
    ROWS.iter().find(|(what, _)| expected.starts_with(what)).map_or("", |(_, how)| how)
}

impl std::error::Error for Misfit {}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Misfit {
    /// Messages of our own types have their help after a line break.
    fn custom<T: fmt::Display>(message: T) -> Misfit {
        let message = message.to_string();
        let (message, help) = message.split_once('\n').unwrap_or((&message, ""));
        Misfit::new(message.to_owned(), help)
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Misfit {
        use Unexpected::{Bool, Float, Signed, Unsigned};
        let misfit = Misfit::invalid_value(found, expected);
        let is_scalar = matches!(found, Bool(_) | Signed(_) | Unsigned(_) | Float(_));
        if is_scalar && misfit.message.starts_with("expected text") {
            return Misfit { help: "put it in quotes".to_owned(), ..misfit };
        }
        misfit
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Misfit {
        let expected = plain_words(&expected.to_string());
        let help = how_to_write(&expected, &found);
        Misfit::new(format!("expected {expected}, found {}", found_words(found)), help)
    }

    fn unknown_field(found: &str, known: &'static [&'static str]) -> Misfit {
        let meant = SYNONYMS.iter().find(|(word, key)| *word == found && known.contains(key));
        let help =
            meant.map_or_else(|| suggestion(found, known), |(_, key)| format!("did you mean '{key}'?"));
        Misfit::new(format!("unknown key '{found}'"), help)
    }

    fn unknown_variant(found: &str, known: &'static [&'static str]) -> Misfit {
        Misfit::new(format!("unknown word '{found}'"), suggestion(found, known))
    }

    fn missing_field(key: &'static str) -> Misfit {
        Misfit::new(format!("the key '{key}' is missing"), format!("add `{key}:` here"))
    }
}

fn found_words(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Unit | Unexpected::Option => "nothing".to_owned(),
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Signed(value) => value.to_string(),
        Unexpected::Unsigned(value) => value.to_string(),
        Unexpected::Float(value) => value.to_string(),
        Unexpected::Str(_) => "text".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a map".to_owned(),
        Unexpected::Enum => "a value in PTC-Lisp".to_owned(),
        other => other.to_string(),
    }
}

/// Plain words for Serde's type names.
fn plain_words(expected: &str) -> String {
    match expected {
        "a string" => "text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "f64" => "a number".to_owned(),
        "u16" | "u32" | "u64" | "usize" => "a whole number from 0".to_owned(),
        _ if expected.starts_with("struct ") || expected.starts_with("variant identifier") => {
            "a map".to_owned()
        }
        _ if expected.starts_with("enum ") => "a word".to_owned(),
        _ => expected.to_owned(),
    }
}

#[derive(Clone, Copy)]
struct Reader<'a>(&'a Node);

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Node::Null => visitor.visit_unit(),
            Node::Bool(value) => visitor.visit_bool(*value),
            Node::Int(value) => visitor.visit_i64(*value),
            Node::Float(value) | Node::Huge(value) => visitor.visit_f64(*value),
            Node::Str(text) => visitor.visit_borrowed_str(text),
            Node::List(items) => visitor.visit_seq(Items { items: items.iter().enumerate() }),
            Node::Map(entries) => visitor.visit_map(Pairs { entries: entries.iter(), value: None }),
            Node::Lisp(text, _) => {
                let tagged = MapDeserializer::new(std::iter::once((LISP_TAG, text.as_str())));
                visitor.visit_enum(MapAccessDeserializer::new(tagged))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Node::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.0 {
            Node::Str(text) => {
                let word: StrDeserializer<'_, Misfit> = text.as_str().into_deserializer();
                word.deserialize_enum(name, words, visitor)
            }
            _ => self.deserialize_any(visitor),
        }
    }

    /// Refuses a list. Serde would fill a struct from it field by field, but no file is written in that way.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.0 {
            Node::List(_) => Err(Misfit::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}

struct Items<'a> {
    items: std::iter::Enumerate<std::slice::Iter<'a, Node>>,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Misfit> {
        let Some((index, item)) = self.items.next() else { return Ok(None) };
        seed.deserialize(Reader(item)).map(Some).map_err(|misfit| misfit.below(Step::Index(index)))
    }
}

struct Pairs<'a> {
    entries: indexmap::map::Iter<'a, ecow::EcoString, Node>,
    value: Option<(&'a str, &'a Node)>,
}

impl<'de> MapAccess<'de> for Pairs<'de> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misfit> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some((key, value));
        let word: StrDeserializer<'_, Misfit> = key.as_str().into_deserializer();
        let parsed = seed.deserialize(word).map(Some);
        parsed.map_err(|misfit| Misfit { target: Target::Key, ..misfit }.below(Step::from(key.as_str())))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        let Some((key, value)) = self.value.take() else {
            return Err(Misfit::custom("a value without a key"));
        };
        seed.deserialize(Reader(value)).map_err(|misfit| misfit.below(Step::from(key)))
    }
}
