//! Writes answers into the text of a scenario.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;

/// Returns true if answers can be written into a scenario's text. It is asked before they are paid for.
pub(super) fn takes_responses(text: &str) -> bool {
    let keys: Result<BTreeMap<String, IgnoredAny>, _> =
        serde_yaml::from_str(&with_responses(text, "responses: []\n"));
    keys.is_ok_and(|keys| keys.contains_key("responses"))
}

/// A scenario's text with its `responses:` replaced, or with them before `expect:`, or at its end. Keys of
/// the file begin their line; all that follows a key and is indented, a list or a comment belongs to it.
pub(super) fn with_responses(text: &str, responses: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_key = |line: &&str| line.starts_with(|c: char| c.is_alphabetic() || matches!(c, '"' | '\''));
    let begins = |key: &str| lines.iter().position(|line| line.starts_with(key));
    let (from, to) = match (begins("responses:"), begins("expect:")) {
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
