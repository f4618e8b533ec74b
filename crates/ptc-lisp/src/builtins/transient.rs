//! Transient collections as Clojure programs write them. Values here change in place anyway when nobody
//! else holds them, so a transient is the collection itself.

use super::{Builtin, at_least, exactly, row, run_as};
use crate::error::{Eval, type_error};
use crate::value::Value;

pub(super) static ROWS: &[Builtin] = &[
    row(
        "assoc!",
        at_least(3),
        |cx, args| run_as(cx, "assoc", args),
        "The same as assoc.",
        "(persistent! (assoc! (transient {}) :a 1)) ;=> {:a 1}",
    ),
    row(
        "conj!",
        at_least(0),
        |cx, args| run_as(cx, "conj", args),
        "The same as conj.",
        "(persistent! (reduce conj! (transient []) (range 3))) ;=> [0 1 2]",
    ),
    row(
        "disj!",
        at_least(1),
        |cx, args| run_as(cx, "disj", args),
        "The same as disj.",
        "(persistent! (disj! (transient #{1 2}) 1)) ;=> #{2}",
    ),
    row(
        "dissoc!",
        at_least(2),
        |cx, args| run_as(cx, "dissoc", args),
        "The same as dissoc.",
        "(persistent! (dissoc! (transient {:a 1 :b 2}) :a)) ;=> {:b 2}",
    ),
    row(
        "persistent!",
        exactly(1),
        |_, args| collection("persistent!", args),
        "The collection as it is.",
        "(persistent! (transient [1])) ;=> [1]",
    ),
    row(
        "pop!",
        exactly(1),
        |cx, args| run_as(cx, "pop", args),
        "The same as pop.",
        "(persistent! (pop! (transient [1 2]))) ;=> [1]",
    ),
    row(
        "transient",
        exactly(1),
        |_, args| collection("transient", args),
        "The vector, map or set as it is; conj! and assoc! give what they change.",
        "(persistent! (conj! (transient #{}) 1)) ;=> #{1}",
    ),
];

fn collection(name: &str, args: &mut [Value]) -> Eval {
    match args {
        [value @ (Value::Vector(_) | Value::Map(_) | Value::Set(_))] => Ok(value.take()),
        _ => type_error(name, "a vector, map or set", args.first().unwrap_or(&Value::Nil)),
    }
}
