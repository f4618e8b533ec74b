//! Reassembles streamed responses logged as server-sent events into the provider's non-streaming response.

use serde_json::{Map, Value, json};

use super::notes::Notes;
use super::place::LogPlace;

/// Fields whose pieces are concatenated. For any other field the last value wins.
const PIECES: [&str; 8] =
    ["content", "arguments", "refusal", "reasoning", "reasoning_content", "text", "thinking", "signature"];

/// End marker of streams by OpenAI and compatible servers. It is not JSON.
const END: &str = "[DONE]";

/// Reassembles a streamed response. If no known provider has such events, returns null and notes the loss. Returns `None` for other text.
pub(super) fn whole_response(text: &str, place: &LogPlace, notes: &mut Notes) -> Option<Value> {
    let first = text.lines().find(|line| !is_comment(line))?;
    if !first.starts_with("data:") && !first.starts_with("event:") {
        return None;
    }
    let mut events = Vec::new();
    let mut broken = 0;
    for line in text.lines() {
        let Some(data) = line.strip_prefix("data:") else { continue };
        let data = data.trim();
        if data.is_empty() || data == END {
            continue;
        }
        match serde_json::from_str::<Value>(data) {
            Ok(event) => events.push(event),
            Err(_) => broken += 1,
        }
    }
    events.first()?;
    let whole = whole_of_events(&events);
    if whole.is_none() {
        notes.lost("streamed responses in an unknown format left out", place.clone());
    } else if broken > 0 {
        // The answer reads well without them, so a missing piece would go unnoticed.
        notes.lost("streamed responses with invalid JSON events, which are left out", place.clone());
    }
    Some(whole.unwrap_or(Value::Null))
}

/// Returns true for a line without an event. Gemini and OpenRouter send comments such as `: keep-alive` while waiting for the model.
fn is_comment(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with([':']) || line.starts_with("id:") || line.starts_with("retry:")
}

/// Reassembles a response streamed as JSON lines (Ollama, Cohere's first chat API).
pub(super) fn whole_of_lines(text: &str) -> Option<Value> {
    let mut events: Vec<Value> = Vec::new();
    for line in text.lines() {
        events.push(serde_json::from_str(line).ok()?);
    }
    if events.len() > 1 { whole_of_events(&events) } else { None }
}

/// Reassembles a response from parsed events, trying each provider.
pub(super) fn whole_of_events(events: &[Value]) -> Option<Value> {
    for whole in [of_interaction, of_responses, of_anthropic, of_cohere, of_chunks, of_completions] {
        let found = whole(events);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The element at the event's `index`.
fn indexed<'l, T>(list: &'l mut [T], event: &Value) -> Option<&'l mut T> {
    let index = usize::try_from(event.get("index")?.as_u64()?).ok()?;
    list.get_mut(index)
}

/// Gemini interactions: each event starts or extends a step.
fn of_interaction(events: &[Value]) -> Option<Value> {
    let ended = events.iter().rfind(|event| event_type(event).starts_with("interaction.complete"))?;
    let mut interaction = ended.get("interaction")?.as_object()?.clone();
    let mut steps: Vec<(Map<String, Value>, String)> = Vec::new();
    for event in events {
        match (event_type(event), event.get("step"), event.get("delta")) {
            ("step.start", Some(Value::Object(step)), _) => steps.push((step.clone(), String::new())),
            ("step.delta", _, Some(Value::Object(delta))) => {
                let (step, text) = indexed(&mut steps, event)?;
                match delta.get("text").and_then(Value::as_str) {
                    Some(piece) => text.push_str(piece),
                    None => merge_fields(step, delta.iter().filter(|(key, _)| *key != "type")),
                }
            }
            _ => {}
        }
    }
    let mut finished = Vec::with_capacity(steps.len());
    for (mut step, text) in steps {
        if !text.is_empty() {
            step.insert("content".to_owned(), json!([{"type": "text", "text": text}]));
        }
        finished.push(Value::from(step));
    }
    interaction.insert("steps".to_owned(), finished.into());
    Some(interaction.into())
}

/// The type of an event of a Gemini interaction.
fn event_type(event: &Value) -> &str {
    event.get("event_type").and_then(Value::as_str).unwrap_or("")
}

/// Cohere: pieces are below `delta.message`.
fn of_cohere(events: &[Value]) -> Option<Value> {
    events.iter().find(|event| event_kind(event) == "message-start")?;
    let mut said = Map::from_iter([("role".to_owned(), Value::from("assistant"))]);
    let (mut content, mut calls, mut response) = (Map::new(), Vec::new(), Map::new());
    for event in events {
        match event_kind(event) {
            "content-delta" => {
                merge_fields(&mut content, event.pointer("/delta/message/content")?.as_object()?)
            }
            "tool-call-start" => calls.extend(event.pointer("/delta/message/tool_calls").cloned()),
            "tool-call-delta" => {
                let further = event.pointer("/delta/message/tool_calls").and_then(Value::as_object);
                if let Some((Value::Object(call), further)) = calls.last_mut().zip(further) {
                    merge_fields(call, further);
                }
            }
            "message-end" => merge_fields(&mut response, event.pointer("/delta").and_then(Value::as_object)?),
            _ => {}
        }
    }
    // Thinking and answer have one part each.
    let parts = content.into_iter().map(|(kind, text)| json!({"type": kind, (kind): text}));
    said.insert("content".to_owned(), parts.collect());
    if !calls.is_empty() {
        said.insert("tool_calls".to_owned(), calls.into());
    }
    response.insert("message".to_owned(), said.into());
    Some(response.into())
}

/// Prompt completions and Ollama: pieces are in fields of each event.
fn of_completions(events: &[Value]) -> Option<Value> {
    const KEYS: [&str; 4] = ["completion", "generation", "outputText", "response"];
    let mut whole = events.last()?.as_object()?.clone();
    if events.iter().any(|event| event.pointer("/message/content").is_some()) {
        let pieces = events.iter().filter_map(|event| event.pointer("/message/content")?.as_str());
        let message = json!({"role": "assistant", "content": pieces.collect::<String>()});
        whole.insert("message".to_owned(), message);
        return Some(whole.into());
    }
    // Cohere's events have a type and a `text`.
    let of_cohere = events.first()?.get("event_type").map(|_| "text");
    for key in KEYS.into_iter().chain(of_cohere) {
        let pieces: Vec<&str> = events.iter().filter_map(|event| event.get(key)?.as_str()).collect();
        if !pieces.is_empty() {
            whole.insert("completion".to_owned(), pieces.concat().into());
            return Some(whole.into());
        }
    }
    None
}

fn event_kind(event: &Value) -> &str {
    event.get("type").and_then(Value::as_str).unwrap_or("")
}

/// OpenAI responses: the last event has the response. Some servers give its items only in earlier events.
fn of_responses(events: &[Value]) -> Option<Value> {
    const LAST: [&str; 3] = ["response.completed", "response.incomplete", "response.failed"];
    let last = events.iter().rfind(|event| LAST.contains(&event_kind(event)))?;
    let mut response = last.get("response")?.clone();
    let output = response.as_object_mut()?.entry("output").or_insert(Value::Array(Vec::new()));
    if let Value::Array(items) = output
        && items.is_empty()
    {
        for event in events {
            if event_kind(event) == "response.output_item.done"
                && let Some(item) = event.get("item")
            {
                items.push(item.clone());
            }
        }
    }
    Some(response)
}

/// Anthropic: each event starts or extends a block.
fn of_anthropic(events: &[Value]) -> Option<Value> {
    let start = events.iter().find(|event| event_kind(event) == "message_start")?;
    let mut message = start.get("message")?.as_object()?.clone();
    // Blocks, each with its input JSON so far.
    let mut blocks: Vec<(Map<String, Value>, String)> = Vec::new();
    for event in events {
        let delta = event.get("delta").and_then(Value::as_object);
        match event_kind(event) {
            "content_block_start" => {
                blocks.push((event.get("content_block")?.as_object()?.clone(), String::new()));
            }
            "content_block_delta" => {
                let (block, input) = indexed(&mut blocks, event)?;
                match delta?.get("partial_json").and_then(Value::as_str) {
                    Some(piece) => input.push_str(piece),
                    None => merge_fields(block, delta?.iter().filter(|(key, _)| *key != "type")),
                }
            }
            "message_delta" => {
                merge_fields(&mut message, delta?);
                let fields = event.as_object()?;
                for key in ["usage", "context_management"] {
                    merge_fields(&mut message, fields.get_key_value(key));
                }
            }
            _ => {}
        }
    }
    let mut finished = Vec::with_capacity(blocks.len());
    for (mut block, input) in blocks {
        if !input.is_empty() {
            block.insert("input".to_owned(), serde_json::from_str(&input).unwrap_or(Value::from(input)));
        }
        finished.push(Value::from(block));
    }
    message.insert("content".to_owned(), finished.into());
    Some(message.into())
}

/// Chunks shaped like the whole response: OpenAI chat and Gemini.
fn of_chunks(events: &[Value]) -> Option<Value> {
    let mut whole = Map::new();
    for event in events {
        if let Value::Object(chunk) = event {
            merge_fields(&mut whole, chunk);
        }
    }
    if let Some(Value::Array(choices)) = whole.get_mut("choices") {
        for choice in choices {
            if let Value::Object(choice) = choice
                && let Some(Value::Object(mut message)) = choice.remove("delta")
            {
                message.entry("role").or_insert("assistant".into());
                choice.insert("message".to_owned(), message.into());
            }
        }
    }
    (whole.contains_key("choices") || whole.contains_key("candidates")).then_some(whole.into())
}

/// Merges the fields of a piece into the whole.
fn merge_fields<'p>(
    whole: &mut Map<String, Value>,
    piece: impl IntoIterator<Item = (&'p String, &'p Value)>,
) {
    for (key, new) in piece {
        match (whole.get_mut(key), new) {
            (_, Value::Null) => {}
            (Some(Value::String(old)), Value::String(new)) if PIECES.contains(&key.as_str()) => {
                old.push_str(new);
            }
            (Some(Value::Object(old)), Value::Object(new)) => merge_fields(old, new),
            (Some(Value::Array(old)), Value::Array(new)) => {
                for new in new {
                    add_piece(old, new, key);
                }
            }
            _ => drop(whole.insert(key.clone(), new.clone())),
        }
    }
}

/// Returns true for a part with a text alone.
fn is_text(part: &Value) -> bool {
    part.as_object().is_some_and(|part| part.keys().eq(["text"]))
}

/// Merges a list element into the element with the same `index`, the first candidate, or the preceding text; otherwise appends it.
fn add_piece(list: &mut Vec<Value>, new: &Value, key: &str) {
    let same = match new.get("index") {
        Some(index) => list.iter().position(|old| old.get("index") == Some(index)),
        None if key == "candidates" => Some(0),
        None if key == "parts" && is_text(new) => list.len().checked_sub(1),
        None => None,
    };
    if let Some(at) = same
        && let Some(old) = list.get_mut(at)
        && (key != "parts" || is_text(old))
        && let Value::Object(old) = old
        && let Value::Object(new) = new
    {
        return merge_fields(old, new);
    }
    list.push(new.clone());
}
