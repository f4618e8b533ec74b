//! Matches the arguments of a call against the cases of a scripted tool.

use ptc_lisp::flexible::lookup;
use ptc_lisp::order::compare_numbers;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// Returns true if the arguments contain every name in `when`, in any spelling, with an equal value.
pub fn matches(when: &Map, arguments: &Map) -> bool {
    when.iter().all(|(key, expected)| lookup(arguments, key).is_some_and(|actual| is_same(expected, actual)))
}

/// Equality for scripts: `2` equals `2.0`, and a keyword equals its name, because YAML has no keywords. The depth of the recursion is
/// limited by the scripted value.
fn is_same(expected: &Value, actual: &Value) -> bool {
    use Value::*;
    match (expected, actual) {
        (Int(_), Int(_)) => expected == actual,
        (Int(_) | Float(..), Int(_) | Float(..)) => same_number(expected, actual),
        (Str(text), Keyword(name)) | (Keyword(name), Str(text)) => text == name.name(),
        (Vector(a) | List(a), Vector(b) | List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Map(a), Map(b)) => a.len() == b.len() && matches(a, b),
        _ => expected == actual,
    }
}

fn same_number(a: &Value, b: &Value) -> bool {
    !is_nan(a) && !is_nan(b) && compare_numbers(a, b).is_eq()
}

fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Float(number, ..) if number.is_nan())
}
