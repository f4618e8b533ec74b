//! Folding a collection into one value: `reduce`, its variants, and `transduce`.

use super::input::{Source, Walk};
use super::output::Growing;
use crate::builtins::logic::unreduced;
use crate::builtins::predicate::is_callable;
use crate::builtins::prelude::*;
use crate::generator::{Generator, Rule};
use crate::transducer::{self, Flow};

/// `(reduce function collection)` and `(reduce function initial collection)`
pub fn reduce(cx: &mut Call, function: &Value, first: Value, collection: Option<Value>) -> Eval {
    let (initial, collection) = match collection {
        Some(collection) => (Some(first), collection),
        None => (None, first),
    };
    if let (Value::Function(Function::Closure(_)), Value::Generator(source)) = (function, &collection) {
        let mut source = source.clone();
        return match initial.map_or_else(|| generator::step(&mut source, cx), |initial| Ok(Some(initial)))? {
            Some(initial) => fold_unbounded(cx, source, function, initial),
            None => cx.call(function, &mut []),
        };
    }
    demand_function(cx, function, &collection)?;
    let walk = Walk::new(cx, collection)?;
    match initial {
        Some(initial) => fold(cx, &walk, 0, function, initial),
        None => {
            let Some(initial) = walk.items.first().cloned() else { return cx.call(function, &mut []) };
            walk.tick(cx)?;
            fold(cx, &walk, 1, function, initial)
        }
    }
}

/// A vector wants a function even where there is nothing to call it with.
fn demand_function(cx: &mut Interpreter<'_>, function: &Value, collection: &Value) -> Eval<()> {
    match collection {
        Value::Vector(_) if !function.is_nil() && !is_callable(function) => {
            cx.call(function, &mut []).map(drop)
        }
        _ => Ok(()),
    }
}

/// Mostly ends by `reduced` alone, from functions of the program.
fn fold_unbounded(
    cx: &mut Interpreter<'_>,
    mut source: Arc<Generator>,
    function: &Value,
    initial: Value,
) -> Eval {
    let mut result = initial;
    while let Some(item) = generator::step(&mut source, cx)? {
        result = cx.call(function, &mut [result, item])?;
        if let Value::Reduced(value) = result {
            return Ok(value.0.clone());
        }
    }
    Ok(result)
}

fn fold(cx: &mut Interpreter<'_>, walk: &Walk, from: usize, function: &Value, initial: Value) -> Eval {
    let mut result = initial;
    for item in walk.items.iter().skip(from) {
        walk.tick(cx)?;
        cx.fold_in_place(function, &mut result, item)?;
        if let Value::Reduced(value) = result {
            return Ok(value.0.clone());
        }
    }
    Ok(result)
}

/// `(reductions function collection)` and `(reductions function initial collection)`
pub fn reductions(cx: &mut Call, function: Value, first: Value, collection: Option<Value>) -> Eval {
    let (initial, collection) = match collection {
        Some(collection) => (Some(first), collection),
        None => (None, first),
    };
    if let Value::Generator(source) = collection {
        return Ok(Rule::Reductions { function, current: initial, source, started: false }.into());
    }
    let walk = Walk::new(cx, collection)?;
    let from = usize::from(initial.is_none());
    let initial = match initial.or_else(|| walk.items.first().cloned()) {
        Some(initial) => initial,
        None => cx.call(&function, &mut [])?,
    };
    steps(cx, &walk, from, &function, initial)
}

/// Every intermediate result of a fold.
fn steps(cx: &mut Interpreter<'_>, walk: &Walk, from: usize, function: &Value, initial: Value) -> Eval {
    let mut results = Growing::default();
    let mut result = initial;
    for item in walk.items.iter().skip(from) {
        if matches!(result, Value::Reduced(_)) {
            break;
        }
        walk.tick(cx)?;
        results.push(cx, result.clone())?;
        result = cx.call(function, &mut [result, item.clone()])?;
    }
    results.push(cx, unreduced(result))?;
    Ok(results.into_list())
}

pub fn reduce_kv(cx: &mut Call, function: &Value, mut result: Value, collection: Value) -> Eval {
    let indexed = matches!(collection, Value::Vector(_));
    let walk = Walk::new(cx, collection)?;
    for (index, item) in walk.items.iter().enumerate() {
        walk.tick(cx)?;
        let (key, value) = if indexed {
            (Value::from(index), item.clone())
        } else if let Value::Vector(pair) = item
            && let [key, value] = &pair[..]
        {
            (key.clone(), value.clone())
        } else {
            return cx.type_error("a [key value] pair", item);
        };
        result = cx.call(function, &mut [result, key, value])?;
        if let Value::Reduced(value) = result {
            return Ok(value.0.clone());
        }
    }
    Ok(result)
}

pub fn run(cx: &mut Call, function: &Value, walk: Walk) -> Eval {
    for item in &walk.items {
        walk.tick(cx)?;
        if matches!(cx.call(function, &mut [item.clone()])?, Value::Reduced(_)) {
            break;
        }
    }
    Ok(Value::Nil)
}

/// `(transduce transducer function collection)` and `(transduce transducer function initial collection)`
pub fn transduce(
    cx: &mut Call,
    stages: &Value,
    function: Value,
    third: Value,
    collection: Option<Value>,
) -> Eval {
    let (initial, collection) = match collection {
        Some(collection) => (third, collection),
        None => (cx.call(&function, &mut [])?, third),
    };
    let source = Source::new(cx, collection)?;
    if let Some(stages) = transducer::own_stages(stages) {
        return transducer::reduce(cx, stages, function, initial, source);
    }
    let mut result = initial;
    let halt = transducer::run(cx, stages, source, &mut |cx, item| {
        result = cx.call(&function, &mut [result.take(), item])?;
        let Value::Reduced(value) = &result else { return Ok(Flow::More) };
        result = value.0.clone();
        Ok(Flow::Done)
    })?;
    let completed = if takes_one(&function) { cx.call(&function, &mut [result])? } else { result };
    match halt {
        Some(halt) => halt.result(cx, completed),
        None => Ok(completed),
    }
}

/// True if a function can be called with the result alone, as Clojure does at the end.
fn takes_one(function: &Value) -> bool {
    match function {
        Value::Function(Function::Builtin(builtin)) => builtin.arity.admits(1),
        Value::Function(Function::Closure(closure)) => {
            closure.lambda().arities.iter().any(|arity| arity.admits(1))
        }
        _ => true,
    }
}
