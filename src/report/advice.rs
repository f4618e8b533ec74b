//! The recommendation: the cheapest strategy that leaves few answers short, and the table that shows it.

use super::comparison::{Comparison, CostRow, StrategyComparison};
use super::numbers::{grouped, signed_percent};
use super::terminal::shortened;

/// Characters of a strategy's name in the table.
const NAME: usize = 22;
/// Characters of a column of costs.
const COST: usize = 13;
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

    /// The table, cheapest strategy first, at most 80 columns wide.
    pub fn table(&self) -> String {
        let models: Vec<&CostRow> =
            self.rows.first().map_or(&[][..], |row| &row.costs).iter().take(MODELS).collect();
        let mut lines = vec![self.above(&models), headings(&models)];
        lines.extend(self.rows.iter().map(|strategy| self.row(strategy)));
        lines.push("answers short: the request lacks something that the answer uses".to_owned());
        if models.iter().any(|model| model.is_estimate) {
            lines.push("*estimate: the model's own tokenizer is not public".to_owned());
        }
        lines.iter().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    fn above(&self, models: &[&CostRow]) -> String {
        let cost = format!("cost vs {}", self.comparison.header.baseline);
        let width = models.len() * COST;
        let cost = if models.is_empty() { String::new() } else { cost };
        format!("{:NAME$}  {cost:>width$}{:>11}{:>12}{:>6}", "", "tokens", "answers", "runs")
    }

    fn row(&self, strategy: &StrategyComparison) -> String {
        let is_recommended = self.recommended.is_some_and(|recommended| recommended.name == strategy.name);
        let is_baseline = strategy.name == self.comparison.header.baseline;
        let mark = if is_recommended { ">" } else { " " };
        let mut line = format!("{mark} {:<NAME$}", shortened(&strategy.name, NAME));
        for cost in strategy.costs.iter().take(MODELS) {
            let cell = match cost.ratio {
                Some(ratio) if !is_baseline => signed_percent(ratio - 1.0),
                _ => format!("${:.3}", cost.cost.dollars()),
            };
            line += &format!("{cell:>COST$}");
        }
        let tokens = match strategy.ratio {
            Some(ratio) if !is_baseline => signed_percent(ratio - 1.0),
            _ => grouped(strategy.sums.input_tokens),
        };
        let answers = strategy.sums.answers;
        let short = match answers.needing {
            0 => "–".to_owned(),
            needing => format!("{} of {needing}", answers.short),
        };
        line + &format!("{tokens:>11}{short:>12}{:>6}", answers.short_runs)
    }
}

fn headings(models: &[&CostRow]) -> String {
    let mut line = format!("{:NAME$}  ", "");
    for model in models {
        let estimate = if model.is_estimate { "*" } else { "" };
        let room = COST - 1 - estimate.len();
        // Without its vendor a name often fits.
        let is_long = model.model.chars().count() > room;
        let own = model.model.split_once('-').filter(|_| is_long).map_or(&*model.model, |(_, own)| own);
        let name = shortened(own, room);
        line += &format!("{:>COST$}", name + estimate);
    }
    line + &format!("{:>11}{:>12}{:>6}", "", "short", "short")
}

/// The cost with the first model, else the tokens.
fn price(strategy: &StrategyComparison) -> f64 {
    strategy.costs.first().map_or(strategy.sums.input_tokens as f64, |cost| cost.cost.dollars())
}
