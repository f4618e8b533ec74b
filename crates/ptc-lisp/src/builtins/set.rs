//! Sets. Results keep the order of the first argument. A vector counts as the set of its items. Sets of maps
//! as relations are in `relation`, maps among the sets in `mixed`.

mod mixed;
mod relation;

use super::map::{Sorting, entries_of, entries_or_items, insert, without};
use crate::builtins::prelude::*;
use crate::table::Direction;

builtins! {
    pub(super) static ROWS;

    "difference" = difference;
    "disj" = disj;
    "hash-set" = |cx: &mut Call, members: &mut [Value]| add_members(cx, Set::new(), taken(members)).map(Value::set);
    "intersection" = intersection;
    // A vector is a map from indices, a list one of pairs, as in Clojure.
    "map-invert" = |cx: &mut Call, collection: Value| -> Eval {
        let mut inverted = Map::new();
        for (key, value) in entries_or_items(cx, collection)? {
            insert(cx, &mut inverted, value, key)?;
        }
        Ok(Value::map(inverted))
    };
    "rename-keys" = |cx: &mut Call, collection: Value, names: Value| -> Eval {
        let names = entries_of(cx, names)?;
        rename_keys(cx, collection, &names)
    };
    "set" = set;
    "set/index" = relation::index;
    "set/join" = relation::join;
    "set/project" = relation::project;
    "set/rename" = relation::rename;
    "set/select" = select;
    "sorted-set" = |cx: &mut Call, members: &mut [Value]| add_members(cx, Set::sorted(Direction::Rising), taken(members)).map(Value::set);
    "sorted-set-by" = |cx: &mut Call, comparator: Sorting, members: &mut [Value]| {
        add_members(cx, Set::sorted(comparator.0), taken(members)).map(Value::set)
    };
    "subset?" = is_subset;
    "superset?" = |cx: &mut Call, whole: Value, part: Value| is_subset(cx, part, whole);
    "union" = union;
}

pub(super) fn set(cx: &mut Call, collection: Value) -> Eval {
    if let Value::Set(_) = collection {
        return Ok(collection);
    }
    let items = cx.all(collection)?;
    add_members(cx, Set::new(), items).map(Value::set)
}

/// The set with these members added.
fn add_members(cx: &mut Call, mut set: Set, members: impl IntoIterator<Item = Value>) -> Eval<Set> {
    for member in members {
        insert(cx, &mut set, member, ())?;
    }
    Ok(set)
}

/// An argument as a set: itself, or the items of a vector. `None` for nil.
fn as_set(cx: &mut Call, value: Value) -> Eval<Option<Arc<Set>>> {
    match value {
        Value::Nil => Ok(None),
        Value::Set(set) => Ok(Some(set)),
        Value::Vector(items) | Value::List(items) => {
            cx.tick(items.len())?;
            Ok(Some(Arc::new(add_members(cx, Set::new(), items)?)))
        }
        other => cx.type_error("a set", &other).map_err(of_class(Class::UnsupportedOperationException)),
    }
}

fn as_sets(cx: &mut Call, values: &mut [Value]) -> Eval<Vec<Option<Arc<Set>>>> {
    let mut sets = Vec::with_capacity(values.len());
    for value in values {
        sets.push(as_set(cx, value.take())?);
    }
    Ok(sets)
}

fn union(cx: &mut Call, args: &mut [Value]) -> Eval {
    if args.is_empty() {
        return Ok(Value::set(Set::new()));
    }
    if let Some(only) = only_one(args) {
        return Ok(only);
    }
    if mixed::concerns(&*args) {
        return mixed::union(cx, args);
    }
    let sets = as_sets(cx, args)?;
    // Where no argument has members, Clojure returns one of them: the first of two, the last of more.
    let of_none = if sets.len() > 2 { sets.last() } else { sets.first() };
    if matches!(of_none, Some(None)) && sets.iter().flatten().all(|set| set.is_empty()) {
        return Ok(Value::Nil);
    }
    let model = largest_set(&sets).map_or_else(Set::new, |set| set.emptied());
    let mut sets = sets.into_iter().flatten();
    let Some(mut all) = sets.next() else { return Ok(Value::Nil) };
    if all.direction() != model.direction() {
        cx.tick(all.len())?;
        all = Arc::new(add_members(cx, model, all.keys().cloned())?);
    }
    for set in sets {
        cx.tick(set.len())?;
        for member in set.keys().filter(|member| !all.contains(member)).cloned().collect::<Vec<_>>() {
            insert(cx, Arc::make_mut(&mut all), member, ())?;
        }
    }
    Ok(Value::Set(all))
}

/// A single argument, returned unchecked. A vector becomes a set even then.
fn only_one(args: &mut [Value]) -> Option<Value> {
    match args {
        [Value::Vector(_) | Value::List(_)] => None,
        [only] => Some(only.take()),
        _ => None,
    }
}

/// The set that decides whether a union is sorted: of equally large ones the first of two, the last of more.
fn largest_set(sets: &[Option<Arc<Set>>]) -> Option<&Set> {
    let largest = match sets {
        [first, second] if set_size(&first) >= set_size(&second) => Some(first),
        _ => sets.iter().max_by_key(set_size),
    };
    largest?.as_deref()
}

fn set_size(set: &&Option<Arc<Set>>) -> usize {
    match set {
        Some(set) => set.len(),
        None => 0,
    }
}

/// As in Clojure, nil is no set: it has nothing in common with others.
fn intersection(cx: &mut Call, AtLeast(args): AtLeast<1>) -> Eval {
    if let Some(only) = only_one(args) {
        return Ok(only);
    }
    if mixed::concerns(&*args) {
        return mixed::intersection(cx, args);
    }
    let sets = as_sets(cx, args)?;
    let [Some(first), others @ ..] = &sets[..] else { return Ok(Value::Nil) };
    match others {
        [] => return Ok(Value::Set(first.clone())),
        [None] if first.is_empty() => return Ok(Value::Set(first.clone())),
        _ if others.iter().any(Option::is_none) => return Ok(Value::Nil),
        _ => cx.tick(first.len() * others.len())?,
    }
    Ok(keep_members(first, |member| others.iter().flatten().all(|other| other.contains(member))))
}

fn difference(cx: &mut Call, AtLeast(args): AtLeast<1>) -> Eval {
    if let Some(only) = only_one(args) {
        return Ok(only);
    }
    if mixed::concerns(&*args) {
        return mixed::difference(cx, args);
    }
    let sets = as_sets(cx, args)?;
    let [Some(first), others @ ..] = &sets[..] else { return Ok(Value::Nil) };
    cx.tick(first.len() * others.len())?;
    Ok(keep_members(first, |member| !others.iter().flatten().any(|other| other.contains(member))))
}

/// The members that pass a test, in a set that is sorted if this one is.
fn keep_members(set: &Set, mut keep: impl FnMut(&Value) -> bool) -> Value {
    let mut kept = set.emptied();
    for member in set.keys().filter(|member| keep(member)) {
        kept.insert(member.clone(), ());
    }
    Value::set(kept)
}

pub(super) fn disj(cx: &mut Call, collection: Value, members: &mut [Value]) -> Eval {
    match collection {
        Value::Set(set) => without(set, members).map(Value::Set),
        other if other.is_nil() || members.is_empty() => Ok(other),
        other => cx.type_error("a set or nil", &other),
    }
}

fn is_subset(cx: &mut Call, part: Value, whole: Value) -> Eval<bool> {
    if mixed::concerns([&part, &whole]) {
        return mixed::is_within(cx, part, whole);
    }
    let part = as_set(cx, part)?.unwrap_or_default();
    cx.tick(part.len())?;
    let whole = as_set(cx, whole)?.unwrap_or_default();
    Ok(part.len() <= whole.len() && part.keys().all(|member| whole.contains(member)))
}

fn select(cx: &mut Call, predicate: &Value, collection: Value) -> Eval {
    let Some(set) = as_set(cx, collection)? else { return Ok(Value::Nil) };
    cx.tick(set.len())?;
    let mut selected = set.emptied();
    for member in set.keys() {
        if cx.call(predicate, &mut [member.clone()])?.is_truthy() {
            selected.insert(member.clone(), ());
        }
    }
    Ok(Value::set(selected))
}

/// The map with its keys renamed; anything else as it is where there is nothing to rename.
fn rename_keys(cx: &mut Call, collection: Value, names: &[(Value, Value)]) -> Eval {
    let mut map = match collection {
        unchanged if unchanged.is_nil() || names.is_empty() => return Ok(unchanged),
        Value::Map(map) => map,
        other => return cx.type_error("a map", &other),
    };
    let table = Arc::make_mut(&mut map);
    // Remove all before the first insertion, so that two keys may swap their names.
    let mut renamed = Vec::new();
    for (old, new) in names {
        if let Some(value) = table.remove(old) {
            renamed.push((new.clone(), value));
        }
    }
    for (key, value) in renamed {
        insert(cx, table, key, value)?;
    }
    Ok(Value::Map(map))
}
