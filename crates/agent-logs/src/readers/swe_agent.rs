//! Trajectories of SWE-agent: `history[]`, with tool results or the observations of text agents. Without a history, the steps of
//! `trajectory[]`.

use rustc_hash::FxHashSet;

use super::bodies::BODIES;
use super::openai_responses::{read_item, read_items};
use super::providers::{anthropic, openai};
use crate::content::Content;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Whole};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::transcript::{TranscriptOutcome, TranscriptRole, TranscriptUsage};

const NAME: &str = "swe-agent";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "trajectories of SWE-agent (history, else trajectory) and mini-swe-agent (messages)",
    recognises: |object| has_history(object) || is_mini(object) || has_steps(object),
    reader: || Box::new(Whole(read_trajectory)),
};

/// Returns true for an object with a history in SWE-agent's own format.
fn has_history(object: &Object) -> bool {
    let Some(list) = object.list("history") else { return false };
    let mut has_own = object.first(&OWN_OF_RUN).is_some();
    for message in list.into_iter().filter_map(Json::object) {
        if !message.has("role") {
            return false;
        }
        has_own |= message.first(&OWN_OF_HISTORY).is_some();
    }
    has_own
}

/// Returns true for an object with a list of steps, judged by the first one.
fn has_steps(object: &Object) -> bool {
    let Some(list) = object.list("trajectory") else { return false };
    let Some(step) = list.first().and_then(|first| first.object()) else { return false };
    step.has("observation") && (step.has("response") || step.has("action"))
}

/// LiteLLM normalises messages to OpenAI's format, but keeps extra Anthropic fields. mini-swe-agent also keeps OpenAI responses.
static DIALECT: Dialect = Dialect(&[&openai::CHAT, &anthropic::NAMES, &openai::RESPONSES]);

/// Fields next to `history` that identify SWE-agent; other programs use the name `history` too.
const OWN_OF_RUN: [&str; 4] = ["trajectory", "info", "environment", "replay_config"];

/// Fields that identify a message of a SWE-agent history.
const OWN_OF_HISTORY: [&str; 4] = ["agent", "message_type", "thought", "is_demo"];

/// SWE-agent's own fields of a message. They only repeat its content.
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

/// Fields of a trajectory: read elsewhere, repeated, or settings of the run.
const LOG_FIELDS: &[&str] = &[
    "history",
    "messages",
    "trajectory",
    "info",
    "attempts",
    "attempt",
    "environment",
    "replay_config",
    "trajectory_format",
    "instance_id",
];

/// Fields of a step that are read or repeat others.
const STEP: &[&str] = &[
    "action",
    "extra_info",
    "messages",
    "observation",
    "query",
    "response",
    "state",
    "thought",
    "tool_calls",
];

/// Returns true for a trajectory of mini-swe-agent.
fn is_mini(object: &Object) -> bool {
    let info = object.below("info");
    object.list("messages").is_some() && (info.has("model_stats") || info.has("mini_version"))
}

/// Start of a message (after its first letter) written by SWE-agent instead of an answer when a run ends. The last request was
/// still billed if the run hit its cost limit.
const ENDING: &str = "xit due to ";
const COST_LIMIT: &str = "xit due to cost limit";

/// Prefixes of user messages in mini-swe-agent, typed between its commands.
const OF_PERSON: [&str; 5] = [
    "Interrupted by user:",
    "Command not executed. The user",
    "Commands not executed. The user",
    "User command:",
    "The user added a new task:",
];

fn read_trajectory(object: &Object, place: LogPlace, sink: &mut Sink) {
    for (key, value) in object.fields() {
        if !LOG_FIELDS.contains(&key) && !value.is_empty() {
            sink.notes.note(format!("fields {key} of the log left out"), place.clone());
        }
    }
    // The log repeats the best attempt outside the list, with the bill of all attempts.
    let attempts = list_objects(object, "attempts", "attempts", &place, &mut sink.notes);
    if !attempts.is_empty() {
        if let Some(TranscriptOutcome { usage: Some(sum), .. }) = read_outcome(&object.below("info")) {
            sink.notes.name_usage(&sum);
        }
        for (attempt, place) in attempts {
            read_trajectory(&attempt, place, sink);
        }
        return;
    }
    let notes = &mut sink.notes;
    let mut draft = Draft { marks_observations: true, ..Draft::new(NAME, None, place.line) };
    let key = if object.has("history") { "history" } else { "messages" };
    let message = list_objects(object, key, "messages", &place, notes);
    let steps = list_objects(object, "trajectory", "steps", &place, notes);
    let info = object.below("info");
    draft.transcript.outcome = read_outcome(&info);
    if steps.is_empty() || message.iter().any(|(message, _)| is_answer(message)) {
        note_repeated(&message, &steps, notes);
        for (message, place) in message {
            add_message(message, place, &mut draft, notes);
        }
    } else if !read_steps(steps, &mut draft, notes) && draft.transcript.outcome.take().is_some() {
        notes.note("bills for other requests than those of the transcript, left out", place);
    }
    sink.give(draft);
}

/// Notes answers found in steps but not in the history: the agent rejected them and asked again.
fn note_repeated(message: &[(Object, LogPlace)], steps: &[(Object, LogPlace)], notes: &mut Notes) {
    let mut kept = FxHashSet::default();
    for (message, place) in message {
        kept.insert(text_of(message, place));
        kept.extend(message.text("thought"));
    }
    for (step, place) in steps {
        if let Some(response) = filled_text(step, "response")
            && !kept.contains(&response)
        {
            notes.note("answers of steps that the history lacks, left out", place.clone());
        }
    }
}

/// The content of a message as text.
fn text_of(message: &Object, place: &LogPlace) -> String {
    DIALECT.read_content(message.get("content"), place, &mut Notes::default()).text()
}

fn is_answer(message: &Object) -> bool {
    message.text("role").as_deref() == Some("assistant") && !message.is_true("is_demo")
}

/// Adds a message of a history.
fn add_message(mut message: Object, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let is_demo = message.is_true("is_demo");
    let has_answers =
        draft.transcript.messages.iter().any(|message| message.role == TranscriptRole::Assistant);
    let role = message.text("role");
    // LiteLLM keeps Anthropic's reasoning outside the content.
    if message.has("thinking_blocks") {
        notes.note("reasoning left out", place.clone());
    }
    let ids: Vec<Json> = message.list("tool_call_ids").into_iter().flatten().collect();
    let extra = message.object("extra");
    message.remove_keys(OWN);
    // mini-swe-agent keeps OpenAI responses and their items unchanged.
    if let Some(output) = message.list("output") {
        BODIES.note_unread(&message, "messages", &place, notes);
        read_items(output, &place, "output", draft, notes);
        return draft.usage(DIALECT.usage(&message));
    }
    if role.is_none() && message.has("call_id") {
        return read_item(&message, &place, draft, notes);
    }
    if role.as_deref() == Some("tool") || is_demo && role.as_deref() == Some("assistant") {
        DIALECT.note_unread_of_message(&message, role.as_deref(), &place, notes);
    }
    match role.as_deref() {
        Some("assistant" | "tool") if is_demo => {
            notes.note("demonstrations by others than the user, read as observations", place.clone());
            draft.add_user_text(DIALECT.read_content(message.get("content"), &place, notes), true, place);
        }
        Some("tool") => {
            if ids.len() > 1 {
                notes.note("results of several calls, given to the first", place.clone());
            }
            let id = ids.first().copied().and_then(Json::text).or(message.text("tool_call_id"));
            draft.add_result(
                id,
                message.text("name"),
                DIALECT.read_content(message.get("content"), &place, notes),
                place,
            );
        }
        Some("assistant") if message.text("content").is_some_and(|text| is_ending(&text)) => {
            note_ending(&place, notes)
        }
        Some("exit") => note_ending(&place, notes),
        _ => {
            let is_told = has_answers && is_of_program(extra.as_ref(), &message);
            DIALECT.read_message(&message, Answer::Whole, is_told, &place, draft, notes);
            let extra = extra.unwrap_or_default();
            if is_told {
                // The rejected answer; the bill of the whole run includes it.
                notes.name_bills(&extra);
            }
            if role.as_deref() == Some("assistant") {
                draft.usage(DIALECT.usage(&extra.below("response")));
            }
        }
    }
}

/// Returns true for a user message with the output of a command, or with a complaint about an unusable answer. For a complaint,
/// mini-swe-agent keeps that answer in `extra`; no request contains it.
fn is_of_program(extra: Option<&Object>, message: &Object) -> bool {
    if let Some(extra) = extra {
        return extra.has("raw_output") || extra.text("interrupt_type").as_deref() == Some("FormatError");
    }
    // SWE-agent and mini-swe-agent before 2.0 have no `extra`.
    let text = message.text("content").unwrap_or_default();
    !OF_PERSON.iter().any(|start| text.starts_with(start))
}

/// Reads the steps of a run without a history. The response is the answer. The model then sees the new end of the next step's
/// request (`query`), else the observation. Returns true if each request is the whole conversation so far, so the bill of the run
/// applies to these requests.
fn read_steps(steps: Vec<(Object, LogPlace)>, draft: &mut Draft, notes: &mut Notes) -> bool {
    let query = request_of(steps.first(), notes);
    let mut number = query.len();
    let mut is_whole = !query.is_empty();
    if let (true, Some((_, place))) = (query.is_empty(), steps.first()) {
        notes.lost("messages before the first answer, which the log lacks", place.clone());
        notes.note("observations of steps, without what the agent wrote around them", place.clone());
    }
    for (message, place) in query {
        add_message(message, place, draft, notes);
    }
    for (at, (step, place)) in steps.iter().enumerate() {
        DIALECT.note_unread(step, STEP, "steps", place, notes);
        let response = response_of(step);
        let next = request_of(steps.get(at + 1), notes);
        match find_own_answer(step, place, &next) {
            Some(at) => {
                is_whole &= at == number;
                number = next.len();
                for (message, place) in next.into_iter().skip(at) {
                    add_message(message, place, draft, notes);
                }
            }
            None => {
                is_whole &= at + 1 == steps.len();
                match response {
                    Some(response) if is_ending(&response) => note_ending(place, notes),
                    Some(response) => {
                        draft.add_answer(Answer::Whole, Content::of(response), Vec::new(), place.clone())
                    }
                    None => notes.note("steps without an answer", place.clone()),
                }
                if let Some(observation) = filled_text(step, "observation") {
                    draft.add_user_text(Content::of(observation), true, place.key("observation"));
                }
            }
        }
    }
    is_whole
}

/// The index of the last answer of the next request, if it is the answer of this step.
fn find_own_answer(step: &Object, place: &LogPlace, next: &[(Object, LogPlace)]) -> Option<usize> {
    let at = next.iter().rposition(|(message, _)| is_answer(message))?;
    let own = step.text("response")?;
    (text_of(&next.get(at)?.0, place).trim() == own.trim()).then_some(at)
}

/// The answer of a step, or what it thought and did if the log has no answer.
fn response_of(step: &Object) -> Option<String> {
    let (thought, action) = (filled_text(step, "thought"), filled_text(step, "action"));
    let response = filled_text(step, "response");
    // For a native call, the response contains only the thought.
    if response.is_some() && (action.is_none() || response != thought) {
        return response;
    }
    let texts: Vec<String> = thought.into_iter().chain(action).collect();
    if texts.is_empty() { None } else { Some(texts.join("\n")) }
}

/// A text field, unless it is blank.
fn filled_text(step: &Object, key: &str) -> Option<String> {
    step.text(key).filter(|text| !text.trim().is_empty())
}

/// The messages of a step's request; empty if there is no step.
fn request_of<'a>(step: Option<&(Object<'a>, LogPlace)>, notes: &mut Notes) -> Vec<(Object<'a>, LogPlace)> {
    let Some((step, place)) = step else { return Vec::new() };
    list_objects(step, "query", "messages", place, notes)
}

fn note_ending(place: &LogPlace, notes: &mut Notes) {
    notes.note("endings that SWE-agent itself wrote, which are no answers", place.clone());
}

fn is_ending(text: &str) -> bool {
    let text = text.get(1..).unwrap_or("");
    text.starts_with(ENDING) && !text.starts_with(COST_LIMIT)
}

/// Billed tokens and cost of the whole run.
fn read_outcome(info: &Object) -> Option<TranscriptOutcome> {
    let statistics = info.object("model_stats")?;
    let usage = TranscriptUsage {
        input_tokens: positive_number(&statistics, "tokens_sent"),
        output_tokens: positive_number(&statistics, "tokens_received"),
        cost: statistics.get("instance_cost").and_then(Json::read).filter(|&cost: &f64| cost > 0.0),
        ..TranscriptUsage::default()
    };
    if usage == TranscriptUsage::default() {
        return None;
    }
    Some(TranscriptOutcome {
        usage: Some(usage),
        requests: positive_number(&statistics, "api_calls"),
        ..TranscriptOutcome::default()
    })
}

/// A count; SWE-agent writes 0 for those it doesn't know.
fn positive_number(statistics: &Object, key: &str) -> Option<u64> {
    statistics.number(key).filter(|&number| number > 0)
}
