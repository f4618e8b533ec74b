//! Checks a scenario's expectations of its run, with one row per expectation.

use rustc_hash::FxHashMap;

use crate::agent::{Conversation, Ending, FinishedRun};
use crate::report::record::FailureRecord;
use crate::scenario::{Expectations, Outcome, Scenario};
use ptc_lisp::json::{from_json, to_json, to_text};
use ptc_lisp::print::pr_str;
use ptc_lisp::stack::guarded;
use ptc_lisp::value::Value;

/// Checks one expectation. Returns the expected and the actual text if they differ.
type Check = fn(&Expectations, FinishedRun<'_>) -> Option<(String, String)>;

/// The keys below `expect:`, in reporting order.
static ROWS: &[(&str, Check)] = &[
    ("outcome", check_outcome),
    ("error", check_error),
    ("value", check_value),
    ("turns", check_turns),
    ("prints", check_prints),
    ("tool_calls", check_tool_calls),
];

/// The keys whose expectations fit only one script. Another correct run may differ.
pub const OF_ONE_SCRIPT: [&str; 3] = ["turns", "prints", "tool_calls"];

/// The failed expectations.
pub(super) fn failed_expectations(scenario: &Scenario, conversation: &Conversation) -> Vec<FailureRecord> {
    let Some(outcome) = conversation.outcome() else { return Vec::new() };
    let mut failed = Vec::new();
    for (what, check) in ROWS {
        if let Some((expected, actual)) = check(&scenario.expect, outcome) {
            failed.push(FailureRecord::new(&scenario.origin, what.to_string(), expected, actual));
        }
    }
    failed
}

/// Returns true if a run has the outcome, error and value expected by the scenario. Without an expected value, the run must return the
/// scripted run's value.
pub(super) fn ends_as(scenario: &Scenario, script: FinishedRun<'_>, outcome: FinishedRun<'_>) -> bool {
    let mut expected = scenario.expect.clone();
    if let (None, Ending::Return(value)) = (&expected.value, script.ending) {
        // Values in files are JSON, without keywords and sets.
        expected.value = Some(from_json(&to_json(value)));
    }
    [check_outcome, check_error, check_value].iter().all(|check| check(&expected, outcome).is_none())
}

/// The first failed expectation on the end of a run: outcome, error or value. The others only fit one script.
pub fn wrong_ending(scenario: &Scenario, outcome: FinishedRun<'_>) -> Option<String> {
    for (what, check) in ROWS {
        if OF_ONE_SCRIPT.contains(what) {
            continue;
        }
        if let Some((expected, actual)) = check(&scenario.expect, outcome) {
            return Some(format!("{what}: expected {expected}, found {actual}"));
        }
    }
    None
}

fn check_outcome(expected: &Expectations, outcome: FinishedRun<'_>) -> Option<(String, String)> {
    let (expected, actual) = (outcome_name(expected.outcome), outcome_name(outcome_of(outcome.ending)));
    if expected == actual {
        return None;
    }
    Some((expected.to_string(), format!("{actual}: {}", ending_text(outcome.ending))))
}

fn outcome_of(ending: &Ending) -> Outcome {
    match ending {
        Ending::Return(_) => Outcome::Return,
        Ending::Fail(_) => Outcome::Fail,
        Ending::Error(_) => Outcome::Error,
    }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Return => "return",
        Outcome::Fail => "fail",
        Outcome::Error => "error",
    }
}

fn ending_text(ending: &Ending) -> String {
    match ending {
        Ending::Return(value) | Ending::Fail(value) => pr_str(value),
        Ending::Error(error) => format!("{}: {}", error.kind, error.message),
    }
}

fn check_error(expected: &Expectations, outcome: FinishedRun<'_>) -> Option<(String, String)> {
    let kind = expected.error?;
    match outcome.ending {
        Ending::Error(error) if error.kind == kind => None,
        other => Some((kind.to_string(), ending_text(other))),
    }
}

/// Checks the value as JSON: a keyword is its name, a set is an array in any order, and `2` equals `2.0`.
fn check_value(expected: &Expectations, outcome: FinishedRun<'_>) -> Option<(String, String)> {
    let value = expected.value.as_ref()?;
    match outcome.ending {
        Ending::Return(actual) | Ending::Fail(actual) if same_as_json(value, actual) => None,
        Ending::Return(actual) | Ending::Fail(actual) => Some((json_text(value), json_text(actual))),
        other => Some((json_text(value), ending_text(other))),
    }
}

fn json_text(value: &Value) -> String {
    to_text(value).into()
}

/// Compares values as JSON: sets are lists in any order, keywords are strings.
fn same_as_json(expected: &Value, actual: &Value) -> bool {
    match actual {
        Value::Set(set) => {
            let Value::Vector(wanted) = expected else { return false };
            if wanted.len() != set.len() {
                return false;
            }
            // Sets may be large, so an item is only compared with elements of the same `unordered_text`.
            let mut left: FxHashMap<String, Vec<&Value>> = FxHashMap::default();
            for key in set.keys() {
                left.entry(unordered_text(key)).or_default().push(key);
            }
            for item in wanted.iter() {
                let Some(alike) = left.get_mut(&unordered_text(item)) else { return false };
                let Some(at) = alike.iter().position(|key| same_as_json(item, key)) else { return false };
                alike.swap_remove(at);
            }
            true
        }
        Value::Vector(actual) | Value::List(actual) => match expected {
            Value::Vector(wanted) => {
                wanted.len() == actual.len() && wanted.iter().zip(actual).all(|(a, b)| same_as_json(a, b))
            }
            _ => false,
        },
        Value::Map(actual) => {
            let Value::Map(wanted) = expected else { return false };
            if wanted.len() != actual.len() {
                return false;
            }
            let mut named: FxHashMap<String, &Value> = FxHashMap::default();
            for (key, value) in wanted.iter() {
                named.insert(to_json_key(key), value);
            }
            for (key, value) in actual.iter() {
                match named.get(&to_json_key(key)) {
                    Some(wanted) if same_as_json(wanted, value) => {}
                    _ => return false,
                }
            }
            true
        }
        _ => same_scalar(&to_json(expected), &to_json(actual)),
    }
}

/// A text for hashing: values equal as JSON have equal texts. Items are sorted, and numbers are floats.
fn unordered_text(value: &Value) -> String {
    guarded(|| match value {
        Value::Int(number) => json_text(&Value::float(*number as f64)),
        Value::Vector(items) | Value::List(items) => sorted_list(items.iter().map(unordered_text).collect()),
        Value::Set(set) => sorted_list(set.keys().map(unordered_text).collect()),
        Value::Map(map) => {
            let mut entries = Vec::with_capacity(map.len());
            for (key, value) in map.iter() {
                entries.push(to_json_key(key) + ":" + &unordered_text(value));
            }
            sorted_list(entries)
        }
        other => json_text(other),
    })
}

fn sorted_list(mut parts: Vec<String>) -> String {
    parts.sort_unstable();
    format!("[{}]", parts.join(","))
}

fn to_json_key(key: &Value) -> String {
    match to_json(key) {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    }
}

fn same_scalar(expected: &serde_json::Value, actual: &serde_json::Value) -> bool {
    match (expected.as_f64(), actual.as_f64()) {
        (Some(a), Some(b)) if expected.is_f64() || actual.is_f64() => a == b,
        _ => expected == actual,
    }
}

fn check_turns(expected: &Expectations, outcome: FinishedRun<'_>) -> Option<(String, String)> {
    let (wanted, actual) = (expected.turns?, outcome.turns.len() as u32);
    if wanted == actual { None } else { Some((wanted.to_string(), actual.to_string())) }
}

fn check_prints(expected: &Expectations, outcome: FinishedRun<'_>) -> Option<(String, String)> {
    let wanted = expected.prints.as_ref()?;
    let mut actual: Vec<&str> = Vec::new();
    for turn in outcome.turns {
        actual.extend(turn.prints.iter().map(|print| print.as_str()));
    }
    if *wanted == actual {
        return None;
    }
    Some((format!("{wanted:?}"), format!("{actual:?}")))
}

fn check_tool_calls(expected: &Expectations, outcome: FinishedRun<'_>) -> Option<(String, String)> {
    let wanted = expected.tool_calls?;
    let actual: u32 = outcome.turns.iter().map(|turn| turn.tool_calls.len() as u32).sum();
    if wanted == actual { None } else { Some((wanted.to_string(), actual.to_string())) }
}
