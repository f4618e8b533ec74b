//! Values as models see them: shortened text and type labels.

use ptc_lisp::limits::Limits;
use ptc_lisp::print::{TypeLabel, to_clojure};
use ptc_lisp::session::{Ended, Environment, NoTools, Outcome, Session};
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::{Function, Value};

fn outcome(program: &str) -> Outcome {
    Session::new(Environment::default(), Limits::default()).run("program", program, 1, &mut NoTools)
}

fn value(program: &str) -> Value {
    match outcome(program).ended {
        Ended::Value(value) => value,
        other => panic!("{program}: {other:?}"),
    }
}

/// S3-06, AMB-002: all labels; values that only exist during evaluation have none of their own.
#[test]
fn every_type_has_its_label() {
    let rows = [
        ("TYP-001", "[]", "list[0]"),
        ("TYP-001", "()", "list[0]"),
        ("TYP-002", "[1 2 3]", "list[3]"),
        ("TYP-002", "(map inc [1 2])", "list[2]"),
        ("TYP-003", "{}", "map[0]"),
        ("TYP-004", "{:a 1 :b {:c 2 :d 3}}", "map[2]"),
        ("TYP-005", "\"\"", "string"),
        ("TYP-006", "42", "integer"),
        ("TYP-007", "1.0", "float"),
        ("TYP-008", "false", "boolean"),
        ("TYP-009", ":k", "keyword"),
        ("TYP-010", "nil", "nil"),
        ("TYP-011", "(fn [x] x)", "#fn[...]"),
        ("TYP-012", "#{1 2}", "set[2]"),
        ("TYP-012", "#{}", "set[0]"),
        ("a builtin", "inc", "fn"),
        ("S2-19", "(reduced 1)", "unknown"),
    ];
    for (row, program, label) in rows {
        assert_eq!(TypeLabel::of(&value(program)).to_string(), label, "{row}: {program}");
    }
    assert_eq!(TypeLabel::of(&Value::Function(Function::Tool(Symbol::new("t")))).to_string(), "fn");
}

/// The formatted value, and true if it was cut.
fn check(row: &str, program: &str, limit: usize, characters: usize, expected: &str) {
    let (text, is_cut) = to_clojure(&value(program), limit, characters);
    assert_eq!(text, expected, "{row}: {program}");
    assert_eq!(is_cut, expected.contains("..."), "{row}: {program}");
}

/// Shortened collections state their size, shortened texts end in dots.
#[test]
fn one_formatter_cuts_all_values() {
    check("TRN-001", "[1 :a \"b\" nil 2.5]", 5, 80, "[1 :a \"b\" nil 2.5]");
    check("TRN-001", "{:b 1 :a #{2}}", 3, 80, "{:b 1, :a #{2}}");
    check("TRN-004", "[1 2 3 4]", 3, 80, "[1 2 3 ...] (4 items, showing first 3)");
    check("TRN-004", "(map inc (range 5))", 2, 80, "(1 2 ...) (5 items, showing first 2)");
    check("TRN-004", "#{:a :b :c}", 1, 80, "#{:a ...} (3 items, showing first 1)");
    check("TRN-004", "{:a 1 :b 2 :c 3}", 2, 80, "{:a 1, :b 2, ...} (3 items, showing first 2)");
    check("TRN-004", "[[1 2 3]]", 2, 80, "[[1 2 ...]]");
    check("TRN-005", "\"abcd\"", 3, 4, "\"abcd\"");
    check("TRN-005", "\"abcde\"", 3, 4, "\"abcd...\"");
    check("TRN-005", "\"日本é語x\"", 3, 4, "\"日本é語...\"");
    check("TRN-005", "[\"ééé\" :b]", 3, 2, "[\"éé...\" :b]");
}

/// TRN-011, S3-04, S3-09: characters are code points, and the dots come on top.
#[test]
fn a_print_is_cut_at_two_thousand_characters() {
    for (characters, shown) in [(1_999, 1_999), (2_000, 2_000), (2_001, 2_003)] {
        for letter in ["x", "é", "日"] {
            let program = format!("(println (apply str (repeat {characters} \"{letter}\")))");
            let print = outcome(&program).prints[0].to_string();
            assert_eq!(print.chars().count(), shown, "{characters} times {letter}");
            assert_eq!(print.ends_with("..."), characters > 2_000, "{characters} times {letter}");
        }
    }
}

/// TRN-009, AMB-009: one call is one print, even if it writes several lines.
#[test]
fn a_print_of_many_lines_counts_once() {
    let prints = outcome("(println (join \"\\n\" (range 30)) \"end\") (println)").prints;
    assert_eq!(prints.len(), 2);
    assert_eq!(prints[0].lines().count(), 30);
}

/// TRN-008: prints inside any form are captured.
#[test]
fn prints_are_captured_wherever_they_happen() {
    let program = "
        (defn say [x] (println \"say\" x) x)
        (map (fn [x] (println \"map\" x)) [1 2])
        (doseq [x [3]] (println \"doseq\" x))
        (reduce (fn [sum x] (println \"reduce\" x) (+ sum x)) [4 5])
        (pmap say [6 7])";
    let prints = outcome(program).prints;
    assert_eq!(prints, ["map 1", "map 2", "doseq 3", "reduce 5", "say 6", "say 7"]);
}

/// S3-03, S1-12, DEF-001, DEF-005…DEF-007: the interpreter keeps docstrings without semicolons and the order of first
/// definition.
#[test]
fn memory_keeps_docstrings_and_order() {
    let program = "
        (def b \"First; of; all\" 1)
        (defn a \"Then\" [] 2)
        (def c 3)
        (def b \"Again\" 4)
        (if false (def c \"Never run\" 5))";
    let mut session = Session::new(Environment::default(), Limits::default());
    let outcome = session.run("program", program, 1, &mut NoTools);
    let Ended::Value(value) = outcome.ended else { panic!("{:?}", outcome.ended) };
    session.commit(Some(value));
    let kept: Vec<_> = session.memory().iter().map(|it| (it.name.name(), it.docstring.as_deref())).collect();
    assert_eq!(kept, [("b", Some("Again")), ("a", Some("Then")), ("c", None)]);
}
