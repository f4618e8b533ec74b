//! Writes answers into the text of a scenario.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde_json::Value;

use crate::evaluate::OF_ONE_SCRIPT;
use crate::snapshot::yaml::of_json;

/// Returns true if answers can be written into a scenario's text. Checked before paying for them.
pub(super) fn takes_responses(text: &str) -> bool {
    let keys: Result<BTreeMap<String, IgnoredAny>, _> =
        serde_yaml::from_str(&with_responses(text, "responses: []\n"));
    keys.is_ok_and(|keys| keys.contains_key("responses"))
}

/// A scenario's text with these responses, and without expectations specific to its original script.
pub(super) fn recording(text: &str, responses: &str) -> String {
    without_script(&with_responses(text, responses))
}

/// Removes expectations specific to one script.
fn without_script(text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(from) = lines.iter().position(|line| line.starts_with("expect:")) else {
        return text.to_owned();
    };
    let length = lines.iter().skip(from + 1).position(is_key).unwrap_or(lines.len() - from - 1) + 1;
    let own: String = lines.iter().skip(from).take(length).copied().collect();
    let Ok(Value::Object(block)) = serde_yaml::from_str::<Value>(&own) else { return text.to_owned() };
    let Some(Value::Object(expected)) = block.get("expect") else { return text.to_owned() };
    let mut rest = expected.clone();
    rest.retain(|key, _| !OF_ONE_SCRIPT.contains(&key.as_str()));
    if rest.len() == expected.len() {
        return text.to_owned();
    }
    let rest = if rest.is_empty() { String::new() } else { format!("expect: {}\n", of_json(&rest.into())) };
    let head: String = lines.iter().take(from).copied().collect();
    let tail: String = lines.iter().skip(from + length).copied().collect();
    format!("{head}{rest}{tail}")
}

/// Returns true if a line begins with a top-level key.
fn is_key(line: &&str) -> bool {
    line.starts_with(|c: char| c.is_alphabetic() || matches!(c, '"' | '\''))
}

/// Replaces `responses:` in a scenario's text, or inserts it before `expect:`, or appends it. Top-level keys are not indented. Everything
/// indented below a key belongs to it, and so do lists and comments.
fn with_responses(text: &str, responses: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let [responses_at, expect_at] =
        ["responses:", "expect:"].map(|key| lines.iter().position(|line| line.starts_with(key)));
    let (from, to) = match (responses_at, expect_at) {
        (Some(from), _) => {
            let after = lines.iter().skip(from + 1).position(is_key);
            (from, after.map_or(lines.len(), |after| from + 1 + after))
        }
        (None, Some(before)) => (before, before),
        (None, None) => (lines.len(), lines.len()),
    };
    let head: String = lines.iter().take(from).copied().collect();
    let tail: String = lines.iter().skip(to).copied().collect();
    let break_before = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    let blank_after = if tail.is_empty() { "" } else { "\n" };
    format!("{head}{break_before}{responses}{blank_after}{tail}")
}
