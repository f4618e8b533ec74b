//! Splits the simulated cost of requests by use, for logs without bills.

use crate::measure::MeasuredRun;
use crate::report::first_screen::MoneyRow;
use ptc_prices::{Bill, Price};

/// Cheaper rows are left out: they would print as 0%.
const LEAST_SHARE: f64 = 0.005;

/// Simulated dollars by use, at the prices of one model.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EstimatedMoney {
    /// Input read from the cache.
    reread: f64,
    /// Input sent for the first time.
    new: f64,
    /// Input of the request before, not read from the cache.
    again: f64,
    answers: f64,
}

impl EstimatedMoney {
    /// Adds the requests of a conversation.
    pub(super) fn add(&mut self, run: &MeasuredRun, price: &Price) {
        for request in &run.requests {
            let Some(Bill { cached_tokens, written_tokens, cost }) = request.bills.first().copied() else {
                continue;
            };
            let rates = price.rates(request.input_tokens);
            let dollars = |tokens: u32, rate: f64| f64::from(tokens) * rate / 1e6;
            let beside = request.input_tokens.saturating_sub(cached_tokens);
            let fresh = beside.saturating_sub(written_tokens);
            let reread = dollars(cached_tokens, rates.read);
            let sent = dollars(written_tokens, rates.write) + dollars(fresh, rates.input);
            let repeated = request.prefix_tokens.saturating_sub(cached_tokens).min(beside);
            let again = if beside == 0 { 0.0 } else { sent * f64::from(repeated) / f64::from(beside) };
            self.reread += reread;
            self.new += sent - again;
            self.again += again;
            self.answers += (cost.dollars() - reread - sent).max(0.0);
        }
    }

    /// The rows of the cost table, the most expensive first.
    pub(super) fn rows(&self) -> Vec<MoneyRow> {
        let rows = [
            (self.reread, "re-reading the conversation from the cache"),
            (self.new, "new text: messages and tool results"),
            (self.again, "earlier text that is not cached"),
            (self.answers, "answers"),
        ];
        let total: f64 = rows.iter().map(|(dollars, _)| dollars).sum();
        let mut shown = Vec::with_capacity(rows.len());
        for (dollars, text) in rows {
            let share = dollars / total.max(f64::MIN_POSITIVE);
            if share >= LEAST_SHARE {
                shown.push(MoneyRow { dollars, share, text: text.to_owned() });
            }
        }
        shown.sort_by(|one, other| other.dollars.total_cmp(&one.dollars));
        shown
    }
}
