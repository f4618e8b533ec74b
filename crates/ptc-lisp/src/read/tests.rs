//! Tests of the reader with valid, invalid and random texts.

use proptest::prelude::*;

use super::*;
use crate::error::ErrorKind;
use crate::print::pr_str;

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

/// A form as text that tells apart what the printer of values would not.
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

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(shown(text), *expected, "{text:?}");
    }
}

#[test]
fn blanks_and_comments_divide_forms() {
    check(&[
        ("", ""),
        (" ,\t\r\n\u{c}\u{feff}\u{a0}\u{3000}", ""),
        ("1,2;x\n3 #!y\n4 ;end", "1 2 3 4"),
        ("a #_b c", "a c"),
        ("#_ #_ a b c", "c"),
        ("#_(a [b]) #_#_{a b} #{c} d", "d"),
        ("[#_a]", "[]"),
        ("{:a #_x 1}", "{:a 1}"),
        ("(comment a)", "(comment a)"),
    ]);
}

#[test]
fn metadata_is_read_and_dropped() {
    check(&[
        ("^:private x", "x"),
        ("^{:doc \"d\"} ^String #^long x y", "x y"),
        ("(defn ^long f [^String s] s)", "(defn f [s] s)"),
        ("#_ ^a b c", "c"),
        ("^a #_b c", "c"),
        ("'^a b", "'b"),
        ("(^a)", "!Unexpected ')' at line 1, column 4"),
        ("^a", "!Unexpected end of input: expected a form after '^' at line 1, column 1"),
    ]);
}

#[test]
fn numbers() {
    check(&[
        ("0 -0 +5 42N -7", "0 0 5 42 -7"),
        ("0x1F -0Xff 0x10N 2r101 36rZZ 16rff -8r17", "31 -255 16 5 1295 255 -15"),
        ("017 00 07N", "15 0 7"),
        ("9223372036854775807 -9223372036854775808", "9223372036854775807 -9223372036854775808"),
        ("-0x8000000000000000", "-9223372036854775808"),
        ("2.5 1. 1e3 -4E-2 1.e+2 +0.5", "2.5 1.0 1000.0 -0.04 100.0 0.5"),
        ("1.5M 2M 09.5 -0.0", "1.5 2.0 9.5 -0.0"),
        ("1e400 ##Inf ##-Inf ##NaN", "##Inf ##Inf ##-Inf ##NaN"),
        (".5 -.5 - -a +", ".5 -.5 - -a +"),
        ("1[2]3\"4\"", "1 [2] 3 \"4\""),
    ]);
}

#[test]
fn bad_numbers_say_why() {
    check(&[
        ("12ab", "!Invalid number '12ab' at line 1, column 1"),
        ("\n +1x", "!Invalid number '+1x' at line 2, column 2"),
        ("1_000", "!Invalid number '1_000' at line 1, column 1"),
        ("1/2", "!Invalid number '1/2'. Ratio literals are not supported at line 1, column 1"),
        ("-1/2", "!Invalid number '-1/2'. Ratio literals are not supported at line 1, column 1"),
        ("09", "!Invalid number '09'. A leading 0 means octal at line 1, column 1"),
        (
            "9223372036854775808",
            "!Invalid number '9223372036854775808'. Integers must fit in 64 bits at line 1, column 1",
        ),
        ("0x", "!Invalid number '0x' at line 1, column 1"),
        ("0xG", "!Invalid number '0xG' at line 1, column 1"),
        ("2r2", "!Invalid number '2r2' at line 1, column 1"),
        ("37r1", "!Invalid number '37r1' at line 1, column 1"),
        ("1r0 ", "!Invalid number '1r0' at line 1, column 1"),
        ("1.5N", "!Invalid number '1.5N' at line 1, column 1"),
        ("1e", "!Invalid number '1e' at line 1, column 1"),
        ("1.2.3", "!Invalid number '1.2.3' at line 1, column 1"),
        ("1'", "!Invalid number '1'' at line 1, column 1"),
        ("##inf", "!Invalid number '##inf'. Use ##Inf, ##-Inf or ##NaN at line 1, column 1"),
    ]);
}

#[test]
fn strings_and_their_escapes() {
    check(&[
        (r#""" "a" "é""#, r#""" "a" "é""#),
        (r#""\n\t\r\\\"\b\f""#, r#""\n\t\r\\\"\b\f""#),
        ("\"a\nb\"", r#""a\nb""#),
        (r#""\u0041\101\o101\0""#, r#""AAA\u0000""#),
        (r#""\uD83D\uDE00""#, "\"😀\""),
        (r#""\d+\.\s" "\'""#, r#""\\d+\\.\\s" "\\'""#),
        (r#""\u12" "\uD83D" "\uD83Dx" "\400" "\o9""#, r#""\\u12" "\\uD83D" "\\uD83Dx" "\\400" "\\o9""#),
        ("\"a", "!Unexpected end of input: unclosed '\"' opened at line 1, column 1"),
        (r#"("a\""#, "!Unexpected end of input: unclosed '\"' opened at line 1, column 2"),
    ]);
}

#[test]
fn characters_are_strings_of_one() {
    check(&[
        (r"\a \newline \space \tab \return \backspace \formfeed", r#""a" "\n" " " "\t" "\r" "\b" "\f""#),
        (r"\u0041 \o101 \u \o \é", r#""A" "A" "u" "o" "é""#),
        (r#"[\a\b \" \\ \( \)]"#, r#"["a" "b" "\"" "\\" "(" ")"]"#),
        (r"\, \;", r#""," ";""#),
        (r"\ab", r"!Invalid character '\ab' at line 1, column 1"),
        (r"\uD83D", r"!Invalid character '\uD83D' at line 1, column 1"),
        (r"\u+041", r"!Invalid character '\u+041' at line 1, column 1"),
        (r"\o477", r"!Invalid character '\o477' at line 1, column 1"),
        (r"( \", r"!Unexpected end of input: expected a character after '\' at line 1, column 3"),
    ]);
}

#[test]
fn regexes_stay_text() {
    check(&[
        (r#"#"\d+\"[a-z]" #"""#, r#"#/\d+\"[a-z]/ #//"#),
        ("#\"a\\\"", "!Unexpected end of input: unclosed '#\"' opened at line 1, column 1"),
    ]);
}

#[test]
fn names() {
    check(&[
        ("nil true false nilx true?", "nil true false nilx true?"),
        (
            "a é 変数 * + ! - _ ? < > = & % $ . / a' a# %1 %& *1",
            "a é 変数 * + ! - _ ? < > = & % $ . / a' a# %1 %& *1",
        ),
        (
            "data/x clojure.string/join java.util.Date. .5x a:b ->x",
            "data/x clojure.string/join java.util.Date. .5x a:b ->x",
        ),
        (":a :a/b :a/b/c :1 :2xl :a' :a:b", ":a :a/b :a/b/c :1 :2xl :a' :a:b"),
        ("a/b/c", "!Invalid symbol 'a/b/c' at line 1, column 1"),
        ("a/", "!Invalid symbol 'a/' at line 1, column 1"),
        ("/a", "!Invalid symbol '/a' at line 1, column 1"),
        ("a:", "!Invalid symbol 'a:'. Did you mean ':a'? at line 1, column 1"),
        ("data/1", "!Invalid symbol 'data/1' at line 1, column 1"),
        (
            ":",
            "!Invalid keyword ':'. A map is written {key value}, without colons between at line 1, column 1",
        ),
        (":a:", "!Invalid keyword ':a:' at line 1, column 1"),
        (":a/", "!Invalid keyword ':a/' at line 1, column 1"),
        ("(“a”)", "!Unexpected '“' at line 1, column 2"),
        ("🎉", "!Unexpected '🎉' at line 1, column 1"),
        ("a \0", "!Unexpected character U+0000 at line 1, column 3"),
        ("\u{200b}a", "!Unexpected character U+200B at line 1, column 1"),
    ]);
}

#[test]
fn collections_and_prefixes() {
    check(&[
        ("() [] {} #{} #()", "() [] {} #{} #()"),
        ("(a [b {:c #{d}}])", "(a [b {:c #{d}}])"),
        ("#(+ % 1) #'x 'x '(1 a) ''x", "#(+ % 1) #'x 'x '(1 a) ''x"),
        ("#' x '#_a b", "#'x 'b"),
        ("#'1", "!Invalid var: expected a symbol after #' at line 1, column 1"),
    ]);
}

#[test]
fn stray_closers_are_skipped_between_forms_only() {
    check(&[
        (")]} a ) b ]", "a b"),
        ("(a]", "!Unexpected ']'. '(' opened at line 1, column 1 needs ')' at line 1, column 3"),
        ("[(a])", "!Unexpected ']'. '(' opened at line 1, column 2 needs ')' at line 1, column 4"),
        ("')", "!Unexpected ')' at line 1, column 2"),
        ("(#_)", "!Unexpected ')' at line 1, column 4"),
        ("#_", "!Unexpected end of input: expected a form after '#_' at line 1, column 1"),
    ]);
}

#[test]
fn the_innermost_bracket_is_the_unclosed_one() {
    check(&[
        ("(", "!Unexpected end of input: unclosed '(' opened at line 1, column 1"),
        (
            "(a\n  [b (c)",
            "!Unexpected end of input: unclosed '[' opened at line 2, column 3. Missing in all: ])",
        ),
        ("é #{'", "!Unexpected end of input: unclosed '#{' opened at line 1, column 3"),
        ("#(", "!Unexpected end of input: unclosed '#(' opened at line 1, column 1"),
    ]);
}

#[test]
fn unsupported_syntax_is_named() {
    let state = "mutable state is not available; use def, reduce or loop";
    check(&[
        ("@x", &format!("!Dereference '@' is not supported. {state} at line 1, column 1")),
        ("`x", "!Syntax quote '`' is not supported at line 1, column 1"),
        ("~x", "!Unquote '~' is not supported at line 1, column 1"),
        ("~@x", "!Unquote-splicing '~@' is not supported at line 1, column 1"),
        ("#?(:clj 1)", "!Reader conditional '#?' is not supported at line 1, column 1"),
        (
            "#inst \"2024\"",
            "!Tagged literal '#inst' is not supported. Use (Instant/parse text) at line 1, column 1",
        ),
        ("#:ns{:a 1}", "!Namespaced map '#:ns' is not supported at line 1, column 1"),
        ("#=(+ 1 2)", "!Read-time evaluation '#=' is not supported at line 1, column 1"),
        ("#<builtin>", "!A printed object '#<' cannot be read back at line 1, column 1"),
        ("::a", "!Auto-resolved keyword '::a' is not supported at line 1, column 1"),
        ("# a", "!Unexpected '#' at line 1, column 1"),
        ("#", "!Unexpected '#' at line 1, column 1"),
    ]);
}

#[test]
fn maps_need_pairs_and_keys_differ() {
    check(&[
        ("{:a 1 :b}", "!Map literal needs an even number of forms, got 3 at line 1, column 1"),
        ("{:a 1 :b 2 :a 3}", "!Duplicate key: :a at line 1, column 12"),
        ("#{1 1}", "!Duplicate key: 1 at line 1, column 5"),
        ("#{[1] (1)}", "!Duplicate key: (1) at line 1, column 7"),
        ("{{:a 1 :b 2} 1 {:b 2 :a 1} 2}", "!Duplicate key: {:b 2 :a 1} at line 1, column 16"),
        ("#{#{1 2} #{2 1}}", "!Duplicate key: #{2 1} at line 1, column 10"),
        ("#{0.0 -0.0}", "!Duplicate key: -0.0 at line 1, column 7"),
        ("#{0x10 16}", "!Duplicate key: 16 at line 1, column 8"),
        (r#"#{\a "a"}"#, "!Duplicate key: \"a\" at line 1, column 6"),
        ("#{x x}", "!Duplicate key: x at line 1, column 5"),
        ("#{'x (quote x)}", "!Duplicate key: (quote x) at line 1, column 6"),
        ("#{#'x (var x)}", "!Duplicate key: (var x) at line 1, column 7"),
        ("#{[[#{}]] [[#{}]]}", "!Duplicate key: [[#{}]] at line 1, column 11"),
        ("#{1 1.0 \"1\" :1 a :a \"a\" nil [] {} #{}}", "#{1 1.0 \"1\" :1 a :a \"a\" nil [] {} #{}}"),
        ("#{[1 2] [2 1] {1 2} #{1 2}}", "#{[1 2] [2 1] {1 2} #{1 2}}"),
        ("#{#(a) #(a) #\"a\" #\"a\" [#\"a\"] [#\"a\"]}", "#{#(a) #(a) #/a/ #/a/ [#/a/] [#/a/]}"),
        ("{:a {:a 1} :b {:a 1}}", "{:a {:a 1} :b {:a 1}}"),
    ]);
}

#[test]
fn nesting_and_length_are_bounded() {
    let nested = |open: &str, close: &str, levels| open.repeat(levels) + "1" + &close.repeat(levels);
    let too_deep = "!Forms are nested too deeply: more than 200 levels at line 1, column 201";
    check(&[(&nested("[", "]", 201), too_deep), (&nested("'", "", 201), too_deep)]);
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
