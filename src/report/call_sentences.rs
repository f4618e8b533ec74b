//! Sentences on strategies that call a model themselves.

use super::comparison::StrategyComparison;
use super::recommend::{Bounds, Standing};
use crate::measure::numbers::{grouped, signed_percent};

impl StrategyComparison {
    /// `summary makes 2 calls of its own: …`; `None` without calls.
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

    /// Returns true if the loss would be within the bounds with this number of answers missing a fact.
    pub(super) fn is_admitted_with(&self, short: u64, bounds: Bounds, baseline: &StrategyComparison) -> bool {
        let own = Standing { short, needing: self.sums.answers.needing, ..Standing::default() };
        let of_baseline = Standing { short: baseline.sums.answers.short, ..Standing::default() };
        bounds.admit(&own, &of_baseline)
    }

    /// A sentence for a strategy too expensive or with too many answers missing a fact, whatever text its calls
    /// return; `None` for others.
    pub(super) fn describe_hopeless(&self, bounds: Bounds, baseline: &StrategyComparison) -> Option<String> {
        let least = self.sums.own_calls.least_short?;
        let name = &self.name;
        match self.costs.first().and_then(|cost| cost.ratio).or(self.ratio) {
            Some(ratio) if ratio >= 1.0 => {
                let change = signed_percent(ratio - 1.0);
                Some(format!(
                    "{name} pays with no text of this size: even with the best one it costs {change}."
                ))
            }
            _ if !self.is_admitted_with(least, bounds, baseline) => Some(format!(
                "No text of this size is enough for {name}: even with the best one {} of {} answers would lack a fact.",
                grouped(least),
                grouped(self.sums.answers.needing)
            )),
            _ => None,
        }
    }
}
