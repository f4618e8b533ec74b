//! Bills in exports of Langfuse, in the shapes of its integrations.

use std::ops::ControlFlow;

use agent_logs::{Notes, Transcript, TranscriptUsage, read};
use serde_json::{Value, json};

fn read_trace(observations: &[Value]) -> (Vec<Transcript>, Notes) {
    let log = json!({"trace": {"id": "t"}, "observations": observations}).to_string();
    let mut found = Vec::new();
    let notes = read(log.as_bytes(), "LOG", None, &mut |transcript| {
        found.push(transcript);
        ControlFlow::Continue(())
    })
    .unwrap();
    (found, notes)
}

/// An observation with a question and an answer.
fn observation(id: &str, parent: Option<&str>, kind: &str, more: &Value) -> Value {
    let mut observation = json!({
        "id": id, "traceId": "t", "parentObservationId": parent, "type": kind, "name": "chat",
        "startTime": "2026-11-20T09:00:00.000Z", "endTime": "2026-11-20T09:00:05.000Z", "model": "claude-opus-5",
        "input": [{"role": "user", "content": format!("Question {id}?")}],
        "output": {"role": "assistant", "content": format!("Answer {id}.")},
    });
    observation.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    observation
}

fn usages(found: &[Transcript]) -> Vec<&TranscriptUsage> {
    found.iter().flat_map(Transcript::answers).filter_map(|answer| answer.usage.as_ref()).collect()
}

/// The usage of one generation with these details.
fn usage_of(details: &Value) -> TranscriptUsage {
    let (found, _) = read_trace(&[observation("g", None, "GENERATION", &json!({"usageDetails": details}))]);
    (*usages(&found).first().unwrap()).clone()
}

/// langfuse#5568 and #10592: cached tokens beside the input or inside of it, by the total.
#[test]
fn cached_tokens_are_counted_once() {
    let usage = usage_of(&json!({"input": 86, "input_cached_tokens": 17_817, "output": 9, "total": 17_912}));
    assert_eq!((usage.input_tokens, usage.cached_tokens), (Some(17_903), Some(17_817)));
    let usage = usage_of(
        &json!({"input": 117_231, "cache_read_input_tokens": 115_584, "output": 225, "total": 117_456}),
    );
    assert_eq!((usage.input_tokens, usage.cached_tokens), (Some(117_231), Some(115_584)));
}

/// LangChain's callback flattens the details of Anthropic's cache writes.
#[test]
fn writes_by_lifetime_are_no_input_of_their_own() {
    let mut details = json!({
        "input": 10, "output": 5, "input_cache_read": 700, "input_cache_creation": 0,
        "input_ephemeral_5m_input_tokens": 40, "input_ephemeral_1h_input_tokens": 300, "total": 1055,
    });
    let counts = |usage: TranscriptUsage| {
        (usage.input_tokens, usage.cached_tokens, usage.cache_write_tokens, usage.cache_write_1h_tokens)
    };
    let expected = (Some(1050), Some(700), Some(340), Some(300));
    assert_eq!(counts(usage_of(&details)), expected);
    details["input_cache_creation"] = json!(340);
    assert_eq!(counts(usage_of(&details)), expected);
}

/// A bill that no call can have is left out, and adding it up does not overflow.
#[test]
fn huge_counts_are_left_out() {
    let details = json!({
        "input": u64::MAX, "output": u64::MAX, "total": u64::MAX,
        "input_ephemeral_5m_input_tokens": u64::MAX, "input_ephemeral_1h_input_tokens": 5,
    });
    let huge = observation("g1", None, "GENERATION", &json!({"usageDetails": details}));
    let small = json!({"usageDetails": {"input": 60, "output": 15, "total": 75}});
    let (found, _) = read_trace(&[huge, observation("g2", None, "GENERATION", &small)]);
    let inputs: Vec<_> = usages(&found).iter().map(|usage| usage.input_tokens).collect();
    assert_eq!((found.len(), inputs), (2, vec![Some(60)]));
}

/// Exports of the blob storage have ClickHouse's numbers, details and times as text.
#[test]
fn numbers_may_be_texts() {
    let more = json!({
        "usage_details": "{\"input\":\"60\",\"output\":\"15\",\"total\":\"75\"}", "cost_details": {"total": "0.0003"},
        "startTime": null, "start_time": "2026-11-20 09:00:00.000", "end_time": "2026-11-20 09:00:05.000",
    });
    let (found, _) = read_trace(&[observation("g", None, "GENERATION", &more)]);
    let [usage] = usages(&found)[..] else { panic!("one bill") };
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.cost), (Some(60), Some(15), Some(0.0003)));
}

/// Older exports have the counts beside the details, and costs may lack their sum.
#[test]
fn counts_of_older_exports_are_read() {
    let more = json!({
        "usageDetails": {}, "usage": null, "promptTokens": 30, "completionTokens": 4, "totalTokens": 34,
        "costDetails": {"input": 0.5, "output": "0.25"},
    });
    let (found, _) = read_trace(&[observation("g", None, "GENERATION", &more)]);
    let [usage] = usages(&found)[..] else { panic!("one bill") };
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.cost), (Some(30), Some(4), Some(0.75)));
}

/// Negative, missing and fractional counts lose no other count.
#[test]
fn strange_counts_are_left_out() {
    let usage = usage_of(&json!({"input": 60.0, "output": -1, "output_reasoning": null, "total": 75}));
    assert_eq!((usage.input_tokens, usage.output_tokens), (Some(60), None));
    let usage = usage_of(&json!({"input": 6, "completion_details.reasoning": 11, "output": 20, "total": 26}));
    assert_eq!((usage.output_tokens, usage.reasoning_tokens), (Some(20), Some(11)));
    let usage = usage_of(&json!({"input": 179, "output": 35, "output_reasoning": 64, "total": 278}));
    assert_eq!((usage.output_tokens, usage.reasoning_tokens), (Some(99), Some(64)));
}

/// Microsoft's agents log a stale count above the calls, Pydantic AI a sum in the attributes.
#[test]
fn sums_above_generations_are_no_missing_calls() {
    let details = |input: u64| json!({"usageDetails": {"input": input, "output": 5, "total": input + 5}});
    let agent = observation("a", None, "AGENT", &details(44));
    let span = json!({"metadata": {"attributes": {"gen_ai.usage.input_tokens": "682", "gen_ai.usage.output_tokens": "10"}}, "input": null, "output": null});
    let span = observation("s", Some("a"), "SPAN", &span);
    let (found, notes) = read_trace(&[
        agent.clone(),
        span,
        observation("g1", Some("s"), "GENERATION", &details(417)),
        observation("g2", Some("s"), "GENERATION", &details(265)),
    ]);
    let booked: u64 = usages(&found).iter().filter_map(|usage| usage.input_tokens).sum();
    assert_eq!((usages(&found).len(), booked), (2, 682));
    assert_eq!(notes.tallies.missing_calls.number, 0);
    // An agent beside the generations is a call without messages of its own.
    let (_, notes) = read_trace(&[agent, observation("g1", None, "GENERATION", &details(417))]);
    assert_eq!((notes.tallies.missing_calls.number, notes.tallies.missing_calls.input_tokens), (1, 44));
}

/// Embeddings are no requests to a chat model, and a child of a generation repeats its bill.
#[test]
fn embeddings_and_children_of_generations_are_no_missing_calls() {
    let details = |input: u64| json!({"usageDetails": {"input": input, "output": 5, "total": input + 5}});
    let embedding = |parent| {
        observation("e", parent, "EMBEDDING", &json!({"usageDetails": {"input": 812, "total": 812}}))
    };
    let (found, notes) = read_trace(&[
        observation("g", None, "GENERATION", &details(417)),
        observation("s", Some("g"), "SPAN", &json!({})),
        observation("t", Some("s"), "TOOL", &details(417)),
        observation("c", Some("g"), "CHAIN", &details(416)),
        embedding(Some("g")),
        observation("r", None, "RETRIEVER", &details(90)),
    ]);
    let inputs: Vec<_> = usages(&found).iter().map(|usage| usage.input_tokens).collect();
    assert_eq!((found.len(), inputs), (1, vec![Some(417)]));
    assert_eq!(notes.tallies.missing_calls.number, 0, "{:?}", notes.lines().collect::<Vec<_>>());
    // An agent without generations has the bill of its own, and an embedding is no conversation.
    let (found, notes) = read_trace(&[observation("a", None, "AGENT", &details(44)), embedding(Some("a"))]);
    let inputs: Vec<_> = usages(&found).iter().map(|usage| usage.input_tokens).collect();
    assert_eq!((found.len(), inputs), (1, vec![Some(44)]));
    assert_eq!(notes.tallies.missing_calls.number, 0);
}
