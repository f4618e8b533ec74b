//! One collection in, one list out: `map`, `filter` and the like.

use super::build::generators;
use super::input::{Rows, finite};
use super::output::Growing;
use crate::builtins::prelude::*;
use crate::generator::Rule;
use crate::transducer::{Flow, feed};

pub fn map(cx: &mut Call, function: Value, collections: &mut [Value]) -> Eval {
    if collections.is_empty() {
        return Ok(Transducer::of(Step::Map(function)));
    }
    if let Some(sources) = generators(collections) {
        return Ok(Rule::Map { function, sources }.into());
    }
    let results = map_all(cx, &function, collections)?;
    cx.list(results)
}

pub fn mapv(cx: &mut Call, function: Value, AtLeast(collections): AtLeast<1>) -> Eval {
    if let Some(sources) = generators(collections) {
        return Ok(Rule::Map { function, sources }.into());
    }
    let results = map_all(cx, &function, collections)?;
    cx.vector(results)
}

pub fn pmap(cx: &mut Call, function: &Value, AtLeast(collections): AtLeast<1>) -> Eval {
    let results = map_all(cx, function, collections)?;
    cx.list(results)
}

/// The results for one or more collections.
fn map_all(cx: &mut Call, function: &Value, collections: &mut [Value]) -> Eval<Vec<Value>> {
    let [collection] = collections else { return map_rows(cx, function, collections) };
    cx.all(collection.take())?.into_iter().map(|item| cx.call(function, &mut [item])).collect()
}

fn map_rows(cx: &mut Call, function: &Value, collections: &mut [Value]) -> Eval<Vec<Value>> {
    let mut rows = Rows::new(cx, collections)?;
    let mut results = Vec::with_capacity(rows.len);
    let mut row = rows.empty_row();
    while rows.fill(cx, &mut row)? {
        results.push(cx.call(function, &mut row)?);
    }
    Ok(results)
}

pub fn pcalls(cx: &mut Call, functions: &mut [Value]) -> Eval {
    let results: Eval<Vec<Value>> = functions.iter().map(|function| cx.call(function, &mut [])).collect();
    cx.vector(results?)
}

pub fn map_indexed(cx: &mut Call, function: Value, collection: Option<Value>) -> Eval {
    match collection {
        None => Ok(Transducer::of(Step::MapIndexed { function, index: 0 })),
        Some(Value::Generator(source)) => Ok(Rule::MapIndexed { function, source, index: 0 }.into()),
        Some(collection) => {
            let items = (0..).map(Value::Int).zip(cx.all(collection)?);
            let results = items.map(|(index, item)| cx.call(&function, &mut [index, item]));
            let results = results.collect::<Eval<Vec<Value>>>()?;
            cx.list(results)
        }
    }
}

pub fn mapcat(cx: &mut Call, function: Value, collections: &mut [Value]) -> Eval {
    match collections {
        [] => return Ok(Transducer::of(Step::Mapcat(function))),
        [Value::Generator(source)] => {
            return Ok(generator::through(vec![Step::Mapcat(function)], source.clone()));
        }
        _ => {}
    }
    let mut rows = Rows::new(cx, collections)?;
    let mut results = Growing::default();
    let mut row = rows.empty_row();
    while rows.fill(cx, &mut row)? {
        let result = cx.call(&function, &mut row)?;
        let items = cx.all(result)?;
        results.extend(cx, items)?;
    }
    Ok(results.into_list())
}

/// The items with the wanted truth of the predicate: `filter` or `remove`.
pub fn filter(cx: &mut Call, predicate: Value, collection: Option<Value>, wanted: bool) -> Eval {
    match collection {
        None => Ok(Transducer::of(Step::Filter { predicate, wanted })),
        Some(Value::Generator(source)) => Ok(Rule::Filter { predicate, source, wanted }.into()),
        Some(collection) => {
            let kept = select(cx, &predicate, collection, wanted)?;
            cx.list(kept)
        }
    }
}

pub fn filterv(cx: &mut Call, predicate: &Value, collection: Value) -> Eval {
    let kept = select(cx, predicate, collection, true)?;
    cx.vector(kept)
}

fn select(cx: &mut Call, predicate: &Value, collection: Value, wanted: bool) -> Eval<Vec<Value>> {
    let mut kept = Vec::new();
    for item in cx.all(collection)? {
        if cx.call(predicate, &mut [item.clone()])?.is_truthy() == wanted {
            kept.push(item);
        }
    }
    Ok(kept)
}

/// The result of a transducer's step for a collection. Without a collection, the transducer itself.
pub fn stepped(cx: &mut Call, mut step: Step, collection: Option<Value>) -> Eval {
    let collection = match finite(collection) {
        Ok(collection) => collection,
        Err(deferred) => return Ok(deferred.through(step)),
    };
    let mut results = Vec::new();
    for item in cx.items(collection)? {
        feed(cx, std::slice::from_mut(&mut step), item, &mut |_, result| {
            results.push(result);
            Ok(Flow::More)
        })?;
    }
    cx.list(results)
}

pub fn distinct(cx: &mut Call, collection: Option<Value>) -> Eval {
    let collection = match finite(collection) {
        Ok(collection) => collection,
        Err(deferred) => return Ok(deferred.through(Step::Distinct(Set::new()))),
    };
    let items = cx.all(collection)?;
    let mut seen = Set::with_capacity(items.len());
    for item in items {
        seen.insert(item, ());
    }
    cx.list(seen.into_entries().into_iter().map(|(item, ())| item).collect())
}

/// The items from last to first, as a list.
pub fn reversed(cx: &mut Call, mut items: Items) -> Eval {
    cx.allocate_slots(items.len())?;
    items.make_mut().reverse();
    Ok(Value::List(items))
}
