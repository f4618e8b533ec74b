//! The dollars of billed requests by use. The parts add up to the bill.

use std::collections::BTreeMap;

use super::Rates;
use crate::log_bills::misses::{BilledRequest, MissCause};

/// The dollars of billed requests by use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoneyParts {
    /// Input read from the cache.
    pub reread: f64,
    /// Input sent for the first time.
    pub new: f64,
    /// Input sent before and paid again, by cause.
    pub again: BTreeMap<MissCause, f64>,
    /// Output, with web searches and the provider's own calls for it.
    pub answers: f64,
    /// Calls that wrote compaction summaries.
    pub summaries: f64,
}

impl MoneyParts {
    /// Adds a request with its bill. If the log contains a cost, all parts are scaled to it.
    pub(super) fn add_request(&mut self, request: &BilledRequest<'_>, rates: &Rates, billed: f64) {
        let reread = request.read() as f64 * rates.read;
        let beside = rates.beside_read(request);
        let answers = request.usage.output_tokens.unwrap_or(0) as f64 * rates.output;
        let sum = reread + beside + answers;
        let scale = match request.usage.cost {
            Some(cost) if sum > 0.0 => cost / sum,
            Some(_) => 0.0,
            None => 1.0,
        };
        let fresh = request.input() - request.read();
        let is_first = request.cause == Some(MissCause::FirstRequest);
        let again = if is_first || fresh == 0 { 0.0 } else { beside * request.missed as f64 / fresh as f64 };
        self.reread += reread * scale;
        self.new += (beside - again) * scale;
        // Searches, and the provider's calls in addition to the request, belong to the answer.
        self.answers += answers * scale + (billed - sum * scale);
        if again > 0.0 {
            *self.again.entry(request.cause.unwrap_or(MissCause::NotKept)).or_default() += again * scale;
        }
    }

    pub(super) fn merge(&mut self, other: &MoneyParts) {
        self.reread += other.reread;
        self.new += other.new;
        self.answers += other.answers;
        self.summaries += other.summaries;
        for (cause, dollars) in &other.again {
            *self.again.entry(*cause).or_default() += dollars;
        }
    }

    /// Dollars of all input paid again.
    pub fn paid_again(&self) -> f64 {
        self.again.values().sum()
    }

    /// The sum of all parts.
    pub fn total(&self) -> f64 {
        self.reread + self.new + self.paid_again() + self.answers + self.summaries
    }
}
