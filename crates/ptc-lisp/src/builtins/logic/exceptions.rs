//! Errors that programs throw: maps of kind, message and data, as `catch` sees every error.

use crate::builtins::prelude::*;

builtins! {
    pub(in crate::builtins) static ROWS;

    ".getCause" = |error: &Value| field("cause", error);
    ".getData" = |error: &Value| field("data", error);
    "ArithmeticException." = exception;
    "AssertionError." = exception;
    "ClassCastException." = exception;
    "Error." = exception;
    "IllegalStateException." = exception;
    "IndexOutOfBoundsException." = exception;
    "NullPointerException." = exception;
    "NumberFormatException." = exception;
    "Throwable." = exception;
    "UnsupportedOperationException." = exception;
    "ex-cause" = |error: &Value| field("cause", error);
}

/// `(ex-info message data cause?)`
pub(super) fn ex_info(cx: &mut Call, message: Message, data: Value, cause: Option<Value>) -> Eval {
    match data {
        Value::Map(_) => thrown(cx, message.0, data, cause),
        Value::Nil => cx.type_error("a map", &data).map_err(of_class(Class::IllegalArgumentException)),
        other => cx.type_error("a map", &other),
    }
}

/// `(Exception. message cause)` and other constructors.
pub(super) fn exception(cx: &mut Call, message: Option<Message>, cause: Option<Value>) -> Eval {
    thrown(cx, message.map_or(Value::Nil, |message| message.0), Value::Nil, cause)
}

/// A string or nil.
pub(super) struct Message(Value);

from_value! { Message: text @ (Value::Str(_) | Value::Nil) => Message(text.take()); "a string" }

/// The message of an error; Java's for text that shows no number and for integers that overflow.
pub(super) fn message(error: &Value) -> Value {
    let message = field("message", error);
    match &message {
        Value::Str(text)
            if text == "integer overflow" && field("kind", error) != Value::keyword("thrown") =>
        {
            Value::str("long overflow")
        }
        Value::Str(text) => javas_message(text).map_or(message, |text| Value::Str(text.into())),
        _ => message,
    }
}

fn javas_message(message: &str) -> Option<String> {
    let (parser, given) = message.split_once(": expected a string that shows ")?;
    let (_, text) = given.split_once(", got string ")?;
    let says_empty = text == "\"\"" && parser.starts_with("Double");
    Some(if says_empty { "empty String".to_string() } else { format!("For input string: {text}") })
}

/// A part of an error; nil of anything that is no error.
pub(super) fn field(name: &str, error: &Value) -> Value {
    match error {
        Value::Map(error) => error.get(&Value::keyword(name)).cloned().unwrap_or_default(),
        _ => Value::Nil,
    }
}

/// A cause is an entry only where there is one.
fn thrown(cx: &mut Call, message: Value, data: Value, cause: Option<Value>) -> Eval {
    let cause = cause.filter(|cause| !cause.is_nil());
    let fields = [("kind", Value::keyword("thrown")), ("message", message), ("data", data)];
    let fields = fields.into_iter().chain(cause.map(|cause| ("cause", cause)));
    let error: Map = fields.map(|(name, value)| (Value::keyword(name), value)).collect();
    cx.allocate_entries(error.len())?;
    Ok(Value::map(error))
}
