//! The search for the options of strategies, and the variant that it writes.

use super::advise::log;
use super::suite::{SUM, Suite};

/// Nine logs of three lengths, as a suite.
fn logs() -> Suite {
    let suite = Suite::with(&[]);
    let lines: String = (0..9).map(|number| log(8 + number % 3 * 6) + "\n").collect();
    suite.write("logs.jsonl", &lines);
    suite.run(&["advise", "logs.jsonl", "--save", "kept"]).ends(0);
    suite
}

#[test]
fn the_cheapest_setting_is_found_and_judged_by_other_runs() {
    let suite = logs();
    let tuned = suite.run(&["tune", "kept", "--seed", "7"]);
    tuned.ends(0).says(" settings tried on 6 runs, 3 held back\n\nUse ");
    tuned.says("On the runs held back, -").says(" answers short.\n");
    assert_eq!(suite.run(&["tune", "kept", "--seed", "7", "--jobs", "1"]).out, tuned.out);
    let table = tuned.out.lines().skip_while(|line| !line.contains("cost vs baseline"));
    assert!(
        table.clone().count() > 3 && table.clone().all(|line| line.chars().count() <= 80),
        "{}",
        tuned.out
    );
    // The setting is cheaper than the recommendation of a run, which tries the strategies as they are.
    let change = |out: &str| -> f64 {
        let row = out.lines().find(|line| line.starts_with("> ")).unwrap();
        let cost = row.split_whitespace().find(|cell| cell.ends_with('%')).unwrap();
        cost.trim_end_matches('%').parse().unwrap()
    };
    let advised = suite.run(&["run", "kept", "--accept"]);
    assert!(change(&tuned.out) < change(&advised.out), "{}\n{}", tuned.out, advised.out);
}

#[test]
fn the_setting_is_written_with_its_thresholds_once() {
    let suite = logs();
    let tuned = suite.run(&["tune", "kept", "--write"]);
    tuned.ends(0).says("written: the variant tuned and its thresholds in kept/suite.yaml");
    let written = suite.read("kept/suite.yaml");
    assert_eq!(written.matches("  tuned: {").count(), 1, "{written}");
    assert!(written.contains("- {strategy: tuned, metric: answers_short, max: 0}"), "{written}");
    suite.run(&["run", "kept", "--accept"]).ends(0).says("\n> tuned ");
    suite.run(&["tune", "kept", "--write", "--seed", "1"]).ends(0).says("written: ");
    let again = suite.read("kept/suite.yaml");
    assert_eq!(again.matches("  tuned: {").count(), 1, "{again}");
    assert_eq!(again.lines().count(), written.lines().count(), "{again}");
}

#[test]
fn a_file_that_no_variant_can_be_added_to_stays_as_it_is() {
    let suite = logs();
    let odd = "strategies: [full-history, fold]\nvariants: {late: {strategy: fold, trigger: {turns: 4}}}\n";
    suite.write("kept/suite.yaml", odd);
    let tuned = suite.run(&["tune", "kept", "--write"]);
    tuned.ends(2).complains("cannot be written into kept/suite.yaml").complains("--strategy");
    assert_eq!(suite.read("kept/suite.yaml"), odd);
}

#[test]
fn nothing_is_written_where_nothing_is_better() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("scenarios/suite.yaml", "strategies: [full-history, trim]\n");
    suite.run(&["tune", "--filter", "nothing"]).ends(4);
    suite.write("scenarios/broken.yaml", "misson: m\n");
    suite.run(&["tune"]).ends(2).complains("broken.yaml:1:1");
    std::fs::remove_file(suite.path().join("scenarios/broken.yaml")).unwrap();
    suite.run(&["tune", "--write"]).ends(0).says("nothing is written");
    assert_eq!(suite.read("scenarios/suite.yaml"), "strategies: [full-history, trim]\n");
}
