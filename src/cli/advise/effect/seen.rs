//! The change that logs show: what the sessions after it have and those before it lack.

use super::super::own_lines::OwnPattern;
use super::super::recognize::RecognizedBySizes;
use super::Side;
use crate::cli::error::CliError;
use crate::cli::suite::{StrategyChoice, as_typed};
use crate::compression::{PlainSetting, Product};
use crate::measure::numbers::grouped;
use ptc_tokens::Tokenizer;

/// Compactions at sizes this close count as one setting. Chosen, not measured.
const NEAR: f64 = 0.05;

/// The change seen in the logs.
pub(super) enum Seen {
    /// One of our own strategies, by lines that only our own code writes.
    Lines(StrategyChoice),
    /// The long cache lifetime.
    Lifetime,
    /// The product's own compaction, at another size than before.
    Compaction(StrategyChoice),
    /// The same at about the same size.
    SameCompaction(StrategyChoice),
    BySizes(RecognizedBySizes),
    Nothing,
}

impl Seen {
    pub(super) fn between(
        before: &Side,
        after: &Side,
        asked: Option<&StrategyChoice>,
        tokenizer: &Tokenizer,
    ) -> Result<Seen, CliError> {
        let [earlier, later] = [before, after].map(|side| &side.conversations);
        if later.times().ttl().is_some() && earlier.times().ttl().is_none() {
            return Ok(Seen::Lifetime);
        }
        let pattern = later.own_lines().most_frequent();
        if let Some(strategy) = pattern.and_then(OwnPattern::strategy) {
            return Ok(Seen::Lines(strategy));
        }
        // Clearings by our own code are no compactions of a product.
        let compaction = if later.compacted().number() > 0 { after.compaction() } else { None };
        let Some(strategy) = compaction else {
            let recognized = after.recognize(asked, tokenizer)?;
            return Ok(recognized.map_or(Seen::Nothing, Seen::BySizes));
        };
        let sizes = [earlier, later].map(|side| side.compacted().mean_before().map(|size| size as f64));
        let is_same = matches!(sizes, [Some(one), Some(other)] if (one - other).abs() <= NEAR * one);
        Ok(if is_same { Seen::SameCompaction(strategy) } else { Seen::Compaction(strategy) })
    }

    /// The strategy that was switched on.
    pub(super) fn strategy(&self) -> Option<&StrategyChoice> {
        match self {
            Seen::Lines(strategy) | Seen::Compaction(strategy) => Some(strategy),
            Seen::BySizes(recognized) => Some(&recognized.strategy),
            Seen::Lifetime | Seen::SameCompaction(_) | Seen::Nothing => None,
        }
    }

    /// Returns true if the logs show what was switched on.
    pub(super) fn is_recognized(&self) -> bool {
        !matches!(self, Seen::SameCompaction(_) | Seen::Nothing)
    }

    /// Returns true if the logs show another change than this strategy.
    pub(super) fn differs_from(&self, asked: &StrategyChoice) -> bool {
        match self {
            Seen::Nothing => false,
            _ => self.strategy().is_none_or(|strategy| strategy.name != asked.name),
        }
    }

    /// The setting or the strategy that was switched on. `None` if it is unknown.
    pub(super) fn name(&self, after: &Side) -> Option<String> {
        let product = after.product();
        let key = match self {
            Seen::Lifetime => {
                product.and_then(|product| product.keeps_cache.as_ref()).map(|setting| &setting.line)
            }
            Seen::Compaction(_) => {
                product.and_then(|product| product.compacts_at.as_ref()).map(|size| &size.line)
            }
            _ => None,
        };
        if matches!(self, Seen::Lifetime) && key.is_none() {
            return Some("the longer cache".to_owned());
        }
        key.map(|line| key_of(line).to_owned()).or_else(|| self.strategy().map(as_typed))
    }

    /// The strategy that requests had, if the logs keep the whole history.
    pub(super) fn strategy_in_sizes(&self) -> Option<&StrategyChoice> {
        match self {
            Seen::BySizes(recognized) => Some(&recognized.strategy),
            _ => None,
        }
    }

    /// What changed, and how it was recognized.
    pub(super) fn line(&self, before: &Side, after: &Side, asked: Option<&StrategyChoice>) -> String {
        let line = self.recognized_change(before, after, asked.is_some());
        match asked {
            Some(asked) if matches!(self, Seen::Nothing) => {
                format!("{line} {} may be on, but it was not recognized.", as_typed(asked))
            }
            _ => line,
        }
    }

    fn recognized_change(&self, before: &Side, after: &Side, is_asked: bool) -> String {
        let title = after.product().map_or("the agent", |product| product.title.as_str());
        match self {
            Seen::Lifetime => {
                let setting = after.product().and_then(|product| product.keeps_cache.as_ref());
                let place = setting.map_or_else(String::new, |setting| {
                    format!(" Its setting: {} in {}.", key_of(&setting.line), setting.file)
                });
                format!(
                    "What changed: the cache is now kept for 1 h, before the change for 5 min. Most cache writes after it are for \
                     1 h, so it is on.{place}"
                )
            }
            Seen::Lines(strategy) => format!(
                "What changed: {} is on. Requests have the lines that code of ptc-eval apply writes in place of old results.",
                as_typed(strategy)
            ),
            Seen::Compaction(strategy) => {
                let earlier = match before.conversations.compacted().mean_before() {
                    Some(tokens) => format!("{} before", grouped(tokens)),
                    None => "before never, or at an unknown size".to_owned(),
                };
                let later = after.conversations.compacted().mean_before().unwrap_or(0);
                format!(
                    "What changed: {title} now compacts (replaces its history by a summary) at {} tokens, {earlier}. {} is \
                     on.{}",
                    grouped(later),
                    as_typed(strategy),
                    place_of_size(after.product())
                )
            }
            Seen::SameCompaction(strategy) => format!(
                "What changed: nothing that these logs show. {title} compacts at about the same size as before ({}), so a \
                 new size is not in effect, and the size is not the reason for a change.",
                as_typed(strategy)
            ),
            Seen::BySizes(RecognizedBySizes { strategy, explained, by_whole, requests }) => format!(
                "What changed: {} is on. It explains the size of {} of {} requests, the whole history that of {}.",
                as_typed(strategy),
                grouped(*explained as u64),
                grouped(*requests as u64),
                grouped(*by_whole as u64)
            ),
            Seen::Nothing if is_asked => "What changed: nothing that these logs show.".to_owned(),
            Seen::Nothing => "What changed: nothing that these logs show. If you switched on a strategy, name it with --strategy \
                              for its predicted saving."
                .to_owned(),
        }
    }

    /// How to switch the change off, as an imperative.
    pub(super) fn undo(&self, after: &Side) -> String {
        let product = after.product();
        let size = product.and_then(|product| product.compacts_at.as_ref());
        let lifetime = product.and_then(|product| product.keeps_cache.as_ref());
        match (self, size, lifetime) {
            (Seen::Compaction(_) | Seen::SameCompaction(_), Some(size), _) => {
                format!("remove {} from {}", key_of(&size.line), size.file)
            }
            (Seen::Lifetime, _, Some(PlainSetting { file, line, .. })) => {
                format!("remove {} from {file}", key_of(line))
            }
            (Seen::Lines(_), ..) => "remove the code that ptc-eval apply printed".to_owned(),
            _ => "undo the change".to_owned(),
        }
    }
}

/// ` Its setting: "autoCompactWindow" in ~/.claude/settings.json.`
fn place_of_size(product: Option<&Product>) -> String {
    let setting = product.and_then(|product| product.compacts_at.as_ref());
    setting.map_or_else(String::new, |setting| {
        format!(" Its setting: {} in {}.", key_of(&setting.line), setting.file)
    })
}

/// The key of a line in a settings file: `"autoCompactWindow"`.
fn key_of(line: &str) -> &str {
    let line = line.strip_prefix("export ").unwrap_or(line);
    line.split([':', '=', ' ']).next().unwrap_or(line)
}
