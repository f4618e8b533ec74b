//! Billed calls missing in the logs.

use crate::cli::suite::count;
use crate::report::spending::UnloggedCalls;
use crate::report::{Fact, ModelPrices, Spending};
use agent_logs::SubagentAnswers;

/// Smaller amounts are not printed.
const LEAST: f64 = 0.005;

/// Billed calls missing in the logs, grouped by how they were found.
#[derive(Clone, Copy, Default)]
pub(super) struct Unlogged {
    /// Answers of subagents with only a bill in the logs.
    pub(super) subagents: UnloggedCalls,
    /// Answers without a bill in the logs.
    pub(super) unbilled: UnloggedCalls,
    summaries: UnloggedCalls,
    others: UnloggedCalls,
}

impl Unlogged {
    pub(super) fn of(subagents: UnloggedCalls, unbilled: UnloggedCalls, spending: &Spending) -> Unlogged {
        let (summaries, others) = (spending.unlogged_summaries, spending.unlogged_calls);
        Unlogged { subagents, unbilled, summaries, others }
    }

    fn kinds(&self) -> [(UnloggedCalls, &'static str, &'static str); 4] {
        [
            (self.subagents, "request", " of subagents"),
            (self.summaries, "summary", ""),
            (self.others, "request", " seen only in later cache reads"),
            (self.unbilled, "request", " without a bill"),
        ]
    }

    pub(super) fn dollars(&self) -> f64 {
        self.kinds().iter().map(|(calls, ..)| calls.dollars).sum()
    }

    /// `not in the logs: at least $1.60: 25 requests of subagents ($1.28), 2 summaries ($0.32)`
    pub(super) fn fact(&self) -> Option<Fact> {
        let mut named = Vec::new();
        for (calls, one, more) in self.kinds().into_iter().filter(|(calls, ..)| calls.calls > 0) {
            let number = match (calls.calls, one) {
                (number, "summary") if number != 1 => format!("{number} summaries"),
                (number, one) => count(number as usize, one),
            };
            let dollars =
                if calls.dollars >= LEAST { format!(" (${:.2})", calls.dollars) } else { String::new() };
            named.push(format!("{number}{more}{dollars}"));
        }
        let dollars = self.dollars();
        let least = if dollars >= LEAST { format!("at least ${dollars:.2}: ") } else { String::new() };
        let line = format!("not in the logs: {least}{}", named.join(", "));
        (!named.is_empty()).then(|| Fact::new(line, dollars >= LEAST))
    }
}

/// Prices the answers of subagents. Their output counts are placeholders logged at the start of streaming, so this is a lower bound.
pub(super) fn price_subagents(answers: &SubagentAnswers, prices: &mut ModelPrices) -> UnloggedCalls {
    let mut subagents = UnloggedCalls::default();
    for usage in answers.list_bills() {
        subagents.calls += 1;
        subagents.dollars += prices.dollars(&usage, None);
    }
    subagents
}
