//! Sequence access and slicing. On vectors and lists a cut is a window on the same
//! items, so it takes constant time and no allocation.

use crate::builtins::{Builtin, between, exactly};
use crate::error::{Eval, type_error};
use crate::eval::{Interpreter, infinite};
use crate::exception::{Class, of_class};
use crate::generator;
use crate::items::Items;
use crate::transducer::{Step, Transducer};
use crate::value::Value;

use super::input::{self, Walk, leading, sequence, taken};
use super::output::list_or_nil;
use super::transform::reverse_of;

/// The rows of this family.
pub(in crate::builtins) static ROWS: &[Builtin] = &[
    Builtin {
        name: "butlast",
        arity: exactly(1),
        run: butlast,
        doc: "All items but the last; nil when there are none.",
        example: "(butlast [1 2 3]) ;=> (1 2)",
    },
    Builtin {
        name: "drop",
        arity: between(1, 2),
        run: drop,
        doc: "All items but the first n.",
        example: "(drop 2 [1 2 3]) ;=> (3)",
    },
    Builtin {
        name: "drop-last",
        arity: between(1, 2),
        run: drop_last,
        doc: "All items but the last, or but the last n.",
        example: "(drop-last 2 [1 2 3]) ;=> (1)",
    },
    Builtin {
        name: "drop-while",
        arity: between(1, 2),
        run: drop_while,
        doc: "Items from the first that fails the predicate.",
        example: "(drop-while pos? [1 2 -1 3]) ;=> (-1 3)",
    },
    Builtin {
        name: "ffirst",
        arity: exactly(1),
        run: ffirst,
        doc: "The first item of the first item.",
        example: "(ffirst {:a 1}) ;=> :a",
    },
    Builtin {
        name: "first",
        arity: exactly(1),
        run: first,
        doc: "The first item, or nil.",
        example: "(first [1 2 3]) ;=> 1",
    },
    Builtin {
        name: "fnext",
        arity: exactly(1),
        run: fnext,
        doc: "The first item of `next`: the second item.",
        example: "(fnext [1 2 3]) ;=> 2",
    },
    Builtin {
        name: "last",
        arity: exactly(1),
        run: last,
        doc: "The last item, or nil.",
        example: "(last [1 2 3]) ;=> 3",
    },
    Builtin {
        name: "next",
        arity: exactly(1),
        run: next,
        doc: "All items but the first; nil when there are none.",
        example: "(next [1]) ;=> nil",
    },
    Builtin {
        name: "nfirst",
        arity: exactly(1),
        run: nfirst,
        doc: "What follows the first item of the first item, or nil.",
        example: "(nfirst [[1 2 3]]) ;=> (2 3)",
    },
    Builtin {
        name: "nnext",
        arity: exactly(1),
        run: nnext,
        doc: "What follows the second item, or nil.",
        example: "(nnext [1 2 3]) ;=> (3)",
    },
    Builtin {
        name: "nth",
        arity: between(2, 3),
        run: nth,
        doc: "The item at an index from 0; the default, or nil, out of range.",
        example: "(nth [:a :b] 5 :none) ;=> :none",
    },
    Builtin {
        name: "nthnext",
        arity: exactly(2),
        run: nthnext,
        doc: "What follows the first n items, or nil.",
        example: "(nthnext [1 2 3] 2) ;=> (3)",
    },
    Builtin {
        name: "nthrest",
        arity: exactly(2),
        run: nthrest,
        doc: "The collection without its first n items.",
        example: "(nthrest [1 2 3] 1) ;=> (2 3)",
    },
    Builtin {
        name: "peek",
        arity: exactly(1),
        run: peek,
        doc: "The last item of a vector, the first of a list.",
        example: "(peek [1 2]) ;=> 2",
    },
    Builtin {
        name: "pop",
        arity: exactly(1),
        run: pop,
        doc: "A vector without its last item, a list without its first.",
        example: "(pop [1 2]) ;=> [1]",
    },
    Builtin {
        name: "rest",
        arity: exactly(1),
        run: rest,
        doc: "All items but the first; empty when there are none.",
        example: "(rest [1 2 3]) ;=> (2 3)",
    },
    Builtin {
        name: "rseq",
        arity: exactly(1),
        run: rseq,
        doc: "The items in reverse, or nil.",
        example: "(rseq [1 2 3]) ;=> (3 2 1)",
    },
    Builtin {
        name: "second",
        arity: exactly(1),
        run: second,
        doc: "The second item, or nil.",
        example: "(second [1 2 3]) ;=> 2",
    },
    Builtin {
        name: "split-at",
        arity: exactly(2),
        run: split_at,
        doc: "The first n items and the others.",
        example: "(split-at 1 [1 2 3]) ;=> [(1) (2 3)]",
    },
    Builtin {
        name: "split-with",
        arity: exactly(2),
        run: split_with,
        doc: "What `take-while` and `drop-while` give.",
        example: "(split-with pos? [1 -1 2]) ;=> [(1) (-1 2)]",
    },
    Builtin {
        name: "subvec",
        arity: between(2, 3),
        run: subvec,
        doc: "The part of a vector between two indices, which are clamped.",
        example: "(subvec [1 2 3 4] 1 3) ;=> [2 3]",
    },
    Builtin {
        name: "take",
        arity: between(1, 2),
        run: take,
        doc: "The first n items.",
        example: "(take 2 [1 2 3]) ;=> (1 2)",
    },
    Builtin {
        name: "take-last",
        arity: exactly(2),
        run: take_last,
        doc: "The last n items; nil when there are none.",
        example: "(take-last 2 [1 2 3]) ;=> (2 3)",
    },
    Builtin {
        name: "take-nth",
        arity: between(1, 2),
        run: take_nth,
        doc: "Every nth item, beginning with the first.",
        example: "(take-nth 2 [1 2 3 4 5]) ;=> (1 3 5)",
    },
    Builtin {
        name: "take-while",
        arity: between(1, 2),
        run: take_while,
        doc: "Items up to the first that fails the predicate.",
        example: "(take-while pos? [1 2 -1 3]) ;=> (1 2)",
    },
];

fn first(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    first_of(cx, "first", collection)
}

fn first_of(cx: &mut Interpreter<'_>, name: &str, collection: Value) -> Eval {
    if let Value::Vector(items) | Value::List(items) = &collection {
        return Ok(items.first().cloned().unwrap_or_default());
    }
    Ok(leading(cx, name, collection, 1)?.first().cloned().unwrap_or_default())
}

fn second(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if let [Value::Vector(items) | Value::List(items)] = args {
        return Ok(items.get(1).cloned().unwrap_or_default());
    }
    let [collection] = taken(args);
    Ok(leading(cx, "second", collection, 2)?.get(1).cloned().unwrap_or_default())
}

fn fnext(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    Ok(leading(cx, "fnext", collection, 2)?.get(1).cloned().unwrap_or_default())
}

fn ffirst(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    let inner = first_of(cx, "ffirst", collection)?;
    first_of(cx, "ffirst", inner)
}

fn nfirst(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    let inner = first_of(cx, "nfirst", collection)?;
    without(cx, "nfirst", inner, 1).map(nil_if_empty)
}

fn last(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    Ok(sequence(cx, "last", collection)?.last().cloned().unwrap_or_default())
}

fn rest(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    without(cx, "rest", collection, 1)
}

fn next(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    without(cx, "next", collection, 1).map(nil_if_empty)
}

fn nnext(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    without(cx, "nnext", collection, 2).map(nil_if_empty)
}

/// Everything after the first `count` items: a list, or a generator of a generator.
fn without(cx: &mut Interpreter<'_>, name: &str, collection: Value, count: usize) -> Eval {
    match collection {
        Value::Generator(source) => generator::without(cx, source, count),
        finite => Ok(Value::List(sequence(cx, name, finite)?.skip(count))),
    }
}

fn nil_if_empty(list: Value) -> Value {
    match list {
        Value::List(items) if items.is_empty() => Value::Nil,
        other => other,
    }
}

fn butlast(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    let items = sequence(cx, "butlast", collection)?;
    let kept = items.len().saturating_sub(1);
    Ok(list_or_nil(items.truncate(kept)))
}

/// What `nth` throws for what has no order.
const NTH: Class = Class::UnsupportedOperationException;

fn nth(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if let [Value::Vector(items) | Value::List(items), Value::Int(index)] = args {
        let found = usize::try_from(*index).ok().and_then(|index| items.get(index));
        return Ok(found.cloned().unwrap_or_default());
    }
    let has_default = args.len() > 2;
    let [collection, index, default] = taken(args);
    let index = usize::try_from(input::index("nth", &index)?);
    if matches!(collection, Value::Map(_) | Value::Set(_)) && (index.is_ok() || !has_default) {
        return type_error("nth", "a vector, a list or a string", &collection).map_err(of_class(NTH));
    }
    let Ok(index) = index else { return Ok(default) };
    let found = match collection {
        Value::Generator(source) => Some(generator::nth(cx, source, index)?),
        Value::Str(text) => {
            cx.tick_text(&text)?;
            text.chars().nth(index).map(input::character)
        }
        other => sequence(cx, "nth", other).map_err(of_class(NTH))?.get(index).cloned(),
    };
    Ok(found.unwrap_or(default))
}

fn take(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let count = count_of("take", args)?;
    match args {
        // Of what it takes nothing from, it does not ask what it is.
        [_, _] if count == 0 => cx.list(Vec::new()),
        [_, collection] => Ok(Value::List(leading(cx, "take", collection.take(), count)?)),
        _ => Ok(Transducer::of(Step::Take(count))),
    }
}

fn drop(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let count = count_of("drop", args)?;
    match args {
        [_, collection] => without(cx, "drop", collection.take(), count),
        _ => Ok(Transducer::of(Step::Drop(count))),
    }
}

/// The count that comes first among the arguments.
fn count_of(name: &str, args: &[Value]) -> Eval<usize> {
    input::count(name, args.first().unwrap_or(&Value::Nil))
}

fn take_while(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [predicate, collection] = match args.len() {
        1 => return Ok(Transducer::of(Step::TakeWhile(args[0].take()))),
        _ => taken(args),
    };
    if let Value::Generator(source) = collection {
        return generator::take_while(cx, source, &predicate);
    }
    let (items, held) = prefix(cx, "take-while", &predicate, collection)?;
    Ok(Value::List(items.truncate(held)))
}

fn drop_while(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [predicate, collection] = match args.len() {
        1 => return Ok(Transducer::of(Step::DropWhile(Some(args[0].take())))),
        _ => taken(args),
    };
    if let Value::Generator(source) = collection {
        return Ok(generator::through(vec![Step::DropWhile(Some(predicate))], source));
    }
    let (items, held) = prefix(cx, "drop-while", &predicate, collection)?;
    Ok(Value::List(items.skip(held)))
}

/// The items, and how many of the first satisfy a predicate.
fn prefix(
    cx: &mut Interpreter<'_>,
    name: &str,
    predicate: &Value,
    collection: Value,
) -> Eval<(Items, usize)> {
    let walk = Walk::new(cx, name, collection)?;
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

fn take_last(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [count, collection] = taken(args);
    let count = input::count("take-last", &count)?;
    let items = sequence(cx, "take-last", collection)?;
    let left_out = items.len().saturating_sub(count);
    Ok(list_or_nil(items.skip(left_out)))
}

fn drop_last(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let (count, collection) = match args {
        [count, collection] => (input::count("drop-last", count)?, collection.take()),
        _ => (1, args[0].take()),
    };
    let items = sequence(cx, "drop-last", collection)?;
    let kept = items.len().saturating_sub(count);
    Ok(Value::List(items.truncate(kept)))
}

fn take_nth(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    if args.get(1).is_some_and(input::is_empty) {
        return cx.list(Vec::new());
    }
    let step = input::positive_count("take-nth", &args[0])?;
    let [_, collection] = match args.len() {
        1 => return Ok(Transducer::of(Step::TakeNth { step, index: 0 })),
        _ => taken(args),
    };
    if let Value::Generator(source) = collection {
        return Ok(generator::through(vec![Step::TakeNth { step, index: 0 }], source));
    }
    let items = input::all(cx, "take-nth", collection)?;
    cx.list(items.iter().step_by(step).cloned().collect())
}

fn nthrest(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection, count] = taken(args);
    match input::count("nthrest", &count)? {
        0 => Ok(collection),
        _ if collection.is_nil() => Ok(Value::Nil),
        _ if input::is_empty(&collection) => Ok(collection),
        count => without(cx, "nthrest", collection, count),
    }
}

fn nthnext(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection, count] = taken(args);
    if input::is_empty(&collection) {
        return Ok(Value::Nil);
    }
    let count = input::count("nthnext", &count)?;
    if let Value::Generator(source) = collection {
        return generator::without(cx, source, count);
    }
    let items = sequence(cx, "nthnext", collection)?;
    Ok(list_or_nil(items.skip(count)))
}

fn split_at(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [count, collection] = taken(args);
    let count = input::count("split-at", &count)?;
    if let Value::Generator(source) = collection {
        let head = generator::leading(cx, source.clone(), count)?;
        let tail = generator::without(cx, source, count)?;
        return cx.vector(vec![Value::list(head), tail]);
    }
    let items = sequence(cx, "split-at", collection)?;
    parts(cx, items, count)
}

fn split_with(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [predicate, collection] = taken(args);
    if let Value::Generator(source) = collection {
        let head = generator::take_while(cx, source.clone(), &predicate)?;
        let tail = generator::through(vec![Step::DropWhile(Some(predicate))], source);
        return cx.vector(vec![head, tail]);
    }
    let (items, held) = prefix(cx, "split-with", &predicate, collection)?;
    parts(cx, items, held)
}

fn parts(cx: &mut Interpreter<'_>, items: Items, at: usize) -> Eval {
    cx.vector(vec![Value::List(items.clone().truncate(at)), Value::List(items.skip(at))])
}

fn peek(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match &args[0] {
        Value::Nil => Ok(Value::Nil),
        Value::Vector(items) => Ok(items.last().cloned().unwrap_or_default()),
        Value::List(items) => Ok(items.first().cloned().unwrap_or_default()),
        Value::Generator(_) => infinite(),
        other => type_error("peek", "a vector or a list", other),
    }
}

fn pop(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args[0].take() {
        Value::Nil => Ok(Value::Nil),
        Value::List(items) if items.is_queue() => Ok(Value::List(items.skip(1).into_queue())),
        Value::Vector(items) | Value::List(items) if items.is_empty() => Ok(Value::Nil),
        Value::Vector(items) => {
            let kept = items.len() - 1;
            Ok(Value::Vector(items.truncate(kept)))
        }
        Value::List(items) => Ok(Value::List(items.skip(1))),
        Value::Generator(_) => infinite(),
        other => type_error("pop", "a vector or a list", &other),
    }
}

fn subvec(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let from = bound(args.get(1))?;
    let to = bound(args.get(2))?;
    match args[0].take() {
        Value::Vector(items) => {
            let to = to.unwrap_or(items.len());
            Ok(Value::Vector(items.truncate(to).skip(from.unwrap_or(0))))
        }
        Value::Generator(_) => infinite(),
        other => type_error("subvec", "a vector", &other),
    }
}

/// A bound of a part; negative ones are taken for 0.
fn bound(argument: Option<&Value>) -> Eval<Option<usize>> {
    match argument {
        Some(value) => Ok(Some(input::index("subvec", value)?.max(0) as usize)),
        None => Ok(None),
    }
}

fn rseq(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let [collection] = taken(args);
    reverse_of(cx, "rseq", collection).map(nil_if_empty)
}
