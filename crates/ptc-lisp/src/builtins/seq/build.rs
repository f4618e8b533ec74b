//! Making collections: from arguments, from other collections, from a rule.

use super::input::{Count, Index, Rows, Source, finite, sequence};
use super::output::{Growing, add, add_key, grow};
use super::{CONJ, VECTOR};
use crate::builtins::logic::IDENTITY;
use crate::builtins::map::map_of;
use crate::builtins::predicate::IS_SOME;
use crate::builtins::prelude::*;
use crate::builtins::sum;
use crate::generator::{Generator, Rule};
use crate::transducer::{self, Flow};

pub fn list_star(cx: &mut Call, AtLeast(items): AtLeast<1>) -> Eval {
    let Some((tail, heads)) = items.split_last_mut() else { return Ok(Value::Nil) };
    let mut items = taken(heads);
    items.extend(cx.all(tail.take())?);
    if items.is_empty() { Ok(Value::Nil) } else { cx.list(items) }
}

pub fn vec_of(cx: &mut Call, collection: Value) -> Eval {
    if let Value::Vector(items) = collection {
        return Ok(Value::Vector(items.into_list()));
    }
    let items = sequence(cx, collection).map_err(of_class(Class::RuntimeException))?;
    cx.allocate_slots(items.len())?;
    Ok(Value::Vector(items))
}

/// `(sequence collection)` and `(sequence transducer collection…)`
pub fn sequence_of(cx: &mut Call, first: &mut Value, collections: &mut [Value]) -> Eval {
    let mut results = Growing::default();
    let mut sink = |cx: &mut Interpreter<'_>, item| {
        results.push(cx, item)?;
        Ok(Flow::More)
    };
    match collections {
        [] => return Ok(Value::List(sequence(cx, first.take())?)),
        [collection] => {
            let source = Source::new(cx, collection.take())?;
            if let Some(stages) = transducer::own_stages(first) {
                let items = transducer::reduce(cx, stages, conj_function(), Value::vector(vec![]), source)?;
                return sequence(cx, items).map(Value::List);
            }
            transducer::run(cx, first, source, &mut sink)?;
        }
        collections => {
            let rows = Rows::new(cx, collections)?;
            transducer::run_rows(cx, first, rows, &mut sink)?;
        }
    }
    Ok(results.into_list())
}

fn conj_function() -> Value {
    Value::Function(Function::Builtin(&CONJ))
}

pub fn concat(cx: &mut Call, collections: &mut [Value]) -> Eval {
    let mut results = Growing::default();
    let count = collections.len();
    for (index, collection) in collections.iter_mut().enumerate() {
        if let Value::Generator(source) = collection
            && (index + 1 == count || !source.may_end())
        {
            let before = cx.all(results.into_list())?;
            return Ok(Rule::After { items: before, next: 0, source: source.clone() }.into());
        }
        let items = cx.all(collection.take())?;
        results.extend(cx, items)?;
    }
    Ok(results.into_list())
}

pub fn cons(cx: &mut Call, item: Value, collection: Value) -> Eval {
    if let Value::Generator(source) = collection {
        return Ok(Rule::After { items: Items::from(vec![item]), next: 0, source }.into());
    }
    let mut items = sequence(cx, collection)?;
    grow(cx, items.len(), 1)?;
    items.push_front(item);
    Ok(Value::List(items))
}

pub fn conj(cx: &mut Call, collection: Option<Value>, items: &mut [Value]) -> Eval {
    let Some(mut result) = collection else { return cx.vector(Vec::new()) };
    for item in items {
        add(cx, &mut result, item.take())?;
    }
    Ok(result)
}

/// `(into target source)` and `(into target transducer source)`
pub fn into(cx: &mut Call, target: Option<Value>, second: Option<Value>, source: Option<Value>) -> Eval {
    match (target, second, source) {
        (None, ..) => cx.vector(Vec::new()),
        (Some(target), None, _) => Ok(target),
        (Some(target), Some(source), None) => pour(cx, target, source),
        (Some(target), Some(stages), Some(source)) => pour_through(cx, target, &stages, source),
    }
}

fn pour(cx: &mut Call, target: Value, source: Value) -> Eval {
    let mut result = target;
    match (&mut result, source) {
        (Value::Map(map), Value::Map(entries)) => {
            cx.tick(entries.len())?;
            for (key, value) in entries.iter() {
                add_key(cx, map, key.clone(), value.clone())?;
            }
        }
        (Value::Vector(items), source) if items.is_empty() => {
            let added = cx.all(source)?;
            cx.allocate_slots(added.len())?;
            *items = added;
        }
        (_, source) => {
            for item in cx.all(source)? {
                add(cx, &mut result, item)?;
            }
        }
    }
    Ok(result)
}

fn pour_through(cx: &mut Call, target: Value, stages: &Value, source: Value) -> Eval {
    let source = Source::new(cx, source)?;
    if let Some(stages) = transducer::own_stages(stages) {
        return transducer::reduce(cx, stages, conj_function(), target, source);
    }
    let mut result = target;
    let name = cx.name;
    let halt = transducer::run(cx, stages, source, &mut |cx, item| {
        add(&mut Call::new(name, cx), &mut result, item)?;
        Ok(Flow::More)
    })?;
    match halt {
        Some(halt) => halt.result(cx, result),
        None => Ok(result),
    }
}

pub fn halt_when(predicate: Value, combine: Option<Value>) -> Value {
    Transducer::of(Step::HaltWhen { predicate, combine: combine.unwrap_or_default(), found: None })
}

/// `(lazy-seq body…)`, reached through a special form with its body as a function.
pub static LAZY_SEQ: Builtin = crate::builtin!("lazy-seq", lazy_seq);

fn lazy_seq(cx: &mut Call, body: Value) -> Value {
    cx.is_lazy = true;
    Rule::Lazy(body).into()
}

fn function_option(options: &Value, name: &str, default: &'static Builtin) -> Value {
    match flexible::get(options, &Value::keyword(name)) {
        Some(function) => function,
        None => Value::Function(Function::Builtin(default)),
    }
}

/// `(iteration step …)`: calls a step with a key from its last result, and returns all results at once.
pub fn iteration(cx: &mut Call, step: &Value, options: &mut [Value]) -> Eval {
    let options = match options {
        [map] => map.take(),
        _ => map_of(&mut cx.named("hash-map"), options)?,
    };
    let is_some = function_option(&options, "somef", &IS_SOME);
    let value_of = function_option(&options, "vf", &IDENTITY);
    let key_of = function_option(&options, "kf", &IDENTITY);
    let mut key = flexible::get(&options, &Value::keyword("initk")).unwrap_or_default();
    let mut results = Growing::default();
    loop {
        let result = cx.call(step, &mut [key])?;
        if !cx.call(&is_some, &mut [result.clone()])?.is_truthy() {
            break;
        }
        let value = cx.call(&value_of, &mut [result.clone()])?;
        results.push(cx, value)?;
        key = cx.call(&key_of, &mut [result])?;
        if key.is_nil() {
            break;
        }
    }
    Ok(results.into_list())
}

pub fn interleave(cx: &mut Call, collections: &mut [Value]) -> Eval {
    if !collections.is_empty()
        && let Some(sources) = generators(collections)
    {
        let function = Value::Function(Function::Builtin(&VECTOR));
        let rows = Arc::new(Generator::new(Rule::Map { function, sources }));
        return Ok(generator::through(vec![Step::Cat], rows));
    }
    let mut rows = Rows::new(cx, collections)?;
    let mut results = Growing::default();
    while let Some(row) = rows.next(cx)? {
        results.extend(cx, Items::from(row))?;
    }
    Ok(results.into_list())
}

/// The generators, if all collections are unbounded.
pub fn generators(collections: &[Value]) -> Option<Vec<Arc<Generator>>> {
    let mut generators = Vec::with_capacity(collections.len());
    for collection in collections {
        let Value::Generator(generator) = collection else { return None };
        generators.push(generator.clone());
    }
    Some(generators)
}

pub fn interpose(cx: &mut Call, separator: Value, collection: Option<Value>) -> Eval {
    let collection = match finite(collection) {
        Ok(collection) => collection,
        Err(deferred) => return Ok(deferred.through(Step::Interpose { separator, started: false })),
    };
    let items = cx.all(collection)?;
    let mut results = Vec::with_capacity(2 * items.len());
    for item in items {
        if !results.is_empty() {
            results.push(separator.clone());
        }
        results.push(item);
    }
    cx.list(results)
}

pub fn zip(cx: &mut Call, a: Value, b: Value) -> Eval {
    let mut rows = Rows::new(cx, &mut [a, b])?;
    let mut results = Vec::with_capacity(rows.len);
    while let Some(row) = rows.next(cx)? {
        results.push(cx.vector(row)?);
    }
    cx.list(results)
}

/// `(range)`, `(range end)` and `(range start end step)`
pub fn range(cx: &mut Call, first: Option<Value>, second: Option<Value>, step: Option<Value>) -> Eval {
    let (start, end) = match (first, second) {
        (None, _) => return Ok(Rule::Count { next: Value::Int(0), step: Value::Int(1) }.into()),
        (Some(end), None) => (Value::Int(0), end),
        (Some(start), Some(end)) => (start, end),
    };
    let step = step.unwrap_or(Value::Int(1));
    let step_size = match float(cx, &step)? {
        size if size.is_finite() => size,
        _ => return cx.type_error("a finite step", &step),
    };
    let span = number(cx, &end)? - number(cx, &start)?;
    if step_size == 0.0 {
        return cx.type_error("a step other than 0", &step);
    }
    match (&start, &end, &step) {
        (Value::Int(start), Value::Int(end), Value::Int(step)) => integers(cx, *start, *end, *step),
        _ if span / step_size == f64::INFINITY => Ok(Rule::Count { next: start, step }.into()),
        _ => numbers(cx, start, &end, step, span / step_size),
    }
}

pub fn float(cx: &Call, value: &Value) -> Eval<f64> {
    value.as_number().map_or_else(|| cx.type_error("a number", value), Ok)
}

/// A number, but not NaN.
fn number(cx: &Call, value: &Value) -> Eval<f64> {
    match float(cx, value)? {
        nan if nan.is_nan() => cx.type_error("a number", value),
        number => Ok(number),
    }
}

fn integers(cx: &mut Call, start: i64, end: i64, step: i64) -> Eval {
    let (span, size) = (i128::from(end) - i128::from(start), i128::from(step));
    let count = (span + size - size.signum()) / size;
    let count = count.clamp(0, MAX_ITEMS as i128 + 1) as i64;
    cx.allocate_slots(count as usize)?;
    let mut items = Vec::with_capacity(count as usize);
    for index in 0..count {
        items.push(Value::Int(start.wrapping_add(index.wrapping_mul(step))));
    }
    Ok(Value::list(items))
}

/// Adds steps one by one, for the same rounding errors as in Clojure.
fn numbers(cx: &mut Call, start: Value, end: &Value, step: Value, expected: f64) -> Eval {
    if expected > MAX_ITEMS as f64 {
        cx.allocate_slots(MAX_ITEMS + 1)?;
    }
    let limit = float(cx, end)?;
    let rises = float(cx, &step)? > 0.0;
    let mut items = Growing::default();
    let mut next = start;
    loop {
        let position = float(cx, &next)?;
        let is_before_end = if rises { position < limit } else { position > limit };
        if !is_before_end {
            break;
        }
        cx.tick(1)?;
        let following = sum(&next, &step)?;
        items.push(cx, std::mem::replace(&mut next, following))?;
    }
    Ok(items.into_list())
}

/// `(repeat value)` and `(repeat count value)`
pub fn repeat(cx: &mut Call, first: &mut Value, value: Option<Value>) -> Eval {
    match value {
        None => Ok(Rule::Repeat(first.take()).into()),
        Some(value) => {
            let count = Index::from_value(cx, first)?;
            replicate(cx, count, value)
        }
    }
}

/// Clojure takes the integer part of the count, where `take` and others round a fraction up.
pub fn replicate(cx: &mut Call, count: Index, value: Value) -> Eval {
    let count = count.or_zero();
    cx.allocate_slots(count)?;
    Ok(Value::list(vec![value; count]))
}

/// `(repeatedly function)` and `(repeatedly count function)`
pub fn repeatedly(cx: &mut Call, first: &mut Value, function: Option<Value>) -> Eval {
    let Some(function) = function else { return Ok(Rule::Repeatedly(first.take()).into()) };
    let Count(count) = Count::from_value(cx, first)?;
    cx.allocate_slots(count)?;
    let results: Eval<Vec<Value>> = (0..count).map(|_| cx.call(&function, &mut [])).collect();
    Ok(Value::list(results?))
}
