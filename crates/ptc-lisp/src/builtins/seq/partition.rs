//! Taking a collection apart: into parts of a size, into runs, into groups, into choices.

use triomphe::Arc;

use crate::error::Eval;
use crate::eval::Interpreter;
use crate::generator::{self, Generator};
use crate::items::Items;
use crate::limits::MAX_ITEMS;
use crate::table::Map;
use crate::transducer::{Step, Transducer};
use crate::value::Value;

use super::builtin;
use super::input::{self, all, leading, positive_count, signed_count, taken};
use super::key::Key;

pub fn partition(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if args.last().is_some_and(input::is_empty) {
        return cx.list(Vec::new());
    }
    let [size, step, pad, collection] = match args.len() {
        2 => [args[0].clone(), args[0].take(), Value::Nil, args[1].take()],
        3 => [args[0].take(), args[1].take(), Value::Nil, args[2].take()],
        _ => taken(args),
    };
    let padded = args.len() == 4;
    let size = signed_count("partition", &size)?;
    if let Value::Generator(source) = collection {
        let (size, step) =
            (positive_count("partition", &Value::Int(size))?, positive_count("partition", &step)?);
        return Ok(unbounded_parts(size, step, source));
    }
    let items = all(cx, "partition", collection)?;
    if size < 0 && !padded {
        return cx.list(Vec::new());
    }
    if size < 0 {
        return cx.list(vec![Value::List(Items::default())]);
    }
    let size = size as usize;
    let step = positive_count("partition", &step)?;
    let (mut parts, rest) = whole_parts(&items, size, step);
    if padded && !rest.is_empty() {
        parts.push(pad_part(cx, rest, size, pad)?);
    }
    cx.list(parts)
}

/// Parts as lists, where those of transducers are vectors.
fn unbounded_parts(size: usize, step: usize, source: Arc<Generator>) -> Value {
    if size != step {
        return generator::windows(size, step, source);
    }
    generator::through(vec![Step::PartitionAll { size, part: Vec::new() }, Step::Map(builtin("seq"))], source)
}

/// The parts of full size, and the items of the short one that follows them.
fn whole_parts(items: &Items, size: usize, step: usize) -> (Vec<Value>, Items) {
    let mut parts = Vec::new();
    let mut from = 0;
    while from < items.len() && size <= items.len() - from {
        parts.push(Value::List(items.slice(from..from + size)));
        from = from.saturating_add(step);
    }
    (parts, items.clone().skip(from))
}

fn pad_part(cx: &mut Interpreter<'_>, rest: Items, size: usize, pad: Value) -> Eval {
    let missing = size - rest.len();
    let mut part = rest.into_vec();
    part.extend(leading(cx, "partition", pad, missing)?);
    cx.list(part)
}

pub fn partition_all(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if let [_, .., collection] = &*args
        && input::is_empty(collection)
    {
        return cx.list(Vec::new());
    }
    let (step, collection) = match args {
        [size] => {
            let size = positive_count("partition-all", size)?;
            return Ok(Transducer::of(Step::PartitionAll { size, part: Vec::new() }));
        }
        [size, collection] => (positive_count("partition-all", size)?, collection.take()),
        _ => (positive_count("partition-all", &args[1])?, args[2].take()),
    };
    let size = input::count("partition-all", &args[0])?;
    if let Value::Generator(source) = collection {
        return Ok(unbounded_parts(size, step, source));
    }
    let items = all(cx, "partition-all", collection)?;
    let starts = (0..items.len()).step_by(step);
    cx.list(starts.map(|from| Value::List(items.slice(from..from.saturating_add(size)))).collect())
}

pub fn partition_by(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [function, collection] = match args {
        [function] => {
            let function = function.take();
            return Ok(Transducer::of(Step::PartitionBy { function, key: None, part: Vec::new() }));
        }
        _ => taken(args),
    };
    if let Value::Generator(source) = collection {
        let step = Step::PartitionBy { function, key: None, part: Vec::new() };
        return Ok(generator::through(vec![step, Step::Map(builtin("seq"))], source));
    }
    let items = all(cx, "partition-by", collection)?;
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

pub fn group_by(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [key, collection] = taken(args);
    let key = Key::new(key);
    let mut groups = Map::new();
    for item in &all(cx, "group-by", collection)? {
        let group = key.of(cx, item)?;
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

pub fn frequencies(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    let mut counts = Map::new();
    for item in &all(cx, "frequencies", collection)? {
        if let Some(Value::Int(count)) = counts.get_mut(item) {
            *count += 1;
        } else {
            cx.allocate_entries(1)?;
            counts.insert(item.clone(), Value::Int(1));
        }
    }
    Ok(Value::map(counts))
}

pub fn combinations(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection, size] = taken(args);
    let items = all(cx, "combinations", collection)?;
    let size = match signed_count("combinations", &size)? {
        size if size < 0 || size as usize > items.len() => return cx.list(Vec::new()),
        size => size as usize,
    };
    let count = binomial(items.len(), size);
    cx.allocate_slots(count)?;
    cx.allocate(16usize.saturating_mul(count).saturating_mul(size))?;
    Ok(Value::list(choices(&items, size)))
}

/// How many choices there are; more than a collection can hold count as one more than that.
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
        // The last position that can still move on; those after it follow it closely.
        let movable = (0..size).rev().find(|at| chosen[*at] < items.len() - size + at);
        let Some(moved) = movable else { return results };
        let first = chosen[moved] + 1;
        for (offset, at) in (moved..size).enumerate() {
            chosen[at] = first + offset;
        }
    }
}
