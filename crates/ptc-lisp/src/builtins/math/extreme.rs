//! The greatest and the least of numbers: as Clojure's `max` and `min` have it, and as those of `java.lang.Math`.

use super::{float, number_of};
use crate::builtins::prelude::*;

/// The number that stands in `order` to all others; NaN wins, and on a tie the later one.
pub(super) fn extreme(cx: &Call, numbers: AtLeast<1>, order: Ordering) -> Eval {
    let AtLeast([first, others @ ..]) = numbers else { return Ok(Value::Nil) };
    if let Value::Vector(_) | Value::List(_) | Value::Set(_) = first {
        let hint = format!("Use (apply {} coll)", cx.name);
        return type_error_hint(cx.name, "a number", first, &hint);
    }
    others.iter().try_fold(number_of(cx, first)?, |best, value| {
        let value = number_of(cx, value)?;
        let keeps = best.is_nan() || !value.is_nan() && compare_numbers(&best, &value) == order;
        Ok(if keeps { best } else { value })
    })
}

/// A function of two numbers, of floats when one of them is a float.
pub(super) fn wider(
    cx: &Call,
    a: &Value,
    b: &Value,
    integers: fn(i64, i64) -> i64,
    floats: fn(f64, f64) -> f64,
) -> Eval {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(Value::Int(integers(*a, *b))),
        _ => Ok(Value::float(floats(float(cx.name, a)?, float(cx.name, b)?))),
    }
}

/// `Math.max`: NaN wins, and 0.0 is greater than -0.0.
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
