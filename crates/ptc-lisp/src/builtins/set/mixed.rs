//! Operations of sets where a map or a string is among the sets. Clojure does not look what it is given: a map
//! counts by its entries where it is walked, and by its keys where it is asked for members, a string by its
//! characters and its indices.

use triomphe::Arc;

use super::super::seq::add;
use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::meter;
use crate::value::Value;

/// Whether there is a map or a string among the arguments.
pub(super) fn concerns(args: &[Value]) -> bool {
    args.iter().any(|arg| matches!(arg, Value::Map(_) | Value::Str(_)))
}

/// The largest takes the others in.
pub(super) fn union(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let mut sets = all_sets(cx, "union", args)?;
    let largest = match &sets[..] {
        [first, second] => usize::from(size(first) < size(second)),
        _ => (0..sets.len()).max_by_key(|index| sets.get(*index).map(size)).unwrap_or_default(),
    };
    let mut all = sets.get_mut(largest).map(Value::take).unwrap_or_default();
    for set in sets {
        let items = cx.items("union", set)?;
        cx.tick(items.len())?;
        items.into_iter().try_for_each(|item| add(cx, "union", &mut all, item))?;
    }
    Ok(all)
}

pub(super) fn intersection(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let sets = all_sets(cx, "intersection", args)?;
    pairwise(sets, |a, b| {
        let (small, large) = if size(&b) < size(&a) { (b, a) } else { (a, b) };
        let items = cx.items("intersection", small.clone())?;
        let mut absent = Vec::new();
        for item in items {
            cx.tick(1)?;
            if !has("intersection", &large, &item)? {
                absent.push(item);
            }
        }
        without("intersection", small, absent)
    })
}

pub(super) fn difference(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let sets = all_sets(cx, "difference", args)?;
    pairwise(sets, |set, other| {
        let is_smaller = size(&set) < size(&other);
        let items = cx.items("difference", if is_smaller { set.clone() } else { other.clone() })?;
        let mut removed = Vec::new();
        for item in items {
            cx.tick(1)?;
            if !is_smaller || has("difference", &other, &item)? {
                removed.push(item);
            }
        }
        without("difference", set, removed)
    })
}

/// Whether the first has no member that the second has not.
pub(super) fn is_within(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value]) -> Eval<bool> {
    let sets = all_sets(cx, name, args)?;
    let [part, whole] = &sets[..] else { return Ok(true) };
    if size(part) > size(whole) {
        return Ok(false);
    }
    for item in cx.items(name, part.clone())? {
        cx.tick(1)?;
        if !has(name, whole, &item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The arguments, with sets in place of vectors and lists.
fn all_sets(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value]) -> Eval<Vec<Value>> {
    let as_set = |arg: &mut Value| match arg.take() {
        mixed @ (Value::Map(_) | Value::Str(_)) => Ok(mixed),
        mut other => Ok(super::as_set(cx, name, &mut other)?.map_or(Value::Nil, Value::Set)),
    };
    args.iter_mut().map(as_set).collect()
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

fn has(name: &str, set: &Value, item: &Value) -> Eval<bool> {
    match (set, item) {
        (Value::Map(map), _) => Ok(map.contains(item)),
        (Value::Set(set), _) => Ok(set.contains(item)),
        (Value::Str(_), Value::Int(index)) => Ok(usize::try_from(*index).is_ok_and(|at| at < size(set))),
        (Value::Str(_), _) => type_error(name, "a set", set),
        _ => Ok(false),
    }
}

/// As `disj`: from a map nothing can be taken.
fn without(name: &str, set: Value, removed: Vec<Value>) -> Eval {
    match set {
        Value::Set(mut set) => {
            for item in removed {
                Arc::make_mut(&mut set).remove(&item);
            }
            Ok(Value::Set(set))
        }
        other if other.is_nil() || removed.is_empty() => Ok(other),
        other => type_error(name, "a set", &other),
    }
}
