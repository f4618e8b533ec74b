//! Sessions of Copilot's CLI (`events.jsonl`): an event a line, each with its data. Subagents are conversations of their own.

use super::chat::CHATS;
use crate::alternate::{Alternating, Part};
use crate::content::Content;
use crate::draft::{Answer, Draft, call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, arguments};
use crate::listed::listed;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{TranscriptCompaction, TranscriptUsage};

const NAME: &str = "copilot-cli";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Copilot's CLI (events.jsonl): events with data, an id and the id of their parent",
    recognises: |object| {
        let kind = object.kind();
        let is_own = KINDS.iter().any(|start| kind.starts_with(start));
        is_own && object.has("timestamp") && object.object("data").is_some()
    },
    reader: || Box::new(Sessions::default()),
};

/// Beginnings of the kinds of events.
const KINDS: [&str; 5] = ["session.", "user.message", "assistant.", "tool.execution_", "system."];

#[derive(Default)]
struct Sessions {
    open: Alternating<Session>,
    id: Option<String>,
}

/// The conversation of the main agent or of a subagent.
struct Session(Draft);

impl Reader for Sessions {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.object(value, &place) else { return };
        if object.is_a("session.start") {
            self.end(sink);
            self.id = object.below("data").text("sessionId");
        }
        let data = object.below("data");
        let agent = object.text("agentId").or_else(|| data.text("parentToolCallId")).unwrap_or_default();
        let id = || if agent.is_empty() { self.id.clone() } else { Some(agent.clone()) };
        let draft = || Draft::new(NAME, id(), place.line);
        let new = || Session(if agent.is_empty() { draft() } else { draft().of_subagent() });
        self.open.read(&agent, value, place.clone(), sink, new);
    }

    fn end(&mut self, sink: &mut Sink) {
        self.open.finish(sink);
    }
}

impl Part for Session {
    fn read(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(event) = sink.object(value, &place) else { return };
        self.event(&event, &event.below("data"), &place, &mut sink.notes);
    }

    fn finish(self, sink: &mut Sink) {
        // The tasks of the session belong to its main agent, whose events alone may be none.
        if !self.0.transcript.messages.is_empty() {
            sink.give(self.0);
        }
    }
}

impl Session {
    fn event(&mut self, event: &Object, data: &Object, place: &LogPlace, notes: &mut Notes) {
        let draft = &mut self.0;
        draft.now = LogTime::of(event);
        let text = |key: &str| data.text(key).unwrap_or_default();
        match event.kind().as_str() {
            "system.message" => draft.system(Content::of(text("content")), place.clone(), notes),
            // The model gets it with the time and what the editor shows.
            "user.message" => {
                let said = data.first(&["transformedContent", "content"]).and_then(Json::text);
                match said {
                    Some(said) => draft.user(Content::of(said), false, place.clone()),
                    None => notes.lost("messages of a person without their text".to_owned(), place.clone()),
                }
                let files = data.list("attachments").unwrap_or_default();
                for (index, _) in files.iter().enumerate() {
                    notes.note("attachments, whose content the log lacks", place.item("attachments", index));
                }
            }
            "assistant.message" => answer(data, draft, place, notes),
            // Programs that keep what was only shown have the bill too.
            "assistant.usage" => match billed(data) {
                Some(usage) if draft.written.is_some() => draft.usage(Some(usage)),
                usage => {
                    let tokens = usage.and_then(|usage| usage.input_tokens);
                    tokens.into_iter().for_each(|tokens| notes.missing_call(tokens, place));
                }
            },
            "tool.execution_complete" => {
                let (result, error) = (data.below("result"), data.below("error"));
                let told = result.text("content").or_else(|| error.text("message"));
                if told.is_none() {
                    notes.note("results whose content the log lacks", place.clone());
                }
                let told = told.unwrap_or_else(String::new);
                draft.result(data.text("toolCallId"), None, Content::of(told), place.clone());
                draft.fail_if(!data.is_true("success"));
            }
            "session.compaction_complete" if data.is_true("success") => compact(data, draft, place, notes),
            "session.compaction_complete" => notes.note("compactions that failed, left out", place.clone()),
            "session.truncation" => {
                notes.note("truncated histories, of which the log does not say what went", place.clone());
            }
            "session.context_cleared" => {
                let compaction = TranscriptCompaction {
                    kind: crate::transcript::CompactionKind::Drop,
                    trigger: Some("clear".to_owned()),
                    time: event.text("timestamp"),
                    ..TranscriptCompaction::default()
                };
                draft.compact(compaction, |_| false, place, notes);
            }
            "assistant.reasoning" => crate::content::reasoning(place, notes),
            other => notes.note(format!("events of the type {other}, which are not sent"), place.clone()),
        }
    }
}

/// Reads an answer, which may come in chunks. What was billed for it is an event that is seldom kept.
fn answer(data: &Object, draft: &mut Draft, place: &LogPlace, notes: &mut Notes) {
    let mut calls = Vec::new();
    for (asked, _) in listed(data, "toolRequests", "calls", place, notes) {
        let arguments = arguments(asked.get("arguments"));
        calls.push(match asked.text("toolCallId") {
            Some(id) => call(Some(id), asked.text("name"), arguments),
            None => CHATS.call_of(&asked),
        });
    }
    if data.has("reasoningText") || data.has("reasoningOpaque") {
        crate::content::reasoning(place, notes);
    }
    let id = data.first(&["messageId", "apiCallId"]).and_then(Json::text);
    let text = data.text("content").map_or_else(Content::default, Content::of);
    draft.answer(id.map_or(Answer::Whole, Answer::Id), text, calls, place.clone());
    let output = data.number("outputTokens");
    let usage =
        TranscriptUsage { model: data.text("model"), output_tokens: output, ..TranscriptUsage::default() };
    draft.usage(Some(usage).filter(|usage| *usage != TranscriptUsage::default()));
}

/// The bill of a call, whose input tokens include those of the cache.
fn billed(data: &Object) -> Option<TranscriptUsage> {
    Some(TranscriptUsage {
        model: data.text("model"),
        input_tokens: Some(data.number("inputTokens")?),
        cached_tokens: data.number("cacheReadTokens"),
        cache_write_tokens: data.number("cacheWriteTokens"),
        output_tokens: data.number("outputTokens"),
        reasoning_tokens: data.number("reasoningTokens"),
        ..TranscriptUsage::default()
    })
}

/// Reads a compaction, which keeps as many of the newest messages as it does not remove.
fn compact(data: &Object, draft: &mut Draft, place: &LogPlace, notes: &mut Notes) {
    let all = data.number("preCompactionMessagesLength");
    let kept = all.zip(data.number("messagesRemoved")).map(|(all, removed)| all.saturating_sub(removed));
    let kept = kept.and_then(|kept| usize::try_from(kept).ok()).unwrap_or(0);
    let first = draft.transcript.messages.len().saturating_sub(kept);
    let compaction = TranscriptCompaction {
        text: data.text("summaryContent"),
        trigger: data.text("trigger"),
        time: draft.now.map(|time| time.to_string()),
        tokens_before: data.number("preCompactionTokens"),
        usage: data.object("compactionTokensUsed").and_then(|used| billed(&used)),
        ..TranscriptCompaction::default()
    };
    draft.compact(compaction, |index| index >= first, place, notes);
}
