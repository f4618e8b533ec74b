//! Finds the best limit on a product's tool results, by trying several.

use super::compaction::SweepEvidence;
use crate::compression::{OutputLimit, RECORDED};
use crate::evaluate::{Search, SettingsComparison, StrategySetting};

/// Prefer a larger limit with at least this share of the best saving, because it loses less. Chosen, not measured.
const NEARLY: f64 = 0.85;

/// A limit on tool results with its saving.
#[derive(Clone, Debug)]
pub(super) struct LimitOffer {
    pub(super) limit: &'static OutputLimit,
    pub(super) value: u32,
    /// Dollars saved at the expected maximum of turns (`Header::most_turns`), and at the turns of the logs.
    pub(super) saves: (f64, f64),
    /// The simulated cost in dollars today.
    pub(super) today: f64,
    pub(super) short: u64,
    pub(super) short_today: u64,
    pub(super) needing: u64,
    /// False if too many answers would lack a fact.
    pub(super) is_admitted: bool,
    pub(super) evidence: SweepEvidence,
}

/// The limits tried, and the best one.
#[derive(Clone, Debug, Default)]
pub(super) struct SweptLimits {
    /// The setting, if it was tried.
    pub(super) tried: Option<&'static OutputLimit>,
    pub(super) offer: Option<LimitOffer>,
}

/// The settings that try the values of a limit.
pub(super) fn limit_settings(limit: &OutputLimit) -> Vec<StrategySetting> {
    let mut settings = Vec::with_capacity(limit.values.len());
    for value in &limit.values {
        let strategy = RECORDED.name().to_string();
        settings.push(StrategySetting { strategy, options: limit.options(*value).into_iter().collect() });
    }
    settings
}

impl SweptLimits {
    /// Chooses among [`limit_settings`]. If losses are too high at each value, the offer is the one with the best savings.
    pub(super) fn choose(
        limit: &'static OutputLimit,
        swept: &SettingsComparison,
        search: &Search<'_>,
    ) -> SweptLimits {
        let mut offers = Vec::new();
        for (index, value) in (swept.first..).zip(&limit.values) {
            offers.extend(offer((limit, *value), swept, index, search));
        }
        let (allowed, others): (Vec<_>, Vec<_>) = offers.into_iter().partition(|offer| offer.is_admitted);
        let chosen = if allowed.is_empty() { others } else { allowed };
        let most = chosen.iter().map(|offer| offer.saves.1).fold(0.0, f64::max);
        let offer = chosen.into_iter().find(|offer| offer.saves.1 >= NEARLY * most);
        SweptLimits { tried: Some(limit), offer }
    }
}

/// The offer of a value, if it saves enough.
fn offer(
    (limit, value): (&'static OutputLimit, u32),
    swept: &SettingsComparison,
    index: usize,
    search: &Search<'_>,
) -> Option<LimitOffer> {
    let comparison = &swept.comparison;
    let baseline = comparison.strategy(&comparison.header.baseline)?;
    let strategy = comparison.strategies.get(index)?;
    let (base, standing) = (baseline.standings.first, strategy.standings.first);
    if !strategy.is_whole(baseline) || !standing.saves(&base, search.bounds.tolerance) {
        return None;
    }
    let today = baseline.costs.first()?.cost.dollars();
    let cost = strategy.costs.first()?.cost.dollars();
    Some(LimitOffer {
        limit,
        value,
        saves: (today - cost * comparison.header.most_turns(index), today - cost),
        today,
        short: strategy.sums.answers.short,
        short_today: baseline.sums.answers.short,
        needing: baseline.sums.answers.needing,
        is_admitted: search.bounds.admit(&standing, &base),
        evidence: SweepEvidence::of(comparison, &[index]),
    })
}
