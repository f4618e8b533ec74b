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
        let at = self.before.checked_div(self.billed as u64);
        let at = at.map_or_else(String::new, |tokens| format!(" at {} tokens", grouped(tokens)));
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
        let kind = if self.number > 0 { "compactions" } else { "clearings" };
        (!self.is_none()).then_some(kind)
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
        if let Some(billed) = u64::try_from(self.billed).ok().filter(|billed| *billed > 0) {
            line += &format!(
                ", {} → {} tokens each",
                grouped(self.before / billed),
                grouped(self.after / billed)
            );
        }
        if let Some(rework) = rework {
            let parts = rework.cost_of_compactions().into_iter().chain([rework.refetched()]);
            parts.for_each(|part| line += &format!("; {part}"));
        }
        let rates = rework.and_then(ReworkSums::rates).map(|rates| format!("  {rates}"));
        let unknown = rework.and_then(ReworkSums::without_output).map(|unknown| format!("  {unknown}"));
        let opaque = (self.opaque > 0).then(|| {
            format!(
                "  {} encrypted by the provider: later answers may lack fewer facts than counted",
                self.opaque
            )
        });
        let most = rework.and_then(ReworkSums::most).map(|most| format!("  {most}"));
        let dropped = rework.and_then(ReworkSums::dropped);
        let forgotten = rework.and_then(ReworkSums::forgotten);
        std::iter::once(line)
            .chain(dropped)
            .chain(forgotten)
            .chain(rates)
            .chain(most)
            .chain(unknown)
            .chain(opaque)
            .collect()
    }
}

/// The measure's false-alarm rate: the share of answers classified as lacking a fact although the model wrote them. `None` if no answer
/// needs a fact.
pub(super) fn false_alarms(strategy: &StrategyComparison) -> Option<String> {
    let AnswerTally { needing, short, .. } = strategy.sums.answers;
    let share = percent((needing > 0).then(|| short as f64 / needing as f64));
    let of = format!("{} of {}", grouped(short), grouped(needing));
    let what = "of answers used something their request did not show and were written all the same";
    (needing > 0).then(|| format!("{share} {what} ({of})"))
}

/// Billed input tokens of the nearest requests before and after a compaction.
fn billed_around(transcript: &Transcript, compaction: &TranscriptCompaction) -> Option<(u64, u64)> {
    let (earlier, later) = transcript.messages.split_at_checked(compaction.before)?;
    let billed =
        |message: &TranscriptMessage| message.usage.as_ref()?.input_tokens.filter(|&tokens| tokens > 0);
    Some((earlier.iter().rev().find_map(billed)?, later.iter().find_map(billed)?))
}
