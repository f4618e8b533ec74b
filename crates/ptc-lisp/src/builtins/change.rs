//! Replacing what stands at a key of a map or an index of a vector, or at the end of a path of them. A
//! collection that nobody else holds is changed in place, and so is what is inside it.

use triomphe::Arc;

use super::super::error::{Eval, arity_error, type_error, type_error_hint};
use super::super::eval::Interpreter;
use super::super::exception::{Class, of_class};
use super::super::flexible;
use super::super::hint;
use super::super::items::Items;
use super::super::limits::MAX_ITEMS;
use super::super::stack::guarded;
use super::super::table::Map;
use super::super::value::Value;
use super::map::insert;

pub(super) fn assoc(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let count = args.len();
    let [collection, pairs @ ..] = args else { return Ok(Value::Nil) };
    let (pairs, []) = pairs.as_chunks_mut() else { return arity_error("assoc", "an odd number", count) };
    match collection.take() {
        Value::Nil => assoc_map(cx, Arc::default(), pairs),
        Value::Map(map) => assoc_map(cx, map, pairs),
        Value::Vector(items) => assoc_vector(cx, items, pairs),
        other => no_place("assoc", &other),
    }
}

fn assoc_map(cx: &mut Interpreter<'_>, mut map: Arc<Map>, pairs: &mut [[Value; 2]]) -> Eval {
    let table = Arc::make_mut(&mut map);
    for [key, value] in pairs {
        insert(cx, table, key.take(), value.take())?;
    }
    Ok(Value::Map(map))
}

fn assoc_vector(cx: &mut Interpreter<'_>, mut items: Items, pairs: &mut [[Value; 2]]) -> Eval {
    for [key, value] in pairs {
        let value = value.take();
        change_vector(cx, "assoc", &mut items, key, |_, _| Ok(value))?;
    }
    Ok(Value::Vector(items))
}

pub(super) fn assoc_in(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [root, path, value] = args else { return Ok(Value::Nil) };
    let path = path_of(cx, "assoc-in", path)?;
    change_in(cx, "assoc-in", root.take(), &path, &mut |_, _| Ok(value.take()))
}

pub(super) fn update(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection, key, function, others @ ..] = args else { return Ok(Value::Nil) };
    let collection = collection.take();
    change(cx, "update", collection, key, |cx, old| call_with(cx, function, old, others))
}

pub(super) fn update_in(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [root, path, function, others @ ..] = args else { return Ok(Value::Nil) };
    let path = path_of(cx, "update-in", path)?;
    change_in(cx, "update-in", root.take(), &path, &mut |cx, old| call_with(cx, function, old, others))
}

fn call_with(cx: &mut Interpreter<'_>, function: &Value, first: Value, others: &mut [Value]) -> Eval {
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

/// Changes what stands at the end of a path; an empty path means the key nil, as in Clojure.
fn change_in(
    cx: &mut Interpreter<'_>,
    name: &str,
    collection: Value,
    path: &[Value],
    make: &mut dyn FnMut(&mut Interpreter<'_>, Value) -> Eval,
) -> Eval {
    let (key, deeper) = path.split_first().unwrap_or((&Value::Nil, &[]));
    change(cx, name, collection, key, |cx, old| {
        if deeper.is_empty() {
            return make(cx, old);
        }
        guarded(|| change_in(cx, name, old, deeper, make))
    })
}

/// Replaces what stands at a key. The old value is moved out before `make` runs, which can then change it
/// in place; if `make` fails, nobody sees the hole.
fn change(
    cx: &mut Interpreter<'_>,
    name: &str,
    collection: Value,
    key: &Value,
    make: impl FnOnce(&mut Interpreter<'_>, Value) -> Eval,
) -> Eval {
    match collection {
        Value::Nil => change_map(cx, Arc::default(), key, make),
        Value::Map(map) => change_map(cx, map, key, make),
        Value::Vector(mut items) => {
            change_vector(cx, name, &mut items, key, make)?;
            Ok(Value::Vector(items))
        }
        other => {
            make(cx, flexible::get(&other, key).unwrap_or_default())?;
            no_place(name, &other)
        }
    }
}

fn change_map(
    cx: &mut Interpreter<'_>,
    mut map: Arc<Map>,
    key: &Value,
    make: impl FnOnce(&mut Interpreter<'_>, Value) -> Eval,
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
    cx: &mut Interpreter<'_>,
    name: &str,
    items: &mut Items,
    key: &Value,
    make: impl FnOnce(&mut Interpreter<'_>, Value) -> Eval,
) -> Eval<()> {
    let len = items.len();
    let index = match key {
        Value::Int(index) => usize::try_from(*index).ok().filter(|index| *index <= len),
        _ => None,
    };
    let old = index.and_then(|index| items.make_mut().get_mut(index)).map(Value::take);
    let new = make(cx, old.unwrap_or_default())?;
    let Some(index) = index else {
        let expected = format!("an index from 0 to {len}");
        return type_error(name, &expected, key).map_err(of_class(Class::of_wrong_index(key)));
    };
    cx.allocate_slots(1)?;
    match items.make_mut().get_mut(index) {
        Some(slot) => *slot = new,
        None => items.push(new),
    }
    if items.len() > MAX_ITEMS { cx.allocate_slots(items.len()) } else { Ok(()) }
}

/// The type error of a value in which nothing can be replaced.
fn no_place<T>(name: &str, value: &Value) -> Eval<T> {
    match value {
        Value::List(_) => type_error_hint(
            name,
            "a map, a vector or nil",
            value,
            "This is a list; (vec coll) makes a vector of it",
        ),
        _ => type_error(name, "a map, a vector or nil", value),
    }
}

/// The keys of a path, a tick each.
pub(super) fn path_of(cx: &mut Interpreter<'_>, name: &str, path: &mut Value) -> Eval<Items> {
    let path = cx.items(name, path.take())?;
    cx.tick(path.len())?;
    Ok(path)
}
