//! The spread of answers missing a fact and costs over several texts of a model: a single text proves little.

use std::collections::BTreeMap;

use crate::measure::TextSample;
use crate::measure::numbers::add_by_model;
use ptc_prices::Money;

/// Sums over scenarios with several texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// By the number of texts: the sums with each text, over the scenarios with that many.
    pub(super) by_number: BTreeMap<usize, Vec<SampleSums>>,
}

/// Sums over runs with one of several texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SampleSums {
    pub(super) short: u64,
    pub(super) costs: Vec<Money>,
}

/// Minimum, median and maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range<T> {
    pub least: T,
    pub median: T,
    pub most: T,
}

/// A strategy's answers missing a fact and costs over its texts.
#[derive(Clone, Debug, PartialEq)]
pub struct TextSpread {
    /// The number of texts.
    pub texts: usize,
    pub short: Range<u64>,
    /// One per model.
    pub costs: Vec<Range<Money>>,
    /// Answers missing a fact with each text.
    pub(super) each_short: Vec<u64>,
}

impl Samples {
    /// Adds a run with each of its texts.
    pub fn add(&mut self, samples: &[TextSample]) {
        if samples.is_empty() {
            return;
        }
        let sums = self.by_number.entry(samples.len()).or_default();
        sums.resize_with(samples.len(), SampleSums::default);
        for (sums, sample) in sums.iter_mut().zip(samples) {
            sums.short += u64::from(sample.short);
            add_by_model(&mut sums.costs, sample.costs.iter().copied());
        }
    }

    /// The sums over all scenarios with the text at this index. Scenarios with fewer texts reuse them from
    /// the first on.
    pub(super) fn with(&self, index: usize) -> SampleSums {
        let mut all = SampleSums::default();
        for sums in self.by_number.iter().filter_map(|(number, sums)| sums.get(index % number)) {
            all.short += sums.short;
            add_by_model(&mut all.costs, sums.costs.iter().copied());
        }
        all
    }
}

impl<T: Copy + Ord> Range<T> {
    /// The range of some numbers; `None` without any. Of two middle numbers, the median is the lower.
    pub(super) fn range_of(numbers: &[T]) -> Option<Range<T>> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        let median = *sorted.get(sorted.len().checked_sub(1)? / 2)?;
        Some(Range { least: *sorted.first()?, median, most: *sorted.last()? })
    }
}
