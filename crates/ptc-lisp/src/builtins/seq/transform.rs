//! One collection in, one list out: `map`, `filter` and their kin.

use crate::error::Eval;
use crate::eval::Interpreter;
use crate::generator;
use crate::items::Items;
use crate::table::Set;
use crate::transducer::{Step, Transducer};
use crate::value::Value;

use super::input::{Rows, all, taken};
use super::output::Growing;

pub fn map(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [function] => Ok(Transducer::of(Step::Map(function.take()))),
        [function, sources @ ..] if are_unbounded(sources) => Ok(unbounded_map(function, sources)),
        _ => {
            let results = map_all(cx, "map", args)?;
            cx.list(results)
        }
    }
}

pub fn mapv(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [function, sources @ ..] if are_unbounded(sources) => Ok(unbounded_map(function, sources)),
        _ => {
            let results = map_all(cx, "mapv", args)?;
            cx.vector(results)
        }
    }
}

pub fn pmap(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let results = map_all(cx, "pmap", args)?;
    cx.list(results)
}

fn are_unbounded(sources: &[Value]) -> bool {
    sources.iter().all(|source| matches!(source, Value::Generator(_)))
}

fn unbounded_map(function: &mut Value, sources: &mut [Value]) -> Value {
    generator::mapped(function.take(), sources.iter_mut().map(Value::take).collect())
}

/// The results for one or more collections.
fn map_all(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value]) -> Eval<Vec<Value>> {
    match args {
        [function, collection] => map_one(cx, name, function, collection.take()),
        [function, collections @ ..] => map_rows(cx, name, function, collections),
        [] => Ok(Vec::new()),
    }
}

/// In place where nobody else holds the items: the results take their slots.
fn map_one(cx: &mut Interpreter<'_>, name: &str, function: &Value, collection: Value) -> Eval<Vec<Value>> {
    match all(cx, name, collection)?.try_into_vec() {
        Ok(mut slots) => {
            slots.iter_mut().try_for_each(|slot| cx.call_in_place(function, slot))?;
            Ok(slots)
        }
        Err(shared) => {
            let mut results: Vec<Value> = shared.iter().map(|_| Value::Nil).collect();
            let mut pairs = shared.iter().zip(&mut results);
            pairs.try_for_each(|(item, result)| cx.call_on(function, item, result))?;
            Ok(results)
        }
    }
}

fn map_rows(
    cx: &mut Interpreter<'_>,
    name: &str,
    function: &Value,
    collections: &mut [Value],
) -> Eval<Vec<Value>> {
    let mut rows = Rows::new(cx, name, collections)?;
    let mut results = Vec::with_capacity(rows.len);
    let mut row = rows.empty_row();
    while rows.fill(cx, &mut row)? {
        results.push(cx.call(function, &mut row)?);
    }
    Ok(results)
}

pub fn pcalls(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let results: Eval<Vec<Value>> = args.iter().map(|function| cx.call(function, &mut [])).collect();
    cx.vector(results?)
}

pub fn map_indexed(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [function, collection] = match args {
        [function] => return Ok(Transducer::of(Step::MapIndexed { function: function.take(), index: 0 })),
        _ => taken(args),
    };
    if let Value::Generator(source) = collection {
        return Ok(generator::map_indexed(function, source));
    }
    let mut slots = all(cx, "map-indexed", collection)?.into_vec();
    for (index, slot) in slots.iter_mut().enumerate() {
        *slot = cx.call(&function, &mut [Value::from(index), slot.take()])?;
    }
    cx.list(slots)
}

pub fn mapcat(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let (function, collections) = match args {
        [function] => return Ok(Transducer::of(Step::Mapcat(function.take()))),
        [function, Value::Generator(source)] => {
            return Ok(generator::through(vec![Step::Mapcat(function.take())], source.clone()));
        }
        [function, collections @ ..] => (function, collections),
        [] => return Ok(Value::Nil),
    };
    let mut rows = Rows::new(cx, "mapcat", collections)?;
    let mut results = Growing::default();
    let mut row = rows.empty_row();
    while rows.fill(cx, &mut row)? {
        let result = cx.call(function, &mut row)?;
        let items = all(cx, "mapcat", result)?;
        results.extend(cx, items)?;
    }
    Ok(results.into_list())
}

pub fn filter(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [predicate] => Ok(Transducer::of(Step::Filter(predicate.take()))),
        [predicate, Value::Generator(source)] => {
            Ok(generator::filtered(predicate.take(), source.clone(), true))
        }
        _ => {
            let kept = select(cx, "filter", true, args)?;
            cx.list(kept)
        }
    }
}

pub fn remove(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [predicate] => Ok(Transducer::of(Step::Remove(predicate.take()))),
        [predicate, Value::Generator(source)] => {
            Ok(generator::filtered(predicate.take(), source.clone(), false))
        }
        _ => {
            let kept = select(cx, "remove", false, args)?;
            cx.list(kept)
        }
    }
}

pub fn filterv(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let kept = select(cx, "filterv", true, args)?;
    cx.vector(kept)
}

/// The items for which the predicate is as truthy as wanted.
fn select(cx: &mut Interpreter<'_>, name: &str, wanted: bool, args: &mut [Value]) -> Eval<Vec<Value>> {
    let [predicate, collection] = taken(args);
    let mut kept = Vec::new();
    for item in &all(cx, name, collection)? {
        let mut answer = Value::Nil;
        cx.call_on(&predicate, item, &mut answer)?;
        if answer.is_truthy() == wanted {
            kept.push(item.clone());
        }
    }
    Ok(kept)
}

pub fn keep(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [function, collection] = match args {
        [function] => return Ok(Transducer::of(Step::Keep(function.take()))),
        [function, Value::Generator(source)] => {
            return Ok(generator::through(vec![Step::Keep(function.take())], source.clone()));
        }
        _ => taken(args),
    };
    let mut kept = Vec::new();
    for item in all(cx, "keep", collection)? {
        kept.push(cx.call(&function, &mut [item])?);
    }
    kept.retain(|result| !result.is_nil());
    cx.list(kept)
}

pub fn keep_indexed(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [function, collection] = match args {
        [function] => return Ok(Transducer::of(Step::KeepIndexed { function: function.take(), index: 0 })),
        [function, Value::Generator(source)] => {
            let step = Step::KeepIndexed { function: function.take(), index: 0 };
            return Ok(generator::through(vec![step], source.clone()));
        }
        _ => taken(args),
    };
    let mut kept = Vec::new();
    for (index, item) in all(cx, "keep-indexed", collection)?.into_iter().enumerate() {
        kept.push(cx.call(&function, &mut [Value::from(index), item])?);
    }
    kept.retain(|result| !result.is_nil());
    cx.list(kept)
}

pub fn distinct(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = match args {
        [] => return Ok(Transducer::of(Step::Distinct(Set::new()))),
        [Value::Generator(source)] => {
            return Ok(generator::through(vec![Step::Distinct(Set::new())], source.clone()));
        }
        _ => taken(args),
    };
    let items = all(cx, "distinct", collection)?;
    let mut seen = Set::with_capacity(items.len());
    for item in items {
        seen.insert(item, ());
    }
    cx.list(seen.into_entries().into_iter().map(|(item, ())| item).collect())
}

pub fn dedupe(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = match args {
        [] => return Ok(Transducer::of(Step::Dedupe(None))),
        [Value::Generator(source)] => {
            return Ok(generator::through(vec![Step::Dedupe(None)], source.clone()));
        }
        _ => taken(args),
    };
    let mut kept: Vec<Value> = Vec::new();
    for item in all(cx, "dedupe", collection)? {
        if kept.last() != Some(&item) {
            kept.push(item);
        }
    }
    cx.list(kept)
}

pub fn reverse(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    reverse_of(cx, "reverse", collection)
}

/// The items from last to first, as a list.
pub fn reverse_of(cx: &mut Interpreter<'_>, name: &str, collection: Value) -> Eval {
    let mut items: Items = all(cx, name, collection)?;
    cx.allocate_slots(items.len())?;
    items.make_mut().reverse();
    Ok(Value::List(items))
}
