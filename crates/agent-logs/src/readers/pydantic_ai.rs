//! Messages of Pydantic AI: requests and responses (`kind`) with typed parts (`part_kind`).

use crate::alternate::{Alternating, Part};
use crate::content::{Content, note_reasoning};
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::names::{CallNames, Dialect, Names, PartKind, PartNames, UsageNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{CompactionKind, TranscriptCompaction};

const NAME: &str = "pydantic-ai";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "messages of Pydantic AI: requests and responses with parts (part_kind)",
    recognises: |object| is_message(object) || find_messages(object).is_some(),
    reader: || Box::new(Messages::default()),
};

static DIALECT: Dialect = Dialect(&[&NAMES]);

static NAMES: Names = Names {
    call: CallNames { id: &["tool_call_id"], name: &["tool_name"], arguments: &["args"], ..CallNames::NONE },
    parts: PartNames {
        types: &[
            ("text-content", PartKind::Text),
            ("structured-content", PartKind::Text),
            ("image-url", PartKind::Image),
            ("document-url", PartKind::File),
            ("audio-url", PartKind::File),
            ("video-url", PartKind::File),
            ("binary", PartKind::File),
            ("uploaded-file", PartKind::File),
            ("cache-point", PartKind::Unsent),
        ],
        kind: &["kind"],
        text: &["text", "content"],
        file_name: &["file_name", "file_id"],
        file: &["data", "url", "file_id", "file_name"],
        unsent: &["metadata", "structured_content"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        // `request_tokens` is from versions before 1.0.
        input: &["request_tokens", "input_tokens"],
        read: &["cache_read_tokens"],
        written: &["cache_write_tokens"],
        output: &["response_tokens", "output_tokens"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// Fields of parts that are read or repeat others.
const PART: [&str; 14] = [
    "part_kind",
    "content",
    "transcript",
    // A baseline repeats the instructions of its request.
    "instructions",
    "tool_name",
    "args",
    "tool_call_id",
    "tool_kind",
    "timestamp",
    "dynamic_ref",
    "retry",
    "outcome",
    "signature",
    "provider_details",
];

/// Fields of messages: read here, or never sent.
const MESSAGE: [&str; 6] =
    ["kind", "parts", "instructions", "timestamp", "provider_details", "failed_attempts"];

fn is_message(object: &Object) -> bool {
    let Some(parts) = object.list("parts") else { return false };
    let is_own = match parts.first() {
        Some(part) => part.object().is_some_and(|part| part.has("part_kind")),
        None => true,
    };
    object.has("kind") && is_own
}

/// The messages of a logged run result.
fn find_messages<'a>(object: &Object<'a>) -> Option<Vec<Json<'a>>> {
    let list = object.list("messages")?;
    list.first()?.object().filter(is_message).map(|_| list)
}

/// Messages logged one per value, by conversation.
#[derive(Default)]
struct Messages(Alternating<Conversation>);

struct Conversation {
    draft: Draft,
    instructions: Option<String>,
}

impl Reader for Messages {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let Some(list) = find_messages(&object) else { return self.read_message(value, place, sink) };
        self.finish_log(sink);
        for (key, value) in object.fields().filter(|(key, _)| *key != "messages") {
            if !value.is_empty() {
                sink.notes.note(format!("fields {key} of the log left out"), place.clone());
            }
        }
        for (index, message) in list.into_iter().enumerate() {
            let place = place.item("messages", index);
            self.read_message(message, place, sink);
        }
        self.finish_log(sink);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        self.0.finish(sink);
    }
}

impl Messages {
    fn read_message(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = value.object() else {
            return sink.notes.lost("messages that are no object", place);
        };
        if !is_message(&object) {
            return sink.notes.lost("values without messages", place);
        }
        let id = object.text("conversation_id");
        self.0.read(id.as_deref().unwrap_or(""), value, place.clone(), sink, || Conversation {
            draft: Draft::new(NAME, id.clone(), place.line),
            instructions: None,
        });
    }
}

impl Part for Conversation {
    fn read_part(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        DIALECT.note_unread(&object, &MESSAGE, "messages", &place, &mut sink.notes);
        self.draft.now = LogTime::of_object(&object);
        match object.text("kind").as_deref() {
            Some("response") => read_response(&object, &place, &mut self.draft, &mut sink.notes),
            _ => read_request(&object, &place, self, &mut sink.notes),
        }
    }

    fn finish_conversation(self, sink: &mut Sink) {
        sink.give(self.draft);
    }
}

/// The parts of a message, with kinds and places.
fn list_parts<'a>(
    object: &Object<'a>,
    place: &LogPlace,
    notes: &mut Notes,
) -> Vec<(String, Object<'a>, LogPlace)> {
    let mut all = Vec::new();
    for (part, place) in list_objects(object, "parts", "parts", place, notes) {
        DIALECT.note_unread(&part, &PART, "parts", &place, notes);
        match part.text("part_kind") {
            Some(kind) => all.push((kind, part, place)),
            None => notes.lost("parts without a part_kind left out", place),
        }
    }
    all
}

/// Reads a request. Instructions come after the system prompt, and are repeated in each request.
fn read_request(object: &Object, place: &LogPlace, open: &mut Conversation, notes: &mut Notes) {
    let draft = &mut open.draft;
    let (system, others): (Vec<_>, Vec<_>) =
        list_parts(object, place, notes).into_iter().partition(|(kind, ..)| kind == "system-prompt");
    for (_, part, place) in system {
        draft.set_system(DIALECT.read_content(part.get("content"), &place, notes), place, notes);
    }
    if let Some(instructions) = object.text("instructions") {
        if draft.transcript.messages.is_empty() && open.instructions.is_none() {
            draft.set_system(Content::of(instructions.clone()), place.key("instructions"), notes);
            open.instructions = Some(instructions);
        } else if open.instructions.as_ref() != Some(&instructions) {
            notes.lost("instructions other than those of the first request, left out", place.clone());
        }
    }
    for (kind, part, place) in others {
        draft.now = LogTime::of_object(&part).or(draft.now);
        match kind.as_str() {
            "user-prompt" => {
                draft.add_user_text(DIALECT.read_content(part.get("content"), &place, notes), false, place)
            }
            "compaction" => {
                draft.add_user_text(DIALECT.read_content(part.get("content"), &place, notes), true, place)
            }
            "speech" => draft.add_user_text(read_user_content(&part, &place, notes), false, place),
            // It updates a part of the instructions from here on; the instructions sent earlier stay unchanged.
            "instruction-delta" => match part.text("content") {
                Some(text) => draft.add_user_text(Content::of(text), true, place),
                None => notes.note("instructions that were withdrawn", place),
            },
            kind if RECORDS.contains(&kind) => {
                notes.note(format!("parts of the type {kind}, which are not sent"), place);
            }
            "tool-return" => read_result(&part, place, draft, notes),
            "retry-prompt" | "retry-feedback" => {
                let content = part.get("content").map_or_else(String::new, Json::to_plain_text);
                // Pydantic AI appends this when it sends the part.
                let content = Content::of(format!("{content}\n\nFix the errors and try again."));
                if part.has("tool_name") {
                    draft.add_result(part.text("tool_call_id"), part.text("tool_name"), content, place);
                    draft.fail_if(true);
                } else {
                    draft.add_user_text(content, true, place);
                }
            }
            other => notes.lost(format!("parts of the type {other} left out"), place),
        }
    }
}

/// Parts that record changed settings or tools, from Pydantic AI 2.68. They are not sent as messages.
const RECORDS: [&str; 4] =
    ["capability-load-delta", "instruction-baseline", "model-settings-delta", "tool-availability-delta"];

/// The transcript of a speech part.
fn read_user_content(part: &Object, place: &LogPlace, notes: &mut Notes) -> Content {
    if part.text("transcript").is_none() {
        notes.lost("speech without a transcript", place.clone());
    }
    part.text("transcript").map_or_else(Content::default, Content::of)
}

/// Reads an answer, including the results of tools run by the provider.
fn read_response(object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let parts = list_parts(object, place, notes);
    for (_, part, place) in parts.iter().filter(|(kind, ..)| kind == "compaction") {
        // The provider drops everything before the newest compaction; it is the first part of its answer.
        let text = part.text("content").filter(|text| !text.is_empty());
        let kind = if text.is_some() { CompactionKind::Summary } else { CompactionKind::Opaque };
        let compaction = TranscriptCompaction { kind, text, ..TranscriptCompaction::default() };
        draft.add_compaction(compaction, |_| false, place, notes);
    }
    draft.add_answer(Answer::Id(place.to_string()), Content::default(), Vec::new(), place.clone());
    for (kind, part, at) in parts {
        let (content, calls) = match kind.as_str() {
            "text" | "file" => (DIALECT.read_content(part.get("content"), &at, notes), Vec::new()),
            "speech" => (read_user_content(&part, &at, notes), Vec::new()),
            "tool-call" | "builtin-tool-call" => (Content::default(), vec![DIALECT.call_of(&part)]),
            "thinking" => {
                note_reasoning(&at, notes);
                continue;
            }
            "builtin-tool-return" => {
                read_result(&part, at, draft, notes);
                draft.inside_answer();
                continue;
            }
            "compaction" => continue,
            other => {
                notes.lost(format!("parts of the type {other} left out"), at);
                continue;
            }
        };
        draft.add_answer(Answer::Id(place.to_string()), content, calls, place.clone());
    }
    let billed = object.object("usage");
    draft.usage(billed.and_then(|usage| DIALECT.usage_of(&usage, object.text("model_name"))));
}

/// Adds the result of a call: text, or any other value as JSON. Images and files become one line each.
fn read_result(part: &Object, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let content = match part.get("content") {
        Some(given) if !has_files(&given) => Content::of(given.to_plain_text()),
        given => DIALECT.read_content(given, &place, notes),
    };
    draft.add_result(part.text("tool_call_id"), part.text("tool_name"), content, place);
    let has_failed = part.text("outcome").is_some_and(|outcome| outcome != "success");
    draft.fail_if(has_failed);
}

/// Returns true for a file, or a list with one.
fn has_files(given: &Json) -> bool {
    is_file(given) || given.list().is_some_and(|list| list.iter().any(is_file))
}

fn is_file(value: &Json) -> bool {
    let kind = value.object().and_then(|object| object.text("kind"));
    kind.is_some_and(|kind| kind == "binary" || kind == "uploaded-file" || kind.ends_with("-url"))
}
