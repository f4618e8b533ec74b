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
        let total = self.count();
        let rank = |percent: u64| {
            let mut left = (total * percent).div_ceil(100);
            self.iter().find(|(_, count)| {
                left = left.saturating_sub(*count);
                left == 0
            })
        };
        let number = |percent| rank(percent).map(|(number, _)| number);
        Some(Spread { median: number(50)?, p90: number(90)?, worst: number(100)? })
    }
}
