//! Trajectories in Harbor's interchange format (ATIF): steps of the system, the user and the agent.

use crate::content::note_reasoning;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Whole};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::names::{CallNames, Dialect, Names, PartKind, PartNames, UsageNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{TranscriptOutcome, TranscriptUsage};
use crate::unread::Fields;

const NAME: &str = "atif";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "trajectories of Harbor (ATIF): steps with a source, a message, tool_calls and an observation",
    recognises: |object| {
        if object.has("steps") && object.text("schema_version").is_some_and(|own| own.starts_with("ATIF")) {
            return true;
        }
        let first = object.list("steps").filter(|_| object.has("agent"));
        let first = first.and_then(|steps| steps.first()?.object());
        first.is_some_and(|step| step.has("step_id") && step.has("source"))
    },
    reader: || Box::new(Whole(read_trajectory)),
};

static DIALECT: Dialect = Dialect(&[&NAMES]);

static NAMES: Names = Names {
    call: CallNames {
        id: &["tool_call_id"],
        name: &["function_name"],
        arguments: &["arguments"],
        ..CallNames::NONE
    },
    parts: PartNames {
        types: &[("text", PartKind::Text), ("image", PartKind::Image)],
        text: &["text"],
        file: &["source"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        input: &["prompt_tokens"],
        read: &["cached_tokens"],
        output: &["completion_tokens"],
        cost: &["cost_usd"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// Fields of a trajectory that are read or have no content.
const LOG_FIELDS: [&str; 7] = [
    "schema_version",
    "session_id",
    "trajectory_id",
    "agent",
    "steps",
    "final_metrics",
    "subagent_trajectories",
];

/// Known fields of calls and their results.
const RESULT: Fields =
    Fields { below: &[], known: &["arguments", "content", "extra", "subagent_trajectory_ref"] };

/// Fields of a step that are read or not sent.
const STEP: [&str; 6] = ["source", "message", "reasoning_content", "tool_calls", "observation", "extra"];

fn read_trajectory(object: &Object, place: LogPlace, sink: &mut Sink) {
    let notes = &mut sink.notes;
    for (key, value) in object.fields() {
        if !LOG_FIELDS.contains(&key) && !value.is_empty() {
            notes.note(format!("fields {key} of the log left out"), place.clone());
        }
    }
    let id = object.first(&["trajectory_id", "session_id"]).map(Json::to_plain_text);
    let mut draft = Draft::new(NAME, id, place.line);
    let agent = object.below("agent");
    DIALECT.note_unread(&agent, &["extra", "name", "tool_definitions"], "agents", &place, notes);
    draft.declare_tools(agent.get("tool_definitions"), &place.key("agent"), notes);
    let model = agent.text("model_name");
    for (value, place) in list_objects(object, "steps", "steps", &place, notes) {
        read_step(&value, model.as_ref(), place, &mut draft, notes);
    }
    // The total of the run repeats the bills of its steps.
    let has_bills = draft.transcript.messages.iter().any(|message| message.usage.is_some());
    let sum = object.object("final_metrics").filter(|_| !has_bills);
    if has_bills {
        sink.notes.name_bills(&object.below("final_metrics"));
    }
    draft.transcript.outcome = sum.and_then(|sum| read_outcome(&sum, model));
    sink.give(draft);
    let inner = list_objects(object, "subagent_trajectories", "trajectories", &place, &mut sink.notes);
    inner.into_iter().for_each(|(inner, place)| read_trajectory(&inner, place, sink));
}

/// Reads a step. A step of the agent is an answer, unless it called no model.
fn read_step(step: &Object, model: Option<&String>, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
    draft.now = LogTime::of_object(step);
    DIALECT.note_unread(step, &STEP, "steps", &place, notes);
    if step.has("reasoning_content") {
        note_reasoning(&place, notes);
    }
    if step.is_true("is_copied_context") {
        notes.note("steps copied from another trajectory", place.clone());
    }
    let content = DIALECT.read_content(step.get("message"), &place.key("message"), notes);
    match step.text("source").as_deref() {
        Some("agent") if step.number("llm_call_count") == Some(0) => {
            notes.note("steps of the agent without a model, taken as observations", place.clone());
            draft.add_user_text(content, true, place.clone());
        }
        Some("agent") => {
            let asked = list_objects(step, "tool_calls", "calls", &place, notes).into_iter();
            let calls = asked.map(|(call, place)| {
                RESULT.note_unread(&call, "calls", &place, notes);
                DIALECT.call_of(&call)
            });
            let calls = calls.collect();
            draft.add_answer(Answer::Whole, content, calls, place.clone());
            let model = step.text("model_name").or_else(|| model.cloned());
            draft.usage(step.object("metrics").and_then(|metrics| DIALECT.usage_of(&metrics, model)));
        }
        Some("system") => draft.set_system(content, place.clone(), notes),
        Some("user") => draft.add_user_text(content, false, place.clone()),
        other => {
            let source = other.unwrap_or("");
            notes.note(format!("steps of the source {source:?}, taken as observations"), place.clone());
            draft.add_user_text(content, true, place.clone());
        }
    }
    let observed = step.below("observation");
    DIALECT.note_unread(&observed, &["extra", "results"], "observations", &place, notes);
    for (result, place) in list_objects(&observed, "results", "results", &place.key("observation"), notes) {
        if result.has("subagent_trajectory_ref") {
            notes.note("results that name the trajectory of a subagent", place.clone());
        }
        RESULT.note_unread(&result, "results", &place, notes);
        let content = DIALECT.read_content(result.get("content"), &place, notes);
        match result.text("source_call_id") {
            Some(id) => draft.add_result(Some(id), None, content, place),
            None => draft.add_user_text(content, true, place),
        }
    }
}

/// Billed tokens and cost of the whole run.
fn read_outcome(sum: &Object, model: Option<String>) -> Option<TranscriptOutcome> {
    let usage = TranscriptUsage {
        input_tokens: sum.number("total_prompt_tokens"),
        cached_tokens: sum.number("total_cached_tokens"),
        output_tokens: sum.number("total_completion_tokens"),
        cost: sum.get("total_cost_usd").and_then(Json::read),
        ..TranscriptUsage::default()
    };
    let usage = Some(usage).filter(|usage| *usage != TranscriptUsage::default())?;
    let usage = Some(TranscriptUsage { model, ..usage });
    Some(TranscriptOutcome { usage, ..TranscriptOutcome::default() })
}
