//! `record` writes what a live model answers.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::server::{Reply, endpoint, said, serve};
use crate::cli::suite::Suite;
use crate::cli::validator::Schema;

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
    assert_eq!(suite.read("scenarios/count.yaml"), scenario);
    let text = suite.read("scenarios/count.recorded.yaml");
    assert!(text.starts_with("mission: Count") && text.ends_with("expect: {value: 2}\n"), "{text}");
    assert!(!suite.exists("scenarios/count.recorded.yaml.part"));
    suite.write("scenarios/count.yaml", &scenario.replace("mission", "responses: [(return 2)]\nmission"));
    assert_eq!(suite.run(&["run"]).code, 3, "both returned 2 and their snapshots are new");
    suite.run(&["list", "scenarios"]).ends(0).says("count.recorded");
}

/// The estimate is that of the script, and asks nothing, not even for a key.
#[test]
fn an_estimate_asks_nothing() {
    let scripted = "mission: go\nresponses: [(def a 1), (return 1)]\n";
    let suite = Suite::with(&[("new", "mission: go\nmax_turns: 7\n"), ("scripted", scripted)]);
    let options = ["record", "scripted", "new", "--model", "gpt-6.1-sol", "--repeat", "3", "--estimate"];
    let ran = suite.run(&options);
    ran.ends(0)
        .says("estimate: 6 calls to gpt-6.1-sol, ")
        .says("about $0.0")
        .says("3 runs without a script: at most 21 calls more");
    assert!(!suite.exists("scenarios/scripted-1.recorded.yaml.part"));
}

#[test]
fn the_origin_of_each_answer_is_recorded_and_its_bill_compared() {
    let usage = json!({"prompt_tokens": 5000, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 100}});
    let choice = json!({"message": {"content": "(return 1)"}});
    let reply = json!({"model": "m-2026-11-01", "choices": [choice], "usage": usage});
    let (url, _) = serve(move |_, _| Reply::json(&reply));
    let suite = Suite::with(&[("s", "mission: go\n")]);
    let options = ["--url", &url, "--temperature", "0.5", "--strategy", "trim,keep_recent_turns=1"];
    suite.run(&[&["record", "s", "--model", "m"], &options[..]].concat()).ends(0);
    let text = suite.read("scenarios/s.recorded.yaml");
    let scenario: Value = serde_yaml::from_str(&text).unwrap();
    let recorded = json!({
        "model": "m-2026-11-01",
        "date": "2026-11-24",
        "strategy": "trim,keep_recent_turns=1",
        "temperature": 0.5,
        "usage": {"input_tokens": 5000, "cached_tokens": 100, "output_tokens": 7},
    });
    assert_eq!(scenario["responses"], json!([{"response": "(return 1)", "recorded": recorded}]));
    let schema = Schema::new(serde_json::from_str(&suite.run(&["schema", "scenario"]).out).unwrap());
    assert_eq!(schema.refuses(&scenario), None);
    let explained = suite.run(&["explain", "s.recorded", "--strategy", "trim,keep_recent_turns=1"]);
    let counted = explained.out.lines().find(|line| line.contains("input tokens")).unwrap();
    let counted: f64 = counted.split_whitespace().nth(2).unwrap().replace(',', "").parse().unwrap();
    let ratio = format!("counted {:.2}x", counted / 5000.0);
    explained.ends(0).says("billed by m-2026-11-01      5,000").says(&ratio);
    // Requests of another strategy were not billed.
    let explained = suite.run(&["explain", "s.recorded", "--strategy", "full-history"]);
    assert!(!explained.ends(0).out.contains("billed"), "{}", explained.out);
}

#[test]
fn a_recording_is_replaced_on_request_alone_and_nothing_else_ever() {
    let (url, calls) = serve(|call, _| said(&format!("(return {call})")));
    let suite = Suite::with(&[("s", "mission: go\n"), ("other", "mission: go\nresponses: [(return 1)]\n")]);
    let record = |name: &str, options: &[&str]| {
        suite.run(&[&["record", name, "--model", "m", "--url", &url], options].concat())
    };
    record("s", &[]).ends(0);
    let first = suite.read("scenarios/s.recorded.yaml");
    let there = "scenarios/s.recorded.yaml is there already";
    record("s", &[]).ends(0).complains(&format!("{there}; --again records it anew"));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    suite.write("scenarios/s.yaml", "mission: go on\n");
    record("s", &[]).ends(0).complains(&format!("{there}, of a scenario that changed since"));
    suite.write("scenarios/s.yaml", "mission: go\n");
    record("s", &["--again"]).ends(0);
    assert_eq!(suite.read("scenarios/s.recorded.yaml"), first.replace("(return 0)", "(return 1)"));
    let other = suite.read("scenarios/other.yaml");
    for (name, output) in [("s", "other"), ("other", "other"), ("s.recorded", "s.recorded")] {
        let output = format!("scenarios/{output}.yaml");
        let ran = record(name, &["--again", "--output", &output]);
        if name == "s.recorded" {
            ran.ends(4).complains("1 recording left out");
        } else {
            ran.ends(2).complains("other.yaml is there already").complains("only a recording is replaced");
        }
    }
    assert_eq!((suite.read("scenarios/other.yaml"), calls.load(Ordering::SeqCst)), (other, 2));
}

#[test]
fn answers_take_the_place_of_those_before() {
    let cases = [
        ("mission: m\n", "mission: m\nNEW\n"),
        ("mission: m", "mission: m\nNEW\n"),
        ("mission: m\nexpect: {value: 1}\n", "mission: m\nNEW\n\nexpect: {value: 1}\n"),
        // Another run may be right in another number of turns.
        ("mission: m\nexpect: {turns: 7, value: 1}\n", "mission: m\nNEW\n\nexpect: {\"value\":1}\n"),
        (
            "mission: m\nexpect:\n  turns: 7\n  prints: [a]\n  tool_calls: 0\ntags: [t]\n",
            "mission: m\nNEW\n\ntags: [t]\n",
        ),
        ("mission: m\nresponses:\n- a\n- b\n\nexpect: {}\n", "mission: m\nNEW\n\nexpect: {}\n"),
        ("mission: m\nresponses: [a]\ntags: [t]\n", "mission: m\nNEW\n\ntags: [t]\n"),
    ];
    let (url, _) = serve(|_, _| said("(return 1)"));
    for (text, expected) in cases {
        let suite = Suite::with(&[("s", text)]);
        suite.run(&["record", "s", "--model", "m", "--url", &url]).ends(0);
        let text = suite.read("scenarios/s.recorded.yaml");
        let lines = text.lines().filter(|line| !line.starts_with(' '));
        let kept: String = lines.map(|line| format!("{}\n", line.replace("responses:", "NEW"))).collect();
        assert_eq!(kept, expected, "{text}");
    }
}

/// They made files that could not be read, after the answers had been paid for.
#[test]
fn characters_that_yaml_does_not_take_as_they_are_read_back() {
    let odd = "\u{feff} \u{7f} \u{85} \u{9f} \u{fffe} \u{ffff} \u{2028} \u{202e} \u{1b} \0 \u{1f600} \r\n\t";
    let reply = json!({"model": odd, "choices": [{"message": {"content": format!("(return 1) ; {odd}")}}]});
    let (url, _) = serve(move |_, _| Reply::json(&reply));
    let suite = Suite::with(&[("s", "mission: go\n")]);
    let ran = suite.run(&["record", "s", "--model", "m", "--url", &url]);
    ran.ends(0).says("scenarios/s.recorded.yaml: right: 1 answer, the model returned");
    suite.run(&["check"]).ends(0);
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
