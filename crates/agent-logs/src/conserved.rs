//! Refuses conversations that a reader lost: a new version of a format must not look like a run without texts or bills.

use memchr::memmem;

use super::place::LogPlace;
use super::transcript::{Transcript, TranscriptMessage, TranscriptRole, TranscriptUsage};

/// The bills that a log holds by the names of their fields, and whether any of them was read.
#[derive(Default)]
pub(super) struct Conserved {
    /// Numbers of input tokens in the log, while none was booked.
    found: usize,
    first: Option<LogPlace>,
    is_booked: bool,
}

/// The reason to refuse a conversation, as a note on it.
pub(super) enum Refusal {
    Empty(String),
    /// The first bill stands there. A later value may yet book one.
    Unbilled(String, Option<LogPlace>),
}

/// The way out of a log that cannot be read.
const WAY_OUT: &str = "the format may be newer than this program: choose a reader with --from, or write its messages in the format \
                       of ptc-eval schema transcript";

impl Conserved {
    /// Counts the bills in a value of the log.
    pub(super) fn look(&mut self, raw: &str, place: &LogPlace) {
        if self.is_booked {
            return;
        }
        let found = count_bills(raw);
        if found > 0 {
            self.first.get_or_insert_with(|| place.clone());
        }
        self.found += found;
    }

    /// Notes that a bill was named as missing.
    pub(super) fn book(&mut self) {
        self.is_booked = true;
    }

    /// True if a bill of the log is known, or named as missing.
    pub(super) fn is_booked(&self) -> bool {
        self.is_booked
    }

    /// The reason to refuse a conversation: most of it came out empty, or all its bills are lost as far as the log was read.
    pub(super) fn refusal(&mut self, transcript: &Transcript) -> Option<Refusal> {
        let spoken = transcript.messages.iter().filter(|message| message.role != TranscriptRole::Tool);
        let (empty, spoken) =
            spoken.fold((0, 0), |(empty, all), message| (empty + usize::from(is_empty(message)), all + 1));
        if 2 * empty > spoken {
            let kind = format!("conversations left out, whose messages are mostly empty; {WAY_OUT}");
            return Some(Refusal::Empty(kind));
        }
        self.is_booked |= is_billed(transcript);
        // Results of tools may hold a bill of something else.
        let is_lost = self.found > 0 && 2 * self.found >= transcript.answers().count();
        if self.is_booked || !is_lost {
            return None;
        }
        let kind = format!("conversations left out, whose bills are in fields that are not read; {WAY_OUT}");
        Some(Refusal::Unbilled(kind, self.first.clone()))
    }
}

fn is_empty(message: &TranscriptMessage) -> bool {
    message.content.trim().is_empty() && message.tool_calls.is_empty() && message.images == 0
}

/// Returns true if something was billed for a conversation.
fn is_billed(transcript: &Transcript) -> bool {
    let of_messages = transcript.messages.iter().filter_map(|message| message.usage.as_ref());
    let of_compactions = transcript.compactions.iter().filter_map(|compaction| compaction.usage.as_ref());
    let of_run = transcript.outcome.iter().filter_map(|outcome| outcome.usage.as_ref());
    let has_tokens = |usage: &TranscriptUsage| usage.input_tokens.is_some() || usage.output_tokens.is_some();
    of_messages.chain(of_compactions).chain(of_run).any(has_tokens)
}

/// The number of fields such as `input_tokens` and `promptTokenCount` with a number above 0. Those inside a text have a
/// backslash before their quote.
fn count_bills(raw: &str) -> usize {
    let bytes = raw.as_bytes();
    memmem::find_iter(bytes, b"oken").filter(|at| is_bill(raw, *at)).count()
}

fn is_bill(raw: &str, at: usize) -> bool {
    let (Some(before), Some(after)) = (raw.get(..at), raw.get(at..)) else { return false };
    let key = before.rsplit('"').next().unwrap_or_default().to_ascii_lowercase();
    let Some((name, value)) = after.split_once("\":") else { return false };
    let is_count = matches!(name, "okens" | "okenCount" | "oken_count" | "okensCount");
    let is_input =
        ["input", "prompt"].iter().any(|word| key.rsplit('.').next().unwrap_or(&key).starts_with(word));
    is_count && is_input && value.trim_start().starts_with(|c: char| ('1'..='9').contains(&c))
}
