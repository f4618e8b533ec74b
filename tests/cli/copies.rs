//! Sessions that hold copies of others: what was billed once counts once.

use std::fmt::Write;

use serde_json::{Value, json};

use super::suite::Suite;

/// A session of Claude Code with the answers of these numbers.
fn session(id: &str, answers: &[u32]) -> String {
    let mut log = String::new();
    let mut parent = None;
    for answer in answers {
        let (asked, said) = (format!("{id}-u{answer}"), format!("{id}-a{answer}"));
        let time = |second: u32| format!("2026-10-05T10:{answer:02}:{second:02}.000Z");
        let user = json!({
            "type": "user", "uuid": asked, "parentUuid": parent, "sessionId": id, "timestamp": time(0),
            "message": {"role": "user", "content": format!("Question {answer} on valve V-{answer}0?")},
        });
        let usage = json!({"input_tokens": 10, "cache_read_input_tokens": 20_000 + 1000 * answer,
            "cache_creation_input_tokens": 1000, "output_tokens": 100});
        let text =
            format!("Valve V-{answer}0 has a pressure of {answer}40 kPa, and its seal is worn by 2 mm.");
        let assistant = json!({
            "type": "assistant", "uuid": said, "parentUuid": asked, "sessionId": id, "timestamp": time(9),
            "message": {"role": "assistant", "id": format!("msg_{answer}"), "model": "claude-opus-4-8", "usage": usage,
                "content": [{"type": "text", "text": text}]},
        });
        write!(log, "{user}\n{assistant}\n").unwrap();
        parent = Some(said);
    }
    log
}

/// Advises on logs, and returns the dollars that were billed.
fn billed(suite: &Suite, logs: &str) -> f64 {
    suite.run(&["advise", logs, "--report-dir", "out"]).ends(0);
    let summary = suite.read("out/summary.md");
    let (_, dollars) = summary.split_once(" requests cost $").unwrap();
    dollars.split(' ').next().unwrap().parse().unwrap()
}

/// A fork and a longer copy change the bill by what they add.
#[test]
fn copies_are_billed_once() {
    let suite = Suite::with(&[]);
    let whole: Vec<u32> = (1..=9).collect();
    suite.write("alone/one.jsonl", &session("one", &whole));
    suite.write("copied/beginning.jsonl", &session("two", &whole[..5]));
    suite.write("copied/whole.jsonl", &session("one", &whole));
    assert_eq!(billed(&suite, "alone").to_string(), billed(&suite, "copied").to_string());
    suite.write("copied/fork.jsonl", &session("fork", &[1, 2, 3, 11]));
    suite.write("forked/one.jsonl", &session("one", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 11]));
    assert_eq!(billed(&suite, "copied").to_string(), billed(&suite, "forked").to_string());
    // What was sent costs what was billed: there is one total.
    let copied = suite.run(&["advise", "copied", "--table"]).ends(0).out.clone();
    let row = copied.lines().find(|line| line.contains("  full-history ")).unwrap();
    let shown: f64 = row.split_whitespace().find_map(|cell| cell.strip_prefix('$')).unwrap().parse().unwrap();
    assert!((shown - billed(&suite, "copied")).abs() < 0.006, "{copied}");
    let imported = suite.run(&["import", "copied", "--output", "-", "--transcripts"]).ends(0).out.clone();
    assert_eq!(imported.matches("\"copied_from\":").count(), 8, "{imported}");
}

/// Tiers without a multiple are billed at the standard rate, with a line about it.
#[test]
fn an_unknown_tier_is_told() {
    let suite = Suite::with(&[]);
    let answers: Vec<u32> = (1..=4).collect();
    let log =
        session("one", &answers).replace("\"input_tokens\":10", "\"speed\":\"turbo\",\"input_tokens\":10");
    suite.write("log.jsonl", &log);
    suite.run(&["advise", "log.jsonl"]).ends(0).says(
        "counted at the standard price, since no other is known: tier turbo of\nclaude-opus-4-8 (4 calls)",
    );
    suite.write("log.jsonl", &log.replace("turbo", "fast"));
    let fast = billed(&suite, "log.jsonl");
    suite.write("log.jsonl", &log.replace("turbo", "standard"));
    let standard = billed(&suite, "log.jsonl");
    assert!((fast / standard - 2.0).abs() < 0.15, "{fast} {standard}");
}

/// Strategies with equal numbers share one entry of a conversation, so many short conversations make small
/// reports.
#[test]
fn short_conversations_make_small_reports() {
    let suite = Suite::with(&[]);
    let mut log = String::new();
    for number in 0..200 {
        let messages =
            json!([{"role": "user", "content": format!("q{number}")}, {"role": "assistant", "content": "a"}]);
        writeln!(log, "{}", json!({ "messages": messages })).unwrap();
    }
    suite.write("log.jsonl", &log);
    suite.run(&["advise", "log.jsonl", "--report-dir", "out"]).ends(0);
    let results: Value = serde_json::from_str(&suite.read("out/results.json")).unwrap();
    let [entry] = &results["scenarios"][7]["strategies"].as_array().unwrap()[..] else { panic!("{results}") };
    let names = results["strategy_names"].as_array().unwrap();
    assert_eq!((&entry["name"], entry["also"].as_array().unwrap().len()), (&names[0], names.len() - 1));
    let bytes = suite.read("out/results.json").len();
    assert!(bytes < 10_000 + 200 * 800, "{bytes}");
    assert!(!suite.exists("out/junit.xml"));
    // Each strategy is still compared.
    suite.run(&["diff", "out", "out"]).ends(0).says("do not differ");
}
