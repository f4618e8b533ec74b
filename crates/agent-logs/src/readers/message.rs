//! Messages with roles, in the words of OpenAI, Anthropic, Gemini, Bedrock, LangChain and others.

use crate::content::{Content, add_part, content, note_unread, reasoning};
use crate::draft::{Answer, Draft, call};
use crate::json::{Json, Object, arguments, json_text};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::time::LogTime;
use crate::transcript::{TranscriptCall, TranscriptUsage};

/// Fields of a message that are read, or that carry no content.
const FIELDS: &[&str] = &[
    "role",
    "content",
    "parts",
    "tool_calls",
    "toolCalls",
    "invalid_tool_calls",
    "function_call",
    "tool_call_id",
    "name",
    "refusal",
    "audio",
    "annotations",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "thoughts",
    "id",
    "conversation_id",
    "conversationId",
    "session_id",
    "sessionId",
    "thread_id",
    "threadId",
    "type",
    "model",
    "usage",
    "usage_metadata",
    "token_usage",
    "tokens",
    "cost",
    "response_metadata",
    "additional_kwargs",
    "example",
    "stop_reason",
    "stop_sequence",
    "stop_details",
    "phase",
    "weight",
    "container",
    "context_management",
    "finish_reason",
    "timestamp",
    "ts",
    "created_at",
    "createdAt",
    "is_error",
    "status",
    "cache_control",
    "turn_idx",
    "requestor",
    "raw",
    "raw_data",
    "diagnostics",
    "metadata",
    "internal_chat_message_metadata_passthrough",
];

/// Types of messages in sessions of Gemini that the model does not see.
const SHOWN: [&str; 3] = ["info", "warning", "error"];

/// Types of parts that are calls.
const CALLS: [&str; 7] = [
    "tool_use",
    "server_tool_use",
    "mcp_tool_use",
    "tool-call",
    "tool_call",
    "server_tool_call",
    "function_call",
];

/// Fields of a call.
const CALL: [&str; 10] = [
    "function",
    "custom",
    "name",
    "toolName",
    "tool_name",
    "function_name",
    "arguments",
    "input",
    "args",
    "parameters",
];

/// Fields of a call that hold its own result.
const OWN_RESULT: [&str; 4] = ["result", "output", "error", "errorText"];

/// The role of a message, in the words of OpenAI if it is known. LangChain, the sessions of Gemini and others say it as a type.
pub(super) fn role(object: &Object) -> Option<String> {
    let inner = inner(object);
    let object = inner.as_ref().unwrap_or(object);
    let known = |name: &str| match name.to_lowercase().as_str() {
        "human" | "user" => Some("user"),
        "ai" | "aimessagechunk" | "gemini" | "assistant" | "bot" | "agent" => Some("assistant"),
        "system" => Some("system"),
        "tool" => Some("tool"),
        "function" if object.has("content") => Some("function"),
        _ => None,
    };
    let of_type = |kind: String| known(&kind).map(str::to_owned);
    let of_role = |role: String| known(&role).map_or(role, str::to_owned);
    object.text("role").map(of_role).or_else(|| object.text("type").and_then(of_type))
}

/// The content of a message of LangChain, which stands below another object.
pub(super) fn inner<'a>(object: &Object<'a>) -> Option<Object<'a>> {
    let inner = object.object("kwargs").or_else(|| object.object("data"))?;
    (!object.has("role") && inner.has("content") && inner.has("type")).then_some(inner)
}

/// Reads one message into the draft, with the time that stands in it. Results of tools may be parts of it.
pub(super) fn message(
    object: &Object,
    answer: Answer,
    is_observation: bool,
    place: &LogPlace,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    let now = draft.now;
    draft.now = LogTime::of(object).or(now);
    timeless(object, answer, is_observation, place, draft, notes);
    draft.now = now;
}

fn timeless(
    object: &Object,
    answer: Answer,
    is_observation: bool,
    place: &LogPlace,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    let inner = inner(object);
    let object = inner.as_ref().unwrap_or(object);
    let role = role(object);
    let role = role.as_deref();
    let has_calls = object.list("tool_calls").is_some_and(|calls| !calls.is_empty());
    if role.is_none() && SHOWN.iter().any(|kind| object.is_a(kind)) {
        return notes.note("messages that were only shown", place.clone());
    }
    if object.text("requestor").is_some_and(|name| name == "user") || role == Some("user") && has_calls {
        return notes.note("calls of the user's own tools, which the model does not see", place.clone());
    }
    for (key, value) in object.fields().filter(|(key, _)| !FIELDS.contains(key)) {
        if key == "artifact" && !value.is_empty() {
            notes.note("artifacts of results, which are not sent", place.clone());
        } else if !value.is_empty() && !matches!(value.raw(), "true" | "false") {
            notes.lost(format!("fields {key} of messages left out"), place.clone());
        }
    }
    let thoughts = ["reasoning", "reasoning_content", "reasoning_details", "thoughts"];
    if thoughts.iter().any(|key| object.has(key)) {
        reasoning(place, notes);
    }
    if !matches!(role, Some("tool" | "function")) && object.has("name") {
        notes.note("names of speakers left out", place.clone());
    }
    let given = || object.first(&["content", "parts"]);
    let has_results = || parts(given(), place).into_iter().any(|(part, _)| is_result(part));
    match role {
        Some("system" | "developer") => draft.system(content(given(), place, notes), place.clone(), notes),
        Some("tool" | "function") if !has_results() => {
            let content = content(given(), place, notes);
            let own = object.get("id").filter(|_| object.has("requestor"));
            let id = object.first(&["tool_call_id", "tool_use_id"]).or(own).and_then(Json::text);
            draft.result(id, object.text("name"), content, place.clone());
            draft.fail_if(has_failed(object));
        }
        Some("assistant" | "model") => said(object, answer, place, draft, notes),
        // These follow an answer that was its text.
        Some("tool-call") => {
            draft.answer(Answer::Piece, content(given(), place, notes), Vec::new(), place.clone())
        }
        Some("user" | "tool" | "function") => heard(object, is_observation, place, draft, notes),
        Some("tool-response") => heard(object, true, place, draft, notes),
        None if given().is_none_or(Json::is_empty) => {
            notes.lost("messages without a role and content left out", place.clone())
        }
        other => {
            let other = other.unwrap_or("");
            notes.note(format!("messages of the role {other:?}, taken as observations"), place.clone());
            heard(object, true, place, draft, notes);
        }
    }
}

pub(super) fn has_failed(object: &Object) -> bool {
    let is_status = |status: String| status == "error" || status == "failed";
    object.is_true("is_error") || object.is_true("error") || object.text("status").is_some_and(is_status)
}

/// Reads an answer of the model: text, calls, and results of tools that stand with their calls. A part may begin
/// a further answer.
fn said(object: &Object, answer: Answer, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let (mut text, mut calls, mut results) = (Content::default(), Vec::new(), Vec::new());
    for (part, part_place) in parts(object.first(&["content", "parts"]), place) {
        if let Some(asked) = call_in(part) {
            if asked.object("caller").is_some_and(|caller| !caller.is_a("direct")) {
                notes.note("calls that a program of the model made", part_place.clone());
            }
            calls.push(call_of(&asked));
            note_unread_of_call(&asked, &part_place, notes);
            if OWN_RESULT.iter().any(|key| asked.has(key)) {
                results.push((asked, part_place));
            }
        } else if let Some(result) = result_in(part) {
            results.push((result, part_place));
        } else if !part.object().is_some_and(|part| part.is_a("step-start")) {
            add_part(&mut text, part, &part_place, notes);
        } else if !calls.is_empty() {
            let text = std::mem::take(&mut text);
            draft.answer(answer.clone(), text, std::mem::take(&mut calls), place.clone());
            add_results(std::mem::take(&mut results), draft, notes);
        }
    }
    let spoken = object.object("audio").and_then(|audio| audio.text("transcript"));
    for words in object.text("refusal").into_iter().chain(spoken) {
        text.add(&words);
    }
    let older = object.below("additional_kwargs");
    let lists = [object.list("tool_calls"), object.list("toolCalls"), object.list("invalid_tool_calls")];
    let lists = lists.into_iter().chain([older.list("tool_calls")]).flatten().flatten();
    for asked in lists.filter_map(Json::object) {
        let new = call_of(&asked);
        // LangChain repeats the calls among the parts.
        if !new.id.is_empty() && calls.iter().any(|call| call.id == new.id) {
            continue;
        }
        calls.push(new);
        note_unread_of_call(&asked, place, notes);
        if OWN_RESULT.iter().any(|key| asked.has(key)) && !asked.is_a("invalid_tool_call") {
            results.push((asked, place.clone()));
        }
    }
    let legacy = object.object("function_call").or_else(|| older.object("function_call"));
    calls.extend(legacy.filter(|_| calls.is_empty()).map(|call| call_of(&call)));
    draft.answer(answer, text, calls, place.clone());
    draft.usage(usage(object));
    add_results(results, draft, notes);
}

/// Reads words of the user and results of tools, in their order.
fn heard(object: &Object, is_observation: bool, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let mut text = Content::default();
    let mut has_results = false;
    for (part, part_place) in parts(object.first(&["content", "parts"]), place) {
        match result_in(part) {
            Some(result) => {
                has_results = true;
                if !text.is_none() {
                    draft.user(std::mem::take(&mut text), is_observation, place.clone());
                }
                add_result(&result, part_place, draft, notes);
            }
            None => add_part(&mut text, part, &part_place, notes),
        }
    }
    if !text.is_none() || !has_results {
        draft.user(text, is_observation, place.clone());
    }
}

/// The parts of a content; a text is one part.
fn parts<'a>(content: Option<Json<'a>>, place: &LogPlace) -> Vec<(Json<'a>, LogPlace)> {
    let Some(content) = content else { return Vec::new() };
    match content.list() {
        Some(parts) => {
            let with_place = |(index, part)| (part, place.item("content", index));
            parts.into_iter().enumerate().map(with_place).collect()
        }
        None => vec![(content, place.clone())],
    }
}

/// The call that a part is or holds.
fn call_in(part: Json) -> Option<Object> {
    let object = part.object()?;
    let kind = object.kind();
    let is_own = kind == "dynamic-tool" || kind.starts_with("tool-") && kind != "tool-result";
    if CALLS.contains(&kind.as_str()) || is_own && object.has("toolCallId") {
        return Some(object);
    }
    ["toolUse", "functionCall", "function_call", "toolInvocation"].iter().find_map(|key| object.object(key))
}

/// The result that a part is or holds.
fn result_in(part: Json) -> Option<Object> {
    let object = part.object()?;
    let kind = object.kind();
    if kind.ends_with("tool_result") || kind == "tool-result" {
        return Some(object);
    }
    ["toolResult", "functionResponse", "function_response"].iter().find_map(|key| object.object(key))
}

pub(super) fn is_result(part: Json) -> bool {
    result_in(part).is_some()
}

/// Reads a call, whose name and arguments may be below `function` or `custom`.
pub(super) fn call_of(outer: &Object) -> TranscriptCall {
    let inner = outer.object("function").or_else(|| outer.object("custom"));
    let inside = inner.as_ref().unwrap_or(outer);
    let of_type = || Some(outer.text("type")?.strip_prefix("tool-")?.to_owned());
    let name = inside
        .first(&["name", "function", "toolName", "tool_name", "function_name"])
        .and_then(Json::text)
        .or_else(of_type);
    let given = inside.first(&["arguments", "input", "args", "parameters"]);
    let arguments = match given.and_then(Json::text) {
        Some(text) if outer.has("custom") => json_text(&text),
        _ => arguments(given),
    };
    let id = outer.first(&["call_id", "tool_call_id", "id", "toolCallId", "toolUseId", "tool_id"]);
    call(id.and_then(Json::text), name, arguments)
}

/// Notes words that stand beside the name and the arguments of a call.
fn note_unread_of_call(outer: &Object, place: &LogPlace, notes: &mut Notes) {
    let inner = outer.object("function").or_else(|| outer.object("custom"));
    for object in inner.iter().chain([outer]) {
        note_unread(object, &[&CALL[..], &OWN_RESULT].concat(), "calls", place, notes);
    }
}

fn add_results(results: Vec<(Object, LogPlace)>, draft: &mut Draft, notes: &mut Notes) {
    for (result, place) in results {
        notes.note("results inside an answer, which stand after it", place.clone());
        add_result(&result, place, draft, notes);
    }
}

/// Adds a result that is a part of a message, or stands with its call.
fn add_result(result: &Object, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let keys = ["content", "error", "errorText", "result", "response", "output"];
    let key = keys.into_iter().find(|key| result.has(key));
    let given = key.and_then(|key| result.get(key));
    note_unread(result, &[&CALL[..], key.as_slice()].concat(), "results", &place, notes);
    // The AI SDK says what kind of output it is.
    let output = given.and_then(Json::object).filter(|output| output.has("type") && output.has("value"));
    let value = output.as_ref().map_or(given, |output| output.get("value"));
    let is_plain = ["tool_result", "mcp_tool_result"].iter().any(|kind| result.is_a(kind))
        || result.has("toolUseId")
        || output.as_ref().is_some_and(|output| output.is_a("content"));
    let content = match value {
        Some(value) if !is_plain => Content::of(value.plain()),
        value => content(value, &place, notes),
    };
    let id =
        result.first(&["tool_use_id", "tool_call_id", "id", "toolCallId", "toolUseId"]).and_then(Json::text);
    draft.result(id, result.text("name"), content, place);
    let is_error = output.is_some_and(|output| output.kind().starts_with("error"));
    let has_error = result.has("error") || result.has("errorText") || is_error;
    draft.fail_if(has_failed(result) || has_error);
}

/// Billed tokens of an answer or a response, by the names of all providers. `model` stands beside it.
pub(super) fn usage(object: &Object) -> Option<TranscriptUsage> {
    let told = object.below("response_metadata");
    let model = object
        .first(&["model", "modelVersion", "model_version"])
        .or_else(|| told.first(&["model_name", "model"]));
    let keys = ["usage", "usage_metadata", "usageMetadata", "token_usage", "tokens"];
    let usage = keys.iter().find_map(|key| object.object(key))?;
    let usage = usage_of(&usage, model.and_then(Json::text))?;
    Some(TranscriptUsage { cache_miss: cache_miss(object), ..usage })
}

/// The reason that Anthropic gives for input that was not read from the cache; `none` if it looked and gives none.
fn cache_miss(object: &Object) -> Option<String> {
    // It is null for a request that missed nothing.
    let (_, diagnostics) = object.fields().find(|(key, _)| *key == "diagnostics")?;
    let reason = diagnostics.object().and_then(|told| told.object("cache_miss_reason")?.text("type"));
    Some(reason.unwrap_or_else(|| "none".to_owned()))
}

pub(super) fn usage_of(usage: &Object, model: Option<String>) -> Option<TranscriptUsage> {
    let number = |keys: &[&str]| usage.first(keys).and_then(Json::read::<u64>);
    let details = ["prompt_tokens_details", "input_tokens_details", "input_token_details"];
    let details = details.iter().find_map(|key| usage.object(key));
    let detail = |keys: &[&str]| details.as_ref()?.first(keys).and_then(Json::read::<u64>);
    // These are not among the input tokens, others are.
    let read = number(&["cache_read_input_tokens", "input_tokens_cache_read", "cacheReadInputTokens"]);
    let written =
        number(&["cache_creation_input_tokens", "input_tokens_cache_write", "cacheWriteInputTokens"]);
    let beside = read.unwrap_or(0).saturating_add(written.unwrap_or(0));
    let input = number(&[
        "prompt_tokens",
        "input_tokens",
        "promptTokenCount",
        "prompt_token_count",
        "inputTokens",
        "request_tokens",
        "input",
    ]);
    let found = TranscriptUsage {
        model: None,
        input_tokens: input.map(|input| input.saturating_add(beside)),
        cached_tokens: read.or_else(|| detail(&["cached_tokens", "cache_read"])).or_else(|| {
            number(&[
                "cached_input_tokens",
                "cachedContentTokenCount",
                "cached_content_token_count",
                "cachedInputTokens",
                "cached",
                "cache_read_tokens",
                "cached_tokens",
            ])
        }),
        cache_write_tokens: written
            .or_else(|| detail(&["cache_write_tokens", "cache_creation"]))
            .or_else(|| number(&["cache_write_tokens", "cache_write_input_tokens"])),
        cache_write_1h_tokens: usage
            .object("cache_creation")
            .and_then(|written| written.number("ephemeral_1h_input_tokens")),
        output_tokens: number(&[
            "completion_tokens",
            "output_tokens",
            "candidatesTokenCount",
            "candidates_token_count",
            "outputTokens",
            "response_tokens",
            "output",
        ]),
        reasoning_tokens: ["completion_tokens_details", "output_tokens_details", "output_token_details"]
            .iter()
            .find_map(|key| usage.object(key)?.first(&["reasoning_tokens", "reasoning"])?.read())
            .or_else(|| number(&["reasoning_output_tokens", "thoughtsTokenCount", "reasoning_tokens"])),
        cost: usage.first(&["cost", "total_cost", "cost_usd"]).and_then(Json::read),
        cache_miss: None,
    };
    (found != TranscriptUsage::default()).then_some(TranscriptUsage { model, ..found })
}
