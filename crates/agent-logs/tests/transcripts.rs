//! Rules of the neutral format: ranges of compactions, and sums of bills.

use std::ops::ControlFlow;

use agent_logs::{Billed, LogFormat, Transcript, TranscriptUsage, read};
use serde_json::{Value, json};

fn parse(value: &Value) -> Result<Transcript, serde_json::Error> {
    serde_json::from_str(&value.to_string())
}

/// A conversation of five messages with a compaction before the fifth.
fn compacted(removed: Value, sent: Value) -> Result<Transcript, serde_json::Error> {
    let message = json!({"role": "user", "content": "Mend the pump."});
    let compaction =
        json!({"before": 4, "kind": "summary", "removed": removed, "sent": [{"same": 1}, {"range": sent}]});
    parse(&json!({"messages": vec![message; 5], "compactions": [compaction]}))
}

#[test]
fn removed_ranges_are_in_order_and_before_their_compaction() {
    for removed in [
        json!([]),
        json!([[0, 0]]),
        json!([[1, 3]]),
        json!([[0, 1], [2, 3]]),
        json!([[0, 0], [2, 2], [3, 3]]),
    ] {
        assert!(compacted(removed.clone(), json!([0, 0])).is_ok(), "{removed}");
    }
    for (removed, named) in [
        (json!([[2, 1]]), "[2, 1]"),
        (json!([[2, 4]]), "[2, 4]"),
        (json!([[0, 1], [1, 2]]), "[1, 2]"),
        (json!([[2, 3], [0, 1]]), "[0, 1]"),
    ] {
        let error = compacted(removed, json!([0, 0])).unwrap_err().to_string();
        let expected =
            format!("compactions[0] removes {named}: expected ranges in order, all before message 4");
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn sent_ranges_are_before_their_compaction() {
    for sent in [json!([0, 0]), json!([0, 3]), json!([3, 3])] {
        assert!(compacted(json!([]), sent.clone()).is_ok(), "{sent}");
    }
    for (sent, named) in [(json!([2, 1]), "[2, 1]"), (json!([3, 4]), "[3, 4]"), (json!([5, 4]), "[5, 4]")] {
        let error = compacted(json!([]), sent).unwrap_err().to_string();
        let expected = format!("compactions[0] sends {named}: expected a range before message 4");
        assert!(error.contains(&expected), "{error}");
    }
}

/// The billed input of a conversation with answers of these bills, and of its run: input tokens and requests.
fn billed(answers: &[Option<u64>], run: Option<(u64, Option<u64>)>) -> Option<(u64, Vec<u32>)> {
    let mut messages = Vec::new();
    for tokens in answers {
        messages.push(json!({"role": "user", "content": "Mend the pump."}));
        messages.push(
            json!({"role": "assistant", "content": "I look.", "usage": {"input_tokens": tokens, "output_tokens": 2}}),
        );
    }
    let mut transcript = json!({"messages": messages});
    if let Some((tokens, requests)) = run {
        transcript["outcome"] = json!({"usage": {"input_tokens": tokens}, "requests": requests});
    }
    let Billed { input_tokens, unbilled } = parse(&transcript).unwrap().billed()?;
    Some((input_tokens, unbilled))
}

#[test]
fn a_conversation_is_billed_by_its_answers_or_by_its_run() {
    let all = vec![];
    for (answers, run, expected) in [
        (&[Some(5), Some(7)][..], None, Some((12, all.clone()))),
        (&[Some(5), Some(7)], Some((90, None)), Some((12, all.clone()))),
        (&[Some(5), None, Some(0)], None, Some((5, vec![2, 3]))),
        (&[Some(5), None], Some((90, None)), Some((90, all.clone()))),
        (&[Some(5), None], Some((90, Some(2))), Some((90, all.clone()))),
        (&[Some(5), None], Some((90, Some(3))), Some((5, vec![2]))),
        (&[Some(1)], None, Some((1, all))),
        (&[None, None], None, None),
        (&[None], Some((0, None)), None),
    ] {
        assert_eq!(billed(answers, run), expected, "{answers:?} {run:?}");
    }
}

/// The bill of a chat with one answer.
fn usage_of(usage: &Value) -> Option<TranscriptUsage> {
    let question = json!({"role": "user", "content": "Which city?"});
    let log =
        json!({"messages": [question, {"role": "assistant", "content": "Rome", "usage": usage}]}).to_string();
    let mut found = None;
    // A log with an impossible bill alone is refused.
    let _ = read(log.as_bytes(), "LOG", LogFormat::named("openai-chat"), &mut |transcript| {
        found = transcript.messages[1].usage.clone();
        ControlFlow::Continue(())
    });
    found
}

/// Some servers count the cache and the reasoning outside of the sums. A part above its sum, and the total, show it.
#[test]
fn parts_beside_their_sums_are_added() {
    for (usage, input, output) in [
        // Inside.
        (json!({"prompt_tokens": 10, "cached_tokens": 4, "completion_tokens": 3}), 10, 3),
        (json!({"prompt_tokens": 10, "cached_tokens": 10, "completion_tokens": 3}), 10, 3),
        (json!({"prompt_tokens": 10, "cached_tokens": 4, "completion_tokens": 3, "total_tokens": 13}), 10, 3),
        (json!({"prompt_tokens": 10, "completion_tokens": 3, "reasoning_tokens": 2}), 10, 3),
        (json!({"prompt_tokens": 10, "completion_tokens": 3, "reasoning_tokens": 3}), 10, 3),
        (json!({"prompt_tokens": 10, "completion_tokens": 0, "total_tokens": 10}), 10, 0),
        // Outside.
        (json!({"prompt_tokens": 10, "cached_tokens": 11, "completion_tokens": 3}), 21, 3),
        (json!({"prompt_tokens": 10, "cached_tokens": 4, "completion_tokens": 3, "total_tokens": 17}), 14, 3),
        (
            json!({"prompt_tokens": 10, "cached_tokens": 4, "completion_tokens": 3, "reasoning_tokens": 2, "total_tokens": 19}),
            14,
            5,
        ),
        (json!({"prompt_tokens": 10, "completion_tokens": 3, "reasoning_tokens": 4}), 10, 7),
        (
            json!({"prompt_tokens": 10, "completion_tokens": 3, "reasoning_tokens": 2, "total_tokens": 15}),
            10,
            5,
        ),
    ] {
        let found = usage_of(&usage).unwrap();
        assert_eq!((found.input_tokens, found.output_tokens), (Some(input), Some(output)), "{usage}");
    }
    // Reasoning alone is no output.
    let found = usage_of(&json!({"prompt_tokens": 10, "reasoning_tokens": 4})).unwrap();
    assert_eq!((found.input_tokens, found.output_tokens), (Some(10), None));
}

/// Data frames write counts as `12.0`.
#[test]
fn counts_may_have_a_point() {
    for (tokens, count) in
        [(json!(12), Some(12)), (json!(12.0), Some(12)), (json!(12.5), None), (json!(1e300), None)]
    {
        let usage = usage_of(&json!({"prompt_tokens": tokens, "completion_tokens": 3})).unwrap();
        assert_eq!((usage.input_tokens, usage.output_tokens), (count, Some(3)), "{tokens}");
    }
}

/// A call has at most a trillion tokens.
#[test]
fn a_bill_with_too_many_tokens_is_left_out() {
    let most: u64 = 1_000_000_000_000;
    assert!(usage_of(&json!({"prompt_tokens": most, "completion_tokens": 3})).is_some());
    assert!(usage_of(&json!({"prompt_tokens": 5, "completion_tokens": most + 1})).is_none());
}

/// A reader has checked a transcript before, so empty messages are no sign of lost texts.
#[test]
fn empty_messages_of_a_transcript_are_read() {
    let log = json!({"messages": [{"role": "user"}, {"role": "assistant"}]}).to_string();
    for (format, number) in [("transcript", 1), ("openai-chat", 0)] {
        let mut found = 0;
        let _ = read(log.as_bytes(), "LOG", LogFormat::named(format), &mut |_| {
            found += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(found, number, "{format}");
    }
}
