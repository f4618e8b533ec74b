//! The change that logs show: what the sessions after it have and those before it lack.

use super::super::own_lines::OwnPattern;
use super::super::recognize::RecognizedBySizes;
use super::Side;
use crate::cli::error::CliError;
use crate::cli::suite::{StrategyChoice, as_typed};
use crate::compression::{CLEARING, FOLDING, PlainSetting, Product, TRIGGER};
use crate::measure::numbers::grouped;
use ptc_tokens::Tokenizer;

/// Compactions at sizes this close count as one setting. Chosen, not measured.
const NEAR: f64 = 0.05;

/// Compactions start at the first request above the size of the setting, so a size this far from it is another setting. Chosen, not
/// measured.
const OTHER_SIZE: f64 = 0.25;

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
        let pattern = later.own_lines().most_frequent();
        if let Some(asked) = asked.filter(|asked| pattern.is_some_and(|pattern| may_be_from(pattern, asked)))
        {
            return Ok(Seen::Lines(asked.clone()));
        }
        if later.times().ttl().is_some() && earlier.times().ttl().is_none() {
            return Ok(Seen::Lifetime);
        }
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

    /// Why the prediction of a strategy cannot be compared with the change in the logs, after the name of the strategy. `None` if it can be.
    pub(super) fn absence_of(&self, asked: &StrategyChoice) -> Option<&'static str> {
        const NOT_ON: &str = "is not on in the logs after the change";
        const ANOTHER: &str = "was not recognized, and the logs show another change";
        match self {
            Seen::Lines(seen) | Seen::BySizes(RecognizedBySizes { strategy: seen, .. }) => {
                is_other(seen, asked).then_some(NOT_ON)
            }
            Seen::Compaction(seen) | Seen::SameCompaction(seen) if seen.name == asked.name => {
                has_other_size(seen, asked).then_some(NOT_ON)
            }
            Seen::Lifetime | Seen::Compaction(_) => Some(ANOTHER),
            Seen::SameCompaction(_) | Seen::Nothing => None,
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
            Some(asked) if self.leaves_open(asked) => {
                format!("{line} {} may be on, but it was not recognized.", as_typed(asked))
            }
            _ => line,
        }
    }

    /// Returns true if the logs show nothing of this strategy, for or against it.
    fn leaves_open(&self, asked: &StrategyChoice) -> bool {
        match self {
            Seen::Nothing => true,
            Seen::SameCompaction(seen) => seen.name != asked.name,
            _ => false,
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
                let earlier = match before.conversations.times().has_short_writes() {
                    true => "for 5 min",
                    false => "not, as far as the logs show",
                };
                format!(
                    "What changed: the cache is now kept for 1 h, before the change {earlier}. Most cache writes after it are for \
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

/// The key of the value in a line of a settings file, without the keys around it: `"autoCompactWindow"`.
fn key_of(line: &str) -> &str {
    let line = line.split_once("{value}").map_or(line, |(key, _)| key);
    if let Some((keys, _)) = line.rsplit_once("\":") {
        let start = keys.rfind('"').unwrap_or(0);
        return line.get(start..=keys.len()).unwrap_or(line);
    }
    let line = line.strip_prefix("export ").unwrap_or(line);
    line.split(['=', ' ']).next().unwrap_or(line)
}

/// Returns true if lines of several strategies may be from this one.
fn may_be_from(pattern: OwnPattern, asked: &StrategyChoice) -> bool {
    matches!(pattern, OwnPattern::Batches { .. })
        && [FOLDING.name, CLEARING.name].contains(&asked.name.as_str())
}

/// Returns true for another strategy, or the same with another number. Sizes are compared nowhere: that of a clearing in the logs is
/// larger than its trigger by an unknown number of tokens.
fn is_other(seen: &StrategyChoice, asked: &StrategyChoice) -> bool {
    if seen.name != asked.name {
        return true;
    }
    for (option, value) in &asked.options {
        if option != TRIGGER && seen.options.get(option).is_some_and(|seen| seen != value) {
            return true;
        }
    }
    false
}

/// Returns true if a compaction was asked for at a clearly other size than the logs have.
fn has_other_size(seen: &StrategyChoice, asked: &StrategyChoice) -> bool {
    let [seen, asked] = [seen, asked].map(|choice| choice.options.get(TRIGGER)?.get("tokens")?.as_f64());
    let (Some(seen), Some(asked)) = (seen, asked) else { return false };
    (seen - asked).abs() > OTHER_SIZE * asked
}
