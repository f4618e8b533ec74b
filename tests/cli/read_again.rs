//! Facts that a request lacks and the agent can read again.

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

/// The answers that lack a fact under `last`, and those of them with facts that can all be read again.
fn short_and_again(suite: &Suite, settings: &str, log: &str) -> [u64; 2] {
    suite.write("scenarios/suite.yaml", settings);
    suite.write("scenarios/log.jsonl", log);
    suite.write("prices.yaml", PRICES);
    suite.run(&["run", "--prices", "prices.yaml", "--report-dir", "out"]);
    let results: Value = serde_json::from_str(&suite.read("out/results.json")).unwrap();
    let totals = &results["strategies"][1]["totals"];
    ["answers_short", "answers_again"].map(|name| totals[name].as_u64().unwrap())
}

fn told() -> [Value; 2] {
    [call("first", "regions.txt"), result("first", "the region is stg-eu-west-7 and nothing else")]
}

/// A result that is gone can be read again, by the call that read it.
#[test]
fn what_a_result_had_can_be_read_again() {
    let suite = Suite::with(&[]);
    assert_eq!(short_and_again(&suite, SUITE, &log(&told(), &["stg-eu-west-7"])), [1, 1]);
    assert_eq!(short_and_again(&suite, SUITE, &log(&told(), &[])), [0, 0]);
}

/// No call brings back words of a person or of the model itself.
#[test]
fn words_cannot_be_read_again() {
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
        assert_eq!(short_and_again(&suite, &settings, &log(&first, &["stg-eu-west-7"])), [1, 0], "{first:?}");
    }
}

/// Answers that an agent wrote without a fact are short under other strategies, too, and are forgiven there.
#[test]
fn what_happened_is_short_all_the_same() {
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
    let trim = of("trim,keep_recent_turns=1");
    assert_eq!(trim["short"], json!([3]), "{trim}");
}
