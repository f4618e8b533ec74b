//! Questions about a collection as a whole: its size, its emptiness, whether some or all items hold.

use super::input::{Count, Source, sequence};
use super::output::list_or_nil;
use crate::builtins::prelude::*;

pub fn count(cx: &mut Call, collection: &Value) -> Eval<usize> {
    match collection {
        Value::Str(text) => {
            cx.tick_text(text)?;
            return Ok(text.chars().count());
        }
        Value::Generator(_) => return Ok(cx.items(collection.clone())?.len()),
        _ => {}
    }
    size(cx, collection).map_err(of_class(Class::UnsupportedOperationException))
}

/// The number of items, without converting anything; of a string, the number of bytes.
fn size(cx: &Call, collection: &Value) -> Eval<usize> {
    match collection {
        Value::Nil => Ok(0),
        Value::Str(text) => Ok(text.len()),
        Value::Generator(_) => infinite(),
        other => match other.item_count() {
            Some(count) => Ok(count),
            None => cx.type_error("a collection", other).map_err(of_class(Class::IllegalArgumentException)),
        },
    }
}

pub fn is_empty(cx: &mut Call, collection: &Value) -> Eval<bool> {
    match collection {
        Value::Generator(items) => Ok(generator::or_nil(cx, items.clone())?.is_nil()),
        other => Ok(size(cx, other)? == 0),
    }
}

pub fn not_empty(cx: &mut Call, collection: Value) -> Eval {
    if is_empty(cx, &collection)? { Ok(Value::Nil) } else { Ok(collection) }
}

pub fn empty(collection: &Value) -> Eval {
    match collection {
        Value::Vector(items) if !items.is_entry() => Ok(Value::Vector(Items::default())),
        Value::List(_) => Ok(Value::List(Items::default())),
        Value::Map(map) => Ok(Value::map(map.emptied())),
        Value::Set(set) => Ok(Value::set(set.emptied())),
        Value::Generator(_) => infinite(),
        _ => Ok(Value::Nil),
    }
}

pub fn seq(cx: &mut Call, collection: Value) -> Eval {
    if let Value::Generator(items) = collection {
        return generator::or_nil(cx, items);
    }
    let converted = !matches!(collection, Value::Vector(_) | Value::List(_));
    let items = sequence(cx, collection)?;
    if converted {
        cx.allocate_slots(items.len())?;
    }
    Ok(list_or_nil(items))
}

/// `(doall collection)` and `(doall n collection)`
pub fn doall(cx: &mut Call, first: &mut Value, collection: Option<Value>) -> Eval {
    match collection {
        Some(collection) => {
            Count::from_value(cx, first)?;
            if !matches!(collection, Value::Generator(_)) {
                size(cx, &collection)?;
            }
            Ok(collection)
        }
        None if matches!(first, Value::Generator(_)) => Ok(Value::List(cx.all(first.take())?)),
        None => size(cx, first).map(|_| first.take()),
    }
}

/// `(dorun collection)` and `(dorun n collection)`
pub fn dorun(cx: &mut Call, first: &mut Value, collection: Option<Value>) -> Eval {
    doall(cx, first, collection).map(|_| Value::Nil)
}

/// `(bounded-count n collection)`: the size of a counted collection. Of others, at most `n`.
pub fn bounded_count(cx: &mut Call, most: &mut Value, collection: &Value) -> Eval<usize> {
    match collection {
        Value::Generator(_) => Ok(Count::from_value(cx, most)?.0),
        Value::Str(text) if !text.is_empty() => {
            let most = Count::from_value(cx, most)?.0;
            Ok(text.chars().take(most).count())
        }
        other => size(cx, other),
    }
}

/// The first result of the predicate with the wanted truth.
pub fn first_result(cx: &mut Call, test: &Value, mut items: Source, wanted: bool) -> Eval<Option<Value>> {
    while let Some(item) = items.next(cx)? {
        let result = cx.call(test, &mut [item])?;
        if result.is_truthy() == wanted {
            return Ok(Some(result));
        }
    }
    Ok(None)
}

const MEMBER_HINT: &str = "To look for an item use (some #{item} collection)";
const SUBSTRING_HINT: &str = "To look for text use (includes? string text)";

pub fn contains(cx: &mut Call, collection: Value, key: &Value) -> Eval<bool> {
    let (expected, got, hint) = match (&collection, key) {
        (Value::Nil, _) => return Ok(false),
        (Value::Map(_) | Value::Set(_), _) => return Ok(flexible::find(&collection, key)?.is_some()),
        (Value::Vector(items), Value::Int(index)) => return Ok(has_index(*index, items.len())),
        (Value::Vector(_), _) => return Ok(cx.all(collection)?.contains(key)),
        (Value::Str(text), Value::Int(index)) => {
            cx.tick_text(text)?;
            return Ok(has_index(*index, text.chars().count()));
        }
        (Value::Generator(_), _) => return infinite(),
        (Value::Str(_), _) => ("an index", key, SUBSTRING_HINT),
        (Value::List(_), _) => ("a map, a set or a vector", &collection, MEMBER_HINT),
        _ => ("a map, a set or a vector", &collection, SUBSTRING_HINT),
    };
    type_error_hint(cx.name, expected, got, hint).map_err(of_class(Class::IllegalArgumentException))
}

fn has_index(index: i64, len: usize) -> bool {
    usize::try_from(index).is_ok_and(|index| index < len)
}
