//! The spread of a strategy's results over several texts of a model: numbers and sentences.

use super::comparison::StrategyComparison;
use super::recommend::Bounds;
use super::samples::{Range, SampleSums, TextSpread};
use crate::measure::numbers::{Cell, grouped};

impl StrategyComparison {
    /// Answers missing a fact and costs over the texts; `None` without several.
    pub fn text_spread(&self) -> Option<TextSpread> {
        let samples = &self.sums.samples;
        let texts = *samples.by_number.keys().last()?;
        let sums: Vec<SampleSums> = (0..texts).map(|index| samples.with(index)).collect();
        // The strategy's sums include the first text. Without it, the rest is the same for any text.
        let first = sums.first()?;
        let fixed_short = self.sums.answers.short.saturating_sub(first.short);
        let each_short: Vec<u64> = sums.iter().map(|sums| fixed_short + sums.short).collect();
        let mut costs = Vec::new();
        for (model, row) in self.costs.iter().enumerate() {
            let mut each = Vec::with_capacity(sums.len());
            for sums in &sums {
                if let (Some(first), Some(cost)) = (first.costs.get(model), sums.costs.get(model)) {
                    each.push(row.cost.less(*first) + *cost);
                }
            }
            if each.len() == sums.len() {
                costs.extend(Range::range_of(&each));
            }
        }
        Some(TextSpread { texts, short: Range::range_of(&each_short)?, costs, each_short })
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
            "{name} with each of {texts} texts: {least} to {most} answers would lack a fact (median {median}){cost}."
        );
        let mut enough = 0;
        for &short in each_short {
            enough += usize::from(self.is_admitted_with(short, bounds, baseline));
        }
        let mut sentences = vec![of_texts];
        if enough > 0 && enough < *texts {
            sentences.push(format!(
                "It depends on the text: with {enough} of {texts} texts of {name} few enough answers lack a fact."
            ));
        }
        sentences
    }

    /// The columns about the spread.
    pub(super) fn spread_cells(&self) -> Vec<(String, Cell)> {
        let spread = self.text_spread();
        let counts = match &spread {
            Some(TextSpread { texts, short, .. }) => {
                [*texts as u64, short.least, short.median, short.most].map(Cell::Count)
            }
            None => [(); 4].map(|()| Cell::Ratio(None)),
        };
        let names = ["texts", "texts_short_least", "texts_short_median", "texts_short_most"];
        let mut cells: Vec<(String, Cell)> = names.map(str::to_owned).into_iter().zip(counts).collect();
        for (model, row) in self.costs.iter().enumerate() {
            let costs = match spread.as_ref().and_then(|spread| spread.costs.get(model)) {
                Some(range) => [range.least, range.median, range.most].map(Cell::Money),
                None => [(); 3].map(|()| Cell::Ratio(None)),
            };
            let names = ["texts_cost_least", "texts_cost_median", "texts_cost_most"];
            cells.extend(names.map(|name| format!("{name}:{}", row.model)).into_iter().zip(costs));
        }
        cells
    }
}
