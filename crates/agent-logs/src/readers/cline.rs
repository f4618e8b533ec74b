//! Sessions of Cline's SDK (`SESSION.messages.json`): Anthropic messages, with the model and bill of each answer. The model's view
//! after a compaction is in a second file, `SESSION.compaction.json`, read after the first.

use rustc_hash::FxHashSet;

use super::providers::anthropic;
use crate::content::Content;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::names::{Dialect, Names, PartKind, PartNames, UsageNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{CompactionKind, TranscriptCompaction, TranscriptUsage, to_ranges};

const NAME: &str = "cline";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Cline's SDK: messages as in anthropic, with modelInfo and metrics",
    recognises: |object| {
        let Some(messages) = object.list("messages") else { return false };
        object.has("system_prompt") && object.has("sessionId") || messages.into_iter().any(is_billed_message)
    },
    reader: || Box::new(Sessions::default()) as Box<dyn Reader>,
};

fn is_billed_message(message: Json) -> bool {
    let Some(message) = message.object() else { return false };
    message.has("role") && message.below("metrics").has("inputTokens")
}

/// The last session, kept open because a compaction state may follow.
#[derive(Default)]
struct Sessions(Option<Session>);

struct Session {
    draft: Draft,
    /// For each message of the log: the number of draft messages before it, and its id.
    begins: Vec<(usize, Option<String>)>,
}

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let messages = list_objects(&object, "messages", "messages", &place, &mut Notes::default());
        let id = object.text("sessionId");
        if let Some(session) = &mut self.0
            && session.draft.id() == id.as_deref()
            && is_compaction(&object, &messages)
        {
            return session.read_compaction(&object, &messages, &place, sink);
        }
        self.finish_log(sink);
        self.0 = read_session(&object, place, sink);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(session) = self.0.take() {
            sink.give(session.draft);
        }
    }
}

impl Session {
    /// Reads the model's view after a compaction: an optional summary instead of the first messages, and the kept messages.
    fn read_compaction(
        &mut self,
        object: &Object,
        messages: &[(Object, LogPlace)],
        place: &LogPlace,
        sink: &mut Sink,
    ) {
        let first = messages.first().map(|(first, _)| first);
        let metadata = first.map(|first| first.below("metadata")).unwrap_or_default();
        let is_summary = metadata.text("kind").as_deref() == Some("compaction_summary");
        let made = metadata.get("generatedAt").and_then(LogTime::read);
        let before = self.messages_before(object, made);
        let kept: FxHashSet<String> = messages.iter().filter_map(|(message, _)| message.text("id")).collect();
        let mut removed = Vec::new();
        for (index, (begin, id)) in self.begins.iter().enumerate() {
            let end = self.begins.get(index + 1).map_or(before, |(next, _)| *next);
            if id.as_ref().is_none_or(|id| !kept.contains(id)) {
                removed.extend(*begin..end.min(before));
            }
        }
        let text = match first {
            Some(said) if is_summary => {
                Some(DIALECT.read_content(said.get("content"), place, &mut sink.notes).text())
            }
            _ => None,
        };
        let compactions = &mut self.draft.transcript.compactions;
        sink.notes.count_compaction(compactions.is_empty(), place);
        compactions.push(TranscriptCompaction {
            before,
            kind: if is_summary { CompactionKind::Summary } else { CompactionKind::Drop },
            removed: to_ranges(removed),
            text,
            trigger: metadata.text("reason"),
            time: made.map(|made| made.to_string()),
            tokens_before: metadata.number("tokensBefore"),
            ..TranscriptCompaction::default()
        });
    }

    /// The number of draft messages at the time of the compaction.
    fn messages_before(&self, object: &Object, made: Option<LogTime>) -> usize {
        let all = self.draft.transcript.messages.len();
        let number = object.number("source_message_count").and_then(|number| usize::try_from(number).ok());
        if let Some(number) = number {
            return self.begins.get(number).map_or(all, |(begin, _)| *begin);
        }
        let Some(made) = made else { return all };
        let mut messages = self.draft.transcript.messages.iter();
        messages.position(|said| said.ended().is_some_and(|time| time > made)).unwrap_or(all)
    }
}

/// Anthropic messages, plus Cline's files and bills.
static DIALECT: Dialect = Dialect(&[&NAMES, &anthropic::NAMES]);

/// Cline's own names. The input count includes cached tokens.
static NAMES: Names = Names {
    parts: PartNames { types: &[("file", PartKind::File)], text: &["content"], ..PartNames::NONE },
    usage: UsageNames {
        input: &["inputTokens"],
        read: &["cacheReadTokens"],
        written: &["cacheWriteTokens"],
        output: &["outputTokens"],
        cost: &["cost"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// Fields of a session: read here, or metadata about its storage.
const FIELDS: [&str; 6] = ["version", "updated_at", "agent", "sessionId", "system_prompt", "messages"];

/// Cline's own fields of a message, unknown to Anthropic.
const OWN: [&str; 4] = ["ts", "modelInfo", "metrics", "metadata"];

fn read_session(object: &Object, place: LogPlace, sink: &mut Sink) -> Option<Session> {
    let messages = list_objects(object, "messages", "messages", &place, &mut sink.notes);
    if is_compaction(object, &messages) {
        let kind = "compaction states of Cline (SESSION.compaction.json), which repeat messages of SESSION.messages.json; \
                    read that file";
        sink.notes.lost(kind, place);
        return None;
    }
    for (key, value) in object.fields() {
        if !FIELDS.contains(&key) && !value.is_empty() {
            sink.notes.note(format!("fields {key} of the log left out"), place.clone());
        }
    }
    let mut draft = Draft::new(NAME, object.text("sessionId"), place.line);
    if let Some(system) = object.text("system_prompt") {
        draft.set_system(Content::of(system), place.key("system_prompt"), &mut sink.notes);
    }
    let mut begins = Vec::new();
    for (mut message, place) in messages {
        begins.push((draft.transcript.messages.len(), message.text("id")));
        let usage = read_bill(&message);
        draft.now = LogTime::of_object(&message);
        message.remove_keys(&OWN);
        DIALECT.read_message(&message, Answer::Whole, false, &place, &mut draft, &mut sink.notes);
        if message.text("role").as_deref() == Some("assistant") {
            draft.usage(usage);
        }
    }
    Some(Session { draft, begins })
}

/// Returns true for a compaction state: the model's view after a compaction.
fn is_compaction(object: &Object, messages: &[(Object, LogPlace)]) -> bool {
    object.has("source_message_count") || messages.iter().any(|(message, _)| is_of_compaction(message))
}

fn is_of_compaction(message: &Object) -> bool {
    let metadata = message.below("metadata");
    metadata.has("compaction") || metadata.text("kind").unwrap_or_default().starts_with("compaction")
}

fn read_bill(message: &Object) -> Option<TranscriptUsage> {
    DIALECT.usage_of(&message.object("metrics")?, message.below("modelInfo").text("id"))
}
