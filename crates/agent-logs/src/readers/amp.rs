//! Threads of Amp: Anthropic messages. A result has the id of its call and the tool's run.

use super::providers::anthropic;
use crate::content::Content;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Whole};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::TranscriptUsage;

const NAME: &str = "amp";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "threads of Amp (T-….json): messages with tool_use and tool_result",
    recognises: |object| {
        let first = object.list("messages").and_then(|messages| messages.first()?.object());
        object.has("v") && first.is_some_and(|first| first.has("role") && first.has("messageId"))
    },
    reader: || Box::new(Whole(read_thread)),
};

static DIALECT: Dialect = Dialect(&[&anthropic::NAMES]);

/// Fields of messages that are either read here or never part of a request.
const MESSAGE: &[&str] =
    &["role", "content", "usage", "state", "meta", "messageId", "agentMode", "userState", "turnElapsedMs"];
/// Known fields of threads.
const THREAD: &[&str] = &[
    "id",
    "title",
    "messages",
    "env",
    "meta",
    "agentMode",
    "usageLedger",
    "activatedSkills",
    "~debug",
    "draft",
];
/// Known fields of calls, tool runs and their errors.
const CALL: &[&str] = &["id", "name", "input", "metadata"];
const RUN: &[&str] = &["status", "result", "error", "reason", "progress", "trackFiles", "~debug"];
const ERROR: &[&str] = &["message", "name", "stack", "errorCode"];
/// Known fields of results.
const RESULT: &[&str] = &["run", "toolUseID", "userInput"];

fn read_thread(object: &Object, place: LogPlace, sink: &mut Sink) {
    let mut draft = Draft::new(NAME, object.text("id"), place.line);
    draft.transcript.name = object.text("title");
    DIALECT.note_unread(object, THREAD, "threads", &place, &mut sink.notes);
    for (said, place) in list_objects(object, "messages", "messages", &place, &mut sink.notes) {
        read_message(&said, &place, &mut draft, &mut sink.notes);
    }
    sink.give(draft);
}

fn read_message(said: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    DIALECT.note_unread(said, MESSAGE, "messages", place, notes);
    let usage = said.object("usage");
    let time = said.below("meta").get("sentAt").and_then(LogTime::read);
    draft.now = usage.as_ref().and_then(LogTime::of_object).or(time);
    let is_answer = said.text("role").is_some_and(|role| role == "assistant");
    let parts = said.list("content").unwrap_or_else(|| said.get("content").into_iter().collect());
    let (mut text, mut calls) = (Content::default(), Vec::new());
    let mut results = Vec::new();
    for (index, part) in parts.into_iter().enumerate() {
        let place = place.item("content", index);
        match part.object() {
            Some(part) if part.is_a("tool_result") => results.push((part, place)),
            Some(part) if part.is_a("tool_use") => {
                DIALECT.note_unread(&part, CALL, "calls", &place, notes);
                calls.push(DIALECT.call_of(&part));
            }
            _ => DIALECT.add_part(&mut text, part, &place, notes),
        }
    }
    if is_answer {
        draft.add_answer(Answer::Whole, text, calls, place.clone());
        draft.usage(usage.as_ref().and_then(read_bill));
        return;
    }
    for (part, place) in &results {
        read_result(part, place, draft, notes);
    }
    if !text.is_none() || results.is_empty() {
        draft.add_user_text(text, false, place.clone());
    }
}

/// Reads a tool's output: text, or an object serialized for the model.
fn read_result(part: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    DIALECT.note_unread(part, RESULT, "results", place, notes);
    let run = part.below("run");
    DIALECT.note_unread(&run, RUN, "runs of tools", place, notes);
    DIALECT.note_unread(&run.below("error"), ERROR, "errors", place, notes);
    let error = run.get("error").map(|error| {
        error.object().and_then(|error| error.text("message")).unwrap_or_else(|| error.to_plain_text())
    });
    let given = run.get("result").map(Json::to_plain_text).or_else(|| error.clone());
    let given = given.or_else(|| run.text("reason"));
    if given.is_none() && run.text("status").is_some_and(|status| status == "done") {
        notes.lost("results of calls without what the tool gave", place.clone());
    }
    let content = given.map_or_else(Content::default, Content::of);
    draft.add_result(part.text("toolUseID"), None, content, place.clone());
    draft.fail_if(error.is_some() || run.text("status").is_some_and(|status| status == "error"));
}

/// The bill of an answer. The logged input count excludes cached tokens.
fn read_bill(usage: &Object) -> Option<TranscriptUsage> {
    let (read, written) = (usage.number("cacheReadInputTokens"), usage.number("cacheCreationInputTokens"));
    let beside = read.unwrap_or(0).saturating_add(written.unwrap_or(0));
    Some(TranscriptUsage {
        model: usage.text("model"),
        input_tokens: Some(usage.number("inputTokens")?.saturating_add(beside)),
        cached_tokens: read,
        cache_write_tokens: written,
        output_tokens: usage.number("outputTokens"),
        ..TranscriptUsage::default()
    })
}
