//! Chooses the strategy to recommend, and tells how often random halves of the runs lead to the same choice.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::measure::MeasuredRun;
use crate::scenario::suite::Tolerance;

/// Number of random halves that are compared with their other half.
const SPLITS: usize = 400;

/// Cost and short answers of one strategy over some runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The cost with the first model in its smallest unit; input tokens without models.
    pub cost: u128,
    /// Answers that need any evidence.
    pub needing: u64,
    /// Answers whose request lacks some of it.
    pub short: u64,
}

/// The rule of a recommendation.
pub struct Rule<'r> {
    /// The bounds of short answers and savings.
    pub tolerance: Tolerance,
    /// The index of the strategy that the others are compared with.
    pub baseline: usize,
    /// False for strategies that cannot be recommended: a request is missing, or a chat model would
    /// refuse more of them than of the baseline's.
    pub is_complete: &'r [bool],
}

impl Rule<'_> {
    /// The index of the cheapest strategy with few enough short answers, the first of several. It is the baseline if that
    /// one has few enough, too, and the others save too little.
    pub fn choose(&self, standings: &[Standing]) -> Option<usize> {
        let is_tolerable = |(index, standing): &(usize, &Standing)| {
            self.is_complete.get(*index).is_some_and(|is_complete| *is_complete)
                && standing.is_tolerable(self.tolerance)
        };
        let tolerable = standings.iter().enumerate().filter(is_tolerable);
        let baseline = tolerable.clone().find(|(index, _)| *index == self.baseline);
        let is_worth = |(_, standing): &(usize, &Standing)| {
            baseline.is_none_or(|(_, baseline)| standing.saves(baseline, self.tolerance))
        };
        let cheapest = tolerable.filter(is_worth).min_by_key(|(_, standing)| standing.cost);
        cheapest.or(baseline).map(|(index, _)| index)
    }
}

impl Standing {
    /// The standing of one run.
    pub fn of(run: &MeasuredRun) -> Standing {
        let mut standing = Standing::default();
        for request in &run.requests {
            let tokens = || u128::from(request.input_tokens);
            standing.cost += request.bills.first().map_or_else(tokens, |bill| bill.cost.exact());
            standing.needing += u64::from(request.evidence.needed() > 0);
            standing.short += u64::from(request.evidence.is_short());
        }
        standing
    }

    /// Returns true if few enough answers are short.
    pub fn is_tolerable(&self, tolerance: Tolerance) -> bool {
        self.short as f64 <= tolerance.max_short * self.needing as f64
    }

    /// Returns true if it costs so much less than the baseline that a change is worth it.
    pub fn saves(&self, baseline: &Standing, tolerance: Tolerance) -> bool {
        self.cost < baseline.cost && self.cost as f64 <= (1.0 - tolerance.min_saving) * baseline.cost as f64
    }

    /// Adds the standing of other runs.
    pub fn add(&mut self, other: &Standing) {
        self.cost = self.cost.saturating_add(other.cost);
        self.needing += other.needing;
        self.short += other.short;
    }

    /// The sum of two standings.
    pub fn plus(mut self, other: &Standing) -> Standing {
        self.add(other);
        self
    }

    fn without(&self, part: &Standing) -> Standing {
        Standing {
            cost: self.cost.saturating_sub(part.cost),
            needing: self.needing.saturating_sub(part.needing),
            short: self.short.saturating_sub(part.short),
        }
    }
}

/// A bit for each split: set if the scenario is in its first half.
pub(super) fn first_halves(scenario: &str) -> impl Iterator<Item = u64> {
    let splits = (0..SPLITS as u64).step_by(u64::BITS as usize);
    splits.map(|split| xxh3_64_with_seed(scenario.as_bytes(), split))
}

/// Sums over random halves of the scenarios. The name of a scenario decides to which halves it belongs, so the order of
/// the scenarios does not matter.
#[derive(Clone, Debug, Default)]
pub(super) struct Halves {
    scenarios: u64,
    whole: Vec<Standing>,
    /// The first half of each split, a standing for each strategy.
    halves: Vec<Standing>,
}

impl Halves {
    pub(super) fn add(&mut self, scenario: &str, standings: &[Standing]) {
        self.scenarios += 1;
        self.whole.resize(standings.len(), Standing::default());
        self.halves.resize(standings.len() * SPLITS, Standing::default());
        let sum = |sums: &mut [Standing]| sums.iter_mut().zip(standings).for_each(|(sum, one)| sum.add(one));
        sum(&mut self.whole);
        let size = standings.len().max(1);
        for (halves, bits) in self.halves.chunks_mut(size * u64::BITS as usize).zip(first_halves(scenario)) {
            for (bit, half) in halves.chunks_mut(size).enumerate() {
                if bits >> bit & 1 == 1 {
                    sum(half);
                }
            }
        }
    }

    /// The share of splits whose two halves lead to the same choice; none for fewer than two scenarios.
    pub(super) fn agreement(&self, rule: &Rule<'_>) -> Option<f64> {
        if self.scenarios < 2 || self.whole.is_empty() {
            return None;
        }
        let agrees = |half: &[Standing]| {
            let others = self.whole.iter().zip(half).map(|(whole, half)| whole.without(half));
            rule.choose(half) == rule.choose(&others.collect::<Vec<_>>())
        };
        let agreeing = self.halves.chunks(self.whole.len()).filter(|half| agrees(half)).count();
        Some(agreeing as f64 / SPLITS as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(cost: u128, short: u64) -> Standing {
        Standing { cost, needing: 20, short }
    }

    #[test]
    fn the_cheapest_tolerable_strategy_is_chosen() {
        let rule = |max_short| Rule {
            tolerance: Tolerance { max_short, min_saving: 0.0 },
            baseline: 1,
            is_complete: &[true, true, true, false],
        };
        let standings = [standing(90, 1), standing(100, 0), standing(80, 2), standing(10, 0)];
        assert_eq!(rule(0.0).choose(&standings), Some(1));
        assert_eq!(rule(0.049).choose(&standings), Some(1));
        assert_eq!(rule(0.05).choose(&standings), Some(0));
        assert_eq!(rule(0.1).choose(&standings), Some(2));
        assert_eq!(rule(0.0).choose(&[standing(5, 0), standing(5, 0), standing(5, 0)]), Some(1));
        assert_eq!(rule(0.0).choose(&[standing(5, 1); 4]), None);
    }

    #[test]
    fn a_strategy_that_saves_too_little_is_not_chosen() {
        let choose = |min_saving, standings: [Standing; 3]| {
            let tolerance = Tolerance { max_short: 0.05, min_saving };
            Rule { tolerance, baseline: 0, is_complete: &[true; 3] }.choose(&standings)
        };
        let standings = [standing(1_000, 0), standing(981, 0), standing(980, 0)];
        assert_eq!(choose(0.02, standings), Some(2));
        assert_eq!(choose(0.021, standings), Some(0));
        // A baseline that leaves too many answers short is no choice.
        assert_eq!(choose(0.02, [standing(1_000, 2), standing(1_200, 0), standing(1_100, 1)]), Some(2));
        assert_eq!(choose(0.0, [standing(0, 0); 3]), Some(0));
    }

    /// Half of the runs save a hundredth, the others cost a hundredth more.
    #[test]
    fn halves_agree_on_savings_that_are_too_small() {
        let mut halves = Halves::default();
        for number in 0..40 {
            halves.add(&format!("run-{number}"), &[standing(100, 0), standing(99 + number % 2 * 2, 0)]);
        }
        let agreement = |min_saving| {
            let tolerance = Tolerance { max_short: 0.05, min_saving };
            halves.agreement(&Rule { tolerance, baseline: 0, is_complete: &[true, true] })
        };
        assert_eq!(agreement(0.02), Some(1.0));
        assert!(agreement(0.0).is_some_and(|agreement| agreement < 0.9));
    }

    #[test]
    fn halves_agree_where_every_run_says_the_same() {
        let tolerance = Tolerance { max_short: 0.05, min_saving: 0.0 };
        let rule = Rule { tolerance, baseline: 0, is_complete: &[true, true] };
        let (mut clear, mut torn) = (Halves::default(), Halves::default());
        assert_eq!(clear.agreement(&rule), None);
        for number in 0..40 {
            clear.add(&format!("run-{number}"), &[standing(100, 0), standing(90, 0)]);
            torn.add(&format!("run-{number}"), &[standing(100, 0), standing(100 + number % 2 * 20 - 10, 0)]);
        }
        assert_eq!(clear.agreement(&rule), Some(1.0));
        let torn = torn.agreement(&rule).unwrap();
        assert!((0.1..0.9).contains(&torn), "{torn}");
    }

    /// Thousandfold in the same proportions: about half of the runs in each half, in any order.
    #[test]
    fn halves_hold_half_of_the_runs_in_any_order() {
        let names: Vec<String> = (0..1_000).map(|number| number.to_string()).collect();
        let (mut forth, mut back) = (Halves::default(), Halves::default());
        names.iter().for_each(|name| forth.add(name, &[standing(1, 0)]));
        names.iter().rev().for_each(|name| back.add(name, &[standing(1, 0)]));
        assert_eq!(forth.halves, back.halves);
        assert_eq!(forth.halves.len(), SPLITS);
        assert!(forth.halves.iter().all(|half| (400..600).contains(&half.cost)));
        let mut distinct: Vec<u128> = forth.halves.iter().map(|half| half.cost).collect();
        distinct.sort_unstable();
        distinct.dedup();
        assert!(distinct.len() > 30, "splits are independent of each other");
    }
}
