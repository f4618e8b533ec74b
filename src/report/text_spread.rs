//! The spread of a strategy's results over several texts of a model: numbers and sentences.

use super::comparison::StrategyComparison;
use super::recommend::{Bounds, Standing};
use super::samples::{Range, SampleSums, TextSpread};
use crate::measure::numbers::{Cell, grouped};
use ptc_prices::Money;

impl StrategyComparison {
    /// Short answers and costs over the texts; `None` without several.
    pub fn text_spread(&self) -> Option<TextSpread> {
        let samples = &self.sums.samples;
        let texts = *samples.by_number.keys().last()?;
        let sums: Vec<SampleSums> = (0..texts).map(|index| samples.with(index)).collect();
        // The strategy's sums include the first text. Without it, the rest is the same for any text.
        let first = sums.first()?;
        let fixed_short = self.sums.answers.short.saturating_sub(first.short);
        let each_short: Vec<u64> = sums.iter().map(|sums| fixed_short + sums.short).collect();
        let costs = self.costs.iter().enumerate().filter_map(|(model, row)| {
            let fixed_cost = row.cost.less(*first.costs.get(model)?);
            let each: Option<Vec<Money>> =
                sums.iter().map(|sums| Some(fixed_cost + *sums.costs.get(model)?)).collect();
            Range::of(&each?)
        });
        Some(TextSpread { texts, short: Range::of(&each_short)?, costs: costs.collect(), each_short })
    }

    /// Sentences on the spread over several texts, and on whether the text decides if too many answers are
    /// short.
    pub(super) fn spread_texts(&self, bounds: Bounds, baseline: &StrategyComparison) -> Vec<String> {
        let Some(spread) = self.text_spread() else { return Vec::new() };
        let TextSpread { texts, short, costs, each_short } = &spread;
        let cost = costs.first().map_or(String::new(), |cost| {
            let [least, median, most] = [cost.least, cost.median, cost.most].map(|cost| cost.dollars());
            format!(", ${least:.4} to ${most:.4} (median ${median:.4})")
        });
        let [least, median, most] = [short.least, short.median, short.most].map(grouped);
        let name = &self.name;
        let of_texts = format!(
            "{name} with each of {texts} texts: {least} to {most} answers short (median {median}){cost}."
        );
        let needing = self.sums.answers.needing;
        let of_baseline = Standing { short: baseline.sums.answers.short, ..Standing::default() };
        let admits = |short: &&u64| {
            bounds.admit(&Standing { short: **short, needing, ..Standing::default() }, &of_baseline)
        };
        let enough = each_short.iter().filter(admits).count();
        let of_luck = (enough > 0 && enough < *texts).then(|| {
            format!(
                "It depends on the text: {enough} of {texts} texts of {name} leave few enough answers short."
            )
        });
        std::iter::once(of_texts).chain(of_luck).collect()
    }

    /// The columns about the spread.
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
