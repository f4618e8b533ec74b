//! Replaces the value at a key, an index or the end of a path, in place unless the collection is shared.

use super::map::insert;
use crate::builtins::prelude::*;

/// The keys of a path. Spends a tick for each.
pub(super) struct Path(pub Items);

from_value! { Path: |cx, value| cx.all(value.take()).map(Path); }

pub(super) fn assoc(cx: &mut Call, collection: Value, pairs: AtLeast<2>) -> Eval {
    let count = pairs.0.len() + 1;
    let (pairs, []) = pairs.0.as_chunks_mut() else { return arity_error(cx.name, "an odd number", count) };
    match collection {
        Value::Nil => assoc_map(cx, Arc::default(), pairs),
        Value::Map(map) => assoc_map(cx, map, pairs),
        Value::Vector(mut items) => {
            for [key, value] in pairs {
                let value = value.take();
                change_vector(cx, &mut items, key, |_, _| Ok(value))?;
            }
            Ok(Value::Vector(items))
        }
        other => no_place(cx, &other),
    }
}

fn assoc_map(cx: &mut Call, mut map: Arc<Map>, pairs: &mut [[Value; 2]]) -> Eval {
    let table = Arc::make_mut(&mut map);
    for [key, value] in pairs {
        insert(cx, table, key.take(), value.take())?;
    }
    Ok(Value::Map(map))
}

pub(super) fn assoc_in(cx: &mut Call, root: Value, Path(path): Path, value: &mut Value) -> Eval {
    change_in(cx, root, &path, &mut |_, _| Ok(value.take()))
}

pub(super) fn update(
    cx: &mut Call,
    collection: Value,
    key: &Value,
    function: &Value,
    others: &mut [Value],
) -> Eval {
    change(cx, collection, key, |cx, old| call_with(cx, function, old, others))
}

pub(super) fn update_in(
    cx: &mut Call,
    root: Value,
    Path(path): Path,
    function: &Value,
    others: &mut [Value],
) -> Eval {
    change_in(cx, root, &path, &mut |cx, old| call_with(cx, function, old, others))
}

fn call_with(cx: &mut Call, function: &Value, first: Value, others: &mut [Value]) -> Eval {
    let is_missing = first.is_nil();
    let made = if others.is_empty() {
        cx.call(function, &mut [first])
    } else {
        let mut args = vec![first];
        args.extend(others.iter_mut().map(Value::take));
        cx.call(function, &mut args)
    };
    if is_missing { made.map_err(|unwind| hint::of_missing(function, unwind)) } else { made }
}

/// Changes the value at the end of a path; an empty path means the key nil, as in Clojure.
fn change_in(
    cx: &mut Call,
    collection: Value,
    path: &[Value],
    make: &mut dyn FnMut(&mut Call, Value) -> Eval,
) -> Eval {
    let (key, deeper) = path.split_first().unwrap_or((&Value::Nil, &[]));
    change(cx, collection, key, |cx, old| {
        if deeper.is_empty() {
            return make(cx, old);
        }
        guarded(|| change_in(cx, old, deeper, make))
    })
}

/// Replaces the value at a key. The old one is moved out first, so that `make` can change it in place.
fn change(
    cx: &mut Call,
    collection: Value,
    key: &Value,
    make: impl FnOnce(&mut Call, Value) -> Eval,
) -> Eval {
    match collection {
        Value::Nil => change_map(cx, Arc::default(), key, make),
        Value::Map(map) => change_map(cx, map, key, make),
        Value::Vector(mut items) => {
            change_vector(cx, &mut items, key, make)?;
            Ok(Value::Vector(items))
        }
        other => {
            make(cx, flexible::get(&other, key).unwrap_or_default())?;
            no_place(cx, &other)
        }
    }
}

fn change_map(
    cx: &mut Call,
    mut map: Arc<Map>,
    key: &Value,
    make: impl FnOnce(&mut Call, Value) -> Eval,
) -> Eval {
    let table = Arc::make_mut(&mut map);
    if let Some(place) = table.get_mut(key) {
        *place = make(cx, place.take())?;
        cx.allocate_entries(1)?;
        return Ok(Value::Map(map));
    }
    let key = flexible::spelling(table, key).unwrap_or(key).clone();
    let old = table.get_mut(&key).map(Value::take).unwrap_or_default();
    let new = make(cx, old)?;
    insert(cx, table, key, new)?;
    Ok(Value::Map(map))
}

/// An index one past the end adds an item.
fn change_vector(
    cx: &mut Call,
    items: &mut Items,
    key: &Value,
    make: impl FnOnce(&mut Call, Value) -> Eval,
) -> Eval<()> {
    let len = items.len();
    let index = match key {
        Value::Int(index) => usize::try_from(*index).ok().filter(|index| *index <= len),
        _ => None,
    };
    let Some(index) = index else {
        let expected = format!("an index from 0 to {len}");
        return cx.type_error(&expected, key).map_err(of_class(Class::of_wrong_index(key)));
    };
    let old = items.make_mut().get_mut(index).map(Value::take);
    let new = make(cx, old.unwrap_or_default())?;
    cx.allocate_slots(1)?;
    match items.make_mut().get_mut(index) {
        Some(slot) => *slot = new,
        None => items.push(new),
    }
    if items.len() > MAX_ITEMS { cx.allocate_slots(items.len()) } else { Ok(()) }
}

/// The type error of a value in which nothing can be replaced.
fn no_place<T>(cx: &Call, value: &Value) -> Eval<T> {
    const HINT: &str = "This is a list; (vec coll) makes a vector of it";
    match value {
        Value::List(_) => type_error_hint(cx.name, "a map, a vector or nil", value, HINT),
        _ => cx.type_error("a map, a vector or nil", value),
    }
}
