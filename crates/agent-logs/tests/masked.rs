//! Requests of an agent that leaves old output out of them.

use std::fmt::Write;
use std::ops::ControlFlow;

use agent_logs::{CompactionKind, SentPart, Transcript, read};
use serde_json::{Value, json};

/// The requests of an agent that runs its tests every other turn, with the same output each time. From the request `masks` on it
/// shows `[cleared]` in place of the output of the first two turns.
fn log(turns: usize, masks: usize) -> String {
    let mut log = String::new();
    let output = |turn: usize| match turn % 2 {
        0 => "12 tests passed".to_owned(),
        _ => format!("file {turn} has a pump"),
    };
    let call = |turn: usize| json!({"type": "tool_use", "id": format!("t{turn}"), "name": "run", "input": {"turn": turn % 2}});
    let result = |turn: usize, request: usize| {
        let text = if request >= masks && turn < 2 { "[cleared]".to_owned() } else { output(turn) };
        json!({"type": "tool_result", "tool_use_id": format!("t{turn}"), "content": text})
    };
    for request in 0..turns {
        let mut messages = vec![json!({"role": "user", "content": "Repair the pump."})];
        for turn in 0..request {
            messages.push(json!({"role": "assistant", "content": [call(turn)]}));
            messages.push(json!({"role": "user", "content": [result(turn, request)]}));
        }
        let response = json!({"id": format!("m{request}"), "role": "assistant", "content": [call(request)]});
        let line: Value =
            json!({"request": {"model": "m", "max_tokens": 9, "messages": messages}, "response": response});
        writeln!(log, "{line}").unwrap();
    }
    log
}

/// A new result with the text of an earlier one is new. If it were matched with the earlier one, that one
/// would be missing, and its call would have no result.
#[test]
fn a_result_that_repeats_another_is_not_taken_for_it() {
    let mut read_ones: Vec<Transcript> = Vec::new();
    let log = log(8, 5);
    read(log.as_bytes(), "LOG", None, &mut |transcript| {
        read_ones.push(transcript);
        ControlFlow::Continue(())
    })
    .unwrap();
    let [transcript] = &read_ones[..] else { panic!("{} conversations", read_ones.len()) };
    let [compaction] = &transcript.compactions[..] else { panic!("{:?}", transcript.compactions) };
    assert_eq!(compaction.kind, CompactionKind::Clear);
    assert_eq!(compaction.removed, [[2, 2], [4, 4]]);
    let ranges: Vec<&SentPart> = compaction.sent.iter().flatten().collect();
    // Behind the two masks everything is sent in its order.
    assert!(
        matches!(ranges.last(), Some(SentPart::Range([5, end])) if *end + 1 == compaction.before),
        "{ranges:?}"
    );
}
