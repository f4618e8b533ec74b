//! Sessions of Kimi's CLI: `context.jsonl` with the messages of the next request, and `wire.jsonl` with all events, including times
//! and bills but not the system prompt.

use super::providers::openai;
use crate::content::Content;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::names::{Dialect, Names, PartKind, PartNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{TranscriptCompaction, TranscriptRole, TranscriptUsage};
use crate::unread::Fields;

const NAME: &str = "kimi-cli";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Kimi's CLI: wire.jsonl with events, context.jsonl with messages",
    recognises: |object| {
        let is_context = object.text("role").is_some_and(|role| ROLES.contains(&role.as_str()));
        let is_head = object.is_a("metadata") && object.has("protocol_version");
        let event = object.object("message").filter(|_| object.has("timestamp"));
        is_context
            || is_head
            || event.is_some_and(|event| event.has("type") && event.object("payload").is_some())
    },
    reader: || Box::new(Sessions::default()),
};

/// OpenAI messages, plus parts for reasoning.
static DIALECT: Dialect = Dialect(&[&NAMES, &openai::CHAT]);

static NAMES: Names =
    Names { parts: PartNames { types: &[("think", PartKind::Reasoning)], ..PartNames::NONE }, ..Names::NONE };

/// Fields that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &["function", "payload", "return_value"],
    known: &[
        "arguments",
        "content",
        "display",
        "extras",
        "message",
        "name",
        "output",
        "text",
        "think",
        "token_usage",
        "user_input",
    ],
};

/// Roles of context lines other than messages.
const ROLES: [&str; 3] = ["_system_prompt", "_checkpoint", "_usage"];

/// Number of newest messages kept by a compaction; tool results don't count.
const KEPT: usize = 2;

#[derive(Default)]
struct Sessions(Option<Draft>);

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let draft = self.0.get_or_insert_with(|| Draft::new(NAME, None, place.line));
        if let Some(event) = object.object("message") {
            draft.now = LogTime::of_object(&object);
            FIELDS.note_unread(&object, "lines", &place, &mut sink.notes);
            return read_event(&event, draft, &place, &mut sink.notes);
        }
        match object.text("role").unwrap_or_default().as_str() {
            "" if object.is_a("metadata") => {}
            "_checkpoint" | "_usage" => {}
            "_system_prompt" => {
                FIELDS.note_unread(&object, "messages", &place, &mut sink.notes);
                let prompt = DIALECT.read_content(object.get("content"), &place, &mut sink.notes);
                draft.set_system(prompt, place, &mut sink.notes);
            }
            _ => DIALECT.read_message(&object, Answer::Whole, false, &place, draft, &mut sink.notes),
        }
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(draft) = self.0.take() {
            sink.give(draft);
        }
    }
}

fn read_event(event: &Object, draft: &mut Draft, place: &LogPlace, notes: &mut Notes) {
    let payload = &event.below("payload");
    match event.kind().as_str() {
        "TurnBegin" | "SteerInput" => {
            draft.add_user_text(
                DIALECT.read_content(payload.get("user_input"), place, notes),
                false,
                place.clone(),
            );
        }
        "StepBegin" => draft.billed = draft.transcript.messages.len(),
        "ContentPart" => {
            let mut text = Content::default();
            match payload.is_a("think") {
                true => crate::content::note_reasoning(place, notes),
                false => DIALECT.add_part(&mut text, payload.json(), place, notes),
            }
            if !text.is_none() {
                draft.add_answer(Answer::Piece, text, Vec::new(), place.clone());
            }
        }
        "ToolCall" => {
            let calls = vec![DIALECT.call_of(payload)];
            draft.add_answer(Answer::Piece, Content::default(), calls, place.clone());
        }
        "ToolResult" => read_result(payload, draft, place, notes),
        "StatusUpdate" => {
            if let Some(usage) = payload.object("token_usage").and_then(|usage| read_bill(&usage)) {
                draft.bill(usage, place, notes);
            }
        }
        "CompactionEnd" => add_compaction(draft, place, notes),
        "SubagentEvent" => {
            return notes.note("events of subagents, which have a log of their own", place.clone());
        }
        "Notification" => {
            let kind = "notifications, which the model gets in words that the log lacks";
            return notes.lost(kind, place.clone());
        }
        "ToolCallPart" => return notes.lost("pieces of calls left out", place.clone()),
        other => return notes.note(format!("events of the type {other}, which are not sent"), place.clone()),
    }
    FIELDS.note_unread(event, "events", place, notes);
}

/// Reads a result and formats it like the CLI does for the model: the tool's message in `<system>` tags, then its output.
fn read_result(payload: &Object, draft: &mut Draft, place: &LogPlace, notes: &mut Notes) {
    let value = payload.below("return_value");
    let has_failed = value.is_true("is_error");
    let mut told = Content::default();
    if let Some(message) = value.text("message").filter(|message| !message.is_empty()) {
        let start = if has_failed { "ERROR: " } else { "" };
        told.add_text(&format!("<system>{start}{message}</system>"));
    }
    let output = DIALECT.read_content(value.get("output").filter(|output| !output.is_empty()), place, notes);
    told.images += output.images;
    if !output.is_none() {
        told.add_text(&output.text());
    }
    if told.is_none() {
        told.add_text("<system>Tool output is empty.</system>");
    }
    draft.add_result(payload.text("tool_call_id"), None, told, place.clone());
    draft.fail_if(has_failed);
}

/// Parses the bill of an answer. The log splits the input into cache reads, cache writes and the rest.
fn read_bill(usage: &Object) -> Option<TranscriptUsage> {
    let (read, written) = (usage.number("input_cache_read"), usage.number("input_cache_creation"));
    let beside = read.unwrap_or(0).saturating_add(written.unwrap_or(0));
    Some(TranscriptUsage {
        input_tokens: Some(usage.number("input_other")?.saturating_add(beside)),
        cached_tokens: read,
        cache_write_tokens: written,
        output_tokens: usage.number("output"),
        ..TranscriptUsage::default()
    })
}

/// Reads a compaction. Its summary is only in `context.jsonl`.
fn add_compaction(draft: &mut Draft, place: &LogPlace, notes: &mut Notes) {
    let messages = draft.transcript.messages.iter().enumerate().rev();
    let mut newest = messages.filter(|(_, message)| message.role != TranscriptRole::Tool);
    let first = newest.nth(KEPT - 1).map_or(0, |(index, _)| index);
    let time = draft.now.map(|time| time.to_string());
    let compaction = TranscriptCompaction { time, ..TranscriptCompaction::default() };
    draft.add_compaction(compaction, |index| index >= first, place, notes);
}
