//! Model calls made by strategies, and the answers that stay short whatever these calls return.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::measure::MeasuredRun;
use crate::measure::numbers::add_by_model;
use ptc_prices::Money;

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
    /// Answers missing a fact even with the best text of the calls; none if the text is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_short: Option<u64>,
}

impl OwnCalls {
    /// The calls of one run; `None` without any.
    pub fn of_run(run: &MeasuredRun) -> Option<OwnCalls> {
        let mut calls = OwnCalls::default();
        calls.add_run(run);
        calls.least_short = run.least_short.map(u64::from);
        (calls.calls > 0).then_some(calls)
    }

    /// Adds the calls of a run, but not their effect on answers.
    pub(super) fn add_run(&mut self, run: &MeasuredRun) {
        for call in &run.calls {
            self.calls += 1;
            self.input_tokens += u64::from(call.input_tokens);
            self.output_tokens += u64::from(call.output_tokens);
            add_by_model(&mut self.cost, call.bills.iter().map(|bill| bill.cost));
        }
    }
}
