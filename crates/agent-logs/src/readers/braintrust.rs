//! Logs of Braintrust: spans with input and output. Each span of type `llm` is a request.

use std::mem;

use serde_json::{Map, Value, json};

use super::exchanges;
use super::inner::{Inner, parse_json};
use super::otel_genai::REPEATED;
use super::span_tree::Seen;
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;

const NAME: &str = "braintrust";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "logs of Braintrust: spans with input, output and metrics; each of the type llm is a request",
    recognises: |object| {
        let first = LISTS.iter().find_map(|key| object.list(key)?.first()?.object());
        is_span(object) || first.is_some_and(|first| is_span(&first))
    },
    reader: || Box::new(Spans { calls: Vec::new(), seen: Seen::default(), inner: Inner::for_format(NAME) }),
};

/// Fields with lists of spans in responses of the API.
const LISTS: [&str; 3] = ["events", "rows", "data"];

fn is_span(object: &Object) -> bool {
    object.has("span_id")
        && (object.has("span_attributes") || object.has("root_span_id") && object.has("metrics"))
}

struct Spans {
    /// Calls of a model.
    calls: Vec<Call>,
    seen: Seen,
    inner: Inner,
}

struct Call {
    times: (Option<LogTime>, Option<LogTime>),
    exchange: Value,
    place: LogPlace,
}

impl Reader for Spans {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if is_span(&object) {
            return self.add_span(&object, place, sink);
        }
        for key in LISTS {
            for (span, place) in list_objects(&object, key, "spans", &place, &mut sink.notes) {
                self.add_span(&span, place, sink);
            }
        }
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        // The API returns the newest spans first.
        let mut calls = mem::take(&mut self.calls);
        calls.sort_by_key(|call| call.times.0);
        for Call { times, exchange, place } in calls {
            if !self.inner.read_exchange(&exchange, times, &place, sink) {
                sink.notes.lost("calls of a model without messages left out", place);
            }
        }
    }
}

impl Spans {
    fn add_span(&mut self, span: &Object, place: LogPlace, sink: &mut Sink) {
        if !self.seen.is_new(span.text("span_id"), span) {
            return sink.notes.note(REPEATED, place);
        }
        let attributes = span.get("span_attributes").map_or(Value::Null, parse_json);
        if attributes["type"] != "llm" {
            sink.notes.name_bills(span);
            return sink.notes.note("spans that call no model", place);
        }
        let (metadata, metrics) = (read_field(span, "metadata"), read_field(span, "metrics"));
        let mut request = exchanges::normalise_request(read_field(span, "input"));
        for key in ["tools", "system", "instructions"] {
            if let Some(value) = metadata.get(key).filter(|value| !value.is_null()) {
                request[key] = value.clone();
            }
        }
        let mut response = match read_field(span, "output") {
            // The output is the list of choices.
            Value::Array(list) if list.iter().any(|choice| choice["message"].is_object()) => {
                Some(json!({ "choices": list }))
            }
            output => exchanges::normalise_response(output),
        };
        if let Some(Value::Object(response)) = &mut response {
            if let Some(usage) = read_usage(&metrics) {
                response.insert("usage".to_owned(), usage);
            }
            if let Some(model) = metadata.get("model").filter(|model| model.is_string()) {
                response.insert("model".to_owned(), model.clone());
            }
        }
        let start = read_time(&metrics["start"]).or_else(|| LogTime::of_fields(span, &["created"]));
        let times = (start, read_time(&metrics["end"]));
        self.calls.push(Call { times, exchange: json!({"request": request, "response": response}), place });
    }
}

/// The bill of a call. The input count includes cached tokens.
fn read_usage(metrics: &Value) -> Option<Value> {
    let names = [
        ("prompt_tokens", "prompt_tokens"),
        ("completion_tokens", "completion_tokens"),
        ("prompt_cached_tokens", "cached_tokens"),
        ("prompt_cache_creation_tokens", "cache_write_tokens"),
        ("completion_reasoning_tokens", "reasoning_tokens"),
        ("estimated_cost", "cost"),
    ];
    let known = names.into_iter().filter_map(|(own, name)| {
        Some((name.to_owned(), metrics.get(own).filter(|number| number.is_number())?.clone()))
    });
    Some(known.collect::<Map<_, _>>()).filter(|usage| usage.contains_key("prompt_tokens")).map(Value::from)
}

fn read_field(span: &Object, key: &str) -> Value {
    span.get(key).map_or(Value::Null, parse_json)
}

fn read_time(value: &Value) -> Option<LogTime> {
    LogTime::read(Json::parse(&value.to_string()).ok()?)
}
