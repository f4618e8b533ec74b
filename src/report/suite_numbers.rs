//! Sums over the whole suite and several strategies, before and now: for the last row of the table in
//! `changes.md`, and for the summary above its list of changes.

use super::changes::{LOST, NumberChange, SHORT, StrategyChange};
use super::tables::name;
use super::totals::Totals;
use crate::measure::numbers::{billed_dollars, changed_share, grouped, shown};

const NEEDING: &str = "answers_needing";
/// Columns that add up to the runs of a strategy.
const RUNS: [&str; 3] = ["wins", "ties", "losses"];
/// Prefix of cost metrics.
pub(super) const COST: &str = "cost:";

/// Sums over the whole suite and all strategies of the table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SuiteNumbers {
    pub strategies: Vec<String>,
    /// Answers that use facts, now and before.
    pub needing: u64,
    pub needing_before: u64,
    /// Answers that use facts under each strategy. `None` for one without a number.
    answers: Vec<Option<u64>>,
    /// Runs of scenarios under these strategies.
    runs: f64,
    /// One per column.
    sums: Vec<Sum>,
    models: Vec<String>,
}

/// The sums of one column.
#[derive(Clone, Debug, Default, PartialEq)]
struct Sum {
    metric: String,
    before: f64,
    now: f64,
}

impl SuiteNumbers {
    /// Empty sums.
    pub(super) fn new(metrics: &[String], models: Vec<String>) -> SuiteNumbers {
        let sums = metrics.iter().map(|metric| Sum { metric: metric.clone(), ..Sum::default() }).collect();
        SuiteNumbers { models, sums, ..SuiteNumbers::default() }
    }

    /// Adds a strategy. The metrics missing from `change` did not change.
    pub(super) fn add(&mut self, change: &StrategyChange, now: &Totals) {
        self.strategies.push(change.name.clone());
        let needing = now.number(&change.name, NEEDING);
        self.answers.push(needing.map(|needing| needing as u64));
        if let Some(needing) = needing {
            let increase = change.number(NEEDING).and_then(NumberChange::increase).unwrap_or(0.0);
            self.needing += needing as u64;
            self.needing_before += (needing - increase) as u64;
        }
        for column in RUNS {
            if let Some(runs) = now.number(&change.name, column) {
                self.runs += runs;
            }
        }
        for sum in &mut self.sums {
            // The cell is empty if the strategy sent no requests.
            let Some(number) = now.number(&change.name, &sum.metric) else { continue };
            sum.now += number;
            sum.before += number;
            if let Some(increase) = change.number(&sum.metric).and_then(NumberChange::increase) {
                sum.before -= increase;
            }
        }
    }

    /// The number of answers that use facts under each strategy. `None` if it is not the same under all.
    pub(super) fn answers_of_each(&self) -> Option<u64> {
        let first = self.answers.first().copied().flatten()?;
        if self.answers.iter().all(|answers| *answers == Some(first)) { Some(first) } else { None }
    }

    /// Answers missing a fact before and now.
    pub fn short(&self) -> [u64; 2] {
        let sum = self.sums.iter().find(|sum| sum.metric == SHORT);
        sum.map_or([0; 2], |sum| [sum.before, sum.now].map(|number| number.round() as u64))
    }

    /// The relative change of the cost with each model.
    pub(super) fn cost_shares(&self) -> Vec<f64> {
        let mut shares = Vec::new();
        for sum in &self.sums {
            if sum.metric.starts_with(COST) && sum.before > 0.0 {
                shares.push((sum.now - sum.before) / sum.before);
            }
        }
        shares
    }

    /// The cost with each model: `$108.60 → $103.43 (-4.8%) with gpt-6.1-sol`.
    pub fn costs(&self) -> Vec<String> {
        self.costs_of(1.0)
    }

    /// The average cost of a run with each model.
    pub fn costs_of_run(&self) -> Vec<String> {
        if self.runs > 0.0 { self.costs_of(self.runs) } else { Vec::new() }
    }

    /// The cost of one of this number of parts.
    fn costs_of(&self, parts: f64) -> Vec<String> {
        let mut costs = Vec::new();
        for model in &self.models {
            let sum = self.sums.iter().find(|sum| sum.metric.strip_prefix(COST) == Some(model));
            let Some(sum) = sum else { continue };
            let part = Sum { metric: sum.metric.clone(), before: sum.before / parts, now: sum.now / parts };
            costs.push(format!("{} with {}", part.cell(), name(model)));
        }
        costs
    }

    /// A row of the table.
    pub(super) fn row(&self, title: String) -> Vec<String> {
        std::iter::once(title).chain(self.sums.iter().map(Sum::cell)).collect()
    }
}

impl Sum {
    fn cell(&self) -> String {
        let [before, now] = [self.before, self.now].map(|number| match self.metric.starts_with(COST) {
            true => format!("{number:.6}"),
            false => format!("{number:.0}"),
        });
        match before == now {
            true => cell(&self.metric, &now),
            false => changed_cell(&NumberChange { metric: self.metric.clone(), before, now }),
        }
    }
}

/// `12,345`, `$12.34`
pub(super) fn cell(metric: &str, number: &str) -> String {
    match number.parse() {
        Ok(amount) if metric.starts_with(COST) => billed_dollars(amount),
        _ => shown(number),
    }
}

/// `190 → 197 (+7)`, `11,519,823 → 10,969,779 (-4.8%)`, `$25.64 → $24.27 (-5.3%)`
pub(super) fn changed_cell(number: &NumberChange) -> String {
    let [before, now] = [&number.before, &number.now].map(|text| cell(&number.metric, text));
    let pair = if before == now { now } else { format!("{before} → {now}") };
    let is_count = [SHORT, LOST].contains(&number.metric.as_str());
    match (number.increase(), number.share()) {
        (Some(increase), _) if is_count => {
            let sign = if increase < 0.0 { "-" } else { "+" };
            format!("{pair} ({sign}{})", grouped(increase.abs() as u64))
        }
        (_, Some(share)) => format!("{pair} ({})", changed_share(share)),
        _ => pair,
    }
}
