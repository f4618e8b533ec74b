//! Compares the system prompts of a suite. The answers are scripted or logged, so a prompt changes only the
//! cost of requests.

use std::io::{self, Write};

use super::comparison::{Comparison, StrategyComparison};
use super::tables::{name, table};
use crate::measure::numbers::{dollars, grouped, percent, signed_percent};

/// Shown below every comparison of prompts.
pub(super) const SCRIPTED: &str =
    "The answers are scripted or logged: they do not show how a model would answer under another prompt.";

/// A strategy under another prompt, and under the first one.
struct PromptPair<'c> {
    prompt: &'c str,
    strategy: &'c StrategyComparison,
    first: &'c StrategyComparison,
}

impl Comparison {
    /// All strategies under prompts other than the first.
    fn prompt_pairs(&self) -> Vec<PromptPair<'_>> {
        let mut pairs = Vec::new();
        for (index, strategy) in self.strategies.iter().enumerate() {
            let Some(prompt) = self.header.prompt(index) else { continue };
            let plain = strategy.name.strip_suffix(prompt).and_then(|name| name.strip_suffix('+'));
            if let Some(first) = plain.and_then(|plain| self.strategy(plain)) {
                pairs.push(PromptPair { prompt, strategy, first });
            }
        }
        pairs
    }

    /// For each prompt but the first, a sentence on the baseline's tokens and cost.
    pub fn prompt_sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        for pair in self.prompt_pairs() {
            if pair.first.name == self.header.baseline {
                sentences.push(pair.describe_prompt());
            }
        }
        if !sentences.is_empty() {
            sentences.push(SCRIPTED.to_owned());
        }
        sentences
    }
}

impl PromptPair<'_> {
    /// `Under the prompt shorter, fold sends 1,204 tokens instead of 1,300 (−7.4%) and costs $1.20 instead of $1.30 (−7.7%) with NAME; …`
    fn describe_prompt(&self) -> String {
        let PromptPair { prompt, strategy, first } = self;
        let [now, before] = [strategy, first].map(|one| one.sums.input_tokens);
        let mut text = format!(
            "Under the prompt {prompt}, {} sends {} tokens instead of {}{}",
            first.name,
            grouped(now),
            grouped(before),
            format_change(now as f64, before as f64)
        );
        if let (Some(now), Some(before)) = (strategy.costs.first(), first.costs.first()) {
            let [cost, cost_before] = [now, before].map(|row| row.cost.dollars());
            text += &format!(
                " and costs {} instead of {}{} with {}; {} of its input is read from the cache instead of {}",
                dollars(cost),
                dollars(cost_before),
                format_change(cost, cost_before),
                now.model,
                percent(cached_share(strategy, 0)),
                percent(cached_share(first, 0))
            );
        }
        let [rejected, rejected_before] = [strategy, first].map(|one| one.sums.invalid_requests);
        if rejected != rejected_before {
            let (rejected, before) = (grouped(rejected), grouped(rejected_before));
            text += &format!("; an API would reject {rejected} of its requests instead of {before}");
        }
        text + "."
    }

    fn make_cells(&self) -> Vec<String> {
        let PromptPair { prompt, strategy, first } = self;
        let [now, before] = [strategy, first].map(|one| one.sums.input_tokens);
        let mut cells = vec![
            name(&first.name).into_owned(),
            name(prompt).into_owned(),
            format!("{} → {}{}", grouped(before), grouped(now), format_change(now as f64, before as f64)),
        ];
        for (model, (now, before)) in strategy.costs.iter().zip(&first.costs).enumerate() {
            let share = format_change(now.cost.dollars(), before.cost.dollars());
            let [read, read_before] = [strategy, first].map(|one| percent(cached_share(one, model)));
            cells.push(format!("{} → {}{share} · {read_before} → {read}", before.cost, now.cost));
        }
        let [rejected, rejected_before] = [strategy, first].map(|one| grouped(one.sums.invalid_requests));
        cells.push(format!("{rejected_before} → {rejected}"));
        cells
    }
}

/// The table of prompts in `summary.md`, for suites with several prompts.
pub(super) fn write(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let pairs = comparison.prompt_pairs();
    let Some(first) = pairs.first() else { return Ok(()) };
    writeln!(out, "\n## Prompts, each against the first one\n\n{SCRIPTED}\n")?;
    let mut headings = vec!["strategy".to_owned(), "prompt".to_owned(), "input tokens".to_owned()];
    for row in &first.strategy.costs {
        headings.push(format!("cost · read from the cache with {}", name(&row.model)));
    }
    headings.push("rejected requests".to_owned());
    table(out, &headings, pairs.iter().map(PromptPair::make_cells))
}

/// ` (−7.4%)`; empty if `before` is 0.
fn format_change(now: f64, before: f64) -> String {
    if before > 0.0 { format!(" ({})", signed_percent(now / before - 1.0)) } else { String::new() }
}

/// The cached share of the input.
fn cached_share(strategy: &StrategyComparison, model: usize) -> Option<f64> {
    let cached = strategy.costs.get(model)?.cached_tokens as f64;
    (strategy.sums.input_tokens > 0).then(|| cached / strategy.sums.input_tokens as f64)
}
