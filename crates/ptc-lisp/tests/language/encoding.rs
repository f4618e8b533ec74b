//! Values as JSON, and as text of a bounded size.

use ptc_lisp::json::{Encoder, generate, to_json, to_text};
use ptc_lisp::limits::MAX_STRING;
use ptc_lisp::print::{Printer, Style};
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;

#[test]
fn every_value_has_a_json_form_in_reports() {
    let value =
        Value::vector(vec![Value::keyword("k"), Value::float(f64::NAN), Value::Var(Symbol::new("x"))]);
    assert_eq!(to_json(&value).to_string(), r##"["k",null,"#'x"]"##);
}

#[test]
fn values_nested_or_shared_without_bounds_are_cut() {
    let nested = (0..100_000).fold(Value::Nil, |inner, _| Value::vector(vec![inner]));
    assert!(to_json(&nested).to_string().len() < 1_000);
    assert_eq!(generate(&nested).map(|(text, _)| text.len()), Some(200_004));
    let pair = |inner: Value| Value::vector(vec![inner.clone(), inner]);
    let entry = |inner: Value| Value::map([(inner.clone(), inner)].into_iter().collect());
    let text = Value::str("a".repeat(MAX_STRING / 2));
    let beside = |inner| Value::map([(inner, text.clone())].into_iter().collect());
    for grow in [&pair as &dyn Fn(Value) -> Value, &entry, &beside] {
        let shared = (0..900).fold(Value::Nil, |inner, _| grow(inner));
        assert!(generate(&shared).is_some_and(|(text, _)| (1..8).contains(&(text.len() - MAX_STRING))));
        assert!(to_json(&shared).as_str().is_some_and(|text| text.ends_with("(cut: too large)")));
    }
}

#[test]
fn values_share_the_bytes_of_an_encoder() {
    let mut encoder = Encoder::new(100);
    let value = Value::vector(vec![Value::str("a".repeat(40)), Value::Int(1)]);
    let encoded = [(); 3].map(|()| encoder.encode(&value));
    let starts: Vec<&str> = encoded.iter().map(|text| &text[..2]).collect();
    assert_eq!(starts, ["[\"", "[\"", "\"["], "{encoded:?}");
    assert_eq!(encoder.encode(&Value::Int(7)), "\"7 (cut: too large)\"");
}

#[test]
fn keys_of_one_name_are_one_field_in_reports() {
    let entries = [(Value::keyword("a"), Value::Int(1)), (Value::str("a"), Value::Int(2))];
    assert_eq!(to_text(&Value::map(entries.into_iter().collect())), "{\"a\":2}");
}

#[test]
fn text_past_the_limit_is_dropped() {
    let mut printer = Printer::limited(Style::Plain, u64::MAX, 5);
    ["abcde", "日本", "more"].iter().for_each(|text| printer.push(text));
    assert_eq!(printer.finish().0, "abcde日");
}
