//! Functions that make functions. Each has a hidden row, which is called with what it was made of first
//! and the arguments of the call after that.

use triomphe::Arc;

use crate::builtins::{Builtin, at_least, find};
use crate::error::{Eval, arity_error};
use crate::eval::Interpreter;
use crate::items::Items;
use crate::meter;
use crate::transducer;
use crate::value::{Composed, Function, Value};

use super::{first, tick_nested};

/// What a function costs beside its parts, in bytes.
const FUNCTION_BYTES: usize = 64;

static CONSTANT: Builtin = hidden("constantly", |_, args| Ok(first(args)));
static CHAIN: Builtin = hidden("comp", call_chain);
static PARTIAL: Builtin = hidden("partial", call_partial);
static COMPLEMENT: Builtin = hidden("complement", call_complement);
static JUXT: Builtin = hidden("juxt", call_juxt);
static EVERY: Builtin = hidden("every-pred", call_every);
static SOME: Builtin = hidden("some-fn", call_some);
static DEFAULTS: Builtin = hidden("fnil", call_with_defaults);
static REMEMBERING: Builtin = hidden("memoize", call_remembering);

const fn hidden(name: &'static str, run: super::super::Run) -> Builtin {
    Builtin { name, arity: at_least(0), run, doc: "", example: "" }
}

pub(super) fn constantly(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    made_of(cx, &CONSTANT, args)
}

pub(super) fn comp(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [] => Ok(find("identity").map_or(Value::Nil, |row| Value::Function(Function::Builtin(row)))),
        [only] => Ok(only.take()),
        parts if parts.iter().any(is_transducer) && parts.iter().all(transducer::is_part) => {
            transducer::compose(cx, parts)
        }
        functions => made_of_all(cx, &CHAIN, functions),
    }
}

pub(super) fn partial(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [only] => Ok(only.take()),
        parts => made_of(cx, &PARTIAL, parts),
    }
}

pub(super) fn complement(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    made_of(cx, &COMPLEMENT, args)
}

pub(super) fn juxt(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    made_of_all(cx, &JUXT, args)
}

pub(super) fn every_pred(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    made_of_all(cx, &EVERY, args)
}

pub(super) fn some_fn(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    made_of_all(cx, &SOME, args)
}

pub(super) fn fnil(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [function, defaults @ ..] => {
            let defaults = Value::vector(taken(defaults));
            made_of(cx, &DEFAULTS, &mut [function.take(), defaults])
        }
        [] => Ok(Value::Nil),
    }
}

/// The partial application inside has no arguments: it is there because it is made anew, so that its
/// identity keeps what this function remembers apart from what others do.
pub(super) fn memoize(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let function = made_of(cx, &PARTIAL, args)?;
    made_of(cx, &REMEMBERING, &mut [function])
}

pub(super) fn apply(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [function, given @ .., last] => {
            let rest = cx.items("apply", last.take())?;
            cx.tick(rest.len())?;
            let mut arguments = taken(given);
            arguments.extend(rest);
            cx.call(function, &mut arguments)
        }
        _ => Ok(Value::Nil),
    }
}

fn call_chain(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Vector(functions), arguments @ ..] = args else { return Ok(Value::Nil) };
    let [rest @ .., last] = &**functions else { return Ok(Value::Nil) };
    let result = cx.call(last, arguments)?;
    rest.iter().rev().try_fold(result, |value, function| cx.call(function, &mut [value]))
}

fn call_partial(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [function, arguments @ ..] => cx.call(function, arguments),
        [] => Ok(Value::Nil),
    }
}

fn call_complement(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    call_partial(cx, args).map(|result| Value::Bool(!result.is_truthy()))
}

fn call_juxt(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Vector(functions), arguments @ ..] = args else { return Ok(Value::Nil) };
    let mut results = Vec::with_capacity(functions.len());
    for function in functions.iter() {
        meter::owe_copy(16 * arguments.len());
        results.push(cx.call(function, &mut arguments.to_vec())?);
    }
    cx.vector(results)
}

fn call_every(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Vector(predicates), arguments @ ..] = args else { return Ok(Value::Nil) };
    for predicate in predicates.iter() {
        for argument in arguments.iter() {
            if !cx.call(predicate, &mut [argument.clone()])?.is_truthy() {
                return Ok(Value::Bool(false));
            }
        }
    }
    Ok(Value::Bool(true))
}

fn call_some(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [Value::Vector(predicates), arguments @ ..] = args else { return Ok(Value::Nil) };
    let mut result = Value::Nil;
    for predicate in predicates.iter() {
        for argument in arguments.iter() {
            result = cx.call(predicate, &mut [argument.clone()])?;
            if result.is_truthy() {
                return Ok(result);
            }
        }
    }
    // Clojure writes out up to three predicates and arguments with `or`; past that it asks `some`.
    Ok(if predicates.len() > 3 || arguments.len() > 3 { Value::Nil } else { result })
}

fn call_with_defaults(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [function, Value::Vector(defaults), arguments @ ..] = args else { return Ok(Value::Nil) };
    // With three defaults Clojure still takes two arguments.
    let least = defaults.len().min(2);
    if arguments.len() < least {
        return arity_error("fn", &format!("{least}+"), arguments.len());
    }
    for (argument, default) in arguments.iter_mut().zip(defaults.iter()) {
        if argument.is_nil() {
            *argument = default.clone();
        }
    }
    cx.call(function, arguments)
}

fn call_remembering(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let key = Value::vector(args.to_vec());
    let [Value::Function(Function::Composed(inner)), arguments @ ..] = args else { return Ok(Value::Nil) };
    cx.tick(1)?;
    arguments.iter().try_for_each(|argument| tick_nested(cx, argument))?;
    if let Some(result) = cx.memo.get(&key) {
        return Ok(result.clone());
    }
    let [function] = &*inner.parts else { return Ok(Value::Nil) };
    let result = cx.call(function, arguments)?;
    cx.allocate_slots(arguments.len())?;
    cx.allocate_entries(1)?;
    cx.memo.insert(key, result.clone());
    Ok(result)
}

fn made_of(cx: &mut Interpreter<'_>, run: &'static Builtin, parts: &mut [Value]) -> Eval {
    cx.allocate(FUNCTION_BYTES)?;
    cx.allocate_slots(parts.len())?;
    let parts = Items::from(taken(parts));
    Ok(Value::Function(Function::Composed(Arc::new(Composed { run, parts }))))
}

/// The parts in one vector, so that the arguments that follow can be told from them.
fn made_of_all(cx: &mut Interpreter<'_>, run: &'static Builtin, parts: &mut [Value]) -> Eval {
    let parts = Value::vector(taken(parts));
    made_of(cx, run, &mut [parts])
}

fn taken(values: &mut [Value]) -> Vec<Value> {
    values.iter_mut().map(Value::take).collect()
}

/// `(trampoline f argument…)`: what comes back is called as long as it is a function.
pub(super) fn trampoline(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [function, arguments @ ..] = args else { return Ok(Value::Nil) };
    let mut result = cx.call(function, arguments)?;
    while matches!(result, Value::Function(_)) {
        result = cx.call(&result, &mut [])?;
    }
    Ok(result)
}

fn is_transducer(value: &Value) -> bool {
    match value {
        Value::Function(Function::Builtin(builtin)) => builtin.name == "cat",
        _ => matches!(value, Value::Function(Function::Transducer(_))),
    }
}
