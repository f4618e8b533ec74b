//! The spread of short answers and costs over several texts of a model: one of them proves little.

use std::collections::BTreeMap;

use super::comparison::StrategyComparison;
use super::recommend::{Bounds, Standing};
use crate::measure::TextSample;
use crate::measure::numbers::{Cell, grouped};
use ptc_tokens::Money;

/// Sums over scenarios with several texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// By the number of texts of a scenario, the sums with each of them.
    by_number: BTreeMap<usize, Vec<SampleSums>>,
}

/// Sums of runs with one of several texts.
#[derive(Clone, Debug, Default, PartialEq)]
struct SampleSums {
    short: u64,
    costs: Vec<Money>,
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
    each_short: Vec<u64>,
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
            sums.costs.resize(sums.costs.len().max(sample.costs.len()), Money::default());
            sums.costs.iter_mut().zip(&sample.costs).for_each(|(sum, cost)| *sum += *cost);
        }
    }

    /// The sums with one text, from 0. Scenarios with fewer texts begin again with their first.
    fn with(&self, text: usize) -> SampleSums {
        let mut all = SampleSums::default();
        for sums in self.by_number.iter().filter_map(|(number, sums)| sums.get(text % number)) {
            all.short += sums.short;
            all.costs.resize(all.costs.len().max(sums.costs.len()), Money::default());
            all.costs.iter_mut().zip(&sums.costs).for_each(|(sum, cost)| *sum += *cost);
        }
        all
    }
}

impl<T: Copy + Ord> Range<T> {
    /// The range of numbers, if there are any. Of an even number the lower middle is the median.
    fn of(numbers: &[T]) -> Option<Range<T>> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        let median = *sorted.get(sorted.len().checked_sub(1)? / 2)?;
        Some(Range { least: *sorted.first()?, median, most: *sorted.last()? })
    }
}

impl StrategyComparison {
    /// Short answers and costs over the texts, if there are several. Its own are those with the first text.
    pub fn text_spread(&self) -> Option<TextSpread> {
        let samples = &self.sums.samples;
        let texts = *samples.by_number.keys().last()?;
        let sums: Vec<SampleSums> = (0..texts).map(|text| samples.with(text)).collect();
        let first = sums.first()?;
        let others = self.sums.answers.short.saturating_sub(first.short);
        let each_short: Vec<u64> = sums.iter().map(|sums| others + sums.short).collect();
        let costs = self.costs.iter().enumerate().filter_map(|(model, row)| {
            let of = |sums: &SampleSums| sums.costs.get(model).copied().unwrap_or_default();
            let others = row.cost.less(of(first));
            let each: Vec<Money> = sums.iter().map(|sums| others + of(sums)).collect();
            Range::of(&each)
        });
        Some(TextSpread { texts, short: Range::of(&each_short)?, costs: costs.collect(), each_short })
    }

    /// Sentences on the spread over several texts, and on texts that leave too many answers short where others do not.
    pub(super) fn spread_texts(&self, bounds: Bounds, baseline: &StrategyComparison) -> Vec<String> {
        let Some(spread) = self.text_spread() else { return Vec::new() };
        let TextSpread { texts, short, costs, each_short } = &spread;
        let cost = costs.first().map_or(String::new(), |cost| {
            let [least, median, most] = [cost.least, cost.median, cost.most].map(|cost| cost.dollars());
            format!(", ${least:.4} to ${most:.4} (median ${median:.4})")
        });
        let [least, median, most] = [short.least, short.median, short.most].map(grouped);
        let name = &self.name;
        let told = format!(
            "{name} with each of {texts} texts: {least} to {most} answers short (median {median}){cost}."
        );
        let needing = self.sums.answers.needing;
        let of_baseline = Standing { short: baseline.sums.answers.short, ..Standing::default() };
        let admits = |short: &&u64| {
            bounds.admit(&Standing { short: **short, needing, ..Standing::default() }, &of_baseline)
        };
        let enough = each_short.iter().filter(admits).count();
        let luck = (enough > 0 && enough < *texts).then(|| {
            format!(
                "It depends on the text: {enough} of {texts} texts of {name} leave few enough answers short."
            )
        });
        std::iter::once(told).chain(luck).collect()
    }

    /// The columns of the spread.
    pub(super) fn spread_cells(&self) -> Vec<(String, Cell)> {
        let spread = self.text_spread();
        let cell = |of: fn(&TextSpread) -> u64| {
            spread.as_ref().map_or(Cell::Ratio(None), |spread| Cell::Count(of(spread)))
        };
        let mut cells = vec![
            ("texts".to_owned(), cell(|spread| spread.texts as u64)),
            ("texts_short_least".to_owned(), cell(|spread| spread.short.least)),
            ("texts_short_median".to_owned(), cell(|spread| spread.short.median)),
            ("texts_short_most".to_owned(), cell(|spread| spread.short.most)),
        ];
        for (model, row) in self.costs.iter().enumerate() {
            let range = spread.as_ref().and_then(|spread| spread.costs.get(model));
            let cell = |of: fn(&Range<Money>) -> Money| {
                range.map_or(Cell::Ratio(None), |range| Cell::Money(of(range)))
            };
            cells.extend([
                (format!("texts_cost_least:{}", row.model), cell(|range| range.least)),
                (format!("texts_cost_median:{}", row.model), cell(|range| range.median)),
                (format!("texts_cost_most:{}", row.model), cell(|range| range.most)),
            ]);
        }
        cells
    }
}
