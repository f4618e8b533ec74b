//! The greatest and the least of numbers: as Clojure's `max` and `min` have it, and as those of `java.lang.Math`.

use std::cmp::Ordering;

use crate::error::{Eval, type_error_hint};
use crate::order::compare_numbers;
use crate::value::Value;

use super::{number_of, real_pair};

/// The number that stands in `order` to all others; NaN wins, and on a tie the later one.
pub(super) fn extreme(name: &str, order: Ordering, args: &mut [Value]) -> Eval {
    if let Some(collection @ (Value::Vector(_) | Value::List(_) | Value::Set(_))) = args.first() {
        let hint = format!("Use (apply {name} coll)");
        return type_error_hint(name, "a number", collection, &hint);
    }
    let mut numbers = args.iter();
    let first = numbers.next().map_or(Ok(Value::Nil), |first| number_of(name, first))?;
    numbers.try_fold(first, |best, value| {
        let value = number_of(name, value)?;
        let keeps = is_nan(&best) || !is_nan(&value) && compare_numbers(&best, &value) == order;
        Ok(if keeps { best } else { value })
    })
}

/// A function of two numbers, of floats when one of them is a float.
pub(super) fn wider(
    name: &str,
    integers: fn(i64, i64) -> i64,
    floats: fn(f64, f64) -> f64,
    args: &mut [Value],
) -> Eval {
    match args {
        [Value::Int(a), Value::Int(b)] => Ok(Value::Int(integers(*a, *b))),
        _ => real_pair(name, floats, args),
    }
}

/// As `Math.max`: NaN wins, and 0.0 is greater than -0.0.
pub(super) fn greater(a: f64, b: f64) -> f64 {
    match a.partial_cmp(&b) {
        None => f64::NAN,
        Some(Ordering::Equal) if a.is_sign_positive() => a,
        Some(Ordering::Greater) => a,
        Some(_) => b,
    }
}

pub(super) fn lesser(a: f64, b: f64) -> f64 {
    -greater(-a, -b)
}

fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Float(number, ..) if number.is_nan())
}
