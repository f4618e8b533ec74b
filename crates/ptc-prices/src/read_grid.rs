//! The grid of the cached reads in a log. Providers document the block size of their caches wrongly or not at all, and gateways use other
//! sizes.

use std::collections::BTreeMap;

use crate::prices::{CacheRule, PrefixRule, Price};

/// Minimum distinct reads to detect a grid. With this many, a grid by chance is rare.
const LEAST_READS: usize = 8;
/// At least this many of ten reads must be on the grid. The others stop at the system prompt or at a request of another agent.
const ON_GRID: usize = 9;
/// Known block sizes, the largest first. All 717 reads of Codex are on a grid of 512 or 1,024.
const STEPS: [u32; 6] = [2048, 1024, 512, 256, 128, 64];

/// All cached reads of a log are `offset` plus a multiple of `step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReadGrid {
    step: u32,
    offset: u32,
    /// The smallest read on the grid.
    least: u32,
}

impl ReadGrid {
    /// Detects the grid of reads. `None` if they have none.
    pub fn of_reads(reads: impl IntoIterator<Item = u64>) -> Option<ReadGrid> {
        let mut reads: Vec<u32> = reads.into_iter().filter_map(|read| u32::try_from(read).ok()).collect();
        reads.retain(|read| *read > 0);
        reads.sort_unstable();
        // A repeated read says nothing about the step.
        reads.dedup();
        if reads.len() < LEAST_READS {
            return None;
        }
        for step in STEPS {
            let mut offsets: BTreeMap<u32, usize> = BTreeMap::new();
            for read in &reads {
                *offsets.entry(read % step).or_default() += 1;
            }
            let (offset, on_grid) = offsets.into_iter().max_by_key(|(_, number)| *number)?;
            if on_grid * 10 >= reads.len() * ON_GRID {
                let least = *reads.iter().find(|read| *read % step == offset)?;
                return Some(ReadGrid { step, offset, least });
            }
        }
        None
    }

    /// The largest possible read of a cache with this many tokens.
    pub fn round_down(self, tokens: u64) -> u64 {
        let (step, offset) = (u64::from(self.step), u64::from(self.offset));
        match tokens.checked_sub(offset) {
            Some(beyond) => beyond - beyond % step + offset,
            None => 0,
        }
    }

    /// A price with cache reads on this grid. Only prefix caches have a grid.
    pub fn apply_to(self, price: Price) -> Price {
        let Some(rule) = price.cache.prefix else { return price };
        let mut minimum = rule.minimum.unwrap_or(0);
        let is_on_grid = rule.step == Some(self.step) && minimum % self.step == self.offset;
        if !is_on_grid {
            minimum += (self.offset + self.step - minimum % self.step) % self.step;
        }
        let fitted = PrefixRule { minimum: Some(minimum.min(self.least)), step: Some(self.step) };
        Price { cache: CacheRule { prefix: Some(fitted), ..price.cache }, ..price }
    }
}
