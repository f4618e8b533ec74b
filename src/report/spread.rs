//! Median, 90th percentile and maximum. Numbers are kept as counts of occurrences, so memory does not grow
//! with the number of requests.

use std::collections::BTreeMap;

/// By nearest rank, so that each is one of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Spread<T> {
    pub median: T,
    pub p90: T,
    /// The largest.
    pub worst: T,
}

/// A histogram: the number of occurrences of each number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurrences {
    counts: BTreeMap<u32, u64>,
}

impl Occurrences {
    /// Counts `number` this many times more.
    pub fn add(&mut self, number: u32, times: u64) {
        *self.counts.entry(number).or_default() += times;
    }

    /// Each number and its count, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.counts.iter().map(|(number, count)| (*number, *count))
    }

    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    pub fn sum(&self) -> u64 {
        self.iter().map(|(number, count)| u64::from(number) * count).sum()
    }

    /// The spread; `None` without numbers.
    pub fn spread(&self) -> Option<Spread<u32>> {
        Some(Spread { median: self.percentile(50)?, p90: self.percentile(90)?, worst: self.percentile(100)? })
    }

    /// The smallest number with at least this share of all numbers at or below it.
    fn percentile(&self, percent: u64) -> Option<u32> {
        let mut left = (self.count() * percent).div_ceil(100);
        for (number, count) in self.iter() {
            left = left.saturating_sub(count);
            if left == 0 {
                return Some(number);
            }
        }
        None
    }
}
