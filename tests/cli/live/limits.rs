//! Bounds on time and size, and answers that are not whole.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::json;

use super::server::{Reply, record_at, record_from, said};

#[test]
fn an_answer_ends_at_16_mib() {
    let (ran, _) = record_from(vec![said(&"x".repeat(12 << 20))], &["--silence", "60"]);
    ran.complains("turn 1: answered");
    let (ran, _) = record_from(vec![said(&"x".repeat(17 << 20))], &[]);
    ran.ends(1).complains("answered with more than 16 MiB");
}

#[test]
fn silence_ends_a_call() {
    let began = Instant::now();
    let replies = vec![Reply::Slowly(b"HTTP".to_vec(), Duration::from_secs(3))];
    record_from(replies, &["--silence", "1"]).0.ends(1).complains("was silent for 1 s");
    assert!(began.elapsed() < Duration::from_secs(20), "it waits for no other byte and does not ask again");
}

#[test]
fn an_answer_that_trickles_ends_at_the_time_limit() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n".to_string() + &" ".repeat(50);
    let replies = vec![Reply::Slowly(head.into(), Duration::from_millis(50))];
    let (ran, _) = record_from(replies, &["--timeout", "1", "--silence", "5"]);
    ran.ends(1).complains("gave no whole answer within 1 s");
}

/// The listener accepts no connection that the system did not, so TLS never begins.
#[test]
fn a_connection_that_does_not_come_about_ends_a_call() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/v1", listener.local_addr().unwrap());
    let ran = record_at(&url, &["--silence", "1"], &[]);
    ran.ends(1);
    assert!(
        ran.err.contains("took no connection within 1 s") || ran.err.contains("was silent"),
        "{}",
        ran.err
    );
}

#[test]
fn answers_that_are_not_whole_are_failures() {
    let choice = |reason: &str| json!({"finish_reason": reason, "message": {"content": "(return 1)"}});
    let refusal = json!({"message": {"content": null, "refusal": "I would rather not"}});
    let cases = [
        (choice("length"), "cut the answer off at its longest length"),
        (choice("content_filter"), "held the answer back by a content filter"),
        (refusal, "refused to answer: I would rather not"),
        (
            json!({"finish_reason": "tool_calls", "message": {"content": null}}),
            "ended without an answer: tool_calls",
        ),
    ];
    for (choice, message) in cases {
        let (ran, _) = record_from(vec![Reply::json(&json!({"choices": [choice]}))], &[]);
        ran.ends(1).complains(message);
        assert_eq!(ran.out, "", "a failure is no answer");
    }
    let (ran, _) = record_from(vec![Reply::new("200 OK", "", "<html>")], &[]);
    ran.ends(1).complains("answered without JSON: <html>");
    let (ran, _) = record_from(vec![Reply::json(&json!({"error": {"message": "no such model"}}))], &[]);
    ran.ends(1).complains("gave no answer: no such model");
}

#[test]
fn the_origin_of_each_answer_is_shown() {
    let reply = json!({
        "model": "m-2026-11-01",
        "choices": [{"finish_reason": "stop", "message": {"content": "(return 1)"}}],
        "usage": {"prompt_tokens": 120, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 100}},
    });
    let (ran, _) = record_from(vec![Reply::json(&reply)], &["--temperature", "0.5"]);
    ran.ends(0)
        .complains("turn 1: answered by m-2026-11-01 at temperature 0.5, 120 tokens in (100 cached), 7 out");
}
