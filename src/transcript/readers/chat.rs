//! Messages with roles, as OpenAI, Anthropic and most others send them, and logs that hold lists of them.

use super::Reader;
use crate::transcript::draft::{Answer, Content, Draft, add_part, call, content, reasoning};
use crate::transcript::json::{Json, Object, arguments, json_text};
use crate::transcript::notes::{LogPlace, Notes};
use crate::transcript::read::Sink;
use crate::transcript::{TranscriptCall, TranscriptOutcome, TranscriptUsage};

/// Fields of a message that are read, or that carry no content.
const FIELDS: &[&str] = &[
    "role",
    "content",
    "tool_calls",
    "function_call",
    "tool_call_id",
    "name",
    "refusal",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "id",
    "type",
    "model",
    "usage",
    "stop_reason",
    "stop_sequence",
    "stop_details",
    "phase",
    "weight",
    "container",
    "context_management",
    "timestamp",
    "created_at",
    "is_error",
    "status",
    "cache_control",
];

/// Fields of a conversation or a logged request that are read, or that repeat others.
const LOG_FIELDS: &[&str] = &[
    "messages",
    "system",
    "tools",
    "functions",
    "choices",
    "usage",
    "model",
    "request",
    "response",
    "id",
    "name",
    "reward",
    "success",
    "object",
    "created",
    "role",
    "content",
    "type",
    "stop_reason",
    "body",
    "kwargs",
];

/// Reads logs of messages: conversations, or their messages one by one.
pub(super) struct Chats {
    format: &'static str,
    /// The conversation whose messages are values of their own.
    open: Option<Draft>,
}

impl Chats {
    pub(super) fn reader(format: &'static str) -> Box<dyn Reader> {
        Box::new(Chats { format, open: None })
    }
}

impl Reader for Chats {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = value.object() else {
            return sink.notes.lost("values that are no object", place);
        };
        if is_message(&object) {
            let draft = self.open.get_or_insert_with(|| Draft::new(self.format, None, place.line));
            message(&object, Answer::Whole, false, &place, draft, &mut sink.notes);
            draft.usage(usage(&object));
        } else {
            self.end(sink);
            conversation(self.format, &object, place, sink);
        }
    }

    fn end(&mut self, sink: &mut Sink) {
        if let Some(draft) = self.open.take() {
            sink.give(draft);
        }
    }
}

/// Returns true for one message, which is no response of a provider.
pub(super) fn is_message(object: &Object) -> bool {
    object.has("role") && !object.has("messages") && !object.has("usage")
}

/// The object itself or one of those below it that has this field.
fn below<'a>(object: &Object<'a>, paths: &[&[&str]], is_it: fn(&Object) -> bool) -> Option<Object<'a>> {
    paths.iter().find_map(|path| {
        let (first, rest) = path.split_first()?;
        let start = object.object(first)?;
        rest.iter().try_fold(start, |object, key| object.object(key)).filter(is_it)
    })
}

/// Reads a conversation, or a request with its response.
fn conversation(format: &str, object: &Object, place: LogPlace, sink: &mut Sink) {
    let is_request = |object: &Object| object.has("messages");
    let is_response = |object: &Object| object.has("choices") || object.has("content") && object.has("role");
    let notes = &mut sink.notes;
    let mut draft = Draft::new(format, object.text("id"), place.line);
    let inner = below(object, &[&["request"], &["request", "body"], &["body"], &["kwargs"]], is_request);
    let request = inner.as_ref().unwrap_or(object);
    let response =
        below(object, &[&["response"], &["response", "body"], &["output"], &["completion"]], is_response);
    let response = response.as_ref().or(Some(object).filter(|object| is_response(object)));
    if !is_request(request) && response.is_none() {
        return notes.lost("values without messages", place);
    }
    for (key, _) in object.fields().filter(|(key, value)| !LOG_FIELDS.contains(key) && !value.is_empty()) {
        notes.note(format!("fields {key} of the log left out"), place.clone());
    }
    draft.transcript.name = object.text("name");
    if let Some(system) = request.get("system") {
        let content = content(Some(system), &place.key("system"), notes);
        draft.system(content, place.key("system"), notes);
    }
    draft.tools(request.first(&["tools", "functions"]));
    for (index, said) in request.list("messages").unwrap_or_default().into_iter().enumerate() {
        let place = place.item("messages", index);
        match said.object() {
            Some(said) => {
                message(&said, Answer::Whole, false, &place, &mut draft, notes);
                if said.text("role").is_some_and(|role| role == "assistant") {
                    draft.usage(usage(&said));
                }
            }
            None => notes.lost("messages that are no object", place),
        }
    }
    let (success, reward) = (object.get("success"), object.get("reward"));
    let outcome = TranscriptOutcome {
        success: success.and_then(Json::read),
        reward: reward.and_then(Json::read),
        usage: None,
    };
    draft.transcript.outcome = Some(outcome).filter(|outcome| *outcome != TranscriptOutcome::default());
    let Some(response) = response else { return sink.give(draft) };
    let choices = response.list("choices").unwrap_or_default();
    if choices.len() > 1 {
        notes.lost("further choices of a response left out", place.item("choices", 1));
    }
    let choice = choices.first().and_then(|choice| choice.object()?.object("message"));
    let said = choice.as_ref().or(Some(response).filter(|response| response.has("role")));
    match said {
        Some(said) => message(said, Answer::Whole, false, &place.key("response"), &mut draft, notes),
        None => notes.lost("responses without a message", place),
    }
    draft.usage(usage(response));
    // The identifier is one of the response.
    if let Some(source) = &mut draft.transcript.source {
        source.id = None;
    }
    sink.give_call(draft);
}

/// Reads one message into the draft. Results of tools may be parts of it.
pub(super) fn message(
    object: &Object,
    answer: Answer,
    is_observation: bool,
    place: &LogPlace,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    let role = object.text("role").unwrap_or_default();
    for (key, value) in object.fields().filter(|(key, _)| !FIELDS.contains(key)) {
        if !value.is_empty() {
            notes.lost(format!("fields {key} of messages left out"), place.clone());
        }
    }
    if ["reasoning", "reasoning_content", "reasoning_details"].iter().any(|key| object.has(key)) {
        reasoning(place, notes);
    }
    match role.as_str() {
        "system" | "developer" => {
            draft.system(content(object.get("content"), place, notes), place.clone(), notes)
        }
        "tool" | "function" => {
            let content = content(object.get("content"), place, notes);
            let id = object.first(&["tool_call_id", "tool_use_id"]).and_then(Json::text);
            draft.result(id, object.text("name"), content, place.clone());
            if let Some(last) = draft.last() {
                last.is_error = object.is_true("is_error");
            }
        }
        "assistant" | "model" => said(object, answer, place, draft, notes),
        "user" => heard(object, is_observation, place, draft, notes),
        other => {
            notes.note(format!("messages of the role {other:?}, taken as observations"), place.clone());
            heard(object, true, place, draft, notes);
        }
    }
}

/// Reads an answer of the model: text, calls, and results of tools that the provider runs itself.
fn said(object: &Object, answer: Answer, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let (mut text, mut calls, mut results) = (Content::default(), Vec::new(), Vec::new());
    for (part, place) in parts(object.get("content"), place) {
        match part.object() {
            Some(object) if is_call(&object) => {
                calls.push(call_of(&object));
                if object.object("caller").is_some_and(|caller| !caller.is_a("direct")) {
                    notes.note("calls that a program of the model made", place.clone());
                }
                if object.has("result") || object.has("error") {
                    results.push((object, place));
                }
            }
            Some(object) if is_result(&object) => results.push((object, place)),
            _ => add_part(&mut text, part, &place, notes),
        }
    }
    if let Some(refusal) = object.text("refusal") {
        text.add(&refusal);
    }
    for call in object.list("tool_calls").into_iter().flatten().filter_map(Json::object) {
        calls.push(call_of(&call));
    }
    calls.extend(object.object("function_call").map(|call| call_of(&call)));
    draft.answer(answer, text, calls, place.clone());
    for (result, place) in results {
        notes.note("results inside an answer, which stand after it", place.clone());
        add_result(&result, place, draft, notes);
    }
}

/// Reads words of the user and results of tools, in their order.
fn heard(object: &Object, is_observation: bool, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let mut text = Content::default();
    let mut has_results = false;
    for (part, part_place) in parts(object.get("content"), place) {
        match part.object().filter(is_result) {
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

fn is_call(part: &Object) -> bool {
    ["tool_use", "server_tool_use", "mcp_tool_use"].iter().any(|kind| part.is_a(kind))
}

pub(super) fn is_result(part: &Object) -> bool {
    part.text("type").is_some_and(|kind| kind.ends_with("tool_result"))
}

/// Reads a call, whose name and arguments may be below `function` or `custom`.
pub(super) fn call_of(outer: &Object) -> TranscriptCall {
    let inner = outer.object("function").or_else(|| outer.object("custom"));
    let inside = inner.as_ref().unwrap_or(outer);
    let name = inside.first(&["name", "function"]).and_then(Json::text);
    let given = inside.first(&["arguments", "input", "args", "parameters"]);
    let arguments = match given.and_then(Json::text) {
        Some(text) if outer.has("custom") => json_text(&text),
        _ => arguments(given),
    };
    call(outer.first(&["id", "call_id"]).and_then(Json::text), name, arguments)
}

/// Adds a result that is a part of a message. A call of Inspect holds its own.
fn add_result(result: &Object, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let is_plain = result.is_a("tool_result") || result.is_a("mcp_tool_result");
    let content = match result.first(&["content", "error", "result"]) {
        Some(value) if !is_plain => {
            Content::of(value.text().unwrap_or_else(|| value.compact().get().to_owned()))
        }
        value => content(value, &place, notes),
    };
    draft.result(result.first(&["tool_use_id", "id"]).and_then(Json::text), None, content, place);
    if let Some(last) = draft.last() {
        last.is_error = result.is_true("is_error") || result.has("error");
    }
}

/// Billed tokens below `usage`, by the names of all providers. `model` stands beside it.
pub(super) fn usage(object: &Object) -> Option<TranscriptUsage> {
    usage_of(&object.object("usage")?, object.text("model"))
}

pub(super) fn usage_of(usage: &Object, model: Option<String>) -> Option<TranscriptUsage> {
    let number = |keys: &[&str]| usage.first(keys).and_then(Json::read::<u64>);
    let details = usage.object("prompt_tokens_details").or_else(|| usage.object("input_tokens_details"));
    let details = details.unwrap_or_default();
    // These are not among the input tokens, others are.
    let read = number(&["cache_read_input_tokens", "input_tokens_cache_read"]);
    let written = number(&["cache_creation_input_tokens", "input_tokens_cache_write"]);
    let beside = read.unwrap_or(0).saturating_add(written.unwrap_or(0));
    let input = number(&["prompt_tokens", "input_tokens"]);
    let found = TranscriptUsage {
        model: None,
        input_tokens: input.map(|input| input.saturating_add(beside)),
        cached_tokens: read
            .or_else(|| details.number("cached_tokens"))
            .or_else(|| number(&["cached_input_tokens"])),
        cache_write_tokens: written.or_else(|| details.number("cache_write_tokens")),
        output_tokens: number(&["completion_tokens", "output_tokens"]),
        cost: usage.first(&["cost", "total_cost"]).and_then(Json::read),
    };
    (found != TranscriptUsage::default()).then_some(TranscriptUsage { model, ..found })
}
