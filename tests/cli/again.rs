//! Running again: only what failed.

use crate::suite::Suite;

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
    suite.run(&["--only-failed"]).ends(4).complains("nothing failed in the last run");
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
    suite.write("scenarios/suite.yaml", "strategies: [own]\nvariants: {own: {program: own.clj}}");
    suite.run(&["--filter", "fine"]).ends(1);
    assert_eq!(suite.read("reports/failed.txt"), "fine\n");
}

/// What a run does not show to be fine has failed still.
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
fn names_that_no_scenario_has_any_more_are_forgotten() {
    let suite = two_of_three_fail();
    std::fs::remove_file(suite.path().join("scenarios/also.yaml")).unwrap();
    suite.write("scenarios/broken.yaml", "mission: [");
    suite.run(&[]).ends(2);
    assert_eq!(suite.read("reports/failed.txt"), "also\nshop/wrong\n", "not all could be read");
    std::fs::remove_file(suite.path().join("scenarios/broken.yaml")).unwrap();
    suite.run(&["--only-failed"]).ends(1).says("1 scenario,");
    assert_eq!(suite.read("reports/failed.txt"), "shop/wrong\n");
    suite.run_with(&["-", "--only-failed"], "", &[]).ends(2).complains("standard input");
}
