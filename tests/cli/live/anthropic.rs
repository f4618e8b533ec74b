//! Anthropic's API.

use serde_json::{Value, json};

use super::server::{Reply, endpoint, record_at, said};
use crate::cli::suite::Suite;

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
    assert!(body["max_tokens"].as_u64().unwrap() > 4_000);
    let system = &body["system"][0];
    assert!(system["text"].as_str().unwrap().contains("PTC-Lisp"), "{system}");
    assert_eq!(system["cache_control"], json!({"type": "ephemeral"}));
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

/// The system prompt and the end of each request are marked for the cache, with at most four marks.
#[test]
fn requests_are_marked_where_the_strategy_has_borders() {
    let reply = |text: &str| Reply::json(&json!({"content": [{"type": "text", "text": text}]}));
    for strategy in ["full-history", "single-user-coalesced", "turn-log"] {
        let replies = ["(def a 1)", "(println a)", "(def b 2)", "(return 1)"].map(reply);
        let (url, server) = endpoint(replies.into());
        record_at(&url, &[API, &["--strategy", strategy]].concat(), &[]).ends(0);
        for request in server.join().unwrap() {
            let body: Value = serde_json::from_str(&request.body).unwrap();
            assert!(request.body.matches("cache_control").count() <= 4, "{body}");
            assert!(body["system"][0].get("cache_control").is_some(), "{body}");
            let last = body["messages"].as_array().unwrap().last().unwrap();
            assert!(
                last["content"].as_array().unwrap().last().unwrap().get("cache_control").is_some(),
                "{body}"
            );
        }
    }
}

#[test]
fn the_name_of_a_model_decides_the_api() {
    let suite = Suite::with(&[("s", "mission: go\n")]);
    let record = |model: &str, environment: &[(&str, &str)]| {
        suite.run_with(&["record", "s", "--model", model, "--again", "--retry-wait", "0"], "", environment)
    };
    let (url, server) =
        endpoint(vec![Reply::json(&json!({"content": [{"type": "text", "text": "(return 1)"}]}))]);
    let claude = [("ANTHROPIC_BASE_URL", url.as_str()), ("ANTHROPIC_API_KEY", "k")];
    record("claude-sonnet-5-5", &[("OPENAI_BASE_URL", "http://127.0.0.1:1"), claude[0], claude[1]]).ends(0);
    assert!(server.join().unwrap().remove(0).head.starts_with("POST /v1/messages "));
    record("claude-sonnet-5-5", &[]).ends(2).complains("ANTHROPIC_API_KEY");
    record("gpt-6.1-sol", &[]).ends(2).complains("OPENAI_API_KEY");
    // A proxy that speaks OpenAI's API for all models.
    let (url, server) = endpoint(vec![said("(return 1)")]);
    record("claude-sonnet-5-5", &[("OPENAI_BASE_URL", &url)]).ends(0);
    assert!(server.join().unwrap().remove(0).head.starts_with("POST /v1/chat/completions "));
}
