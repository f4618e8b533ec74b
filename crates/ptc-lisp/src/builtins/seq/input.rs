//! Arguments of the sequence functions: collections, counts and indices. Building results is in `output`.

use crate::builtins::prelude::*;
use crate::generator::Generator;

/// The items of a collection, to be cut. Spends ticks if it must be converted first.
pub struct Sequence(pub Items);

pub fn sequence(cx: &mut Call, collection: Value) -> Eval<Items> {
    match collection {
        Value::Vector(items) | Value::List(items) => Ok(items.into_list()),
        other => cx.all(other),
    }
}

/// The first items of a collection. The others are not read.
pub fn leading(cx: &mut Call, collection: Value, count: usize) -> Eval<Items> {
    let items: Items = match collection {
        Value::Vector(items) | Value::List(items) => return Ok(items.truncate(count)),
        Value::Generator(mut source) => return Ok(generator::leading(cx, &mut source, count)?.into()),
        Value::Map(map) => map.iter().take(count).map(|(k, v)| Value::entry(k.clone(), v.clone())).collect(),
        Value::Set(set) => set.keys().take(count).cloned().collect(),
        Value::Str(text) => text.chars().take(count).map(Value::from).collect(),
        other => cx.items(other)?,
    };
    cx.tick(items.len())?;
    Ok(items)
}

/// Reason why a function gives no list: there is no collection, or an unbounded one.
pub struct Deferred(Option<Arc<Generator>>);

/// The collection, unless it is unbounded.
pub fn finite(collection: Option<Value>) -> Result<Value, Deferred> {
    match collection {
        None => Err(Deferred(None)),
        Some(Value::Generator(source)) => Err(Deferred(Some(source))),
        Some(collection) => Ok(collection),
    }
}

impl Deferred {
    /// The transducer of a step, or a generator of what the step makes of the unbounded collection.
    pub fn through(self, step: Step) -> Value {
        match self.0 {
            None => Transducer::of(step),
            Some(source) => generator::through(vec![step], source),
        }
    }
}

/// A collection for partial reads: a tick for each item taken, or for all if it is converted.
pub struct Walk {
    pub items: Items,
    ticks_each: usize,
}

impl Walk {
    pub fn new(cx: &mut Call, collection: Value) -> Eval<Walk> {
        let ticks_each = usize::from(matches!(collection, Value::Vector(_) | Value::List(_)));
        let items = sequence(cx, collection)?;
        Ok(Walk { items, ticks_each })
    }

    /// Spends the ticks of taking the next item.
    pub fn tick(&self, cx: &mut Interpreter<'_>) -> Eval<()> {
        cx.tick(self.ticks_each)
    }
}

/// A collection to read item by item, perhaps unbounded.
pub enum Source {
    Finite { walk: Walk, next: usize },
    Unbounded(Arc<Generator>),
}

impl Source {
    pub fn new(cx: &mut Call, collection: Value) -> Eval<Source> {
        match collection {
            Value::Generator(generator) => Ok(Source::Unbounded(generator)),
            finite => Ok(Source::Finite { walk: Walk::new(cx, finite)?, next: 0 }),
        }
    }

    pub fn next(&mut self, cx: &mut Interpreter<'_>) -> Eval<Option<Value>> {
        match self {
            Source::Unbounded(generator) => generator::step(generator, cx),
            Source::Finite { walk, next } => {
                let Some(item) = walk.items.get(*next).cloned() else { return Ok(None) };
                *next += 1;
                walk.tick(cx)?;
                Ok(Some(item))
            }
        }
    }

    /// The maximum number of items. `None` if unbounded.
    pub fn len(&self) -> Option<usize> {
        match self {
            Source::Finite { walk, .. } => Some(walk.items.len()),
            Source::Unbounded(generator) => generator.may_end().then_some(MAX_ITEMS),
        }
    }
}

/// Collections to read in step, until the shortest ends.
pub struct Rows {
    sources: Vec<Source>,
    /// The number of rows.
    pub len: usize,
}

impl Rows {
    /// At least one of the collections must be finite.
    pub fn new(cx: &mut Call, collections: &mut [Value]) -> Eval<Rows> {
        let sources: Vec<Source> = collections
            .iter_mut()
            .map(|collection| Source::new(cx, collection.take()))
            .collect::<Eval<_>>()?;
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
            let Some(item) = source.next(cx)? else { return Ok(false) };
            *slot = item;
        }
        Ok(true)
    }
}

from_value! {
    Sequence: |cx, value| sequence(cx, value.take()).map(Sequence);
    Walk: |cx, value| Walk::new(cx, value.take());
    Source: |cx, value| Source::new(cx, value.take());
    Count: |cx, value| Ok(Count(signed_count(cx, value)?.max(0) as usize));
    Index: |cx, value| match value {
        Value::Int(number) => Ok(Index(*number)),
        Value::Float(number, ..) => Ok(Index(number.trunc() as i64)),
        other => no_number(cx, other),
    };
}

/// True for nil and collections without items. Clojure looks at no count for these.
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Nil => true,
        Value::Str(text) => text.is_empty(),
        other => other.item_count() == Some(0),
    }
}

/// A number of items: negative ones are none, fractions are rounded up, as Clojure's loops do.
pub struct Count(pub usize);

/// A number of items, perhaps negative.
pub fn signed_count(cx: &Call, value: &Value) -> Eval<i64> {
    match value {
        Value::Int(number) => Ok(*number),
        Value::Float(number, ..) => Ok(number.ceil() as i64),
        other => no_number(cx, other),
    }
}

/// A number of items. At least one, or nothing would advance.
pub fn positive_count(cx: &Call, value: &Value) -> Eval<usize> {
    match signed_count(cx, value)? {
        number if number < 1 => cx.type_error("a number of at least 1", value),
        number => Ok(number as usize),
    }
}

/// An index: fractions are cut off, NaN is 0.
pub struct Index(pub i64);

impl Index {
    /// The index, or 0 for a negative one.
    pub fn or_zero(self) -> usize {
        usize::try_from(self.0).unwrap_or(0)
    }
}

fn no_number<T>(cx: &Call, value: &Value) -> Eval<T> {
    match hint::number_first(cx.name, value) {
        Some(hint) => type_error_hint(cx.name, "a number", value, &hint),
        None => cx.type_error("a number", value),
    }
}
