//! How the sequence functions read what they are given: collections, counts and indices. What builds
//! results is in `output`.

use ecow::EcoString;
use triomphe::Arc;

use crate::error::{Eval, type_error, type_error_hint};
use crate::eval::{Interpreter, infinite};
use crate::generator::{self, Generator};
use crate::hint;
use crate::items::Items;
use crate::value::Value;

/// Moves the first `N` arguments out; missing ones are nil.
pub fn taken<const N: usize>(args: &mut [Value]) -> [Value; N] {
    std::array::from_fn(|index| args.get_mut(index).map(Value::take).unwrap_or_default())
}

/// The items of a collection that is read to its end; their ticks are spent.
pub fn all(cx: &mut Interpreter<'_>, name: &str, collection: Value) -> Eval<Items> {
    let items = cx.items(name, collection)?;
    cx.tick(items.len())?;
    Ok(items)
}

/// The items of a collection that is only cut. Ticks are spent where it has to be converted first.
pub fn sequence(cx: &mut Interpreter<'_>, name: &str, collection: Value) -> Eval<Items> {
    match collection {
        Value::Vector(items) | Value::List(items) => Ok(items.into_list()),
        other => all(cx, name, other),
    }
}

/// The first items of a collection; the others are not looked at.
pub fn leading(cx: &mut Interpreter<'_>, name: &str, collection: Value, count: usize) -> Eval<Items> {
    let items: Items = match collection {
        Value::Vector(items) | Value::List(items) => return Ok(items.truncate(count)),
        Value::Generator(source) => return Ok(generator::leading(cx, source, count)?.into()),
        Value::Map(map) => map.iter().take(count).map(|(k, v)| Value::pair(k.clone(), v.clone())).collect(),
        Value::Set(set) => set.keys().take(count).cloned().collect(),
        Value::Str(text) => text.chars().take(count).map(character).collect(),
        other => cx.items(name, other)?,
    };
    cx.tick(items.len())?;
    Ok(items)
}

/// A character as the language has it: a string of length one.
pub fn character(character: char) -> Value {
    Value::Str(EcoString::from(character))
}

/// A collection that may not be read to its end: a tick is spent for each item when it is taken, or for
/// all of them where the collection has to be converted first.
pub struct Walk {
    pub items: Items,
    ticks_each: usize,
}

impl Walk {
    pub fn new(cx: &mut Interpreter<'_>, name: &str, collection: Value) -> Eval<Walk> {
        let ticks_each = usize::from(matches!(collection, Value::Vector(_) | Value::List(_)));
        let items = sequence(cx, name, collection)?;
        Ok(Walk { items, ticks_each })
    }

    /// Spends the ticks of taking the next item.
    pub fn tick(&self, cx: &mut Interpreter<'_>) -> Eval<()> {
        cx.tick(self.ticks_each)
    }

    /// Spends the ticks of taking that many items, each for a call.
    pub fn tick_calls(&self, cx: &mut Interpreter<'_>, items: usize) -> Eval<()> {
        cx.tick(items * (self.ticks_each + 1))
    }
}

/// A collection that is read item by item and may be unbounded.
pub enum Source {
    Finite { walk: Walk, next: usize },
    Unbounded(Arc<Generator>),
}

impl Source {
    pub fn new(cx: &mut Interpreter<'_>, name: &str, collection: Value) -> Eval<Source> {
        match collection {
            Value::Generator(generator) => Ok(Source::Unbounded(generator)),
            finite => Ok(Source::Finite { walk: Walk::new(cx, name, finite)?, next: 0 }),
        }
    }

    pub fn next(&mut self, cx: &mut Interpreter<'_>) -> Eval<Option<Value>> {
        match self {
            Source::Unbounded(generator) => generator::step(generator, cx).map(Some),
            Source::Finite { walk, next } => {
                let Some(item) = walk.items.get(*next).cloned() else { return Ok(None) };
                *next += 1;
                walk.tick(cx)?;
                Ok(Some(item))
            }
        }
    }

    /// How many items there are, unless they are unbounded.
    pub fn len(&self) -> Option<usize> {
        match self {
            Source::Finite { walk, .. } => Some(walk.items.len()),
            Source::Unbounded(_) => None,
        }
    }
}

/// Collections that are read in step, until the shortest ends.
pub struct Rows {
    sources: Vec<Source>,
    /// How many rows there are.
    pub len: usize,
}

impl Rows {
    /// At least one of the collections must be finite.
    pub fn new(cx: &mut Interpreter<'_>, name: &str, collections: &mut [Value]) -> Eval<Rows> {
        let sources: Eval<Vec<Source>> =
            collections.iter_mut().map(|collection| Source::new(cx, name, collection.take())).collect();
        let sources = sources?;
        match sources.iter().filter_map(Source::len).min() {
            Some(len) => Ok(Rows { sources, len }),
            None if sources.is_empty() => Ok(Rows { sources, len: 0 }),
            None => infinite(),
        }
    }

    /// The next item of each collection.
    pub fn next(&mut self, cx: &mut Interpreter<'_>) -> Eval<Option<Vec<Value>>> {
        let mut row = self.empty_row();
        Ok(if self.fill(cx, &mut row)? { Some(row) } else { None })
    }

    /// A row to be filled.
    pub fn empty_row(&self) -> Vec<Value> {
        vec![Value::Nil; self.sources.len()]
    }

    /// Puts the next item of each collection into a row; false at the end of the shortest.
    pub fn fill(&mut self, cx: &mut Interpreter<'_>, row: &mut [Value]) -> Eval<bool> {
        if self.len == 0 {
            return Ok(false);
        }
        self.len -= 1;
        for (source, slot) in self.sources.iter_mut().zip(row) {
            *slot = source.next(cx)?.unwrap_or_default();
        }
        Ok(true)
    }
}

/// Whether it is nil or a collection that has no items. Where nothing is to be counted, Clojure does not look at
/// a count.
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Nil => true,
        Value::Map(map) => map.is_empty(),
        Value::Set(set) => set.is_empty(),
        Value::Str(text) => text.is_empty(),
        other => other.as_items().is_some_and(|items| items.is_empty()),
    }
}

/// A number of items: negative ones are none, fractions are rounded up, as Clojure's loops do.
pub fn count(name: &str, value: &Value) -> Eval<usize> {
    Ok(signed_count(name, value)?.max(0) as usize)
}

/// A number of items that tells negative ones apart.
pub fn signed_count(name: &str, value: &Value) -> Eval<i64> {
    match value {
        Value::Int(number) => Ok(*number),
        Value::Float(number, ..) => Ok(number.ceil() as i64),
        other => no_number(name, other),
    }
}

/// A number of items that must be at least one, or nothing would advance.
pub fn positive_count(name: &str, value: &Value) -> Eval<usize> {
    match signed_count(name, value)? {
        number if number < 1 => type_error(name, "a number of at least 1", value),
        number => Ok(number as usize),
    }
}

/// An index: fractions are cut off, NaN is 0.
pub fn index(name: &str, value: &Value) -> Eval<i64> {
    match value {
        Value::Int(number) => Ok(*number),
        Value::Float(number, ..) => Ok(number.trunc() as i64),
        other => no_number(name, other),
    }
}

fn no_number<T>(name: &str, value: &Value) -> Eval<T> {
    match hint::number_first(name, value) {
        Some(hint) => type_error_hint(name, "a number", value, &hint),
        None => type_error(name, "a number", value),
    }
}
