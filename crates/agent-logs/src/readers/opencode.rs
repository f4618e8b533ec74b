//! Sessions of opencode, from `opencode export` or its server: messages with parts. Each step is an answer, and its calls include
//! their results.

use rustc_hash::FxHashMap;

use crate::content::{Content, note_reasoning};
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object, parse_arguments};
use crate::listed::list_objects;
use crate::names::{Dialect, Names, PartKind, PartNames, UsageNames};
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{TranscriptCompaction, TranscriptUsage};
use crate::unread::Fields;

const NAME: &str = "opencode";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of opencode: messages with info and parts",
    recognises: |object| {
        let first = object.list("messages").and_then(|messages| messages.first()?.object());
        is_message(object) || first.as_ref().is_some_and(is_message)
    },
    reader: || Box::new(Sessions(None)),
};

static DIALECT: Dialect = Dialect(&[&NAMES]);

/// Field names of opencode. The input count excludes cached tokens.
static NAMES: Names = Names {
    parts: PartNames {
        types: &[("text", PartKind::Text), ("file", PartKind::File)],
        text: &["text"],
        file_name: &["filename"],
        file: &["filename", "url", "source"],
        unsent: &["metadata"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        input: &["input"],
        read_beside: &["cache.read"],
        written_beside: &["cache.write"],
        output: &["output"],
        reasoning: &["reasoning"],
        total: &["total"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// Fields that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &["info"],
    known: &["error", "model", "parts", "path", "summary", "system", "title", "tools"],
};

/// Known fields of a session.
const SESSION: Fields = Fields { below: &[], known: &["info", "messages"] };

/// Known fields of a call with its result.
const TOOL: Fields = Fields {
    below: &["state"],
    known: &["attachments", "error", "input", "metadata", "output", "raw", "title", "tool"],
};

fn is_message(object: &Object) -> bool {
    object.object("info").is_some_and(|info| info.has("role")) && object.list("parts").is_some()
}

/// The open conversation.
struct Sessions(Option<Session>);

struct Session {
    draft: Draft,
    /// Number of draft messages before each message of the log, by message id.
    begins: FxHashMap<String, usize>,
    /// The first message kept by the last compaction, until its summary is read.
    tail: Option<String>,
}

impl Session {
    fn new(draft: Draft) -> Session {
        Session { draft, begins: FxHashMap::default(), tail: None }
    }
}

impl Reader for Sessions {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if !object.has("messages") {
            return self.read_message(&object, &place, sink);
        }
        self.finish_log(sink);
        SESSION.note_unread(&object, "sessions", &place, &mut sink.notes);
        for (message, place) in list_objects(&object, "messages", "messages", &place, &mut sink.notes) {
            self.read_message(&message, &place, sink);
        }
        // A session with a parent was started by it.
        if object.below("info").has("parentID") {
            self.0 = self.0.take().map(|session| Session { draft: session.draft.of_subagent(), ..session });
        }
        self.finish_log(sink);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(session) = self.0.take() {
            sink.give(session.draft);
        }
    }
}

/// The question that opencode 1.18 adds before a summary.
const ASKED: &str = "What did we do so far?";

impl Sessions {
    fn read_message(&mut self, object: &Object, place: &LogPlace, sink: &mut Sink) {
        FIELDS.note_unread(object, "messages", place, &mut sink.notes);
        let info = object.below("info");
        let is_answer = info.text("role").is_some_and(|role| role == "assistant");
        // The summary of a compaction replaces everything before it.
        // User messages have a field `summary` too, but as an object with a title and diffs.
        let is_summary = is_answer && info.is_true("summary");
        let Session { draft, begins, tail } =
            self.0.get_or_insert_with(|| Session::new(Draft::new(NAME, info.text("sessionID"), place.line)));
        let notes = &mut sink.notes;
        let made = time_in(&info, "created");
        draft.now = made;
        if let Some(id) = info.text("id") {
            begins.insert(id, draft.transcript.messages.len());
        }
        // Each user message repeats the system prompt.
        if let Some(system) = info.text("system").filter(|own| draft.transcript.system.as_ref() != Some(own))
        {
            draft.set_system(Content::of(system), place.key("info"), notes);
        }
        let (mut text, mut step, mut has_usage) = (Content::default(), 0, false);
        let mut is_spoken = false;
        // Without an id, the place identifies the message.
        let id = info.text("id").unwrap_or_else(|| place.to_string());
        for (part, place) in list_objects(object, "parts", "parts", place, notes) {
            let answer = Answer::Id(format!("{id}/{step}"));
            // The message's creation time only fits its first step; it is too early for later ones.
            draft.now = time_in(&part, "end").or(made.filter(|_| step <= 1));
            match part.kind().as_str() {
                "reasoning" => note_reasoning(&place, notes),
                "step-start" => step += 1,
                // The bill of a summary is also in its message.
                "step-finish" if is_summary => {}
                "step-finish" => {
                    has_usage = true;
                    if let Some(usage) =
                        part.object("tokens").and_then(|tokens| read_bill(&tokens, &part, &info))
                    {
                        draft.bill(usage, &place, notes);
                    }
                }
                "text" if part.is_true("ignored") => {
                    notes.note("texts that were only shown", place);
                }
                "tool" => {
                    TOOL.note_unread(&part, "parts", &place, notes);
                    let state = part.below("state");
                    let (id, name) = (part.text("callID"), part.text("tool"));
                    let asked = new_call(id.clone(), name.clone(), parse_arguments(state.get("input")));
                    draft.now = time_in(&state, "start").or(draft.now);
                    draft.add_answer(answer, Content::default(), vec![asked], place.clone());
                    if state.has("attachments") {
                        notes.lost("attachments of results left out", place.clone());
                    }
                    // A pending or running call has no output yet.
                    let Some(output) = state.first(&["output", "error"]) else { continue };
                    draft.now = time_in(&state, "end").or(draft.now);
                    draft.add_result(id, name, Content::of(output.to_plain_text()), place);
                    draft.fail_if(state.has("error"));
                }
                "compaction" => *tail = part.text("tail_start_id"),
                "snapshot" | "patch" | "agent" | "retry" => {}
                _ if is_answer && !is_summary => {
                    let mut text = Content::default();
                    DIALECT.add_object(&mut text, &part, &place, notes);
                    if !text.is_none() {
                        draft.add_answer(answer, text, Vec::new(), place);
                    }
                }
                _ => {
                    // Synthetic texts are written by the program, such as the one after a compaction.
                    is_spoken |= !part.is_true("synthetic");
                    DIALECT.add_object(&mut text, &part, &place, notes);
                }
            }
        }
        let usage = info.object("tokens").and_then(|tokens| read_bill(&tokens, &info, &info));
        if is_summary {
            // A failed summary has no `finish`, and replaces nothing.
            if !info.has("finish") || info.has("error") {
                notes.note("compactions that failed, left out", place.clone());
                return;
            }
            let tail = tail.take().and_then(|id| begins.get(&id).copied());
            let text = Some(ASKED.to_owned() + "\n" + &text.text());
            let compaction = TranscriptCompaction { text, usage, ..TranscriptCompaction::default() };
            return draft.add_compaction(
                compaction,
                |index| tail.is_some_and(|tail| index >= tail),
                place,
                notes,
            );
        }
        draft.now = made;
        if !text.is_none() {
            draft.add_user_text(text, !is_spoken, place.clone());
        }
        if let Some(usage) = usage.filter(|_| is_answer && !has_usage) {
            draft.bill(usage, place, notes);
        }
    }
}

/// A time of a message, part or call; logged in milliseconds.
fn time_in(object: &Object, key: &str) -> Option<LogTime> {
    object.below("time").get(key).and_then(LogTime::read)
}

/// The bill of a step or a message. The cost is logged outside the token counts.
fn read_bill(tokens: &Object, priced: &Object, info: &Object) -> Option<TranscriptUsage> {
    let usage = DIALECT.usage_of(tokens, info.text("modelID"))?;
    // With a subscription, opencode writes 0.
    let cost = priced.get("cost").and_then(Json::read).filter(|cost| *cost > 0.0);
    Some(TranscriptUsage { cost, ..usage })
}
