//! Aggregation helpers: sums, means, extremes and distinct items by a key.

use super::build::float;
use super::key::Key;
use super::sort::compare;
use crate::builtins;
use crate::builtins::prelude::*;

builtins! {
    pub(in crate::builtins) static ROWS;

    "avg" = |cx: &mut Call, numbers: Items| mean(cx, &numbers);
    "avg-by" = |cx: &mut Call, key: Key, items: Items| keys_of_items(cx, &key, items).and_then(|keys| mean(cx, &keys));
    "distinct-by" = distinct_by;
    "max-by" = |cx: &mut Call, key: Key, items: AtLeast<1>| extreme_by(cx, key, items, Ordering::Greater);
    "max-key" = |cx: &mut Call, function: &Value, items: AtLeast<1>| extreme_key(cx, function, items, Ordering::Greater);
    "min-by" = |cx: &mut Call, key: Key, items: AtLeast<1>| extreme_by(cx, key, items, Ordering::Less);
    "min-key" = |cx: &mut Call, function: &Value, items: AtLeast<1>| extreme_key(cx, function, items, Ordering::Less);
    "pluck" = pluck;
    "sum" = |cx: &mut Call, numbers: Items| sum_numbers(cx, &numbers).map(|(sum, _)| sum);
    "sum-by" = |cx: &mut Call, key: Key, items: Items| keys_of_items(cx, &key, items).and_then(|keys| Ok(sum_numbers(cx, &keys)?.0));
}

/// The sum and the count of the numbers. All other values must be nil.
fn sum_numbers(cx: &Call, values: &[Value]) -> Eval<(Value, usize)> {
    let mut total = Value::Int(0);
    let mut count = 0;
    for value in values {
        match value {
            Value::Nil => continue,
            Value::Int(_) | Value::Float(..) => total = builtins::sum(&total, value)?,
            other => return cx.type_error("numbers or nil", other),
        }
        count += 1;
    }
    Ok((total, count))
}

fn mean(cx: &Call, values: &[Value]) -> Eval {
    match sum_numbers(cx, values)? {
        (_, 0) => Ok(Value::Nil),
        (sum, count) => Ok(Value::float(float(cx, &sum)? / count as f64)),
    }
}

/// The keys of the items, in order.
fn keys_of_items(cx: &mut Call, key: &Key, items: Items) -> Eval<Vec<Value>> {
    items.into_iter().map(|item| key.of(cx, item)).collect()
}

/// The first item whose key is the extreme one. The items are those of one collection, or the arguments.
fn extreme_by(cx: &mut Call, key: Key, AtLeast(items): AtLeast<1>, wanted: Ordering) -> Eval {
    let items: Items = match items {
        [collection] => cx.all(collection.take())?,
        several => taken(several).into(),
    };
    let mut best: Option<(Value, Value)> = None;
    for item in items {
        let candidate = key.of(cx, item.clone())?;
        let better = match &best {
            _ if candidate.is_nil() => false,
            None => true,
            Some((record, _)) => compare(cx, &candidate, record)? == wanted,
        };
        if better {
            best = Some((candidate, item));
        }
    }
    Ok(best.map(|(_, item)| item).unwrap_or_default())
}

fn distinct_by(cx: &mut Call, key: Key, items: Items) -> Eval {
    let mut seen = Set::new();
    let mut kept = Vec::new();
    for item in items {
        let candidate = key.of(cx, item.clone())?;
        if seen.insert(candidate, ()).is_none() {
            cx.allocate_entries(1)?;
            kept.push(item);
        }
    }
    cx.list(kept)
}

fn pluck(cx: &mut Call, key: Key, collection: Value) -> Eval {
    if let Value::Map(_) = collection {
        let hint = "For a single map use (get map key)";
        return type_error_hint(cx.name, "a collection of maps", &collection, hint);
    }
    let items = cx.all(collection)?;
    let keys = keys_of_items(cx, &key, items)?;
    cx.list(keys)
}

/// The argument with the extreme result, the last of equals. A single argument is returned without a call.
fn extreme_key(cx: &mut Call, function: &Value, items: AtLeast<1>, wanted: Ordering) -> Eval {
    let AtLeast([best, others @ ..]) = items else { return Ok(Value::Nil) };
    let mut best = best.take();
    if others.is_empty() {
        return Ok(best);
    }
    let mut record = number_of(cx, function, &best)?;
    for (index, other) in others.iter_mut().enumerate() {
        let candidate = number_of(cx, function, other)?;
        let keeps = match order_numbers(&record, &candidate) {
            Some(order) => order == wanted,
            // With NaN the second argument wins over the first, and no later one over the best so far.
            None => index > 0,
        };
        if !keeps {
            (best, record) = (other.take(), candidate);
        }
    }
    Ok(best)
}

fn number_of(cx: &mut Call, function: &Value, item: &Value) -> Eval {
    match cx.call(function, &mut [item.clone()])? {
        number @ (Value::Int(_) | Value::Float(..)) => Ok(number),
        other => cx.type_error("a number", &other),
    }
}

/// The order of two numbers; NaN has none.
fn order_numbers(a: &Value, b: &Value) -> Option<Ordering> {
    if a.is_nan() || b.is_nan() { None } else { Some(compare_numbers(a, b)) }
}
