//! What programs throw: maps of kind, message and data, as `catch` sees every error.

use crate::builtins::{Builtin, between, exactly, row};
use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::exception::{Class, of_class};
use crate::table::Map;
use crate::value::Value;

const MADE: &str = "An error to throw, with a message and no data.";

pub(in crate::builtins) static ROWS: &[Builtin] = &[
    row(
        ".getCause",
        exactly(1),
        |_, args| Ok(field("cause", args)),
        "The same as ex-cause.",
        "(ex-message (.getCause (Exception. \"a\" (Exception. \"b\")))) ;=> \"b\"",
    ),
    row(
        ".getData",
        exactly(1),
        |_, args| Ok(field("data", args)),
        "The same as ex-data.",
        "(.getData (ex-info \"m\" {:a 1})) ;=> {:a 1}",
    ),
    row(
        "ArithmeticException.",
        between(0, 2),
        |cx, args| exception(cx, "ArithmeticException.", args),
        MADE,
        "(ex-message (ArithmeticException. \"m\")) ;=> \"m\"",
    ),
    row(
        "AssertionError.",
        between(0, 2),
        |cx, args| exception(cx, "AssertionError.", args),
        MADE,
        "(ex-message (AssertionError. \"m\")) ;=> \"m\"",
    ),
    row(
        "ClassCastException.",
        between(0, 2),
        |cx, args| exception(cx, "ClassCastException.", args),
        MADE,
        "(ex-message (ClassCastException. \"m\")) ;=> \"m\"",
    ),
    row(
        "Error.",
        between(0, 2),
        |cx, args| exception(cx, "Error.", args),
        MADE,
        "(ex-message (Error. \"m\")) ;=> \"m\"",
    ),
    row(
        "IllegalStateException.",
        between(0, 2),
        |cx, args| exception(cx, "IllegalStateException.", args),
        MADE,
        "(ex-message (IllegalStateException. \"m\")) ;=> \"m\"",
    ),
    row(
        "IndexOutOfBoundsException.",
        between(0, 2),
        |cx, args| exception(cx, "IndexOutOfBoundsException.", args),
        MADE,
        "(ex-message (IndexOutOfBoundsException. \"m\")) ;=> \"m\"",
    ),
    row(
        "NullPointerException.",
        between(0, 2),
        |cx, args| exception(cx, "NullPointerException.", args),
        MADE,
        "(ex-message (NullPointerException. \"m\")) ;=> \"m\"",
    ),
    row(
        "NumberFormatException.",
        between(0, 2),
        |cx, args| exception(cx, "NumberFormatException.", args),
        MADE,
        "(ex-message (NumberFormatException. \"m\")) ;=> \"m\"",
    ),
    row(
        "Throwable.",
        between(0, 2),
        |cx, args| exception(cx, "Throwable.", args),
        MADE,
        "(ex-message (Throwable. \"m\")) ;=> \"m\"",
    ),
    row(
        "UnsupportedOperationException.",
        between(0, 2),
        |cx, args| exception(cx, "UnsupportedOperationException.", args),
        MADE,
        "(ex-message (UnsupportedOperationException. \"m\")) ;=> \"m\"",
    ),
    row(
        "ex-cause",
        exactly(1),
        |_, args| Ok(field("cause", args)),
        "The error that ex-info was given as the cause of this one, or nil.",
        "(ex-message (ex-cause (ex-info \"a\" {} (Exception. \"b\")))) ;=> \"b\"",
    ),
];

/// `(ex-info message data cause?)`
pub(super) fn ex_info(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [message @ (Value::Str(_) | Value::Nil), data @ Value::Map(_), cause @ ..] => {
            thrown(cx, message.take(), data.take(), cause)
        }
        [Value::Str(_) | Value::Nil, data @ Value::Nil, ..] => {
            type_error("ex-info", "a map", data).map_err(of_class(Class::IllegalArgumentException))
        }
        [Value::Str(_) | Value::Nil, data, ..] => type_error("ex-info", "a map", data),
        [message, ..] => type_error("ex-info", "a string", message),
        [] => Ok(Value::Nil),
    }
}

/// `(Exception. message cause)` and its kin.
pub(super) fn exception(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value]) -> Eval {
    match args {
        [] => thrown(cx, Value::Nil, Value::Nil, &mut []),
        [message @ (Value::Str(_) | Value::Nil), cause @ ..] => thrown(cx, message.take(), Value::Nil, cause),
        [other, ..] => type_error(name, "a string", other),
    }
}

/// The message of an error. Programs print what Java says of text that shows no number, and of integers that grow
/// too large, so these are Java's.
pub(super) fn message(args: &[Value]) -> Value {
    let message = field("message", args);
    match &message {
        Value::Str(text) if text == "integer overflow" && field("kind", args) != Value::keyword("thrown") => {
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
pub(super) fn field(name: &str, args: &[Value]) -> Value {
    match args {
        [Value::Map(error)] => error.get(&Value::keyword(name)).cloned().unwrap_or_default(),
        _ => Value::Nil,
    }
}

/// A cause is an entry only where there is one.
fn thrown(cx: &mut Interpreter<'_>, message: Value, data: Value, cause: &mut [Value]) -> Eval {
    let cause = cause.first_mut().map(Value::take).filter(|cause| !cause.is_nil());
    let fields = [("kind", Value::keyword("thrown")), ("message", message), ("data", data)];
    let fields = fields.into_iter().chain(cause.map(|cause| ("cause", cause)));
    let error: Map = fields.map(|(name, value)| (Value::keyword(name), value)).collect();
    cx.allocate_entries(error.len())?;
    Ok(Value::map(error))
}
