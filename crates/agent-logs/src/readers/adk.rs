//! Sessions of Google's Agent Development Kit: events, each with a content of Gemini and its author.

use super::providers::gemini;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Whole};
use crate::json::{Json, Object};
use crate::listed::listed;
use crate::names::Dialect;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;

const NAME: &str = "adk";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Google's Agent Development Kit: events with an author and a content",
    recognises: |object| {
        let first = object.list("events").and_then(|events| events.first()?.object());
        first.is_some_and(|first| first.has("author") && INVOCATION.iter().any(|key| first.has(key)))
    },
    reader: || Box::new(Whole(session)),
};

/// Contents and calls are those of Gemini.
static DIALECT: Dialect = Dialect(&[&gemini::NAMES]);

const INVOCATION: [&str; 2] = ["invocationId", "invocation_id"];

fn session(object: &Object, place: LogPlace, sink: &mut Sink) {
    let notes = &mut sink.notes;
    let mut draft = Draft::new(NAME, object.text("id"), place.line);
    for (event, place) in listed(object, "events", "events", &place, notes) {
        // With streaming each piece is an event, and the whole answer is one more.
        if event.is_true("partial") {
            notes.note("pieces of streamed answers, which stand whole after them", place);
            continue;
        }
        if event.object("actions").is_some_and(|actions| actions.has("compaction")) {
            notes.lost("summaries that stand for earlier events left out", place.key("actions"));
        }
        let content = match event.get("content").map(Json::object) {
            Some(Some(content)) => content,
            Some(None) => {
                notes.lost("contents that are no object", place.key("content"));
                continue;
            }
            None => {
                notes.note("events without a content", place);
                continue;
            }
        };
        draft.now = LogTime::of(&event);
        DIALECT.message(&content, Answer::Whole, false, &place.key("content"), &mut draft, notes);
        if event.text("author").is_some_and(|author| author != "user") {
            draft.usage(DIALECT.usage(&event));
        }
    }
    sink.give(draft);
}
