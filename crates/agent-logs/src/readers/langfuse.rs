//! Exports of Langfuse: a trace with its observations, or observations alone. Each generation is a request with its response.

use std::mem;

use serde_json::{Map, Value, json};

use super::inner::{Inner, parsed};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::listed::listed;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;

const NAME: &str = "langfuse";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "exports of Langfuse: traces with their observations, or observations; each generation is a request",
    recognises: |object| {
        let first = object.list("observations").and_then(|list| list.first()?.object());
        object.object("trace").is_some() && object.has("observations")
            || first.is_some_and(|first| is_observation(&first))
            || is_observation(object)
    },
    reader: || Box::new(Traces { generations: Vec::new(), inner: Inner::of(NAME) }),
};

fn is_observation(object: &Object) -> bool {
    object.has("traceId") && object.has("type") && object.has("startTime")
}

struct Traces {
    /// Those of the observations that are values of their own.
    generations: Vec<Generation>,
    inner: Inner,
}

/// A call of a model.
struct Generation {
    /// The start as the export writes it. Those without one come first.
    start: Option<String>,
    times: (Option<LogTime>, Option<LogTime>),
    request: Value,
    place: LogPlace,
}

impl Reader for Traces {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.object(value, &place) else { return };
        if is_observation(&object) && !object.has("observations") {
            self.generations.extend(generation(&object, place));
            return;
        }
        if object.list("observations").is_none() {
            return sink.notes.lost("traces without observations; export each with them", place);
        }
        for (observation, place) in listed(&object, "observations", "observations", &place, &mut sink.notes) {
            self.generations.extend(generation(&observation, place));
        }
        if self.generations.is_empty() {
            sink.notes.lost("traces without generations, which hold the requests", place);
        }
        self.read(sink);
    }

    fn end(&mut self, sink: &mut Sink) {
        self.read(sink);
        self.inner.end(sink);
    }
}

impl Traces {
    /// Reads the generations in the order of their times, because an export has them in any order.
    fn read(&mut self, sink: &mut Sink) {
        let mut generations = mem::take(&mut self.generations);
        generations.sort_by(|first, second| first.start.cmp(&second.start));
        for Generation { request, times, place, .. } in generations {
            if !self.inner.exchange(&request, times, &place, sink) {
                sink.notes.lost("generations without messages left out", place);
            }
        }
    }
}

/// The request and the response of a generation; nothing for another observation.
fn generation(observation: &Object, place: LogPlace) -> Option<Generation> {
    if !observation.is_a("GENERATION") {
        return None;
    }
    let (messages, tools) =
        observation.get("input").map(parsed).map_or_else(Default::default, messages_and_tools);
    let mut request = json!({"messages": messages});
    if !tools.is_empty() {
        request["tools"] = tools.into();
    }
    let response = response(observation);
    let start = observation.text("startTime");
    let time = |key| observation.get(key).and_then(LogTime::read);
    let times = (time("startTime"), time("endTime"));
    Some(Generation { start, times, request: json!({"request": request, "response": response}), place })
}

/// The messages of an input, which may be one text, and its tools. The handler for LangChain writes the tools behind the
/// messages, as messages of the role `tool`.
fn messages_and_tools(input: Value) -> (Vec<Value>, Vec<Value>) {
    let (list, mut tools) = match input {
        Value::Array(list) => (list, Vec::new()),
        Value::Object(mut input) => {
            let list = match input.remove("messages").or_else(|| input.remove("input")) {
                Some(Value::Array(list)) => list,
                Some(Value::String(text)) => vec![user(text.into())],
                _ => Vec::new(),
            };
            (list, input.remove("tools").map_or(Vec::new(), listed_tools))
        }
        Value::String(text) => (vec![user(text.into())], Vec::new()),
        _ => (Vec::new(), Vec::new()),
    };
    let is_tool =
        |message: &Value| message["role"] == "tool" && message["content"]["function"]["name"].is_string();
    let (declared, messages): (Vec<Value>, Vec<Value>) = list.into_iter().partition(is_tool);
    tools.extend(declared.into_iter().map(|mut declared| declared["content"].take()));
    (messages, tools)
}

/// The tools of a list. A single one stands alone.
fn listed_tools(tools: Value) -> Vec<Value> {
    match tools {
        Value::Array(tools) => tools,
        Value::Null => Vec::new(),
        tool => vec![tool],
    }
}

fn user(text: Value) -> Value {
    json!({"role": "user", "content": text})
}

/// The response of a generation: its message with model and bill, or its text.
fn response(observation: &Object) -> Value {
    let output = match observation.get("output").map(parsed) {
        // Some integrations write the choices of a response, of which there is one.
        Some(Value::Array(mut list)) if list.len() == 1 => list.pop(),
        output => output,
    };
    let mut message = match output {
        Some(Value::Object(message)) => message,
        Some(Value::String(text)) => Map::from_iter([("content".to_owned(), text.into())]),
        _ => return Value::Null,
    };
    if !["choices", "output", "candidates"].iter().any(|key| message.contains_key(*key)) {
        message.entry("role").or_insert_with(|| "assistant".into());
        message.entry("content").or_insert_with(|| "".into());
    }
    if let Some(usage) = usage(observation) {
        message.insert("usage".to_owned(), usage);
    }
    if let Some(model) = observation.text("model") {
        message.insert("model".to_owned(), model.into());
    }
    message.into()
}

/// The bill of a generation. Langfuse divides the input into kinds that do not overlap.
fn usage(observation: &Object) -> Option<Value> {
    let details = observation.get("usageDetails").map(parsed);
    let details = details.filter(|details| details.as_object().is_some_and(|details| !details.is_empty()));
    let details = details.or_else(|| observation.get("usage").map(parsed))?;
    let sum = |is_counted: &dyn Fn(&str) -> bool| -> Option<u64> {
        let fields = details.as_object().into_iter().flatten().filter(|(key, _)| is_counted(key));
        fields.filter_map(|(_, number)| number.as_u64()).reduce(u64::saturating_add)
    };
    // Each integration names the kinds in its own way, such as `input_cached_tokens` and `cache_creation_input_tokens`.
    let is_written = |key: &str| key.contains("creation") || key.contains("write");
    let is_cached = |key: &str| key.contains("cache");
    let input = sum(&|key| key.starts_with("input") || is_cached(key)).filter(|&tokens| tokens > 0)?;
    let cost = observation.first(&["totalCost", "calculatedTotalCost"]).and_then(Json::read::<f64>);
    let fields = [
        ("prompt_tokens", Some(input)),
        ("completion_tokens", sum(&|key| key.starts_with("output"))),
        ("cached_tokens", sum(&|key| is_cached(key) && !is_written(key))),
        ("cache_write_tokens", sum(&|key| is_cached(key) && is_written(key))),
    ];
    let known = fields.into_iter().filter_map(|(key, number)| Some((key.to_owned(), Value::from(number?))));
    Some(known.chain(cost.map(|cost| ("cost".to_owned(), Value::from(cost)))).collect())
}
