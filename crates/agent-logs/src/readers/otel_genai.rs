//! Spans and events of OpenTelemetry with `gen_ai.input.messages` and `gen_ai.output.messages`.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::providers::{anthropic, bedrock, gemini, langchain, openai};
use crate::content::Content;
use crate::draft::{Answer, Draft, call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, arguments, json_text};
use crate::names::{Dialect, Names, PartKind, PartNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::TranscriptUsage;

const NAME: &str = "otel-genai";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "spans and events of OpenTelemetry with the messages of gen_ai, OpenLLMetry or OpenInference",
    recognises: |object| {
        let attributes = object.get("attributes").map_or("", Json::raw);
        let is_own = |text: &str| text.contains("\"gen_ai.") || text.contains("\"llm.input_messages.");
        is_own(attributes)
            || object.get("events").is_some_and(|events| is_own(events.raw()))
            || event_kind(object).is_some()
            || GROUPS.iter().any(|key| object.get(key).is_some_and(|group| is_own(group.raw())))
    },
    reader: || Box::new(Spans::default()),
};

/// Instrumentations pass on the messages of the provider.
static DIALECT: Dialect =
    Dialect(&[&NAMES, &openai::CHAT, &anthropic::NAMES, &gemini::NAMES, &bedrock::NAMES, &langchain::NAMES]);

/// The names of the conventions.
static NAMES: Names = Names {
    content: &["content", "parts"],
    parts: PartNames {
        types: &[
            ("text", PartKind::Text),
            ("reasoning", PartKind::Reasoning),
            ("blob", PartKind::File),
            ("file", PartKind::File),
            ("uri", PartKind::File),
        ],
        text: &["text", "content"],
        file_name: &["uri", "file_id"],
        file: &["data", "uri", "file_id"],
        ..PartNames::NONE
    },
    ..Names::NONE
};

/// Lists that hold spans and events.
const GROUPS: [&str; 6] = ["resourceSpans", "scopeSpans", "spans", "resourceLogs", "scopeLogs", "logRecords"];

/// Attributes with the messages of a request, whole or with an attribute for each of their fields.
const INPUT: [&str; 3] = ["gen_ai.input.messages", "gen_ai.prompt", "llm.input_messages"];
const OUTPUT: [&str; 3] = ["gen_ai.output.messages", "gen_ai.completion", "llm.output_messages"];

/// Fields with the start and the end of a span.
const START: [&str; 3] = ["startTimeUnixNano", "start_time_unix_nano", "start_time"];
const END: [&str; 3] = ["endTimeUnixNano", "end_time_unix_nano", "end_time"];

#[derive(Default)]
struct Spans {
    /// Requests whose messages are events, by the identifier of the span.
    open: Vec<(Option<String>, Draft)>,
}

impl Reader for Spans {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.object(value, &place) else { return };
        let mut is_group = false;
        for key in GROUPS {
            let mut list: Vec<(usize, Json)> = object.list(key).into_iter().flatten().enumerate().collect();
            // A span is exported when it ends, and some exports have the newest first.
            list.sort_by_cached_key(|(_, span)| span.object().and_then(|span| time(&span, &START)));
            for (index, inner) in list {
                is_group = true;
                self.value(inner, place.item(key, index), sink);
            }
        }
        if let Some(kind) = event_kind(&object) {
            self.event(&kind, &object, place, sink);
        } else if !is_group {
            span(&object, place, sink);
        }
    }

    fn end(&mut self, sink: &mut Sink) {
        for (_, draft) in self.open.drain(..) {
            sink.give(draft);
        }
    }
}

/// The time in one of the fields of a span.
fn time(span: &Object, fields: &[&str]) -> Option<LogTime> {
    span.first(fields).and_then(LogTime::read)
}

/// The role of an event of older conventions, such as `gen_ai.user.message`, or `choice`.
fn event_kind(object: &Object) -> Option<String> {
    let name = object.first(&["eventName", "name"]).and_then(Json::text);
    let name = name.into_iter().chain(Attributes::of(object).text("event.name"));
    let kind = |name: String| {
        let kind = name.strip_prefix("gen_ai.")?;
        kind.strip_suffix(".message").or((kind == "choice").then_some(kind)).map(str::to_owned)
    };
    name.filter_map(kind).next().filter(|_| object.has("body"))
}

impl Spans {
    /// Reads a message of a request, or the choice that ends it.
    fn event(&mut self, kind: &str, object: &Object, place: LogPlace, sink: &mut Sink) {
        let id = object.first(&["spanId", "span_id"]).and_then(Json::text);
        let body = object.get("body").and_then(|body| body.read::<Value>()).unwrap_or(Value::Null);
        let body = if body.get("kvlistValue").is_some() { plain(&body) } else { body };
        if body.get("index").is_some_and(|index| index.as_u64() != Some(0)) {
            return sink.notes.lost("further choices of a response left out", place);
        }
        let mut message = body.get("message").filter(|message| message.is_object()).unwrap_or(&body).clone();
        if let Some(fields) = message.as_object_mut() {
            fields.insert("role".to_owned(), if kind == "choice" { "assistant" } else { kind }.into());
            if kind == "tool"
                && let Some(id) = fields.remove("id")
            {
                fields.insert("tool_call_id".to_owned(), id);
            }
            ["index", "finish_reason"].iter().for_each(|key| drop(fields.remove(*key)));
        }
        let at = self.open.iter().position(|(own, _)| *own == id);
        let trace = object.first(&["traceId", "trace_id"]).and_then(Json::text);
        let new = || Draft { is_of_trace: true, ..Draft::new(NAME, trace, place.line) };
        let mut draft = at.map(|at| self.open.remove(at).1).unwrap_or_else(new);
        if let Some(message) = Json::parse(&message.to_string()).ok().and_then(Json::object) {
            DIALECT.message(&message, Answer::Whole, false, &place, &mut draft, &mut sink.notes);
        }
        if kind == "choice" { sink.give_call(draft) } else { self.open.push((id, draft)) }
    }
}

fn span(object: &Object, place: LogPlace, sink: &mut Sink) {
    let attributes = Attributes::with_events(object);
    let messages =
        |keys: [&str; 3]| keys.iter().find_map(|key| attributes.json(key).or_else(|| attributes.flat(key)));
    let (input, output) = (messages(INPUT), messages(OUTPUT));
    for key in INPUT.iter().chain(&OUTPUT).filter(|key| attributes.is_cut(key)) {
        sink.notes
            .lost("messages that are no JSON: raise the exporter's limit for attributes", place.key(key));
    }
    if input.is_none() && output.is_none() {
        return sink.notes.note("spans and events without messages", place);
    }
    let notes = &mut sink.notes;
    let context = object.below("context");
    let trace =
        || object.first(&["traceId", "trace_id"]).or_else(|| context.get("trace_id")).and_then(Json::text);
    let conversation = attributes.text("gen_ai.conversation.id");
    let is_of_trace = conversation.is_none();
    let mut draft = Draft { is_of_trace, ..Draft::new(NAME, conversation.or_else(trace), place.line) };
    if let Some(system) = attributes.json("gen_ai.system_instructions") {
        let place = place.key("gen_ai.system_instructions");
        let content = parts(Json::parse(system.get()).ok(), &place, None, notes).0;
        draft.system(content, place, notes);
    }
    let tools = attributes.json("gen_ai.tool.definitions");
    let tools =
        tools.or_else(|| attributes.flat("llm.tools")).or_else(|| attributes.flat("llm.request.functions"));
    draft.tools(tools.as_ref().and_then(|tools| Json::parse(tools.get()).ok()), &place, notes);
    for (key, messages) in [("gen_ai.input.messages", input), ("gen_ai.output.messages", output)] {
        let list = messages.as_ref().and_then(|messages| Json::parse(messages.get()).ok()?.list());
        for (index, value) in list.into_iter().flatten().enumerate() {
            let place = place.item(key, index);
            let object = value.object();
            let is_further = object.as_ref().is_some_and(has_only_calls);
            // An agent goes on with one choice: the others are in no later request.
            if key == "gen_ai.output.messages" && index > 0 && !is_further {
                notes.lost("further choices of a response left out", place);
                continue;
            }
            match object {
                Some(object) if object.has("parts") => message(&object, &place, &mut draft, notes),
                Some(object) => {
                    let answer = if is_further { Answer::Piece } else { Answer::Whole };
                    DIALECT.message(&object, answer, false, &place, &mut draft, notes);
                }
                None => notes.lost("messages that are no object", place),
            }
        }
    }
    let number = |keys: &[&str]| {
        keys.iter().find_map(|key| Json::parse(attributes.json(key)?.get()).ok()?.read::<u64>())
    };
    let models = ["gen_ai.response.model", "gen_ai.request.model", "llm.model_name"];
    let usage = TranscriptUsage {
        model: models.iter().find_map(|key| attributes.text(key)),
        input_tokens: number(&[
            "gen_ai.usage.input_tokens",
            "gen_ai.usage.prompt_tokens",
            "llm.token_count.prompt",
        ]),
        cached_tokens: number(&[
            "gen_ai.usage.cache_read.input_tokens",
            "llm.token_count.prompt_details.cache_read",
        ]),
        cache_write_tokens: number(&[
            "gen_ai.usage.cache_creation.input_tokens",
            "llm.token_count.prompt_details.cache_write",
        ]),
        output_tokens: number(&[
            "gen_ai.usage.output_tokens",
            "gen_ai.usage.completion_tokens",
            "llm.token_count.completion",
        ]),
        reasoning_tokens: number(&[
            "gen_ai.usage.reasoning.output_tokens",
            "llm.token_count.completion_details.reasoning",
        ]),
        ..TranscriptUsage::default()
    };
    draft.usage(Some(usage).filter(|usage| usage.input_tokens.is_some() || usage.output_tokens.is_some()));
    draft.sent(time(object, &START), time(object, &END));
    sink.give_call(draft);
}

/// Returns true for a message of calls without text: OpenAI's Agents SDK has one for each item of an answer.
fn has_only_calls(object: &Object) -> bool {
    object.has("tool_calls") && object.get("content").is_none_or(Json::is_empty)
}

fn message(object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let role = object.text("role");
    let mut calls = Vec::new();
    let (content, results) = parts(object.get("parts"), place, Some(&mut calls), notes);
    let has_text = !content.is_none();
    match role.as_deref() {
        Some("system" | "developer") => draft.system(content, place.clone(), notes),
        Some("assistant") => draft.answer(Answer::Whole, content, calls, place.clone()),
        Some("tool") if !has_text => {}
        Some("user") if !has_text && !results.is_empty() => {}
        role => draft.user(content, role != Some("user"), place.clone()),
    }
    for (id, content) in results {
        draft.result(id, None, content, place.clone());
    }
}

type Results = Vec<(Option<String>, Content)>;

/// Text and results of tools; calls are added.
fn parts(
    value: Option<Json>,
    place: &LogPlace,
    mut calls: Option<&mut Vec<crate::transcript::TranscriptCall>>,
    notes: &mut Notes,
) -> (Content, Results) {
    let (mut content, mut results) = (Content::default(), Vec::new());
    let Some(value) = value else { return (content, results) };
    let Some(list) = value.list() else {
        // Instructions may be one text.
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
                let given = arguments(object.first(&["arguments", "server_tool_call"]));
                calls.push(call(object.text("id"), object.text("name"), given));
            }
            (Some("tool_call_response" | "server_tool_call_response"), _) => {
                let given = object.first(&["response", "result", "server_tool_call_response"]);
                let text = |given: Json| given.text().unwrap_or_else(|| given.compact().get().to_owned());
                results.push((object.text("id"), Content::of(given.map_or_else(String::new, text))));
            }
            _ => DIALECT.add_part(&mut content, part, &place, notes),
        }
    }
    (content, results)
}

/// Levels of OpenInference that only name what is below them.
const LEVELS: [&str; 5] = ["message", "message_content", "tool_call", "tool", "json_schema"];
/// Levels of an attribute that is read.
const MAX_FLAT: usize = 16;

/// Attributes of a span: an object, or the list of keys and values of OTLP.
struct Attributes(Vec<(String, Box<RawValue>)>);

impl Attributes {
    /// The attributes of a span and of its events, which may hold the messages.
    fn with_events(object: &Object) -> Attributes {
        let events = object.list("events").into_iter().flatten().filter_map(Json::object);
        Attributes(
            Attributes::of(object)
                .0
                .into_iter()
                .chain(events.flat_map(|event| Attributes::of(&event).0))
                .collect(),
        )
    }

    fn of(object: &Object) -> Attributes {
        let Some(attributes) = object.get("attributes") else { return Attributes(Vec::new()) };
        if let Some(object) = attributes.object() {
            let fields = object.fields().map(|(key, value)| (key.to_owned(), value.compact()));
            return Attributes(fields.collect());
        }
        let pairs: Vec<Value> = attributes.read::<Vec<Value>>().into_iter().flatten().collect();
        let pair = |pair: &Value| {
            Some((pair.get("key")?.as_str()?.to_owned(), json_text(&plain(pair.get("value")?))))
        };
        Attributes(pairs.iter().filter_map(pair).collect())
    }

    /// A value, which may be written as JSON text.
    fn json(&self, key: &str) -> Option<Box<RawValue>> {
        let value = self.0.iter().find_map(|(own, value)| (own == key).then_some(value))?;
        match Json::parse(value.get()).ok()?.text() {
            Some(text) => Some(Json::parse(&text).ok()?.compact()),
            None => Some(value.clone()),
        }
    }

    /// Returns true for a text that is no JSON, although it begins as such: exporters cut attributes at a limit.
    fn is_cut(&self, key: &str) -> bool {
        self.text(key).is_some_and(|text| text.starts_with(['[', '{']) && Json::parse(&text).is_err())
    }

    /// The list below a key whose attributes are the fields of its elements, such as `llm.tools.0.name`.
    fn flat(&self, key: &str) -> Option<Box<RawValue>> {
        let mut list = Value::Null;
        for (own, value) in &self.0 {
            let Some(path) = own.strip_prefix(key).and_then(|path| path.strip_prefix('.')) else { continue };
            let is_text = path.ends_with("json_schema") || path.ends_with("parameters");
            let text = Json::parse(value.get()).ok().and_then(Json::text).filter(|_| is_text);
            let value = serde_json::from_str(text.as_deref().unwrap_or(value.get())).ok()?;
            let path: Vec<&str> = path.split('.').filter(|step| !LEVELS.contains(step)).collect();
            if path.len() <= MAX_FLAT {
                set(&mut list, &path, value);
            }
        }
        let list = listed(list);
        list.is_array().then(|| json_text(&list))
    }

    fn text(&self, key: &str) -> Option<String> {
        let value = self.0.iter().find_map(|(own, value)| (own == key).then_some(value))?;
        Json::parse(value.get()).ok()?.text()
    }
}

fn set(place: &mut Value, path: &[&str], value: Value) {
    let Some((first, rest)) = path.split_first() else { return *place = value };
    if !place.is_object() {
        *place = Value::Object(Map::new());
    }
    if let Some(fields) = place.as_object_mut() {
        // OpenInference numbers the parts of a message below `message.contents`.
        let key = if *first == "contents" { "content" } else { first };
        set(fields.entry(key).or_insert(Value::Null), rest, value);
    }
}

/// Objects whose keys are all numbers, as lists.
fn listed(value: Value) -> Value {
    let Value::Object(fields) = value else { return value };
    let numbers: Option<Vec<usize>> = fields.keys().map(|key| key.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) else {
        return Value::Object(fields.into_iter().map(|(key, value)| (key, listed(value))).collect());
    };
    let mut items: Vec<(usize, Value)> =
        numbers.into_iter().zip(fields.into_iter().map(|(_, value)| value)).collect();
    items.sort_by_key(|(number, _)| *number);
    items.into_iter().map(|(_, value)| listed(value)).collect()
}

/// A value of OTLP as plain JSON.
fn plain(value: &Value) -> Value {
    let list = |key: &str| value.get(key)?.get("values")?.as_array();
    if let Some(items) = list("arrayValue") {
        return items.iter().map(plain).collect();
    }
    if let Some(pairs) = list("kvlistValue") {
        let pair = |pair: &Value| Some((pair.get("key")?.as_str()?.to_owned(), plain(pair.get("value")?)));
        return Value::Object(pairs.iter().filter_map(pair).collect::<Map<_, _>>());
    }
    let number = |text: &Value| text.as_str().and_then(|text| text.parse::<i64>().ok()).map(Value::from);
    let integer = value.get("intValue");
    let other = ["stringValue", "doubleValue", "boolValue"].iter().find_map(|key| value.get(key));
    integer
        .map(|integer| number(integer).unwrap_or_else(|| integer.clone()))
        .or_else(|| other.cloned())
        .unwrap_or(Value::Null)
}
