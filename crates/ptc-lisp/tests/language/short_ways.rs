//! What many programs do all the time has a short way: looking at a local, keywords as functions, sorting by
//! integers. That must not show: a program ends as it does where the same is asked through `apply`, which
//! knows only the builtins themselves, or of a comparator that the program gives.

use ptc_lisp::builtins;
use ptc_lisp::expr::Query;

use super::golden::run;
use super::shown;

const SUBJECTS: &[&str] = &[
    "nil",
    "true",
    "7",
    "1.5",
    "(/ 1 3)",
    "\"\"",
    "\"añb\"",
    ":a",
    "[]",
    "[1 2]",
    "[nil :a \"a\"]",
    "[1 [2 nil]]",
    "(range 70)",
    "()",
    "'(1 2)",
    "(rest [1 2 3])",
    "(cons 0 [1])",
    "(range 3)",
    "(range)",
    "(iterate inc 1)",
    "(map inc [1 2])",
    "(seq {:a 1})",
    "(first {:a 1})",
    "{}",
    "{:a 1}",
    "{:a nil :b 2}",
    "{\"a\" 1 :b 2}",
    "{:x-y 1 \"x_y\" 2}",
    "{0 :zero 1.0 :one nil :nil}",
    "{[1] 1 false 2}",
    "(let [x 1] {:a x :b (inc x)})",
    "(zipmap (range 20) (range))",
    "(assoc {:a 1} :c 3)",
    "(sorted-map)",
    "(sorted-map :a 1 :b 2)",
    "(sorted-map 1 :one 2 :two)",
    "(sorted-map \"a\" 1)",
    "(sorted-map nil 1)",
    "#{}",
    "#{1 :a nil}",
    "(set (range 20))",
    "(sorted-set)",
    "(sorted-set 1 2)",
    "(sorted-set :a)",
    "(sorted-set \"a\" \"b\")",
    "inc",
    "(fn [x] x)",
    "(map inc)",
    "(atom [1])",
    "(transient [1])",
    "(transient {:a 1})",
    "#\"a\"",
    "(java.time.LocalDate/parse \"2024-01-02\")",
    "(ex-info \"no\" {:a 1})",
    "(into clojure.lang.PersistentQueue/EMPTY [1 2])",
    "(reduced 1)",
    "(int-array [1 2])",
];

const KEYS: &[&str] = &[
    "0",
    "1",
    "-1",
    "5",
    "100",
    "-9223372036854775808",
    "0.0",
    "1.0",
    "1.5",
    ":a",
    ":b",
    ":x_y",
    ":missing",
    "\"a\"",
    "\"x-y\"",
    "\"missing\"",
    "nil",
    "false",
    "[1]",
    "{}",
    "inc",
    "#{1}",
];

/// Ways to ask for `(f subject others…)` that need not call `f`.
fn short_ways(f: &str, subject: &str, others: &str) -> [String; 6] {
    [
        format!("(let [s {subject}] ({f} s {others}))"),
        format!("(let [s {subject} found ({f} s {others})] s found)"),
        format!("((fn [s] ({f} s {others})) {subject})"),
        format!("(let [s {subject}] ((fn [] ({f} s {others}))))"),
        format!("(let [s {subject}] (if-let [found ({f} s {others})] found ({f} s {others})))"),
        format!("({f} {subject} {others})"),
    ]
}

/// How the programs end that do not end as the first.
fn differences(through_builtins: &str, short: &[String]) -> Vec<String> {
    let expected = shown(&run(through_builtins));
    let differs = |program: &&String| shown(&run(program)) != expected;
    let report = |program: &String| {
        format!("{program}\n    expected {expected}\n    got      {}", shown(&run(program)))
    };
    short.iter().filter(differs).map(report).collect()
}

#[track_caller]
fn assert_none(differences: Vec<String>) {
    assert!(differences.is_empty(), "{} programs:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn looking_at_a_local_gives_what_the_builtin_gives() {
    let readings: Vec<(&str, usize)> = builtins::all()
        .flat_map(|builtin| (1..=3).map(move |count| (builtin, count)))
        .filter(|(builtin, count)| Query::of(builtin, *count).is_some())
        .map(|(builtin, count)| (builtin.name, count))
        .collect();
    assert!(readings.contains(&("get", 3)), "{readings:?}");
    let calls = readings.iter().flat_map(|(f, count)| others(*count).map(move |others| (f, others)));
    let programs =
        calls.flat_map(|(f, others)| SUBJECTS.iter().map(move |subject| (f, subject, others.clone())));
    let differences = programs.flat_map(|(f, subject, others)| {
        differences(&format!("(apply {f} [{subject} {others}])"), &short_ways(f, subject, &others))
    });
    assert_none(differences.collect());
}

/// What may follow the first of so many arguments.
fn others(count: usize) -> Box<dyn Iterator<Item = String>> {
    let keys = KEYS.iter();
    match count {
        1 => Box::new(std::iter::once(String::new())),
        2 => Box::new(keys.map(|key| key.to_string())),
        _ => Box::new(keys.flat_map(|key| ["nil", "[:none]"].map(|default| format!("{key} {default}")))),
    }
}

#[test]
fn keywords_in_front_give_what_they_give_as_values() {
    let calls = [":a", ":b", ":x_y", ":missing"].iter().flat_map(|key| {
        SUBJECTS.iter().flat_map(move |subject| ["", "nil", "[:none]"].map(|default| (key, subject, default)))
    });
    let differences = calls.flat_map(|(key, subject, default)| {
        differences(&format!("(apply {key} [{subject} {default}])"), &short_ways(key, subject, default))
    });
    assert_none(differences.collect());
}

#[test]
fn sorting_by_leading_integers_is_sorting() {
    let keys = [
        "[]",
        "[3 1 2 3 1]",
        "[[2 :b] [1 :z] [2 :a] [1 :z]]",
        "[[2 nil] [2 1] [1 :a]]",
        "[[1 :a] [1 \"a\"]]",
        "[[1 {}] [2 {}] [0 {}]]",
        "[[1 {}] [2 {}] [1 {}]]",
        "[[1 2] [1] [0 9 9]]",
        "[[1 2] [1.0 1] [0 3]]",
        "[[1] [nil] [0]]",
        "[[1] 2 [0]]",
        "[2 [1] 0]",
        "['(1) [0]]",
        "[[1] '(0)]",
        "[2 1.5 nil 1]",
        "[[9223372036854775807 1] [-9223372036854775808 2] [0 3]]",
        "[[1 [2 3]] [1 [2 1]] [0 [9]]]",
        "(map vector (reverse (range 50)) (cycle [:a :b]))",
        "(map (fn [n] [(mod n 3) (- n)]) (range 50))",
    ];
    let ascending = |keys: &str| {
        let ways = ["sort", "sort :asc", "sort-by identity", "sort-by identity :asc"];
        differences(&format!("(sort compare {keys})"), &ways.map(|way| format!("({way} {keys})")))
    };
    let descending = |keys: &str| {
        let ways = ["sort :desc", "sort-by identity :desc"];
        differences(&format!("(sort #(compare %2 %1) {keys})"), &ways.map(|way| format!("({way} {keys})")))
    };
    let with_places = |keys: &str| {
        let sorted = |way: &str| format!("(map first ({way} (map-indexed vector {keys})))");
        differences(&sorted("sort-by second compare"), &["sort-by second", "sort-by last"].map(sorted))
    };
    let differences = keys.iter().flat_map(|keys| [ascending(keys), descending(keys), with_places(keys)]);
    assert_none(differences.flatten().collect());
}
