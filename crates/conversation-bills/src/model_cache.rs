//! A provider's cache for one model.

use crate::blocks::Blocks;
use crate::tariff::Tariff;
use conversation::Pauses;
use ptc_prices::{Bill, GRACE, Ledger, OtherCosts, Price, TimeSpan};

/// The requests sent to one model. Models do not share a cache.
pub struct ModelCache<'c> {
    pub blocks: Blocks<'c>,
    /// Ledgers by time to live. Columns with the same time share a ledger.
    pub ledgers: Vec<(Option<TimeSpan>, Ledger)>,
    /// The turn of each ledger entry.
    pub turns: Vec<u32>,
    /// Length, in messages, of the prefix shared by the model's newest request and all later requests.
    pub kept_messages: usize,
    /// Milliseconds since the answer to the model's newest request.
    pub pause: u64,
    /// True if the previous request went to another model, or this is the first.
    pub is_interrupted: bool,
}

impl<'c> ModelCache<'c> {
    pub fn new(blocks: Blocks<'c>) -> ModelCache<'c> {
        let (ledgers, turns) = (Vec::new(), Vec::new());
        ModelCache { blocks, ledgers, turns, kept_messages: 0, pause: 0, is_interrupted: true }
    }

    /// Advances the time to the next request, to any model. The request begins with `kept` messages of the previous
    /// one.
    pub fn wait(&mut self, milliseconds: u64, kept: usize) {
        self.pause = self.pause.saturating_add(milliseconds);
        self.kept_messages = self.kept_messages.min(kept);
    }

    /// Records that the newest request went to this model.
    pub fn sent(&mut self) {
        (self.kept_messages, self.pause, self.is_interrupted) = (usize::MAX, 0, false);
    }

    /// The bills of all entries in one column. Prices may change from day to day.
    pub fn bills(
        &self,
        tariff: Tariff<'_>,
        column: usize,
        pauses: &Pauses,
        warm_system: bool,
    ) -> (Vec<Bill>, OtherCosts) {
        let mut prices: Vec<(usize, &Price)> = Vec::new();
        for (index, turn) in self.turns.iter().enumerate() {
            let Some(price) = tariff.price(column, *turn) else { continue };
            if prices.last().is_none_or(|(_, last)| *last != price) {
                prices.push((index, price));
            }
        }
        let ttl = match prices.first() {
            Some((_, price)) => ttl_of(price, pauses),
            None => None,
        };
        match self.ledgers.iter().find(|(known, _)| *known == ttl) {
            Some((_, ledger)) => ledger.bills_at(&prices, warm_system),
            None => (Vec::new(), OtherCosts::default()),
        }
    }
}

impl Tariff<'_> {
    /// Creates the ledgers of all columns, at the prices of a turn.
    pub fn ledgers(self, turn: u32, pauses: &Pauses) -> Vec<(Option<TimeSpan>, Ledger)> {
        let mut ledgers: Vec<(Option<TimeSpan>, Ledger)> = Vec::new();
        for column in 0..self.columns() {
            let Some(price) = self.price(column, turn) else { continue };
            let ttl = ttl_of(price, pauses);
            if ledgers.iter().all(|(known, _)| *known != ttl) {
                ledgers.push((ttl, Ledger::new(ttl.map(effective_ttl))));
            }
        }
        ledgers
    }
}

/// The actual lifetime of an entry, including [`GRACE`].
fn effective_ttl(ttl: TimeSpan) -> TimeSpan {
    let grace = u32::try_from(GRACE / 1000).unwrap_or(0);
    TimeSpan::of_seconds(ttl.seconds().saturating_add(grace)).unwrap_or(ttl)
}

/// The time to live in a model's cache. `None` if the run has no known pauses.
fn ttl_of(price: &Price, pauses: &Pauses) -> Option<TimeSpan> {
    if pauses.are_known() { price.ttl } else { None }
}
