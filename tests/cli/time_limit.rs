//! The time that a scenario may take.

use serde_json::Value;

use super::suite::{SUM, Suite};

/// A program that would take minutes.
const ENDLESS: &str = "
mission: Count.
limits: {ticks: 1000000000, memory_mib: 256}
responses:
  - program: (loop [n 0] (if (< n 100000000000) (recur (inc n)) (return n)))
";

/// The scenario fails, the others are evaluated, and reports name the scenario without what was made of it.
#[test]
fn a_scenario_that_takes_too_long_fails_and_the_run_goes_on() {
    let suite = Suite::with(&[("sum", SUM), ("endless", ENDLESS)]);
    let ran = suite.run(&["run", "--timeout", "1", "--jobs", "1", "--requests-csv"]);
    ran.ends(2)
        .complains("endless.yaml: it was not evaluated within 1 s")
        .complains("--timeout SECONDS allows more");
    ran.says("1 scenario, 2 requests: 1 file is not valid");
    assert!(suite.exists("snapshots/sum/run.snap.new"));
    assert!(!suite.exists("snapshots/endless"));
    let results: Value = serde_json::from_str(&suite.read("reports/results.json")).unwrap();
    let scenarios = results["scenarios"].as_array().unwrap();
    assert_eq!(scenarios.iter().map(|scenario| &scenario["name"]).collect::<Vec<_>>(), ["sum"]);
    let [unreadable] = &results["unreadable"].as_array().unwrap()[..] else { panic!("{results}") };
    assert_eq!(unreadable["name"], "endless");
    for report in ["scenarios.csv", "requests.csv"] {
        assert!(!suite.read(&format!("reports/{report}")).contains("endless"), "{report}");
    }
}
