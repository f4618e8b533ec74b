//! What a value is. These functions answer for every value and never fail.

use std::cmp::Ordering;

use crate::error::Eval;
use crate::eval::Interpreter;
use crate::table::Set;
use crate::value::Value;

use super::logic::tick_nested;
use super::{Builtin, at_least, exactly, row};

pub(super) static ROWS: &[Builtin] = &[
    Builtin {
        name: "NaN?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Float(number, ..) if number.is_nan()))),
        doc: "Whether the value is not a number, as 0.0 divided by 0.0 is.",
        example: "(NaN? ##NaN) ;=> true",
    },
    Builtin {
        name: "any?",
        arity: exactly(1),
        run: |_, _| Ok(Value::Bool(true)),
        doc: "Always true.",
        example: "(any? nil) ;=> true",
    },
    Builtin {
        name: "associative?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Vector(_) | Value::Map(_)))),
        doc: "Whether the value is a vector or map.",
        example: "(associative? [1]) ;=> true",
    },
    Builtin {
        name: "boolean?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Bool(_)))),
        doc: "Whether the value is true or false.",
        example: "(boolean? nil) ;=> false",
    },
    row(
        "bytes?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: there are no arrays.",
        r#"(bytes? "x") ;=> false"#,
    ),
    Builtin {
        name: "char?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, is_character)),
        doc: "Whether the value is a string of one character.",
        example: "(char? \"a\") ;=> true",
    },
    Builtin {
        name: "class",
        arity: exactly(1),
        run: type_of,
        doc: "The same as type.",
        example: "(class \"a\") ;=> :string",
    },
    row(
        "class?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: types are keywords.",
        "(class? 1) ;=> false",
    ),
    Builtin {
        name: "coll?",
        arity: exactly(1),
        run: |_, args| {
            Ok(is(args, |value| {
                matches!(
                    value,
                    Value::Vector(_) | Value::List(_) | Value::Map(_) | Value::Set(_) | Value::Generator(_)
                )
            }))
        },
        doc: "Whether the value is a collection; a string is none.",
        example: "(coll? {}) ;=> true",
    },
    Builtin {
        name: "counted?",
        arity: exactly(1),
        run: |_, args| {
            Ok(is(args, |value| {
                matches!(value, Value::Vector(_) | Value::List(_) | Value::Map(_) | Value::Set(_))
            }))
        },
        doc: "Whether the value is a collection that knows its length; a string is none.",
        example: "(counted? [1]) ;=> true",
    },
    Builtin {
        name: "decimal?",
        arity: exactly(1),
        run: |_, _| Ok(Value::Bool(false)),
        doc: "Always false: there are no decimals.",
        example: "(decimal? 1.0) ;=> false",
    },
    row(
        "delay?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: values are never lazy.",
        "(delay? 1) ;=> false",
    ),
    Builtin {
        name: "distinct?",
        arity: at_least(1),
        run: distinct,
        doc: "Whether no two of the arguments are equal.",
        example: "(distinct? 1 2 1) ;=> false",
    },
    Builtin {
        name: "double?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Float(..)))),
        doc: "Whether the value is a float.",
        example: "(double? 1) ;=> false",
    },
    Builtin {
        name: "even?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| remainder_by_two(value) == Some(0.0))),
        doc: "Whether the value is an even whole number.",
        example: "(even? 2) ;=> true",
    },
    Builtin {
        name: "float?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Float(..)))),
        doc: "Whether the value is a float.",
        example: "(float? 1.0) ;=> true",
    },
    Builtin {
        name: "fn?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Function(_)))),
        doc: "Whether the value is a function; a keyword is none.",
        example: "(fn? inc) ;=> true",
    },
    row(
        "future?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: programs run in one thread.",
        "(future? 1) ;=> false",
    ),
    row(
        "ident?",
        exactly(1),
        |_, args| Ok(is(args, |value| matches!(value, Value::Keyword(_)))),
        "Whether the value is a keyword: symbols are no values here.",
        "(ident? :a) ;=> true",
    ),
    Builtin {
        name: "ifn?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, is_callable)),
        doc: "Whether the value can be called: a function, keyword, map, set, vector or var.",
        example: "(ifn? :a) ;=> true",
    },
    Builtin {
        name: "indexed?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Vector(_)))),
        doc: "Whether the value is a vector.",
        example: "(indexed? [1]) ;=> true",
    },
    Builtin {
        name: "infinite?",
        arity: exactly(1),
        run: |_, args| {
            Ok(is(args, |value| matches!(value, Value::Float(number, ..) if number.is_infinite())))
        },
        doc: "Whether the value is an infinity.",
        example: "(infinite? ##Inf) ;=> true",
    },
    row(
        "inst?",
        exactly(1),
        |_, args| Ok(is(args, |value| matches!(value, Value::DateTime(_)))),
        "Whether the value is a datetime.",
        "(inst? (java.util.Date. 0)) ;=> true",
    ),
    Builtin {
        name: "int?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Int(_)))),
        doc: "Whether the value is an integer.",
        example: "(int? 1) ;=> true",
    },
    Builtin {
        name: "integer?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Int(_)))),
        doc: "Whether the value is an integer.",
        example: "(integer? 1.0) ;=> false",
    },
    Builtin {
        name: "keyword?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Keyword(_)))),
        doc: "Whether the value is a keyword.",
        example: "(keyword? :a) ;=> true",
    },
    Builtin {
        name: "list?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::List(_)))),
        doc: "Whether the value is a list, as most functions on sequences return.",
        example: "(list? (map inc [1])) ;=> true",
    },
    Builtin {
        name: "map-entry?",
        arity: exactly(1),
        run: |_, _| Ok(Value::Bool(false)),
        doc: "Always false: the entries of a map are vectors.",
        example: "(map-entry? [1 2]) ;=> false",
    },
    Builtin {
        name: "map?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Map(_)))),
        doc: "Whether the value is a map.",
        example: "(map? {}) ;=> true",
    },
    Builtin {
        name: "nat-int?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Int(0..)))),
        doc: "Whether the value is an integer and not negative.",
        example: "(nat-int? 0) ;=> true",
    },
    Builtin {
        name: "neg-int?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Int(..0)))),
        doc: "Whether the value is a negative integer.",
        example: "(neg-int? -1) ;=> true",
    },
    Builtin {
        name: "neg?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| sign(value) == Some(Ordering::Less))),
        doc: "Whether the value is a number less than zero.",
        example: "(neg? -1) ;=> true",
    },
    Builtin {
        name: "nil?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Nil))),
        doc: "Whether the value is nil.",
        example: "(nil? nil) ;=> true",
    },
    Builtin {
        name: "number?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Int(_) | Value::Float(..)))),
        doc: "Whether the value is a number.",
        example: "(number? 1.5) ;=> true",
    },
    Builtin {
        name: "odd?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| remainder_by_two(value) == Some(1.0))),
        doc: "Whether the value is an odd whole number.",
        example: "(odd? -3) ;=> true",
    },
    Builtin {
        name: "pos-int?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Int(1..)))),
        doc: "Whether the value is a positive integer.",
        example: "(pos-int? 0) ;=> false",
    },
    Builtin {
        name: "pos?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| sign(value) == Some(Ordering::Greater))),
        doc: "Whether the value is a number greater than zero.",
        example: "(pos? 1) ;=> true",
    },
    row(
        "qualified-ident?",
        exactly(1),
        |_, args| Ok(is(args, |value| matches!(value, Value::Keyword(name) if is_qualified(name.name())))),
        "The same as qualified-keyword?.",
        "(qualified-ident? :a/b) ;=> true",
    ),
    row(
        "qualified-keyword?",
        exactly(1),
        |_, args| Ok(is(args, |value| matches!(value, Value::Keyword(name) if is_qualified(name.name())))),
        "Whether the value is a keyword with a namespace.",
        "(qualified-keyword? :a/b) ;=> true",
    ),
    row(
        "qualified-symbol?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: symbols are no values here.",
        "(qualified-symbol? :a/b) ;=> false",
    ),
    Builtin {
        name: "ratio?",
        arity: exactly(1),
        run: |_, _| Ok(Value::Bool(false)),
        doc: "Always false: there are no ratios.",
        example: "(ratio? 1) ;=> false",
    },
    Builtin {
        name: "rational?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Int(_)))),
        doc: "Whether the value is an integer: there are no ratios.",
        example: "(rational? 1) ;=> true",
    },
    row(
        "reader-conditional?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: reader conditionals are no values.",
        "(reader-conditional? 1) ;=> false",
    ),
    row(
        "record?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: records are maps here.",
        "(record? {:a 1}) ;=> false",
    ),
    Builtin {
        name: "regex?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Regex(_)))),
        doc: "Whether the value is a regular expression.",
        example: "(regex? #\"a\") ;=> true",
    },
    Builtin {
        name: "reversible?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Vector(_)) || is_sorted(value))),
        doc: "Whether rseq takes the value: a vector, a sorted map or a sorted set.",
        example: "(reversible? [1]) ;=> true",
    },
    Builtin {
        name: "seq?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::List(_) | Value::Generator(_)))),
        doc: "Whether the value is a sequence and no vector.",
        example: "(seq? (map inc [1])) ;=> true",
    },
    Builtin {
        name: "seqable?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, is_seqable)),
        doc: "Whether the value can be walked: a collection, a string or nil.",
        example: "(seqable? \"a\") ;=> true",
    },
    Builtin {
        name: "sequential?",
        arity: exactly(1),
        run: |_, args| {
            Ok(is(args, |value| matches!(value, Value::Vector(_) | Value::List(_) | Value::Generator(_))))
        },
        doc: "Whether the value is a vector or list.",
        example: "(sequential? [1]) ;=> true",
    },
    Builtin {
        name: "set?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Set(_)))),
        doc: "Whether the value is a set.",
        example: "(set? #{}) ;=> true",
    },
    row(
        "simple-ident?",
        exactly(1),
        |_, args| Ok(is(args, |value| matches!(value, Value::Keyword(name) if !is_qualified(name.name())))),
        "The same as simple-keyword?.",
        "(simple-ident? :a) ;=> true",
    ),
    row(
        "simple-keyword?",
        exactly(1),
        |_, args| Ok(is(args, |value| matches!(value, Value::Keyword(name) if !is_qualified(name.name())))),
        "Whether the value is a keyword without a namespace.",
        "(simple-keyword? :a) ;=> true",
    ),
    row(
        "simple-symbol?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: symbols are no values here.",
        "(simple-symbol? :a) ;=> false",
    ),
    Builtin {
        name: "some?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| !value.is_nil())),
        doc: "Whether the value is not nil.",
        example: "(some? false) ;=> true",
    },
    Builtin {
        name: "sorted?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, is_sorted)),
        doc: "Whether the value is a sorted map or set.",
        example: "(sorted? (sorted-set 1)) ;=> true",
    },
    row(
        "special-symbol?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: symbols are no values.",
        "(special-symbol? :if) ;=> false",
    ),
    Builtin {
        name: "string?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Str(_)))),
        doc: "Whether the value is a string.",
        example: "(string? \"a\") ;=> true",
    },
    Builtin {
        name: "symbol?",
        arity: exactly(1),
        run: |_, _| Ok(Value::Bool(false)),
        doc: "Always false: symbols are no values.",
        example: "(symbol? :a) ;=> false",
    },
    row(
        "tagged-literal?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: there are no tagged literals.",
        "(tagged-literal? 1) ;=> false",
    ),
    Builtin {
        name: "type",
        arity: exactly(1),
        run: type_of,
        doc: "The type of the value as a keyword; nil for nil.",
        example: "(type 1.5) ;=> :number",
    },
    row(
        "uri?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: URIs are strings here.",
        r#"(uri? "x") ;=> false"#,
    ),
    row(
        "uuid?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: UUIDs are strings here.",
        r#"(uuid? "x") ;=> false"#,
    ),
    row(
        "var?",
        exactly(1),
        |_, args| Ok(is(args, |value| matches!(value, Value::Var(_)))),
        "Whether the value is a var.",
        "(var? #'inc) ;=> true",
    ),
    Builtin {
        name: "vector?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| matches!(value, Value::Vector(_)))),
        doc: "Whether the value is a vector.",
        example: "(vector? [1]) ;=> true",
    },
    row(
        "volatile?",
        exactly(1),
        |_, args| Ok(is(args, |_| false)),
        "Always false: there is no mutable state.",
        "(volatile? 1) ;=> false",
    ),
    Builtin {
        name: "zero?",
        arity: exactly(1),
        run: |_, args| Ok(is(args, |value| sign(value) == Some(Ordering::Equal))),
        doc: "Whether the value is the number zero.",
        example: "(zero? 0.0) ;=> true",
    },
];

fn is(args: &[Value], test: impl Fn(&Value) -> bool) -> Value {
    Value::Bool(args.iter().all(test))
}

fn is_qualified(name: &str) -> bool {
    name.split_once('/').is_some_and(|(space, bare)| !space.is_empty() && !bare.is_empty())
}

fn is_character(value: &Value) -> bool {
    matches!(value, Value::Str(text) if text.chars().take(2).count() == 1)
}

fn is_sorted(value: &Value) -> bool {
    match value {
        Value::Map(map) => map.is_sorted(),
        Value::Set(set) => set.is_sorted(),
        _ => false,
    }
}

fn is_seqable(value: &Value) -> bool {
    use Value::*;
    matches!(value, Nil | Str(_) | Vector(_) | List(_) | Map(_) | Set(_) | Generator(_))
}

pub(super) fn is_callable(value: &Value) -> bool {
    use Value::*;
    matches!(value, Function(_) | Keyword(_) | Map(_) | Set(_) | Vector(_) | Var(_))
}

/// How a number compares with zero; none for NaN and what is no number.
fn sign(value: &Value) -> Option<Ordering> {
    match value {
        Value::Int(number) => Some(number.cmp(&0)),
        Value::Float(number, ..) => number.partial_cmp(&0.0),
        _ => None,
    }
}

/// 0 or 1 for whole numbers, a fraction for others, none for what is no number.
fn remainder_by_two(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(number.rem_euclid(2) as f64),
        Value::Float(number, ..) => Some(number.rem_euclid(2.0)),
        _ => None,
    }
}

fn distinct(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let mut seen = Set::with_capacity(args.len());
    for value in args {
        tick_nested(cx, value)?;
        if seen.insert(value.take(), ()).is_some() {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn type_of(_: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    Ok(match args {
        [Value::Nil] | [] => Value::Nil,
        [value, ..] => Value::keyword(value.type_name()),
    })
}
