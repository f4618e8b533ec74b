//! Compactions in logs: how often agents shortened their own history, and by how much.

use agent_logs::{CompactionKind, Transcript, TranscriptCompaction, TranscriptMessage};

use crate::cli::suite::count;
use crate::measure::numbers::{grouped, percent};
use crate::report::rework::ReworkSums;
use crate::report::{AnswerTally, StrategyComparison};

/// Sums over the compactions in conversations.
#[derive(Clone, Debug, Default)]
pub(super) struct Compacted {
    runs: usize,
    /// Compactions that replaced messages, for example by a summary.
    number: usize,
    /// Those with text only readable by the provider.
    opaque: usize,
    /// Number of times old results were cleared.
    cleared: usize,
    /// Compactions with a billed request before and after. `before` and `after` are the input tokens of these requests.
    billed: usize,
    before: u64,
    after: u64,
}

impl Compacted {
    pub(super) fn of_transcript(transcript: &Transcript) -> Compacted {
        let mut sums = Compacted::default();
        for compaction in &transcript.compactions {
            sums.runs = 1;
            if compaction.kind == CompactionKind::Clear {
                sums.cleared += 1;
                continue;
            }
            sums.number += 1;
            sums.opaque += usize::from(compaction.kind == CompactionKind::Opaque);
            if let Some((before, after)) = billed_around(transcript, compaction) {
                sums.billed += 1;
                sums.before += before;
                sums.after += after;
            }
        }
        sums
    }

    pub(super) fn add(&mut self, other: &Compacted) {
        self.runs += other.runs;
        self.number += other.number;
        self.opaque += other.opaque;
        self.cleared += other.cleared;
        self.billed += other.billed;
        self.before += other.before;
        self.after += other.after;
    }

    /// Compactions that replaced messages.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// `13 compactions in 9 sessions at 157,746 tokens, 1 clearing of old results`
    pub(super) fn in_words(&self) -> String {
        if self.is_none() {
            return "never".to_owned();
        }
        let sessions = count(self.runs, "session");
        let at = match self.mean_before() {
            Some(tokens) => format!(" at {} tokens", grouped(tokens)),
            None => String::new(),
        };
        let mut parts = Vec::new();
        if self.number > 0 {
            parts.push(format!("{} in {sessions}{at}", count(self.number, "compaction")));
        }
        if self.cleared > 0 {
            parts.push(format!("{} of old results", count(self.cleared, "clearing")));
        }
        parts.join(", ")
    }

    /// The mean size of requests before compactions. `None` without bills.
    pub(super) fn mean_before(&self) -> Option<u64> {
        self.before.checked_div(self.billed as u64)
    }

    pub(super) fn mean_after(&self) -> Option<u64> {
        self.after.checked_div(self.billed as u64)
    }

    /// `compactions`, or `clearings` without any compaction.
    pub(super) fn kind(&self) -> Option<&'static str> {
        match (self.number, self.cleared) {
            (0, 0) => None,
            (0, _) => Some("clearings"),
            _ => Some("compactions"),
        }
    }

    /// Returns true if there are no compactions or clearings.
    pub(super) fn is_none(&self) -> bool {
        self.runs == 0
    }

    /// `compactions: 3 in 2 runs, 165,104 → 25,310 tokens each; $0.41 to $1.92 for the calls and the rewritten cache; …`, and lines on
    /// unknown parts.
    pub(super) fn lines(&self, rework: Option<&ReworkSums>) -> Vec<String> {
        if self.is_none() {
            return Vec::new();
        }
        let what = match (self.number, self.cleared) {
            (0, cleared) => format!("clearings of old results: {cleared}"),
            (number, 0) => format!("compactions: {number}"),
            (number, cleared) => {
                format!("compactions: {number} and {} of old results", count(cleared, "clearing"))
            }
        };
        let mut line = format!("{what} in {}", count(self.runs, "run"));
        if let (Some(before), Some(after)) = (self.mean_before(), self.mean_after()) {
            line += &format!(", {} → {} tokens each", grouped(before), grouped(after));
        }
        if let Some(rework) = rework {
            for part in rework.cost_of_compactions().into_iter().chain([rework.refetched()]) {
                line += &format!("; {part}");
            }
        }
        let mut lines = vec![line];
        if let Some(rework) = rework {
            lines.extend(rework.dropped());
            lines.extend(rework.forgotten());
            for more in [rework.rates(), rework.most(), rework.without_output()].into_iter().flatten() {
                lines.push(format!("  {more}"));
            }
        }
        if self.opaque > 0 {
            lines.push(format!(
                "  {} encrypted by the provider: later answers may lack fewer facts than counted",
                self.opaque
            ));
        }
        lines
    }
}

/// The measure's false-alarm rate: the share of answers classified as lacking a fact although the model wrote them. `None` if no answer
/// needs a fact.
pub(super) fn false_alarms(strategy: &StrategyComparison) -> Option<String> {
    let AnswerTally { needing, short, .. } = strategy.sums.answers;
    if needing == 0 {
        return None;
    }
    let share = percent(Some(short as f64 / needing as f64));
    let answers = format!("{} of {} answers ({share})", grouped(short), grouped(needing));
    Some(format!("{answers} used text missing in their request: remembered, guessed or read again"))
}

/// Billed input tokens of the nearest requests before and after a compaction.
fn billed_around(transcript: &Transcript, compaction: &TranscriptCompaction) -> Option<(u64, u64)> {
    let (earlier, later) = transcript.messages.split_at_checked(compaction.before)?;
    Some((earlier.iter().rev().find_map(billed_input)?, later.iter().find_map(billed_input)?))
}

fn billed_input(message: &TranscriptMessage) -> Option<u64> {
    let tokens = message.usage.as_ref()?.input_tokens?;
    if tokens == 0 { None } else { Some(tokens) }
}
