//! A log that a reader loses is refused by name.

use std::ops::ControlFlow;

use agent_logs::{LogFormat, read};
use serde_json::{Value, json};

fn said(values: &[Value]) -> Result<usize, String> {
    let log: String = values.iter().map(|value| format!("{value}\n")).collect();
    let mut number = 0;
    read(log.as_bytes(), "LOG", LogFormat::named("openai-chat"), &mut |_| {
        number += 1;
        ControlFlow::Continue(())
    })
    .map_err(|error| error.to_string())
    .map(|_| number)
}

fn request(answer: Value, more: Value) -> Value {
    let mut value = json!({"messages": [{"role": "user", "content": "Which city?"}, answer]});
    value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    value
}

#[test]
fn a_log_whose_texts_all_come_out_empty_is_refused() {
    let new = |role: &str| json!({"role": role, "content": [{"type": "newer", "words": "Paris"}]});
    let error = said(&[json!({"messages": [new("user"), new("assistant"), new("user"), new("assistant")]})])
        .unwrap_err();
    assert!(error.contains("whose messages are mostly empty"), "{error}");
    assert!(error.contains("--from"), "{error}");
}

#[test]
fn a_log_whose_bills_are_all_lost_is_refused() {
    let answer = json!({"role": "assistant", "content": "Paris"});
    let newer = json!({"accounting": {"inputTokensTotal": 7, "prompt_tokens": 900}});
    let error = said(&[request(answer.clone(), newer)]).unwrap_err();
    assert!(error.contains("whose bills are in fields that are not read"), "{error}");
    // Nothing was billed, a text speaks of it, or another request has its bill.
    assert_eq!(said(&[request(answer.clone(), json!({"accounting": {"prompt_tokens": 0}}))]), Ok(1));
    let quoted = json!({"role": "assistant", "content": "{\"prompt_tokens\": 9}"});
    assert_eq!(said(&[request(quoted, json!({}))]), Ok(1));
    let billed = json!({"role": "assistant", "content": "Rome", "usage": {"prompt_tokens": 5, "completion_tokens": 1}});
    let other = json!({"accounting": {"prompt_tokens": 900}});
    assert_eq!(said(&[request(billed, json!({})), request(answer, other)]), Ok(2));
}

/// A conversation waits for the bill of a later one.
#[test]
fn a_bill_behind_a_conversation_without_one_is_found() {
    let answer = json!({"role": "assistant", "content": "Paris"});
    let billed = json!({"role": "assistant", "content": "Rome", "usage": {"prompt_tokens": 5, "completion_tokens": 1}});
    let other = json!({"accounting": {"prompt_tokens": 900}});
    assert_eq!(said(&[request(answer, other), request(billed, json!({}))]), Ok(2));
}
