//! Calls of a model that strategies make themselves, and the answers that are short whatever a model writes for them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::columns::{StrategyColumn, column};
use super::comparison::StrategyComparison;
use crate::measure::MeasuredRun;
use crate::measure::numbers::{Cell, grouped, signed_percent};
use ptc_tokens::Money;

/// The calls of a model that a strategy made itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "calls of a strategy")]
pub struct OwnCalls {
    pub calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// One a model, in the order of the models at the top. It is part of the cost of the requests.
    #[schemars(with = "Vec<String>")]
    pub cost: Vec<Money>,
    /// Answers that are short whatever a model writes for the calls; none if what it wrote is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_short: Option<u64>,
}

/// The columns of `strategies.csv` where a strategy makes calls of its own.
pub(super) const CALL_COLUMNS: &[StrategyColumn] = &[
    column("strategy_calls", "calls of a model that the strategy makes itself", |s| {
        Cell::Count(s.sums.own_calls.calls)
    }),
    column("strategy_call_input", "their input tokens", |s| Cell::Count(s.sums.own_calls.input_tokens)),
    column("strategy_call_output", "their output tokens", |s| Cell::Count(s.sums.own_calls.output_tokens)),
    column("answers_short_least", "short answers with the best texts that those calls may write", |s| {
        Cell::Count(s.sums.least_short())
    }),
];
/// The same of each model.
pub(super) const CALL_COST: &str = "strategy_call_cost";

impl OwnCalls {
    /// The calls of one run; none if the strategy made none.
    pub fn of(run: &MeasuredRun) -> Option<OwnCalls> {
        let mut calls = OwnCalls::default();
        calls.add(run);
        calls.least_short = run.least_short.map(u64::from);
        (calls.calls > 0).then_some(calls)
    }

    /// Adds the calls of a run, but not its short answers.
    pub(super) fn add(&mut self, run: &MeasuredRun) {
        for call in &run.calls {
            self.calls += 1;
            self.input_tokens += u64::from(call.input_tokens);
            self.output_tokens += u64::from(call.output_tokens);
            self.cost.resize(self.cost.len().max(call.bills.len()), Money::default());
            self.cost.iter_mut().zip(&call.bills).for_each(|(sum, bill)| *sum += bill.cost);
        }
    }
}

impl StrategyComparison {
    /// The sentence on the calls that the strategy makes itself: `summary makes 2 calls of its own: …`
    pub(super) fn own_calls_text(&self) -> Option<String> {
        let calls = &self.sums.own_calls;
        let times = match calls.calls {
            0 => return None,
            1 => "1 call".to_owned(),
            several => format!("{} calls", grouped(several)),
        };
        let tokens =
            format!("{} tokens in, {} out", grouped(calls.input_tokens), grouped(calls.output_tokens));
        let cost = calls.cost.first().map_or(String::new(), |cost| format!(", ${:.4}", cost.dollars()));
        Some(format!("{} makes {times} of its own: {tokens}{cost} of its cost.", self.name))
    }

    /// The sentence on a strategy that no text of its calls makes worth it.
    pub(super) fn hopeless(&self, max_short: f64) -> Option<String> {
        let least = self.sums.own_calls.least_short?;
        let needing = self.sums.answers.needing;
        let name = &self.name;
        match self.costs.first().and_then(|cost| cost.ratio).or(self.ratio) {
            Some(ratio) if ratio >= 1.0 => {
                let change = signed_percent(ratio - 1.0);
                Some(format!("No text makes {name} pay: it costs {change} whatever a model writes."))
            }
            _ if least as f64 > max_short * needing as f64 => Some(format!(
                "No text of this size is enough for {name}: at least {} of {} answers are short whatever a model writes.",
                grouped(least),
                grouped(needing)
            )),
            _ => None,
        }
    }
}
