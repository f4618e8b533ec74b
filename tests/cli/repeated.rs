//! Golden files of a strategy that sends the same as `full-history`: one line.

use super::suite::Suite;

/// Four turns with a long mission.
const COUNT: &str = "
description: counts to three and prints each number
mission: |
  Count to three and print each number.
  Say nothing else, and do not skip a number.
responses:
  - program: (println \"one\")
  - program: (println \"two\")
  - program: (println \"three\")
  - program: (return 3)
";
const LINE: &str = "= every request as under full-history\n";

fn suite(strategies: &str) -> Suite {
    let suite = Suite::with(&[("count", COUNT)]);
    suite.write("scenarios/suite.yaml", strategies);
    suite
}

/// Trim leaves out turns from here on.
fn shorten(suite: &Suite) {
    suite.write(
        "scenarios/count.yaml",
        &format!("{COUNT}compression: {{strategy: trim, keep_recent_turns: 2}}\n"),
    );
}

fn golden(suite: &Suite) -> String {
    let text = suite.read("snapshots/count/trim.snap");
    text.strip_prefix("---\nsource: scenarios/count.yaml\ntool: ptc-eval\n---\n").unwrap().to_owned()
}

/// The line depends on the strategies of the suite, not on their order or on those that run now.
#[test]
fn a_strategy_with_the_requests_of_full_history_is_one_line() {
    let suite = suite("strategies: [trim, full-history]\nbaseline: trim\n");
    suite.run(&["run", "--accept"]).ends(0);
    assert_eq!(golden(&suite), LINE);
    assert!(suite.read("snapshots/count/full-history.snap").contains("1-| --- user ---\n1-| Count to three"));
    suite.run(&["run", "--strategy", "trim"]).ends(0).says("2 golden files unchanged");
    let alone = self::suite("strategies: [trim]\nbaseline: trim\n");
    alone.run(&["run", "--accept"]).ends(0);
    assert!(golden(&alone).starts_with("=== 4 requests ==="));
}

/// Neither a run nor a review shows what stays the same.
#[test]
fn requests_that_become_others_are_shown_as_what_differs() {
    let suite = suite("strategies: [full-history, trim]\n");
    suite.run(&["run", "--accept"]).ends(0);
    shorten(&suite);
    let run = suite.run(&["run"]);
    run.ends(1).says("   1 request in 1 scenario\n");
    let review = suite.run(&["review", "--print"]);
    for shown in [&run.out, &review.out] {
        assert!(shown.contains("− (println \"one\")"), "{shown}");
        assert!(!shown.contains("every request") && !shown.contains("Count to three"), "{shown}");
    }
    suite.run(&["review", "--accept-all"]).ends(0);
    assert!(golden(&suite).starts_with("=== 4 requests ==="));
    suite.run(&["run"]).ends(0);

    suite.write("scenarios/count.yaml", COUNT);
    let back = suite.run(&["run"]);
    back.ends(1).says("   1 request in 1 scenario\n");
    let review = suite.run(&["review", "--print"]);
    for shown in [&back.out, &review.out] {
        assert!(shown.contains("+ (println \"one\")") && !shown.contains("Count to three"), "{shown}");
    }
    suite.run(&["review", "--accept-all"]).ends(0);
    assert_eq!(golden(&suite), LINE);
}

/// A change of what both send is one question, about the file that holds the text.
#[cfg(unix)]
#[test]
fn a_change_of_full_history_is_asked_about_once() {
    let suite = suite("strategies: [full-history, trim]\n");
    suite.run(&["run", "--accept"]).ends(0);
    suite.write("scenarios/count.yaml", &COUNT.replace("Say nothing else", "Say no word more"));
    suite.run(&["run"]).ends(1);
    assert!(suite.exists("snapshots/count/full-history.snap.new"));
    assert!(!suite.exists("snapshots/count/trim.snap.new"));

    // What is compared is what is sent: the old text of trim is the accepted one of full-history.
    shorten(&suite);
    let both = COUNT.replace("Say nothing else", "Say no word more");
    suite.write(
        "scenarios/count.yaml",
        &format!("{both}compression: {{strategy: trim, keep_recent_turns: 2}}\n"),
    );
    suite.run(&["run"]).ends(1);
    let review = suite.run(&["review", "--print"]).out;
    assert!(review.contains(" in 1 scenario") && review.contains("− Say nothing else"), "{review}");
    suite.run(&["review", "--accept-all"]).ends(0);
    assert!(golden(&suite).contains("Say no word more"));
}
