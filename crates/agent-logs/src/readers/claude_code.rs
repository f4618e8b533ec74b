//! Sessions of Claude Code: one JSON object per line, each with an Anthropic message and the id of its parent line.

use std::ops::Range;
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::attachments::read_attachment;
use super::claude_lines::{BOOKKEEPING, COLLAPSES, FIELDS, REPEATING};
use super::providers::anthropic;
use super::relogged::Relogged;
use crate::alternate::{Alternating, Part};
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

const NAME: &str = "claude-code";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Claude Code and its stream-json: JSON Lines with messages as in anthropic",
    recognises: |object| {
        // Stream-json with partial messages may have hundreds of events before the first whole message.
        if object.has("session_id")
            && object.has("uuid")
            && ["system", "stream_event"].contains(&object.kind().as_str())
        {
            return object.has("subtype") || object.has("event");
        }
        // A truncated log may begin with any line. Progress lines nest the messages of a subagent.
        if object.has("isSidechain") && object.has("uuid") {
            return true;
        }
        if !object.has("message") {
            return false;
        }
        let Some(kind) = object.text("type") else { return false };
        if object.first(&["sessionId", "session_id", "parentUuid"]).is_some() {
            return true;
        }
        // Lines of stream-json input have no session id.
        let Some(message) = object.object("message") else { return false };
        DIALECT.role_of(&message) == Some(kind)
    },
    reader: || Box::new(Sessions::default()),
};

/// The message format is Anthropic's.
static DIALECT: Dialect = Dialect(&[&anthropic::NAMES]);

/// Replacement text of a cleared result.
const CLEARED: &str = "[Old tool result content cleared]";

/// Largest output count taken for a placeholder logged at the start of a response. Sessions of 2.1.7 to 2.1.42 log it instead of
/// the billed count: 547 tokens for 198 answers.
const PLACEHOLDER: u64 = 8;
/// An answer with more characters than this surely has more tokens than the placeholder.
const MORE_THAN_PLACEHOLDER: usize = 50;

/// Name of the source session if a forked line doesn't contain it.
const FORKED: &str = "another session";

/// Interleaved sessions. A line without a session id belongs to the session of the previous line.
#[derive(Default)]
struct Sessions {
    open: Alternating<Session>,
    last: Rc<str>,
    /// Session by session id, and by line id (hashed): a session resumed in the same file continues under another id.
    by_id: FxHashMap<String, Rc<str>>,
    by_line: FxHashMap<u64, Rc<str>>,
}

/// One session: the main conversation and those of its subagents.
#[derive(Default)]
struct Session {
    id: Option<String>,
    /// Drafts by thread: `None` is the main conversation; a subagent has its agent id or the id of its first line.
    open: Vec<(Option<String>, Draft)>,
    /// All lines so far, by id.
    lines: FxHashMap<String, Line>,
    /// True if the parent of the first line is missing from the log.
    is_late: bool,
    /// The last compaction, until its summary is read.
    boundary: Option<Boundary>,
    /// Bills of answers repeated in progress lines, by answer id.
    progress: IndexMap<String, Progress>,
    /// Bill of each subagent's last answer, by agent id.
    last_answers: IndexMap<String, (TranscriptUsage, LogPlace)>,
}

/// The bill of a subagent's answer.
struct Progress {
    /// The agent id, used by other logs to name the conversation.
    agent: Option<String>,
    usage: TranscriptUsage,
    place: LogPlace,
}

/// Position of a line in its conversation.
#[derive(Clone)]
struct Line {
    thread: Option<String>,
    /// Messages started by this line.
    messages: Range<usize>,
    /// Number of compactions up to this line.
    compactions: usize,
}

/// The `compact_boundary` line before a summary.
#[derive(Default)]
struct Boundary {
    place: LogPlace,
    /// Indices of the messages kept unchanged.
    kept: Vec<usize>,
    /// The compaction, still without its summary.
    compaction: TranscriptCompaction,
    /// The thread of the messages logged again, and these messages.
    thread: Option<String>,
    relogged: Relogged,
}

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let object = value.object().unwrap_or_default();
        if let Some(id) = session_id(&object) {
            self.last = self.session_of(id, &object);
        }
        if let Some(line) = object.text("uuid") {
            self.by_line.entry(hash_of(&line)).or_insert(Rc::clone(&self.last));
        }
        self.open.read(&self.last, value, place, sink, Session::default);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        self.open.finish(sink);
        *self = Sessions::default();
    }
}

impl Sessions {
    /// Returns the key of a line's session. If the parent of a session's first line is in another session, that session continues.
    fn session_of(&mut self, id: String, line: &Object) -> Rc<str> {
        if let Some(known) = self.by_id.get(&id) {
            return Rc::clone(known);
        }
        let session = match self.session_of_parent(line) {
            Some(resumed) => resumed,
            None => Rc::from(id.as_str()),
        };
        self.by_id.insert(id, Rc::clone(&session));
        session
    }

    fn session_of_parent(&self, line: &Object) -> Option<Rc<str>> {
        self.by_line.get(&hash_of(&line.text("parentUuid")?)).cloned()
    }
}

fn session_id(object: &Object) -> Option<String> {
    object.first(&["sessionId", "session_id"]).and_then(Json::text)
}

impl Part for Session {
    fn read_part(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if self.id.is_none() {
            self.id = session_id(&object);
        }
        self.read_line(&object, place, sink);
    }

    fn finish_conversation(self, sink: &mut Sink) {
        self.finish_session(sink);
    }
}

impl Session {
    fn read_line(&mut self, object: &Object, place: LogPlace, sink: &mut Sink) {
        let before = self.parent_of(object).cloned();
        let thread = self.thread_of(object, before.as_ref());
        let id = object.text("uuid");
        if self.see_relogged(object, &thread, &mut sink.notes) {
            if let Some(id) = id {
                let end = self.thread_length(&thread);
                // The compaction that repeats the line is added with the next other line.
                let compactions = self.count_compactions(&thread) + 1;
                self.lines.insert(id, Line { thread, messages: end..end, compactions });
            }
            return;
        }
        // The first line of a complete session has no parent.
        if id.is_some() && self.lines.is_empty() {
            self.is_late = object.has("parentUuid");
        }
        let is_compacted = object.is_true("isCompactSummary");
        if let Some(before) = before
            && !is_compacted
            && before.thread == thread
            && is_prompt(object)
        {
            self.go_back(&before, &place, &mut sink.notes);
        }
        let start = self.thread_length(&thread);
        match is_compacted {
            true => self.read_compaction(object, &thread, &place, &mut sink.notes),
            false => self.read_message(object, &thread, &place, &mut sink.notes),
        }
        if let Some(id) = id {
            let compactions = self.count_compactions(&thread);
            let messages = start..self.thread_length(&thread);
            self.lines.insert(id, Line { thread, messages, compactions });
        }
    }

    /// Returns true if the line repeats a message because of the compaction before it. The first other message ends the compaction.
    fn see_relogged(&mut self, object: &Object, thread: &Option<String>, notes: &mut Notes) -> bool {
        let is_sent = object.has("message") || object.is_a("attachment");
        if !is_sent || is_only_shown(object) || object.is_true("isCompactSummary") {
            return false;
        }
        let Some(mut boundary) = self.boundary.take() else { return false };
        let time = boundary.compaction.time.as_deref().and_then(LogTime::parse);
        let is_relogged = match self.open_draft(thread) {
            Some(draft) => boundary.relogged.see(object, DIALECT, draft, time),
            None => false,
        };
        if is_relogged {
            boundary.thread.clone_from(thread);
        }
        let is_over = !is_relogged && !boundary.relogged.is_empty();
        self.boundary = Some(boundary);
        if is_over {
            self.settle_boundary(notes);
        }
        is_relogged
    }

    /// The line before a line, if the log has it.
    fn parent_of(&self, object: &Object) -> Option<&Line> {
        self.lines.get(&object.text("parentUuid")?)
    }

    /// The thread of a line: `None` for the main conversation.
    fn thread_of(&self, object: &Object, before: Option<&Line>) -> Option<String> {
        // Stream-json names the call that started a subagent. Session files mark its lines, and since 2026 also name the agent.
        if !object.is_true("isSidechain") {
            return object.text("parent_tool_use_id");
        }
        if let Some(agent) = object.text("agentId") {
            return Some(agent);
        }
        match before {
            Some(Line { thread: Some(thread), .. }) => Some(thread.clone()),
            _ => object.text("uuid"),
        }
    }

    /// The id of a conversation: the session id, then the thread if any.
    fn name_conversation(&self, thread: Option<&str>) -> Option<String> {
        let name = [self.id.as_deref(), thread].into_iter().flatten().collect::<Vec<_>>().join("/");
        if name.is_empty() { None } else { Some(name) }
    }

    fn open_draft(&self, thread: &Option<String>) -> Option<&Draft> {
        let (_, draft) = self.open.iter().find(|(own, _)| own == thread)?;
        Some(draft)
    }

    fn thread_length(&self, thread: &Option<String>) -> usize {
        self.open_draft(thread).map_or(0, |draft| draft.transcript.messages.len())
    }

    fn count_compactions(&self, thread: &Option<String>) -> usize {
        self.open_draft(thread).map_or(0, |draft| draft.transcript.compactions.len())
    }

    fn draft_of(&mut self, thread: &Option<String>, line: usize) -> Option<&mut Draft> {
        if self.open_draft(thread).is_none() {
            let mut draft = Draft::new(NAME, self.name_conversation(thread.as_deref()), line);
            if thread.is_some() {
                draft = draft.of_subagent();
            } else {
                draft.is_late = self.is_late;
            }
            self.open.push((thread.clone(), draft));
        }
        self.opened_mut(thread)
    }

    fn opened_mut(&mut self, thread: &Option<String>) -> Option<&mut Draft> {
        let (_, draft) = self.open.iter_mut().find(|(own, _)| own == thread)?;
        Some(draft)
    }

    /// Reads the bill of a subagent's last answer, logged with the result of the call that started it.
    fn see_subagent(&mut self, object: &Object, place: &LogPlace, notes: &mut Notes) {
        let Some(result) = object.object("toolUseResult") else { return };
        let Some(agent) = result.text("agentId") else { return };
        if let Some(usage) = read_whole_bill(&result) {
            notes.name_bills(&result);
            self.last_answers.insert(agent, (usage, place.clone()));
        }
    }

    /// Reads the summary of a compaction. It replaces all messages except those kept by the boundary line.
    fn read_compaction(
        &mut self,
        object: &Object,
        thread: &Option<String>,
        place: &LogPlace,
        notes: &mut Notes,
    ) {
        let content = object.below("message").get("content");
        let text = content.map(|_| DIALECT.read_content(content, place, notes).text());
        if text.is_none() {
            notes.lost("summaries of compactions without a text", place.clone());
        }
        // Other programs that write this format omit the boundary line; then nothing is kept.
        let Boundary { kept, compaction, .. } = self.boundary.take().unwrap_or_default();
        let kept: FxHashSet<usize> = kept.into_iter().collect();
        if let Some(draft) = self.draft_of(thread, place.line) {
            let compaction = TranscriptCompaction { text, ..compaction };
            draft.add_compaction(compaction, |index| kept.contains(&index), place, notes);
        }
    }

    /// Drops the branch after the line the user went back to. Results of parallel calls have different parents.
    fn go_back(&mut self, before: &Line, place: &LogPlace, notes: &mut Notes) {
        let Some(draft) = self.opened_mut(&before.thread) else { return };
        // Later compactions did not happen on the new branch.
        draft.transcript.compactions.truncate(before.compactions);
        let later = draft.transcript.messages.iter().skip(before.messages.end);
        let results = later.take_while(|message| message.role == TranscriptRole::Tool).count();
        let left_out = draft.truncate_messages(before.messages.end + results);
        if !left_out.is_empty() {
            notes.note("branches that the user went back from, left out", place.clone());
        }
        for tokens in left_out.iter().filter_map(|answer| answer.usage.as_ref()?.input_tokens) {
            notes.missing_call(tokens, place);
        }
    }

    fn read_message(
        &mut self,
        object: &Object,
        thread: &Option<String>,
        place: &LogPlace,
        notes: &mut Notes,
    ) {
        let kind = object.kind();
        let is_message = kind == "user" || kind == "assistant";
        let message = if is_message { object.object("message") } else { None };
        match message {
            _ if object.is_true("isVisibleInTranscriptOnly") => {
                notes.note("lines that were only shown", place.clone());
            }
            Some(_) if object.is_true("isApiErrorMessage") => {
                notes.note("errors of the provider left out", place.clone());
            }
            // Claude Code writes these itself when no model answered (2.0.76 to 2.1.36 at least). Their bill is 0.
            Some(message) if is_synthetic(&message) => {
                notes.note("answers that Claude Code wrote itself left out", place.clone());
            }
            Some(message) => {
                FIELDS.note_unread(object, "lines", place, notes);
                self.see_subagent(object, place, notes);
                let Some(draft) = self.draft_of(thread, place.line) else { return };
                draft.now = LogTime::of_object(object);
                // Each block of a response is its own line, and repeats the bill of the whole response.
                let id = message.text("id");
                let answer = id.clone().map_or(Answer::Whole, Answer::Id);
                let is_answer = message.has("usage");
                DIALECT.read_message(&message, answer, object.is_true("isMeta"), place, draft, notes);
                if is_answer {
                    draft.name_call(id);
                    if let Some(source) = object.object("forkedFrom") {
                        let session = source.text("sessionId").unwrap_or(FORKED.to_owned());
                        draft.copied_from(Some(session));
                        notes.note(
                            "answers already billed in the session that this one was forked from",
                            place.clone(),
                        );
                    }
                }
            }
            None if kind == "attachment" => {
                FIELDS.note_unread(object, "lines", place, notes);
                if let Some((text, is_observation)) = read_attachment(object, DIALECT, place, notes)
                    && let Some(draft) = self.draft_of(thread, place.line)
                {
                    draft.now = LogTime::of_object(object);
                    draft.add_user_text(text, is_observation, place.clone());
                }
            }
            // The session continues with an empty history.
            None if kind == "conversation_reset" => {
                if let Some(draft) = self.opened_mut(thread) {
                    let compaction = TranscriptCompaction {
                        kind: CompactionKind::Drop,
                        trigger: object.text("trigger"),
                        time: object.text("timestamp"),
                        ..TranscriptCompaction::default()
                    };
                    draft.add_compaction(compaction, |_| false, place, notes);
                }
            }
            None if BOOKKEEPING.contains(&kind.as_str()) => {
                self.note_bookkeeping(object, place, notes);
                notes.note(format!("lines of the type {kind}, which are not sent"), place.clone());
            }
            None if REPEATING.contains(&kind.as_str()) => {
                notes.name_bills(object);
                notes.note(format!("lines of the type {kind}, which repeat others"), place.clone());
            }
            None if COLLAPSES.contains(&kind.as_str()) => {
                let what = "a collapsed context in an undocumented form";
                notes.lost(format!("lines of the type {kind}, {what}"), place.clone());
            }
            None => notes.lost(format!("lines of the type {kind:?} left out"), place.clone()),
        }
    }

    /// Reads the parts of bookkeeping lines that affect later requests or bills: compactions, cleared or replaced results, and
    /// bills of subagents.
    fn note_bookkeeping(&mut self, object: &Object, place: &LogPlace, notes: &mut Notes) {
        match object.text("subtype").as_deref() {
            Some("compact_boundary") => {
                let boundary = self.read_boundary(object, place, notes);
                self.settle_boundary(notes);
                self.boundary = Some(boundary);
            }
            Some("memory_recall") => notes.lost("memories that were recalled, left out", place.clone()),
            Some("microcompact_boundary") => self.clear_results(object, place, notes),
            _ => {}
        }
        if object.has("replacements") {
            DIALECT.note_unread(object, &["replacements"], "lines", place, notes);
        }
        for replaced in object.list("replacements").into_iter().flatten().filter_map(Json::object) {
            self.replace_history(object.text("agentId"), &replaced, place, notes);
        }
        // Progress repeats the lines of a subagent, except its last answer.
        let data = object.below("data");
        if let Some(answer) = data.below("message").object("message")
            && let Some(id) = answer.text("id")
            && let Some(usage) = read_whole_bill(&answer)
        {
            notes.name_bills(&answer);
            let shown = Progress { agent: data.text("agentId"), usage, place: place.clone() };
            self.progress.entry(id).or_insert(shown);
        }
    }

    /// Reads a compaction and the messages it keeps.
    fn read_boundary(&self, object: &Object, place: &LogPlace, notes: &mut Notes) -> Boundary {
        // Up to 2.1.45 the metadata don't list kept messages. Other programs omit the metadata.
        let metadata = object.below("compactMetadata");
        let mut boundary = Boundary {
            place: place.clone(),
            compaction: parse_compaction(object, &metadata),
            ..Boundary::default()
        };
        if let Some(preserved) = metadata.first_object(&["preservedMessages", "preservedSegment"]) {
            boundary.kept = self.kept_messages(&preserved, place, notes);
        }
        boundary
    }

    /// The messages of the listed lines, or of all lines from `headUuid` to `tailUuid`.
    fn kept_messages(&self, preserved: &Object, place: &LogPlace, notes: &mut Notes) -> Vec<usize> {
        let mut ranges = Vec::new();
        if let Some(ids) = preserved.list("uuids") {
            for id in ids {
                ranges.push(self.messages_of_line(id.text()));
            }
        } else {
            let head = self.messages_of_line(preserved.text("headUuid"));
            let tail = self.messages_of_line(preserved.text("tailUuid"));
            ranges.push(head.zip(tail).map(|(head, tail)| head.start..tail.end));
        }
        if ranges.contains(&None) {
            notes.lost("compactions that keep lines missing from the log", place.clone());
        }
        ranges.into_iter().flatten().flatten().collect()
    }

    fn messages_of_line(&self, id: Option<String>) -> Option<Range<usize>> {
        let line = self.lines.get(&id?)?;
        Some(line.messages.clone())
    }

    /// Reads a microcompaction: old results were cleared.
    fn clear_results(&mut self, object: &Object, place: &LogPlace, notes: &mut Notes) {
        let metadata = object.below("microcompactMetadata");
        let Some(calls) = metadata.get("compactedToolIds").and_then(read_texts) else {
            return notes.lost("cleared results without the ids of their calls", place.clone());
        };
        let thread = self.thread_of(object, self.parent_of(object));
        if let Some(draft) = self.opened_mut(&thread) {
            let cleared = TranscriptCompaction {
                text: Some(CLEARED.to_owned()),
                ..parse_compaction(object, &metadata)
            };
            draft.clear_results(cleared, &calls, place, notes);
        }
    }

    /// Replaces a result too large to send with the text sent instead: its start, and the path of a file with all of it.
    fn replace_history(
        &mut self,
        thread: Option<String>,
        replaced: &Object,
        place: &LogPlace,
        notes: &mut Notes,
    ) {
        DIALECT.note_unread(replaced, &["kind", "replacement"], "replacements", place, notes);
        let (call, sent) = (replaced.text("toolUseId"), replaced.text("replacement"));
        if let (Some(draft), Some(call), Some(sent)) = (self.opened_mut(&thread), call, sent) {
            for message in draft.transcript.messages.iter_mut().rev() {
                if message.call.as_ref() == Some(&call) {
                    message.content = sent;
                    let kind = "results sent only in part, read as they were sent";
                    return notes.note(kind, place.clone());
                }
            }
        }
        notes.lost("replacements of results that the log lacks", place.clone());
    }

    /// Ends a compaction without a summary. Some mods log the kept messages again instead of a summary.
    fn settle_boundary(&mut self, notes: &mut Notes) {
        let Some(Boundary { place, compaction, thread, relogged, .. }) = self.boundary.take() else { return };
        match self.opened_mut(&thread) {
            Some(draft) if !relogged.is_empty() => relogged.settle(compaction, draft, &place, notes),
            _ => notes.note("compactions without a summary", place),
        }
    }

    fn finish_session(mut self, sink: &mut Sink) {
        self.settle_boundary(&mut sink.notes);
        let mut models: FxHashMap<&str, &str> = FxHashMap::default();
        for (id, shown) in &self.progress {
            let agent = shown.agent.as_deref();
            if let Some((agent, model)) = agent.zip(shown.usage.model.as_deref()) {
                models.insert(agent, model);
            }
            if !self.open.iter().any(|(_, draft)| draft.has_answer(id)) {
                let name = if agent.is_some() { self.name_conversation(agent) } else { None };
                sink.notes.answer_of_subagent(name, &shown.usage, &shown.place);
            }
        }
        for (agent, (usage, place)) in &self.last_answers {
            // Older versions log the lines of subagents in the session file.
            if !self.open.iter().any(|(thread, _)| thread.as_ref() == Some(agent)) {
                let model = models.get(agent.as_str()).copied().map(str::to_owned);
                let usage = TranscriptUsage { model, ..usage.clone() };
                sink.notes.answer_of_subagent(self.name_conversation(Some(agent)), &usage, place);
            }
        }
        for (_, draft) in self.open {
            give_draft(draft, sink);
        }
    }
}

/// The fields of a compaction that are logged in its boundary line.
fn parse_compaction(object: &Object, metadata: &Object) -> TranscriptCompaction {
    TranscriptCompaction {
        trigger: metadata.text("trigger"),
        time: object.text("timestamp"),
        tokens_before: metadata.number("preTokens"),
        ..TranscriptCompaction::default()
    }
}

/// Returns true if the line contains the user's own words.
fn is_prompt(object: &Object) -> bool {
    if !object.is_a("user") || object.is_true("isMeta") {
        return false;
    }
    let Some(message) = object.object("message") else { return false };
    let parts = message.list("content").unwrap_or_default();
    !parts.into_iter().any(|part| DIALECT.is_result(part))
}

/// The bill of an answer. `None` if it lacks the input tokens.
fn read_whole_bill(answer: &Object) -> Option<TranscriptUsage> {
    let usage = DIALECT.usage(answer)?;
    usage.input_tokens?;
    Some(usage)
}

/// A list of texts. `None` for any other value.
fn read_texts(list: Json) -> Option<Vec<String>> {
    list.list()?.into_iter().map(Json::text).collect()
}

/// Returns true for an answer that Claude Code wrote itself.
fn is_synthetic(message: &Object) -> bool {
    message.text("model").as_deref() == Some("<synthetic>")
}

/// Returns true for a message that is not sent to the model.
fn is_only_shown(line: &Object) -> bool {
    line.is_true("isVisibleInTranscriptOnly")
        || line.is_true("isApiErrorMessage")
        || is_synthetic(&line.below("message"))
}

/// Emits the conversation, dropping the placeholder output counts that are logged while streaming.
fn give_draft(mut draft: Draft, sink: &mut Sink) {
    for (answer, origin) in draft.transcript.messages.iter_mut().zip(&draft.origins) {
        let is_more = !answer.tool_calls.is_empty() || answer.content.len() > MORE_THAN_PLACEHOLDER;
        if let Some(usage) = &mut answer.usage
            && is_more
            && let Some(tokens) = usage.output_tokens
            && tokens <= PLACEHOLDER
        {
            usage.output_tokens = None;
            sink.notes.named_counts.push(tokens);
            let kind = "placeholder output counts of answers, left out";
            sink.notes.note(kind, origin.place.clone());
        }
    }
    sink.give(draft);
}
