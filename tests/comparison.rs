//! The comparison of strategies, from runs with made-up numbers.

use ptc_eval::measure::evidence::{Evidence, EvidenceItem, EvidenceKind, Grade};
use ptc_eval::measure::forecast::Forecast;
use ptc_eval::measure::{MeasuredRequest, MeasuredRun, TextSample};
use ptc_eval::report::comparison::BreakEven;
use ptc_eval::report::fingerprint::Fingerprint;
use ptc_eval::report::{
    Advice, Billed, Bounds, Candidate, Change, Comparison, Header, Rule, ScenarioRecord, Standing, Tally,
};
use ptc_eval::scenario::suite::Tolerance;

use crate::reports::{measured, results};

/// Input tokens and prefix of a request, and its evidence: how much is shown and how much gone.
type Numbers = (u32, u32, [u32; 2]);

/// Runs, each under every strategy, with these requests; the first strategy is the baseline.
fn compared(min_saving: f64, runs: &[Vec<Vec<Numbers>>]) -> Comparison {
    compared_in(min_saving, runs.iter().enumerate())
}

/// Runs with their numbers, in any order. Those with the same number are equal.
fn compared_in<'r>(
    min_saving: f64,
    runs: impl Iterator<Item = (usize, &'r Vec<Vec<Numbers>>)> + Clone,
) -> Comparison {
    tallied(min_saving, runs).compare()
}

fn tallied<'r>(min_saving: f64, runs: impl Iterator<Item = (usize, &'r Vec<Vec<Numbers>>)> + Clone) -> Tally {
    tallied_by(min_saving, runs, (|_| None, &[]))
}

/// The same with the openings of the runs, and the strategies with a limit.
fn tallied_by<'r>(
    min_saving: f64,
    runs: impl Iterator<Item = (usize, &'r Vec<Vec<Numbers>>)> + Clone,
    (opening, limited): (impl Fn(usize) -> Option<Fingerprint>, &[&str]),
) -> Tally {
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
    let tolerance = Tolerance { max_short: 0.05, min_saving, rework: None };
    let header = Header {
        strategies: strategies.clone(),
        baseline: "0".to_owned(),
        limited: limited.iter().map(ToString::to_string).collect(),
        tolerance,
        ..Header::default()
    };
    let mut tally = Tally::new(header);
    for (number, run) in runs {
        let runs = strategies.iter().zip(run).map(|(name, requests)| MeasuredRun {
            name: name.into(),
            requests: (1..).zip(requests).map(request).collect(),
            ..MeasuredRun::default()
        });
        let name = format!("run-{number}");
        tally.add(&ScenarioRecord {
            name,
            strategies: runs.collect(),
            fingerprint: Some(Fingerprint(number as u64)),
            failures: Vec::new(),
            opening: opening(number),
            ..sample.clone()
        });
    }
    tally
}

/// Requests of these sizes.
fn sizes(tokens: &[u32]) -> Vec<Numbers> {
    tokens.iter().map(|&tokens| (tokens, 0, [1, 0])).collect()
}

/// Sums over scenarios are those with the first, the second and the third text of each.
#[test]
fn scenarios_with_fewer_texts_begin_again_with_their_first() {
    let header =
        Header { strategies: vec!["own".to_owned()], baseline: "own".to_owned(), ..Header::default() };
    let mut tally = Tally::new(header);
    let sample = measured(&results()).remove(0);
    for (number, shorts) in [vec![0, 2, 1], vec![0, 3], Vec::new()].into_iter().enumerate() {
        let samples = shorts.into_iter().map(|short| TextSample { short, costs: Vec::new() });
        let run = MeasuredRun { name: "own".into(), samples: samples.collect(), ..MeasuredRun::default() };
        let name = format!("run-{number}");
        tally.add(&ScenarioRecord { name, strategies: vec![run], ..sample.clone() });
    }
    let spread = tally.compare().strategies[0].text_spread().unwrap();
    assert_eq!((spread.texts, spread.short.least, spread.short.median, spread.short.most), (3, 0, 1, 5));
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
    Standing { cost, needing: 20, short, rework: 0 }
}

/// A strategy that can be recommended and changes nothing.
const ALIKE: Candidate = Candidate { is_complete: true, change: Change { rewrites_calls: false, tail: 0 } };

fn bounds(max_short: f64, min_saving: f64) -> Bounds {
    Bounds::new(Tolerance { max_short, min_saving, rework: None }, "full-history")
}

/// What an agent really sent was enough for its answers, however many of them are short.
#[test]
fn short_answers_of_what_was_sent_are_forgiven() {
    let choose = |baseline: &str, standings: &[Standing]| {
        let bounds = Bounds::new(Tolerance { max_short: 0.05, min_saving: 0.02, rework: None }, baseline);
        Rule { bounds, baseline: 0, candidates: &[ALIKE; 3] }.choose(standings)
    };
    let dearer = [standing(100, 3), standing(170, 0), standing(160, 3)];
    assert_eq!(choose("as-recorded", &dearer), Some(0));
    assert_eq!(choose("full-history", &dearer), Some(1), "three of twenty are short");
    let cheaper = [standing(100, 3), standing(80, 4), standing(70, 5)];
    assert_eq!(choose("as-recorded", &cheaper), Some(1), "one more may be short");
}

#[test]
fn the_cheapest_tolerable_strategy_is_chosen() {
    let rule = |max_short| Rule {
        bounds: bounds(max_short, 0.0),
        baseline: 1,
        candidates: &[ALIKE, ALIKE, ALIKE, Candidate { is_complete: false, ..ALIKE }],
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
        Rule { bounds: bounds(0.05, min_saving), baseline: 0, candidates: &[ALIKE; 3] }.choose(&standings)
    };
    let standings = [standing(1_000, 0), standing(981, 0), standing(980, 0)];
    assert_eq!(choose(0.02, standings), Some(2));
    assert_eq!(choose(0.021, standings), Some(0));
    // A baseline that leaves too many answers short is no choice.
    assert_eq!(choose(0.02, [standing(1_000, 2), standing(1_200, 0), standing(1_100, 1)]), Some(2));
    assert_eq!(choose(0.0, [standing(0, 0); 3]), Some(0));
}

/// Of strategies within a point of the baseline's cost the one that changes least is chosen.
#[test]
fn what_costs_the_same_is_one_choice() {
    let change = |rewrites_calls, tail| Change { rewrites_calls, tail };
    let choose = |changes: &[Change; 3], costs: [u128; 3]| {
        let candidates = changes.map(|change| Candidate { change, ..ALIKE });
        let rule = Rule { bounds: bounds(0.05, 0.02), baseline: 0, candidates: &candidates };
        rule.choose(&costs.map(|cost| standing(cost, 0)))
    };
    let native_second = [change(false, 9), change(true, 5), change(false, 9)];
    assert_eq!(choose(&native_second, [1_000, 900, 910]), Some(2), "it keeps native messages");
    assert_eq!(choose(&native_second, [1_000, 900, 911]), Some(1), "it costs more than a point more");
    assert_eq!(choose(&native_second, [1_000, 975, 985]), Some(1), "the other one saves too little");
    let tails = [change(false, 9), change(false, 7), change(false, 6)];
    assert_eq!(choose(&tails, [1_000, 900, 905]), Some(2), "its longest runs cost less");
    assert_eq!(choose(&[ALIKE.change; 3], [1_000, 905, 900]), Some(2));
}

/// The second strategy costs a little more in all and less on the longest runs.
#[test]
fn a_choice_that_is_not_the_cheapest_says_so() {
    let short = vec![sizes(&[100; 2]), sizes(&[80; 2]), sizes(&[85; 2])];
    let long = vec![sizes(&[100; 12]), sizes(&[100; 12]), sizes(&[94; 12])];
    let sentence = |long_runs: usize| {
        let runs = (0..20).map(|number| (number, if number < long_runs { &long } else { &short }));
        Advice::new(&compared_in(0.02, runs)).sentence()
    };
    let tied = "Try 2: it is within 1 point of the cheapest strategy with at most 5% of answers short, and changes less.";
    assert_eq!(sentence(2), tied);
    assert_eq!(sentence(0), "Use 1: the cheapest strategy with at most 5% of answers short.");
    assert_eq!(sentence(15), "Use 2: the cheapest strategy with at most 5% of answers short.");
}

/// The confidence in a choice by forty runs, whose tokens under both strategies are given by their number.
fn confidence(min_saving: f64, tokens: impl Fn(u32) -> [u32; 2]) -> Option<f64> {
    let mut runs: Vec<_> =
        (0..40).map(|number| tokens(number).map(|tokens| sizes(&[tokens])).into()).collect();
    let confidence = compared(min_saving, &runs).confidence;
    let back = compared_in(min_saving, runs.iter().enumerate().rev()).confidence;
    assert_eq!(confidence, back, "the task of a run decides to which halves it belongs");
    runs.truncate(1);
    assert_eq!(compared(min_saving, &runs).confidence, None, "one run has no halves");
    confidence
}

/// Half of the runs save a hundredth, the others cost a hundredth more: no choice costs much.
#[test]
fn choices_that_cost_about_the_same_are_sure() {
    assert_eq!(confidence(0.02, |number| [1_000, 990 + number % 2 * 20]), Some(1.0));
    assert_eq!(confidence(0.0, |number| [1_000, 995 + number % 2 * 10]), Some(1.0));
}

#[test]
fn choices_are_sure_where_every_run_says_the_same() {
    assert_eq!(confidence(0.0, |_| [100, 90]), Some(1.0));
    let torn = confidence(0.0, |number| [100, 60 + number % 2 * 80]).unwrap();
    assert!((0.1..0.9).contains(&torn), "{torn}");
    // Two of forty runs make it dear, and half of the halves do not see them.
    let rare = confidence(0.02, |number| if number < 2 { [100, 400] } else { [100, 90] }).unwrap();
    assert!(rare < 0.95, "{rare}");
}

/// Runs of one task are on the same side of every split, so many runs of few tasks are not sure.
#[test]
fn runs_of_one_task_stay_together() {
    let run = vec![sizes(&[100; 12]), sizes(&[90; 12])];
    let advised = |tasks: u64| {
        let runs: Vec<(usize, &Vec<Vec<Numbers>>)> = (0..40).map(|number| (number, &run)).collect();
        let opening = |number| Some(Fingerprint(number as u64 % tasks));
        let comparison = tallied_by(0.02, runs.into_iter(), (opening, &[])).compare();
        let advice = Advice::new(&comparison);
        [advice.sentence(), advice.certainty()]
    };
    let choice = "1: the cheapest strategy with at most 5% of answers short.";
    let sure = "Sure: within 1 point of the best in 100% of resamples.";
    assert_eq!(advised(8), [format!("Use {choice}"), sure.to_owned()]);
    // What is thin is no reason to use it.
    let few = "Thin: within 1 point of the best in 100% of resamples. Add runs of other tasks (3 so far).";
    assert_eq!(advised(3), [format!("Try {choice}"), few.to_owned()]);
    let one = "Thin: all runs are of one task. Add runs of other tasks (1 so far).";
    assert_eq!(advised(1), [format!("Try {choice}"), one.to_owned()]);
}

/// A few runs that have most of the answers say as little as if there were no others.
#[test]
fn large_runs_of_few_tasks_are_not_sure() {
    let certainty = |large: usize| {
        let run = |turns: usize| vec![sizes(&vec![100; turns]), sizes(&vec![90; turns])];
        let runs: Vec<_> = (0..40).map(|number| run(if number < large { 200 } else { 4 })).collect();
        Advice::new(&compared_in(0.02, runs.iter().enumerate())).certainty()
    };
    let few = "Thin: within 1 point of the best in 100% of resamples. Add runs of other tasks: few of 40 have most of the answers.";
    assert_eq!(certainty(4), few);
    let sure = "Sure: within 1 point of the best in 100% of resamples.";
    assert_eq!([certainty(0), certainty(9)], [sure, sure]);
}

/// The short answer to look at is one of the recommended strategy, else of the cheapest one that keeps tool calls.
#[test]
fn a_short_answer_is_of_the_recommended_strategy_if_it_has_one() {
    let example = |short_of_recommended: bool, rewrites: bool| {
        let own = |run: usize| if short_of_recommended && run == 5 { [0, 1] } else { [1, 0] };
        let run = |run: usize| {
            let recommended = (90, 0, own(run));
            let others = [50, 60].map(|tokens| vec![(tokens, 0, [0, 1]); 12]);
            let [cheapest, other] = others;
            vec![sizes(&[100; 12]), [vec![recommended], sizes(&[90; 11])].concat(), cheapest, other]
        };
        let runs: Vec<_> = (0..40).map(run).collect();
        let mut comparison = compared(0.02, &runs);
        comparison.strategies[2].sums.rewrites_calls = rewrites;
        let advice = Advice::new(&comparison);
        assert_eq!(advice.recommended.unwrap().name, "1");
        let (scenario, turn, strategy) = advice.example().unwrap();
        format!("{scenario}@{turn} {strategy}")
    };
    assert_eq!(example(true, false), "run-5@1 1");
    assert_eq!(example(false, false), "run-0@1 2");
    assert_eq!(example(false, true), "run-0@1 3");
}

/// Runs of these lengths; the strategy saves a tenth, but later turns cost double.
fn with_cliff(long: usize) -> Comparison {
    let short = vec![sizes(&[100; 10]), sizes(&[90; 10])];
    let dear: Vec<u32> = [90; 10].into_iter().chain([200; 5]).collect();
    let long_run = vec![sizes(&[100; 15]), sizes(&dear)];
    let runs = (0..40).map(|number| (number, if number < long { &long_run } else { &short }));
    compared_in(0.02, runs)
}

/// What few runs show of a strategy is no reason to choose it.
#[test]
fn a_strategy_that_costs_more_later_needs_long_runs() {
    let comparison = with_cliff(3);
    let advice = Advice::new(&comparison);
    assert_eq!(advice.recommended.unwrap().name, "0");
    assert_eq!(advice.notes().next().unwrap(), "1 costs more from turn 11 on: 3 runs are that long.");
    assert_eq!(advice.sentence(), "Keep 0: few runs show what 1 costs on longer ones.");
    // The strategy is the cheapest on these runs, so nobody knows that keeping the baseline costs no more.
    let thin =
        "Thin: within 1 point of the best in 100% of resamples. Add runs of 11 turns or more (3 so far).";
    assert_eq!(advice.certainty(), thin);
    let enough = with_cliff(5);
    assert_eq!(Advice::new(&enough).recommended.unwrap().name, "1", "five runs show what it costs");
    assert_eq!(Advice::new(&enough).notes().count(), 0);
}

/// Three of forty runs are long, and their last turns would fetch again so many tokens a run. Requests cost the same at all turns.
fn fetching_later(rework: bool, tokens: u64) -> Comparison {
    let sample = measured(&results()).remove(0);
    let run = |name: &str, turns: u32, input_tokens: u32| {
        let is_late = |turn: u32| name == "short" && turn > 10;
        let request = |turn: u32| MeasuredRequest {
            turn,
            input_tokens,
            evidence: match is_late(turn) {
                true => lacking(),
                false => Evidence { shown: 1, ..Evidence::default() },
            },
            bills: Vec::new(),
            valid: true,
            ..sample.strategies[0].requests[0].clone()
        };
        let fetched = if is_late(turns) { tokens } else { 0 };
        MeasuredRun {
            name: name.into(),
            requests: (1..=turns).map(request).collect(),
            forecast: Forecast {
                fetching: u64::from(turns.saturating_sub(10)),
                input_tokens: fetched,
                ..Forecast::default()
            },
            ..MeasuredRun::default()
        }
    };
    let mut tally = of_two(rework);
    for number in 0..40 {
        let turns = if number < 3 { 15 } else { 10 };
        let strategies = vec![run("whole", turns, 100), run("short", turns, 90)];
        let fingerprint = Some(Fingerprint(number));
        let (name, failures) = (format!("run-{number}"), Vec::new());
        tally.add(&ScenarioRecord {
            name,
            strategies,
            fingerprint,
            failures,
            opening: None,
            ..sample.clone()
        });
    }
    tally.compare()
}

/// Sums of `short` and of the baseline `whole`.
fn of_two(rework: bool) -> Tally {
    Tally::new(Header {
        strategies: vec!["whole".to_owned(), "short".to_owned()],
        baseline: "whole".to_owned(),
        tolerance: Tolerance { max_short: 0.05, min_saving: 0.02, rework: Some(rework) },
        ..Header::default()
    })
}

fn lacking() -> Evidence {
    let item = EvidenceItem {
        what: "x_1".into(),
        kind: EvidenceKind::Used,
        grade: Grade::Gone,
        turn: Some(1),
        more_lines: 0,
    };
    Evidence { gone: 1, lost: vec![item], ..Evidence::default() }
}

/// Rework that only the last turns of few runs cause is a cliff, as dearer requests are.
#[test]
fn a_strategy_that_fetches_more_later_needs_long_runs() {
    let advised = |rework: bool, tokens: u64| {
        let comparison = fetching_later(rework, tokens);
        let advice = Advice::new(&comparison);
        let notes: Vec<String> = advice.notes().filter(|note| note.contains("turn")).collect();
        (advice.recommended.unwrap().name.clone(), notes.concat(), advice.certainty())
    };
    let (name, note, certainty) = advised(true, 3_000);
    assert_eq!(name, "whole");
    assert_eq!(note, "short costs more from turn 11 on: 3 runs are that long.");
    assert!(certainty.ends_with(" Add runs of 11 turns or more (3 so far)."), "{certainty}");
    assert_eq!(advised(false, 3_000).0, "short", "nobody pays for rework");
    assert_eq!(advised(true, 300).0, "short", "there is little of it");
    // The plot of costs by turn has it too.
    let strategy = &fetching_later(true, 3_000).strategies[1];
    let shares: Vec<f64> = strategy.course.shares.iter().map(|share| share.1).collect();
    assert_eq!((shares[9], shares[10]), (0.9, 1.5));
}

/// A strategy that nobody has seen at work may be the best one on longer runs.
#[test]
fn a_choice_is_not_sure_while_a_strategy_does_nothing() {
    let run =
        |acts: bool| vec![sizes(&[100; 12]), sizes(&[90; 12]), sizes(&[if acts { 95 } else { 100 }; 12])];
    let certainty = |acting: usize, all: usize| {
        let runs: Vec<_> = (0..all).map(|number| run(number < acting)).collect();
        Advice::new(&compared_in(0.02, runs.iter().enumerate())).certainty()
    };
    let thin = "Thin: within 1 point of the best in 100% of resamples. Add longer runs: 2 changes ";
    assert_eq!(certainty(0, 40), format!("{thin}none of 40."));
    assert_eq!(certainty(4, 40), format!("{thin}only 4 of 40."));
    assert_eq!(certainty(5, 40), "Sure: within 1 point of the best in 100% of resamples.");
    assert_eq!(certainty(0, 300), "Sure: within 1 point of the best in 100% of resamples.");
}

/// A limit that few runs reach hides what the strategy costs from there on.
#[test]
fn a_strategy_with_a_limit_needs_runs_that_reach_it() {
    let run = vec![sizes(&[100; 12]), sizes(&[90; 12])];
    let compared = |limited: &[&str]| {
        let runs = (0..40).map(|number| (number, &run));
        let tally = tallied_by(0.02, runs, (|_| None, limited));
        tally.compare()
    };
    assert_eq!(Advice::new(&compared(&[])).recommended.unwrap().name, "1");
    let comparison = compared(&["1"]);
    let advice = Advice::new(&comparison);
    assert_eq!(advice.recommended.unwrap().name, "0");
    let note = "1 has a limit of prints and calls, and changes there: no run is that long.";
    assert_eq!(advice.notes().next().unwrap(), note);
    let thin = "Thin: within 1 point of the best in 100% of resamples. Add runs that reach the limit of 1 (0 so far).";
    assert_eq!(advice.certainty(), thin);
}

/// A strategy that nobody has measured on long runs leaves a choice sure that costs about as little on these. Otherwise the
/// sentence, the note and the runs to add are about the same strategy.
#[test]
fn a_choice_is_sure_beside_a_cliff_only_if_it_costs_as_little() {
    let advised = |cost: u32| {
        let dear = [sizes(&[900; 10]), sizes(&[2_000; 5])].concat();
        let short_run = vec![sizes(&[1_000; 10]), sizes(&[900; 10]), sizes(&[cost; 10])];
        let long_run = vec![sizes(&[1_000; 15]), dear, sizes(&[cost; 15])];
        let runs = (0..40).map(|number| (number, if number < 3 { &long_run } else { &short_run }));
        let comparison = compared_in(0.02, runs);
        let advice = Advice::new(&comparison);
        let told = (advice.sentence(), advice.certainty());
        assert_eq!(advice.notes().next().unwrap(), "1 costs more from turn 11 on: 3 runs are that long.");
        told
    };
    let (sentence, certainty) = advised(944);
    assert_eq!(sentence, "Use 2: the cheapest strategy with at most 5% of answers short.");
    assert_eq!(certainty, "Sure: within 1 point of the best in 100% of resamples.");
    let (_, certainty) = advised(970);
    let thin =
        "Thin: within 1 point of the best in 100% of resamples. Add runs of 11 turns or more (3 so far).";
    assert_eq!(certainty, thin);
    // The other strategy saves too little to be recommended.
    let (sentence, certainty) = advised(995);
    assert_eq!(sentence, "Keep 0: few runs show what 1 costs on longer ones.");
    assert_eq!(certainty, thin);
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

/// Runs of one request, whose tokens under both strategies are given; so many answers need something.
fn sentences(runs: usize, needing: usize, billed: Option<Billed>) -> [String; 2] {
    let evidence = |run: usize| [u32::from(run < needing), 0];
    let run = |run: usize| vec![vec![(100, 0, evidence(run))], vec![(69, 0, evidence(run))]];
    let runs: Vec<_> = (0..runs).map(run).collect();
    let mut tally = tallied(0.02, runs.iter().enumerate());
    tally.billed = billed;
    let comparison = tally.compare();
    let advice = Advice::new(&comparison);
    let is_marked = advice.table(80).contains("\n> ");
    assert_eq!(advice.recommended.is_some(), comparison.too_little.is_none());
    assert_eq!(is_marked, advice.recommended.is_some(), "{}", advice.table(80));
    [advice.sentence(), advice.certainty()]
}

/// A strategy is used only where answers show that it loses nothing.
#[test]
fn nothing_is_recommended_from_too_little() {
    let [none, remedy] = sentences(40, 0, None);
    assert_eq!(
        none,
        "Nothing to recommend yet: no answer needs anything from earlier turns. Cheapest: 1 (-31.0%)."
    );
    assert_eq!(remedy, "A recommendation takes 10 such answers. Add longer runs.");
    let [one, _] = sentences(40, 1, None);
    assert!(one.starts_with("Nothing to recommend yet: only one answer needs anything"), "{one}");
    let [nine, _] = sentences(40, 9, None);
    assert_eq!(
        nine,
        "Nothing to recommend yet: only 9 answers need anything from earlier turns. Cheapest with at most 5% of answers \
         short: 1 (-31.0%)."
    );
    let [ten, certainty] = sentences(40, 10, None);
    assert_eq!(ten, "Use 1: the cheapest strategy with at most 5% of answers short.");
    assert_eq!(certainty, "Sure: within 1 point of the best in 100% of resamples.");
}

#[test]
fn one_run_is_no_recommendation() {
    let run = vec![vec![(100, 0, [1, 0]); 12], vec![(90, 0, [1, 0]); 12]];
    let advised = |runs: &[(usize, &Vec<Vec<Numbers>>)]| {
        let comparison = compared_in(0.02, runs.iter().copied());
        let advice = Advice::new(&comparison);
        [advice.sentence(), advice.certainty()]
    };
    let [sentence, remedy] = advised(&[(0, &run)]);
    let one =
        "Nothing to recommend yet: it is one run. Cheapest with at most 5% of answers short: 1 (-10.0%).";
    assert_eq!([sentence.as_str(), remedy.as_str()], [one, "Add others."]);
    assert_eq!(advised(&[(7, &run), (7, &run), (7, &run)])[0], one, "copies are the same run");
    assert!(advised(&[(7, &run), (8, &run)])[0].contains(" 1: the cheapest"));
}

/// The price of requests of which a tenth is not known may be decided by that tenth.
#[test]
fn most_of_what_was_billed_has_to_be_explained() {
    let billed = |counted, billed| sentences(40, 40, Some(Billed { counted, billed }));
    let [sentence, _] = billed(2_400_000, 38_300_000);
    assert_eq!(sentence, "Counted 2.4 M of 38.3 M billed tokens: no recommendation.");
    assert!(billed(899, 1_000)[0].starts_with("Counted 899 of 1,000 billed tokens"));
    assert!(billed(900, 1_000)[0].contains(" 1: the cheapest"));
    assert!(billed(1_100, 1_000)[0].contains(" 1: the cheapest"));
    let [sentence, remedy] = billed(2_000, 1_000);
    assert_eq!(sentence, "Counted 2,000 tokens where 1,000 were billed: no recommendation.");
    assert_eq!(remedy, "The agent may have shortened its history without a word in the logs.");
    // What was not counted is said before that too few answers need anything.
    assert!(sentences(40, 0, Some(Billed { counted: 1, billed: 3 }))[0].starts_with("Counted "));
}

/// Copies count in the sums, which say what the runs cost, and once in what is recommended and how sure that is.
#[test]
fn equal_runs_are_evidence_once() {
    let cheap = vec![sizes(&[100; 12]), sizes(&[90; 12])];
    let dear = vec![sizes(&[100; 12]), sizes(&[115; 12])];
    let runs = [(0, &cheap), (1, &dear), (0, &cheap), (0, &cheap)];
    let comparison = compared_in(0.02, runs.into_iter());
    assert_eq!((comparison.scenarios, comparison.copies.runs), (4, 2));
    assert_eq!(comparison.strategies[1].sums.input_tokens, 3 * 90 * 12 + 115 * 12);
    assert_eq!(comparison.recommended, Some(0), "the copies alone make it cheaper");
    let distinct = compared_in(0.02, runs[..2].iter().copied());
    assert_eq!(comparison.confidence, distinct.confidence);
    let notes: Vec<String> = Advice::new(&comparison).notes().collect();
    assert_eq!(notes, ["2 runs equal others and count once, such as run-0."]);
}

/// A column says how many short answers lack only what the model itself had said.
#[test]
fn a_table_tells_short_answers_of_own_words() {
    let run = vec![sizes(&[100; 12]), sizes(&[90; 12])];
    let mut comparison = compared_in(0.02, [(0, &run), (1, &run)].into_iter());
    assert!(!Advice::new(&comparison).table(80).contains("own"), "no column of zeros");
    comparison.strategies[1].sums.answers.own_short = 2;
    let advice = Advice::new(&comparison);
    for columns in [30, 40, 59, 80] {
        let table = advice.table(columns);
        let heading = table.lines().find(|line| line.ends_with("own") || line.contains(" own ")).unwrap();
        let column = heading.find("own").unwrap() + 2;
        let row = table.lines().find(|line| line.starts_with("> 1")).unwrap();
        assert_eq!(row.get(column..=column), Some("2"), "{columns}\n{table}");
        assert!(table.contains("\nown: those that lack only the model's own words"), "{table}");
    }
}

#[test]
fn a_strategy_without_requests_has_no_cost() {
    let whole = vec![sizes(&[100; 12]), sizes(&[90; 12]), Vec::new()];
    let runs: Vec<_> = (0..2).map(|_| whole.clone()).collect();
    let comparison = compared(0.02, &runs);
    let advice = Advice::new(&comparison);
    assert!(advice.sentence().contains(" 1: the cheapest"));
    let table = advice.table(80);
    let rows: Vec<&str> = table.lines().skip(2).take(3).collect();
    assert!(rows[0].starts_with("  0 ") && rows[1].starts_with("> 1 "), "{table}");
    assert_eq!(rows[2].split_whitespace().collect::<Vec<_>>(), ["2", "no", "requests", "–", "–"], "{table}");
    // One that lacks some requests is not cheaper than those that have them all.
    let half = vec![sizes(&[100; 12]), sizes(&[100; 12]), Vec::new()];
    let comparison = compared(0.02, &[whole, half]);
    let table = Advice::new(&comparison).table(80);
    assert!(table.lines().nth(4).is_some_and(|last| last.starts_with("  2 ")), "{table}");
}

/// Ten runs under a baseline of 1,000 tokens and a strategy of 900, which would fetch again for so many tokens a run.
fn forgetful(rework: bool, tokens: u64) -> Comparison {
    let sample = measured(&results()).remove(0);
    let request = |input_tokens: u32| MeasuredRequest {
        input_tokens,
        evidence: Evidence { shown: 1, ..Evidence::default() },
        bills: Vec::new(),
        valid: true,
        ..sample.strategies[0].requests[0].clone()
    };
    let run = |name: &str, input_tokens: u32, forecast: Forecast| MeasuredRun {
        name: name.into(),
        requests: (0..10).map(|_| request(input_tokens)).collect(),
        forecast,
        ..MeasuredRun::default()
    };
    let mut tally = of_two(rework);
    for number in 0..10 {
        let forecast = Forecast { fetching: 1, input_tokens: tokens, ..Forecast::default() };
        let strategies = vec![run("whole", 100, Forecast::default()), run("short", 90, forecast)];
        let fingerprint = Some(Fingerprint(number));
        tally.add(&ScenarioRecord { strategies, fingerprint, failures: Vec::new(), ..sample.clone() });
    }
    tally.compare()
}

/// A tenth of the forecast is paid; another choice without it, or with all of it, is told.
#[test]
fn a_tenth_of_the_rework_decides() {
    let advice = |rework: bool, tokens: u64| {
        let comparison = forgetful(rework, tokens);
        let advice = Advice::new(&comparison);
        let notes: Vec<String> = advice.notes().filter(|note| note.starts_with("The choice")).collect();
        (advice.recommended.unwrap().name.clone(), notes.concat())
    };
    let again = "that short answers lack were fetched again.";
    assert_eq!(advice(true, 120), ("short".to_owned(), format!("The choice would be whole if all {again}")));
    assert_eq!(advice(true, 60), ("short".to_owned(), String::new()));
    assert_eq!(
        advice(true, 900),
        ("whole".to_owned(), format!("The choice would be short if nothing {again}"))
    );
    assert_eq!(advice(false, 900), ("short".to_owned(), String::new()));
    assert!(forgetful(false, 900).by_rework.is_none());
}
