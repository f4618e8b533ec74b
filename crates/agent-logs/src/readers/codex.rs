//! Sessions of Codex: a line each with `timestamp`, `type` and `payload`, which is an item of a response.

use super::message::usage_of;
use super::openai_responses::item;
use crate::content::Content;
use crate::draft::Draft;
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::transcript::{TranscriptMessage, TranscriptRole, TranscriptUsage};

const NAME: &str = "codex";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Codex: a line each, type response_item, payload as in openai-responses",
    recognises: |object| object.object("payload").is_some() && object.has("type") && object.has("timestamp"),
    reader: || Box::new(Codex::default()),
};

/// Ends of the types of events that repeat no item.
const NO_ITEMS: [&str; 4] = ["error", "warning", "aborted", "rolled_back"];

/// Bytes of the user's words that stay after a compaction without a history: 20,000 tokens, which Codex counts as four bytes.
const KEPT_BYTES: usize = 80_000;

/// Lines whose content stands in items too.
const BOOKKEEPING: [&str; 2] = ["world_state", "inter_agent_communication_metadata"];

#[derive(Default)]
struct Codex {
    open: Option<Draft>,
    id: Option<String>,
    model: Option<String>,
    /// The start of the system prompt, which stays after a compaction.
    instructions: Option<String>,
    /// The bill of all requests so far, as the newest count of tokens says.
    total: Option<TranscriptUsage>,
}

impl Codex {
    fn draft(&mut self, line: usize) -> &mut Draft {
        let id = &self.id;
        self.open.get_or_insert_with(|| Draft::new(NAME, id.clone(), line))
    }

    /// Begins a session. One that goes on begins again with the same identifier.
    fn begin(&mut self, session: &Object, place: LogPlace, sink: &mut Sink) {
        let id = session.text("id");
        if self.open.is_some() && self.id == id {
            return;
        }
        self.end(sink);
        (self.id, self.total) = (id, None);
        let inner = session.object("base_instructions").and_then(|inner| inner.text("text"));
        self.instructions = inner.or_else(|| session.text("instructions"));
        let system = self.instructions.clone();
        let draft = self.draft(place.line);
        draft.transcript.system = system;
        draft.tools(session.get("dynamic_tools"), &place, &mut sink.notes);
    }

    /// Begins the next part of the session with the history that replaces the one so far.
    fn compact(&mut self, compacted: &Object, place: &LogPlace, sink: &mut Sink) {
        let instructions = self.instructions.clone();
        let draft = self.draft(place.line);
        let part = draft.compact(place, &mut sink.notes);
        match compacted.list("replacement_history") {
            Some(history) => {
                // The developer's messages stand in the history again, or follow it.
                draft.transcript.system = instructions;
                replace_history(history, place, draft, &mut sink.notes);
            }
            // Codex of 2025 says the summary alone, in front of which it sends the user's words again.
            None => {
                for said in part.as_ref().map(newest_words).unwrap_or_default() {
                    draft.keep(said, place, &mut sink.notes);
                }
                let summary = compacted.text("message").unwrap_or_default();
                draft.user(Content::of(summary), true, place.clone());
            }
        }
        if let Some(part) = part {
            sink.give(part);
        }
    }

    /// Reads a count of tokens, which is the bill of the newest answer, or repeats the one before.
    fn count(&mut self, count: &Object, place: &LogPlace, notes: &mut Notes) {
        let usage = |key: &str| usage_of(&count.object(key)?, None);
        let (total, last) = (usage("total_token_usage"), usage("last_token_usage"));
        let input = |usage: &Option<TranscriptUsage>| usage.as_ref().and_then(|usage| usage.input_tokens);
        let before = std::mem::replace(&mut self.total, total.clone());
        // After a compaction there is a count of the new history, for which nothing was billed.
        let is_bill = input(&last).is_some_and(|tokens| tokens > 0) && (total.is_none() || total != before);
        let Some(last) = last.filter(|_| is_bill) else { return };
        let known = input(&before).unwrap_or(0).saturating_add(last.input_tokens.unwrap_or(0));
        let unknown = input(&total).unwrap_or(0).saturating_sub(known);
        let model = self.model.clone();
        let draft = self.draft(place.line);
        match before {
            None => draft.is_late |= unknown > 0,
            Some(_) if unknown > 0 => notes.missing_call(unknown, place),
            Some(_) => {}
        }
        draft.bill(TranscriptUsage { model, ..last }, place, notes);
    }
}

impl Reader for Codex {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let object = value.object().unwrap_or_default();
        let kind = object.text("type").unwrap_or_default();
        let payload = object.object("payload").unwrap_or_default();
        match kind.as_str() {
            "session_meta" => self.begin(&payload, place, sink),
            "turn_context" => self.model = payload.text("model"),
            "response_item" => item(&payload, &place, self.draft(place.line), &mut sink.notes),
            "compacted" => self.compact(&payload, &place, sink),
            "event_msg" if payload.is_a("token_count") => {
                if let Some(count) = payload.object("info") {
                    self.count(&count, &place, &mut sink.notes);
                }
            }
            // Other events repeat the items for the screen.
            "event_msg" => {
                let event = payload.text("type").unwrap_or_default();
                if NO_ITEMS.iter().any(|end| event.ends_with(end)) {
                    sink.notes.note(format!("events of the type {event}, which are not sent"), place);
                }
            }
            kind if BOOKKEEPING.contains(&kind) => {
                sink.notes.note(format!("lines of the type {kind}, which are not sent"), place);
            }
            other => sink.notes.lost(format!("lines of the type {other:?} left out"), place),
        }
    }

    fn end(&mut self, sink: &mut Sink) {
        if let Some(draft) = self.open.take() {
            sink.give(draft);
        }
    }
}

/// Adds the items that replace a history. Answers among them are no turns of the part that begins.
fn replace_history(history: Vec<Json>, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let mut kept = Draft::default();
    for object in history.into_iter().filter_map(Json::object) {
        item(&object, place, &mut kept, notes);
    }
    if let Some(system) = kept.transcript.system {
        draft.system(Content::of(system), place.clone(), notes);
    }
    kept.transcript.messages.into_iter().for_each(|message| draft.keep(message, place, notes));
}

/// The newest words of the user that fit into what Codex keeps.
fn newest_words(part: &Draft) -> Vec<TranscriptMessage> {
    let is_said =
        |message: &&TranscriptMessage| message.role == TranscriptRole::User && !message.is_observation;
    let mut left = KEPT_BYTES;
    let fits = |message: &&TranscriptMessage| {
        let rest = left.checked_sub(message.content.len());
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    let said = part.transcript.messages.iter().filter(is_said).rev();
    let mut words: Vec<TranscriptMessage> = said.take_while(fits).cloned().collect();
    words.reverse();
    words
}
