//! Refuses conversations with lost content. Otherwise, a new version of a format would look like a run without texts or bills.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;

use super::bills::{FoundBill, Side, find_bills};
use super::notes::Notes;
use super::place::LogPlace;
use super::transcript::{Transcript, TranscriptMessage, TranscriptRole, TranscriptUsage};

/// The bills of a log, found by field name, and the bills already read.
#[derive(Default)]
pub(super) struct Conserved {
    /// Number of bills in the log.
    found: usize,
    /// Names of token counts, with the object around them.
    names: IndexSet<String>,
    /// The first place of each bill. A repeated bill is the same one.
    places: IndexMap<Box<[FoundCount]>, LogPlace>,
    /// Token counts of the conversations passed on.
    read: Counts,
    is_booked: bool,
}

/// A token count in the log.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct FoundCount {
    /// Index of its name.
    name: usize,
    tokens: u64,
    side: Side,
}

/// Token counts by side of the bill.
#[derive(Default)]
struct Counts {
    input: FxHashSet<u64>,
    output: FxHashSet<u64>,
}

/// A bill of the log, or a part of one, missing from all conversations.
pub(super) enum Unread {
    /// No count of the bill was read.
    Bill { tokens: u64, place: LogPlace },
    /// Another count of the same bill was read.
    Count { name: String, place: LogPlace },
}

/// The reason to refuse a conversation, as the text of a note.
pub(super) enum Refusal {
    Empty(String),
    /// No bill was read so far; a later value may have one. Contains the place of the first bill found in the log.
    Unbilled(String, Option<LogPlace>),
}

/// Advice for an unreadable log.
const WAY_OUT: &str = "the format may be newer than this program: choose a reader with --from, or convert the log to the format of \
                       ptc-eval generate schema transcript";

impl Conserved {
    /// Searches a value of the log for bills.
    pub(super) fn search_bills(&mut self, raw: &str, place: &LogPlace) {
        for FoundBill { counts } in find_bills(raw) {
            // A part of the input alone is a detail of a bill that is read elsewhere.
            if counts.iter().all(|count| count.side == Side::InputPart) {
                continue;
            }
            self.found += 1;
            let mut bill = Vec::with_capacity(counts.len());
            for count in counts {
                let (name, _) = self.names.insert_full(count.path);
                bill.push(FoundCount { name, tokens: count.tokens, side: count.side });
            }
            self.places.entry(bill.into()).or_insert_with(|| place.clone());
        }
    }

    /// Records the bills of a conversation as read.
    pub(super) fn record_read(&mut self, transcript: &Transcript) {
        for usage in usages(transcript) {
            self.record_usage(usage);
        }
    }

    fn record_usage(&mut self, usage: &TranscriptUsage) {
        let input =
            [usage.input_tokens, usage.cached_tokens, usage.cache_write_tokens, usage.cache_write_1h_tokens];
        self.read.input.extend(input.into_iter().flatten());
        self.read.output.extend([usage.output_tokens, usage.reasoning_tokens].into_iter().flatten());
        for call in &usage.beside {
            self.record_usage(call);
        }
    }

    /// The bills and counts neither read nor named, in the order of the log.
    pub(super) fn unread(self, notes: &Notes) -> Vec<Unread> {
        let bills = Counts::of_unknown_side(&notes.named_bills);
        let named = Counts::of_unknown_side(&notes.named_counts);
        // A streamed response has a bill beside each piece. The last one has all output.
        let mut whole: FxHashSet<Vec<FoundCount>> = FxHashSet::default();
        let mut incomplete = Vec::new();
        for (counts, place) in &self.places {
            let mut lost = Vec::new();
            for at in 0..counts.len() {
                if !self.read.explain(at, counts) && !named.explain(at, counts) {
                    lost.push(at);
                }
            }
            if lost.is_empty() {
                whole.insert(input_of(counts));
            } else if !bills.explain(main_count(counts), counts) {
                incomplete.push((counts, place, lost));
            }
        }
        let mut unread = Vec::new();
        for (counts, place, lost) in incomplete {
            if !whole.contains(&input_of(counts)) {
                self.name_lost(counts, place, &lost, &mut unread);
            }
        }
        unread
    }

    /// Names the lost counts of a bill, or the whole bill if none was read.
    fn name_lost(&self, counts: &[FoundCount], place: &LogPlace, lost: &[usize], unread: &mut Vec<Unread>) {
        if lost.len() == counts.len() {
            let tokens = counts.get(main_count(counts)).map_or(0, |count| count.tokens);
            unread.push(Unread::Bill { tokens, place: self.place_of(counts, place) });
            return;
        }
        for at in lost {
            if let Some(count) = counts.get(*at)
                && let Some(name) = self.names.get_index(count.name)
            {
                unread.push(Unread::Count { name: name.clone(), place: place.clone() });
            }
        }
    }

    /// The place of a bill: that of its value, with the name of its first count.
    fn place_of(&self, counts: &[FoundCount], place: &LogPlace) -> LogPlace {
        match counts.first().and_then(|count| self.names.get_index(count.name)) {
            Some(name) => place.key(name),
            None => place.clone(),
        }
    }

    /// Records that a bill was named as missing.
    pub(super) fn mark_booked(&mut self) {
        self.is_booked = true;
    }

    /// True if a bill was read, or named as missing.
    pub(super) fn is_booked(&self) -> bool {
        self.is_booked
    }

    /// Refuses a conversation if most of it is empty, or if no bill has been read so far although the log has some.
    pub(super) fn refuse(&mut self, transcript: &Transcript) -> Option<Refusal> {
        let (mut empty, mut all) = (0, 0);
        for message in &transcript.messages {
            if message.role != TranscriptRole::Tool {
                all += 1;
                empty += usize::from(is_empty(message));
            }
        }
        if 2 * empty > all {
            let kind = format!("conversations with mostly empty messages left out; {WAY_OUT}");
            return Some(Refusal::Empty(kind));
        }
        self.is_booked |= is_billed(transcript);
        // A few bills may just be unrelated data in tool results.
        let is_lost = 2 * self.found >= transcript.answers().count();
        if self.is_booked || !is_lost {
            return None;
        }
        let kind = format!("conversations with bills in unknown fields left out; {WAY_OUT}");
        let first = self.places.first().map(|(counts, place)| self.place_of(counts, place));
        Some(Refusal::Unbilled(kind, first))
    }
}

impl Counts {
    fn of_unknown_side(counts: &[u64]) -> Counts {
        let all: FxHashSet<u64> = counts.iter().copied().collect();
        Counts { input: all.clone(), output: all }
    }

    fn has(&self, tokens: u64, side: Side) -> bool {
        match side {
            Side::Input | Side::InputPart => self.input.contains(&tokens),
            Side::Output => self.output.contains(&tokens),
            Side::Unknown => self.input.contains(&tokens) || self.output.contains(&tokens),
        }
    }

    /// Returns true for a count of a bill that was read, alone or summed with one or two others of its side: some logs count input without
    /// cached tokens, and output without reasoning.
    fn explain(&self, at: usize, bill: &[FoundCount]) -> bool {
        let Some(own) = bill.get(at) else { return false };
        if self.has(own.tokens, own.side) {
            return true;
        }
        let mut others = Vec::new();
        for (index, count) in bill.iter().enumerate() {
            if index != at && count.is_beside(own) {
                others.push(count.tokens);
            }
        }
        for (index, second) in others.iter().enumerate() {
            let pair = own.tokens + second;
            if self.has(pair, own.side)
                || others.iter().skip(index + 1).any(|third| self.has(pair + third, own.side))
            {
                return true;
            }
        }
        false
    }
}

impl FoundCount {
    /// Returns true if both counts may be parts of the same sum.
    fn is_beside(&self, other: &FoundCount) -> bool {
        match (self.side, other.side) {
            (Side::Unknown, _) | (_, Side::Unknown) => true,
            (own, other) => (own == Side::Output) == (other == Side::Output),
        }
    }
}

/// The counts of a bill that do not change while its answer is streamed.
fn input_of(counts: &[FoundCount]) -> Vec<FoundCount> {
    counts.iter().filter(|count| count.side != Side::Output).copied().collect()
}

/// Index of the input tokens in a bill, or of its largest count if none is called so.
fn main_count(counts: &[FoundCount]) -> usize {
    if let Some(at) = counts.iter().position(|count| count.side == Side::Input) {
        return at;
    }
    match counts.iter().enumerate().max_by_key(|(_, count)| count.tokens) {
        Some((at, _)) => at,
        None => 0,
    }
}

fn is_empty(message: &TranscriptMessage) -> bool {
    message.content.trim().is_empty() && message.tool_calls.is_empty() && message.images == 0
}

/// Returns true if the conversation has a bill.
fn is_billed(transcript: &Transcript) -> bool {
    usages(transcript).any(|usage| usage.input_tokens.is_some() || usage.output_tokens.is_some())
}

fn usages(transcript: &Transcript) -> impl Iterator<Item = &TranscriptUsage> {
    let of_messages = transcript.messages.iter().filter_map(|message| message.usage.as_ref());
    let of_compactions = transcript.compactions.iter().filter_map(|compaction| compaction.usage.as_ref());
    let of_run = transcript.outcome.iter().filter_map(|outcome| outcome.usage.as_ref());
    of_messages.chain(of_compactions).chain(of_run)
}
