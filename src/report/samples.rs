//! The spread of short answers and costs over several texts of a model: one of them proves little.

use std::collections::BTreeMap;

use crate::measure::TextSample;
use crate::measure::numbers::add_by_model;
use ptc_prices::Money;

/// Sums over scenarios with several texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// The sums with each text, over the scenarios with the same number of texts.
    pub(super) by_number: BTreeMap<usize, Vec<SampleSums>>,
}

/// Sums over runs with one of several texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SampleSums {
    pub(super) short: u64,
    pub(super) costs: Vec<Money>,
}

/// The least, the middle and the most of some numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range<T> {
    pub least: T,
    pub median: T,
    pub most: T,
}

/// Short answers and costs of a strategy over its texts.
#[derive(Clone, Debug, PartialEq)]
pub struct TextSpread {
    /// Number of texts.
    pub texts: usize,
    pub short: Range<u64>,
    /// One a model.
    pub costs: Vec<Range<Money>>,
    /// Short answers with each text.
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

    /// The sums over all scenarios with the text of an index. Scenarios with fewer texts begin again with their first.
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
    /// The range of numbers, if there are any. Of an even number the lower middle is the median.
    pub(super) fn of(numbers: &[T]) -> Option<Range<T>> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        let median = *sorted.get(sorted.len().checked_sub(1)? / 2)?;
        Some(Range { least: *sorted.first()?, median, most: *sorted.last()? })
    }
}
