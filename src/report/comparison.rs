//! The comparison of a suite's strategies, ready for the output formats.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::agents::{AgentVerdict, UnjudgedAgent};
use super::change::ChangeList;
use super::changes::Changes;
use super::cliffs::CourseFigures;
use super::distinct::Copies;
use super::facts::Fact;
use super::first_screen::FirstScreen;
use super::header::Header;
use super::public;
use super::recommend::{Standings, TooLittle};
use super::spending::Spending;
use super::spread::Spread;
use super::tables::NEVER_REACHED;
use super::tally::{Counts, LENGTHS, RunTally, Trouble};
use super::totals::{Against, ScenarioSets, Totals};
use super::verdicts::{Crossed, SnapshotRecord, SnapshotVerdict, Verdicts};
use super::walk::Proof;
use crate::scenario::suite::{Threshold, Tolerance};
use crate::snapshot::text::SYSTEM_PROMPT;
use ptc_prices::{Money, OtherCosts};

/// All strategies over all scenarios.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub header: Header,
    pub scenarios: u64,
    /// Scenarios with a failed expectation.
    pub failed: u64,
    /// Billed money, from the logs.
    pub spending: Spending,
    /// The first screen of `advise`.
    pub first_screen: Option<FirstScreen>,
    /// How to use the recommended strategy of a suite.
    pub usage: Option<Usage>,
    /// Sentences about the logs: money, pauses, bills, compactions.
    pub facts: Vec<Fact>,
    /// The agents whose logs were read together, this one first; empty for a single agent.
    pub agents: Vec<AgentVerdict>,
    /// Agents with too few tokens for a verdict.
    pub unjudged_agents: Vec<UnjudgedAgent>,
    /// In the order of the suite.
    pub strategies: Vec<StrategyComparison>,
    /// The reason for not recommending anything.
    pub too_little: Option<TooLittle>,
    /// Index of the cheapest strategy with few enough answers missing a fact; the baseline unless another one saves
    /// enough. `None` if there is too little data.
    pub recommended: Option<usize>,
    /// Like `recommended`, but without a minimum saving, and also set if there is too little data.
    pub cheapest: Option<usize>,
    /// The strategy to recommend, were it not for its cliff.
    pub passed_over: Option<usize>,
    /// True for a recommendation with strong evidence.
    pub is_strong: bool,
    /// A strategy that costs less on these runs than the recommended one, but without strong evidence.
    pub further: Option<usize>,
    /// A strategy that saves enough here, but is barred by public experiments or by the extra turns they
    /// found.
    pub barred: Option<usize>,
    /// Statistical bounds on the losses and savings in other runs.
    pub proof: Proof,
    /// Histogram of answers by the age in turns of their oldest fact.
    pub ages: BTreeMap<u32, u64>,
    /// True if most runs of a suite, or any of the logs, call tools natively. Strategies that rewrite calls
    /// as text are then listed last.
    pub sets_rewriting_apart: bool,
    /// Duplicate runs. They count once in the recommendation and in its confidence.
    pub copies: Copies,
    /// Counts over scenarios and their snapshots.
    pub counts: Counts,
    /// The first failed expectations and broken strategies.
    pub troubles: Vec<Trouble>,
    /// The first changed snapshots of scenarios.
    pub changed: Vec<SnapshotRecord>,
    /// The first stale golden texts.
    pub stale: Vec<SnapshotRecord>,
    /// Changes of the model's requests since the golden files.
    pub differences: ChangeList,
    /// Findings outside of scenarios.
    pub verdicts: Verdicts,
    /// The earlier report to compare with.
    pub against: Option<Against>,
    /// The scenarios of only one of the two reports.
    pub sets: ScenarioSets,
}

/// How to use the recommended strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// The strategy in a line: `fold:  shortens old tool results…`.
    pub strategy: Option<String>,
    /// The command to paste.
    pub command: String,
    /// Sentences about the command.
    pub notes: Vec<String>,
}

/// One strategy over all scenarios.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyComparison {
    pub name: String,
    /// Sums over its requests.
    pub sums: RunTally,
    /// Without duplicate runs.
    pub standings: Standings,
    pub course: CourseFigures,
    /// Input tokens as a multiple of the baseline's.
    pub ratio: Option<f64>,
    /// Tokens of the history as a multiple of the baseline's; `None` unless both sent the same number of
    /// requests.
    pub history_ratio: Option<f64>,
    /// Input tokens of a request.
    pub request_tokens: Option<Spread<u32>>,
    /// Input tokens of a scenario as a multiple of the baseline's.
    pub ratios: Option<Spread<f64>>,
    pub by_length: Vec<LengthRow>,
    pub by_turn: Vec<TurnRow>,
    /// Slope of log tokens against log turn: 0 if requests have a constant size, 1 if they grow linearly.
    pub growth: Option<f64>,
    /// The first turn at which all runs together have sent fewer tokens than under the baseline.
    pub pays_from_turn: Option<u32>,
    /// The share of the input tokens of later requests in common with the start of the previous request.
    pub stable_prefix: Option<f64>,
    pub break_even: BreakEven,
    /// The share of needed facts in the requests; `None` if no answer needs any.
    pub evidence: Option<f64>,
    /// True if no other strategy dominates this one in tokens and evidence.
    pub is_efficient: bool,
    /// True if any compared strategy calls a model itself.
    pub shows_calls: bool,
    /// True if any compared strategy has several texts for its own calls.
    pub shows_spread: bool,
    /// One row per model.
    pub costs: Vec<CostRow>,
    /// True if one of the strategies is the logged run, so that all rows get the rework columns.
    pub has_rework: bool,
}

/// The scenarios of about the same number of turns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LengthRow {
    /// The fewest: 1, 5, 10, 20 or 40.
    pub turns: u32,
    pub scenarios: u64,
    pub input_tokens: u64,
    pub ratio: Option<f64>,
    /// The share of the baseline's tokens that is saved; below 0 where the strategy costs more.
    pub saving: Option<f64>,
}

/// The requests before one turn. Files have it as a list: under names, those of a log of 335 turns would take more room
/// than its scenario.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "TurnCells", into = "TurnCells")]
#[schemars(with = "TurnCells")]
pub struct TurnRow {
    pub turn: u32,
    pub requests: u64,
    pub input_tokens: u64,
    pub request_tokens: Spread<u32>,
}

/// Names of the values of a [`TurnRow`] in files.
pub const TURN_FIELDS: [&str; 6] = ["turn", "requests", "input_tokens", "median", "p90", "worst"];

type TurnCells = (u32, u64, u64, u32, u32, u32);

impl From<TurnRow> for TurnCells {
    fn from(row: TurnRow) -> TurnCells {
        let Spread { median, p90, worst } = row.request_tokens;
        (row.turn, row.requests, row.input_tokens, median, p90, worst)
    }
}

impl From<TurnCells> for TurnRow {
    fn from((turn, requests, input_tokens, median, p90, worst): TurnCells) -> TurnRow {
        TurnRow { turn, requests, input_tokens, request_tokens: Spread { median, p90, worst } }
    }
}

/// Costs of all runs with one model.
#[derive(Clone, Debug, PartialEq)]
pub struct CostRow {
    pub model: String,
    /// The date of the model's prices.
    pub price_date: String,
    /// True if the tokens were not counted with the model's own tokenizer.
    pub is_estimate: bool,
    pub cached_tokens: u64,
    pub cost: Money,
    pub other_costs: OtherCosts,
    /// As a multiple of the baseline's cost.
    pub ratio: Option<f64>,
    /// True if no other strategy dominates this one in cost and evidence.
    pub is_efficient: bool,
    /// Like `ratio`, by length of run.
    pub ratios_by_length: Vec<Option<f64>>,
}

/// The price range of cached reads, as a share of the input price, in which a strategy is cheaper than the
/// baseline. Independent of any price list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BreakEven {
    /// There is no baseline, or no difference.
    Unknown,
    Always,
    Never,
    /// Cheaper only if cached reads cost more than this share.
    Above(f64),
    /// Cheaper only if cached reads cost less than this share.
    Below(f64),
}

/// Writes `always`, `never`, `above 0.1234`, `below 0.1234`, or nothing.
impl fmt::Display for BreakEven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BreakEven::Unknown => Ok(()),
            BreakEven::Always => f.write_str("always"),
            BreakEven::Never => f.write_str("never"),
            BreakEven::Above(ratio) => write!(f, "above {ratio:.4}"),
            BreakEven::Below(ratio) => write!(f, "below {ratio:.4}"),
        }
    }
}

impl Comparison {
    /// The strategy at an index of this comparison.
    pub(super) fn strategy_at(&self, index: Option<usize>) -> Option<&StrategyComparison> {
        self.strategies.get(index?)
    }

    /// Changes since the earlier report; `None` without its numbers.
    pub fn changes(&self) -> Option<Changes> {
        let before = self.against.as_ref()?.totals.as_ref()?;
        if !self.has_same_scenarios(before) && !self.sets.removed.is_empty() {
            return Some(Changes::default());
        }
        Some(Changes::between(before, &self.comparable(before)))
    }

    /// The numbers over the scenarios in common with an earlier report.
    pub fn comparable(&self, before: &Totals) -> Totals {
        match &self.sets.shared {
            Some(shared) if !self.has_same_scenarios(before) => shared.clone(),
            _ => self.totals(),
        }
    }

    /// A metric of a strategy in the earlier report; `None` unless both reports cover the same scenarios.
    pub(super) fn number_before(&self, strategy: &str, metric: &str) -> Option<f64> {
        let before = self.against.as_ref()?.totals.as_ref()?;
        let is_comparable = self.is_judged() && self.sets.new.is_empty() && self.sets.removed.is_empty();
        if is_comparable { before.number(strategy, metric) } else { None }
    }

    /// The scenarios of only one of the two reports. `None` if an earlier run has already counted the new
    /// ones.
    pub fn other_scenarios(&self) -> Option<&ScenarioSets> {
        let before = self.against.as_ref()?.totals.as_ref()?;
        let differs = !self.sets.new.is_empty() || !self.sets.removed.is_empty();
        (differs && !self.has_same_scenarios(before)).then_some(&self.sets)
    }

    /// Returns true if the earlier report counts as many requests as this one. It was then written by a run
    /// over new scenarios with golden files not yet accepted.
    fn has_same_scenarios(&self, before: &Totals) -> bool {
        let requests = before.number(&self.header.baseline, "requests");
        match (self.strategy(&self.header.baseline), requests) {
            (Some(baseline), Some(requests)) => {
                self.sets.removed.is_empty() && requests == baseline.sums.requests as f64
            }
            _ => false,
        }
    }

    /// Adds a change of the static SYSTEM text to the changes for the model.
    pub fn note_system_change(&mut self) {
        for snapshot in &self.verdicts.snapshots {
            if snapshot.key == SYSTEM_PROMPT
                && let Some(diff) = &snapshot.diff
            {
                let requests = self.strategies.iter().map(|strategy| strategy.sums.requests).sum();
                self.differences.add_system(diff, requests);
                return;
            }
        }
    }

    /// Returns true if thresholds can be judged: the whole suite was run, every file could be read and no
    /// strategy failed.
    pub fn is_judged(&self) -> bool {
        let is_whole = self.header.complete && self.header.part.is_none();
        is_whole && self.verdicts.unreadable.is_empty() && self.counts.broken_strategies == 0
    }

    /// The judged thresholds, each with its violation if there is one.
    pub fn judged_thresholds(&self) -> impl Iterator<Item = (&Threshold, Option<&Crossed>)> {
        let thresholds = if self.is_judged() { self.header.thresholds.as_slice() } else { &[] };
        thresholds.iter().map(|threshold| {
            let mut crossed = self.verdicts.thresholds_crossed.iter();
            (threshold, crossed.find(|crossed| crossed.threshold == *threshold))
        })
    }

    /// Returns true if any snapshot has this verdict.
    pub fn has(&self, verdict: SnapshotVerdict) -> bool {
        let of_scenarios = match verdict {
            SnapshotVerdict::New => self.counts.new_snapshots,
            SnapshotVerdict::Changed => self.counts.changed_snapshots,
            SnapshotVerdict::Stale => self.counts.stale_texts,
            SnapshotVerdict::Orphan => 0,
        };
        of_scenarios > 0 || self.verdicts.snapshots.iter().any(|snapshot| snapshot.verdict == verdict)
    }

    /// Returns true if something failed beyond what accepting snapshots can repair.
    pub fn has_failures(&self) -> bool {
        self.failed + self.counts.broken_strategies > 0 || !self.verdicts.thresholds_crossed.is_empty()
    }

    /// The index of a strategy of this comparison, by name.
    pub fn index(&self, strategy: &StrategyComparison) -> usize {
        let found = self.strategies.iter().position(|other| other.name == strategy.name);
        // No list has an entry at this index.
        found.unwrap_or(self.strategies.len())
    }

    /// Sentences about public experiments with similar settings.
    pub fn in_public(&self, strategy: &StrategyComparison) -> Vec<String> {
        let severity = self.header.severity(self.index(strategy));
        let turns = match self.header.tolerance.turns {
            Some(_) => None,
            None => public::turns_sentence(severity, |kept| self.share_of_older(kept)),
        };
        public::sentence(&strategy.name, severity).into_iter().chain(turns).collect()
    }

    /// Among answers with needs, the share that uses a fact older than `kept` turns.
    fn share_of_older(&self, kept: u32) -> Option<f64> {
        let needing = self.strategy(&self.header.baseline)?.sums.answers.needing;
        let older: u64 = self.ages.range(kept.saturating_add(1)..).map(|(_, answers)| answers).sum();
        (needing > 0).then(|| older.min(needing) as f64 / needing as f64)
    }

    /// Finds a strategy by name.
    pub fn strategy(&self, name: &str) -> Option<&StrategyComparison> {
        self.strategies.iter().find(|strategy| strategy.name == name)
    }

    /// A sentence to show instead of misleading numbers: the strategy changed nothing, or an API would reject
    /// its requests.
    pub fn instead_of_numbers(&self, strategy: &StrategyComparison) -> Option<String> {
        let baseline = self.strategy(&self.header.baseline)?;
        if strategy.name != baseline.name && strategy.is_rejected(baseline) {
            return Some(strategy.sums.describe_rejected());
        }
        self.never_reached_limit(strategy).then(|| NEVER_REACHED.to_owned())
    }

    /// Returns true if all runs were too short for the strategy to change anything.
    fn never_reached_limit(&self, strategy: &StrategyComparison) -> bool {
        let waits = strategy.name != self.header.baseline && self.header.until_limit.contains(&strategy.name);
        waits && self.strategy(&self.header.baseline).is_some_and(|baseline| strategy.costs_as(baseline))
    }

    /// Returns true if the strategy is listed last because it rewrites native tool calls as text.
    pub fn is_set_apart(&self, strategy: &StrategyComparison) -> bool {
        self.sets_rewriting_apart && strategy.sums.rewrites_calls && strategy.name != self.header.baseline
    }

    /// The distinct dates of the prices, oldest first; empty without models.
    pub fn price_dates(&self) -> Vec<&str> {
        let mut dates: Vec<&str> = self.header.models.iter().map(|model| model.date.as_str()).collect();
        dates.sort_unstable();
        dates.dedup();
        dates
    }
}

impl StrategyComparison {
    /// Returns true if it sent as many requests as the baseline.
    pub fn is_whole(&self, baseline: &StrategyComparison) -> bool {
        self.sums.requests == baseline.sums.requests
    }

    /// Returns true if requests, tokens and costs equal the baseline's.
    pub(super) fn costs_as(&self, baseline: &StrategyComparison) -> bool {
        let (own, others) = (self.costs.iter(), baseline.costs.iter());
        self.is_whole(baseline)
            && self.sums.input_tokens == baseline.sums.input_tokens
            && own.map(|row| row.cost.exact()).eq(others.map(|row| row.cost.exact()))
    }

    /// Returns true if an API would reject all of its requests, or more than of the baseline's.
    pub(super) fn is_rejected(&self, baseline: &StrategyComparison) -> bool {
        let rejected = self.sums.invalid_requests;
        rejected > baseline.sums.invalid_requests || rejected > 0 && rejected == self.sums.requests
    }

    /// Returns true if it sent as many requests as the baseline, and no more of them are rejected or over the
    /// context window.
    pub(super) fn is_complete(&self, baseline: &StrategyComparison) -> bool {
        self.is_whole(baseline)
            && !self.is_rejected(baseline)
            && self.sums.over_window <= baseline.sums.over_window
    }

    /// Cost of all runs with the first model; input tokens without models.
    pub(super) fn whole_cost(&self) -> u128 {
        self.costs.first().map_or(self.sums.input_tokens.into(), |row| row.cost.exact())
    }

    /// The relative cost difference from the baseline with the first model, if both set cache breakpoints
    /// only after SYSTEM and the last message.
    pub(super) fn with_usual_marks(&self, baseline: &StrategyComparison) -> Option<f64> {
        let [own, baseline] =
            [self, baseline].map(|strategy| Some(strategy.costs.first()?.other_costs.naive.dollars()));
        own.zip(baseline).filter(|(_, baseline)| *baseline > 0.0).map(|(own, baseline)| own / baseline - 1.0)
    }

    /// Returns true if it saves enough with the best cache breakpoints, but nothing with those that clients
    /// set by default.
    pub(super) fn needs_marks(&self, baseline: &StrategyComparison, tolerance: Tolerance) -> bool {
        self.standings.first.saves(&baseline.standings.first, tolerance)
            && self.with_usual_marks(baseline).is_some_and(|change| change >= 0.0)
    }
}

impl LengthRow {
    /// `5 to 9 turns`
    pub(super) fn text(&self) -> String {
        match LENGTHS.iter().find(|turns| **turns > self.turns) {
            Some(next) => format!("{} to {} turns", self.turns, next - 1),
            None => format!("{} turns or more", self.turns),
        }
    }
}
