//! Which `catch` an error belongs to: the classes that Clojure would throw, and what they extend. The
//! language has no classes; their names only choose among several `catch`es of one `try`.

use super::error::{Error, ErrorKind};
use super::value::Value;

/// Classes and what they extend.
const PARENTS: &[(&str, &str)] = &[
    ("ArithmeticException", "RuntimeException"),
    ("ArityException", "IllegalArgumentException"),
    ("ArrayIndexOutOfBoundsException", "IndexOutOfBoundsException"),
    ("AssertionError", "Error"),
    ("ClassCastException", "RuntimeException"),
    ("DateTimeParseException", "RuntimeException"),
    ("Error", "Throwable"),
    ("Exception", "Throwable"),
    ("ExceptionInfo", "RuntimeException"),
    ("IllegalArgumentException", "RuntimeException"),
    ("IllegalStateException", "RuntimeException"),
    ("IndexOutOfBoundsException", "RuntimeException"),
    ("NullPointerException", "RuntimeException"),
    ("NumberFormatException", "IllegalArgumentException"),
    ("RuntimeException", "Exception"),
    ("StringIndexOutOfBoundsException", "IndexOutOfBoundsException"),
    ("UnsupportedOperationException", "RuntimeException"),
];

/// What has no parent here.
const ROOT: &str = "Throwable";

/// Some of the classes that an error can have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classes(u32);

/// Builtins whose wrong arguments are no numbers: texts, and nil too.
const INTEGER_PARSERS: [&str; 2] = ["Integer/", "Long/"];
/// Those for which nil is a wrong argument of another kind.
const FLOAT_PARSERS: [&str; 2] = ["Double/", "Float/"];

/// Whether `(catch class …)` would catch the error in Clojure, as far as can be told.
pub fn is_caught(error: &Error, class: &str) -> bool {
    match error.class {
        Some(thrown) => extends(thrown.name(), class),
        None => candidates(error).iter().any(|thrown| extends(thrown, class)),
    }
}

impl Classes {
    /// The class alone; none if no error has it.
    pub fn of(class: &str) -> Classes {
        let bit = names().position(|name| name == class).map(|index| 1 << index);
        Classes(bit.unwrap_or(0))
    }

    pub fn and(self, others: Classes) -> Classes {
        Classes(self.0 | others.0)
    }

    /// Whether a `catch` of one of them would catch the error.
    pub fn catch(self, error: &Error) -> bool {
        names().enumerate().any(|(index, name)| self.0 >> index & 1 == 1 && is_caught(error, name))
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    PARENTS.iter().map(|(name, _)| *name).chain([ROOT])
}

fn candidates(error: &Error) -> &'static [&'static str] {
    match error.kind {
        ErrorKind::Thrown if matches!(error.data, Value::Map(_)) => &["ExceptionInfo"],
        ErrorKind::ArithmeticError if error.message.starts_with("cannot convert") => {
            &["IllegalArgumentException"]
        }
        ErrorKind::ArithmeticError => &["ArithmeticException"],
        ErrorKind::ArityError => &["ArityException"],
        ErrorKind::AssertionFailed => &["AssertionError"],
        ErrorKind::TypeError if INTEGER_PARSERS.iter().any(|name| error.message.starts_with(name)) => {
            of_parser(&error.message)
        }
        ErrorKind::NotCallable | ErrorKind::TypeError if concerns_nil(&error.message) => {
            &["NullPointerException"]
        }
        ErrorKind::NotCallable => &["ClassCastException"],
        ErrorKind::TypeError if FLOAT_PARSERS.iter().any(|name| error.message.starts_with(name)) => {
            &["NumberFormatException"]
        }
        ErrorKind::TypeError if error.message.starts_with("LocalDate/") => &["DateTimeParseException"],
        ErrorKind::TypeError if error.message.contains(": expected an index") => {
            &["ArrayIndexOutOfBoundsException", "StringIndexOutOfBoundsException"]
        }
        ErrorKind::DestructureError => &["UnsupportedOperationException"],
        ErrorKind::TypeError => of_wrong_type(&error.message),
        _ => &["RuntimeException"],
    }
}

fn concerns_nil(message: &str) -> bool {
    message.contains("got nil") || message.starts_with("cannot call nil")
}

/// What is no text has no method that would read it.
fn of_parser(message: &str) -> &'static [&'static str] {
    let is_read = message.contains("got string") || concerns_nil(message);
    if is_read { &["NumberFormatException"] } else { &["IllegalArgumentException"] }
}

/// What the function that a message names throws where it gets something else than it wants.
fn of_wrong_type(message: &str) -> &'static [&'static str] {
    let (name, wanted) = message.split_once(": expected ").unwrap_or((message, ""));
    match name {
        "conj" => &["ClassCastException"],
        "contains?" | "keys" | "select-keys" | "vals" => &["IllegalArgumentException"],
        "count" | "nth" => &["UnsupportedOperationException"],
        "vec" => &["RuntimeException"],
        _ if wanted.starts_with("a collection") => &["IllegalArgumentException"],
        _ => &["ClassCastException"],
    }
}

fn extends(thrown: &str, class: &str) -> bool {
    let parent = |name: &str| PARENTS.iter().find(|(child, _)| *child == name).map(|(_, parent)| *parent);
    thrown == class || std::iter::successors(parent(thrown), |name| parent(name)).any(|name| name == class)
}
