//! Every requirement of `requirements.tsv` is named by a test that fails when it is broken. An ID counts inside a
//! `#[test]` function or in the comment directly above it, in a comment of an accepted scenario, or in a comment
//! above a program of a golden `.clj` file. IDs in other comments do not count. Reviewers judge whether a test
//! would fail.

mod claims;
mod documentation;
mod replays;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use claims::{Claim, Ids};

/// A test that names more is a list.
const MOST_IDS_OF_ONE_TEST: usize = 16;
/// Words of tests that can fail.
const ASSERTIONS: &[&str] = &["assert", "check(", "complain(", ".ends(", ".says(", ".complains("];

/// A line of `requirements.tsv`.
struct Row {
    id: String,
    requirement: String,
    observed: String,
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string("tests/requirements.tsv").unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(row).collect()
}

fn row(line: &str) -> Row {
    let columns: Vec<&str> = line.split('\t').collect();
    let [id, requirement, observed] = columns[..] else { panic!("three columns expected: {line}") };
    Row { id: id.into(), requirement: requirement.into(), observed: observed.into() }
}

fn ids(rows: &[Row]) -> Ids {
    Ids::new(rows.iter().map(|row| row.id.as_str()))
}

/// All files below these folders that have one of these extensions, sorted.
fn files(folders: &[&str], extensions: &[&str]) -> Vec<PathBuf> {
    let mut waiting: Vec<PathBuf> = folders.iter().map(PathBuf::from).filter(|path| path.exists()).collect();
    let mut found = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if extensions.iter().any(|extension| path.extension().is_some_and(|own| own == *extension)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// All tests that name requirements.
fn claims(ids: &Ids) -> Vec<Claim> {
    let of = |folders: &[&str], extension: &str, read: fn(&Ids, &Path, &str) -> Vec<Claim>| {
        let files = files(folders, &[extension]).into_iter();
        files.flat_map(|path| read(ids, &path, &fs::read_to_string(&path).unwrap())).collect::<Vec<_>>()
    };
    [
        of(&["src", "crates", "tests", "examples"], "rs", claims::of_tests),
        of(&["crates/ptc-lisp/tests/language"], "clj", claims::of_programs),
        of(&["scenarios"], "yaml", claims::of_scenario),
    ]
    .concat()
}

fn complain(problems: &[String]) {
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// S3-31
#[test]
fn every_requirement_is_named_by_a_test() {
    let rows = rows();
    let claims = claims(&ids(&rows));
    let named: BTreeSet<&str> =
        claims.iter().flat_map(|claim| claim.ids.iter().map(String::as_str)).collect();
    let missing = rows.iter().filter(|row| !named.contains(row.id.as_str()));
    let say = |row: &Row| format!("{}: {} ({}): no test names it", row.id, row.requirement, row.observed);
    complain(&missing.map(say).collect::<Vec<_>>());
}

#[test]
fn every_named_id_is_a_requirement() {
    let ids = ids(&rows());
    let folders = ["crates", "tests", "examples", "benches", "scenarios", "docs"];
    let mut problems = Vec::new();
    for path in files(&folders, &["rs", "clj", "yaml", "md"]) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let unknown = ids.unknown_in(&text).into_iter();
        problems.extend(unknown.map(|id| format!("{}: {id} is no row", path.display())));
    }
    complain(&problems);
}

/// Code describes what it does; the row of requirements is named in its tests.
#[test]
fn sources_name_no_requirement() {
    let ids = ids(&rows());
    let sources = files(&["src", "crates"], &["rs"]).into_iter();
    let sources = sources.filter(|path| path.components().any(|part| part.as_os_str() == "src"));
    let named = sources.flat_map(|path| {
        let named = ids.named_in(&fs::read_to_string(&path).unwrap());
        named.into_iter().map(move |id| format!("{} names {id}", path.display()))
    });
    complain(&named.collect::<Vec<_>>());
}

#[test]
fn rows_are_complete_and_unique() {
    let rows = rows();
    let mut seen = BTreeMap::new();
    let mut problems = Vec::new();
    for row in &rows {
        if row.requirement.is_empty() || row.observed.is_empty() {
            problems.push(format!("{} does not say what it demands and how it shows", row.id));
        }
        if let Some(other) = seen.insert(&row.id, &row.requirement) {
            problems.push(format!("{} stands twice: {other} and {}", row.id, row.requirement));
        }
    }
    complain(&problems);
}

/// A list of IDs above an unrelated test would prove nothing.
#[test]
fn ids_are_named_by_tests_that_can_fail() {
    let mut problems = Vec::new();
    for claim in claims(&ids(&rows())) {
        if claim.ids.len() > MOST_IDS_OF_ONE_TEST {
            problems.push(format!("{}: names {} rows, too many for one test", claim.place, claim.ids.len()));
        }
        if !claim.is_golden && !ASSERTIONS.iter().any(|word| claim.text.contains(word)) {
            problems.push(format!("{}: names rows and asserts nothing", claim.place));
        }
    }
    complain(&problems);
}
