//! Measures re-reading: the results an agent fetched again after it had shortened its history, their cost, and the cost of
//! shortening. Only the strategy `as-recorded` can be measured, because calls depend on the requests.

mod ages;
mod calls;
mod costs;
mod lines;
mod readers;
mod shell;
mod tools;
mod watch;

use ecow::EcoString;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use ages::{AgeRow, Ages, RateRatio, Watched};
pub use calls::Calls;
pub use costs::{CompactionCosts, ReworkCosts};
pub use readers::only_reads;

use super::bill::Charged;
use super::logged_prices::RunPrices;
use super::measured::MeasuredRun;
use crate::agent::LoggedCompaction;
use agent_logs::CompactionKind;
use ptc_tokens::Tokenizer;

/// The rework of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "rework")]
pub struct Rework {
    /// Calls that fetched what an earlier one had fetched, in order.
    pub refetches: Vec<Refetch>,
    pub shown: Results,
    pub gone: Results,
    pub ages: Ages,
    pub compactions: CompactionCosts,
    /// For each compaction whose text the log lacks or only the provider can read, the number of turns before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<u32>,
    /// One a model, in the order of the models at the top.
    pub costs: Vec<ReworkCosts>,
}

/// A call that fetched again what an earlier one had fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "refetch")]
pub struct Refetch {
    pub turn: u32,
    /// The turn of the earlier call.
    pub first: u32,
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
    pub number: u64,
    /// Those of them that were fetched again at that time.
    pub again: u64,
}

impl Rework {
    /// Measures re-reading in the as-recorded requests, after billing. `tools_tokens` are the tokens of the tool
    /// declarations.
    pub fn of(
        run: &MeasuredRun,
        (calls, compactions): (&Calls, &[LoggedCompaction]),
        sent: &Charged<'_>,
        (prices, tokenizer): (RunPrices<'_>, &Tokenizer),
        tools_tokens: u32,
    ) -> Rework {
        let found = watch::watch(calls, sent.table, sent.requests);
        let gone: Vec<_> = found.refetches.iter().filter(|(refetch, _)| !refetch.was_shown).collect();
        let carried = costs::Carried::of(&gone, calls);
        let events = costs::Events::of(run, compactions, calls, sent, tokenizer);
        let costs = (0..prices.models.len()).map(|model| {
            let refetched = carried.cost(run, sent, (model, prices), tools_tokens);
            events.costs(run, (model, prices), refetched)
        });
        Rework {
            costs: costs.collect(),
            compactions: events.sums(),
            unread: unread(compactions),
            refetches: found.refetches.into_iter().map(|(refetch, _)| refetch).collect(),
            shown: found.shown,
            gone: found.gone,
            ages: found.ages,
        }
    }

    /// Returns true if a compaction with unknown text lies between the turns `told` and `turn`. The request of `turn` may
    /// then include facts of turn `told`.
    pub fn may_have_told(&self, told: u32, turn: u32) -> bool {
        self.unread.iter().any(|completed| told <= *completed && *completed < turn)
    }

    /// The calls that re-read results missing from their request.
    pub fn after_loss(&self) -> impl Iterator<Item = &Refetch> {
        self.refetches.iter().filter(|refetch| !refetch.was_shown)
    }
}

/// The number of turns before each compaction with unknown text.
fn unread(compactions: &[LoggedCompaction]) -> Vec<u32> {
    let unread = compactions.iter().filter(|compaction| match compaction.logged.kind {
        CompactionKind::Opaque => true,
        CompactionKind::Summary => compaction.logged.text.is_none(),
        CompactionKind::Clear | CompactionKind::Drop | CompactionKind::Rewrite => false,
    });
    unread.map(|compaction| compaction.turns as u32).collect()
}
