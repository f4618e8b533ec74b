//! Sessions of pi: a head, then one entry per line. Since version 2 each entry has the id of its parent.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::content::Content;
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, parse_arguments};
use crate::names::{Dialect, Names, PartKind, PartNames, UsageNames};
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{TranscriptCompaction, TranscriptUsage};
use crate::unread::Fields;

const NAME: &str = "pi";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of pi: JSON Lines with a header, messages and compactions",
    recognises: |object| {
        if object.is_a("session") {
            return object.has("id") && object.has("cwd");
        }
        let message = object.below("message");
        object.is_a("message") && object.has("timestamp") && message.has("role") && message.has("timestamp")
    },
    reader: || Box::new(Sessions::default()),
};

static DIALECT: Dialect = Dialect(&[&NAMES]);

/// Field names of pi. The input count excludes cached tokens.
static NAMES: Names = Names {
    parts: PartNames {
        types: &[("text", PartKind::Text), ("thinking", PartKind::Reasoning), ("image", PartKind::Image)],
        text: &["text"],
        file: &["data"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        input: &["input"],
        read_beside: &["cacheRead"],
        written_beside: &["cacheWrite"],
        written_1h: &["cacheWrite1h"],
        output: &["output"],
        cost: &["cost.total"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// Types of entries with no content sent to the model.
const BOOKKEEPING: [&str; 14] = [
    "thinking_level_change",
    "model_change",
    "label",
    "session_info",
    "custom",
    // Events of `--mode json`; their messages are read from `message_end`.
    "agent_start",
    "agent_end",
    "turn_start",
    "turn_end",
    "message_start",
    "message_update",
    "tool_execution_start",
    "tool_execution_update",
    "tool_execution_end",
];

/// Fields that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &["message"],
    known: &[
        "content",
        "cwd",
        "command",
        "details",
        "display",
        "errorMessage",
        "fromHook",
        "output",
        "summary",
        "usage",
    ],
};

/// Known fields of a call.
const CALL: Fields = Fields { below: &[], known: &["arguments", "name", "partialJson", "thoughtSignature"] };

#[derive(Default)]
struct Sessions {
    id: Option<String>,
    /// The head and all entries, because version 1 refers to entries by index.
    entries: Vec<Entry>,
}

struct Entry {
    text: String,
    place: LogPlace,
    id: Option<String>,
    parent: Option<String>,
}

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if object.is_a("session") {
            self.finish_log(sink);
            self.id = object.text("id");
        }
        let id = if object.is_a("session") { None } else { object.text("id") };
        let (text, parent) = (value.raw().to_owned(), object.text("parentId"));
        self.entries.push(Entry { text, place, id, parent });
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        let entries = std::mem::take(&mut self.entries);
        if entries.is_empty() {
            return;
        }
        let id = self.id.take();
        let tree = Tree::new(&entries);
        let mut given: FxHashSet<usize> = FxHashSet::default();
        let Some(newest) = tree.newest else {
            let draft = read_branch(&entries, None, id, &mut given, sink);
            return sink.give(draft);
        };
        let draft = read_branch(&entries, Some(&tree.path_to(newest)), id.clone(), &mut given, sink);
        sink.give(draft);
        // A branch begins with copies of the session's bills, which the ledger books once.
        for end in tree.ends_of_branches(newest) {
            if !tree.has_new_bill(end, &given) {
                continue;
            }
            let last = entries.get(end).and_then(|entry| entry.id.as_deref());
            let name = id.as_ref().zip(last).map(|(id, last)| format!("{id}/{last}"));
            let draft = read_branch(&entries, Some(&tree.path_to(end)), name, &mut given, sink);
            sink.give(draft);
        }
        leave_out_rest(&entries, &given, sink);
    }
}

/// The entries of a session by their identifiers.
struct Tree<'e> {
    entries: &'e [Entry],
    numbers: FxHashMap<&'e str, usize>,
    /// pi only appends: the newest entry is the end of the current branch, and other branches stay in the file. `None` for version 1,
    /// because its entries form a list.
    newest: Option<usize>,
}

impl<'e> Tree<'e> {
    fn new(entries: &'e [Entry]) -> Tree<'e> {
        let mut numbers = FxHashMap::default();
        for (index, entry) in entries.iter().enumerate() {
            if let Some(id) = entry.id.as_deref() {
                numbers.insert(id, index);
            }
        }
        Tree { entries, numbers, newest: entries.iter().rposition(|entry| entry.id.is_some()) }
    }

    fn parent_of(&self, index: usize) -> Option<usize> {
        self.numbers.get(self.entries.get(index)?.parent.as_deref()?).copied()
    }

    /// The last entries of the branches that the user went back from, oldest first.
    fn ends_of_branches(&self, newest: usize) -> Vec<usize> {
        let parents: FxHashSet<&str> =
            self.entries.iter().filter_map(|entry| entry.parent.as_deref()).collect();
        let mut ends = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let is_end = entry.id.as_deref().is_some_and(|id| !parents.contains(id));
            if is_end && index != newest {
                ends.push(index);
            }
        }
        ends
    }

    /// Indices on the path from an entry back to the first, and of entries without an identifier.
    fn path_to(&self, end: usize) -> FxHashSet<usize> {
        let mut path: FxHashSet<usize> = FxHashSet::default();
        for (index, entry) in self.entries.iter().enumerate() {
            if entry.id.is_none() {
                path.insert(index);
            }
        }
        let mut next = Some(end);
        while let Some(index) = next.filter(|&index| path.insert(index)) {
            next = self.parent_of(index);
        }
        path
    }

    /// Returns true if the path to an entry has a billed answer that no conversation has yet.
    fn has_new_bill(&self, end: usize, given: &FxHashSet<usize>) -> bool {
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut next = Some(end);
        while let Some(index) = next.filter(|index| !given.contains(index) && seen.insert(*index)) {
            if self.entries.get(index).is_some_and(is_billed) {
                return true;
            }
            next = self.parent_of(index);
        }
        false
    }
}

fn is_billed(entry: &Entry) -> bool {
    let Some(object) = parse_entry(entry) else { return false };
    count_input(read_bill(&object.below("message")).as_ref()) > 0
}

fn parse_entry(entry: &Entry) -> Option<Object<'_>> {
    Json::parse(&entry.text).ok()?.object()
}

fn count_input(usage: Option<&TranscriptUsage>) -> u64 {
    usage.and_then(|usage| usage.input_tokens).unwrap_or(0)
}

/// Reads the conversation on a path. `given` are the entries of earlier branches, which have their notes.
fn read_branch(
    entries: &[Entry],
    path: Option<&FxHashSet<usize>>,
    id: Option<String>,
    given: &mut FxHashSet<usize>,
    sink: &mut Sink,
) -> Draft {
    let line = entries.first().map_or(0, |first| first.place.line);
    let mut session = Session { draft: Draft::new(NAME, id, line), begins: FxHashMap::default() };
    let mut known = Notes::default();
    for (index, entry) in entries.iter().enumerate() {
        if path.is_some_and(|path| !path.contains(&index)) {
            continue;
        }
        let parsed = Json::parse(&entry.text).ok();
        let Some(object) = parsed.and_then(|value| sink.read_object(value, &entry.place)) else { continue };
        let notes = if given.insert(index) { &mut sink.notes } else { &mut known };
        session.read_entry(&object, index, entry, notes);
    }
    session.draft
}

/// Notes the entries of branches without a bill.
fn leave_out_rest(entries: &[Entry], given: &FxHashSet<usize>, sink: &mut Sink) {
    for (index, entry) in entries.iter().enumerate() {
        if given.contains(&index) {
            continue;
        }
        if let Some(object) = parse_entry(entry)
            && !BOOKKEEPING.contains(&object.kind().as_str())
        {
            sink.notes.note(LEFT_OUT, entry.place.clone());
        }
    }
}

const LEFT_OUT: &str = "entries of branches that the user went back from, left out";

/// The conversation of a session, read so far.
struct Session {
    draft: Draft,
    /// Number of messages before each entry, by its id or index.
    begins: FxHashMap<String, usize>,
}

impl Session {
    fn read_entry(&mut self, object: &Object, index: usize, entry: &Entry, notes: &mut Notes) {
        let place = &entry.place;
        let is_first = self.begins.is_empty() && !object.is_a("session");
        self.draft.is_late |= is_first && entry.parent.is_some();
        let begin = self.draft.transcript.messages.len();
        // Stream events have the time only in their message.
        self.draft.now = match LogTime::of_object(object) {
            Some(time) => Some(time),
            None => LogTime::of_object(&object.below("message")),
        };
        if !BOOKKEEPING.contains(&object.kind().as_str()) {
            FIELDS.note_unread(object, "entries", place, notes);
        }
        match object.text("type").as_deref() {
            Some("session") => return,
            Some("message" | "message_end") => match object.object("message") {
                Some(message) => read_message(&message, place, &mut self.draft, notes),
                None => notes.lost("entries without a message", place.clone()),
            },
            Some("compaction") => self.read_compaction(object, entry, notes),
            Some("branch_summary") => read_summary(object, BRANCH, place, &mut self.draft, notes),
            Some("custom_message") => {
                let text = DIALECT.read_content(object.get("content"), place, notes);
                self.draft.add_user_text(text, true, place.clone());
            }
            Some(kind) if BOOKKEEPING.contains(&kind) => {
                notes.note(format!("entries of the type {kind}, which are not sent"), place.clone());
            }
            Some(kind) => notes.lost(format!("entries of the type {kind:?} left out"), place.clone()),
            None => notes.lost("entries without a type left out", place.clone()),
        }
        self.begins.insert(entry.id.clone().unwrap_or(index.to_string()), begin);
    }

    /// Reads a compaction. It keeps the messages from one entry on, after the summary.
    fn read_compaction(&mut self, object: &Object, entry: &Entry, notes: &mut Notes) {
        let number = object.number("firstKeptEntryIndex").map(|number| number.to_string());
        let first = object.text("firstKeptEntryId").or(number);
        let kept = first.as_ref().and_then(|first| self.begins.get(first).copied());
        // Without the first kept entry, all messages would appear to be removed.
        if kept.is_none() {
            notes.lost("compactions whose first kept entry the log lacks", entry.place.clone());
        }
        let text = object.text("summary").map(|summary| COMPACTED.0.to_owned() + &summary + COMPACTED.1);
        if text.is_none() {
            notes.lost("compactions without a summary", entry.place.clone());
        }
        let compaction = TranscriptCompaction {
            text,
            time: object.text("timestamp"),
            tokens_before: object.number("tokensBefore"),
            usage: DIALECT.usage_of(&object.below("usage"), None),
            ..TranscriptCompaction::default()
        };
        let first = kept.unwrap_or(usize::MAX);
        self.draft.add_compaction(compaction, |index| index >= first, &entry.place, notes);
    }
}

/// Text around the summary of a compaction, and of an abandoned branch, in pi 0.73.
const COMPACTED: (&str, &str) = (
    "The conversation history before this point was compacted into the following summary:\n\n<summary>\n",
    "\n</summary>",
);
const BRANCH: (&str, &str) = (
    "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n",
    "</summary>",
);

/// Reads a summary and adds the text around it.
fn read_summary(
    object: &Object,
    (before, behind): (&str, &str),
    place: &LogPlace,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    match object.text("summary") {
        Some(text) => {
            draft.add_user_text(Content::of(format!("{before}{text}{behind}")), true, place.clone())
        }
        None => notes.lost("summaries without a text", place.clone()),
    }
}

fn read_message(message: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    match message.text("role").as_deref() {
        Some("user") => {
            let text = DIALECT.read_content(message.get("content"), place, notes);
            draft.add_user_text(text, false, place.clone());
        }
        Some("assistant") => read_answer(message, place, draft, notes),
        Some("toolResult") => {
            let content = DIALECT.read_content(message.get("content"), place, notes);
            draft.add_result(message.text("toolCallId"), message.text("toolName"), content, place.clone());
            draft.fail_if(message.is_true("isError"));
        }
        Some("bashExecution") if message.is_true("excludeFromContext") => {
            notes.note("commands of the user that the model does not see", place.clone());
        }
        Some("bashExecution") => match message.text("command").zip(message.text("output")) {
            Some((command, output)) => {
                let content = format!("Ran `{command}`\n```\n{output}\n```");
                draft.add_user_text(Content::of(content), true, place.clone());
            }
            None => notes.lost("commands of the user without a command or its output", place.clone()),
        },
        Some("branchSummary") => read_summary(message, BRANCH, place, draft, notes),
        Some("compactionSummary") => read_summary(message, COMPACTED, place, draft, notes),
        Some("custom" | "hookMessage") => {
            let text = DIALECT.read_content(message.get("content"), place, notes);
            draft.add_user_text(text, true, place.clone());
        }
        Some(role) => notes.lost(format!("messages of the role {role:?} left out"), place.clone()),
        None => notes.lost("messages without a role left out", place.clone()),
    }
}

/// Reads an answer. If it was interrupted before its first word, it has no content and no bill, and is not sent again.
fn read_answer(message: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    let (mut text, mut calls) = (Content::default(), Vec::new());
    let given = message.get("content");
    let usage = read_bill(message);
    if count_input(usage.as_ref()) == 0 && given.is_none_or(Json::is_empty) {
        return notes.note("answers that were broken off before their first word, left out", place.clone());
    }
    let parts = given.and_then(Json::list);
    if let Some(given) = given
        && parts.is_none()
    {
        DIALECT.add_part(&mut text, given, place, notes);
    }
    for (index, part) in parts.into_iter().flatten().enumerate() {
        let place = place.item("content", index);
        match part.object() {
            Some(asked) if asked.is_a("toolCall") => {
                CALL.note_unread(&asked, "calls", &place, notes);
                calls.push(new_call(
                    asked.text("id"),
                    asked.text("name"),
                    parse_arguments(asked.get("arguments")),
                ));
            }
            _ => DIALECT.add_part(&mut text, part, &place, notes),
        }
    }
    draft.add_answer(Answer::Whole, text, calls, place.clone());
    draft.usage(usage);
    draft.name_call(message.text("responseId"));
}

fn read_bill(message: &Object) -> Option<TranscriptUsage> {
    DIALECT.usage_of(&message.object("usage")?, message.text("model"))
}
