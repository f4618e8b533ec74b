//! What programs throw: maps of kind, message and data, as `catch` sees every error.

use crate::lisp::error::{Eval, type_error};
use crate::lisp::eval::Interpreter;
use crate::lisp::table::Map;
use crate::lisp::value::Value;

/// `(ex-info message data)`; a cause is accepted and dropped.
pub(super) fn ex_info(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [message @ (Value::Str(_) | Value::Nil), data @ Value::Map(_), ..] => {
            thrown(cx, message.take(), data.take())
        }
        [Value::Str(_) | Value::Nil, data, ..] => type_error("ex-info", "a map", data),
        [message, ..] => type_error("ex-info", "a string", message),
        [] => Ok(Value::Nil),
    }
}

/// `(Exception. message cause)` and its kin.
pub(super) fn exception(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value]) -> Eval {
    let message = match args {
        [] => Value::Nil,
        [message @ (Value::Str(_) | Value::Nil), ..] => message.take(),
        [other, ..] => return type_error(name, "a string", other),
    };
    thrown(cx, message, Value::map(Map::new()))
}

/// A part of an error; nil of anything that is no error.
pub(super) fn field(name: &str, args: &[Value]) -> Value {
    match args {
        [Value::Map(error)] => error.get(&Value::keyword(name)).cloned().unwrap_or_default(),
        _ => Value::Nil,
    }
}

fn thrown(cx: &mut Interpreter<'_>, message: Value, data: Value) -> Eval {
    let fields = [("kind", Value::keyword("thrown")), ("message", message), ("data", data)];
    cx.allocate_entries(fields.len())?;
    Ok(Value::map(fields.into_iter().map(|(name, value)| (Value::keyword(name), value)).collect()))
}
