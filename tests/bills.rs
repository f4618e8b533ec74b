//! Sizes fitted to billed tokens: the constant, the factor and the reasoning rule are recovered from bills
//! made with them.

use std::fs;

use conversation_bills::Explained;
use ptc_eval::evaluate::{Pipeline, Plan};
use ptc_eval::log_bills::models_of_answers;
use ptc_eval::measure::{DatedPrices, LoggedPrices, Tariff};
use ptc_eval::report::{Gauges, ScenarioRecord};
use ptc_eval::scenario::{JsonOptions, Known, Selection, Suite};
use ptc_prices::{Bill, Money, PrefixRule, Price, PriceTable, ReadGrid};
use ptc_tokens::Tokenizer;
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
    let row = "{model: m, date: 2026-11-01, source: s, input: 4, read: 1, output: 10, \
               cache: {breakpoints: {marks: 4, minimum: 1}}}";
    let models: [Price; 1] = [serde_yaml::from_str(row).unwrap()];
    evaluated_with(log, settings, &models, None)
}

fn evaluated_with(
    log: &Value,
    settings: &str,
    models: &[Price],
    logged: Option<&DatedPrices>,
) -> (ScenarioRecord, Option<Explained>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.yaml"), settings).unwrap();
    fs::write(folder.path().join("log.transcript.json"), log.to_string()).unwrap();
    let known = Known { prices: PriceTable::built_in().unwrap(), ..Known::default() };
    let suite = Suite::open(folder.path(), known).unwrap();
    let plan = Plan::new(&suite, &[("full-history".to_owned(), JsonOptions::default())]).unwrap();
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    let gauges = Gauges { tokenizer: &tokenizer, models, logged, warm_system: false };
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

/// Unlogged tokens come before the conversation and are read from the cache with it.
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
    // The opening, and the unlogged tokens before it.
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

/// Tokens of a single request are not visible in a bill.
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

/// After a logged change of tools, the number of tokens before the conversation is fitted again.
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

/// The model of each answer of a log of three days, and the day: one model is asked in the middle alone, and the price of the
/// other one changes after that.
fn answered_by(turn: usize) -> (&'static str, &'static str) {
    match turn {
        0..10 => ("model-a-20251001", "2026-10-01T08:00:00Z"),
        10..20 => ("model-b", "2026-10-02T08:00:00Z"),
        _ => ("model-a", "2026-10-03T08:00:00Z"),
    }
}

/// Input, read, written and output tokens in millionths of a dollar, of the models on their days.
const DATED: &str = "
- {model: model-a, date: 2026-11-01, source: s, input: 4, read: 1, write: 5, output: 10, cache: {breakpoints: {marks: 4, minimum: 1}}}
- {model: model-a, from: 2026-10-03, date: 2026-11-01, source: s, input: 2, read: 0.5, write: 3, output: 8,
   cache: {breakpoints: {marks: 4, minimum: 1}}}
- {model: model-b, date: 2026-11-01, source: s, input: 8, read: 2, write: 9, output: 20, cache: {breakpoints: {marks: 4, minimum: 1}}}
";

fn dated() -> PriceTable {
    let mut table = PriceTable::default();
    table.extend(serde_yaml::from_str(DATED).unwrap()).unwrap();
    table
}

/// Each request costs what its own model costs on its day, and reads only what that model was sent before. So a model that is
/// asked for the first time reads nothing, and one that is asked again reads what it was sent last.
#[test]
fn answers_cost_what_their_models_cost_on_their_days() {
    let mut log = billed(&log(30), "", |_, input, output| (input, output));
    let answers = log["messages"].as_array_mut().unwrap().iter_mut();
    for (turn, answer) in answers.filter(|message| message["role"] == "assistant").enumerate() {
        let (model, time) = answered_by(turn);
        answer["usage"]["model"] = json!(model);
        answer["time"] = json!(time);
    }
    let table = dated();
    let models = [table.rows()[1].clone(), table.rows()[2].clone()];
    let dated = DatedPrices::new(table, None, 0);
    let (record, _) = evaluated_with(&log, "", &models, Some(&dated));
    let rates = |turn: usize| match turn {
        0..10 => [4.0, 1.0, 5.0, 10.0],
        10..20 => [8.0, 2.0, 9.0, 20.0],
        _ => [2.0, 0.5, 3.0, 8.0],
    };
    let requests = &record.strategies[0].requests;
    for (turn, request) in requests.iter().enumerate() {
        let before = match turn {
            0 | 10 => 0,
            20 => requests[9].input_tokens - 3,
            _ => requests[turn - 1].input_tokens - 3,
        };
        let [input, read, write, output] = rates(turn);
        let written = request.input_tokens - 3 - before;
        let [bill, of_one] = &request.bills[..] else { panic!("{turn}: {:?}", request.bills) };
        assert_eq!((bill.cached_tokens, bill.written_tokens), (before, written), "{turn}");
        let cost = 3.0 * input
            + f64::from(before) * read
            + f64::from(written) * write
            + f64::from(request.output_tokens) * output;
        assert!((bill.cost.dollars() * 1e6 - cost).abs() < 1e-3, "{turn}: {:?} {cost}", bill.cost);
        // The other column is that of one model for all.
        let before = if turn == 0 { 0 } else { requests[turn - 1].input_tokens - 3 };
        assert_eq!(of_one.cached_tokens, before, "{turn}");
    }
    let (one, _) = evaluated_with(&log, "", &models, None);
    let cached: Vec<u32> = one.strategies[0].requests.iter().map(|one| one.bills[0].cached_tokens).collect();
    let of_one: Vec<u32> = requests.iter().map(|request| request.bills[1].cached_tokens).collect();
    assert_eq!(cached, of_one);
}

/// Two models with tokenizers of their own: each request is as large as its own model counts it, and where one model counts for
/// all, all are as large as it counts them.
#[test]
fn each_model_has_its_own_tokens() {
    let factor = |turn: usize| if (20..40).contains(&turn) { 1.8 } else { 1.2 };
    let model = |turn: usize| if (20..40).contains(&turn) { "model-b" } else { "model-a" };
    let mut log = billed(&log(60), "", |turn, input, output| {
        ((input as f64 * factor(turn)) as u64 + 5_000, (output as f64 * factor(turn)) as u64)
    });
    let answers = log["messages"].as_array_mut().unwrap().iter_mut();
    let answers = answers.filter(|message| message["role"] == "assistant").enumerate();
    let bills: Vec<f64> = answers
        .map(|(turn, answer)| {
            answer["usage"]["model"] = json!(model(turn));
            answer["usage"]["input_tokens"].as_f64().unwrap()
        })
        .collect();
    let table = dated();
    let models = [table.rows()[1].clone(), table.rows()[2].clone()];
    let dated = DatedPrices::new(table, None, 0);
    let (record, explained) = evaluated_with(&log, BILLS, &models, Some(&dated));
    let factors = explained.unwrap().factors;
    let near = |model: usize, factor: f64| (factors[model].factor - factor).abs() < 0.01;
    assert!(factors.len() == 2 && near(0, 1.2) && near(1, 1.8), "{factors:?}");
    let requests = &record.strategies[0].requests;
    for (turn, (request, bill)) in requests.iter().zip(&bills).enumerate() {
        let sized = f64::from(request.input_tokens) / bill;
        assert!((sized - 1.0).abs() < 0.02, "{turn}: {} of {bill}", request.input_tokens);
    }
    let (one, _) = evaluated_with(&log, BILLS, &models, None);
    for (turn, request) in one.strategies[0].requests.iter().enumerate().skip(21).take(18) {
        let sized = f64::from(request.input_tokens) * 1.5 / bills[turn];
        assert!((sized - 1.0).abs() < 0.05, "{turn}: {} of {}", request.input_tokens, bills[turn]);
    }
    let alike = |column: fn(&[Bill]) -> Bill| {
        requests.iter().map(|one| column(&one.bills).cached_tokens).sum::<u32>()
    };
    assert!(alike(|bills| bills[0]) != alike(|bills| bills[1]));
}

/// A request that reads answers from before the words of a person still has their reasoning.
#[test]
fn reads_deny_that_reasoning_is_dropped() {
    let mut log = billed(&log(30), "gpt-5.5", |turn, input, output| {
        (input + 1_000 + 200 * (turn as u64 % 10), output + 200)
    });
    let mut before = 0;
    for answer in log["messages"].as_array_mut().unwrap().iter_mut().filter(|one| one["role"] == "assistant")
    {
        answer["usage"]["cached_tokens"] = json!(before);
        before = answer["usage"]["input_tokens"].as_u64().unwrap();
    }
    let (record, _) = evaluated(&log, BILLS);
    let requests = &record.strategies[0].requests;
    assert_eq!(requests[10].prefix_tokens, requests[9].input_tokens - 3);
    assert_eq!(requests[10].bills[0].cached_tokens, requests[9].input_tokens - 3);
}

/// Logs that wrote to caches for an hour pay for that, others do not.
#[test]
fn each_log_writes_for_as_long_as_it_did() {
    let row = "- {model: m, date: 2026-11-01, source: s, input: 4, read: 1, write: 5, output: 10, ttl: 5m, \
               long: {ttl: 1h, write: 8}, cache: {breakpoints: {marks: 4, minimum: 1}}}";
    let mut table = PriceTable::default();
    table.extend(serde_yaml::from_str(row).unwrap()).unwrap();
    let first_cost = |written_for_hour: u64| {
        let mut log = billed(&log(3), "m", |_, input, output| (input, output));
        log["messages"][1]["usage"]["cache_write_tokens"] = json!(100);
        log["messages"][1]["usage"]["cache_write_1h_tokens"] = json!(written_for_hour);
        let models = [table.rows()[0].clone()];
        let dated = DatedPrices::new(table.clone(), None, 0);
        let (record, _) = evaluated_with(&log, "", &models, Some(&dated));
        let request = record.strategies[0].requests[0].clone();
        let cost = request.bills[0].cost.dollars() * 1e6;
        let written = f64::from(request.bills[0].written_tokens);
        (cost - 12.0 - f64::from(request.output_tokens) * 10.0) / written
    };
    let [short, long] = [0, 90].map(first_cost);
    assert!((short - 5.0).abs() < 1e-6 && (long - 8.0).abs() < 1e-6, "{short} {long}");
}

/// What was sent costs what was billed, to the unit of money, and a copy of an answer costs nothing again. Every other strategy has the
/// same difference.
#[test]
fn what_was_sent_costs_what_was_billed() {
    let plain = log(20);
    let mut billed = billed(&plain, "gpt-5.5", |_, input, output| (input, output));
    let (mut dollars, mut before) = (0.0, 0.0_f64);
    let answers = billed["messages"].as_array_mut().unwrap().iter_mut();
    for (turn, answer) in answers.filter(|message| message["role"] == "assistant").enumerate() {
        // The log ends before the bill of its last answer.
        if turn == 19 {
            answer.as_object_mut().unwrap().remove("usage");
            continue;
        }
        let usage = &mut answer["usage"];
        let (input, output) =
            (usage["input_tokens"].as_f64().unwrap(), usage["output_tokens"].as_f64().unwrap());
        // The cache was missed at the fifth request, for no reason that the log has.
        let read = if turn == 4 || turn == 0 { 0.0 } else { (before - 100.0).max(0.0) };
        before = input;
        usage["cached_tokens"] = json!(read as u64);
        if turn == 7 {
            usage["copied_from"] = json!("another");
            continue;
        }
        dollars += ((input - read) * 5.0 + read * 0.5 + output * 30.0) / 1e6;
    }
    let models = [PriceTable::built_in().unwrap().find("gpt-5.5", 20_700).unwrap()];
    let table = PriceTable::built_in().unwrap();
    let logged = DatedPrices::new(table.clone(), None, table.day());
    let (record, explained) = evaluated_with(&billed, BILLS, &models, Some(&logged));
    let run = &record.strategies[0];
    let cost: Money = run.requests.iter().map(|request| request.bills[0].cost).sum();
    assert!((cost.dollars() - dollars).abs() < 1e-9, "{} {dollars}", cost.dollars());
    assert_eq!(run.requests[7].bills[0].cost, Money::default());
    assert_eq!(run.requests[19].bills[0].cost, Money::default());
    let input = explained.unwrap().dollars.unwrap();
    // The miss is taken as it was billed.
    assert!((input.predicted / input.billed - 1.0).abs() < 0.02, "{input:?}");
    assert_eq!(input.unbilled_requests, 1);
    assert!(input.unbilled > 0.0);
}

/// Logged reads reveal the step of a cache, and a smaller minimum than the documented one.
#[test]
fn the_grid_of_reads_is_that_of_the_log() {
    let price = PriceTable::built_in().unwrap().find("gpt-5.5", 20_700).unwrap();
    let documented = price.cache.prefix.unwrap();
    let applied = |reads: &[u64]| {
        let grid = ReadGrid::of_reads(reads.iter().copied());
        grid.map(|grid| grid.apply_to(price.clone()).cache.prefix.unwrap())
    };
    let gateway: Vec<u64> = (0..10).map(|number| 1024 + number * number * 128).collect();
    assert_eq!(applied(&gateway), Some(PrefixRule { minimum: Some(1024), step: Some(128) }));
    // One read of ten may stop anywhere.
    assert_eq!(applied(&[&gateway[..], &[1500]].concat()), applied(&gateway));
    let own: Vec<u64> = (0..10).map(|number| 2432 + number * number * 512).collect();
    assert_eq!(applied(&own), Some(documented));
    // Repeated reads reveal no step, and Claude reads any number of tokens.
    assert_eq!(applied(&[4096; 20]), None);
    let claude: Vec<u64> = (1..20).map(|number| 1000 + number * 37).collect();
    assert_eq!(applied(&claude), None);
}

/// A log may lack texts that were sent, and a cache may be read in blocks of another size than documented. Billed sizes show both, so
/// the rules of the cache are confirmed.
#[test]
fn text_missing_from_a_log_is_no_error_of_the_cache() {
    let missing = |turn: usize| if turn < 12 { 500 } else { 40_000 };
    let mut billed = billed(&log(30), "gpt-5.6-sol", |turn, input, output| (input + missing(turn), output));
    let mut before = 0;
    for answer in billed["messages"].as_array_mut().unwrap() {
        if answer["role"] != "assistant" {
            continue;
        }
        let usage = &mut answer["usage"];
        let read = if before < 1_792 { 0 } else { (before - 768) / 1_024 * 1_024 + 768 };
        usage["cached_tokens"] = json!(read);
        before = usage["input_tokens"].as_u64().unwrap();
    }
    let table = PriceTable::built_in().unwrap();
    let models = [table.find("gpt-5.6-sol", 20_700).unwrap()];
    let logged = DatedPrices::new(table.clone(), None, table.day());
    let (_, explained) = evaluated_with(&billed, BILLS, &models, Some(&logged));
    let explained = explained.unwrap();
    assert!(explained.explained < explained.billed * 19 / 20, "{explained:?}");
    let input = explained.dollars.unwrap();
    assert!((input.predicted / input.billed - 1.0).abs() < 0.005, "{input:?}");
}

/// A client that marks the end of each request pays for writing although every entry expires. The prediction takes its marks from the
/// bills, not those that would be best.
#[test]
fn what_a_client_writes_in_vain_is_predicted() {
    let mut billed = billed(&log(20), "claude-sonnet-5-5", |_, input, output| (input, output));
    let messages = billed["messages"].as_array_mut().unwrap();
    let mut minutes = 0;
    for message in messages {
        let is_answer = message["role"] == "assistant";
        minutes += if is_answer { 0 } else { 20 };
        message["time"] = json!(format!("2026-11-20T{:02}:{:02}:00Z", minutes / 60, minutes % 60));
        if is_answer {
            let input = message["usage"]["input_tokens"].clone();
            message["usage"]["cached_tokens"] = json!(0);
            message["usage"]["cache_write_tokens"] = input;
        }
    }
    let table = PriceTable::built_in().unwrap();
    let models = [table.find("claude-sonnet-5-5", 20_700).unwrap()];
    let logged = DatedPrices::new(table.clone(), None, table.day());
    let (_, explained) = evaluated_with(&billed, BILLS, &models, Some(&logged));
    let input = explained.unwrap().dollars.unwrap();
    assert!((input.predicted / input.billed - 1.0).abs() < 0.02, "{input:?}");
}

/// A log without lifetimes of its cache writes proves by its reads how long entries live.
#[test]
fn the_lifetime_of_a_cache_is_that_of_the_log() {
    let prices = || DatedPrices::new(PriceTable::built_in().unwrap(), None, 20_700);
    let lifetime = |minutes: u32, is_read: bool| {
        let usage = |input: u64, read: u64| json!({"model": "claude-sonnet-4-5", "input_tokens": input, "cached_tokens": read, "cache_write_tokens": input - read});
        let time = |minute: u32| format!("2026-05-01T08:{minute:02}:00Z");
        let read = if is_read { 20_000 } else { 0 };
        let transcript: agent_logs::Transcript = serde_json::from_value(json!({"messages": [
            {"role": "user", "content": "Look."},
            {"role": "assistant", "content": "One.", "time": time(0), "duration": 0.0, "usage": usage(20_000, 0)},
            {"role": "user", "content": "And now?"},
            {"role": "assistant", "content": "Two.", "time": time(minutes), "duration": 0.0, "usage": usage(21_000, read)},
        ]}))
        .unwrap();
        let answered_by = models_of_answers(&transcript);
        let otherwise = PriceTable::built_in().unwrap().find("gpt-5.5", 20_700).unwrap();
        let logged = LoggedPrices::of_turns(&answered_by, &prices(), &otherwise).unwrap();
        Tariff::Logged(&logged).price(0, 2).unwrap().ttl.unwrap().seconds()
    };
    assert_eq!(lifetime(20, true), 3600);
    // A miss may have any cause, and both lifetimes allow a short pause.
    assert_eq!(lifetime(20, false), 300);
    assert_eq!(lifetime(4, true), 300);
}
