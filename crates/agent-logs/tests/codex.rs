//! Token counts in sessions of Codex.

use std::ops::ControlFlow;

use agent_logs::{Notes, TranscriptUsage, read};
use serde_json::{Value, json};

/// Reads a session with one answer before each `info` of a token count. Returns the bill of each answer.
fn read_counts(infos: &[Value]) -> (Vec<Option<TranscriptUsage>>, Notes) {
    let mut log = String::new();
    let mut add_line = |kind: &str, payload: Value| {
        let line = json!({"timestamp": "2026-10-05T09:00:00.000Z", "type": kind, "payload": payload});
        log.push_str(&format!("{line}\n"));
    };
    add_line("session_meta", json!({"id": "aa", "cwd": "/srv"}));
    for (number, info) in infos.iter().enumerate() {
        let said = |role: &str, kind: &str| json!({"type": "message", "role": role, "content": [{"type": kind, "text": format!("Valve {number}")}]});
        add_line("response_item", said("user", "input_text"));
        add_line("response_item", said("assistant", "output_text"));
        add_line("event_msg", json!({"type": "token_count", "info": info}));
    }
    let mut usages = Vec::new();
    let notes = read(log.as_bytes(), "LOG", None, &mut |transcript| {
        usages.extend(transcript.answers().map(|answer| answer.usage.clone()));
        ControlFlow::Continue(())
    });
    (usages, notes.unwrap())
}

fn tokens(input: u64, written: u64, output: u64) -> Value {
    json!({"input_tokens": input, "cache_write_input_tokens": written, "output_tokens": output})
}

/// Input, cache writes and output of each billed answer.
fn billed(usages: &[Option<TranscriptUsage>]) -> Vec<[Option<u64>; 3]> {
    let billed = usages.iter().flatten();
    billed.map(|usage| [usage.input_tokens, usage.cache_write_tokens, usage.output_tokens]).collect()
}

#[test]
fn cache_writes_of_totals_are_billed_once() {
    let total = |counts: Value| json!({"total_token_usage": counts});
    let (usages, _) = read_counts(&[total(tokens(900, 800, 30)), total(tokens(2000, 1000, 50))]);
    assert_eq!(billed(&usages), [[900, 800, 30].map(Some), [1100, 200, 20].map(Some)]);
}

#[test]
fn a_count_without_a_total_keeps_the_total_before() {
    let total = |counts: Value| json!({"total_token_usage": counts});
    let first = total(tokens(900, 800, 30));
    let (usages, notes) = read_counts(&[first.clone(), json!({}), total(tokens(2000, 1000, 50))]);
    assert_eq!(billed(&usages), [[900, 800, 30].map(Some), [1100, 200, 20].map(Some)]);
    assert_eq!(notes.tallies.missing_calls.number, 0);
    // The total of the last count includes the bill of the second.
    let last = json!({"last_token_usage": tokens(600, 150, 15)});
    let (usages, notes) = read_counts(&[first, last, total(tokens(2000, 1000, 50))]);
    let expected = [[900, 800, 30].map(Some), [600, 150, 15].map(Some), [500, 50, 5].map(Some)];
    assert_eq!(billed(&usages), expected);
    assert_eq!(notes.tallies.missing_calls.number, 0);
}
