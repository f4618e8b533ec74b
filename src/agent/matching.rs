//! Matches the arguments of a call with the cases of a scripted tool.

use ptc_lisp::flexible::lookup;
use ptc_lisp::order::compare_numbers;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// True if the arguments have every name of `when`, in any spelling, with an equal value.
pub fn matches(when: &Map, arguments: &Map) -> bool {
    when.iter().all(|(key, expected)| lookup(arguments, key).is_some_and(|actual| same(expected, actual)))
}

/// Equality of scripts: `2` equals `2.0`, a keyword equals its name. The depth is that of the script's value.
fn same(expected: &Value, actual: &Value) -> bool {
    use Value::*;
    match (expected, actual) {
        (Int(_), Int(_)) => expected == actual,
        (Int(_) | Float(..), Int(_) | Float(..)) => same_number(expected, actual),
        (Str(text), Keyword(name)) | (Keyword(name), Str(text)) => text == name.name(),
        (Vector(a) | List(a), Vector(b) | List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Map(a), Map(b)) => a.len() == b.len() && matches(a, b),
        _ => expected == actual,
    }
}

fn same_number(a: &Value, b: &Value) -> bool {
    let is_nan = |value: &Value| matches!(value, Value::Float(number, ..) if number.is_nan());
    !is_nan(a) && !is_nan(b) && compare_numbers(a, b).is_eq()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: Vec<(Value, Value)>) -> Map {
        entries.into_iter().collect()
    }

    #[test]
    fn a_case_matches_part_of_the_arguments() {
        let arguments = map(vec![
            (Value::keyword("max-price"), Value::float(5.0)),
            (Value::str("tag"), Value::keyword("new")),
            (Value::keyword("gone"), Value::Nil),
            (Value::keyword("at"), Value::map(map(vec![(Value::keyword("bin-no"), Value::Int(2))]))),
        ]);
        let nested = Value::map(map(vec![(Value::keyword("bin_no"), Value::float(2.0))]));
        let cases = [
            (vec![], true),
            (vec![(Value::keyword("max_price"), Value::Int(5))], true),
            (vec![(Value::keyword("max_price"), Value::Int(6))], false),
            (vec![(Value::keyword("tag"), Value::str("new"))], true),
            (vec![(Value::keyword("gone"), Value::Nil)], true),
            (vec![(Value::keyword("missing"), Value::Nil)], false),
            (vec![(Value::keyword("at"), nested)], true),
            (vec![(Value::keyword("at"), Value::map(Map::new()))], false),
        ];
        for (when, expected) in cases {
            let when = map(when);
            assert_eq!(matches(&when, &arguments), expected, "{when:?}");
        }
    }
}
