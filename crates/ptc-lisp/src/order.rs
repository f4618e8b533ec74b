//! Orders on values: the partial order of `compare` and the total order of `entries`.

use std::cmp::Ordering;

use super::error::{ErrorKind, Eval, describe, raise};
use super::merge_sort::merge_sort;
use super::meter::{Comparison, owe_text};
use super::print::pr_str;
use super::stack::guarded;
use super::table::{Map, Set, Table};
use super::value::Value;

/// Order of `compare` and `sort` (`docs/language.md` §2.5), metered; past the limits everything is equal.
pub fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    use Value::*;
    match (a, b) {
        (Nil, Nil) => Some(Ordering::Equal),
        (Nil, _) => Some(Ordering::Less),
        (_, Nil) => Some(Ordering::Greater),
        (Int(_) | Float(..), Int(_) | Float(..)) => Some(compare_numbers(a, b)),
        (Str(a), Str(b)) => {
            let is_read = owe_text(a.len().min(b.len()));
            Some(if is_read { a.as_str().cmp(b.as_str()) } else { Ordering::Equal })
        }
        (Keyword(a), Keyword(b)) => {
            let is_read = owe_text(a.name().len().min(b.name().len()));
            Some(if is_read { qualified(a.name()).cmp(&qualified(b.name())) } else { Ordering::Equal })
        }
        (Bool(a), Bool(b)) => Some(a.cmp(b)),
        (Vector(a), Vector(b)) => guarded(|| compare_items(a, b)),
        (Date(a), Date(b)) => Some(a.cmp(b)),
        (DateTime(a), DateTime(b)) | (Duration(a), Duration(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

/// Raises the error of two values without an order.
#[cold]
pub fn cannot_compare<T>(a: &Value, b: &Value) -> Eval<T> {
    raise(ErrorKind::TypeError, format!("cannot compare {} with {}", describe(a), describe(b)))
}

/// Sort key of a keyword: those without a namespace come first.
fn qualified(name: &str) -> (Option<&str>, &str) {
    match name.split_once('/') {
        Some((namespace, rest)) if !namespace.is_empty() => (Some(namespace), rest),
        _ => (None, name),
    }
}

fn compare_items(a: &[Value], b: &[Value]) -> Option<Ordering> {
    if a.len() != b.len() {
        return Some(a.len().cmp(&b.len()));
    }
    let comparison = Comparison::begin();
    for (x, y) in a.iter().zip(b) {
        if !comparison.look() {
            break;
        }
        match compare(x, y)? {
            Ordering::Equal => {}
            order => return Some(order),
        }
    }
    Some(Ordering::Equal)
}

/// Compares integers and floats by value. NaN is equal to everything, as in Clojure.
pub fn compare_numbers(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Int(a), Value::Float(b, ..)) => compare_int_float(*a, *b),
        (Value::Float(a, ..), Value::Int(b)) => compare_int_float(*b, *a).reverse(),
        (Value::Float(a, ..), Value::Float(b, ..)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
        _ => Ordering::Equal,
    }
}

/// Converts the integer to a float first, as the JVM does.
fn compare_int_float(int: i64, float: f64) -> Ordering {
    (int as f64).partial_cmp(&float).unwrap_or(Ordering::Equal)
}

/// Order inside sorted collections. They contain only comparable keys.
pub(super) fn compare_for_sorting(a: &Value, b: &Value) -> Ordering {
    match compare(a, b) {
        Some(order) => order,
        None => total_order(a, b),
    }
}

/// Total order of all values (`docs/language.md` §2.5), for `entries`.
pub fn total_order(a: &Value, b: &Value) -> Ordering {
    rank(a).cmp(&rank(b)).then_with(|| guarded(|| within_rank(a, b)))
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Int(_) | Value::Float(..) => 0,
        Value::Nil => 1,
        Value::Bool(false) => 2,
        Value::Bool(true) => 3,
        Value::Keyword(_) => 4,
        Value::Map(_) => 6,
        Value::Set(_) => 7,
        Value::Vector(_) | Value::List(_) => 8,
        Value::Str(_) => 9,
        Value::Reduced(_) => 10,
        _ => 5,
    }
}

fn within_rank(a: &Value, b: &Value) -> Ordering {
    use Value::*;
    match (a, b) {
        (Int(_) | Float(..), Int(_) | Float(..)) => total_numbers(a, b),
        (Vector(a) | List(a), Vector(b) | List(b)) => {
            a.len().cmp(&b.len()).then_with(|| sequence_order(a.iter(), b.iter()))
        }
        (Map(a), Map(b)) => a.len().cmp(&b.len()).then_with(|| map_order(a, b)),
        (Set(a), Set(b)) => a.len().cmp(&b.len()).then_with(|| set_order(a, b)),
        (Reduced(a), Reduced(b)) => total_order(&a.0, &b.0),
        (Nil | Bool(_) | Keyword(_) | Str(_), _) => compare(a, b).unwrap_or(Ordering::Equal),
        _ => pr_str(a).cmp(&pr_str(b)),
    }
}

/// Compares the keys, then the values.
fn map_order(a: &Map, b: &Map) -> Ordering {
    let (a, b) = (sorted_entries(a), sorted_entries(b));
    sequence_order(a.iter().map(key_of), b.iter().map(key_of))
        .then_with(|| sequence_order(a.iter().map(value_of), b.iter().map(value_of)))
}

fn set_order(a: &Set, b: &Set) -> Ordering {
    sequence_order(sorted_entries(a).iter().map(key_of), sorted_entries(b).iter().map(key_of))
}

fn key_of<'a, V>(entry: &(&'a Value, &'a V)) -> &'a Value {
    entry.0
}

fn value_of<'a>(entry: &(&'a Value, &'a Value)) -> &'a Value {
    entry.1
}

fn total_numbers(a: &Value, b: &Value) -> Ordering {
    let by_value = a.is_nan().cmp(&b.is_nan()).then_with(|| compare_numbers(a, b));
    let (is_float, is_other_float) = (matches!(a, Value::Float(..)), matches!(b, Value::Float(..)));
    by_value.then(is_float.cmp(&is_other_float))
}

fn sorted_entries<V: Clone>(table: &Table<V>) -> Vec<(&Value, &V)> {
    // Not the standard library's sort: it may panic if a limit cuts the order short.
    merge_sort(table.iter().collect(), |a, b| Ok(total_order(a.0, b.0).is_lt())).unwrap_or_default()
}

fn sequence_order<'a>(a: impl Iterator<Item = &'a Value>, b: impl Iterator<Item = &'a Value>) -> Ordering {
    let comparison = Comparison::begin();
    for (x, y) in a.zip(b) {
        if !comparison.look() {
            break;
        }
        let order = total_order(x, y);
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}
