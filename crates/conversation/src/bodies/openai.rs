//! Reads and writes the messages of OpenAI's Chat Completions, and of the many similar APIs.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{BodyError, BodyMessages, Origin, read_string, refuse_body, text_of};
use crate::message::{Message, Native, NativeCall, Role};

/// Reads the list `messages` of a body.
///
/// # Errors
/// A message is invalid in this API.
pub fn read_messages(messages: &[Json]) -> Result<BodyMessages, BodyError> {
    let mut read = BodyMessages::default();
    for (index, json) in messages.iter().enumerate() {
        read.add_message(read_message(json, &format!("messages[{index}]"))?, index, json.clone());
    }
    Ok(read)
}

/// Writes messages derived from those of a body. Unchanged ones keep their JSON, results with another text keep all but the text, and
/// others are written anew.
pub fn write_messages(body: &BodyMessages, sent: &[Message]) -> Vec<Json> {
    let mut written = Vec::with_capacity(sent.len());
    for (message, origin) in sent.iter().zip(body.origins_of(sent)) {
        written.push(match origin {
            Origin::Same(source) => source.json.clone(),
            Origin::Replaced(source) => source.with_content(&message.content),
            Origin::New => write_message(message),
        });
    }
    written
}

fn read_message(json: &Json, place: &str) -> Result<Message, BodyError> {
    let role = match read_string(json, "role", place)? {
        "system" | "developer" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool" => Role::Tool,
        _ => return Err(refuse_body(format!("{place}.role"), "system, developer, user, assistant or tool")),
    };
    let content = text_of(json.get("content").unwrap_or(&Json::Null), &format!("{place}.content"))?;
    let native = match role {
        Role::Tool => Some(Native::ResultOf(read_string(json, "tool_call_id", place)?.into())),
        Role::Assistant => read_calls(json, place)?,
        Role::System | Role::User => None,
    };
    Ok(Message { native: native.map(Arc::new), ..Message::new(role, content) })
}

fn read_calls(json: &Json, place: &str) -> Result<Option<Native>, BodyError> {
    let Some(Json::Array(list)) = json.get("tool_calls") else { return Ok(None) };
    let mut calls = Vec::with_capacity(list.len());
    for (index, call) in list.iter().enumerate() {
        let place = format!("{place}.tool_calls[{index}]");
        let function = call.get("function").ok_or_else(|| refuse_body(&place, "a call of a function"))?;
        calls.push(NativeCall {
            id: read_string(call, "id", &place)?.into(),
            name: read_string(function, "name", &place)?.into(),
            arguments: read_string(function, "arguments", &place)?.into(),
        });
    }
    Ok((!calls.is_empty()).then_some(Native::Calls(calls)))
}

fn write_message(message: &Message) -> Json {
    let mut json = json!({"role": message.role.name(), "content": message.content});
    if let Some(id) = message.result_of() {
        json["tool_call_id"] = json!(id);
    }
    if !message.calls().is_empty() {
        let calls = message.calls().iter().map(|call| {
            json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}})
        });
        json["tool_calls"] = calls.collect();
    }
    json
}
