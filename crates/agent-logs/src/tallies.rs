//! Totals over all logs, each reported in one sentence: compactions, sessions logged from the middle on, calls billed but missing from all
//! conversations, and user messages counted as observations.

use std::collections::BTreeSet;

use super::place::LogPlace;

/// Maximum number of places listed per sentence.
const MAX_PLACES: usize = 3;

/// The tallies of one or several logs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tallies {
    pub compactions: Compactions,
    pub late_starts: LateStarts,
    pub missing_calls: MissingCalls,
    pub observations: UserObservations,
}

/// Agents' compactions of their own history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compactions {
    pub number: u64,
    pub sessions: u64,
    pub places: Places,
}

/// Sessions logged without their beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LateStarts {
    pub sessions: u64,
    /// Minimum and maximum of the input tokens billed for each session's first request, where logged.
    pub billed: Option<(u64, u64)>,
    pub places: Places,
}

/// Calls of models billed but missing from all conversations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MissingCalls {
    pub number: u64,
    /// Input tokens billed for these calls only.
    pub input_tokens: u64,
    /// Input tokens of bills for whole runs, covering these calls and others.
    pub run_tokens: u64,
    pub places: Places,
}

/// User messages counted as observations although not marked in the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserObservations {
    pub number: u64,
    /// True if all user messages after the first answer of each conversation count.
    pub are_all: bool,
    pub places: Places,
}

/// Places in logs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The logs with these places.
    pub files: BTreeSet<String>,
    pub number: usize,
    /// The first places, with the file.
    pub first: Vec<String>,
}

impl Tallies {
    pub(super) fn merge(&mut self, other: Tallies) {
        self.compactions.merge(other.compactions);
        self.late_starts.merge(other.late_starts);
        self.missing_calls.merge(other.missing_calls);
        self.observations.merge(other.observations);
    }

    /// One sentence per non-empty tally.
    pub(super) fn format_lines(&self) -> impl Iterator<Item = String> {
        let lines = [
            self.compactions.format_line(),
            self.late_starts.format_line(),
            self.missing_calls.format_line(),
        ];
        lines.into_iter().chain([self.observations.format_line()]).flatten()
    }
}

impl Compactions {
    fn merge(&mut self, other: Compactions) {
        self.number += other.number;
        self.sessions += other.sessions;
        self.places.merge(other.places);
    }

    fn format_line(&self) -> Option<String> {
        let number = count(self.number, "compaction");
        self.places.append_places(format!("{number} in {}", count(self.sessions, "session")))
    }
}

impl LateStarts {
    fn merge(&mut self, other: LateStarts) {
        self.sessions += other.sessions;
        self.add_bill(other.billed);
        self.places.merge(other.places);
    }

    pub(super) fn add_bill(&mut self, billed: Option<(u64, u64)>) {
        let Some((least, most)) = billed else { return };
        let (known_least, known_most) = self.billed.unwrap_or((least, most));
        self.billed = Some((least.min(known_least), most.max(known_most)));
    }

    fn format_line(&self) -> Option<String> {
        let begin = if self.sessions == 1 { "begins" } else { "begin" };
        let mut line = format!("{} {begin} in the middle", count(self.sessions, "session"));
        if let Some((least, most)) = self.billed {
            let to = if least == most { String::new() } else { format!(" to {}", grouped(most)) };
            line.push_str(&format!(", with {}{to} input tokens in the first logged request", grouped(least)));
        }
        self.places.append_places(line)
    }
}

impl MissingCalls {
    pub(super) fn merge(&mut self, other: MissingCalls) {
        self.number = self.number.saturating_add(other.number);
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.run_tokens = self.run_tokens.saturating_add(other.run_tokens);
        self.places.merge(other.places);
    }

    fn format_line(&self) -> Option<String> {
        let are = if self.number == 1 { "is" } else { "are" };
        let alone = format!("{} input tokens", grouped(self.input_tokens));
        let together = format!("{} input tokens in bills of whole runs", grouped(self.run_tokens));
        let tokens = match (self.input_tokens, self.run_tokens) {
            (0, 0) => String::new(),
            (_, 0) => format!(": {alone}"),
            (0, _) => format!(": {together}"),
            _ => format!(": {alone}, and {together}"),
        };
        let (logs, calls) = (count(self.places.count_logs(), "log"), count(self.number, "billed call"));
        self.places.append_places(format!("{calls} {are} missing from {logs}{tokens}"))
    }
}

impl UserObservations {
    fn merge(&mut self, other: UserObservations) {
        self.number += other.number;
        self.are_all |= other.are_all;
        self.places.merge(other.places);
    }

    fn format_line(&self) -> Option<String> {
        let which = match self.are_all {
            true => "after the first answer",
            false => "with the result of a call written as text",
        };
        self.places.append_places(format!("observations: {} {which}", count(self.number, "user message")))
    }
}

impl Places {
    pub(super) fn add_place(&mut self, file: &str, place: &LogPlace) {
        if !self.files.contains(file) {
            self.files.insert(file.to_owned());
        }
        self.number += 1;
        if self.first.len() < MAX_PLACES {
            self.first.push(format!("{file}{place}"));
        }
    }

    fn count_logs(&self) -> u64 {
        self.files.len() as u64
    }

    /// Merges the places of another log.
    fn merge(&mut self, mut other: Places) {
        if self.count_logs() > 0 && !other.files.is_subset(&self.files) {
            // One log lists its first three places; several logs list the first place of each.
            self.first.truncate(if self.count_logs() == 1 { 1 } else { MAX_PLACES });
            other.first.truncate(MAX_PLACES.saturating_sub(self.first.len()).min(1));
        }
        self.files.append(&mut other.files);
        self.number += other.number;
        self.first.append(&mut other.first);
        self.first.truncate(MAX_PLACES);
    }

    /// Appends the places to a sentence. `None` if there are none.
    fn append_places(&self, sentence: String) -> Option<String> {
        let more = if self.number > self.first.len() { ", …" } else { "" };
        (self.count_logs() > 0).then(|| format!("{sentence} ({}{more})", self.first.join(", ")))
    }
}

/// Formats a count with its noun: `1 call`, `3,204 calls`.
fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// Formats a number with thousands separators: `12,345`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
