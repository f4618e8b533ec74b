//! Questions about a collection as a whole: its size, its emptiness, whether some or all items hold.

use triomphe::Arc;

use crate::error::{Eval, type_error, type_error_hint};
use crate::eval::{Interpreter, infinite};
use crate::exception::{Class, of_class};
use crate::flexible;
use crate::items::Items;
use crate::table::Table;
use crate::value::Value;

use super::input::{self, Source, all, sequence, taken};
use super::output::list_or_nil;

pub fn count(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if let [Value::Str(text)] = args {
        cx.tick_text(text)?;
        return Ok(Value::from(text.chars().count()));
    }
    let size = size("count", &args[0]).map_err(of_class(Class::UnsupportedOperationException))?;
    Ok(Value::from(size))
}

/// How many items there are, without converting anything; of a string, how many bytes.
fn size(name: &str, collection: &Value) -> Eval<usize> {
    match collection {
        Value::Nil => Ok(0),
        Value::Str(text) => Ok(text.len()),
        Value::Generator(_) => infinite(),
        other => match other.item_count() {
            Some(count) => Ok(count),
            None => {
                type_error(name, "a collection", other).map_err(of_class(Class::IllegalArgumentException))
            }
        },
    }
}

pub fn is_empty(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    Ok(Value::Bool(!matches!(args[0], Value::Generator(_)) && size("empty?", &args[0])? == 0))
}

pub fn not_empty(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match size("not-empty", &args[0])? {
        0 => Ok(Value::Nil),
        _ => Ok(args[0].take()),
    }
}

pub fn empty(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match &args[0] {
        Value::Vector(_) => Ok(Value::Vector(Items::default())),
        Value::List(_) => Ok(Value::List(Items::default())),
        Value::Map(map) => Ok(Value::map(empty_like(map))),
        Value::Set(set) => Ok(Value::set(empty_like(set))),
        Value::Generator(_) => infinite(),
        _ => Ok(Value::Nil),
    }
}

/// An empty table, sorted if the other is.
pub fn empty_like<V: Clone>(table: &Arc<Table<V>>) -> Table<V> {
    if table.is_sorted() { Table::sorted() } else { Table::new() }
}

pub fn seq(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    if matches!(collection, Value::Generator(_)) {
        return Ok(collection);
    }
    let converted = !matches!(collection, Value::Vector(_) | Value::List(_));
    let items = sequence(cx, "seq", collection)?;
    if converted {
        cx.allocate_slots(items.len())?;
    }
    Ok(list_or_nil(items))
}

/// `(doall collection)` and `(doall n collection)`
pub fn doall(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    realized("doall", args)
}

/// `(dorun collection)` and `(dorun n collection)`
pub fn dorun(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    realized("dorun", args).map(|_| Value::Nil)
}

/// The collection, of which all items or a number of them have been made.
fn realized(name: &str, args: &mut [Value]) -> Eval {
    match args {
        [number, collection] => {
            input::count(name, number)?;
            match collection {
                Value::Generator(_) => Ok(collection.take()),
                _ => size(name, collection).map(|_| collection.take()),
            }
        }
        _ => {
            let [collection] = taken(args);
            size(name, &collection).map(|_| collection)
        }
    }
}

/// `(bounded-count n collection)`: what knows its size has it, anything else as much as asked for.
pub fn bounded_count(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [number, collection] = taken(args);
    let most = || input::count("bounded-count", &number);
    Ok(Value::from(match &collection {
        Value::Generator(_) => most()?,
        Value::Str(text) if !text.is_empty() => text.chars().take(most()?).count(),
        other => size("bounded-count", other)?,
    }))
}

pub fn some(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    find_result(cx, "some", args, true).map(Option::unwrap_or_default)
}

pub fn every(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    Ok(Value::Bool(find_result(cx, "every?", args, false)?.is_none()))
}

pub fn not_any(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    Ok(Value::Bool(find_result(cx, "not-any?", args, true)?.is_none()))
}

pub fn not_every(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    Ok(Value::Bool(find_result(cx, "not-every?", args, false)?.is_some()))
}

/// The first result of the predicate that is as truthy as wanted.
fn find_result(
    cx: &mut Interpreter<'_>,
    name: &str,
    args: &mut [Value],
    wanted: bool,
) -> Eval<Option<Value>> {
    let [predicate, collection] = taken(args);
    let mut source = Source::new(cx, name, collection)?;
    while let Some(item) = source.next(cx)? {
        let result = cx.call(&predicate, &mut [item])?;
        if result.is_truthy() == wanted {
            return Ok(Some(result));
        }
    }
    Ok(None)
}

const MEMBER_HINT: &str = "To look for an item use (some #{item} collection)";
const SUBSTRING_HINT: &str = "To look for text use (includes? string text)";

pub fn contains(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection, key] = taken(args);
    let found = match (&collection, &key) {
        (Value::Nil, _) => false,
        (Value::Map(_) | Value::Set(_), _) => flexible::find(&collection, &key)?.is_some(),
        (Value::Vector(items), Value::Int(index)) => has_index(*index, items.len()),
        (Value::Vector(_), _) => is_member(cx, collection, &key)?,
        (Value::Str(text), Value::Int(index)) => {
            cx.tick_text(text)?;
            has_index(*index, text.chars().count())
        }
        (Value::Str(_), _) => return refuse_contains("an index", &key, SUBSTRING_HINT),
        (Value::List(_), _) => {
            return refuse_contains("a map, a set or a vector", &collection, MEMBER_HINT);
        }
        (Value::Generator(_), _) => return infinite(),
        _ => return refuse_contains("a map, a set or a vector", &collection, SUBSTRING_HINT),
    };
    Ok(Value::Bool(found))
}

fn refuse_contains(expected: &str, got: &Value, hint: &str) -> Eval {
    type_error_hint("contains?", expected, got, hint).map_err(of_class(Class::IllegalArgumentException))
}

fn has_index(index: i64, len: usize) -> bool {
    usize::try_from(index).is_ok_and(|index| index < len)
}

fn is_member(cx: &mut Interpreter<'_>, collection: Value, member: &Value) -> Eval<bool> {
    Ok(all(cx, "contains?", collection)?.contains(member))
}
