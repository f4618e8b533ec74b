//! Sessions of Claude Code: a line each, with a message of Anthropic and the line that it follows.

use rustc_hash::FxHashMap;

use super::message::{is_result, message, role};
use super::{LogFormat, Reader};
use crate::transcript::alternate::{Alternating, Part};
use crate::transcript::draft::{Answer, Content, Draft};
use crate::transcript::json::{Json, Object};
use crate::transcript::notes::LogPlace;
use crate::transcript::read::Sink;

const NAME: &str = "claude-code";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Claude Code and its stream-json: a line each, message as in anthropic",
    recognises: |object| {
        let is_session = ["sessionId", "session_id", "parentUuid"].iter().any(|key| object.has(key));
        let Some(kind) = object.text("type").filter(|_| object.has("message")) else { return false };
        // The input of stream-json has no session.
        is_session || object.object("message").and_then(|said| role(&said)).is_some_and(|role| role == kind)
    },
    reader: || Box::new(Sessions::default()),
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
    "result",
    "rate_limit_event",
    "worktree-state",
];

/// The sessions whose lines alternate. A line without a session belongs to that of the line before.
#[derive(Default)]
struct Sessions {
    open: Alternating<Session>,
    last: String,
}

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
            return object.text("parent_tool_use_id");
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

impl Reader for Sessions {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        if let Some(id) = value.object().as_ref().and_then(session_id) {
            self.last = id;
        }
        self.open.read(&self.last, value, place, sink, Session::default);
    }

    fn end(&mut self, sink: &mut Sink) {
        self.open.finish(sink);
        self.last.clear();
    }
}

fn session_id(object: &Object) -> Option<String> {
    object.first(&["sessionId", "session_id"]).and_then(Json::text)
}

impl Part for Session {
    fn read(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let object = value.object().unwrap_or_default();
        self.id = session_id(&object).or_else(|| self.id.take());
        self.line(&object, place, sink);
    }

    fn finish(self, sink: &mut Sink) {
        self.open.into_iter().for_each(|(_, draft)| sink.give(draft));
    }
}

impl Session {
    fn line(&mut self, object: &Object, place: LogPlace, sink: &mut Sink) {
        let kind = object.text("type").unwrap_or_default();
        let before = object.text("parentUuid").and_then(|parent| self.lines.get(&parent)).cloned();
        let thread = self.thread(object, before.as_ref());
        let said = object.object("message").filter(|_| kind == "user" || kind == "assistant");
        match said {
            _ if object.is_true("isVisibleInTranscriptOnly") && !object.is_true("isCompactSummary") => {
                sink.notes.note("lines that were only shown", place.clone());
            }
            Some(_) if object.is_true("isApiErrorMessage") => {
                sink.notes.note("errors of the provider left out", place.clone());
            }
            Some(said) if said.text("model").is_some_and(|model| model == "<synthetic>") => {
                sink.notes.note("answers that Claude Code wrote itself left out", place.clone());
            }
            Some(said) => {
                if object.is_true("isCompactSummary")
                    && let Some(at) = self.open.iter().position(|(own, _)| *own == thread)
                {
                    sink.give(self.open.remove(at).1);
                }
                let mut parts = said.list("content").unwrap_or_default().into_iter();
                let has_result = parts.any(is_result);
                let is_prompt = kind == "user" && !has_result && !object.is_true("isMeta");
                let Some(draft) = self.draft(&thread, place.line) else { return };
                if let Some(before) = before.as_ref().filter(|line| is_prompt && line.thread == thread)
                    && draft.truncate(before.length) > 0
                {
                    sink.notes.note("branches that the user went back from, left out", place.clone());
                }
                let answer = said.text("id").map_or(Answer::Whole, Answer::Id);
                message(&said, answer, object.is_true("isMeta"), &place, draft, &mut sink.notes);
            }
            None if kind == "attachment" => {
                let attached = object.object("attachment").unwrap_or_default();
                let name = attached.text("type").unwrap_or_default();
                let Some(text) = attached.first(&["prompt", "content"]).and_then(Json::text) else {
                    return sink.notes.lost(format!("attachments of the type {name:?} left out"), place);
                };
                let is_observation = name != "queued_command";
                if let Some(draft) = self.draft(&thread, place.line) {
                    draft.user(Content::of(text), is_observation, place);
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
}
