//! Books each provider call once, even if several logs contain a copy of its answer: forks, subagents and copied files repeat the bills of
//! their original session.

use rustc_hash::FxHashMap;

use super::repeats::{HashedTranscript, hash_of};
use super::time::LogTime;
use super::transcript::TranscriptUsage;

/// The calls of all conversations so far, by conversation.
///
/// ```
/// use agent_logs::{HashedTranscript, Ledger, Transcript};
///
/// let session: Transcript = serde_json::from_str(
///     r#"{"messages": [{"role": "user", "content": "A flight to Oslo?"},
///                      {"role": "assistant", "content": "There are two.", "usage": {"input_tokens": 812}}]}"#,
/// )?;
/// let (mut original, mut copy) = (HashedTranscript::from(session.clone()), HashedTranscript::from(session));
/// let mut ledger = Ledger::default();
/// assert_eq!(ledger.book(&mut original, 0, "monday.jsonl"), 0);
/// // A fork of the session repeats its bill.
/// assert_eq!(ledger.book(&mut copy, 1, "fork.jsonl"), 1);
/// let usage = copy.transcript.messages[1].usage.as_ref();
/// assert_eq!(usage.and_then(|usage| usage.copied_from.as_deref()), Some("monday.jsonl"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Default)]
pub struct Ledger {
    /// Conversation of each booked call, by hash of the call's identity.
    booked: FxHashMap<u64, usize>,
    /// The calls of each conversation.
    calls: FxHashMap<usize, Vec<u64>>,
    /// Names of the conversations.
    names: FxHashMap<usize, String>,
}

impl Ledger {
    /// Books a conversation's calls under a number and a name, and marks calls booked already as copies. Returns the number of copies.
    pub fn book(&mut self, hashed: &mut HashedTranscript, number: usize, name: &str) -> usize {
        let id = hashed.transcript.source.as_ref().and_then(|source| source.id.as_deref());
        self.names.insert(number, id.unwrap_or(name).to_owned());
        let (mut own, mut copies) = (Vec::new(), 0);
        for (identities, usage) in billed_calls(hashed) {
            if let Some(booked) = identities.iter().find_map(|identity| self.booked.get(identity)) {
                usage.copied_from = self.names.get(booked).cloned();
                copies += 1;
                continue;
            }
            for identity in identities {
                self.booked.insert(identity, number);
                own.push(identity);
            }
        }
        self.calls.insert(number, own);
        copies
    }

    /// Removes a conversation's calls, when another conversation continues it.
    pub fn release(&mut self, number: usize) {
        for identity in self.calls.remove(&number).into_iter().flatten() {
            self.booked.remove(&identity);
        }
        self.names.remove(&number);
    }
}

/// A conversation's bills with the identities of their calls. Excludes known copies.
fn billed_calls(hashed: &mut HashedTranscript) -> Vec<(Vec<u64>, &mut TranscriptUsage)> {
    let HashedTranscript { transcript, beginnings } = hashed;
    let mut answered = beginnings.iter();
    let mut calls = Vec::new();
    for message in &mut transcript.messages {
        let ended = message.ended();
        let beginning = if message.is_answer() { answered.next() } else { None };
        if let Some(usage) = &mut message.usage {
            let place = Place { ended, content: &message.content, beginning: beginning.copied() };
            calls.push((place.call_identities(usage), usage));
        }
    }
    for (index, compaction) in (0_u64..).zip(&mut transcript.compactions) {
        let ended = compaction.time.as_deref().and_then(LogTime::parse);
        let content = compaction.text.as_deref().unwrap_or("");
        let beginning = beginnings.first().map(|first| hash_of(&("compaction", first, index)));
        if let Some(usage) = &mut compaction.usage {
            calls.push((Place { ended, content, beginning }.call_identities(usage), usage));
        }
    }
    if let Some(outcome) = &mut transcript.outcome
        && let Some(usage) = &mut outcome.usage
    {
        let beginning = beginnings.last().map(|last| hash_of(&("run", last)));
        calls.push((Place { ended: None, content: "", beginning }.call_identities(usage), usage));
    }
    calls.retain(|(_, usage)| usage.copied_from.is_none());
    calls
}

/// The place of a bill in its conversation.
struct Place<'t> {
    ended: Option<LogTime>,
    content: &'t str,
    /// A hash of the conversation up to the answer.
    beginning: Option<u64>,
}

impl Place<'_> {
    /// Identities of a call: its logged identifiers, or its time and tokens, or the conversation so far and its tokens. Empty if the call
    /// has no tokens.
    fn call_identities(&self, usage: &TranscriptUsage) -> Vec<u64> {
        let tokens = [usage.input_tokens, usage.cached_tokens, usage.cache_write_tokens, usage.output_tokens];
        if tokens.iter().flatten().all(|count| *count == 0) {
            return Vec::new();
        }
        let named: Vec<u64> = [&usage.call, &usage.copy_of].into_iter().flatten().map(hash_of).collect();
        if !named.is_empty() {
            return named;
        }
        match (self.ended, self.beginning) {
            (Some(ended), _) => vec![hash_of(&(ended, &usage.model, tokens, self.content))],
            (None, Some(beginning)) => vec![hash_of(&(beginning, &usage.model, tokens))],
            (None, None) => Vec::new(),
        }
    }
}
