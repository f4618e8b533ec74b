//! Relations: sets of rows, which are maps. Any collection of maps will do.

use triomphe::Arc;

use super::super::map::{entries_of, insert, selected};
use super::renamed;
use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::table::{Map, Set};
use crate::value::Value;

pub(super) fn project(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [relation, keys] = args else { return Ok(Value::Nil) };
    let rows = cx.items("set/project", relation.take())?;
    if rows.is_empty() {
        return Ok(Value::set(Set::new()));
    }
    let keys = cx.items("set/project", keys.take())?;
    cx.tick(rows.len())?;
    let mut projected = Set::new();
    for row in &rows {
        let row = selected(cx, "set/project", row, &keys)?;
        insert(cx, &mut projected, Value::map(row), ())?;
    }
    Ok(Value::set(projected))
}

pub(super) fn index(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [relation, keys] = args else { return Ok(Value::Nil) };
    let rows = cx.items("set/index", relation.take())?;
    if rows.is_empty() {
        return Ok(Value::map(Map::new()));
    }
    let keys = cx.items("set/index", keys.take())?;
    indexed(cx, "set/index", &rows, &keys).map(Value::map)
}

/// The rows by their values of these keys.
fn indexed(cx: &mut Interpreter<'_>, name: &str, rows: &[Value], keys: &[Value]) -> Eval<Map> {
    cx.tick(rows.len())?;
    let mut indexed = Map::new();
    for row in rows {
        let key = Value::map(selected(cx, name, row, keys)?);
        let mut group = match indexed.get_mut(&key).map(Value::take) {
            Some(Value::Set(group)) => group,
            _ => Arc::default(),
        };
        insert(cx, Arc::make_mut(&mut group), row.clone(), ())?;
        insert(cx, &mut indexed, key, Value::Set(group))?;
    }
    Ok(indexed)
}

pub(super) fn rename(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [relation, names] = args else { return Ok(Value::Nil) };
    let rows = cx.items("set/rename", relation.take())?;
    let names = entries_of(cx, "set/rename", names.take())?;
    cx.tick(rows.len())?;
    let mut all = Set::new();
    for row in rows {
        let row = renamed(cx, "set/rename", row, &names)?;
        insert(cx, &mut all, row, ())?;
    }
    Ok(Value::set(all))
}

/// The smaller relation is indexed, and the rows of the larger one look their partners up, whose values they
/// replace.
pub(super) fn join(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [left, right, ..] = args else { return Ok(Value::Nil) };
    let left = cx.items("set/join", left.take())?;
    let right = cx.items("set/join", right.take())?;
    let pairs = match args.get_mut(2) {
        Some(keys) => entries_of(cx, "set/join", keys.take())?,
        None => common_keys(left.first(), right.first()),
    };
    let (left_keys, right_keys): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    if left.len() <= right.len() {
        joined(cx, (&left, &left_keys), (&right, &right_keys))
    } else {
        joined(cx, (&right, &right_keys), (&left, &left_keys))
    }
}

/// The keys that the first rows of both have, each beside itself.
fn common_keys(left: Option<&Value>, right: Option<&Value>) -> Vec<(Value, Value)> {
    match (left, right) {
        (Some(Value::Map(left)), Some(Value::Map(right))) => {
            let common = left.keys().filter(|key| right.contains(key));
            common.map(|key| (key.clone(), key.clone())).collect()
        }
        _ => Vec::new(),
    }
}

/// Rows and the keys by which they are joined.
type Side<'r> = (&'r [Value], &'r [Value]);

fn joined(cx: &mut Interpreter<'_>, (small, small_keys): Side<'_>, (large, large_keys): Side<'_>) -> Eval {
    let index = indexed(cx, "set/join", small, small_keys)?;
    let names: Vec<_> = large_keys.iter().cloned().zip(small_keys.iter().cloned()).collect();
    cx.tick(large.len())?;
    let mut all = Set::new();
    for row in large {
        let key = Value::map(selected(cx, "set/join", row, large_keys)?);
        let key = renamed(cx, "set/join", key, &names)?;
        if let Some(Value::Set(partners)) = index.get(&key) {
            for partner in partners.keys() {
                let row = merged(cx, partner, row)?;
                insert(cx, &mut all, row, ())?;
            }
        }
    }
    Ok(Value::set(all))
}

fn merged(cx: &mut Interpreter<'_>, partner: &Value, row: &Value) -> Eval {
    match (partner, row) {
        (Value::Map(partner), Value::Map(row)) => {
            let mut all = (**partner).clone();
            cx.tick(row.len())?;
            row.iter().try_for_each(|(key, value)| insert(cx, &mut all, key.clone(), value.clone()))?;
            Ok(Value::map(all))
        }
        (Value::Map(_), other) | (other, _) => type_error("set/join", "a map as row", other),
    }
}
