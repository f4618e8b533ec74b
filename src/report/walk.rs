//! Strong evidence. A loss counts as small only if the exact upper confidence bound of its share is small. A
//! walk goes through each family of settings from mild to aggressive, up to the first setting with a bound
//! above the limit. Picking the winner of many comparisons would favour the luckiest; a walk compares once
//! per family.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde_json::json;

use super::recommend::{Bounds, Standing, Standings};
use libm::{exp, lgamma, log};

/// The probability that a bound is wrong.
const ERROR: f64 = 0.05;
/// The same for fewer than [`MANY`] runs. With 20 runs of tau-bench and SWE-agent, 91 to 96% of the choices
/// were right at 0.05.
const ERROR_OF_FEW: f64 = 0.025;
const MANY: u64 = 40;
/// Upper limit of the design effect. Chosen, not measured: 160 runs of tau-bench and 826 of SWE-agent stayed
/// below it.
const MOST_EFFECT: f64 = 6.0;
/// The fewest answers with a loss, and without one, for estimating a design effect.
const TELLING: u64 = 5;
/// The fewest tasks for strong evidence. Measured: three are too few. Chosen: eight are enough.
pub const TASKS: usize = 8;
/// The number of hash buckets for tasks. Tasks in the same bucket count as one, so bounds get slightly wider.
const BUCKETS: u64 = 1 << 14;
/// To be tested, a setting must have changed at least one run in ten, and at least two runs.
const TESTED_PART: u64 = 10;
const TESTED_RUNS: u64 = 2;
/// The most runs that a sentence asks for.
const MOST_RUNS: u64 = 2_000;

/// Sums of the runs by task, as runs of one task are alike.
#[derive(Clone, Debug, Default)]
pub(super) struct TaskSums {
    /// Maps the bucket of a task to the sums of each strategy.
    tasks: BTreeMap<u64, Vec<Standings>>,
}

/// Statistical bounds on the losses and savings in other runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proof {
    pub runs: u64,
    /// The number of tasks.
    pub tasks: usize,
    /// True if there are at least `TASKS` tasks, and the answers are not concentrated in few of them.
    pub has_enough_tasks: bool,
    /// The variance of losses between tasks, as a multiple of the variance of independent answers.
    pub design_effect: f64,
    /// For each strategy, the number of runs it changed.
    pub changed: Vec<u64>,
    /// By model, then by strategy.
    savings: Vec<Vec<Savings>>,
    /// Indices of the settings of each family, from mild to aggressive.
    pub families: Vec<Vec<usize>>,
}

/// The cost differences of a strategy from two costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Savings {
    /// From the baseline's cost. How much is worth a change is the user's choice, so only a saving at all needs
    /// proof: few sets of 40 runs prove that 5% is at least 2%.
    any: PairedCosts,
    /// From the baseline's cost minus the smallest saving worth a change.
    worth: PairedCosts,
}

/// Mean and standard error of cost differences between tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PairedCosts {
    mean: f64,
    error: f64,
}

impl Savings {
    fn is_saving(&self) -> bool {
        self.any.mean + 2.0 * self.any.error < 0.0
    }

    fn is_too_little(&self) -> bool {
        self.worth.mean - 2.0 * self.worth.error > 0.0
    }
}

impl TaskSums {
    /// Adds a run's standings, one per strategy.
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

    /// Returns true if there are enough tasks, counted by effective sample size: the number of equally large
    /// tasks with the same sum and sum of squares of answers.
    fn has_enough_tasks(&self) -> bool {
        let (mut sum, mut squares) = (0_u128, 0_u128);
        for standings in self.tasks.values() {
            // Usually equal for all strategies; a strategy that hides part of the opening has more answers
            // with needs.
            let needing =
                standings.iter().map(|standings| standings.first.needing).max().map_or(0, u128::from);
            sum += needing;
            squares += needing * needing;
        }
        squares > 0 && sum * sum >= TASKS as u128 * squares
    }

    /// The largest design effect over the strategies with enough losses for an estimate.
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

    fn savings(&self, model: usize, index: usize, of: &ProofSettings) -> Savings {
        let any = self.paired_costs(model, index, of, 1.0);
        Savings { any, worth: self.paired_costs(model, index, of, 1.0 - of.min_saving) }
    }

    /// The differences from `part` of the baseline's cost.
    fn paired_costs(&self, model: usize, index: usize, of: &ProofSettings, part: f64) -> PairedCosts {
        let tasks = self.tasks.len() as f64;
        let (mut sum, mut squares) = (0.0, 0.0);
        for standings in self.tasks.values() {
            let (Some(own), Some(base)) = (standings.get(index), standings.get(of.baseline)) else {
                continue;
            };
            let (Some(own), Some(base)) = (own.iter().nth(model), base.iter().nth(model)) else { continue };
            let own = own.at_turns(of.most_turns.get(index).copied().unwrap_or(100));
            let difference = own.cost as f64 - part * base.cost as f64;
            sum += difference;
            squares += difference * difference;
        }
        let mean = sum / tasks.max(1.0);
        let variance = (squares / tasks.max(1.0) - mean * mean).max(0.0);
        PairedCosts { mean, error: (variance / (tasks - 1.0).max(1.0)).sqrt() }
    }

    /// The proof for all strategies. `whole` has the sums of each over all runs.
    pub(super) fn proof(&self, whole: &[Standing], of: ProofSettings) -> Proof {
        let mut savings = Vec::new();
        for model in 0..of.models {
            savings.push((0..whole.len()).map(|index| self.savings(model, index, &of)).collect());
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

/// The inputs of a proof, apart from the sums of tasks.
pub(super) struct ProofSettings {
    pub runs: u64,
    /// The number of models; 1 if there are none.
    pub models: usize,
    pub baseline: usize,
    pub min_saving: f64,
    /// The factor of turns for each strategy, in hundredths.
    pub most_turns: Vec<u64>,
    pub changed: Vec<u64>,
    pub families: Vec<Vec<usize>>,
}

impl Proof {
    /// The probability that a bound is wrong, by the number of runs.
    pub fn error(&self) -> f64 {
        error_of(self.runs)
    }

    /// Returns true if a strategy changed enough runs to be tested by them.
    pub fn is_tested(&self, index: usize) -> bool {
        let changed = self.changed.get(index).copied().unwrap_or(0);
        changed >= TESTED_RUNS && changed * TESTED_PART >= self.runs
    }

    /// Returns true if the loss is within the bounds on other runs, too.
    pub fn is_within(&self, standing: &Standing, baseline: &Standing, bounds: Bounds) -> bool {
        let (short, needing) = self.effective(standing, baseline, bounds);
        needing > 0 && at_most(short, needing, bounds.tolerance.max_short) <= self.error()
    }

    /// Returns true if the loss exceeds the bounds on other runs, too.
    pub fn is_beyond(&self, standing: &Standing, baseline: &Standing, bounds: Bounds) -> bool {
        let (short, needing) = self.effective(standing, baseline, bounds);
        // The probability of `short` or more losses at the limit.
        short > 0 && 1.0 - at_most(short - 1, needing, bounds.tolerance.max_short) <= self.error()
    }

    /// The upper confidence bound for the share of losses on other runs.
    pub fn upper_bound(&self, standing: &Standing, baseline: &Standing, bounds: Bounds) -> f64 {
        let (short, needing) = self.effective(standing, baseline, bounds);
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if at_most(short, needing, middle) > self.error() { low = middle } else { high = middle }
        }
        high
    }

    /// The total number of runs needed to prove that the loss is within the bounds; `None` if it is too
    /// large.
    pub fn runs_to_prove(&self, standing: &Standing, baseline: &Standing, bounds: Bounds) -> Option<u64> {
        let (short, needing) = self.effective(standing, baseline, bounds);
        for (runs, error) in self.forecast() {
            let short = short.saturating_mul(runs) / self.runs.max(1);
            let needing = needing.saturating_mul(runs) / self.runs.max(1);
            if at_most(short, needing.max(1), bounds.tolerance.max_short) <= error {
                return Some(runs);
            }
        }
        None
    }

    /// Larger numbers of runs, each with the probability that its bound is wrong. Steps of a tenth are precise
    /// enough for a forecast.
    fn forecast(&self) -> Vec<(u64, f64)> {
        let mut runs = self.runs.max(1);
        let mut forecast = Vec::new();
        while runs < MOST_RUNS {
            runs += (runs / 10).max(1);
            forecast.push((runs, error_of(runs)));
        }
        forecast
    }

    /// Returns true if a strategy saves something on other runs, too.
    pub fn saves(&self, index: usize) -> bool {
        self.savings.first().and_then(|savings| savings.get(index)).is_some_and(Savings::is_saving)
    }

    /// Returns true if a strategy saves too little on other runs, too.
    pub fn saves_too_little(&self, index: usize) -> bool {
        self.savings.first().and_then(|savings| savings.get(index)).is_some_and(Savings::is_too_little)
    }

    /// For each strategy, true if the walk through its family passed it.
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

    /// Data for the page, which judges by other limits and models.
    pub(super) fn json(&self) -> serde_json::Value {
        let (mut saves, mut saves_too_little) = (Vec::new(), Vec::new());
        for costs in &self.savings {
            saves.push(costs.iter().map(Savings::is_saving).collect::<Vec<bool>>());
            saves_too_little.push(costs.iter().map(Savings::is_too_little).collect::<Vec<bool>>());
        }
        json!({
            "runs": self.runs,
            "error": self.error(),
            "forecast": self.forecast(),
            "has_enough_tasks": self.has_enough_tasks,
            "design_effect": self.design_effect,
            "changed": self.changed,
            "saves": saves,
            "saves_too_little": saves_too_little,
            "families": self.families,
        })
    }

    /// Losses (without those forgiven) and answers, both divided by the design effect.
    fn effective(&self, standing: &Standing, baseline: &Standing, bounds: Bounds) -> (u64, u64) {
        let forgiven = if bounds.baseline_was_sent { baseline.short } else { 0 };
        let short = standing.short.saturating_sub(forgiven);
        let effect = self.design_effect.max(1.0);
        ((short as f64 / effect) as u64, (standing.needing as f64 / effect).round() as u64)
    }
}

/// The probability that a bound of this many runs is wrong.
fn error_of(runs: u64) -> f64 {
    if runs < MANY { ERROR_OF_FEW } else { ERROR }
}

/// The binomial CDF: the probability of at most `hits` hits in `trials` trials.
fn at_most(hits: u64, trials: u64, probability: f64) -> f64 {
    if hits >= trials || probability <= 0.0 {
        return 1.0;
    }
    if probability >= 1.0 {
        return 0.0;
    }
    // Terms shrink away from the mean, so start summing at the largest term.
    match (hits as f64) < trials as f64 * probability {
        true => tail_below(hits, trials, probability),
        false => 1.0 - tail_below(trials - hits - 1, trials, 1.0 - probability),
    }
}

/// The binomial CDF for `hits` below the mean.
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
