//! Refuses conversations with lost content: a new version of a format must not look like a run without texts or bills.

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

/// Bills of a log, or parts of them, that no conversation has.
pub(super) enum Unread {
    /// No count of the bill was read.
    Bill { tokens: u64, place: LogPlace },
    /// Another count of the same bill was read.
    Count { name: String, place: LogPlace },
}

/// Why a conversation is refused, as the text of a note.
pub(super) enum Refusal {
    Empty(String),
    /// No bill was read, with the place of the first bill in the log. A later value may still book one.
    Unbilled(String, Option<LogPlace>),
}

/// Advice for an unreadable log.
const WAY_OUT: &str = "the format may be newer than this program: choose a reader with --from, or write its messages in the format \
                       of ptc-eval generate schema transcript";

impl Conserved {
    /// Searches a value of the log for bills.
    pub(super) fn look(&mut self, raw: &str, place: &LogPlace) {
        for FoundBill { counts } in find_bills(raw) {
            // A part of the input alone is a detail of a bill that is read elsewhere.
            if counts.iter().all(|count| count.side == Side::InputPart) {
                continue;
            }
            self.found += 1;
            let counts = counts.into_iter().map(|count| FoundCount {
                name: self.names.insert_full(count.path).0,
                tokens: count.tokens,
                side: count.side,
            });
            self.places.entry(counts.collect()).or_insert_with(|| place.clone());
        }
    }

    /// Records the bills of a conversation as read.
    pub(super) fn see(&mut self, transcript: &Transcript) {
        usages(transcript).for_each(|usage| self.see_usage(usage));
    }

    fn see_usage(&mut self, usage: &TranscriptUsage) {
        let input =
            [usage.input_tokens, usage.cached_tokens, usage.cache_write_tokens, usage.cache_write_1h_tokens];
        self.read.input.extend(input.into_iter().flatten());
        self.read.output.extend([usage.output_tokens, usage.reasoning_tokens].into_iter().flatten());
        usage.beside.iter().for_each(|call| self.see_usage(call));
    }

    /// The bills and counts neither read nor named, in the order of the log.
    pub(super) fn unread(self, notes: &Notes) -> Vec<Unread> {
        let (bills, named) = (Counts::of(&notes.named_bills), Counts::of(&notes.named_counts));
        // A streamed response has a bill beside each piece. The last one has all output.
        let mut whole: FxHashSet<Vec<FoundCount>> = FxHashSet::default();
        let mut unread = Vec::new();
        for (counts, place) in &self.places {
            let is_lost = |at: &usize| !self.read.have(*at, counts) && !named.have(*at, counts);
            let lost: Vec<usize> = (0..counts.len()).filter(is_lost).collect();
            if lost.is_empty() {
                whole.insert(input_of(counts));
            } else if !bills.have(main_count(counts), counts) {
                unread.push((counts, place, lost));
            }
        }
        unread.retain(|(counts, ..)| !whole.contains(&input_of(counts)));
        unread.into_iter().flat_map(|(counts, place, lost)| self.name_lost(counts, place, &lost)).collect()
    }

    /// Names the lost counts of a bill, or the whole bill if none was read.
    fn name_lost(&self, counts: &[FoundCount], place: &LogPlace, lost: &[usize]) -> Vec<Unread> {
        if lost.len() == counts.len() {
            let tokens = counts.get(main_count(counts)).map_or(0, |count| count.tokens);
            return vec![Unread::Bill { tokens, place: self.place_of(counts, place) }];
        }
        let lost = lost.iter().filter_map(|at| self.names.get_index(counts.get(*at)?.name));
        lost.map(|name| Unread::Count { name: name.clone(), place: place.clone() }).collect()
    }

    /// The place of a bill: that of its value, with the name of its first count.
    fn place_of(&self, counts: &[FoundCount], place: &LogPlace) -> LogPlace {
        let name = counts.first().and_then(|count| self.names.get_index(count.name));
        name.map_or_else(|| place.clone(), |name| place.key(name))
    }

    /// Records that a bill was named as missing.
    pub(super) fn book(&mut self) {
        self.is_booked = true;
    }

    /// True if a bill was read, or named as missing.
    pub(super) fn is_booked(&self) -> bool {
        self.is_booked
    }

    /// Refuses a conversation if most of it is empty, or if no bill has been read so far although the log has some.
    pub(super) fn refusal(&mut self, transcript: &Transcript) -> Option<Refusal> {
        let spoken = transcript.messages.iter().filter(|message| message.role != TranscriptRole::Tool);
        let (empty, spoken) =
            spoken.fold((0, 0), |(empty, all), message| (empty + usize::from(is_empty(message)), all + 1));
        if 2 * empty > spoken {
            let kind = format!("conversations left out, whose messages are mostly empty; {WAY_OUT}");
            return Some(Refusal::Empty(kind));
        }
        self.is_booked |= is_billed(transcript);
        // A few bills may just be unrelated data in tool results.
        let is_lost = self.found > 0 && 2 * self.found >= transcript.answers().count();
        if self.is_booked || !is_lost {
            return None;
        }
        let kind = format!("conversations left out, whose bills are in fields that are not read; {WAY_OUT}");
        let first = self.places.first().map(|(counts, place)| self.place_of(counts, place));
        Some(Refusal::Unbilled(kind, first))
    }
}

impl Counts {
    /// Counts of unknown side.
    fn of(counts: &[u64]) -> Counts {
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

    /// Returns true if these contain a count of a bill, alone or summed with one or two others of its side: some logs count input
    /// without cached tokens, and output without reasoning.
    fn have(&self, at: usize, bill: &[FoundCount]) -> bool {
        let Some(own) = bill.get(at) else { return false };
        if self.has(own.tokens, own.side) {
            return true;
        }
        let is_other = |(other, count): &(usize, &FoundCount)| *other != at && count.is_beside(own);
        let others: Vec<u64> =
            bill.iter().enumerate().filter(is_other).map(|(_, count)| count.tokens).collect();
        others.iter().enumerate().any(|(index, second)| {
            let pair = own.tokens + second;
            self.has(pair, own.side)
                || others.iter().skip(index + 1).any(|third| self.has(pair + third, own.side))
        })
    }
}

impl FoundCount {
    /// Returns true if both counts may be parts of the same sum.
    fn is_beside(&self, other: &FoundCount) -> bool {
        let is_output = |count: &FoundCount| match count.side {
            Side::Input | Side::InputPart => Some(false),
            Side::Output => Some(true),
            Side::Unknown => None,
        };
        is_output(self).zip(is_output(other)).is_none_or(|(own, other)| own == other)
    }
}

/// The counts of a bill that do not change while its answer is streamed.
fn input_of(counts: &[FoundCount]) -> Vec<FoundCount> {
    counts.iter().filter(|count| count.side != Side::Output).copied().collect()
}

/// Index of the input tokens in a bill, or of its largest count if none is called so.
fn main_count(counts: &[FoundCount]) -> usize {
    let largest = || counts.iter().enumerate().max_by_key(|(_, count)| count.tokens).map(|(at, _)| at);
    counts.iter().position(|count| count.side == Side::Input).or_else(largest).unwrap_or(0)
}

fn is_empty(message: &TranscriptMessage) -> bool {
    message.content.trim().is_empty() && message.tool_calls.is_empty() && message.images == 0
}

/// Returns true if the conversation has a bill.
fn is_billed(transcript: &Transcript) -> bool {
    let has_tokens = |usage: &TranscriptUsage| usage.input_tokens.is_some() || usage.output_tokens.is_some();
    usages(transcript).any(has_tokens)
}

fn usages(transcript: &Transcript) -> impl Iterator<Item = &TranscriptUsage> {
    let of_messages = transcript.messages.iter().filter_map(|message| message.usage.as_ref());
    let of_compactions = transcript.compactions.iter().filter_map(|compaction| compaction.usage.as_ref());
    let of_run = transcript.outcome.iter().filter_map(|outcome| outcome.usage.as_ref());
    of_messages.chain(of_compactions).chain(of_run)
}
