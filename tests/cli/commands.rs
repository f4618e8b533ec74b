//! Strategies that are commands, at the command line: permission, errors, and runs on several threads.

#![cfg(unix)]

use super::suite::{SUM, Suite};

/// Drops all but the first messages.
const PROGRAM: &str = r#"#!/bin/sh
echo started >>"$1"
while read -r line; do
    case "$line" in *"a broken mission"*) echo "cannot do that" >&2; exit 1;; esac
    id=${line#*:}
    turn=${line#*\"turn\":}
    echo "{\"id\":${id%%,*},\"messages\":[{\"role\":\"user\",\"content\":\"Add the numbers. $2 ${turn%%,*}\"}]}"
done
"#;

fn suite() -> Suite {
    let names: Vec<String> = (0..40).map(|number| format!("sum-{number}")).collect();
    let scenarios: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), SUM)).collect();
    let suite = Suite::with(&scenarios);
    let own =
        "own: {command: [sh, strategies/own.sh, started, hello], options: {any: 1}, timeout_seconds: 20}";
    suite.write("scenarios/suite.yaml", &format!("strategies: [full-history, own]\nvariants:\n  {own}\n"));
    suite.write("scenarios/strategies/own.sh", PROGRAM);
    suite
}

/// Whoever reads the suite of others runs none of its code.
#[test]
fn commands_run_with_permission_only() {
    let suite = suite();
    let refused = "error: sh strategies/own.sh started hello: not run: a command may do anything on this machine; \
                   --allow-commands or PTC_EVAL_ALLOW_COMMANDS=1 lets the commands of a suite run\n";
    let ran = suite.run(&["run", "--accept"]);
    ran.ends(1)
        .says("strategies that made no requests:\n  sh strategies/own.sh started hello: not run: a command")
        .says("in sum-0, turn 1, and 39 more)");
    assert_eq!((ran.out.matches("not run:").count(), ran.err.as_str()), (1, ""), "{}", ran.out);
    suite.run(&["show", "sum-0", "--view", "compressed", "--strategy", "own"]).ends(1).complains(refused);
    suite.run(&["explain", "sum-0", "--strategy", "own"]).ends(1).complains(refused);
    suite.run(&["diff", "--strategies", "own", "trim", "sum-0"]).ends(1).complains(refused);
    suite.run(&["check"]).ends(2).complains(refused);
    suite.run_with(&["check"], "", &[("PTC_EVAL_ALLOW_COMMANDS", "0")]).ends(2);
    suite.run(&["list", "strategies"]).ends(0).says("own                     program sh strategies/own.sh");
    assert!(!suite.exists("scenarios/started"));
    assert!(suite.exists("snapshots/sum-0/full-history.snap") && !suite.exists("snapshots/sum-0/own.snap"));

    suite.run_with(&["check"], "", &[("PTC_EVAL_ALLOW_COMMANDS", "1")]).ends(0);
    suite.run(&["check", "--allow-commands"]).ends(0);
    let show = ["show", "sum-0", "--view", "compressed", "--strategy", "own", "--allow-commands"];
    suite.run(&show).ends(0).says("[USER]\nAdd the numbers. hello 2\n");
    suite.run(&["explain", "sum-0", "--strategy", "own", "--allow-commands"]).ends(0);
    suite.run(&["diff", "--strategies", "own", "trim", "sum-0", "--allow-commands"]).ends(0);
    suite.run(&["run", "--accept", "--allow-commands"]).ends(0);
    assert!(suite.read("snapshots/sum-0/own.snap").contains("Add the numbers. hello 2"));
    suite.run(&["run"]).ends(1).says("81 golden files unchanged");
}

/// A program that dies breaks the scenarios in which it does, in the same words for any number of threads.
#[test]
fn results_are_the_same_for_any_number_of_threads() {
    let suite = suite();
    suite.write("scenarios/sum-7.yaml", &SUM.replace("Add the numbers", "a broken mission"));
    let run = |jobs: &str| {
        suite
            .run(&["run", "--accept", "--allow-commands", "--jobs", jobs])
            .ends(1)
            .says("it ended without an answer (exit status: 1) (strategy own in sum-7, turn 1)\n    | cannot do that\n");
        suite.read("reports/results.json")
    };
    let one = run("1");
    let starts = suite.read("scenarios/started").lines().count();
    assert_eq!(starts, 2, "one process, and another after the error");
    assert_eq!(run("4"), one);
    assert!(suite.read("scenarios/started").lines().count() <= starts + 5);
}

/// Its requests would equal those of the turns before, which cost less.
#[test]
fn a_program_that_writes_two_lines_is_refused() {
    let suite = suite();
    suite.write("scenarios/sum-7.yaml", &SUM.replace("Add the numbers", "Sum them up"));
    let program = suite.read("scenarios/strategies/own.sh");
    let twice = |line: &str| {
        suite
            .write("scenarios/strategies/own.sh", &program.replace("\ndone", &format!("\n    {line}\ndone")));
    };
    twice("echo cut 3 messages");
    let note = "is not JSON; print notes to standard error\n  got \"cut 3 messages\"\n";
    suite.run(&["check", "--allow-commands"]).ends(2).complains(note);
    twice(r#"echo "{\"id\":${id%%,*},\"messages\":[]}""#);
    let unasked = "it wrote a line without a request\n  expected \"id\": ";
    suite.run(&["check", "--allow-commands"]).ends(2).complains(unasked);
    let ran = suite.run(&["run", "--accept", "--allow-commands"]);
    ran.ends(1).says("without a request (strategy own in sum-0, turn 1, and 39 more)\n    expected \"id\": ");
    assert!(!ran.out.contains("Use own") && !ran.out.contains("Try own"), "{}", ran.out);
    assert_eq!(ran.out.matches("without a request").count(), 1, "{}", ran.out);
}
