//! Comparison, truth, and functions that make or call functions. Comparing collections spends ticks, so
//! that no structure, however often its parts are shared, is compared without end.

mod exceptions;
mod functions;

use std::cmp::Ordering;

use triomphe::Arc;

use crate::error::{Eval, type_error};
use crate::eval::{Interpreter, infinite};
use crate::order::{self, cannot_compare};
use crate::stack::guarded;
use crate::table::{Map, Set};
use crate::value::{Held, Value};

use super::{Builtin, at_least, between, exactly, row};

pub(super) use exceptions::ROWS as EXCEPTIONS;

/// Comparison and truth.
pub(super) static ROWS: &[Builtin] = &[
    Builtin {
        name: "<",
        arity: at_least(1),
        run: |_, args| chain("<", Ordering::is_lt, args),
        doc: "Whether each number is less than the next.",
        example: "(< 1 2 3) ;=> true",
    },
    Builtin {
        name: "<=",
        arity: at_least(1),
        run: |_, args| chain("<=", Ordering::is_le, args),
        doc: "Whether no number is greater than the next.",
        example: "(<= 1 1 2) ;=> true",
    },
    Builtin {
        name: "=",
        arity: at_least(1),
        run: |cx, args| all_equal(cx, args).map(Value::Bool),
        doc: "Whether all are equal; an integer never equals a float.",
        example: "(= [1 2] [1 2]) ;=> true",
    },
    Builtin {
        name: "==",
        arity: at_least(1),
        run: |_, args| chain("==", Ordering::is_eq, args),
        doc: "Whether all numbers have the same value, be they integers or floats.",
        example: "(== 1 1.0) ;=> true",
    },
    Builtin {
        name: ">",
        arity: at_least(1),
        run: |_, args| chain(">", Ordering::is_gt, args),
        doc: "Whether each number is greater than the next.",
        example: "(> 3 2 2) ;=> false",
    },
    Builtin {
        name: ">=",
        arity: at_least(1),
        run: |_, args| chain(">=", Ordering::is_ge, args),
        doc: "Whether no number is less than the next.",
        example: "(>= 3 2 2) ;=> true",
    },
    Builtin {
        name: "boolean",
        arity: exactly(1),
        run: |_, args| Ok(Value::Bool(args.iter().all(Value::is_truthy))),
        doc: "false for nil and false, true for all else.",
        example: "(boolean 0) ;=> true",
    },
    Builtin {
        name: "compare",
        arity: exactly(2),
        run: compare,
        doc: "-1, 0 or 1 as the first sorts before, with or after the second; nil comes first.",
        example: "(compare \"a\" \"b\") ;=> -1",
    },
    Builtin {
        name: "false?",
        arity: exactly(1),
        run: |_, args| Ok(Value::Bool(matches!(args, [Value::Bool(false)]))),
        doc: "Whether the value is false itself.",
        example: "(false? nil) ;=> false",
    },
    Builtin {
        name: "identical?",
        arity: exactly(2),
        run: |cx, args| all_equal(cx, args).map(Value::Bool),
        doc: "The same as =.",
        example: "(identical? :a :a) ;=> true",
    },
    Builtin {
        name: "not",
        arity: exactly(1),
        run: |_, args| Ok(Value::Bool(!args.iter().all(Value::is_truthy))),
        doc: "Whether the value is nil or false.",
        example: "(not nil) ;=> true",
    },
    Builtin {
        name: "not=",
        arity: at_least(1),
        run: |cx, args| all_equal(cx, args).map(|equal| Value::Bool(!equal)),
        doc: "Whether some two differ.",
        example: "(not= 1 2) ;=> true",
    },
    Builtin {
        name: "true?",
        arity: exactly(1),
        run: |_, args| Ok(Value::Bool(matches!(args, [Value::Bool(true)]))),
        doc: "Whether the value is true itself.",
        example: "(true? 1) ;=> false",
    },
];

/// Functions about functions, and the errors that a program throws.
pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin {
        name: ".getMessage",
        arity: exactly(1),
        run: |_, args| Ok(exceptions::message(args)),
        doc: "The same as ex-message.",
        example: "(.getMessage (Exception. \"m\")) ;=> \"m\"",
    },
    Builtin {
        name: "Exception.",
        arity: between(0, 2),
        run: |cx, args| exceptions::exception(cx, "Exception.", args),
        doc: "An error to throw, with a message and no data.",
        example: "(ex-message (Exception. \"m\")) ;=> \"m\"",
    },
    Builtin {
        name: "IllegalArgumentException.",
        arity: between(0, 2),
        run: |cx, args| exceptions::exception(cx, "IllegalArgumentException.", args),
        doc: "An error to throw, with a message and no data.",
        example: "(ex-message (IllegalArgumentException. \"m\")) ;=> \"m\"",
    },
    Builtin {
        name: "RuntimeException.",
        arity: between(0, 2),
        run: |cx, args| exceptions::exception(cx, "RuntimeException.", args),
        doc: "An error to throw, with a message and no data.",
        example: "(ex-message (RuntimeException. \"m\")) ;=> \"m\"",
    },
    Builtin {
        name: "apply",
        arity: at_least(2),
        run: functions::apply,
        doc: "Calls the function; the items of the last argument, a collection, are arguments too.",
        example: "(apply max [3 1 2]) ;=> 3",
    },
    Builtin {
        name: "comp",
        arity: at_least(0),
        run: functions::comp,
        doc: "The functions one after another, the last one first; transducers from left to right.",
        example: "((comp inc *) 2 3) ;=> 7",
    },
    Builtin {
        name: "complement",
        arity: exactly(1),
        run: functions::complement,
        doc: "A function with the opposite truth value.",
        example: "((complement odd?) 2) ;=> true",
    },
    Builtin {
        name: "constantly",
        arity: exactly(1),
        run: functions::constantly,
        doc: "A function that always returns this value.",
        example: "((constantly 1) 2 3) ;=> 1",
    },
    row(
        "ensure-reduced",
        exactly(1),
        |_, args| match first(args) {
            reduced @ Value::Reduced(_) => Ok(reduced),
            other => Ok(Value::Reduced(Arc::new(Held(other)))),
        },
        "As reduced, but not twice.",
        "(unreduced (ensure-reduced (reduced 5))) ;=> 5",
    ),
    Builtin {
        name: "every-pred",
        arity: at_least(1),
        run: functions::every_pred,
        doc: "A function that tells whether all predicates hold for all its arguments.",
        example: "((every-pred odd? pos?) 1 3) ;=> true",
    },
    Builtin {
        name: "ex-data",
        arity: exactly(1),
        run: |_, args| Ok(exceptions::field("data", args)),
        doc: "The data of a caught error.",
        example: "(ex-data (ex-info \"m\" {:a 1})) ;=> {:a 1}",
    },
    Builtin {
        name: "ex-info",
        arity: between(2, 3),
        run: exceptions::ex_info,
        doc: "An error to throw, with a message and a map of data.",
        example: "(ex-info \"m\" {:a 1}) ;=> {:kind :thrown, :message \"m\", :data {:a 1}}",
    },
    Builtin {
        name: "ex-message",
        arity: exactly(1),
        run: |_, args| Ok(exceptions::message(args)),
        doc: "The message of a caught error.",
        example: "(ex-message (ex-info \"m\" {})) ;=> \"m\"",
    },
    Builtin {
        name: "fnil",
        arity: between(2, 4),
        run: functions::fnil,
        doc: "The function with defaults for its first arguments where they are nil.",
        example: "((fnil inc 0) nil) ;=> 1",
    },
    Builtin {
        name: "identity",
        arity: exactly(1),
        run: |_, args| Ok(first(args)),
        doc: "The value itself.",
        example: "(identity 5) ;=> 5",
    },
    Builtin {
        name: "juxt",
        arity: at_least(1),
        run: functions::juxt,
        doc: "A function that returns a vector of what each function returns.",
        example: "((juxt + -) 5 2) ;=> [7 3]",
    },
    Builtin {
        name: "memoize",
        arity: exactly(1),
        run: functions::memoize,
        doc: "The function, which remembers its results by their arguments.",
        example: "((memoize inc) 1) ;=> 2",
    },
    Builtin {
        name: "partial",
        arity: at_least(1),
        run: functions::partial,
        doc: "The function with its first arguments filled in.",
        example: "((partial + 1) 2) ;=> 3",
    },
    Builtin {
        name: "reduced",
        arity: exactly(1),
        run: |_, args| Ok(Value::Reduced(Arc::new(Held(first(args))))),
        doc: "Ends the reduction with this value.",
        example: "(reduce (fn [a x] (if (> x 2) (reduced a) (+ a x))) 0 [1 2 3]) ;=> 3",
    },
    Builtin {
        name: "reduced?",
        arity: exactly(1),
        run: |_, args| Ok(Value::Bool(matches!(args, [Value::Reduced(_)]))),
        doc: "Whether the value came from reduced.",
        example: "(reduced? 1) ;=> false",
    },
    Builtin {
        name: "some-fn",
        arity: at_least(1),
        run: functions::some_fn,
        doc: "A function that returns the first truthy result of any predicate on any argument.",
        example: "((some-fn :a :b) {:b 2}) ;=> 2",
    },
    row(
        "trampoline",
        at_least(1),
        functions::trampoline,
        "Calls the function, and what it gives as long as that is a function.",
        "(trampoline (fn [n] #(inc n)) 1) ;=> 2",
    ),
    Builtin {
        name: "unreduced",
        arity: exactly(1),
        run: unreduced,
        doc: "The value inside of what reduced returned; any other value as it is.",
        example: "(unreduced (reduced 1)) ;=> 1",
    },
];

/// Equality as `=` has it, a tick for each element that is looked at.
pub(super) fn equal(cx: &mut Interpreter<'_>, a: &Value, b: &Value) -> Eval<bool> {
    match (a, b) {
        (Value::Generator(_), _) | (_, Value::Generator(_)) => infinite(),
        (Value::Vector(a) | Value::List(a), Value::Vector(b) | Value::List(b)) => {
            Ok(a.len() == b.len() && guarded(|| equal_items(cx, a, b))?)
        }
        (Value::Map(a), Value::Map(b)) => Ok(a.len() == b.len() && guarded(|| equal_maps(cx, a, b))?),
        (Value::Set(a), Value::Set(b)) => Ok(a.len() == b.len() && guarded(|| equal_sets(cx, a, b))?),
        (Value::Str(a), Value::Str(b)) if a.len() == b.len() => {
            cx.tick_text(a)?;
            Ok(a == b)
        }
        _ => Ok(a == b),
    }
}

/// Spends a tick for each element inside a value, however deep, and those of reading its strings: the cost of
/// hashing it as a key.
pub(super) fn tick_nested(cx: &mut Interpreter<'_>, value: &Value) -> Eval<()> {
    match value {
        Value::Vector(items) | Value::List(items) => {
            cx.tick(items.len())?;
            guarded(|| items.iter().try_for_each(|item| tick_nested(cx, item)))
        }
        Value::Set(set) => {
            cx.tick(set.len())?;
            guarded(|| set.keys().try_for_each(|key| tick_nested(cx, key)))
        }
        Value::Map(map) => {
            cx.tick(map.len())?;
            guarded(|| map.iter().flat_map(<[&Value; 2]>::from).try_for_each(|item| tick_nested(cx, item)))
        }
        Value::Str(text) => cx.tick_text(text),
        _ => Ok(()),
    }
}

/// The order of `compare`, a tick for each pair of elements that is looked at.
///
/// # Errors
/// A `type_error` where the values have no order.
pub(super) fn compared(cx: &mut Interpreter<'_>, a: &Value, b: &Value) -> Eval<Ordering> {
    match (a, b) {
        (Value::Vector(a), Value::Vector(b)) if a.len() == b.len() => guarded(|| compared_items(cx, a, b)),
        (Value::Str(a), Value::Str(b)) => {
            cx.tick_text(if a.len() < b.len() { a } else { b })?;
            Ok(a.cmp(b))
        }
        _ => match order::compare(a, b) {
            Some(order) => Ok(order),
            None => cannot_compare(a, b),
        },
    }
}

fn compared_items(cx: &mut Interpreter<'_>, a: &[Value], b: &[Value]) -> Eval<Ordering> {
    for (a, b) in a.iter().zip(b) {
        cx.tick(1)?;
        match compared(cx, a, b)? {
            Ordering::Equal => {}
            order => return Ok(order),
        }
    }
    Ok(Ordering::Equal)
}

fn equal_items(cx: &mut Interpreter<'_>, a: &[Value], b: &[Value]) -> Eval<bool> {
    for (a, b) in a.iter().zip(b) {
        cx.tick(1)?;
        if !equal(cx, a, b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn equal_maps(cx: &mut Interpreter<'_>, a: &Map, b: &Map) -> Eval<bool> {
    for (key, value) in a.iter() {
        cx.tick(1)?;
        tick_nested(cx, key)?;
        match b.get(key) {
            Some(other) if equal(cx, value, other)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

fn equal_sets(cx: &mut Interpreter<'_>, a: &Set, b: &Set) -> Eval<bool> {
    for key in a.keys() {
        cx.tick(1)?;
        tick_nested(cx, key)?;
        if !b.contains(key) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn all_equal(cx: &mut Interpreter<'_>, args: &[Value]) -> Eval<bool> {
    for (a, b) in args.iter().zip(args.iter().skip(1)) {
        if !equal(cx, a, b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether each number stands in this order to the next; the rest is not looked at after one that does not.
fn chain(name: &str, holds: fn(Ordering) -> bool, args: &[Value]) -> Eval {
    for (a, b) in args.iter().zip(args.iter().skip(1)) {
        if !numeric_order(name, a, b)?.is_some_and(holds) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

/// None where one of the numbers is NaN. Integers meet floats as floats, as on the JVM.
fn numeric_order(name: &str, a: &Value, b: &Value) -> Eval<Option<Ordering>> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(Some(a.cmp(b))),
        (Value::Float(a, ..), Value::Float(b, ..)) => Ok(a.partial_cmp(b)),
        (Value::Int(a), Value::Float(b, ..)) => Ok((*a as f64).partial_cmp(b)),
        (Value::Float(a, ..), Value::Int(b)) => Ok(a.partial_cmp(&(*b as f64))),
        (Value::Int(_) | Value::Float(..), other) | (other, _) => type_error(name, "a number", other),
    }
}

fn compare(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [a, b] => compared(cx, a, b).map(|order| Value::Int(order as i64)),
        _ => Ok(Value::Nil),
    }
}

fn unreduced(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    match args {
        [Value::Reduced(value)] => Ok(value.0.clone()),
        _ => Ok(first(args)),
    }
}

/// The only argument, moved out.
fn first(args: &mut [Value]) -> Value {
    args.first_mut().map(Value::take).unwrap_or_default()
}
