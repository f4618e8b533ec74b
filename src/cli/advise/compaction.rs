//! Finds the best size at which a product compacts its history, by trying several.

use serde_json::json;

use crate::compression::Product;
use crate::evaluate::{EvaluateError, Search, SettingsComparison, StrategySetting};
use crate::report::{Advice, Comparison, StrategyComparison, public};
use crate::scenario::JsonOptions;

/// Compaction sizes to try, in tokens.
const SIZES: [u64; 8] = [40_000, 60_000, 80_000, 100_000, 120_000, 150_000, 200_000, 300_000];
/// Tokens left after a compaction if the logs contain none: the median of seventeen real sessions.
const LEFT: u64 = 45_000;
/// Prefer a larger size with at least this share of the best saving, because it loses less. Chosen, not measured.
const NEARLY: f64 = 0.85;

/// A compaction at another size than today. Savings and losses cover both variants of this size: with as much left as in the logs, and with
/// the summary alone.
#[derive(Clone, Debug)]
pub(super) struct CompactionOffer {
    pub(super) tokens: u64,
    /// Dollars saved by the worse and by the better variant.
    pub(super) saves: (f64, f64),
    /// The simulated cost in dollars today, the base of the savings.
    pub(super) today: f64,
    /// The lowest saving at the expected maximum of turns (`Header::most_turns`).
    pub(super) at_most_turns: f64,
    /// Answers that would lack a fact under the worse variant, and those that lack one today.
    pub(super) short: u64,
    pub(super) short_today: u64,
    pub(super) needing: u64,
    /// Why not to offer it, if there is a reason.
    pub(super) barred: Option<Barred>,
    /// Evidence for this size.
    pub(super) evidence: SweepEvidence,
    /// A sentence on public experiments.
    pub(super) in_public: Option<String>,
}

/// Why a compaction is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Barred {
    /// Too many answers would lack a fact.
    Loss,
    /// No setting this aggressive held up in public experiments, for this reason.
    Public(String),
}

/// How strong the evidence for a setting is, by the same rules as for strategies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SweepEvidence {
    Strong(String),
    Weak(String),
}

/// The sizes tried, and the best one.
#[derive(Clone, Debug, Default)]
pub(super) struct SweptCompaction {
    /// The smallest and largest size. `None` if none was tried.
    pub(super) tried: Option<(u64, u64)>,
    pub(super) offer: Option<CompactionOffer>,
}

/// The input of a sweep over compaction sizes.
pub(super) struct CompactionSweep<'s> {
    pub(super) product: &'static Product,
    /// The context window used by the product.
    pub(super) window: u64,
    /// The largest request in the logs, in tokens.
    pub(super) largest: u64,
    /// Billed tokens after compactions in the logs. `None` if the logs contain none.
    pub(super) left: Option<u64>,
    /// Billed tokens per token of our tokenizer.
    pub(super) factor: f64,
    pub(super) search: Search<'s>,
}

impl CompactionSweep<'_> {
    /// The size with the best savings and acceptable losses. If losses are too high at every size, the one with the best savings.
    ///
    /// # Errors
    /// A conversation cannot be read or replayed.
    pub(super) fn find_best_size(&self) -> Result<SweptCompaction, EvaluateError> {
        let (Some(setting), Some(preset)) = (&self.product.compacts_at, self.product.compaction()) else {
            return Ok(SweptCompaction::default());
        };
        // From mild to aggressive.
        let mut sizes: Vec<u64> = SIZES.into_iter().rev().collect();
        sizes.retain(|size| {
            *size < self.largest && self.product.compaction_value(setting, *size, self.window).is_ok()
        });
        let tried = sizes.last().copied().zip(sizes.first().copied());
        if tried.is_none() || self.search.gauges.models.is_empty() {
            return Ok(SweptCompaction::default());
        }
        let [mut all_large, mut all_usual] = [Vec::new(), Vec::new()];
        for size in &sizes {
            let [large, usual] = self.settings(&preset.name, *size);
            all_large.push(large);
            all_usual.push(usual);
        }
        let families = [all_large, all_usual];
        // If the agent already compacts, expect the same number of turns.
        let swept = self.search.compare(&families, self.left.map(|_| 1.0))?;
        let mut offers = Vec::new();
        for (number, size) in sizes.iter().enumerate() {
            let variants = [swept.first + number, swept.first + sizes.len() + number];
            offers.extend(self.offer(*size, &swept, variants));
        }
        let (allowed, others): (Vec<_>, Vec<_>) =
            offers.into_iter().partition(|offer| offer.barred.is_none());
        let chosen = if allowed.is_empty() { others } else { allowed };
        let most = chosen.iter().map(|offer| offer.saves.0).fold(0.0, f64::max);
        let offer = chosen.into_iter().find(|offer| offer.saves.0 >= NEARLY * most);
        Ok(SweptCompaction { tried, offer })
    }

    /// The product's compaction at a size: with as much left as in the logs, and with the summary alone.
    fn settings(&self, preset: &str, size: u64) -> [StrategySetting; 2] {
        let left = self.left.unwrap_or(LEFT).saturating_sub(u64::from(self.product.constant));
        let counted = (left.min(size / 2) as f64 / self.factor) as u64;
        let usual = JsonOptions::from_iter([("trigger".to_owned(), json!({ "tokens": size }))]);
        let mut large = usual.clone();
        // After a summary, products add files and instructions again.
        large.insert("keep_recent_tokens".to_owned(), json!(counted));
        [large, usual].map(|options| StrategySetting { strategy: preset.to_owned(), options })
    }

    /// The offer of a size, if the variant with much left saves enough.
    fn offer(
        &self,
        tokens: u64,
        swept: &SettingsComparison,
        variants: [usize; 2],
    ) -> Option<CompactionOffer> {
        let comparison = &swept.comparison;
        let baseline = comparison.strategy(&comparison.header.baseline)?;
        let [large, usual] = variants.map(|index| comparison.strategies.get(index));
        let both = [large?, usual?];
        let bounds = self.search.bounds;
        let (today, saving) = (baseline.standings.first, both[0].standings.first);
        if both.iter().any(|variant| !variant.is_whole(baseline)) || !saving.saves(&today, bounds.tolerance) {
            return None;
        }
        let (today_cost, costs) = (cost_of(baseline)?, [cost_of(both[0])?, cost_of(both[1])?]);
        let (least, most) = (costs[0].min(costs[1]), costs[0].max(costs[1]));
        let mut turns = 1.0_f64;
        for index in variants {
            turns = turns.max(comparison.header.most_turns(index));
        }
        let is_admitted = both.iter().all(|variant| bounds.admit(&variant.standings.first, &today));
        // Public evidence is not needed for an agent that already compacts: only the size changes.
        let unsupported = variants
            .into_iter()
            .find(|index| self.left.is_none() && !comparison.header.supports(*index))
            .map(|index| public::why_not(comparison.header.severity(index)));
        let barred = match is_admitted {
            true => unsupported.map(Barred::Public),
            false => Some(Barred::Loss),
        };
        Some(CompactionOffer {
            tokens,
            saves: (today_cost - most, today_cost - least),
            today: today_cost,
            at_most_turns: today_cost - most * turns,
            short: both[0].sums.answers.short.max(both[1].sums.answers.short),
            short_today: baseline.sums.answers.short,
            needing: baseline.sums.answers.needing,
            barred,
            evidence: SweepEvidence::of(comparison, &variants),
            in_public: public::short_sentence(comparison.header.severity(variants[1])),
        })
    }
}

/// The cost in dollars at the prices of the first model.
pub(super) fn cost_of(strategy: &StrategyComparison) -> Option<f64> {
    Some(strategy.costs.first()?.cost.dollars())
}

impl SweepEvidence {
    /// The evidence for an action with these variants: that of the least certain one.
    pub(super) fn of(comparison: &Comparison, variants: &[usize]) -> SweepEvidence {
        let advice = Advice::new(comparison);
        if let Some(reason) = variants.iter().find_map(|index| advice.weakness(*index)) {
            return SweepEvidence::Weak(reason);
        }
        // The last variant is the most aggressive.
        let loss = variants.last().and_then(|index| advice.proven_loss(*index));
        loss.map_or_else(|| SweepEvidence::Weak("nothing was tried.".to_owned()), SweepEvidence::Strong)
    }

    /// `Weak evidence for 1 and 2: the runs are of 3 tasks. Log 5 more tasks and run this again.`
    pub(super) fn sentence(&self, numbers: &[usize]) -> String {
        let numbers = listed(numbers);
        match self {
            SweepEvidence::Strong(loss) => {
                format!("Strong evidence for {numbers}: on other sessions like these, {loss}.")
            }
            SweepEvidence::Weak(reason) => format!("Weak evidence for {numbers}: {reason}"),
        }
    }
}

/// `1, 2 and 4`
pub(super) fn listed(numbers: &[usize]) -> String {
    let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
    match texts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
