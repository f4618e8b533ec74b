//! Books each call to a provider once, however many logs hold a copy of its answer: forks, subagents and copied files repeat the
//! bills of the session that they began with.

use rustc_hash::FxHashMap;

use super::repeats::hash_of;
use super::transcript::{Transcript, TranscriptMessage};

/// The calls of all conversations so far, by conversation.
#[derive(Default)]
pub struct Ledger {
    /// The conversation that each call is booked in, by the hash of the call's identity.
    booked: FxHashMap<u64, usize>,
    /// The calls of each conversation, by its number.
    calls: FxHashMap<usize, Vec<u64>>,
    /// The names of conversations with calls, by number.
    names: FxHashMap<usize, String>,
}

impl Ledger {
    /// Books the calls of a conversation under a number and a name, and marks those that are booked in another one. Returns the
    /// number of these.
    pub fn book(&mut self, transcript: &mut Transcript, number: usize, name: &str) -> usize {
        let id = transcript.source.as_ref().and_then(|source| source.id.clone());
        let (mut own, mut copies) = (Vec::new(), 0);
        for message in &mut transcript.messages {
            let identities = identities(message);
            let booked = identities.iter().find_map(|identity| self.booked.get(identity));
            match (booked, &mut message.usage) {
                (Some(booked), Some(usage)) => {
                    usage.copied_from = self.names.get(booked).cloned();
                    copies += 1;
                }
                _ => own.extend(identities),
            }
        }
        self.booked.extend(own.iter().map(|identity| (*identity, number)));
        if !own.is_empty() {
            self.calls.insert(number, own);
            self.names.insert(number, id.unwrap_or_else(|| name.to_owned()));
        }
        copies
    }

    /// Forgets the calls of a conversation that is left out, since another one continues it.
    pub fn release(&mut self, number: usize) {
        for identity in self.calls.remove(&number).into_iter().flatten() {
            self.booked.remove(&identity);
        }
        self.names.remove(&number);
    }
}

/// The identities of a call that is not known to be a copy: those that its log names, else its time and tokens. A call without either
/// has none.
fn identities(message: &TranscriptMessage) -> Vec<u64> {
    let Some(usage) = message.usage.as_ref().filter(|usage| usage.copied_from.is_none()) else {
        return Vec::new();
    };
    let tokens = [usage.input_tokens, usage.cached_tokens, usage.cache_write_tokens, usage.output_tokens];
    if tokens.iter().flatten().sum::<u64>() == 0 {
        return Vec::new();
    }
    let named: Vec<u64> = [&usage.call, &usage.copy_of].into_iter().flatten().map(hash_of).collect();
    if !named.is_empty() {
        return named;
    }
    let Some(time) = message.time else { return Vec::new() };
    let ended = message.ended().map(|ended| ended.to_string());
    vec![hash_of(&(time.to_string(), ended, &usage.model, tokens, &message.content))]
}
