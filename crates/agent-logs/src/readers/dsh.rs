//! Sessions of DeepSeek Harness (`session.jsonl`, or compressed `session.jsonl.zstd`): a head, then one event per line.

use rustc_hash::FxHashSet;

use super::providers::openai;
use crate::content::Content;
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, parse_arguments};
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{TranscriptCompaction, TranscriptUsage};
use crate::unread::Fields;

const NAME: &str = "deepseek-harness";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of DeepSeek Harness: a header, then events such as user/message and tool/result",
    recognises: |object| {
        let kind = object.kind();
        let is_head =
            kind == "session" && object.has("createdAt") && (object.has("agentPreset") || object.has("cwd"));
        is_head || KINDS.contains(&kind.as_str()) && object.object("data").is_some()
    },
    reader: || Box::new(Sessions::default()),
};

/// Types of events found only in these sessions.
const KINDS: [&str; 5] = ["user/message", "assistant/message", "tool/call", "tool/result", "step/start"];

static DIALECT: Dialect = Dialect(&[&openai::CHAT]);

/// Fields of events that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &["data", "error", "header", "message"],
    known: &[
        "arguments",
        "compactionId",
        "config",
        "content",
        "cwd",
        "adapterDefaults",
        "system",
        "tools",
        "model",
        "name",
        "provider",
        "source",
        "sourceCommandId",
        "summary",
        "text",
        "title",
        "usage",
    ],
};

#[derive(Default)]
struct Sessions(Option<Session>);

struct Session {
    draft: Draft,
    model: Option<String>,
    /// Number of the session's first own event. A fork begins with its parent's events.
    own: u64,
    /// True while reading the parent's events.
    is_seed: bool,
    /// True if the next user message is the replacement text of a compaction.
    is_replacing: bool,
    /// Event number of each message.
    numbers: Vec<Option<u64>>,
}

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if object.is_a("session") {
            self.finish_log(sink);
            let mut draft = Draft::new(NAME, object.text("id"), place.line);
            if object.text("origin").is_some_and(|origin| origin == "subagent") || object.has("parentSession")
            {
                draft = draft.of_subagent();
            }
            let own = object.number("seedLength").unwrap_or(0);
            let is_seed = object.is_true("isSeeded");
            self.0 =
                Some(Session { draft, model: None, own, is_seed, is_replacing: false, numbers: Vec::new() });
            return;
        }
        let session = self.0.get_or_insert_with(|| Session {
            draft: Draft::new(NAME, None, place.line),
            model: None,
            own: 0,
            is_seed: false,
            is_replacing: false,
            numbers: Vec::new(),
        });
        session.read_event(&object, &place, &mut sink.notes);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(session) = self.0.take() {
            sink.give(session.draft);
        }
    }
}

impl Session {
    fn read_event(&mut self, event: &Object, place: &LogPlace, notes: &mut Notes) {
        let data = event.below("data");
        self.draft.now = ["time", "time0"].iter().find_map(|key| LogTime::read(event.get(key)?));
        let is_of_parent = self.is_seed
            || event.first(&["seq", "seq0"]).and_then(Json::count).is_some_and(|seq| seq < self.own);
        match event.kind().as_str() {
            "session/end-seed" => return self.is_seed = false,
            "request/header" | "request/context" | "model/selection" => {
                let config = data.below("header").below("config");
                self.model = config.text("model").or_else(|| data.text("model")).or(self.model.take());
                let prompt =
                    data.below("header").text("system").filter(|_| self.draft.transcript.system.is_none());
                self.draft.transcript.system = self.draft.transcript.system.take().or(prompt);
                if self.draft.transcript.tools.is_empty() {
                    self.draft.declare_tools(data.below("header").get("tools"), place, notes);
                }
            }
            "user/message" => {
                let content = DIALECT.read_content(data.get("content"), place, notes);
                if std::mem::take(&mut self.is_replacing) {
                    if let Some(last) = self.draft.transcript.compactions.last_mut() {
                        last.text = content.lines;
                    }
                    return;
                }
                let source = data.below("source").text("kind");
                let is_told = source.is_some_and(|kind| kind != "user" && !kind.is_empty());
                self.draft.add_user_text(content, is_told, place.clone());
            }
            "assistant/message" => self.read_answer(&data, is_of_parent, place, notes),
            "tool/result" => read_result(&data, &mut self.draft, place, notes),
            "compaction/summary" => self.read_compaction(&data, place, notes),
            kind => {
                return notes.note(format!("events of the type {kind}, which are not sent"), place.clone());
            }
        }
        let number = event.first(&["seq", "seq0"]).and_then(Json::count);
        self.numbers.resize(self.draft.transcript.messages.len(), number);
        FIELDS.note_unread(event, "events", place, notes);
    }

    /// Reads a summary. It replaces the messages of some events.
    fn read_compaction(&mut self, data: &Object, place: &LogPlace, notes: &mut Notes) {
        let shadowed: Option<FxHashSet<u64>> = data.get("shadowedSeqs").and_then(Json::read);
        let numbers = std::mem::take(&mut self.numbers);
        let is_gone = |index: usize| match (&shadowed, numbers.get(index).copied().flatten()) {
            (Some(shadowed), Some(number)) => shadowed.contains(&number),
            _ => true,
        };
        let summary = DIALECT.read_content(data.get("summary"), place, notes).lines;
        let compaction = TranscriptCompaction {
            text: summary,
            time: self.draft.now.map(|time| time.to_string()),
            tokens_before: data.number("shadowedTokenCount"),
            usage: data.object("usage").and_then(|usage| read_bill(&usage, data.text("model"))),
            ..TranscriptCompaction::default()
        };
        let before = self.draft.transcript.compactions.last().cloned().unwrap_or_default();
        self.draft.add_compaction(
            compaction,
            |index| !is_gone(index) && !before.removes(index),
            place,
            notes,
        );
        self.numbers = numbers;
        self.is_replacing = true;
    }

    fn read_answer(&mut self, data: &Object, is_of_parent: bool, place: &LogPlace, notes: &mut Notes) {
        let message = data.below("message");
        let (mut text, mut calls) = (Content::default(), Vec::new());
        for (index, part) in message.list("content").into_iter().flatten().enumerate() {
            let place = place.item("content", index);
            match part.object() {
                Some(made) if made.kind().replace(['-', '_'], "").eq_ignore_ascii_case("toolcall") => {
                    let id = made.first(&["id", "callId", "toolCallId"]).and_then(Json::text);
                    calls.push(new_call(id, made.text("name"), parse_arguments(made.get("arguments"))));
                }
                _ => DIALECT.add_part(&mut text, part, &place, notes),
            }
        }
        if let Some(said) = message.text("content") {
            text.add_text(&said);
        }
        self.draft.add_answer(Answer::Whole, text, calls, place.clone());
        let model = message.below("source").text("model").or_else(|| self.model.clone());
        // The parent's log contains its own bills.
        if is_of_parent {
            notes.name_bills(data);
        }
        if !is_of_parent && let Some(usage) = data.object("usage") {
            self.draft.usage(read_bill(&usage, model));
        }
    }
}

fn read_result(data: &Object, draft: &mut Draft, place: &LogPlace, notes: &mut Notes) {
    let message = data.below("message");
    let mut id = message.below("source").text("callId").or_else(|| message.text("toolCallId"));
    let (mut text, mut has_failed) = (Content::default(), message.is_true("isError") || data.has("error"));
    let content = message.list("content").unwrap_or_else(|| message.get("content").into_iter().collect());
    for (index, part) in content.into_iter().enumerate() {
        let place = place.item("content", index);
        let Some(part) = part.object().filter(|part| part.is_a("tool-result") || part.is_a("tool_result"))
        else {
            DIALECT.add_part(&mut text, part, &place, notes);
            continue;
        };
        FIELDS.note_unread(&part, "results", &place, notes);
        id = id.or_else(|| part.text("toolCallId"));
        has_failed |= part.is_true("isError");
        let told = DIALECT.read_content(part.get("content"), &place, notes);
        text.images += told.images;
        told.lines.iter().for_each(|told| text.add_text(told));
    }
    if text.is_none()
        && let Some(error) =
            data.object("error").and_then(|error| error.first(&["message", "name", "code"])?.text())
    {
        text.add_text(&error);
    }
    draft.add_result(id, None, text, place.clone());
    draft.fail_if(has_failed);
}

/// The bill of an answer. The logged input count excludes cached tokens.
fn read_bill(usage: &Object, model: Option<String>) -> Option<TranscriptUsage> {
    let (read, written) = (usage.number("cacheReadTokens"), usage.number("cacheWriteTokens"));
    let beside = read.unwrap_or(0).saturating_add(written.unwrap_or(0));
    Some(TranscriptUsage {
        model,
        input_tokens: Some(usage.number("inputTokens")?.saturating_add(beside)),
        cached_tokens: read,
        cache_write_tokens: written,
        output_tokens: usage.number("outputTokens"),
        reasoning_tokens: usage.number("reasoningTokens"),
        ..TranscriptUsage::default()
    })
}
