//! Integers as 64 bits. Bit numbers and distances are taken modulo 64, as the JVM does.

use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::exception::{Class, of_class};
use crate::value::Value;

pub(super) fn fold(name: &str, combine: fn(i64, i64) -> i64, args: &mut [Value]) -> Eval {
    let mut bits = args.iter();
    let first = bits.next().map_or(Ok(0), |first| integer(name, first))?;
    let all = bits.try_fold(first, |total, value| Ok(combine(total, integer(name, value)?)));
    all.map(Value::Int)
}

pub(super) fn not(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Int(bits)] => Ok(Value::Int(!*bits)),
        _ => fold("bit-not", |bits, _| bits, args),
    }
}

pub(super) fn test(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    at("bit-test", |bits, number| bits >> number & 1, args).map(|bit| Value::Bool(bit == Value::Int(1)))
}

/// A function of an integer and a position in it.
pub(super) fn at(name: &str, change: fn(i64, u32) -> i64, args: &mut [Value]) -> Eval {
    match args {
        [Value::Int(bits), Value::Int(position)] => Ok(Value::Int(change(*bits, (*position & 63) as u32))),
        _ => fold(name, |bits, _| bits, args),
    }
}

fn integer(name: &str, value: &Value) -> Eval<i64> {
    match value {
        Value::Int(bits) => Ok(*bits),
        Value::Nil => type_error(name, "an integer", value),
        other => type_error(name, "an integer", other).map_err(of_class(Class::IllegalArgumentException)),
    }
}
