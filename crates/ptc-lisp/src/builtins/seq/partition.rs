//! Taking a collection apart: into parts of a size, into runs, into groups, into choices.

use super::input::{Count, leading, positive_count, signed_count};
use super::key::Key;
use super::{SEQ, input};
use crate::builtins::prelude::*;
use crate::generator::{Generator, Rule};

/// `(partition size collection)`, also with a step, or a step and padding, before the collection.
pub fn partition(
    cx: &mut Call,
    size: &Value,
    second: Value,
    third: Option<Value>,
    fourth: Option<Value>,
) -> Eval {
    let (step, pad, collection) = match (third, fourth) {
        (None, _) => (size.clone(), None, second),
        (Some(collection), None) => (second, None, collection),
        (Some(pad), Some(collection)) => (second, Some(pad), collection),
    };
    if input::is_empty(&collection) {
        return cx.list(Vec::new());
    }
    let size = signed_count(cx, size)?;
    if let Value::Generator(source) = collection {
        let (size, by) = (positive_count(cx, &Value::Int(size))?, positive_count(cx, &step)?);
        if source.may_end() {
            return Ok(Rule::Windows { size, by, source }.into());
        }
        return Ok(unbounded_parts(size, by, source));
    }
    let items = cx.all(collection)?;
    let Ok(size) = usize::try_from(size) else {
        return cx.list(pad.map(|_| Value::List(Items::default())).into_iter().collect());
    };
    let step = positive_count(cx, &step)?;
    let (mut parts, rest) = whole_parts(&items, size, step);
    if let Some(pad) = pad
        && !rest.is_empty()
    {
        parts.push(pad_part(cx, rest, size, pad)?);
    }
    cx.list(parts)
}

/// Parts as lists, where those of transducers are vectors.
fn unbounded_parts(size: usize, step: usize, source: Arc<Generator>) -> Value {
    if size != step {
        return Rule::Windows { size, by: step, source }.into();
    }
    generator::through(vec![Step::PartitionAll { size, part: Vec::new() }, seq_step()], source)
}

fn seq_step() -> Step {
    Step::Map(Value::Function(Function::Builtin(&SEQ)))
}

/// The parts of full size, and the items of the short part behind them.
fn whole_parts(items: &Items, size: usize, step: usize) -> (Vec<Value>, Items) {
    let mut parts = Vec::new();
    let mut from = 0;
    while from < items.len() && size <= items.len() - from {
        parts.push(Value::List(items.slice(from..from + size)));
        from = from.saturating_add(step);
    }
    (parts, items.clone().skip(from))
}

fn pad_part(cx: &mut Call, rest: Items, size: usize, pad: Value) -> Eval {
    let missing = size - rest.len();
    let mut part = rest.into_vec();
    part.extend(leading(cx, pad, missing)?);
    cx.list(part)
}

/// `(partition-all size)`, `(partition-all size collection)` and `(partition-all size step collection)`
pub fn partition_all(cx: &mut Call, size: &mut Value, second: Option<Value>, third: Option<Value>) -> Eval {
    let (step, collection) = match (second, third) {
        (None, _) => {
            let size = positive_count(cx, size)?;
            return Ok(Transducer::of(Step::PartitionAll { size, part: Vec::new() }));
        }
        (Some(collection), None) => (size.clone(), collection),
        (Some(step), Some(collection)) => (step, collection),
    };
    if input::is_empty(&collection) {
        return cx.list(Vec::new());
    }
    let step = positive_count(cx, &step)?;
    let Count(size) = Count::from_value(cx, size)?;
    if let Value::Generator(source) = &collection
        && (size == step || !source.may_end())
    {
        return Ok(unbounded_parts(size, step, source.clone()));
    }
    let items = cx.all(collection)?;
    let starts = (0..items.len()).step_by(step);
    cx.list(starts.map(|from| Value::List(items.slice(from..from.saturating_add(size)))).collect())
}

pub fn partition_by(cx: &mut Call, function: Value, collection: Option<Value>) -> Eval {
    let step = |function| Step::PartitionBy { function, key: None, part: Vec::new() };
    let collection = match collection {
        None => return Ok(Transducer::of(step(function))),
        Some(Value::Generator(source)) => {
            return Ok(generator::through(vec![step(function), seq_step()], source));
        }
        Some(collection) => collection,
    };
    let items = cx.all(collection)?;
    let mut parts = Vec::new();
    let mut from = 0;
    let mut last = None;
    for (at, item) in items.iter().enumerate() {
        let key = Some(cx.call(&function, &mut [item.clone()])?);
        if at > 0 && key != last {
            parts.push(Value::List(items.slice(from..at)));
            from = at;
        }
        last = key;
    }
    if !items.is_empty() {
        parts.push(Value::List(items.skip(from)));
    }
    cx.list(parts)
}

pub fn group_by(cx: &mut Call, key: Key, items: Items) -> Eval {
    let mut groups = Map::new();
    for item in &items {
        let group = key.of(cx, item.clone())?;
        cx.allocate_slots(1)?;
        if let Some(Value::Vector(items)) = groups.get_mut(&group) {
            items.push(item.clone());
        } else {
            cx.allocate_entries(1)?;
            groups.insert(group, Value::vector(vec![item.clone()]));
        }
    }
    Ok(Value::map(groups))
}

pub fn frequencies(cx: &mut Call, items: Items) -> Eval {
    let mut counts = Map::new();
    for item in &items {
        if let Some(Value::Int(count)) = counts.get_mut(item) {
            *count += 1;
        } else {
            cx.allocate_entries(1)?;
            counts.insert(item.clone(), Value::Int(1));
        }
    }
    Ok(Value::map(counts))
}

pub fn combinations(cx: &mut Call, items: Items, size: &Value) -> Eval {
    let size = match usize::try_from(signed_count(cx, size)?) {
        Ok(size) if size <= items.len() => size,
        _ => return cx.list(Vec::new()),
    };
    let count = binomial(items.len(), size);
    cx.allocate_slots(count)?;
    cx.allocate(16usize.saturating_mul(count).saturating_mul(size))?;
    Ok(Value::list(choices(&items, size)))
}

/// The number of choices, capped at one more than the items of the largest collection.
fn binomial(count: usize, size: usize) -> usize {
    let size = size.min(count - size);
    let mut result: usize = 1;
    for taken in 0..size {
        result = result.saturating_mul(count - taken) / (taken + 1);
        if result > MAX_ITEMS {
            return MAX_ITEMS + 1;
        }
    }
    result
}

fn choices(items: &Items, size: usize) -> Vec<Value> {
    let mut chosen: Vec<usize> = (0..size).collect();
    let mut results = Vec::new();
    loop {
        results.push(Value::list(chosen.iter().map(|at| items[*at].clone()).collect::<Vec<Value>>()));
        // The last position with room to move on. Later ones follow it closely.
        let movable = (0..size).rev().find(|at| chosen[*at] < items.len() - size + at);
        let Some(moved) = movable else { return results };
        let first = chosen[moved] + 1;
        for (offset, at) in (moved..size).enumerate() {
            chosen[at] = first + offset;
        }
    }
}
