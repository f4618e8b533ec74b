//! The comparison of strategies, from runs with made-up numbers.

use ptc_eval::compression::{Kind, Severity};
use ptc_eval::measure::evidence::Evidence;
use ptc_eval::measure::{MeasuredCall, MeasuredRequest, MeasuredRun, TextSample};
use ptc_eval::report::changes::NumberChange;
use ptc_eval::report::comparison::BreakEven;
use ptc_eval::report::fingerprint::Fingerprint;
use ptc_eval::report::{
    Advice, Billed, Bounds, Candidate, Change, Comparison, Header, Rounds, Rule, ScenarioRecord, Standing,
    StrategySetting, Tally,
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
    let change = |header: &mut Header| {
        header.tolerance.min_saving = min_saving;
        header.limited = limited.iter().map(ToString::to_string).collect();
    };
    tallied_with(change, runs, opening)
}

/// Runs with a changed header.
fn tallied_with<'r>(
    change: impl Fn(&mut Header),
    runs: impl Iterator<Item = (usize, &'r Vec<Vec<Numbers>>)> + Clone,
    opening: impl Fn(usize) -> Option<Fingerprint>,
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
    let tolerance = Tolerance { max_short: 0.05, ..Tolerance::default() };
    let (strategies_of, baseline) = (strategies.clone(), "0".to_owned());
    let mut header = Header { strategies: strategies_of, baseline, tolerance, ..Header::default() };
    change(&mut header);
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
    Standing { cost, needing: 20, short }
}

/// A strategy that can be recommended and changes nothing.
const ALIKE: Candidate =
    Candidate { is_complete: true, change: Change { rewrites_calls: false, most_turns: 100, tail: 0 } };

fn bounds(max_short: f64, min_saving: f64) -> Bounds {
    Bounds::new(Tolerance { max_short, min_saving, ..Tolerance::default() }, "full-history")
}

/// What an agent really sent was enough for its answers, however many of them are short.
#[test]
fn short_answers_of_what_was_sent_are_forgiven() {
    let choose = |baseline: &str, standings: &[Standing]| {
        let bounds =
            Bounds::new(Tolerance { max_short: 0.05, min_saving: 0.02, ..Tolerance::default() }, baseline);
        Rule { bounds, baseline: 0, candidates: &[ALIKE; 3] }.choose_strategy(standings)
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
    assert_eq!(rule(0.0).choose_strategy(&standings), Some(1));
    assert_eq!(rule(0.049).choose_strategy(&standings), Some(1));
    assert_eq!(rule(0.05).choose_strategy(&standings), Some(0));
    assert_eq!(rule(0.1).choose_strategy(&standings), Some(2));
    assert_eq!(rule(0.0).choose_strategy(&[standing(5, 0), standing(5, 0), standing(5, 0)]), Some(1));
    assert_eq!(rule(0.0).choose_strategy(&[standing(5, 1); 4]), None);
}

#[test]
fn a_strategy_that_saves_too_little_is_not_chosen() {
    let choose = |min_saving, standings: [Standing; 3]| {
        Rule { bounds: bounds(0.05, min_saving), baseline: 0, candidates: &[ALIKE; 3] }
            .choose_strategy(&standings)
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
    let change = |rewrites_calls, tail| Change { rewrites_calls, most_turns: 100, tail };
    let choose = |changes: &[Change; 3], costs: [u128; 3]| {
        let candidates = changes.map(|change| Candidate { change, ..ALIKE });
        let rule = Rule { bounds: bounds(0.05, 0.02), baseline: 0, candidates: &candidates };
        rule.choose_strategy(&costs.map(|cost| standing(cost, 0)))
    };
    let native_second = [change(false, 9), change(true, 5), change(false, 9)];
    assert_eq!(choose(&native_second, [1_000, 900, 910]), Some(2), "it keeps native messages");
    assert_eq!(choose(&native_second, [1_000, 900, 911]), Some(1), "it costs more than a point more");
    assert_eq!(choose(&native_second, [1_000, 975, 985]), Some(1), "the other one saves too little");
    let tails = [change(false, 9), change(false, 7), change(false, 6)];
    assert_eq!(choose(&tails, [1_000, 900, 905]), Some(2), "its longest runs cost less");
    assert_eq!(choose(&[ALIKE.change; 3], [1_000, 905, 900]), Some(2));
    let turns = [115, 230].map(|most_turns| Change { most_turns, ..change(false, 9) });
    assert_eq!(
        choose(&[change(false, 9), turns[0], turns[1]], [1_000, 905, 900]),
        Some(1),
        "it keeps more turns"
    );
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
    let tie = " It is within 1 point of the cheapest and changes less.";
    let tied = sentence(2);
    assert!(tied.starts_with("Try 2: it sends 11.4% fewer tokens than 0") && tied.ends_with(tie), "{tied}");
    let cheapest = sentence(0);
    assert!(cheapest.starts_with("Try 1: it sends 20% fewer tokens than 0"), "{cheapest}");
    assert!(!cheapest.ends_with(tie), "{cheapest}");
}

/// The first sentence and the evidence for the choice by runs of twelve answers. So many answers of each run lack a fact.
fn evidence_for(runs: usize, lacking: impl Fn(usize) -> usize, tokens: impl Fn(usize) -> u32) -> [String; 2] {
    let run = |number: usize| {
        let lacks = |answer: usize| if answer < lacking(number) { [0, 1] } else { [1, 0] };
        vec![sizes(&[100; 12]), (0..12).map(|answer| (tokens(number), 0, lacks(answer))).collect()]
    };
    let runs: Vec<_> = (0..runs).map(run).collect();
    let comparison = compared(0.02, &runs);
    let back = compared_in(0.02, runs.iter().enumerate().rev());
    assert_eq!(
        Advice::new(&comparison).certainty(),
        Advice::new(&back).certainty(),
        "the order does not matter"
    );
    let advice = Advice::new(&comparison);
    [advice.sentence().split(':').next().unwrap().to_owned(), advice.certainty()]
}

/// The exact upper bound of a share, as other programs have it (R: `binom.test`, one-sided): 0 of 120 is 3.03% at 97.5%, 3 of
/// 120 is 7.13%, 3 of 480 is 1.61% at 95%.
#[test]
fn a_small_loss_is_proven_by_its_upper_bound() {
    let none = evidence_for(10, |_| 0, |_| 90);
    let text = "Strong evidence: on other runs like these at most 3% of answers would lack a fact (97.5% confidence).";
    assert_eq!(none, ["Use 1".to_owned(), text.to_owned()]);
    let some = evidence_for(10, |number| usize::from(number < 3), |_| 90);
    let text = "Weak evidence: on other runs up to 7.1% of answers may lack a fact, above the limit (97.5% confidence). \
                About 12 more runs like these 10 would be enough for strong evidence.";
    assert_eq!(some, ["Try 1".to_owned(), text.to_owned()]);
    let more = evidence_for(40, |number| usize::from(number < 3), |_| 90);
    let text = "Strong evidence: on other runs like these at most 1.6% of answers would lack a fact (95% confidence).";
    assert_eq!(more, ["Use 1".to_owned(), text.to_owned()]);
}

/// Losses concentrated in few runs are weaker evidence than the same number spread out.
#[test]
fn losses_of_whole_runs_widen_the_bound() {
    let [scattered, _] = evidence_for(40, |number| usize::from(number < 12), |_| 90);
    assert_eq!(scattered, "Use 1");
    let [together, certainty] = evidence_for(40, |number| if number < 1 { 12 } else { 0 }, |_| 90);
    assert_eq!(together, "Try 1", "{certainty}");
}

/// A saving with an uncertain sign is no reason for a change.
#[test]
fn a_saving_has_to_be_proven_too() {
    let weak = "Weak evidence: other runs may save nothing, or a milder setting of its kind loses too much. Add runs.";
    let torn = evidence_for(40, |_| 0, |number| if number % 8 == 0 { 150 } else { 90 });
    assert_eq!(torn, ["Try 1".to_owned(), weak.to_owned()]);
    assert_eq!(evidence_for(40, |_| 0, |number| if number % 8 == 0 { 93 } else { 90 })[0], "Use 1");
    // It surely saves something, but perhaps less than 2%.
    assert_eq!(evidence_for(40, |_| 0, |number| if number % 8 == 0 { 130 } else { 90 })[0], "Use 1");
}

/// It is proven that the baseline has to be kept if others surely lose too much, or surely save too little.
#[test]
fn a_baseline_is_kept_for_sure() {
    let strong = "Strong evidence: on other runs, too, everything tested saves too little or leaves over 5% of answers without a fact (95% confidence).";
    let [kept, certainty] = evidence_for(40, |_| 3, |_| 90);
    assert_eq!([kept.as_str(), certainty.as_str()], ["Keep 0", strong]);
    assert_eq!(evidence_for(40, |_| 0, |_| 99)[1], strong);
    let [kept, certainty] = evidence_for(40, |number| usize::from(number < 26), |_| 90);
    assert_eq!(kept, "Keep 0");
    assert_eq!(certainty, "Weak evidence: other runs may lead to another choice. Add runs.");
}

/// Runs of one task resemble each other, so many runs of few tasks are weak evidence.
#[test]
fn runs_of_few_tasks_are_weak_evidence() {
    let run = vec![sizes(&[100; 12]), sizes(&[90; 12])];
    let advised = |tasks: u64| {
        let runs: Vec<(usize, &Vec<Vec<Numbers>>)> = (0..40).map(|number| (number, &run)).collect();
        let opening = |number| Some(Fingerprint(number as u64 % tasks));
        let comparison = tallied_by(0.02, runs.into_iter(), (opening, &[])).compare();
        let advice = Advice::new(&comparison);
        assert_eq!(advice.sentence().starts_with("Use"), tasks >= 8);
        advice.certainty()
    };
    assert!(advised(8).starts_with("Strong evidence"), "{}", advised(8));
    assert_eq!(advised(3), "Weak evidence: the runs are of 3 tasks. Log 5 more tasks and run this again.");
    assert_eq!(advised(1), "Weak evidence: all runs are of one task. Log 7 more tasks and run this again.");
}

/// A few runs with most of the answers weigh as much as they would alone.
#[test]
fn large_runs_of_few_tasks_are_weak_evidence() {
    let certainty = |large: usize| {
        let run = |turns: usize| vec![sizes(&vec![100; turns]), sizes(&vec![90; turns])];
        let runs: Vec<_> = (0..40).map(|number| run(if number < large { 200 } else { 4 })).collect();
        Advice::new(&compared_in(0.02, runs.iter().enumerate())).certainty()
    };
    let few = "Weak evidence: few of 40 tasks have most of the answers. Log other tasks and run this again.";
    assert_eq!(certainty(4), few);
    assert!([certainty(0), certainty(9)].iter().all(|text| text.starts_with("Strong evidence")));
}

/// Logs cannot predict the number of turns, so the largest published factor of each kind decides: × 1.15 for
/// masking with 10 turns kept or more, × 2.3 with fewer.
#[test]
fn the_most_turns_in_public_decide() {
    let advised = |tokens: u32, kept: u32, turns: Option<f64>| {
        let run = vec![sizes(&[100; 12]), sizes(&[tokens; 12])];
        let masking = Severity { kind: Kind::Masking, kept: Some(kept) };
        let change = |header: &mut Header| {
            let setting = |severity| StrategySetting { family: String::new(), severity, prompt: None };
            header.settings = vec![setting(None), setting(Some(masking))];
            header.tolerance = Tolerance { max_short: 0.05, min_saving: 0.02, turns, takes_any_kind: true };
        };
        let runs = vec![run; 40];
        let comparison = tallied_with(change, runs.iter().enumerate(), |_| None).compare();
        Advice::new(&comparison).sentence()
    };
    let public = "if the agent takes 1.15 times the turns, the most published for masking at each turn with 10 turns or more kept";
    let used = advised(85, 10, None);
    let text = format!("Use 1: it sends 15% fewer tokens than 0 (2.2% fewer tokens {public}).");
    assert!(used.starts_with(&text), "{used}");
    let text = format!(
        "Keep 0: 1 saves 14% at the same turns, but sends 1.1% fewer tokens {public} (if you measured yours: --turns)."
    );
    assert_eq!(advised(86, 10, None), text);
    let kept = advised(85, 9, None);
    assert!(
        kept.contains(
            "but sends 95.5% more tokens if the agent takes 2.3 times the turns, the most published for masking at each turn ("
        ),
        "{kept}"
    );
    assert!(
        advised(42, 9, None).starts_with("Use 1: it sends 58% fewer tokens than 0 (3.4% fewer tokens if")
    );
    // A pair of runs that the user measured replaces the range.
    assert!(advised(86, 9, Some(1.1)).starts_with(
        "Use 1: it sends 14% fewer tokens than 0 (5.4% fewer tokens if the agent takes 1.1 times"
    ));
}

/// Each family is walked from mild to aggressive. A bold setting that was only lucky is not taken, since a milder one failed.
#[test]
fn a_walk_stops_at_the_first_setting_that_fails() {
    let setting = |kept: u32| StrategySetting {
        family: "mask".to_owned(),
        severity: Some(Severity { kind: Kind::Masking, kept: Some(kept) }),
        prompt: None,
    };
    let walked = |losses: [usize; 3], takes_any_kind: bool| {
        let run = |number: usize| {
            let strategy = |lacking: usize, tokens: u32| {
                let lacks =
                    move |answer: usize| if number < lacking && answer == 0 { [0, 1] } else { [1, 0] };
                (0..12).map(move |answer| (tokens, 0, lacks(answer))).collect::<Vec<Numbers>>()
            };
            let [mild, middle, bold] = losses;
            vec![sizes(&[100; 12]), strategy(bold, 70), strategy(mild, 90), strategy(middle, 80)]
        };
        let runs: Vec<_> = (0..40).map(run).collect();
        let change = |header: &mut Header| {
            let whole = StrategySetting { family: "whole".to_owned(), severity: None, prompt: None };
            header.settings = vec![whole, setting(2), setting(20), setting(12)];
            header.tolerance.min_saving = 0.02;
            header.tolerance.takes_any_kind = takes_any_kind;
            header.tolerance.turns = Some(1.0);
        };
        let comparison = tallied_with(change, runs.iter().enumerate(), |_| None).compare();
        let advice = Advice::new(&comparison);
        [advice.sentence(), advice.notes().collect::<Vec<_>>().join(" ")]
    };
    assert!(walked([0, 0, 0], true)[0].starts_with("Use 1:"), "all pass");
    let [sentence, notes] = walked([0, 30, 0], true);
    assert!(sentence.starts_with("Use 2: it sends 10% fewer tokens than 0."), "{sentence}");
    assert!(notes.contains("1 saves 30% here, but on other runs up to"), "{notes}");
    // Nothing that keeps so few turns held up in public, so it is not recommended unasked.
    let [sentence, notes] = walked([0, 0, 0], false);
    assert!(sentence.starts_with("Use 3:"), "{sentence}");
    let why = "1 saves 30% at the same turns, but in public, masking at each turn held up with 10 turns kept or more (--max-short 5% allows it).";
    assert!(notes.starts_with(why), "{notes}");
    assert!(notes.contains("In published experiments, masking at each turn changed the solved tasks by −2.0 points (−9.3 to +6.0) in SWE-agent with 20 turns kept; \
        0.0 points (−1.5 to +1.6) in 5 models of SWE-agent with 10 turns kept."), "{notes}");
}

/// The answer to look at lacks a fact under the recommended strategy, else under the cheapest one that keeps tool calls.
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
    let note = "1 costs more from turn 11 on: 3 runs are that long. Add runs of 11 turns or more (3 so far).";
    assert_eq!(advice.notes().next().unwrap(), note);
    assert_eq!(advice.sentence(), "Keep 0: few runs show what 1 costs on longer ones.");
    let enough = with_cliff(5);
    assert_eq!(Advice::new(&enough).recommended.unwrap().name, "1", "five runs show what it costs");
    assert!(Advice::new(&enough).notes().all(|note| !note.contains("that long")));
}

/// A strategy that changed few runs is named as not tested, and holds nothing back.
#[test]
fn a_strategy_that_does_nothing_holds_nothing_back() {
    let run =
        |acts: bool| vec![sizes(&[100; 12]), sizes(&[90; 12]), sizes(&[if acts { 95 } else { 100 }; 12])];
    let advised = |acting: usize| {
        let runs: Vec<_> = (0..40).map(|number| run(number < acting)).collect();
        let comparison = compared_in(0.02, runs.iter().enumerate());
        let advice = Advice::new(&comparison);
        assert!(advice.sentence().starts_with("Use 1"), "{}", advice.sentence());
        advice.notes().find(|note| note.contains("too short to test"))
    };
    assert_eq!(advised(3).unwrap(), "These runs are too short to test 2.");
    assert_eq!(advised(4), None);
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
    let note = "1 has a limit of prints and calls, and changes there: no run is that long. Add runs that reach the limit of 1 (0 so far).";
    assert_eq!(advice.notes().next().unwrap(), note);
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

/// Runs of one request, with their tokens under both strategies and the number of answers that need a fact.
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
        "Nothing to recommend yet: only 9 answers need anything from earlier turns. Cheapest with at most 5% of answers lacking a \
         fact: 1 (-31.0%)."
    );
    let [ten, certainty] = sentences(40, 10, None);
    assert!(ten.starts_with("Try 1: it sends 31% fewer tokens than 0"), "{ten}");
    assert!(certainty.starts_with("Weak evidence: on other runs up to "), "{certainty}");
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
    let one = "Nothing to recommend yet: it is one run. Cheapest with at most 5% of answers lacking a fact: 1 (-10.0%).";
    assert_eq!([sentence.as_str(), remedy.as_str()], [one, "Add runs of other tasks."]);
    assert_eq!(advised(&[(7, &run), (7, &run), (7, &run)])[0], one, "copies are the same run");
    assert!(advised(&[(7, &run), (8, &run)])[0].contains(" 1: it sends"));
}

/// If a tenth of a request has an unknown price, that tenth may decide.
#[test]
fn most_of_what_was_billed_has_to_be_explained() {
    let billed = |counted, billed| sentences(40, 40, Some(Billed { counted, billed }));
    let [sentence, _] = billed(2_400_000, 38_300_000);
    assert_eq!(sentence, "Counted 2.4 M of 38.3 M billed tokens: no recommendation.");
    assert!(billed(899, 1_000)[0].starts_with("Counted 899 of 1,000 billed tokens"));
    assert!(billed(900, 1_000)[0].contains(" 1: it sends"));
    assert!(billed(1_100, 1_000)[0].contains(" 1: it sends"));
    let [sentence, remedy] = billed(2_000, 1_000);
    assert_eq!(sentence, "Counted 2,000 tokens where 1,000 were billed: no recommendation.");
    assert_eq!(remedy, "The agent may have shortened its history without logging it.");
    // Uncounted images come before the remark that too few answers need a fact.
    assert!(sentences(40, 0, Some(Billed { counted: 1, billed: 3 }))[0].starts_with("Counted "));
}

/// Copies count in the sums, which are the cost of the runs, but only once in the recommendation and its
/// evidence.
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
    assert_eq!(comparison.proof, distinct.proof);
    let notes: Vec<String> = Advice::new(&comparison).notes().collect();
    assert_eq!(notes, ["2 runs equal others and count once, such as run-0."]);
}

/// A model's own words have a column in reports, and none on a terminal.
#[test]
fn a_terminal_has_one_column_of_short_answers() {
    let run = vec![sizes(&[100; 12]), sizes(&[90; 12])];
    let mut comparison = compared_in(0.02, [(0, &run), (1, &run)].into_iter());
    comparison.strategies[1].sums.answers.own_short = 2;
    for columns in [30, 40, 59, 80] {
        let table = Advice::new(&comparison).table(columns);
        assert_eq!(table.matches("missing a fact").count(), 1, "{columns}\n{table}");
    }
}

#[test]
fn a_strategy_without_requests_has_no_cost() {
    let whole = vec![sizes(&[100; 12]), sizes(&[90; 12]), Vec::new()];
    let runs: Vec<_> = (0..2).map(|_| whole.clone()).collect();
    let comparison = compared(0.02, &runs);
    let advice = Advice::new(&comparison);
    assert!(advice.sentence().contains(" 1: it sends"));
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

/// Summaries before the turns 3, 5, 6 and 8: one before two answers, two and three before three, four before the rest.
#[test]
fn answers_are_counted_by_the_summaries_before_them() {
    let sample = measured(&results()).remove(0).strategies[0].requests[0].clone();
    let request = |turn: u32| MeasuredRequest {
        turn,
        evidence: Evidence { shown: u32::from(turn < 8), gone: u32::from(turn >= 8), ..Evidence::default() },
        ..sample.clone()
    };
    let call = |turn: u32| MeasuredCall { turn, input_tokens: 9, output_tokens: 9, bills: Vec::new() };
    let mut rounds = Rounds::default();
    rounds.add_run(&MeasuredRun {
        requests: (1..=10).map(request).collect(),
        calls: [3, 5, 6, 8].map(call).to_vec(),
        ..MeasuredRun::default()
    });
    assert_eq!((rounds.needing, rounds.short), ([2, 3, 3, 0], [0, 0, 3, 0]));
}

/// A share of a negative number has the wrong sign, so there is none.
#[test]
fn a_change_from_a_negative_number_has_no_share() {
    let change = |before: &str, now: &str| {
        let [before, now] = [before, now].map(str::to_owned);
        NumberChange { metric: "growth".to_owned(), before, now }.share()
    };
    assert_eq!(change("-0.0096", "-0.1215"), None);
    assert_eq!(change("0", "3"), None);
    assert_eq!(change("2", "3"), Some(0.5));
}
