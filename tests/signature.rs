//! Signatures: parsing, printing, validation of returned values, coercion of arguments.

use ptc_eval::signature::{Signature, coerce, describe_refusal, validate};
use ptc_lisp::error::{ErrorKind, raise};
use ptc_lisp::print::pr_str;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

/// S0-05
#[test]
fn signatures_print_in_canonical_form() {
    let cases = [
        ("(id :int, tags [:string]?) -> {name :string, ok :bool}", None),
        (":int", Some("-> :int")),
        ("() -> :int", Some("-> :int")),
        ("->:int", Some("-> :int")),
        ("-> {}", Some("-> :map")),
        ("( id\n :int ,b {x  :any?}? )->[ [:float] ]", Some("(id :int, b {x :any?}?) -> [[:float]]")),
        ("(_a-b2 :keyword) -> :map?", None),
    ];
    for (text, canonical) in cases {
        let signature = Signature::parse(text).unwrap();
        assert_eq!(signature.to_string(), canonical.unwrap_or(text));
        assert_eq!(Signature::parse(&signature.to_string()), Ok(signature));
    }
}

#[test]
fn errors_say_the_column() {
    let cases = [
        ("", 1, "expected a type, found the end"),
        ("(id :int)", 10, "expected '->', found the end"),
        ("(id :int) - > :int", 12, "expected '->'"),
        ("[]", 2, "expected a type, found ']'"),
        ("(id :int b :int) -> :int", 10, "expected ',' or ')', found 'b'"),
        ("(id:int) -> :int", 4, "expected a space between the name 'id' and its type"),
        ("(1d :int) -> :int", 2, "expected a name, found '1'"),
        ("(a-b :int, a_b :int) -> :int", 12, "the name 'a_b' stands twice"),
        (":int :int", 6, "expected the end, found ':'"),
        (
            "{é :strin}",
            4,
            "unknown type ':strin'; valid types: :string :int :float :bool :keyword :map :any, [type], {field type}",
        ),
    ];
    for (text, column, reason) in cases {
        let expected = format!("Invalid signature at column {column}: {reason}");
        assert_eq!(Signature::parse(text).unwrap_err().to_string(), expected, "{text}");
    }
    assert!(Signature::parse(&"[".repeat(100_000)).is_err());
}

fn keyed(entries: Vec<(&str, Value)>) -> Map {
    entries.into_iter().map(|(name, value)| (Value::keyword(name), value)).collect()
}

fn ints(values: &[i64]) -> Value {
    Value::vector(values.iter().map(|v| Value::Int(*v)).collect::<Vec<_>>())
}

fn check(signature: &str, value: &Value) -> Result<String, String> {
    let kind = Signature::parse(signature).unwrap().returns;
    let checked = validate(&kind, value);
    checked.map(|value| pr_str(&value)).map_err(|wrong| wrong.to_string())
}

#[test]
fn validation_accepts_what_each_type_allows() {
    let sku = Value::map([(Value::str("unit_price"), Value::Int(2))].into_iter().collect());
    let accepted = [
        (":string", Value::str("a"), "\"a\""),
        (":float", Value::Int(2), "2.0"),
        ("[:float]", ints(&[1, 2]), "[1.0 2.0]"),
        ("[:int]", Value::list(vec![Value::Int(1)]), "(1)"),
        (":int?", Value::Nil, "nil"),
        (":any", Value::Nil, "nil"),
        ("{unit-price :float}", sku.clone(), "{\"unit_price\" 2.0}"),
        ("{a :int?}", sku, "{\"unit_price\" 2}"),
        ("{}", Value::map(Map::new()), "{}"),
    ];
    for (signature, value, printed) in accepted {
        assert_eq!(check(signature, &value), Ok(printed.to_string()), "{signature}");
    }
}

#[test]
fn validation_lists_every_path() {
    let items = Value::map(keyed(vec![(
        "items",
        Value::vector(vec![Value::map(keyed(vec![("sku", Value::Nil)])), Value::Bool(true)]),
    )]));
    let refused = [
        (":int", Value::Bool(true), "root: expected int, got bool"),
        (":int", Value::float(1.0), "root: expected int, got float"),
        (":keyword", Value::str("a"), "root: expected keyword, got string"),
        ("[:int]", Value::set(Default::default()), "root: expected list, got set"),
        ("{a :int}", Value::map(Map::new()), "a: expected field, got nil"),
        ("{a :int}", Value::map(keyed(vec![("a", Value::Nil)])), "a: expected int, got nil"),
        (
            "{items [{sku :string, n :int}]}",
            items,
            "items.0.sku: expected string, got nil; items.0.n: expected field, got nil; \
             items.1: expected map, got bool",
        ),
    ];
    for (signature, value, message) in refused {
        assert_eq!(check(signature, &value), Err(message.to_string()), "{signature}");
    }
}

#[test]
fn a_refusal_lists_at_most_five_errors() {
    let kind = Signature::parse("[:string]").unwrap().returns;
    let refusal = |value: &Value| {
        let wrong = validate(&kind, value).unwrap_err();
        describe_refusal(&kind, value, &wrong)
    };
    assert_eq!(
        refusal(&ints(&[1, 2])),
        "the returned value does not match the signature\nExpected: [:string]\nReceived: [1 2]\n\
         Errors:\n- [0]: expected string, got int\n- [1]: expected string, got int\n\
         Call (return …) again with a corrected value."
    );
    assert!(refusal(&ints(&[0; 7])).contains("- [4]: expected string, got int\n- and 2 more\nCall"));
}

#[test]
fn coercion_converts_and_warns() {
    let signature = Signature::parse(
        "(max_price :float, n :int?, on :bool?, tag :keyword?, name :string?, xs [:int]?) -> :any",
    )
    .unwrap();
    let arguments = keyed(vec![
        ("extra", Value::str("kept")),
        ("max-price", Value::Int(5)),
        ("n", Value::str("42")),
        ("on", Value::str("true")),
        ("tag", Value::str("new")),
        ("name", Value::keyword("k")),
        ("xs", Value::vector(vec![Value::Int(1), Value::str("2")])),
    ]);
    let bound = coerce(&signature.parameters, &arguments, &mut |_| Ok(())).unwrap().unwrap();
    assert_eq!(
        pr_str(&Value::map(bound.value)),
        "{:max_price 5.0, :n 42, :on true, :tag :new, :name \"k\", :xs [1 2], :extra \"kept\"}"
    );
    assert_eq!(
        bound.warnings,
        [
            "n: converted string to int",
            "on: converted string to bool",
            "tag: converted string to keyword",
            "name: converted keyword to string",
            "xs.1: converted string to int",
        ]
    );
}

#[test]
fn coercion_refuses_the_rest() {
    let cases = [
        (":int", Value::float(1.0), "x: expected int, got float"),
        (":int", Value::str("4.0"), "x: expected int, got string"),
        (":float", Value::str("inf"), "x: expected float, got string"),
        (":bool", Value::str("True"), "x: expected bool, got string"),
        (":string", Value::Int(1), "x: expected string, got int"),
    ];
    for (kind, value, message) in cases {
        let signature = Signature::parse(&format!("(x {kind}) -> :any")).unwrap();
        let arguments = keyed(vec![("x", value)]);
        let wrong = coerce(&signature.parameters, &arguments, &mut |_| Ok(())).unwrap().unwrap_err();
        assert_eq!(wrong.to_string(), message);
    }
}

#[test]
fn a_meter_ends_the_walk_of_a_value_that_repeats_itself() {
    let wide = ints(&[1; 1000]);
    let wider = Value::vector(vec![wide; 1000]);
    let mut left = 10_000usize;
    let mut meter = |count: usize| match left.checked_sub(count) {
        Some(rest) => {
            left = rest;
            Ok(())
        }
        None => raise(ErrorKind::TickLimitExceeded, "enough"),
    };
    let signature = Signature::parse("(x [[:int]]) -> :any").unwrap();
    assert!(coerce(&signature.parameters, &keyed(vec![("x", wider)]), &mut meter).is_err());
}
