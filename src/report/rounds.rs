//! Answers by the number of summaries before them. Repeated compaction summarizes earlier summaries, so the
//! eighth may lose more than the first.

use crate::measure::MeasuredRun;
use crate::measure::numbers::grouped;

/// The headings of the groups.
pub(super) const HEADINGS: [&str; 4] = ["after 1", "2 and 3", "4 to 7", "8 or more"];

/// Counts of answers, grouped by the number of summaries before them, as in `HEADINGS`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rounds {
    /// Answers that need anything.
    pub needing: [u64; 4],
    /// Answers missing a fact among them.
    pub short: [u64; 4],
}

impl Rounds {
    /// Adds the answers of a run; without summaries it adds nothing.
    pub fn add_run(&mut self, run: &MeasuredRun) {
        let (mut calls, mut before) = (run.calls.iter().peekable(), 0_u32);
        for request in &run.requests {
            while calls.next_if(|call| call.turn <= request.turn).is_some() {
                before += 1;
            }
            let Some(group) = before.checked_ilog2().map(|group| (group as usize).min(3)) else { continue };
            self.needing[group] += u64::from(request.evidence.needed() > 0);
            self.short[group] += u64::from(request.evidence.lacks_fact());
        }
    }

    /// Returns true if no answer with needs comes after a summary.
    pub fn is_none(&self) -> bool {
        self.needing == [0; 4]
    }

    /// `after 1 summary: 3 of 40, after 2 or 3: 5 of 30`
    pub(super) fn in_words(&self) -> String {
        let names = ["after 1 summary", "after 2 or 3", "after 4 to 7", "after 8 or more"];
        let mut parts = Vec::new();
        for ((name, short), needing) in names.iter().zip(self.short).zip(self.needing) {
            if needing > 0 {
                parts.push(format!("{name}: {} of {}", grouped(short), grouped(needing)));
            }
        }
        parts.join(", ")
    }

    /// The cells of a table: `12 of 90`; a dash for an empty group.
    pub(super) fn cells(&self) -> Vec<String> {
        let mut cells = Vec::new();
        for (short, needing) in self.short.iter().zip(&self.needing) {
            cells.push(match needing {
                0 => "–".to_owned(),
                needing => format!("{} of {}", grouped(*short), grouped(*needing)),
            });
        }
        cells
    }
}
