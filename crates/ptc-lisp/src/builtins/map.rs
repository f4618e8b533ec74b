//! Maps: what reads, makes and combines them. `change` has what replaces values in them.

use super::change::{Path, assoc, assoc_in, update, update_in};
use super::seq::{Rows, Walk, is_empty};
use crate::builtins::prelude::*;
use crate::expr::Expr;
use crate::merge_sort::merge_sort;
use crate::order::total_order;
use crate::table::Direction;

builtins! {
    pub(super) static ROWS;

    "array-map" = map_of;
    "assoc" = assoc;
    "assoc-in" = assoc_in;
    "dissoc" = dissoc;
    "entries" = entries;
    "find" = find;
    "get" = get;
    "get-in" = get_in;
    "hash-map" = map_of;
    "key" = key;
    "keys" = |cx: &mut Call, map: &Value| column(cx, map, KEY);
    "merge" = merge;
    "merge-with" = merge_with;
    "select-keys" = |cx: &mut Call, collection: &Value, keys: Value| -> Eval {
        let keys = cx.items(keys)?;
        selected(cx, collection, &keys).map(Value::map)
    };
    "sorted-map" = |cx: &mut Call, keys_and_values: &mut [Value]| -> Eval {
        filled(cx, Map::sorted(Direction::Rising), keys_and_values)
    };
    "sorted-map-by" = |cx: &mut Call, comparator: Sorting, keys_and_values: &mut [Value]| {
        filled(cx, Map::sorted(comparator.0), keys_and_values)
    };
    "update" = update;
    "update-in" = update_in;
    "update-keys" = update_keys;
    "update-vals" = update_vals;
    "val" = val;
    "vals" = |cx: &mut Call, map: &Value| column(cx, map, VALUE);
    "zipmap" = zipmap;
}

/// Adds or replaces an entry and spends its allocation. Sorted tables refuse keys that they cannot order.
pub(super) fn insert<V: Clone>(
    cx: &mut Interpreter<'_>,
    table: &mut Table<V>,
    key: Value,
    beside: V,
) -> Eval<()> {
    if let Err((a, b)) = table.admits(&key) {
        return cannot_compare(&a, &b);
    }
    cx.allocate_entries(1)?;
    table.insert(key, beside);
    if table.len() > MAX_ITEMS { cx.allocate_entries(table.len()) } else { Ok(()) }
}

/// The entries of a map, of nil, or of a list of pairs such as `seq` makes of a map. Spends a tick for each.
pub(super) fn entries_of(cx: &mut Call, collection: Value) -> Eval<Vec<(Value, Value)>> {
    let entries = match collection {
        Value::Nil => Vec::new(),
        Value::Map(map) => match Arc::try_unwrap(map) {
            Ok(map) => map.into_entries(),
            Err(shared) => shared.iter().map(owned).collect(),
        },
        Value::List(pairs) => pairs.iter().map(|pair| sides(cx, pair).map(owned)).collect::<Eval<_>>()?,
        other if is_empty(&other) => Vec::new(),
        other => return cx.type_error("a map", &other),
    };
    cx.tick(entries.len())?;
    Ok(entries)
}

/// The entries of a map, or the items of a vector by their indices. Spends a tick for each.
pub(super) fn entries_or_items(cx: &mut Call, collection: Value) -> Eval<Vec<(Value, Value)>> {
    let Value::Vector(items) = collection else { return entries_of(cx, collection) };
    cx.tick(items.len())?;
    Ok((0..).map(Value::Int).zip(items).collect())
}

/// A plain map of only these keys, spelled as they were asked for.
pub(super) fn selected(cx: &mut Call, collection: &Value, keys: &[Value]) -> Eval<Map> {
    cx.tick(keys.len())?;
    let mut map = Map::new();
    for key in keys {
        if let Some(value) = value_at(cx, collection, key)? {
            insert(cx, &mut map, key.clone(), value)?;
        }
    }
    Ok(map)
}

/// Both sides of a `[key value]` vector.
fn pair(item: &Value) -> Option<(&Value, &Value)> {
    let Value::Vector(items) = item else { return None };
    if let [key, value] = &items[..] { Some((key, value)) } else { None }
}

fn sides<'a>(cx: &Call, item: &'a Value) -> Eval<(&'a Value, &'a Value)> {
    match pair(item) {
        Some(sides) => Ok(sides),
        None => cx.type_error("a [key value] pair", item),
    }
}

fn owned((key, value): (&Value, &Value)) -> (Value, Value) {
    (key.clone(), value.clone())
}

/// The value of a map under a key or of a vector at an index; an error for what has neither.
fn value_at(cx: &Call, collection: &Value, key: &Value) -> Eval<Option<Value>> {
    match collection {
        Value::Nil | Value::Map(_) | Value::Vector(_) => flexible::find(collection, key),
        other => cx.type_error("a map or vector", other).map_err(of_class(Class::IllegalArgumentException)),
    }
}

pub(super) fn map_of(cx: &mut Call, keys_and_values: &mut [Value]) -> Eval {
    filled(cx, Map::new(), keys_and_values)
}

/// The order of a comparator. Tables support only the order of `compare` and its reverse.
pub(super) struct Sorting(pub Direction);

from_value! {
    Sorting: |cx, comparator| match direction_of(comparator) {
        Some(direction) => Ok(Sorting(direction)),
        None => {
            const HINT: &str = "For other orders use (sort-by key comparator coll)";
            type_error_hint(cx.name, "<, > or #(compare %2 %1) as comparator", comparator, HINT)
        }
    };
}

fn direction_of(comparator: &Value) -> Option<Direction> {
    match comparator {
        Value::Function(Function::Builtin(builtin)) => direction_named(builtin.name),
        Value::Function(Function::Composed(made)) if made.run.name == "comparator" => {
            direction_of(made.parts.first()?)
        }
        Value::Function(Function::Closure(closure)) => {
            let [arity] = &*closure.lambda().arities else { return None };
            let (name, operands) = match &arity.body {
                Expr::Builtin(call) => (call.builtin.name, &call.arguments[..]),
                Expr::Binary(call) => (call.builtin.name, &call.operands[..]),
                _ => return None,
            };
            match (direction_named(name)?, operands) {
                (direction, [Expr::Last(0), Expr::Last(1)]) => Some(direction),
                (Direction::Rising, [Expr::Last(1), Expr::Last(0)]) => Some(Direction::Falling),
                (Direction::Falling, [Expr::Last(1), Expr::Last(0)]) => Some(Direction::Rising),
                _ => None,
            }
        }
        _ => None,
    }
}

fn direction_named(name: &str) -> Option<Direction> {
    match name {
        "<" | "compare" => Some(Direction::Rising),
        ">" => Some(Direction::Falling),
        _ => None,
    }
}

fn filled(cx: &mut Call, mut map: Map, keys_and_values: &mut [Value]) -> Eval {
    let count = keys_and_values.len();
    let (pairs, []) = keys_and_values.as_chunks_mut() else {
        return arity_error(cx.name, "an even number", count)
            .map_err(of_class(Class::IllegalArgumentException));
    };
    for [key, value] in pairs {
        insert(cx, &mut map, key.take(), value.take())?;
    }
    Ok(Value::map(map))
}

pub(super) fn get(collection: &Value, key: &Value, default: Option<Value>) -> Eval {
    Ok(flexible::find(collection, key)?.or(default).unwrap_or_default())
}

fn get_in(root: Value, Path(path): Path, default: Option<Value>) -> Eval {
    let mut level = root;
    for key in &path {
        match flexible::find(&level, key)? {
            Some(found) => level = found,
            None => return Ok(default.unwrap_or_default()),
        }
    }
    Ok(level)
}

/// The table without these keys. Sorted tables refuse keys that they cannot order.
pub(super) fn without<V: Clone>(mut table: Arc<Table<V>>, keys: &[Value]) -> Eval<Arc<Table<V>>> {
    for key in keys {
        if table.contains(key) {
            Arc::make_mut(&mut table).remove(key);
        } else if let Some(other) = table.bars(key) {
            return cannot_compare(key, &other);
        }
    }
    Ok(table)
}

pub(super) fn dissoc(cx: &mut Call, collection: Value, keys: &mut [Value]) -> Eval {
    match collection {
        Value::Map(map) => without(map, keys).map(Value::Map),
        other if other.is_nil() || keys.is_empty() => Ok(other),
        other => cx.type_error("a map or nil", &other),
    }
}

fn merge(cx: &mut Call, maps: &mut [Value]) -> Eval {
    let [first, others @ ..] = maps else { return Ok(Value::Nil) };
    if first.is_nil() && others.iter().all(Value::is_nil) {
        return Ok(Value::Nil);
    }
    let mut map = map_or_empty(cx, first.take())?;
    let table = Arc::make_mut(&mut map);
    for other in others {
        let entries = match pair(other) {
            Some(sides) => vec![owned(sides)],
            None if matches!(other, Value::Vector(_)) => return not_a_map(cx, other),
            None => entries_of(cx, other.take())?,
        };
        for (key, value) in entries {
            insert(cx, table, key, value)?;
        }
    }
    Ok(Value::Map(map))
}

fn merge_with(cx: &mut Call, function: &Value, maps: &mut [Value]) -> Eval {
    let [first, others @ ..] = maps else { return Ok(Value::Nil) };
    if first.is_nil() && others.iter().all(Value::is_nil) {
        return Ok(Value::Nil);
    }
    if first.is_truthy() && others.iter().all(is_empty) {
        return Ok(first.take());
    }
    let mut map = map_or_empty(cx, first.take())?;
    let table = Arc::make_mut(&mut map);
    for other in others {
        for (key, value) in entries_of(cx, other.take())? {
            let value = match table.get_mut(&key).map(Value::take) {
                Some(old) => cx.call(function, &mut [old, value])?,
                None => value,
            };
            insert(cx, table, key, value)?;
        }
    }
    Ok(Value::Map(map))
}

fn map_or_empty(cx: &Call, value: Value) -> Eval<Arc<Map>> {
    match value {
        Value::Nil => Ok(Arc::default()),
        Value::Map(map) => Ok(map),
        other => cx.type_error("maps", &other),
    }
}

/// One side of an entry.
type Side = for<'a> fn((&'a Value, &'a Value)) -> &'a Value;

const KEY: Side = |(key, _)| key;
const VALUE: Side = |(_, value)| value;

/// One side of each entry; nil where there are none, whatever the collection.
fn column(cx: &mut Call, collection: &Value, side: Side) -> Eval {
    let picked: Vec<Value> = match collection {
        Value::Map(map) => map.iter().map(side).cloned().collect(),
        Value::List(items) => {
            items.iter().map(|item| Ok(side(sides(cx, item)?).clone())).collect::<Eval<_>>()?
        }
        other if is_empty(other) => Vec::new(),
        other => return not_a_map(cx, other),
    };
    cx.tick(picked.len())?;
    if picked.is_empty() { Ok(Value::Nil) } else { cx.list(picked) }
}

fn not_a_map<T>(cx: &Call, got: &Value) -> Eval<T> {
    cx.type_error("a map", got).map_err(of_class(Class::IllegalArgumentException))
}

pub(super) fn key(cx: &mut Call, entry: &Value) -> Eval {
    sides(cx, entry).map(KEY).cloned()
}

pub(super) fn val(cx: &mut Call, entry: &Value) -> Eval {
    sides(cx, entry).map(VALUE).cloned()
}

fn entries(cx: &mut Call, map: Value) -> Eval {
    let entries = entries_of(cx, map)?;
    let entries = merge_sort(entries, |a, b| Ok(total_order(&a.0, &b.0).is_lt()))?;
    let mut pairs = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        pairs.push(cx.vector(vec![key, value])?);
    }
    cx.list(pairs)
}

fn find(cx: &mut Call, collection: &Value, key: Value) -> Eval {
    if matches!(collection, Value::Function(_) | Value::Keyword(_) | Value::Set(_)) {
        return first_accepted(cx, collection, key);
    }
    let Some(value) = value_at(cx, collection, &key)? else { return Ok(Value::Nil) };
    let spelling = match collection {
        Value::Map(map) => flexible::spelling(map, &key).cloned(),
        _ => None,
    };
    cx.allocate_slots(2)?;
    Ok(Value::entry(spelling.unwrap_or(key), value))
}

fn first_accepted(cx: &mut Call, predicate: &Value, collection: Value) -> Eval {
    let walk = Walk::new(cx, collection)?;
    for item in &walk.items {
        walk.tick(cx)?;
        if cx.call(predicate, &mut [item.clone()])?.is_truthy() {
            return Ok(item.clone());
        }
    }
    Ok(Value::Nil)
}

fn update_vals(cx: &mut Call, collection: Value, function: &Value) -> Eval {
    refuse_swapped(cx, &collection, function)?;
    if let Value::Vector(items) = collection {
        cx.tick(items.len())?;
        let mut values = items.into_vec();
        for value in &mut values {
            *value = cx.call(function, &mut [value.take()])?;
        }
        return cx.vector(values);
    }
    let mut map = Map::new();
    for (key, value) in entries_of(cx, collection)? {
        let value = cx.call(function, &mut [value])?;
        insert(cx, &mut map, key, value)?;
    }
    Ok(Value::map(map))
}

fn update_keys(cx: &mut Call, collection: Value, function: &Value) -> Eval {
    refuse_swapped(cx, &collection, function)?;
    let mut map = Map::new();
    for (key, value) in entries_or_items(cx, collection)? {
        let key = cx.call(function, &mut [key])?;
        insert(cx, &mut map, key, value)?;
    }
    Ok(Value::map(map))
}

fn refuse_swapped(cx: &Call, collection: &Value, function: &Value) -> Eval<()> {
    match (collection, function) {
        (Value::Function(_) | Value::Keyword(_), Value::Map(_) | Value::Vector(_)) => {
            let hint = format!("Arguments look swapped; use ({} map f)", cx.name);
            type_error_hint(cx.name, "a map", collection, &hint)
        }
        _ => Ok(()),
    }
}

fn zipmap(cx: &mut Call, keys: Value, values: Value) -> Eval {
    let mut rows = Rows::new(cx, &mut [keys, values])?;
    let mut map = Map::with_capacity(rows.len);
    while let Some(row) = rows.next(cx)? {
        if let Ok([key, value]) = <[Value; 2]>::try_from(row) {
            insert(cx, &mut map, key, value)?;
        }
    }
    Ok(Value::map(map))
}
