//! Spans and events of OpenTelemetry with `gen_ai.input.messages` and `gen_ai.output.messages`.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::attributes::{Attributes, plain_value};
use super::providers::{ai_sdk, anthropic, bedrock, gemini, langchain, openai, otel};
use super::span_tree::{Seen, SpanTree};
use crate::content::Content;
use crate::draft::{Answer, Draft, new_call};
use crate::fingerprint::of_text;
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, json_text, parse_arguments};
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{TranscriptOutcome, TranscriptRole, TranscriptUsage};

const NAME: &str = "otel-genai";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "spans and events of OpenTelemetry with the messages of gen_ai, OpenLLMetry, OpenInference (also tables of Phoenix) or the AI SDK",
    recognises: |object| {
        has_own_key(object, "attributes")
            || object.fields().any(|(key, _)| key.starts_with("attributes.llm."))
            || has_own_key(object, "events")
            || event_kind(object).is_some()
            || GROUPS.iter().any(|group| has_own_key(object, group))
    },
    reader: || Box::new(Spans::default()),
};

fn has_own_key(object: &Object, field: &str) -> bool {
    let json = object.get(field).map_or("", Json::raw);
    ["\"gen_ai.", "\"llm.input_messages", "\"ai.prompt.messages\""].iter().any(|key| json.contains(key))
}

/// Instrumentations pass on messages in the provider's format.
static DIALECT: Dialect = Dialect(&[
    &otel::NAMES,
    &openai::CHAT,
    &anthropic::NAMES,
    &gemini::NAMES,
    &bedrock::NAMES,
    &langchain::NAMES,
    &ai_sdk::NAMES,
]);

/// Fields with lists of spans or events.
const GROUPS: [&str; 6] = ["resourceSpans", "scopeSpans", "spans", "resourceLogs", "scopeLogs", "logRecords"];

/// Attributes with the messages of a request, either whole or flattened to one attribute per field.
const INPUT: [&str; 4] =
    ["gen_ai.input.messages", "gen_ai.prompt", "llm.input_messages", "ai.prompt.messages"];
const OUTPUT: [&str; 3] = ["gen_ai.output.messages", "gen_ai.completion", "llm.output_messages"];

/// Fields with the start and end of a span.
const START: [&str; 4] = ["startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime"];
const END: [&str; 4] = ["endTimeUnixNano", "end_time_unix_nano", "end_time", "endTime"];

#[derive(Default)]
struct Spans {
    /// Requests with messages logged as events, by span id.
    open: Vec<(Option<String>, Draft)>,
    tree: SpanTree,
    seen: Seen,
    /// Agent spans. They duplicate the requests below them, if there are any.
    agents: Vec<(String, LogPlace)>,
}

impl Reader for Spans {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let mut is_group = false;
        for key in GROUPS {
            let mut list: Vec<(usize, Json)> = object.list(key).into_iter().flatten().enumerate().collect();
            // Spans are exported when they end, and some exports have the newest first.
            list.sort_by_cached_key(|(_, span)| parse_time(&span.object()?, &START));
            self.index_spans(&list);
            for (index, inner) in list {
                is_group = true;
                self.read_value(inner, place.item(key, index), sink);
            }
        }
        if let Some(kind) = event_kind(&object) {
            self.read_event(&kind, &object, place, sink);
        } else if !is_group {
            self.add_span(&object, place, sink);
        }
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        let mut agents = std::mem::take(&mut self.agents);
        // Deepest first, because agents may call other agents.
        agents.sort_by_cached_key(|(text, _)| {
            std::cmp::Reverse(parse_object(text).map(|span| self.tree.depth_of(&span)))
        });
        self.tree.close();
        for (text, place) in agents {
            let Some(object) = parse_object(&text) else { continue };
            if self.tree.is_above_requests(&object) {
                let kind = "spans that sum up the requests below them";
                sink.notes.note(kind, place);
                sink.notes.name_bills(&object);
                continue;
            }
            self.tree.add_last_request(&object);
            read_span(&object, true, place, sink);
        }
        self.tree = SpanTree::default();
        for (_, draft) in self.open.drain(..) {
            sink.give(draft);
        }
    }
}

fn parse_time(span: &Object, fields: &[&str]) -> Option<LogTime> {
    span.first(fields).and_then(LogTime::read)
}

fn parse_object(text: &str) -> Option<Object<'_>> {
    Json::parse(text).ok()?.object()
}

/// The role from an event name of older conventions, such as `gen_ai.user.message`, or `choice`.
fn event_kind(object: &Object) -> Option<String> {
    if !object.has("body") {
        return None;
    }
    let name = object.first(&["eventName", "name"]).and_then(Json::text);
    for name in name.into_iter().chain(Attributes::from_object(object).text("event.name")) {
        let Some(kind) = name.strip_prefix("gen_ai.") else { continue };
        if kind == "choice" {
            return Some(kind.to_owned());
        }
        if let Some(role) = kind.strip_suffix(".message") {
            return Some(role.to_owned());
        }
    }
    None
}

impl Spans {
    /// Reads a message of a request, or its choice, the final event.
    fn read_event(&mut self, kind: &str, object: &Object, place: LogPlace, sink: &mut Sink) {
        let id = object.first(&["spanId", "span_id"]).and_then(Json::text);
        let mut body = object.get("body").and_then(Json::read).unwrap_or(Value::Null);
        if body.get("kvlistValue").is_some() {
            body = plain_value(&body);
        }
        if let Some(index) = body.get("index")
            && index.as_u64() != Some(0)
        {
            return sink.notes.lost("further choices of a response left out", place);
        }
        let mut message = match body.get_mut("message") {
            Some(message) if message.is_object() => message.take(),
            _ => body,
        };
        if let Some(fields) = message.as_object_mut() {
            fields.insert("role".to_owned(), if kind == "choice" { "assistant" } else { kind }.into());
            if kind == "tool"
                && let Some(id) = fields.remove("id")
            {
                fields.insert("tool_call_id".to_owned(), id);
            }
            fields.remove("index");
            fields.remove("finish_reason");
        }
        let at = self.open.iter().position(|(own, _)| *own == id);
        let trace = object.first(&["traceId", "trace_id"]).and_then(Json::text);
        let mut draft = match at {
            Some(at) => self.open.remove(at).1,
            None => Draft { is_of_trace: true, ..Draft::new(NAME, trace, place.line) },
        };
        if let Some(message) = parse_object(&message.to_string()) {
            DIALECT.read_message(&message, Answer::Whole, false, &place, &mut draft, &mut sink.notes);
        }
        if kind == "choice" { sink.give_call(draft) } else { self.open.push((id, draft)) }
    }
}

impl Spans {
    /// Records which spans of a list are above requests.
    fn index_spans(&mut self, list: &[(usize, Json)]) {
        for span in list.iter().filter_map(|(_, span)| span.object()) {
            self.tree.add_span(&span);
            let attributes = Attributes::from_object(&span);
            if is_request(&attributes) && !is_agent(&attributes) {
                self.tree.add_request(&span);
            }
        }
    }

    fn add_span(&mut self, object: &Object, place: LogPlace, sink: &mut Sink) {
        let context = object.below("context");
        let id = object.first(&["spanId", "span_id", "context.span_id"]).or(context.get("span_id"));
        if !self.seen.is_new(id.and_then(Json::text), object) {
            return sink.notes.note(REPEATED, place);
        }
        self.tree.add_span(object);
        let attributes = Attributes::from_object(object);
        if object.list("attributes").is_some() {
            sink.conserved.search_bills(&attributes.to_json(), &place);
        }
        if is_agent(&attributes) {
            return self.agents.push((object.json().raw().to_owned(), place));
        }
        if self.tree.is_right_above_requests(object) && is_request(&attributes) {
            sink.notes.name_bills(object);
            return sink.notes.note("spans that sum up the requests below them", place);
        }
        if is_request(&attributes) {
            self.tree.add_request(object);
        }
        read_span(object, false, place, sink);
    }
}

/// Returns true for a span with token counts.
fn is_request(attributes: &Attributes) -> bool {
    attributes.number(&INPUT_TOKENS).is_some() || attributes.number(&OUTPUT_TOKENS).is_some()
}

/// Returns true for the span of an agent or a whole run, not a request.
fn is_agent(attributes: &Attributes) -> bool {
    const WORDS: [(&str, &[&str]); 4] = [
        ("gen_ai.operation.name", &["invoke_agent", "create_agent", "invoke_workflow", "plan"]),
        ("traceloop.span.kind", &["agent", "workflow", "task"]),
        ("operation.name", &AI_SDK_RUNS),
        ("ai.operationId", &AI_SDK_RUNS),
    ];
    for (key, words) in WORDS {
        if let Some(word) = attributes.text(key)
            && words.contains(&word.as_str())
        {
            return true;
        }
    }
    !matches!(attributes.text("openinference.span.kind").as_deref(), None | Some("LLM"))
}

/// Names of AI SDK runs; their requests have names such as `ai.generateText.doGenerate`.
const AI_SDK_RUNS: [&str; 4] = ["ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject"];

const INPUT_TOKENS: [&str; 5] = [
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "ai.usage.inputTokens",
    "ai.usage.promptTokens",
];
const OUTPUT_TOKENS: [&str; 5] = [
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "ai.usage.outputTokens",
    "ai.usage.completionTokens",
];

fn read_span(object: &Object, is_agent: bool, place: LogPlace, sink: &mut Sink) {
    let attributes = Attributes::with_events(object);
    let input = messages_in(&attributes, &INPUT);
    let output = match messages_in(&attributes, &OUTPUT) {
        None => answer_of_ai_sdk(&attributes),
        output => output,
    };
    for key in INPUT.iter().chain(&OUTPUT) {
        if attributes.is_cut(key) {
            let kind = "messages that are no JSON: raise the exporter's limit for attributes";
            sink.notes.lost(kind, place.key(key));
        }
    }
    let dropped = object.first(&["droppedAttributesCount", "dropped_attributes_count"]).and_then(Json::count);
    if attributes.lack_first(&INPUT, dropped) {
        let kind = "spans cut at the limit of attributes, so that their first messages are missing, left out; set \
                    OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT=10000 for the traced program";
        return lose_request(kind, &attributes, place, &mut sink.notes);
    }
    if input.is_none() && output.is_none() {
        if is_agent || !is_request(&attributes) {
            return sink.notes.note("spans and events without messages", place);
        }
        let kind = "requests without messages: let the instrumentation capture their content";
        return lose_request(kind, &attributes, place, &mut sink.notes);
    }
    let mut draft = draft_of(object, &attributes, &place, &mut sink.notes);
    for (key, messages) in [("gen_ai.input.messages", input), ("gen_ai.output.messages", output)] {
        let Some(messages) = messages else { continue };
        let list = Json::parse(messages.get()).ok().and_then(Json::list);
        for (index, value) in list.into_iter().flatten().enumerate() {
            let place = place.item(key, index);
            let object = value.object();
            let is_further = object.as_ref().is_some_and(has_only_calls);
            // An agent continues with one choice, so no later request contains the others. A run has the answers of all its
            // requests.
            if key == "gen_ai.output.messages" && index > 0 && !is_further && !is_agent {
                sink.notes.lost("further choices of a response left out", place);
                continue;
            }
            match object {
                Some(object) if object.has("parts") => {
                    read_message(&object, &place, &mut draft, &mut sink.notes)
                }
                Some(object) => {
                    let answer = if is_further { Answer::Piece } else { Answer::Whole };
                    DIALECT.read_message(&object, answer, false, &place, &mut draft, &mut sink.notes);
                }
                None => sink.notes.lost("messages that are no object", place),
            }
        }
    }
    add_bill(&attributes, is_agent, &mut draft);
    draft.set_times(parse_time(object, &START), parse_time(object, &END));
    sink.give_call(draft);
}

/// Notes a request without its messages, and its bill.
fn lose_request(kind: &str, attributes: &Attributes, place: LogPlace, notes: &mut Notes) {
    if let Some(tokens) = attributes.number(&INPUT_TOKENS)
        && tokens > 0
    {
        notes.missing_call(tokens, &place);
    }
    notes.lost(kind, place);
}

fn messages_in(attributes: &Attributes, keys: &[&str]) -> Option<Box<RawValue>> {
    for key in keys {
        if let Some(whole) = attributes.json(key) {
            return Some(whole);
        }
        if let Some(flattened) = attributes.join_flat(key) {
            return Some(flattened);
        }
    }
    None
}

/// Note for a span exported twice.
pub(super) const REPEATED: &str = "spans and requests exported twice, read once";

fn trace_of(span: &Object) -> Option<String> {
    let own = span.first(&["traceId", "trace_id", "context.trace_id"]).and_then(Json::text);
    own.or(span.below("context").text("trace_id"))
}

/// The draft of a request, still without messages.
fn draft_of(object: &Object, attributes: &Attributes, place: &LogPlace, notes: &mut Notes) -> Draft {
    let conversation = attributes.text("gen_ai.conversation.id").or(attributes.text("session.id"));
    let is_of_trace = conversation.is_none();
    let id = if is_of_trace { trace_of(object) } else { conversation };
    let mut draft = Draft { is_of_trace, ..Draft::new(NAME, id, place.line) };
    if let Some(system) = attributes.json("gen_ai.system_instructions") {
        let place = place.key("gen_ai.system_instructions");
        let content = read_parts(Json::parse(system.get()).ok(), &place, None, notes).0;
        draft.set_system(content, place, notes);
    }
    let tools = find_tools(attributes);
    draft.declare_tools(tools.as_ref().and_then(|tools| Json::parse(tools.get()).ok()), place, notes);
    draft
}

fn find_tools(attributes: &Attributes) -> Option<Box<RawValue>> {
    for key in ["gen_ai.tool.definitions", "ai.prompt.tools"] {
        if let Some(tools) = attributes.json(key) {
            return Some(tools);
        }
    }
    if let Some(tools) = attributes.join_flat("llm.tools") {
        return Some(tools);
    }
    match attributes.json("llm.tools") {
        None => attributes.join_flat("llm.request.functions"),
        tools => tools,
    }
}

/// Builds the answer of an AI SDK span from its attributes for text and calls.
fn answer_of_ai_sdk(attributes: &Attributes) -> Option<Box<RawValue>> {
    let mut parts: Vec<Value> = Vec::new();
    if let Some(text) = attributes.text("ai.response.text")
        && !text.is_empty()
    {
        parts.push(json!({"type": "text", "text": text}));
    }
    if let Some(calls) = attributes.json("ai.response.toolCalls")
        && let Ok(calls) = serde_json::from_str::<Vec<Value>>(calls.get())
    {
        for mut call in calls {
            if let Some(fields) = call.as_object_mut() {
                fields.insert("type".to_owned(), "tool-call".into());
            }
            parts.push(call);
        }
    }
    if parts.is_empty() {
        return None;
    }
    Some(json_text(&json!([{"role": "assistant", "content": parts}])))
}

/// Adds the bill of a span. A single bill for several answers is that of a run.
fn add_bill(attributes: &Attributes, is_agent: bool, draft: &mut Draft) {
    let models = [
        "gen_ai.response.model",
        "gen_ai.request.model",
        "llm.model_name",
        "ai.response.model",
        "ai.model.id",
    ];
    let usage = TranscriptUsage {
        model: models.iter().find_map(|key| attributes.text(key)),
        input_tokens: attributes.number(&INPUT_TOKENS),
        cached_tokens: attributes.number(&[
            "gen_ai.usage.cache_read.input_tokens",
            "gen_ai.usage.cache_read_input_tokens",
            "llm.token_count.prompt_details.cache_read",
            "ai.usage.inputTokenDetails.cacheReadTokens",
            "ai.usage.cachedInputTokens",
            // Pydantic AI: its own field name, then those of Anthropic and OpenAI.
            "gen_ai.usage.details.cache_read_tokens",
            "gen_ai.usage.details.cache_read_input_tokens",
            "gen_ai.usage.details.cached_tokens",
        ]),
        cache_write_tokens: attributes.number(&[
            "gen_ai.usage.cache_creation.input_tokens",
            "gen_ai.usage.cache_creation_input_tokens",
            "llm.token_count.prompt_details.cache_write",
            "ai.usage.inputTokenDetails.cacheWriteTokens",
            "gen_ai.usage.details.cache_write_tokens",
            "gen_ai.usage.details.cache_creation_input_tokens",
        ]),
        output_tokens: attributes.number(&OUTPUT_TOKENS),
        reasoning_tokens: attributes.number(&[
            "gen_ai.usage.reasoning.output_tokens",
            "llm.token_count.completion_details.reasoning",
            "ai.usage.outputTokenDetails.reasoningTokens",
            "ai.usage.reasoningTokens",
            "gen_ai.usage.details.reasoning_tokens",
        ]),
        ..TranscriptUsage::default()
    };
    // By convention the input count includes the cache, but some instrumentations pass on Anthropic's count, without it.
    let usage = usage.with_whole_sums(attributes.number(&[
        "gen_ai.usage.total_tokens",
        "llm.usage.total_tokens",
        "llm.token_count.total",
        "ai.usage.totalTokens",
    ]));
    let is_counted = usage.input_tokens.is_some() || usage.output_tokens.is_some();
    let usage = if is_counted { Some(usage) } else { None };
    if is_agent && has_several_answers(draft) {
        draft.transcript.outcome = Some(TranscriptOutcome { usage, ..TranscriptOutcome::default() });
    } else {
        draft.usage(usage);
    }
}

/// Returns true if the last user message has more than one answer.
fn has_several_answers(draft: &Draft) -> bool {
    let mut answers = 0;
    for message in draft.transcript.messages.iter().rev() {
        match message.role {
            TranscriptRole::User => break,
            TranscriptRole::Assistant => answers += 1,
            _ => {}
        }
    }
    answers > 1
}

/// Returns true for a message with calls but no text: OpenAI's Agents SDK logs one for each item of an answer.
fn has_only_calls(object: &Object) -> bool {
    object.has("tool_calls") && object.get("content").is_none_or(Json::is_empty)
}

fn read_message(object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let role = object.text("role");
    let mut calls = Vec::new();
    if let Some(block) = compaction_in(object) {
        match block.text("content") {
            Some(text) if text.contains(char::is_whitespace) => {
                draft.summarized_by_server(text, &Answer::Whole, place);
            }
            _ => {
                let named = block.first(&["id", "content"]).and_then(Json::text);
                let hash = named.map(|named| format!("{:08x}", of_text(&named) as u32));
                draft.encrypted_by_server(hash, &Answer::Whole, place);
            }
        }
    }
    let (content, results) = read_parts(object.get("parts"), place, Some(&mut calls), notes);
    let has_text = !content.is_none();
    match role.as_deref() {
        Some("system" | "developer") => draft.set_system(content, place.clone(), notes),
        Some("assistant") => draft.add_answer(Answer::Whole, content, calls, place.clone()),
        Some("tool") if !has_text => {}
        Some("user") if !has_text && !results.is_empty() => {}
        role => draft.add_user_text(content, role != Some("user"), place.clone()),
    }
    for (id, content) in results {
        draft.add_result(id, None, content, place.clone());
    }
}

/// The provider's compaction in the parts of a message.
fn compaction_in<'a>(message: &Object<'a>) -> Option<Object<'a>> {
    let mut parts = message.list("parts").into_iter().flatten().filter_map(Json::object);
    parts.find(|part| part.is_a("compaction"))
}

type Results = Vec<(Option<String>, Content)>;

/// Returns the text and the tool results of a list of parts, and adds the calls to `calls`.
fn read_parts(
    value: Option<Json>,
    place: &LogPlace,
    mut calls: Option<&mut Vec<crate::transcript::TranscriptCall>>,
    notes: &mut Notes,
) -> (Content, Results) {
    let (mut content, mut results) = (Content::default(), Vec::new());
    let Some(value) = value else { return (content, results) };
    let Some(list) = value.list() else {
        // Instructions may be plain text.
        DIALECT.add_part(&mut content, value, place, notes);
        return (content, results);
    };
    for (index, part) in list.into_iter().enumerate() {
        let place = place.item("parts", index);
        let Some(object) = part.object() else {
            DIALECT.add_part(&mut content, part, &place, notes);
            continue;
        };
        match (object.text("type").as_deref(), &mut calls) {
            (Some("tool_call" | "server_tool_call"), Some(calls)) => {
                let given = parse_arguments(object.first(&["arguments", "server_tool_call"]));
                calls.push(new_call(object.text("id"), object.text("name"), given));
            }
            (Some("tool_call_response" | "server_tool_call_response"), _) => {
                let given = object.first(&["response", "result", "server_tool_call_response"]);
                let text = given.map(Json::to_plain_text).unwrap_or_default();
                results.push((object.text("id"), Content::of(text)));
            }
            // Read with its message.
            (Some("compaction"), _) => {}
            _ => DIALECT.add_part(&mut content, part, &place, notes),
        }
    }
    (content, results)
}
