//! Relations: sets of rows, which are maps. Any collection of maps will do.

use super::super::map::{entries_of, insert, selected};
use super::rename_keys;
use crate::builtins::prelude::*;

pub(super) fn project(cx: &mut Call, relation: Value, keys: Value) -> Eval {
    let rows = cx.items(relation)?;
    if rows.is_empty() {
        return Ok(Value::set(Set::new()));
    }
    let keys = cx.items(keys)?;
    cx.tick(rows.len())?;
    let mut projected = Set::new();
    for row in &rows {
        let row = selected(cx, row, &keys)?;
        insert(cx, &mut projected, Value::map(row), ())?;
    }
    Ok(Value::set(projected))
}

pub(super) fn index(cx: &mut Call, relation: Value, keys: Value) -> Eval {
    let rows = cx.items(relation)?;
    if rows.is_empty() {
        return Ok(Value::map(Map::new()));
    }
    let keys = cx.items(keys)?;
    indexed(cx, &rows, &keys).map(Value::map)
}

/// The rows by their values of these keys.
fn indexed(cx: &mut Call, rows: &[Value], keys: &[Value]) -> Eval<Map> {
    cx.tick(rows.len())?;
    let mut indexed = Map::new();
    for row in rows {
        let key = Value::map(selected(cx, row, keys)?);
        let mut group = match indexed.get_mut(&key).map(Value::take) {
            Some(Value::Set(group)) => group,
            _ => Arc::default(),
        };
        insert(cx, Arc::make_mut(&mut group), row.clone(), ())?;
        insert(cx, &mut indexed, key, Value::Set(group))?;
    }
    Ok(indexed)
}

pub(super) fn rename(cx: &mut Call, relation: Value, names: Value) -> Eval {
    let rows = cx.items(relation)?;
    let names = entries_of(cx, names)?;
    cx.tick(rows.len())?;
    let mut all = Set::new();
    for row in rows {
        let row = rename_keys(cx, row, &names)?;
        insert(cx, &mut all, row, ())?;
    }
    Ok(Value::set(all))
}

/// Indexes the smaller relation; rows of the larger one find their partners there and replace their values.
pub(super) fn join(cx: &mut Call, left: Value, right: Value, keys: Option<Value>) -> Eval {
    let left = cx.items(left)?;
    let right = cx.items(right)?;
    let pairs = match keys {
        Some(keys) => entries_of(cx, keys)?,
        None => common_keys(left.first(), right.first()),
    };
    let (left_keys, right_keys): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    if left.len() <= right.len() {
        joined(cx, (&left, &left_keys), (&right, &right_keys))
    } else {
        joined(cx, (&right, &right_keys), (&left, &left_keys))
    }
}

/// Pairs of each key that the first rows of both have.
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

fn joined(cx: &mut Call, (small, small_keys): Side<'_>, (large, large_keys): Side<'_>) -> Eval {
    let index = indexed(cx, small, small_keys)?;
    let names: Vec<_> = large_keys.iter().cloned().zip(small_keys.iter().cloned()).collect();
    cx.tick(large.len())?;
    let mut all = Set::new();
    for row in large {
        let key = Value::map(selected(cx, row, large_keys)?);
        let key = rename_keys(cx, key, &names)?;
        if let Some(Value::Set(partners)) = index.get(&key) {
            for partner in partners.keys() {
                let row = merged(cx, partner, row)?;
                insert(cx, &mut all, row, ())?;
            }
        }
    }
    Ok(Value::set(all))
}

fn merged(cx: &mut Call, partner: &Value, row: &Value) -> Eval {
    match (partner, row) {
        (Value::Map(partner), Value::Map(row)) => {
            let mut all = (**partner).clone();
            cx.tick(row.len())?;
            row.iter().try_for_each(|(key, value)| insert(cx, &mut all, key.clone(), value.clone()))?;
            Ok(Value::map(all))
        }
        (Value::Map(_), other) | (other, _) => cx.type_error("a map as row", other),
    }
}
