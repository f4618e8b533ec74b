//! Finds duplicate conversations and prefixes of other conversations. Later logs repeat earlier ones, and folders contain copies; each
//! conversation must count as one run.

use std::io::{self, Write};

use rustc_hash::FxHashMap;
use serde::Serialize;
use xxhash_rust::xxh3::Xxh3Default;

use super::transcript::{Transcript, TranscriptCall, TranscriptMessage, TranscriptRole, TranscriptUsage};

/// A conversation with the hashes of its prefixes, by which [`Repeats`] and [`Ledger`](crate::Ledger) compare it with others. Hashing
/// takes longer than comparing, so threads hash what one thread compares.
pub struct HashedTranscript {
    pub transcript: Transcript,
    /// Hashes of the conversation up to each answer.
    pub(super) beginnings: Vec<u64>,
}

impl From<Transcript> for HashedTranscript {
    fn from(transcript: Transcript) -> HashedTranscript {
        let beginnings = hash_beginnings(&transcript);
        HashedTranscript { transcript, beginnings }
    }
}

/// The conversations so far. Memory use is one hash per answer.
///
/// ```
/// use agent_logs::{HashedTranscript, Novelty, Repeats, Transcript};
///
/// let messages = r#"{"role": "user", "content": "A flight to Oslo?"},
///                   {"role": "assistant", "content": "There are two."}"#;
/// let further = r#"{"role": "user", "content": "The first."}, {"role": "assistant", "content": "Booked."}"#;
/// let morning: Transcript = serde_json::from_str(&format!(r#"{{"messages": [{messages}]}}"#))?;
/// let evening: Transcript = serde_json::from_str(&format!(r#"{{"messages": [{messages}, {further}]}}"#))?;
/// let (morning, evening) = (HashedTranscript::from(morning), HashedTranscript::from(evening));
///
/// let mut repeats = Repeats::default();
/// assert_eq!(repeats.add(&morning, 0), Novelty::New(vec![]));
/// // The same session, logged again later: both count as one run.
/// assert_eq!(repeats.add(&evening, 1), Novelty::New(vec![0]));
/// assert_eq!(repeats.add(&evening, 2), Novelty::Equal);
/// assert_eq!(repeats.add(&morning, 3), Novelty::Beginning);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Default)]
pub struct Repeats {
    /// Billed tokens of each prefix ending with an answer, by hash.
    beginnings: FxHashMap<u64, u64>,
    /// The conversations not continued by others, by hash up to the last answer.
    whole: FxHashMap<u64, Whole>,
}

/// A conversation not continued by another one.
struct Whole {
    number: usize,
    /// Billed tokens of its answers, of its compactions and of the run.
    billed: [u64; 3],
}

/// How a conversation relates to earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Novelty {
    /// New. Continues the conversations with these numbers.
    New(Vec<usize>),
    Equal,
    /// A prefix of another one.
    Beginning,
}

impl Repeats {
    /// Compares a conversation with earlier ones, and stores it under `number` if it is new. A duplicate with larger bills replaces the
    /// earlier copy, because the log of a running session may lack bills.
    pub fn add(&mut self, hashed: &HashedTranscript, number: usize) -> Novelty {
        let HashedTranscript { transcript, beginnings } = hashed;
        let bills = sum_bills(transcript);
        let Some((whole, earlier)) = beginnings.split_last() else { return Novelty::New(Vec::new()) };
        // The last answer is the same in a log with a compaction at its end and in a copy cut before it.
        let billed =
            [bills.last().copied().unwrap_or(0), bill_of_compactions(transcript), bill_of_run(transcript)];
        let mut continued = Vec::new();
        match (self.whole.get(whole), self.beginnings.get(whole)) {
            (Some(same), _) if billed.iter().zip(&same.billed).all(|(own, known)| own <= known) => {
                return Novelty::Equal;
            }
            (Some(same), _) => continued.push(same.number),
            (None, Some(known)) if billed[0] <= *known => return Novelty::Beginning,
            (None, _) => {}
        }
        // An earlier log of the same session is a prefix of this one. Both are one run and count once.
        for (beginning, billed) in earlier.iter().zip(&bills) {
            if self.whole.get(beginning).is_some_and(|known| known.billed[0] <= *billed)
                && let Some(known) = self.whole.remove(beginning)
            {
                continued.push(known.number);
            }
        }
        for (beginning, billed) in beginnings.iter().zip(bills) {
            let known = self.beginnings.entry(*beginning).or_default();
            *known = billed.max(*known);
        }
        self.whole.insert(*whole, Whole { number, billed });
        Novelty::New(continued)
    }
}

/// Billed tokens of a call. Copied calls count 0, so a fork never replaces its parent.
fn billed_tokens(usage: &TranscriptUsage) -> u64 {
    if usage.copied_from.is_some() {
        return 0;
    }
    usage.input_tokens.unwrap_or(0).saturating_add(usage.output_tokens.unwrap_or(0))
}

fn bill_of_run(transcript: &Transcript) -> u64 {
    let of_run = transcript.outcome.as_ref().and_then(|outcome| outcome.usage.as_ref());
    of_run.map_or(0, billed_tokens)
}

fn bill_of_compactions(transcript: &Transcript) -> u64 {
    let usages = transcript.compactions.iter().filter_map(|compaction| compaction.usage.as_ref());
    usages.map(billed_tokens).fold(0, u64::saturating_add)
}

/// Cumulative billed tokens up to each answer.
fn sum_bills(transcript: &Transcript) -> Vec<u64> {
    let mut billed: u64 = 0;
    let mut bills = Vec::new();
    for message in &transcript.messages {
        billed = billed.saturating_add(message.usage.as_ref().map_or(0, billed_tokens));
        if message.role == TranscriptRole::Assistant {
            bills.push(billed);
        }
    }
    bills
}

/// The part of a message seen or produced by a model.
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

/// Hashes of the conversation up to each answer. Messages after the last answer were never sent.
fn hash_beginnings(transcript: &Transcript) -> Vec<u64> {
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

/// Hashes a value as JSON. Independent of the machine.
pub fn hash_of(value: &impl Serialize) -> u64 {
    let mut hasher = Hasher::default();
    hasher.add(value);
    hasher.0.digest()
}

#[derive(Default)]
struct Hasher(Xxh3Default);

impl Hasher {
    fn add(&mut self, value: &impl Serialize) {
        // JSON is written in pieces of a few bytes. Only maps with non-string keys fail, and none is hashed here.
        let mut buffered = io::BufWriter::new(self);
        let _ = serde_json::to_writer(&mut buffered, value);
        let _ = buffered.flush();
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
