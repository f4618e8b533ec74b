//! Several scenarios and repetitions in one call of `record`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::server::{Reply, said, serve};
use crate::cli::suite::{Ran, Suite};

const NAMES: [&str; 5] = ["a", "b", "c", "d", "folder/e"];

/// Scenarios that the model answers in two turns.
fn suite() -> Suite {
    let scenarios = NAMES.map(|name| (name, format!("mission: Case {name}.\ntags: [{}]\n", &name[..1])));
    Suite::with(&scenarios.each_ref().map(|(name, text)| (*name, text.as_str())))
}

fn answer(request: &str) -> Reply {
    let name = request.split("Case ").nth(1).and_then(|rest| rest.split('.').next()).unwrap();
    said(&if request.contains("(def x") {
        format!("(return \"{name}\")")
    } else {
        format!("(def x \"{name}\")")
    })
}

fn record(suite: &Suite, url: &str, options: &[&str]) -> Ran {
    suite.run(&[&["record", "--model", "m", "--retry-wait", "0", "--url", url], options].concat())
}

fn recording(suite: &Suite, name: &str) -> String {
    suite.read(&format!("scenarios/{name}.recorded.yaml"))
}

#[test]
fn the_result_does_not_depend_on_the_number_of_jobs() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (counted, peak) = (now.clone(), most.clone());
    let (url, calls) = serve(move |call, request| {
        peak.fetch_max(counted.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        // Later calls are answered sooner.
        thread::sleep(Duration::from_millis(200 / (call as u64 + 1)));
        counted.fetch_sub(1, Ordering::SeqCst);
        answer(request)
    });
    let results = ["1", "3"].map(|jobs| {
        most.store(0, Ordering::SeqCst);
        let suite = suite();
        let ran = record(&suite, &url, &["scenarios", "--jobs", jobs]);
        ran.ends(0).says("Next: ptc-eval run scenarios\n");
        let most = most.load(Ordering::SeqCst);
        assert!(most <= jobs.parse().unwrap() && (jobs == "1" || most > 1), "{most}");
        (ran.out, NAMES.map(|name| recording(&suite, name)))
    });
    assert_eq!(results[0], results[1]);
    assert!(results[0].1[4].contains("(return \"folder/e\")"), "{}", results[0].1[4]);
    assert_eq!(calls.load(Ordering::SeqCst), 20);
}

#[test]
fn the_next_command_names_files_outside_of_the_suite() {
    let suite = suite();
    let (url, _) = serve(|_, request| answer(request));
    let ran = record(&suite, &url, &["a", "--repeat", "2", "--output", "out.yaml"]);
    ran.ends(0).says("Next: ptc-eval run out-1.yaml out-2.yaml\n");
    suite.run(&["run", "out-1.yaml", "out-2.yaml"]).ends(0).says("2 scenarios, 4 requests");
}

#[test]
fn a_failure_stops_no_other_and_is_made_up_for() {
    let suite = suite();
    let (url, _) = serve(|_, request| {
        match request.contains("Case b") || request.contains("Case d") && request.contains("(def x") {
            true => Reply::error("400 Bad Request", "no"),
            false => answer(request),
        }
    });
    let ran = record(&suite, &url, &["a", "b", "scenarios/d.yaml", "scenarios/folder"]);
    ran.ends(1)
        .says("scenarios/a.recorded.yaml: right: 2 answers")
        .says("scenarios/folder/e.recorded.yaml: right: 2 answers");
    assert!(
        ran.err.ends_with("2 of 4 recordings failed: b, d\nthe same command goes on where it stopped\n"),
        "{}",
        ran.err
    );
    let (url, calls) = serve(|_, request| answer(request));
    let ran = record(&suite, &url, &["a", "b", "scenarios/d.yaml", "scenarios/folder"]);
    ran.ends(0).complains("scenarios/a.recorded.yaml is there already").complains("1 recording left out");
    assert_eq!(calls.load(Ordering::SeqCst), 3, "two for b, one for d");
}

#[test]
fn repetitions_are_numbered_and_go_on() {
    let suite = suite();
    let (url, _) =
        serve(
            |call, _| if call == 1 { Reply::error("400", "no") } else { said(&format!("(return {call})")) },
        );
    record(&suite, &url, &["a", "--repeat", "3", "--jobs", "1"])
        .ends(1)
        .complains("1 of 3 recordings failed: a-2");
    let (url, calls) = serve(|call, _| said(&format!("(return 1{call})")));
    record(&suite, &url, &["a", "--repeat", "4", "--jobs", "1"]).ends(0);
    assert_eq!(calls.load(Ordering::SeqCst), 2);
    for (number, value) in [(1, "0"), (2, "10"), (3, "2"), (4, "11")] {
        let text = recording(&suite, &format!("a-{number}"));
        assert!(text.contains(&format!("(return {value})")), "{number}: {text}");
    }
    let output = ["a", "--repeat", "1", "--output", "out/x.yaml"];
    suite.write("out/other.yaml", "mission: m\n");
    record(&suite, &url, &output).ends(0).says("out/x-1.yaml: right: 1 answer, the model returned");
}

#[test]
fn right_recordings_are_counted() {
    let suite = Suite::with(&[("a", "mission: Give 3.\nexpect: {value: 3}\n")]);
    let (url, _) = serve(|call, _| {
        let usage = json!({"prompt_tokens": 4_000, "completion_tokens": 200});
        let answer = ["(return 3)", "(return 4)", "(return 3)", "(return 3)"].get(call);
        let message = json!({"content": answer.unwrap_or(&"(println 3)")});
        Reply::json(&json!({"choices": [{"message": message}], "usage": usage}))
    });
    let options =
        ["a", "--repeat", "5", "--jobs", "1", "--model", "gpt-6.1-sol", "--retry-wait", "0", "--url", &url];
    let ran = suite.run(&[&["record"], &options[..]].concat());
    ran.ends(1)
        .says("a-1.recorded.yaml: right: 1 answer, the model returned; 4,000 tokens in (0 cached), 200 out, $0.0100\n")
        .says("$0.0100; value: expected 3, found 4\n")
        .says("a-5.recorded.yaml: wrong: 5 answers, then max_turns_exceeded; 20,000 tokens in")
        .says("a: 3 of 5 right\n")
        .complains("cost: $0.0900 for 9 calls");
}

#[test]
fn recordings_cost_at_most_what_they_may() {
    let suite = Suite::with(&[("a", "mission: go\nmax_turns: 9\n")]);
    let (url, calls) = serve(|_, _| {
        let usage = json!({"prompt_tokens": 9_000, "completion_tokens": 9_000});
        Reply::json(&json!({"choices": [{"message": {"content": "(println 3)"}}], "usage": usage}))
    });
    let options = ["a", "--model", "gpt-6.1-sol", "--retry-wait", "0", "--url", &url, "--max-cost", "0.4"];
    let ran = suite.run(&[&["record"], &options[..]].concat());
    ran.ends(1).complains("of --max-cost is left").complains("keeps 3 answers");
    assert_eq!(calls.load(Ordering::SeqCst), 3);
}

#[test]
fn scenarios_are_chosen_by_name_tag_and_filter() {
    let suite = suite();
    let (url, _) = serve(|_, request| answer(request));
    record(&suite, &url, &[]).ends(2).complains("<SCENARIO>");
    record(&suite, &url, &["--tag", "c"]).ends(0).says("Next: ptc-eval run scenarios/c.recorded.yaml");
    record(&suite, &url, &["--filter", "^[ab]$"]).ends(0);
    let both = ["a", "b", "c"].map(|name| suite.exists(&format!("scenarios/{name}.recorded.yaml")));
    assert!(both == [true; 3] && !suite.exists("scenarios/d.recorded.yaml"));
    record(&suite, &url, &["scenarios", "--filter", "nothing"]).ends(4);
    let several = ["d", "folder/e", "--output", "out.yaml"];
    record(&suite, &url, &several).ends(2).complains("--output names one file for 2 scenarios");
    let log = "{\"messages\": [{\"role\": \"user\", \"content\": \"go\"}, {\"role\": \"assistant\", \"content\": \"done\"}]}";
    suite.write("scenarios/log.transcript.json", log);
    record(&suite, &url, &["log"]).ends(4).complains("log is skipped: nothing can run the tools of a log");
}

/// Nobody is called for a scenario that cannot be recorded, and others are.
#[test]
fn a_scenario_that_takes_no_answers_is_told() {
    let suite = Suite::with(&[("flow", "{mission: go}\n"), ("a", "mission: Case a.\n")]);
    let (url, calls) = serve(|_, request| answer(request));
    record(&suite, &url, &["flow", "a"])
        .ends(2)
        .complains("flow.yaml cannot take responses")
        .says("a.recorded.yaml: right: 2");
    assert_eq!(calls.load(Ordering::SeqCst), 2);
}
