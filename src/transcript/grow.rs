//! Joins the calls of a model that a log records one by one: each request repeats the conversation so far.

use serde_json::Value;

use super::draft::Draft;
use super::notes::Notes;
use super::{Transcript, TranscriptCall, TranscriptMessage, TranscriptRole};

/// Number of conversations that are open at a time.
const MAX_OPEN: usize = 32;

/// Conversations that the next request may continue.
#[derive(Default)]
pub(super) struct Growing {
    /// With the number of their first request. The one that grew last is the last.
    open: Vec<(usize, Draft)>,
    begun: usize,
}

impl Growing {
    /// Adds a request with its answer, if it got one. Returns a conversation that nothing continues any more.
    pub(super) fn add(&mut self, mut call: Draft, notes: &mut Notes) -> Option<Draft> {
        self.begun += 1;
        let mut number = self.begun;
        let is_rival =
            |open: &Draft| open.id().is_some() && open.id() == call.id() || repeats_calls(open, &call);
        let has_rival = self.open.iter().any(|(_, open)| is_rival(open));
        let has_same_system = |open: &Draft| open.transcript.system == call.transcript.system;
        let find = |is_continued: &dyn Fn(&Draft) -> bool| {
            self.open.iter().rposition(|(_, open)| is_continued(open))
        };
        let named = find(&|open| call.previous.is_some() && call.previous == open.response);
        let repeated = || {
            find(&|open| has_same_system(open) && is_repeated(open, &call))
                .or_else(|| find(&|open| has_answer(open) && is_repeated(open, &call)))
        };
        if let Some(at) = named.or_else(repeated) {
            let (first, open) = self.open.remove(at);
            number = first;
            if named.is_none() && open.transcript.system != call.transcript.system {
                notes.lost("system prompts that the next request replaces left out", open.place());
            }
            continue_with(open, &mut call, named.is_some());
        } else if has_rival {
            notes.note(
                "requests that do not continue the one before, so that a transcript begins",
                call.place(),
            );
        }
        self.open.push((number, call));
        (self.open.len() > MAX_OPEN).then(|| self.open.remove(0).1)
    }

    /// The conversations that are left, in the order of their first requests.
    pub(super) fn finish(mut self) -> impl Iterator<Item = Draft> {
        self.open.sort_by_key(|(number, _)| *number);
        self.open.into_iter().map(|(_, draft)| draft)
    }
}

/// Returns true if the request begins with all messages of the conversation and goes on, or is its last request again,
/// which got no answer.
fn is_repeated(open: &Draft, call: &Draft) -> bool {
    let (old, new) = (&open.transcript.messages, &call.transcript.messages);
    let is_answered = old.last().is_some_and(|last| last.role == TranscriptRole::Assistant);
    (open.id().is_none() || open.id() == call.id())
        && (old.len() < new.len() || old.len() == new.len() && !is_answered)
        && old.iter().zip(new).rev().all(|(old, new)| is_same(old, new))
}

fn has_answer(open: &Draft) -> bool {
    open.transcript.messages.iter().any(|message| message.role == TranscriptRole::Assistant)
}

/// Returns true if the request repeats the last calls of the conversation, though perhaps not what stands around them.
fn repeats_calls(open: &Draft, call: &Draft) -> bool {
    let ids = |message: &TranscriptMessage| -> Vec<String> {
        message.tool_calls.iter().map(|call| call.id.clone()).collect()
    };
    let last = open.transcript.messages.iter().rfind(|message| !message.tool_calls.is_empty());
    let is_last = |last: &TranscriptMessage, message: &TranscriptMessage| {
        ids(message) == ids(last) && is_same(message, last)
    };
    last.is_some_and(|last| call.transcript.messages.iter().any(|message| is_last(last, message)))
}

/// Makes the request the conversation with its next answer. One that only names the response before it has the messages
/// of the conversation before its own.
fn continue_with(open: Draft, call: &mut Draft, is_named: bool) {
    let Transcript { messages: mut before, tools, .. } = open.transcript;
    if is_named {
        before.append(&mut call.transcript.messages);
        call.transcript.messages = before;
        call.origins.splice(..0, open.origins);
    } else {
        for (old, new) in before.into_iter().zip(&mut call.transcript.messages) {
            new.usage = old.usage;
        }
    }
    if call.transcript.tools.is_empty() {
        call.transcript.tools = tools;
    }
}

/// Parts of a log that alternate, by identifier.
pub(super) struct Alternating<T> {
    /// With the number of their first value. The one that was read last is the last.
    open: Vec<(usize, String, T)>,
    begun: usize,
}

impl<T> Default for Alternating<T> {
    fn default() -> Alternating<T> {
        Alternating { open: Vec::new(), begun: 0 }
    }
}

impl<T: Default> Alternating<T> {
    /// Reads on in a part, or begins it. Returns the part that was read last long ago, if too many are open.
    pub(super) fn at(&mut self, id: &str, read: impl FnOnce(&mut T)) -> Option<T> {
        let known = self.open.iter().position(|(_, own, _)| own == id).map(|at| self.open.remove(at));
        let (number, id, mut part) = known.unwrap_or_else(|| {
            self.begun += 1;
            (self.begun, id.to_owned(), T::default())
        });
        read(&mut part);
        self.open.push((number, id, part));
        (self.open.len() > MAX_OPEN).then(|| self.open.remove(0).2)
    }

    /// The parts that are open, in the order of their first values.
    pub(super) fn finish(&mut self) -> Vec<T> {
        let mut open = std::mem::take(&mut self.open);
        open.sort_by_key(|(number, ..)| *number);
        open.into_iter().map(|(.., part)| part).collect()
    }
}

/// Returns true for the same message. Clients write the JSON of earlier calls and results anew: with other white space and
/// escapes, and in another order.
fn is_same(one: &TranscriptMessage, other: &TranscriptMessage) -> bool {
    let calls = || one.tool_calls.iter().zip(&other.tool_calls);
    let is_same_call = |(one, other): (&TranscriptCall, &TranscriptCall)| {
        one.name == other.name && is_same_text(one.arguments.get(), other.arguments.get())
    };
    one.role == other.role
        && one.tool_calls.len() == other.tool_calls.len()
        && is_same_text(&one.content, &other.content)
        && calls().all(is_same_call)
}

/// Returns true for texts that are the same but for white space around them, or that are the same as JSON.
fn is_same_text(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim(), other.trim());
    let may_be_json = |text: &str| text.starts_with(['{', '[', '"']);
    let parsed = |text| serde_json::from_str::<Value>(text);
    one == other
        || may_be_json(one)
            && may_be_json(other)
            && parsed(one).is_ok_and(|one| parsed(other).is_ok_and(|other| is_same_value(&one, &other)))
}

/// Returns true for equal values, where `1.0` equals `1`.
fn is_same_value(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same_value(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_in_other =
                |(key, one): (&String, &Value)| other.get(key).is_some_and(|other| is_same_value(one, other));
            one.len() == other.len() && one.iter().all(is_in_other)
        }
        _ => one == other,
    }
}
