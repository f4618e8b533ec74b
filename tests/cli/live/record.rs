//! `record` writes what a live model answers.

use serde_json::Value;

use super::server::{Reply, endpoint, said};
use crate::cli::suite::Suite;

#[test]
fn what_a_live_model_answers_is_recorded_and_replays() {
    let scenario = "mission: Count {{things}}\ndata: {things: [1, 2]}\n\nexpect: {value: 2}\n";
    let suite = Suite::with(&[("count", scenario)]);
    let answers = ["```clojure\n(def n (count data/things))\n(println n)\n```", "  (return n)\n"];
    let (url, server) = endpoint(answers.map(said).into());
    let record = suite.run_with(
        &["record", "count", "--model", "m", "--url", &url, "--strategy", "single-user-coalesced"],
        "",
        &[("OPENAI_API_KEY", "secret")],
    );
    record.ends(0);
    assert!(record.out.contains("2 answers, the model returned"), "{}", record.out);
    let requests = server.join().unwrap();
    let last: Value = serde_json::from_str(&requests[1].body).unwrap();
    assert!(requests[1].head.to_lowercase().contains("authorization: bearer secret"));
    assert_eq!(last["model"], "m");
    let asked = last["messages"][1]["content"].as_str().unwrap();
    assert!(asked.contains("Count 1 2") || asked.contains("Count [1 2]"), "{asked}");
    assert!(asked.contains(";; Output:\n2"), "the strategy composed the request: {asked}");
    let text = suite.read("scenarios/count.yaml");
    assert!(text.starts_with("mission: Count") && text.ends_with("expect: {value: 2}\n"), "{text}");
    assert_eq!(suite.run(&["run"]).code, 3, "it returned 2 and its snapshots are new");
    let again = suite.run(&["record", "count", "--model", "m", "--url", &url]);
    assert!(again.code == 2 && again.err.contains("has responses already"), "{}", again.err);
}

/// Answers are paid for, so what they cannot be written into is refused before the first call.
#[test]
fn what_cannot_take_answers_is_refused_before_they_are_asked_for() {
    let suite = Suite::with(&[("flow", "{mission: go}\n")]);
    suite.write("scenarios/lines.jsonl", "{\"name\": \"line\", \"mission\": \"go\"}\n");
    for name in ["flow", "line"] {
        let url = ["--url", "http://127.0.0.1:1"];
        let record =
            suite.run(&[&["record", name, "--model", "m", "--output", "out.yaml"][..], &url].concat());
        record.ends(2).complains("cannot take responses: its keys do not begin lines");
        assert!(!suite.exists("out.yaml"));
    }
}

#[test]
fn answers_before_a_call_that_fails_are_kept() {
    let suite = Suite::with(&[("s", "mission: go\n")]);
    let refused = Reply::error("400 Bad Request", "too long for the model");
    let (url, server) = endpoint(vec![said("(def a 1)"), refused]);
    let record = suite.run(&["record", "s", "--model", "m", "--url", &url, "--output", "scenarios/t.yaml"]);
    server.join().unwrap();
    record.ends(1);
    record.complains("answered 400: too long for the model");
    let text = suite.read("scenarios/t.yaml");
    assert!(text.contains("(def a 1)") && text.contains("  - error: "), "{text}");
    assert_eq!(suite.read("scenarios/s.yaml"), "mission: go\n");
}
