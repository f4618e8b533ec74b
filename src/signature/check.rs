//! Checks values against types: validates returned values (`docs/language.md` §14.2) and coerces tool arguments (§14.3).

use std::fmt;

use ecow::EcoString;

use super::{Field, Shape, Type, lookup};
use ptc_lisp::error::Eval;
use ptc_lisp::items::Items;
use ptc_lisp::print::to_clojure;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// Maximum mismatches listed in a message. In a long list, one mistake may repeat in every item.
const SHOWN: usize = 5;

/// One value of the wrong type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Fields and indexes joined by dots; `root` for the whole value.
    pub path: String,
    pub message: String,
}

/// The mismatches of a value. Counts all, but keeps only the first few.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mismatches {
    pub first: Vec<Mismatch>,
    pub count: usize,
}

/// A value of the right type, with a warning for each conversion.
#[derive(Clone, Debug)]
pub struct Accepted<T = Value> {
    pub value: T,
    pub warnings: Vec<String>,
}

/// Called with the number of elements to walk next. An error stops the walk. Values can share parts, so a small value may take a long time.
pub type Meter<'a> = dyn FnMut(usize) -> Eval<()> + 'a;

/// Checks a value of limited size. Integers become floats where the type is `:float`.
pub fn validate(kind: &Type, value: &Value) -> Result<Value, Mismatches> {
    let free: &mut Meter<'_> = &mut |_| Ok(());
    let mut walk = Walk::new(widen_leaf, free);
    let checked = walk.change_value(kind, value).ok().flatten();
    match walk.finish(checked)?.value {
        Some(changed) => Ok(changed),
        None => Ok(value.clone()),
    }
}

/// Converts the arguments of a tool call to the types of its parameters. In the result, parameters come first, in the order and spelling of
/// the signature, followed by all other arguments.
///
/// # Errors
/// Only errors of the meter.
pub fn coerce(
    parameters: &[Field],
    arguments: &Map,
    meter: &mut Meter<'_>,
) -> Eval<Result<Accepted<Map>, Mismatches>> {
    let mut walk = Walk::new(convert_leaf, meter);
    let coerced = walk.change_arguments(parameters, arguments)?;
    Ok(walk.finish(coerced))
}

/// The text of `return_validation_failed` (`docs/language.md` §14.5).
pub fn describe_refusal(expected: &Type, received: &Value, mismatches: &Mismatches) -> String {
    let received = to_clojure(received, 10, 200).0;
    let mut lines = vec![
        "the returned value does not match the signature".to_string(),
        format!("Expected: {expected}"),
        format!("Received: {received}"),
        "Errors:".to_string(),
    ];
    for mismatch in &mismatches.first {
        lines.push(format!("- [{}]: {}", mismatch.path, mismatch.message));
    }
    if let Some(more) = mismatches.describe_unlisted() {
        lines.push(format!("- {more}"));
    }
    lines.push("Call (return …) again with a corrected value.".to_string());
    lines.join("\n")
}

impl Mismatches {
    /// A single mismatch.
    pub fn of_one(path: impl Into<String>, message: impl Into<String>) -> Mismatches {
        Mismatches { first: vec![Mismatch { path: path.into(), message: message.into() }], count: 1 }
    }

    /// Counts a mismatch. Formats it only if it is listed.
    fn push(&mut self, describe: impl FnOnce() -> Mismatch) {
        if self.first.len() < SHOWN {
            self.first.push(describe());
        }
        self.count += 1;
    }

    /// `and N more`, if not all are listed.
    fn describe_unlisted(&self) -> Option<String> {
        let more = self.count - self.first.len();
        (more > 0).then(|| format!("and {more} more"))
    }
}

/// `PATH: MESSAGE; …`
impl fmt::Display for Mismatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = Vec::with_capacity(self.first.len() + 1);
        for mismatch in &self.first {
            all.push(format!("{}: {}", mismatch.path, mismatch.message));
        }
        all.extend(self.describe_unlisted());
        f.write_str(&all.join("; "))
    }
}

/// Result of checking a value against a primitive type.
enum Leaf {
    Same,
    Widened(Value),
    Converted(Value),
    Wrong,
}

/// One step of the path to a value.
enum Segment {
    Field(EcoString),
    Index(usize),
}

struct Walk<'m, 'a> {
    /// The rules for primitive types: for returned values, or for arguments.
    leaf: fn(&Shape, &Value) -> Leaf,
    meter: &'m mut Meter<'a>,
    /// The path to the current value.
    path: Vec<Segment>,
    warnings: Vec<String>,
    mismatches: Mismatches,
}

/// The new value; `None` to keep the old one.
type NewValue = Eval<Option<Value>>;

impl<'m, 'a> Walk<'m, 'a> {
    fn new(leaf: fn(&Shape, &Value) -> Leaf, meter: &'m mut Meter<'a>) -> Walk<'m, 'a> {
        Walk { leaf, meter, path: Vec::new(), warnings: Vec::new(), mismatches: Mismatches::default() }
    }

    fn finish<T>(self, value: T) -> Result<Accepted<T>, Mismatches> {
        match self.mismatches.count {
            0 => Ok(Accepted { value, warnings: self.warnings }),
            _ => Err(self.mismatches),
        }
    }

    fn change_value(&mut self, kind: &Type, value: &Value) -> NewValue {
        match (&kind.shape, value) {
            (_, Value::Nil) if kind.optional => Ok(None),
            (Shape::Any, _) | (Shape::Map, Value::Map(_)) => Ok(None),
            (Shape::List(element), Value::Vector(items)) => self.change_items(element, items, Value::Vector),
            (Shape::List(element), Value::List(items)) => self.change_items(element, items, Value::List),
            (Shape::Record(fields), Value::Map(map)) => Ok(self.change_fields(fields, map)?.map(Value::map)),
            (shape, value) => Ok(self.check_primitive(shape, value)),
        }
    }

    fn check_primitive(&mut self, shape: &Shape, value: &Value) -> Option<Value> {
        match (self.leaf)(shape, value) {
            Leaf::Same => None,
            Leaf::Widened(widened) => Some(widened),
            Leaf::Converted(converted) => {
                let (path, from, to) = (path_text(&self.path), kind_of(value), shape.name());
                self.warnings.push(format!("{path}: converted {from} to {to}"));
                Some(converted)
            }
            Leaf::Wrong => {
                self.add_mismatch(shape.name(), kind_of(value));
                None
            }
        }
    }

    fn change_items(&mut self, kind: &Type, items: &Items, wrap: fn(Items) -> Value) -> NewValue {
        (self.meter)(items.len())?;
        let mut changed: Option<Items> = None;
        for (index, item) in items.iter().enumerate() {
            self.path.push(Segment::Index(index));
            let change = self.change_value(kind, item)?;
            self.path.pop();
            if let Some(new) = change
                && let Some(slot) = changed.get_or_insert_with(|| items.clone()).make_mut().get_mut(index)
            {
                *slot = new;
            }
        }
        Ok(changed.map(wrap))
    }

    fn change_fields(&mut self, fields: &[Field], map: &Map) -> Eval<Option<Map>> {
        (self.meter)(map.len())?;
        let mut changed: Option<Map> = None;
        for field in fields {
            let Some((key, change)) = self.change_field(field, map)? else { continue };
            if let Some(new) = change {
                changed.get_or_insert_with(|| map.clone()).insert(key.clone(), new);
            }
        }
        Ok(changed)
    }

    /// The key of a field in this map, and the new value if it changes. `None` if the field is missing.
    fn change_field<'v>(&mut self, field: &Field, map: &'v Map) -> Eval<Option<(&'v Value, Option<Value>)>> {
        self.path.push(Segment::Field(field.name.as_str().into()));
        let entry = match lookup(map, &field.name) {
            Some((key, value)) => Some((key, self.change_value(&field.kind, value)?)),
            None if field.kind.optional => None,
            None => {
                self.add_mismatch("field", "nil");
                None
            }
        };
        self.path.pop();
        Ok(entry)
    }

    fn change_arguments(&mut self, parameters: &[Field], arguments: &Map) -> Eval<Map> {
        (self.meter)(arguments.len())?;
        let mut named = Vec::with_capacity(parameters.len());
        let mut bound = Map::with_capacity(arguments.len());
        for parameter in parameters {
            let Some((key, change)) = self.change_field(parameter, arguments)? else { continue };
            let Some(value) = change.or_else(|| arguments.get(key).cloned()) else { continue };
            bound.insert(Value::Keyword(Symbol::new(&parameter.name)), value);
            named.push(key);
        }
        for (key, value) in arguments.iter() {
            if !named.contains(&key) {
                bound.insert(key.clone(), value.clone());
            }
        }
        Ok(bound)
    }

    fn add_mismatch(&mut self, expected: &str, actual: &str) {
        let path = &self.path;
        self.mismatches.push(|| Mismatch {
            path: path_text(path),
            message: format!("expected {expected}, got {actual}"),
        });
    }
}

fn path_text(path: &[Segment]) -> String {
    if path.is_empty() {
        return "root".to_string();
    }
    let mut segments = Vec::with_capacity(path.len());
    for segment in path {
        segments.push(match segment {
            Segment::Field(name) => name.to_string(),
            Segment::Index(index) => index.to_string(),
        });
    }
    segments.join(".")
}

/// Rules for returned values: an integer is accepted as a float, and nothing else is converted.
fn widen_leaf(shape: &Shape, value: &Value) -> Leaf {
    match (shape, value) {
        (Shape::String, Value::Str(_))
        | (Shape::Int, Value::Int(_))
        | (Shape::Float, Value::Float(..))
        | (Shape::Bool, Value::Bool(_))
        | (Shape::Keyword, Value::Keyword(_)) => Leaf::Same,
        (Shape::Float, Value::Int(whole)) => Leaf::Widened(Value::float(*whole as f64)),
        _ => Leaf::Wrong,
    }
}

/// Rules for tool arguments: text is parsed as a number, a boolean or a keyword, and a keyword becomes text.
fn convert_leaf(shape: &Shape, value: &Value) -> Leaf {
    let converted = match (shape, value) {
        (Shape::Int, Value::Str(text)) => text.parse().ok().map(Value::Int),
        (Shape::Float, Value::Str(text)) => parse_float(text).map(Value::float),
        (Shape::Bool, Value::Str(text)) => text.parse().ok().map(Value::Bool),
        (Shape::String, Value::Keyword(name)) => Some(Value::str(name.name())),
        (Shape::Keyword, Value::Str(text)) => Some(Value::keyword(text)),
        _ => return widen_leaf(shape, value),
    };
    converted.map_or(Leaf::Wrong, Leaf::Converted)
}

/// Parses a decimal number. Unlike Rust's parser, rejects `inf` and `nan`.
fn parse_float(text: &str) -> Option<f64> {
    let is_decimal = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E'));
    text.parse().ok().filter(|number: &f64| is_decimal && number.is_finite())
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Int(_) => "int",
        Value::Float(..) => "float",
        Value::Bool(_) => "bool",
        Value::Vector(_) | Value::List(_) => "list",
        other => other.type_name(),
    }
}
