//! Chat sessions of Visual Studio Code: `chatSessions/….json`, or `.jsonl` with incremental changes of the same object. The rounds
//! of each request are in its result's metadata.

use serde_json::Value;

use super::providers::openai;
use crate::content::Content;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, parse_arguments};
use crate::listed::list_objects;
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{TranscriptCompaction, TranscriptUsage};
use crate::unread::Fields;

const NAME: &str = "vscode-chat";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of VS Code's chat with Copilot (chatSessions): one object with requests, or its changes as JSON Lines",
    recognises: |object| is_session(object) || object.has("kind") && is_session(&object.below("v")),
    reader: || Box::new(Sessions::default()),
};

static DIALECT: Dialect = Dialect(&[&openai::CHAT]);

/// Fields that are read, only shown in the chat, or never part of a request.
const FIELDS: Fields = Fields {
    below: &["message", "metadata", "parts", "requests", "response", "result", "toolCallRounds"],
    known: &[
        "agent",
        "attachedContext",
        "codeCitations",
        "content",
        "contentReferences",
        "customTitle",
        "details",
        "editedFileEvents",
        "followups",
        "inputState",
        "invocationMessage",
        "modelMessages",
        "modelState",
        "pastTenseMessage",
        "phase",
        "renderedGlobalContext",
        "renderedUserMessage",
        "responderUsername",
        "resultDetails",
        "slashCommand",
        "summary",
        "text",
        "thinking",
        "toolCallResults",
        "toolCalls",
        "toolSpecificData",
        "usage",
        "value",
        "variableData",
    ],
};

/// Known fields of a change.
const CHANGE: Fields = Fields { below: &[], known: &["k", "v"] };

/// Maximum depth of a change's path, and of the nodes in a result.
const MAX_DEPTH: usize = 64;

fn is_session(object: &Object) -> bool {
    if !object.has("sessionId") && !object.has("responderUsername") {
        return false;
    }
    let Some(requests) = object.list("requests") else { return false };
    let Some(first) = requests.first() else { return true };
    let Some(first) = first.object() else { return false };
    first.has("message") && first.has("response") || first.has("requestId")
}

/// The state after the changes so far.
#[derive(Default)]
struct Sessions(Option<(Value, LogPlace)>);

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let kind = if object.has("requests") { None } else { object.number("kind") };
        let Some(kind) = kind else { return read_session(&object, &place, sink) };
        CHANGE.note_unread(&object, "changes", &place, &mut sink.notes);
        let value = object.get("v").and_then(Json::read::<Value>);
        if kind == 0 {
            self.finish_log(sink);
            self.0 = value.map(|state| (state, place));
            return;
        }
        let Some((state, _)) = &mut self.0 else {
            return sink.notes.lost("changes before the first state of a session", place);
        };
        let path: Vec<Value> = object.get("k").and_then(Json::read).unwrap_or_default();
        let is_done = match kind {
            1 => set_value(state, &path, value),
            2 => push_values(state, &path, value, object.number("i")),
            3 => set_value(state, &path, None),
            _ => false,
        };
        if !is_done {
            sink.notes.lost("changes of a session that cannot be made", place);
        }
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        let Some((state, place)) = self.0.take() else { return };
        if let Some(object) = Json::parse(&state.to_string()).ok().and_then(Json::object) {
            read_session(&object, &place, sink);
        }
    }
}

fn value_at<'v>(state: &'v mut Value, path: &[Value]) -> Option<&'v mut Value> {
    if path.len() > MAX_DEPTH {
        return None;
    }
    let mut value = state;
    for step in path {
        value = match step {
            Value::String(key) => value.as_object_mut()?.get_mut(key)?,
            step => value.as_array_mut()?.get_mut(parse_index(step)?)?,
        };
    }
    Some(value)
}

fn parse_index(step: &Value) -> Option<usize> {
    usize::try_from(step.as_u64()?).ok()
}

/// Sets or removes the value at a path. Returns false if the path doesn't exist.
fn set_value(state: &mut Value, path: &[Value], new: Option<Value>) -> bool {
    let Some((last, above)) = path.split_last() else { return false };
    let Some(parent) = value_at(state, above) else { return false };
    match (last, parent) {
        (Value::String(key), Value::Object(fields)) => match new {
            Some(new) => drop(fields.insert(key.clone(), new)),
            None => drop(fields.shift_remove(key)),
        },
        (step, Value::Array(items)) => {
            let Some(index) = parse_index(step) else { return false };
            let Some(place) = items.get_mut(index) else { return false };
            *place = new.unwrap_or(Value::Null);
        }
        _ => return false,
    }
    true
}

/// Truncates the list at a path to `kept` items, then appends the new ones.
fn push_values(state: &mut Value, path: &[Value], new: Option<Value>, kept: Option<u64>) -> bool {
    let Some(Value::Array(items)) = value_at(state, path) else { return false };
    if let Some(kept) = kept.and_then(|kept| usize::try_from(kept).ok()) {
        items.truncate(kept);
    }
    if let Some(Value::Array(new)) = new {
        items.extend(new);
    }
    true
}

fn read_session(object: &Object, place: &LogPlace, sink: &mut Sink) {
    let mut draft = Draft::new(NAME, object.text("sessionId"), place.line);
    draft.transcript.name = object.text("customTitle");
    FIELDS.note_unread(object, "sessions", place, &mut sink.notes);
    for (request, place) in list_objects(object, "requests", "requests", place, &mut sink.notes) {
        read_request(&request, &place, &mut draft, &mut sink.notes);
    }
    sink.give(draft);
}

fn read_request(request: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let asked = LogTime::of_object(request);
    draft.now = asked;
    let message = request.below("message");
    let metadata = request.below("result").below("metadata");
    // Newer versions have the words as sent in the metadata.
    let rendered = metadata.get("renderedUserMessage").and_then(Json::read::<Value>).unwrap_or_default();
    let words = match join_texts(&rendered) {
        text if text.is_empty() => message.text("text").or(request.text("message")),
        text => Some(text),
    };
    match words {
        Some(words) => draft.add_user_text(Content::of(words), false, place.key("message")),
        None => notes.lost("requests without the words of the user", place.clone()),
    }
    for (_, place) in list_objects(&request.below("variableData"), "variables", "attachments", place, notes) {
        notes.note("attachments, whose content the log lacks", place);
    }
    let rounds = list_objects(&metadata, "toolCallRounds", "rounds", &place.key("result"), notes);
    let results = metadata.below("toolCallResults");
    let number = rounds.len();
    for (index, (round, place)) in rounds.into_iter().enumerate() {
        if let Some(text) = round.text("summary") {
            let time = draft.now.map(|time| time.to_string());
            let compaction =
                TranscriptCompaction { text: Some(text), time, ..TranscriptCompaction::default() };
            draft.add_compaction(compaction, |_| false, &place, notes);
        }
        read_round(&round, &results, &place, draft, notes);
        if index + 1 == number {
            finish_request(request, asked, draft);
        }
    }
    if number == 0 {
        read_shown(request, place, draft, notes);
        finish_request(request, asked, draft);
    }
}

/// Reads an answer of the model and the results of its tools.
fn read_round(round: &Object, results: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    draft.now = LogTime::of_object(round).or(draft.now);
    if let Some(thinking) = round.get("thinking")
        && !thinking.is_empty()
    {
        crate::content::note_reasoning(place, notes);
    }
    let calls: Vec<Object> = round.list("toolCalls").into_iter().flatten().filter_map(Json::object).collect();
    let text = Content::of(round.text("response").unwrap_or_default());
    let made = calls.iter().map(|call| DIALECT.call_of(call)).collect();
    draft.add_answer(Answer::Whole, text, made, place.clone());
    for call in &calls {
        let Some(id) = call.text("id") else { continue };
        let Some(given) = results.get(&id).and_then(Json::read::<Value>) else { continue };
        draft.add_result(Some(id), None, Content::of(join_texts(&given["content"])), place.clone());
    }
}

/// All texts of a result, including those in trees of nodes.
fn join_texts(value: &Value) -> String {
    let mut all = String::new();
    add_texts(value, 0, &mut all);
    all
}

fn add_texts(value: &Value, depth: usize, all: &mut String) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::String(text) => {
            if !all.is_empty() && !all.ends_with('\n') {
                all.push('\n');
            }
            all.push_str(text);
        }
        Value::Array(items) => {
            for item in items {
                add_texts(item, depth + 1, all);
            }
        }
        Value::Object(fields) => {
            for key in ["value", "text", "node", "children"] {
                if let Some(value) = fields.get(key) {
                    add_texts(value, depth + 1, all);
                }
            }
        }
        _ => {}
    }
}

/// Reads the displayed parts if a session has no rounds: texts, and calls without arguments.
fn read_shown(request: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let (mut text, mut calls) = (Content::default(), Vec::new());
    for (part, place) in list_objects(request, "response", "parts", place, notes) {
        match (part.text("kind").as_deref(), part.text("value")) {
            (None | Some("markdownContent"), Some(said)) => text.add_text(&said),
            (Some("toolInvocationSerialized"), _) => {
                notes.lost("arguments and results of calls, which the session does not keep", place);
                let name = part.text("toolId");
                calls.push(crate::draft::new_call(part.text("toolCallId"), name, parse_arguments(None)));
            }
            (Some(kind), _) => notes.note(format!("parts of the kind {kind}, which are only shown"), place),
            (None, None) => {}
        }
    }
    if !text.is_none() || !calls.is_empty() {
        draft.add_answer(Answer::Whole, text, calls, place.key("response"));
    }
}

/// Adds the bill and the end time to the last answer of a request. The token counts are those of its last call.
fn finish_request(request: &Object, asked: Option<LogTime>, draft: &mut Draft) {
    let result = request.below("result");
    let usage = result.below("usage");
    let model = request.text("modelId").map(|id| id.rsplit('/').next().unwrap_or(&id).to_owned());
    let input = request.number("promptTokens").or(usage.number("promptTokens"));
    let output_tokens = request
        .number("completionTokens")
        .or(usage.number("completionTokens"))
        .or(result.below("metadata").number("outputTokens"));
    let input_tokens = input.filter(|tokens| *tokens > 0);
    if input_tokens.is_some() || output_tokens.is_some() {
        let usage = TranscriptUsage { model, input_tokens, output_tokens, ..TranscriptUsage::default() };
        draft.usage(Some(usage));
    }
    draft.name_call(request.text("requestId").zip(asked).map(|(id, asked)| format!("{id} {asked}")));
    let took = result.below("timings").get("totalElapsed").and_then(Json::read::<f64>);
    if let (Some(asked), Some(took)) = (asked, took) {
        draft.set_end(asked.after(took));
    }
}
