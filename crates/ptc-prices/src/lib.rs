//! Prices of language models, and the cost of requests under the caching rules of their providers.
//!
//! [`PriceTable::find`] finds the [`Price`] of a model on a day by any usual spelling of its name. The price turns the
//! [`CallTokens`] of a call into dollars. A [`Ledger`] predicts the cache reads and writes of a run's requests, and
//! makes a [`Bill`] for each.

#![warn(missing_docs)]

mod billing;
mod call_cost;
mod money;
mod names;
mod places;
mod prices;
mod read_grid;
mod terms;
mod time_span;

pub use billing::{Bill, Border, GRACE, Ledger, OtherCosts, Sent};
pub use call_cost::CallTokens;
pub use money::Money;
pub use names::UnknownModel;
pub use prices::{
    BreakpointRule, CacheRule, DEFAULT_MODELS, LongCache, NewestRule, Peak, PrefixRule, Price, PriceError,
    PriceTable, Rates, Tier, date_of_day, day_number,
};
pub use read_grid::ReadGrid;
pub use terms::{HourOfWeek, Terms};
pub use time_span::TimeSpan;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
