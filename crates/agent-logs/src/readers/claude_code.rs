//! Sessions of Claude Code: a line each, with a message of Anthropic and the line that it follows.

use std::ops::Range;
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::providers::anthropic;
use crate::alternate::{Alternating, Part};
use crate::content::Content;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::repeats::hash_of;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{CompactionKind, TranscriptCompaction, TranscriptRole, TranscriptUsage};
use crate::unread::Fields;

const NAME: &str = "claude-code";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Claude Code and its stream-json: a line each, message as in anthropic",
    recognises: |object| {
        let is_session = ["sessionId", "session_id", "parentUuid"].iter().any(|key| object.has(key));
        // Stream-json with partial messages may have hundreds of events before the first whole message.
        if object.has("session_id")
            && object.has("uuid")
            && ["system", "stream_event"].contains(&object.kind().as_str())
        {
            return object.has("subtype") || object.has("event");
        }
        // A log that begins in the middle may begin with any line, and one of progress has the messages of a subagent below it.
        if object.has("isSidechain") && object.has("uuid") {
            return true;
        }
        let Some(kind) = object.text("type").filter(|_| object.has("message")) else { return false };
        // The input of stream-json has no session.
        is_session
            || object
                .object("message")
                .and_then(|message| DIALECT.role(&message))
                .is_some_and(|role| role == kind)
    },
    reader: || Box::new(Sessions::default()),
};

/// Messages are those of Anthropic.
static DIALECT: Dialect = Dialect(&[&anthropic::NAMES]);

/// Fields of lines that are read, or that no request has.
const FIELDS: Fields = Fields {
    below: &[],
    known: &[
        "attachment",
        "cwd",
        "error",
        "errorDetails",
        "forkedFrom",
        "gitBranch",
        "mcpMeta",
        "message",
        "origin",
        "planContent",
        "slug",
        "thinkingMetadata",
        "timestamp",
        "todos",
        "toolUseResult",
        "tool_use_result",
    ],
};

/// Fields of attachments.
const ATTACHMENT: Fields = Fields {
    below: &[],
    known: &[
        "addedLines",
        "command",
        "content",
        "displayPath",
        "filename",
        "hookName",
        "names",
        "path",
        "prompt",
        "snippet",
        "stderr",
        "stdout",
    ],
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
    "bridge-session",
    // Those below are in the published package of the Agent SDK (0.3.332).
    "active_goal",
    "agent_metadata",
    "agent-color",
    "agent-setting",
    "atis-latch",
    "attribution-snapshot",
    "auth_status",
    "content-replacement",
    "control_cancel_request",
    "control_request",
    "control_response",
    "data-flow-incomplete",
    "data-flow-records",
    "derived-from",
    "history-suppression",
    "hybrid-organization",
    "keep_alive",
    "prompt_suggestion",
    "relocated",
    "session-owner",
    "session_metadata",
    "stream_event",
    "tool_progress",
    "tool_use_summary",
    "tools-used",
    "transcript_mirror",
];

/// Lines of a collapsed context. The published package (2.1.90) appends and reads them, and has neither the code that makes them
/// nor the names of their fields.
const COLLAPSES: [&str; 2] = ["marble-origami-commit", "marble-origami-snapshot"];

/// Content of a result that was cleared.
const CLEARED: &str = "[Old tool result content cleared]";

/// The most output tokens that a line may have from the start of a response. Sessions of 2.1.7 to 2.1.42 keep them in place
/// of those that were billed: 547 for 198 answers.
const PLACEHOLDER: u64 = 8;
/// Characters that are surely more tokens than that.
const MORE_THAN_PLACEHOLDER: usize = 50;

/// Stands for the session that a line is copied from, if the line does not name it.
const FORKED: &str = "another session";

/// The sessions whose lines alternate. A line without a session belongs to that of the line before.
#[derive(Default)]
struct Sessions {
    open: Alternating<Session>,
    last: Rc<str>,
    /// Sessions by their identifiers, and by those of their lines: one that is resumed in the same file goes on under another
    /// identifier.
    by_id: FxHashMap<String, Rc<str>>,
    by_line: FxHashMap<u64, Rc<str>>,
}

/// One session: the conversation itself, and those of its subagents.
#[derive(Default)]
struct Session {
    id: Option<String>,
    /// By name: the main one has none, the others have that of their agent or of their first line.
    open: Vec<(Option<String>, Draft)>,
    /// Each line so far.
    lines: FxHashMap<String, Line>,
    /// True if the first line follows one that the log does not have.
    is_late: bool,
    /// The compaction whose summary has not been read yet.
    boundary: Option<Boundary>,
    /// Bills of answers that lines of progress repeat, by the identifier of the answer.
    progress: IndexMap<String, Progress>,
    /// The bills of the last answers of subagents, by the subagent.
    last_answers: IndexMap<String, (TranscriptUsage, LogPlace)>,
}

/// The bill of an answer of a subagent.
struct Progress {
    /// The subagent, by which other logs name its conversation.
    agent: Option<String>,
    usage: TranscriptUsage,
    place: LogPlace,
}

/// The place of a line in its conversation.
#[derive(Clone)]
struct Line {
    thread: Option<String>,
    /// The messages that it began.
    messages: Range<usize>,
    /// Number of compactions so far.
    compactions: usize,
}

/// The line before the summary of a compaction.
#[derive(Default)]
struct Boundary {
    place: LogPlace,
    /// Messages that stay as they are.
    kept: Vec<usize>,
    /// The compaction without its text.
    compaction: TranscriptCompaction,
}

impl Reader for Sessions {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let object = value.object();
        if let Some(id) = object.as_ref().and_then(session_id) {
            self.last = self.session_of(id, object.as_ref());
        }
        let line = object.and_then(|object| object.text("uuid"));
        if let Some(line) = line {
            self.by_line.entry(hash_of(&line)).or_insert_with(|| Rc::clone(&self.last));
        }
        self.open.read(&self.last, value, place, sink, Session::default);
    }

    fn end(&mut self, sink: &mut Sink) {
        self.open.finish(sink);
        *self = Sessions::default();
    }
}

impl Sessions {
    /// The identifier of the session that a line belongs to. A session whose first line follows a line of another one goes on
    /// with that one.
    fn session_of(&mut self, id: String, line: Option<&Object>) -> Rc<str> {
        if let Some(known) = self.by_id.get(&id) {
            return Rc::clone(known);
        }
        let parent = line.and_then(|line| line.text("parentUuid"));
        let resumed = parent.and_then(|parent| self.by_line.get(&hash_of(&parent)).cloned());
        let session = resumed.unwrap_or_else(|| Rc::from(id.as_str()));
        self.by_id.insert(id, Rc::clone(&session));
        session
    }
}

fn session_id(object: &Object) -> Option<String> {
    object.first(&["sessionId", "session_id"]).and_then(Json::text)
}

impl Part for Session {
    fn read(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.object(value, &place) else { return };
        self.id = self.id.take().or_else(|| session_id(&object));
        self.line(&object, place, sink);
    }

    fn finish(self, sink: &mut Sink) {
        self.end(sink);
    }
}

impl Session {
    fn line(&mut self, object: &Object, place: LogPlace, sink: &mut Sink) {
        let before = object.text("parentUuid").and_then(|parent| self.lines.get(&parent)).cloned();
        let thread = self.thread(object, before.as_ref());
        let id = object.text("uuid");
        // The first line of a session has no parent; with one, the log begins in the middle.
        if id.is_some() && self.lines.is_empty() {
            self.is_late = object.has("parentUuid");
        }
        let is_compacted = object.is_true("isCompactSummary");
        if let Some(before) = before.filter(|line| line.thread == thread && is_prompt(object))
            && !is_compacted
        {
            self.go_back(&before, &place, &mut sink.notes);
        }
        let start = self.length(&thread);
        match is_compacted {
            true => self.compact(object, &thread, &place, &mut sink.notes),
            false => self.read(object, &thread, &place, &mut sink.notes),
        }
        if let Some(id) = id {
            let compactions = self.opened(&thread).map_or(0, |draft| draft.transcript.compactions.len());
            let messages = start..self.length(&thread);
            self.lines.insert(id, Line { thread, messages, compactions });
        }
    }

    /// The conversation that a line belongs to.
    fn thread(&self, object: &Object, before: Option<&Line>) -> Option<String> {
        // Stream-json names the call that began a subagent. Sessions mark its lines, and those of 2026 name the agent
        // too.
        if !object.is_true("isSidechain") {
            return object.text("parent_tool_use_id");
        }
        let inherited = || before.and_then(|line| line.thread.clone());
        object.text("agentId").or_else(inherited).or_else(|| object.text("uuid"))
    }

    /// The identifier of a conversation: that of the session, and of the subagent.
    fn named(&self, thread: Option<&str>) -> Option<String> {
        let name = [self.id.as_deref(), thread].into_iter().flatten().collect::<Vec<_>>().join("/");
        Some(name).filter(|name| !name.is_empty())
    }

    fn opened(&self, thread: &Option<String>) -> Option<&Draft> {
        self.open.iter().find(|(own, _)| own == thread).map(|(_, draft)| draft)
    }

    fn length(&self, thread: &Option<String>) -> usize {
        self.opened(thread).map_or(0, |draft| draft.transcript.messages.len())
    }

    fn draft(&mut self, thread: &Option<String>, line: usize) -> Option<&mut Draft> {
        if self.opened(thread).is_none() {
            let draft = Draft::new(NAME, self.named(thread.as_deref()), line);
            let draft = if thread.is_some() { draft.of_subagent() } else { draft };
            self.open.push((thread.clone(), Draft { is_late: self.is_late && thread.is_none(), ..draft }));
        }
        self.opened_mut(thread)
    }

    fn opened_mut(&mut self, thread: &Option<String>) -> Option<&mut Draft> {
        self.open.iter_mut().find(|(own, _)| own == thread).map(|(_, draft)| draft)
    }

    /// Reads the bill of the last answer of a subagent, which stands beside the result of the call that began it.
    fn see_subagent(&mut self, object: &Object, place: &LogPlace, notes: &mut Notes) {
        let Some(result) = object.object("toolUseResult").filter(|result| result.has("usage")) else {
            return;
        };
        let Some(agent) = result.text("agentId") else { return };
        let Some(usage) = DIALECT.usage(&result).filter(|usage| usage.input_tokens.is_some()) else { return };
        notes.name_bills(&result);
        self.last_answers.insert(agent, (usage, place.clone()));
    }

    /// Reads the summary of a compaction, which stands in the place of all messages but those that the line before it keeps.
    fn compact(&mut self, object: &Object, thread: &Option<String>, place: &LogPlace, notes: &mut Notes) {
        let given = object.object("message").and_then(|message| message.get("content"));
        let text = given.map(|given| DIALECT.content(Some(given), place, notes).text());
        if text.is_none() {
            notes.lost("summaries of compactions without a text", place.clone());
        }
        // Other programs that write such sessions leave out the line before the summary: then nothing is kept.
        let Boundary { kept, compaction, .. } = self.boundary.take().unwrap_or_default();
        let kept: FxHashSet<usize> = kept.into_iter().collect();
        if let Some(draft) = self.draft(thread, place.line) {
            let compaction = TranscriptCompaction { text, ..compaction };
            draft.compact(compaction, |index| kept.contains(&index), place, notes);
        }
    }

    /// Leaves out what was said after the line that the user went back to. Results of parallel calls follow different lines.
    fn go_back(&mut self, before: &Line, place: &LogPlace, notes: &mut Notes) {
        let Some(draft) = self.opened_mut(&before.thread) else { return };
        // Those after the line have not happened on the new branch.
        draft.transcript.compactions.truncate(before.compactions);
        let later = draft.transcript.messages.iter().skip(before.messages.end);
        let results = later.take_while(|message| message.role == TranscriptRole::Tool).count();
        let left_out = draft.truncate(before.messages.end + results);
        if !left_out.is_empty() {
            notes.note("branches that the user went back from, left out", place.clone());
        }
        for tokens in left_out.iter().filter_map(|answer| answer.usage.as_ref()?.input_tokens) {
            notes.missing_call(tokens, place);
        }
    }

    fn read(&mut self, object: &Object, thread: &Option<String>, place: &LogPlace, notes: &mut Notes) {
        let kind = object.kind();
        let message = object.object("message").filter(|_| kind == "user" || kind == "assistant");
        match message {
            // The summary of a compaction has this mark too, although it is what the model gets.
            _ if object.is_true("isVisibleInTranscriptOnly") && !object.is_true("isCompactSummary") => {
                notes.note("lines that were only shown", place.clone());
            }
            Some(_) if object.is_true("isApiErrorMessage") => {
                notes.note("errors of the provider left out", place.clone());
            }
            // Claude Code writes such lines where no model answered (2.0.76 to 2.1.36 at least): their bill is 0.
            Some(message) if message.text("model").is_some_and(|model| model == "<synthetic>") => {
                notes.note("answers that Claude Code wrote itself left out", place.clone());
            }
            Some(message) => {
                FIELDS.note_unread(object, "lines", place, notes);
                self.see_subagent(object, place, notes);
                let Some(draft) = self.draft(thread, place.line) else { return };
                draft.now = LogTime::of(object);
                // Each block of a response is a line of its own, with the bill of the whole response.
                let id = message.text("id");
                let answer = id.clone().map_or(Answer::Whole, Answer::Id);
                let is_answer = message.has("usage");
                DIALECT.message(&message, answer, object.is_true("isMeta"), place, draft, notes);
                if is_answer {
                    draft.name_call(id);
                    if let Some(session) = object.object("forkedFrom").map(|from| from.text("sessionId")) {
                        draft.copied_from(session.or_else(|| Some(FORKED.to_owned())));
                        notes.note(
                            "answers that were billed in the session that this one forked from",
                            place.clone(),
                        );
                    }
                }
            }
            None if kind == "attachment" => {
                FIELDS.note_unread(object, "lines", place, notes);
                if let Some((text, is_observation)) = attachment(&object.below("attachment"), place, notes)
                    && let Some(draft) = self.draft(thread, place.line)
                {
                    draft.now = LogTime::of(object);
                    draft.user(text, is_observation, place.clone());
                }
            }
            // The session goes on with an empty history.
            None if kind == "conversation_reset" => {
                if let Some(draft) = self.opened_mut(thread) {
                    let compaction = TranscriptCompaction {
                        kind: CompactionKind::Drop,
                        trigger: object.text("trigger"),
                        time: object.text("timestamp"),
                        ..TranscriptCompaction::default()
                    };
                    draft.compact(compaction, |_| false, place, notes);
                }
            }
            None if BOOKKEEPING.contains(&kind.as_str()) => {
                self.bookkeeping(object, place, notes);
                notes.note(format!("lines of the type {kind}, which are not sent"), place.clone());
            }
            None if COLLAPSES.contains(&kind.as_str()) => {
                let what = "a collapsed context whose form no published source tells";
                notes.lost(format!("lines of the type {kind}, {what}"), place.clone());
            }
            None => notes.lost(format!("lines of the type {kind:?} left out"), place.clone()),
        }
    }

    /// Reads what lines say that are not sent: what a compaction keeps, and the bills of subagents.
    fn bookkeeping(&mut self, object: &Object, place: &LogPlace, notes: &mut Notes) {
        match object.text("subtype").as_deref() {
            Some("compact_boundary") => {
                let boundary = self.boundary(object, place, notes);
                self.lone(notes);
                self.boundary = Some(boundary);
            }
            Some("memory_recall") => notes.lost("memories that were recalled, left out", place.clone()),
            Some("microcompact_boundary") => self.clear(object, place, notes),
            _ => {}
        }
        if object.has("replacements") {
            DIALECT.note_unread(object, &["replacements"], "lines", place, notes);
        }
        for replaced in object.list("replacements").into_iter().flatten().filter_map(Json::object) {
            self.replace(object.text("agentId"), &replaced, place, notes);
        }
        // The lines of a subagent, without its last answer.
        let shown = object.object("data").and_then(|data| data.object("message"));
        if let Some(answer) = shown.and_then(|line| line.object("message"))
            && let (Some(id), Some(usage)) =
                (answer.text("id"), DIALECT.usage(&answer).filter(|usage| usage.input_tokens.is_some()))
        {
            notes.name_bills(&answer);
            let agent = object.object("data").and_then(|data| data.text("agentId"));
            let shown = Progress { agent, usage, place: place.clone() };
            self.progress.entry(id).or_insert(shown);
        }
    }

    /// A compaction, with the messages that it keeps: those of some lines, or of all from one to another.
    fn boundary(&self, object: &Object, place: &LogPlace, notes: &mut Notes) -> Boundary {
        // Up to 2.1.45 the metadata name no kept messages; other programs leave them out.
        let metadata = object.below("compactMetadata");
        let preserved = metadata.object("preservedMessages").or_else(|| metadata.object("preservedSegment"));
        let kept = preserved.map_or(Vec::new(), |preserved| self.kept(&preserved, place, notes));
        Boundary { place: place.clone(), kept, compaction: compaction(object, &metadata) }
    }

    /// The messages of some lines, or of all lines from one to another.
    fn kept(&self, preserved: &Object, place: &LogPlace, notes: &mut Notes) -> Vec<usize> {
        let messages = |id: Option<String>| self.lines.get(&id?).map(|line| line.messages.clone());
        let ranges = match preserved.list("uuids") {
            Some(ids) => ids.into_iter().map(|id| messages(id.text())).collect(),
            None => {
                let ends = messages(preserved.text("headUuid")).zip(messages(preserved.text("tailUuid")));
                vec![ends.map(|(head, tail)| head.start..tail.end)]
            }
        };
        if ranges.contains(&None) {
            notes.lost("compactions that keep lines which the log lacks", place.clone());
        }
        ranges.into_iter().flatten().flatten().collect()
    }

    /// Reads the clearing of old results.
    fn clear(&mut self, object: &Object, place: &LogPlace, notes: &mut Notes) {
        let metadata = object.below("microcompactMetadata");
        let ids = metadata.list("compactedToolIds").map(|ids| ids.into_iter().map(Json::text).collect());
        let Some(Some(calls)) = ids else {
            return notes.lost("clearings of results that do not name their calls", place.clone());
        };
        let calls: Vec<String> = calls;
        let parent = object.text("parentUuid").and_then(|parent| self.lines.get(&parent)).cloned();
        let thread = self.thread(object, parent.as_ref());
        if let Some(draft) = self.opened_mut(&thread) {
            let cleared =
                TranscriptCompaction { text: Some(CLEARED.to_owned()), ..compaction(object, &metadata) };
            draft.clear(cleared, &calls, place, notes);
        }
    }

    /// Puts what was sent in the place of a result, which is too large for one: the start of it, and the file that has all.
    fn replace(&mut self, thread: Option<String>, replaced: &Object, place: &LogPlace, notes: &mut Notes) {
        DIALECT.note_unread(replaced, &["kind", "replacement"], "replacements", place, notes);
        let (call, sent) = (replaced.text("toolUseId"), replaced.text("replacement"));
        let results = self.opened_mut(&thread).map(|draft| draft.transcript.messages.iter_mut().rev());
        let result = results.and_then(|mut all| all.find(|told| told.call.is_some() && told.call == call));
        match result.zip(sent) {
            Some((result, sent)) => {
                result.content = sent;
                notes.note("results of which only the start was sent, taken as it was sent", place.clone());
            }
            None => notes.lost("replacements of results that the log lacks", place.clone()),
        }
    }

    /// Notes a compaction that no summary followed.
    fn lone(&mut self, notes: &mut Notes) {
        if let Some(boundary) = self.boundary.take() {
            notes.note("compactions without a summary", boundary.place);
        }
    }

    fn end(mut self, sink: &mut Sink) {
        self.lone(&mut sink.notes);
        let mut models: FxHashMap<&str, &str> = FxHashMap::default();
        for (id, shown) in &self.progress {
            let agent = shown.agent.as_deref();
            if let Some((agent, model)) = agent.zip(shown.usage.model.as_deref()) {
                models.insert(agent, model);
            }
            if self.open.iter().all(|(_, draft)| !draft.has_answer(id)) {
                let name = agent.and_then(|agent| self.named(Some(agent)));
                sink.notes.answer_of_subagent(name, &shown.usage, &shown.place);
            }
        }
        for (agent, (usage, place)) in &self.last_answers {
            // Older versions have the lines of subagents in the file of the session.
            if self.open.iter().all(|(thread, _)| thread.as_ref() != Some(agent)) {
                let model = models.get(agent.as_str()).map(|model| (*model).to_owned());
                let usage = TranscriptUsage { model, ..usage.clone() };
                sink.notes.answer_of_subagent(self.named(Some(agent)), &usage, place);
            }
        }
        self.open.into_iter().for_each(|(_, draft)| give(draft, sink));
    }
}

/// A compaction as its line says it.
fn compaction(object: &Object, metadata: &Object) -> TranscriptCompaction {
    TranscriptCompaction {
        trigger: metadata.text("trigger"),
        time: object.text("timestamp"),
        tokens_before: metadata.number("preTokens"),
        ..TranscriptCompaction::default()
    }
}

/// Returns true for a line with words of the user.
fn is_prompt(object: &Object) -> bool {
    let message = object.object("message").filter(|_| object.is_a("user") && !object.is_true("isMeta"));
    let has_results =
        |message: &Object| message.list("content").into_iter().flatten().any(|part| DIALECT.is_result(part));
    message.is_some_and(|message| !has_results(&message))
}

/// The text of an attachment, and true if it is none of the user. Nothing for one that is not sent, or without a text.
fn attachment(attached: &Object, place: &LogPlace, notes: &mut Notes) -> Option<(Content, bool)> {
    let kind = attached.kind();
    // Tools and agents that the model may use from now on stand a line each, and changes of a file as they are shown.
    let given = attached.first(&["prompt", "content", "addedLines", "snippet"]);
    let is_part = |part: &Json| part.text().is_some() || part.object().is_some_and(|part| part.has("type"));
    let is_text =
        |given: &Json| given.text().is_some() || given.list().is_some_and(|parts| parts.iter().all(is_part));
    // Memory files stand as an object.
    let given = given.and_then(|given| given.object().map_or(Some(given), |inner| inner.get("content")));
    match given.filter(is_text) {
        Some(text) if text.is_empty() => {
            notes.note("attachments without a text, which are not sent", place.clone());
            None
        }
        Some(text) => {
            ATTACHMENT.note_unread(attached, "attachments", place, notes);
            Some((DIALECT.content(Some(text), place, notes), kind != "queued_command"))
        }
        None => {
            notes.lost(format!("attachments of the type {kind:?} left out"), place.clone());
            None
        }
    }
}

/// Hands over a conversation without the output tokens that lines have from the start of a response.
fn give(mut draft: Draft, sink: &mut Sink) {
    for (answer, origin) in draft.transcript.messages.iter_mut().zip(&draft.origins) {
        let is_more = !answer.tool_calls.is_empty() || answer.content.len() > MORE_THAN_PLACEHOLDER;
        if let Some(usage) = &mut answer.usage
            && is_more
            && usage.output_tokens.is_some_and(|tokens| tokens <= PLACEHOLDER)
        {
            usage.output_tokens = None;
            let kind = "output tokens of answers, of which the log has only a placeholder, left out";
            sink.notes.note(kind, origin.place.clone());
        }
    }
    sink.give(draft);
}
