//! Logs of agents that shorten their own history.

use serde_json::{Value, json};

use super::suite::Suite;

const HOST: &str = "stg-eu-west-7";

fn line(number: usize, kind: &str, more: Value) -> String {
    let parent = number.checked_sub(1).map(|parent| format!("u{parent}"));
    let mut line = json!({"uuid": format!("u{number}"), "parentUuid": parent, "sessionId": "s", "type": kind,
        "timestamp": format!("2026-10-02T11:{:02}:00.000Z", number)});
    line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("{line}\n")
}

/// A session of Claude Code that looks up a host, is compacted, and uses the host two turns later.
fn session(summary: &str) -> String {
    let user = |number, content: Value| {
        line(number, "user", json!({"message": {"role": "user", "content": content}}))
    };
    let answer = |number, content: Value| {
        let usage = json!({"input_tokens": 10, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 90, "output_tokens": 40});
        let said = json!({"id": format!("m{number}"), "role": "assistant", "model": "claude-sonnet-4-5", "content": content, "usage": usage});
        line(number, "assistant", json!({"message": said}))
    };
    let asked = |id: &str, command: &str| json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]);
    let told =
        |id: &str, content: &str| json!([{"type": "tool_result", "tool_use_id": id, "content": content}]);
    let metadata = json!({"trigger": "auto", "preTokens": 167200});
    [
        user(0, json!("Restart the staging host.")),
        answer(1, asked("t1", "hosts --staging")),
        user(2, told("t1", &format!("{HOST} staging {}", "up 12 days\n".repeat(40)))),
        line(
            3,
            "system",
            json!({"parentUuid": null, "subtype": "compact_boundary", "compactMetadata": metadata}),
        ),
        line(4, "user", json!({"isCompactSummary": true, "message": {"role": "user", "content": summary}})),
        answer(5, asked("t2", "date")),
        user(6, told("t2", "Friday")),
        answer(7, asked("t3", &format!("restart {HOST}"))),
        user(8, told("t3", "restarted")),
        answer(9, json!("It is restarted.")),
    ]
    .concat()
}

#[test]
fn a_fact_that_a_summary_drops_is_named() {
    let suite = Suite::with(&[]);
    suite.write("log.jsonl", &session("The staging host has to be restarted."));
    let advice = suite.run(&["advise", "log.jsonl"]);
    advice
        .ends(0)
        .complains("note: 1 compaction in 1 session (log.jsonl:5)")
        .says("1 conversation, 4 requests");
    advice.says("cost vs as-recorded").says("as-recorded").says("1 of 1");
    advice.says("\ncompactions: 1 in 1 run, 1,100 → 1,100 tokens each; $");
    let explained = suite.run(&["explain", "log.jsonl@3", "--strategy", "as-recorded"]);
    explained.ends(0).says(HOST).says("turn 1").says("gone");
    assert!(!explained.out.contains("Refused"), "{}", explained.out);

    suite.write("log.jsonl", &session(&format!("The staging host {HOST} has to be restarted.")));
    suite
        .run(&["explain", "log.jsonl@3", "--strategy", "as-recorded"])
        .ends(0)
        .says("Evidence: 1 of 1 shown");
}

/// What `import` writes has the compactions, and nobody is compared with them unless the suite says so.
#[test]
fn an_imported_log_keeps_its_compactions() {
    let suite = Suite::with(&[]);
    suite.write("log.jsonl", &session("The staging host has to be restarted."));
    suite.run(&["import", "log.jsonl"]).ends(0);
    let written: Value = serde_json::from_str(&suite.read("scenarios/imported/log.transcript.json")).unwrap();
    let compaction = &written["compactions"][0];
    assert_eq!(compaction["before"], 3);
    assert_eq!(compaction["removed"], json!([[0, 2]]));
    assert_eq!((&compaction["tokens_before"], &compaction["trigger"]), (&json!(167200), &json!("auto")));
    suite.run(&["run", "--accept"]).ends(0);
    assert!(!suite.exists("snapshots/imported/log/as-recorded.snap"));
    let shown = suite.run(&["show", "imported/log", "--view", "compressed", "--strategy", "as-recorded"]);
    shown.ends(0).says("The staging host has to be restarted.");
}

/// What a provider encrypts is not known to be lost.
#[test]
fn an_encrypted_summary_is_named() {
    let suite = Suite::with(&[]);
    let log = include_str!("../../crates/agent-logs/tests/logs/codex/exported.jsonl");
    suite.write("log.jsonl", log);
    let advice = suite.run(&["advise", "log.jsonl"]);
    advice
        .ends(0)
        .says("\ncompactions: 1 in 1 run; $")
        .says("\n  1 encrypted by the provider: short answers after them may not be short\n");
    suite.run(&["explain", "log.jsonl@2", "--strategy", "as-recorded"]).ends(0);
}

/// Ranges that no conversation can have are an error, however large they are.
#[test]
fn ranges_of_a_compaction_lie_before_it() {
    let suite = Suite::with(&[]);
    let messages = json!([
        {"role": "user", "content": "Count."}, {"role": "assistant", "content": "One."},
        {"role": "user", "content": "On."}, {"role": "assistant", "content": "Two."},
    ]);
    let write = |before: u64, removed: Value| {
        let compactions = json!([{"before": before, "kind": "summary", "removed": removed, "text": "s"}]);
        let log = json!({"messages": messages, "compactions": compactions}).to_string();
        suite.write("scenarios/log.transcript.json", &log);
    };
    for removed in [json!([[0, u64::MAX]]), json!([[0, 2]]), json!([[1, 0]]), json!([[1, 1], [0, 0]])] {
        write(2, removed);
        let why = "expected ranges in order, all before message 2";
        suite.run(&["check"]).ends(2).complains(why).complains("compactions[0] removes [");
        suite.run(&["advise", "scenarios/log.transcript.json"]).ends(2).complains(why);
    }
    // A compaction behind the last message holds for no request, and costs no time.
    write(u64::MAX, json!([[0, u64::MAX - 1]]));
    suite.run(&["check"]).ends(0);
}
