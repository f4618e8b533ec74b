//! Hashes for comparing messages. They ignore JSON formatting, because clients reserialize earlier calls and results with different white
//! space, escapes and key order.

use serde_json::Value;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::inline_results::before_result;
use super::transcript::TranscriptMessage;

/// A 128-bit hash; collisions are negligible.
pub(super) type Fingerprint = u128;

/// A prefix of a conversation.
#[derive(Clone, Copy, Default)]
pub(super) struct Prefix {
    /// Hash of all messages, in order.
    pub(super) messages: Fingerprint,
    /// Hash of the last message with calls, including their identifiers.
    pub(super) calls: Option<Fingerprint>,
    pub(super) is_answered: bool,
    pub(super) has_answer: bool,
}

impl Prefix {
    /// All non-empty prefixes.
    pub(super) fn all_prefixes<'m>(messages: impl IntoIterator<Item = &'m TranscriptMessage>) -> Vec<Prefix> {
        let mut last = Prefix::default();
        let mut all = Vec::new();
        for message in messages {
            last = last.with_message(message);
            all.push(last);
        }
        all
    }

    /// The prefix extended by one message.
    pub(super) fn with_message(self, message: &TranscriptMessage) -> Prefix {
        let own = of_message(message);
        let is_answered = message.is_answer();
        Prefix {
            messages: of_all([self.messages, own]),
            calls: match message.tool_calls.is_empty() {
                true => self.calls,
                false => Some(with_ids(own, message)),
            },
            is_answered,
            has_answer: self.has_answer || is_answered,
        }
    }
}

/// Hashes a message, given by its hash, with the identifiers of its calls.
pub(super) fn with_ids(own: Fingerprint, message: &TranscriptMessage) -> Fingerprint {
    of_all([own].into_iter().chain(message.tool_calls.iter().map(|call| of_text(&call.id))))
}

/// Hashes a sequence.
pub(super) fn of_all(parts: impl IntoIterator<Item = Fingerprint>) -> Fingerprint {
    let mut hash = Xxh3::new();
    // All parts have the same length, so different lists have different bytes.
    for part in parts {
        hash.update(&part.to_le_bytes());
    }
    hash.digest128()
}

pub(super) fn of_text(text: &str) -> Fingerprint {
    xxh3_128(text.as_bytes())
}

/// Hashes the repeatable part of a message. Excludes identifiers, because some clients regenerate them.
pub(super) fn of_message(message: &TranscriptMessage) -> Fingerprint {
    let calls = message.tool_calls.iter();
    let calls = calls.flat_map(|call| [of_text(&call.name), of_json_or_text(call.arguments.get())]);
    // Cut off results invented by the model after a call: the client sends the real result instead.
    let text = match message.is_answer() {
        true => strip_appended(before_result(&message.content)),
        false => &message.content,
    };
    of_all([message.role as Fingerprint, of_json_or_text(text)].into_iter().chain(calls))
}

/// Strips additions of smolagents to an answer: the stop marker at the end of the code, and the calls made by the code.
fn strip_appended(answer: &str) -> &str {
    let mut text = match answer.split_once("\nCalling tools:\n[{'id': '") {
        Some((answer, _)) => answer.trim_end(),
        None => answer.trim_end(),
    };
    for end in ["</code>", "<end_code>"] {
        text = text.trim_end_matches(end).trim_end();
    }
    text
}

/// Hashes a text, ignoring outer white space and JSON formatting.
fn of_json_or_text(text: &str) -> Fingerprint {
    let text = text.trim();
    // Bare numbers and words are compared as text.
    if text.starts_with(['{', '[', '"'])
        && let Ok(value) = serde_json::from_str::<Value>(text)
    {
        return of_value(&value);
    }
    of_text(text)
}

/// Hashes a JSON value, ignoring key order. `1.0` equals `1`.
fn of_value(value: &Value) -> Fingerprint {
    match value {
        Value::Null => of_text("null"),
        Value::Bool(value) => of_all([1, Fingerprint::from(*value)]),
        // Adding 0.0 turns -0.0 into 0.0.
        Value::Number(number) => {
            of_all([2, number.as_f64().map_or(0, |number| (number + 0.0).to_bits()).into()])
        }
        Value::String(text) => of_all([3, of_text(text)]),
        Value::Array(items) => of_all([4].into_iter().chain(items.iter().map(of_value))),
        Value::Object(fields) => {
            let mut sum: Fingerprint = 0;
            for (key, value) in fields {
                // A sum is independent of key order.
                sum = sum.wrapping_add(of_all([of_text(key), of_value(value)]));
            }
            of_all([5, sum])
        }
    }
}
