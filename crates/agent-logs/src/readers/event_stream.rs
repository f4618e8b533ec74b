//! Streamed responses of Bedrock: binary frames (`application/vnd.amazon.eventstream`) with one event each.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::stream::whole_of_events;

/// Bytes of a frame before its headers: frame length, header length, and a checksum of both.
const PRELUDE: usize = 12;
/// Bytes of the checksum at the end of a frame.
const SUM: usize = 4;

/// Assembles the response from framed events. `None` for other bytes.
pub(super) fn whole_of_frames(bytes: &[u8]) -> Option<Value> {
    let events = split_events(bytes)?;
    let named = events.iter().any(|(name, _)| name == "messageStart");
    if named {
        return Some(of_converse(&events));
    }
    // An invoked model streams events in its own format.
    let own: Vec<Value> = events.into_iter().filter_map(|(_, event)| decode_event(&event)).collect();
    if own.iter().any(|event| event.get("messageStart").is_some()) {
        return Some(of_converse(&own.iter().flat_map(named_below).collect::<Vec<_>>()));
    }
    whole_of_events(&own)
}

/// The events of all frames, with the names in their headers.
fn read_length(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(bytes)).ok()
}

fn split_events(mut bytes: &[u8]) -> Option<Vec<(String, Value)>> {
    let mut events = Vec::new();
    while !bytes.is_empty() {
        let (length, headers) = (read_length(bytes, 0)?, read_length(bytes, 4)?);
        let frame = bytes.get(..length)?;
        let payload = frame.get(PRELUDE.checked_add(headers)?..length.checked_sub(SUM)?)?;
        let name = event_type(frame.get(PRELUDE..PRELUDE + headers)?);
        events.push((name.unwrap_or_default(), serde_json::from_slice(payload).ok()?));
        bytes = bytes.get(length..)?;
    }
    (!events.is_empty()).then_some(events)
}

/// The value of the header `:event-type`. Headers have a name length, name, kind (7 is text), value length and value.
fn event_type(mut headers: &[u8]) -> Option<String> {
    while let [length, rest @ ..] = headers {
        let (name, rest) = rest.split_at_checked(usize::from(*length))?;
        let [7, high, low, rest @ ..] = rest else { return None };
        let (value, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes([*high, *low])))?;
        if name == b":event-type" {
            return String::from_utf8(value.to_vec()).ok();
        }
        headers = rest;
    }
    None
}

fn decode_event(event: &Value) -> Option<Value> {
    let bytes = STANDARD.decode(event.get("bytes")?.as_str()?).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Splits an event of Nova: each field is an event named by its key.
fn named_below(event: &Value) -> Vec<(String, Value)> {
    let fields = event.as_object().into_iter().flatten();
    fields.map(|(name, event)| (name.clone(), event.clone())).collect()
}

/// Assembles a response of the Converse API.
fn of_converse(events: &[(String, Value)]) -> Value {
    let mut response = Map::new();
    let mut blocks: Vec<(u64, Value)> = Vec::new();
    for (name, event) in events {
        match name.as_str() {
            "contentBlockStart" => add_piece(&mut blocks, event, event.get("start")),
            "contentBlockDelta" => add_piece(&mut blocks, event, event.get("delta")),
            "metadata" => drop(response.insert("usage".to_owned(), event["usage"].clone())),
            _ => {}
        }
    }
    let mut content = Vec::new();
    for (_, mut block) in blocks {
        let input = block.pointer("/toolUse/input").and_then(Value::as_str);
        if let Some(Ok(input)) = input.map(serde_json::from_str::<Value>) {
            block["toolUse"]["input"] = input;
        }
        if block.is_object() {
            content.push(block);
        }
    }
    response.insert("output".to_owned(), json!({"message": {"role": "assistant", "content": content}}));
    response.into()
}

/// Adds a piece to the block with its index.
fn add_piece(blocks: &mut Vec<(u64, Value)>, event: &Value, piece: Option<&Value>) {
    let Some(piece) = piece else { return };
    // Events of a single block may have no index.
    let index = event.get("contentBlockIndex").and_then(Value::as_u64).unwrap_or(0);
    match blocks.iter_mut().find(|(known, _)| *known == index) {
        Some((_, block)) => join_pieces(block, piece),
        None => blocks.push((index, piece.clone())),
    }
}

/// Concatenates the texts in two values, recursively.
fn join_pieces(whole: &mut Value, piece: &Value) {
    match (whole, piece) {
        (Value::String(old), Value::String(new)) => old.push_str(new),
        (Value::Object(old), Value::Object(new)) => {
            for (key, new) in new {
                join_pieces(old.entry(key.clone()).or_insert(Value::Null), new);
            }
        }
        (whole @ Value::Null, piece) => *whole = piece.clone(),
        _ => {}
    }
}
