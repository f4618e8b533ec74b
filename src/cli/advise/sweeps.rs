//! Tries settings of the product or library that wrote the logs: each at several values.

use super::clearing::{ClearingOffer, ClearingSweep, clearing_settings};
use super::compaction::{CompactionSweep, SweptCompaction};
use super::conversations::Conversations;
use super::limiting::{SweptLimits, limit_settings};
use crate::cli::error::CliError;
use crate::compression::Product;
use crate::evaluate::{Search, StrategySetting, SweepSums};
use crate::report::{Comparison, TooLittle};
use agent_logs::is_of_program;
use ptc_prices::Price;

/// Assumed context window of an unknown model.
const UNKNOWN_WINDOW: u32 = 200_000;

/// The writer of logs: a product or library.
pub(super) struct LogWriter<'w> {
    /// The format of the logs, if all have the same.
    pub(super) format: Option<&'w str>,
    /// The product or library, if it is known.
    pub(super) product: Option<&'static Product>,
    /// The name of the program, if its owner cannot change its code.
    pub(super) program: Option<String>,
    /// The context window of the model used for prices.
    pub(super) window: u64,
}

/// The best values of the settings.
#[derive(Default)]
pub(super) struct Sweeps {
    pub(super) limits: SweptLimits,
    pub(super) compaction: SweptCompaction,
    /// Only for agents built with a library.
    pub(super) clearing: Option<ClearingOffer>,
}

/// What an evaluation tells a sweep.
#[derive(Clone, Copy)]
pub(super) struct SweepFacts<'f> {
    pub(super) conversations: &'f Conversations,
    pub(super) comparison: &'f Comparison,
    /// Billed tokens per token of our tokenizer.
    pub(super) factor: f64,
}

impl<'w> LogWriter<'w> {
    /// The writer of these conversations. `model` has the price used for them.
    pub(super) fn of(conversations: &'w Conversations, model: Option<&Price>) -> LogWriter<'w> {
        let format = conversations.format();
        let product = format.and_then(Product::of_logs);
        let title = |format: &str| product.map_or_else(|| format.to_owned(), |product| product.title.clone());
        let program = format.filter(|format| is_of_program(format)).map(title);
        let mut writer = LogWriter { format, product, program, window: 0 };
        let window = model.and_then(|model| model.window).unwrap_or(UNKNOWN_WINDOW);
        writer.window = u64::from(match writer.compacting_product().zip(model) {
            Some((product, model)) => product.window_of(&model.model, window),
            None => window,
        });
        writer
    }

    /// The product, if it compacts at a size.
    fn compacting_product(&self) -> Option<&'static Product> {
        self.product.filter(|product| product.compacts_at.is_some())
    }

    /// The settings to measure beside the strategies, to find the best one: limits of a product on its results, or sizes at which an agent
    /// clears results.
    pub(super) fn settings_beside(&self) -> Option<Vec<StrategySetting>> {
        match self.compacting_product() {
            Some(product) => product.output_limit.as_ref().map(limit_settings),
            None if self.program.is_some() => None,
            None => Some(clearing_settings()),
        }
    }

    /// Chooses the best of the settings measured beside the strategies, and tries sizes of compactions. `beside` has the measures of
    /// [`LogWriter::settings_beside`].
    ///
    /// # Errors
    /// A conversation cannot be read or replayed.
    pub(super) fn sweep_settings(
        &self,
        facts: SweepFacts<'_>,
        beside: Option<SweepSums>,
        search: Search<'_>,
    ) -> Result<Sweeps, CliError> {
        let SweepFacts { conversations, comparison, factor } = facts;
        // One long session is weak evidence, but a sweep can still find its most expensive habit.
        if !matches!(comparison.too_little, None | Some(TooLittle::OneRun)) {
            return Ok(Sweeps::default());
        }
        let swept = beside.map(SweepSums::compare);
        let mut sweeps = Sweeps::default();
        if let Some(product) = self.compacting_product() {
            if let (Some(limit), Some(swept)) = (&product.output_limit, swept) {
                sweeps.limits = SweptLimits::choose(limit, &swept, &search);
            }
            let sweep = CompactionSweep {
                product,
                window: self.window,
                largest: conversations.all.iter().map(|one| one.largest).max().unwrap_or(0),
                left: conversations.compacted().mean_after(),
                factor,
                search,
            };
            sweeps.compaction = sweep.find_best_size()?;
        } else if let Some(swept) = swept {
            let baseline = comparison.strategy(&comparison.header.baseline);
            let largest = baseline.and_then(|baseline| baseline.request_tokens);
            let largest = largest.map_or(0, |tokens| u64::from(tokens.worst));
            sweeps.clearing =
                ClearingSweep { largest, format: self.format, search }.find_best_size(&swept)?;
        }
        Ok(sweeps)
    }
}
