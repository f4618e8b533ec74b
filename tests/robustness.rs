//! Nothing gets out and nothing blows up: any input ends in a value or an error, within its limits. What
//! is tried on bytes stands in `fuzz/inputs.rs`, so that fuzzers try the same.

#[path = "../fuzz/inputs.rs"]
mod inputs;

use std::fs;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use ptc_lisp::builtins;
use ptc_lisp::error::ErrorKind;
use ptc_lisp::limits::{Limits, MAX_DEPTH};
use ptc_lisp::print::{pr_str, to_clojure};
use ptc_lisp::resolve::SPECIAL_FORMS;
use ptc_lisp::session::{Ended, Outcome};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        inputs::reader(&bytes);
        inputs::evaluator(&bytes);
        inputs::response(&bytes);
        inputs::snapshot(&bytes);
    }

    #[test]
    fn random_responses_end(text in "(```(clojure|clj|lisp|)|~~~|[ \t\r\n]|\\(|\\)|a|\u{feff}|\u{2028}){0,40}") {
        inputs::response(text.as_bytes());
    }

    #[test]
    fn random_lines_differ_and_are_put_back(text in "([ab]\n|\0|\r|\u{85}|é){0,40}") {
        inputs::snapshot(text.as_bytes());
    }

    #[test]
    fn random_programs_end(program in form()) {
        inputs::evaluator(program.as_bytes());
    }

    #[test]
    fn random_token_soup_ends(tokens in prop::collection::vec(token(), 0..60)) {
        let soup = tokens.join(" ");
        inputs::reader(soup.as_bytes());
        inputs::evaluator(soup.as_bytes());
    }

    #[test]
    fn changed_programs_end(program in select(golden_programs()), changes in changes()) {
        inputs::evaluator(changed(program, &changes).as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn changed_scenarios_end(changes in changes()) {
        inputs::scenario(changed(SCENARIO.to_owned(), &changes).as_bytes());
    }
}

/// All of the format.
const SCENARIO: &str = include_str!("malformed/whole.yaml");

/// Every name of the language.
fn names() -> Vec<String> {
    let builtins = builtins::all().map(|builtin| builtin.name);
    builtins.chain(SPECIAL_FORMS.iter().map(|form| form.name)).map(str::to_owned).collect()
}

fn atom() -> impl Strategy<Value = String> {
    let literals = [
        "nil",
        "true",
        "0",
        "1",
        "-1",
        "2.5",
        "##NaN",
        "##Inf",
        "9223372036854775807",
        "1e300",
        "\"\"",
        "\"a1 b\"",
        "\"é\n\"",
        ":a",
        ":a-b",
        ":n/k",
        "[]",
        "[1 2 3]",
        "[[1 :a] [2 :b]]",
        "{}",
        "{:a 1 :b [2]}",
        "#{1 2}",
        "(range)",
        "(range 100)",
        "#\"a|(b)\"",
        "inc",
        "x",
        "(fn [x] x)",
        "#(+ %1 %2)",
        "(map inc)",
        "(take 3)",
        "tool/broken",
        "(atom 1)",
        "(reduced 1)",
        "(cycle [1 2])",
        "(repeat 1000000 1)",
        "(LocalDate/parse \"2024-01-31\")",
        "\\a",
        "'(1 2)",
        "user/x",
        "data/x",
        "*1",
        "(sorted-map 1 2)",
        "1000000000000",
    ];
    select(literals.map(str::to_owned).to_vec())
}

fn token() -> impl Strategy<Value = String> {
    let brackets = [
        "(", ")", "[", "]", "{", "}", "#{", "#(", "#\"", "\"", "'", "@", "^", "`", "~", "#_", ";", "&", "%",
        "\\",
    ];
    prop_oneof![
        4 => select(brackets.map(str::to_owned).to_vec()),
        3 => select(names()),
        3 => atom(),
    ]
}

/// Calls of the language's own functions and forms, nested a little.
fn form() -> impl Strategy<Value = String> {
    atom().prop_recursive(4, 24, 4, |inner| {
        let call = (select(names()), prop::collection::vec(inner.clone(), 0..4))
            .prop_map(|(name, arguments)| format!("({name} {})", arguments.join(" ")));
        let bound =
            (inner.clone(), inner.clone()).prop_map(|(value, body)| format!("(let [x {value}] [x {body}])"));
        prop_oneof![6 => call, 1 => bound]
    })
}

/// Programs of the golden files of the language, which blank lines divide.
fn golden_programs() -> Vec<String> {
    let mut files: Vec<_> =
        fs::read_dir("crates/ptc-lisp/tests/language").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "clj"));
    files.sort();
    let texts = files.iter().map(|path| fs::read_to_string(path).unwrap());
    texts.flat_map(|text| text.split("\n\n").map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Where to cut, and what to put there instead of how much.
type Changes = Vec<(Index, u8, String)>;

fn changes() -> impl Strategy<Value = Changes> {
    prop::collection::vec((any::<Index>(), 0..20u8, token()), 1..4)
}

fn changed(text: String, changes: &Changes) -> String {
    changes.iter().fold(text, |text, (place, removed, added)| {
        let characters: Vec<char> = text.chars().collect();
        let start = place.index(characters.len() + 1);
        let end = (start + *removed as usize).min(characters.len());
        let (before, after) = (&characters[..start], &characters[end..]);
        before.iter().copied().chain(added.chars()).chain(after.iter().copied()).collect()
    })
}

/// How a program ends: the kind of its error, or its value.
#[track_caller]
fn ends(program: &str) -> String {
    shown(&inputs::run(program, Limits::default()))
}

fn shown(outcome: &Outcome) -> String {
    match &outcome.ended {
        Ended::Value(value) | Ended::Return(value) | Ended::Fail(value) => to_clojure(value, 10, 80).0,
        Ended::Error(error) => error.kind.name().to_owned(),
    }
}

#[track_caller]
fn ticks(program: &str) -> u64 {
    let outcome = inputs::run(program, Limits { ticks: u64::MAX, ..Limits::default() });
    assert!(!matches!(outcome.ended, Ended::Error(_)), "{}", shown(&outcome));
    outcome.usage.ticks
}

/// Enough to build what the test is about, and soon spent.
const FEW_TICKS: Limits = Limits {
    ticks: 100_000,
    depth: 1_000,
    memory_mib: 64,
    print_length: 2_000,
    prints: 1_000,
    tool_calls: None,
};
const OUT_OF_TICKS: &str = "tick_limit_exceeded";

/// `k` and `l` are equal, share nothing with each other and hold 2⁶⁰ items each.
fn with_shared(body: &str) -> String {
    format!(
        "(let [grow (fn [] (nth (iterate (fn [v] [v v]) 1) 60)) \
               table (fn [] (nth (iterate (fn [v] {{[0 v] 1 [1 v] v}}) 1) 60)) \
               k (grow) l (grow) t (table) u (table)] {body})"
    )
}

#[test]
fn values_built_by_sharing_are_compared_within_limits() {
    for body in [
        "(assoc {1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 k 1} l 1)",
        "(distinct [k l])",
        "(contains? {k 1} l)",
        "(contains? #{t} u)",
        "(= k l)",
        "(get {k 1} l)",
        "(#{k} l)",
        "({k 1} l)",
        "(set [k l])",
        "(hash-map k 1 l 2)",
        "(group-by identity [k l])",
        "(frequencies [t u])",
        "(dedupe [k l])",
        "(into [] (distinct) [k l])",
        "(sort [[k] [l]])",
        "(get (sorted-map k 1) l)",
        "(entries {k 1 (grow) 2})",
        "(merge {k 1} {l 1})",
        "(zipmap [k l] [1 2])",
        "(union #{k} #{l})",
        "(filter (where :a = k) [{:a l}])",
        "(filter (where :a in [k]) [{:a l}])",
        "(let [f (memoize count)] (f k) (f l))",
        "(contains? [k] l)",
        "(case k [[1]] 1 (= k l))",
        "(str k)",
        "(println k)",
        "(throw k)",
        "(throw {:message k})",
        "(assert false k)",
        "(flatten k)",
        "(postwalk identity k)",
    ] {
        assert_eq!(shown(&inputs::run(&with_shared(body), FEW_TICKS)), OUT_OF_TICKS, "{body}");
    }
}

#[test]
fn values_built_by_sharing_can_be_looked_at() {
    let outcome = inputs::run(&with_shared("k"), Limits::default());
    let Ended::Value(value) = &outcome.ended else { panic!("{}", shown(&outcome)) };
    assert!(pr_str(value).len() < 100 << 20);
}

#[test]
fn a_comparison_that_was_cut_short_has_no_effects() {
    for effect in ["(println 1)", "(return 1)", "(fail 1)", "(tool/broken)", "(def x 1)"] {
        let program = with_shared(&format!("(if (contains? {{k 1}} l) 1 {effect})"));
        let outcome = inputs::run(&program, FEW_TICKS);
        assert_eq!((shown(&outcome).as_str(), outcome.prints.len()), (OUT_OF_TICKS, 0), "{effect}");
    }
}

#[test]
fn copies_of_large_shared_collections_cost_ticks() {
    let copies =
        |rounds: u32| ticks(&format!("(let [v (vec (range 16000))] (dotimes [i {rounds}] (assoc v 0 i)))"));
    assert_eq!(copies(11) - copies(1), 10 * (1 + 1000));
    for body in [
        "(let [v (vec (range 100000))] (dotimes [i 100000] (assoc v 0 i)))",
        "(let [v (vec (range 100000))] (dotimes [i 100000] (conj v i)))",
        "(let [v (vec (range 100000))] (dotimes [i 100000] (cons i v)))",
        "(let [v (vec (range 100000))] (dotimes [i 100000] (update-in [v] [0 0] inc)))",
        "(let [m (zipmap (range 20000) (range))] (dotimes [i 100000] (assoc m 0 i)))",
        "(let [m (zipmap (range 20000) (range))] (dotimes [i 100000] (dissoc m i)))",
        "(let [s (set (range 20000))] (dotimes [i 100000] (conj s :a)))",
        "(let [p (apply partial + (range 20000))] (dotimes [i 100000] (p 1)))",
        "(let [t (apply comp (repeat 20000 (take 5)))] (dotimes [i 100000] (into [] t [])))",
    ] {
        assert_eq!(shown(&inputs::run(body, FEW_TICKS)), OUT_OF_TICKS, "{body}");
    }
}

#[test]
fn copies_of_small_collections_and_changes_in_place_are_free() {
    assert_eq!(ticks("(let [v (vec (range 60))] (dotimes [i 100] (assoc v 0 i)))"), 100);
    assert_eq!(ticks("(let [m (zipmap (range 30) (range 30))] (dotimes [i 100] (assoc m 0 i)))"), 160);
    assert_eq!(ticks("(reduce conj [] (range 20000))"), 40_000);
    assert_eq!(ticks("(reduce (fn [m i] (assoc m i i)) {} (range 20000))"), 40_000);
}

#[test]
fn keys_cost_ticks_only_where_they_are_large() {
    assert_eq!(ticks("(let [m {[1 2] 3}] (dotimes [i 100] (get m [1 2])))"), 100);
    let large = ticks("(let [k (range 1000) m {(vec (range 1000)) 3}] (dotimes [i 100] (get m k)))");
    assert!(large > 100 * 900, "{large}");
}

#[test]
fn keys_that_collide_cost_ticks() {
    for program in [
        // A hash looks at the first items only.
        "(let [b (vec (range 300))] (reduce (fn [s i] (conj s (conj b i))) #{} (range 100000)))",
        "(let [b (zipmap (range 33) (range 33))] (reduce (fn [s i] (conj s (assoc b 0 i))) #{} (range 100000)))",
        "(reduce (fn [s i] (conj s (fn [] i))) #{} (range 200000))",
    ] {
        assert_eq!(ends(&format!("(count {program})")), OUT_OF_TICKS, "{program}");
    }
}

#[test]
fn strings_are_read_for_ticks() {
    let long = "(nth (iterate (fn [s] (str s s)) \"a\") 19)";
    for use_of_it in [
        "(get s 500000)",
        "(get {s 1} s)",
        "(keyword s)",
        "(parse-long s)",
        "(parse-double s)",
        "(doseq [c s :while false] c)",
        "(let [[a & b] s] a)",
        "(re-find #\"b\" s)",
    ] {
        let program = |rounds: u32| format!("(let [s {long}] (dotimes [i {rounds}] {use_of_it}))");
        assert!(ticks(&program(3)) - ticks(&program(2)) > 1000, "{use_of_it}");
    }
    assert_eq!(ticks("(let [[a b] \"abc\"] a)"), 0);
}

#[test]
fn searches_again_and_again_cost_ticks() {
    let long = "(nth (iterate (fn [s] (str s s)) \"A\") 18)";
    for search in ["(re-seq p s)", "(replace s p \"b\")", "(split s p)", "(replace s p (fn [m] \"b\"))"] {
        for pattern in [".*[^A-Z]|[A-Z]", "(.*[^A-Z])|[A-Z]"] {
            let program = format!("(let [s {long} p (re-pattern {pattern:?})] (count {search}))");
            assert_eq!(
                shown(&inputs::run(&program, Limits { ticks: 20_000, ..FEW_TICKS })),
                OUT_OF_TICKS,
                "{search} {pattern}"
            );
        }
    }
    let words = ticks("(let [s (nth (iterate (fn [s] (str s s)) \"ab \") 9)] (count (re-seq #\"\\w+\" s)))");
    assert!(words < 600, "{words}");
}

#[test]
fn patterns_cost_what_they_take() {
    assert_eq!(ends("(dotimes [i 100000] (re-find (str \"\\\\w{150}\" i) \"\"))"), OUT_OF_TICKS);
    assert_eq!(
        ends("(loop [i 0 r []] (recur (inc i) (conj r (re-pattern (str \"\\\\w{99}\" i)))))"),
        "memory_exceeded"
    );
    let literals: String = (0..2_000).map(|i| format!("#\"\\\\w{{150}}{i}\" ")).collect();
    assert_eq!(ends(&literals), "regex_error");
    let ordinary: String = (0..2_000).map(|i| format!("#\"\\\\d+{i}\" ")).collect();
    assert_eq!(ends(&format!("(count [{ordinary}])")), "2000");
}

#[test]
fn huge_counts_fail_before_anything_is_made() {
    for (program, expected) in [
        ("(repeat 1000000000000 1)", "memory_exceeded"),
        ("(range 1000000000000)", "memory_exceeded"),
        ("(range 0 1e18 0.5)", "memory_exceeded"),
        ("(take 1000000000000 (range))", "memory_exceeded"),
        ("(count (partition-all 1000000000000 1 (range 10)))", "10"),
        ("(count (partition 1000000000000 1 [1] (range 10)))", "1"),
        ("(take-nth 1000000000000 [1 2])", "(1)"),
        ("(drop 1000000000000 [1 2])", "()"),
        ("(drop 1000000000000 (range))", OUT_OF_TICKS),
        ("(format \"%1000000000d\" 1)", "type_error"),
        ("(format \"%.1000000000f\" 1.0)", "type_error"),
        ("(apply format (apply str (repeat 10000 \"%4000000d\")) (range 10000))", "memory_exceeded"),
        ("(dotimes [i 100000] (try (format \"%4000000d%q\" 1) (catch Exception e 1)))", OUT_OF_TICKS),
        ("(let [s (nth (iterate (fn [s] (str s s)) \"ab\") 20)] (replace s \"a\" s))", "memory_exceeded"),
        ("(let [s (nth (iterate (fn [s] (str s s)) \"ab\") 20)] (join s (range 100000)))", "memory_exceeded"),
        (
            "(let [s (nth (iterate (fn [s] (str s s)) \"ab\") 20)] (apply str (repeat 10000 s)))",
            "tick_limit_exceeded",
        ),
        ("(into [] (nth (iterate (fn [t] (comp t t)) (map inc)) 40) [1])", "memory_exceeded"),
        ("(loop [i 0] (recur (inc (count (name (keyword (str \"k\" i)))))))", OUT_OF_TICKS),
    ] {
        assert_eq!(ends(program), expected, "{program}");
    }
}

#[test]
fn names_made_by_a_program_cost_allocation() {
    let of = |program: &str| inputs::run(program, Limits::default()).usage.allocated;
    assert_eq!(of("(keyword \"abc\")"), 35);
}

#[test]
fn removing_takes_constant_time() {
    assert_eq!(ends("(count (reduce dissoc (zipmap (range 100000) (range)) (range 100000)))"), "0");
    assert_eq!(
        ends("(loop [s (set (range 50000))] (if (empty? s) :done (recur (disj s (first s)))))"),
        ":done"
    );
}

/// Values so deep that nothing may walk them on the stack of a test alone.
const DEEP: &[&str] = &[
    "(fn [] (loop [v [] i 0] (if (< i 20000) (recur [v] (inc i)) v)))",
    "(fn [] (loop [v {} i 0] (if (< i 20000) (recur {:k v} (inc i)) v)))",
    "(fn [] (loop [v {} i 0] (if (< i 20000) (recur {v 1} (inc i)) v)))",
    "(fn [] (loop [v #{} i 0] (if (< i 20000) (recur #{v} (inc i)) v)))",
    "(fn [] (loop [v (list) i 0] (if (< i 20000) (recur (list v) (inc i)) v)))",
    "(fn [] (assoc-in {} (range 20000) 1))",
    "(fn [] (loop [v inc i 0] (if (< i 20000) (recur (fn [] v) (inc i)) v)))",
    "(fn [] (loop [v inc i 0] (if (< i 20000) (recur (comp v inc) (inc i)) v)))",
    "(fn [] (loop [v inc i 0] (if (< i 20000) (recur (partial v 1) (inc i)) v)))",
    "(fn [] (loop [v inc i 0] (if (< i 20000) (recur (memoize v) (inc i)) v)))",
    "(fn [] (loop [v inc i 0] (if (< i 20000) (recur (map v) (inc i)) v)))",
    "(fn [] (loop [v 1 i 0] (if (< i 20000) (recur (reduced v) (inc i)) v)))",
    "(fn [] [(fn [] (loop [v (range) i 0] (if (< i 20000) (recur (map inc v) (inc i)) v)))])",
];

const LOOKS: &[&str] = &[
    "(count (str m))",
    "(= m n)",
    "(contains? #{m} n)",
    "(distinct [m n])",
    "(sort [[m] [n]])",
    "(entries {m 1 [n] 2})",
    "(json/generate-string m)",
    "(flatten m)",
    "(println m)",
    "(let [f (memoize (fn [x] 1))] (f m) (f n))",
    "(+ 1 m)",
    "(throw m)",
];

#[test]
fn deep_values_are_made_looked_at_and_dropped() {
    let limits = Limits { ticks: 50_000_000, memory_mib: 4_000, ..Limits::default() };
    for make in DEEP {
        let looks: String = LOOKS.iter().map(|look| format!("(try {look} (catch Exception e 1))")).collect();
        let program = format!("(let [make {make} m (make) n (make)] {looks} m)");
        let ended = shown(&inputs::run(&program, limits));
        assert!(!ended.ends_with("_exceeded"), "{make}: {ended}");
        let program = format!("(let [m ({make})] (keywordize-keys m) (postwalk identity m) m)");
        shown(&inputs::run(&program, limits));
    }
}

#[test]
fn generators_of_generators_are_dropped() {
    for step in [
        "(map inc g)",
        "(filter int? g)",
        "(repeat g)",
        "(iterate inc g)",
        "(cycle [g])",
        "(map-indexed + g)",
    ] {
        let program = format!("(loop [g (range) i 0] (if (< i 100000) (recur {step} (inc i)) :done))");
        assert_eq!(ends(&program), ":done", "{step}");
    }
}

/// Each calls itself `n` levels deep in its own way.
const DEEP_CALLS: &[&str] = &[
    "(fn f [n] (if (zero? n) 0 (inc (f (dec n)))))",
    "(fn f [n] (if (zero? n) 0 (first (map f [(dec n)]))))",
    "(fn f [n] (if (zero? n) 0 (reduce (fn [a x] (f x)) 0 [(dec n)])))",
    "(fn f [n] (if (zero? n) 0 (inc (apply f [(dec n)]))))",
    "(fn f [n] (if (zero? n) 0 ((comp inc f dec) n)))",
    "(fn f [n] (if (zero? n) 0 (first (sort-by (fn [x] (if (= x 1) (f (dec n)) 0)) [1 2]))))",
    "(fn f [n] (if (zero? n) 0 (first (sort (fn [a b] (f (dec n))) [1 2]))))",
    "(fn f [n] (if (zero? n) 0 (first (into [] (map f) [(dec n)]))))",
    "(fn f [n] (if (zero? n) 0 (first (map f (iterate inc (dec n))))))",
    "(fn f [n] (if (zero? n) 0 (get (update {:a (dec n)} :a f) :a)))",
    "(fn f [n] (if (zero? n) 0 (try (inc (f (dec n))) (finally 1))))",
    "(fn f [n] (if (zero? n) 0 (first (for [x [1]] (f (dec n))))))",
    "(fn f [n] (if (zero? n) 0 ((juxt (partial f (dec n))))))",
    "(fn f [n] (if (zero? n) 0 ((fnil f 1) (dec n))))",
    "(fn [n] (letfn [(a [n] (if (zero? n) 0 (inc (b (dec n))))) (b [n] (if (zero? n) 0 (inc (a (dec n)))))] (a n)))",
    "(fn f [n] (let [[a] [(if (zero? n) 0 (f (dec n)))]] (loop [i 0] (if (< i 1) (recur (inc i)) (or nil a)))))",
];

#[test]
fn calls_nest_to_the_greatest_depth() {
    let limits = Limits { depth: MAX_DEPTH, ..Limits::default() };
    for make in DEEP_CALLS {
        let program = |depth: u32| format!("(let [f {make}] (f {depth}) :done)");
        let ended = |depth| shown(&inputs::run(&program(depth), limits));
        assert_eq!(ended(20_000), ErrorKind::DepthExceeded.name(), "{make}");
        assert_eq!(ended(1_500), ":done", "{make}");
    }
}

#[test]
fn programs_nest_to_the_readers_limit() {
    let nested =
        |open: &str, close: &str, depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
    for (open, close) in [
        ("(inc ", ")"),
        ("[", "]"),
        ("{1 ", "}"),
        ("#{", "}"),
        ("(let [x ", "] x)"),
        ("((fn [x] ", ") 1)"),
        ("(-> ", " inc)"),
        ("(->> 1 (+ ", "))"),
        ("(if true ", ")"),
        ("(try ", " (finally 1))"),
        ("(for [x [1]] ", ")"),
        ("'(", ")"),
        ("(do ", ")"),
        ("(cond 1 ", ")"),
        ("(case 1 1 ", ")"),
        ("(when-let [x ", "] x)"),
        ("(let [[x] ", "] x)"),
        ("(let [{x :a :or {x ", "}} {}] x)"),
        ("(def x ", ")"),
        ("(loop [x ", "] x)"),
        ("(and ", ")"),
        ("#_", ""),
        ("(str ", ")"),
        ("@", ""),
        ("^:a ", ""),
        ("(some-> ", " inc)"),
        ("(cond-> ", " true inc)"),
    ] {
        for depth in [90, 198, 201, 10_000] {
            let program = nested(open, close, depth);
            let ended = ends(&program);
            assert!(depth <= 201 || ended == "parse_error" || open.len() < 5, "{open} {depth}: {ended}");
        }
    }
    for steps in [100, 1_000, 10_000] {
        for threading in ["->", "->>", "some->", "some->>"] {
            let program = format!("({threading} 0 {})", "inc ".repeat(steps));
            let ended = ends(&program);
            assert!(
                ended == steps.to_string() || ended == "parse_error" || ended == "invalid_form",
                "{threading}: {ended}"
            );
        }
    }
}

#[test]
fn the_largest_programs_end() {
    for (part, before, after) in [
        ("(", "", ""),
        ("1 ", "[", "]"),
        ("(inc 1) ", "", ""),
        ("\"", "", ""),
        ("{:a ", "", ""),
        ("a.b/c ", "", ""),
        ("#", "", ""),
    ] {
        let fits = (ptc_lisp::limits::MAX_SOURCE - 2) / part.len();
        ends(&format!("{before}{}{after}", part.repeat(fits)));
        assert_eq!(ends(&part.repeat(fits + 10)), "parse_error");
    }
}

/// Names that differ, as many as fit.
fn many_names() -> impl Iterator<Item = String> {
    let letters = || ('a'..='z').chain('A'..='Z');
    letters().flat_map(move |a| letters().flat_map(move |b| letters().map(move |c| format!("{a}{b}-{c}"))))
}

#[test]
fn forms_with_thousands_of_parts_end() {
    for (part, before, after, count, expected) in [
        ("nil 1 ", "(cond ", ")", 43_000, "nil"),
        ("nil 1 ", "(cond ", ":else 2)", 43_000, "2"),
        ("2 3 ", "(condp = 1 ", "4)", 60_000, "4"),
        ("2 :>> 3 ", "(condp = 1 ", "4)", 30_000, "4"),
        ("a [1] ", "(first (for [", "] a))", 40_000, "1"),
        (":let [b 1] ", "(for [a [1] ", "] b)", 20_000, "(1)"),
        (":when true ", "(for [a [1] ", "] a)", 20_000, "(1)"),
        ("- ", "(some-> 1 ", ")", 130_000, "1"),
        ("true - ", "(cond-> 1 ", ")", 36_000, "1"),
        ("(- x) ", "(as-> 1 x ", ")", 40_000, "1"),
        ("1 ", "(and ", ")", 130_000, "1"),
    ] {
        let program = format!("{before}{}{after}", part.repeat(count));
        assert_eq!(ends(&program), expected, "{before}{part}");
    }
}

#[test]
fn many_locals_are_found_and_not_kept_for_every_unknown_name() {
    let bindings: String = many_names().take(17_000).map(|name| format!("{name} - ")).collect();
    let function = |body: &str| format!("(let [{bindings}] (fn [] {body}) 1)");
    for body in ["- ", "zz ", "aa-a "] {
        assert_eq!(ends(&function(&body.repeat(20_000))), "1", "{body}");
    }
}

#[test]
fn long_forms_cost_more_ticks_a_round() {
    // 2 KiB of text a tick, and the one of the round.
    for (before, after) in [
        ("(dotimes [i 10] ", ")"),
        ("(doseq [x [1 2 3 4 5 6 7 8 9 0]] ", ")"),
        ("(defn f [n] (if (< n 9) (do ", " (recur (inc n))))) (f 0)"),
        ("(loop [n 0] (if (< n 9) (do ", " (recur (inc n)))))"),
    ] {
        let ticks_with = |parts: usize| ticks(&format!("{before}{}{after}", "(+ 1 2) ".repeat(parts)));
        assert_eq!(ticks_with(1), 10, "{before}");
        assert_eq!(ticks_with(256 * 3) - ticks_with(1), 30, "{before}");
    }
}

#[test]
fn errors_that_are_caught_again_and_again_cost_what_they_take() {
    for body in ["(nope)", "(.nope 1)", "user/nope", "(prinltnn)"] {
        let program = format!("(dotimes [i 1000] (try {body} (catch Exception e i)))");
        assert!(ticks(&program) > 50_000, "{body}");
    }
    let far_below = "\n".repeat(200_000);
    let program = format!("{far_below}(defn f [] (throw 1)) (dotimes [i 9] (try (f) (catch Exception e i)))");
    assert!(ticks(&program) > 9 * 3_000);
}

#[test]
fn calls_with_many_locals_nest_less_deeply() {
    let bindings: String = many_names().take(17_000).map(|name| format!("{name} 1 ")).collect();
    let program = format!("(defn f [n] (let [{bindings}] (inc (f n)))) (f 0)");
    assert_eq!(ends(&program), "depth_exceeded");
}

#[test]
fn closures_over_many_values_cost_what_they_hold() {
    let names: Vec<String> = many_names().take(10_000).collect();
    let bindings: String = names.iter().map(|name| format!("{name} 1 ")).collect();
    let program =
        format!("(let [{bindings}] (loop [all []] (recur (conj all (fn [] [{}])))))", names.join(" "));
    assert_eq!(ends(&program), "memory_exceeded");
}

#[test]
fn templates_cost_ticks_for_what_is_in_them() {
    assert_eq!(ticks("(format \"%d %d %d\" 1 2 3)"), 0);
    assert!(ticks(&format!("(count (format \"{}\"))", "%%".repeat(10_000))) > 1_000);
}

#[test]
fn seeds_end() {
    for program in golden_programs() {
        inputs::reader(program.as_bytes());
        inputs::evaluator(program.as_bytes());
    }
    inputs::scenario(SCENARIO.as_bytes());
}
