//! Gemini's Interactions API: steps instead of messages, and the id of the previous interaction. Converted to OpenAI's Responses
//! API, because the items are similar.

use serde_json::{Map, Value, json};

/// Fields of steps without further information.
const WITHOUT: [&str; 1] = ["signature"];

/// Converts a request and its response to OpenAI's Responses API if they are an interaction.
pub(super) fn as_responses(request: &mut Value, response: &mut Value) {
    let is_object = response.get("object").and_then(Value::as_str) == Some("interaction");
    let Some(told) = response.as_object().filter(|told| is_object || told.contains_key("outputs")) else {
        return;
    };
    let said = told.get("steps").or_else(|| told.get("outputs"));
    let output: Vec<Value> =
        said.and_then(Value::as_array).into_iter().flatten().map(|step| to_item(step, "assistant")).collect();
    let usage = told.get("usage").map(convert_bill);
    *response = json!({"object": "response", "id": told.get("id"), "model": told.get("model"), "output": output, "usage": usage});
    let Some(asked) = request.as_object_mut() else { return };
    rename_key(asked, "previous_interaction_id", "previous_response_id");
    rename_key(asked, "system_instruction", "instructions");
    if let Some(Value::Array(steps)) = asked.get_mut("input") {
        steps.iter_mut().for_each(|step| *step = to_item(step, "user"));
    }
}

fn rename_key(object: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = object.remove(from) {
        object.insert(to.to_owned(), value);
    }
}

/// Converts a step, a turn with a role, or a bare part to an item.
fn to_item(step: &Value, role: &str) -> Value {
    // Plain text is a part.
    let Some(object) = step.as_object() else { return to_message(role, Some(&json!([step]))) };
    let kind = object.get("type").and_then(Value::as_str).unwrap_or("");
    let content = object.get("content");
    match (kind, object.get("role").and_then(Value::as_str)) {
        ("user_input", _) => to_message("user", content),
        ("model_output", _) => to_message("assistant", content),
        ("thought", _) => json!({"type": "reasoning", "summary": []}),
        (kind, _) if kind.ends_with("_result") => {
            let mut result = object.clone();
            rename_key(&mut result, "result", "output");
            result.insert("type".to_owned(), "function_call_output".into());
            remove_signature(result)
        }
        ("", Some(role)) => to_message(role, content),
        (kind, _) if kind.ends_with("_call") => remove_signature(object.clone()),
        _ => to_message(role, Some(&json!([step]))),
    }
}

fn remove_signature(mut item: Map<String, Value>) -> Value {
    item.retain(|key, _| !WITHOUT.contains(&key.as_str()));
    item.into()
}

/// A message with images of OpenAI's type.
fn to_message(role: &str, content: Option<&Value>) -> Value {
    let content = match content {
        Some(Value::Array(parts)) => parts.iter().map(part_of_item).collect(),
        Some(text) => text.clone(),
        None => Value::Null,
    };
    json!({"type": "message", "role": role, "content": content})
}

/// Converts a bill. Gemini excludes thoughts from the output count.
fn convert_bill(bill: &Value) -> Value {
    let thought = bill["total_thought_tokens"].as_u64();
    let output = bill["total_output_tokens"].as_u64();
    json!({
        "input_tokens": bill["total_input_tokens"].as_u64(),
        "output_tokens": output.map(|output| output.saturating_add(thought.unwrap_or(0))),
        "input_tokens_details": {"cached_tokens": bill["total_cached_tokens"].as_u64()},
        "output_tokens_details": {"reasoning_tokens": thought},
    })
}

/// A part of a message, as a part of an item of the Responses API.
fn part_of_item(part: &Value) -> Value {
    match part["type"].as_str() {
        Some("image") => json!({"type": "input_image", "image_url": ""}),
        _ => part.clone(),
    }
}
