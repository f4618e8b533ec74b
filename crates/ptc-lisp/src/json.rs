//! Converts JSON to values and back (`docs/language.md` §7.4). All JSON has a value; some values have no JSON.

use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde_json::Number;

use super::bounded::Bounded;
use super::limits::MAX_STRING;
use super::print::{Printer, Style, str_of, to_clojure};
use super::stack::guarded;
use super::value::Value;

/// Values nested deeper than JSON readers go are written as printed text.
const MAX_DEPTH: usize = 120;

/// Value of JSON text. None if it is not JSON or is nested more than 127 levels deep.
pub fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().map(|json: serde_json::Value| from_json(&json))
}

/// Objects become maps in the same order, and integral numbers integers if they fit.
pub fn from_json(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Nil,
        serde_json::Value::Bool(value) => Value::Bool(*value),
        serde_json::Value::Number(number) => from_number(number),
        serde_json::Value::String(text) => Value::str(text.as_str()),
        serde_json::Value::Array(items) => {
            Value::vector(guarded(|| items.iter().map(from_json).collect::<Vec<_>>()))
        }
        serde_json::Value::Object(entries) => {
            Value::map(guarded(|| entries.iter().map(|(name, json)| (key(name), from_json(json))).collect()))
        }
    }
}

/// Key of an object: a keyword if it looks like one, else a string.
pub fn key(text: &str) -> Value {
    let name = text.strip_suffix(['?', '!']).unwrap_or(text);
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let continues = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if starts && continues { Value::keyword(text) } else { Value::str(text) }
}

/// Any value as JSON, within the limit of strings; see [`Encoder`].
pub fn to_json(value: &Value) -> serde_json::Value {
    serde_json::from_str(&to_text(value)).unwrap_or_default()
}

/// Any value as JSON text, within the limit of strings; see [`Encoder`].
pub fn to_text(value: &Value) -> EcoString {
    Encoder::new(MAX_STRING).encode(value)
}

/// Compact JSON text, cut above the limit of strings, and the number of elements. None if there is no JSON form.
pub fn generate(value: &Value) -> Option<(EcoString, usize)> {
    let mut writer = Writer { out: Bounded::new(MAX_STRING), elements: 0, writes_all: false };
    writer.write(value, 0)?;
    Some((writer.out.finish(), writer.elements))
}

/// Allocation of a value that was read from data, which shares no parts and is not nested deeply.
pub fn allocation(value: &Value) -> usize {
    match value {
        Value::Str(text) => text.len(),
        Value::Vector(items) => 16 * items.len() + items.iter().map(allocation).sum::<usize>(),
        Value::Map(map) => map.iter().map(|(key, value)| 32 + allocation(key) + allocation(value)).sum(),
        _ => 0,
    }
}

fn from_number(number: &Number) -> Value {
    match number.as_i64() {
        Some(int) => Value::Int(int),
        None => Value::float(number.as_f64().unwrap_or(f64::NAN)),
    }
}

/// Name of an object's field of at most about this many bytes, and the number of elements of the key.
fn field_name(key: &Value, room: usize) -> (EcoString, usize) {
    match key {
        Value::Str(text) => (text.clone(), 0),
        Value::Keyword(name) => (name.name().into(), 0),
        other => {
            let mut printer = Printer::limited(Style::Readable, u64::MAX, room);
            printer.write(other);
            let (text, elements) = printer.finish();
            (text, elements as usize)
        }
    }
}

/// Writes any values as JSON text. Keywords become their names, sets arrays, dates ISO text, floats that are not finite
/// null, and values without a JSON form printed text. A value that takes more bytes than are left becomes the beginning
/// of its printed text.
pub struct Encoder {
    left: usize,
}

impl Encoder {
    /// An encoder of values that take this many bytes in all.
    pub fn new(bytes: usize) -> Encoder {
        Encoder { left: bytes }
    }

    /// The JSON text of a value.
    pub fn encode(&mut self, value: &Value) -> EcoString {
        let mut writer = Writer { out: Bounded::new(self.left), elements: 0, writes_all: true };
        let _ = writer.write(value, 0);
        if writer.out.is_full() {
            let start = to_clojure(value, 3, 60).0;
            writer.out = Bounded::new(usize::MAX);
            let _ = writer.scalar(&format!("{start} (cut: too large)"));
        }
        self.left = self.left.saturating_sub(writer.out.len());
        writer.out.finish()
    }
}

/// Writes JSON text.
struct Writer {
    out: Bounded,
    elements: usize,
    /// False: a value without a JSON form ends the writing.
    writes_all: bool,
}

impl Writer {
    fn write(&mut self, value: &Value, depth: usize) -> Option<()> {
        match value {
            _ if self.out.is_full() => Some(()),
            _ if self.writes_all && depth > MAX_DEPTH => self.scalar(&to_clojure(value, 3, 60).0),
            Value::Nil => self.scalar(&()),
            Value::Bool(value) => self.scalar(value),
            Value::Int(int) => self.scalar(int),
            Value::Float(float, ..) if float.is_finite() => self.scalar(float),
            Value::Str(text) => self.scalar(text.as_str()),
            Value::Keyword(name) => self.scalar(name.name()),
            Value::Date(_) | Value::DateTime(_) | Value::Duration(_) => self.scalar(str_of(value).as_str()),
            Value::Vector(items) | Value::List(items) => {
                self.write_items(["[", "]"], items.iter(), |writer, item| writer.nested(item, depth))
            }
            Value::Set(set) => {
                self.write_items(["[", "]"], set.keys(), |writer, item| writer.nested(item, depth))
            }
            Value::Map(map) if self.writes_all => {
                // Two keys may have one name.
                let mut fields: IndexMap<EcoString, &Value, FxBuildHasher> = IndexMap::default();
                let mut room = self.out.room();
                for (key, value) in map.iter() {
                    let (name, _) = field_name(key, room);
                    room = room.saturating_sub(name.len());
                    fields.insert(name, value);
                }
                self.write_items(["{", "}"], fields.iter(), |writer, (name, value)| {
                    writer.entry(name, value, depth)
                })
            }
            Value::Map(map) => self.write_items(["{", "}"], map.iter(), |writer, (key, value)| {
                let (name, elements) = field_name(key, writer.out.room());
                writer.elements += elements;
                writer.entry(&name, value, depth)
            }),
            Value::Float(..) if self.writes_all => self.scalar(&()),
            other if self.writes_all => self.scalar(field_name(other, self.out.room()).0.as_str()),
            _ => None,
        }
    }

    fn scalar(&mut self, value: &(impl serde::Serialize + ?Sized)) -> Option<()> {
        self.out.push_str(&serde_json::to_string(value).ok()?);
        Some(())
    }

    fn write_items<T>(
        &mut self,
        [open, close]: [&str; 2],
        items: impl Iterator<Item = T>,
        write: impl Fn(&mut Writer, T) -> Option<()>,
    ) -> Option<()> {
        self.out.push_str(open);
        for (index, item) in items.enumerate() {
            if self.out.is_full() {
                break;
            }
            self.elements += 1;
            if index > 0 {
                self.out.push_str(",");
            }
            write(self, item)?;
        }
        self.out.push_str(close);
        Some(())
    }

    fn entry(&mut self, name: &str, value: &Value, depth: usize) -> Option<()> {
        self.scalar(name)?;
        self.out.push_str(":");
        self.nested(value, depth)
    }

    fn nested(&mut self, value: &Value, depth: usize) -> Option<()> {
        guarded(|| self.write(value, depth + 1))
    }
}
