//! Refuses conversations with lost content: a new version of a format must not look like a run without texts or bills.

use indexmap::IndexMap;
use memchr::memmem;
use rustc_hash::FxHashSet;

use super::place::LogPlace;
use super::transcript::{Transcript, TranscriptMessage, TranscriptRole, TranscriptUsage};

/// The bills of a log, found by field name, and the bills already read.
#[derive(Default)]
pub(super) struct Conserved {
    /// Number of bills in the log.
    found: usize,
    /// The first place of each input token count.
    places: IndexMap<u64, LogPlace>,
    /// Input token counts of the conversations passed on.
    read: FxHashSet<u64>,
    is_booked: bool,
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
        for tokens in find_bills(raw) {
            self.found += 1;
            self.places.entry(tokens).or_insert_with(|| place.clone());
        }
    }

    /// Records the bills of a conversation as read.
    pub(super) fn see(&mut self, transcript: &Transcript) {
        usages(transcript).for_each(|usage| self.see_usage(usage));
    }

    fn see_usage(&mut self, usage: &TranscriptUsage) {
        let Some(input) = usage.input_tokens else { return };
        let cached = usage.cached_tokens.unwrap_or(0);
        let written = usage.cache_write_tokens.unwrap_or(0);
        // Logs count input tokens with or without those read from or written to the cache.
        self.read.extend(
            [0, cached, written, cached.saturating_add(written)].map(|beside| input.saturating_sub(beside)),
        );
        usage.beside.iter().for_each(|call| self.see_usage(call));
    }

    /// The bills neither read nor named, as input tokens and place.
    pub(super) fn unread(self, named: &[u64]) -> Vec<(u64, LogPlace)> {
        let is_unread = |tokens: &u64| !self.read.contains(tokens) && !named.contains(tokens);
        self.places.into_iter().filter(|(tokens, _)| is_unread(tokens)).collect()
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
        Some(Refusal::Unbilled(kind, self.places.values().next().cloned()))
    }
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

/// Finds input token counts above 0 in raw JSON, in fields such as `input_tokens` and `promptTokenCount`. Excludes running totals and cache
/// counts. JSON inside a string does not match, because a backslash precedes its quotes.
pub(super) fn find_bills(raw: &str) -> Vec<u64> {
    // Gemini bills tool input separately from the prompt, but a conversation has the sum.
    let beside = ["toolUsePromptTokenCount", "tool_use_prompt_token_count"];
    if beside.iter().any(|name| memmem::find(raw.as_bytes(), name.as_bytes()).is_some()) {
        return Vec::new();
    }
    let places = memmem::find_iter(raw.as_bytes(), b"oken");
    let mut bills: Vec<u64> = places.filter_map(|at| bill_at(raw, at)).collect();
    bills.extend(memmem::find_iter(raw.as_bytes(), b"\"input\":").filter_map(|at| pair_at(raw, at)));
    bills
}

/// The input tokens of an object like `"tokens": {"input": 900, "output": 20}`: pi, opencode and Gemini CLI have no "token" in the field
/// names.
fn pair_at(raw: &str, at: usize) -> Option<u64> {
    let (before, after) = (raw.get(..at)?, raw.get(at..)?);
    let input = number_behind(after.split_once(':')?.1)?;
    let object = after.get(..after.find(['{', '}'])?)?;
    let start = before.rfind('{')?;
    let parts = [object, before.get(start..)?];
    let has_output = parts.iter().any(|part| part.contains("\"output\":"));
    // Gemini CLI counts tool input separately, but a conversation has the sum.
    let fetched = parts.iter().filter_map(|part| number_behind(part.split_once("\"tool\":")?.1)).next();
    (has_output && fetched.is_none() && !is_sum(before.get(..=start)?)).then_some(input)
}

/// Parses a positive integer at the start of a text, after white space.
fn number_behind(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    // Prices and costs have fractions.
    let is_whole = text.get(end..).is_none_or(|rest| !rest.starts_with(['.', 'e', 'E']));
    text.get(..end)?.parse().ok().filter(|tokens| *tokens > 0 && is_whole)
}

/// The input tokens of the field with `oken` in its name at this position.
fn bill_at(raw: &str, at: usize) -> Option<u64> {
    let (before, after) = (raw.get(..at)?, raw.get(at..)?);
    let (name, value) = after.split_once("\":")?;
    if !matches!(name, "okens" | "okenCount" | "oken_count" | "okensCount") {
        return None;
    }
    let start = before.rfind('"')?;
    let key = before.get(start + 1..)?.to_ascii_lowercase();
    let is_input = ["input", "prompt", "request"]
        .iter()
        .any(|word| key.rsplit('.').next().unwrap_or(&key).starts_with(word));
    if !is_input || key.contains("cache") || is_sum(before.get(..start)?) {
        return None;
    }
    number_behind(value)
}

/// Returns true at the start of an object under a key such as `total_token_usage`.
fn is_sum(before: &str) -> bool {
    let Some((above, _)) = before.rsplit_once('{') else { return false };
    let above = above.trim_end_matches([' ', '\n', ':']);
    let key = above.strip_suffix('"').and_then(|above| above.rsplit('"').next()).unwrap_or_default();
    let key = key.to_ascii_lowercase();
    ["total", "accumulated", "cost", "price"].iter().any(|word| key.contains(word))
}
