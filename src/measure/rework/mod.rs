//! Prices re-reading: the results that an agent fetched again after it had shortened its history ([`find_refetches`]), and the cost of
//! shortening. Only the strategy `as-recorded` can be measured, because calls depend on the requests.

mod costs;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use costs::{CompactionCosts, ReworkCosts};

use super::measured::MeasuredRun;
use crate::agent::LoggedCompaction;
use agent_logs::CompactionKind;
use conversation_bills::{RunPrices, SizedRun};
use history_evidence::refetches::{Ages, Calls, Refetch, Results, find_refetches};

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

impl Rework {
    /// Measures re-reading in the as-recorded requests, after billing.
    pub fn of(
        run: &MeasuredRun,
        (calls, compactions): (&Calls, &[LoggedCompaction]),
        sized: &SizedRun<'_>,
        prices: RunPrices<'_>,
    ) -> Rework {
        let found = find_refetches(calls, sized.sent.table, sized.sent.requests);
        let gone: Vec<_> = found.refetches.iter().filter(|(refetch, _)| !refetch.was_shown).collect();
        let carried = costs::Carried::of_calls(&gone, calls);
        let events = costs::Events::of_run(run, compactions, calls, sized);
        let mut costs = Vec::with_capacity(prices.models.len());
        for model in 0..prices.models.len() {
            let refetched = carried.sum_costs(run, sized, (model, prices));
            costs.push(events.sum_costs(run, (model, prices), refetched));
        }
        Rework {
            costs,
            compactions: events.sums(),
            unread: find_unread(compactions),
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
fn find_unread(compactions: &[LoggedCompaction]) -> Vec<u32> {
    let mut unread = Vec::new();
    for compaction in compactions {
        let is_unread = match compaction.logged.kind {
            CompactionKind::Opaque => true,
            CompactionKind::Summary => compaction.logged.text.is_none(),
            CompactionKind::Clear | CompactionKind::Drop | CompactionKind::Rewrite => false,
        };
        if is_unread {
            unread.push(compaction.turns as u32);
        }
    }
    unread
}
