//! Anthropic's API.

use serde_json::{Value, json};

use super::server::{Reply, endpoint, record_at};

const API: &[&str] = &["--api", "anthropic", "--temperature", "1"];

#[test]
fn a_request_and_its_answer() {
    let reply = json!({
        "model": "c-5",
        "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "(return "}, {"type": "text", "text": "1)"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 300, "cache_creation_input_tokens": 40, "output_tokens": 6},
    });
    let (url, server) = endpoint(vec![Reply::json(&reply)]);
    let ran = record_at(&url, API, &[("ANTHROPIC_API_KEY", "k-1"), ("OPENAI_API_KEY", "other")]);
    ran.ends(0).complains("turn 1: answered by c-5 at temperature 1, 350 tokens in (300 cached), 6 out");
    assert!(ran.out.contains("(return 1)"), "{}", ran.out);
    let request = server.join().unwrap().remove(0);
    let head = request.head.to_lowercase();
    assert!(head.starts_with("post /v1/messages "), "{head}");
    assert!(
        head.contains("x-api-key: k-1\r\n") && head.contains("anthropic-version: 2023-06-01\r\n"),
        "{head}"
    );
    assert!(!head.contains("authorization") && !head.contains("other"), "{head}");
    let body: Value = serde_json::from_str(&request.body).unwrap();
    assert!(
        body["system"].as_str().unwrap().contains("PTC-Lisp") && body["max_tokens"].as_u64().unwrap() > 4_000
    );
    let roles: Vec<&Value> =
        body["messages"].as_array().unwrap().iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, [&json!("user")]);
}

#[test]
fn the_version_is_part_of_the_path_once() {
    for path in ["", "/", "/v1", "/v1/"] {
        let reply = json!({"content": [{"type": "text", "text": "(return 1)"}]});
        let (url, server) = endpoint(vec![Reply::json(&reply)]);
        record_at(&url.replace("/v1/", path), API, &[]).ends(0);
        let head = server.join().unwrap().remove(0).head;
        assert!(head.starts_with("POST /v1/messages "), "{head}");
    }
}

#[test]
fn answers_that_are_not_whole_are_failures() {
    for (reason, message) in [
        ("max_tokens", "cut the answer off"),
        ("model_context_window_exceeded", "cut the answer off"),
        ("refusal", "held the answer back"),
    ] {
        let reply = json!({"content": [{"type": "text", "text": "(return 1)"}], "stop_reason": reason});
        let (url, _server) = endpoint(vec![Reply::json(&reply)]);
        record_at(&url, API, &[]).ends(1).complains(message);
    }
    let (url, _server) = endpoint(vec![Reply::json(&json!({"content": [], "stop_reason": "tool_use"}))]);
    record_at(&url, API, &[]).ends(1).complains("ended without an answer: tool_use");
}
