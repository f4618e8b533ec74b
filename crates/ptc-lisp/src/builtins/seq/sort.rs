//! Sorting by comparators and keys.

use super::key::Key;
use crate::builtins::prelude::*;
use crate::merge_sort::{arrange, order_of, sort_copies};
use crate::order;

/// `(sort collection)` and `(sort comparator collection)`
pub fn sort(cx: &mut Call, first: Value, collection: Option<Value>) -> Eval {
    let (comparator, collection) = match collection {
        Some(collection) if first.is_nil() => (Comparator::Ascending, collection),
        Some(collection) => (Comparator::new(first), collection),
        None => (Comparator::Ascending, first),
    };
    let items = cx.all(collection)?.into_vec();
    let order = comparator.order_of(cx, &items)?;
    cx.list(arrange(items, order))
}

/// `(sort-by key collection)` and `(sort-by key comparator collection)`
pub fn sort_by(cx: &mut Call, key: Key, second: Value, collection: Option<Value>) -> Eval {
    let (comparator, collection) = match collection {
        Some(collection) => {
            refuse_swapped(cx, &second, &collection)?;
            (Comparator::new(second), collection)
        }
        None => (Comparator::Ascending, second),
    };
    let items = cx.all(collection)?;
    if items.len() < 2 {
        // In Clojure only comparing asks for a key.
        return cx.list(items.into_vec());
    }
    let keys = keys_of(cx, &key, &items)?;
    let order = comparator.order_of(cx, &keys)?;
    cx.list(arrange(items.into_vec(), order))
}

fn keys_of(cx: &mut Interpreter<'_>, key: &Key, items: &[Value]) -> Eval<Vec<Value>> {
    let mut keys: Vec<Value> = items.iter().map(|_| Value::Nil).collect();
    items.iter().zip(&mut keys).try_for_each(|(item, place)| key.put(cx, item, place))?;
    Ok(keys)
}

fn refuse_swapped(cx: &Call, comparator: &Value, collection: &Value) -> Eval<()> {
    const HINT: &str = "Arguments look swapped; use (sort-by key comparator coll)";
    match (comparator, collection) {
        (Value::Vector(_) | Value::List(_) | Value::Map(_), Value::Function(_) | Value::Keyword(_)) => {
            type_error_hint(cx.name, "a collection", collection, HINT)
                .map_err(of_class(Class::IllegalArgumentException))
        }
        _ => Ok(()),
    }
}

/// The order in which values are sorted (`docs/language.md` §4.2).
enum Comparator {
    Ascending,
    Descending,
    Function(Value),
}

impl Comparator {
    fn new(value: Value) -> Comparator {
        match value {
            Value::Keyword(name) if name.name() == "asc" => Comparator::Ascending,
            Value::Keyword(name) if name.name() == "desc" => Comparator::Descending,
            function => Comparator::Function(function),
        }
    }

    /// The indices of the keys in sorted order. Integers that come first in all keys are compared side by side.
    fn order_of(&self, cx: &mut Call, keys: &[Value]) -> Eval<Vec<u32>> {
        let is_descending = matches!(self, Comparator::Descending);
        let ranks = if let Comparator::Function(_) = self { None } else { ranks(keys) };
        let Some(ranks) = ranks else { return order_of(keys, |a, b| self.puts_before(cx, a, b)) };
        let mut undecided = 0;
        let (sorted, comparisons) = sort_copies(ranks, |a, b| {
            if a.first == b.first {
                undecided += 1;
                return self.puts_before(cx, &keys[a.index as usize], &keys[b.index as usize]);
            }
            Ok((a.first < b.first) != is_descending)
        })?;
        if matches!(keys.first(), Some(Value::Vector(_))) {
            cx.tick(comparisons - undecided)?;
        }
        Ok(sorted.into_iter().map(|rank| rank.index).collect())
    }

    /// True if `a` must stand before `b`. Where neither must, they stay as they are.
    #[inline(never)]
    fn puts_before(&self, cx: &mut Call, a: &Value, b: &Value) -> Eval<bool> {
        let function = match self {
            Comparator::Ascending => match (a, b) {
                (Value::Int(a), Value::Int(b)) => return Ok(a < b),
                _ => return Ok(compare(cx, a, b)? == Ordering::Less),
            },
            Comparator::Descending => return Ok(compare(cx, b, a)? == Ordering::Less),
            Comparator::Function(function) => function,
        };
        match cx.call(function, &mut [a.clone(), b.clone()])? {
            Value::Bool(first) => Ok(first),
            Value::Int(order) => Ok(order < 0),
            Value::Float(order, ..) => Ok(order <= -1.0),
            other => cx.type_error("a boolean or a number from the comparator", &other),
        }
    }
}

/// A key's first integer, and which key it is.
#[derive(Clone, Copy)]
struct Rank {
    first: i64,
    index: u32,
}

/// The ranks of keys that are integers, or vectors of one length that begin with integers.
fn ranks(keys: &[Value]) -> Option<Vec<Rank>> {
    let len = |key: &Value| key.as_items().map_or(0, |items| items.len());
    let common = keys.first().map_or(0, len);
    let rank = |(index, key): (u32, &Value)| match key {
        Value::Int(first) if common == 0 => Some(Rank { first: *first, index }),
        Value::Vector(items) if items.len() == common => match items.first() {
            Some(Value::Int(first)) => Some(Rank { first: *first, index }),
            _ => None,
        },
        _ => None,
    };
    (0..).zip(keys).map(rank).collect()
}

/// The order of `compare`, its ticks spent: one for each pair of nested items.
pub fn compare(cx: &mut Interpreter<'_>, a: &Value, b: &Value) -> Eval<Ordering> {
    match (a, b) {
        (Value::Vector(x), Value::Vector(y)) if x.len() == y.len() => guarded(|| compare_items(cx, x, y)),
        (Value::Str(x), Value::Str(y)) => {
            cx.tick(x.len().min(y.len()) / 64)?;
            Ok(x.as_str().cmp(y.as_str()))
        }
        _ => match order::compare(a, b) {
            Some(order) => Ok(order),
            None => cannot_compare(a, b),
        },
    }
}

fn compare_items(cx: &mut Interpreter<'_>, a: &[Value], b: &[Value]) -> Eval<Ordering> {
    for (x, y) in a.iter().zip(b) {
        cx.tick(1)?;
        match compare(cx, x, y)? {
            Ordering::Equal => {}
            order => return Ok(order),
        }
    }
    Ok(Ordering::Equal)
}
