//! Tasks of Roo Code, which keep what was billed beside the history.

use serde_json::{Value, json};

use super::suite::Suite;

const TASK: &str = "tasks/t1/api_conversation_history.json";

fn user(ts: u64, text: &str) -> Value {
    let details = "<environment_details>\n<model>anthropic/claude-sonnet-4.5</model>\n</environment_details>";
    json!({"role": "user", "ts": ts, "content": [{"type": "text", "text": text}, {"type": "text", "text": details}]})
}

fn answer(ts: u64, text: &str) -> Value {
    json!({"role": "assistant", "ts": ts, "content": [{"type": "text", "text": text}]})
}

fn request(ts: u64, tokens: [u64; 4]) -> Value {
    let [tokens_in, tokens_out, writes, reads] = tokens;
    let text = json!({"request": "…", "tokensIn": tokens_in, "tokensOut": tokens_out, "cacheWrites": writes, "cacheReads": reads, "cost": 0.25});
    json!({"ts": ts, "type": "say", "say": "api_req_started", "text": text.to_string()})
}

fn task(shown: &Value) -> Suite {
    let suite = Suite::with(&[]);
    let history = json!([
        user(100, "<task>Count to three.</task>"),
        answer(190, "One."),
        user(200, "[ERROR] You did not use a tool in your previous response!"),
        answer(290, "Two, three."),
    ]);
    suite.write(TASK, &history.to_string());
    suite.write("tasks/t1/ui_messages.json", &shown.to_string());
    suite
}

/// The usage of each answer.
fn billed(suite: &Suite) -> Vec<Value> {
    let log = suite.run(&["import", "tasks", "--output", "-"]).ends(0).out.clone();
    assert_eq!(log.lines().count(), 1, "{log}");
    let transcript: Value = serde_json::from_str(&log).unwrap();
    let messages = transcript["messages"].as_array().unwrap();
    let answers = messages.iter().filter(|message| message["role"] == "assistant");
    answers.map(|answer| answer["usage"].clone()).collect()
}

#[test]
fn bills_of_a_task_go_to_its_answers() {
    // The second request failed, and was sent again.
    let shown = json!([request(110, [12, 5, 3000, 0]), {"ts": 120, "say": "text", "text": "One."},
        request(210, [9, 0, 0, 0]), request(220, [14, 6, 40, 3000])]);
    let expected = |input: u64, cached: u64, written: u64, output: u64| {
        json!({"model": "anthropic/claude-sonnet-4.5", "input_tokens": input, "cached_tokens": cached,
            "cache_write_tokens": written, "output_tokens": output, "cost": 0.25})
    };
    let suite = task(&shown);
    assert_eq!(billed(&suite), [expected(3012, 0, 3000, 5), expected(3054, 3000, 40, 6)]);
    suite.advise(&["tasks"]).ends(0).says("1 conversation, 2 requests\n");
}

/// Newer versions count what the cache holds as input.
#[test]
fn input_that_includes_the_cache_counts_once() {
    let suite = task(&json!([request(110, [3012, 5, 3000, 0]), request(220, [3054, 6, 40, 3000])]));
    let input: Vec<Value> = billed(&suite).into_iter().map(|usage| usage["input_tokens"].clone()).collect();
    assert_eq!(input, [3012, 3054]);
}

#[test]
fn a_file_that_is_no_list_bills_nothing() {
    assert_eq!(billed(&task(&json!({"a": 1}))), [Value::Null, Value::Null]);
}
