//! Suites side by side with the same folders of snapshots and reports, and files of one suite in another's
//! place.

use std::fs;

#[cfg(unix)]
use super::suite::Ran;
use super::suite::{SUM, Suite};

/// A suite in `evals` beside the one in `scenarios`.
fn two_suites() -> Suite {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("evals/suite.yaml", "strategies: [full-history]\n");
    suite.write("evals/other.yaml", SUM);
    suite
}

#[test]
fn a_suite_beside_another_does_not_take_its_snapshots() {
    let suite = two_suites();
    for accepted in [&["run"][..], &["run", "--accept"]] {
        suite.run(accepted);
        let before = suite.read("reports/summary.md");
        for arguments in [&["run", "evals"][..], &["run", "evals", "--accept"], &["run", "evals/other.yaml"]]
        {
            let ran = suite.run(arguments);
            ran.ends(2).complains("error: snapshots is that of another suite too: scenarios/sum.yaml");
            ran.complains("as in agents/shop/scenarios");
        }
        assert_eq!(suite.read("reports/summary.md"), before);
        assert!(suite.exists("snapshots/sum/run.snap") || suite.exists("snapshots/sum/run.snap.new"));
    }
    let elsewhere = ["--snapshot-dir", "evals-snapshots", "--report-dir", "evals-reports"];
    suite.run(&[&["run", "evals", "--accept"][..], &elsewhere].concat()).ends(0);
    suite.run(&["run"]).ends(0);
}

#[test]
fn a_suite_beside_another_does_not_write_over_its_reports() {
    let suite = two_suites();
    suite.run(&["run"]);
    let ran = suite.run(&["run", "evals", "--snapshot-dir", "evals-snapshots"]);
    ran.ends(2).complains("error: reports is that of another suite too: scenarios\n");
    assert!(!suite.exists("evals-snapshots"));
    // A folder that is named is meant.
    let elsewhere = ["--snapshot-dir", "evals-snapshots", "--report-dir", "out"];
    suite.run(&["run", "--report-dir", "out"]).ends(3);
    suite.run(&[&["run", "evals"][..], &elsewhere].concat()).ends(3);
}

/// Files that a suite left under its old name, or under a link, are its own.
#[test]
fn a_suite_that_was_renamed_keeps_its_snapshots() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("scenarios/suite.yaml", "strategies: [full-history]\n");
    suite.run(&["run", "--accept"]).ends(0);
    fs::rename(suite.path().join("scenarios"), suite.path().join("evals")).unwrap();
    suite.run(&["run", "evals"]).ends(0);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("evals", suite.path().join("scenarios")).unwrap();
        suite.run(&["run"]).ends(0);
        suite.run(&["run", "evals"]).ends(0);
    }
}

const TEXTS: &str = "# Texts that a live model wrote. `ptc-eval record --summaries` asks for those that are missing or stale.\n- repeat: 1\n  turns: [1, 3]\n";

#[test]
fn golden_texts_in_the_suite_are_no_scenarios() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("scenarios/kept/gone/short.summaries.yaml", TEXTS);
    suite.run(&["check"]).ends(0);
    // Only the content distinguishes a file of texts from a scenario of this name.
    suite.write("scenarios/b.summaries.yaml", SUM);
    suite.run(&["list", "scenarios"]).ends(0).says("b.summaries");
}

#[test]
fn golden_texts_of_nothing_are_told_and_stay() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["run", "--accept"]).ends(0);
    suite.write("snapshots/sum/short.summaries.yaml", TEXTS);
    let orphan = "the snapshot sum/short.summaries.yaml belongs to no scenario and strategy";
    suite.run(&["run"]).ends(5).says(orphan);
    // A model was paid for it.
    suite.run(&["run", "--accept"]).ends(5).says(orphan);
    suite
        .run(&["run", "--accept", "--prune"])
        .ends(0)
        .complains("removed snapshots/sum/short.summaries.yaml");
    assert!(!suite.exists("snapshots/sum/short.summaries.yaml"));
    suite.run(&["run"]).ends(0);
}

/// Reports of one folder are of one evaluation, also where two end at once.
#[cfg(unix)]
#[test]
fn reports_wait_for_another_evaluation_that_writes_there() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["run", "--accept"]).ends(0);
    fs::remove_file(suite.path().join("reports/results.json")).unwrap();
    let other = fs::File::open(suite.path().join("reports")).unwrap();
    other.lock().unwrap();
    let waiting = suite.start(&["run"], &[]);
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert!(!suite.exists("reports/results.json"));
    drop(other);
    Ran::from(waiting.wait_with_output().unwrap()).ends(0);
    assert!(suite.exists("reports/results.json"));
}
