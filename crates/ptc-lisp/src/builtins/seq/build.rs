//! Making collections: from arguments, from other collections, from a rule.

use crate::builtins::{run_as, sum};
use crate::error::{Eval, type_error};
use crate::eval::Interpreter;
use crate::exception::{Class, of_class};
use crate::flexible;
use crate::generator;
use crate::items::Items;
use crate::limits::MAX_ITEMS;
use crate::transducer::{self, Flow, Step, Transducer};
use crate::value::Value;

use super::builtin;
use super::input::{self, Rows, Source, all, sequence, taken};
use super::number::float;
use super::output::{Growing, add, add_key, grow};

pub fn vector(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    cx.vector(args.iter_mut().map(Value::take).collect())
}

pub fn list(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    cx.list(args.iter_mut().map(Value::take).collect())
}

pub fn list_star(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let Some((tail, heads)) = args.split_last_mut() else { return Ok(Value::Nil) };
    let mut items: Vec<Value> = heads.iter_mut().map(Value::take).collect();
    items.extend(all(cx, "list*", tail.take())?);
    if items.is_empty() { Ok(Value::Nil) } else { cx.list(items) }
}

pub fn vec_of(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    if let Value::Vector(_) = collection {
        return Ok(collection);
    }
    let items = sequence(cx, "vec", collection).map_err(of_class(Class::RuntimeException))?;
    cx.allocate_slots(items.len())?;
    Ok(Value::Vector(items))
}

pub fn sequence_of(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let mut results = Growing::default();
    let mut sink = |cx: &mut Interpreter<'_>, item| {
        results.push(cx, item)?;
        Ok(Flow::More)
    };
    match args {
        [collection] => return Ok(Value::List(sequence(cx, "sequence", collection.take())?)),
        [stages, collection] => {
            let source = Source::new(cx, "sequence", collection.take())?;
            if let Some(stages) = transducer::own_stages(stages) {
                let items = transducer::reduce(cx, stages, builtin("conj"), Value::vector(vec![]), source)?;
                return sequence(cx, "sequence", items).map(Value::List);
            }
            transducer::run(cx, "sequence", stages, source, &mut sink)?;
        }
        [stages, collections @ ..] => {
            let rows = Rows::new(cx, "sequence", collections)?;
            transducer::run_rows(cx, "sequence", stages, rows, &mut sink)?;
        }
        [] => {}
    }
    Ok(results.into_list())
}

pub fn concat(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let mut results = Growing::default();
    for collection in args {
        if let Value::Generator(source) = collection {
            let before = all(cx, "concat", results.into_list())?;
            return Ok(generator::after(before, source.clone()));
        }
        let items = all(cx, "concat", collection.take())?;
        results.extend(cx, items)?;
    }
    Ok(results.into_list())
}

pub fn cons(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [item, collection] = taken(args);
    if let Value::Generator(source) = collection {
        return Ok(generator::after(Items::from(vec![item]), source));
    }
    let mut items = sequence(cx, "cons", collection)?;
    grow(cx, items.len(), 1)?;
    items.push_front(item);
    Ok(Value::List(items))
}

pub fn conj(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let Some((collection, items)) = args.split_first_mut() else { return cx.vector(Vec::new()) };
    let mut result = collection.take();
    for item in items {
        add(cx, "conj", &mut result, item.take())?;
    }
    Ok(result)
}

pub fn into(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [] => cx.vector(Vec::new()),
        [target] => Ok(target.take()),
        [target, source] => pour(cx, target.take(), source.take()),
        [target, stages, source] => pour_through(cx, target.take(), stages, source.take()),
        _ => Ok(Value::Nil),
    }
}

fn pour(cx: &mut Interpreter<'_>, target: Value, source: Value) -> Eval {
    let mut result = target;
    match (&mut result, source) {
        (Value::Map(map), Value::Map(entries)) => {
            cx.tick(entries.len())?;
            for (key, value) in entries.iter() {
                add_key(cx, map, key.clone(), value.clone())?;
            }
        }
        (Value::Vector(items), source) if items.is_empty() => {
            let added = all(cx, "into", source)?;
            cx.allocate_slots(added.len())?;
            *items = added;
        }
        (_, source) => {
            for item in all(cx, "into", source)? {
                add(cx, "into", &mut result, item)?;
            }
        }
    }
    Ok(result)
}

fn pour_through(cx: &mut Interpreter<'_>, target: Value, stages: &Value, source: Value) -> Eval {
    let source = Source::new(cx, "into", source)?;
    if let Some(stages) = transducer::own_stages(stages) {
        return transducer::reduce(cx, stages, builtin("conj"), target, source);
    }
    let mut result = target;
    let halt = transducer::run(cx, "into", stages, source, &mut |cx, item| {
        add(cx, "into", &mut result, item)?;
        Ok(Flow::More)
    })?;
    match halt {
        Some(halt) => halt.result(cx, result),
        None => Ok(result),
    }
}

/// `(halt-when predicate combine?)`
pub fn halt_when(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [predicate, combine] = taken(args);
    Ok(Transducer::of(Step::HaltWhen { predicate, combine, found: None }))
}

/// `(iteration step …)`: the results of a step that is called with what its last result says, at once.
pub fn iteration(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [step, options @ ..] = args else { return Ok(Value::Nil) };
    let step = step.take();
    let options = match options {
        [map] => map.take(),
        _ => run_as(cx, "hash-map", options)?,
    };
    let option = |name: &str, default: &str| {
        flexible::get(&options, &Value::keyword(name)).unwrap_or_else(|| builtin(default))
    };
    let (is_some, value_of, key_of) =
        (option("somef", "some?"), option("vf", "identity"), option("kf", "identity"));
    let mut key = flexible::get(&options, &Value::keyword("initk")).unwrap_or_default();
    let mut results = Growing::default();
    loop {
        let result = cx.call(&step, &mut [key])?;
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

pub fn interleave(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if !args.is_empty() && args.iter().all(|source| matches!(source, Value::Generator(_))) {
        let rows = generator::mapped(builtin("vector"), args.iter_mut().map(Value::take).collect());
        let Value::Generator(rows) = rows else { return Ok(Value::Nil) };
        return Ok(generator::through(vec![Step::Cat], rows));
    }
    let mut rows = Rows::new(cx, "interleave", args)?;
    let mut results = Growing::default();
    while let Some(row) = rows.next(cx)? {
        results.extend(cx, Items::from(row))?;
    }
    Ok(results.into_list())
}

pub fn interpose(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [separator, collection] = match args {
        [separator] => {
            return Ok(Transducer::of(Step::Interpose { separator: separator.take(), started: false }));
        }
        [separator, Value::Generator(source)] => {
            let step = Step::Interpose { separator: separator.take(), started: false };
            return Ok(generator::through(vec![step], source.clone()));
        }
        _ => taken(args),
    };
    let items = all(cx, "interpose", collection)?;
    let mut results = Vec::with_capacity(2 * items.len());
    for item in items {
        if !results.is_empty() {
            results.push(separator.clone());
        }
        results.push(item);
    }
    cx.list(results)
}

pub fn zip(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let mut rows = Rows::new(cx, "zip", args)?;
    let mut results = Vec::with_capacity(rows.len);
    while let Some(row) = rows.next(cx)? {
        results.push(cx.vector(row)?);
    }
    cx.list(results)
}

pub fn range(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let (start, end, step) = match args {
        [] => return Ok(generator::counting(Value::Int(0), Value::Int(1))),
        [end] => (Value::Int(0), end.take(), Value::Int(1)),
        [start, end] => (start.take(), end.take(), Value::Int(1)),
        _ => taken::<3>(args).into(),
    };
    let step_size = finite("range", &step)?;
    let span = number("range", &end)? - number("range", &start)?;
    if step_size == 0.0 {
        return type_error("range", "a step other than 0", &step);
    }
    match (&start, &end, &step) {
        (Value::Int(start), Value::Int(end), Value::Int(step)) => integers(cx, *start, *end, *step),
        _ if span / step_size == f64::INFINITY => Ok(generator::counting(start, step)),
        _ => numbers(cx, start, &end, step, span / step_size),
    }
}

/// A number that is not NaN.
fn number(name: &str, value: &Value) -> Eval<f64> {
    match float(name, value)? {
        nan if nan.is_nan() => type_error(name, "a number", value),
        number => Ok(number),
    }
}

fn finite(name: &str, value: &Value) -> Eval<f64> {
    match float(name, value)? {
        number if number.is_finite() => Ok(number),
        _ => type_error(name, "a finite step", value),
    }
}

fn integers(cx: &mut Interpreter<'_>, start: i64, end: i64, step: i64) -> Eval {
    let (span, size) = (i128::from(end) - i128::from(start), i128::from(step));
    let count = (span + size - size.signum()) / size;
    let count = count.clamp(0, MAX_ITEMS as i128 + 1) as i64;
    cx.allocate_slots(count as usize)?;
    Ok(Value::list(
        (0..count)
            .map(|index| Value::Int(start.wrapping_add(index.wrapping_mul(step))))
            .collect::<Vec<Value>>(),
    ))
}

/// Steps are added one by one, as Clojure does, so that the rounding errors are the same.
fn numbers(cx: &mut Interpreter<'_>, start: Value, end: &Value, step: Value, expected: f64) -> Eval {
    if expected > MAX_ITEMS as f64 {
        cx.allocate_slots(MAX_ITEMS + 1)?;
    }
    let limit = float("range", end)?;
    let rises = float("range", &step)? > 0.0;
    let mut items = Growing::default();
    let mut next = start;
    while precedes(float("range", &next)?, limit, rises) {
        cx.tick(1)?;
        let following = sum(&next, &step)?;
        items.push(cx, std::mem::replace(&mut next, following))?;
    }
    Ok(items.into_list())
}

fn precedes(position: f64, limit: f64, rises: bool) -> bool {
    if rises { position < limit } else { position > limit }
}

pub fn repeat(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [count, value] = match args {
        [value] => return Ok(generator::repeating(value.take())),
        _ => taken(args),
    };
    // Clojure takes the integer part, where `take` and its kin count up to a fraction.
    let count = usize::try_from(input::index("repeat", &count)?).unwrap_or(0);
    cx.allocate_slots(count)?;
    Ok(Value::list(vec![value; count]))
}

pub fn repeatedly(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [count, function] = match args {
        [function] => return Ok(generator::repeatedly(function.take())),
        _ => taken(args),
    };
    let count = input::count("repeatedly", &count)?;
    cx.allocate_slots(count)?;
    let results: Eval<Vec<Value>> = (0..count).map(|_| cx.call(&function, &mut [])).collect();
    Ok(Value::list(results?))
}

pub fn iterate(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [function, first] = taken(args);
    Ok(generator::iterating(function, first))
}

pub fn cycle(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    Ok(generator::cycling(sequence(cx, "cycle", collection)?))
}
