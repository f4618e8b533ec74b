//! The saving of a compaction before each break that was long enough for the cache to expire.

use super::Rates;
use crate::log_bills::misses::{BilledRequest, MissCause};

/// Tokens of a history after a compaction, most first: 33,000 to 61,000 in seventeen real sessions of coding agents.
pub const LEFT_BY_COMPACTION: [u64; 2] = [61_000, 33_000];
/// Tokens of a summary: the median of 73 compactions of Claude Code is 3,600.
const SUMMARY: u64 = 3_600;
/// The long cache lifetime in milliseconds, of the only provider that has one.
const LONG: u64 = 3_600_000;

/// The saving of a compaction before each break, less its own price.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BreakSaving {
    /// Breaks with any saving.
    pub breaks: u64,
    /// Dollars saved if a compaction leaves much (`least`) or little (`most`).
    pub least: f64,
    pub most: f64,
    /// The parts of `breaks` and `least` for breaks that outlast the long cache lifetime, too.
    pub breaks_beyond_long: u64,
    pub least_beyond_long: f64,
}

impl BreakSaving {
    /// Adds the requests of one conversation with their prices, in order.
    pub(super) fn add_requests(&mut self, requests: &[(&BilledRequest<'_>, Rates)]) {
        for (index, (request, _)) in requests.iter().enumerate() {
            // Users cannot type a command while the agent works.
            if request.cause != Some(MissCause::Expired) || !request.follows_person {
                continue;
            }
            let rest = requests.get(index..).unwrap_or_default();
            let [least, most] = LEFT_BY_COMPACTION.map(|left| compute_saving(rest, left));
            if most > 0.0 {
                self.breaks += 1;
                self.least += least.max(0.0);
                self.most += most;
                if request.pause.is_some_and(|pause| pause > LONG) {
                    self.breaks_beyond_long += 1;
                    self.least_beyond_long += least.max(0.0);
                }
            }
        }
    }

    pub(super) fn merge_saving(&mut self, other: BreakSaving) {
        self.breaks += other.breaks;
        self.least += other.least;
        self.most += other.most;
        self.breaks_beyond_long += other.breaks_beyond_long;
        self.least_beyond_long += other.least_beyond_long;
    }
}

/// The saving from the first request, after a break, to the next break or compaction.
fn compute_saving(requests: &[(&BilledRequest<'_>, Rates)], left: u64) -> f64 {
    let Some(((first, rates), later)) = requests.split_first() else { return 0.0 };
    let Some(removed) = first.cached_before.checked_sub(left) else { return 0.0 };
    let beside = first.input() - first.read();
    let paid = if beside == 0 { 0.0 } else { rates.beside_read(first) / beside as f64 };
    let mut saved = removed.min(first.missed) as f64 * paid;
    saved -= first.cached_before as f64 * rates.read + SUMMARY as f64 * rates.output;
    for (request, rates) in later {
        if matches!(request.cause, Some(MissCause::Expired | MissCause::Compacted)) {
            break;
        }
        saved += removed.min(request.read()) as f64 * rates.read;
    }
    saved
}
