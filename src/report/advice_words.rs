//! Parts of the sentences of [`Advice`](super::advice::Advice): costs, shares, and what to do.

use super::comparison::StrategyComparison;
use super::walk::TASKS;
use crate::measure::numbers::percentage;

/// At least 1, as a divisor.
pub fn decisive_cost(strategy: &StrategyComparison) -> f64 {
    strategy.standings.first.cost.max(1) as f64
}

/// Verb, decrease and increase for a change of cost. Without prices, tokens replace costs.
pub fn words_of_costs(strategy: &StrategyComparison) -> (&'static str, &'static str, &'static str) {
    match strategy.costs.is_empty() {
        true => ("sends", "fewer tokens", "more tokens"),
        false => ("costs", "less", "more"),
    }
}

/// `45.3% less`, `2.1% more`
pub fn change_in_words(ratio: f64, (less, more): (&str, &str)) -> String {
    match ratio <= 1.0 {
        true => format!("{} {less}", percentage(1.0 - ratio)),
        false => format!("{} {more}", percentage(ratio - 1.0)),
    }
}

/// `4%`, `under 1%`
pub fn share_of(part: u64, whole: u64) -> String {
    match part as f64 / whole.max(1) as f64 {
        share if share > 0.0 && share < 0.01 => "under 1%".to_owned(),
        share => format!("{}%", (share * 100.0).round()),
    }
}

/// The cost with the first model.
pub fn first_cost(strategy: &StrategyComparison) -> Option<f64> {
    Some(strategy.costs.first()?.cost.dollars())
}

/// What to do when runs of `tasks` tasks are too few.
pub fn more_tasks(tasks: usize) -> String {
    let more = TASKS.saturating_sub(tasks);
    let noun = if more == 1 { "task" } else { "tasks" };
    format!("Log {more} more {noun} and run this again.")
}
