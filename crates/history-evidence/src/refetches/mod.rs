//! Finds results fetched again by an agent, in the requests of its log.
//!
//! Calls depend on the requests, so only the requests as they were sent can be examined. [`find_refetches`] follows the result of each
//! call of [`Calls`] from request to request: it is shown, gone, or outdated by a later write.

mod ages;
mod calls;
mod lines;
mod readers;
mod shell;
mod tools;
mod watch;

use ecow::EcoString;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use ages::{AgeRow, Ages, RateRatio, Watched};
pub use calls::{Call, Calls, TurnCalls};
pub use readers::only_reads;
pub use watch::{FoundRefetches, find_refetches};

/// A call that fetched again what an earlier one had fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "refetch")]
pub struct Refetch {
    /// The turn of the call.
    pub turn: u32,
    /// The turn of the earlier call.
    pub first: u32,
    /// The call in words, shortened.
    #[schemars(with = "String")]
    pub call: EcoString,
    /// Tokens of the result.
    pub tokens: u32,
    /// True if the request still showed the earlier result.
    pub was_shown: bool,
}

/// Results of calls that were good when a request showed them, or no longer did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "results of calls")]
pub struct Results {
    /// All results.
    pub number: u64,
    /// Those of them that were fetched again at that time.
    pub again: u64,
}
