//! Strategies whose cost nobody has measured yet: those that cost more from a turn on, or from a limit on, which few runs
//! have reached.

use std::collections::BTreeMap;

use serde::Serialize;

use super::record::ScenarioRecord;
use crate::measure::MeasuredRun;

/// The least runs that tell what a strategy costs beyond a turn or a limit.
const RUNS: u64 = 5;
/// The share of the baseline's cost above which later turns count as dearer.
const DEARER: f64 = 0.01;
/// The share of the baseline's cost by which a strategy must differ to have changed a run.
const CHANGED: f64 = 0.0005;
/// So many runs show that longer ones are too rare to matter.
const MANY: u64 = 300;

/// Reason not to choose a strategy by the runs at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cliff {
    /// It costs more from this turn on, and so many runs have it.
    Turn { turn: u32, runs: u64 },
    /// It drops prints and calls from a limit on, which so many runs reach.
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
}

/// A strategy that changed few runs: nobody knows what it does on longer ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Idle {
    /// Its index.
    pub strategy: usize,
    /// Runs that it changed, and all.
    pub changed: u64,
    pub runs: u64,
}

fn that_long(runs: u64) -> String {
    match runs {
        0 => "no run is that long".to_owned(),
        1 => "1 run is that long".to_owned(),
        several => format!("{several} runs are that long"),
    }
}

/// Points of the plot of a strategy's cost by turn.
const POINTS: usize = 40;

/// The first of some turns, and their cost as a share of the baseline's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TurnShare(pub u32, pub f64);

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
    /// Adds a run, which costs so much under the baseline.
    pub(super) fn add(&mut self, record: &ScenarioRecord, base: u128) {
        let turns = record.strategies.iter().map(|run| run.requests.len()).max().unwrap_or_default();
        *self.lengths.entry(turns).or_default() += 1;
        self.strategies.resize(record.strategies.len(), Course::default());
        for (course, run) in self.strategies.iter_mut().zip(&record.strategies) {
            course.add(turns, run, base);
        }
    }

    /// The first of the strategies that are whole which changed few runs.
    pub(super) fn idle(&self, baseline: usize, is_whole: impl Fn(usize) -> bool) -> Option<Idle> {
        let runs = self.lengths.values().sum();
        let others =
            self.strategies.iter().enumerate().filter(|(index, _)| *index != baseline && is_whole(*index));
        let least =
            others.filter(|(_, course)| course.changed < RUNS).min_by_key(|(_, course)| course.changed);
        let idle = least.map(|(strategy, course)| Idle { strategy, changed: course.changed, runs });
        idle.filter(|_| runs < MANY)
    }

    /// The cost of each strategy by turn as a share of the baseline's. Turns of long runs are taken together.
    pub(super) fn shares(&self, baseline: usize) -> Vec<Vec<TurnShare>> {
        let base = self.strategies.get(baseline).map_or(&[][..], |base| &base.by_turn);
        let together = base.len().div_ceil(POINTS).max(1);
        let share = |(own, base): (&[u128], &[u128]), at: usize| {
            let [own, base] = [own, base].map(|costs| costs.iter().sum::<u128>() as f64);
            let turn = (at * together + 1) as u32;
            (base > 0.0).then(|| TurnShare(turn, (own / base * 10_000.0).round() / 10_000.0))
        };
        let shares = |course: &Course| {
            let both = course.by_turn.chunks(together).zip(base.chunks(together));
            both.enumerate().filter_map(|(at, costs)| share(costs, at)).collect()
        };
        self.strategies.iter().map(shares).collect()
    }

    /// The cost of each strategy on the longest tenth of the runs.
    pub(super) fn tails(&self) -> Vec<u128> {
        let wanted = self.lengths.values().sum::<u64>().div_ceil(10);
        let mut left = wanted;
        let longest = self.lengths.iter().rev().take_while(|(_, runs)| {
            let is_wanted = left > 0;
            left = left.saturating_sub(**runs);
            is_wanted
        });
        let least = longest.last().map_or(0, |(turns, _)| *turns);
        let tail = |course: &Course| course.by_length.range(least..).map(|(_, cost)| cost).sum();
        self.strategies.iter().map(tail).collect()
    }

    /// The cliff of each strategy, if it has one. `has_limit` says which have limits of prints and calls.
    pub(super) fn cliffs(&self, baseline: usize, has_limit: impl Fn(usize) -> bool) -> Vec<Option<Cliff>> {
        let Some(base) = self.strategies.get(baseline) else { return Vec::new() };
        let cliff = |(index, course): (usize, &Course)| {
            let limit = || Some(Cliff::Limit { runs: course.limited }).filter(|_| course.limited < RUNS);
            self.dearer_from(course, base).or_else(|| if has_limit(index) { limit() } else { None })
        };
        let courses = self.strategies.iter().enumerate();
        courses.map(|one| if one.0 == baseline { None } else { cliff(one) }).collect()
    }

    /// The turn from which on a strategy costs most more than the baseline, if that is much and few runs are that long.
    fn dearer_from(&self, course: &Course, base: &Course) -> Option<Cliff> {
        let mut excess = 0_i128;
        let turns = (1_u32..).zip(course.by_turn.iter().zip(&base.by_turn)).collect::<Vec<_>>();
        let from_turn = turns.into_iter().rev().map(|(turn, (own, base))| {
            excess += *own as i128 - *base as i128;
            (excess, turn)
        });
        let (excess, turn) = from_turn.max_by_key(|(excess, turn)| (*excess, std::cmp::Reverse(*turn)))?;
        let runs = self.lengths.range(turn as usize..).map(|(_, runs)| runs).sum();
        let whole: u128 = base.by_turn.iter().sum();
        let is_much = excess as f64 > DEARER * whole as f64;
        (is_much && turn > 1 && runs < RUNS).then_some(Cliff::Turn { turn, runs })
    }
}

impl Course {
    fn add(&mut self, turns: usize, run: &MeasuredRun, base: u128) {
        let mut whole = 0_u128;
        self.by_turn.resize(self.by_turn.len().max(run.requests.len()), 0);
        for (sum, request) in self.by_turn.iter_mut().zip(&run.requests) {
            let tokens = || u128::from(request.input_tokens);
            let cost = request.bills.first().map_or_else(tokens, |bill| bill.cost.exact());
            *sum = sum.saturating_add(cost);
            let of_length = self.by_length.entry(turns).or_default();
            *of_length = of_length.saturating_add(cost);
            whole = whole.saturating_add(cost);
        }
        self.changed += u64::from(whole.abs_diff(base) as f64 > CHANGED * base as f64);
        let drops = |run: &MeasuredRun| {
            run.requests.iter().any(|request| {
                request.statistics.printlns_dropped + request.statistics.tool_calls_dropped > 0
            })
        };
        self.limited += u64::from(drops(run));
    }
}
