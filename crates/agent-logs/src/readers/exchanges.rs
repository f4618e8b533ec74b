//! Converts inputs and outputs of calls, logged by tracers in any shape, into requests and responses readable as a provider's
//! format.

use serde_json::{Map, Value, json};

/// Fields of an input with its messages, likeliest first.
const MESSAGES: [&str; 8] =
    ["messages", "contents", "input", "prompt", "chat_history", "history", "inputs", "args"];
/// Fields of an input with a nested input.
const BELOW: [&str; 3] = ["kwargs", "request", "body"];
/// Fields of a request other than its messages.
const BESIDE: [&str; 9] = [
    "system",
    "systemInstruction",
    "system_instruction",
    "instructions",
    "tools",
    "functions",
    "toolConfig",
    "model",
    "context_management",
];
/// Fields that identify a provider's response.
const RESPONSE: [&str; 8] =
    ["choices", "candidates", "generations", "output", "outputs", "message", "role", "messages"];
/// Types of OpenAI response items without a role.
const ITEMS: [&str; 4] = ["function_call", "function_call_output", "reasoning", "custom_tool_call"];
/// Roles before a colon in prompts that a tracer logged as one text.
const ROLES: [&str; 5] = ["system", "developer", "user", "assistant", "tool"];

/// Converts an input to a request.
pub(super) fn normalise_request(input: Value) -> Value {
    match input {
        Value::Array(list) => of_list(list),
        Value::Object(input) => of_object(input),
        Value::String(text) => of_messages(of_text(text)),
        _ => of_messages(Vec::new()),
    }
}

fn of_messages(messages: Vec<Value>) -> Value {
    json!({ "messages": messages })
}

fn of_list(mut list: Vec<Value>) -> Value {
    // Batches hold a list of conversations; tracers log only one.
    if let [Value::Array(_)] = list.as_slice() {
        return list.pop().map_or(Value::Null, normalise_request);
    }
    if list.iter().any(is_item) {
        return json!({ "input": list });
    }
    // The LangChain handler logs tools after the messages, as messages with the role `tool`.
    let (declared, messages): (Vec<Value>, Vec<Value>) = list
        .into_iter()
        .partition(|message| message["role"] == "tool" && message["content"]["function"]["name"].is_string());
    let tools: Vec<Value> = declared.into_iter().map(|mut declared| declared["content"].take()).collect();
    let mut request = of_messages(messages.into_iter().map(normalise_message).collect());
    if !tools.is_empty() {
        request["tools"] = tools.into();
    }
    request
}

/// Returns true for item types found only in OpenAI responses.
fn is_item(item: &Value) -> bool {
    item.get("role").is_none() && item["type"].as_str().is_some_and(|kind| ITEMS.contains(&kind))
}

fn of_object(mut input: Map<String, Value>) -> Value {
    let has_messages = MESSAGES.iter().any(|key| input.contains_key(*key));
    let below = BELOW.iter().find(|key| input.get(**key).is_some_and(is_filled_object));
    if let Some(key) = below.filter(|_| !has_messages || *below.unwrap_or(&"") == "kwargs") {
        let inner = normalise_request(input.remove(*key).unwrap_or(Value::Null));
        if has_any_message(&inner) {
            return inner;
        }
    }
    if input.contains_key("role") && (input.contains_key("content") || input.contains_key("parts")) {
        return of_list(vec![input.into()]);
    }
    let key = MESSAGES.iter().find(|key| input.get(**key).is_some_and(|value| !is_empty(value)));
    let mut inner = match key.and_then(|key| input.remove(*key).map(|value| (*key, value))) {
        Some(("contents", Value::String(text))) => of_messages(vec![user_message(text)]),
        // Function arguments: the prompt comes first.
        Some(("args", Value::Array(mut list))) if !list.is_empty() => normalise_request(list.swap_remove(0)),
        Some((_, value)) => normalise_request(value),
        None => of_messages(only_text(&input).into_iter().map(user_message).collect()),
    };
    // Google's clients keep the system prompt and tools in the settings.
    if let Some(Value::Object(config)) = input.remove("config") {
        for (key, value) in config {
            input.entry(key).or_insert(value);
        }
    }
    if let Some(fields) = inner.as_object_mut() {
        for key in BESIDE {
            if let Some(value) = input.remove(key).filter(|value| !is_empty(value)) {
                fields.entry(key).or_insert(value);
            }
        }
        if let Some(tools) = fields.get_mut("tools").filter(|tools| tools.is_object()) {
            *tools = Value::Array(vec![tools.take()]);
        }
    }
    inner
}

fn is_filled_object(value: &Value) -> bool {
    value.as_object().is_some_and(|fields| !fields.is_empty())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

pub(super) fn has_any_message(request: &Value) -> bool {
    ["messages", "input"].iter().any(|key| request[*key].as_array().is_some_and(|list| !list.is_empty()))
}

/// The text of an input, if it has exactly one.
fn only_text(input: &Map<String, Value>) -> Option<String> {
    let mut texts = input.values().filter_map(Value::as_str);
    let first = texts.next()?;
    texts.next().is_none().then(|| first.to_owned())
}

fn user_message(text: String) -> Value {
    json!({"role": "user", "content": text})
}

/// Splits a text into messages at lines with a role and a colon. Any other text is one user message.
fn of_text(text: String) -> Vec<Value> {
    let mut messages: Vec<(&str, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        let role =
            ROLES.iter().find(|role| line.strip_prefix(**role).is_some_and(|rest| rest.starts_with(": ")));
        match (role, messages.last_mut()) {
            (Some(role), _) => messages.push((role, line[role.len() + 2..].to_owned())),
            (None, Some((_, text))) => text.push_str(line),
            (None, None) => return vec![user_message(text)],
        }
    }
    messages.into_iter().map(|(role, text)| labelled_message(role, text.trim_end())).collect()
}

/// The message under a label such as `tool:` in a text.
fn labelled_message(role: &str, text: &str) -> Value {
    match role {
        // Without its call, a result can only be a user message.
        "tool" => user_message(text.to_owned()),
        role => json!({"role": role, "content": said(text)}),
    }
}

/// Python writes a missing value as `None`: treat it as empty.
fn said(text: &str) -> &str {
    if text == "None" { "" } else { text }
}

/// Normalises a message; plain text becomes a user message.
fn normalise_message(value: Value) -> Value {
    match value {
        Value::String(text) => user_message(text),
        Value::Object(mut fields) => {
            let content = fields.get("content").and_then(Value::as_str).and_then(parts_in);
            if let Some(content) = content {
                fields.insert("content".to_owned(), content);
            }
            // Some tracers log an answer's calls as its content, with the role of the tool.
            let calls = fields.get("content").and_then(Value::as_array).filter(|parts| {
                !parts.is_empty() && parts.iter().all(|part| part["function"]["name"].is_string())
            });
            if let Some(calls) = calls.cloned() {
                fields.insert("role".to_owned(), "assistant".into());
                fields.insert("tool_calls".to_owned(), calls.into());
                fields.insert("content".to_owned(), Value::Null);
            }
            fields.into()
        }
        other => other,
    }
}

/// The parts of a content logged as JSON text.
fn parts_in(text: &str) -> Option<Value> {
    const KEYS: [&str; 6] = ["text", "toolUse", "toolResult", "type", "tool_use", "reasoningContent"];
    let list: Vec<Map<String, Value>> =
        Some(text).filter(|text| text.starts_with("[{")).and_then(|text| serde_json::from_str(text).ok())?;
    list.iter().all(|part| KEYS.iter().any(|key| part.contains_key(*key))).then(|| list.into_iter().collect())
}

/// Converts an output to a response. `None` if the output is empty.
pub(super) fn normalise_response(output: Value) -> Option<Value> {
    match output {
        Value::Array(list) => of_answers(list),
        Value::Object(fields) => of_answer(fields),
        Value::String(text) => Some(json!({"role": "assistant", "content": said(&text)})),
        Value::Null => None,
        other => Some(json!({"role": "assistant", "content": other.to_string()})),
    }
}

fn of_answers(mut list: Vec<Value>) -> Option<Value> {
    if list.len() < 2 {
        return normalise_response(list.pop()?);
    }
    if list.iter().all(|item| item["toolCallId"].is_string() && item["toolName"].is_string()) {
        return Some(
            json!({"role": "assistant", "content": list.into_iter().map(normalise_call).collect::<Vec<_>>()}),
        );
    }
    if list.iter().any(|item| is_item(item) || item["type"] == "message") {
        return Some(json!({"object": "response", "output": list}));
    }
    if list.iter().all(is_part) {
        return Some(json!({"role": "assistant", "content": list}));
    }
    if list.iter().all(Value::is_string) {
        let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
        return Some(json!({"role": "assistant", "content": texts.join("\n")}));
    }
    let mut messages: Vec<Value> = Vec::new();
    for new in list.into_iter().map(normalise_message) {
        match messages.last_mut() {
            Some(last) if is_answer(last) && has_only_calls(&new) => join_answers(last, new),
            _ => messages.push(new),
        }
    }
    match messages.len() {
        1 => messages.pop().and_then(normalise_response),
        _ => Some(json!({ "messages": messages })),
    }
}

/// Returns true for a part of an answer, such as text or a call, logged without its message.
fn is_part(part: &Value) -> bool {
    const KINDS: [&str; 7] =
        ["text", "thinking", "reasoning", "tool_use", "tool-call", "tool_call", "server_tool_use"];
    let has_role = part.get("role").is_some();
    !has_role && part["type"].as_str().is_some_and(|kind| KINDS.contains(&kind))
}

fn is_answer(message: &Value) -> bool {
    matches!(message["role"].as_str(), Some("assistant" | "model" | "ai"))
}

/// Returns true for an answer with only calls; it is then a piece of the previous one.
fn has_only_calls(message: &Value) -> bool {
    if !is_answer(message) {
        return false;
    }
    let has_calls = message["tool_calls"].as_array().is_some_and(|calls| !calls.is_empty());
    if has_calls && is_empty(&message["content"]) {
        return true;
    }
    let Some(parts) = message["parts"].as_array() else { return false };
    !parts.is_empty() && parts.iter().all(|part| part["type"] == "tool_call")
}

/// Appends the calls of an answer to the previous one.
fn join_answers(last: &mut Value, new: Value) {
    for key in ["tool_calls", "parts"] {
        let Some(added) = new[key].as_array().cloned() else { continue };
        match last[key].as_array_mut() {
            Some(own) => own.extend(added),
            None => last[key] = added.into(),
        }
    }
}

/// Converts an AI SDK call to a part of an answer.
fn normalise_call(mut call: Value) -> Value {
    if let Some(fields) = call.as_object_mut() {
        fields.insert("type".to_owned(), "tool-call".into());
    }
    call
}

fn of_answer(fields: Map<String, Value>) -> Option<Value> {
    if fields.is_empty() {
        return None;
    }
    let whole = Value::from(fields);
    if is_part(&whole) {
        return Some(json!({"role": "assistant", "content": [whole]}));
    }
    let Value::Object(mut fields) = whole else { return None };
    if fields.contains_key("toolCallId") && fields.contains_key("toolName") {
        return Some(json!({"role": "assistant", "content": [normalise_call(fields.into())]}));
    }
    let has_calls = fields.get("toolCalls").is_some_and(Value::is_array);
    if has_calls || fields.get("text").is_some_and(Value::is_string) && !fields.contains_key("role") {
        // The AI SDK logs an answer's text and calls in separate fields.
        let text = fields.get("text").and_then(Value::as_str).filter(|text| !text.is_empty());
        let text = text.map(|text| json!({"type": "text", "text": text}));
        let calls = fields.get("toolCalls").and_then(Value::as_array).cloned().into_iter().flatten();
        let parts: Vec<Value> = text.into_iter().chain(calls.map(normalise_call)).collect();
        return Some(json!({"role": "assistant", "content": parts}));
    }
    // Strands logs the parts of an answer as the text of its message.
    if let Some(parts) = fields.get("message").and_then(Value::as_str).and_then(parts_in) {
        return Some(json!({"role": "assistant", "content": parts}));
    }
    let mut keys = ["output", "response", "result", "completion", "message"].iter();
    if let Some(key) = keys.find(|key| fields.get(**key).is_some_and(Value::is_string))
        && !RESPONSE.iter().any(|known| known != key && fields.contains_key(*known))
    {
        let text = fields.remove(*key);
        return Some(json!({"role": "assistant", "content": text}));
    }
    if RESPONSE.iter().any(|key| fields.contains_key(*key)) {
        return Some(normalise_message(fields.into()));
    }
    if !fields.contains_key("content") && !fields.contains_key("parts") {
        // A structured answer, with a schema from the request.
        return Some(json!({"role": "assistant", "content": Value::from(fields).to_string()}));
    }
    fields.insert("role".to_owned(), "assistant".into());
    Some(normalise_message(fields.into()))
}
