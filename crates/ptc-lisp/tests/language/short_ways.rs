//! Short ways of the evaluator (reading a local, a keyword as a function) end as the builtins do when called through
//! `apply`.

use super::golden::{rows, run};
use super::shown;

/// Builtins that read their first argument, with a number of arguments.
const READINGS: &[(&str, usize)] = &[
    ("contains?", 2),
    ("count", 1),
    ("empty?", 1),
    ("first", 1),
    ("get", 2),
    ("get", 3),
    ("nil?", 1),
    ("nth", 2),
    ("second", 1),
    ("some?", 1),
];

fn cases(kind: &'static str) -> Vec<&'static str> {
    rows(include_str!("short_ways.tsv"), kind).map(|[program]| program).collect()
}

/// Ways to call `(f subject others…)` that need not call `f`.
fn fast_calls(f: &str, subject: &str, others: &str) -> [String; 6] {
    [
        format!("(let [s {subject}] ({f} s {others}))"),
        format!("(let [s {subject} found ({f} s {others})] s found)"),
        format!("((fn [s] ({f} s {others})) {subject})"),
        format!("(let [s {subject}] ((fn [] ({f} s {others}))))"),
        format!("(let [s {subject}] (if-let [found ({f} s {others})] found ({f} s {others})))"),
        format!("({f} {subject} {others})"),
    ]
}

/// Asserts that programs end as the first one does.
#[track_caller]
fn assert_same(slow: &str, fast: &[String]) {
    let expected = shown(&run(slow));
    for program in fast {
        assert_eq!(shown(&run(program)), expected, "{program}");
    }
}

#[test]
fn reading_a_local_gives_what_the_builtin_gives() {
    for &(f, count) in READINGS {
        for (subject, others) in cases("subject").into_iter().flat_map(|s| others(count).map(move |o| (s, o)))
        {
            assert_same(&format!("(apply {f} [{subject} {others}])"), &fast_calls(f, subject, &others));
        }
    }
}

/// Arguments that may follow the first one.
fn others(count: usize) -> Box<dyn Iterator<Item = String>> {
    let keys = cases("key").into_iter();
    match count {
        1 => Box::new(std::iter::once(String::new())),
        2 => Box::new(keys.map(str::to_owned)),
        _ => Box::new(keys.flat_map(|key| ["nil", "[:none]"].map(|default| format!("{key} {default}")))),
    }
}

#[test]
fn keywords_in_front_give_what_they_give_as_values() {
    for key in [":a", ":b", ":x_y", ":missing"] {
        for subject in cases("subject") {
            for default in ["", "nil", "[:none]"] {
                assert_same(
                    &format!("(apply {key} [{subject} {default}])"),
                    &fast_calls(key, subject, default),
                );
            }
        }
    }
}
