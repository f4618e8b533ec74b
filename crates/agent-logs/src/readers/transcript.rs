//! The neutral format itself.

use serde_json::Deserializer;

use crate::draft::{Draft, Origin};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::transcript::Transcript;

pub(super) const FORMAT: LogFormat = LogFormat {
    name: "transcript",
    doc: "transcripts of ptc-eval, as JSON, JSON Lines or YAML",
    recognises: recognises_transcript,
    reader: || Box::new(Transcripts),
};

/// Fields of messages found in no other format.
const OWN: [&str; 3] = ["call", "is_error", "is_observation"];

fn recognises_transcript(object: &Object) -> bool {
    if object.object("source").is_some_and(|source| source.has("format")) {
        return true;
    }
    let Some(messages) = object.list("messages") else { return false };
    object.has("outcome") || messages.into_iter().filter_map(Json::object).any(|message| is_own(&message))
}

/// Returns true for a message with fields found in no other format.
fn is_own(message: &Object) -> bool {
    let mut calls = message.list("tool_calls").into_iter().flatten().filter_map(Json::object);
    OWN.iter().any(|key| message.has(key))
        || message.number("images").is_some()
        || calls.any(|call| is_own_call(&call))
}

/// Returns true for a call with `name`, `arguments` and at most an `id`: other formats have more fields.
fn is_own_call(call: &Object) -> bool {
    let mut keys = call.fields().map(|(key, _)| key);
    call.has("name") && call.has("arguments") && keys.all(|key| ["id", "name", "arguments"].contains(&key))
}

struct Transcripts;

impl Reader for Transcripts {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let read: Result<Transcript, _> =
            serde_path_to_error::deserialize(&mut Deserializer::from_str(value.raw()));
        match read {
            Ok(mut transcript) => {
                let messages = std::mem::take(&mut transcript.messages);
                // A transcript was converted before, so unmarked messages are known to be no observations.
                let own = Draft { marks_observations: true, ..Draft::default() };
                let mut draft = Draft { transcript, line: place.line, ..own };
                for (index, message) in messages.into_iter().enumerate() {
                    draft.push_message(message, Origin::at(place.item("messages", index)));
                }
                sink.give(draft);
            }
            Err(error) => {
                let inner = error.inner().to_string();
                // The parser counts lines from the start of the value; add them to the line of the log.
                let reason = inner.rsplit_once(" at line ").map_or(inner.as_str(), |(reason, _)| reason);
                let mut place = place.key(&error.path().to_string());
                if place.line > 0 {
                    place.line += error.inner().line().saturating_sub(1);
                    place.path.push_str(&format!(", column {}", error.inner().column()));
                }
                sink.notes.lost(format!("no transcript: {reason}"), place);
            }
        }
    }
}
