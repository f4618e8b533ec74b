//! Sessions of Qwen Code: lines as in Claude Code, each with a Gemini message and its bill.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::providers::gemini;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::rewritten::continue_conversation;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::TranscriptUsage;
use crate::unread::Fields;

const NAME: &str = "qwen-code";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Qwen Code: JSON Lines with messages as in gemini",
    recognises: |object| {
        let has_parts = object.object("message").is_some_and(|message| message.list("parts").is_some());
        let is_event = object.is_a("system") && object.has("systemPayload");
        object.has("sessionId") && object.has("uuid") && (has_parts || is_event)
    },
    reader: || Box::new(Sessions::default()),
};

static DIALECT: Dialect = Dialect(&[&gemini::NAMES]);

/// Fields of lines that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &[],
    known: &[
        "agentName",
        "agentId",
        "cwd",
        "forkedFrom",
        "gitBranch",
        "message",
        "systemPayload",
        "timestamp",
        "toolCallResult",
        "usageMetadata",
    ],
};

/// Known fields of a compression.
const PAYLOAD: Fields = Fields { below: &[], known: &["info", "compressedHistory"] };

/// The event type of a compression, with the new history.
const COMPRESSION: &str = "chat_compression";

#[derive(Default)]
struct Sessions(Option<Session>);

#[derive(Default)]
struct Session {
    id: Option<String>,
    lines: Vec<Line>,
    /// Line indices by line id.
    by_id: FxHashMap<String, usize>,
}

struct Line {
    parent: Option<String>,
    value: Value,
    place: LogPlace,
}

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        let id = object.text("sessionId");
        if self.0.as_ref().is_some_and(|session| session.id != id) {
            self.finish_log(sink);
        }
        FIELDS.note_unread(&object, "lines", &place, &mut sink.notes);
        let session = self.0.get_or_insert_with(|| Session { id, ..Session::default() });
        let Some((uuid, value)) = object.text("uuid").zip(object.json().read::<Value>()) else {
            return sink.notes.lost("lines without an identifier left out", place);
        };
        session.by_id.insert(uuid, session.lines.len());
        session.lines.push(Line { parent: object.text("parentUuid"), value, place });
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(session) = self.0.take() {
            session.finish(sink);
        }
    }
}

impl Session {
    /// Line indices on the branch of the last line. The user took back all other lines.
    fn shown_branch(&self) -> FxHashSet<usize> {
        if self.lines.iter().all(|line| line.parent.is_none()) {
            return (0..self.lines.len()).collect();
        }
        let mut branch = FxHashSet::default();
        let mut next = self.lines.len().checked_sub(1);
        while let Some(at) = next.filter(|at| branch.insert(*at)) {
            let parent = self.lines.get(at).and_then(|line| line.parent.as_ref());
            next = parent.and_then(|parent| self.by_id.get(parent).copied());
        }
        branch
    }

    fn finish(self, sink: &mut Sink) {
        let branch = self.shown_branch();
        let line = self.lines.first().map_or(0, |line| line.place.line);
        let mut whole: Option<Draft> = None;
        let mut now = Draft::new(NAME, self.id.clone(), line);
        for (index, Line { value, place, .. }) in self.lines.iter().enumerate() {
            let text = value.to_string();
            let Some(object) = Json::parse(&text).ok().and_then(Json::object) else { continue };
            if !branch.contains(&index) {
                left_out(&object, place, &mut sink.notes);
                continue;
            }
            if let Some(history) = compressed_history(&object) {
                PAYLOAD.note_unread(&object.below("systemPayload"), "compressions", place, &mut sink.notes);
                whole = Some(join_drafts(whole, now, place, &mut sink.notes));
                now = Draft::new(NAME, self.id.clone(), line);
                for message in history {
                    DIALECT.read_message(&message, Answer::Whole, false, place, &mut now, &mut sink.notes);
                }
                continue;
            }
            line_of(&object, place, &mut now, &mut sink.notes);
        }
        let place = now.origins.last().map_or_else(|| now.place(), |last| last.place.clone());
        sink_join(whole, now, &place, sink);
    }
}

fn sink_join(whole: Option<Draft>, now: Draft, place: &LogPlace, sink: &mut Sink) {
    let whole = join_drafts(whole, now, place, &mut sink.notes);
    sink.give(whole);
}

/// Joins the conversation with the messages since the last compression. A history without its own answer was never sent.
fn join_drafts(whole: Option<Draft>, now: Draft, place: &LogPlace, notes: &mut Notes) -> Draft {
    let Some(before) = whole else { return now };
    if !now.has_answers() {
        return before;
    }
    let number = before.transcript.compactions.len();
    let whole = continue_conversation(Some(before), now, None);
    for index in number..whole.transcript.compactions.len() {
        notes.count_compaction(index == 0, place);
    }
    whole
}

/// The new history after a compression.
fn compressed_history<'a>(object: &Object<'a>) -> Option<Vec<Object<'a>>> {
    let is_own = object.text("subtype").is_some_and(|kind| kind == COMPRESSION);
    let history = object.object("systemPayload").filter(|_| is_own)?.list("compressedHistory")?;
    Some(history.into_iter().filter_map(Json::object).collect())
}

/// Notes the bill of an answer taken back by the user.
fn left_out(object: &Object, place: &LogPlace, notes: &mut Notes) {
    if !object.has("message") {
        return;
    }
    notes.note("turns that the user took back, left out", place.clone());
    let tokens = read_bill(object).and_then(|usage| usage.input_tokens).filter(|tokens| *tokens > 0);
    tokens.into_iter().for_each(|tokens| notes.missing_call(tokens, place));
}

fn line_of(object: &Object, place: &LogPlace, draft: &mut Draft, notes: &mut Notes) {
    draft.now = LogTime::of_object(object);
    let Some(message) = object.object("message") else {
        let kind = object.text("subtype").unwrap_or_else(|| object.kind());
        return notes.note(format!("events of the type {kind}, which are not sent"), place.clone());
    };
    DIALECT.read_message(&message, Answer::Whole, false, &place.key("message"), draft, notes);
    if object.is_a("assistant") {
        draft.usage(read_bill(object));
    }
}

/// The bill of an answer. Qwen's API includes thoughts in the output count, Google's excludes them; the total shows which.
fn read_bill(object: &Object) -> Option<TranscriptUsage> {
    let bill = object.object("usageMetadata")?;
    let usage = DIALECT.usage_of(&bill, object.text("model"))?;
    let number = |key: &str| bill.number(key).unwrap_or(0);
    let without = number("promptTokenCount").saturating_add(number("candidatesTokenCount"));
    let is_inside = bill.number("totalTokenCount").is_some_and(|total| total == without);
    let output_tokens = if is_inside { bill.number("candidatesTokenCount") } else { usage.output_tokens };
    Some(TranscriptUsage { output_tokens, ..usage })
}
