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
        Value::Array(list) => request_of_list(list),
        Value::Object(input) => request_of_object(input),
        Value::String(text) => request_of_messages(split_labelled_text(text)),
        _ => request_of_messages(Vec::new()),
    }
}

fn request_of_messages(messages: Vec<Value>) -> Value {
    json!({ "messages": messages })
}

fn request_of_list(mut list: Vec<Value>) -> Value {
    // Batches hold a list of conversations; tracers log only one.
    if let [Value::Array(_)] = list.as_slice() {
        return list.pop().map_or(Value::Null, normalise_request);
    }
    if list.iter().any(is_item) {
        return json!({ "input": list });
    }
    // The LangChain handler logs tools after the messages, as messages with the role `tool`.
    let (mut messages, mut tools) = (Vec::new(), Vec::new());
    for mut message in list {
        if message["role"] == "tool" && message["content"]["function"]["name"].is_string() {
            tools.push(message["content"].take());
        } else {
            messages.push(normalise_message(message));
        }
    }
    let mut request = request_of_messages(messages);
    if !tools.is_empty() {
        request["tools"] = tools.into();
    }
    request
}

/// Returns true for item types found only in OpenAI responses.
fn is_item(item: &Value) -> bool {
    item.get("role").is_none() && has_type(item, &ITEMS)
}

fn has_type(item: &Value, types: &[&str]) -> bool {
    match item["type"].as_str() {
        Some(kind) => types.contains(&kind),
        None => false,
    }
}

fn contains_any(fields: &Map<String, Value>, keys: &[&str]) -> bool {
    keys.iter().any(|key| fields.contains_key(*key))
}

fn request_of_object(mut input: Map<String, Value>) -> Value {
    let below = BELOW.iter().find(|key| input.get(**key).is_some_and(is_filled_object));
    if let Some(key) = below
        && (*key == "kwargs" || !contains_any(&input, &MESSAGES))
    {
        let inner = normalise_request(input.remove(*key).unwrap_or(Value::Null));
        if has_any_message(&inner) {
            return inner;
        }
    }
    if input.contains_key("role") && contains_any(&input, &["content", "parts"]) {
        return request_of_list(vec![input.into()]);
    }
    let mut inner = match remove_messages(&mut input) {
        Some(("contents", Value::String(text))) => request_of_messages(vec![user_message(text)]),
        // Function arguments: the prompt comes first.
        Some(("args", Value::Array(list))) => {
            normalise_request(list.into_iter().next().unwrap_or(Value::Null))
        }
        Some((_, value)) => normalise_request(value),
        None => request_of_messages(only_text(&input).into_iter().map(user_message).collect()),
    };
    // Google's clients keep the system prompt and tools in the settings.
    if let Some(Value::Object(config)) = input.remove("config") {
        for (key, value) in config {
            input.entry(key).or_insert(value);
        }
    }
    if let Some(fields) = inner.as_object_mut() {
        for key in BESIDE {
            if let Some(value) = input.remove(key)
                && !is_empty(&value)
            {
                fields.entry(key).or_insert(value);
            }
        }
        if let Some(tools) = fields.get_mut("tools")
            && tools.is_object()
        {
            *tools = Value::Array(vec![tools.take()]);
        }
    }
    inner
}

/// Takes the first non-empty field with messages out of an input.
fn remove_messages(input: &mut Map<String, Value>) -> Option<(&'static str, Value)> {
    for key in MESSAGES {
        if let Some(value) = input.get_mut(key)
            && !is_empty(value)
        {
            return Some((key, input.remove(key)?));
        }
    }
    None
}

fn is_filled_object(value: &Value) -> bool {
    value.is_object() && !is_empty(value)
}

fn is_filled_list(value: &Value) -> bool {
    value.is_array() && !is_empty(value)
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
    is_filled_list(&request["messages"]) || is_filled_list(&request["input"])
}

/// The text of an input, if it has exactly one.
fn only_text(input: &Map<String, Value>) -> Option<String> {
    let mut texts = input.values().filter_map(Value::as_str);
    let first = texts.next()?;
    if texts.next().is_none() { Some(first.to_owned()) } else { None }
}

fn user_message(text: String) -> Value {
    json!({"role": "user", "content": text})
}

/// Splits a text into messages at lines with a role and a colon. Any other text is one user message.
fn split_labelled_text(text: String) -> Vec<Value> {
    let mut messages: Vec<(&str, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        match (split_label(line), messages.last_mut()) {
            (Some((role, rest)), _) => messages.push((role, rest.to_owned())),
            (None, Some((_, text))) => text.push_str(line),
            (None, None) => return vec![user_message(text)],
        }
    }
    messages.into_iter().map(|(role, text)| labelled_message(role, text.trim_end())).collect()
}

/// Splits a line such as `user: hello` into the role and the rest.
fn split_label(line: &str) -> Option<(&str, &str)> {
    let (role, rest) = line.split_once(": ")?;
    ROLES.contains(&role).then_some((role, rest))
}

/// The message under a label such as `tool:` in a text.
fn labelled_message(role: &str, text: &str) -> Value {
    match role {
        // Without its call, a result can only be a user message.
        "tool" => user_message(text.to_owned()),
        role => json!({"role": role, "content": none_as_empty(text)}),
    }
}

/// Python writes a missing value as `None`: treat it as empty.
fn none_as_empty(text: &str) -> &str {
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
            if let Some(content) = fields.get_mut("content")
                && is_list_of_calls(content)
            {
                let calls = content.take();
                fields.insert("role".to_owned(), "assistant".into());
                fields.insert("tool_calls".to_owned(), calls);
            }
            fields.into()
        }
        other => other,
    }
}

fn is_list_of_calls(content: &Value) -> bool {
    let Some(parts) = content.as_array() else { return false };
    !parts.is_empty() && parts.iter().all(|part| part["function"]["name"].is_string())
}

/// The parts of a content logged as JSON text.
fn parts_in(text: &str) -> Option<Value> {
    const KEYS: [&str; 6] = ["text", "toolUse", "toolResult", "type", "tool_use", "reasoningContent"];
    if !text.starts_with("[{") {
        return None;
    }
    let list: Vec<Map<String, Value>> = serde_json::from_str(text).ok()?;
    if !list.iter().all(|part| contains_any(part, &KEYS)) {
        return None;
    }
    Some(list.into_iter().collect())
}

/// Converts an output to a response. `None` if the output is empty.
pub(super) fn normalise_response(output: Value) -> Option<Value> {
    match output {
        Value::Array(list) => response_of_list(list),
        Value::Object(fields) => response_of_object(fields),
        Value::String(text) => Some(answer_with(none_as_empty(&text))),
        Value::Null => None,
        other => Some(answer_with(other.to_string())),
    }
}

fn answer_with(content: impl Into<Value>) -> Value {
    json!({"role": "assistant", "content": content.into()})
}

fn response_of_list(mut list: Vec<Value>) -> Option<Value> {
    if list.len() < 2 {
        return normalise_response(list.pop()?);
    }
    if list.iter().all(is_ai_sdk_call) {
        return Some(answer_with(list.into_iter().map(normalise_call).collect::<Vec<_>>()));
    }
    if list.iter().any(|item| is_item(item) || item["type"] == "message") {
        return Some(json!({"object": "response", "output": list}));
    }
    if list.iter().all(is_part) {
        return Some(answer_with(list));
    }
    if list.iter().all(Value::is_string) {
        let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
        return Some(answer_with(texts.join("\n")));
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
    part.get("role").is_none() && has_type(part, &KINDS)
}

fn is_ai_sdk_call(item: &Value) -> bool {
    item["toolCallId"].is_string() && item["toolName"].is_string()
}

fn is_answer(message: &Value) -> bool {
    matches!(message["role"].as_str(), Some("assistant" | "model" | "ai"))
}

/// Returns true for an answer with only calls; it is then a piece of the previous one.
fn has_only_calls(message: &Value) -> bool {
    if !is_answer(message) {
        return false;
    }
    if is_filled_list(&message["tool_calls"]) && is_empty(&message["content"]) {
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

/// The parts of an AI SDK answer, which has its text and calls in separate fields.
fn parts_of_ai_sdk(fields: &Map<String, Value>) -> Option<Vec<Value>> {
    let text = fields.get("text").and_then(Value::as_str);
    let calls = fields.get("toolCalls").and_then(Value::as_array);
    if calls.is_none() && (text.is_none() || fields.contains_key("role")) {
        return None;
    }
    let mut parts = Vec::new();
    if let Some(text) = text
        && !text.is_empty()
    {
        parts.push(json!({"type": "text", "text": text}));
    }
    parts.extend(calls.into_iter().flatten().cloned().map(normalise_call));
    Some(parts)
}

/// Converts an AI SDK call to a part of an answer.
fn normalise_call(mut call: Value) -> Value {
    if let Some(fields) = call.as_object_mut() {
        fields.insert("type".to_owned(), "tool-call".into());
    }
    call
}

fn response_of_object(fields: Map<String, Value>) -> Option<Value> {
    if fields.is_empty() {
        return None;
    }
    let whole = Value::from(fields);
    if is_part(&whole) {
        return Some(answer_with(vec![whole]));
    }
    if is_item(&whole) {
        return Some(json!({"object": "response", "output": [whole]}));
    }
    let Value::Object(mut fields) = whole else { return None };
    if fields.contains_key("toolCallId") && fields.contains_key("toolName") {
        return Some(answer_with(vec![normalise_call(fields.into())]));
    }
    if let Some(parts) = parts_of_ai_sdk(&fields) {
        return Some(answer_with(parts));
    }
    // Strands logs the parts of an answer as the text of its message.
    if let Some(parts) = fields.get("message").and_then(Value::as_str).and_then(parts_in) {
        return Some(answer_with(parts));
    }
    let mut keys = ["output", "response", "result", "completion", "message"].iter();
    if let Some(key) = keys.find(|key| fields.get(**key).is_some_and(Value::is_string))
        && !RESPONSE.iter().any(|known| known != key && fields.contains_key(*known))
    {
        return fields.remove(*key).map(answer_with);
    }
    if contains_any(&fields, &RESPONSE) {
        return Some(normalise_message(fields.into()));
    }
    if !contains_any(&fields, &["content", "parts"]) {
        // A structured answer, with a schema from the request.
        return Some(answer_with(Value::from(fields).to_string()));
    }
    fields.insert("role".to_owned(), "assistant".into());
    Some(normalise_message(fields.into()))
}
