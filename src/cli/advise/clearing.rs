//! The size at which an agent that is made with a library clears its old tool results: several are tried.

use serde_json::json;

use crate::cli::apply;
use crate::cli::error::CliError;
use crate::compression::{CLEARING, TRIGGER};
use crate::evaluate::{Plan, Search, StrategySetting, Tried};
use crate::report::public;
use crate::scenario::JsonOptions;
use ptc_prices::Money;

/// The sizes at which it begins.
const SIZES: [u64; 8] = [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 100_000, 200_000];
/// A later beginning is preferred if it saves nearly as much: it loses less. Chosen, not measured.
const NEARLY: f64 = 0.85;

/// A size at which clearing saves most without too many answers that would lack a fact.
#[derive(Clone, Debug)]
pub(super) struct ClearingOffer {
    pub(super) tokens: u64,
    /// The line that prints it for the agent.
    pub(super) apply: String,
    /// Dollars saved at the most turns in public, and at the turns of the logs.
    pub(super) saves: (f64, f64),
    /// The simulated dollars without it.
    pub(super) today: f64,
    pub(super) short: u64,
    pub(super) needing: u64,
}

/// A search for the best size.
pub(super) struct ClearingSweep<'s> {
    /// The largest request under the baseline.
    pub(super) largest: u64,
    /// The format of the logs.
    pub(super) format: Option<&'s str>,
    pub(super) search: Search<'s>,
}

impl ClearingSweep<'_> {
    /// The offer; none if no size is safe and saves enough.
    ///
    /// # Errors
    /// A conversation cannot be read or replayed.
    pub(super) fn best(&self) -> Result<Option<ClearingOffer>, CliError> {
        let sizes: Vec<u64> = SIZES.into_iter().filter(|size| *size < self.largest).collect();
        if sizes.is_empty() || self.search.gauges.models.is_empty() {
            return Ok(None);
        }
        let mut settings = vec![StrategySetting::of(&self.search.suite.baseline)];
        for size in &sizes {
            let options = JsonOptions::from_iter([(TRIGGER.to_owned(), json!({ "tokens": size }))]);
            settings.push(StrategySetting { strategy: CLEARING.name.to_owned(), options });
        }
        let tried = self.search.standings(&settings)?;
        let Some((today, others)) = tried.split_first() else { return Ok(None) };
        let mut offers = Vec::new();
        for (size, tried) in sizes.iter().zip(others) {
            offers.extend(self.offer(*size, today, tried)?);
        }
        let most = offers.iter().map(|offer| offer.saves.1).fold(0.0, f64::max);
        Ok(offers.into_iter().rev().find(|offer| offer.saves.1 >= NEARLY * most))
    }

    /// The offer of a size, if it is safe and saves enough.
    fn offer(&self, tokens: u64, today: &Tried, tried: &Tried) -> Result<Option<ClearingOffer>, CliError> {
        let (base, standing, bounds) = (today.on_all_runs(), tried.on_all_runs(), self.search.bounds);
        if !tried.is_whole() || !standing.saves(&base, bounds.tolerance) || !bounds.admit(&standing, &base) {
            return Ok(None);
        }
        let StrategySetting { strategy, options } = &tried.setting;
        let plan = Plan::new(self.search.suite, &[(strategy.clone(), options.clone())])?;
        let (variants, settings) = (plan.settled()?, plan.settings());
        let Some(apply) = variants.first().and_then(|variant| apply::command_line(variant, self.format))
        else {
            return Ok(None);
        };
        let severity = settings.first().and_then(|setting| setting.severity);
        let turns = bounds.tolerance.turns.unwrap_or_else(|| public::most_turns(severity));
        let [whole, cost] = [base.cost, standing.cost].map(|units| Money::of_units(units).dollars());
        Ok(Some(ClearingOffer {
            tokens,
            apply,
            saves: (whole - cost * turns, whole - cost),
            today: whole,
            short: standing.short,
            needing: standing.needing,
        }))
    }
}
