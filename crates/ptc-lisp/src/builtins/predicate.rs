//! Types of values. These functions answer for every value and never fail.

use super::logic::tick_nested;
use crate::builtins::prelude::*;

builtins! {
    pub(super) static ROWS;

    "NaN?" = |value: &Value| value.is_nan();
    "any?" = |_: &Value| true;
    "associative?" = |value: &Value| matches!(value, Value::Vector(_) | Value::Map(_));
    "boolean?" = |value: &Value| matches!(value, Value::Bool(_));
    "bytes?" = is_never;
    "char?" = |value: &Value| value.as_character().is_some();
    "class" = type_of;
    "class?" = is_never;
    "coll?" = |value: &Value| value.item_count().is_some() || matches!(value, Value::Generator(_));
    "counted?" = |value: &Value| value.item_count().is_some();
    "decimal?" = is_never;
    "delay?" = is_never;
    "distinct?" = |cx: &mut Call, values: AtLeast<1>| -> Eval<bool> {
        let mut seen = Set::with_capacity(values.0.len());
        every(values.0, |value| {
            tick_nested(cx, value)?;
            Ok(seen.insert(value.take(), ()).is_none())
        })
    };
    "double?" = is_float;
    "even?" = |value: &Value| remainder_by_two(value) == Some(0.0);
    "float?" = is_float;
    "fn?" = |value: &Value| matches!(value, Value::Function(_));
    "future?" = is_never;
    "ident?" = is_keyword;
    "ifn?" = is_callable;
    "indexed?" = is_vector;
    "infinite?" = |value: &Value| matches!(value, Value::Float(number, ..) if number.is_infinite());
    "inst?" = |value: &Value| matches!(value, Value::DateTime(_));
    "instance?" = |cx: &mut Call, class: &Value, value: Value| match class {
        Value::Function(_) => cx.call(class, &mut [value]),
        other => cx.type_error("the name of a class", other),
    };
    "int?" = is_integer;
    "integer?" = is_integer;
    "keyword?" = is_keyword;
    "list?" = |value: &Value| matches!(value, Value::List(_));
    "map-entry?" = |value: &Value| matches!(value, Value::Vector(items) if items.is_entry());
    "map?" = |value: &Value| matches!(value, Value::Map(_));
    "nat-int?" = |value: &Value| matches!(value, Value::Int(0..));
    "neg-int?" = |value: &Value| matches!(value, Value::Int(..0));
    "neg?" = |value: &Value| sign(value) == Some(Ordering::Less);
    "nil?" as IS_NIL = |value: &Value| matches!(value, Value::Nil);
    "number?" = |value: &Value| matches!(value, Value::Int(_) | Value::Float(..));
    "odd?" = |value: &Value| remainder_by_two(value) == Some(1.0);
    "pos-int?" = |value: &Value| matches!(value, Value::Int(1..));
    "pos?" = |value: &Value| sign(value) == Some(Ordering::Greater);
    "qualified-ident?" = is_qualified;
    "qualified-keyword?" = is_qualified;
    "qualified-symbol?" = is_never;
    "ratio?" = is_never;
    "rational?" = is_integer;
    "reader-conditional?" = is_never;
    "record?" = is_never;
    "regex?" = |value: &Value| matches!(value, Value::Regex(_));
    "reversible?" = |value: &Value| matches!(value, Value::Vector(_)) || is_sorted(value);
    "seq?" = |value: &Value| matches!(value, Value::List(_) | Value::Generator(_));
    "seqable?" = |value: &Value| -> bool {
        use Value::*;
        matches!(value, Nil | Str(_) | Vector(_) | List(_) | Map(_) | Set(_) | Generator(_))
    };
    "sequential?" = |value: &Value| matches!(value, Value::Vector(_) | Value::List(_) | Value::Generator(_));
    "set?" = |value: &Value| matches!(value, Value::Set(_));
    "simple-ident?" = is_simple;
    "simple-keyword?" = is_simple;
    "simple-symbol?" = is_never;
    "some?" as IS_SOME = |value: &Value| !value.is_nil();
    "sorted?" = is_sorted;
    "special-symbol?" = is_never;
    "string?" = |value: &Value| matches!(value, Value::Str(_));
    "symbol?" = is_never;
    "tagged-literal?" = is_never;
    "type" = type_of;
    "uri?" = is_never;
    "uuid?" = is_never;
    "var?" = |value: &Value| matches!(value, Value::Var(_));
    "vector?" = is_vector;
    "volatile?" = is_never;
    "zero?" = |value: &Value| sign(value) == Some(Ordering::Equal);
}

/// The predicate of a class of Java or Clojure, with or without its package. `classes.tsv` maps predicates to the classes of the values
/// that they accept.
pub(crate) fn of_class_named(class: &str) -> Option<Value> {
    let class = class.rsplit('.').next()?;
    for row in include_str!("classes.tsv").lines() {
        if let Some((predicate, names)) = row.split_once('\t')
            && names.split(' ').any(|name| name == class)
        {
            return crate::builtins::value(predicate);
        }
    }
    None
}

/// For kinds of values that the language lacks.
#[inline]
fn is_never(_: &Value) -> bool {
    false
}

#[inline]
fn is_float(value: &Value) -> bool {
    matches!(value, Value::Float(..))
}

#[inline]
fn is_integer(value: &Value) -> bool {
    matches!(value, Value::Int(_))
}

#[inline]
fn is_keyword(value: &Value) -> bool {
    matches!(value, Value::Keyword(_))
}

#[inline]
fn is_vector(value: &Value) -> bool {
    matches!(value, Value::Vector(_))
}

/// True for a keyword with a namespace.
fn is_qualified(value: &Value) -> bool {
    let Value::Keyword(name) = value else { return false };
    match name.name().split_once('/') {
        Some((space, bare)) => !space.is_empty() && !bare.is_empty(),
        None => false,
    }
}

fn is_simple(value: &Value) -> bool {
    is_keyword(value) && !is_qualified(value)
}

fn is_sorted(value: &Value) -> bool {
    match value {
        Value::Map(map) => map.is_sorted(),
        Value::Set(set) => set.is_sorted(),
        _ => false,
    }
}

pub(super) fn is_callable(value: &Value) -> bool {
    use Value::*;
    matches!(value, Function(_) | Keyword(_) | Map(_) | Set(_) | Vector(_) | Var(_))
}

/// The order of a number and zero; none for NaN and for other values.
fn sign(value: &Value) -> Option<Ordering> {
    match value {
        Value::Int(number) => Some(number.cmp(&0)),
        Value::Float(number, ..) => number.partial_cmp(&0.0),
        _ => None,
    }
}

/// 0 or 1 for whole numbers, a fraction for other numbers. `None` for other values.
fn remainder_by_two(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(number.rem_euclid(2) as f64),
        Value::Float(number, ..) => Some(number.rem_euclid(2.0)),
        _ => None,
    }
}

fn type_of(value: &Value) -> Value {
    if value.is_nil() { Value::Nil } else { Value::keyword(value.type_name()) }
}
