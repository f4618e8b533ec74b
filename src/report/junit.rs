//! `junit.xml`: a test case for each scenario, each threshold and everything else that can fail an
//! evaluation. Contains no times, so equal evaluations write equal files. Cases are written one at a time.

use std::io::{self, Write};

use quick_xml::escape::escape;

use super::change::{DifferencePart, extent_of_change};
use super::comparison::Comparison;
use super::header::Header;
use super::record::{BrokenRecord, ScenarioRecord};
use super::thresholds::promise;
use super::verdicts::{SnapshotRecord, SnapshotVerdict, Verdicts};
use crate::snapshot::escape::visible;

/// A test case of a suite.
struct Case {
    name: String,
    /// File and line of a scenario.
    place: Option<(String, u32)>,
    problem: Option<Problem>,
}

/// Counts of test cases.
#[derive(Clone, Copy, Default)]
struct CaseCounts {
    tests: u64,
    errors: u64,
    failures: u64,
}

/// Why a test case does not pass.
struct Problem {
    /// `failure` or `error`.
    element: &'static str,
    message: String,
    description: String,
}

/// Writes everything before the first scenario. The counts are known only at the end.
pub fn front(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let scenarios =
        CaseCounts { tests: comparison.scenarios, errors: 0, failures: comparison.counts.troubled };
    let CaseCounts { mut tests, mut errors, mut failures } = scenarios;
    for (_, cases) in other_suites(comparison) {
        let counts = count_cases(&cases);
        tests += counts.tests;
        errors += counts.errors;
        failures += counts.failures;
    }
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"ptc-eval\" tests=\"{tests}\" skipped=\"0\" failures=\"{failures}\" errors=\"{errors}\">"
    )?;
    open_suite("scenarios", scenarios, out)
}

/// Writes the test case of a scenario.
pub fn scenario(_: &Header, record: &ScenarioRecord, out: &mut Vec<u8>) -> io::Result<()> {
    let mut others: Vec<String> = record.broken_strategies.iter().map(BrokenRecord::describe).collect();
    if let Some(difference) = &record.difference {
        others.extend(difference.parts.iter().map(DifferencePart::describe));
    }
    others.extend(record.snapshots.iter().map(SnapshotRecord::describe));
    let mut all: Vec<String> = record.failure_lines(&record.origin.path).map(|line| line.text).collect();
    for other in others {
        all.push(format!("{}: {other}", record.origin));
    }
    let (mut first, mut line) = (None, record.origin.line);
    if let Some(failure) = record.failures.first() {
        (first, line) = (Some(failure.to_string()), failure.line);
    } else if let Some(broken) = record.broken_strategies.first() {
        first = Some(broken.describe());
    } else if let Some(snapshot) = record.snapshots.first() {
        first = Some(snapshot.describe());
    }
    let case = Case {
        name: record.name.clone(),
        place: Some((record.origin.path.clone(), line)),
        problem: first.map(|message| make_failure(message, all.join("\n"))),
    };
    case.write_case(out)
}

/// Writes everything after the last scenario.
pub fn tail(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "    </testsuite>")?;
    for (name, cases) in other_suites(comparison) {
        open_suite(name, count_cases(&cases), out)?;
        cases.iter().try_for_each(|case| case.write_case(out))?;
        writeln!(out, "    </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// The test suites other than scenarios, without empty ones.
fn other_suites(comparison: &Comparison) -> Vec<(&'static str, Vec<Case>)> {
    let mut suites = vec![
        ("changes for the model", change_cases(comparison)),
        ("unreadable scenarios", unreadable_cases(&comparison.verdicts)),
        ("thresholds", threshold_cases(comparison)),
        ("other snapshots", snapshot_cases(&comparison.verdicts)),
        ("committed reports", stale_cases(&comparison.verdicts)),
    ];
    suites.retain(|(_, cases)| !cases.is_empty());
    suites
}

fn change_cases(comparison: &Comparison) -> Vec<Case> {
    let waits = comparison.has(SnapshotVerdict::Changed);
    let mut cases = Vec::new();
    for change in comparison.differences.sorted() {
        let title = change.cause.title();
        let mut problem = None;
        if waits {
            let description = format!("{}\n{}", change.describe(), extent_of_change(change));
            problem = Some(make_failure(title.clone(), description));
        }
        cases.push(Case { name: title, place: None, problem });
    }
    cases
}

fn unreadable_cases(verdicts: &Verdicts) -> Vec<Case> {
    let mut cases = Vec::new();
    for unreadable in &verdicts.unreadable {
        let description = format!("{}: {}", unreadable.place, unreadable.message);
        let problem = Problem { element: "error", message: unreadable.message.clone(), description };
        cases.push(Case { name: unreadable.place.clone(), place: None, problem: Some(problem) });
    }
    cases
}

fn threshold_cases(comparison: &Comparison) -> Vec<Case> {
    let mut cases = Vec::new();
    for (threshold, crossed) in comparison.judged_thresholds() {
        let problem = crossed.map(|crossed| make_failure(crossed.message.clone(), crossed.to_string()));
        cases.push(Case { name: promise(threshold), place: None, problem });
    }
    cases
}

fn snapshot_cases(verdicts: &Verdicts) -> Vec<Case> {
    let mut cases = Vec::new();
    for snapshot in &verdicts.snapshots {
        let problem = Some(make_failure(snapshot.describe(), with_diff(snapshot)));
        cases.push(Case { name: snapshot.key.clone(), place: None, problem });
    }
    cases
}

fn stale_cases(verdicts: &Verdicts) -> Vec<Case> {
    let mut cases = Vec::new();
    for file in &verdicts.stale_reports {
        let message = format!("{file} is stale: run ptc-eval and commit it");
        let problem = Some(make_failure(message.clone(), message));
        cases.push(Case { name: file.clone(), place: None, problem });
    }
    cases
}

fn make_failure(message: String, description: String) -> Problem {
    Problem { element: "failure", message, description }
}

fn with_diff(snapshot: &SnapshotRecord) -> String {
    let diff = snapshot.diff.as_ref().map(|diff| format!("\n{diff}"));
    snapshot.describe() + diff.as_deref().unwrap_or("")
}

fn count_cases(cases: &[Case]) -> CaseCounts {
    let mut counts = CaseCounts { tests: cases.len() as u64, errors: 0, failures: 0 };
    for problem in cases.iter().filter_map(|case| case.problem.as_ref()) {
        match problem.element {
            "error" => counts.errors += 1,
            _ => counts.failures += 1,
        }
    }
    counts
}

fn open_suite(name: &str, counts: CaseCounts, out: &mut dyn Write) -> io::Result<()> {
    let CaseCounts { tests, errors, failures } = counts;
    writeln!(
        out,
        "    <testsuite name=\"{name}\" tests=\"{tests}\" skipped=\"0\" errors=\"{errors}\" failures=\"{failures}\">"
    )
}

impl Case {
    fn write_case(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "        <testcase name=\"{}\"", escape_attribute(&self.name))?;
        if let Some((path, line)) = &self.place {
            let path = escape_attribute(path);
            write!(out, " classname=\"{path}\" file=\"{path}\" line=\"{line}\"")?;
        }
        let Some(Problem { element, message, description }) = &self.problem else {
            return writeln!(out, "/>");
        };
        let (message, description) = (escape_attribute(message), escape_text(description));
        writeln!(out, ">\n            <{element} message=\"{message}\">{description}</{element}>")?;
        writeln!(out, "        </testcase>")
    }
}

/// Escapes text for XML. Invisible characters are spelled out, since XML cannot contain all of them.
fn escape_text(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| escape(&*visible(line)).into_owned()).collect();
    lines.join("\n")
}

/// Escapes an attribute value. A parser would read a raw line break as a space.
fn escape_attribute(value: &str) -> String {
    escape_text(value).replace('\n', "&#10;")
}
