//! Chooses the strategy to recommend, tells how often random halves of the runs lead to the same choice, and when there
//! is too little to choose by.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::measure::MeasuredRun;
use crate::measure::numbers::in_millions;
use crate::scenario::suite::Tolerance;

/// Number of random halves that are compared with their other half.
const SPLITS: usize = 400;
/// The least answers that need anything, and the least runs, for a recommendation.
const ANSWERS: u64 = 10;
const RUNS: u64 = 2;
/// The least share of what was billed that is counted.
const COUNTED: f64 = 0.5;

/// Cost and short answers of one strategy over some runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The cost with a model in its smallest unit; input tokens without models.
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

/// Reason why nothing can be recommended yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLittle {
    /// Less than half of the billed tokens is counted.
    Counted(Billed),
    /// No more answers need anything from earlier turns.
    Answers(u64),
    OneRun,
}

/// Input tokens of the runs whose logs say what was billed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Billed {
    /// Of the baseline's requests.
    pub counted: u64,
    pub billed: u64,
}

impl TooLittle {
    /// The reason, if there is one, for runs of which none equals another.
    pub fn of(answers: u64, runs: u64, billed: Option<Billed>) -> Option<TooLittle> {
        let is_mostly_counted =
            |Billed { counted, billed }: &Billed| *counted as f64 >= COUNTED * *billed as f64;
        match billed.filter(|billed| !is_mostly_counted(billed)) {
            Some(billed) => Some(TooLittle::Counted(billed)),
            None if answers < ANSWERS => Some(TooLittle::Answers(answers)),
            None => (runs < RUNS).then_some(TooLittle::OneRun),
        }
    }

    /// The reason as a sentence.
    pub fn sentence(&self) -> String {
        let few = |answers: &str| format!("Nothing to recommend yet: {answers} anything from earlier turns.");
        match self {
            TooLittle::Counted(Billed { counted, billed }) => {
                let [counted, billed] = [*counted, *billed].map(in_millions);
                format!("Counted {counted} of {billed} billed tokens: no recommendation.")
            }
            TooLittle::Answers(0) => few("no answer needs"),
            TooLittle::Answers(1) => few("only one answer needs"),
            TooLittle::Answers(number) => few(&format!("only {number} answers need")),
            TooLittle::OneRun => "Nothing to recommend yet: it is one run.".to_owned(),
        }
    }

    /// False if costs are those of too small a part of the requests.
    pub fn names_cheapest(&self) -> bool {
        !matches!(self, TooLittle::Counted(_))
    }

    /// The sentence on what would be enough.
    pub fn remedy(&self) -> String {
        match self {
            TooLittle::Counted(_) => {
                "The rest may be a system prompt and tools that the logs lack, or the model's own tokenizer."
                    .to_owned()
            }
            TooLittle::Answers(_) => {
                format!("A recommendation takes {ANSWERS} such answers. Add longer runs.")
            }
            TooLittle::OneRun => "Add others.".to_owned(),
        }
    }
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
    /// The standing of one run with the first model.
    pub fn of(run: &MeasuredRun) -> Standing {
        Standing::with_model(run, 0)
    }

    /// The standing of one run with the model at this index.
    pub fn with_model(run: &MeasuredRun, model: usize) -> Standing {
        let mut standing = Standing::default();
        for request in &run.requests {
            let tokens = || u128::from(request.input_tokens);
            standing.cost += request.bills.get(model).map_or_else(tokens, |bill| bill.cost.exact());
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
