//! OpenAI's Responses API: lists of items with a `type`, alone or as the input and output of a request.

use super::bodies::{BODIES, note_schema};
use super::providers::openai;
use crate::content::{Content, note_reasoning};
use crate::draft::{Answer, Draft, new_call};
use crate::fingerprint::of_text;
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, parse_arguments};
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::provider_tools::KnownContainers;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::TranscriptCall;

const NAME: &str = "openai-responses";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "responses of OpenAI: items of the types message, function_call and function_call_output",
    recognises: recognises_responses,
    reader: || Box::new(Responses::default()),
};

/// Items may also be chat messages.
static DIALECT: Dialect = Dialect(&[&openai::RESPONSES, &openai::CHAT]);

/// Fields of a logged request or response that are read or repeat others.
const FIELDS: &[&str] = &[
    "input",
    "messages",
    "output",
    "instructions",
    "system",
    "tools",
    "usage",
    "model",
    "request",
    "response",
    "body",
    "id",
    "object",
    "created_at",
    "previous_response_id",
    "output_text",
    "status",
];

/// Fields with the result of a call run by the provider.
const OWN_RESULT: [&str; 5] = ["error", "output", "results", "outputs", "result"];

/// Fields with the arguments of a call run by the provider.
const ASKED: [&str; 7] = ["action", "actions", "operation", "arguments", "queries", "code", "input"];

/// Fields of calls and results that are read.
const ITEM: &[&str] = &[
    "name",
    "arguments",
    "input",
    "output",
    "action",
    "actions",
    "operation",
    "queries",
    "code",
    "results",
    "outputs",
    "error",
    "result",
    "tools",
];

/// Types of items with an encrypted summary; only the provider can read it.
pub(super) const OPAQUE: [&str; 3] = ["compaction", "context_compaction", "compaction_summary"];

fn recognises_responses(object: &Object) -> bool {
    if is_item(object) || is_log(object) {
        return true;
    }
    for inner in ["request", "response", "body"].iter().filter_map(|key| object.object(key)) {
        if is_log(&inner) || inner.object("body").is_some_and(|body| is_log(&body)) {
            return true;
        }
    }
    false
}

fn is_item(object: &Object) -> bool {
    let kind = object.kind();
    let mut parts = object.list("content").into_iter().flatten().filter_map(Json::object);
    kind == "reasoning" && object.has("summary")
        || kind.ends_with("_call") && (object.has("call_id") || object.has("status"))
        || kind.ends_with("_call_output") && object.has("call_id")
        || parts.any(|part| part.is_a("input_text") || part.is_a("output_text"))
}

/// Returns true for a request, a response, or both in one object.
fn is_log(object: &Object) -> bool {
    if object.text("object").is_some_and(|kind| kind == "response") || object.list("output").is_some() {
        return true;
    }
    if object.object("input").is_some() || object.object("output").is_some() {
        return false;
    }
    let mut items = object.list("input").into_iter().flatten().filter_map(Json::object);
    object.has("input") && (object.has("instructions") || object.has("model"))
        || items.any(|item| item.has("role") || item.has("call_id"))
}

/// Reads requests with their responses, or items logged one by one.
#[derive(Default)]
struct Responses {
    open: Option<Draft>,
    containers: KnownContainers,
}

impl Reader for Responses {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let is_log = object.first(&["request", "response", "body"]).is_some()
            || object.first(&["input", "output"]).is_some() && (!object.has("type") || object.has("object"));
        if !is_log {
            let draft = self.open.get_or_insert_with(|| Draft::new(NAME, None, place.line));
            read_item(&object, &place, draft, &mut sink.notes);
        } else {
            self.finish_log(sink);
            read_log(&object, &mut self.containers, place, sink);
        }
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(draft) = self.open.take() {
            sink.give(draft);
        }
    }
}

/// The request or response in a field. Some logs have it one level deeper, in `body`.
fn body_in<'a>(object: &Object<'a>, key: &str) -> Option<Object<'a>> {
    let inner = object.object(key)?;
    Some(inner.object("body").unwrap_or(inner))
}

fn read_log(object: &Object, containers: &mut KnownContainers, place: LogPlace, sink: &mut Sink) {
    let notes = &mut sink.notes;
    let request = body_in(object, "request").or_else(|| body_in(object, "body"));
    let response = body_in(object, "response");
    for body in request.iter().chain(&response) {
        BODIES.note_unread(body, "requests and responses", &place, notes);
    }
    let (request, response) = (request.as_ref().unwrap_or(object), response.as_ref().unwrap_or(object));
    for (key, value) in object.fields() {
        if !FIELDS.contains(&key) && !LogTime::is_field(key) && !value.is_empty() {
            notes.note(format!("fields {key} of the log left out"), place.clone());
        }
    }
    let mut draft = Draft::new(NAME, None, place.line);
    draft.previous = request.text("previous_response_id").or_else(|| response.text("previous_response_id"));
    draft.response = response.text("id");
    if let Some(system) = request.get("system").or_else(|| object.get("system")) {
        let place = place.key("system");
        draft.set_system(DIALECT.read_content(Some(system), &place, notes), place, notes);
    }
    let answer = match object.has("response") && !response.has("output") {
        true => response.list("messages"),
        false => None,
    };
    let has_input = request.has("input") || response.has("input");
    // Tracers keep the input as `messages` if it has no item of another type.
    for key in ["instructions", "input", "messages"] {
        let own = request.get(key);
        let echoed = if key == "messages" && answer.is_some() { None } else { response.get(key) };
        let Some(value) = own.or(echoed) else { continue };
        if key == "messages" && has_input {
            notes.note("messages beside an input, read as a copy of it", place.key(key));
            continue;
        }
        match (value.text(), value.list()) {
            (Some(text), _) if key == "instructions" => {
                draft.set_system(Content::of(text), place.key(key), notes)
            }
            (Some(text), _) => draft.add_user_text(Content::of(text), false, place.key(key)),
            (None, Some(list)) => read_items(list, &place, key, &mut draft, notes),
            (None, None) => notes.lost(format!("{key} that is no text or list"), place.key(key)),
        }
    }
    draft.declare_tools(request.get("tools").or_else(|| response.get("tools")), &place, notes);
    note_schema(request, &place, notes);
    if let Some(answer) = answer {
        read_items(answer, &place.key("response"), "messages", &mut draft, notes);
        draft.usage(DIALECT.usage(response));
        draft.sent_by(object);
        return sink.give_call(draft);
    }
    let Some(output) = response.list("output") else {
        let Some(text) = response.text("output") else {
            // Tracers log a message or a text instead of an output with one item.
            if object.has("response") && response.has("role") {
                let place = place.key("response");
                DIALECT.read_message(response, Answer::Whole, false, &place, &mut draft, notes);
                draft.usage(DIALECT.usage(response));
                draft.sent_by(object);
                return sink.give_call(draft);
            }
            if object.first(&["request", "response", "body"]).is_none() {
                return sink.give(draft);
            }
            notes.note("requests without a response", place);
            return sink.give_call(draft);
        };
        draft.add_answer(Answer::Whole, Content::of(text), Vec::new(), place.key("output"));
        draft.usage(DIALECT.usage(response));
        draft.sent_by(object);
        return sink.give_call(draft);
    };
    if response.text("object").is_some_and(|kind| kind == "response.compaction") {
        let mut window = Draft::default();
        read_items(output, &place, "output", &mut window, notes);
        draft.replaced_by_server(window, DIALECT.usage(response), &place.key("output"));
        return sink.give_call(draft);
    }
    draft.provider_tools.begin_response(containers, draft.previous.as_deref());
    read_items(output, &place, "output", &mut draft, notes);
    draft.provider_tools.end_response(containers, draft.response.as_deref());
    let usage =
        DIALECT.usage(response).map(|usage| draft.provider_tools.add_to_bill(usage, &draft.transcript.tools));
    if draft.ends_compacted() {
        draft.bill_compaction(usage);
    } else {
        draft.usage(usage);
        draft.sent_by(response);
        draft.sent_by(object);
    }
    sink.give_call(draft);
}

pub(super) fn read_items(
    items: Vec<Json>,
    place: &LogPlace,
    key: &str,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    for (index, value) in items.into_iter().enumerate() {
        let place = place.item(key, index);
        match value.object() {
            Some(object) => read_item(&object, &place, draft, notes),
            None => notes.lost("items that are no object", place),
        }
    }
}

/// Reads one item. Consecutive items of the model form one answer.
pub(super) fn read_item(object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let kind = object.kind();
    match kind.as_str() {
        // Input messages don't need a type.
        "message" | "" if object.has("role") => {
            DIALECT.read_message(object, Answer::Piece, false, place, draft, notes)
        }
        "reasoning" => note_reasoning(place, notes),
        "function_call" | "custom_tool_call" => {
            DIALECT.note_unread(object, ITEM, "items", place, notes);
            add_call(DIALECT.call_of(object), draft, place);
        }
        // The provider fetched the tools from an MCP server; the model sees them like declared ones.
        "mcp_list_tools" => draft.declare_tools(object.get("tools"), place, notes),
        "local_shell_call" | "shell_call" | "apply_patch_call" | "computer_call" | "tool_search_call"
            if object.has("call_id") =>
        {
            let name = kind.trim_end_matches("_call").to_owned();
            DIALECT.note_unread(object, ITEM, "items", place, notes);
            let given = object.first(&["action", "operation", "actions", "arguments"]);
            add_call(new_call(object.text("call_id"), Some(name), parse_arguments(given)), draft, place);
        }
        // A tool run by the provider. Codex and the API log the call, but not always the result.
        kind if kind.ends_with("_call") => {
            DIALECT.note_unread(object, ITEM, "items", place, notes);
            draft.provider_tools.count_item(object);
            let name = object.text("name").unwrap_or_else(|| kind.trim_end_matches("_call").to_owned());
            let id = object.first(&["call_id", "id"]).and_then(Json::text);
            add_call(new_call(id.clone(), Some(name), parse_arguments(object.first(&ASKED))), draft, place);
            let given = match object.first(&OWN_RESULT) {
                // The result has the image's bytes.
                Some(_) if kind == "image_generation_call" => {
                    Content { images: 1, ..Content::of("[image]".to_owned()) }
                }
                Some(given) => Content::of(given.to_plain_text()),
                None => {
                    notes.note("results of tools that the provider runs, which the log lacks", place.clone());
                    Content::default()
                }
            };
            draft.add_result(id, object.text("name"), given, place.clone());
            draft.inside_answer();
            draft.fail_if(object.has("error"));
        }
        // The provider asks the user to approve a call. An approved call follows as its own item.
        "mcp_approval_request" | "mcp_approval_response" | "configuration_update" => {
            notes.note(format!("items of the type {kind}, which have no text"), place.clone());
        }
        "additional_tools" => draft.declare_tools(object.get("tools"), place, notes),
        "tool_search_output" if !object.has("call_id") => {
            draft.declare_tools(object.get("tools"), place, notes);
        }
        "ghost_snapshot" | "compaction_trigger" => {
            notes.note(format!("items of the type {kind}, which are not sent"), place.clone());
        }
        kind if OPAQUE.contains(&kind) => {
            notes.note("summaries encrypted by the provider, so their text is unknown", place.clone());
            let hash =
                object.text("encrypted_content").map(|content| format!("{:08x}", of_text(&content) as u32));
            draft.encrypted_by_server(hash, &Answer::Whole, place);
            // Items after a compaction don't continue the previous answer.
            draft.billed = draft.transcript.messages.len();
        }
        // Codex forwards messages of other agents.
        "agent_message" => {
            DIALECT.note_unread(object, &["content"], "items", place, notes);
            draft.add_user_text(
                DIALECT.read_content(object.get("content"), place, notes),
                true,
                place.clone(),
            )
        }
        "tool_search_output" => {
            let tools = object.get("tools").map_or_else(String::new, Json::to_plain_text);
            draft.add_result(object.text("call_id"), None, Content::of(tools), place.clone());
        }
        kind if kind.ends_with("_call_output") => read_output(object, place, draft, notes),
        other => notes.lost(format!("items of the type {other:?} left out"), place.clone()),
    }
}

fn add_call(asked: TranscriptCall, draft: &mut Draft, place: &LogPlace) {
    draft.add_answer(Answer::Piece, Content::default(), vec![asked], place.clone());
}

/// Reads the output of a call: text, a list of parts, or an object with `content` or `output`.
fn read_output(object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    DIALECT.note_unread(object, ITEM, "items", place, notes);
    let given = object.get("output");
    // Codex wraps the content in an object, to add whether the call succeeded.
    let inner = given.and_then(Json::object).filter(|inner| !inner.has("type"));
    if let Some(inner) = &inner {
        DIALECT.note_unread(inner, &["content", "metadata", "output"], "items", place, notes);
    }
    let inside = inner.as_ref().and_then(|inner| inner.first(&["content", "output"]));
    let content = DIALECT.read_content(inside.or(given), place, notes);
    draft.add_result(object.text("call_id"), None, content, place.clone());
    let has_failed = inner.is_some_and(|inner| inner.get("success").is_some_and(|is| is.raw() == "false"));
    draft.fail_if(has_failed || object.text("status").is_some_and(|status| status == "failed"));
}
