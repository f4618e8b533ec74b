//! Sessions of Google's Agent Development Kit: events with an author and Gemini content.

use super::providers::gemini;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Whole};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::TranscriptCompaction;
use crate::unread::Fields;

const NAME: &str = "adk";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Google's Agent Development Kit: events with an author and a content",
    recognises: |object| {
        let first = object.list("events").and_then(|events| events.first()?.object());
        first.is_some_and(|first| first.has("author") && INVOCATION.iter().any(|key| first.has(key)))
    },
    reader: || Box::new(Whole(read_session)),
};

/// Fields that are either read here or never part of a request.
const FIELDS: Fields = Fields {
    below: &[],
    known: &[
        "actions",
        "content",
        "customMetadata",
        "custom_metadata",
        "errorMessage",
        "error_message",
        "events",
        "groundingMetadata",
        "grounding_metadata",
        "inputTranscription",
        "input_transcription",
        "logprobsResult",
        "logprobs_result",
        "outputTranscription",
        "output_transcription",
        "state",
        "usageMetadata",
        "usage_metadata",
        "citationMetadata",
        "citation_metadata",
    ],
};

/// Content and calls use Gemini's field names.
static DIALECT: Dialect = Dialect(&[&gemini::NAMES]);

const INVOCATION: [&str; 2] = ["invocationId", "invocation_id"];

/// Fields of the actions of an event with a summary.
const ACTIONS: [&str; 7] = [
    "compaction",
    "stateDelta",
    "state_delta",
    "artifactDelta",
    "artifact_delta",
    "requestedAuthConfigs",
    "requested_auth_configs",
];

/// Fields of a summary. Its span of time has no words.
const SUMMARY: [&str; 2] = ["compactedContent", "compacted_content"];

fn read_session(object: &Object, place: LogPlace, sink: &mut Sink) {
    let notes = &mut sink.notes;
    let mut draft = Draft::new(NAME, object.text("id"), place.line);
    let (mut times, mut now, mut ranges) = (Vec::new(), None, Vec::new());
    FIELDS.note_unread(object, "sessions", &place, notes);
    for (event, place) in list_objects(object, "events", "events", &place, notes) {
        times.resize(draft.transcript.messages.len(), now);
        now = event.get("timestamp").and_then(Json::read::<f64>);
        // With streaming each piece is an event, followed by one with the whole answer.
        if event.is_true("partial") {
            notes.note("pieces of streamed answers, logged whole afterwards", place);
            continue;
        }
        if let Some(compacted) = event.object("actions").and_then(|actions| actions.object("compaction")) {
            times.resize(draft.transcript.messages.len(), now);
            add_summary(&compacted, &event, (&times, &mut ranges), &place, &mut draft, notes);
            continue;
        }
        FIELDS.note_unread(&event, "events", &place, notes);
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
        draft.now = LogTime::of_object(&event);
        DIALECT.read_message(&content, Answer::Whole, false, &place.key("content"), &mut draft, notes);
        if event.text("author").is_some_and(|author| author != "user") {
            draft.usage(DIALECT.usage(&event));
        }
    }
    sink.give(draft);
}

/// Reads a summary. It replaces all events in a time span. A summary inside the span of another one is not sent.
fn add_summary(
    compacted: &Object,
    event: &Object,
    (times, ranges): (&[Option<f64>], &mut Vec<[f64; 2]>),
    place: &LogPlace,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    if let Some(actions) = event.object("actions") {
        DIALECT.note_unread(&actions, &ACTIONS, "actions", place, notes);
    }
    DIALECT.note_unread(compacted, &SUMMARY, "summaries", place, notes);
    let start = compacted.first(&["startTimestamp", "start_timestamp"]).and_then(Json::read::<f64>);
    let end = compacted.first(&["endTimestamp", "end_timestamp"]).and_then(Json::read::<f64>);
    let content = compacted.first(&["compactedContent", "compacted_content"]).and_then(Json::object);
    let (Some(start), Some(end), Some(content)) = (start, end, content) else {
        return notes.lost("summaries without a span of time left out", place.key("actions"));
    };
    if ranges.iter().any(|[from, to]| *from <= start && end <= *to) {
        return notes.note("summaries inside the span of another one, which are not sent", place.clone());
    }
    ranges.push([start, end]);
    DIALECT.note_unread(&content, &["parts"], "summaries", place, notes);
    let text = DIALECT.read_content(content.get("parts"), &place.key("actions"), notes).text();
    let compaction = TranscriptCompaction {
        text: Some(text),
        usage: DIALECT.usage(event),
        time: LogTime::of_object(event).map(|time| time.to_string()),
        ..TranscriptCompaction::default()
    };
    draft.add_compaction(
        compaction,
        |index| times.get(index).copied().flatten().is_none_or(|time| !(start..=end).contains(&time)),
        place,
        notes,
    );
}
