//! Forecasts of what strategies that did not happen would have fetched again.

use serde_json::{Value, json};

use super::suite::Suite;

/// No cache: $1 for a million tokens of input, $10 for one of output.
const PRICES: &str = "- {model: plain, source: s, input: 1, read: 1, output: 10, date: 2026-11-01}\n";
const SUITE: &str = "strategies: [full-history, last]\nvariants: {last: {strategy: trim, keep_recent_turns: 1}}\nmodels: [plain]\n";

fn call(id: &str, path: &str) -> Value {
    json!({"role": "assistant", "content": "", "tool_calls": [{"id": id, "name": "read", "arguments": {"path": path}}]})
}

fn result(id: &str, content: &str) -> Value {
    json!({"role": "tool", "call": id, "content": content})
}

/// A conversation that begins with these messages, in which `a` to `b` are read then, and the names of `used`.
fn log(first: &[Value], used: &[&str]) -> String {
    let mut messages = vec![json!({"role": "user", "content": "Look at the regions."})];
    messages.extend_from_slice(first);
    for (number, path) in ["other.txt"].iter().chain(used).enumerate() {
        let id = format!("u{number}");
        messages.extend([call(&id, path), result(&id, "nothing")]);
    }
    messages.push(json!({"role": "assistant", "content": "Done."}));
    json!({"name": "log", "messages": messages}).to_string()
}

/// The requests and the forecast of `last`, as the record has them.
fn forecast(suite: &Suite, log: &str) -> (Vec<Value>, Value) {
    forecast_under(suite, SUITE, log)
}

fn forecast_under(suite: &Suite, settings: &str, log: &str) -> (Vec<Value>, Value) {
    suite.write("scenarios/suite.yaml", settings);
    suite.write("scenarios/log.jsonl", log);
    suite.write("prices.yaml", PRICES);
    let ran = suite.run(&["run", "--prices", "prices.yaml", "--format", "full-records", "--quiet"]);
    let first = ran.out.lines().nth(1).unwrap_or_else(|| panic!("{}", ran.err));
    let record: Value = serde_json::from_str(first).unwrap();
    let run = &record["scenario"]["strategies"][1];
    (run["requests"].as_array().unwrap().clone(), run["forecast"].clone())
}

fn told() -> [Value; 2] {
    [call("first", "regions.txt"), result("first", "the region is stg-eu-west-7 and nothing else")]
}

/// The turn before the short answer repeats the request with the call and its result.
#[test]
fn a_short_answer_takes_one_more_turn() {
    let suite = Suite::with(&[]);
    let (requests, forecast) = forecast(&suite, &log(&told(), &["stg-eu-west-7"]));
    let tokenizer = ptc_tokens::Tokenizer::named("o200k_base").unwrap();
    let of_call = tokenizer.count("read {\"path\":\"regions.txt\"}");
    let of_result = tokenizer.count("the region is stg-eu-west-7 and nothing else") + 4;
    let sent = requests[2][2].as_u64().unwrap() as u32;
    // The last request has the turn that fetched it, and so what that fetched.
    let last = &requests[3];
    let (carried, tokens) = (of_call + of_result, sent + of_call + 4 + of_result);
    assert_eq!((&forecast["fetching"], forecast.get("unfetchable")), (&json!(1), Some(&json!(0))));
    assert_eq!(forecast["result_tokens"], json!(of_result));
    assert_eq!(forecast["input_tokens"], json!(tokens + carried), "{last}");
    let dollars = f64::from(tokens + carried) / 1e6 + f64::from(of_call) / 1e5;
    let cost: f64 = forecast["costs"][0].as_str().unwrap().parse().unwrap();
    assert!((cost - dollars).abs() < 1e-9, "{cost} {dollars}");
}

#[test]
fn what_was_fetched_again_stays_as_long_as_its_turn() {
    let suite = Suite::with(&[]);
    let fetching = |used: &[&str]| forecast(&suite, &log(&told(), used)).1["fetching"].clone();
    assert_eq!(fetching(&["stg-eu-west-7", "other-b.txt"]), json!(1));
    // The answer itself repeats the name, so the next one is not short; the one after the next is.
    assert_eq!(fetching(&["stg-eu-west-7", "b.txt", "c.txt", "stg-eu-west-7"]), json!(2));
    assert_eq!(fetching(&[]), Value::Null);
}

/// No call brings back what a person or the model itself had said.
#[test]
fn words_cannot_be_fetched() {
    let suite = Suite::with(&[]);
    let words = [
        json!({"role": "assistant", "content": "Which one?"}),
        json!({"role": "user", "content": "Take stg-eu-west-7 please."}),
    ];
    let own = [
        json!({"role": "assistant", "content": "I name it stg-eu-west-7.", "tool_calls": [{"id": "first", "name": "read", "arguments": {"path": "a"}}]}),
        result("first", "nothing"),
    ];
    // It drops words, too.
    let empty = "{strategy: summary, writer: empty, keep_recent_turns: 1, trigger: {turns: 1}}";
    let settings = SUITE.replace("{strategy: trim, keep_recent_turns: 1}", empty);
    for first in [words, own] {
        let (_, forecast) = forecast_under(&suite, &settings, &log(&first, &["stg-eu-west-7"]));
        assert_eq!(forecast["unfetchable"], json!(1), "{first:?}");
        assert_eq!(forecast.get("fetching"), Some(&json!(0)));
        assert_eq!(forecast["costs"], json!(["0.000000"]));
    }
}

/// The cost with rework is a column of every suite; it decides on transcripts, or where the suite says so.
#[test]
fn rework_is_paid_on_transcripts() {
    let suite = Suite::with(&[]);
    forecast(&suite, &log(&told(), &["stg-eu-west-7"]));
    let run = |setting: &str| {
        suite.write("scenarios/suite.yaml", &format!("{SUITE}{setting}"));
        suite.run(&["run", "--prices", "prices.yaml", "--report-dir", "out"]).out
    };
    let total = |name: &str| {
        let results: Value = serde_json::from_str(&suite.read("out/results.json")).unwrap();
        let cost =
            results["strategies"][1]["totals"][format!("{name}:plain")].as_str().unwrap().parse::<f64>();
        cost.unwrap()
    };
    assert!(run("").contains("with rework"));
    let [cost, with, all] = ["cost", "cost_with_rework", "cost_with_all_rework"].map(total);
    assert!(cost < with && with < all, "{cost} {with} {all}");
    // Files have dollars with six decimals.
    assert!(((with - cost) * 10.0 - (all - cost)).abs() < 15e-6, "{cost} {with} {all}");
    assert!(!run("rework: false\n").contains("rework"));
    assert!(run("rework: true\n").contains("with rework"));
    let scripted = Suite::with_evidence();
    assert!(!scripted.run(&["run"]).out.contains("rework"));
}

/// `as-recorded` pays no forecast, and its own short answers are forgiven other strategies.
#[test]
fn what_happened_pays_nothing_more() {
    let suite = Suite::with(&[]);
    let mut messages: Vec<Value> = vec![json!({"role": "user", "content": "Look at the regions."})];
    messages.extend(told());
    messages.extend([
        call("b", "other.txt"),
        result("b", "nothing"),
        call("c", "stg-eu-west-7"),
        result("c", "nothing"),
    ]);
    messages.push(json!({"role": "assistant", "content": "Done."}));
    let compaction =
        json!({"before": 5, "kind": "summary", "removed": [[1, 4]], "text": "Settings were read."});
    suite.write("log.json", &json!({"messages": messages, "compactions": [compaction]}).to_string());
    suite.advise(&["log.json", "--strategy", "trim,keep_recent_turns=1", "--report-dir", "out"]).ends(0);
    let results: Value = serde_json::from_str(&suite.read("out/results.json")).unwrap();
    let strategies = results["scenarios"][0]["strategies"].as_array().unwrap();
    let of = |name: &str| strategies.iter().find(|strategy| strategy["name"] == name).unwrap();
    assert_eq!(of("as-recorded")["short"], json!([3]), "{results}");
    assert!(of("as-recorded")["forecast"].is_null());
    let trim = of("trim,keep_recent_turns=1");
    assert_eq!(trim["short"], json!([3]), "{trim}");
    assert_eq!(trim["forecast"]["fetching"].as_u64().unwrap_or(0), 0, "{trim}");
}
