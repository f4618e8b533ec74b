//! Finds the best size at which an agent built with a library clears old tool results, by trying several.

use serde_json::json;

use super::compaction::{SweepEvidence, cost_of};
use crate::cli::apply;
use crate::cli::error::CliError;
use crate::compression::{CLEARING, TRIGGER};
use crate::evaluate::{Plan, Search, SettingsComparison, StrategySetting};
use crate::report::{Comparison, public};
use crate::scenario::JsonOptions;

/// Trigger sizes to try, in tokens.
const SIZES: [u64; 8] = [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 100_000, 200_000];
/// Recent results that stay: as many as the fewest turns with which settings of the nearest kind held up in public.
const KEPT: u64 = 5;
/// Prefer a larger size with at least this share of the best saving, because it loses less. Chosen, not measured.
const NEARLY: f64 = 0.85;

/// The trigger size for clearing with the best savings and acceptable losses.
#[derive(Clone, Debug)]
pub(super) struct ClearingOffer {
    pub(super) tokens: u64,
    /// The `apply` command for this setting.
    pub(super) apply: String,
    /// Dollars saved at the expected maximum of turns (`Header::most_turns`), and at the turns of the logs.
    pub(super) saves: (f64, f64),
    /// The simulated cost in dollars without clearing.
    pub(super) today: f64,
    pub(super) short: u64,
    pub(super) short_today: u64,
    pub(super) needing: u64,
    /// Evidence for this size.
    pub(super) evidence: SweepEvidence,
    /// A sentence on public experiments.
    pub(super) in_public: Option<String>,
}

/// The input of a choice among trigger sizes.
pub(super) struct ClearingSweep<'s> {
    /// The largest request under the baseline, in tokens.
    pub(super) largest: u64,
    /// The format of the logs.
    pub(super) format: Option<&'s str>,
    pub(super) search: Search<'s>,
}

/// The settings to try, from mild to aggressive.
pub(super) fn clearing_settings() -> Vec<StrategySetting> {
    let mut settings = Vec::with_capacity(SIZES.len());
    for size in SIZES.iter().rev() {
        let options = JsonOptions::from_iter([
            ("keep".to_owned(), json!(KEPT)),
            (TRIGGER.to_owned(), json!({ "tokens": size })),
        ]);
        settings.push(StrategySetting { strategy: CLEARING.name.to_owned(), options });
    }
    settings
}

impl ClearingSweep<'_> {
    /// The best offer among [`clearing_settings`]. `None` if no size is safe and saves enough.
    ///
    /// # Errors
    /// A setting is invalid.
    pub(super) fn find_best_size(
        &self,
        swept: &SettingsComparison,
    ) -> Result<Option<ClearingOffer>, CliError> {
        let settings = clearing_settings();
        let mut offers = Vec::new();
        for ((index, size), setting) in (swept.first..).zip(SIZES.iter().rev()).zip(&settings) {
            // At a larger size, nothing is ever cleared.
            if *size < self.largest {
                offers.extend(self.offer(*size, setting, &swept.comparison, index)?);
            }
        }
        let most = offers.iter().map(|offer| offer.saves.1).fold(0.0, f64::max);
        Ok(offers.into_iter().find(|offer| offer.saves.1 >= NEARLY * most))
    }

    /// The offer of a size, if it is safe, held up in public experiments and saves enough.
    fn offer(
        &self,
        tokens: u64,
        setting: &StrategySetting,
        comparison: &Comparison,
        index: usize,
    ) -> Result<Option<ClearingOffer>, CliError> {
        let (baseline, strategy) =
            (comparison.strategy(&comparison.header.baseline), comparison.strategies.get(index));
        let (Some(baseline), Some(strategy)) = (baseline, strategy) else { return Ok(None) };
        let (base, standing, bounds) =
            (baseline.standings.first, strategy.standings.first, self.search.bounds);
        let is_possible = strategy.is_whole(baseline) && comparison.header.supports(index);
        if !is_possible || !standing.saves(&base, bounds.tolerance) || !bounds.admit(&standing, &base) {
            return Ok(None);
        }
        let plan = Plan::new(self.search.suite, &[(setting.strategy.clone(), setting.options.clone())])?;
        let variants = plan.settled()?;
        let Some(apply) = variants.first().and_then(|variant| apply::command_line(variant, self.format))
        else {
            return Ok(None);
        };
        let (Some(whole), Some(cost)) = (cost_of(baseline), cost_of(strategy)) else { return Ok(None) };
        let (answers, today) = (strategy.sums.answers, baseline.sums.answers);
        Ok(Some(ClearingOffer {
            tokens,
            apply,
            saves: (whole - cost * comparison.header.most_turns(index), whole - cost),
            today: whole,
            short: answers.short,
            short_today: today.short,
            needing: answers.needing,
            evidence: SweepEvidence::of(comparison, &[index]),
            in_public: public::short_sentence(comparison.header.severity(index)),
        }))
    }
}
