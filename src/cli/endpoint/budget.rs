//! Costs of calls to a live model, and the limit `--max-cost`.

use std::sync::{Condvar, Mutex, PoisonError};

use super::client::Usage;
use super::{EndpointArguments, api};
use crate::cli::error::CliError;
use crate::cli::priced::price_table;
use crate::cli::suite::count;
use ptc_prices::{Money, Price};

/// Fewest bytes in a token, to never underestimate input tokens. English has about four bytes a token and code two, depending on the model.
const BYTES: u64 = 2;

/// Costs so far and their limit, shared by several threads.
pub(super) struct Budget {
    price: Option<Price>,
    /// The limit for all calls together.
    most: Option<Money>,
    spent: Mutex<Spent>,
    /// Wakes threads waiting for budget when a call completes.
    settled: Condvar,
}

#[derive(Clone, Copy, Default)]
struct Spent {
    calls: u64,
    /// Calls with an unknown bill.
    without_bill: u64,
    cost: Money,
    /// Maximum cost of all calls in progress.
    reserved: Money,
}

impl Budget {
    /// # Errors
    /// There is a limit, but the model has no known price.
    pub(super) fn new(arguments: &EndpointArguments) -> Result<Budget, CliError> {
        let price = arguments.price();
        let price = if arguments.max_cost.is_some() { Some(price?) } else { price.ok() };
        let most = arguments.max_cost;
        Ok(Budget { price, most, spent: Mutex::default(), settled: Condvar::new() })
    }

    /// Returns true if answers need a length limit.
    pub(super) fn is_bounded(&self) -> bool {
        self.most.is_some()
    }

    /// Reserves the maximum cost of a call with this body. If the budget does not suffice, waits for the calls in progress: most cost less
    /// than they reserved.
    ///
    /// # Errors
    /// The budget does not suffice even after all calls in progress have completed.
    pub(super) fn reserve(&self, body: &str) -> Result<Money, String> {
        let (Some(price), Some(most)) = (&self.price, self.most) else { return Ok(Money::default()) };
        let input = body.len() as u64 / BYTES;
        let size = u32::try_from(input).unwrap_or(u32::MAX);
        let call = price.cost_of(size, [0, 0, input, api::MAX_TOKENS.into()]);
        let call = call.max(price.cost_of(size, [input, 0, 0, api::MAX_TOKENS.into()]));
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        while spent.cost + spent.reserved + call > most {
            if spent.reserved == Money::default() {
                let left = most.less(spent.cost);
                return Err(format!("the next call may cost ${call}, and ${left} of --max-cost is left"));
            }
            spent = self.settled.wait(spent).unwrap_or_else(PoisonError::into_inner);
        }
        spent.reserved += call;
        Ok(call)
    }

    /// Replaces a reservation by the actual cost. If usage is unknown, the whole reservation counts.
    pub(super) fn settle(&self, reserved: Money, usage: Option<Usage>) {
        let cost = match (&self.price, usage) {
            (Some(price), Some(usage)) => usage.cost(price),
            _ => reserved,
        };
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.calls += 1;
        spent.without_bill += u64::from(usage.is_none());
        spent.reserved = spent.reserved.less(reserved);
        spent.cost += cost;
        self.settled.notify_all();
    }

    /// Gives back the reservation of a rejected call.
    pub(super) fn release(&self, reserved: Money) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.reserved = spent.reserved.less(reserved);
        self.settled.notify_all();
    }

    /// `cost: $0.0900 for 9 calls`, if the model has a price. Calls with an unknown bill count with their maximum cost, or as nothing
    /// without `--max-cost`.
    pub(super) fn cost_line(&self) -> Option<String> {
        self.price.as_ref()?;
        let spent = *self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = |number: u64| count(usize::try_from(number).unwrap_or(usize::MAX), "call");
        let (dollars, all) = (spent.cost.dollars(), calls(spent.calls));
        Some(match spent.without_bill {
            0 => format!("cost: ${dollars:.4} for {all}"),
            some => {
                let bound = if self.is_bounded() { "at most" } else { "at least" };
                format!("cost: {bound} ${dollars:.4} for {all}, {} without a bill", calls(some))
            }
        })
    }
}

impl Usage {
    /// The cost of a call at a model's prices.
    pub(in crate::cli) fn cost(self, price: &Price) -> Money {
        let size = u32::try_from(self.input).unwrap_or(u32::MAX);
        let fresh = self.input.saturating_sub(self.cached).saturating_sub(self.written);
        price.cost_of(size, [fresh, self.cached, self.written, self.output])
    }
}

impl EndpointArguments {
    /// The prices of the model.
    ///
    /// # Errors
    /// They are unknown.
    pub(in crate::cli) fn price(&self) -> Result<Price, CliError> {
        let table = price_table(self.prices.as_deref())?;
        Ok(table.find(&self.model, table.day())?)
    }
}
