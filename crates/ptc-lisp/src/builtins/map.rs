//! Maps: what reads, makes and combines them. `change` has what replaces values in them.

use triomphe::Arc;

use super::super::error::{Eval, arity_error, type_error, type_error_hint};
use super::super::eval::Interpreter;
use super::super::exception::{Class, of_class};
use super::super::flexible;
use super::super::items::Items;
use super::super::limits::MAX_ITEMS;
use super::super::order::{cannot_compare, total_order};
use super::super::table::{Map, Table};
use super::super::value::Value;
use super::change::{assoc, assoc_in, path_of, update, update_in};
use super::seq::{Rows, Walk, merge_sort};
use super::{Builtin, at_least, between, exactly};

pub(super) static ROWS: &[Builtin] = &[
    Builtin {
        name: "array-map",
        arity: at_least(0),
        run: array_map,
        doc: "A map of the given keys and values, in that order.",
        example: "(array-map :b 1 :a 2) ;=> {:b 1, :a 2}",
    },
    Builtin {
        name: "assoc",
        arity: at_least(3),
        run: assoc,
        doc: "Puts values under keys of a map or indices of a vector; nil is an empty map.",
        example: "(assoc {:a 1} :b 2) ;=> {:a 1, :b 2}",
    },
    Builtin {
        name: "assoc-in",
        arity: exactly(3),
        run: assoc_in,
        doc: "Puts a value at a path of keys, making maps on the way.",
        example: "(assoc-in {} [:a :b] 1) ;=> {:a {:b 1}}",
    },
    Builtin {
        name: "dissoc",
        arity: at_least(1),
        run: dissoc,
        doc: "The map without these keys.",
        example: "(dissoc {:a 1, :b 2} :a) ;=> {:b 2}",
    },
    Builtin {
        name: "entries",
        arity: exactly(1),
        run: entries,
        doc: "The [key value] pairs of a map, sorted by key.",
        example: "(entries {:b 1, :a 2}) ;=> ([:a 2] [:b 1])",
    },
    Builtin {
        name: "find",
        arity: exactly(2),
        run: find,
        doc: "The [key value] pair at a key of a map or an index of a vector; or the first item that a predicate accepts.",
        example: "(find {:a 1} :a) ;=> [:a 1]",
    },
    Builtin {
        name: "get",
        arity: between(2, 3),
        run: get,
        doc: "The value at a key of a map, a member of a set, the item at an index; nil or the default where there is none.",
        example: "(get {:a 1} :b 0) ;=> 0",
    },
    Builtin {
        name: "get-in",
        arity: between(2, 3),
        run: get_in,
        doc: "The value at a path of keys; nil or the default where there is none.",
        example: "(get-in {:a {:b 1}} [:a :b]) ;=> 1",
    },
    Builtin {
        name: "hash-map",
        arity: at_least(0),
        run: hash_map,
        doc: "A map of the given keys and values, in that order.",
        example: "(hash-map :a 1) ;=> {:a 1}",
    },
    Builtin {
        name: "key",
        arity: exactly(1),
        run: key,
        doc: "The first of a [key value] pair.",
        example: "(key (first {:a 1})) ;=> :a",
    },
    Builtin {
        name: "keys",
        arity: exactly(1),
        run: keys,
        doc: "The keys of a map in its order; nil where there are none.",
        example: "(keys {:b 1, :a 2}) ;=> (:b :a)",
    },
    Builtin {
        name: "merge",
        arity: at_least(0),
        run: merge,
        doc: "The entries of all maps; the last value of a key wins.",
        example: "(merge {:a 1} {:b 2}) ;=> {:a 1, :b 2}",
    },
    Builtin {
        name: "merge-with",
        arity: at_least(1),
        run: merge_with,
        doc: "As merge, but the values of one key are combined by a function.",
        example: "(merge-with + {:a 1} {:a 2, :b 3}) ;=> {:a 3, :b 3}",
    },
    Builtin {
        name: "select-keys",
        arity: exactly(2),
        run: select_keys,
        doc: "A map of only these keys, in the order asked for.",
        example: "(select-keys {:a 1, :b 2} [:b]) ;=> {:b 2}",
    },
    Builtin {
        name: "sorted-map",
        arity: at_least(0),
        run: sorted_map,
        doc: "A map of the given keys and values that keeps its keys sorted.",
        example: "(sorted-map :b 1 :a 2) ;=> {:a 2, :b 1}",
    },
    Builtin {
        name: "update",
        arity: at_least(3),
        run: update,
        doc: "Replaces the value at a key by (f value args…); a missing value is nil.",
        example: "(update {:a 1} :a + 10) ;=> {:a 11}",
    },
    Builtin {
        name: "update-in",
        arity: at_least(3),
        run: update_in,
        doc: "Replaces the value at a path of keys by (f value args…), making maps on the way.",
        example: "(update-in {:a {:b 1}} [:a :b] inc) ;=> {:a {:b 2}}",
    },
    Builtin {
        name: "update-keys",
        arity: exactly(2),
        run: update_keys,
        doc: "The map with a function applied to each key.",
        example: "(update-keys {:a 1} name) ;=> {\"a\" 1}",
    },
    Builtin {
        name: "update-vals",
        arity: exactly(2),
        run: update_vals,
        doc: "The map, or vector, with a function applied to each value.",
        example: "(update-vals {:a 1} inc) ;=> {:a 2}",
    },
    Builtin {
        name: "val",
        arity: exactly(1),
        run: val,
        doc: "The second of a [key value] pair.",
        example: "(val (first {:a 1})) ;=> 1",
    },
    Builtin {
        name: "vals",
        arity: exactly(1),
        run: vals,
        doc: "The values of a map in its order; nil where there are none.",
        example: "(vals {:b 1, :a 2}) ;=> (1 2)",
    },
    Builtin {
        name: "zipmap",
        arity: exactly(2),
        run: zipmap,
        doc: "A map of the keys in one collection to the values in another.",
        example: "(zipmap [:a :b] [1 2]) ;=> {:a 1, :b 2}",
    },
];

/// Adds or replaces what stands beside a key, its allocation spent. Sorted tables refuse keys that
/// `compare` cannot order.
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

/// The entries of a map, of nil, or of a list of pairs such as `seq`, `filter` and `sort-by` make of a map.
/// One tick each.
pub(super) fn entries_of(
    cx: &mut Interpreter<'_>,
    name: &str,
    collection: Value,
) -> Eval<Vec<(Value, Value)>> {
    let entries = match collection {
        Value::Nil => Vec::new(),
        Value::Map(map) => match Arc::try_unwrap(map) {
            Ok(map) => map.into_entries(),
            Err(shared) => shared.iter().map(owned).collect(),
        },
        Value::List(pairs) => pairs.iter().map(|pair| sides(name, pair).map(owned)).collect::<Eval<_>>()?,
        other if is_empty(&other) => Vec::new(),
        other => return type_error(name, "a map", &other),
    };
    cx.tick(entries.len())?;
    Ok(entries)
}

/// A plain map of only these keys, spelled as they were asked for.
pub(super) fn selected(
    cx: &mut Interpreter<'_>,
    name: &str,
    collection: &Value,
    keys: &[Value],
) -> Eval<Map> {
    cx.tick(keys.len())?;
    let mut map = Map::new();
    for key in keys {
        if let Some(value) = value_at(name, collection, key)? {
            insert(cx, &mut map, key.clone(), value)?;
        }
    }
    Ok(map)
}

/// Both sides of a `[key value]` vector.
fn pair(item: &Value) -> Option<(&Value, &Value)> {
    match item {
        Value::Vector(items) => match &items[..] {
            [key, value] => Some((key, value)),
            _ => None,
        },
        _ => None,
    }
}

fn sides<'a>(name: &str, item: &'a Value) -> Eval<(&'a Value, &'a Value)> {
    match pair(item) {
        Some(sides) => Ok(sides),
        None => type_error(name, "a [key value] pair", item),
    }
}

fn owned((key, value): (&Value, &Value)) -> (Value, Value) {
    (key.clone(), value.clone())
}

/// What a map holds under a key or a vector at an index; an error for what has neither.
fn value_at(name: &str, collection: &Value, key: &Value) -> Eval<Option<Value>> {
    match collection {
        Value::Nil | Value::Map(_) | Value::Vector(_) => flexible::find(collection, key),
        other => {
            type_error(name, "a map or vector", other).map_err(of_class(Class::IllegalArgumentException))
        }
    }
}

fn array_map(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    filled(cx, "array-map", Map::new(), args)
}

fn hash_map(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    filled(cx, "hash-map", Map::new(), args)
}

fn sorted_map(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    filled(cx, "sorted-map", Map::sorted(), args)
}

fn filled(cx: &mut Interpreter<'_>, name: &str, mut map: Map, args: &mut [Value]) -> Eval {
    let (pairs, []) = args.as_chunks_mut() else {
        return arity_error(name, "an even number", args.len())
            .map_err(of_class(Class::IllegalArgumentException));
    };
    for [key, value] in pairs {
        insert(cx, &mut map, key.take(), value.take())?;
    }
    Ok(Value::map(map))
}

fn get(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection, key, default @ ..] = args else { return Ok(Value::Nil) };
    Ok(flexible::find(collection, key)?.unwrap_or_else(|| first_or_nil(default)))
}

fn get_in(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [root, path, default @ ..] = args else { return Ok(Value::Nil) };
    let path = path_of(cx, "get-in", path)?;
    let mut level = root.take();
    for key in &path {
        match flexible::find(&level, key)? {
            Some(found) => level = found,
            None => return Ok(first_or_nil(default)),
        }
    }
    Ok(level)
}

fn first_or_nil(values: &mut [Value]) -> Value {
    values.first_mut().map(Value::take).unwrap_or_default()
}

fn dissoc(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection, keys @ ..] = args else { return Ok(Value::Nil) };
    match collection.take() {
        Value::Map(mut map) => {
            for key in keys {
                if map.contains(key) {
                    Arc::make_mut(&mut map).remove(key);
                } else if let Some(other) = map.bars(key) {
                    return cannot_compare(key, &other);
                }
            }
            Ok(Value::Map(map))
        }
        other if other.is_nil() || keys.is_empty() => Ok(other),
        other => type_error("dissoc", "a map or nil", &other),
    }
}

fn merge(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if args.iter().all(Value::is_nil) {
        return Ok(Value::Nil);
    }
    let [first, others @ ..] = args else { return Ok(Value::Nil) };
    let mut map = map_or_empty("merge", first.take())?;
    let table = Arc::make_mut(&mut map);
    for other in others {
        let entries = match pair(other) {
            Some(sides) => vec![owned(sides)],
            None if matches!(other, Value::Vector(_)) => return not_a_map("merge", other),
            None => entries_of(cx, "merge", other.take())?,
        };
        for (key, value) in entries {
            insert(cx, table, key, value)?;
        }
    }
    Ok(Value::Map(map))
}

fn merge_with(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [function, maps @ ..] = args else { return Ok(Value::Nil) };
    if maps.iter().all(Value::is_nil) {
        return Ok(Value::Nil);
    }
    let [first, others @ ..] = maps else { return Ok(Value::Nil) };
    if first.is_truthy() && others.iter().all(is_empty) {
        return Ok(first.take());
    }
    let mut map = map_or_empty("merge-with", first.take())?;
    let table = Arc::make_mut(&mut map);
    for other in others {
        for (key, value) in entries_of(cx, "merge-with", other.take())? {
            let value = match table.get_mut(&key).map(Value::take) {
                Some(old) => cx.call(function, &mut [old, value])?,
                None => value,
            };
            insert(cx, table, key, value)?;
        }
    }
    Ok(Value::Map(map))
}

fn map_or_empty(name: &str, value: Value) -> Eval<Arc<Map>> {
    match value {
        Value::Nil => Ok(Arc::default()),
        Value::Map(map) => Ok(map),
        other => type_error(name, "maps", &other),
    }
}

fn select_keys(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection, keys] = args else { return Ok(Value::Nil) };
    let keys = cx.items("select-keys", keys.take())?;
    selected(cx, "select-keys", collection, &keys).map(Value::map)
}

fn keys(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    column(cx, "keys", args, |(key, _)| key)
}

fn vals(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    column(cx, "vals", args, |(_, value)| value)
}

/// One side of each entry; nil where there are none, whatever the collection.
fn column(
    cx: &mut Interpreter<'_>,
    name: &str,
    args: &mut [Value],
    side: for<'a> fn((&'a Value, &'a Value)) -> &'a Value,
) -> Eval {
    let [collection] = args else { return Ok(Value::Nil) };
    let picked: Vec<Value> = match collection {
        Value::Map(map) => map.iter().map(side).cloned().collect(),
        Value::List(items) => {
            items.iter().map(|item| Ok(side(sides(name, item)?).clone())).collect::<Eval<_>>()?
        }
        other if is_empty(other) => Vec::new(),
        other => return not_a_map(name, other),
    };
    cx.tick(picked.len())?;
    if picked.is_empty() { Ok(Value::Nil) } else { cx.list(picked) }
}

fn not_a_map<T>(name: &str, got: &Value) -> Eval<T> {
    type_error(name, "a map", got).map_err(of_class(Class::IllegalArgumentException))
}

fn is_empty(collection: &Value) -> bool {
    match collection {
        Value::Nil => true,
        Value::Vector(items) | Value::List(items) => items.is_empty(),
        Value::Map(map) => map.is_empty(),
        Value::Set(set) => set.is_empty(),
        Value::Str(text) => text.is_empty(),
        _ => false,
    }
}

fn key(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    side_of("key", args, |(key, _)| key)
}

fn val(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    side_of("val", args, |(_, value)| value)
}

fn side_of(name: &str, args: &[Value], side: for<'a> fn((&'a Value, &'a Value)) -> &'a Value) -> Eval {
    let [item] = args else { return Ok(Value::Nil) };
    sides(name, item).map(side).cloned()
}

fn entries(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = args else { return Ok(Value::Nil) };
    let entries = entries_of(cx, "entries", collection.take())?;
    let entries = merge_sort(entries, |a, b| Ok(total_order(&a.0, &b.0).is_lt()))?;
    let mut pairs = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        pairs.push(cx.vector(vec![key, value])?);
    }
    cx.list(pairs)
}

fn find(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [first, second] = args else { return Ok(Value::Nil) };
    if matches!(first, Value::Function(_) | Value::Keyword(_) | Value::Set(_)) {
        return first_accepted(cx, first, second.take());
    }
    let Some(value) = value_at("find", first, second)? else { return Ok(Value::Nil) };
    let key = match first {
        Value::Map(map) => flexible::spelling(map, second).unwrap_or(second).clone(),
        _ => second.take(),
    };
    cx.vector(vec![key, value])
}

fn first_accepted(cx: &mut Interpreter<'_>, predicate: &Value, collection: Value) -> Eval {
    let walk = Walk::new(cx, "find", collection)?;
    for item in &walk.items {
        walk.tick(cx)?;
        if cx.call(predicate, &mut [item.clone()])?.is_truthy() {
            return Ok(item.clone());
        }
    }
    Ok(Value::Nil)
}

fn update_vals(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    refuse_swapped("update-vals", args)?;
    let [collection, function] = args else { return Ok(Value::Nil) };
    if let Value::Vector(items) = collection {
        return update_items(cx, std::mem::take(items), function);
    }
    let mut map = Map::new();
    for (key, value) in entries_of(cx, "update-vals", collection.take())? {
        let value = cx.call(function, &mut [value])?;
        insert(cx, &mut map, key, value)?;
    }
    Ok(Value::map(map))
}

fn update_items(cx: &mut Interpreter<'_>, items: Items, function: &Value) -> Eval {
    cx.tick(items.len())?;
    let mut values = items.into_vec();
    for value in &mut values {
        *value = cx.call(function, &mut [value.take()])?;
    }
    cx.vector(values)
}

fn update_keys(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    refuse_swapped("update-keys", args)?;
    let [collection, function] = args else { return Ok(Value::Nil) };
    let entries = match collection.take() {
        Value::Vector(items) => {
            cx.tick(items.len())?;
            items.into_iter().enumerate().map(|(index, value)| (Value::from(index), value)).collect()
        }
        other => entries_of(cx, "update-keys", other)?,
    };
    let mut map = Map::new();
    for (key, value) in entries {
        let key = cx.call(function, &mut [key])?;
        insert(cx, &mut map, key, value)?;
    }
    Ok(Value::map(map))
}

fn refuse_swapped(name: &str, args: &[Value]) -> Eval<()> {
    match args {
        [function @ (Value::Function(_) | Value::Keyword(_)), Value::Map(_) | Value::Vector(_)] => {
            let hint = format!("Arguments look swapped; use ({name} map f)");
            type_error_hint(name, "a map", function, &hint)
        }
        _ => Ok(()),
    }
}

fn zipmap(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let mut rows = Rows::new(cx, "zipmap", args)?;
    let mut map = Map::with_capacity(rows.len);
    while let Some(row) = rows.next(cx)? {
        if let Ok([key, value]) = <[Value; 2]>::try_from(row) {
            insert(cx, &mut map, key, value)?;
        }
    }
    Ok(Value::map(map))
}
