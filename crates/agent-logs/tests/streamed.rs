//! Responses that were logged as streams, put together.

use std::ops::ControlFlow;

use agent_logs::{Transcript, read};
use serde_json::{Value, json};

/// The conversation with a response of this text, and the notes.
fn read_text(request: &Value, text: &str) -> (Option<Transcript>, Vec<String>) {
    let log = json!({"request": request, "response": text}).to_string();
    let mut found = None;
    let notes = read(log.as_bytes(), "LOG", None, &mut |transcript| {
        found = Some(transcript);
        ControlFlow::Continue(())
    });
    let lines = match notes {
        Ok(notes) => notes.lines().collect(),
        Err(error) => vec![error.to_string()],
    };
    (found, lines)
}

fn chat() -> Value {
    json!({"model": "m", "messages": [{"role": "user", "content": "Which city?"}]})
}

fn stream(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// The answer in a stream: its text, the arguments of its calls, and its input tokens.
fn answer(text: &str) -> (String, Vec<String>, Option<u64>) {
    let (transcript, notes) = read_text(&chat(), text);
    let transcript = transcript.unwrap_or_else(|| panic!("{notes:?}"));
    let answer = transcript.messages.last().unwrap();
    let calls = answer.tool_calls.iter().map(|call| format!("{}{}", call.name, call.arguments.get()));
    (answer.content.clone(), calls.collect(), answer.usage.as_ref().and_then(|usage| usage.input_tokens))
}

fn of_text(text: &str, tokens: Option<u64>) -> (String, Vec<String>, Option<u64>) {
    (text.to_owned(), Vec::new(), tokens)
}

fn chunk(text: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {"content": text}}]})
}

/// Comments, identifiers and waiting times are no events. The last event has no JSON.
#[test]
fn only_data_is_of_the_answer() {
    let events = stream(&[chunk("Ro"), chunk("me")]);
    for text in [
        events.clone(),
        format!(": keep-alive\n\n{events}"),
        format!("id: 7\n{events}"),
        format!("retry: 100\n{events}"),
        format!("event: chunk\n{events}data: [DONE]\n\n"),
        format!("\n\n{events}data:\n"),
    ] {
        assert_eq!(answer(&text), of_text("Rome", None), "{text}");
    }
    let (_, notes) = read_text(&chat(), &format!("{events}data: {{\"cho\n\n"));
    assert!(
        notes.iter().any(|line| line.starts_with("streamed responses with invalid JSON events")),
        "{notes:?}"
    );
    let (_, notes) = read_text(&chat(), &stream(&[json!({"later": 1}), json!({"later": 2})]));
    let expected = "streamed responses in an unknown format left out: 1 (LOG:1)";
    assert!(notes.iter().any(|line| line.contains(expected)), "{notes:?}");
}

/// Pieces of null change nothing.
#[test]
fn nothing_is_no_piece() {
    let last = json!({"choices": [{"index": 0, "delta": {"content": null}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9, "completion_tokens": 2}});
    let empty = json!({"choices": [], "usage": null});
    assert_eq!(answer(&stream(&[chunk("Ro"), chunk("me"), last, empty])), of_text("Rome", Some(9)));
}

/// Cohere's calls: their name first, then pieces of their arguments.
#[test]
fn calls_of_cohere_are_put_together() {
    let call = |arguments: &str| json!({"function": {"arguments": arguments}});
    let first = json!({"id": "c1", "type": "function", "function": {"name": "look", "arguments": ""}});
    let events = [
        json!({"type": "message-start", "delta": {"message": {"role": "assistant"}}}),
        json!({"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": first}}}),
        json!({"type": "tool-call-delta", "index": 0, "delta": {"message": {"tool_calls": call("{\"city\":")}}}),
        json!({"type": "tool-call-delta", "index": 0, "delta": {"message": {"tool_calls": call(" \"Rome\"}")}}}),
        json!({"type": "tool-call-end", "index": 0}),
        json!({"type": "message-end", "delta": {"finish_reason": "COMPLETE"}}),
    ];
    let (text, calls, _) = answer(&stream(&events));
    assert_eq!((text.as_str(), calls), ("", vec!["look{\"city\": \"Rome\"}".to_owned()]));
    let events = [
        events[0].clone(),
        json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "Ro"}}}}),
        json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "me"}}}}),
        events[5].clone(),
    ];
    assert_eq!(answer(&stream(&events)), of_text("Rome", None));
}

/// Parts of Gemini: a text goes on with the one before it, and other parts do not.
#[test]
fn texts_of_gemini_are_put_together() {
    let chunk = |part: Value| json!({"candidates": [{"content": {"role": "model", "parts": [part]}}]});
    let call = json!({"functionCall": {"name": "look", "args": {"city": "Rome"}}});
    let events = [
        chunk(json!({"text": "I"})),
        chunk(json!({"text": " look."})),
        chunk(call),
        chunk(json!({"text": "So."})),
    ];
    let request =
        json!({"model": "gemini", "contents": [{"role": "user", "parts": [{"text": "Which city?"}]}]});
    let (transcript, notes) = read_text(&request, &stream(&events));
    let transcript = transcript.unwrap_or_else(|| panic!("{notes:?}"));
    let answer = transcript.messages.last().unwrap();
    assert_eq!(answer.content, "I look.\nSo.");
    assert_eq!(answer.tool_calls.len(), 1);
}

/// Anthropic's last event has what the provider changed in the request.
#[test]
fn edits_in_a_stream_are_read() {
    let message = json!({"id": "m1", "type": "message", "role": "assistant", "model": "claude-opus-4-6", "content": [], "usage": {"input_tokens": 9, "output_tokens": 1}});
    let edit =
        json!({"type": "clear_tool_uses_20250919", "cleared_tool_uses": 1, "cleared_input_tokens": 40});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Ro"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "me"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 4}, "context_management": {"applied_edits": [edit]}}),
    ];
    let asked = json!([
        {"role": "user", "content": "Which city?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "Rome"}]},
    ]);
    let request = json!({"model": "claude-opus-4-6", "max_tokens": 9, "messages": asked});
    let (transcript, _) = read_text(&request, &stream(&events));
    let transcript = transcript.unwrap();
    let last = transcript.messages.last().unwrap();
    let usage = last.usage.as_ref().unwrap();
    assert_eq!((last.content.as_str(), usage.input_tokens, usage.output_tokens), ("Rome", Some(9), Some(4)));
    assert_eq!(transcript.compactions[0].removed, [[2, 2]]);
}
