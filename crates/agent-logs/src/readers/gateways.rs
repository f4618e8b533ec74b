//! Logs of gateways: each value has the bodies of a request and its response.

use serde_json::{Value, json};

use super::inner::{Inner, parse_json};
use super::otel_genai::REPEATED;
use super::span_tree::Seen;
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::stream::whole_of_events;
use crate::time::LogTime;

/// Paths of the fields in a gateway's log.
struct Gateway {
    name: &'static str,
    request: &'static str,
    response: &'static str,
    model: &'static str,
    /// Input and output tokens, outside the bodies.
    tokens: [&'static str; 2],
    /// Set if a request is too large for the log: where it is stored.
    elsewhere: &'static str,
}

const HELICONE_LOGS: Gateway = Gateway {
    name: "helicone",
    request: "request_body",
    response: "response_body",
    model: "model",
    tokens: ["prompt_tokens", "completion_tokens"],
    elsewhere: "signed_body_url",
};
const BEDROCK_LOGS: Gateway = Gateway {
    name: "bedrock-invocations",
    request: "input.inputBodyJson",
    response: "output.outputBodyJson",
    model: "modelId",
    tokens: ["input.inputTokenCount", "output.outputTokenCount"],
    elsewhere: "input.inputBodyS3Path",
};

pub(super) const HELICONE: LogFormat = LogFormat {
    name: HELICONE_LOGS.name,
    doc: "logs of Helicone, with request_body and response_body of any provider",
    recognises: |object| object.has("request_body") && object.has("response_body"),
    reader: || Box::new(Logs::for_gateway(&HELICONE_LOGS)),
};

pub(super) const BEDROCK: LogFormat = LogFormat {
    name: BEDROCK_LOGS.name,
    doc: "model invocation logs of Bedrock, with bodies of requests and responses",
    recognises: |object| object.has("modelId") && object.has("operation") && object.object("input").is_some(),
    reader: || Box::new(Logs::for_gateway(&BEDROCK_LOGS)),
};

struct Logs {
    gateway: &'static Gateway,
    seen: Seen,
    inner: Inner,
}

impl Logs {
    fn for_gateway(gateway: &'static Gateway) -> Logs {
        Logs { gateway, seen: Seen::default(), inner: Inner::for_format(gateway.name) }
    }
}

impl Reader for Logs {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let Gateway { request, response, elsewhere, .. } = self.gateway;
        let id = object.first(&["request_id", "requestId"]).and_then(Json::text);
        if !self.seen.is_new(id, &object) {
            return sink.notes.note(REPEATED, place);
        }
        let Some(asked) = object.at(request).map(parse_json).filter(|body| !body.is_null()) else {
            let kind = match object.at(elsewhere).is_some() {
                true => "requests whose bodies are kept elsewhere left out; put them into the log",
                false => "requests without a body left out",
            };
            if let Some(tokens) = self.tokens(&object, 0) {
                sink.notes.missing_call(tokens, &place);
            }
            return sink.notes.lost(kind, place);
        };
        let mut told = object.at(response).map_or(Value::Null, parse_json);
        if let Value::Array(events) = &told {
            told = whole_of_events(events).unwrap_or(Value::Null);
        }
        self.complete(&object, &mut told);
        let exchange = json!({"request": asked, "response": told});
        if !self.inner.read_exchange(&exchange, LogTime::of_exchange(&object), &place, sink) {
            sink.notes.note("requests for something else than an answer of a model, left out", place);
        }
    }
}

impl Logs {
    /// Adds the model and the token counts of the log to a response without them.
    fn complete(&self, object: &Object, told: &mut Value) {
        let Value::Object(told) = told else { return };
        if let Some(model) = object.at(self.gateway.model).and_then(Json::text) {
            told.entry("model").or_insert(model.into());
        }
        let has_usage =
            ["usage", "usageMetadata", "usage_metadata"].iter().any(|key| told.contains_key(*key));
        if let Some(input) = self.tokens(object, 0).filter(|_| !has_usage) {
            let output = self.tokens(object, 1);
            told.insert("usage".to_owned(), json!({"prompt_tokens": input, "completion_tokens": output}));
        }
    }

    fn tokens(&self, object: &Object, which: usize) -> Option<u64> {
        let path = self.gateway.tokens.get(which)?;
        object.at(path).and_then(Json::count).filter(|tokens| *tokens > 0)
    }
}
