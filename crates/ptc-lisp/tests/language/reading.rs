//! Tests of the reader with valid, invalid and random texts.

use proptest::prelude::*;

use ptc_lisp::error::ErrorKind;
use ptc_lisp::form::{Form, FormKind};
use ptc_lisp::limits::MAX_SOURCE;
use ptc_lisp::print::pr_str;
use ptc_lisp::read::{literal, read};
use ptc_lisp::source::{Source, Span};
use ptc_lisp::value::Value;

/// The forms, or the message after `!`.
fn shown(text: &str) -> String {
    match read(&Source::new("test", text)) {
        Ok(forms) => forms.iter().map(show).collect::<Vec<_>>().join(" "),
        Err(error) => {
            assert_eq!(error.kind, ErrorKind::ParseError);
            assert!(error.span.is_some() && error.form.is_none());
            format!("!{}", error.message)
        }
    }
}

/// A form as text, with distinctions that the printer of values drops.
fn show(form: &Form) -> String {
    let all = |forms: &[Form]| forms.iter().map(show).collect::<Vec<_>>().join(" ");
    match &form.kind {
        FormKind::Symbol(name) => name.to_string(),
        FormKind::Regex(text) => format!("#/{text}/"),
        FormKind::List(forms) => format!("({})", all(forms)),
        FormKind::Vector(forms) => format!("[{}]", all(forms)),
        FormKind::Map(forms) => format!("{{{}}}", all(forms)),
        FormKind::Set(forms) => format!("#{{{}}}", all(forms)),
        FormKind::ShortFn(forms) => format!("#({})", all(forms)),
        FormKind::Var(name) => format!("#'{name}"),
        FormKind::Quote(form) => format!("'{}", show(form)),
        _ => pr_str(&literal(form).expect("the other kinds are data")),
    }
}

/// Rows of `reading.tsv`, a text and its forms each, and texts with line breaks and characters that cannot be seen.
#[test]
fn texts_are_read_or_refused() {
    let table = include_str!("reading.tsv").lines().filter_map(|row| row.split_once('\t'));
    let others = [
        (" ,\t\r\n\u{c}\u{feff}\u{a0}\u{3000}", ""),
        ("1,2;x\n3 #!y\n4 ;end", "1 2 3 4"),
        ("\n +1x", "!Invalid number '+1x' at line 2, column 2"),
        ("\"a\nb\"", r#""a\nb""#),
        (
            "(a\n  [b (c)",
            "!Unexpected end of input: unclosed '[' opened at line 2, column 3. Missing in all: ])",
        ),
        ("a \0", "!Unexpected character U+0000 at line 1, column 3"),
        ("\u{200b}a", "!Unexpected character U+200B at line 1, column 1"),
    ];
    for (text, expected) in table.chain(others) {
        assert_eq!(shown(text), expected, "{text:?}");
    }
}

#[test]
fn nesting_and_length_are_bounded() {
    let nested = |open: &str, close: &str, levels| open.repeat(levels) + "1" + &close.repeat(levels);
    let too_deep = "!Forms are nested too deeply: more than 200 levels at line 1, column 201";
    assert_eq!([shown(&nested("[", "]", 201)), shown(&nested("'", "", 201))], [too_deep; 2]);
    for fits in [nested("[", "]", 200), nested("'", "", 200)] {
        assert_eq!(shown(&fits), fits);
    }
    assert_eq!(shown(&("#_".repeat(1000) + &"1 ".repeat(1001))), "1");
    assert_eq!(shown(&" ".repeat(MAX_SOURCE)), "");
    assert_eq!(
        shown(&" ".repeat(MAX_SOURCE + 1)),
        "!Source is too long: at most 262144 bytes, got 262145 at line 1, column 262145"
    );
}

#[test]
fn spans_are_the_text_of_the_form() {
    let source = Source::new("test", " (é #'a 'b \"c\" #(d)) ^m x");
    let forms = read(&source).unwrap();
    assert_eq!(source.slice(forms[0].span), "(é #'a 'b \"c\" #(d))");
    assert_eq!(source.slice(forms[1].span), "x");
    let FormKind::List(parts) = &forms[0].kind else { panic!("a list") };
    let texts: Vec<_> = parts.iter().map(|part| source.slice(part.span)).collect();
    assert_eq!(texts, ["é", "#'a", "'b", "\"c\"", "#(d)"]);
}

#[test]
fn literals_are_data_without_names_and_code() {
    let literal_of = |text| literal(&read(&Source::new("test", text)).unwrap()[0]).map(|v| pr_str(&v));
    assert_eq!(literal_of("(1 [:a {\"b\" #{nil}}] ())").as_deref(), Some("(1 [:a {\"b\" #{nil}}] ())"));
    for code in ["a", "[a]", "{:k a}", "#{#(a)}", "(#\"r\")", "#'a", "'1"] {
        assert_eq!(literal_of(code), None, "{code}");
    }
}

fn atoms() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<f64>().prop_filter("NaN is not equal to itself", |f| !f.is_nan()).prop_map(Value::float),
        ".*".prop_map(Value::str),
        "[a-zé*+!?<>=&%$._-][a-z0-9'#/-]{0,5}[a-z0-9]".prop_map(|name| Value::keyword(&name)),
    ]
}

fn values() -> impl Strategy<Value = Value> {
    atoms().prop_recursive(5, 40, 6, |inner| {
        let entries = prop::collection::vec((inner.clone(), inner.clone()), 0..6);
        let items = prop::collection::vec(inner, 0..6);
        prop_oneof![
            items.clone().prop_map(Value::vector),
            items.clone().prop_map(Value::list),
            items.prop_map(|items| Value::set(items.into_iter().map(|item| (item, ())).collect())),
            entries.prop_map(|entries| Value::map(entries.into_iter().collect())),
        ]
    })
}

/// Every span lies in the text, on characters, whatever was read.
fn spans_fit(source: &Source) -> bool {
    let fits = |span: Span| source.text.get(span.start as usize..span.end as usize).is_some();
    match read(source) {
        Ok(forms) => forms.iter().all(|form| fits(form.span)),
        Err(error) => error.span.is_some_and(fits),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn printed_values_read_back(value in values()) {
        let source = Source::new("test", pr_str(&value));
        let forms = read(&source).map_err(|error| TestCaseError::fail(error.message.to_string()))?;
        prop_assert_eq!(forms.len(), 1);
        let read_back = literal(&forms[0]);
        prop_assert_eq!(read_back.as_ref(), Some(&value));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(spans_fit(&Source::new("test", String::from_utf8_lossy(&bytes).as_ref())));
    }

    #[test]
    fn any_mix_of_syntax_is_read_or_refused(text in r#"([()\[\]{}"'#_^\\:/@~;%&.+0-9a-fNMrxu é“\n]|#_|#\{|#'|##|\\u)*"#) {
        prop_assert!(spans_fit(&Source::new("test", text)));
    }
}
