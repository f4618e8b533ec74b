//! Finds conversations that equal another one or are the beginning of another one. Logs of a later round repeat those of an
//! earlier one, and folders hold copies: each conversation is one run.

use std::io;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3Default;

use super::transcript::{Transcript, TranscriptCall, TranscriptMessage, TranscriptRole};

/// The conversations so far. It keeps a number for each answer.
#[derive(Default)]
pub struct Repeats {
    /// Hashes of the beginnings of all conversations, up to each answer.
    beginnings: FxHashSet<u64>,
    /// The conversations that no other one continues, by the hash up to their last answer.
    whole: FxHashMap<u64, usize>,
}

/// The relation of a conversation to those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Novelty {
    /// It is new, and continues the conversations with these numbers.
    New(Vec<usize>),
    Equal,
    /// It is the beginning of another one.
    Beginning,
}

impl Repeats {
    /// Compares a conversation with those before it, and remembers it by this number if it is new.
    pub fn add(&mut self, transcript: &Transcript, number: usize) -> Novelty {
        let beginnings = beginnings(transcript);
        let Some((whole, earlier)) = beginnings.split_last() else { return Novelty::New(Vec::new()) };
        if self.whole.contains_key(whole) {
            return Novelty::Equal;
        }
        if self.beginnings.contains(whole) {
            return Novelty::Beginning;
        }
        // An earlier log of the same session is the beginning of this one: it is one run, and counts once.
        let continued = earlier.iter().filter_map(|beginning| self.whole.remove(beginning)).collect();
        self.whole.insert(*whole, number);
        self.beginnings.extend(beginnings);
        Novelty::New(continued)
    }
}

/// The part of a message that a model sees or makes.
#[derive(Serialize)]
struct Said<'m> {
    role: TranscriptRole,
    content: &'m str,
    tool_calls: &'m [TranscriptCall],
    call: Option<&'m str>,
    is_error: bool,
    is_observation: bool,
    images: u32,
}

impl<'m> From<&'m TranscriptMessage> for Said<'m> {
    fn from(message: &'m TranscriptMessage) -> Said<'m> {
        Said {
            role: message.role,
            content: &message.content,
            tool_calls: &message.tool_calls,
            call: message.call.as_deref(),
            is_error: message.is_error,
            is_observation: message.is_observation,
            images: message.images,
        }
    }
}

/// A hash of the conversation up to each answer. What follows the last one is in no request.
fn beginnings(transcript: &Transcript) -> Vec<u64> {
    let mut hasher = Hasher::default();
    hasher.add(&(&transcript.system, &transcript.tools));
    let mut beginnings = Vec::new();
    for message in &transcript.messages {
        hasher.add(&Said::from(message));
        if message.role == TranscriptRole::Assistant {
            beginnings.push(hasher.0.digest());
        }
    }
    beginnings
}

/// A hash of the value as JSON; the same on every machine.
pub fn hash_of(value: &impl Serialize) -> u64 {
    let mut hasher = Hasher::default();
    hasher.add(value);
    hasher.0.digest()
}

#[derive(Default)]
struct Hasher(Xxh3Default);

impl Hasher {
    fn add(&mut self, value: &impl Serialize) {
        // A map whose keys are no strings would be an error; none is hashed.
        let _ = serde_json::to_writer(self, value);
    }
}

impl io::Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
