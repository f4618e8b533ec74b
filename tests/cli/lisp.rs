//! The read-eval-print loop of `lisp`.

use super::suite::{Ran, Suite};
use super::terminal::{COLUMNS, ROWS};

const PROMPT: &str = "user> ";

/// Output and errors of the read-eval-print loop for these lines.
fn said(suite: &Suite, lines: &[&str]) -> (Vec<String>, String) {
    let Ran { code, out, err } = suite.run_by_lines(&["lisp"], &(lines.join("\n") + "\n"));
    assert_eq!(code, 0, "{out}{err}");
    let mut said: Vec<String> = out.split(PROMPT).skip(1).map(str::to_owned).collect();
    assert_eq!(said.pop().as_deref(), Some(""), "the last prompt");
    (said, err)
}

#[test]
fn definitions_and_the_last_values_stay() {
    let lines = ["(defn twice [x] (println \"x\" x) (* 2 x))", "(twice 21)", "(+ *1 1)", "[*1 *2]"];
    let expected = ["#'twice\n", "x 21\n42\n", "43\n", "[43 42]\n"];
    assert_eq!(said(&Suite::with(&[]), &lines), (expected.map(str::to_owned).into(), String::new()));
}

#[test]
fn an_error_points_at_its_place_and_keeps_what_there_was() {
    let (said, error) = said(&Suite::with(&[]), &["(def a 1)", "(do (def a 2)", "  (+ a \"b\"))", "a"]);
    assert!(error.contains("repl:2:2:") && error.contains('^'), "{error}");
    assert_eq!(said, ["#'a\n", "", "1\n"]);
}

#[test]
fn the_start_of_a_large_value_is_shown_with_its_size() {
    let shared = "(nth (iterate (fn [v] {v v}) 1) 900)";
    let wrong = [format!("(fail {shared})"), format!("(throw {shared})")];
    let lines = ["(vec (range 100000))", shared, &wrong[0], &wrong[1]];
    let (said, errors) = said(&Suite::with(&[]), &lines);
    assert!(said[0].starts_with("[0 1 2 ") && said[0].len() < 1_200, "{}", said[0]);
    assert!(said[0].ends_with("… (588,891 characters; in a file or a pipe all of them)\n"), "{}", said[0]);
    assert!(said[1].contains("… (more than 4,194,304 characters; "));
    assert!(errors.matches("failed: ").count() == 1 && errors.len() < 6_000, "{errors}");
    let lines = ["(println (apply str (repeat 20 \"é\\n\")))"];
    assert_eq!(self::said(&Suite::with(&[]), &lines).0, ["é\n".repeat(20) + "\nnil\n"], "prints are whole");
}

#[test]
fn open_brackets_and_strings_wait_for_more() {
    let unfinished = ["(", "(+ 1", "[1 {:a", "\"abc", "#{1", "'", "#_", "(f ; )"];
    let finished = ["", "1", "(+ 1 2)", "{:a}", ")", "\"a\\qb\"", ":data x"];
    for line in unfinished {
        assert_eq!(said(&Suite::with(&[]), &[line]).0, [""; 0], "{line}");
    }
    let (answers, _) = said(&Suite::with(&[]), &finished);
    assert_eq!(answers.len(), finished.len());
}

#[test]
fn a_file_becomes_data() {
    let suite = Suite::with(&[]);
    suite.write("orders.csv", "id,total\n1,2.5\n2,4\n");
    suite.write("broken/orders.csv", "id\n1,2\n");
    let lines = [
        ":data orders.csv",
        "(reduce + (map :total data/orders))",
        ":data nowhere.json",
        ":data broken/orders.csv",
        "(count data/orders)",
    ];
    let (answers, errors) = said(&suite, &lines);
    assert_eq!(answers, ["data/orders\n", "6.5\n", "", "", "2\n"]);
    assert!(errors.contains("cannot read 'nowhere.json'") && errors.contains("orders.csv:2"), "{errors}");
}

#[test]
fn names_are_explained() {
    let lines = [":doc map", "(doc map)", "(doc if)", ":doc mpa"];
    let (answers, errors) = said(&Suite::with(&[]), &lines);
    assert!(answers[0].contains(";=>"), "{}", answers[0]);
    assert_eq!(answers[0], answers[1]);
    assert!(answers[2].starts_with("if\n  ") && answers[2].contains(";=>"), "{}", answers[2]);
    assert!(errors.contains("Did you mean 'map'?"), "{errors}");
}

#[test]
fn names_complete_from_everything_in_scope() {
    let suite = Suite::with(&[]);
    suite.write("orders.csv", "id\n770077\n");
    let keys = [
        (PROMPT, "(def mapper-of-mine 424240)\r"),
        ("#'mapper-of-mine", ""),
        (PROMPT, "(+ 2 mapper-of\t)\r"),
        ("424242", ""),
        (PROMPT, ":data orders.csv\r"),
        ("data/orders", ""),
        (PROMPT, "(:id (first data/or\t))\r"),
        ("770077", ""),
        (PROMPT, ":qu\t\r"),
    ];
    suite.converse((ROWS, COLUMNS), &["lisp"], "xterm", &keys).ends(0);
    // The history is all that is written.
    assert!(suite.read("home/.local/state/ptc-eval/history").contains("(def mapper-of-mine 424240)"));
    let written = std::fs::read_dir(suite.path().join("home/.local/state/ptc-eval")).unwrap();
    assert_eq!(written.count(), 1);
}

/// A superfluous bracket on the command line is reported with its place; models are forgiven.
#[test]
fn a_bracket_that_closes_nothing_is_an_error_with_a_place() {
    let suite = Suite::with(&[]);
    let (answers, errors) = said(&suite, &["(+ 1 2))", ")", "(+ 1 2)"]);
    assert_eq!(answers, ["", "", "3\n"]);
    assert!(
        errors.contains("Unexpected ')'. No bracket is open") && errors.contains("repl:1:1:8"),
        "{errors}"
    );
    suite
        .run(&["lisp", "-e", "(+ 1 2)]"])
        .ends(1)
        .complains("Unexpected ']'. No bracket is open at line 1, column 8");
    suite.run(&["lisp", "-e", "(+ 1 2"]).ends(1).complains("1:1");
    suite.write("a.clj", "(def a 1)\n)\n");
    suite.run(&["lisp", "a.clj"]).ends(1).complains("a.clj:2:1");
}

#[test]
fn unknown_commands_print_help_and_exit_leaves() {
    let (answers, errors) = said(&Suite::with(&[]), &[":hlep", ":in"]);
    assert_eq!(answers, ["", ""]);
    assert!(errors.contains("no command :hlep") && errors.contains(":doc NAME"), "{errors}");
    for leave in ["exit", "quit", "(exit)", ":q"] {
        let Ran { code, out, .. } = Suite::with(&[]).run_by_lines(&["lisp"], &format!("{leave}\n1\n"));
        assert!(code == 0 && !out.contains("1\n"), "{leave}: {out}");
    }
    let (answers, _) = said(&Suite::with(&[]), &["(def exit 3)", "exit"]);
    assert_eq!(answers[1], "3\n");
}

#[test]
fn own_definitions_have_pages() {
    let lines = ["(defn twice \"doubles\" [x]\n  (* 2 x))", ":doc twice", "(def n 42)", "(doc user/n)"];
    let (answers, errors) = said(&Suite::with(&[]), &lines);
    assert_eq!(errors, "");
    assert!(answers[1].contains("twice\n  doubles\n  (defn twice"), "{}", answers[1]);
    assert_eq!(answers[3], "n\n  42\n");
}

/// Two turns with a tool, data and a definition.
const PLACE: &str = "mission: m\ndata: {xs: [1, 2, 3]}\ntools:\n  find: {returns: {price: 7}}\nresponses:\n\
                     - program: (def total (reduce + data/xs))\n- program: (return total)\n";

#[test]
fn a_turn_of_a_scenario_is_opened() {
    let suite = Suite::with(&[("shop/sum", PLACE)]);
    let lines =
        [":in shop/sum@2", "total", "(:price (tool/find {}))", ":in sum", "total", ":in nowhere", "data/xs"];
    let (answers, errors) = said(&suite, &lines);
    assert!(
        answers[0].starts_with("shop/sum before turn 2: tool/find data/xs user/total\n"),
        "{}",
        answers[0]
    );
    assert_eq!(answers[1..3], ["6\n", "7\n"]);
    assert!(answers[3].starts_with("shop/sum before turn 1: tool/find data/xs\n"), "{}", answers[3]);
    assert_eq!(answers[6], "[1 2 3]\n", "an unknown place changes nothing");
    assert!(errors.contains("total") && errors.contains("nowhere"), "{errors}");
    suite
        .run(&["lisp", "--in", "shop/sum@2", "-e", "(+ total (:price (tool/find {})))"])
        .ends(0)
        .says("13\n");
    suite.run(&["lisp", "--in", "shop/sum@9", "-e", "1"]).ends(2).complains("no such turn, it took 2 turns");
    suite.write("log.json", r#"[{"role":"user","content":"go"},{"role":"assistant","content":"done"}]"#);
    suite.run(&["lisp", "--in", "log.json", "-e", "1"]).ends(2).complains("log.json is a transcript");
}
