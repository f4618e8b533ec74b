//! Sessions of Claude Code: a line each, with a message of Anthropic and the line that it follows.

use rustc_hash::FxHashMap;

use super::chat::{is_result, message, usage};
use super::{LogFormat, Reader};
use crate::transcript::draft::{Answer, Draft};
use crate::transcript::json::{Json, Object};
use crate::transcript::notes::LogPlace;
use crate::transcript::read::Sink;

const NAME: &str = "claude-code";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Claude Code: a line each, type user or assistant, message as in anthropic",
    recognises: |object| {
        object.has("type") && (object.has("sessionId") || object.has("parentUuid")) && object.has("message")
    },
    reader: || Box::new(Session::default()),
};

/// Lines that hold nothing that was sent to the model.
const BOOKKEEPING: &[&str] = &[
    "summary",
    "system",
    "progress",
    "file-history-snapshot",
    "queue-operation",
    "custom-title",
    "ai-title",
    "agent-name",
    "last-prompt",
    "mode",
    "permission-mode",
    "tag",
    "pr-link",
];

/// One session: the conversation itself, and those of its subagents.
#[derive(Default)]
struct Session {
    id: Option<String>,
    /// By name: the main one has none, the others have that of their agent or of their first line.
    open: Vec<(Option<String>, Draft)>,
    /// Each line so far: its conversation, and the number of messages after it.
    lines: FxHashMap<String, Line>,
}

#[derive(Clone)]
struct Line {
    thread: Option<String>,
    length: usize,
}

impl Session {
    /// The conversation that a line belongs to.
    fn thread(&self, object: &Object, before: Option<&Line>) -> Option<String> {
        if !object.is_true("isSidechain") {
            return None;
        }
        let inherited = || before.and_then(|line| line.thread.clone());
        object.text("agentId").or_else(inherited).or_else(|| object.text("uuid"))
    }

    fn draft(&mut self, thread: &Option<String>, line: usize) -> Option<&mut Draft> {
        if self.open.iter().all(|(own, _)| own != thread) {
            let name =
                [self.id.as_deref(), thread.as_deref()].into_iter().flatten().collect::<Vec<_>>().join("/");
            let draft = Draft::new(NAME, Some(name).filter(|name| !name.is_empty()), line);
            self.open.push((thread.clone(), draft));
        }
        self.open.iter_mut().find(|(own, _)| own == thread).map(|(_, draft)| draft)
    }
}

impl Reader for Session {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let object = value.object().unwrap_or_default();
        let kind = object.text("type").unwrap_or_default();
        if object.has("sessionId") && object.text("sessionId") != self.id {
            self.end(sink);
            self.id = object.text("sessionId");
        }
        let before = object.text("parentUuid").and_then(|parent| self.lines.get(&parent)).cloned();
        let thread = self.thread(&object, before.as_ref());
        let said = object.object("message").filter(|_| kind == "user" || kind == "assistant");
        match said {
            _ if object.is_true("isVisibleInTranscriptOnly") && !object.is_true("isCompactSummary") => {
                sink.notes.note("lines that were only shown", place.clone());
            }
            Some(_) if object.is_true("isApiErrorMessage") => {
                sink.notes.note("errors of the provider left out", place.clone());
            }
            Some(said) => {
                if object.is_true("isCompactSummary")
                    && let Some(at) = self.open.iter().position(|(own, _)| *own == thread)
                {
                    sink.give(self.open.remove(at).1);
                }
                let mut parts = said.list("content").unwrap_or_default().into_iter();
                let has_result = parts.any(|part| part.object().is_some_and(|part| is_result(&part)));
                let is_prompt = kind == "user" && !has_result && !object.is_true("isMeta");
                let Some(draft) = self.draft(&thread, place.line) else { return };
                if let Some(before) = before.as_ref().filter(|line| is_prompt && line.thread == thread)
                    && draft.truncate(before.length) > 0
                {
                    sink.notes.note("branches that the user went back from, left out", place.clone());
                }
                let answer = said.text("id").map_or(Answer::Whole, Answer::Id);
                message(&said, answer, object.is_true("isMeta"), &place, draft, &mut sink.notes);
                if kind == "assistant" {
                    draft.usage(usage(&said));
                }
            }
            None if BOOKKEEPING.contains(&kind.as_str()) => {
                sink.notes.note(format!("lines of the type {kind}, which are not sent"), place.clone());
            }
            None => sink.notes.lost(format!("lines of the type {kind:?} left out"), place.clone()),
        }
        if let Some(id) = object.text("uuid") {
            let draft = self.open.iter().find(|(own, _)| *own == thread).map(|(_, draft)| draft);
            let length = draft.map_or(0, |draft| draft.transcript.messages.len());
            self.lines.insert(id, Line { thread, length });
        }
    }

    fn end(&mut self, sink: &mut Sink) {
        for (_, draft) in self.open.drain(..) {
            sink.give(draft);
        }
        self.lines.clear();
    }
}
