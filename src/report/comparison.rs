//! Compares the strategies of a suite. All arithmetic of the reports is here; formats only write a
//! [`Comparison`].

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::agents::AgentVerdict;
use super::changes::Changes;
use super::cliffs::{CourseFigures, Idle};
use super::distinct::{Copies, DistinctRuns};
use super::facts::Fact;
use super::header::Header;
use super::recommend::{Bounds, Candidate, Change, REWORK_PARTS, Rule, Standing, Standings, TooLittle};
use super::spending::Spending;
use super::spread::{Occurrences, Spread};
use super::tally::{Counts, LENGTHS, LengthTally, ModelTally, RATIO_PARTS, RunTally, Tally, Trouble, Versus};
use super::totals::Against;
use super::verdicts::{Crossed, SnapshotRecord, SnapshotVerdict, Verdicts};
use crate::scenario::suite::{Threshold, Tolerance};
use ptc_tokens::{Money, OtherCosts, Price};

/// All strategies over all scenarios.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub header: Header,
    pub scenarios: u64,
    /// Scenarios with an expectation that does not hold.
    pub failed: u64,
    /// The money that was spent, as the logs have it.
    pub spending: Spending,
    /// Sentences on the logs: money, pauses, bills, compactions.
    pub facts: Vec<Fact>,
    /// The agents whose logs were read together, this one first; none if there is one.
    pub agents: Vec<AgentVerdict>,
    /// In the order of the suite.
    pub strategies: Vec<StrategyComparison>,
    /// Reason why nothing is recommended.
    pub too_little: Option<TooLittle>,
    /// The index of the cheapest strategy that leaves few enough answers short, the baseline unless others save enough;
    /// none if there is too little to choose by.
    pub recommended: Option<usize>,
    /// The same, however little it saves and whatever it rests on.
    pub cheapest: Option<usize>,
    /// The strategy that would be recommended if it had no cliff.
    pub passed_over: Option<usize>,
    /// The choices if no short answer fetched anything again, and if each did; none if strategies do not pay for that.
    pub by_rework: Option<ReworkChoices>,
    /// The share of random halves of the runs whose choice is within a point of the best on the other half.
    pub confidence: Option<f64>,
    /// Tasks of the runs; those of one task are alike.
    pub tasks: usize,
    /// A strategy that changed few of the runs.
    pub idle: Option<Idle>,
    /// Runs that equal another one: they count once in what is recommended and how sure that is.
    pub copies: Copies,
    /// Of scenarios and their snapshots.
    pub counts: Counts,
    /// The first scenarios that are not as expected.
    pub troubles: Vec<Trouble>,
    /// The first changed snapshots of scenarios.
    pub changed: Vec<SnapshotRecord>,
    /// The first golden texts that are stale.
    pub stale: Vec<SnapshotRecord>,
    /// Findings that belong to no scenario.
    pub verdicts: Verdicts,
    /// The report that this one is compared with.
    pub against: Option<Against>,
}

/// Indexes of the strategies that would be recommended for other amounts of rework.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReworkChoices {
    pub none: Option<usize>,
    pub all: Option<usize>,
}

/// One strategy over all scenarios.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyComparison {
    pub name: String,
    /// Sums over its requests, and over those of the scenarios in which the baseline sent requests too.
    pub sums: RunTally,
    /// Over the runs that equal no other one.
    pub standings: Standings,
    pub course: CourseFigures,
    /// Input tokens as a multiple of the baseline's.
    pub ratio: Option<f64>,
    /// Tokens of the history as a multiple of the baseline's; none unless it sent as many requests.
    pub history_ratio: Option<f64>,
    /// Input tokens of a request.
    pub request_tokens: Option<Spread<u32>>,
    /// Input tokens of a scenario as a multiple of the baseline's.
    pub ratios: Option<Spread<f64>>,
    pub by_length: Vec<LengthRow>,
    pub by_turn: Vec<TurnRow>,
    /// Slope of log tokens against log turn: 0 if requests do not grow, 1 if they grow with the turns.
    pub growth: Option<f64>,
    /// The first turn by which all runs together have sent fewer tokens than under the baseline.
    pub pays_from_turn: Option<u32>,
    /// The share of the input tokens of later requests that the request before began with too.
    pub stable_prefix: Option<f64>,
    pub break_even: BreakEven,
    /// The share of what answers need that requests show; none if they need nothing.
    pub evidence: Option<f64>,
    /// True if no strategy has as much evidence for fewer tokens, or more for as many.
    pub is_efficient: bool,
    /// True if a strategy of the comparison makes calls of its own.
    pub shows_calls: bool,
    /// True if a strategy of the comparison has several texts of its own calls.
    pub shows_spread: bool,
    /// One a model.
    pub costs: Vec<CostRow>,
    /// True if one of the strategies is what happened, so that all have the columns of rework.
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

/// Costs of the runs with one model.
#[derive(Clone, Debug, PartialEq)]
pub struct CostRow {
    pub model: String,
    /// The date of its prices.
    pub price_date: String,
    /// True if the model's own tokenizer is not the one that counted.
    pub is_estimate: bool,
    pub cached_tokens: u64,
    pub cost: Money,
    /// The cost of fetching again all that short answers lack.
    pub rework: Money,
    pub other_costs: OtherCosts,
    /// A multiple of the baseline's.
    pub ratio: Option<f64>,
    /// True if no strategy has as much evidence for less money, or more for as much.
    pub is_efficient: bool,
    /// The same for the runs of each length.
    pub ratios_by_length: Vec<Option<f64>>,
}

/// The price of a cached read, as a share of the price of input, below which a strategy stops paying:
/// an answer that no price list changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BreakEven {
    /// Nothing to compare with, or nothing to gain.
    Unknown,
    Always,
    Never,
    Above(f64),
    /// It pays only where cached reads are cheaper than this.
    Below(f64),
}

/// `always`, `never`, `above 0.1234`, `below 0.1234`, or nothing.
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

/// Strategies that are chosen by different rules.
struct Choices {
    /// Whatever it rests on.
    recommended: Option<usize>,
    cheapest: Option<usize>,
    passed_over: Option<usize>,
    by_rework: Option<ReworkChoices>,
    confidence: Option<f64>,
    idle: Option<Idle>,
}

impl Choices {
    fn of(strategies: &[StrategyComparison], distinct: &DistinctRuns, header: &Header) -> Choices {
        let baseline = header.baseline_index();
        let is_complete = |strategy: &StrategyComparison| {
            strategies.get(baseline).is_some_and(|baseline| strategy.is_complete(baseline))
        };
        let candidate = |strategy: &StrategyComparison| Candidate {
            is_complete: is_complete(strategy),
            change: Change { rewrites_calls: strategy.sums.rewrites_calls, tail: strategy.course.tail },
        };
        let any: Vec<Candidate> = strategies.iter().map(candidate).collect();
        // A strategy with a cliff may be the best one, but nobody has measured it yet.
        let known = |strategy: &StrategyComparison| {
            let any = candidate(strategy);
            Candidate { is_complete: any.is_complete && strategy.course.cliff.is_none(), ..any }
        };
        let known: Vec<Candidate> = strategies.iter().map(known).collect();
        let rule = Rule { bounds: header.bounds(), baseline, candidates: &known };
        let of_any = Rule { bounds: header.bounds(), baseline, candidates: &any };
        let any_saving = Bounds::new(Tolerance { min_saving: 0.0, ..header.tolerance }, &header.baseline);
        let standings: Vec<Standing> = strategies.iter().map(|strategy| strategy.standings.first).collect();
        let choose_with = |rework: fn(Standing) -> Standing| {
            rule.choose(&standings.iter().copied().map(rework).collect::<Vec<_>>())
        };
        let pays_rework = standings.iter().any(|standing| standing.rework > 0);
        let has_cliff =
            |index: &usize| strategies.get(*index).is_some_and(|strategy| strategy.course.cliff.is_some());
        let is_candidate = |index: usize| any.get(index).is_some_and(|candidate| candidate.is_complete);
        Choices {
            recommended: rule.choose(&standings),
            cheapest: Rule { bounds: any_saving, ..of_any }.choose(&standings),
            passed_over: of_any.choose(&standings).filter(has_cliff),
            by_rework: pays_rework.then(|| ReworkChoices {
                none: choose_with(Standing::without_rework),
                all: choose_with(Standing::with_all_rework),
            }),
            confidence: distinct.halves.holding(&rule),
            idle: distinct.courses.idle(baseline, is_candidate),
        }
    }
}

impl Comparison {
    /// The changes against the earlier report, if there is one with numbers.
    pub fn changes(&self) -> Option<Changes> {
        let before = self.against.as_ref()?.totals.as_ref()?;
        Some(Changes::between(before, &self.totals()))
    }
}

impl Tally {
    /// Compares the strategies by the sums.
    pub fn compare(self) -> Comparison {
        let Tally {
            header,
            scenarios,
            failed,
            runs,
            counts,
            troubles,
            changed,
            stale,
            distinct,
            billed,
            spending,
        } = self;
        let baseline = header.baseline_index();
        let has_limit =
            |index: usize| header.strategies.get(index).is_some_and(|name| header.limited.contains(name));
        let courses = distinct.courses.figures(baseline, has_limit);
        let tallied = header.strategies.iter().zip(runs).zip(distinct.standings.iter().zip(courses));
        let mut strategies: Vec<StrategyComparison> = tallied
            .map(|((name, run), (standings, course))| StrategyComparison {
                standings: standings.clone(),
                course,
                ..StrategyComparison::of(name, run, &header)
            })
            .collect();
        mark_efficient(&mut strategies);
        mark_columns(&mut strategies);
        set_history_ratios(&mut strategies, &header.baseline);
        let needing = strategies.get(baseline).map_or(0, |baseline| baseline.standings.first.needing);
        let too_little = TooLittle::of(needing, distinct.runs, billed);
        let choices = Choices::of(&strategies, &distinct, &header);
        Comparison {
            spending,
            facts: Vec::new(),
            agents: Vec::new(),
            scenarios,
            failed,
            too_little,
            recommended: choices.recommended.filter(|_| too_little.is_none()),
            cheapest: choices.cheapest,
            passed_over: choices.passed_over,
            by_rework: choices.by_rework,
            confidence: choices.confidence,
            tasks: distinct.halves.tasks(),
            idle: choices.idle,
            copies: distinct.copies,
            strategies,
            counts,
            troubles,
            changed,
            stale,
            verdicts: Verdicts::default(),
            against: None,
            header,
        }
    }
}

impl Comparison {
    /// Returns true if thresholds can be judged: the whole suite was run as it is, every file could be read and no
    /// strategy failed.
    pub fn is_judged(&self) -> bool {
        let is_whole = self.header.complete && self.header.part.is_none();
        is_whole && self.verdicts.unreadable.is_empty() && self.counts.broken_strategies == 0
    }

    /// The thresholds that are judged, each with the finding if it is crossed.
    pub fn judged_thresholds(&self) -> impl Iterator<Item = (&Threshold, Option<&Crossed>)> {
        let thresholds = if self.is_judged() { self.header.thresholds.as_slice() } else { &[] };
        let crossed = |threshold: &Threshold| {
            self.verdicts.thresholds_crossed.iter().find(|crossed| crossed.threshold == *threshold)
        };
        thresholds.iter().map(move |threshold| (threshold, crossed(threshold)))
    }

    /// Returns true if a snapshot has this verdict.
    pub fn has(&self, verdict: SnapshotVerdict) -> bool {
        let of_scenarios = match verdict {
            SnapshotVerdict::New => self.counts.new_snapshots,
            SnapshotVerdict::Changed => self.counts.changed_snapshots,
            SnapshotVerdict::Stale => self.counts.stale_texts,
            SnapshotVerdict::Orphan => 0,
        };
        of_scenarios > 0 || self.verdicts.snapshots.iter().any(|snapshot| snapshot.verdict == verdict)
    }

    /// Returns true if something failed that no review of snapshots repairs.
    pub fn has_failures(&self) -> bool {
        self.failed + self.counts.broken_strategies > 0 || !self.verdicts.thresholds_crossed.is_empty()
    }

    /// The strategy of this name.
    pub fn strategy(&self, name: &str) -> Option<&StrategyComparison> {
        self.strategies.iter().find(|strategy| strategy.name == name)
    }

    /// The dates of the prices, the oldest first; empty without models.
    pub fn price_dates(&self) -> Vec<&str> {
        let mut dates: Vec<&str> = self.header.models.iter().map(|model| model.date.as_str()).collect();
        dates.sort_unstable();
        dates.dedup();
        dates
    }
}

impl StrategyComparison {
    /// Returns true if it sent as many requests as the baseline.
    pub(super) fn is_whole(&self, baseline: &StrategyComparison) -> bool {
        self.sums.requests == baseline.sums.requests
    }

    /// Returns true if it sent as many tokens as the baseline for exactly as much money.
    pub(super) fn costs_as(&self, baseline: &StrategyComparison) -> bool {
        let costs =
            |one: &StrategyComparison| one.costs.iter().map(|row| row.cost.exact()).collect::<Vec<_>>();
        self.is_whole(baseline)
            && self.sums.input_tokens == baseline.sums.input_tokens
            && costs(self) == costs(baseline)
    }

    /// Returns true if it sent as many requests as the baseline, a chat model would refuse no more of them, and no more are over
    /// the window.
    pub(super) fn is_complete(&self, baseline: &StrategyComparison) -> bool {
        self.is_whole(baseline)
            && self.sums.invalid_requests <= baseline.sums.invalid_requests
            && self.sums.over_window <= baseline.sums.over_window
    }

    /// Cost of all runs with the first model; input tokens without models.
    pub(super) fn whole_cost(&self) -> u128 {
        self.costs.first().map_or(self.sums.input_tokens.into(), |row| row.cost.exact())
    }

    /// The difference from the baseline's cost with the first model if both mark SYSTEM and the last message only.
    pub(super) fn with_usual_marks(&self, baseline: &StrategyComparison) -> Option<f64> {
        let [own, baseline] =
            [self, baseline].map(|one| Some(one.costs.first()?.other_costs.naive.dollars()));
        own.zip(baseline).filter(|(_, baseline)| *baseline > 0.0).map(|(own, baseline)| own / baseline - 1.0)
    }

    /// Returns true if it saves enough with the best marks, and nothing with the usual ones.
    pub(super) fn needs_marks(&self, baseline: &StrategyComparison, tolerance: Tolerance) -> bool {
        self.standings.first.saves(&baseline.standings.first, tolerance)
            && self.with_usual_marks(baseline).is_some_and(|change| change >= 0.0)
    }

    fn of(name: &str, run: RunTally, header: &Header) -> StrategyComparison {
        let versus = &run.versus;
        StrategyComparison {
            name: name.to_owned(),
            standings: Standings::default(),
            course: CourseFigures::default(),
            ratio: share(versus.own.input(), versus.baseline.input()),
            history_ratio: None,
            request_tokens: together(&run.by_turn).spread(),
            ratios: versus.ratios.spread().map(as_ratios),
            by_length: by_length(versus),
            by_turn: by_turn(&run.by_turn),
            growth: growth(&run.by_turn),
            pays_from_turn: pays_from_turn(&versus.own.by_turn, &versus.baseline.by_turn),
            stable_prefix: share(run.later_prefix, run.later_input),
            break_even: break_even(versus),
            evidence: run.evidence(),
            is_efficient: false,
            shows_calls: false,
            shows_spread: false,
            costs: costs(&run, header),
            has_rework: false,
            sums: run,
        }
    }
}

impl CostRow {
    /// The cost with the part of the rework that agents really do.
    pub fn with_rework(&self) -> Money {
        self.cost + self.rework.part(1, REWORK_PARTS as u64)
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

/// Columns that one strategy fills are columns of all.
fn mark_columns(strategies: &mut [StrategyComparison]) {
    let has_rework = strategies.iter().any(|strategy| strategy.sums.rework.is_some());
    let shows_calls = strategies.iter().any(|strategy| strategy.sums.own_calls.calls > 0);
    let shows_spread = strategies.iter().any(|strategy| strategy.text_spread().is_some());
    for strategy in strategies {
        strategy.has_rework = has_rework;
        strategy.shows_calls = shows_calls;
        strategy.shows_spread = shows_spread;
    }
}

fn set_history_ratios(strategies: &mut [StrategyComparison], baseline: &str) {
    let sums = strategies.iter().find(|strategy| strategy.name == baseline).map(|strategy| &strategy.sums);
    let Some((requests, whole)) = sums.map(|sums| (sums.requests, sums.history_tokens)) else { return };
    for strategy in strategies.iter_mut().filter(|strategy| strategy.sums.requests == requests) {
        strategy.history_ratio = share(strategy.sums.history_tokens, whole);
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn by_length(versus: &Versus) -> Vec<LengthRow> {
    let row = |(&turns, length): (&u32, &LengthTally)| {
        let (scenarios, (input_tokens, baseline)) = (length.scenarios, length.input);
        let ratio = share(input_tokens, baseline);
        LengthRow { turns, scenarios, input_tokens, ratio, saving: ratio.map(|ratio| 1.0 - ratio) }
    };
    versus.by_length.iter().map(row).collect()
}

fn together(by_turn: &[Occurrences]) -> Occurrences {
    let mut all = Occurrences::default();
    by_turn.iter().flat_map(Occurrences::iter).for_each(|(size, times)| all.add(size, times));
    all
}

fn as_ratios(spread: Spread<u32>) -> Spread<f64> {
    let [median, p90, worst] =
        [spread.median, spread.p90, spread.worst].map(|parts| f64::from(parts) / RATIO_PARTS);
    Spread { median, p90, worst }
}

fn by_turn(sizes: &[Occurrences]) -> Vec<TurnRow> {
    let row = |(turn, sizes): (u32, &Occurrences)| {
        let (requests, input_tokens) = (sizes.count(), sizes.sum());
        Some(TurnRow { turn, requests, input_tokens, request_tokens: sizes.spread()? })
    };
    (1..).zip(sizes).filter_map(row).collect()
}

/// The least-squares slope of log tokens against log turn.
fn growth(sizes: &[Occurrences]) -> Option<f64> {
    let points = (1_u32..).zip(sizes).flat_map(|(turn, sizes)| {
        let x = libm::log(f64::from(turn));
        sizes.iter().map(move |(size, times)| (x, libm::log(f64::from(size.max(1))), times as f64))
    });
    let (mut count, mut sum_x, mut sum_y, mut sum_xx, mut sum_xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (x, y, times) in points {
        count += times;
        sum_x += times * x;
        sum_y += times * y;
        sum_xx += times * x * x;
        sum_xy += times * x * y;
    }
    let spread = count * sum_xx - sum_x * sum_x;
    (spread > 0.0).then(|| (count * sum_xy - sum_x * sum_y) / spread)
}

fn pays_from_turn(own: &[u64], baseline: &[u64]) -> Option<u32> {
    let running = own.iter().zip(baseline).scan((0, 0), |sums, (own, baseline)| {
        *sums = (sums.0 + own, sums.1 + baseline);
        Some(*sums)
    });
    (1..).zip(running).find(|(_, (own, baseline))| own < baseline).map(|(turn, _)| turn)
}

/// The ratio at which `fresh + ratio × prefix` is the same for both.
fn break_even(versus: &Versus) -> BreakEven {
    let (own, baseline) = (&versus.own, &versus.baseline);
    let fresh = |input: u64, prefix: u64| input.saturating_sub(prefix) as f64;
    let fresh_gain = fresh(baseline.input(), baseline.prefix) - fresh(own.input(), own.prefix);
    let prefix_gain = baseline.prefix as f64 - own.prefix as f64;
    let gain_at = |ratio: f64| fresh_gain + ratio * prefix_gain;
    match (gain_at(0.0), gain_at(1.0)) {
        (free, full) if free == 0.0 && full == 0.0 => BreakEven::Unknown,
        (free, full) if free >= 0.0 && full >= 0.0 => BreakEven::Always,
        (free, full) if free <= 0.0 && full <= 0.0 => BreakEven::Never,
        (free, _) if free < 0.0 => BreakEven::Above(-fresh_gain / prefix_gain),
        _ => BreakEven::Below(-fresh_gain / prefix_gain),
    }
}

fn costs(run: &RunTally, header: &Header) -> Vec<CostRow> {
    let row = |(model, (price, sums)): (usize, (&Price, &ModelTally))| {
        let ModelTally { cached_tokens, cost, other_costs } = *sums;
        let compared = run.versus.own.cost(model).zip(run.versus.baseline.cost(model));
        CostRow {
            model: price.model.clone(),
            price_date: price.date.clone(),
            is_estimate: price.is_estimate(&header.tokenizer),
            cached_tokens,
            cost,
            rework: run.forecast.cost(model),
            other_costs,
            ratio: compared.and_then(|(own, baseline)| own.ratio(baseline)),
            is_efficient: false,
            ratios_by_length: run.versus.by_length.values().map(|length| length.cost_ratio(model)).collect(),
        }
    };
    header.models.iter().zip(&run.models).enumerate().map(row).collect()
}

/// Marks strategies that no other one beats in both cost and evidence.
fn mark_efficient(strategies: &mut [StrategyComparison]) {
    let by_tokens = |strategy: &StrategyComparison| point(strategy, strategy.sums.input_tokens.into());
    let by_tokens: Vec<Point> = strategies.iter().map(by_tokens).collect();
    for (strategy, is_efficient) in strategies.iter_mut().zip(unbeaten(&by_tokens)) {
        strategy.is_efficient = is_efficient;
    }
    let models = strategies.first().map_or(0, |strategy| strategy.costs.len());
    for model in 0..models {
        let by_cost =
            |strategy: &StrategyComparison| point(strategy, strategy.costs.get(model)?.cost.exact());
        let by_cost: Vec<Point> = strategies.iter().map(by_cost).collect();
        for (strategy, is_efficient) in strategies.iter_mut().zip(unbeaten(&by_cost)) {
            strategy.costs.iter_mut().skip(model).take(1).for_each(|row| row.is_efficient = is_efficient);
        }
    }
}

/// Cost and evidence; none if the strategy sent no requests. Nothing is lost where nothing is needed.
type Point = Option<(u128, f64)>;

fn point(strategy: &StrategyComparison, cost: u128) -> Point {
    (strategy.sums.requests > 0).then(|| (cost, strategy.evidence.unwrap_or(1.0)))
}

fn unbeaten(points: &[Point]) -> Vec<bool> {
    let beats = |one: (u128, f64), other: (u128, f64)| one.0 <= other.0 && one.1 >= other.1 && one != other;
    let is_unbeaten =
        |point: &Point| point.is_some_and(|point| !points.iter().flatten().any(|&rival| beats(rival, point)));
    points.iter().map(is_unbeaten).collect()
}
