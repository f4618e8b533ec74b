//! The dollars of billed requests by use. The parts add up to the bill.

use std::collections::BTreeMap;

use super::Rates;
use crate::scenario::misses::{BilledRequest, MissCause};

/// The dollars of billed requests by use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoneyParts {
    /// Input that was read from the cache.
    pub reread: f64,
    /// Input that was sent for the first time.
    pub new: f64,
    /// Input that had been sent before and was paid again, by cause.
    pub again: BTreeMap<MissCause, f64>,
    /// Output, with searches and the calls that the provider made for it.
    pub answers: f64,
    /// Calls that wrote summaries for compactions.
    pub summaries: f64,
}

impl MoneyParts {
    /// Adds a request with its bill. A cost that the log itself contains is shared out in proportion.
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
        // Searches, and calls beside the request, belong to the answer.
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

    /// The dollars of all input that was paid again.
    pub fn paid_again(&self) -> f64 {
        self.again.values().sum()
    }

    /// The sum of all parts.
    pub fn total(&self) -> f64 {
        self.reread + self.new + self.paid_again() + self.answers + self.summaries
    }
}
