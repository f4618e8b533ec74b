//! Chooses the strategy to recommend, and detects when there is too little data for a choice.

use crate::compression::RECORDED;
use crate::measure::numbers::{in_millions, percentage};
use crate::scenario::suite::Tolerance;

/// The fewest answers with needs for a recommendation. Chosen, not measured.
const ANSWERS: u64 = 10;
/// The fewest runs for a recommendation: a single run says nothing about the spread between runs.
const RUNS: u64 = 2;
/// Costs within this share of the baseline's cost count as equal: one point. With twenty short runs, the
/// winner flips between strategies this close.
const TIE: f64 = 0.01;
/// At most one part in ten of the billed tokens may be unexplained. In 17 public sessions, 92.7 to 99.9% are
/// explained; with an agent that silently shortened its history, the count was twice the bill.
const PARTS: u64 = 10;

/// Cost and answers missing a fact under one strategy, over some runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// In the smallest unit of money; in input tokens without models. For decisions, [`Standing::at_turns`]
    /// scales it.
    pub cost: u128,
    /// Answers that need any evidence.
    pub needing: u64,
    /// Answers whose request lacks some of it.
    pub short: u64,
}

/// The bounds of a recommendation.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The limits of answers missing a fact and of savings.
    pub tolerance: Tolerance,
    /// True if the baseline's requests were really sent. Some of its answers lacked a fact, and were written
    /// anyway. So as many are no argument against another strategy.
    pub baseline_was_sent: bool,
}

/// The rule of a recommendation.
pub struct Rule<'r> {
    pub bounds: Bounds,
    /// The index of the baseline.
    pub baseline: usize,
    /// One per judged standing, in the same order.
    pub candidates: &'r [Candidate],
}

/// The properties of a strategy independent of the judged runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// False if it cannot be recommended: a request is missing, an API would reject more of them than of the
    /// baseline's, or its cost on longer runs is unknown.
    pub is_complete: bool,
    /// Breaks ties between strategies of the same cost.
    pub change: Change,
}

/// A strategy with its standing in the judged runs.
struct Rated<'s> {
    index: usize,
    candidate: &'s Candidate,
    standing: &'s Standing,
}

/// How much a strategy changes an agent. Smaller is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// True if native tool calls become text.
    pub rewrites_calls: bool,
    /// The expected maximum of the agent's turns, in hundredths of those under the baseline.
    pub most_turns: u64,
    /// The cost of the longest tenth of the runs.
    pub tail: u128,
}

/// The reason for not recommending anything yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLittle {
    /// Counted and billed tokens differ by more than a tenth.
    Counted(Billed),
    /// Predicted and billed dollars for input differ by more than a tenth.
    Predicted(Predicted),
    /// Only this many answers need anything from earlier turns.
    Answers(u64),
    OneRun,
    /// The strategies cannot be switched on in this agent.
    NoSwitch,
}

/// Input tokens of the runs with logged bills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Billed {
    /// Tokens counted in requests, or otherwise explained.
    pub counted: u64,
    pub billed: u64,
}

/// Input cents of the runs with logged bills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Predicted {
    pub predicted: u64,
    pub billed: u64,
}

impl Predicted {
    /// The relative error of the prediction.
    pub fn error(&self) -> f64 {
        self.predicted as f64 / self.billed.max(1) as f64 - 1.0
    }
}

impl TooLittle {
    /// Returns [`TooLittle::Predicted`] if the prediction is off by more than a tenth.
    pub fn of_predicted(predicted: Predicted) -> Option<TooLittle> {
        (predicted.error().abs() > 1.0 / PARTS as f64).then_some(TooLittle::Predicted(predicted))
    }

    /// Returns the reason, if there is one. `runs` excludes duplicates.
    pub fn of(answers: u64, runs: u64, billed: Option<Billed>) -> Option<TooLittle> {
        // Tokens counted beyond the bill were never sent, so the costs would be wrong too.
        let badly_counted = billed
            .filter(|Billed { counted, billed }| counted.abs_diff(*billed).saturating_mul(PARTS) > *billed);
        match badly_counted {
            Some(billed) => Some(TooLittle::Counted(billed)),
            None if answers < ANSWERS => Some(TooLittle::Answers(answers)),
            None => (runs < RUNS).then_some(TooLittle::OneRun),
        }
    }

    /// The reason as a sentence.
    pub fn sentence(&self) -> String {
        match self {
            TooLittle::Counted(Billed { counted, billed }) => {
                let [counted, billed] = [*counted, *billed].map(in_millions);
                match self.is_more_than_billed() {
                    true => {
                        format!("Counted {counted} tokens where {billed} were billed: no recommendation.")
                    }
                    false => format!("Counted {counted} of {billed} billed tokens: no recommendation."),
                }
            }
            TooLittle::Predicted(Predicted { predicted, billed }) => {
                let [predicted, billed] =
                    [*predicted, *billed].map(|cents| format!("${:.2}", cents as f64 / 100.0));
                format!("Our price rules predict {predicted} of the {billed} billed for input: no recommendation.")
            }
            TooLittle::Answers(number) => {
                let answers = match number {
                    0 => "no answer needs".to_owned(),
                    1 => "only one answer needs".to_owned(),
                    _ => format!("only {number} answers need"),
                };
                format!("Nothing to recommend yet: {answers} anything from earlier turns.")
            }
            TooLittle::OneRun => "Nothing to recommend yet: it is one run.".to_owned(),
            TooLittle::NoSwitch => {
                "These strategies cannot be switched on in this program. Its settings are on the first screen."
                    .to_owned()
            }
        }
    }

    fn is_more_than_billed(&self) -> bool {
        matches!(self, TooLittle::Counted(Billed { counted, billed }) if counted > billed)
    }

    /// Returns false if the costs are too unreliable to name even the cheapest strategy.
    pub fn names_cheapest(&self) -> bool {
        !matches!(self, TooLittle::Counted(_) | TooLittle::Predicted(_) | TooLittle::NoSwitch)
    }

    /// A sentence on what would be enough.
    pub fn remedy(&self) -> String {
        match self {
            TooLittle::Counted(_) if self.is_more_than_billed() => {
                "The agent may have shortened its history without logging it.".to_owned()
            }
            TooLittle::Counted(_) => {
                "The rest may be content missing in the logs, or a history that the agent shortened without logging it."
                    .to_owned()
            }
            TooLittle::Predicted(_) => {
                "The cache did not follow its rules, for a reason missing in the log. --no-bills recommends from the counted tokens."
                    .to_owned()
            }
            TooLittle::Answers(_) => {
                format!("A recommendation takes {ANSWERS} such answers. Add longer runs.")
            }
            TooLittle::OneRun => "Add runs of other tasks.".to_owned(),
            TooLittle::NoSwitch => String::new(),
        }
    }
}

impl Rule<'_> {
    /// Returns the index of the strategy to use. Among the strategies with few enough answers missing a fact and
    /// about the lowest cost, it is the one with the smallest [`Change`]. It is the baseline if the others save too
    /// little and the baseline has few enough answers missing a fact, too.
    pub fn choose_strategy(&self, standings: &[Standing]) -> Option<usize> {
        self.choose_among(standings, |_| true)
    }

    /// Like `choose_strategy`, among the baseline and the strategies for which `passes` returns true.
    pub fn choose_among(&self, standings: &[Standing], passes: impl Fn(usize) -> bool) -> Option<usize> {
        let base = standings.get(self.baseline)?;
        let mut rated: Vec<Rated<'_>> = self.tolerable(standings).collect();
        let can_stay = rated.iter().any(|rated| rated.index == self.baseline);
        // A change has to save something, unless the baseline itself has too many answers missing a fact.
        rated.retain(|rated| {
            let is_worth = !can_stay || rated.standing.saves(base, self.bounds.tolerance);
            is_worth && (rated.index == self.baseline || passes(rated.index))
        });
        let Some(least) = rated.iter().map(|rated| rated.standing.cost).min() else {
            return can_stay.then_some(self.baseline);
        };
        rated.retain(|rated| rated.standing.cost as f64 <= tie(least, base));
        let best = rated.iter().min_by_key(|Rated { index, candidate, standing }| {
            (*index != self.baseline, candidate.change, standing.cost, *index)
        });
        best.map(|rated| rated.index)
    }

    /// The candidates with few enough answers missing a fact.
    fn tolerable<'s>(&'s self, standings: &'s [Standing]) -> impl Iterator<Item = Rated<'s>> {
        let base = standings.get(self.baseline);
        let rated = self.candidates.iter().zip(standings).enumerate();
        let rated = rated.map(|(index, (candidate, standing))| Rated { index, candidate, standing });
        rated.filter(move |rated| {
            rated.candidate.is_complete && base.is_some_and(|base| self.bounds.admit(rated.standing, base))
        })
    }
}

impl Bounds {
    /// `baseline` is the baseline's name.
    pub fn new(tolerance: Tolerance, baseline: &str) -> Bounds {
        Bounds { tolerance, baseline_was_sent: baseline == RECORDED.name() }
    }

    /// Returns true if few enough answers lack a fact.
    pub fn admit(&self, standing: &Standing, baseline: &Standing) -> bool {
        self.excess(standing, baseline) <= 0.0
    }

    /// Answers missing a fact above the bound; negative below it.
    pub fn excess(&self, standing: &Standing, baseline: &Standing) -> f64 {
        let forgiven = if self.baseline_was_sent { baseline.short as f64 } else { 0.0 };
        standing.short as f64 - forgiven - self.tolerance.max_short * standing.needing as f64
    }

    /// `5% of answers lacking a fact`
    pub fn in_words(&self, baseline: &str) -> String {
        let beyond =
            if self.baseline_was_sent { format!(" more than with {baseline}") } else { String::new() };
        format!("{} of answers lacking a fact{beyond}", percentage(self.tolerance.max_short))
    }
}

/// The highest cost that counts as the same as the lowest.
pub(super) fn tie(least: u128, baseline: &Standing) -> f64 {
    least as f64 + TIE * baseline.cost as f64
}

/// Standings of one strategy with each model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// With the first model, the deciding one; in input tokens without models.
    pub first: Standing,
    pub further: Vec<Standing>,
}

impl Standings {
    pub fn iter(&self) -> impl Iterator<Item = &Standing> {
        std::iter::once(&self.first).chain(&self.further)
    }

    /// Adds the standings of other runs.
    pub(super) fn add(&mut self, other: &Standings) {
        self.first.add(&other.first);
        for (sum, standing) in self.further.iter_mut().zip(&other.further) {
            sum.add(standing);
        }
    }
}

impl Standing {
    /// Returns true if it saves at least `tolerance.min_saving` of the baseline's cost.
    pub fn saves(&self, baseline: &Standing, tolerance: Tolerance) -> bool {
        self.cost < baseline.cost && self.cost as f64 <= (1.0 - tolerance.min_saving) * baseline.cost as f64
    }

    /// Scales the cost for an agent with more turns; the factor is in hundredths.
    pub fn at_turns(mut self, hundredths: u64) -> Standing {
        self.cost = self.cost.saturating_mul(u128::from(hundredths)) / 100;
        self
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
}
