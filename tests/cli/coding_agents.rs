//! Sessions of coding agents, as `advise --agent` finds them.

use std::fs;

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};

use super::suite::Suite;

/// A session of Codex with one answer.
fn rollout(id: &str) -> String {
    let line = |kind: &str, payload: Value| {
        json!({"timestamp": "2026-10-05T09:00:00Z", "type": kind, "payload": payload}).to_string() + "\n"
    };
    let said = |role: &str, part: &str, text: &str| json!({"type": "message", "role": role, "content": [{"type": part, "text": text}]});
    [
        line("session_meta", json!({"id": id})),
        line("response_item", said("user", "input_text", &format!("Which file is of {id}?"))),
        line("response_item", said("assistant", "output_text", "None.")),
    ]
    .concat()
}

/// Codex packs a rollout that was idle for a week. A packed copy beside the file that it was made of is no further session.
#[test]
fn packed_sessions_of_codex_are_counted() {
    let suite = Suite::with(&[]);
    let pack = |name: &str, text: &str| {
        let path = suite.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)).unwrap();
    };
    suite.write("codex/sessions/2026/10/05/rollout-a.jsonl", &rollout("a"));
    pack("codex/sessions/2026/10/05/rollout-a.jsonl.zst", &rollout("a"));
    pack("codex/sessions/2026/09/01/rollout-b.jsonl.zst", &rollout("b"));
    pack("codex/archived_sessions/rollout-c.jsonl.zst", &rollout("c"));
    suite.write("codex/sessions/rollout-d.jsonl.newer", "{}");
    let advise =
        |arguments: &[&str]| suite.run_with(arguments, "", &[("CODEX_HOME", "codex"), ("HOME", "nowhere")]);
    advise(&["advise", "--agent", "codex"])
        .ends(0)
        .says("3 sessions of Codex, 3 requests")
        .complains("1 other files beside the sessions of codex are not read");
    advise(&["advise", "codex/sessions/2026"]).ends(0).says("2 sessions of Codex, 2 requests");
    let imported = advise(&["import", "codex/archived_sessions", "--output", "-"]);
    imported.ends(0).says("\"name\":\"rollout-c\"");
}

/// Databases and results of other programs are refused with the way to what can be read.
#[test]
fn logs_of_other_kinds_are_refused_by_name() {
    let suite = Suite::with(&[]);
    let refused = |file: &str, text: &str, says: &str| {
        suite.write(file, text);
        suite.run(&["import", file, "--output", "-"]).ends(2).complains(says);
    };
    let database = |tables: &str| format!("SQLite format 3\0{}{tables}", "\0".repeat(100));
    refused(
        "opencode.db",
        &database("CREATE TABLE session(project) CREATE TABLE message, part"),
        "opencode export SESSION",
    );
    refused(
        "sessions.db",
        &database("CREATE TABLE sessions(working_dir, accumulated_cost) messages"),
        "goose session export",
    );
    refused("other.db", &database("CREATE TABLE rows"), "sqlite3 -json");
    let results = json!({"evalId": "e", "results": {"version": 3, "results": [{"testIdx": 0, "promptIdx": 0, "response": {"output": "Yes."}}]}});
    refused("promptfoo.json", &results.to_string(), "promptfoo");
}
