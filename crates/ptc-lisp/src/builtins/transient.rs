//! Transient collections. Values change in place when nobody else holds them, so each is the collection itself.

use super::change::assoc;
use super::map::dissoc;
use super::seq::{conj, pop};
use super::set::disj;
use crate::builtins::prelude::*;

builtins! {
    pub(super) static ROWS;

    /// The same as assoc.
    "assoc!" alias "assoc" = assoc => "(persistent! (assoc! (transient {}) :a 1)) ;=> {:a 1}"
    /// The same as conj.
    "conj!" alias "conj" = conj => "(persistent! (reduce conj! (transient []) (range 3))) ;=> [0 1 2]"
    /// The same as disj.
    "disj!" alias "disj" = disj => "(persistent! (disj! (transient #{1 2}) 1)) ;=> #{2}"
    /// The same as dissoc.
    "dissoc!" alias "dissoc" = |cx: &mut Call, map: Value, keys: AtLeast<1>| dissoc(cx, map, keys.0) =>
        "(persistent! (dissoc! (transient {:a 1 :b 2}) :a)) ;=> {:b 2}"
    /// The collection as it is.
    "persistent!" = collection => "(persistent! (transient [1])) ;=> [1]"
    /// The same as pop.
    "pop!" alias "pop" = pop => "(persistent! (pop! (transient [1 2]))) ;=> [1]"
    /// The vector, map or set as it is; conj! and assoc! give what they change.
    "transient" = collection => "(persistent! (conj! (transient #{}) 1)) ;=> #{1}"
}

fn collection(cx: &mut Call, value: Value) -> Eval {
    match value {
        Value::Vector(_) | Value::Map(_) | Value::Set(_) => Ok(value),
        other => cx.type_error("a vector, map or set", &other),
    }
}
