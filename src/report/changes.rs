//! Changes of strategies' numbers between two reports, worst first. Numbers are compared as text, as written
//! in the files.

use std::fmt;

use super::totals::Totals;
use crate::measure::numbers::{shown, signed_percent};

/// The metrics for ranking changes, the most important first.
pub(super) const SHORT: &str = "answers_short";
pub(super) const LOST: &str = "lost";
const EVIDENCE: [&str; 2] = ["evidence", "evidence_min"];
pub(super) const TOKENS: &str = "input_tokens";

/// The differences between two reports.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Changes {
    /// Strategies with changed numbers, worst first: by more answers missing a fact, more lost facts, then more
    /// tokens.
    pub strategies: Vec<StrategyChange>,
    pub added: Vec<String>,
    pub removed: Vec<String>,
}

/// The changed numbers of one strategy.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct StrategyChange {
    pub name: String,
    /// In the order of the columns.
    pub numbers: Vec<NumberChange>,
}

/// A changed number, as written in the files.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct NumberChange {
    pub metric: String,
    pub before: String,
    pub now: String,
}

impl Changes {
    /// Compares two reports.
    pub fn between(before: &Totals, now: &Totals) -> Changes {
        let mut strategies = Vec::new();
        for name in now.strategies() {
            if has_strategy(before, name) {
                let change = StrategyChange::between(name, before, now);
                if !change.numbers.is_empty() {
                    strategies.push(change);
                }
            }
        }
        strategies.sort_by(|left, right| worse_first(&left.severity(), &right.severity()));
        Changes { strategies, added: names_only_in(now, before), removed: names_only_in(before, now) }
    }

    pub fn is_empty(&self) -> bool {
        self.strategies.is_empty() && self.added.is_empty() && self.removed.is_empty()
    }
}

impl StrategyChange {
    fn between(name: &str, before: &Totals, now: &Totals) -> StrategyChange {
        let mut numbers = Vec::new();
        for metric in now.metrics(name) {
            let (Some(old), Some(new)) = (before.cell(name, metric), now.cell(name, metric)) else {
                continue;
            };
            if old != new {
                let (metric, before, now) = (metric.to_owned(), old.to_owned(), new.to_owned());
                numbers.push(NumberChange { metric, before, now });
            }
        }
        StrategyChange { name: name.to_owned(), numbers }
    }

    /// The number with this name, if it changed.
    pub fn number(&self, metric: &str) -> Option<&NumberChange> {
        self.numbers.iter().find(|number| number.metric == metric)
    }

    /// Returns true if the requests show less evidence than before.
    pub fn loses_evidence(&self) -> bool {
        self.evidence_lost() > 0.0 || self.increase(LOST) > 0.0
    }

    /// The relative increase of input tokens; negative if there are fewer.
    pub fn token_increase(&self) -> f64 {
        self.number(TOKENS).and_then(NumberChange::share).unwrap_or(0.0)
    }

    fn evidence_lost(&self) -> f64 {
        EVIDENCE.iter().map(|metric| -self.increase(metric)).fold(0.0, f64::max)
    }

    fn increase(&self, metric: &str) -> f64 {
        self.number(metric).and_then(NumberChange::increase).unwrap_or(0.0)
    }

    /// Increases of answers missing a fact, lost facts, lost evidence and tokens: the most important first.
    pub(super) fn severity(&self) -> [f64; 4] {
        [self.increase(SHORT), self.increase(LOST), self.evidence_lost(), self.token_increase()]
    }
}

impl NumberChange {
    /// The increase; `None` if either text is not a number.
    pub fn increase(&self) -> Option<f64> {
        Some(self.now.parse::<f64>().ok()? - self.before.parse::<f64>().ok()?)
    }

    /// The relative increase; `None` unless the number was positive before: the share of a negative one has the wrong sign.
    pub fn share(&self) -> Option<f64> {
        let before = self.before.parse::<f64>().ok()?;
        (before > 0.0).then(|| self.increase().map(|increase| increase / before))?
    }
}

/// `1,200 → 1,300 (+8.3%)`
impl fmt::Display for NumberChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} → {}", shown(&self.before), shown(&self.now))?;
        match self.share() {
            Some(share) => write!(f, " ({})", signed_percent(share)),
            None => Ok(()),
        }
    }
}

/// Orders by the first difference, the larger number first.
pub(super) fn worse_first(left: &[f64], right: &[f64]) -> std::cmp::Ordering {
    let orders = right.iter().zip(left).map(|(right, left)| right.total_cmp(left));
    orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
}

fn has_strategy(totals: &Totals, name: &str) -> bool {
    totals.strategies().any(|known| known == name)
}

fn names_only_in(totals: &Totals, rival: &Totals) -> Vec<String> {
    totals.strategies().filter(|name| !has_strategy(rival, name)).map(str::to_owned).collect()
}
