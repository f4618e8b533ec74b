//! Requests are joined to a conversation by its identifier.

use std::ops::ControlFlow;

use agent_logs::{Transcript, read};
use serde_json::{Value, json};

fn read_all(values: &[Value]) -> Vec<Transcript> {
    let log: String = values.iter().map(|value| format!("{value}\n")).collect();
    let mut transcripts = Vec::new();
    read(log.as_bytes(), "LOG", None, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    })
    .unwrap();
    transcripts
}

/// The number of messages of each conversation.
fn lengths(values: &[Value]) -> Vec<usize> {
    read_all(values).iter().map(|transcript| transcript.messages.len()).collect()
}

fn role_of(text: &str) -> (&str, &str) {
    match text.split_once(' ').unwrap() {
        ("u", text) => ("user", text),
        (_, text) => ("assistant", text),
    }
}

/// A span with a request and its answer, each in a trace of its own.
fn span(number: usize, conversation: &str, texts: &[&str]) -> Value {
    let messages: Vec<Value> = texts
        .iter()
        .map(|text| role_of(text))
        .map(|(role, text)| json!({"role": role, "parts": [{"type": "text", "content": text}]}))
        .collect();
    let (answer, asked) = messages.split_last().unwrap();
    let attributes = json!({
        "gen_ai.operation.name": "chat",
        "gen_ai.conversation.id": conversation,
        "gen_ai.input.messages": Value::from(asked).to_string(),
        "gen_ai.output.messages": json!([answer]).to_string(),
        "gen_ai.usage.input_tokens": 10 + number,
        "gen_ai.usage.output_tokens": 2,
    });
    json!({"traceId": format!("t{number}"), "spanId": format!("s{number}"), "name": "chat", "attributes": attributes})
}

/// A request of another conversation may repeat the messages of one.
#[test]
fn spans_of_two_conversations_are_not_joined() {
    let all = ["u Mend it.", "a The seal.", "u Go on.", "a Yes."];
    assert_eq!(lengths(&[span(0, "X", &all[..2]), span(1, "X", &all)]), [4]);
    assert_eq!(lengths(&[span(0, "X", &all[..2]), span(1, "Y", &all)]), [2, 4]);
    // A short answer behind another first message is of the same conversation, if that has the same identifier.
    let cut = ["u So far.", "a The seal.", "u Go on.", "a Yes."];
    assert_eq!(lengths(&[span(0, "X", &all[..2]), span(1, "X", &cut)]), [4]);
    assert_eq!(lengths(&[span(0, "X", &all[..2]), span(1, "Y", &cut)]), [2, 4]);
}

/// A state of a graph, with an identifier of each message.
fn state(messages: &[(&str, &str)]) -> Value {
    let messages: Vec<Value> = messages
        .iter()
        .map(|(id, text)| (id, role_of(text)))
        .map(|(id, (role, text))| json!({"type": if role == "user" { "human" } else { "ai" }, "content": text, "id": id}))
        .collect();
    json!({"messages": messages})
}

/// A state names the newest answer of the conversation that it goes on with, and not an older one.
#[test]
fn states_behind_an_older_answer_are_conversations() {
    let all = [("h1", "u Hi."), ("r1", "a Ho."), ("h2", "u And?"), ("r2", "a No.")];
    let fork = [all[0], all[1], ("h3", "u Or?"), ("r3", "a Yes.")];
    assert_eq!(lengths(&[state(&all[..2]), state(&all), state(&fork)]), [4, 4]);
    let cut = [("h9", "u So far."), ("r2", "a Nope."), ("h3", "u Or?"), ("r3", "a Yes.")];
    assert_eq!(lengths(&[state(&all[..2]), state(&all), state(&cut)]), [6]);
}

/// Counters of each request are added to those of the run.
#[test]
fn counters_of_requests_are_added() {
    let line = |texts: &[&str], tokens: usize, cost: f64| {
        let messages: Vec<Value> = texts
            .iter()
            .map(|text| role_of(text))
            .map(|(role, text)| json!({"role": role, "content": text}))
            .collect();
        let (answer, asked) = messages.split_last().unwrap();
        json!({
            "request": {"model": "m", "messages": asked}, "response": {"choices": [{"message": answer}]},
            "token_counter": {"prompt_tokens": tokens, "completion_tokens": 2, "cost": cost},
        })
    };
    let all = ["u Hi.", "a Ho.", "u And?", "a No."];
    let transcripts = read_all(&[line(&all[..2], 10, 0.5), line(&all, 20, 0.25)]);
    let usage = transcripts[0].outcome.as_ref().unwrap().usage.as_ref().unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.cost), (Some(30), Some(4), Some(0.75)));
}
