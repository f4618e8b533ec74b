//! Traces of MLflow: spans with the inputs and outputs of each call as JSON.

use serde_json::{Value, json};

use super::attributes::Attributes;
use super::exchanges;
use super::inner::{Inner, parse_json};
use super::otel_genai::REPEATED;
use super::span_tree::{Seen, SpanTree};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;

const NAME: &str = "mlflow";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "traces of MLflow: spans with mlflow.spanInputs and mlflow.spanOutputs; each call of a model is a request",
    recognises: |object| {
        find_spans(object).is_some_and(|(_, spans)| spans.iter().any(is_own)) || is_own(&object.json())
    },
    reader: || Box::new(Traces { inner: Inner::for_format(NAME), seen: Seen::default() }),
};

fn is_own(span: &Json) -> bool {
    let attributes = span.object().and_then(|span| span.get("attributes"));
    attributes.is_some_and(|attributes| attributes.raw().contains("\"mlflow.span"))
}

/// The spans of a trace, and their path.
fn find_spans<'a>(object: &Object<'a>) -> Option<(&'static str, Vec<Json<'a>>)> {
    let below = object.object("data").and_then(|data| data.list("spans"));
    below.map(|spans| ("data.spans", spans)).or_else(|| Some(("spans", object.list("spans")?)))
}

/// Types of spans that call a model.
const MODELS: [&str; 2] = ["CHAT_MODEL", "LLM"];

struct Traces {
    inner: Inner,
    seen: Seen,
}

impl Reader for Traces {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let below = object.object("data");
        let all = match below.as_ref().filter(|data| data.has("spans")).unwrap_or(&object) {
            trace if trace.has("spans") => list_objects(trace, "spans", "spans", &place, &mut sink.notes),
            _ => vec![(object.clone(), place)],
        };
        let mut tree = SpanTree::default();
        let mut calls = Vec::new();
        for (span, place) in all {
            let context = span.below("context");
            let id = span.text("span_id").or_else(|| context.text("span_id"));
            if !self.seen.is_new(id, &span) {
                sink.notes.note(REPEATED, place);
                continue;
            }
            tree.add_span(&span);
            if is_call(&span) {
                tree.add_request(&span);
                calls.push((span, place));
            } else {
                sink.notes.note("spans that call no model", place);
            }
        }
        tree.close();
        calls.sort_by_cached_key(|(span, _)| read_times(span).0);
        for (span, place) in calls {
            // LangChain's model and the client it uses log the same call as two nested spans.
            if tree.is_above_requests(&span) {
                sink.notes.note("spans that sum up the requests below them", place);
                sink.notes.name_bills(&span);
                continue;
            }
            self.read_call(&span, place, sink);
        }
    }
}

impl Traces {
    fn read_call(&mut self, span: &Object, place: LogPlace, sink: &mut Sink) {
        let attributes = Attributes::from_object(span);
        let input = parse_attribute(&attributes, "mlflow.spanInputs");
        let request = exchanges::normalise_request(input.unwrap_or(Value::Null));
        let output = parse_attribute(&attributes, "mlflow.spanOutputs");
        let mut response = output.and_then(exchanges::normalise_response);
        let usage = parse_attribute(&attributes, "mlflow.chat.tokenUsage");
        if let (Some(Value::Object(response)), Some(usage)) = (&mut response, usage) {
            response.entry("usage").or_insert(usage);
        }
        let exchange = json!({"request": request, "response": response});
        if !self.inner.read_exchange(&exchange, read_times(span), &place, sink) {
            sink.notes.lost("calls of a model without messages left out", place);
        }
    }
}

fn is_call(span: &Object) -> bool {
    let kind = Attributes::from_object(span).text("mlflow.spanType");
    // Each attribute is JSON text, including this one.
    kind.is_some_and(|kind| MODELS.contains(&kind.trim_matches('"')))
}

fn read_times(span: &Object) -> (Option<LogTime>, Option<LogTime>) {
    (
        LogTime::of_fields(span, &["start_time_unix_nano", "start_time_ns", "start_time"]),
        LogTime::of_fields(span, &["end_time_unix_nano", "end_time_ns", "end_time"]),
    )
}

fn parse_attribute(attributes: &Attributes, key: &str) -> Option<Value> {
    let value = attributes.json(key)?;
    Json::parse(value.get()).ok().map(parse_json)
}
