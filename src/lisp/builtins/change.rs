//! Replacing what stands at a key of a map or an index of a vector, or at the end of a path of them. A
//! collection that nobody else holds is changed in place, and so is what is inside it.

use triomphe::Arc;

use super::super::error::{Eval, arity_error, type_error, type_error_hint};
use super::super::eval::Interpreter;
use super::super::flexible;
use super::super::hint;
use super::super::items::Items;
use super::super::limits::MAX_ITEMS;
use super::super::stack::guarded;
use super::super::table::Map;
use super::super::value::Value;
use super::map::insert;

pub(super) fn assoc(interpreter: &mut Interpreter<'_>, arguments: &mut [Value]) -> Eval {
    let count = arguments.len();
    let [collection, pairs @ ..] = arguments else { return Ok(Value::Nil) };
    let (pairs, []) = pairs.as_chunks_mut() else { return arity_error("assoc", "an odd number", count) };
    match collection.take() {
        Value::Nil => assoc_map(interpreter, Arc::default(), pairs),
        Value::Map(map) => assoc_map(interpreter, map, pairs),
        Value::Vector(items) => assoc_vector(interpreter, items, pairs),
        other => no_place("assoc", &other),
    }
}

fn assoc_map(interpreter: &mut Interpreter<'_>, mut map: Arc<Map>, pairs: &mut [[Value; 2]]) -> Eval {
    let table = Arc::make_mut(&mut map);
    for [key, value] in pairs {
        insert(interpreter, table, key.take(), value.take())?;
    }
    Ok(Value::Map(map))
}

fn assoc_vector(interpreter: &mut Interpreter<'_>, mut items: Items, pairs: &mut [[Value; 2]]) -> Eval {
    for [key, value] in pairs {
        let value = value.take();
        change_vector(interpreter, "assoc", &mut items, key, |_, _| Ok(value))?;
    }
    Ok(Value::Vector(items))
}

pub(super) fn assoc_in(interpreter: &mut Interpreter<'_>, arguments: &mut [Value]) -> Eval {
    let [root, path, value] = arguments else { return Ok(Value::Nil) };
    let path = path_of(interpreter, "assoc-in", path)?;
    change_in(interpreter, "assoc-in", root.take(), &path, &mut |_, _| Ok(value.take()))
}

pub(super) fn update(interpreter: &mut Interpreter<'_>, arguments: &mut [Value]) -> Eval {
    let [collection, key, function, others @ ..] = arguments else { return Ok(Value::Nil) };
    let collection = collection.take();
    change(interpreter, "update", collection, key, |interpreter, old| {
        call_with(interpreter, function, old, others)
    })
}

pub(super) fn update_in(interpreter: &mut Interpreter<'_>, arguments: &mut [Value]) -> Eval {
    let [root, path, function, others @ ..] = arguments else { return Ok(Value::Nil) };
    let path = path_of(interpreter, "update-in", path)?;
    change_in(interpreter, "update-in", root.take(), &path, &mut |interpreter, old| {
        call_with(interpreter, function, old, others)
    })
}

fn call_with(
    interpreter: &mut Interpreter<'_>,
    function: &Value,
    first: Value,
    others: &mut [Value],
) -> Eval {
    let is_missing = first.is_nil();
    let made = if others.is_empty() {
        interpreter.call(function, &mut [first])
    } else {
        let mut arguments = vec![first];
        arguments.extend(others.iter_mut().map(Value::take));
        interpreter.call(function, &mut arguments)
    };
    if is_missing { made.map_err(|unwind| hint::of_missing(function, unwind)) } else { made }
}

/// Changes what stands at the end of a path; an empty path means the key nil, as in Clojure.
fn change_in(
    interpreter: &mut Interpreter<'_>,
    name: &str,
    collection: Value,
    path: &[Value],
    make: &mut dyn FnMut(&mut Interpreter<'_>, Value) -> Eval,
) -> Eval {
    let (key, deeper) = path.split_first().unwrap_or((&Value::Nil, &[]));
    change(interpreter, name, collection, key, |interpreter, old| {
        if deeper.is_empty() {
            return make(interpreter, old);
        }
        guarded(|| change_in(interpreter, name, old, deeper, make))
    })
}

/// Replaces what stands at a key. The old value is moved out before `make` runs, which can then change it
/// in place; if `make` fails, nobody sees the hole.
fn change(
    interpreter: &mut Interpreter<'_>,
    name: &str,
    collection: Value,
    key: &Value,
    make: impl FnOnce(&mut Interpreter<'_>, Value) -> Eval,
) -> Eval {
    match collection {
        Value::Nil => change_map(interpreter, Arc::default(), key, make),
        Value::Map(map) => change_map(interpreter, map, key, make),
        Value::Vector(mut items) => {
            change_vector(interpreter, name, &mut items, key, make)?;
            Ok(Value::Vector(items))
        }
        other => {
            make(interpreter, flexible::get(&other, key).unwrap_or_default())?;
            no_place(name, &other)
        }
    }
}

fn change_map(
    interpreter: &mut Interpreter<'_>,
    mut map: Arc<Map>,
    key: &Value,
    make: impl FnOnce(&mut Interpreter<'_>, Value) -> Eval,
) -> Eval {
    let table = Arc::make_mut(&mut map);
    if let Some(old) = table.get_mut(key).map(Value::take) {
        let new = make(interpreter, old)?;
        interpreter.allocate_entries(1)?;
        if let Some(place) = table.get_mut(key) {
            *place = new;
        }
        return Ok(Value::Map(map));
    }
    let key = flexible::spelling(table, key).unwrap_or(key).clone();
    let old = table.get_mut(&key).map(Value::take).unwrap_or_default();
    let new = make(interpreter, old)?;
    insert(interpreter, table, key, new)?;
    Ok(Value::Map(map))
}

/// An index one past the end adds an item.
fn change_vector(
    interpreter: &mut Interpreter<'_>,
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
    let new = make(interpreter, old.unwrap_or_default())?;
    let Some(index) = index else {
        return type_error(name, &format!("an index from 0 to {len}"), key);
    };
    interpreter.allocate_slots(1)?;
    match items.make_mut().get_mut(index) {
        Some(slot) => *slot = new,
        None => items.push(new),
    }
    if items.len() > MAX_ITEMS { interpreter.allocate_slots(items.len()) } else { Ok(()) }
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
pub(super) fn path_of(interpreter: &mut Interpreter<'_>, name: &str, path: &mut Value) -> Eval<Items> {
    let path = interpreter.items(name, path.take())?;
    interpreter.tick(path.len())?;
    Ok(path)
}
