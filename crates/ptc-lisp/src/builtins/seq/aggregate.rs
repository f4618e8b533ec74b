//! Aggregation helpers: sums, means, extremes and distinct items by a key.

use std::cmp::Ordering;

use crate::builtins::{self, Builtin, at_least, exactly};
use crate::error::{Eval, type_error, type_error_hint};
use crate::eval::Interpreter;
use crate::items::Items;
use crate::order::compare_numbers;
use crate::table::Set;
use crate::value::Value;

use super::input::{all, taken};
use super::key::Key;
use super::number;
use super::sort::compare;

/// The rows of this family.
pub(in crate::builtins) static ROWS: &[Builtin] = &[
    Builtin {
        name: "avg",
        arity: exactly(1),
        run: avg,
        doc: "The mean of the numbers as a float; nil is skipped.",
        example: "(avg [1 nil 2]) ;=> 1.5",
    },
    Builtin {
        name: "avg-by",
        arity: exactly(2),
        run: avg_by,
        doc: "The mean of a key of the items as a float; nil is skipped.",
        example: "(avg-by :n [{:n 1} {:n 2}]) ;=> 1.5",
    },
    Builtin {
        name: "distinct-by",
        arity: exactly(2),
        run: distinct_by,
        doc: "The first item for each key.",
        example: "(distinct-by :k [{:k 1 :n 1} {:k 1 :n 2}]) ;=> ({:k 1, :n 1})",
    },
    Builtin {
        name: "max-by",
        arity: at_least(2),
        run: max_by,
        doc: "The first item with the greatest key; nil keys are skipped.",
        example: "(max-by :n [{:n 2} {:n 1}]) ;=> {:n 2}",
    },
    Builtin {
        name: "max-key",
        arity: at_least(2),
        run: max_key,
        doc: "The argument for which a function gives the greatest number; the last on ties.",
        example: "(max-key count \"abc\" \"a\") ;=> \"abc\"",
    },
    Builtin {
        name: "min-by",
        arity: at_least(2),
        run: min_by,
        doc: "The first item with the least key; nil keys are skipped.",
        example: "(min-by :n [{:n 2} {:n 1}]) ;=> {:n 1}",
    },
    Builtin {
        name: "min-key",
        arity: at_least(2),
        run: min_key,
        doc: "The argument for which a function gives the least number; the last on ties.",
        example: "(min-key count \"abc\" \"a\") ;=> \"a\"",
    },
    Builtin {
        name: "pluck",
        arity: exactly(2),
        run: pluck,
        doc: "The key of each item.",
        example: "(pluck :n [{:n 1} {:n 2}]) ;=> (1 2)",
    },
    Builtin {
        name: "sum",
        arity: exactly(1),
        run: sum,
        doc: "The sum of the numbers; nil is skipped.",
        example: "(sum [1 nil 2]) ;=> 3",
    },
    Builtin {
        name: "sum-by",
        arity: exactly(2),
        run: sum_by,
        doc: "The sum of a key of the items; nil is skipped.",
        example: "(sum-by :n [{:n 1} {:n 2}]) ;=> 3",
    },
];

fn sum(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    let items = all(cx, "sum", collection)?;
    Ok(total("sum", &items)?.0)
}

fn avg(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    let items = all(cx, "avg", collection)?;
    mean("avg", &items)
}

fn sum_by(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let keys = keys(cx, "sum-by", args)?;
    Ok(total("sum-by", &keys)?.0)
}

fn avg_by(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let keys = keys(cx, "avg-by", args)?;
    mean("avg-by", &keys)
}

/// The sum of the numbers among some values, and how many they are. Only nil may stand beside them.
fn total(name: &str, values: &[Value]) -> Eval<(Value, usize)> {
    let mut total = Value::Int(0);
    let mut count = 0;
    for value in values {
        match value {
            Value::Nil => continue,
            Value::Int(_) | Value::Float(..) => total = builtins::sum(&total, value)?,
            other => return type_error(name, "numbers or nil", other),
        }
        count += 1;
    }
    Ok((total, count))
}

fn mean(name: &str, values: &[Value]) -> Eval {
    match total(name, values)? {
        (_, 0) => Ok(Value::Nil),
        (sum, count) => Ok(Value::float(number::float(name, &sum)? / count as f64)),
    }
}

/// The keys of the items, in order: `[key collection]`.
fn keys(cx: &mut Interpreter<'_>, name: &str, args: &mut [Value]) -> Eval<Vec<Value>> {
    let [key, collection] = taken(args);
    let key = Key::new(key);
    let mut slots = all(cx, name, collection)?.into_vec();
    for slot in &mut slots {
        key.replace(cx, slot)?;
    }
    Ok(slots)
}

fn min_by(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    extreme_by(cx, "min-by", Ordering::Less, args)
}

fn max_by(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    extreme_by(cx, "max-by", Ordering::Greater, args)
}

/// The first item whose key stands so to the keys of all others. The items are those of the one
/// collection, or the arguments themselves.
fn extreme_by(cx: &mut Interpreter<'_>, name: &str, wanted: Ordering, args: &mut [Value]) -> Eval {
    let items: Items = match args {
        [_, collection] => all(cx, name, collection.take())?,
        _ => args.iter_mut().skip(1).map(Value::take).collect(),
    };
    let [key] = taken(args);
    let key = Key::new(key);
    let mut best: Option<(Value, Value)> = None;
    for item in items {
        let candidate = key.of(cx, &item)?;
        let better = match &best {
            _ if candidate.is_nil() => false,
            None => true,
            Some((record, _)) => compare(cx, &candidate, record)? == wanted,
        };
        if better {
            best = Some((candidate, item));
        }
    }
    Ok(best.map(|(_, item)| item).unwrap_or_default())
}

fn distinct_by(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [key, collection] = taken(args);
    let key = Key::new(key);
    let mut seen = Set::new();
    let mut kept = Vec::new();
    for item in all(cx, "distinct-by", collection)? {
        let candidate = key.of(cx, &item)?;
        if seen.insert(candidate, ()).is_none() {
            cx.allocate_entries(1)?;
            kept.push(item);
        }
    }
    cx.list(kept)
}

fn pluck(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if let [_, map @ Value::Map(_)] = args {
        return type_error_hint("pluck", "a collection of maps", map, "For a single map use (get map key)");
    }
    let keys = keys(cx, "pluck", args)?;
    cx.list(keys)
}

fn min_key(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    extreme_key(cx, "min-key", Ordering::Less, args)
}

fn max_key(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    extreme_key(cx, "max-key", Ordering::Greater, args)
}

/// The last argument for which the function gives the extreme number; a single one is not asked.
fn extreme_key(cx: &mut Interpreter<'_>, name: &str, wanted: Ordering, args: &mut [Value]) -> Eval {
    let [function, best, others @ ..] = args else { return Ok(Value::Nil) };
    let mut best = best.take();
    if others.is_empty() {
        return Ok(best);
    }
    let mut record = number_of(cx, name, function, &best)?;
    for (index, other) in others.iter_mut().enumerate() {
        let candidate = number_of(cx, name, function, other)?;
        let keeps = match order(&record, &candidate) {
            Some(order) => order == wanted,
            // With NaN the second argument wins over the first, and no later one over the best so far.
            None => index > 0,
        };
        if !keeps {
            (best, record) = (other.take(), candidate);
        }
    }
    Ok(best)
}

fn number_of(cx: &mut Interpreter<'_>, name: &str, function: &Value, item: &Value) -> Eval {
    match cx.call(function, &mut [item.clone()])? {
        number @ (Value::Int(_) | Value::Float(..)) => Ok(number),
        other => type_error(name, "a number", &other),
    }
}

/// The order of two numbers; NaN has none.
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    let is_nan = |value: &Value| matches!(value, Value::Float(number, ..) if number.is_nan());
    if is_nan(a) || is_nan(b) { None } else { Some(compare_numbers(a, b)) }
}
