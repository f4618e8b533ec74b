//! Comparison, truth, and functions that make or call functions. Comparing collections spends ticks, so
//! that no structure, however often its parts are shared, is compared without end.

mod exceptions;
mod functions;

use std::cmp::Ordering;

use triomphe::Arc;

use crate::error::Eval;
use crate::eval::{Interpreter, infinite};
use crate::stack::guarded;
use crate::table::{Map, Set};
use crate::value::{Held, Value};

use super::seq::compare;
use super::{AtLeast, Call, builtins};

pub(super) use exceptions::ROWS as EXCEPTIONS;

builtins! {
    pub(super) static ROWS;

    /// True if each number is less than the next.
    "<" = |cx: &mut Call, numbers: AtLeast<1>| chain(cx, numbers, Ordering::is_lt) => "(< 1 2 3) ;=> true"
    /// True if no number is greater than the next.
    "<=" = |cx: &mut Call, numbers: AtLeast<1>| chain(cx, numbers, Ordering::is_le) => "(<= 1 1 2) ;=> true"
    /// True if all are equal; an integer never equals a float.
    "=" = all_equal => "(= [1 2] [1 2]) ;=> true"
    /// True if all numbers have the same value, be they integers or floats.
    "==" = |cx: &mut Call, numbers: AtLeast<1>| chain(cx, numbers, Ordering::is_eq) => "(== 1 1.0) ;=> true"
    /// True if each number is greater than the next.
    ">" = |cx: &mut Call, numbers: AtLeast<1>| chain(cx, numbers, Ordering::is_gt) => "(> 3 2 2) ;=> false"
    /// True if no number is less than the next.
    ">=" = |cx: &mut Call, numbers: AtLeast<1>| chain(cx, numbers, Ordering::is_ge) => "(>= 3 2 2) ;=> true"
    /// false for nil and false, true for all else.
    "boolean" = |value: &Value| value.is_truthy() => "(boolean 0) ;=> true"
    /// -1, 0 or 1 as the first sorts before, with or after the second; nil comes first.
    "compare" = |cx: &mut Call, a: &Value, b: &Value| compare(cx, a, b).map(|order| order as i64) =>
        "(compare \"a\" \"b\") ;=> -1"
    /// True if the value is false itself.
    "false?" = |value: &Value| matches!(value, Value::Bool(false)) => "(false? nil) ;=> false"
    /// The same as =.
    "identical?" = |cx: &mut Call, a: &Value, b: &Value| equal(cx, a, b) => "(identical? :a :a) ;=> true"
    /// True if the value is nil or false.
    "not" = |value: &Value| !value.is_truthy() => "(not nil) ;=> true"
    /// True if some two differ.
    "not=" = |cx: &mut Call, values: AtLeast<1>| all_equal(cx, values).map(|equal| !equal) =>
        "(not= 1 2) ;=> true"
    /// True if the value is true itself.
    "true?" = |value: &Value| matches!(value, Value::Bool(true)) => "(true? 1) ;=> false"
}

builtins! {
    pub(super) static FUNCTIONS;

    /// The same as ex-message.
    ".getMessage" = exceptions::message => "(.getMessage (Exception. \"m\")) ;=> \"m\""
    /// An error to throw, with a message and no data.
    "Exception." = exceptions::exception => "(ex-message (Exception. \"m\")) ;=> \"m\""
    /// An error to throw, with a message and no data.
    "IllegalArgumentException." = exceptions::exception =>
        "(ex-message (IllegalArgumentException. \"m\")) ;=> \"m\""
    /// An error to throw, with a message and no data.
    "RuntimeException." = exceptions::exception => "(ex-message (RuntimeException. \"m\")) ;=> \"m\""
    /// Calls the function; the items of the last argument, a collection, are arguments too.
    "apply" = functions::apply => "(apply max [3 1 2]) ;=> 3"
    /// The functions one after another, the last one first; transducers from left to right.
    "comp" = functions::comp => "((comp inc *) 2 3) ;=> 7"
    /// A function with the opposite truth value.
    "complement" = functions::complement => "((complement odd?) 2) ;=> true"
    /// A function that always returns this value.
    "constantly" = functions::constantly => "((constantly 1) 2 3) ;=> 1"
    /// Like reduced, but not twice.
    "ensure-reduced" = ensure_reduced => "(unreduced (ensure-reduced (reduced 5))) ;=> 5"
    /// A function that tells whether all predicates hold for all its arguments.
    "every-pred" = functions::every_pred => "((every-pred odd? pos?) 1 3) ;=> true"
    /// The data of a caught error.
    "ex-data" = |error: &Value| exceptions::field("data", error) =>
        "(ex-data (ex-info \"m\" {:a 1})) ;=> {:a 1}"
    /// An error to throw, with a message and a map of data.
    "ex-info" = exceptions::ex_info =>
        "(ex-info \"m\" {:a 1}) ;=> {:kind :thrown, :message \"m\", :data {:a 1}}"
    /// The message of a caught error.
    "ex-message" = exceptions::message => "(ex-message (ex-info \"m\" {})) ;=> \"m\""
    /// The function with defaults for its first arguments where they are nil.
    "fnil" = functions::fnil => "((fnil inc 0) nil) ;=> 1"
    /// The value itself.
    "identity" as IDENTITY = |value: Value| value => "(identity 5) ;=> 5"
    /// A function that returns a vector of what each function returns.
    "juxt" = functions::juxt => "((juxt + -) 5 2) ;=> [7 3]"
    /// The function, which remembers its results by their arguments.
    "memoize" = functions::memoize => "((memoize inc) 1) ;=> 2"
    /// The function with its first arguments filled in.
    "partial" = functions::partial => "((partial + 1) 2) ;=> 3"
    /// Ends the reduction with this value.
    "reduced" = |value: Value| Value::Reduced(Arc::new(Held(value))) =>
        "(reduce (fn [a x] (if (> x 2) (reduced a) (+ a x))) 0 [1 2 3]) ;=> 3"
    /// True if the value came from reduced.
    "reduced?" = |value: &Value| matches!(value, Value::Reduced(_)) => "(reduced? 1) ;=> false"
    /// A function that returns the first truthy result of any predicate on any argument.
    "some-fn" = functions::some_fn => "((some-fn :a :b) {:b 2}) ;=> 2"
    /// Calls the function, and what it gives as long as that is a function.
    "trampoline" = functions::trampoline => "(trampoline (fn [n] #(inc n)) 1) ;=> 2"
    /// The value inside of what reduced returned; any other value as it is.
    "unreduced" = unreduced => "(unreduced (reduced 1)) ;=> 1"
}

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

fn all_equal(cx: &mut Call, values: AtLeast<1>) -> Eval<bool> {
    for pair in values.0.windows(2) {
        if !equal(cx, &pair[0], &pair[1])? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// True if each number stands in this order to the next. Stops at the first that does not.
fn chain(cx: &mut Call, numbers: AtLeast<1>, holds: fn(Ordering) -> bool) -> Eval<bool> {
    for pair in numbers.0.windows(2) {
        if !numeric_order(cx, &pair[0], &pair[1])?.is_some_and(holds) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// None where one of the numbers is NaN. Integers meet floats as floats, as on the JVM.
fn numeric_order(cx: &Call, a: &Value, b: &Value) -> Eval<Option<Ordering>> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(Some(a.cmp(b))),
        (Value::Float(a, ..), Value::Float(b, ..)) => Ok(a.partial_cmp(b)),
        (Value::Int(a), Value::Float(b, ..)) => Ok((*a as f64).partial_cmp(b)),
        (Value::Float(a, ..), Value::Int(b)) => Ok(a.partial_cmp(&(*b as f64))),
        (Value::Int(_) | Value::Float(..), other) | (other, _) => cx.type_error("a number", other),
    }
}

fn ensure_reduced(value: Value) -> Value {
    match value {
        Value::Reduced(_) => value,
        other => Value::Reduced(Arc::new(Held(other))),
    }
}

pub(super) fn unreduced(value: Value) -> Value {
    match value {
        Value::Reduced(value) => value.0.clone(),
        other => other,
    }
}
