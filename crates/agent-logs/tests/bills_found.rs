//! Token counts that no reader knows are found by the words in their names.

use std::ops::ControlFlow;

use agent_logs::read;
use serde_json::{Value, json};

/// The notes on a log of two conversations: one with a bill of 5 and 1 tokens, and one with these fields. JSON is written as it is, since
/// escapes and numbers matter.
fn notes_with(fields: &str) -> Vec<String> {
    let billed = json!({"messages": [
        {"role": "user", "content": "Which river?"},
        {"role": "assistant", "content": "The Tiber", "usage": {"prompt_tokens": 5, "completion_tokens": 1}},
    ]});
    let messages =
        json!([{"role": "user", "content": "Which city?"}, {"role": "assistant", "content": "Rome"}]);
    let log = format!("{billed}\n{{\"messages\": {messages}, {fields}}}\n");
    serde_json::from_str::<Value>(log.lines().nth(1).unwrap()).unwrap();
    let notes = read(log.as_bytes(), "LOG", None, &mut |_| ControlFlow::Continue(())).unwrap();
    notes.lines().filter(|line| line.contains("billed call") || line.contains("token counts")).collect()
}

/// The side of the count `N`, beside 5 input tokens in place of `OTHER`.
fn side_of(fields: &str) -> &'static str {
    let is_lost = |number: &str, other: &str| {
        let fields = fields.replace("\"N\"", number).replace("OTHER", other);
        !notes_with(&fields).is_empty()
    };
    let beside = "\"prompt_tokens\": 5,";
    match (is_lost("5", beside), is_lost("1", beside), is_lost("7", beside)) {
        (false, true, true) if is_lost("7", "") => "input",
        (false, true, true) => "part of the input",
        (true, false, true) => "output",
        (false, false, true) => "unknown",
        (false, false, false) => "no count",
        other => panic!("{fields}: {other:?}"),
    }
}

#[test]
fn the_words_of_a_name_tell_the_side_of_a_count() {
    for (fields, side) in [
        (r#""tally": {OTHER "input_tokens": "N"}"#, "input"),
        (r#""tally": {OTHER "tokensOut": "N"}"#, "output"),
        (r#""tally": {OTHER "thinking_tokens": "N"}"#, "output"),
        (r#""tally": {OTHER "cached_tokens": "N"}"#, "part of the input"),
        // Words of a part come first, then those of the output.
        (r#""tally": {OTHER "input_thinking_tokens": "N"}"#, "output"),
        (r#""tally": {OTHER "prompt_completion_tokens": "N"}"#, "output"),
        (r#""tally": {OTHER "cache_output_tokens": "N"}"#, "part of the input"),
        // The object around it tells what its own name does not.
        (r#""completion": {OTHER "tokens": "N"}"#, "output"),
        (r#""reasoning": {OTHER "tokens": "N"}"#, "output"),
        (r#""prompt": {OTHER "tokens": "N"}"#, "input"),
        (r#""tally": {OTHER "cache.tokens": "N"}"#, "part of the input"),
        (r#""completion": {OTHER "input_tokens": "N"}"#, "input"),
        (r#""prompt": {OTHER "output_tokens": "N"}"#, "output"),
        (r#""later": {"usage": {OTHER "tokens": "N"}}"#, "unknown"),
        (r#""tally": {OTHER "later.usage.tokens": "N"}"#, "unknown"),
        (r#""tally": {OTHER "tokens": "N"}"#, "no count"),
        // Sums.
        (r#""tally": {OTHER "total_input_tokens": "N"}"#, "input"),
        (r#""inputTokens": {OTHER "total": "N"}"#, "input"),
        (r#""outputTokens": {OTHER "total": "N"}"#, "output"),
        (r#""tally": {OTHER "total_tokens": "N"}"#, "no count"),
        (r#""later": {"usage": {OTHER "total": "N"}}"#, "no count"),
        // Parts of the input below an object of tokens.
        (r#""tokens": {OTHER "cache": {"read": "N"}}"#, "part of the input"),
        (r#""tally": {OTHER "cache": {"read": "N"}}"#, "no count"),
        (r#""tokens": {OTHER "later": {"read": "N"}}"#, "no count"),
        // Names with escapes.
        (r#""tally": {OTHER "output\u005ftokens": "N"}"#, "output"),
        // Lists.
        (r#""tally": [{OTHER "output_tokens": "N"}]"#, "output"),
        (r#""tally": [[{OTHER "output_tokens": "N"}]]"#, "output"),
        // Numbers other than the bill of one call.
        (r#""tally": {OTHER "max_output_tokens": "N"}"#, "no count"),
        (r#""tally": {OTHER "cost": {"output_tokens": "N"}}"#, "no count"),
        (r#""tally": {OTHER "cost": {"usage.output_tokens": "N"}}"#, "no count"),
        (r#""tally": {OTHER "cost": {"later": {"output_tokens": "N"}}}"#, "no count"),
        (r#""tally": {OTHER "cost.output_tokens": "N"}"#, "no count"),
        (r#""tally": {OTHER "arguments": {"output_tokens": "N"}}"#, "no count"),
        (r#""tally": {OTHER "inputs": [{"output_tokens": "N"}]}"#, "no count"),
    ] {
        assert_eq!(side_of(fields), side, "{fields}");
    }
}

/// Data frames write `12.0`, and some gateways numbers as text.
#[test]
fn counts_are_whole_numbers() {
    for (number, is_count) in [
        ("7", true),
        ("7.0", true),
        ("7.5", false),
        ("-7", false),
        ("-7.0", false),
        ("0", false),
        ("1000000000000", true),
        ("1000000000001", false),
        ("\"7\"", true),
        ("\"00000000007\"", true),
        ("\"000000000007\"", false),
        ("\"+7\"", false),
        ("\"7 or so\"", false),
        ("true", false),
    ] {
        let notes = notes_with(&format!("\"tally\": {{\"prompt_tokens\": {number}}}"));
        assert_eq!(!notes.is_empty(), is_count, "{number}: {notes:?}");
    }
}

/// A bill without a known count is a missing call. In another bill, each unknown count is named.
#[test]
fn lost_bills_and_lost_counts_are_named() {
    let missing = |tokens: u64, name: &str| {
        format!("1 billed call is missing from 1 log: {tokens} input tokens (LOG:2: {name})")
    };
    let lost = |name: &str| format!("token counts {name} not read: 1 (LOG:2)");
    for (fields, expected) in [
        (r#""prompt_tokens": 900"#, vec![missing(900, "prompt_tokens")]),
        (r#""tally": {"prompt_tokens": 900}"#, vec![missing(900, "tally.prompt_tokens")]),
        // Its input tokens, or else its largest count.
        (
            r#""tally": {"completion_tokens": 90, "prompt_tokens": 7}"#,
            vec![missing(7, "tally.completion_tokens")],
        ),
        (r#""tally": {"output_tokens": 7, "thinking_tokens": 90}"#, vec![missing(90, "tally.output_tokens")]),
        (r#""tally": {"prompt_tokens": 5, "completion_tokens": 7}"#, vec![lost("tally.completion_tokens")]),
        // Sums of two or three counts of one side were read, but not of both sides, or of a count twice.
        (r#""tally": {"prompt_tokens": 2, "cached_tokens": 3}"#, vec![]),
        (r#""tally": {"prompt_tokens": 2, "cached_tokens": 2, "written_tokens": 1}"#, vec![]),
        (r#""tally": {"prompt_tokens": 2, "completion_tokens": 3}"#, vec![missing(2, "tally.prompt_tokens")]),
        (r#""tally": {"prompt_tokens": 1, "cached_tokens": 2}"#, vec![missing(1, "tally.prompt_tokens")]),
        // Details belong to the bill around them, or to an object of tokens.
        (
            r#""tally": {"prompt_tokens": 5, "details": {"cached_tokens": 7}}"#,
            vec![lost("details.cached_tokens")],
        ),
        (
            r#""tokens": {"prompt": {"tokens": 5}, "completion": {"tokens": 7}}"#,
            vec![lost("completion.tokens")],
        ),
        (
            r#""tally": {"prompt": {"tokens": 5}, "completion": {"tokens": 7}}"#,
            vec![missing(7, "completion.tokens")],
        ),
        // A bill has at most 24 counts, with those of its details.
        (
            r#""tally": {"prompt_tokens": 5, "input_tokens": 5, "request_tokens": 5, "sent_tokens": 5, "context_tokens": 5,
                "more": {"out_tokens": 7, "output_tokens": 7, "answer_tokens": 7, "response_tokens": 7, "received_tokens": 7}}"#,
            ["out", "output", "answer", "response", "received"]
                .map(|word| lost(&format!("more.{word}_tokens")))
                .to_vec(),
        ),
    ] {
        let fields = fields.replace('\n', " ");
        assert_eq!(notes_with(&fields), expected, "{fields}");
    }
}
