//! The advice of a comparison in sentences: the strategy to use, how sure that is, and what bounds it.

use super::cliffs::{Cliff, Idle};
use super::comparison::{Comparison, LengthRow, StrategyComparison};
use super::recommend::tie;
use super::resample::TASKS;
use crate::measure::numbers::{cheaper, dollars, grouped, signed_percent};

/// Strategies that a sentence names; it counts the others.
const LISTED: usize = 3;
/// The share of random halves whose choice holds on the other half, for a choice that is sure.
pub(super) const SURE: f64 = 0.95;

/// A comparison with the strategy to use.
pub struct Advice<'c> {
    pub(super) comparison: &'c Comparison,
    pub(super) baseline: Option<&'c StrategyComparison>,
    /// The other strategies, the cheapest first; those without all requests last.
    others: Vec<&'c StrategyComparison>,
    /// None if there is too little to choose by. The baseline if nothing cheaper leaves few enough answers short.
    pub recommended: Option<&'c StrategyComparison>,
}

impl<'c> Advice<'c> {
    /// The advice for the tolerance of the evaluation.
    pub fn new(comparison: &'c Comparison) -> Advice<'c> {
        let is_baseline = |strategy: &&StrategyComparison| strategy.name == comparison.header.baseline;
        let baseline = comparison.strategies.iter().find(is_baseline);
        let mut others: Vec<&StrategyComparison> =
            comparison.strategies.iter().filter(|strategy| !is_baseline(strategy)).collect();
        let is_whole =
            |strategy: &StrategyComparison| baseline.is_none_or(|baseline| strategy.is_whole(baseline));
        let is_rejected =
            |strategy: &StrategyComparison| baseline.is_some_and(|baseline| strategy.is_rejected(baseline));
        others.sort_by_key(|strategy| (!is_whole(strategy), is_rejected(strategy), strategy.whole_cost()));
        let chosen = comparison.recommended.and_then(|index| comparison.strategies.get(index));
        let recommended = if comparison.too_little.is_none() { chosen.or(baseline) } else { None };
        Advice { comparison, baseline, others, recommended }
    }

    /// The sentence that names the strategy, and why it is the baseline or none.
    pub fn sentence(&self) -> String {
        let tolerance = self.comparison.header.bounds().in_words(&self.comparison.header.baseline);
        let baseline = &self.comparison.header.baseline;
        match (self.comparison.too_little, self.recommended) {
            (Some(too_little), _) if too_little.names_cheapest() => {
                format!("{} {}", too_little.sentence(), self.cheapest(&tolerance))
            }
            (Some(too_little), _) => too_little.sentence(),
            (None, Some(strategy)) if strategy.name != *baseline => {
                let choice = format!("{} {}", if self.is_sure() { "Use" } else { "Try" }, strategy.name);
                let bound = format!("with at most {tolerance}");
                match self.is_cheapest(strategy) {
                    true => format!("{choice}: the cheapest strategy {bound}."),
                    false => format!(
                        "{choice}: it is within 1 point of the cheapest strategy {bound}, and changes less."
                    ),
                }
            }
            (None, _) => format!("Keep {baseline}: {}.", self.why_nothing_else(&tolerance)),
        }
    }

    /// Returns true if no strategy that may be recommended costs less.
    fn is_cheapest(&self, chosen: &StrategyComparison) -> bool {
        let Some(baseline) = self.baseline else { return false };
        let bounds = self.comparison.header.bounds();
        let may_be = |strategy: &&StrategyComparison| {
            strategy.course.cliff.is_none()
                && bounds.admit(&strategy.standings.first, &baseline.standings.first)
                && strategy.is_complete(baseline)
        };
        let mut rivals = self.comparison.strategies.iter().filter(may_be);
        rivals.all(|rival| rival.standings.first.cost >= chosen.standings.first.cost)
    }

    /// The sentence on the cheapest strategy where none is recommended.
    fn cheapest(&self, tolerance: &str) -> String {
        let bound = match self.needing() {
            0 => String::new(),
            _ => format!(" with at most {tolerance}"),
        };
        let cheapest = self.comparison.cheapest.and_then(|index| self.comparison.strategies.get(index));
        let costs = cheapest.zip(self.baseline).map(|(cheapest, baseline)| {
            (cheapest, cheapest.standings.first.cost, baseline.standings.first.cost)
        });
        match costs {
            Some((strategy, cost, whole)) if cost < whole => {
                let change = signed_percent(cost as f64 / whole as f64 - 1.0);
                format!("Cheapest{bound}: {} ({change}).", strategy.name)
            }
            _ => format!("No strategy{bound} is cheaper."),
        }
    }

    fn why_nothing_else(&self, tolerance: &str) -> String {
        let Some(baseline) = self.baseline else {
            return "there is nothing to compare it with".to_owned();
        };
        // Without all requests a strategy only seems to cost less.
        let whole = || self.others.iter().filter(|strategy| strategy.is_whole(baseline));
        let Some(cheapest) = whole().map(|strategy| strategy.standings.first.cost).min() else {
            return "there is nothing to compare it with".to_owned();
        };
        if let Some((strategy, _)) = self.unmeasured() {
            return format!("few runs show what {} costs on longer ones", strategy.name);
        }
        let (base, bounds) = (baseline.standings.first, self.comparison.header.bounds());
        let saving = whole().filter(|strategy| strategy.standings.first.saves(&base, bounds.tolerance));
        let cheaper = cheaper(bounds.tolerance.min_saving);
        match saving.min_by_key(|strategy| strategy.standings.first.short) {
            Some(strategy) if strategy.sums.over_window > baseline.sums.over_window => {
                format!("{}, which costs less, is over the window", strategy.name)
            }
            Some(strategy) if !strategy.is_complete(baseline) => {
                format!("the API would reject requests of {}, which costs less", strategy.name)
            }
            Some(strategy) => format!(
                "everything {cheaper} leaves more than {tolerance} ({}: {} of {})",
                strategy.name,
                grouped(strategy.standings.first.short),
                grouped(strategy.standings.first.needing)
            ),
            None if cheapest < base.cost => format!("nothing is {cheaper}"),
            None if cheapest == base.cost => "no strategy makes these runs cheaper".to_owned(),
            None if whole().any(|strategy| strategy.sums.input_tokens < baseline.sums.input_tokens) => {
                "fewer tokens cost more here, since what changes is not read from the cache".to_owned()
            }
            None => "every other strategy sends more tokens".to_owned(),
        }
    }

    fn needing(&self) -> u64 {
        self.baseline.map_or(0, |baseline| baseline.standings.first.needing)
    }

    /// The sentence on how sure the choice is, which names the runs to add where the evidence is thin; or on what a choice
    /// would take.
    pub fn certainty(&self) -> String {
        if let Some(too_little) = self.comparison.too_little {
            return too_little.remedy();
        }
        let halves = match self.comparison.confidence {
            Some(share) => {
                format!("within 1 point of the best in {}% of resamples.", (share * 100.0).floor())
            }
            // There is nothing to resample, and 0% would say that the choice never holds.
            None if self.comparison.tasks == 1 => "all runs are of one task.".to_owned(),
            None => return String::new(),
        };
        if self.is_sure() {
            return format!("Sure: {halves}");
        }
        let rival = if self.may_be_sure() { self.unmeasured_rival() } else { None };
        let add = rival.or_else(|| self.runs_to_add()).unwrap_or_default();
        format!("Thin: {halves}{add}")
    }

    /// Returns true if the choice holds on enough resamples of enough runs, and no other one may be better on longer runs.
    fn is_sure(&self) -> bool {
        let holds = self.comparison.confidence.is_some_and(|share| share >= SURE);
        holds && self.may_be_sure() && self.unmeasured_rival().is_none()
    }

    /// Sentences that bound the choice.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let bounds = self.passed_over().into_iter().chain(self.rework()).chain(self.forgotten());
        bounds.chain(self.own_calls()).chain(self.marks()).chain(self.copies())
    }

    /// The sentence on strategies that only seem to save if a client marks the two ends that clients mark by themselves.
    pub(super) fn marks(&self) -> Option<String> {
        let baseline = self.baseline?;
        let tolerance = self.comparison.header.bounds().tolerance;
        let rows = self.others.iter().filter(|strategy| strategy.is_whole(baseline));
        let mut dearer: Vec<&StrategyComparison> =
            rows.filter(|strategy| strategy.needs_marks(baseline, tolerance)).copied().collect();
        let recommended = self.recommended.map(|strategy| &strategy.name);
        dearer.sort_by_key(|strategy| Some(&strategy.name) != recommended);
        let listed: Vec<String> = dearer
            .iter()
            .take(LISTED)
            .filter_map(|strategy| {
                let change = strategy.with_usual_marks(baseline)?;
                Some(format!("{} costs {}", strategy.name, signed_percent(change)))
            })
            .collect();
        let more = match dearer.len().saturating_sub(LISTED) {
            0 => String::new(),
            1 => ", and 1 other costs more".to_owned(),
            more => format!(", and {more} others cost more"),
        };
        (!listed.is_empty()).then(|| {
            let listed = listed.join(", ");
            format!(
                "Cache marks decide: with those after the system prompt and the last message alone, {listed}{more}."
            )
        })
    }

    /// The sentence on the choices that more or less rework would lead to, if they are others.
    pub(super) fn rework(&self) -> Option<String> {
        let (choices, chosen) = (self.comparison.by_rework?, self.recommended?);
        let condition = |index: Option<usize>, fetched: &str| {
            let strategy = index.and_then(|index| self.comparison.strategies.get(index)).or(self.baseline)?;
            let text = format!("{} if {fetched} that short answers lack were fetched again", strategy.name);
            (strategy.name != chosen.name).then_some(text)
        };
        let conditions = [condition(choices.none, "nothing"), condition(choices.all, "all")];
        let conditions: Vec<String> = conditions.into_iter().flatten().collect();
        (!conditions.is_empty()).then(|| format!("The choice would be {}.", conditions.join(", ")))
    }

    /// The sentence on a strategy that would be recommended if longer runs had shown what it costs.
    pub(super) fn passed_over(&self) -> Option<String> {
        let (strategy, cliff) = self.unmeasured().filter(|_| self.comparison.too_little.is_none())?;
        Some(cliff.sentence(&strategy.name))
    }

    /// The sentences on calls that strategies make themselves, and on those that no text of these makes worth it.
    pub(super) fn own_calls(&self) -> impl Iterator<Item = String> + use<'c> {
        let (bounds, baseline) = (self.comparison.header.bounds(), self.baseline);
        let strategies = self.comparison.strategies.iter();
        strategies.flat_map(move |strategy| {
            let hopeless = baseline.and_then(|baseline| strategy.hopeless(bounds, baseline));
            let spread = baseline.map_or_else(Vec::new, |baseline| strategy.spread_texts(bounds, baseline));
            strategy.own_calls_text().into_iter().chain(spread).chain(hopeless)
        })
    }

    /// The sentence on instructions that the recommended strategy forgets. They make no answer short.
    fn forgotten(&self) -> Option<String> {
        let strategy = self.recommended?;
        let lost = Some(strategy.sums.instructions_lost).filter(|lost| *lost > 0)?;
        Some(format!("Instructions no longer shown under {}: {}.", strategy.name, grouped(lost)))
    }

    /// The sentence on runs that equal others, and so do not count again.
    pub(super) fn copies(&self) -> Option<String> {
        let copies = &self.comparison.copies;
        let first = copies.first.as_ref()?;
        Some(match copies.runs {
            1 => format!("1 run equals another and counts once: {first}."),
            several => format!("{} runs equal others and count once, such as {first}.", grouped(several)),
        })
    }

    /// The sentence on requests of the baseline that an API would reject, if there are any. Rows count those of the others.
    pub fn refused(&self) -> Option<String> {
        let baseline = self.baseline?;
        let (scenario, turn) = baseline.sums.first_invalid.as_ref()?;
        let requests = match baseline.sums.invalid_requests {
            1 => "1 request".to_owned(),
            several => format!("{} requests", grouped(several)),
        };
        Some(format!("The API would reject {requests} of {} ({scenario}@{turn}).", baseline.name))
    }

    /// Returns true if there are tasks enough, and runs that are long enough for each strategy.
    pub(super) fn may_be_sure(&self) -> bool {
        self.comparison.has_enough_tasks && self.comparison.idle.is_none()
    }

    /// The strategy that would be recommended if longer runs had shown what it costs, with the reason.
    fn unmeasured(&self) -> Option<(&'c StrategyComparison, Cliff)> {
        let strategy = self.comparison.strategies.get(self.comparison.passed_over?)?;
        strategy.course.cliff.map(|cliff| (strategy, cliff))
    }

    /// The runs that would show what a strategy costs that is more than a point cheaper on these than the recommended one.
    /// Until then nobody knows the best one.
    fn unmeasured_rival(&self) -> Option<String> {
        let (strategy, cliff) = self.unmeasured()?;
        let baseline = self.baseline.map(|baseline| baseline.standings.first)?;
        let chosen = self.recommended?.standings.first;
        let is_cheaper = chosen.cost as f64 > tie(strategy.standings.first.cost, &baseline);
        is_cheaper.then(|| cliff.remedy(&strategy.name))
    }

    /// Names the runs to add where the choice is not sure; none if there is too little to choose by.
    pub(super) fn runs_to_add(&self) -> Option<String> {
        if self.comparison.too_little.is_some() {
            return None;
        }
        if self.comparison.tasks < TASKS {
            return Some(format!(" Add runs of other tasks ({} so far).", self.comparison.tasks));
        }
        if !self.comparison.has_enough_tasks {
            let tasks = self.comparison.tasks;
            return Some(format!(" Add runs of other tasks: few of {tasks} have most of the answers."));
        }
        if let Some(Idle { strategy, changed, runs }) = self.comparison.idle {
            let name = self.comparison.strategies.get(strategy).map_or("", |strategy| &strategy.name);
            let changed = if changed == 0 { "none".to_owned() } else { format!("only {changed}") };
            return Some(format!(" Add longer runs: {name} changes {changed} of {}.", grouped(runs)));
        }
        // Runs of about one length differ in proportion to their size, so the variance of their sum is about its square by their
        // number. The length with the largest one decides most by the fewest runs.
        let variance = |row: &LengthRow| {
            let tokens = row.input_tokens as f64;
            tokens * tokens / row.scenarios as f64
        };
        let rows = self.baseline?.by_length.iter();
        let most = rows.max_by(|left, right| variance(left).total_cmp(&variance(right)))?;
        Some(format!(" Add runs of {} ({} so far).", most.text(), grouped(most.scenarios)))
    }

    /// The first short answer of the recommended strategy: scenario, turn and strategy. If it has none, that of the cheapest
    /// other one that has any, first of those that keep tool calls.
    pub fn example(&self) -> Option<(&str, u32, &str)> {
        let of = |strategy: &'c StrategyComparison| {
            let (scenario, turn) = strategy.sums.first_short.as_ref()?;
            Some((scenario.as_str(), *turn, strategy.name.as_str()))
        };
        let others = |rewrites: bool| {
            self.others.iter().filter(move |strategy| strategy.sums.rewrites_calls == rewrites).copied()
        };
        self.recommended.into_iter().chain(others(false)).chain(others(true)).find_map(of)
    }

    /// `cost: $0.021 a run, $20.8 per 1,000 runs; fold saves $3.40 of that`, with the first model; none without models.
    pub fn money(&self) -> Option<String> {
        let pays_rework = self.comparison.by_rework.is_some();
        let cost_of = |strategy: &StrategyComparison| {
            let row = strategy.costs.first()?;
            Some(if pays_rework { row.with_rework() } else { row.cost }.dollars())
        };
        let all = self.baseline.and_then(cost_of).filter(|all| *all > 0.0)?;
        let runs = self.comparison.scenarios as f64;
        let (a_run, thousand) = (dollars(all / runs), dollars(all / runs * 1_000.0));
        let saved = self.recommended.and_then(|strategy| Some((strategy, all - cost_of(strategy)?)));
        let saving = match saved {
            Some((strategy, saved)) if saved > 0.0 => {
                format!("; {} saves {} of that", strategy.name, dollars(saved / runs * 1_000.0))
            }
            _ => String::new(),
        };
        Some(format!("cost: {a_run} a run, {thousand} per 1,000 runs{saving}"))
    }

    /// The baseline, then the cheapest first; those that are set apart come last.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'c StrategyComparison> {
        let (apart, kept): (Vec<_>, Vec<_>) =
            self.others.iter().copied().partition(|strategy| self.comparison.is_set_apart(strategy));
        self.baseline.into_iter().chain(kept).chain(apart)
    }
}
