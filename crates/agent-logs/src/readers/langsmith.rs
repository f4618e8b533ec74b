//! Batches of runs sent by LangSmith's clients: `post` starts runs, `patch` ends them with their outputs.

use std::mem;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::inner::Inner;
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;

const NAME: &str = "langsmith";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "batches of runs for LangSmith ({post, patch}); each run of a model is a request",
    recognises: |object| LISTS.iter().any(|key| object.list(key).is_some_and(|runs| runs.iter().all(is_run))),
    reader: || Box::new(Batches { runs: IndexMap::new(), inner: Inner::for_format(NAME) }),
};

/// Fields of a run that are read.
const KEPT: [&str; 5] = ["run_type", "inputs", "outputs", "start_time", "end_time"];

const LISTS: [&str; 2] = ["post", "patch"];

/// Types of runs that call a model.
const MODELS: [&str; 2] = ["llm", "chat_model"];

fn is_run(run: &Json) -> bool {
    run.object().is_some_and(|run| run.has("id") && (run.has("trace_id") || run.has("dotted_order")))
}

/// Runs by id, in order of their first appearance.
struct Batches {
    runs: IndexMap<String, Run>,
    inner: Inner,
}

/// The fields of a run, merged from all batches.
struct Run {
    fields: Map<String, Value>,
    place: LogPlace,
}

impl Reader for Batches {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(batch) = sink.read_object(value, &place) else { return };
        for key in LISTS {
            for (run, place) in list_objects(&batch, key, "runs", &place, &mut sink.notes) {
                self.merge_run(&run, place, sink);
            }
        }
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        for (_, mut run) in mem::take(&mut self.runs) {
            let kind = run.fields.remove("run_type");
            if !kind.as_ref().and_then(Value::as_str).is_some_and(|kind| MODELS.contains(&kind)) {
                continue;
            }
            let times = (take_time(&mut run.fields, "start_time"), take_time(&mut run.fields, "end_time"));
            if !self.inner.read_exchange(&run.fields.into(), times, &run.place, sink) {
                sink.notes.lost("runs of a model without messages left out", run.place);
            }
        }
    }
}

impl Batches {
    fn merge_run(&mut self, run: &Object, place: LogPlace, sink: &mut Sink) {
        let Some(id) = run.text("id") else {
            return sink.notes.lost("runs without an identifier", place);
        };
        // A run is posted at its start and patched at its end, often in another batch.
        let known = self.runs.entry(id).or_insert_with(|| Run { fields: Map::new(), place });
        let kept = KEPT.iter().filter_map(|key| Some((*key, run.get(key)?)));
        known.fields.extend(kept.filter_map(|(key, value)| Some((key.to_owned(), value.read()?))));
        // LangChain logs the tools outside the messages. LiteLLM's field is already supported.
        if let Some(tools) = run.at("extra.invocation_params.tools").and_then(Json::read::<Value>) {
            known.fields.insert("model_parameters".to_owned(), serde_json::json!({"tools": tools}));
        }
    }
}

fn take_time(fields: &mut Map<String, Value>, key: &str) -> Option<LogTime> {
    LogTime::parse(fields.remove(key)?.as_str()?)
}
