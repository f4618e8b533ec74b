//! Predicate builders (`docs/language.md` §4.4), reached through special forms that check their shape.

use crate::builtins::prelude::*;

/// The operators of `where`, as messages list them.
pub const OPERATORS: &[&str] = &["=", "not=", ">", "<", ">=", "<=", "in", "includes"];

/// Makes the predicate of `(where field)` or `(where field op value)`.
pub static WHERE: Builtin = builtin!("where", |parts: &mut [Value]| predicate(&ROW_TEST, parts));
/// Makes a predicate of predicates.
pub static ALL_OF: Builtin = builtin!("all-of", |parts: &mut [Value]| predicate(&ALL_TEST, parts));
pub static ANY_OF: Builtin = builtin!("any-of", |parts: &mut [Value]| predicate(&ANY_TEST, parts));
pub static NONE_OF: Builtin = builtin!("none-of", |parts: &mut [Value]| predicate(&NONE_TEST, parts));

static ROW_TEST: Builtin = builtin!("where", test_row);
static ALL_TEST: Builtin = builtin!("all-of", |cx: &mut Call, args: &mut [Value]| each(cx, args, true));
static ANY_TEST: Builtin =
    builtin!("any-of", |cx: &mut Call, args: &mut [Value]| Ok(!each(cx, args, false)?));
static NONE_TEST: Builtin = builtin!("none-of", |cx: &mut Call, args: &mut [Value]| each(cx, args, false));

fn predicate(run: &'static Builtin, parts: &mut [Value]) -> Value {
    Value::Function(Function::Composed(Arc::new(Composed { run, parts: taken(parts).into() })))
}

/// `field row` or `field op value row`.
fn test_row(cx: &mut Call, args: &mut [Value]) -> Eval<bool> {
    match args {
        [field, row] => Ok(field_of(row, field).is_truthy()),
        [field, Value::Keyword(operator), value, row] => {
            let found = field_of(row, field);
            if let "in" | "includes" = operator.name() {
                cx.tick(members(value).count().max(members(&found).count()))?;
            }
            Ok(holds(operator.name(), &found, value))
        }
        others => arity_error("where", "1", others.len().saturating_sub(1)),
    }
}

/// Returns true if all predicates are as truthy as wanted of the last argument.
fn each(cx: &mut Call, args: &[Value], wanted: bool) -> Eval<bool> {
    let Some((row, predicates)) = args.split_last() else { return Ok(true) };
    every(predicates, |predicate| Ok(cx.call(predicate, &mut [row.clone()])?.is_truthy() == wanted))
}

/// The field of a row, or the value at the end of a path. Nil if it is missing.
fn field_of(row: &Value, field: &Value) -> Value {
    match field {
        Value::Vector(path) => {
            let mut found = row.clone();
            for key in path {
                found = value_at(&found, key);
            }
            found
        }
        key => value_at(row, key),
    }
}

fn value_at(row: &Value, key: &Value) -> Value {
    match row {
        Value::Map(_) | Value::Vector(_) => flexible::get(row, key).unwrap_or_default(),
        _ => Value::Nil,
    }
}

fn holds(operator: &str, found: &Value, value: &Value) -> bool {
    match operator {
        "=" => same(found, value),
        "not=" => !same(found, value),
        ">" => order(found, value).is_some_and(Ordering::is_gt),
        "<" => order(found, value).is_some_and(Ordering::is_lt),
        ">=" => order(found, value).is_some_and(Ordering::is_ge),
        "<=" => order(found, value).is_some_and(Ordering::is_le),
        "in" => !found.is_nil() && members(value).any(|member| same(found, member)),
        _ => match (found, value) {
            (Value::Str(text), Value::Str(part)) => text.contains(part.as_str()),
            (Value::Str(text), Value::Keyword(part)) => text.contains(part.name()),
            _ => members(found).any(|member| same(member, value)),
        },
    }
}

/// Equality of data that may have come as JSON: a keyword is its name, `2` is `2.0`.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Keyword(name), Value::Str(text)) | (Value::Str(text), Value::Keyword(name)) => {
            name.name() == text
        }
        (Value::Int(_) | Value::Float(..), Value::Int(_) | Value::Float(..)) => {
            !a.is_nan() && !b.is_nan() && compare_numbers(a, b).is_eq()
        }
        _ => a == b,
    }
}

/// Two numbers, two strings or two dates have an order; anything else has none.
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(_) | Value::Float(..), Value::Int(_) | Value::Float(..)) => {
            (!a.is_nan() && !b.is_nan()).then(|| compare_numbers(a, b))
        }
        (Value::Str(a), Value::Str(b)) => Some(a.as_str().cmp(b.as_str())),
        (Value::Date(a), Value::Date(b)) => Some(a.cmp(b)),
        (Value::DateTime(a), Value::DateTime(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

fn members(collection: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match collection {
        Value::Vector(items) | Value::List(items) => Box::new(items.iter()),
        Value::Set(set) => Box::new(set.keys()),
        _ => Box::new(std::iter::empty()),
    }
}
