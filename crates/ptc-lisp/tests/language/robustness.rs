//! Any text ends in a value or an error, within its limits. The cases are rows of `robustness.tsv`.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use ptc_lisp::builtins;
use ptc_lisp::limits::{Limits, MAX_DEPTH, MAX_SOURCE};
use ptc_lisp::print::{pr_str, to_clojure};
use ptc_lisp::resolve::SPECIAL_FORMS;
use ptc_lisp::session::{Ended, Outcome};

use super::golden::{files, rows};
use super::inputs;

const TABLE: &str = include_str!("robustness.tsv");
const OUT_OF_TICKS: &str = "tick_limit_exceeded";
fn few_ticks() -> Limits {
    Limits { ticks: 100_000, ..Limits::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        inputs::reader(&bytes);
        inputs::evaluator(&bytes);
    }

    #[test]
    fn random_programs_end(program in form()) {
        inputs::evaluator(program.as_bytes());
    }

    #[test]
    fn random_tokens_end(tokens in prop::collection::vec(token(), 0..60)) {
        let text = tokens.join(" ");
        inputs::reader(text.as_bytes());
        inputs::evaluator(text.as_bytes());
    }

    #[test]
    fn changed_programs_end(program in select(golden_programs()), changes in changes()) {
        inputs::evaluator(changed(program, &changes).as_bytes());
    }
}

#[test]
fn golden_programs_end() {
    for program in golden_programs() {
        inputs::reader(program.as_bytes());
        inputs::evaluator(program.as_bytes());
    }
}

fn texts(kind: &'static str) -> Vec<String> {
    rows(TABLE, kind).map(|[text]| text.to_owned()).collect()
}

fn names() -> Vec<String> {
    let builtins = builtins::all().map(|builtin| builtin.name);
    builtins.chain(SPECIAL_FORMS.iter().map(|form| form.name)).map(str::to_owned).collect()
}

fn token() -> impl Strategy<Value = String> {
    prop_oneof![4 => select(texts("token")), 3 => select(names()), 3 => select(texts("atom"))]
}

/// Calls of builtins and special forms, nested a little.
fn form() -> impl Strategy<Value = String> {
    select(texts("atom")).prop_recursive(4, 24, 4, |inner| {
        let call = (select(names()), prop::collection::vec(inner.clone(), 0..4))
            .prop_map(|(name, arguments)| format!("({name} {})", arguments.join(" ")));
        let bound =
            (inner.clone(), inner.clone()).prop_map(|(value, body)| format!("(let [x {value}] [x {body}])"));
        prop_oneof![6 => call, 1 => bound]
    })
}

fn golden_programs() -> Vec<String> {
    let texts = files("language").into_iter().map(|path| std::fs::read_to_string(path).unwrap());
    texts.flat_map(|text| text.split("\n\n").map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Places, how many characters are removed there, and the text inserted instead.
type Changes = Vec<(Index, u8, String)>;

fn changes() -> impl Strategy<Value = Changes> {
    prop::collection::vec((any::<Index>(), 0..20u8, token()), 1..4)
}

fn changed(text: String, changes: &Changes) -> String {
    changes.iter().fold(text, |text, (place, removed, added)| {
        let mut characters: Vec<char> = text.chars().collect();
        let start = place.index(characters.len() + 1);
        let end = (start + *removed as usize).min(characters.len());
        characters.splice(start..end, added.chars());
        characters.into_iter().collect()
    })
}

/// The value of a program, or the kind of its error.
fn ends(program: &str) -> String {
    ends_within(program, Limits::default())
}

fn ends_within(program: &str, limits: Limits) -> String {
    shown(&inputs::run(program, limits))
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

fn assert_all(differences: impl Iterator<Item = String>) {
    let differences: Vec<String> = differences.collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Defines `k` and `l` for the body, and `t` and `u`, which are equal and share no part.
fn with_shared(body: &str) -> String {
    format!(
        "(let [grow (fn [] (nth (iterate (fn [v] [v v]) 1) 60)) \
               table (fn [] (nth (iterate (fn [v] {{[0 v] 1 [1 v] v}}) 1) 60)) \
               k (grow) l (grow) t (table) u (table)] {body})"
    )
}

#[test]
fn values_built_by_sharing_are_compared_within_limits() {
    for [body] in rows(TABLE, "shared") {
        assert_eq!(ends_within(&with_shared(body), few_ticks()), OUT_OF_TICKS, "{body}");
    }
}

#[test]
fn values_built_by_sharing_print_within_limits() {
    let outcome = inputs::run(&with_shared("k"), Limits::default());
    let Ended::Value(value) = &outcome.ended else { panic!("{}", shown(&outcome)) };
    assert!(pr_str(value).len() < 100 << 20);
}

#[test]
fn a_comparison_that_was_cut_short_has_no_effects() {
    for [effect] in rows(TABLE, "effect") {
        let program = with_shared(&format!("(if (contains? {{k 1}} l) 1 {effect})"));
        let outcome = inputs::run(&program, few_ticks());
        assert_eq!((shown(&outcome).as_str(), outcome.prints.len()), (OUT_OF_TICKS, 0), "{effect}");
    }
}

#[test]
fn copies_collisions_and_searches_cost_ticks() {
    for [program] in rows(TABLE, "spends") {
        assert_eq!(ends_within(program, few_ticks()), OUT_OF_TICKS, "{program}");
    }
}

#[test]
fn huge_counts_end() {
    for [expected, program] in rows(TABLE, "ends") {
        assert_eq!(ends(program), expected, "{program}");
    }
}

#[test]
fn forms_with_thousands_of_parts_end() {
    for [expected, count, before, part, after] in rows(TABLE, "repeated") {
        let program = format!("{before}{}{after}", part.repeat(count.parse().unwrap()));
        assert_eq!(ends(&program), expected, "{before}{part}");
    }
}

#[test]
fn the_largest_programs_end() {
    for [part, before, after] in rows(TABLE, "largest") {
        let fits = (MAX_SOURCE - 2) / part.len();
        ends(&format!("{before}{}{after}", part.repeat(fits)));
        assert_eq!(ends(&part.repeat(fits + 10)), "parse_error");
    }
}

#[test]
fn programs_cost_ticks_for_what_they_read_and_copy() {
    let of_program = rows(TABLE, "ticks").map(|[expected, program]| (expected, program, ticks(program)));
    let of_round = rows(TABLE, "round").map(|[expected, program]| {
        let rounds = |count: &str| ticks(&program.replace('$', count));
        (expected, program, rounds("3") - rounds("2"))
    });
    let wrong = of_program.chain(of_round).filter(|(expected, _, actual)| *expected != actual.to_string());
    assert_all(wrong.map(|(_, program, actual)| format!("{actual}\t{program}")));
}

/// 2 KiB of text cost a tick, and so does the round.
#[test]
fn long_forms_cost_more_ticks_a_round() {
    for [before, after] in rows(TABLE, "long") {
        let ticks_with = |parts: usize| ticks(&format!("{before}{}{after}", "(+ 1 2) ".repeat(parts)));
        assert_eq!((ticks_with(1), ticks_with(256 * 3)), (10, 40), "{before}");
    }
}

#[test]
fn templates_and_errors_far_below_cost_ticks() {
    assert!(ticks(&format!("(count (format \"{}\"))", "%%".repeat(10_000))) > 1_000);
    let far_below = "\n".repeat(200_000);
    let program = format!("{far_below}(defn f [] (throw 1)) (dotimes [i 9] (try (f) (catch Exception e i)))");
    assert!(ticks(&program) > 9 * 3_000);
}

#[test]
fn regex_literals_cost_what_they_compile_to() {
    let literals = |pattern: &str| (0..2_000).map(|i| format!("#\"{pattern}{i}\" ")).collect::<String>();
    assert_eq!(ends(&literals("\\\\w{150}")), "regex_error");
    assert_eq!(ends(&format!("(count [{}])", literals("\\\\d+"))), "2000");
}

/// 5,000 of them took ten seconds and 400 MB.
#[test]
fn patterns_of_large_classes_cost_what_they_compile_to() {
    let ended = |unit: &str, count: usize| {
        let made = format!("(apply str (repeat {count} \"{unit}\"))");
        ends(&format!("(let [p {made}] (dotimes [i 1000] (.matches \"abc\" (str p i))) :done)"))
    };
    for (unit, count) in [("[^a]", 200), ("\\\\W", 300), ("\\\\p{IsLatin}", 10)] {
        assert_eq!(ended(unit, count), OUT_OF_TICKS, "{unit}");
    }
    for (unit, count) in [("abc", 200), ("[^a]", 10), ("\\\\W", 10), ("\\\\p{IsLatin}", 1)] {
        assert_eq!(ended(unit, count), ":done", "{unit}");
    }
}

#[test]
fn names_made_by_a_program_cost_allocation() {
    assert_eq!(inputs::run("(keyword \"abc\")", Limits::default()).usage.allocated, 35);
}

#[test]
fn deep_values_are_made_looked_at_and_dropped() {
    let limits = Limits { ticks: 50_000_000, memory_mib: 4_000, ..Limits::default() };
    let looks: String = rows(TABLE, "look").map(|[l]| format!("(try {l} (catch Exception e 1))")).collect();
    for [make] in rows(TABLE, "deep") {
        let ended = ends_within(&format!("(let [make {make} m (make) n (make)] {looks} m)"), limits);
        assert!(!ended.ends_with("_exceeded"), "{make}: {ended}");
        ends_within(&format!("(let [m ({make})] (keywordize-keys m) (postwalk identity m) m)"), limits);
    }
}

#[test]
fn calls_nest_to_the_greatest_depth() {
    let limits = Limits { depth: MAX_DEPTH, ..Limits::default() };
    for [function] in rows(TABLE, "call") {
        let ended = |depth| ends_within(&format!("(let [f {function}] (f {depth}) :done)"), limits);
        assert_eq!(
            (ended(20_000).as_str(), ended(1_500).as_str()),
            ("depth_exceeded", ":done"),
            "{function}"
        );
    }
}

#[test]
fn programs_nest_to_the_readers_limit() {
    for [open, close] in rows(TABLE, "nested") {
        for depth in [90, 198, 201, 10_000] {
            let ended = ends(&format!("{}1{}", open.repeat(depth), close.repeat(depth)));
            assert!(depth <= 201 || ended == "parse_error" || open.len() < 5, "{open} {depth}: {ended}");
        }
    }
    for (steps, threading) in
        [100, 1_000, 10_000].into_iter().flat_map(|n| ["->", "->>", "some->", "some->>"].map(|t| (n, t)))
    {
        let ended = ends(&format!("({threading} 0 {})", "inc ".repeat(steps)));
        let expected = [&steps.to_string(), "parse_error", "invalid_form"];
        assert!(expected.contains(&ended.as_str()), "{threading}: {ended}");
    }
}

/// Distinct names, each followed by a text.
fn many_names(count: usize, text: &str) -> String {
    let letters = || ('a'..='z').chain('A'..='Z');
    let names =
        letters().flat_map(|a| letters().flat_map(move |b| letters().map(move |c| format!("{a}{b}-{c}"))));
    names.take(count).map(|name| name + text).collect()
}

#[test]
fn many_locals_are_found_and_not_kept_for_every_unknown_name() {
    let bindings = many_names(17_000, " - ");
    for body in ["- ", "zz ", "aa-a "] {
        let body = body.repeat(20_000);
        assert_eq!(ends(&format!("(let [{bindings}] (fn [] {body}) 1)")), "1");
    }
}

#[test]
fn calls_with_many_locals_nest_less_deeply() {
    let bindings = many_names(17_000, " 1 ");
    assert_eq!(ends(&format!("(defn f [n] (let [{bindings}] (inc (f n)))) (f 0)")), "depth_exceeded");
}

#[test]
fn closures_over_many_values_cost_what_they_hold() {
    let (bindings, names) = (many_names(10_000, " 1 "), many_names(10_000, " "));
    let program = format!("(let [{bindings}] (loop [all []] (recur (conj all (fn [] [{names}])))))");
    assert_eq!(ends(&program), "memory_exceeded");
}
