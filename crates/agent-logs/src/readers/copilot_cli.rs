//! Sessions of Copilot's CLI (`events.jsonl`): one event per line. Each subagent is its own conversation.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::providers::CHATS;
use crate::alternate::{Alternating, Part};
use crate::content::Content;
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, parse_arguments};
use crate::listed::list_objects;
use crate::notes::Notes;
use crate::parts::newest_words;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{
    CompactionKind, TranscriptCompaction, TranscriptMessage, TranscriptOutcome, TranscriptRole,
    TranscriptUsage,
};
use crate::unread::Fields;

const NAME: &str = "copilot-cli";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Copilot's CLI (events.jsonl)",
    recognises: |object| {
        let kind = object.kind();
        let is_own = KINDS.iter().any(|start| kind.starts_with(start));
        is_own && object.has("timestamp") && object.object("data").is_some()
    },
    reader: || Box::new(Sessions::default()),
};

/// Prefixes of event types.
const KINDS: [&str; 5] = ["session.", "user.message", "assistant.", "tool.execution_", "system."];

/// Key of the main agent; its events have no agent id.
const MAIN: &str = "";

/// Events with text sent to the model, according to their published types (copilot-sdk 1.0.14).
const TOLD: [&str; 3] = ["skill.invoked", "system.notification", "session.mode_notice_delivered"];

/// Fields that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &["data", "result", "error", "toolRequests"],
    known: &[
        "arguments",
        "attachments",
        "compactionTokensUsed",
        "content",
        "contents",
        "customInstructions",
        "description",
        "kind",
        "path",
        "pluginName",
        "detailedContent",
        "displayName",
        "encryptedContent",
        "function",
        "intentionSummary",
        "message",
        "name",
        "reasoningOpaque",
        "reasoningText",
        "structuredContent",
        "summaryContent",
        "toolDescription",
        "toolTelemetry",
        "toolTitle",
        "transformedContent",
    ],
};

#[derive(Default)]
struct Sessions {
    open: Alternating<Session>,
    id: Option<String>,
}

/// The conversation of the main agent or of a subagent.
struct Session {
    draft: Draft,
    /// Number of messages when the current compaction began. The conversation continues meanwhile.
    compacting: Option<usize>,
    /// Number of messages and compactions before each event, by event id.
    begins: FxHashMap<String, (usize, usize)>,
    /// Bills logged before their answers, by call id.
    bills: BTreeMap<String, (TranscriptUsage, LogPlace)>,
    /// Totals at the end of each part of the session, and the number of requests.
    sums: Vec<TranscriptUsage>,
    requests: u64,
}

/// Calls to these tools survive a truncation.
const KEPT_CALLS: [&str; 2] = ["report_progress", "report_intent"];

/// Characters of user messages kept by a compaction.
const KEPT_WORDS: usize = 30_000;

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if object.is_a("session.start") {
            self.finish_log(sink);
            self.id = object.below("data").text("sessionId");
        }
        let data = object.below("data");
        let subagent = object.text("agentId").or_else(|| data.text("parentToolCallId"));
        self.open.read(subagent.as_deref().unwrap_or(MAIN), value, place.clone(), sink, || {
            let draft = match &subagent {
                Some(id) => Draft::new(NAME, Some(id.clone()), place.line).of_subagent(),
                None => Draft::new(NAME, self.id.clone(), place.line),
            };
            Session {
                draft,
                compacting: None,
                begins: FxHashMap::default(),
                bills: BTreeMap::new(),
                sums: Vec::new(),
                requests: 0,
            }
        });
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        self.open.finish(sink);
    }
}

impl Part for Session {
    fn read_part(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(event) = sink.read_object(value, &place) else { return };
        self.read_event(&event, &event.below("data"), &place, &mut sink.notes);
    }

    fn finish_conversation(mut self, sink: &mut Sink) {
        let is_billed = |answer: &TranscriptMessage| {
            answer.usage.as_ref().is_some_and(|usage| usage.input_tokens.is_some())
        };
        let usage = TranscriptUsage::sum(std::mem::take(&mut self.sums));
        if usage.is_some() && !self.draft.transcript.messages.iter().any(is_billed) {
            let requests = Some(self.requests).filter(|requests| *requests > 0);
            self.draft.transcript.outcome =
                Some(TranscriptOutcome { usage, requests, ..TranscriptOutcome::default() });
        }
        for (usage, place) in self.bills.values() {
            usage.input_tokens.into_iter().for_each(|tokens| sink.notes.missing_call(tokens, place));
        }
        // Session-level events belong to the main agent, and it may have no messages at all.
        if !self.draft.transcript.messages.is_empty() {
            sink.give(self.draft);
        }
    }
}

impl Session {
    /// Drops an event and everything after it, because the user rewound to it.
    fn go_back(&mut self, data: &Object, place: &LogPlace, notes: &mut Notes) {
        let Some((messages, compactions)) =
            data.text("upToEventId").and_then(|id| self.begins.get(&id).copied())
        else {
            return notes.lost("rewinds to an event that the log lacks", place.clone());
        };
        self.draft.transcript.compactions.truncate(compactions);
        let left_out = self.draft.truncate_messages(messages);
        if !left_out.is_empty() {
            notes.note("branches that the user went back from, left out", place.clone());
        }
        // Most bills only have output tokens.
        for usage in left_out.iter().filter_map(|answer| answer.usage.as_ref()) {
            let tokens = usage.input_tokens.unwrap_or(0);
            notes.name_usage(usage);
            notes.missing_call(tokens, place);
        }
    }

    fn read_event(&mut self, event: &Object, data: &Object, place: &LogPlace, notes: &mut Notes) {
        let draft = &mut self.draft;
        draft.now = LogTime::of_object(event);
        if let Some(id) = event.text("id") {
            let transcript = &draft.transcript;
            self.begins.insert(id, (transcript.messages.len(), transcript.compactions.len()));
        }
        match event.kind().as_str() {
            "system.message" => match data.text("content") {
                // Since about 1.0.100 it is logged after the first user message, but sent with it.
                Some(prompt) if draft.transcript.system.is_none() && !draft.has_answers() => {
                    draft.transcript.system = Some(prompt);
                }
                Some(prompt) => draft.set_system(Content::of(prompt), place.clone(), notes),
                None => notes.lost("system messages without their text", place.clone()),
            },
            // The model gets the transformed text, with the time and the editor's context.
            "user.message" => {
                let said = data.first(&["transformedContent", "content"]).and_then(Json::text);
                match said {
                    Some(said) => draft.add_user_text(Content::of(said), false, place.clone()),
                    None => notes.lost("messages of a person without their text".to_owned(), place.clone()),
                }
                let files = data.list("attachments").into_iter().flatten();
                for (index, _) in files.enumerate() {
                    notes.note("attachments, whose content the log lacks", place.item("attachments", index));
                }
            }
            "assistant.message" => {
                read_answer(data, draft, place, notes);
                let bill = data.text("apiCallId").and_then(|call| self.bills.remove(&call));
                draft.usage(bill.map(|(usage, _)| usage));
            }
            // Logged before its answer.
            "session.usage_record" => {
                let usage = data.below("usage");
                match usage.text("apiCallId").zip(read_bill(&usage)) {
                    Some((call, usage)) => drop(self.bills.insert(call, (usage, place.clone()))),
                    None => notes.lost("bills without their call or tokens left out", place.clone()),
                }
            }
            // An extra bill, logged by programs that keep events meant only for display.
            "assistant.usage" => match read_bill(data) {
                Some(usage) if draft.written.is_some() => draft.usage(Some(usage)),
                usage => {
                    let tokens = usage.and_then(|usage| usage.input_tokens);
                    tokens.into_iter().for_each(|tokens| notes.missing_call(tokens, place));
                }
            },
            "tool.execution_complete" => {
                let (result, error) = (data.below("result"), data.below("error"));
                let text = result.text("content").or_else(|| error.text("message"));
                match &text {
                    None => notes.lost("results of calls without their text", place.clone()),
                    Some(text) if text.is_empty() => {
                        notes.note("results of calls with an empty text", place.clone());
                    }
                    Some(_) => {}
                }
                let content = text.map_or_else(Content::default, Content::of);
                draft.add_result(data.text("toolCallId"), None, content, place.clone());
                draft.fail_if(!data.is_true("success"));
            }
            "session.compaction_start" => self.compacting = Some(draft.transcript.messages.len()),
            "session.compaction_complete" if data.is_true("success") => {
                let begun = self.compacting.take().unwrap_or(draft.transcript.messages.len());
                read_compaction(data, draft, begun, place, notes);
            }
            "session.compaction_complete" => notes.note("compactions that failed, left out", place.clone()),
            "session.truncation" => read_truncation(data, draft, place, notes),
            "session.context_cleared" => {
                let compaction = TranscriptCompaction {
                    kind: CompactionKind::Drop,
                    trigger: Some("clear".to_owned()),
                    time: event.text("timestamp"),
                    ..TranscriptCompaction::default()
                };
                draft.add_compaction(compaction, |_| false, place, notes);
            }
            // A skill, a mode or a finished background task reports to the model.
            kind if TOLD.contains(&kind) => match data.text("content") {
                Some(told) => draft.add_user_text(Content::of(told), true, place.clone()),
                None => notes.note(format!("events of the type {kind} without a text"), place.clone()),
            },
            // Each part of a session, from its start or resumption, ends with its own totals.
            "session.shutdown" => {
                let models = data.below("modelMetrics");
                for (model, metrics) in models.fields() {
                    let Some(metrics) = metrics.object() else { continue };
                    let Some(usage) = read_bill(&metrics.below("usage")) else { continue };
                    notes.name_usage(&usage);
                    self.requests += metrics.below("requests").number("count").unwrap_or(0);
                    self.sums.push(TranscriptUsage { model: Some(model.to_owned()), ..usage });
                }
            }
            "session.snapshot_rewind" => self.go_back(data, place, notes),
            "session.handoff" if data.has("summary") || data.has("context") => {
                notes.lost("summaries of sessions that another program handed over, left out", place.clone());
            }
            "assistant.reasoning" => crate::content::note_reasoning(place, notes),
            other => {
                return notes.note(format!("events of the type {other}, which are not sent"), place.clone());
            }
        }
        FIELDS.note_unread(event, "events", place, notes);
    }
}

/// Reads an answer, possibly in chunks. Its full bill is a separate event and rarely kept.
fn read_answer(data: &Object, draft: &mut Draft, place: &LogPlace, notes: &mut Notes) {
    let mut calls = Vec::new();
    for (asked, _) in list_objects(data, "toolRequests", "calls", place, notes) {
        let arguments = parse_arguments(asked.get("arguments"));
        calls.push(match asked.text("toolCallId") {
            Some(id) => new_call(Some(id), asked.text("name"), arguments),
            None => CHATS.call_of(&asked),
        });
    }
    if data.has("reasoningText") || data.has("reasoningOpaque") {
        crate::content::note_reasoning(place, notes);
    }
    let id = data.first(&["messageId", "apiCallId"]).and_then(Json::text);
    let text = data.text("content").map_or_else(Content::default, Content::of);
    draft.add_answer(id.map_or(Answer::Whole, Answer::Id), text, calls, place.clone());
    let output = data.number("outputTokens");
    let usage =
        TranscriptUsage { model: data.text("model"), output_tokens: output, ..TranscriptUsage::default() };
    draft.usage(Some(usage).filter(|usage| *usage != TranscriptUsage::default()));
}

/// The bill of a call. Input tokens include cached ones. In early 2026 the bill of a compaction had other field names.
fn read_bill(data: &Object) -> Option<TranscriptUsage> {
    let number = |names: &[&str]| data.first(names).and_then(Json::count);
    Some(TranscriptUsage {
        model: data.text("model"),
        input_tokens: Some(number(&["inputTokens", "input"])?),
        cached_tokens: number(&["cacheReadTokens", "cachedInput"]),
        cache_write_tokens: data.number("cacheWriteTokens"),
        output_tokens: number(&["outputTokens", "output"]),
        reasoning_tokens: data.number("reasoningTokens"),
        ..TranscriptUsage::default()
    })
}

/// Reads a compaction of the messages present when it began. Besides the summary, the CLI keeps the newest user messages and
/// everything since the start. A call stays if its result arrived since.
fn read_compaction(data: &Object, draft: &mut Draft, begun: usize, place: &LogPlace, notes: &mut Notes) {
    let messages = &draft.transcript.messages;
    let is_result = messages.get(begun).is_some_and(|since| since.role == TranscriptRole::Tool);
    let earlier = messages.iter().take(begun);
    let asked = earlier.clone().rposition(|message| !message.tool_calls.is_empty());
    let first = asked.filter(|_| is_result).unwrap_or(begun);
    let words = newest_words(draft, KEPT_WORDS);
    let compaction = TranscriptCompaction {
        text: data.text("summaryContent"),
        trigger: data.text("trigger"),
        time: draft.now.map(|time| time.to_string()),
        tokens_before: data.number("preCompactionTokens"),
        usage: data.object("compactionTokensUsed").and_then(|used| read_bill(&used)),
        ..TranscriptCompaction::default()
    };
    draft.add_compaction(compaction, |index| index >= first || words.contains(&index), place, notes);
}

/// Reads a truncation. The CLI drops the oldest answers with their results until the request is small enough; user messages stay.
fn read_truncation(data: &Object, draft: &mut Draft, place: &LogPlace, notes: &mut Notes) {
    let number =
        data.number("messagesRemovedDuringTruncation").and_then(|number| usize::try_from(number).ok());
    let Some(number) = number else {
        return notes.lost("truncated histories without the number of removed messages", place.clone());
    };
    let gone = draft.transcript.compactions.last().cloned().unwrap_or_default();
    let removed = oldest_answers(&draft.transcript.messages, number, &gone);
    if removed.len() < number {
        notes.lost("messages that a truncation removed and the log lacks", place.clone());
    }
    let compaction = TranscriptCompaction {
        kind: CompactionKind::Drop,
        time: draft.now.map(|time| time.to_string()),
        tokens_before: data.number("preTruncationTokensInMessages"),
        ..TranscriptCompaction::default()
    };
    if number > 0 {
        draft.add_compaction(
            compaction,
            |index| !removed.contains(&index) && !gone.removes(index),
            place,
            notes,
        );
    }
}

/// Indices of the oldest answers and their results, up to about `number` messages. Skips those in `gone`.
fn oldest_answers(
    messages: &[TranscriptMessage],
    number: usize,
    gone: &TranscriptCompaction,
) -> FxHashSet<usize> {
    let mut removed = FxHashSet::default();
    for (index, answer) in messages.iter().enumerate() {
        if answer.role != TranscriptRole::Assistant || gone.removes(index) {
            continue;
        }
        if removed.len() >= number {
            break;
        }
        let (kept, dropped): (Vec<_>, Vec<_>) =
            answer.tool_calls.iter().partition(|call| KEPT_CALLS.contains(&call.name.as_str()));
        let ids: FxHashSet<&str> = dropped.iter().map(|call| call.id.as_str()).collect();
        if kept.is_empty() {
            removed.insert(index);
        }
        let later = messages.iter().enumerate().skip(index + 1);
        let results = later.filter(|(_, told)| told.call.as_deref().is_some_and(|call| ids.contains(call)));
        removed.extend(results.map(|(index, _)| index));
    }
    removed
}
