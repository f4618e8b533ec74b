//! Calls that were billed and are not in the logs.

use crate::cli::suite::count;
use crate::report::{Fact, ModelPrices};
use agent_logs::SubagentAnswers;

/// Answers of subagents of which no log has more than the bill.
#[derive(Default)]
pub(super) struct Unlogged {
    answers: usize,
    /// Dollars for those whose models have prices.
    dollars: f64,
}

impl Unlogged {
    pub(super) fn of(answers: &SubagentAnswers, prices: &mut ModelPrices) -> Unlogged {
        let mut unlogged = Unlogged::default();
        for usage in answers.bills() {
            unlogged.answers += 1;
            unlogged.dollars += prices.dollars(&usage, None);
        }
        unlogged
    }

    /// `not in the logs: at least $1.60 for 25 answers of subagents`. Their output is that from the start of the stream.
    pub(super) fn fact(&self) -> Option<Fact> {
        let answers = count(self.answers, "answer");
        let line = match self.dollars {
            dollars if dollars >= 0.005 => {
                format!("not in the logs: at least ${dollars:.2} for {answers} of subagents")
            }
            _ => format!("not in the logs: {answers} of subagents"),
        };
        (self.answers > 0).then(|| Fact::new(line, self.dollars >= 0.005))
    }
}
