//! Set operations with a map or a string among the sets. Clojure does not check their types: iteration sees the
//! entries of a map and the characters of a string, membership its keys and its indices.

use super::super::seq::add;
use crate::builtins::prelude::*;

/// True if there is a map or a string among the arguments.
pub(super) fn concerns<'a>(args: impl IntoIterator<Item = &'a Value>) -> bool {
    args.into_iter().any(|arg| matches!(arg, Value::Map(_) | Value::Str(_)))
}

/// The largest takes the others in.
pub(super) fn union(cx: &mut Call, args: &mut [Value]) -> Eval {
    let mut sets = all_sets(cx, args)?;
    let largest = match &sets[..] {
        [first, second] => usize::from(size(first) < size(second)),
        _ => (0..sets.len()).max_by_key(|index| sets.get(*index).map(size)).unwrap_or_default(),
    };
    let mut all = sets.get_mut(largest).map(Value::take).unwrap_or_default();
    for set in sets {
        let items = cx.all(set)?;
        items.into_iter().try_for_each(|item| add(cx, &mut all, item))?;
    }
    Ok(all)
}

pub(super) fn intersection(cx: &mut Call, args: &mut [Value]) -> Eval {
    let sets = all_sets(cx, args)?;
    pairwise(sets, |a, b| {
        let (small, large) = if size(&b) < size(&a) { (b, a) } else { (a, b) };
        let items = cx.items(small.clone())?;
        let mut absent = Vec::new();
        for item in items {
            cx.tick(1)?;
            if !has(cx, &large, &item)? {
                absent.push(item);
            }
        }
        without(cx, small, absent)
    })
}

pub(super) fn difference(cx: &mut Call, args: &mut [Value]) -> Eval {
    let sets = all_sets(cx, args)?;
    pairwise(sets, |set, other| {
        let is_smaller = size(&set) < size(&other);
        let items = cx.items(if is_smaller { set.clone() } else { other.clone() })?;
        let mut removed = Vec::new();
        for item in items {
            cx.tick(1)?;
            if !is_smaller || has(cx, &other, &item)? {
                removed.push(item);
            }
        }
        without(cx, set, removed)
    })
}

/// True if the second has all members of the first.
pub(super) fn is_within(cx: &mut Call, part: Value, whole: Value) -> Eval<bool> {
    let (part, whole) = (set_of(cx, part)?, set_of(cx, whole)?);
    if size(&part) > size(&whole) {
        return Ok(false);
    }
    every(cx.items(part)?, |item| {
        cx.tick(1)?;
        has(cx, &whole, &item)
    })
}

/// The arguments, with sets in place of vectors and lists.
fn all_sets(cx: &mut Call, args: &mut [Value]) -> Eval<Vec<Value>> {
    args.iter_mut().map(|arg| set_of(cx, arg.take())).collect()
}

fn set_of(cx: &mut Call, arg: Value) -> Eval {
    match arg {
        mixed @ (Value::Map(_) | Value::Str(_)) => Ok(mixed),
        other => Ok(super::as_set(cx, other)?.map_or(Value::Nil, Value::Set)),
    }
}

fn pairwise(sets: Vec<Value>, combine: impl FnMut(Value, Value) -> Eval) -> Eval {
    let mut sets = sets.into_iter();
    let first = sets.next().unwrap_or_default();
    sets.try_fold(first, combine)
}

fn size(set: &Value) -> usize {
    match set {
        Value::Map(map) => map.len(),
        Value::Set(set) => set.len(),
        Value::Str(text) => {
            meter::owe_steps(text.len());
            text.chars().count()
        }
        _ => 0,
    }
}

fn has(cx: &Call, set: &Value, item: &Value) -> Eval<bool> {
    match (set, item) {
        (Value::Map(map), _) => Ok(map.contains(item)),
        (Value::Set(set), _) => Ok(set.contains(item)),
        (Value::Str(_), Value::Int(index)) => Ok(usize::try_from(*index).is_ok_and(|at| at < size(set))),
        (Value::Str(_), _) => cx.type_error("a set", set),
        _ => Ok(false),
    }
}

/// Like `disj`: nothing can be taken from a map.
fn without(cx: &Call, set: Value, removed: Vec<Value>) -> Eval {
    match set {
        Value::Set(mut set) => {
            for item in removed {
                Arc::make_mut(&mut set).remove(&item);
            }
            Ok(Value::Set(set))
        }
        other if other.is_nil() || removed.is_empty() => Ok(other),
        other => cx.type_error("a set", &other),
    }
}
