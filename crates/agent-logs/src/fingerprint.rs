//! Hashes of messages, equal for messages that are the same. Clients write the JSON of earlier calls and results anew:
//! with other white space and escapes, and in another order.

use serde_json::Value;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::inline_results::before_result;
use super::transcript::{TranscriptCall, TranscriptMessage, TranscriptRole};

/// A hash of so many bits that two things with the same one are the same.
pub(super) type Fingerprint = u128;

/// The messages of a conversation up to one of them.
#[derive(Clone, Copy, Default)]
pub(super) struct Prefix {
    /// Of all messages, in order.
    pub(super) messages: Fingerprint,
    /// Of the last message with calls, and of their identifiers.
    pub(super) calls: Option<Fingerprint>,
    pub(super) is_answered: bool,
    pub(super) has_answer: bool,
}

impl Prefix {
    /// All prefixes of messages but the empty one.
    pub(super) fn all<'m>(messages: impl IntoIterator<Item = &'m TranscriptMessage>) -> Vec<Prefix> {
        let mut last = Prefix::default();
        let mut all = Vec::new();
        for message in messages {
            last = last.with(message);
            all.push(last);
        }
        all
    }

    /// The prefix with one more message.
    pub(super) fn with(self, message: &TranscriptMessage) -> Prefix {
        let own = of_message(message);
        let ids = || message.tool_calls.iter().map(|call| of_text(&call.id));
        let is_answered = message.role == TranscriptRole::Assistant;
        Prefix {
            messages: of_all([self.messages, own]),
            calls: if message.tool_calls.is_empty() {
                self.calls
            } else {
                Some(of_all([own].into_iter().chain(ids())))
            },
            is_answered,
            has_answer: self.has_answer || is_answered,
        }
    }
}

/// Of several things in order.
pub(super) fn of_all(parts: impl IntoIterator<Item = Fingerprint>) -> Fingerprint {
    let mut hash = Xxh3::new();
    // All parts are of one length, so that no two lists have the same bytes.
    parts.into_iter().for_each(|part| hash.update(&part.to_le_bytes()));
    hash.digest128()
}

pub(super) fn of_text(text: &str) -> Fingerprint {
    xxh3_128(text.as_bytes())
}

/// A hash of what clients repeat of a message. Identifiers are not part of it, since some clients give them anew.
pub(super) fn of_message(message: &TranscriptMessage) -> Fingerprint {
    let of_call = |call: &TranscriptCall| [of_text(&call.name), of_json_or_text(call.arguments.get())];
    let calls = message.tool_calls.iter().flat_map(of_call);
    // What a model made up behind a call is not repeated, but the true result in its place.
    let is_answer = message.role == TranscriptRole::Assistant;
    let said = if is_answer { as_answered(before_result(&message.content)) } else { &message.content };
    of_all([message.role as Fingerprint, of_json_or_text(said)].into_iter().chain(calls))
}

/// An answer without what smolagents writes behind it: the end of the code, at which the model is stopped, and the calls that the
/// code is.
fn as_answered(answer: &str) -> &str {
    let answer = answer.split_once("\nCalling tools:\n[{'id': '").map_or(answer, |(answer, _)| answer);
    ["</code>", "<end_code>"]
        .iter()
        .fold(answer.trim_end(), |text, end| text.trim_end_matches(end).trim_end())
}

/// A hash that is equal for texts that differ only in white space around them, and for texts that are the same value as JSON.
fn of_json_or_text(text: &str) -> Fingerprint {
    let text = text.trim();
    // Numbers and words are the same only as they are written.
    let may_be_json = text.starts_with(['{', '[', '"']);
    let value = may_be_json.then(|| serde_json::from_str::<Value>(text).ok()).flatten();
    value.map_or_else(|| of_text(text), |value| of_value(&value))
}

/// A hash that is equal for equal values, whatever the order of their fields. `1.0` equals `1`.
fn of_value(value: &Value) -> Fingerprint {
    match value {
        Value::Null => of_text("null"),
        Value::Bool(value) => of_all([1, Fingerprint::from(*value)]),
        // The sum makes 0.0 of -0.0.
        Value::Number(number) => {
            of_all([2, number.as_f64().map_or(0, |number| (number + 0.0).to_bits()).into()])
        }
        Value::String(text) => of_all([3, of_text(text)]),
        Value::Array(items) => of_all([4].into_iter().chain(items.iter().map(of_value))),
        Value::Object(fields) => {
            let of_field = |(key, value): (&String, &Value)| of_all([of_text(key), of_value(value)]);
            // A sum does not depend on the order, in which clients write fields anew.
            let sum = fields.iter().map(of_field).fold(0, Fingerprint::wrapping_add);
            of_all([5, sum])
        }
    }
}
