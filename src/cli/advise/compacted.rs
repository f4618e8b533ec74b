//! The compactions of logs: how often agents shortened their own history, and from what to what.

use agent_logs::{CompactionKind, Transcript, TranscriptCompaction, TranscriptMessage};

use crate::cli::suite::count;
use crate::measure::numbers::grouped;

/// Sums over the compactions of conversations.
#[derive(Clone, Debug, Default)]
pub(super) struct Compacted {
    runs: usize,
    /// Compactions that put something in the place of messages.
    number: usize,
    /// Those of them whose text only the provider can read.
    opaque: usize,
    /// Clearings of old results.
    cleared: usize,
    /// Compactions with a billed request before and after, and the input tokens of these requests.
    billed: usize,
    before: u64,
    after: u64,
}

impl Compacted {
    pub(super) fn of(transcript: &Transcript) -> Compacted {
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

    /// Returns true if nobody shortened anything.
    pub(super) fn is_none(&self) -> bool {
        self.runs == 0
    }

    /// `compactions: 3 in 2 runs, 165,104 → 25,310 tokens each`, and what is not known of them.
    pub(super) fn lines(&self) -> Vec<String> {
        if self.is_none() {
            return Vec::new();
        }
        let cleared = (self.cleared > 0).then(|| count(self.cleared, "clearing") + " of old results");
        let number = (self.number > 0).then(|| self.number.to_string());
        let what = number.into_iter().chain(cleared).collect::<Vec<_>>().join(" and ");
        let mut line = format!("compactions: {what} in {}", count(self.runs, "run"));
        if let Some(billed) = u64::try_from(self.billed).ok().filter(|billed| *billed > 0) {
            line += &format!(
                ", {} → {} tokens each",
                grouped(self.before / billed),
                grouped(self.after / billed)
            );
        }
        let opaque = (self.opaque > 0).then(|| {
            format!("  {} encrypted by the provider: short answers after them may not be short", self.opaque)
        });
        std::iter::once(line).chain(opaque).collect()
    }
}

/// The billed input tokens of the requests before and after a compaction.
fn billed_around(transcript: &Transcript, compaction: &TranscriptCompaction) -> Option<(u64, u64)> {
    let (earlier, later) = transcript.messages.split_at_checked(compaction.before)?;
    let billed =
        |message: &TranscriptMessage| message.usage.as_ref()?.input_tokens.filter(|&tokens| tokens > 0);
    Some((earlier.iter().rev().find_map(billed)?, later.iter().find_map(billed)?))
}
