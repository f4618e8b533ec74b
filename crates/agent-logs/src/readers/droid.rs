//! Sessions of Factory Droid: Anthropic messages, without bills. The tokens of a whole session are in the settings file next to it.
//! `summaryText` and `callingSessionId` come from public readers of such sessions, not from the program itself.

use super::message::has_failed;
use super::providers::anthropic;
use crate::content::Content;
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, parse_arguments};
use crate::names::{Dialect, Names, UsageNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{TranscriptCompaction, TranscriptOutcome};
use crate::unread::Fields;

const NAME: &str = "factory-droid";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Factory Droid (~/.factory/sessions) with their settings files, and droid exec --output-format stream-json",
    recognises: recognise_line,
    reader: || Box::new(Sessions::default()),
};

/// The messages are Anthropic's.
static DIALECT: Dialect = Dialect(&[&NAMES, &anthropic::NAMES]);

/// Field names of the tokens of a session. Input excludes cached tokens, and output excludes reasoning.
static NAMES: Names = Names {
    usage: UsageNames {
        input: &["inputTokens"],
        read_beside: &["cacheReadTokens"],
        written_beside: &["cacheCreationTokens"],
        output: &["outputTokens"],
        reasoning_beside: &["thinkingTokens"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// Types of lines with no content sent to the model.
const BOOKKEEPING: [&str; 6] =
    ["todo_state", "session_end", "session_settings", "agent_turn_outcome", "system", "completion"];

/// Fields of lines that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &[],
    known: &[
        "cwd",
        "finalText",
        "message",
        "model",
        "parameters",
        "sessionTitle",
        "summary",
        "summaryText",
        "systemInfo",
        "text",
        "timestamp",
        "title",
        "todos",
        "toolName",
        "tools",
        "value",
    ],
};

fn recognise_line(object: &Object) -> bool {
    match object.kind().as_str() {
        "session_start" => object.has("id") && object.has("cwd"),
        "message" => match object.object("message") {
            // Messages of pi have a time of their own.
            Some(message) => object.has("timestamp") && message.has("role") && !message.has("timestamp"),
            None => object.has("session_id") && object.has("role") && object.has("text"),
        },
        "tool_call" => object.has("toolName"),
        "completion" => object.has("finalText"),
        _ => object.object("tokenUsage").is_some(),
    }
}

#[derive(Default)]
struct Sessions(Option<Draft>);

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if object.is_a("session_start") {
            self.finish_log(sink);
        }
        let draft = self.0.get_or_insert_with(|| open_session(&object, place.line));
        draft.now = LogTime::of_object(&object);
        read_line(&object, &place, draft, &mut sink.notes);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(draft) = self.0.take() {
            sink.give(draft);
        }
    }
}

fn open_session(object: &Object, line: usize) -> Draft {
    let own = if object.is_a("session_start") { "id" } else { "session_id" };
    let draft = Draft::new(NAME, object.text(own), line);
    // A subagent's session has the call of its parent.
    if object.has("callingSessionId") { draft.of_subagent() } else { draft }
}

fn read_line(object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    if let Some(tokens) = object.object("tokenUsage") {
        return read_settings(object, &tokens, draft);
    }
    FIELDS.note_unread(object, "lines", place, notes);
    match object.kind().as_str() {
        "session_start" => draft.transcript.name = object.text("title"),
        "message" => match object.object("message") {
            Some(message) => DIALECT.read_message(&message, Answer::Whole, false, place, draft, notes),
            None => read_event_message(object, place, draft, notes),
        },
        "tool_call" => {
            let call = new_call(
                object.text("id"),
                object.text("toolName"),
                parse_arguments(object.get("parameters")),
            );
            draft.add_answer(Answer::Piece, Content::default(), vec![call], place.clone());
        }
        "tool_result" => {
            let output = DIALECT.read_content(object.get("value"), place, notes);
            draft.add_result(object.text("id"), None, output, place.clone());
            draft.fail_if(object.is_true("isError") || has_failed(object));
        }
        "compaction_state" => read_compaction(object, place, draft, notes),
        kind if BOOKKEEPING.contains(&kind) => {
            notes.note(format!("lines of the type {kind}, which are not sent"), place.clone());
        }
        kind => notes.lost(format!("lines of the type {kind:?} left out"), place.clone()),
    }
}

/// Reads a message of `stream-json`.
fn read_event_message(object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let text = DIALECT.read_content(object.get("text"), place, notes);
    if object.text("role").is_some_and(|role| role == "assistant") {
        draft.add_answer(Answer::Whole, text, Vec::new(), place.clone());
    } else {
        draft.add_user_text(text, false, place.clone());
    }
}

/// Reads the settings of a session: its model, and the tokens of all its requests.
fn read_settings(object: &Object, tokens: &Object, draft: &mut Draft) {
    let model = object.text("model").map(|model| plain_model(&model));
    if let Some(model) = &model {
        draft.name_models(model);
    }
    let usage = DIALECT.usage_of(tokens, model);
    draft.transcript.outcome = Some(TranscriptOutcome { usage, ..TranscriptOutcome::default() });
}

/// The model without what Droid adds to the names of a user's own models: `custom:GLM-4.6-[Z.AI]-0` is `glm-4.6`.
fn plain_model(name: &str) -> String {
    let name = name.strip_prefix("custom:").unwrap_or(name);
    let name = name.split_once('[').map_or(name, |(before, _)| before);
    name.trim_end_matches([' ', '-', '(']).replace(' ', "-").to_lowercase()
}

fn read_compaction(object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let text = object.first(&["summaryText", "summary"]).and_then(Json::text);
    if text.is_none() {
        notes.lost("compactions without a summary", place.clone());
    }
    let time = object.text("timestamp");
    let compaction = TranscriptCompaction { text, time, ..TranscriptCompaction::default() };
    notes.note("compactions of Droid, taken to keep nothing beside the summary", place.clone());
    draft.add_compaction(compaction, |_| false, place, notes);
}
