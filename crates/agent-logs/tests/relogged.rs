//! Messages that Claude Code logs again after a compaction.

use std::fs;
use std::ops::ControlFlow;

use agent_logs::{CompactionKind, Notes, Transcript, TranscriptRole, read};
use serde_json::{Value, json};

/// Reads one conversation from lines of a session.
fn read_session(lines: &[String]) -> Transcript {
    read_with_notes(lines).0
}

fn read_with_notes(lines: &[String]) -> (Transcript, Notes) {
    let mut found = Vec::new();
    let log = lines.join("\n");
    let notes = read(log.as_bytes(), "LOG", None, &mut |transcript| {
        found.push(transcript);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(found.len(), 1);
    (found.remove(0), notes)
}

/// The first lines of a session with compactions that clear results.
fn lines_of_mod(number: usize) -> Vec<String> {
    let log = fs::read_to_string("tests/logs/claude-code/kept-by-a-mod.jsonl").unwrap();
    log.lines().take(number).map(str::to_owned).collect()
}

/// A line of that session, some seconds after its start.
fn line(uuid: &str, parent: &str, second: u32, message: &Value) -> String {
    let kind = message["role"].as_str().unwrap();
    let time = format!("2026-11-20T09:00:{second:02}.000Z");
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s-mod", "timestamp": time, "message": message}).to_string()
}

/// A block of an answer.
fn block(id: &str, model: &str, input: u64, output: u64, block: &Value) -> Value {
    let usage = json!({"input_tokens": input, "output_tokens": output});
    json!({"id": id, "role": "assistant", "model": model, "content": [block], "usage": usage})
}

const MODEL: &str = "claude-sonnet-4-6";

/// A prompt right after the repeated messages is no step back before the compaction.
#[test]
fn a_prompt_after_repeated_messages_keeps_the_compaction() {
    let mut lines = lines_of_mod(32);
    lines.push(line("x1", "u32", 8, &json!({"role": "user", "content": "Stop."})));
    lines.push(line(
        "x2",
        "x1",
        9,
        &block("msg_9", MODEL, 10, 3, &json!({"type": "text", "text": "Stopped."})),
    ));
    let session = read_session(&lines);
    assert_eq!(session.compactions.len(), 2);
    assert_eq!(session.messages.last().unwrap().content, "Stopped.");
}

/// A compaction without a summary: both blocks of the next answer are new.
#[test]
fn blocks_of_an_answer_after_a_lone_boundary_are_read() {
    let mut lines = lines_of_mod(10);
    let text = json!({"type": "text", "text": "I look again."});
    let call = json!({"type": "tool_use", "id": "c9", "name": "Read", "input": {"file_path": "boiler.txt"}});
    let result = json!({"type": "tool_result", "tool_use_id": "c9", "content": "It is warm."});
    lines.push(line("x1", "u10", 5, &block("msg_9", MODEL, 10, 1, &text)));
    // The bill of the last piece has an input of 0 in some versions.
    lines.push(line("x2", "x1", 6, &block("msg_9", MODEL, 0, 40, &call)));
    lines.push(line("x3", "x2", 7, &json!({"role": "user", "content": [result]})));
    let session = read_session(&lines);
    let answer = session.messages.iter().rfind(|message| message.role == TranscriptRole::Assistant).unwrap();
    assert_eq!((answer.content.as_str(), answer.tool_calls.len()), ("I look again.", 1));
    let usage = answer.usage.as_ref().unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens), (Some(10), Some(40)));
    assert!(session.compactions.is_empty(), "nothing was repeated, so nothing is known to be dropped");
}

/// Lines that were never sent are repeated with the others, and don't end the repetition.
#[test]
fn lines_that_are_only_shown_do_not_end_the_repetition() {
    let prompt = json!({"role": "user", "content": "Which boiler is cold?"});
    let own = block("own", "<synthetic>", 0, 0, &json!({"type": "text", "text": "API Error: 529"}));
    let call = json!({"type": "tool_use", "id": "c1", "name": "Read", "input": {"file_path": "boiler.txt"}});
    let result = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "The third."}]});
    let answer = |input: u64| block("msg_1", MODEL, input, 9, &call);
    let mut lines = vec![line("u1", "", 0, &prompt), line("u2", "u1", 1, &own)];
    lines.extend([line("u3", "u2", 2, &answer(10)), line("u4", "u3", 3, &result)]);
    let boundary = json!({"type": "system", "uuid": "u5", "sessionId": "s-mod", "timestamp": "2026-11-20T09:00:04.000Z", "subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": {"trigger": "auto", "preTokens": 9}});
    lines.push(boundary.to_string());
    lines.extend([line("u6", "u5", 0, &prompt), line("u7", "u6", 1, &own)]);
    lines.extend([line("u8", "u7", 2, &answer(0)), line("u9", "u8", 3, &result)]);
    lines.push(line(
        "x1",
        "u9",
        6,
        &block("msg_2", MODEL, 10, 5, &json!({"type": "text", "text": "The third."})),
    ));
    let session = read_session(&lines);
    let texts: Vec<&str> = session.messages.iter().map(|message| message.content.as_str()).collect();
    assert_eq!(texts, ["Which boiler is cold?", "", "The third.", "The third."]);
}

/// A compaction that drops messages and clears a result loses both, and counts once. A later boundary counts again.
#[test]
fn messages_and_results_can_go_together() {
    let prompt = |text: &str| json!({"role": "user", "content": text});
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": id}});
    let result = |id: &str, text: &str| json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": text}]});
    let answer = |id: &str, input: u64, part: &Value| block(id, MODEL, input, 9, part);
    let mut lines = vec![
        line("u1", "", 0, &prompt("Which boiler is cold?")),
        line("u2", "u1", 1, &answer("msg_1", 10, &call("c1"))),
        line("u3", "u2", 2, &result("c1", "The first is warm.")),
        line("u4", "u3", 3, &answer("msg_2", 20, &call("c2"))),
        line("u5", "u4", 4, &result("c2", "The third is cold.")),
    ];
    let boundary = json!({"type": "system", "uuid": "u6", "sessionId": "s-mod", "timestamp": "2026-11-20T09:00:05.000Z", "subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": {"trigger": "auto", "preTokens": 30}});
    lines.push(boundary.to_string());
    // Lines u2 and u3 are gone, and the result of u5 is cleared.
    lines.extend([
        line("u7", "u6", 0, &prompt("Which boiler is cold?")),
        line("u8", "u7", 3, &answer("msg_2", 0, &call("c2"))),
        line("u9", "u8", 4, &result("c2", "[cleared]")),
    ]);
    let last = |parent: &str| {
        line("x1", parent, 6, &answer("msg_3", 12, &json!({"type": "text", "text": "The third."})))
    };
    let cleared = json!({"type": "system", "uuid": "u10", "parentUuid": "u9", "sessionId": "s-mod", "timestamp": "2026-11-20T09:00:05.500Z", "subtype": "microcompact_boundary", "microcompactMetadata": {"compactedToolIds": ["c2"]}});
    let again: Vec<String> = lines.iter().cloned().chain([cleared.to_string(), last("u10")]).collect();
    let (_, notes) = read_with_notes(&again);
    assert_eq!((notes.tallies.compactions.number, notes.tallies.compactions.sessions), (2, 1));
    lines.push(last("u9"));
    let (session, notes) = read_with_notes(&lines);
    assert_eq!((notes.tallies.compactions.number, notes.tallies.compactions.sessions), (1, 1));
    let changes: Vec<_> = session
        .compactions
        .iter()
        .map(|one| (one.before, one.kind, one.removed.clone(), one.text.as_deref()))
        .collect();
    assert_eq!(
        changes,
        [
            (5, CompactionKind::Drop, vec![[1, 2]], None),
            (5, CompactionKind::Clear, vec![[1, 2], [4, 4]], Some("[cleared]")),
        ]
    );
    assert_eq!(session.messages.len(), 6);
}
