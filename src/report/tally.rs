//! Running sums over the scenarios of a suite. Keeps a few numbers per strategy, so a million scenarios fit.

use std::collections::BTreeMap;

use super::change::ChangeList;
use super::distinct::DistinctRuns;
use super::header::Header;
use super::own_calls::OwnCalls;
use super::recommend::{Billed, Predicted};
use super::record::ScenarioRecord;
use super::rework::ReworkSums;
use super::rounds::Rounds;
use super::samples::Samples;
use super::spending::Spending;
use super::spread::Occurrences;
use super::verdicts::{SnapshotRecord, SnapshotVerdict};
use crate::measure::numbers::grouped;
use crate::measure::{MeasuredRequest, MeasuredRun};
use ptc_prices::{Money, OtherCosts};

/// Sums over the scenarios added so far.
#[derive(Clone, Debug)]
pub struct Tally {
    pub(super) header: Header,
    pub(super) scenarios: u64,
    pub(super) failed: u64,
    /// Runs of several turns, and runs with native tool calls rewritten as text by some strategy.
    pub(super) long_runs: u64,
    pub(super) rewritten_runs: u64,
    /// In the order of the suite.
    pub(super) runs: Vec<RunTally>,
    pub(super) counts: Counts,
    pub(super) troubles: Vec<Trouble>,
    pub(super) changed: Vec<SnapshotRecord>,
    pub(super) stale: Vec<SnapshotRecord>,
    /// Changes of the model's requests.
    pub(super) differences: ChangeList,
    pub(super) distinct: DistinctRuns,
    /// Histogram of answers by the age in turns of their oldest fact.
    pub(super) ages: BTreeMap<u32, u64>,
    /// Billed tokens; only of logs that contain them.
    pub billed: Option<Billed>,
    /// Predicted and billed cents for the input of logs.
    pub predicted: Option<Predicted>,
    /// Only of logs with a bill for each request.
    pub spending: Spending,
}

/// Counts of unexpected results in scenarios and snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Scenarios with a failed expectation, a broken strategy or an unaccepted snapshot.
    pub troubled: u64,
    pub changed_snapshots: u64,
    pub new_snapshots: u64,
    /// Stale golden texts, one per scenario and strategy.
    pub stale_texts: u64,
    /// Failed strategies, one per scenario and strategy.
    pub broken_strategies: u64,
    /// All troubles; `Tally` keeps only the first.
    pub troubles: u64,
}

/// A failed expectation or broken strategy of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// `path:line`, or `path:line:column` if the column is known.
    pub place: String,
    pub what: String,
}

/// Limit of kept troubles; all are counted. `changes.md` lists twenty, and `junit.xml` has them all.
const TROUBLES: usize = 100;

/// Limit of kept changed snapshots, and of stale ones; all are counted.
const CHANGED: usize = 100;

/// Fixed-point unit of ratios: four decimals, as in reports.
pub(super) const RATIO_PARTS: f64 = 10_000.0;

/// The fewest turns in each length class of runs. Each is about twice the one before: costs depend on the
/// order of magnitude of a run, and a table with a column for each number of turns would be unreadable.
pub(super) const LENGTHS: [u32; 5] = [1, 5, 10, 20, 40];

/// The sums of one strategy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunTally {
    pub requests: u64,
    pub input_tokens: u64,
    /// Input tokens beyond the first request of each run (SYSTEM and the opening).
    pub history_tokens: u64,
    /// The same under every strategy.
    pub output_tokens: u64,
    /// The size of every request, by turn.
    pub by_turn: Vec<Occurrences>,
    /// Without the first request of each run.
    pub later_prefix: u64,
    pub later_input: u64,
    /// Facts needed by answers, and how many of them the requests show.
    pub needed: u64,
    pub shown: u64,
    /// The lowest share of needed facts shown to any answer.
    pub evidence_min: Option<f64>,
    pub answers: AnswerTally,
    /// The scenario and the turn of the first answer missing a fact.
    pub first_short: Option<(String, u32)>,
    /// User instructions missing from some later request.
    pub instructions_lost: u64,
    /// Model calls made by the strategy itself.
    pub own_calls: OwnCalls,
    /// Answers by the number of the strategy's own calls before them.
    pub rounds: Rounds,
    /// Answers missing a fact and costs with each of several texts for the strategy's own calls.
    pub samples: Samples,
    pub hidden_tool_calls: u64,
    /// True if a request has native tool calls rewritten as text.
    pub rewrites_calls: bool,
    /// Requests over the context window of the first model.
    pub over_window: u64,
    /// Results that agents fetched again; only for the logged run.
    pub rework: Option<ReworkSums>,
    /// Requests an API would reject, then the scenario and the turn of the first.
    pub invalid_requests: u64,
    pub first_invalid: Option<(String, u32)>,
    /// One per model of the header, in that order.
    pub models: Vec<ModelTally>,
    pub versus: Versus,
}

/// The sums of one strategy with one model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelTally {
    pub cached_tokens: u64,
    pub cost: Money,
    pub other_costs: OtherCosts,
}

/// Counts of answers whose requests lack evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerTally {
    /// Answers that need any evidence.
    pub needing: u64,
    /// Answers whose request lacks a needed fact beyond the model's reach.
    pub short: u64,
    /// Runs with an answer missing a fact.
    pub short_runs: u64,
    /// Answers missing only the model's own earlier words.
    pub own_short: u64,
    /// Answers missing only common names. They don't count as short.
    pub doubtful: u64,
    /// Answers whose missing facts the agent could all read again.
    pub short_again: u64,
}

/// Sums of a strategy and of the baseline, over scenarios in which both sent the same number of requests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Versus {
    /// Input tokens of each scenario as a multiple of the baseline's, in parts of [`RATIO_PARTS`].
    pub ratios: Occurrences,
    /// Scenarios with fewer, as many and more tokens than under the baseline.
    pub wins: u64,
    pub ties: u64,
    pub losses: u64,
    /// Requests larger than the baseline's.
    pub larger_requests: u64,
    pub own: SideTally,
    pub baseline: SideTally,
    /// Keyed by the fewest turns of the length class.
    pub by_length: BTreeMap<u32, LengthTally>,
}

/// The scenarios of one length class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LengthTally {
    pub scenarios: u64,
    /// Input tokens: the strategy's, the baseline's.
    pub input: (u64, u64),
    /// One pair per model: the strategy's cost, the baseline's.
    pub cost: Vec<(Money, Money)>,
}

/// One side of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideTally {
    pub prefix: u64,
    /// Input tokens by turn.
    pub by_turn: Vec<u64>,
    /// One per model.
    pub costs: Vec<Money>,
}

impl Tally {
    pub fn new(header: Header) -> Tally {
        let runs = header.strategies.iter().map(|_| RunTally::new(header.models.len())).collect();
        let distinct = DistinctRuns::for_header(&header);
        Tally {
            header,
            scenarios: 0,
            failed: 0,
            long_runs: 0,
            rewritten_runs: 0,
            runs,
            counts: Counts::default(),
            troubles: Vec::new(),
            changed: Vec::new(),
            stale: Vec::new(),
            differences: ChangeList::default(),
            distinct,
            ages: BTreeMap::new(),
            billed: None,
            predicted: None,
            spending: Spending::default(),
        }
    }

    /// Adds a scenario. Its strategies have to be in the order of the header.
    pub fn add(&mut self, record: &ScenarioRecord) {
        self.scenarios += 1;
        self.failed += u64::from(!record.failures.is_empty());
        self.add_troubles(record);
        if let Some(difference) = &record.difference {
            self.differences.add(&record.name, difference);
        }
        self.distinct.add_record(record, &self.header);
        for (age, answers) in &record.ages {
            *self.ages.entry(*age).or_default() += u64::from(*answers);
        }
        self.long_runs += u64::from(record.strategies.iter().any(|run| run.requests.len() > 1));
        self.rewritten_runs += u64::from(record.strategies.iter().any(|run| run.rewrites_calls));
        let baseline = record.baseline(&self.header);
        let window = self.header.models.first().and_then(|model| model.window);
        // A request that was really sent fits, whatever window is documented.
        let possible = window.map(|window| window.max(record.happened().map_or(0, MeasuredRun::largest)));
        for (tally, run) in self.runs.iter_mut().zip(&record.strategies) {
            tally.add_run(run);
            tally.over_window += possible.map_or(0, |possible| run.larger_than(possible));
            tally.note_first(&record.name, run);
            if let Some(baseline) = baseline
                && baseline.requests.len() == run.requests.len()
                && !run.requests.is_empty()
            {
                tally.versus.add_requests(&run.requests, &baseline.requests);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.scenarios == 0
    }

    fn add_troubles(&mut self, record: &ScenarioRecord) {
        self.counts.troubled += u64::from(!record.is_as_expected());
        self.counts.troubles += (record.failures.len() + record.broken_strategies.len()) as u64;
        self.counts.broken_strategies += record.broken_strategies.len() as u64;
        for snapshot in &record.snapshots {
            match snapshot.verdict {
                SnapshotVerdict::New => self.counts.new_snapshots += 1,
                SnapshotVerdict::Changed => self.add_changed(snapshot),
                SnapshotVerdict::Stale => self.add_stale(snapshot),
                SnapshotVerdict::Orphan => {}
            }
        }
        let room = TROUBLES.saturating_sub(self.troubles.len());
        let failures = record.failures.iter().map(|failure| Trouble {
            place: format!("{}:{}:{}", record.origin.path, failure.line, failure.column),
            what: failure.to_string(),
        });
        let broken = record
            .broken_strategies
            .iter()
            .map(|broken| Trouble { place: record.origin.to_string(), what: broken.describe() });
        self.troubles.extend(failures.chain(broken).take(room));
    }

    fn add_stale(&mut self, snapshot: &SnapshotRecord) {
        self.counts.stale_texts += 1;
        if self.stale.len() < CHANGED {
            self.stale.push(snapshot.clone());
        }
    }

    fn add_changed(&mut self, snapshot: &SnapshotRecord) {
        self.counts.changed_snapshots += 1;
        if self.changed.len() < CHANGED {
            self.changed.push(snapshot.clone());
        }
    }
}

impl RunTally {
    /// Empty sums for this number of models.
    fn new(models: usize) -> RunTally {
        RunTally { models: vec![ModelTally::default(); models], ..RunTally::default() }
    }

    /// The share of needed facts shown; `None` if no answer needs any.
    pub fn evidence(&self) -> Option<f64> {
        (self.needed > 0).then(|| self.shown as f64 / self.needed as f64)
    }

    /// Needed facts missing from the requests.
    pub fn lost(&self) -> u64 {
        self.needed - self.shown
    }

    pub fn add_run(&mut self, run: &MeasuredRun) {
        let lacks_fact = run.requests.iter().any(|request| request.evidence.lacks_fact());
        self.answers.short_runs += u64::from(lacks_fact);
        self.rewrites_calls |= run.rewrites_calls;
        if let Some(rework) = &run.rework {
            self.rework.get_or_insert_default().add(rework);
        }
        self.add_own_calls(run);
        self.samples.add(&run.samples);
        self.rounds.add_run(run);
        for (model, costs) in run.other_costs.iter().enumerate() {
            entry_at(&mut self.models, model).other_costs += *costs;
        }
        let opening = run.requests.first().map_or(0, |request| request.input_tokens);
        for (index, request) in run.requests.iter().enumerate() {
            self.requests += 1;
            self.input_tokens += u64::from(request.input_tokens);
            self.history_tokens += u64::from(request.input_tokens.saturating_sub(opening));
            self.output_tokens += u64::from(request.output_tokens);
            self.hidden_tool_calls += u64::from(request.hidden_tool_calls);
            self.invalid_requests += u64::from(!request.valid);
            entry_at(&mut self.by_turn, index).add(request.input_tokens, 1);
            if index > 0 {
                self.later_prefix += u64::from(request.prefix_tokens);
                self.later_input += u64::from(request.input_tokens);
            }
            self.add_evidence(request);
            for (model, bill) in request.bills.iter().enumerate() {
                let sums = entry_at(&mut self.models, model);
                sums.cached_tokens += u64::from(bill.cached_tokens);
                sums.cost += bill.cost;
            }
        }
    }

    fn add_own_calls(&mut self, run: &MeasuredRun) {
        let before = self.least_short();
        self.own_calls.add_run(run);
        let short = run.requests.iter().filter(|request| request.evidence.lacks_fact()).count();
        let least = run.least_short.map_or(short as u64, u64::from);
        // With every text known, the requests show which answers lack a fact.
        if self.own_calls.least_short.is_some() || run.least_short.is_some() {
            self.own_calls.least_short = Some(before + least);
        }
    }

    /// Answers missing a fact with the best possible texts of the strategy's own calls.
    pub fn least_short(&self) -> u64 {
        self.own_calls.least_short.unwrap_or(self.answers.short)
    }

    /// `44 of 158`, or `0–44 of 158` if it depends on texts not yet written.
    pub fn short_of_needing(&self) -> String {
        let least = self.own_calls.least_short.filter(|least| *least < self.answers.short);
        let least = least.map_or(String::new(), |least| format!("{}–", grouped(least)));
        least + &self.answers.short_of_needing()
    }

    /// `13 of 13 requests rejected`
    pub(super) fn describe_rejected(&self) -> String {
        format!("{} of {} requests rejected", grouped(self.invalid_requests), grouped(self.requests))
    }

    fn note_first(&mut self, scenario: &str, run: &MeasuredRun) {
        if let (Some(sums), Some(rework)) = (&mut self.rework, &run.rework) {
            sums.note_largest(scenario, rework);
            sums.note_dropped(scenario, &run.requests, rework);
        }
        for request in &run.requests {
            if request.evidence.lacks_fact() && self.first_short.is_none() {
                self.first_short = Some((scenario.to_owned(), request.turn));
            }
            if !request.valid && self.first_invalid.is_none() {
                self.first_invalid = Some((scenario.to_owned(), request.turn));
            }
        }
    }

    fn add_evidence(&mut self, request: &MeasuredRequest) {
        let evidence = &request.evidence;
        self.instructions_lost += evidence.instructions.len() as u64;
        self.needed += u64::from(evidence.needed());
        self.shown += u64::from(evidence.shown);
        self.evidence_min = self.evidence_min.into_iter().chain(evidence.share()).reduce(f64::min);
        self.answers.needing += u64::from(evidence.needed() > 0);
        self.answers.short += u64::from(evidence.lacks_fact());
        self.answers.own_short += u64::from(evidence.lacks_only_own());
        self.answers.doubtful += u64::from(evidence.is_doubtful());
        self.answers.short_again += u64::from(evidence.can_be_read_again());
    }
}

impl AnswerTally {
    /// `44 of 158`; a dash if no answer needs anything.
    pub fn short_of_needing(&self) -> String {
        match self.needing {
            0 => "–".to_owned(),
            needing => format!("{} of {}", grouped(self.short), grouped(needing)),
        }
    }
}

impl Versus {
    fn add_requests(&mut self, own: &[MeasuredRequest], baseline: &[MeasuredRequest]) {
        let (ours, theirs) = (self.own.add_requests(own), self.baseline.add_requests(baseline));
        let ratio = ours as f64 / theirs.max(1) as f64;
        self.ratios.add((ratio * RATIO_PARTS).round() as u32, 1);
        match ours.cmp(&theirs) {
            std::cmp::Ordering::Less => self.wins += 1,
            std::cmp::Ordering::Equal => self.ties += 1,
            std::cmp::Ordering::Greater => self.losses += 1,
        }
        let larger = own.iter().zip(baseline).filter(|(own, baseline)| own.is_larger(baseline));
        self.larger_requests += larger.count() as u64;
        let fewest = LENGTHS.into_iter().rfind(|turns| *turns as usize <= own.len());
        // Always found, as callers skip runs without requests.
        let Some(fewest) = fewest else { return };
        let length = self.by_length.entry(fewest).or_default();
        length.scenarios += 1;
        length.input.0 += ours;
        length.input.1 += theirs;
        for (own, baseline) in own.iter().zip(baseline) {
            for (model, (own, baseline)) in own.bills.iter().zip(&baseline.bills).enumerate() {
                let cost = entry_at(&mut length.cost, model);
                cost.0 += own.cost;
                cost.1 += baseline.cost;
            }
        }
    }
}

impl SideTally {
    /// Adds the requests of a run and returns their input tokens.
    fn add_requests(&mut self, requests: &[MeasuredRequest]) -> u64 {
        let mut input = 0;
        for (index, request) in requests.iter().enumerate() {
            input += u64::from(request.input_tokens);
            self.prefix += u64::from(request.prefix_tokens);
            *entry_at(&mut self.by_turn, index) += u64::from(request.input_tokens);
            for (model, bill) in request.bills.iter().enumerate() {
                *entry_at(&mut self.costs, model) += bill.cost;
            }
        }
        input
    }

    pub fn input(&self) -> u64 {
        self.by_turn.iter().sum()
    }

    /// The cost with the model at this index; `None` if no run could be compared.
    pub fn cost(&self, model: usize) -> Option<Money> {
        self.costs.get(model).copied()
    }
}

impl LengthTally {
    /// The cost with a model as a multiple of the baseline's.
    pub fn cost_ratio(&self, model: usize) -> Option<f64> {
        let (own, baseline) = self.cost.get(model)?;
        own.ratio(*baseline)
    }
}

/// The entry at an index; grows the list if needed.
fn entry_at<T: Default>(list: &mut Vec<T>, index: usize) -> &mut T {
    if list.len() <= index {
        list.resize_with(index + 1, T::default);
    }
    &mut list[index]
}
