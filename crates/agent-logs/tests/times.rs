//! Times of messages.

use std::ops::ControlFlow;

use agent_logs::{LogTime, read};
use serde_json::{Value, json};

/// The same moment in several spellings, and times that are none.
#[test]
fn times_are_read_with_their_offsets() {
    let time = LogTime::parse("2024-02-29T23:59:59.5Z").unwrap();
    assert_eq!(time.to_string(), "2024-02-29T23:59:59.500Z");
    // The count of days is that of GNU date: date -d 2024-02-29 +%s, divided by 86,400.
    assert_eq!(time.day(), 19_782);
    for same in [
        "2024-03-01T01:59:59.500+02:00",
        "2024-03-01T01:59:59.500+0200",
        "2024-03-01 01:59:59.500+02",
        "2024-02-29T20:29:59.5-03:30",
        "2024-02-29T23:59:59.500000",
    ] {
        assert_eq!(LogTime::parse(same), Some(time), "{same}");
    }
    for none in [
        "2024-02-29T23:59:59+2",
        "2024-02-29T23:59:59+02:3",
        "2024-02-29T23:59:59+02:xx",
        "2024-02-29T24:00:00Z",
        "2024-13-01T00:00:00Z",
        "2023-02-29T00:00:00Z",
        "2024-04-31T00:00:00Z",
        "2024-02-29",
    ] {
        assert_eq!(LogTime::parse(none), None, "{none}");
    }
}

/// The end of a message is at most the last time of the calendar.
#[test]
fn times_stay_within_the_calendar() {
    let time = LogTime::parse("1970-01-02T00:00:05Z").unwrap();
    assert_eq!((time.seconds(), time.day()), (86_405, 1));
    let ended = |duration: f64| {
        let message = json!({"role": "assistant", "time": "1970-01-02T00:00:05Z", "duration": duration});
        serde_json::from_value::<agent_logs::TranscriptMessage>(message).unwrap().ended().unwrap()
    };
    assert_eq!(ended(2.5).to_string(), "1970-01-02T00:00:07.500Z");
    assert!(ended(1e18).seconds() > 200_000_000_000);
    assert!(ended(-1e18).seconds() < -200_000_000_000);
    let error = serde_json::from_str::<LogTime>("\"noon\"").unwrap_err().to_string();
    assert!(
        error.ends_with("\"noon\", expected a time in RFC 3339, such as 2026-10-02T11:04:09Z"),
        "{error}"
    );
}

/// One conversation of four requests, an hour apart, as the value that a format logs for each request.
fn logged(format: &str) -> Vec<Value> {
    let call = |turn: usize| json!({"id": format!("c{turn}"), "type": "function", "function": {"name": "look", "arguments": "{}"}});
    let answer = |turn: usize| json!({"role": "assistant", "content": format!("step {turn}"), "tool_calls": [call(turn)]});
    let result =
        |turn: usize| json!({"role": "tool", "tool_call_id": format!("c{turn}"), "content": "found"});
    let mut messages = vec![json!({"role": "user", "content": "Which city is largest?"})];
    let mut requests = Vec::new();
    for turn in 0..4_i64 {
        let index = usize::try_from(turn).unwrap();
        let (start, end) =
            (format!("2026-11-20T{:02}:00:00Z", 10 + turn), format!("2026-11-20T{:02}:00:05Z", 10 + turn));
        let seconds = 1_795_000_000 + turn * 3_600;
        let response = json!({"choices": [{"message": answer(index)}], "created": seconds});
        let answered = json!({"choices": [{"message": answer(index)}]});
        let usage = json!({"input_tokens": 100, "output_tokens": 9});
        let items: Vec<Value> = messages.iter().chain([&answer(index)]).flat_map(items_of).collect();
        let (asked, said) = items.split_at(items.len() - 2);
        requests.push(match format {
            "openai-chat" => json!({"request": {"messages": messages}, "response": response}),
            "lines with a time" => json!({"timestamp": start, "request": {"messages": messages}, "response": answered}),
            "LiteLLM" => json!({"messages": messages, "response": answered, "startTime": start, "endTime": end}),
            "openai-responses" => json!({"request": {"input": asked}, "response": {"object": "response", "created_at": seconds, "output": said}}),
            "responses with a time" => json!({"ts": seconds, "request": {"input": asked}, "response": {"object": "response", "output": said}}),
            "langfuse" => json!({"id": format!("o{turn}"), "traceId": "t", "type": "GENERATION", "startTime": start, "endTime": end, "input": messages, "output": answer(index)}),
            "langsmith" => json!({"post": [{"id": format!("r{turn}"), "trace_id": "t", "run_type": "llm", "start_time": start, "end_time": end, "inputs": {"messages": messages}, "outputs": answered}]}),
            "gen_ai" => json!({"name": "chat", "context": {"trace_id": "t"}, "start_time": start, "end_time": end, "attributes": {"gen_ai.input.messages": json!(messages).to_string(), "gen_ai.output.messages": json!([answer(index)]).to_string(), "gen_ai.usage.input_tokens": usage["input_tokens"]}}),
            "OTLP" => json!({"traceId": "t", "startTimeUnixNano": format!("{seconds}000000000"), "endTimeUnixNano": format!("{seconds}500000000"), "attributes": [
                {"key": "gen_ai.input.messages", "value": {"stringValue": json!(messages).to_string()}},
                {"key": "gen_ai.output.messages", "value": {"stringValue": json!([answer(index)]).to_string()}}]}),
            "AI SDK" => {
                let before: Vec<Value> = messages.iter().chain([&answer(index), &result(index)]).cloned().collect();
                let said = before.get(messages.len()..).unwrap();
                json!({"stepNumber": turn, "finishReason": "tool-calls", "request": {"body": {"messages": messages}}, "response": {"timestamp": start, "modelId": "m", "messages": said}})
            }
            "HAR" => json!({"log": {"entries": [{"startedDateTime": start, "time": 5_000, "request": {"url": "https://api.openai.com/v1/chat/completions", "postData": {"text": json!({"messages": messages}).to_string()}}, "response": {"content": {"text": answered.to_string()}}}]}}),
            other => panic!("{other}"),
        });
        messages.extend([answer(index), result(index)]);
    }
    requests
}

/// A message as items of OpenAI's Responses API.
fn items_of(message: &Value) -> Vec<Value> {
    let call = |call: &Value| json!({"type": "function_call", "call_id": call["id"], "name": "look", "arguments": "{}"});
    match message["role"].as_str() {
        Some("tool") => {
            vec![
                json!({"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]}),
            ]
        }
        Some("assistant") => {
            vec![json!({"role": "assistant", "content": message["content"]}), call(&message["tool_calls"][0])]
        }
        _ => vec![message.clone()],
    }
}

/// Logs of requests repeat the conversation, and each of their requests keeps its own time.
#[test]
fn every_request_has_its_time() {
    for format in [
        "openai-chat",
        "lines with a time",
        "LiteLLM",
        "openai-responses",
        "responses with a time",
        "langfuse",
        "langsmith",
        "gen_ai",
        "OTLP",
        "AI SDK",
        "HAR",
    ] {
        let log: String = logged(format).iter().map(|value| format!("{value}\n")).collect();
        let mut transcripts = Vec::new();
        read(log.as_bytes(), "LOG", None, &mut |transcript| {
            transcripts.push(transcript);
            ControlFlow::Continue(())
        })
        .unwrap();
        let [transcript] = transcripts.as_slice() else { panic!("{format}: {transcripts:#?}") };
        let times: Vec<LogTime> = transcript.answers().filter_map(|answer| answer.time).collect();
        assert_eq!(times.len(), 4, "{format}: {transcript:#?}");
        for pair in times.windows(2) {
            assert!((pair[1].seconds_since(pair[0]) - 3_600.0).abs() < 6.0, "{format}: {times:?}");
        }
    }
}
