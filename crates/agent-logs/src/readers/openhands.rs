//! Events of OpenHands: actions and observations (V0) or events of its SDK (V1), in a list or in `history`.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::providers::{anthropic, openai};
use crate::content::{Content, note_reasoning};
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, parse_arguments};
use crate::listed::list_objects;
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{CompactionKind, TranscriptCompaction};
use crate::unread::Fields;

const NAME: &str = "openhands";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "events of OpenHands: actions and observations, in a list or below history",
    recognises: |object| {
        let first = object.list("history").and_then(|history| history.first()?.object());
        is_event(object) || first.as_ref().is_some_and(is_event)
    },
    reader: || Box::new(Events::default()),
};

/// Fields that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &["observation", "tool_call"],
    known: &[
        "action",
        "activated_microagents",
        "activated_skills",
        "args",
        "arguments",
        "command",
        "content",
        "dynamic_context",
        "error",
        "extended_content",
        "extras",
        "final_thought",
        "function",
        "llm_message",
        "llm_metrics",
        "message",
        "model_response",
        "name",
        "outputs",
        "reasoning_content",
        "rejection_reason",
        "responses_reasoning_item",
        "summary",
        "system_prompt",
        "thinking_blocks",
        "thought",
        "timestamp",
        "tool_call_metadata",
        "tool_calls",
        "tools",
        "value",
        "metadata",
        "old_content",
        "new_content",
    ],
};

/// Known fields of a run.
const RUN: &[&str] = &["history", "instance", "instruction", "metadata", "metrics", "test_result", "error"];

/// Known fields of messages and condensations.
const SAID: Fields = Fields {
    below: &[],
    known: &["agent_class", "content", "final_thought", "outputs", "summary", "thought", "tools"],
};

/// Known fields of the metadata of a command.
const TERMINAL: Fields = Fields {
    below: &[],
    known: &[
        "exit_code",
        "hostname",
        "pid",
        "prefix",
        "py_interpreter_path",
        "suffix",
        "username",
        "working_dir",
    ],
};

/// LiteLLM normalises messages to OpenAI's format, but keeps extra Anthropic fields.
static DIALECT: Dialect = Dialect(&[&openai::CHAT, &anthropic::NAMES]);

fn is_event(object: &Object) -> bool {
    object.has("source") && (object.has("action") || object.has("observation") || is_of_sdk(object))
}

/// Returns true for an event of the SDK (V1); `kind` is its type name.
fn is_of_sdk(object: &Object) -> bool {
    object.has("timestamp") && object.has("kind")
}

#[derive(Default)]
struct Events {
    open: Option<Draft>,
    /// Id of the last response. All actions of a response repeat it.
    response: Option<String>,
    /// Message range of each event, by event id.
    messages: FxHashMap<String, Range<usize>>,
    /// Messages dropped by condensations so far.
    forgotten: FxHashSet<usize>,
}

impl Reader for Events {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if !object.has("history") {
            return self.read_event(&object, place, sink);
        }
        self.finish_log(sink);
        DIALECT.note_unread(&object, RUN, "runs", &place, &mut sink.notes);
        for (event, place) in list_objects(&object, "history", "events", &place, &mut sink.notes) {
            self.read_event(&event, place, sink);
        }
        self.finish_log(sink);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        let Some(draft) = std::mem::take(self).open else { return };
        if draft.transcript.messages.len() == 1 {
            let kind = "single events; put those of a conversation together: cat events/*.json > run.json";
            return sink.notes.lost(kind, draft.place());
        }
        sink.give(draft);
    }
}

impl Events {
    fn read_event(&mut self, object: &Object, place: LogPlace, sink: &mut Sink) {
        let is_condensation = object.text("kind").is_some_and(|kind| kind == "Condensation")
            || object.text("action").is_some_and(|action| action == "condensation");
        if is_condensation {
            return self.read_condensation(object, &place, &mut sink.notes);
        }
        let start = self.count_messages();
        self.read_message(object, place, sink);
        if let Some(id) = object.get("id").map(Json::to_plain_text) {
            self.messages.insert(id, start..self.count_messages());
        }
    }

    fn count_messages(&self) -> usize {
        self.open.as_ref().map_or(0, |draft| draft.transcript.messages.len())
    }

    /// Reads a condensation: a summary replaces events, possibly including an earlier condensation.
    fn read_condensation(&mut self, event: &Object, place: &LogPlace, notes: &mut Notes) {
        let args = event.object("args");
        let object = args.as_ref().unwrap_or(event);
        // V0 events have a list or an inclusive range of ids; SDK events have a set, in any order.
        FIELDS.note_unread(event, "events", place, notes);
        SAID.note_unread(&event.below("args"), "events", place, notes);
        let range = object.number("forgotten_events_start_id").zip(object.number("forgotten_events_end_id"));
        let ids: Vec<String> = match (object.list("forgotten_event_ids"), range) {
            (Some(ids), _) => ids.into_iter().map(Json::to_plain_text).collect(),
            (None, Some((first, last))) => self.events_between(first, last),
            (None, None) => Vec::new(),
        };
        // Events without messages can be forgotten too, so a missing id is no loss.
        self.forgotten.extend(ids.iter().filter_map(|id| self.messages.get(id)).cloned().flatten());
        let text = object.text("summary");
        let kind = if text.is_some() { CompactionKind::Summary } else { CompactionKind::Drop };
        let compaction = TranscriptCompaction {
            kind,
            text,
            time: event.text("timestamp"),
            ..TranscriptCompaction::default()
        };
        if let Some(draft) = &mut self.open {
            draft.add_compaction(compaction, |index| !self.forgotten.contains(&index), place, notes);
        }
    }

    /// Ids of the known events with a number from `first` to `last`.
    fn events_between(&self, first: u64, last: u64) -> Vec<String> {
        let range = first..=last;
        let ids = self.messages.keys();
        ids.filter(|id| id.parse::<u64>().is_ok_and(|id| range.contains(&id))).cloned().collect()
    }

    fn read_message(&mut self, object: &Object, place: LogPlace, sink: &mut Sink) {
        let draft = self.open.get_or_insert_with(|| Draft::new(NAME, None, place.line));
        draft.now = LogTime::of_object(object);
        FIELDS.note_unread(object, "events", &place, &mut sink.notes);
        if is_of_sdk(object) {
            return sdk_event(object, place, draft, &mut sink.notes);
        }
        let asked = object.below("tool_call_metadata");
        let given = object.below("args");
        let (action, source) = (object.text("action"), object.text("source"));
        let source = source.as_deref();
        if action.as_deref().is_some_and(|kind| ["system", "message", "finish"].contains(&kind)) {
            SAID.note_unread(&given, "events", &place, &mut sink.notes);
        }
        match (action.as_deref(), asked.object("model_response")) {
            (None, _) if object.text("observation").is_some_and(|kind| kind != "agent_state_changed") => {
                let content = first_content(object, &["content"]);
                // Without native calls, the action's event id is used as the call id.
                let cause = object.get("cause").map(|cause| format!("event-{}", cause.raw()));
                draft.add_result(asked.text("tool_call_id").or(cause), None, content, place);
                draft.fail_if(object.text("observation").is_some_and(|kind| kind == "error"));
            }
            (Some("system"), _) => {
                draft.set_system(first_content(&given, &["content"]), place.clone(), &mut sink.notes);
                draft.declare_tools(given.get("tools"), &place, &mut sink.notes);
            }
            (Some(kind), None) if kind == "message" || kind == "finish" => {
                let content = first_content(&given, &["content", "final_thought"]);
                match source {
                    Some("agent") => draft.add_answer(Answer::Whole, content, Vec::new(), place),
                    _ => draft.add_user_text(content, source != Some("user"), place),
                }
            }
            (Some(_), Some(response)) => {
                let id = response.text("id");
                if id.is_some() && id == self.response {
                    return;
                }
                self.response = id;
                let choice =
                    response.list("choices").and_then(|choices| choices.first()?.object()?.object("message"));
                match choice {
                    Some(message) => {
                        DIALECT.read_message(&message, Answer::Whole, false, &place, draft, &mut sink.notes)
                    }
                    None => sink.notes.lost("responses without a message", place),
                }
                draft.usage(DIALECT.usage(&response));
            }
            (Some(kind), None)
                if source == Some("agent") && object.has("args") && kind != "change_agent_state" =>
            {
                let id = object.get("id").map(|id| format!("event-{}", id.raw()));
                let made = new_call(id, Some(kind.to_owned()), parse_arguments(object.get("args")));
                let thought = first_content(&given, &["thought"]);
                draft.add_answer(Answer::Whole, thought, vec![made], place);
            }
            (kind, _) => {
                let kind = kind.unwrap_or("agent_state_changed").to_owned();
                sink.notes.note(format!("events of the kind {kind}, which are not sent"), place);
            }
        }
    }
}

fn first_content(object: &Object, keys: &[&str]) -> Content {
    object.first(keys).and_then(Json::text).map_or_else(Content::default, Content::of)
}

fn sdk_event(object: &Object, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let further = DIALECT.read_content(object.get("extended_content"), &place, notes);
    if object.has("reasoning_content")
        || object.list("thinking_blocks").is_some_and(|blocks| !blocks.is_empty())
    {
        note_reasoning(&place, notes);
    }
    match object.text("kind").as_deref() {
        Some("SystemPromptEvent") => {
            for given in ["system_prompt", "dynamic_context"].iter().filter_map(|key| object.get(key)) {
                draft.set_system(DIALECT.read_content(Some(given), &place, notes), place.clone(), notes);
            }
            draft.declare_tools(object.get("tools"), &place, notes);
        }
        Some("MessageEvent") => match object.object("llm_message") {
            Some(mut message) => {
                message.remove_keys(&["thinking_blocks", "responses_reasoning_item"]);
                DIALECT.read_message(&message, Answer::Whole, false, &place, draft, notes);
            }
            None => notes.lost("events without a message", place.clone()),
        },
        Some("ActionEvent") => {
            let asked = object.below("tool_call");
            let answer = object.text("llm_response_id").map_or(Answer::Whole, Answer::Id);
            let thought = DIALECT.read_content(object.get("thought"), &place, notes);
            draft.add_answer(answer, thought, vec![DIALECT.call_of(&asked)], place.clone());
        }
        Some("ObservationEvent" | "UserRejectObservation" | "AgentErrorEvent") => {
            let observed = object.below("observation");
            let given = observed.get("content").or_else(|| object.first(&["error", "rejection_reason"]));
            let content = format_observation(&observed, DIALECT.read_content(given, &place, notes));
            let metadata = observed.below("metadata");
            TERMINAL.note_unread(&metadata, "observations", &place.key("observation"), notes);
            draft.add_result(object.text("tool_call_id"), object.text("tool_name"), content, place.clone());
            draft.fail_if(observed.is_true("is_error") || object.has("error"));
        }
        Some(kind) => notes.note(format!("events of the kind {kind}, which are not sent"), place.clone()),
        None => notes.note("events without a kind, which are not sent", place.clone()),
    }
    if let (false, Some(last)) = (further.is_none(), draft.last_message()) {
        last.content = format!("{}\n{}", last.content, further.text());
    }
}

/// Formats a tool's output like OpenHands 1.58 does for the model: with an error prefix, and the command's metadata from the
/// terminal.
fn format_observation(observed: &Object, content: Content) -> Content {
    let images = content.images;
    let mut text = content.text();
    if let Some(known) = observed.object("metadata").filter(|known| known.has("suffix")) {
        text = known.text("prefix").unwrap_or_default() + &text + &known.text("suffix").unwrap_or_default();
        for (key, name) in
            [("working_dir", "Current working directory"), ("py_interpreter_path", "Python interpreter")]
        {
            if let Some(place) = known.text(key).filter(|place| !place.is_empty()) {
                text += &format!("\n[{name}: {place}]");
            }
        }
        if let Some(code) = known.get("exit_code").map(Json::to_plain_text).filter(|code| code != "-1") {
            text += &format!("\n[Command finished with exit code {code}]");
        }
    }
    if observed.is_true("is_error") {
        text = format!("[An error occurred during execution.]\n\n{text}");
    }
    Content { images, ..Content::of(text) }
}
