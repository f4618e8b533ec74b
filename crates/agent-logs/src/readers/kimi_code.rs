//! Sessions of Kimi Code (`wire.jsonl`, protocol 1.0 and later): one record per line, with the messages and steps of its agent.

use super::providers::openai;
use crate::content::Content;
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, parse_arguments};
use crate::names::{Dialect, Names, PartKind, PartNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{CompactionKind, TranscriptCompaction, TranscriptUsage};
use crate::unread::Fields;

const NAME: &str = "kimi-code";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Kimi Code (wire.jsonl): records such as context.append_message",
    recognises: |object| {
        let kind = object.kind();
        let is_head = kind == "metadata" && object.has("protocol_version") && object.has("created_at");
        is_head || STARTS.iter().any(|start| kind.starts_with(start)) && object.has("time")
    },
    reader: || Box::new(Sessions::default()),
};

/// Prefixes of record types.
const STARTS: [&str; 4] = ["context.", "profile.", "usage.record", "llm."];

/// OpenAI messages, plus parts for reasoning.
static DIALECT: Dialect = Dialect(&[&NAMES, &openai::CHAT]);

static NAMES: Names =
    Names { parts: PartNames { types: &[("think", PartKind::Reasoning)], ..PartNames::NONE }, ..Names::NONE };

/// Fields of events, messages and results: read here, or never part of a request.
const FIELDS: Fields = Fields {
    below: &["event", "message", "result", "summary"],
    known: &[
        "agentId",
        "args",
        "content",
        "contextSummary",
        "display",
        "extras",
        "name",
        "note",
        "origin",
        "output",
        "part",
        "systemPrompt",
        "toolCalls",
    ],
};

/// Origins of messages not written by a person.
const TOLD: [&str; 3] = ["injection", "notification", "system"];

#[derive(Default)]
struct Sessions(Option<Session>);

struct Session {
    draft: Draft,
    /// The bill of the newest call, until the end of its step.
    pending: Option<(TranscriptUsage, LogPlace)>,
    /// Indices of the user's own messages.
    words: Vec<usize>,
}

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let session = self.0.get_or_insert_with(|| Session {
            draft: Draft::new(NAME, None, place.line),
            pending: None,
            words: Vec::new(),
        });
        session.read_record(&object, &place, &mut sink.notes);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(mut session) = self.0.take() {
            session.miss_pending(&mut sink.notes);
            sink.give(session.draft);
        }
    }
}

impl Session {
    fn read_record(&mut self, object: &Object, place: &LogPlace, notes: &mut Notes) {
        self.draft.now = object.get("time").and_then(LogTime::read);
        match object.kind().as_str() {
            "context.append_message" => self.read_message(&object.below("message"), place, notes),
            "context.append_loop_event" => self.read_event(&object.below("event"), place, notes),
            "profile.bind" | "config.update" => {
                if let Some(prompt) = object.text("systemPrompt").filter(|_| !self.draft.has_answers()) {
                    self.draft.transcript.system = Some(prompt);
                }
            }
            "usage.record" => {
                self.miss_pending(notes);
                let usage = read_bill(&object.below("usage"), object.text("model"));
                self.pending = usage.map(|usage| (usage, place.clone()));
            }
            "context.apply_compaction" => self.read_compaction(object, place, notes),
            "context.clear" => {
                let compaction = TranscriptCompaction {
                    kind: CompactionKind::Drop,
                    trigger: Some("clear".to_owned()),
                    time: self.draft.now.map(|time| time.to_string()),
                    ..TranscriptCompaction::default()
                };
                self.draft.add_compaction(compaction, |_| false, place, notes);
            }
            "context.undo" => self.undo_turns(object.number("count").unwrap_or(1), place, notes),
            "metadata" => {}
            kind => notes.note(format!("records of the type {kind}, which are not sent"), place.clone()),
        }
        FIELDS.note_unread(object, "records", place, notes);
    }

    /// Reports a bill that belongs to no step as a missing call.
    fn miss_pending(&mut self, notes: &mut Notes) {
        let Some((usage, place)) = self.pending.take() else { return };
        let tokens = usage.input_tokens.filter(|tokens| *tokens > 0);
        tokens.into_iter().for_each(|tokens| notes.missing_call(tokens, &place));
    }

    fn read_message(&mut self, message: &Object, place: &LogPlace, notes: &mut Notes) {
        let origin = message.below("origin").text("kind").unwrap_or_default();
        let content = DIALECT.read_content(message.get("content"), place, notes);
        match message.text("role").as_deref() {
            Some("assistant") => {
                let calls = message.list("toolCalls").into_iter().flatten().filter_map(Json::object);
                let calls = calls.map(|made| DIALECT.call_of(&made)).collect();
                self.draft.add_answer(Answer::Whole, content, calls, place.clone());
            }
            Some("tool") => self.draft.add_result(message.text("toolCallId"), None, content, place.clone()),
            _ => {
                let is_told = TOLD.contains(&origin.as_str());
                if !is_told {
                    self.words.push(self.draft.transcript.messages.len());
                }
                self.draft.add_user_text(content, is_told, place.clone());
            }
        }
    }

    fn read_event(&mut self, event: &Object, place: &LogPlace, notes: &mut Notes) {
        match event.kind().as_str() {
            "step.begin" => self.draft.billed = self.draft.transcript.messages.len(),
            "content.part" => {
                let mut text = Content::default();
                let part = event.below("part");
                match part.is_a("think") {
                    true => crate::content::note_reasoning(place, notes),
                    false => DIALECT.add_part(&mut text, part.json(), place, notes),
                }
                if !text.is_none() {
                    self.draft.add_answer(Answer::Piece, text, Vec::new(), place.clone());
                }
            }
            "tool.call" => {
                let made = new_call(
                    event.text("toolCallId"),
                    event.text("name"),
                    parse_arguments(event.get("args")),
                );
                self.draft.add_answer(Answer::Piece, Content::default(), vec![made], place.clone());
            }
            "tool.result" => {
                let result = event.below("result");
                let mut told = DIALECT.read_content(result.get("output"), place, notes);
                result
                    .text("note")
                    .filter(|note| !note.is_empty())
                    .iter()
                    .for_each(|note| told.add_text(note));
                self.draft.add_result(event.text("toolCallId"), None, told, place.clone());
                self.draft.fail_if(result.is_true("isError"));
            }
            "step.end" => {
                let own = event.object("usage").and_then(|usage| read_bill(&usage, None));
                let model = self.pending.as_ref().and_then(|(usage, _)| usage.model.clone());
                let usage = own.map(|usage| TranscriptUsage { model, ..usage });
                let pending = self.pending.take().map(|(usage, _)| usage);
                if let Some(usage) = usage.or(pending) {
                    self.draft.bill(usage, place, notes);
                }
            }
            kind => notes.note(format!("events of the type {kind}, which are not sent"), place.clone()),
        }
    }

    /// Reads a compaction. Kimi Code keeps the newest user messages besides the summary; older versions kept all messages from an
    /// index on.
    fn read_compaction(&mut self, object: &Object, place: &LogPlace, notes: &mut Notes) {
        let text = match object.text("contextSummary").or_else(|| object.text("summary")) {
            Some(text) => Some(text),
            None => DIALECT.read_content(object.below("summary").get("content"), place, notes).lines,
        };
        let kept = object.number("keptUserMessageCount").and_then(|kept| usize::try_from(kept).ok());
        let counted = object.first(&["compactedCount", "count"]).and_then(Json::count);
        let first = counted.and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
        let newest: Vec<usize> = self.words.iter().rev().take(kept.unwrap_or(0)).copied().collect();
        let compaction = TranscriptCompaction {
            text,
            time: self.draft.now.map(|time| time.to_string()),
            tokens_before: object.number("tokensBefore"),
            usage: self.pending.take().map(|(usage, _)| usage),
            ..TranscriptCompaction::default()
        };
        self.draft.add_compaction(
            compaction,
            |index| if kept.is_some() { newest.contains(&index) } else { index >= first },
            place,
            notes,
        );
        self.draft.billed = self.draft.transcript.messages.len();
    }

    /// Drops the last `count` user messages and everything after them.
    fn undo_turns(&mut self, count: u64, place: &LogPlace, notes: &mut Notes) {
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(self.words.len());
        let Some(first) = self.words.len().checked_sub(count).and_then(|at| self.words.get(at).copied())
        else {
            return;
        };
        self.words.retain(|index| *index < first);
        let gone = self.draft.truncate_messages(first);
        notes.note("turns that the user took back, left out", place.clone());
        for tokens in gone.iter().filter_map(|answer| answer.usage.as_ref()?.input_tokens) {
            notes.missing_call(tokens, place);
        }
    }
}

/// Parses a bill. The log splits the input into cache reads, cache writes and the rest.
fn read_bill(usage: &Object, model: Option<String>) -> Option<TranscriptUsage> {
    let (read, written) = (usage.number("inputCacheRead"), usage.number("inputCacheCreation"));
    let beside = read.unwrap_or(0).saturating_add(written.unwrap_or(0));
    let usage = TranscriptUsage {
        model,
        input_tokens: Some(usage.number("inputOther")?.saturating_add(beside)),
        cached_tokens: read,
        cache_write_tokens: written,
        output_tokens: usage.number("output"),
        ..TranscriptUsage::default()
    };
    // The counts of a failed call are zero.
    (usage.input_tokens != Some(0) || usage.output_tokens.is_some_and(|output| output > 0)).then_some(usage)
}
