//! Compares the strategies of a suite. All arithmetic of the reports is here; formats only write the
//! resulting [`Comparison`].

use super::cliffs::CourseFigures;
use super::comparison::{BreakEven, Comparison, CostRow, LengthRow, StrategyComparison, TurnRow};
use super::distinct::DistinctRuns;
use super::header::Header;
use super::recommend::{Bounds, Candidate, Change, Rule, Standing, Standings, TooLittle, tie};
use super::spread::{Occurrences, Spread};
use super::tally::{ModelTally, RATIO_PARTS, RunTally, SideTally, Tally, Versus};
use super::totals::ScenarioSets;
use super::verdicts::Verdicts;
use super::walk::{Proof, ProofSettings};
use crate::scenario::suite::Tolerance;

/// Strategies chosen by different rules. The fields have the same meaning as in [`Comparison`].
struct Choices {
    /// The proven choice if there is one; otherwise the best for these runs.
    recommended: Option<usize>,
    is_strong: bool,
    further: Option<usize>,
    cheapest: Option<usize>,
    passed_over: Option<usize>,
    barred: Option<usize>,
    proof: Proof,
}

impl Choices {
    fn of(strategies: &[StrategyComparison], distinct: &DistinctRuns, header: &Header) -> Choices {
        let baseline = header.baseline_index();
        let (mut as_recorded, mut most_turns) = (Vec::<Standing>::new(), Vec::new());
        for (index, strategy) in strategies.iter().enumerate() {
            as_recorded.push(strategy.standings.first);
            most_turns.push(header.most_turns_in_hundredths(index));
        }
        // Logs cannot show how many turns an agent would take, so assume the maximum in public runs.
        let mut standings = as_recorded.clone();
        for (standing, turns) in standings.iter_mut().zip(&most_turns) {
            *standing = standing.at_turns(*turns);
        }
        let despite_all = list_candidates(strategies, header);
        let mut despite_cliffs = despite_all.clone();
        for (index, candidate) in despite_cliffs.iter_mut().enumerate() {
            candidate.is_complete &= index == baseline || header.supports(index);
        }
        let mut candidates = despite_cliffs.clone();
        for (candidate, strategy) in candidates.iter_mut().zip(strategies) {
            // A strategy with a cliff may be the best, but its cost on longer runs is unknown.
            candidate.is_complete &= strategy.course.cliff.is_none();
        }
        let rule = Rule { bounds: header.bounds(), baseline, candidates: &candidates };
        let despite_cliffs = Rule { candidates: &despite_cliffs, ..rule };
        let despite_all = Rule { candidates: &despite_all, ..rule };
        let any_saving = Bounds::new(Tolerance { min_saving: 0.0, ..header.tolerance }, &header.baseline);
        let proof = distinct.tasks.proof(
            &standings,
            ProofSettings {
                runs: distinct.runs,
                models: header.models.len().max(1),
                baseline,
                min_saving: header.tolerance.min_saving,
                most_turns,
                changed: distinct.courses.count_changed(),
                families: header.families(),
            },
        );
        let of_sample = rule.choose_strategy(&standings);
        let proven = choose_proven(&rule, &standings, &proof);
        let recommended = proven.or(of_sample);
        let is_baseline_proven =
            of_sample == Some(baseline) && keeps_baseline(&despite_all, &standings, &proof);
        let passed_over = despite_cliffs.choose_strategy(&standings);
        let barred = despite_all.choose_strategy(&as_recorded);
        Choices {
            is_strong: proven.is_some() || is_baseline_proven,
            further: of_sample.filter(|sample| is_cheaper(&standings, *sample, recommended, baseline)),
            recommended,
            cheapest: Rule { bounds: any_saving, ..despite_all }.choose_strategy(&as_recorded),
            passed_over: passed_over.filter(|index| has_cliff(strategies, *index)),
            barred: barred.filter(|index| *index != baseline && is_barred(*index, &standings, header)),
            proof,
        }
    }
}

/// The strategy with proven losses and savings, if there is one other than the baseline.
fn choose_proven(rule: &Rule<'_>, standings: &[Standing], proof: &Proof) -> Option<usize> {
    if !proof.has_enough_tasks {
        return None;
    }
    let passed = proof.passed(standings, rule.baseline, rule.bounds);
    let chosen = rule.choose_among(standings, |index| passed.get(index) == Some(&true) && proof.saves(index));
    chosen.filter(|index| *index != rule.baseline)
}

/// Returns true if keeping the baseline is proven right: every other strategy loses too much or saves too
/// little.
fn keeps_baseline(rule: &Rule<'_>, standings: &[Standing], proof: &Proof) -> bool {
    let Some(base) = standings.get(rule.baseline) else { return false };
    if !proof.has_enough_tasks {
        return false;
    }
    for (index, (standing, candidate)) in standings.iter().zip(rule.candidates).enumerate() {
        let is_rival = index != rule.baseline && candidate.is_complete && proof.is_tested(index);
        if is_rival && !proof.saves_too_little(index) && !proof.is_beyond(standing, base, rule.bounds) {
            return false;
        }
    }
    true
}

/// Returns true if public experiments are an argument against a strategy: its kind never held up, or the
/// extra turns of its agents use up the saving.
fn is_barred(index: usize, standings: &[Standing], header: &Header) -> bool {
    let (own, base) = (standings.get(index), standings.get(header.baseline_index()));
    let (Some(own), Some(base)) = (own, base) else { return true };
    !header.supports(index) || !own.saves(base, header.tolerance)
}

/// Returns true if the first strategy is cheaper than the second by more than a tie.
fn is_cheaper(standings: &[Standing], index: usize, than: Option<usize>, baseline: usize) -> bool {
    let Some(other) = than.and_then(|than| standings.get(than)) else { return false };
    let (Some(own), Some(base)) = (standings.get(index), standings.get(baseline)) else { return false };
    other.cost as f64 > tie(own.cost, base)
}

fn has_cliff(strategies: &[StrategyComparison], index: usize) -> bool {
    matches!(strategies.get(index), Some(strategy) if strategy.course.cliff.is_some())
}

/// All strategies as candidates, including those with a cliff or without public support.
fn list_candidates(strategies: &[StrategyComparison], header: &Header) -> Vec<Candidate> {
    let baseline = strategies.get(header.baseline_index());
    let mut candidates = Vec::with_capacity(strategies.len());
    for (index, strategy) in strategies.iter().enumerate() {
        candidates.push(Candidate {
            // The logged answers belong to the default prompt, so results under another one are unknown.
            is_complete: header.prompt(index).is_none()
                && matches!(baseline, Some(baseline) if strategy.is_complete(baseline)),
            change: Change {
                rewrites_calls: strategy.sums.rewrites_calls,
                most_turns: header.most_turns_in_hundredths(index),
                tail: strategy.course.tail,
            },
        });
    }
    candidates
}

impl Tally {
    /// Computes the comparison from the sums.
    pub fn compare(self) -> Comparison {
        let Tally {
            header,
            scenarios,
            failed,
            long_runs,
            rewritten_runs,
            runs,
            counts,
            troubles,
            changed,
            stale,
            differences,
            distinct,
            ages,
            billed,
            predicted,
            spending,
        } = self;
        let strategies = compare_strategies(runs, &distinct, &header);
        let needing = match strategies.get(header.baseline_index()) {
            Some(baseline) => baseline.standings.first.needing,
            None => 0,
        };
        let too_little = match predicted.and_then(TooLittle::of_predicted) {
            None => TooLittle::of(needing, distinct.runs, billed),
            predicted => predicted,
        };
        let choices = Choices::of(&strategies, &distinct, &header);
        Comparison {
            spending,
            facts: Vec::new(),
            first_screen: None,
            usage: None,
            agents: Vec::new(),
            unjudged_agents: Vec::new(),
            scenarios,
            failed,
            too_little,
            recommended: choices.recommended.filter(|_| too_little.is_none()),
            cheapest: choices.cheapest,
            passed_over: choices.passed_over,
            is_strong: choices.is_strong,
            further: choices.further,
            barred: choices.barred,
            proof: choices.proof,
            ages,
            sets_rewriting_apart: rewritten_runs * 2 > long_runs || rewritten_runs > 0 && header.is_advice,
            copies: distinct.copies,
            strategies,
            counts,
            troubles,
            changed,
            stale,
            differences,
            verdicts: Verdicts::default(),
            against: None,
            sets: ScenarioSets::default(),
            header,
        }
    }
}

/// All strategies of the header, compared.
fn compare_strategies(
    runs: Vec<RunTally>,
    distinct: &DistinctRuns,
    header: &Header,
) -> Vec<StrategyComparison> {
    let courses = distinct.courses.make_figures(header.baseline_index(), |index| {
        header.strategies.get(index).is_some_and(|name| header.limited.contains(name))
    });
    let named_runs = header.strategies.iter().zip(runs);
    let mut strategies = Vec::with_capacity(header.strategies.len());
    for (((name, run), standings), course) in named_runs.zip(&distinct.standings).zip(courses) {
        strategies.push(StrategyComparison::of(name, run, standings.clone(), course, header));
    }
    mark_efficient(&mut strategies, header);
    mark_columns(&mut strategies);
    set_history_ratios(&mut strategies, &header.baseline);
    strategies
}

impl StrategyComparison {
    /// A strategy from its own sums. Fields that depend on other strategies are set later.
    fn of(
        name: &str,
        run: RunTally,
        standings: Standings,
        course: CourseFigures,
        header: &Header,
    ) -> StrategyComparison {
        let versus = &run.versus;
        StrategyComparison {
            name: name.to_owned(),
            standings,
            course,
            ratio: share_of(versus.own.input(), versus.baseline.input()),
            history_ratio: None,
            request_tokens: merge_sizes(&run.by_turn).spread(),
            ratios: versus.ratios.spread().map(as_ratios),
            by_length: by_length(versus),
            by_turn: by_turn(&run.by_turn),
            growth: growth_slope(&run.by_turn),
            pays_from_turn: pays_from_turn(&versus.own.by_turn, &versus.baseline.by_turn),
            stable_prefix: share_of(run.later_prefix, run.later_input),
            break_even: break_even(versus),
            evidence: run.evidence(),
            is_efficient: false,
            shows_calls: false,
            shows_spread: false,
            costs: cost_rows(&run, header),
            has_rework: false,
            sums: run,
        }
    }
}

/// If one strategy fills a column, all rows get the column.
fn mark_columns(strategies: &mut [StrategyComparison]) {
    let (mut has_rework, mut shows_calls, mut shows_spread) = (false, false, false);
    for strategy in &*strategies {
        has_rework |= strategy.sums.rework.is_some();
        shows_calls |= strategy.sums.own_calls.calls > 0;
        shows_spread |= strategy.text_spread().is_some();
    }
    for strategy in strategies {
        strategy.has_rework = has_rework;
        strategy.shows_calls = shows_calls;
        strategy.shows_spread = shows_spread;
    }
}

fn set_history_ratios(strategies: &mut [StrategyComparison], baseline: &str) {
    let Some(baseline) = strategies.iter().find(|strategy| strategy.name == baseline) else { return };
    let (requests, whole) = (baseline.sums.requests, baseline.sums.history_tokens);
    for strategy in strategies {
        if strategy.sums.requests == requests {
            strategy.history_ratio = share_of(strategy.sums.history_tokens, whole);
        }
    }
}

fn share_of(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn by_length(versus: &Versus) -> Vec<LengthRow> {
    let mut rows = Vec::with_capacity(versus.by_length.len());
    for (&turns, length) in &versus.by_length {
        let (scenarios, (input_tokens, baseline)) = (length.scenarios, length.input);
        let ratio = share_of(input_tokens, baseline);
        let saving = ratio.map(|ratio| 1.0 - ratio);
        rows.push(LengthRow { turns, scenarios, input_tokens, ratio, saving });
    }
    rows
}

/// The sizes of all requests, over all turns.
fn merge_sizes(by_turn: &[Occurrences]) -> Occurrences {
    let mut all = Occurrences::default();
    for (size, times) in by_turn.iter().flat_map(Occurrences::iter) {
        all.add(size, times);
    }
    all
}

fn as_ratios(spread: Spread<u32>) -> Spread<f64> {
    Spread {
        median: f64::from(spread.median) / RATIO_PARTS,
        p90: f64::from(spread.p90) / RATIO_PARTS,
        worst: f64::from(spread.worst) / RATIO_PARTS,
    }
}

fn by_turn(sizes: &[Occurrences]) -> Vec<TurnRow> {
    let mut rows = Vec::with_capacity(sizes.len());
    for (turn, sizes) in (1..).zip(sizes) {
        let (requests, input_tokens) = (sizes.count(), sizes.sum());
        if let Some(request_tokens) = sizes.spread() {
            rows.push(TurnRow { turn, requests, input_tokens, request_tokens });
        }
    }
    rows
}

/// The least-squares slope of log tokens against log turn.
fn growth_slope(sizes: &[Occurrences]) -> Option<f64> {
    let (mut count, mut sum_x, mut sum_y, mut sum_xx, mut sum_xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (turn, sizes) in (1_u32..).zip(sizes) {
        // The standard library's logarithm may differ in the last bit between machines.
        let x = libm::log(f64::from(turn));
        for (size, times) in sizes.iter() {
            let (y, times) = (libm::log(f64::from(size.max(1))), times as f64);
            count += times;
            sum_x += times * x;
            sum_y += times * y;
            sum_xx += times * x * x;
            sum_xy += times * x * y;
        }
    }
    let spread = count * sum_xx - sum_x * sum_x;
    (spread > 0.0).then(|| (count * sum_xy - sum_x * sum_y) / spread)
}

/// The first turn at which fewer tokens were sent in total than under the baseline. Both lists have tokens by
/// turn.
fn pays_from_turn(own: &[u64], baseline: &[u64]) -> Option<u32> {
    let (mut own_sum, mut baseline_sum) = (0, 0);
    for (turn, (own, baseline)) in (1..).zip(own.iter().zip(baseline)) {
        own_sum += own;
        baseline_sum += baseline;
        if own_sum < baseline_sum {
            return Some(turn);
        }
    }
    None
}

fn fresh_tokens(sums: &SideTally) -> f64 {
    sums.input().saturating_sub(sums.prefix) as f64
}

/// Solves `fresh + ratio × prefix` for equal cost of both. Prefix tokens are read from the cache at `ratio`
/// times the input price; fresh tokens cost the full price.
fn break_even(versus: &Versus) -> BreakEven {
    let (own, baseline) = (&versus.own, &versus.baseline);
    let fresh_gain = fresh_tokens(baseline) - fresh_tokens(own);
    let prefix_gain = baseline.prefix as f64 - own.prefix as f64;
    let (free, full) = (fresh_gain, fresh_gain + prefix_gain);
    match (free, full) {
        _ if free == 0.0 && full == 0.0 => BreakEven::Unknown,
        _ if free >= 0.0 && full >= 0.0 => BreakEven::Always,
        _ if free <= 0.0 && full <= 0.0 => BreakEven::Never,
        _ if free < 0.0 => BreakEven::Above(-fresh_gain / prefix_gain),
        _ => BreakEven::Below(-fresh_gain / prefix_gain),
    }
}

fn cost_rows(run: &RunTally, header: &Header) -> Vec<CostRow> {
    let mut rows = Vec::with_capacity(header.models.len());
    for (model, (price, sums)) in header.models.iter().zip(&run.models).enumerate() {
        let ModelTally { cached_tokens, cost, other_costs } = *sums;
        let ratio = match (run.versus.own.cost(model), run.versus.baseline.cost(model)) {
            (Some(own), Some(baseline)) => own.ratio(baseline),
            _ => None,
        };
        rows.push(CostRow {
            model: price.model.clone(),
            price_date: price.date.clone(),
            is_estimate: price.is_estimate(&header.tokenizer),
            cached_tokens,
            cost,
            other_costs,
            ratio,
            is_efficient: false,
            ratios_by_length: run.versus.by_length.values().map(|length| length.cost_ratio(model)).collect(),
        });
    }
    rows
}

/// Marks strategies not dominated in cost and evidence. Strategies under another prompt are compared with the
/// default one only.
fn mark_efficient(strategies: &mut [StrategyComparison], header: &Header) {
    let points = points_by(strategies, header, |strategy| Some(strategy.sums.input_tokens.into()));
    for (strategy, is_efficient) in strategies.iter_mut().zip(find_undominated(&points)) {
        strategy.is_efficient = is_efficient;
    }
    let models = strategies.first().map_or(0, |strategy| strategy.costs.len());
    for model in 0..models {
        let points = points_by(strategies, header, |strategy| Some(strategy.costs.get(model)?.cost.exact()));
        for (strategy, is_efficient) in strategies.iter_mut().zip(find_undominated(&points)) {
            if let Some(row) = strategy.costs.get_mut(model) {
                row.is_efficient = is_efficient;
            }
        }
    }
}

/// The points of the strategies under the first prompt.
fn points_by(
    strategies: &[StrategyComparison],
    header: &Header,
    cost_of: impl Fn(&StrategyComparison) -> Option<u128>,
) -> Vec<Option<Point>> {
    let mut points = Vec::new();
    for (index, strategy) in strategies.iter().enumerate() {
        let cost = if header.prompt(index).is_none() { cost_of(strategy) } else { None };
        points.push(cost.and_then(|cost| Point::of(strategy, cost)));
    }
    points
}

/// A strategy's cost and its share of needed facts shown.
#[derive(Clone, Copy, PartialEq)]
struct Point {
    cost: u128,
    evidence: f64,
}

impl Point {
    /// `None` if the strategy sent no requests.
    fn of(strategy: &StrategyComparison, cost: u128) -> Option<Point> {
        // If no answer needs any fact, none is lost.
        let evidence = strategy.evidence.unwrap_or(1.0);
        (strategy.sums.requests > 0).then_some(Point { cost, evidence })
    }

    fn beats(self, rival: Point) -> bool {
        self.cost <= rival.cost && self.evidence >= rival.evidence && self != rival
    }
}

/// For each point, true if no other one dominates it.
fn find_undominated(points: &[Option<Point>]) -> Vec<bool> {
    let mut unbeaten = Vec::with_capacity(points.len());
    for point in points {
        unbeaten.push(match point {
            Some(point) => !points.iter().flatten().any(|rival| rival.beats(*point)),
            None => false,
        });
    }
    unbeaten
}
