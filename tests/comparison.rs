//! The comparison of strategies, from runs with made-up numbers.

use ptc_eval::measure::evidence::Evidence;
use ptc_eval::measure::{MeasuredRequest, MeasuredRun};
use ptc_eval::report::comparison::BreakEven;
use ptc_eval::report::{Advice, Comparison, Header, Rule, ScenarioRecord, Standing, Tally};
use ptc_eval::scenario::suite::Tolerance;

use crate::reports::{measured, results};

/// Input tokens and prefix of a request, and its evidence: how much is shown and how much gone.
type Numbers = (u32, u32, [u32; 2]);

/// Runs, each under every strategy, with these requests; the first strategy is the baseline.
fn compared(min_saving: f64, runs: &[Vec<Vec<Numbers>>]) -> Comparison {
    compared_in(min_saving, runs.iter().enumerate())
}

/// Runs with their numbers, in any order.
fn compared_in<'r>(
    min_saving: f64,
    runs: impl Iterator<Item = (usize, &'r Vec<Vec<Numbers>>)> + Clone,
) -> Comparison {
    let sample = measured(&results()).remove(0);
    let request = |(turn, &(input_tokens, prefix_tokens, [shown, gone])): (u32, &Numbers)| MeasuredRequest {
        turn,
        input_tokens,
        prefix_tokens,
        evidence: Evidence { shown, gone, ..Evidence::default() },
        bills: Vec::new(),
        valid: true,
        ..sample.strategies[0].requests[0].clone()
    };
    let strategies: Vec<String> =
        (0..runs.clone().next().map_or(1, |(_, run)| run.len())).map(|number| number.to_string()).collect();
    let tolerance = Tolerance { max_short: 0.05, min_saving };
    let header =
        Header { strategies: strategies.clone(), baseline: "0".to_owned(), tolerance, ..Header::default() };
    let mut tally = Tally::new(header);
    for (number, run) in runs {
        let runs = strategies.iter().zip(run).map(|(name, requests)| MeasuredRun {
            name: name.into(),
            requests: (1..).zip(requests).map(request).collect(),
            other_costs: Vec::new(),
        });
        let name = format!("run-{number}");
        tally.add(&ScenarioRecord {
            name,
            strategies: runs.collect(),
            failures: Vec::new(),
            ..sample.clone()
        });
    }
    tally.compare()
}

/// Requests of these sizes.
fn sizes(tokens: &[u32]) -> Vec<Numbers> {
    tokens.iter().map(|&tokens| (tokens, 0, [1, 0])).collect()
}

#[test]
fn growth_is_the_exponent() {
    let growth = |runs: &[&[u32]]| {
        let runs: Vec<_> = runs.iter().map(|run| vec![sizes(run)]).collect();
        compared(0.0, &runs).strategies[0].growth
    };
    let close = |slope: Option<f64>, expected: f64| (slope.unwrap() - expected).abs() < 1e-9;
    assert!(close(growth(&[&[100, 100, 100]]), 0.0));
    assert!(close(growth(&[&[100, 200], &[50, 100]]), 1.0));
    assert!(close(growth(&[&[10, 40, 90]]), 2.0));
    assert_eq!(growth(&[&[100], &[200]]), None);
}

#[test]
fn a_strategy_pays_once_it_has_saved_what_it_cost() {
    let pays = |own: &[u32], baseline: &[u32]| {
        compared(0.0, &[vec![sizes(baseline), sizes(own)]]).strategies[1].pays_from_turn
    };
    assert_eq!(pays(&[10, 20, 20], &[10, 15, 30]), Some(3));
    assert_eq!(pays(&[10, 20], &[10, 20]), None);
}

#[test]
fn break_even_is_where_both_cost_the_same() {
    let break_even = |own: (u32, u32), baseline: (u32, u32)| {
        let runs = [baseline, own].map(|(tokens, prefix)| vec![(tokens, prefix, [0, 0])]);
        compared(0.0, &[runs.into()]).strategies[1].break_even
    };
    assert_eq!(break_even((600, 100), (1_000, 800)), BreakEven::Above(300.0 / 700.0));
    assert_eq!(break_even((600, 500), (1_000, 800)), BreakEven::Always);
    assert_eq!(break_even((1_100, 100), (1_000, 800)), BreakEven::Never);
    assert_eq!(break_even((1_100, 1_000), (1_000, 800)), BreakEven::Below(0.5));
    assert_eq!(break_even((5, 1), (5, 1)), BreakEven::Unknown);
}

#[test]
fn only_what_is_beaten_in_both_is_not_efficient() {
    let run = [(10, [2, 0]), (5, [1, 1]), (6, [1, 1]), (5, [1, 1])];
    let mut run: Vec<_> = run.map(|(tokens, evidence)| vec![(tokens, 0, evidence)]).into();
    run.push(Vec::new());
    let efficient = compared(0.0, &[run]).strategies.iter().map(|one| one.is_efficient).collect::<Vec<_>>();
    assert_eq!(efficient, [true, true, false, true, false]);
}

#[test]
fn ranks_are_numbers_of_the_list() {
    let spread = |tokens: &[u32]| {
        let runs: Vec<_> = tokens.iter().map(|&tokens| vec![sizes(&[tokens])]).collect();
        let spread = compared(0.0, &runs).strategies[0].request_tokens;
        spread.map(|spread| [spread.median, spread.p90, spread.worst])
    };
    assert_eq!(spread(&[]), None);
    assert_eq!(spread(&[7]), Some([7, 7, 7]));
    assert_eq!(spread(&[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]), Some([5, 9, 10]));
    assert_eq!(spread(&[5, 5, 5, 2, 0]), Some([5, 5, 5]));
    assert_eq!(spread(&[0, 0, 0, 0, 9]), Some([0, 9, 9]));
}

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

/// The agreement of halves of forty runs, whose tokens under both strategies are given by their number.
fn agreement(min_saving: f64, tokens: impl Fn(u32) -> [u32; 2]) -> Option<f64> {
    let mut runs: Vec<_> =
        (0..40).map(|number| tokens(number).map(|tokens| sizes(&[tokens])).into()).collect();
    let agreement = compared(min_saving, &runs).agreement;
    let back = compared_in(min_saving, runs.iter().enumerate().rev()).agreement;
    assert_eq!(agreement, back, "the name of a run decides to which halves it belongs");
    runs.truncate(1);
    assert_eq!(compared(min_saving, &runs).agreement, None, "one run has no halves");
    agreement
}

/// Half of the runs save a hundredth, the others cost a hundredth more.
#[test]
fn halves_agree_on_savings_that_are_too_small() {
    let tokens = |number| [100, 99 + number % 2 * 2];
    assert_eq!(agreement(0.02, tokens), Some(1.0));
    assert!(agreement(0.0, tokens).is_some_and(|agreement| agreement < 0.9));
}

#[test]
fn halves_agree_where_every_run_says_the_same() {
    assert_eq!(agreement(0.0, |_| [100, 90]), Some(1.0));
    let torn = agreement(0.0, |number| [100, 90 + number % 2 * 20]).unwrap();
    assert!((0.1..0.9).contains(&torn), "{torn}");
}

#[test]
fn amounts_have_the_digits_that_matter() {
    let mut comparison = crate::reports::comparison(&measured(&results()));
    for (amount, text) in [
        ("0.00523", "$0.0052"),
        ("0.4517", "$0.452"),
        ("12.345", "$12.35"),
        ("99.999", "$100.00"),
        ("1234.4", "$1,234"),
    ] {
        comparison.strategies[0].costs[0].cost = amount.parse().unwrap();
        let table = Advice::new(&comparison).table(80);
        assert!(table.contains(&format!(" {text} ")), "{text}\n{table}");
    }
}
