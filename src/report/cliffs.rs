//! Strategies whose cost nobody has measured yet: those that cost more from a turn on, or from a limit on, which few runs
//! have reached.

use std::collections::BTreeMap;

use serde::Serialize;

use super::recommend::Standing;
use super::record::ScenarioRecord;
use crate::measure::MeasuredRun;

/// The fewest runs that tell what a strategy costs beyond a turn or a limit. Samples of 20 of 826 logs recommended
/// `per-turn-summary`, since none had the runs on which it costs 1.78 times as much.
const RUNS: u64 = 5;
/// The share of the baseline's cost above which later turns count as dearer: a point, within which strategies cost the same.
const DEARER: f64 = 0.01;
/// The share of the baseline's cost by which a strategy must differ to have changed a run: less is 0.0% in the tables.
const CHANGED: f64 = 0.0005;

/// Reason not to choose a strategy by the runs at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cliff {
    /// It costs more from this turn on, which only `runs` runs have.
    Turn { turn: u32, runs: u64 },
    /// It drops prints and calls from a limit on, which only `runs` runs reach.
    Limit { runs: u64 },
}

impl Cliff {
    /// The sentence on a strategy of this name.
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

    /// The sentence, after a blank, on the runs that would show what a strategy of this name costs.
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

/// The most points of the plot of a strategy's cost by turn; more would not be told apart on the page.
const POINTS: usize = 40;

/// The first of some turns, and their cost as a share of the baseline's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TurnShare(pub u32, pub f64);

/// The course of a strategy's cost, which the averages of a report hide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CourseFigures {
    /// Reason why the strategy is not recommended yet, if few runs are long enough.
    pub cliff: Option<Cliff>,
    /// The cost of the longest tenth of the runs.
    pub tail: u128,
    /// The cost by turn as a share of the baseline's, with the first model.
    pub shares: Vec<TurnShare>,
}

/// Costs of runs by turn and by length.
#[derive(Clone, Debug, Default)]
pub(super) struct Courses {
    strategies: Vec<Course>,
    /// Runs by the number of their turns.
    lengths: BTreeMap<usize, u64>,
}

/// The costs of one strategy with the first model.
#[derive(Clone, Debug, Default)]
struct Course {
    by_turn: Vec<u128>,
    by_length: BTreeMap<usize, u128>,
    /// Runs with a request that drops prints or calls.
    limited: u64,
    /// Runs that cost something else than under the baseline.
    changed: u64,
}

impl Courses {
    pub(super) fn of(strategies: usize) -> Courses {
        Courses { strategies: vec![Course::default(); strategies], lengths: BTreeMap::new() }
    }

    /// Adds a run with the standings of its strategies, one of which is the baseline.
    pub(super) fn add(&mut self, record: &ScenarioRecord, standings: &[Standing], baseline: usize) {
        // Without a baseline nothing is compared, so its cost is read by nobody.
        let base = standings.get(baseline).map_or(0, |base| base.cost);
        // A strategy that failed has no requests, so no single one of them tells the turns of the run.
        let turns = record.strategies.iter().map(|run| run.requests.len()).max().unwrap_or(0);
        *self.lengths.entry(turns).or_default() += 1;
        for (course, run) in self.strategies.iter_mut().zip(&record.strategies) {
            course.add(turns, run, base);
        }
    }

    /// The runs that each strategy changed.
    pub(super) fn changed(&self) -> Vec<u64> {
        self.strategies.iter().map(|course| course.changed).collect()
    }

    /// The figures of each strategy. `has_limit` says which have limits of prints and calls.
    pub(super) fn figures(&self, baseline: usize, has_limit: impl Fn(usize) -> bool) -> Vec<CourseFigures> {
        let base = self.strategies.get(baseline);
        let tail_from = self.tail_from();
        let figures = |(index, course): (usize, &Course)| {
            let compared_with = base.filter(|_| index != baseline);
            CourseFigures {
                cliff: compared_with.and_then(|base| self.cliff(course, base, has_limit(index))),
                tail: course.by_length.range(tail_from..).map(|(_, cost)| cost).sum(),
                shares: base.map_or_else(Vec::new, |base| course.shares(base)),
            }
        };
        self.strategies.iter().enumerate().map(figures).collect()
    }

    /// The fewest turns of the longest tenth of the runs.
    fn tail_from(&self) -> usize {
        let mut left = self.lengths.values().sum::<u64>().div_ceil(10);
        let longest = self.lengths.iter().rev().take_while(|(_, runs)| {
            let is_wanted = left > 0;
            left = left.saturating_sub(**runs);
            is_wanted
        });
        longest.last().map_or(0, |(turns, _)| *turns)
    }

    fn cliff(&self, course: &Course, base: &Course, has_limit: bool) -> Option<Cliff> {
        let is_unknown = has_limit && course.limited < RUNS;
        self.dearer_from(course, base).or(is_unknown.then_some(Cliff::Limit { runs: course.limited }))
    }

    /// The turn with the greatest excess over the baseline from there to the end, if the excess is large and few runs are that
    /// long.
    fn dearer_from(&self, course: &Course, base: &Course) -> Option<Cliff> {
        let turns: Vec<_> = (1_u32..).zip(course.by_turn.iter().zip(&base.by_turn)).collect();
        // The sum from a turn to the end is that from the next turn, and the turn itself.
        let mut excess_from_here = 0_i128;
        let mut greatest: Option<(i128, u32)> = None;
        for (turn, (own, base)) in turns.into_iter().rev() {
            excess_from_here += *own as i128 - *base as i128;
            // Of turns with the same excess it is the first one.
            if greatest.is_none_or(|(excess, _)| excess_from_here >= excess) {
                greatest = Some((excess_from_here, turn));
            }
        }
        let (excess, turn) = greatest?;
        let runs = self.lengths.range(turn as usize..).map(|(_, runs)| runs).sum();
        let whole: u128 = base.by_turn.iter().sum();
        let is_large = excess as f64 > DEARER * whole as f64;
        // A strategy that is dearest from the first turn on is dearer on all runs, as their sums show.
        (is_large && turn > 1 && runs < RUNS).then_some(Cliff::Turn { turn, runs })
    }
}

impl Course {
    /// The cost by turn as a share of the baseline's. Turns of long runs are taken together.
    fn shares(&self, base: &Course) -> Vec<TurnShare> {
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

    /// Adds a run.
    fn add(&mut self, turns: usize, run: &MeasuredRun, base: u128) {
        let mut whole = 0_u128;
        self.by_turn.resize(self.by_turn.len().max(run.requests.len()), 0);
        let of_length = self.by_length.entry(turns).or_default();
        for (sum, request) in self.by_turn.iter_mut().zip(&run.requests) {
            let tokens = || u128::from(request.input_tokens);
            let cost = request.bills.first().map_or_else(tokens, |bill| bill.cost.exact());
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
