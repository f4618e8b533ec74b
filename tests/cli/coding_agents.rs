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
        .complains("files beside the sessions of codex, not read: 1, such as ");
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

/// A session of Claude Code, or one of its subagents, billed with cache writes.
pub(super) fn claude_session(session: &str, agent: Option<&str>, turns: usize) -> String {
    let name = agent.unwrap_or(session);
    let line = |number: usize, kind: &str, message: Value| {
        json!({
            "sessionId": session, "uuid": format!("{name}-{number}"),
            "parentUuid": number.checked_sub(1).map(|before| format!("{name}-{before}")), "type": kind,
            "timestamp": format!("2026-10-05T09:{number:02}:00Z"), "isSidechain": agent.is_some(),
            "agentId": agent, "message": message,
        })
        .to_string()
            + "\n"
    };
    let mut log = line(0, "user", json!({"role": "user", "content": format!("Count the words of {name}.")}));
    for turn in 0..turns {
        let usage = json!({"input_tokens": 4, "cache_read_input_tokens": 20_000 * turn, "cache_creation_input_tokens": 20_000, "output_tokens": 60});
        let call = json!({"type": "tool_use", "id": format!("{name}-c{turn}"), "name": "Read", "input": {"file_path": format!("/{name}/{turn}")}});
        log += &line(
            2 * turn + 1,
            "assistant",
            json!({"id": format!("{name}-m{turn}"), "role": "assistant", "model": "claude-opus-4-5", "usage": usage, "content": [call]}),
        );
        let result = json!({"type": "tool_result", "tool_use_id": format!("{name}-c{turn}"), "content": format!("{turn} words of {name}. ").repeat(800)});
        log += &line(2 * turn + 2, "user", json!({"role": "user", "content": [result]}));
    }
    log
}

/// Whoever pays for a session pays for its subagents, and can give them a cheaper model.
#[test]
fn a_session_counts_with_its_subagents() {
    let suite = Suite::with(&[]);
    for session in ["s0", "s1", "s2"] {
        let folder = format!("claude/projects/-srv-app/{session}");
        suite.write(&format!("{folder}.jsonl"), &claude_session(session, None, 6));
        let agent = format!("a-{session}");
        suite.write(
            &format!("{folder}/subagents/agent-{agent}.jsonl"),
            &claude_session(session, Some(&agent), 5),
        );
    }
    let advise = |arguments: &[&str]| {
        suite.run_with(arguments, "", &[("CLAUDE_CONFIG_DIR", "claude"), ("HOME", "nowhere")])
    };
    let all = advise(&["advise", "--agent", "claude-code"]);
    all.ends(0)
        .says("3 sessions of Claude Code with 3 subagents, 33 requests")
        .says("Use claude-haiku-4-5 for subagents")
        // Nobody has measured how many tokens the other model takes.
        .says("\nSaving 1 assumes as many tokens with the other model.")
        .says(", 11 requests: $");
    let two = advise(&["advise", "--agent", "claude-code", "--last", "2"]);
    two.ends(0).says("2 sessions of Claude Code with 2 subagents, 22 requests");
}

/// The files of a Codex session and its subagents count as one session.
#[test]
fn rollouts_of_subagents_count_with_the_thread_that_started_them() {
    let suite = Suite::with(&[]);
    let of_parent = |id: &str, parent: &str| {
        let from = format!("\"payload\":{{\"id\":\"{id}\"");
        let source = json!({"subagent": {"thread_spawn": {"parent_thread_id": parent}}});
        rollout(id).replacen(&from, &format!("{from},\"source\":{source}"), 1)
    };
    let folder = "codex/sessions/2026/10/05";
    suite.write(&format!("{folder}/rollout-b.jsonl"), &rollout("b"));
    suite.write(&format!("{folder}/rollout-a.jsonl"), &rollout("a"));
    suite.write(&format!("{folder}/rollout-a1.jsonl"), &of_parent("a1", "a"));
    suite.write(&format!("{folder}/rollout-a2.jsonl"), &of_parent("a2", "a1"));
    let advise =
        |arguments: &[&str]| suite.run_with(arguments, "", &[("CODEX_HOME", "codex"), ("HOME", "nowhere")]);
    advise(&["advise", "--agent", "codex"]).ends(0).says("2 sessions of Codex with 2 subagents, 4 requests");
    advise(&["advise", "--agent", "codex", "--last", "1"])
        .ends(0)
        .says("1 session of Codex with 2 subagents, 3 requests");
}

/// A folder may contain nothing but a file that unpacks to more than any log.
#[test]
fn a_refused_file_is_named_with_its_limit() {
    let suite = Suite::with(&[]);
    let path = suite.path().join("logs/bomb.jsonl.zst");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // A block of zstd for 128 KiB of blanks takes four bytes.
    let block = [&((128 << 10 << 3) | (1 << 1) as u32).to_le_bytes()[..3], b" "].concat();
    fs::write(path, [b"\x28\xb5\x2f\xfd\x00\x58".as_slice(), &block.repeat(100_000)].concat()).unwrap();
    let ran = suite.run(&["advise", "logs"]);
    ran.ends(4).complains("bomb.jsonl.zst").complains("it unpacks to more than 1000 times its size");
    ran.complains("there is no conversation in these logs; 1 of 1 files left out (not readable)")
        .complains("help: unpack or split");
    suite
        .run(&["effect", "logs", "logs"])
        .ends(2)
        .complains("there is no conversation; 1 of 1 files left out (not readable)");
}
