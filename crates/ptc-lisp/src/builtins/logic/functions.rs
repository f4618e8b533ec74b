//! Functions that make functions. Each has a hidden row, which is called with what it was made of first
//! and the arguments of the call after that.

use triomphe::Arc;

use crate::builtin;
use crate::builtins::{AtLeast, Builtin, CAT, Call};
use crate::error::{Eval, arity_error};
use crate::items::Items;
use crate::meter;
use crate::transducer;
use crate::value::{Composed, Function, Value};

use super::{IDENTITY, tick_nested};

/// Cost of a function beside its parts, in bytes.
const FUNCTION_BYTES: usize = 64;

static CONSTANT: Builtin = builtin!("constantly", |value: Value, _: &mut [Value]| value, "", "");
static CHAIN: Builtin = builtin!("comp", call_chain, "", "");
static PARTIAL: Builtin = builtin!("partial", call_partial, "", "");
static COMPLEMENT: Builtin = builtin!("complement", call_complement, "", "");
static JUXT: Builtin = builtin!("juxt", call_juxt, "", "");
static EVERY: Builtin = builtin!("every-pred", call_every, "", "");
static SOME: Builtin = builtin!("some-fn", call_some, "", "");
static DEFAULTS: Builtin = builtin!("fnil", call_with_defaults, "", "");
static REMEMBERING: Builtin = builtin!("memoize", call_remembering, "", "");

pub(super) fn constantly(cx: &mut Call, value: Value) -> Eval {
    made_of(cx, &CONSTANT, vec![value])
}

pub(super) fn comp(cx: &mut Call, functions: &mut [Value]) -> Eval {
    match functions {
        [] => Ok(Value::Function(Function::Builtin(&IDENTITY))),
        [only] => Ok(only.take()),
        parts if parts.iter().any(is_transducer) && parts.iter().all(transducer::is_part) => {
            transducer::compose(cx, parts)
        }
        functions => made_of_all(cx, &CHAIN, functions),
    }
}

pub(super) fn partial(cx: &mut Call, function: Value, arguments: &mut [Value]) -> Eval {
    if arguments.is_empty() {
        return Ok(function);
    }
    let mut parts = vec![function];
    parts.extend(arguments.iter_mut().map(Value::take));
    made_of(cx, &PARTIAL, parts)
}

pub(super) fn complement(cx: &mut Call, predicate: Value) -> Eval {
    made_of(cx, &COMPLEMENT, vec![predicate])
}

pub(super) fn juxt(cx: &mut Call, functions: AtLeast<1>) -> Eval {
    made_of_all(cx, &JUXT, functions.0)
}

pub(super) fn every_pred(cx: &mut Call, predicates: AtLeast<1>) -> Eval {
    made_of_all(cx, &EVERY, predicates.0)
}

pub(super) fn some_fn(cx: &mut Call, predicates: AtLeast<1>) -> Eval {
    made_of_all(cx, &SOME, predicates.0)
}

pub(super) fn fnil(cx: &mut Call, function: Value, a: Value, b: Option<Value>, c: Option<Value>) -> Eval {
    let defaults: Items = std::iter::once(a).chain(b).chain(c).collect();
    made_of(cx, &DEFAULTS, vec![function, Value::Vector(defaults)])
}

/// The partial application inside has no arguments: it is there because it is made anew, so that its
/// identity keeps what this function remembers apart from what others do.
pub(super) fn memoize(cx: &mut Call, function: Value) -> Eval {
    let function = made_of(cx, &PARTIAL, vec![function])?;
    made_of(cx, &REMEMBERING, vec![function])
}

pub(super) fn apply(cx: &mut Call, function: &Value, arguments: AtLeast<1>) -> Eval {
    let Some((last, given)) = arguments.0.split_last_mut() else { return cx.call(function, &mut []) };
    let rest = cx.all(last.take())?;
    let mut arguments = taken(given);
    arguments.extend(rest);
    cx.call(function, &mut arguments)
}

fn call_chain(cx: &mut Call, functions: &[Value], arguments: &mut [Value]) -> Eval {
    let [rest @ .., last] = functions else { return Ok(Value::Nil) };
    let result = cx.call(last, arguments)?;
    rest.iter().rev().try_fold(result, |value, function| cx.call(function, &mut [value]))
}

fn call_partial(cx: &mut Call, function: &Value, arguments: &mut [Value]) -> Eval {
    cx.call(function, arguments)
}

fn call_complement(cx: &mut Call, predicate: &Value, arguments: &mut [Value]) -> Eval<bool> {
    Ok(!cx.call(predicate, arguments)?.is_truthy())
}

fn call_juxt(cx: &mut Call, functions: &[Value], arguments: &mut [Value]) -> Eval {
    let mut results = Vec::with_capacity(functions.len());
    for function in functions {
        meter::owe_copy(16 * arguments.len());
        results.push(cx.call(function, &mut arguments.to_vec())?);
    }
    cx.vector(results)
}

fn call_every(cx: &mut Call, predicates: &[Value], arguments: &mut [Value]) -> Eval<bool> {
    for predicate in predicates {
        for argument in &*arguments {
            if !cx.call(predicate, &mut [argument.clone()])?.is_truthy() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn call_some(cx: &mut Call, predicates: &[Value], arguments: &mut [Value]) -> Eval {
    let mut result = Value::Nil;
    for predicate in predicates {
        for argument in &*arguments {
            result = cx.call(predicate, &mut [argument.clone()])?;
            if result.is_truthy() {
                return Ok(result);
            }
        }
    }
    // Clojure writes out up to three predicates and arguments with `or`; past that it asks `some`.
    Ok(if predicates.len() > 3 || arguments.len() > 3 { Value::Nil } else { result })
}

fn call_with_defaults(cx: &mut Call, function: &Value, defaults: &[Value], arguments: &mut [Value]) -> Eval {
    // With three defaults Clojure still takes two arguments.
    let least = defaults.len().min(2);
    if arguments.len() < least {
        return arity_error("fn", &format!("{least}+"), arguments.len());
    }
    for (argument, default) in arguments.iter_mut().zip(defaults) {
        if argument.is_nil() {
            *argument = default.clone();
        }
    }
    cx.call(function, arguments)
}

fn call_remembering(cx: &mut Call, function: &Value, arguments: &mut [Value]) -> Eval {
    let key: Items = std::iter::once(&*function).chain(&*arguments).cloned().collect();
    let key = Value::Vector(key);
    cx.tick(1)?;
    arguments.iter().try_for_each(|argument| tick_nested(cx, argument))?;
    if let Some(result) = cx.memo.get(&key) {
        return Ok(result.clone());
    }
    let remembered = match &*function {
        Value::Function(Function::Composed(made)) => made.parts.first(),
        _ => None,
    };
    let result = cx.call(remembered.unwrap_or(function), arguments)?;
    cx.allocate_slots(arguments.len())?;
    cx.allocate_entries(1)?;
    cx.memo.insert(key, result.clone());
    Ok(result)
}

fn made_of(cx: &mut Call, run: &'static Builtin, parts: Vec<Value>) -> Eval {
    cx.allocate(FUNCTION_BYTES)?;
    cx.allocate_slots(parts.len())?;
    Ok(Value::Function(Function::Composed(Arc::new(Composed { run, parts: Items::from(parts) }))))
}

/// The parts in one vector, so that the arguments that follow can be told from them.
fn made_of_all(cx: &mut Call, run: &'static Builtin, parts: &mut [Value]) -> Eval {
    let parts = Value::vector(taken(parts));
    made_of(cx, run, vec![parts])
}

fn taken(values: &mut [Value]) -> Vec<Value> {
    values.iter_mut().map(Value::take).collect()
}

/// `(trampoline f argument…)`: what comes back is called as long as it is a function.
pub(super) fn trampoline(cx: &mut Call, function: &Value, arguments: &mut [Value]) -> Eval {
    let mut result = cx.call(function, arguments)?;
    while matches!(result, Value::Function(_)) {
        result = cx.call(&result, &mut [])?;
    }
    Ok(result)
}

fn is_transducer(value: &Value) -> bool {
    match value {
        Value::Function(Function::Builtin(builtin)) => std::ptr::eq(*builtin, &CAT),
        _ => matches!(value, Value::Function(Function::Transducer(_))),
    }
}
