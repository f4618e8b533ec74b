//! Integers as 64 bits. Bit numbers and distances are taken modulo 64, as the JVM does.

use crate::builtins::prelude::*;

/// The bits of an integer.
pub(super) struct Bits(pub i64);

/// The number of a bit, or a distance.
pub(super) struct Position(pub u32);

from_value! {
    Bits: |cx, value| match value {
        Value::Int(bits) => Ok(Bits(*bits)),
        Value::Nil => cx.type_error("an integer", value),
        other => cx.type_error("an integer", other).map_err(of_class(Class::IllegalArgumentException)),
    };
    Position: |cx, value| Bits::from_value(cx, value).map(|Bits(number)| Position((number & 63) as u32));
}

/// Combines the bits of the integers from left to right.
pub(super) fn fold(cx: &mut Call, integers: AtLeast<2>, combine: fn(i64, i64) -> i64) -> Eval<i64> {
    let [first, others @ ..] = integers.0 else { return Ok(0) };
    let first = Bits::from_value(cx, first)?.0;
    others.iter_mut().try_fold(first, |total, value| Ok(combine(total, Bits::from_value(cx, value)?.0)))
}
