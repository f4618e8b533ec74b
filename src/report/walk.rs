//! Strong evidence. A small loss is only known to be small when the exact upper bound of its share is. Each family of settings is
//! walked from mild to aggressive, up to the first setting whose bound exceeds the limit. The winner of many comparisons is the
//! luckiest; a walk compares once a family.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde_json::json;

use super::recommend::{Bounds, Standing, Standings};
use libm::{exp, lgamma, log};

/// The probability that a bound is wrong.
const ERROR: f64 = 0.05;
/// The same for fewer than [`MANY`] runs. With 20 runs of tau-bench and SWE-agent 91 to 96% of the choices were right at 0.05.
const ERROR_OF_FEW: f64 = 0.025;
const MANY: u64 = 40;
/// The largest design effect that is believed. Chosen, not measured: of 160 runs of tau-bench and 826 of SWE-agent none had more.
const MOST_EFFECT: f64 = 6.0;
/// The fewest answers with and without a loss by which a design effect is estimated.
const TELLING: u64 = 5;
/// The fewest tasks for strong evidence. That three are too few was seen; that eight are enough is chosen.
pub const TASKS: usize = 8;
/// The number of sums that the answers of tasks are added to. Tasks that share one count as one, which widens bounds a little.
const BUCKETS: u64 = 1 << 14;
/// A setting must have changed at least this part of the runs, and at least two, to be tested by them.
const TESTED_PART: u64 = 10;
const TESTED_RUNS: u64 = 2;
/// The most further runs that a sentence asks for.
const MOST_RUNS: u64 = 2_000;

/// Sums of the runs by task, since runs of one task are alike.
#[derive(Clone, Debug, Default)]
pub(super) struct TaskSums {
    /// By bucket of the task, the sums of each strategy.
    tasks: BTreeMap<u64, Vec<Standings>>,
}

/// The losses and savings that these runs prove for other runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proof {
    pub runs: u64,
    /// Number of tasks.
    pub tasks: usize,
    /// True if there are at least `TASKS`, and no few of them have most of the answers.
    pub has_enough_tasks: bool,
    /// The variance of losses between tasks, as a multiple of that of independent answers.
    pub design_effect: f64,
    /// Runs that each strategy changed.
    pub changed: Vec<u64>,
    /// By model and strategy, the costs of tasks against the baseline's.
    savings: Vec<Vec<PairedCosts>>,
    /// Settings of the same family by index, from mild to aggressive.
    pub families: Vec<Vec<usize>>,
}

/// The mean and the standard error of a cost minus the part of the baseline's that makes a change worth it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PairedCosts {
    mean: f64,
    error: f64,
}

impl PairedCosts {
    fn is_saving(&self) -> bool {
        self.mean + 2.0 * self.error < 0.0
    }

    fn is_no_saving(&self) -> bool {
        self.mean - 2.0 * self.error > 0.0
    }
}

impl TaskSums {
    /// Adds the standings of the strategies in a run.
    pub(super) fn add(&mut self, task: u64, standings: Vec<Standings>) {
        match self.tasks.entry(task % BUCKETS) {
            Entry::Vacant(entry) => drop(entry.insert(standings)),
            Entry::Occupied(mut entry) => {
                for (sum, standings) in entry.get_mut().iter_mut().zip(&standings) {
                    sum.add(standings);
                }
            }
        }
    }

    /// Returns true if there are tasks enough, and no few of them have most of the answers. A share of answers is only as well known
    /// as by the number of tasks of equal size with the same sum and sum of squares.
    fn has_enough_tasks(&self) -> bool {
        let (mut sum, mut squares) = (0_u128, 0_u128);
        for standings in self.tasks.values() {
            // Most are the same under all strategies; one that shows less of the opening needs more.
            let needing =
                standings.iter().map(|standings| standings.first.needing).max().map_or(0, u128::from);
            sum += needing;
            squares += needing * needing;
        }
        squares > 0 && sum * sum >= TASKS as u128 * squares
    }

    /// The largest design effect of the strategies with losses enough to tell one.
    fn design_effect(&self, whole: &[Standing]) -> f64 {
        let tasks = self.tasks.len() as f64;
        let mut largest: f64 = 1.0;
        for (index, sum) in whole.iter().enumerate() {
            if sum.short < TELLING || sum.short + TELLING > sum.needing || tasks < 2.0 {
                continue;
            }
            let share = sum.short as f64 / sum.needing as f64;
            let mut between = 0.0;
            for standings in self.tasks.values().filter_map(|standings| standings.get(index)) {
                let standing = standings.first;
                let beyond = standing.short as f64 - share * standing.needing as f64;
                between += beyond * beyond;
            }
            let of_answers = sum.needing as f64 * share * (1.0 - share);
            largest = largest.max(between * tasks / (tasks - 1.0) / of_answers);
        }
        largest.min(MOST_EFFECT)
    }

    fn paired_costs(&self, model: usize, index: usize, of: &ProofSettings) -> PairedCosts {
        let tasks = self.tasks.len() as f64;
        let (mut sum, mut squares) = (0.0, 0.0);
        for standings in self.tasks.values() {
            let of_model =
                |index: usize| standings.get(index).and_then(|standings| standings.iter().nth(model));
            let (Some(own), Some(base)) = (of_model(index), of_model(of.baseline)) else { continue };
            let own = own.at_turns(of.most_turns.get(index).copied().unwrap_or(100));
            let difference = own.cost as f64 - (1.0 - of.min_saving) * base.cost as f64;
            sum += difference;
            squares += difference * difference;
        }
        let mean = sum / tasks.max(1.0);
        let variance = (squares / tasks.max(1.0) - mean * mean).max(0.0);
        PairedCosts { mean, error: (variance / (tasks - 1.0).max(1.0)).sqrt() }
    }

    /// The proof for strategies with these sums over all runs.
    pub(super) fn proof(&self, whole: &[Standing], of: ProofSettings) -> Proof {
        let mut savings = Vec::new();
        for model in 0..of.models {
            savings.push((0..whole.len()).map(|index| self.paired_costs(model, index, &of)).collect());
        }
        Proof {
            runs: of.runs,
            tasks: self.tasks.len(),
            has_enough_tasks: self.has_enough_tasks(),
            design_effect: self.design_effect(whole),
            savings,
            changed: of.changed,
            families: of.families,
        }
    }
}

/// Settings of a proof beside the sums of tasks.
pub(super) struct ProofSettings {
    pub runs: u64,
    /// Number of models, 1 without any.
    pub models: usize,
    pub baseline: usize,
    pub min_saving: f64,
    /// The factor of turns of each strategy in hundredths.
    pub most_turns: Vec<u64>,
    pub changed: Vec<u64>,
    pub families: Vec<Vec<usize>>,
}

impl Proof {
    /// The probability that a bound is wrong.
    pub fn error(&self) -> f64 {
        if self.runs < MANY { ERROR_OF_FEW } else { ERROR }
    }

    /// Returns true if a strategy changed enough of the runs to be tested by them.
    pub fn is_tested(&self, index: usize) -> bool {
        let changed = self.changed.get(index).copied().unwrap_or(0);
        changed >= TESTED_RUNS && changed * TESTED_PART >= self.runs
    }

    /// Returns true if the loss on other runs is within the bounds, too.
    pub fn is_within(&self, standing: &Standing, baseline: &Standing, bounds: Bounds) -> bool {
        let (short, needing) = self.effective(standing, baseline, bounds);
        needing > 0 && at_most(short, needing, bounds.tolerance.max_short) <= self.error()
    }

    /// Returns true if the loss on other runs is beyond the bounds, too.
    pub fn is_beyond(&self, standing: &Standing, baseline: &Standing, bounds: Bounds) -> bool {
        let (short, needing) = self.effective(standing, baseline, bounds);
        // At least `short` losses would be this rare.
        short > 0 && 1.0 - at_most(short - 1, needing, bounds.tolerance.max_short) <= self.error()
    }

    /// The upper bound of the share of losses on other runs.
    pub fn upper_bound(&self, standing: &Standing, baseline: &Standing, bounds: Bounds) -> f64 {
        let (short, needing) = self.effective(standing, baseline, bounds);
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if at_most(short, needing, middle) > self.error() { low = middle } else { high = middle }
        }
        high
    }

    /// The number of runs like these, these included, that would prove a loss within the bounds; none if that takes too many.
    pub fn runs_to_prove(&self, standing: &Standing, baseline: &Standing, bounds: Bounds) -> Option<u64> {
        let (short, needing) = self.effective(standing, baseline, bounds);
        let mut runs = self.runs.max(1);
        while runs < MOST_RUNS {
            // In steps of a tenth: the number is a forecast.
            runs += (runs / 10).max(1);
            let times = |number: u64| number.saturating_mul(runs) / self.runs.max(1);
            if at_most(times(short), times(needing).max(1), bounds.tolerance.max_short) <= ERROR_OF_FEW {
                return Some(runs);
            }
        }
        None
    }

    /// Returns true if a strategy saves what makes a change worth it on other runs, too.
    pub fn saves(&self, index: usize) -> bool {
        self.savings.first().and_then(|savings| savings.get(index)).is_some_and(PairedCosts::is_saving)
    }

    /// Returns true if a strategy saves less than that on other runs, too.
    pub fn saves_too_little(&self, index: usize) -> bool {
        self.savings.first().and_then(|savings| savings.get(index)).is_some_and(PairedCosts::is_no_saving)
    }

    /// True for each setting that the walk through its family passed.
    pub fn passed(&self, standings: &[Standing], baseline: usize, bounds: Bounds) -> Vec<bool> {
        let mut passed = vec![false; standings.len()];
        let Some(base) = standings.get(baseline) else { return passed };
        for family in &self.families {
            for index in family {
                let is_within =
                    standings.get(*index).is_some_and(|standing| self.is_within(standing, base, bounds));
                if *index != baseline && !is_within {
                    break;
                }
                if let Some(passed) = passed.get_mut(*index) {
                    *passed = *index == baseline || self.is_tested(*index);
                }
            }
        }
        passed
    }

    /// Values by which a page judges other limits and models.
    pub(super) fn json(&self) -> serde_json::Value {
        let by_model = |is: fn(&PairedCosts) -> bool| {
            let of_model = |costs: &Vec<PairedCosts>| costs.iter().map(is).collect::<Vec<bool>>();
            self.savings.iter().map(of_model).collect::<Vec<_>>()
        };
        json!({
            "runs": self.runs,
            "error": self.error(),
            "has_enough_tasks": self.has_enough_tasks,
            "design_effect": self.design_effect,
            "changed": self.changed,
            "saves": by_model(PairedCosts::is_saving),
            "saves_too_little": by_model(PairedCosts::is_no_saving),
            "families": self.families,
        })
    }

    /// Losses beyond those that are forgiven, and answers, divided by the design effect.
    fn effective(&self, standing: &Standing, baseline: &Standing, bounds: Bounds) -> (u64, u64) {
        let forgiven = if bounds.baseline_was_sent { baseline.short } else { 0 };
        let short = standing.short.saturating_sub(forgiven);
        let effect = self.design_effect.max(1.0);
        ((short as f64 / effect) as u64, (standing.needing as f64 / effect).round() as u64)
    }
}

/// The probability of at most so many hits in so many trials, each with this probability.
fn at_most(hits: u64, trials: u64, probability: f64) -> f64 {
    if hits >= trials || probability <= 0.0 {
        return 1.0;
    }
    if probability >= 1.0 {
        return 0.0;
    }
    // Terms shrink away from the mean, so the sum begins at its largest term.
    match (hits as f64) < trials as f64 * probability {
        true => tail_below(hits, trials, probability),
        false => 1.0 - tail_below(trials - hits - 1, trials, 1.0 - probability),
    }
}

/// The probability of at most so many hits, which are fewer than the mean.
fn tail_below(hits: u64, trials: u64, probability: f64) -> f64 {
    let (k, n) = (hits as f64, trials as f64);
    let ways = lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
    let mut term = exp(ways + k * log(probability) + (n - k) * log(1.0 - probability));
    let mut sum = term;
    for hit in (1..=hits).rev() {
        term *= hit as f64 / (trials - hit + 1) as f64 * (1.0 - probability) / probability;
        sum += term;
        if term < sum * 1e-12 {
            break;
        }
    }
    sum.min(1.0)
}
