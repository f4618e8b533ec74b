//! Traces exported by processors of OpenAI's Agents SDK: spans. Each generation span has a request and its response.

use serde_json::{Value, json};

use super::inner::Inner;
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;

const NAME: &str = "agents-sdk";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "traces of OpenAI's Agents SDK: trace.span with generations",
    recognises: |object| match object.text("object").as_deref() {
        Some("trace.span") => object.has("span_data"),
        Some("trace") => object.has("workflow_name"),
        _ => false,
    },
    reader: || Box::new(Traces(Inner::for_format(NAME))) as Box<dyn Reader>,
};

/// Types of spans whose content is repeated in generations or not sent.
const BESIDE: [&str; 7] = ["agent", "custom", "function", "guardrail", "handoff", "mcp_tools", "turn"];

struct Traces(Inner);

impl Reader for Traces {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(span) = sink.read_object(value, &place) else { return };
        let Some(data) = span.object("span_data") else { return };
        match data.kind().as_str() {
            "generation" => {
                let messages = data.list("output").into_iter().flatten();
                let choices: Vec<_> =
                    messages.filter_map(Json::read::<Value>).map(|said| json!({"message": said})).collect();
                let (model, usage) = (read_value(&data, "model"), read_value(&data, "usage"));
                let response = json!({"model": model, "choices": choices, "usage": usage});
                let exchange =
                    json!({"request": {"messages": read_value(&data, "input")}, "response": response});
                let started = LogTime::of_fields(&span, &["started_at"]);
                let times = (started, LogTime::of_fields(&span, &["ended_at"]));
                if !self.0.read_exchange(&exchange, times, &place, sink) {
                    sink.notes.lost("calls of a model without messages left out", place);
                }
            }
            "response" => {
                let kind =
                    "spans of responses, which have only their identifiers; log the items of the session";
                sink.notes.lost(kind, place);
            }
            kind if BESIDE.contains(&kind) => {
                sink.notes.note(format!("spans of the type {kind}, which are not sent"), place);
            }
            kind => sink.notes.lost(format!("spans of the type {kind:?} left out"), place),
        }
    }
}

fn read_value(data: &Object, key: &str) -> Value {
    data.get(key).and_then(Json::read).unwrap_or(Value::Null)
}
