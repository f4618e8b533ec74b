//! The language against checked cases, which are data in this folder: tables of expressions with their values,
//! golden files, and the example of every builtin.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod absent;
mod clojure;
mod encoding;
mod golden;
mod inputs;
mod moved;
mod reading;
mod robustness;
mod sessions;
mod short_ways;
mod texts;

use std::collections::BTreeSet;

use golden::{check, files, run};
use ptc_lisp::builtin::Arity;
use ptc_lisp::builtins;
use ptc_lisp::error::{ErrorKind, Phase};
use ptc_lisp::manual::{self, Entry};
use ptc_lisp::print::pr_str;
use ptc_lisp::resolve::SPECIAL_FORMS;
use ptc_lisp::session::{Ended, Outcome};
use ptc_lisp::value::Value;

/// Checked against Clojure 1.11 and by hand.
const VECTORS: &str = include_str!("vectors.tsv");
/// Maps, sets and what builds them, up to sizes at which copying would show.
const COLLECTIONS: &str = include_str!("collections.tsv");
/// Functions over sequences with every kind of argument.
const SEQUENCES: &str = include_str!("sequences.tsv");
/// Programs that once ended otherwise than in Clojure 1.11 (`tests/clojure`).
const DISAGREEMENTS: &str = include_str!("clojure.tsv");
/// Expressions by family of functions, with Clojure's answers.
const EXPRESSIONS: &str = include_str!("expressions.tsv");

/// One test per file, so that they run in parallel. `every_golden_file_is_checked` finds missing ones.
macro_rules! golden_files {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(concat!(stringify!($name), ".clj"));
        })*

        const GOLDEN_FILES: &[&str] = &[$(stringify!($name)),*];
    };
}

golden_files! {
    dates definitions destructuring errors forms functions generators idioms interop json limits maps math mistakes output
    printing reader regex resolution seq sets strings tools where_predicates
}

#[test]
fn every_golden_file_is_checked() {
    let names: Vec<String> =
        files("language").iter().filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect();
    assert_eq!(names, GOLDEN_FILES);
}

#[test]
fn every_checked_case_has_its_value() {
    let tables = [VECTORS, COLLECTIONS, SEQUENCES, DISAGREEMENTS, EXPRESSIONS];
    let rows = tables.iter().flat_map(|table| table.lines()).filter_map(|line| {
        let mut columns = line.split('\t');
        Some((columns.next()?, columns.next()?))
    });
    let failures: Vec<String> = rows.filter_map(|(program, expected)| failure(program, expected)).collect();
    assert!(failures.is_empty(), "{} cases fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_example_prints_its_value() {
    let functions = builtins::all().map(|builtin| builtin.name);
    let forms = SPECIAL_FORMS.iter().map(|form| form.name).filter(|name| !["fail", "return"].contains(name));
    let failures: Vec<String> = functions
        .chain(forms)
        .filter_map(|name| {
            let example = manual::entry(name).example;
            let (program, expected) = example.rsplit_once(" ;=> ").unwrap_or((name, "an example"));
            let got = shown(&run(program));
            (got != expected).then(|| format!("{program}\n    expected {expected}\n    got      {got}"))
        })
        .collect();
    assert!(failures.is_empty(), "{} examples fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_name_of_the_language_exists_with_its_arity() {
    let missing: Vec<String> = manual::entries().filter_map(|entry| what_is_wrong(&entry)).collect();
    assert!(missing.is_empty(), "{} names are wrong:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn every_builtin_form_and_constant_is_a_documented_name_of_the_language() {
    let forms = SPECIAL_FORMS.iter().map(|form| form.name);
    let names = builtins::all().map(|builtin| builtin.name).chain(forms).chain(builtins::constants());
    let unknown: Vec<&str> = names.filter(|name| manual::entry(name).doc.is_empty()).collect();
    assert!(unknown.is_empty(), "no rows with a doc in src/language.tsv: {unknown:?}");
}

#[test]
fn registries_are_sorted_and_without_duplicates() {
    for family in builtins::FAMILIES {
        assert!(family.rows.is_sorted_by_key(|row| row.name), "{} is not sorted", family.title);
    }
    assert!(SPECIAL_FORMS.is_sorted_by_key(|form| form.name));
    let mut seen = BTreeSet::new();
    let twice: Vec<&str> = manual::entries().map(|row| row.name).filter(|name| !seen.insert(*name)).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

/// Every name of the language is in a golden file or a table, so that its change shows.
#[test]
fn every_name_of_the_language_is_tested() {
    let goldens: String = golden_texts();
    let checked = [VECTORS, COLLECTIONS, SEQUENCES, DISAGREEMENTS, EXPRESSIONS, goldens.as_str()];
    let is_part = |c: char| c.is_alphanumeric() || "*+!-_?<>=&%$.'/#:".contains(c);
    let words: BTreeSet<&str> =
        checked.iter().flat_map(|text| text.split(|c| !is_part(c))).map(bare).collect();
    let unheld: Vec<&str> = manual::entries()
        .map(|row| row.name)
        .filter(|name| *name != "#()" && !words.contains(bare(name)))
        .collect();
    assert!(unheld.is_empty(), "in no .clj file and no table of tests/language: {unheld:?}");
}

/// A name without quotes and without the namespace of a library.
fn bare(word: &str) -> &str {
    let word = word.trim_start_matches(['#', '\'']);
    let library =
        ["clojure.string/", "str/", "clojure.set/", "set/", "clojure.walk/", "walk/", "java.time.temporal."];
    library.iter().find_map(|space| word.strip_prefix(space)).unwrap_or(word)
}

fn golden_texts() -> String {
    files("language").iter().map(|path| std::fs::read_to_string(path).unwrap_or_default()).collect()
}

/// Every kind of error that a program can end with is in a golden file with its message. The kinds of the agent
/// loop are in the root package's `tests/agent.rs` and in scenarios.
#[test]
fn every_kind_of_error_is_tested_with_its_message() {
    let goldens = golden_texts();
    let of_tools =
        [ErrorKind::ToolArgsError, ErrorKind::ToolCallLimitExceeded, ErrorKind::AmbiguousReference];
    let kinds = ErrorKind::ALL.iter().filter(|kind| kind.phase() != Phase::Loop && !of_tools.contains(kind));
    let unheld: Vec<&str> =
        kinds.map(|kind| kind.name()).filter(|name| !goldens.contains(&format!(";!> {name} "))).collect();
    assert_eq!(unheld, Vec::<&str>::new());
}

#[test]
fn prints_are_limited_in_number() {
    let outcome = run("(dotimes [i 1001] (println i))");
    assert_eq!(outcome.prints.len(), 1_000);
    assert_eq!(shown(&outcome), "!memory_exceeded print limit exceeded: 1000 prints");
}

/// The difference of a program from its expectation, a value or `!KIND`, if any.
fn failure(program: &str, expected: &str) -> Option<String> {
    let outcome = run(program);
    if is_as_expected(&outcome, expected) {
        return None;
    }
    Some(format!("{program}\n    expected {expected}\n    got      {}", shown(&outcome)))
}

fn is_as_expected(outcome: &Outcome, expected: &str) -> bool {
    match (&outcome.ended, expected.strip_prefix('!')) {
        (Ended::Error(error), Some(kind)) => ErrorKind::from_name(kind) == Some(error.kind),
        (Ended::Value(value), None) => {
            matches!(run(expected).ended, Ended::Value(expected) if is_same(value, &expected))
        }
        _ => false,
    }
}

fn shown(outcome: &Outcome) -> String {
    match &outcome.ended {
        Ended::Value(value) => pr_str(value),
        Ended::Return(value) => format!("return {}", pr_str(value)),
        Ended::Fail(value) => format!("fail {}", pr_str(value)),
        Ended::Error(error) => format!("!{} {}", error.kind, error.message),
    }
}

/// Equality as in `=`, except that NaN equals NaN.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a, ..), Value::Float(b, ..)) => a == b || a.is_nan() && b.is_nan(),
        (Value::Vector(a) | Value::List(a), Value::Vector(b) | Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_same(a, b)))
        }
        _ => a == b,
    }
}

fn what_is_wrong(entry: &Entry) -> Option<String> {
    let name = entry.name;
    let arity = match (entry.arity, builtins::find(name)) {
        ("const", _) if builtins::value(name).is_some() => return None,
        _ if ["Special forms and macros", "Agent control"].contains(&entry.family) => {
            return is_unknown(name).then(|| format!("{name}: no such form"));
        }
        (_, None) => return Some(format!("{name}: no such builtin")),
        (_, Some(builtin)) => builtin.arity,
    };
    let wanted = entry.arity.replace('–', " to ");
    let (min, max) = spelled(&wanted)?;
    (arity != Arity { min, max }).then(|| format!("{name}: takes {arity}, should take {wanted}"))
}

fn is_unknown(name: &str) -> bool {
    let unknown = |program: &str| matches!(run(program).ended, Ended::Error(error) if error.kind == ErrorKind::UndefinedSymbol);
    name != "#()" && unknown(&format!("({name})")) && unknown(name)
}

/// `2`, `1 to 3`, `1 or 3`, `1+`.
fn spelled(arity: &str) -> Option<(u8, Option<u8>)> {
    if let Some(min) = arity.strip_suffix('+') {
        return Some((min.parse().ok()?, None));
    }
    let (from, to) = arity.split_once(" to ").or_else(|| arity.split_once(" or ")).unwrap_or((arity, arity));
    Some((from.parse().ok()?, Some(to.parse().ok()?)))
}

/// Modules that use builtins; values, forms and all other modules use none.
const ABOVE_BUILTINS: &[&str] = &["builtins", "generator", "hint", "resolve", "transducer"];

#[test]
fn values_and_forms_know_no_builtins() {
    let sources = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let uses_builtins =
        |path: &std::path::PathBuf| std::fs::read_to_string(path).unwrap().contains("builtins::");
    let files = std::fs::read_dir(sources).unwrap().map(|entry| entry.unwrap().path());
    let using = files.filter(|path| path.is_file()).filter(uses_builtins);
    let names: BTreeSet<String> =
        using.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert!(names.contains("resolve"), "{names:?}");
    let below: Vec<&String> = names.iter().filter(|name| !ABOVE_BUILTINS.contains(&name.as_str())).collect();
    assert!(below.is_empty(), "these modules use builtins: {below:?}");
}
