//! Functions that make and call functions. The ones they make have hidden rows, called with their parts first.

use super::{exceptions, tick_nested};
use crate::builtins::CAT;
use crate::builtins::prelude::*;
use crate::transducer;
use crate::value::Held;

builtins! {
    pub(in crate::builtins) static ROWS;

    ".getMessage" = exceptions::message;
    "Exception." = exceptions::exception;
    "IllegalArgumentException." = exceptions::exception;
    "RuntimeException." = exceptions::exception;
    "apply" = |cx: &mut Call, function: &Value, arguments: AtLeast<1>| -> Eval {
        let Some((last, given)) = arguments.0.split_last_mut() else { return cx.call(function, &mut []) };
        let rest = cx.all(last.take())?;
        let mut arguments = taken(given);
        arguments.extend(rest);
        cx.call(function, &mut arguments)
    };
    "comp" = comp;
    "comparator" = |cx: &mut Call, predicate: Value| made_of(cx, &COMPARING, vec![predicate]);
    "complement" = |cx: &mut Call, predicate: Value| made_of(cx, &COMPLEMENT, vec![predicate]);
    "completing" = |cx: &mut Call, function: Value, complete: Option<Value>| -> Eval {
        let complete = complete.unwrap_or(Value::Function(Function::Builtin(&IDENTITY)));
        made_of(cx, &COMPLETING, vec![function, complete])
    };
    "constantly" = |cx: &mut Call, value: Value| made_of(cx, &CONSTANT, vec![value]);
    "ensure-reduced" = |value: Value| -> Value {
        match value {
            Value::Reduced(_) => value,
            other => Value::Reduced(Arc::new(Held(other))),
        }
    };
    "every-pred" = |cx: &mut Call, predicates: AtLeast<1>| made_of_all(cx, &EVERY, predicates.0);
    "ex-data" = |error: &Value| exceptions::field("data", error);
    "ex-info" = exceptions::ex_info;
    "ex-message" = exceptions::message;
    "fnil" = |cx: &mut Call, function: Value, a: Value, b: Option<Value>, c: Option<Value>| -> Eval {
        let defaults: Items = std::iter::once(a).chain(b).chain(c).collect();
        made_of(cx, &DEFAULTS, vec![function, Value::Vector(defaults)])
    };
    "identity" as IDENTITY = |value: Value| value;
    "juxt" = |cx: &mut Call, functions: AtLeast<1>| made_of_all(cx, &JUXT, functions.0);
    "memoize" = memoize;
    "partial" = partial;
    "reduced" = |value: Value| Value::Reduced(Arc::new(Held(value)));
    "reduced?" = |value: &Value| matches!(value, Value::Reduced(_));
    "some-fn" = |cx: &mut Call, predicates: AtLeast<1>| made_of_all(cx, &SOME, predicates.0);
    "trampoline" = trampoline;
    "unreduced" = unreduced;
}

/// Cost of a function without its parts, in bytes.
const FUNCTION_BYTES: usize = 64;

static CONSTANT: Builtin = builtin!("constantly", |value: Value, _: &mut [Value]| value);
static CHAIN: Builtin = builtin!("comp", call_chain);
static PARTIAL: Builtin =
    builtin!("partial", |cx: &mut Call, f: &Value, arguments: &mut [Value]| cx.call(f, arguments));
static COMPLEMENT: Builtin =
    builtin!("complement", |cx: &mut Call, f: &Value, arguments: &mut [Value]| Ok(!cx
        .call(f, arguments)?
        .is_truthy()));
static COMPARING: Builtin = builtin!("comparator", call_comparator);
static COMPLETING: Builtin = builtin!("completing", call_completing);
static JUXT: Builtin = builtin!("juxt", call_juxt);
static EVERY: Builtin = builtin!("every-pred", call_every);
static SOME: Builtin = builtin!("some-fn", call_some);
static DEFAULTS: Builtin = builtin!("fnil", call_with_defaults);
static REMEMBERING: Builtin = builtin!("memoize", call_remembering);

fn comp(cx: &mut Call, functions: &mut [Value]) -> Eval {
    match functions {
        [] => Ok(Value::Function(Function::Builtin(&IDENTITY))),
        [only] => Ok(only.take()),
        parts if parts.iter().any(is_transducer) && parts.iter().all(transducer::is_part) => {
            transducer::compose(cx, parts)
        }
        functions => made_of_all(cx, &CHAIN, functions),
    }
}

fn partial(cx: &mut Call, function: Value, arguments: &mut [Value]) -> Eval {
    if arguments.is_empty() {
        return Ok(function);
    }
    let mut parts = vec![function];
    parts.extend(taken(arguments));
    made_of(cx, &PARTIAL, parts)
}

/// Wraps the function in a partial application without arguments. Its identity is new, so each memoized function has a
/// memory of its own.
fn memoize(cx: &mut Call, function: Value) -> Eval {
    let function = made_of(cx, &PARTIAL, vec![function])?;
    made_of(cx, &REMEMBERING, vec![function])
}

fn call_chain(cx: &mut Call, functions: &[Value], arguments: &mut [Value]) -> Eval {
    let [rest @ .., last] = functions else { return Ok(Value::Nil) };
    let mut result = cx.call(last, arguments)?;
    for function in rest.iter().rev() {
        result = cx.call(function, &mut [result])?;
    }
    Ok(result)
}

fn call_comparator(cx: &mut Call, predicate: &Value, a: &Value, b: &Value) -> Eval<i64> {
    if cx.call(predicate, &mut [a.clone(), b.clone()])?.is_truthy() {
        return Ok(-1);
    }
    Ok(cx.call(predicate, &mut [b.clone(), a.clone()])?.is_truthy().into())
}

fn call_completing(cx: &mut Call, function: &Value, complete: &Value, arguments: &mut [Value]) -> Eval {
    cx.call(if arguments.len() == 1 { complete } else { function }, arguments)
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
    let key: Items = std::iter::once(function).chain(&*arguments).cloned().collect();
    let key = Value::Vector(key);
    cx.tick(1)?;
    for argument in &*arguments {
        tick_nested(cx, argument)?;
    }
    if let Some(result) = cx.memo.get(&key) {
        return Ok(result.clone());
    }
    let remembered = match function {
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

/// The parts in one vector, apart from the arguments after it.
fn made_of_all(cx: &mut Call, run: &'static Builtin, parts: &mut [Value]) -> Eval {
    let parts = Value::vector(taken(parts));
    made_of(cx, run, vec![parts])
}

/// `(trampoline f argument…)`: what comes back is called as long as it is a function.
fn trampoline(cx: &mut Call, function: &Value, arguments: &mut [Value]) -> Eval {
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

pub(in crate::builtins) fn unreduced(value: Value) -> Value {
    match value {
        Value::Reduced(value) => value.0.clone(),
        other => other,
    }
}
