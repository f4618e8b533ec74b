//! Trajectories of SWE-agent: `history[]`, with the results of tools or the observations of text agents.

use super::message::{message, usage};
use super::{LogFormat, Whole};
use crate::transcript::draft::{Answer, Draft, content};
use crate::transcript::json::{Json, Object};
use crate::transcript::notes::LogPlace;
use crate::transcript::read::Sink;
use crate::transcript::{TranscriptOutcome, TranscriptRole, TranscriptUsage};

const NAME: &str = "swe-agent";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "trajectories of SWE-agent (history) and mini-swe-agent (messages)",
    recognises: |object| {
        let is_message =
            |list: &Vec<Json>| list.iter().all(|said| said.object().is_none_or(|said| said.has("role")));
        object.list("history").as_ref().is_some_and(is_message) || is_mini(object)
    },
    reader: || Box::new(Whole(trajectory)),
};

/// Fields of a message that messages of other programs lack: these repeat its content.
const OWN: &[&str] = &[
    "agent",
    "thought",
    "action",
    "message_type",
    "is_demo",
    "tool_call_ids",
    "demo",
    "tags",
    "cache_control",
    "thinking_blocks",
    "extra",
    "provider_specific_fields",
];

/// Returns true for a trajectory of mini-swe-agent.
fn is_mini(object: &Object) -> bool {
    let info = object.object("info").unwrap_or_default();
    object.list("messages").is_some() && (info.has("model_stats") || info.has("mini_version"))
}

/// Begins a message of SWE-agent itself that ends a run in place of an answer. A run that exceeds its cost limit was
/// still billed for the request.
const ENDING: &str = "xit due to ";
const COST_LIMIT: &str = "xit due to cost limit";

fn trajectory(object: &Object, place: LogPlace, sink: &mut Sink) {
    // The best attempt stands beside them again, with the bills of all.
    let attempts = object.list("attempts").unwrap_or_default();
    for (index, attempt) in attempts.iter().enumerate() {
        let place = place.item("attempts", index);
        match attempt.object() {
            Some(attempt) => trajectory(&attempt, place, sink),
            None => sink.notes.lost("attempts that are no object", place),
        }
    }
    if !attempts.is_empty() {
        return;
    }
    let notes = &mut sink.notes;
    let mut draft = Draft::new(NAME, None, place.line);
    let key = if object.has("history") { "history" } else { "messages" };
    for (index, said) in object.list(key).unwrap_or_default().into_iter().enumerate() {
        let place = place.item(key, index);
        let Some(mut said) = said.object() else {
            notes.lost("messages that are no object", place);
            continue;
        };
        let is_demo = said.is_true("is_demo");
        let has_answers =
            draft.transcript.messages.iter().any(|message| message.role == TranscriptRole::Assistant);
        let role = said.text("role").unwrap_or_default();
        if said.has("thinking_blocks") {
            notes.note("reasoning left out", place.clone());
        }
        let ids = said.list("tool_call_ids").unwrap_or_default();
        let response = said.object("extra").and_then(|extra| extra.object("response"));
        said.remove(OWN);
        match role.as_str() {
            "assistant" | "tool" if is_demo => {
                notes.note(
                    "demonstrations told by others than the user, taken as observations",
                    place.clone(),
                );
                draft.user(content(said.get("content"), &place, notes), true, place);
            }
            "tool" => {
                if ids.len() > 1 {
                    notes.note("results of several calls, given to the first", place.clone());
                }
                let id = ids.first().copied().and_then(Json::text).or_else(|| said.text("tool_call_id"));
                draft.result(id, said.text("name"), content(said.get("content"), &place, notes), place);
            }
            "assistant" if is_ending(&said) => {
                notes.note("endings that SWE-agent itself wrote, which are no answers", place);
            }
            _ => {
                message(&said, Answer::Whole, has_answers, &place, &mut draft, notes);
                draft.usage(response.and_then(|response| usage(&response)));
            }
        }
    }
    draft.transcript.outcome = object.object("info").and_then(|info| outcome(&info));
    sink.give(draft);
}

fn is_ending(said: &Object) -> bool {
    let text = said.text("content").unwrap_or_default();
    let text = text.get(1..).unwrap_or_default();
    text.starts_with(ENDING) && !text.starts_with(COST_LIMIT)
}

/// Billed tokens and cost of the whole run.
fn outcome(info: &Object) -> Option<TranscriptOutcome> {
    let statistics = info.object("model_stats")?;
    let number = |key: &str| statistics.number(key).filter(|&number| number > 0);
    let usage = TranscriptUsage {
        input_tokens: number("tokens_sent"),
        output_tokens: number("tokens_received"),
        cost: statistics.get("instance_cost").and_then(Json::read).filter(|&cost: &f64| cost > 0.0),
        ..TranscriptUsage::default()
    };
    let usage = Some(usage).filter(|usage| *usage != TranscriptUsage::default())?;
    Some(TranscriptOutcome {
        usage: Some(usage),
        requests: number("api_calls"),
        ..TranscriptOutcome::default()
    })
}
