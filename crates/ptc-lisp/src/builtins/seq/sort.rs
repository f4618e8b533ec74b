//! Sorting by comparators and keys.

use super::key::Key;
use crate::builtins::prelude::*;
use crate::merge_sort::{arrange, merge_sort, order_of};
use crate::order;

/// `(sort collection)` and `(sort comparator collection)`
pub fn sort(cx: &mut Call, first: Value, collection: Option<Value>) -> Eval {
    let (comparator, collection) = match collection {
        Some(collection) if first.is_nil() => (Comparator::Ascending, collection),
        Some(collection) => (Comparator::new(first), collection),
        None => (Comparator::Ascending, first),
    };
    let items = cx.all(collection)?.into_vec();
    let sorted = merge_sort(items, |a, b| comparator.puts_before(cx, a, b))?;
    cx.list(sorted)
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
    let keys = items.iter().map(|item| key.of(cx, item.clone())).collect::<Eval<Vec<Value>>>()?;
    let order = order_of(&keys, |a, b| comparator.puts_before(cx, a, b))?;
    cx.list(arrange(items.into_vec(), order))
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

/// The order of values (`docs/language.md` §4.2).
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

    /// True if `a` comes before `b`. Equal items keep their order.
    fn puts_before(&self, cx: &mut Call, a: &Value, b: &Value) -> Eval<bool> {
        let function = match self {
            Comparator::Ascending => return Ok(compare(cx, a, b)? == Ordering::Less),
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

/// The order of `compare`, its ticks spent: one for each pair of nested items.
pub fn compare(cx: &mut Interpreter<'_>, a: &Value, b: &Value) -> Eval<Ordering> {
    match (a, b) {
        (Value::Vector(x), Value::Vector(y)) => guarded(|| compare_items(cx, x, y)),
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
    if a.len() != b.len() {
        return Ok(a.len().cmp(&b.len()));
    }
    for (x, y) in a.iter().zip(b) {
        cx.tick(1)?;
        let order = match (x, y) {
            (Value::Int(x), Value::Int(y)) => x.cmp(y),
            _ => compare(cx, x, y)?,
        };
        if order.is_ne() {
            return Ok(order);
        }
    }
    Ok(Ordering::Equal)
}
