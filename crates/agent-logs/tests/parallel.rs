//! Answers with thousands of calls.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use agent_logs::{Transcript, read};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

/// One answer with this many calls, with results in another order.
fn log(calls: usize, has_ids: bool) -> String {
    let call = |index: usize| json!({"id": format!("c{index}"), "type": "function", "function": {"name": format!("t{index}"), "arguments": "{}"}});
    let result = |place: usize| {
        // A permutation, since 7 and the number of calls have no common factor.
        let index = place * 7 % calls;
        let name = format!("t{index}");
        let mut told = json!({"role": "tool", "content": name, "name": name});
        if has_ids {
            told["tool_call_id"] = format!("c{index}").into();
        }
        told
    };
    let mut messages: Vec<Value> = vec![json!({"role": "user", "content": "x"})];
    messages.push(json!({"role": "assistant", "tool_calls": (0..calls).map(call).collect::<Vec<_>>()}));
    messages.extend((0..calls).map(result));
    messages.push(json!({"role": "assistant", "content": "done"}));
    json!({ "messages": messages }).to_string()
}

fn read_timed(log: &str) -> (Transcript, Duration) {
    let start = Instant::now();
    let mut transcripts = Vec::new();
    read(log.as_bytes(), "LOG", None, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    })
    .unwrap();
    (transcripts.pop().unwrap(), start.elapsed())
}

/// Each result finds its call without a walk over the others, whatever their order and with or without identifiers.
#[test]
fn the_results_of_thousands_of_parallel_calls_are_paired_at_once() {
    const FEW: usize = 1_000;
    for has_ids in [true, false] {
        let (transcript, many) = read_timed(&log(16 * FEW, has_ids));
        let calls = transcript.messages[1].tool_calls.iter();
        let ids: FxHashMap<&str, &str> = calls.map(|call| (call.id.as_str(), call.name.as_str())).collect();
        for told in &transcript.messages[2..2 + 16 * FEW] {
            assert_eq!(ids[told.call.as_deref().unwrap()], told.content);
        }
        let (_, few) = read_timed(&log(FEW, has_ids));
        // A square would take 256 times as long.
        assert!(many < few * 60 + Duration::from_secs(2), "{few:?} {many:?}");
    }
}
