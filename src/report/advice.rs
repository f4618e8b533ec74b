//! The recommendation: the cheapest strategy that leaves few answers short, and the table that shows it.

use super::comparison::{Comparison, CostRow, StrategyComparison};
use super::numbers::{grouped, signed_percent};
use super::terminal::shortened;

/// Columns of the table, if its numbers are not longer.
const WIDTH: usize = 80;
/// Blanks before a number.
const GAP: usize = 2;
/// The least characters of a strategy's name.
const NAME: usize = 12;
/// The most characters of a model's name.
const MODEL: usize = 11;
/// Models with a column; the first one decides.
const MODELS: usize = 2;

/// A comparison with the strategy to use.
pub struct Advice<'c> {
    comparison: &'c Comparison,
    /// The cheapest first.
    rows: Vec<&'c StrategyComparison>,
    /// The baseline if nothing cheaper leaves few enough answers short.
    pub recommended: Option<&'c StrategyComparison>,
    max_short: f64,
}

impl<'c> Advice<'c> {
    /// The advice for a tolerance: the share of answers that may be short.
    pub fn new(comparison: &'c Comparison, max_short: f64) -> Advice<'c> {
        let mut rows: Vec<&StrategyComparison> = comparison.strategies.iter().collect();
        rows.sort_by(|a, b| price(a).total_cmp(&price(b)));
        let is_tolerable = |strategy: &&&StrategyComparison| {
            let answers = strategy.sums.answers;
            let is_complete = strategy.sums.invalid_requests == 0 && strategy.sums.requests > 0;
            is_complete && answers.short as f64 <= max_short * answers.needing as f64
        };
        let recommended = rows.iter().find(is_tolerable).copied();
        Advice { comparison, rows, recommended, max_short }
    }

    /// True if no other strategy is both cheaper than the baseline and tolerable.
    pub fn keeps_baseline(&self) -> bool {
        self.recommended.is_none_or(|strategy| strategy.name == self.comparison.header.baseline)
    }

    /// The sentence that names the strategy.
    pub fn sentence(&self) -> String {
        let tolerance = format!("at most {}% of answers short", (self.max_short * 1000.0).round() / 10.0);
        match self.recommended {
            Some(strategy) if !self.keeps_baseline() => {
                format!("Use {}: the cheapest strategy with {tolerance}.", strategy.name)
            }
            _ => {
                let baseline = &self.comparison.header.baseline;
                format!("Keep {baseline}: nothing with {tolerance} costs less.")
            }
        }
    }

    /// The table, cheapest strategy first, at most 80 columns wide unless numbers need more.
    pub fn table(&self) -> String {
        let models: &[CostRow] =
            self.rows.first().map_or(&[], |row| row.costs.get(..MODELS).unwrap_or(&row.costs));
        let headings = models.iter().map(heading).chain([String::new(), "short".into(), "short".into()]);
        let above =
            models.iter().map(|_| String::new()).chain(["tokens".into(), "answers".into(), "runs".into()]);
        let mut rows: Vec<Vec<String>> = vec![above.collect(), headings.collect()];
        rows.extend(self.rows.iter().map(|strategy| self.cells(strategy)));
        let width = |column: usize| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count() + GAP).max()
        };
        let widths: Vec<usize> = (0..models.len() + 3).filter_map(width).collect();
        let names = self.rows.iter().map(|strategy| strategy.name.chars().count()).max().unwrap_or(0);
        let name = names.min(WIDTH.saturating_sub(2 + widths.iter().sum::<usize>())).max(NAME);
        let costs: usize = widths.iter().take(models.len()).sum();
        let cost = format!("cost vs {}", self.comparison.header.baseline);
        let mut out = String::new();
        for (index, row) in rows.iter().enumerate() {
            let mut line = match index.checked_sub(2).and_then(|index| self.rows.get(index)) {
                Some(strategy) => {
                    format!("{} {:<name$}", self.mark(strategy), shortened(&strategy.name, name))
                }
                None => format!("{:name$}  ", ""),
            };
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                if index == 0 && column < models.len() {
                    line += &if column == 0 {
                        format!("{:>costs$}", shortened(&cost, costs))
                    } else {
                        String::new()
                    };
                } else {
                    line += &format!("{cell:>width$}");
                }
            }
            out += line.trim_end();
            out.push('\n');
        }
        out += "answers short: the request lacks something that the answer uses\n";
        if models.iter().any(|model| model.is_estimate) {
            out += "*estimate: the model's own tokenizer is not public\n";
        }
        out
    }

    fn mark(&self, strategy: &StrategyComparison) -> char {
        let is_recommended = self.recommended.is_some_and(|recommended| recommended.name == strategy.name);
        if is_recommended { '>' } else { ' ' }
    }

    /// Costs, tokens, short answers and runs with short answers.
    fn cells(&self, strategy: &StrategyComparison) -> Vec<String> {
        let is_baseline = strategy.name == self.comparison.header.baseline;
        let change = |ratio: Option<f64>, absolute: String| match ratio {
            Some(ratio) if !is_baseline => signed_percent(ratio - 1.0),
            _ => absolute,
        };
        let costs = strategy.costs.iter().take(MODELS);
        let costs = costs.map(|cost| change(cost.ratio, format!("${:.3}", cost.cost.dollars())));
        let answers = strategy.sums.answers;
        let short = match answers.needing {
            0 => "–".to_owned(),
            needing => format!("{} of {}", grouped(answers.short), grouped(needing)),
        };
        let tokens = change(strategy.ratio, grouped(strategy.sums.input_tokens));
        costs.chain([tokens, short, grouped(answers.short_runs)]).collect()
    }
}

/// The name of a model, without its vendor if it is long.
fn heading(model: &CostRow) -> String {
    let estimate = if model.is_estimate { "*" } else { "" };
    let is_long = model.model.chars().count() > MODEL;
    let own = model.model.split_once('-').filter(|_| is_long).map_or(&*model.model, |(_, own)| own);
    shortened(own, MODEL) + estimate
}

/// The cost with the first model, else the tokens.
fn price(strategy: &StrategyComparison) -> f64 {
    strategy.costs.first().map_or(strategy.sums.input_tokens as f64, |cost| cost.cost.dollars())
}
