//! `junit.xml`: one test case a scenario, and one for each threshold and for whatever else fails a run. It
//! says nothing of time, so that it is the same for the same run. Cases are written one at a time, so that
//! a million of them fit.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::comparison::Comparison;
use super::header::Header;
use super::record::{BrokenRecord, ScenarioRecord};
use super::thresholds::promise;
use super::verdicts::{Crossed, SnapshotRecord, Unreadable};
use crate::scenario::suite::Threshold;

/// The suite whose cases are written while scenarios come and go.
const SCENARIOS: &str = "scenarios";
const CASE: &str = "<testcase";
const END_OF_SUITE: &str = "    </testsuite>\n";

/// All before the first scenario: the counts that stand there are known at the end.
pub fn front(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(around(comparison)?.0.as_bytes())
}

pub fn scenario(_: &Header, record: &ScenarioRecord, out: &mut dyn Write) -> io::Result<()> {
    let mut suite = TestSuite::new(SCENARIOS);
    suite.add_test_case(case_of(record));
    let text = text_of(vec![suite])?;
    let from = text.find(CASE).and_then(|case| text.get(..case)?.rfind('\n')).map_or(0, |end| end + 1);
    let to = text.rfind(END_OF_SUITE).unwrap_or(text.len());
    out.write_all(text.get(from..to).unwrap_or_default().as_bytes())
}

pub fn tail(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(around(comparison)?.1.as_bytes())
}

/// What stands before and after the cases of the scenarios.
fn around(comparison: &Comparison) -> io::Result<(String, String)> {
    let mut scenarios = TestSuite::new(SCENARIOS);
    scenarios.tests = usize::try_from(comparison.scenarios).unwrap_or(usize::MAX);
    scenarios.failures = usize::try_from(comparison.counts.troubled).unwrap_or(usize::MAX);
    let suites = std::iter::once(scenarios).chain(others(comparison)).collect();
    let text = text_of(suites)?;
    // Without cases the suite is one tag that closes itself.
    let (before, after) = text.split_once("/>\n").unwrap_or((&text, ""));
    Ok((format!("{before}>\n"), format!("{END_OF_SUITE}{after}")))
}

fn text_of(suites: Vec<TestSuite>) -> io::Result<String> {
    let mut report = Report::new("ptc-eval");
    report.add_test_suites(suites);
    report.to_string().map_err(io::Error::other)
}

fn case_of(record: &ScenarioRecord) -> TestCase {
    let place = record.origin.to_string();
    let failures = record.failure_lines();
    let snapshots = record.snapshots.iter().map(|snapshot| match &snapshot.diff {
        Some(diff) => format!("{}\n{diff}", snapshot.describe()),
        None => snapshot.describe(),
    });
    let broken = record.broken_strategies.iter().map(BrokenRecord::describe);
    let others = broken.chain(snapshots).map(|what| format!("{place}: {what}"));
    let all: Vec<String> = failures.chain(others).collect();
    let first = record.failures.first().map(ToString::to_string);
    let first = first.or_else(|| record.broken_strategies.first().map(BrokenRecord::describe));
    let first = first.or_else(|| record.snapshots.first().map(SnapshotRecord::describe));
    let status = match first {
        None => TestCaseStatus::success(),
        Some(first) => failed(NonSuccessKind::Failure, &first, &all.join("\n")),
    };
    let mut case = TestCase::new(record.name.as_str(), status);
    case.set_classname(record.origin.path.as_str());
    case.extra.insert("file".into(), record.origin.path.as_str().into());
    let line = record.failures.first().map_or(record.origin.line, |failure| failure.line);
    case.extra.insert("line".into(), line.to_string().as_str().into());
    case
}

fn failed(kind: NonSuccessKind, message: &str, description: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(visible(message)).set_description(visible(description));
    status
}

/// Without characters that begin what terminals take for commands, and with them what follows.
fn visible(text: &str) -> String {
    text.replace(|c: char| c.is_control() && c != '\n', "\u{fffd}")
}

/// The suites beside the scenarios; one that would be empty is left out.
fn others(comparison: &Comparison) -> impl Iterator<Item = TestSuite> {
    let verdicts = &comparison.verdicts;
    let thresholds = if comparison.is_judged() { comparison.header.thresholds.as_slice() } else { &[] };
    let thresholds =
        thresholds.iter().map(|threshold| threshold_case(threshold, &verdicts.thresholds_crossed));
    let suites = [
        suite("unreadable scenarios", verdicts.unreadable.iter().map(unreadable_case)),
        suite("thresholds", thresholds),
        suite("other snapshots", verdicts.snapshots.iter().map(snapshot_case)),
        suite("committed reports", verdicts.stale_reports.iter().map(|file| stale_case(file))),
    ];
    suites.into_iter().filter(|suite| suite.tests > 0)
}

fn suite(name: &str, cases: impl Iterator<Item = TestCase>) -> TestSuite {
    let mut suite = TestSuite::new(name);
    suite.add_test_cases(cases);
    suite
}

fn unreadable_case(unreadable: &Unreadable) -> TestCase {
    let Unreadable { place, message, .. } = unreadable;
    TestCase::new(place.as_str(), failed(NonSuccessKind::Error, message, &format!("{place}: {message}")))
}

fn threshold_case(threshold: &Threshold, crossed: &[Crossed]) -> TestCase {
    let is_this = |crossed: &&Crossed| crossed.threshold == *threshold;
    let status = match crossed.iter().find(is_this) {
        None => TestCaseStatus::success(),
        Some(crossed) => failed(NonSuccessKind::Failure, &crossed.message, &crossed.to_string()),
    };
    TestCase::new(promise(threshold), status)
}

fn snapshot_case(snapshot: &SnapshotRecord) -> TestCase {
    let what = snapshot.describe();
    let description = match &snapshot.diff {
        Some(diff) => format!("{what}\n{diff}"),
        None => what.clone(),
    };
    TestCase::new(snapshot.key.as_str(), failed(NonSuccessKind::Failure, &what, &description))
}

fn stale_case(file: &str) -> TestCase {
    let message = format!("{file} is stale: run ptc-eval and commit it");
    TestCase::new(file, failed(NonSuccessKind::Failure, &message, &message))
}
