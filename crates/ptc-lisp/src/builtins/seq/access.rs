//! Sequence access and slicing. A cut of a vector or list is a window on the same items.

use super::input::{self, Count, Index, Sequence, Walk, finite, leading, positive_count, sequence};
use super::output::list_or_nil;
use super::transform::{reversed, stepped};
use crate::builtins::prelude::*;

builtins! {
    pub(in crate::builtins) static ROWS;

    "butlast" = |Sequence(items): Sequence| -> Value {
        let kept = items.len().saturating_sub(1);
        list_or_nil(items.truncate(kept))
    };
    "drop" = |cx: &mut Call, Count(count): Count, collection: Option<Value>| -> Eval {
        match collection {
            None => Ok(Transducer::of(Step::Drop(count))),
            Some(collection) => skip_items(cx, collection, count),
        }
    };
    "drop-last" = drop_last;
    "drop-while" = drop_while;
    "ffirst" = |cx: &mut Call, nested: Value| item_at(cx, nested, 0).and_then(|inner| item_at(cx, inner, 0));
    "first" as FIRST = |cx: &mut Call, collection: Value| item_at(cx, collection, 0);
    "fnext" = |cx: &mut Call, collection: Value| item_at(cx, collection, 1);
    "last" = |Sequence(items): Sequence| items.last().cloned().unwrap_or_default();
    "next" = |cx: &mut Call, collection: Value| rest_or_nil(cx, collection, 1);
    "nfirst" = |cx: &mut Call, nested: Value| item_at(cx, nested, 0).and_then(|inner| rest_or_nil(cx, inner, 1));
    "nnext" = |cx: &mut Call, collection: Value| rest_or_nil(cx, collection, 2);
    "nth" = nth;
    "nthnext" = |cx: &mut Call, collection: Value, count: &mut Value| -> Eval {
        if input::is_empty(&collection) {
            return Ok(Value::Nil);
        }
        let Count(count) = Count::from_value(cx, count)?;
        rest_or_nil(cx, collection, count)
    };
    "nthrest" = |cx: &mut Call, collection: Value, Count(count): Count| -> Eval {
        if count == 0 || input::is_empty(&collection) { Ok(collection) } else { skip_items(cx, collection, count) }
    };
    "peek" = peek;
    "pop" = pop;
    "rest" = |cx: &mut Call, collection: Value| skip_items(cx, collection, 1);
    "rseq" = |cx: &mut Call, collection: Items| reversed(cx, collection).map(nil_if_empty);
    "second" = |cx: &mut Call, collection: Value| item_at(cx, collection, 1);
    "split-at" = |cx: &mut Call, Count(count): Count, collection: Value| -> Eval {
        if let Value::Generator(mut source) = collection {
            let head = generator::leading(cx, &mut source, count)?;
            return cx.vector(vec![Value::list(head), Value::Generator(source)]);
        }
        let items = sequence(cx, collection)?;
        split_items(cx, items, count)
    };
    "split-with" = split_with;
    "subvec" = subvec;
    "take" = |cx: &mut Call, Count(count): Count, collection: Option<Value>| -> Eval {
        match collection {
            None => Ok(Transducer::of(Step::Take(count))),
            // With nothing to take, the type of the collection does not matter.
            Some(_) if count == 0 => cx.list(Vec::new()),
            Some(collection) => Ok(Value::List(leading(cx, collection, count)?)),
        }
    };
    "take-last" = |Count(count): Count, Sequence(items): Sequence| -> Value {
        let left_out = items.len().saturating_sub(count);
        list_or_nil(items.skip(left_out))
    };
    "take-nth" = |cx: &mut Call, step: &Value, collection: Option<Value>| -> Eval {
        if collection.as_ref().is_some_and(input::is_empty) {
            return cx.list(Vec::new());
        }
        let step = positive_count(cx, step)?;
        stepped(cx, Step::TakeNth { step, index: 0 }, collection)
    };
    "take-while" = take_while;
}

/// The item at an index. Nil beyond the end.
fn item_at(cx: &mut Call, collection: Value, index: usize) -> Eval {
    if let Value::Vector(items) | Value::List(items) = &collection {
        return Ok(items.get(index).cloned().unwrap_or_default());
    }
    Ok(leading(cx, collection, index + 1)?.get(index).cloned().unwrap_or_default())
}

/// Everything after the first `count` items. Nil if there is nothing.
fn rest_or_nil(cx: &mut Call, collection: Value, count: usize) -> Eval {
    match skip_items(cx, collection, count)? {
        Value::Generator(rest) => generator::or_nil(cx, rest),
        rest => Ok(nil_if_empty(rest)),
    }
}

/// Everything after the first `count` items: a list, or a generator of a generator.
fn skip_items(cx: &mut Call, collection: Value, count: usize) -> Eval {
    match collection {
        Value::Generator(source) => generator::without(cx, source, count),
        finite => Ok(Value::List(sequence(cx, finite)?.skip(count))),
    }
}

fn nil_if_empty(list: Value) -> Value {
    match list {
        Value::List(items) if items.is_empty() => Value::Nil,
        other => other,
    }
}

/// The class of errors of `nth` for what has no order.
const NTH: Class = Class::UnsupportedOperationException;

pub fn nth(cx: &mut Call, collection: Value, Index(index): Index, default: Option<Value>) -> Eval {
    let index = usize::try_from(index);
    if matches!(collection, Value::Map(_) | Value::Set(_)) && (index.is_ok() || default.is_none()) {
        return cx.type_error("a vector, a list or a string", &collection).map_err(of_class(NTH));
    }
    let Ok(index) = index else { return Ok(default.unwrap_or_default()) };
    let found = match collection {
        Value::Vector(items) | Value::List(items) => items.get(index).cloned(),
        Value::Generator(source) => generator::nth(cx, source, index)?,
        Value::Str(text) => {
            cx.tick_text(&text)?;
            text.chars().nth(index).map(Value::from)
        }
        other => sequence(cx, other).map_err(of_class(NTH))?.get(index).cloned(),
    };
    Ok(found.or(default).unwrap_or_default())
}

fn take_while(cx: &mut Call, predicate: Value, collection: Option<Value>) -> Eval {
    match collection {
        None => Ok(Transducer::of(Step::TakeWhile(predicate))),
        Some(Value::Generator(source)) => generator::take_while(cx, source, &predicate),
        Some(collection) => {
            let (items, held) = count_while(cx, &predicate, collection)?;
            Ok(Value::List(items.truncate(held)))
        }
    }
}

fn drop_while(cx: &mut Call, predicate: Value, collection: Option<Value>) -> Eval {
    match finite(collection) {
        Err(deferred) => Ok(deferred.through(Step::DropWhile(Some(predicate)))),
        Ok(collection) => {
            let (items, held) = count_while(cx, &predicate, collection)?;
            Ok(Value::List(items.skip(held)))
        }
    }
}

/// The items, and how many satisfy a predicate at the start.
fn count_while(cx: &mut Call, predicate: &Value, collection: Value) -> Eval<(Items, usize)> {
    let walk = Walk::new(cx, collection)?;
    let mut held = 0;
    for item in &walk.items {
        walk.tick(cx)?;
        if !cx.call(predicate, &mut [item.clone()])?.is_truthy() {
            break;
        }
        held += 1;
    }
    Ok((walk.items, held))
}

/// `(drop-last collection)` and `(drop-last n collection)`
fn drop_last(cx: &mut Call, first: &mut Value, second: Option<Value>) -> Eval {
    let (count, collection) = match second {
        Some(collection) => (Count::from_value(cx, first)?.0, collection),
        None => (1, first.take()),
    };
    let items = sequence(cx, collection)?;
    let kept = items.len().saturating_sub(count);
    Ok(Value::List(items.truncate(kept)))
}

fn split_with(cx: &mut Call, predicate: Value, collection: Value) -> Eval {
    if let Value::Generator(source) = collection {
        let head = generator::take_while(cx, source.clone(), &predicate)?;
        let tail = generator::through(vec![Step::DropWhile(Some(predicate))], source);
        return cx.vector(vec![head, tail]);
    }
    let (items, held) = count_while(cx, &predicate, collection)?;
    split_items(cx, items, held)
}

fn split_items(cx: &mut Call, items: Items, at: usize) -> Eval {
    cx.vector(vec![Value::List(items.clone().truncate(at)), Value::List(items.skip(at))])
}

fn peek(cx: &mut Call, collection: &Value) -> Eval {
    match collection {
        Value::Nil => Ok(Value::Nil),
        Value::Vector(items) => Ok(items.last().cloned().unwrap_or_default()),
        Value::List(items) => Ok(items.first().cloned().unwrap_or_default()),
        Value::Generator(_) => infinite(),
        other => cx.type_error("a vector or a list", other),
    }
}

pub fn pop(cx: &mut Call, collection: Value) -> Eval {
    match collection {
        Value::Nil => Ok(Value::Nil),
        Value::List(items) if items.is_queue() => Ok(Value::List(items.skip(1).into_queue())),
        Value::Vector(items) | Value::List(items) if items.is_empty() => Ok(Value::Nil),
        Value::Vector(items) => {
            let kept = items.len() - 1;
            Ok(Value::Vector(items.truncate(kept)))
        }
        Value::List(items) => Ok(Value::List(items.skip(1))),
        Value::Generator(_) => infinite(),
        other => cx.type_error("a vector or a list", &other),
    }
}

/// Negative bounds count as 0.
pub fn subvec(cx: &mut Call, vector: Value, from: Index, to: Option<Index>) -> Eval {
    match vector {
        Value::Vector(items) => {
            let to = to.map_or(items.len(), Index::or_zero);
            Ok(Value::Vector(items.truncate(to).skip(from.or_zero())))
        }
        Value::Generator(_) => infinite(),
        other => cx.type_error("a vector", &other),
    }
}
