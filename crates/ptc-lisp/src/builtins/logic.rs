//! Comparison, truth, and functions that make or call functions. Comparing collections spends ticks.

mod exceptions;
mod functions;

use super::seq::compare;
use crate::builtins::prelude::*;

pub(super) use exceptions::ROWS as EXCEPTIONS;
pub(crate) use functions::IDENTITY;
pub(super) use functions::{ROWS as FUNCTIONS, unreduced};

builtins! {
    pub(super) static ROWS;

    "<" as LESS = |cx: &mut Call, numbers: AtLeast<1>| are_in_order(cx, numbers, Ordering::is_lt);
    "<=" as AT_MOST = |cx: &mut Call, numbers: AtLeast<1>| are_in_order(cx, numbers, Ordering::is_le);
    "=" as EQUAL = all_equal;
    "==" as SAME_NUMBER = |cx: &mut Call, numbers: AtLeast<1>| are_in_order(cx, numbers, Ordering::is_eq);
    ">" as GREATER = |cx: &mut Call, numbers: AtLeast<1>| are_in_order(cx, numbers, Ordering::is_gt);
    ">=" as AT_LEAST = |cx: &mut Call, numbers: AtLeast<1>| are_in_order(cx, numbers, Ordering::is_ge);
    "boolean" = |value: &Value| value.is_truthy();
    "compare" = |cx: &mut Call, a: &Value, b: &Value| compare(cx, a, b).map(|order| order as i64);
    "false?" = |value: &Value| matches!(value, Value::Bool(false));
    "identical?" = |cx: &mut Call, a: &Value, b: &Value| equal(cx, a, b);
    "not" = |value: &Value| !value.is_truthy();
    "not=" as DIFFERENT = |cx: &mut Call, values: AtLeast<1>| all_equal(cx, values).map(|equal| !equal);
    "true?" = |value: &Value| matches!(value, Value::Bool(true));
}

/// Equality as in `=`. Spends a tick for each compared element.
pub(super) fn equal(cx: &mut Interpreter<'_>, a: &Value, b: &Value) -> Eval<bool> {
    match (a, b) {
        (Value::Generator(_), _) => {
            let a = Value::List(cx.items("=", a.clone())?);
            equal(cx, &a, b)
        }
        (_, Value::Generator(_)) => equal(cx, b, a),
        (Value::Vector(a) | Value::List(a), Value::Vector(b) | Value::List(b)) => {
            Ok(a.len() == b.len() && guarded(|| equal_items(cx, a, b))?)
        }
        (Value::Map(a), Value::Map(b)) => Ok(a.len() == b.len() && guarded(|| equal_maps(cx, a, b))?),
        (Value::Set(a), Value::Set(b)) => Ok(a.len() == b.len() && guarded(|| equal_sets(cx, a, b))?),
        (Value::Str(a), Value::Str(b)) if a.len() == b.len() => {
            cx.tick_text(a)?;
            Ok(a == b)
        }
        _ => Ok(a == b),
    }
}

/// Spends the ticks of hashing a value as a key: one for each element at any depth, and those of its strings.
pub(super) fn tick_nested(cx: &mut Interpreter<'_>, value: &Value) -> Eval<()> {
    match value {
        Value::Vector(items) | Value::List(items) => {
            cx.tick(items.len())?;
            guarded(|| tick_all_nested(cx, items))
        }
        Value::Set(set) => {
            cx.tick(set.len())?;
            guarded(|| tick_all_nested(cx, set.keys()))
        }
        Value::Map(map) => {
            cx.tick(map.len())?;
            guarded(|| tick_all_nested(cx, map.iter().flat_map(<[&Value; 2]>::from)))
        }
        Value::Str(text) => cx.tick_text(text),
        _ => Ok(()),
    }
}

fn tick_all_nested<'v>(cx: &mut Interpreter<'_>, values: impl IntoIterator<Item = &'v Value>) -> Eval<()> {
    for value in values {
        tick_nested(cx, value)?;
    }
    Ok(())
}

fn equal_items(cx: &mut Interpreter<'_>, a: &Items, b: &Items) -> Eval<bool> {
    for (a, b) in a.iter().zip(b) {
        cx.tick(1)?;
        if !equal(cx, a, b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn equal_maps(cx: &mut Interpreter<'_>, a: &Map, b: &Map) -> Eval<bool> {
    for (key, value) in a.iter() {
        cx.tick(1)?;
        tick_nested(cx, key)?;
        let Some(other) = b.get(key) else { return Ok(false) };
        if !equal(cx, value, other)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn equal_sets(cx: &mut Interpreter<'_>, a: &Set, b: &Set) -> Eval<bool> {
    for key in a.keys() {
        cx.tick(1)?;
        tick_nested(cx, key)?;
        if !b.contains(key) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn all_equal(cx: &mut Call, values: AtLeast<1>) -> Eval<bool> {
    every(values.0.windows(2), |pair| equal(cx, &pair[0], &pair[1]))
}

/// True if each pair of neighbours has this order. Stops at the first other pair.
fn are_in_order(cx: &mut Call, numbers: AtLeast<1>, holds: fn(Ordering) -> bool) -> Eval<bool> {
    for pair in numbers.0.windows(2) {
        match numeric_order(cx, &pair[0], &pair[1])? {
            Some(order) if holds(order) => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// `None` if one of the numbers is NaN. Integers meet floats as floats, as on the JVM.
fn numeric_order(cx: &Call, a: &Value, b: &Value) -> Eval<Option<Ordering>> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(Some(a.cmp(b))),
        (Value::Float(a, ..), Value::Float(b, ..)) => Ok(a.partial_cmp(b)),
        (Value::Int(a), Value::Float(b, ..)) => Ok((*a as f64).partial_cmp(b)),
        (Value::Float(a, ..), Value::Int(b)) => Ok(a.partial_cmp(&(*b as f64))),
        (Value::Int(_) | Value::Float(..), other) | (other, _) => cx.type_error("a number", other),
    }
}
