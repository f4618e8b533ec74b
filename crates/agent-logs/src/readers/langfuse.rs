//! Exports of Langfuse: a trace with its observations, or observations alone. Each generation is a request with its response.

use std::mem;
use std::ops::Add;

use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

use super::exchanges;
use super::inner::{Inner, parse_json};
use super::otel_genai::REPEATED;
use super::span_tree::{Seen, SpanTree};
use crate::fingerprint::of_text;
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;

const NAME: &str = "langfuse";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "exports of Langfuse: traces or observations; each generation is a request",
    recognises: |object| {
        let observations = object.list("observations").unwrap_or_default();
        let first = observations.first().copied().and_then(Json::object).unwrap_or_default();
        object.object("trace").is_some() && object.has("observations")
            || is_observation(&first)
            || is_observation(object)
    },
    reader: || {
        Box::new(Traces {
            tree: SpanTree::default(),
            seen: Seen::default(),
            all: Vec::new(),
            attributed: Vec::new(),
            inner: Inner::for_format(NAME),
        })
    },
};

/// Fields of observations, as the API and the client for Python write them.
const TRACE: [&str; 2] = ["traceId", "trace_id"];
const START: [&str; 2] = ["startTime", "start_time"];
const END: [&str; 2] = ["endTime", "end_time"];
const DETAILS: [&str; 2] = ["usageDetails", "usage_details"];
const COSTS: [&str; 2] = ["costDetails", "cost_details"];
const COST: [&str; 4] = ["totalCost", "calculatedTotalCost", "total_cost", "calculated_total_cost"];

/// Types of observations that bill tokens, but not those of a chat model.
const NO_CHATS: [&str; 2] = ["EMBEDDING", "RETRIEVER"];

fn is_observation(object: &Object) -> bool {
    // Spans of other tracers have the same fields in snake case, but no types such as `GENERATION`.
    let Some(kind) = object.text("type") else { return false };
    let is_upper_case = !kind.contains(|letter: char| letter.is_ascii_lowercase());
    is_upper_case && object.first(&TRACE).is_some() && object.first(&START).is_some()
}

struct Traces {
    tree: SpanTree,
    seen: Seen,
    /// Observations that may be requests to a model.
    all: Vec<Observation>,
    /// Ids of other observations, with the input tokens in the attributes of their spans.
    attributed: Vec<(String, u64)>,
    inner: Inner,
}

struct Observation {
    id: Option<String>,
    /// Start time as text, used for sorting. `None` sorts first.
    start: Option<String>,
    times: (Option<LogTime>, Option<LogTime>),
    is_generation: bool,
    request: Value,
    response: Option<Value>,
    usage: Option<Value>,
    place: LogPlace,
}

impl Observation {
    fn input_tokens(&self) -> Option<u64> {
        self.usage.as_ref()?["prompt_tokens"].as_u64()
    }
}

impl Reader for Traces {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if is_observation(&object) && !object.has("observations") {
            return self.add_observation(&object, place, sink);
        }
        if object.list("observations").is_none() {
            return sink.notes.lost("traces without observations; export each with them", place);
        }
        for (observation, place) in
            list_objects(&object, "observations", "observations", &place, &mut sink.notes)
        {
            self.add_observation(&observation, place, sink);
        }
        if self.all.is_empty() {
            sink.notes.lost("traces without generations, which hold the requests", place);
        }
        self.read_generations(sink);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        self.read_generations(sink);
    }
}

impl Traces {
    fn add_observation(&mut self, observation: &Object, place: LogPlace, sink: &mut Sink) {
        if !self.seen.is_new(observation.text("id"), observation) {
            return sink.notes.note(REPEATED, place);
        }
        self.tree.add_span(observation);
        if NO_CHATS.contains(&observation.kind().as_str()) && read_usage(observation).is_some() {
            sink.notes.name_bills(observation);
            return sink
                .notes
                .note("bills of embeddings and retrievals, which belong to no conversation", place);
        }
        let all = read_observation(observation, place);
        match &all {
            Some(observed) if observed.is_generation => self.tree.add_request(observation),
            Some(_) => {}
            None => self.attributed.extend(observation.text("id").zip(attributed_input(observation))),
        }
        self.all.extend(all);
    }

    /// Reads the generations sorted by start time, because exports have them in any order. Without generations, it reads the agent
    /// observations with their own bills.
    fn read_generations(&mut self, sink: &mut Sink) {
        let mut all = mem::take(&mut self.all);
        let mut tree = mem::take(&mut self.tree);
        tree.close();
        let has_generations = all.iter().any(|observed| observed.is_generation);
        let notes = &mut sink.notes;
        if has_generations {
            note_others(&mut all, &tree, notes);
        }
        all.retain(|observed| observed.is_generation || observed.usage.is_some());
        for (id, tokens) in mem::take(&mut self.attributed) {
            if tree.is_id_above_requests(&id) {
                notes.named_bills.push(tokens);
            }
        }
        all.sort_by(|first, second| first.start.cmp(&second.start));
        // Without generations, an observation above others is their sum.
        let ids: FxHashSet<String> = all.iter().filter_map(|observed| observed.id.clone()).collect();
        for observed in all {
            let is_sum = match &observed.id {
                Some(id) if has_generations => tree.is_id_above_requests(id),
                Some(id) => tree.is_above_any(id, &ids),
                None => false,
            };
            if is_sum {
                note_sum(&observed, &mut sink.notes);
                continue;
            }
            self.read_exchange(observed, sink);
        }
    }

    fn read_exchange(&mut self, observed: Observation, sink: &mut Sink) {
        let tokens = observed.input_tokens();
        let Observation { times, request, response, usage, place, .. } = observed;
        if response.is_none()
            && let Some(tokens) = tokens
        {
            sink.notes.missing_call(tokens, &place);
        }
        let mut exchange = json!({"request": request, "response": response});
        if let (Some(response), Some(usage)) = (&response, usage)
            && response["messages"].is_array()
        {
            exchange["usage"] = usage;
        }
        if !exchanges::has_any_message(&exchange["request"]) && exchange["response"].is_null() {
            return sink.notes.note("generations without messages left out", place);
        }
        if !self.inner.read_exchange(&exchange, times, &place, sink) {
            sink.notes.lost("generations without messages left out", place);
        }
    }
}

/// Removes the observations beside, above and below the generations, and notes their bills.
fn note_others(all: &mut Vec<Observation>, tree: &SpanTree, notes: &mut Notes) {
    let mut generations = FxHashSet::default();
    for observed in all.iter() {
        if let Some(id) = &observed.id
            && observed.is_generation
        {
            generations.insert(of_text(id));
        }
    }
    for observed in all.extract_if(.., |observed| !observed.is_generation) {
        let id = observed.id.as_deref();
        if id.is_some_and(|id| tree.is_id_above_requests(id)) {
            // Agents above generations sum them up, or have a count that is stale.
            note_sum(&observed, notes);
        } else if id.is_some_and(|id| tree.is_below_any(id, &generations)) {
            notes.named_bills.extend(observed.input_tokens());
            notes.note("observations that repeat the bill of the request above them", observed.place);
        } else if let Some(tokens) = observed.input_tokens() {
            notes.missing_call(tokens, &observed.place);
        }
    }
}

fn note_sum(observed: &Observation, notes: &mut Notes) {
    notes.named_bills.extend(observed.input_tokens());
    notes.note("observations that sum up the requests below them", observed.place.clone());
}

/// Input tokens in the attributes of an OpenTelemetry span, which Langfuse keeps in the metadata.
fn attributed_input(observation: &Object) -> Option<u64> {
    let mut metadata = parse_json(observation.get("metadata")?);
    let mut attributes = metadata.get_mut("attributes")?.take();
    if let Value::String(text) = &attributes
        && let Ok(parsed) = serde_json::from_str(text)
    {
        attributes = parsed;
    }
    count_tokens(&attributes["gen_ai.usage.input_tokens"])
}

/// A number of tokens. Exports from ClickHouse have numbers as text.
fn count_tokens(value: &Value) -> Option<u64> {
    if let Some(text) = value.as_str() {
        return text.parse().ok();
    }
    match (value.as_u64(), value.as_f64()) {
        (Some(tokens), _) => Some(tokens),
        (None, Some(tokens)) if tokens >= 0.0 => Some(tokens as u64),
        _ => None,
    }
}

/// The request and response of an observation; `None` if it is no model call.
fn read_observation(observation: &Object, place: LogPlace) -> Option<Observation> {
    let is_generation = observation.is_a("GENERATION");
    let usage = read_usage(observation);
    if !is_generation && usage.is_none() {
        return None;
    }
    let request = exchanges::normalise_request(observation.get("input").map_or(Value::Null, parse_json));
    let mut response = observation.get("output").map(parse_json).and_then(exchanges::normalise_response);
    if let Some(Value::Object(message)) = &mut response {
        if let Some(usage) = &usage {
            message.insert("usage".to_owned(), usage.clone());
        }
        if let Some(model) = observation.text("model") {
            message.insert("model".to_owned(), model.into());
        }
    }
    let start = observation.first(&START).and_then(Json::text);
    let times = (LogTime::of_fields(observation, &START), LogTime::of_fields(observation, &END));
    let id = observation.text("id");
    Some(Observation { id, start, times, is_generation, request, response, usage, place })
}

/// The bill of a generation. Langfuse splits the input into disjoint kinds.
fn read_usage(observation: &Object) -> Option<Value> {
    let mut details = list_old_counts(observation);
    for given in [observation.get("usage"), observation.first(&DETAILS)].into_iter().flatten() {
        if let Value::Object(given) = parse_json(given)
            && !given.is_empty()
        {
            details = given;
        }
    }
    // OpenTelemetry spans include the cache in the input count; the total shows it.
    let (mut own, mut output, mut total) = (None, None, None);
    let (mut read, mut written, mut reasoning) = (None, None, None);
    // LangChain counts what was written by lifetime, beside the sum or with a sum of 0.
    let (mut written_5m, mut written_1h) = (None, None);
    for (key, number) in &details {
        let Some(tokens) = count_tokens(number) else { continue };
        // Each integration uses its own names, such as `input_cached_tokens` and `cache_creation_input_tokens`.
        let (is_cached, is_detail) = (key.contains("cache"), key.contains("_details"));
        let is_input = key.starts_with("input") || key.starts_with("prompt");
        let is_output = key.starts_with("output") || key.starts_with("completion");
        if key.contains("5m") || key.contains("1h") {
            add_tokens(if key.contains("1h") { &mut written_1h } else { &mut written_5m }, tokens);
        } else if is_cached {
            let is_written = key.contains("creation") || key.contains("write");
            add_tokens(if is_written { &mut written } else { &mut read }, tokens);
        } else if is_input && !is_detail {
            add_tokens(&mut own, tokens);
        }
        if key.contains("reasoning") && tokens > 0 {
            add_tokens(&mut reasoning, tokens);
        }
        if is_output && !is_detail {
            add_tokens(&mut output, tokens);
        }
        if key == "total" || key == "totalTokens" || key == "total_tokens" {
            add_tokens(&mut total, tokens);
        }
    }
    let mut by_lifetime = written_5m;
    if let Some(tokens) = written_1h {
        add_tokens(&mut by_lifetime, tokens);
    }
    let written = written.max(by_lifetime);
    let beside = [read, written, own].into_iter().flatten().fold(0, u64::saturating_add);
    let input = match total {
        Some(total) if beside.saturating_add(output.unwrap_or(0)) > total => own?,
        _ => beside,
    };
    if input == 0 {
        return None;
    }
    if let (Some(output), Some(total)) = (&mut output, total) {
        // Gemini's thoughts are only included in the total.
        *output = (*output).max(total.saturating_sub(input));
    }
    if reasoning > output {
        reasoning = None;
    }
    let fields = [
        ("prompt_tokens", Some(input)),
        ("completion_tokens", output),
        ("cached_tokens", read),
        ("cache_write_tokens", written),
        ("reasoning_tokens", reasoning),
    ];
    let mut bill = Map::new();
    for (key, number) in fields {
        if let Some(number) = number {
            bill.insert(key.to_owned(), number.into());
        }
    }
    if let Some(tokens) = written_1h {
        bill.insert("cache_creation".to_owned(), json!({"ephemeral_1h_input_tokens": tokens}));
    }
    // A model without a price costs 0. `cost_of` in usage.rs leaves it out.
    if let Some(cost) = read_cost(observation) {
        bill.insert("cost".to_owned(), cost.into());
    }
    Some(bill.into())
}

/// The cost of an observation: its total, or the sum of its parts.
fn read_cost(observation: &Object) -> Option<f64> {
    if let Some(cost) = observation.first(&COST).and_then(Json::read) {
        return Some(cost);
    }
    let costs = parse_json(observation.first(&COSTS)?);
    match read_dollars(&costs["total"]) {
        None => costs.as_object()?.values().filter_map(read_dollars).reduce(f64::add),
        total => total,
    }
}

/// The counts of older exports, which are fields of the observation.
fn list_old_counts(observation: &Object) -> Map<String, Value> {
    let mut counts = Map::new();
    for (name, key) in [("input", "promptTokens"), ("output", "completionTokens"), ("total", "totalTokens")] {
        if let Some(tokens) = observation.number(key) {
            counts.insert(name.to_owned(), tokens.into());
        }
    }
    counts
}

fn read_dollars(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some(text) => text.parse().ok(),
        None => value.as_f64(),
    }
}

fn add_tokens(sum: &mut Option<u64>, tokens: u64) {
    *sum = Some(sum.unwrap_or(0).saturating_add(tokens));
}
