//! Spans and events of OpenTelemetry with `gen_ai.input.messages` and `gen_ai.output.messages`.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{LogFormat, Reader};
use crate::transcript::TranscriptUsage;
use crate::transcript::draft::{Answer, Content, Draft, add_part, call};
use crate::transcript::json::{Json, Object, arguments, json_text};
use crate::transcript::notes::{LogPlace, Notes};
use crate::transcript::read::Sink;

const NAME: &str = "otel-genai";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "spans and events of OpenTelemetry with gen_ai.input.messages and gen_ai.output.messages",
    recognises: |object| {
        let attributes = object.get("attributes").map_or("", Json::raw);
        attributes.contains("\"gen_ai.")
            || GROUPS.iter().any(|key| object.get(key).is_some_and(|group| group.raw().contains("\"gen_ai.")))
    },
    reader: || Box::new(Spans),
};

/// Lists that hold spans and events.
const GROUPS: [&str; 6] = ["resourceSpans", "scopeSpans", "spans", "resourceLogs", "scopeLogs", "logRecords"];

struct Spans;

impl Reader for Spans {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = value.object() else {
            return sink.notes.lost("values that are no object", place);
        };
        let mut is_group = false;
        for key in GROUPS {
            for (index, inner) in object.list(key).into_iter().flatten().enumerate() {
                is_group = true;
                self.value(inner, place.item(key, index), sink);
            }
        }
        if !is_group {
            span(&object, place, sink);
        }
    }
}

fn span(object: &Object, place: LogPlace, sink: &mut Sink) {
    let attributes = Attributes::of(object);
    let (input, output) =
        (attributes.json("gen_ai.input.messages"), attributes.json("gen_ai.output.messages"));
    if input.is_none() && output.is_none() {
        return sink.notes.note("spans and events without messages", place);
    }
    let notes = &mut sink.notes;
    let context = object.object("context").unwrap_or_default();
    let trace =
        || object.first(&["traceId", "trace_id"]).or_else(|| context.get("trace_id")).and_then(Json::text);
    let id = attributes.text("gen_ai.conversation.id").or_else(trace);
    let mut draft = Draft::new(NAME, id, place.line);
    if let Some(system) = attributes.json("gen_ai.system_instructions") {
        let place = place.key("gen_ai.system_instructions");
        let content = parts(Json::parse(system.get()).ok(), &place, None, notes).0;
        draft.system(content, place, notes);
    }
    let tools = attributes.json("gen_ai.tool.definitions");
    draft.tools(tools.as_ref().and_then(|tools| Json::parse(tools.get()).ok()));
    for (key, messages) in [("gen_ai.input.messages", input), ("gen_ai.output.messages", output)] {
        let list = messages.as_ref().and_then(|messages| Json::parse(messages.get()).ok()?.list());
        for (index, value) in list.unwrap_or_default().into_iter().enumerate() {
            let place = place.item(key, index);
            if key == "gen_ai.output.messages" && index > 0 {
                notes.lost("further choices of a response left out", place);
                continue;
            }
            match value.object() {
                Some(object) => message(&object, &place, &mut draft, notes),
                None => notes.lost("messages that are no object", place),
            }
        }
    }
    let number =
        |key: &str| attributes.json(key).and_then(|value| Json::parse(value.get()).ok()?.read::<u64>());
    let usage = TranscriptUsage {
        model: attributes.text("gen_ai.response.model").or_else(|| attributes.text("gen_ai.request.model")),
        input_tokens: number("gen_ai.usage.input_tokens"),
        cached_tokens: number("gen_ai.usage.cache_read.input_tokens"),
        cache_write_tokens: number("gen_ai.usage.cache_creation.input_tokens"),
        output_tokens: number("gen_ai.usage.output_tokens"),
        cost: None,
    };
    draft.usage(Some(usage).filter(|usage| usage.input_tokens.is_some() || usage.output_tokens.is_some()));
    sink.give_call(draft);
}

fn message(object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let role = object.text("role").unwrap_or_default();
    let mut calls = Vec::new();
    let (content, results) = parts(object.get("parts"), place, Some(&mut calls), notes);
    let has_text = !content.is_none();
    match role.as_str() {
        "system" | "developer" => draft.system(content, place.clone(), notes),
        "assistant" => draft.answer(Answer::Whole, content, calls, place.clone()),
        "tool" if !has_text => {}
        "user" if !has_text && !results.is_empty() => {}
        role => draft.user(content, role != "user", place.clone()),
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
    for (index, part) in value.and_then(Json::list).unwrap_or_default().into_iter().enumerate() {
        let place = place.item("parts", index);
        let object = part.object().unwrap_or_default();
        match (object.text("type").as_deref(), &mut calls) {
            (Some("tool_call"), Some(calls)) => {
                let given = arguments(object.get("arguments"));
                calls.push(call(object.text("id"), object.text("name"), given));
            }
            (Some("tool_call_response"), _) => {
                let given = object.first(&["response", "result"]);
                let text = |given: Json| given.text().unwrap_or_else(|| given.compact().get().to_owned());
                results.push((object.text("id"), Content::of(given.map(text).unwrap_or_default())));
            }
            _ => add_part(&mut content, part, &place, notes),
        }
    }
    (content, results)
}

/// Attributes of a span: an object, or the list of keys and values of OTLP.
struct Attributes(Vec<(String, Box<RawValue>)>);

impl Attributes {
    fn of(object: &Object) -> Attributes {
        let Some(attributes) = object.get("attributes") else { return Attributes(Vec::new()) };
        if let Some(object) = attributes.object() {
            let fields = object.fields().map(|(key, value)| (key.to_owned(), value.compact()));
            return Attributes(fields.collect());
        }
        let pairs = attributes.read::<Vec<Value>>().unwrap_or_default();
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

    fn text(&self, key: &str) -> Option<String> {
        let value = self.0.iter().find_map(|(own, value)| (own == key).then_some(value))?;
        Json::parse(value.get()).ok()?.text()
    }
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
        .unwrap_or_default()
}
