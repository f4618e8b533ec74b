//! Wrong input: what is said names the place, and what to try.

use crate::suite::{SUM, Suite};

#[track_caller]
fn complains(files: &[(&str, &str)], arguments: &[&str], texts: &[&str]) {
    let suite = Suite::with(&[]);
    files.iter().for_each(|(name, text)| suite.write(name, text));
    let ran = suite.run(arguments);
    ran.ends(2);
    texts.iter().for_each(|text| {
        ran.complains(text);
    });
}

#[test]
fn wrong_input_says_what_to_try() {
    let sum = ("scenarios/sum.yaml", SUM);
    complains(&[], &["run"], &["scenarios: there is no such folder here", "ptc-eval new NAME"]);
    Suite::with(&[]).run(&["--help"]).ends(0).says("Commands:");
    complains(&[sum], &["reveiw"], &["there is no command 'reveiw'", "did you mean 'review'?"]);
    complains(
        &[sum],
        &["explain", "sum", "--model", "gpt-55"],
        &["no model 'gpt-55'", "did you mean 'gpt-5'?"],
    );
    complains(&[sum], &["run", "--prices", "no.yaml"], &["cannot read no.yaml", "docs/metrics.md"]);
    complains(&[sum], &["diff", "reports"], &["'reports'", "ptc-eval run writes the folder reports"]);
    complains(&[sum, ("reports", "")], &["run"], &["what failed before from reports", "--report-dir"]);
    complains(&[sum, ("snapshots", "")], &["run"], &["snapshots/sum/", "--snapshot-dir"]);
    let wrong = [("scenarios/a.yaml", "mission: [1]\n")];
    complains(
        &wrong,
        &["show", "a"],
        &["scenarios/a.yaml:1:10", "expected text, found a list", "key: some text"],
    );
}

#[test]
fn each_suite_is_run_by_itself() {
    let files = [("scenarios/sum.yaml", SUM), ("other/scenarios/sum.yaml", SUM)];
    complains(
        &files,
        &["run", "scenarios", "other/scenarios"],
        &["other/scenarios: this is not below the suite's"],
    );
    let suite = Suite::with(&[("sum", SUM), ("shop/sum", SUM)]);
    suite
        .run(&["run", "scenarios/shop", "scenarios", "--accept"])
        .ends(0)
        .says("2 scenarios")
        .says("reports/index.html");
}

#[test]
fn one_of_a_kind_is_no_plural() {
    let suite = Suite::with(&[("bad", "misson: m\n")]);
    let ran = suite.run(&[]);
    ran.ends(2)
        .says("1 new snapshot waits for review\n")
        .says("1 file cannot be read\nnext: ptc-eval check\n");
    suite.run(&["review", "--accept-all"]).ends(0).says("1 snapshot accepted, 0 rejected");
    suite.write("scenarios/bad.yaml", SUM);
    suite.run(&["--accept"]).ends(0).says("snapshots accepted").says("1 scenario, 8 strategies");
    assert!(suite.read("reports/summary.md").contains("\n1 scenario, 0 with failures."));
    assert!(suite.read("reports/summary.md").contains("| 2 (1 run) |"));
}
