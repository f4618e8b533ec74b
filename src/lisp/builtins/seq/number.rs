//! The little arithmetic that sequences need: sums and steps. Everything else is in `math`.

use crate::lisp::error::{ErrorKind, Eval, raise, type_error};
use crate::lisp::value::Value;

/// `a + b` by the rules of the language; the two are numbers.
pub fn sum(name: &str, a: &Value, b: &Value) -> Eval {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => match a.checked_add(*b) {
            Some(sum) => Ok(Value::Int(sum)),
            None => raise(ErrorKind::ArithmeticError, "integer overflow"),
        },
        _ => Ok(Value::float(float(name, a)? + float(name, b)?)),
    }
}

/// A number as a float.
pub fn float(name: &str, value: &Value) -> Eval<f64> {
    match value {
        Value::Int(number) => Ok(*number as f64),
        Value::Float(number, ..) => Ok(*number),
        other => type_error(name, "a number", other),
    }
}
