//! Properties of every run: the shipped scenarios, replayed in other ways.

use std::path::Path;
use std::sync::LazyLock;

use ptc_eval::agent::feedback::FINAL_TURN;
use ptc_eval::agent::{ProgramTurn, Response};
use ptc_eval::evaluate::{Plan, ReplayedScenario, StrategyRun, replay};
use ptc_eval::report::Gauges;
use ptc_eval::scenario::{Content, JsonOptions, Known, Scenario, Selection, Suite};
use ptc_lisp::print::pr_str;
use ptc_tokens::Tokenizer;

static SCENARIOS: LazyLock<Vec<Scenario>> =
    LazyLock::new(|| SUITE.scenarios(&Selection::default()).unwrap().map(Result::unwrap).collect());
static SUITE: LazyLock<Suite> =
    LazyLock::new(|| Suite::open(Path::new("scenarios"), Known::default()).unwrap());

fn scenarios() -> impl Iterator<Item = Scenario> {
    SCENARIOS.iter().cloned()
}

fn run(scenario: Scenario, strategies: &[String]) -> ReplayedScenario {
    let wanted: Vec<(String, JsonOptions)> =
        strategies.iter().map(|name| (name.clone(), JsonOptions::default())).collect();
    replay(scenario, &Plan::new(&SUITE, &wanted).unwrap(), &words).unwrap()
}

fn words(text: &str) -> u64 {
    text.split_whitespace().count() as u64
}

/// All fields of a turn as text.
fn told(turn: &ProgramTurn) -> String {
    let result = turn.result.as_ref().map(pr_str).map_err(|error| (error.kind, error.message.clone()));
    let memory = turn.memory.iter().map(|definition| {
        (definition.name.name(), pr_str(&definition.value), definition.docstring.clone(), definition.turn)
    });
    let calls = turn.tool_calls.iter().map(|call| (call.name.name(), pr_str(&call.result), call.captured));
    format!(
        "{} {} {:?} {:?} {result:?} {:?} {:?} {:?}",
        turn.number,
        turn.success,
        turn.raw_response,
        turn.program,
        turn.prints,
        calls.collect::<Vec<_>>(),
        memory.collect::<Vec<_>>(),
    )
}

fn turns(result: &ReplayedScenario) -> Vec<String> {
    result.conversation.program_turns().iter().map(told).collect()
}

#[track_caller]
fn assert_same_requests(one: &StrategyRun, other: &StrategyRun, scenario: &str) {
    assert_eq!(one.name, other.name);
    assert_eq!(one.requests.len(), other.requests.len(), "{scenario} under {}", one.name);
    for (one_request, other_request) in one.requests.iter().zip(&other.requests) {
        let place = format!("{scenario} under {}, turn {}", one.name, one_request.turn);
        assert_eq!(one_request.messages, other_request.messages, "{place}");
        assert_eq!(one_request.statistics, other_request.statistics, "{place}");
    }
}

/// The answers stored in a full record.
fn stored_responses(result: &ReplayedScenario, tokenizer: &Tokenizer) -> Vec<Response> {
    let record = result.measure(0, &Gauges { tokenizer, models: &[], logged: None, warm_system: false });
    let stored = serde_json::to_value(&record).unwrap();
    let turns = stored["turns"].as_array().unwrap().iter();
    turns.map(|turn| Response::Text(turn["raw_response"].as_str().unwrap().into())).collect()
}

/// A scenario with other answers. Those of a log stay.
fn with_responses(scenario: &Scenario, responses: Vec<Response>) -> Scenario {
    let mut scenario = scenario.clone();
    if let Content::Script(script) = &mut scenario.content {
        script.responses = responses;
    }
    scenario
}

/// PRE-001, CMP-003, DBG-003, S1-18, S1-25: the answers alone reproduce a run.
#[test]
fn stored_answers_give_the_same_requests_again() {
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    for scenario in scenarios() {
        let first = run(scenario.clone(), &SUITE.strategies);
        let responses = stored_responses(&first, &tokenizer);
        let again = run(with_responses(&scenario, responses), &SUITE.strategies);
        assert_eq!(turns(&first), turns(&again));
        for (one, other) in first.strategies.iter().zip(&again.strategies) {
            assert_same_requests(one, other, &again.scenario.name);
        }
    }
}

/// S2-01, ARC-004: a strategy changes the requests, not the execution, and does not see other strategies.
#[test]
fn a_run_is_the_same_under_every_strategy() {
    for (number, scenario) in scenarios().enumerate() {
        let all = run(scenario.clone(), &SUITE.strategies);
        // Each scenario under some strategies, each strategy in many scenarios.
        for expected in all.strategies.iter().skip(number % 4).step_by(4) {
            let alone = run(scenario.clone(), &[expected.name.to_string()]);
            assert_eq!(turns(&alone), turns(&all));
            assert_same_requests(&alone.strategies[0], expected, &scenario.name);
        }
    }
}

/// ARC-002, S2-02: later turns change no earlier turn and no sent request.
#[test]
fn earlier_turns_stay_as_they_were() {
    for scenario in scenarios() {
        let whole = run(scenario.clone(), &SUITE.strategies);
        // Every length of a short run, about five of a long one.
        let most = scenario.responses().len();
        for length in (0..most).step_by(1 + most / 5) {
            let responses = scenario.responses()[..length].to_vec();
            let part = run(with_responses(&scenario, responses), &SUITE.strategies);
            assert!(turns(&whole).starts_with(&turns(&part)), "{} to turn {length}", scenario.name);
            for (part, whole) in part.strategies.iter().zip(&whole.strategies) {
                let sent = StrategyRun {
                    name: whole.name.clone(),
                    requests: whole.requests[..part.requests.len()].to_vec(),
                    broken: None,
                    stale: None,
                };
                assert_same_requests(part, &sent, &scenario.name);
            }
        }
    }
}

/// ARC-006, S2-04: the count is the number of turns, failed ones included, not of messages. Transcripts have none.
#[test]
fn turns_are_counted_alike_under_every_strategy() {
    for scenario in scenarios() {
        let Some(most) = scenario.script().map(|script| script.agent.max_turns).filter(|most| *most > 1)
        else {
            continue;
        };
        let result = run(scenario, &SUITE.strategies);
        for run in &result.strategies {
            for request in run.requests.iter().filter(|request| request.turn > 1) {
                let expected = match most + 1 - request.turn {
                    1 => [FINAL_TURN.to_string(), FINAL_TURN.to_string()],
                    left => [format!("Turns left: {left}"), format!("Turn {} of {most}", request.turn)],
                };
                let last = request.messages.last().unwrap().content.lines().last().unwrap();
                let place = format!("{} under {}", result.scenario.name, run.name);
                assert!(expected.iter().any(|line| line == last), "{place}: {last}");
            }
        }
    }
}

/// S1-01, S2-26: repeating programs costs most, and the shortest strategy costs least.
#[test]
fn long_runs_cost_least_under_the_shortest_strategy() {
    let scenario = scenarios().find(|scenario| scenario.name == "edge/twelve-turns").unwrap();
    let result = run(scenario, &SUITE.strategies);
    let cost = |run: &StrategyRun| -> u64 {
        let messages = run.requests.iter().flat_map(|request| &request.messages);
        messages.map(|message| words(&message.content)).sum()
    };
    let of = |name: &str| cost(result.strategies.iter().find(|run| run.name == name).unwrap());
    assert!(of("single-user-coalesced") < of("full-history"));
    for run in result.strategies.iter().filter(|run| run.name != "aggressive" && run.name != "trim") {
        assert!(of("aggressive") < cost(run), "{} costs less", run.name);
    }
}
