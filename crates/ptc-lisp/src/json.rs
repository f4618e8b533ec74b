//! Converts JSON to values and back (`docs/language.md` §7.4). All JSON has a value; some values have no JSON.

use ecow::EcoString;
use serde_json::Number;

use super::limits::{MAX_ITEMS, MAX_STRING};
use super::print::{Printer, Style, str_of};
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

/// Any value as JSON. Keywords become their names, sets arrays, dates ISO text, floats that are not finite
/// null, and values without a JSON form printed text.
pub fn to_json(value: &Value) -> serde_json::Value {
    Encoder { left: MAX_ITEMS }.encode(value, 0)
}

/// Compact JSON text, cut above the limit of strings, and the number of elements. None if there is no JSON form.
pub fn generate(value: &Value) -> Option<(String, usize)> {
    let mut writer = Writer { out: Vec::new(), elements: 0 };
    writer.write(value)?;
    Some((String::from_utf8(writer.out).ok()?, writer.elements))
}

fn from_number(number: &Number) -> Value {
    match number.as_i64() {
        Some(int) => Value::Int(int),
        None => Value::float(number.as_f64().unwrap_or(f64::NAN)),
    }
}

/// Name of an object's field.
fn field(key: &Value) -> EcoString {
    match key {
        Value::Str(text) => text.clone(),
        Value::Keyword(name) => name.name().into(),
        other => printed(other),
    }
}

/// Readable text of a value, cut if the value shares parts so often that its text would never end.
fn printed(value: &Value) -> EcoString {
    let mut printer = Printer::limited(Style::Readable, MAX_ITEMS as u64, MAX_STRING);
    printer.write(value);
    printer.finish().0
}

/// Builds JSON values from a limited number of elements, since a value that shares parts may have far more.
struct Encoder {
    left: usize,
}

impl Encoder {
    fn encode(&mut self, value: &Value, depth: usize) -> serde_json::Value {
        if depth > MAX_DEPTH || self.left == 0 {
            return super::print::to_clojure(value, 3, 60).0.into();
        }
        match value {
            Value::Nil => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Int(int) => (*int).into(),
            Value::Float(float, ..) => Number::from_f64(*float).into(),
            Value::Str(text) => text.as_str().into(),
            Value::Keyword(name) => name.name().into(),
            Value::Vector(items) | Value::List(items) => self.encode_all(items.iter(), depth),
            Value::Set(set) => self.encode_all(set.keys(), depth),
            Value::Map(map) => {
                let entries = map.iter().map(|(key, value)| (field(key).into(), self.step(value, depth)));
                serde_json::Value::Object(entries.collect())
            }
            Value::Date(_) | Value::DateTime(_) | Value::Duration(_) => str_of(value).as_str().into(),
            other => printed(other).as_str().into(),
        }
    }

    fn encode_all<'a>(&mut self, items: impl Iterator<Item = &'a Value>, depth: usize) -> serde_json::Value {
        items.map(|item| self.step(item, depth)).collect()
    }

    fn step(&mut self, value: &Value, depth: usize) -> serde_json::Value {
        self.left = self.left.saturating_sub(1);
        self.encode(value, depth + 1)
    }
}

/// Writes JSON text up to the limit of strings.
struct Writer {
    out: Vec<u8>,
    elements: usize,
}

impl Writer {
    fn write(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::Nil => self.scalar(&()),
            Value::Bool(value) => self.scalar(value),
            Value::Int(int) => self.scalar(int),
            Value::Float(float, ..) if float.is_finite() => self.scalar(float),
            Value::Str(text) => self.scalar(text.as_str()),
            Value::Keyword(name) => self.scalar(name.name()),
            Value::Date(_) | Value::DateTime(_) | Value::Duration(_) => self.scalar(str_of(value).as_str()),
            Value::Vector(items) | Value::List(items) => {
                self.write_items(*b"[]", items.iter(), Writer::nested)
            }
            Value::Set(set) => self.write_items(*b"[]", set.keys(), Writer::nested),
            Value::Map(map) => self.write_items(*b"{}", map.iter(), |writer, (key, value)| {
                writer.scalar(field(key).as_str())?;
                writer.out.push(b':');
                writer.nested(value)
            }),
            _ => None,
        }
    }

    fn scalar(&mut self, value: &(impl serde::Serialize + ?Sized)) -> Option<()> {
        serde_json::to_writer(&mut self.out, value).ok()
    }

    fn write_items<T>(
        &mut self,
        [open, close]: [u8; 2],
        items: impl Iterator<Item = T>,
        write: impl Fn(&mut Writer, T) -> Option<()>,
    ) -> Option<()> {
        self.out.push(open);
        for (index, item) in items.enumerate() {
            self.elements += 1;
            if index > 0 {
                self.out.push(b',');
            }
            write(self, item)?;
            if self.out.len() > MAX_STRING {
                break;
            }
        }
        self.out.push(close);
        Some(())
    }

    fn nested(&mut self, value: &Value) -> Option<()> {
        guarded(|| self.write(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_json_form_in_reports() {
        let value = Value::vector(vec![
            Value::keyword("k"),
            Value::float(f64::NAN),
            Value::Var(crate::symbol::Symbol::new("x")),
        ]);
        assert_eq!(to_json(&value).to_string(), r##"["k",null,"#'x"]"##);
    }

    #[test]
    fn values_nested_or_shared_without_bounds_are_cut() {
        let nested = (0..100_000).fold(Value::Nil, |inner, _| Value::vector(vec![inner]));
        assert!(to_json(&nested).to_string().len() < 1_000);
        assert_eq!(generate(&nested).map(|(text, _)| text.len()), Some(200_004));
        let shared = (0..60).fold(Value::Nil, |inner, _| Value::vector(vec![inner.clone(), inner]));
        assert!(generate(&shared).is_some_and(|(text, _)| text.len() > MAX_STRING));
    }
}
