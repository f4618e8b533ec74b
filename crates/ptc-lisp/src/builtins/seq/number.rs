//! Numbers as sequences compare and divide them. Arithmetic is in `math`.

use crate::error::{Eval, type_error};
use crate::value::Value;

/// A number as a float.
pub fn float(name: &str, value: &Value) -> Eval<f64> {
    match value {
        Value::Int(number) => Ok(*number as f64),
        Value::Float(number, ..) => Ok(*number),
        other => type_error(name, "a number", other),
    }
}
