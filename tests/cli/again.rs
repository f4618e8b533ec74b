//! `run --only-failed` and `run --watch`.

use std::io::{BufRead, BufReader, Read};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::suite::Suite;

/// Longer than the slowest machine needs; only a failing test waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

const FINE: &str = "
mission: Add the numbers.
data: {numbers: [1, 2]}
responses: [{program: (return (reduce + data/numbers))}]
expect: {value: 3}
";

fn wrong() -> String {
    FINE.replace("value: 3", "value: 4")
}

fn two_of_three_fail() -> Suite {
    let suite = Suite::with(&[("fine", FINE), ("shop/wrong", &wrong()), ("also", &wrong())]);
    suite.run(&["--accept"]).ends(1).says("3 scenarios").says("2 failed");
    suite
}

#[test]
fn only_what_failed_is_replayed_until_nothing_does() {
    let suite = two_of_three_fail();
    assert_eq!(suite.read("reports/failed.txt"), "also\nshop/wrong\n");
    let summary = suite.read("reports/summary.md");
    suite.run(&["--only-failed"]).ends(1).says("2 scenarios").says("2 failed").says("selection");
    suite.write("scenarios/shop/wrong.yaml", FINE);
    suite.run(&["--only-failed"]).ends(1).says("2 scenarios").says("1 failed");
    assert_eq!(suite.read("reports/failed.txt"), "also\n");
    suite.write("scenarios/also.yaml", FINE);
    suite.run(&["--only-failed"]).ends(0).says("1 scenario,");
    suite.run(&["--only-failed"]).ends(0).complains("nothing failed in the last run");
    assert_eq!(suite.read("reports/summary.md"), summary, "a selection leaves it alone");
}

#[test]
fn a_changed_snapshot_and_a_broken_strategy_are_failures() {
    let suite = Suite::with(&[("fine", FINE), ("other", FINE)]);
    suite.run(&["--accept"]).ends(0);
    assert!(!suite.exists("reports/failed.txt"));
    suite.write("scenarios/other.yaml", &FINE.replace("Add the", "Sum the"));
    suite.run(&["--filter", "other"]).ends(1);
    assert_eq!(suite.read("reports/failed.txt"), "other\n");
    suite.run(&["--only-failed", "--accept"]).ends(0).says("1 scenario,");
    assert_eq!(suite.read("reports/failed.txt"), "");
    suite.write("scenarios/own.clj", "(fn [_] (boom))");
    suite.write(
        "scenarios/suite.yaml",
        "strategies: [full-history, own]\nvariants: {own: {program: own.clj}}",
    );
    suite.run(&["--filter", "fine"]).ends(1);
    assert_eq!(suite.read("reports/failed.txt"), "fine\n");
}

/// A failure stays one until a run shows that it is fixed.
#[test]
fn a_part_of_the_suite_says_nothing_of_the_rest() {
    let suite = two_of_three_fail();
    suite.write("scenarios/also.yaml", FINE);
    suite.write("scenarios/shop/wrong.yaml", FINE);
    suite.run(&["scenarios/fine.yaml"]).ends(0);
    suite.run(&["--strategy", "trim"]).ends(0);
    let line = r#"{"name": "also", "mission": "m", "responses": [{"program": "(return 1)"}]}"#;
    suite.run_with(&["run", "-"], line, &[]).ends(0);
    assert_eq!(suite.read("reports/failed.txt"), "also\nshop/wrong\n");
    suite.run(&["--filter", "also"]).ends(0);
    assert_eq!(suite.read("reports/failed.txt"), "shop/wrong\n");
}

#[test]
fn removed_scenarios_are_forgotten() {
    let suite = two_of_three_fail();
    std::fs::remove_file(suite.path().join("scenarios/also.yaml")).unwrap();
    suite.write("scenarios/broken.yaml", "mission: [");
    suite.run(&[]).ends(2);
    assert_eq!(suite.read("reports/failed.txt"), "broken\nshop/wrong\n");
    std::fs::remove_file(suite.path().join("scenarios/broken.yaml")).unwrap();
    suite.run(&["--only-failed"]).ends(1).says("1 scenario,");
    assert_eq!(suite.read("reports/failed.txt"), "shop/wrong\n");
    suite.run_with(&["-", "--only-failed"], "", &[]).ends(2).complains("standard input");
}

/// An unreadable file counts as failed until it is read and passes.
#[test]
fn unreadable_scenarios_count_as_failed() {
    let suite = Suite::with(&[("fine", FINE), ("shop/bad", "misson: m"), ("tabs", "mission:\tm\n\tx: 1\n")]);
    let line = r#"{"name": "a/NAME", "mission": "m", "responses": [{"program": "(return 1)"}]}"#;
    suite.write("scenarios/lines.jsonl", &format!("{}\n{{\n", line.replace("NAME", "one")));
    suite
        .run(&["--accept"])
        .ends(2)
        .says("2 scenarios")
        .says("3 files are not valid")
        .says("next:  ptc-eval check");
    assert_eq!(suite.read("reports/failed.txt"), "lines.jsonl\nshop/bad\ntabs\n");
    suite.write("scenarios/shop/bad.yaml", FINE);
    suite.run(&["--only-failed"]).ends(2).says("2 scenarios").says("2 files are not valid");
    assert_eq!(suite.read("reports/failed.txt"), "lines.jsonl\ntabs\n");
    suite.write("scenarios/tabs.yaml", &wrong());
    suite.write("scenarios/lines.jsonl", &line.replace("NAME", "two"));
    suite.run(&["--only-failed"]).ends(1).says("2 scenarios").says("1 failed");
    assert_eq!(suite.read("reports/failed.txt"), "tabs\n");
}

/// A program that runs until it is killed, and the lines that it writes.
struct Watching {
    child: Child,
    out: Receiver<String>,
    err: Receiver<String>,
}

impl Watching {
    fn start(suite: &Suite, arguments: &[&str]) -> Watching {
        let mut child = suite.start(arguments, &[]);
        let (out, err) = (lines(child.stdout.take().unwrap()), lines(child.stderr.take().unwrap()));
        Watching { child, out, err }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        BufReader::new(pipe).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    receiver
}

/// Reads up to the line that contains the text.
#[track_caller]
fn until(lines: &Receiver<String>, text: &str) -> String {
    let mut read = Vec::new();
    while let Ok(line) = lines.recv_timeout(PATIENCE) {
        if line.contains(text) {
            return line;
        }
        read.push(line);
    }
    panic!("no {text:?} in {read:#?}");
}

#[test]
fn a_watched_suite_is_run_again_when_a_file_changes() {
    let suite = Suite::with(&[("fine", FINE)]);
    suite.run(&["--accept"]).ends(0);
    let watching = Watching::start(&suite, &["--watch", "--report-dir", "scenarios/reports"]);
    until(&watching.out, "expectations met");
    until(&watching.err, "waiting for a change below scenarios");
    suite.write("scenarios/data/more.csv", "a,b\n");
    let line = until(&watching.err, " UTC");
    assert!(line.starts_with("scenarios/data/more.csv was added at "), "{line}");
    until(&watching.out, "expectations met");
    until(&watching.err, "waiting");
    suite.write("scenarios/fine.yaml", &FINE.replace("value: 3", "value: 40"));
    let line = until(&watching.err, " UTC");
    assert!(line.starts_with("scenarios/fine.yaml changed at "), "{line}");
    until(&watching.out, "scenarios/fine.yaml:5:10: value: expected 40, found 3");
    until(&watching.out, "1 failed");
    until(&watching.err, "waiting");
    suite.write("scenarios/suite.yaml", "strategies: [");
    until(&watching.err, "scenarios/suite.yaml was added at ");
    until(&watching.err, "waiting");
    std::fs::remove_file(suite.path().join("scenarios/suite.yaml")).unwrap();
    until(&watching.err, "scenarios/suite.yaml was removed at ");
    until(&watching.out, "1 failed");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_watch() {
    let suite = Suite::with(&[("fine", FINE)]);
    let mut watching = Watching::start(&suite, &["--watch"]);
    until(&watching.err, "waiting");
    let id = watching.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(watching.child.wait().unwrap().code(), Some(130));
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let suite = Suite::with(&[("fine", FINE)]);
    suite.run(&["--watch", "--locked"]).ends(2).complains("--locked");
    suite.run(&["--watch", "--accept"]).ends(2).complains("--accept");
    suite.run(&["-", "--watch"]).ends(2).complains("standard input");
    suite.run(&["nowhere", "--watch"]).ends(2).complains("nowhere");
}
