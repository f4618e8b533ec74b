//! Reads and writes the system prompt and messages of Anthropic's Messages API. There, a tool result is a block in a user message; here, it
//! is a separate message.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{BodyError, BodyMessages, Origin, read_string, refuse_body, text_of};
use crate::message::{Message, Native, NativeCall, Role};

/// Reads `system`, if present, and the list `messages` of a body.
///
/// # Errors
/// A message is invalid in this API.
pub fn read_messages(system: Option<&Json>, messages: &[Json]) -> Result<BodyMessages, BodyError> {
    let mut read = BodyMessages::default();
    if let Some(system) = system {
        read.add_message(Message::new(Role::System, text_of(system, "system")?), 0, system.clone());
    }
    for (index, json) in messages.iter().enumerate() {
        let place = format!("messages[{index}]");
        let content = json
            .get("content")
            .ok_or_else(|| refuse_body(format!("{place}.content"), "a string or a list of blocks"))?;
        match read_string(json, "role", &place)? {
            "assistant" => read.add_message(read_answer(content, &place)?, index, content.clone()),
            "user" => read_user(content, index, &place, &mut read)?,
            _ => return Err(refuse_body(format!("{place}.role"), "user or assistant")),
        }
    }
    Ok(read)
}

/// Writes messages derived from those of a body. Unchanged ones keep their JSON, results with another text keep all but the text, and
/// others are written anew. Returns `system` and `messages`.
pub fn write_messages(body: &BodyMessages, sent: &[Message]) -> (Option<Json>, Vec<Json>) {
    let (mut system, mut written): (Option<Json>, Vec<Json>) = (None, Vec::new());
    // The index in the body of the message written last, if it came from the body.
    let mut last: Option<usize> = None;
    for (message, origin) in sent.iter().zip(body.origins_of(sent)) {
        let (content, index) = match origin {
            Origin::Same(source) => (source.json.clone(), Some(source.index)),
            Origin::Replaced(source) => (source.with_content(&message.content), Some(source.index)),
            Origin::New => (write_content(message), None),
        };
        if message.role == Role::System {
            // Besides the system prompt, a summary may have this role.
            system = Some(match system {
                Some(before) => join_content(before, content),
                None => content,
            });
            continue;
        }
        let role = if message.role == Role::Assistant { "assistant" } else { "user" };
        let goes_on = index.is_none() || last.is_none() || index == last;
        match written.last_mut() {
            Some(before) if role == "user" && before["role"] == role && goes_on => {
                append_content(before, content)
            }
            // A result is a block, so it needs a list.
            _ if message.role == Role::Tool => written.push(json!({"role": role, "content": [content]})),
            _ => written.push(json!({"role": role, "content": content})),
        }
        last = index;
    }
    (system, written)
}

fn append_content(message: &mut Json, content: Json) {
    message["content"] = join_content(message["content"].take(), content);
}

fn join_content(before: Json, after: Json) -> Json {
    let mut blocks = into_blocks(before);
    blocks.extend(into_blocks(after));
    Json::Array(blocks)
}

fn into_blocks(content: Json) -> Vec<Json> {
    match content {
        Json::Array(blocks) => blocks,
        Json::String(text) => vec![json!({"type": "text", "text": text})],
        block => vec![block],
    }
}

fn read_answer(content: &Json, place: &str) -> Result<Message, BodyError> {
    let mut calls = Vec::new();
    for (index, block) in content.as_array().into_iter().flatten().enumerate() {
        if block["type"] == "tool_use" {
            let place = format!("{place}.content[{index}]");
            calls.push(NativeCall {
                id: read_string(block, "id", &place)?.into(),
                name: read_string(block, "name", &place)?.into(),
                arguments: block["input"].to_string().into(),
            });
        }
    }
    let native = (!calls.is_empty()).then(|| Arc::new(Native::Calls(calls)));
    Ok(Message { native, ..Message::new(Role::Assistant, text_of(content, place)?) })
}

fn is_result(block: &Json) -> bool {
    block["type"] == "tool_result"
}

/// Adds the tool results in a user message as separate messages, and the blocks between them.
fn read_user(content: &Json, index: usize, place: &str, read: &mut BodyMessages) -> Result<(), BodyError> {
    let Json::Array(blocks) = content else {
        read.add_message(Message::new(Role::User, text_of(content, place)?), index, content.clone());
        return Ok(());
    };

    for blocks in blocks.chunk_by(|block, next| !is_result(block) && !is_result(next)) {
        match blocks {
            [result] if is_result(result) => {
                let call = read_string(result, "tool_use_id", place)?;
                let native = Some(Arc::new(Native::ResultOf(call.into())));
                let text = text_of(result.get("content").unwrap_or(&Json::Null), place)?;
                read.add_message(Message { native, ..Message::new(Role::Tool, text) }, index, result.clone());
            }
            others => {
                let others = Json::Array(others.to_vec());
                read.add_message(Message::new(Role::User, text_of(&others, place)?), index, others);
            }
        }
    }
    Ok(())
}

/// The content of a message not in the body.
fn write_content(message: &Message) -> Json {
    if let Some(id) = message.result_of() {
        return json!({"type": "tool_result", "tool_use_id": id, "content": message.content});
    }
    if message.calls().is_empty() {
        return json!(message.content);
    }
    let mut blocks = Vec::new();
    if !message.content.is_empty() {
        blocks.push(json!({"type": "text", "text": message.content}));
    }
    for call in message.calls() {
        // This API requires an object, but other models may write arguments that are not JSON.
        let input: Option<Json> = serde_json::from_str(&call.arguments).ok();
        let input = input.filter(Json::is_object).unwrap_or_else(|| json!({"arguments": call.arguments}));
        blocks.push(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input}));
    }
    Json::Array(blocks)
}
