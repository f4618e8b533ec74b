//! Tools that a provider runs and bills by use.

use std::ops::ControlFlow;

use agent_logs::{TranscriptUsage, read};
use serde_json::{Value, json};

/// The usage of the last answer in a log.
fn last_usage(log: &str) -> TranscriptUsage {
    let mut usage = None;
    read(log.as_bytes(), "LOG", None, &mut |transcript| {
        usage = transcript.answers().last().and_then(|answer| answer.usage.clone());
        ControlFlow::Continue(())
    })
    .unwrap();
    usage.unwrap()
}

fn uses(usage: &TranscriptUsage) -> Vec<(&str, u64)> {
    usage.server_tools.iter().map(|(kind, uses)| (kind.as_str(), *uses)).collect()
}

/// A request to OpenAI's Responses API with these tools, and an answer after these items.
fn responses(input: &Value, tools: &Value, mut items: Vec<Value>) -> String {
    items.push(json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Paris."}]}));
    let request = json!({"model": "gpt-4.1", "input": input, "tools": tools});
    let usage = json!({"input_tokens": 40, "output_tokens": 5, "total_tokens": 45});
    let response =
        json!({"id": "resp_1", "object": "response", "model": "gpt-4.1", "output": items, "usage": usage});
    json!({"request": request, "response": response}).to_string()
}

fn search() -> Value {
    json!({"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "x"}})
}

#[test]
fn searches_of_the_older_tool_have_a_price_of_their_own() {
    let opened = json!({"type": "web_search_call", "id": "ws_2", "action": {"type": "open_page", "url": "https://x.test"}});
    let usage = last_usage(&responses(
        &json!("Which city?"),
        &json!([{"type": "web_search"}]),
        vec![search(), opened.clone()],
    ));
    assert_eq!((usage.web_searches, uses(&usage)), (Some(1), vec![]));
    let tools = json!([{"type": "web_search_preview_2025_03_11"}]);
    let usage = last_usage(&responses(&json!("Which city?"), &tools, vec![search(), search(), opened]));
    assert_eq!((usage.web_searches, uses(&usage)), (None, vec![("web_search_preview", 2)]));
}

#[test]
fn a_container_is_billed_once() {
    let run = |container: &str| json!({"type": "code_interpreter_call", "id": format!("ci_{container}"), "code": "1", "container_id": container, "status": "completed"});
    let file = json!({"type": "file_search_call", "id": "fs_1", "status": "completed", "queries": ["x"]});
    let input = json!([{"role": "user", "content": "Which city?"}, search(), run("cntr_1"), {"role": "user", "content": "Again."}]);
    // One container is that of the request, and the other ran twice.
    let items = vec![run("cntr_1"), run("cntr_2"), run("cntr_2"), file.clone(), file];
    let usage = last_usage(&responses(&input, &json!([{"type": "code_interpreter"}]), items));
    assert_eq!((usage.web_searches, uses(&usage)), (None, vec![("code_session", 1), ("file_search", 2)]));
}

/// A request with `previous_response_id` does not repeat the calls before.
#[test]
fn a_container_of_an_earlier_response_is_not_billed_again() {
    let run = |container: Option<&str>| json!({"type": "code_interpreter_call", "id": "ci_1", "code": "1", "container_id": container, "status": "completed"});
    let exchange = |number: usize, previous: Option<&str>, containers: &[Option<&str>]| {
        let items = containers.iter().map(|container| run(*container)).collect();
        let mut log: Value =
            serde_json::from_str(&responses(&json!(format!("City {number}?")), &json!([]), items)).unwrap();
        log["response"]["id"] = json!(format!("resp_{number}"));
        log["request"]["previous_response_id"] = json!(previous);
        log
    };
    let logs = [
        exchange(1, None, &[Some("cntr_1"), None]),
        exchange(2, Some("resp_1"), &[Some("cntr_1"), None]),
        exchange(3, Some("resp_2"), &[Some("cntr_1"), Some("cntr_2"), None]),
        // Another conversation: without an identifier, its container is another one.
        exchange(4, None, &[None, None]),
    ];
    let log: String = logs.iter().map(|log| format!("{log}\n")).collect();
    let mut sessions = Vec::new();
    read(log.as_bytes(), "LOG", None, &mut |transcript| {
        let bills = transcript.answers().filter_map(|answer| answer.usage.as_ref());
        sessions.extend(bills.map(|usage| usage.server_tools.get("code_session").copied().unwrap_or(0)));
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(sessions, [2, 0, 1, 1]);
}

/// xAI counts what it bills, and logs the dollars of the whole response.
#[test]
fn counters_of_xai_replace_items() {
    let mut log: Value = serde_json::from_str(&responses(
        &json!("Which city?"),
        &json!([{"type": "web_search"}]),
        vec![search()],
    ))
    .unwrap();
    log["response"]["usage"]["server_side_tool_usage_details"] = json!({"web_search_calls": 3, "x_search_calls": 2, "code_interpreter_calls": 1, "file_search_calls": 0});
    let usage = last_usage(&log.to_string());
    assert_eq!((usage.web_searches, uses(&usage)), (Some(3), vec![("code_call", 1), ("x_search", 2)]));
    assert_eq!(usage.cost, None);
    log["response"]["usage"]["cost_in_usd_ticks"] = json!(37_756_000);
    assert_eq!(last_usage(&log.to_string()).cost, Some(0.003_775_6));
    // Counters of one kind replace items of another.
    let usage = |items: Vec<Value>, counters: Value| {
        let log = responses(&json!("Which city?"), &json!([]), items);
        let mut log: Value = serde_json::from_str(&log).unwrap();
        log["response"]["usage"]["server_side_tool_usage_details"] = counters;
        let usage = last_usage(&log.to_string());
        (usage.web_searches, usage.server_tools.into_keys().collect::<Vec<_>>())
    };
    let file = json!({"type": "file_search_call", "id": "fs_1", "status": "completed", "queries": ["x"]});
    assert_eq!(usage(vec![file], json!({"web_search_calls": 3})), (Some(3), vec![]));
    assert_eq!(usage(vec![search()], json!({"x_search_calls": 2})), (None, vec!["x_search".to_owned()]));
    // 0 is an unknown cost, as in the bills of others.
    log["response"]["usage"]["cost_in_usd_ticks"] = json!(0);
    assert_eq!(last_usage(&log.to_string()).cost, None);
}

/// Gemini 3 bills each search, Gemini 2.5 the prompt: the price table decides.
#[test]
fn grounded_prompts_have_their_searches() {
    let asked = json!({"contents": [{"role": "user", "parts": [{"text": "Which city?"}]}]});
    let answer = json!({"content": {"role": "model", "parts": [{"text": "Paris."}]}, "groundingMetadata": {"webSearchQueries": ["a", "b", "c"]}});
    let bill = json!({"promptTokenCount": 9, "candidatesTokenCount": 2, "toolUsePromptTokenCount": 400, "totalTokenCount": 411});
    let mut log = json!({"request": asked, "response": {"candidates": [answer], "usageMetadata": bill, "modelVersion": "gemini-3-flash-preview"}});
    let usage = last_usage(&log.to_string());
    assert_eq!((usage.web_searches, uses(&usage)), (Some(3), vec![("grounded_prompt", 1)]));
    let mut snake = log.clone();
    let grounding = json!({"web_search_queries": ["a", "b"]});
    snake["response"]["candidates"][0]["groundingMetadata"] = Value::Null;
    snake["response"]["candidates"][0]["grounding_metadata"] = grounding;
    assert_eq!(last_usage(&snake.to_string()).web_searches, Some(2));
    // Pages found by a search are free.
    assert_eq!(usage.input_tokens, Some(9));
    log["response"]["candidates"][0]["groundingMetadata"]["webSearchQueries"] = json!([]);
    let usage = last_usage(&log.to_string());
    assert_eq!((usage.web_searches, uses(&usage), usage.input_tokens), (None, vec![], Some(409)));
}
