//! Strategies with an unknown cost on long runs: they cost more from some turn or limit on, and few runs have
//! reached it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::recommend::Standing;
use super::record::ScenarioRecord;
use crate::measure::MeasuredRun;

/// The fewest runs to measure the cost beyond a turn or a limit. Samples of 20 of 826 logs recommended
/// `per-turn-summary`, because none contained the runs on which it costs 1.78 times as much.
const RUNS: u64 = 5;
/// The share of the baseline's cost above which later turns count as dearer. One point, as for equal costs.
const DEARER: f64 = 0.01;
/// The smallest cost difference for a changed run, as a share of the baseline's cost. Less shows as 0.0% in
/// the tables.
const CHANGED: f64 = 0.0005;

/// Why these runs are too short to judge a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cliff {
    /// It costs more from this turn on; only `runs` runs are that long.
    Turn { turn: u32, runs: u64 },
    /// It drops prints and calls above a limit; only `runs` runs reach it.
    Limit { runs: u64 },
}

impl Cliff {
    /// Describes the cliff of the strategy with this name.
    pub fn sentence(&self, strategy: &str) -> String {
        match self {
            Cliff::Turn { turn, runs } => {
                format!("{strategy} costs more from turn {turn} on: {}.", that_long(*runs))
            }
            Cliff::Limit { runs } => {
                format!(
                    "{strategy} has a limit of prints and calls, and changes there: {}.",
                    that_long(*runs)
                )
            }
        }
    }

    /// Says which runs to add, with a leading space.
    pub(super) fn remedy(&self, strategy: &str) -> String {
        let (wanted, runs) = match self {
            Cliff::Turn { turn, runs } => (format!("runs of {turn} turns or more"), runs),
            Cliff::Limit { runs } => (format!("runs that reach the limit of {strategy}"), runs),
        };
        format!(" Add {wanted} ({runs} so far).")
    }
}

fn that_long(runs: u64) -> String {
    match runs {
        0 => "no run is that long".to_owned(),
        1 => "1 run is that long".to_owned(),
        several => format!("{several} runs are that long"),
    }
}

/// The most points in a plot of cost by turn; more would be indistinguishable on the page.
const POINTS: usize = 40;

/// The first turn of a chunk, and the cost of the chunk as a share of the baseline's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TurnShare(pub u32, pub f64);

/// How a strategy's cost develops over the turns, beyond the averages of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CourseFigures {
    /// Why the strategy is not recommended yet, if few runs are long enough.
    pub cliff: Option<Cliff>,
    /// The cost of the longest tenth of the runs.
    pub tail: u128,
    /// The cost by turn as a share of the baseline's cost, with the first model.
    pub shares: Vec<TurnShare>,
}

/// Costs of runs, by turn and by number of turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Courses {
    strategies: Vec<Course>,
    /// Number of runs by their number of turns.
    lengths: BTreeMap<usize, u64>,
}

/// The costs of one strategy with the first model.
#[derive(Clone, Debug, Default)]
struct Course {
    by_turn: Vec<u128>,
    by_length: BTreeMap<usize, u128>,
    /// Runs with dropped prints or calls.
    limited: u64,
    /// Runs with a cost different from the baseline's.
    changed: u64,
}

impl Courses {
    pub(super) fn for_strategies(strategies: usize) -> Courses {
        Courses { strategies: vec![Course::default(); strategies], lengths: BTreeMap::new() }
    }

    /// Adds a run. `standings` has one entry per strategy, `baseline` is an index into it.
    pub(super) fn add_record(&mut self, record: &ScenarioRecord, standings: &[Standing], baseline: usize) {
        // Without a baseline nothing is compared, so 0 has no effect.
        let base = standings.get(baseline).map_or(0, |base| base.cost);
        // A failed strategy has no requests, so take the maximum over all strategies.
        let turns = record.strategies.iter().map(|run| run.requests.len()).max().unwrap_or(0);
        *self.lengths.entry(turns).or_default() += 1;
        for (course, run) in self.strategies.iter_mut().zip(&record.strategies) {
            course.add_run(turns, run, base);
        }
    }

    /// For each strategy, the number of runs it changed.
    pub(super) fn count_changed(&self) -> Vec<u64> {
        self.strategies.iter().map(|course| course.changed).collect()
    }

    /// The figures of each strategy. `has_limit` returns true for strategies with a limit of prints and
    /// calls.
    pub(super) fn make_figures(
        &self,
        baseline: usize,
        has_limit: impl Fn(usize) -> bool,
    ) -> Vec<CourseFigures> {
        let base = self.strategies.get(baseline);
        let tail_from = self.tail_from();
        let mut figures = Vec::with_capacity(self.strategies.len());
        for (index, course) in self.strategies.iter().enumerate() {
            let compared_with = base.filter(|_| index != baseline);
            figures.push(CourseFigures {
                cliff: compared_with.and_then(|base| self.find_cliff(course, base, has_limit(index))),
                tail: course.by_length.range(tail_from..).map(|(_, cost)| cost).sum(),
                shares: base.map_or_else(Vec::new, |base| course.share_by_turn(base)),
            });
        }
        figures
    }

    /// The fewest turns among the longest tenth of the runs.
    fn tail_from(&self) -> usize {
        let mut left = self.lengths.values().sum::<u64>().div_ceil(10);
        let longest = self.lengths.iter().rev().take_while(|(_, runs)| {
            let is_wanted = left > 0;
            left = left.saturating_sub(**runs);
            is_wanted
        });
        longest.last().map_or(0, |(turns, _)| *turns)
    }

    fn find_cliff(&self, course: &Course, base: &Course, has_limit: bool) -> Option<Cliff> {
        let is_unknown = has_limit && course.limited < RUNS;
        self.dearer_from(course, base).or(is_unknown.then_some(Cliff::Limit { runs: course.limited }))
    }

    /// The turn with the largest excess cost from there to the end, if the excess is large and few runs are
    /// that long.
    fn dearer_from(&self, course: &Course, base: &Course) -> Option<Cliff> {
        let turns: Vec<_> = (1_u32..).zip(course.by_turn.iter().zip(&base.by_turn)).collect();
        // Suffix sums of the excess.
        let mut excess_from_here = 0_i128;
        let mut greatest: Option<(i128, u32)> = None;
        for (turn, (own, base)) in turns.into_iter().rev() {
            excess_from_here += *own as i128 - *base as i128;
            // On ties, take the earliest turn.
            if greatest.is_none_or(|(excess, _)| excess_from_here >= excess) {
                greatest = Some((excess_from_here, turn));
            }
        }
        let (excess, turn) = greatest?;
        let runs = self.lengths.range(turn as usize..).map(|(_, runs)| runs).sum();
        let whole: u128 = base.by_turn.iter().sum();
        let is_large = excess as f64 > DEARER * whole as f64;
        // From turn 1 on, the strategy is dearer on all runs, and the totals already show it.
        (is_large && turn > 1 && runs < RUNS).then_some(Cliff::Turn { turn, runs })
    }
}

impl Course {
    /// The cost by turn as a share of the baseline's cost, in chunks of turns for long runs.
    fn share_by_turn(&self, base: &Course) -> Vec<TurnShare> {
        let together = base.by_turn.len().div_ceil(POINTS).max(1);
        let mut shares = Vec::new();
        for (point, (costs, base)) in
            self.by_turn.chunks(together).zip(base.by_turn.chunks(together)).enumerate()
        {
            let [cost, base] = [costs, base].map(|costs| costs.iter().sum::<u128>() as f64);
            if base > 0.0 {
                let turn = (point * together + 1) as u32;
                shares.push(TurnShare(turn, (cost / base * 10_000.0).round() / 10_000.0));
            }
        }
        shares
    }

    fn add_run(&mut self, turns: usize, run: &MeasuredRun, base: u128) {
        let mut whole = 0_u128;
        self.by_turn.resize(self.by_turn.len().max(run.requests.len()), 0);
        let of_length = self.by_length.entry(turns).or_default();
        for (sum, request) in self.by_turn.iter_mut().zip(&run.requests) {
            let cost = match request.bills.first() {
                Some(bill) => bill.cost.exact(),
                None => u128::from(request.input_tokens),
            };
            *sum = sum.saturating_add(cost);
            *of_length = of_length.saturating_add(cost);
            whole = whole.saturating_add(cost);
        }
        self.changed += u64::from(whole.abs_diff(base) as f64 > CHANGED * base as f64);
        let drops_any = run
            .requests
            .iter()
            .any(|request| request.statistics.printlns_dropped + request.statistics.tool_calls_dropped > 0);
        self.limited += u64::from(drops_any);
    }
}
