//! Sessions of Goose: from `goose session export --format json`, files of older versions, or its JSON stream.

use super::providers::CHATS;
use crate::content::Content;
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, parse_arguments};
use crate::listed::list_objects;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{TranscriptCompaction, TranscriptOutcome};
use crate::unread::Fields;

const NAME: &str = "goose";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Goose, exported or as JSON Lines: messages with toolRequest and toolResponse",
    recognises: |object| {
        let is_head =
            object.has("working_dir") && (object.has("message_count") || object.has("conversation"));
        let below = object.object("message").filter(|_| object.is_a("message"));
        is_head || is_message(object) || below.is_some_and(|said| is_message(&said))
    },
    reader: || Box::new(Sessions::default()),
};

/// Returns true for a message of Goose: `created` in seconds, and a list of parts as content.
fn is_message(object: &Object) -> bool {
    object.has("role")
        && object.number("created").is_some()
        && object
            .list("content")
            .is_some_and(|parts| parts.first().is_some_and(|part| part.object().is_some()))
}

/// Types of parts not sent to the model.
const SHOWN: [&str; 6] = [
    "toolConfirmationRequest",
    "actionRequired",
    "contextLengthExceeded",
    "summarizationRequested",
    "conversationCompacted",
    "systemNotification",
];

/// Fields that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &["toolCall", "toolResult", "value"],
    known: &[
        "_meta",
        "annotations",
        "arguments",
        "content",
        "conversation",
        "description",
        "error",
        "extension_data",
        "metadata",
        "model_config",
        "msg",
        "name",
        "recipe",
        "structuredContent",
        "text",
        "thinking",
        "user_recipe_values",
        "working_dir",
    ],
};

#[derive(Default)]
struct Sessions(Option<Session>);

struct Session {
    draft: Draft,
    /// For each message of the conversation, true if later requests include it.
    visible: Vec<bool>,
}

impl Session {
    fn new(id: Option<String>, line: usize) -> Session {
        Session { draft: Draft::new(NAME, id, line), visible: Vec::new() }
    }
}

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let notes = &mut sink.notes;
        if object.has("working_dir") {
            self.finish_log(sink);
            FIELDS.note_unread(&object, "sessions", &place, &mut sink.notes);
            let mut session = Session::new(object.text("id"), place.line);
            session.draft.transcript.outcome = read_outcome(&object);
            // The size of the last request, logged next to the totals.
            let last = ["input_tokens", "output_tokens"].iter().filter_map(|key| object.number(key));
            sink.notes.named_counts.extend(last);
            note_other_sums(&object, &place, &mut sink.notes);
            if object.has("accumulated_usage") {
                sink.notes.name_bills(&object.below("usage"));
            }
            for (said, place) in list_objects(&object, "conversation", "messages", &place, &mut sink.notes) {
                session.read_message(&said, &place, &mut sink.notes);
            }
            self.0 = Some(session);
            return;
        }
        let below = object.object("message").filter(|_| object.is_a("message"));
        if below.is_some() {
            CHATS.note_unread(&object, &["message"], "events", &place, notes);
        }
        let session = self.0.get_or_insert_with(|| Session::new(None, place.line));
        match below.as_ref().or(Some(&object).filter(|object| object.has("role"))) {
            Some(said) => session.read_message(said, &place, notes),
            None if object.is_a("complete") => session.draft.transcript.outcome = read_outcome(&object),
            None => notes.note(format!("events of the type {}, which are not sent", object.kind()), place),
        }
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(session) = self.0.take() {
            sink.give(session.draft);
        }
    }
}

/// Sums of the session, as fields of the session and of `accumulated_usage`. Sums that are not read have no call to be missed at.
const SUMS: [&str; 6] = [
    "accumulated_cache_read_tokens",
    "accumulated_cache_write_tokens",
    "accumulated_cost",
    "accumulated_input_tokens",
    "accumulated_output_tokens",
    "accumulated_total_tokens",
];
const SUMS_BELOW: [&str; 6] = [
    "cache_read_input_tokens",
    "cache_write_input_tokens",
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "total_cost",
];

/// Notes sums of the session with names of another version.
fn note_other_sums(object: &Object, place: &LogPlace, notes: &mut Notes) {
    let below = object.below("accumulated_usage");
    let own = object.fields().filter(|(key, _)| key.starts_with("accumulated_") && !SUMS.contains(key));
    let below = below.fields().filter(|(key, _)| !SUMS_BELOW.contains(key));
    for (key, value) in own.chain(below) {
        if value.count().is_some_and(|tokens| tokens > 0) {
            notes.note(format!("token counts {key} not read"), place.clone());
        }
    }
}

/// The bill of the whole session.
fn read_outcome(object: &Object) -> Option<TranscriptOutcome> {
    // Since 1.46 the token counts are nested in an object.
    let (sum, last) = (object.below("accumulated_usage"), object.below("usage"));
    let number = |old: [&str; 2], new: &str| {
        let below = || sum.get(new).or_else(|| last.get(new));
        object.first(&old).filter(|value| !value.is_empty()).or_else(below).and_then(Json::count)
    };
    let usage = crate::transcript::TranscriptUsage {
        input_tokens: Some(number(["accumulated_input_tokens", "input_tokens"], "input_tokens")?),
        output_tokens: number(["accumulated_output_tokens", "output_tokens"], "output_tokens"),
        cached_tokens: number(
            ["accumulated_cache_read_tokens", "cache_read_tokens"],
            "cache_read_input_tokens",
        ),
        cache_write_tokens: number(
            ["accumulated_cache_write_tokens", "cache_write_tokens"],
            "cache_write_input_tokens",
        ),
        cost: object.first(&["accumulated_cost", "cost_usd"]).and_then(Json::read),
        model: object.below("model_config").text("model_name"),
        ..Default::default()
    };
    Some(TranscriptOutcome { usage: Some(usage), ..TranscriptOutcome::default() })
}

impl Session {
    fn read_message(&mut self, said: &Object, place: &LogPlace, notes: &mut Notes) {
        FIELDS.note_unread(said, "messages", place, notes);
        let metadata = said.below("metadata");
        let is_hidden_from_user = is_false(&metadata, "userVisible");
        let is_hidden_from_agent = is_false(&metadata, "agentVisible");
        self.draft.now = LogTime::of_object(said);
        // A compaction's summary is hidden from the user.
        let is_user = said.text("role").is_some_and(|role| role == "user");
        let is_summary = is_user && is_hidden_from_user && !is_hidden_from_agent;
        if is_summary && self.visible.contains(&false) {
            return self.read_compaction(said, place, notes);
        }
        let is_answer = !is_user && !is_hidden_from_user;
        self.read_parts(said, is_user, place, notes);
        // After a summary, Goose adds a message to explain it to the model.
        if let Some(added) = self.draft.transcript.messages.last().filter(|_| !is_user && !is_answer) {
            let added = added.clone();
            self.draft.truncate_messages(self.draft.transcript.messages.len().saturating_sub(1));
            self.draft.add_sent_again(added, place, notes);
        }
        self.visible.resize(self.draft.transcript.messages.len(), !is_hidden_from_agent);
    }

    fn read_parts(&mut self, said: &Object, is_user: bool, place: &LogPlace, notes: &mut Notes) {
        let (mut text, mut calls) = (Content::default(), Vec::new());
        let content = said.get("content");
        // Goose writes lists; other programs that write its sessions may use plain text, as most providers accept.
        let parts = content.and_then(Json::list).unwrap_or_else(|| content.into_iter().collect());
        for (index, part) in parts.into_iter().enumerate() {
            let place = place.item("content", index);
            let Some(object) = part.object() else {
                CHATS.add_part(&mut text, part, &place, notes);
                continue;
            };
            if object.has("toolCall") || object.has("toolResult") {
                FIELDS.note_unread(&object, "parts", &place, notes);
            }
            match object.kind().as_str() {
                "toolRequest" | "frontendToolRequest" => {
                    let asked = object.below("toolCall");
                    let asked = asked.object("value").unwrap_or(asked);
                    calls.push(new_call(
                        object.text("id"),
                        asked.text("name"),
                        parse_arguments(asked.get("arguments")),
                    ));
                }
                "toolResponse" => read_result(&object, place, &mut self.draft, notes),
                "redactedThinking" => crate::content::note_reasoning(&place, notes),
                kind if SHOWN.contains(&kind) => notes.note("parts that were only shown", place),
                _ => CHATS.add_part(&mut text, part, &place, notes),
            }
        }
        if !is_user {
            // The stream splits an answer into pieces with the same id.
            let answer = said.text("id").map_or(Answer::Whole, Answer::Id);
            self.draft.add_answer(answer, text, calls, place.clone());
            let usage = said.below("metadata").object("usage").and_then(|usage| CHATS.usage_of(&usage, None));
            self.draft.usage(usage);
        } else if !text.is_none() {
            self.draft.add_user_text(text, false, place.clone());
        }
    }

    fn read_compaction(&mut self, said: &Object, place: &LogPlace, notes: &mut Notes) {
        let compaction = TranscriptCompaction {
            text: Some(CHATS.read_content(said.get("content"), place, notes).text()),
            time: self.draft.now.map(|time| time.to_string()),
            ..TranscriptCompaction::default()
        };
        let visible = &self.visible;
        self.draft.add_compaction(compaction, |index| visible.get(index) == Some(&true), place, notes);
    }
}

/// Reads the result of a call: parts, either directly or in `content`, or an error.
fn read_result(object: &Object, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let told = object.below("toolResult");
    let value = told.get("value");
    let below = value.and_then(Json::object);
    let parts = below.as_ref().and_then(|below| below.get("content")).or(value).or_else(|| told.get("error"));
    let content = CHATS.read_content(parts, &place, notes);
    draft.add_result(object.text("id"), None, content, place);
    let has_failed = below.is_some_and(|below| below.is_true("isError"));
    draft.fail_if(has_failed || told.text("status").is_some_and(|status| status == "error"));
}

fn is_false(object: &Object, key: &str) -> bool {
    object.get(key).is_some_and(|value| value.raw() == "false")
}
