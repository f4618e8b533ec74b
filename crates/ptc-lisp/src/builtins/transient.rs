//! Transient collections. Unshared values change in place anyway, so each is the collection itself.

use super::change::assoc;
use super::map::dissoc;
use super::seq::{conj, pop};
use super::set::disj;
use crate::builtins::prelude::*;

builtins! {
    pub(super) static ROWS;

    "assoc!" alias "assoc" = assoc;
    "conj!" alias "conj" = conj;
    "disj!" alias "disj" = disj;
    "dissoc!" alias "dissoc" = |cx: &mut Call, map: Value, keys: AtLeast<1>| dissoc(cx, map, keys.0);
    "persistent!" = collection;
    "pop!" alias "pop" = pop;
    "transient" = collection;
}

fn collection(cx: &mut Call, value: Value) -> Eval {
    match value {
        Value::Vector(_) | Value::Map(_) | Value::Set(_) => Ok(value),
        other => cx.type_error("a vector, map or set", &other),
    }
}
