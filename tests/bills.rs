//! Requests sized by what a log says was billed: the constant, the factor and the reasoning are found again from bills that
//! were made with them.

use std::fs;

use ptc_eval::evaluate::{Pipeline, Plan};
use ptc_eval::measure::explained::Explained;
use ptc_eval::report::{Gauges, ScenarioRecord};
use ptc_eval::scenario::{JsonOptions, Known, Selection, Suite};
use ptc_tokens::{Price, PriceTable, Tokenizer};
use serde_json::{Value, json};

/// A log with a person's words before every tenth turn, and results of different sizes.
fn log(turns: usize) -> Value {
    let mut messages = vec![json!({"role": "user", "content": "Find the failed order."})];
    for turn in 0..turns {
        let call = json!({"id": format!("c{turn}"), "name": "read", "arguments": {"page": turn}});
        messages.push(
            json!({"role": "assistant", "content": format!("I read page {turn}."), "tool_calls": [call]}),
        );
        let content = format!("page {turn}: order {turn} is fine; ").repeat(20 + 90 * (turn * 7 % 11));
        messages.push(json!({"role": "tool", "call": format!("c{turn}"), "content": content}));
        if turn % 10 == 9 {
            messages.push(json!({"role": "user", "content": "Go on."}));
        }
    }
    json!({ "messages": messages })
}

/// The record of a log under the whole history, and what was billed for it.
fn evaluated(log: &Value, settings: &str) -> (ScenarioRecord, Option<Explained>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.yaml"), settings).unwrap();
    fs::write(folder.path().join("log.transcript.json"), log.to_string()).unwrap();
    let known = Known { prices: PriceTable::built_in().unwrap(), ..Known::default() };
    let suite = Suite::open(folder.path(), known).unwrap();
    let plan = Plan::new(&suite, &[("full-history".to_owned(), JsonOptions::default())]).unwrap();
    let row = "{model: m, date: 2026-11-01, source: s, input: 4, read: 1, output: 10, \
               cache: {breakpoints: {marks: 4, minimum: 1}}}";
    let models: [Price; 1] = [serde_yaml::from_str(row).unwrap()];
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    let gauges = Gauges { tokenizer: &tokenizer, models: &models, warm_system: false };
    let scenario = suite.scenarios(&Selection::default()).unwrap().next().unwrap().unwrap();
    let evaluated = Pipeline::new(&plan, gauges).evaluate(scenario, 0).unwrap();
    (evaluated.record, evaluated.explained)
}

fn input_tokens(record: &ScenarioRecord) -> Vec<u64> {
    record.strategies[0].requests.iter().map(|request| u64::from(request.input_tokens)).collect()
}

/// The log with a bill for each answer: `billed` gives its input and output from the index of the turn, the counted input
/// and the counted output.
fn billed(log: &Value, model: &str, billed: impl Fn(usize, u64, u64) -> (u64, u64)) -> Value {
    let (record, _) = evaluated(log, "");
    let counted = input_tokens(&record);
    let mut log = log.clone();
    let messages = log["messages"].as_array_mut().unwrap().iter_mut();
    let answers = messages.filter(|message| message["role"] == "assistant");
    for (turn, answer) in answers.enumerate() {
        let (input, output) = billed(turn, counted[turn], u64::from(record.output_tokens[turn]));
        answer["usage"] = json!({"model": model, "input_tokens": input, "output_tokens": output});
    }
    log
}

const BILLS: &str = "bills: true\n";

/// Without the key of the suite nothing changes.
#[test]
fn bills_that_are_no_key_of_the_suite_change_nothing() {
    let plain = log(30);
    let billed = billed(&plain, "claude-sonnet-5-5", |_, input, output| (9 * input, output));
    let [(before, _), (after, explained)] = [&plain, &billed].map(|log| evaluated(log, ""));
    assert_eq!(before.strategies, after.strategies);
    assert_eq!(explained, None);
}

/// Bills that equal the counts leave every number as it is.
#[test]
fn exact_bills_change_nothing() {
    let plain = log(30);
    let billed = billed(&plain, "gpt-5.5", |_, input, output| (input, output));
    let (before, _) = evaluated(&plain, "");
    let (after, explained) = evaluated(&billed, BILLS);
    assert_eq!(before.strategies, after.strategies);
    let explained = explained.unwrap();
    assert_eq!((explained.explained, explained.unlogged), (explained.billed, (0, 0)));
    assert_eq!(explained.factors, []);
}

/// Unlogged tokens stand before the conversation and are read from the cache with it.
#[test]
fn a_constant_is_found_again() {
    let billed = billed(&log(30), "gpt-5.5", |_, input, output| (input + 17_412, output));
    let (record, explained) = evaluated(&billed, BILLS);
    let explained = explained.unwrap();
    assert_eq!((explained.explained, explained.unlogged), (explained.billed, (17_412, 17_412)));
    let requests = &record.strategies[0].requests;
    assert_eq!(u64::from(requests[0].input_tokens), billed["messages"][1]["usage"]["input_tokens"]);
    assert_eq!((requests[0].prefix_tokens, requests[0].bills[0].cached_tokens), (0, 0));
    assert_eq!(requests[1].bills[0].cached_tokens, requests[0].input_tokens - 3);
    assert_eq!(requests[1].prefix_tokens, requests[0].input_tokens - 3);
}

/// One bill in ten may be anything.
#[test]
fn a_factor_is_found_again() {
    let billed = billed(&log(60), "claude-sonnet-5-5", |turn, input, output| {
        let input = if turn % 10 == 3 { input / 2 } else { input * 5 / 4 + 20_000 };
        (input, output * 5 / 4)
    });
    let (record, explained) = evaluated(&billed, BILLS);
    let explained = explained.unwrap();
    let [factor] = &explained.factors[..] else { panic!("{:?}", explained.factors) };
    assert_eq!(factor.model, "claude-sonnet-5-5");
    assert!((factor.factor - 1.25).abs() < 0.01, "{factor:?}");
    assert!((19_900..20_100).contains(&explained.unlogged.0), "{:?}", explained.unlogged);
    let mut errors = explained.errors.clone();
    errors.sort_by(f64::total_cmp);
    assert!(errors[errors.len() * 8 / 10] < 0.005, "{errors:?}");
    let sized = input_tokens(&record);
    for (turn, tokens) in sized.iter().enumerate().filter(|(turn, _)| turn % 10 != 3) {
        let of_turn =
            billed["messages"].as_array().unwrap().iter().filter(|one| one["role"] == "assistant").nth(turn);
        let bill = of_turn.unwrap()["usage"]["input_tokens"].as_f64().unwrap();
        assert!((*tokens as f64 / bill - 1.0).abs() < 0.005, "turn {turn}: {tokens} of {bill}");
    }
}

/// Codex drops the reasoning of earlier answers with each message of a person, so that their texts are read from no cache.
#[test]
fn reasoning_is_sent_back_until_the_next_words() {
    let billed = billed(&log(30), "gpt-5.5", |turn, input, output| {
        (input + 1_000 + 200 * (turn as u64 % 10), output + 200)
    });
    let (record, explained) = evaluated(&billed, BILLS);
    let explained = explained.unwrap();
    assert_eq!((explained.explained, explained.unlogged), (explained.billed, (1_000, 1_000)));
    let requests = &record.strategies[0].requests;
    let (last, first) = (&requests[9], &requests[10]);
    assert_eq!(requests[9].prefix_tokens, requests[8].input_tokens - 3);
    // The opening, and what stands before it.
    assert_eq!(first.prefix_tokens, requests[0].input_tokens - 3);
    assert!(first.bills[0].cached_tokens < last.bills[0].cached_tokens);
    assert_eq!(requests[11].prefix_tokens, requests[10].input_tokens - 3);
}

#[test]
fn reasoning_may_be_sent_back_always() {
    let billed = billed(&log(30), "gpt-5.5", |turn, input, output| (input + 200 * turn as u64, output + 200));
    let (record, explained) = evaluated(&billed, BILLS);
    let explained = explained.unwrap();
    assert_eq!((explained.explained, explained.unlogged), (explained.billed, (0, 0)));
    let requests = &record.strategies[0].requests;
    assert_eq!(requests[10].prefix_tokens, requests[9].input_tokens - 3);
    assert!(record.output_tokens.iter().all(|tokens| *tokens > 200));
}

/// A bill says nothing of tokens that only one request has.
#[test]
fn one_request_explains_no_constant() {
    let billed = billed(&log(1), "gpt-5.5", |_, input, output| (input + 9_000, output));
    let (record, explained) = evaluated(&billed, BILLS);
    let explained = explained.unwrap();
    assert_eq!(explained.unlogged, (0, 0));
    assert_eq!(explained.explained, input_tokens(&record)[0]);
}

/// Each stretch between compactions has its own constant.
#[test]
fn compactions_part_the_bills() {
    let mut log = billed(&log(30), "gpt-5.5", |_, input, output| (input + 5_000, output));
    let before = log["messages"].as_array().unwrap().iter().enumerate();
    let answers: Vec<usize> =
        before.filter(|(_, message)| message["role"] == "assistant").map(|(index, _)| index).collect();
    log["compactions"] = json!([{"before": answers[15], "kind": "drop", "removed": []}]);
    for answer in &answers[15..] {
        let tokens = &mut log["messages"][answer]["usage"]["input_tokens"];
        *tokens = (tokens.as_u64().unwrap() + 2_000).into();
    }
    let (record, explained) = evaluated(&log, BILLS);
    let explained = explained.unwrap();
    assert_eq!((explained.explained, explained.unlogged), (explained.billed, (5_000, 7_000)));
    let requests = &record.strategies[0].requests;
    assert_eq!(requests[15].bills[0].cached_tokens, requests[14].input_tokens - 3 + 2_000);
}

/// Other tools, as the provider says it, are other tokens before the conversation.
#[test]
fn changed_tools_part_the_bills() {
    let unlogged = |turn: usize| if turn < 15 { 10_000 } else { 18_000 };
    let mut log = billed(&log(30), "gpt-5.5", |turn, input, output| (input + unlogged(turn), output));
    let (_, silent) = evaluated(&log, BILLS);
    let silent = silent.unwrap();
    assert!(silent.explained < silent.billed);
    let answers = log["messages"].as_array_mut().unwrap().iter_mut();
    let changed = answers.filter(|message| message["role"] == "assistant").nth(15).unwrap();
    changed["usage"]["cache_miss"] = json!("tools_changed");
    let (_, told) = evaluated(&log, BILLS);
    let told = told.unwrap();
    assert_eq!((told.explained, told.unlogged), (told.billed, (10_000, 18_000)));
}
