//! Compactions and clearings by the provider, in requests and in whole conversations.

use std::fmt::Write;
use std::ops::ControlFlow;

use agent_logs::{Transcript, TranscriptRole, read};
use serde_json::{Value, json};

/// An item of OpenAI's Responses API: `u` of the user, `a` of the model, `c ID` a call, `r ID` its result, `x` an encrypted compaction.
fn item(text: &str) -> Value {
    let (kind, rest) = text.split_once(' ').unwrap();
    let (id, value) = rest.split_once(' ').unwrap_or((rest, ""));
    match kind {
        "u" => json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": rest}]}),
        "a" => {
            json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": rest}]})
        }
        "x" => {
            json!({"type": "compaction", "id": format!("cmp_{rest}"), "encrypted_content": format!("gAAA{rest}")})
        }
        "c" => {
            json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": "count", "arguments": "{}"})
        }
        _ => json!({"type": "function_call_output", "call_id": id, "output": value}),
    }
}

fn items(texts: &[&str]) -> Value {
    texts.iter().map(|text| item(text)).collect()
}

/// A line with a request and its response, `rN`, billed with N tokens.
fn responses(number: usize, previous: Option<usize>, input: &[&str], output: &[&str]) -> Value {
    let mut request = json!({"model": "gpt-5.6", "instructions": "You keep birds.", "input": items(input)});
    if let Some(previous) = previous {
        request["previous_response_id"] = format!("r{previous}").into();
    }
    let usage = json!({"input_tokens": number, "output_tokens": 9});
    let response = json!({"id": format!("r{number}"), "object": "response", "model": "gpt-5.6", "output": items(output), "usage": usage});
    json!({"request": request, "response": response})
}

/// A message of Anthropic's API: as above, but `x SUMMARY | TEXT` is an answer behind a summary.
fn message(text: &str) -> Value {
    let (kind, rest) = text.split_once(' ').unwrap();
    let (id, value) = rest.split_once(' ').unwrap_or((rest, ""));
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "count", "input": {"pond": id}});
    let (role, parts) = match kind {
        "u" => ("user", json!([{"type": "text", "text": rest}])),
        "a" => ("assistant", json!([{"type": "text", "text": rest}])),
        "c" => ("assistant", json!([call(id)])),
        "x" => {
            let (summary, text) = rest.split_once(" | ").unwrap();
            let next = match text.strip_prefix("c ") {
                Some(id) => call(id),
                None => json!({"type": "text", "text": text}),
            };
            ("assistant", json!([{"type": "compaction", "content": summary}, next]))
        }
        _ => ("user", json!([{"type": "tool_result", "tool_use_id": id, "content": value}])),
    };
    json!({"role": role, "content": parts})
}

fn messages(texts: &[&str]) -> Value {
    texts.iter().map(|text| message(text)).collect()
}

/// The bill of an answer; behind a summary with 900 tokens of the call that wrote it.
fn anthropic_usage(number: usize, is_summarised: bool) -> Value {
    let mut usage = json!({"input_tokens": number, "output_tokens": 5});
    if is_summarised {
        usage["iterations"] = json!([
            {"type": "compaction", "input_tokens": 900, "output_tokens": 30},
            {"type": "message", "input_tokens": number, "output_tokens": 5},
        ]);
    }
    usage
}

/// A line with a request, billed with the number of tokens, and its answer. `cleared` results are hidden from the model.
fn anthropic(number: usize, asked: &[&str], answer: &str, cleared: usize) -> Value {
    let request = json!({"model": "claude-opus-4-6", "max_tokens": 9, "system": "You keep birds.", "messages": messages(asked)});
    let mut response = message(answer);
    response["id"] = format!("m{number}").into();
    response["type"] = "message".into();
    response["usage"] = anthropic_usage(number, answer.starts_with('x'));
    if cleared > 0 {
        let edit = json!({"type": "clear_tool_uses_20250919", "cleared_tool_uses": cleared, "cleared_input_tokens": 40});
        response["context_management"] = json!({"applied_edits": [edit]});
    }
    json!({"request": request, "response": response})
}

fn read_all(values: &[Value]) -> (Vec<Transcript>, Vec<String>) {
    let log: String = values.iter().map(|value| format!("{value}\n")).collect();
    let mut transcripts = Vec::new();
    let notes = read(log.as_bytes(), "LOG", None, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    (transcripts, notes.unwrap().lines().collect())
}

/// The messages of each conversation, with bills of answers, and its compactions with the messages that they remove and their bills:
/// `ua5 1:opaque-0/7`.
fn outline(values: &[Value]) -> String {
    let (transcripts, _) = read_all(values);
    let outlines: Vec<String> = transcripts.iter().map(outline_one).collect();
    outlines.join(" | ")
}

fn outline_one(transcript: &Transcript) -> String {
    let mut outline = String::new();
    for message in &transcript.messages {
        outline.push(match message.role {
            TranscriptRole::Assistant => 'a',
            TranscriptRole::Tool => 'r',
            TranscriptRole::User if message.content.starts_with("[encrypted") => 'x',
            TranscriptRole::User => 'u',
        });
        if let Some(tokens) = message.usage.as_ref().and_then(|usage| usage.input_tokens) {
            write!(outline, "{tokens}").unwrap();
        }
    }
    for compaction in &transcript.compactions {
        let kind = serde_json::to_value(compaction.kind).unwrap();
        let removed: Vec<String> = compaction.indices().map(|index| index.to_string()).collect();
        write!(outline, " {}:{}-{}", compaction.before, kind.as_str().unwrap(), removed.join(",")).unwrap();
        if let Some(usage) = &compaction.usage {
            write!(outline, "/{}", usage.input_tokens.unwrap()).unwrap();
        }
    }
    outline
}

const TASK: &str = "u Count the geese.";

/// The words of the user stay in front of an encrypted compaction, when nothing else stands there.
#[test]
fn words_before_an_encrypted_compaction_stay() {
    let asked = [TASK, "x 1", "u And ducks?", "c c2", "r c2 four"];
    let log = [responses(3, None, &asked[..3], &["c c2"]), responses(4, None, &asked, &["a Four."])];
    assert_eq!(outline(&log), "uxua3ra4");
    let whole: Vec<Value> = [TASK, "u Now.", "x 1", "u And ducks?", "a Four."].map(item).to_vec();
    assert_eq!(outline(&whole), "uuua 2:opaque-");
    let whole: Vec<Value> =
        [TASK, "x 1", "a Nine.", "u And ducks?", "c c1", "r c1 four", "x 2", "a Four."].map(item).to_vec();
    assert_eq!(outline(&whole), "uauara 1:opaque- 5:opaque-0,1,2,3,4");
}

/// An encrypted compaction may be cut out of a log. At the start of a log it replaces nothing.
#[test]
fn a_compaction_without_its_text_is_a_message() {
    let mut log = responses(3, None, &["x 1", "u And ducks?"], &["a Four."]);
    log["request"]["input"][0]["encrypted_content"] = Value::Null;
    let (transcripts, _) = read_all(&[log]);
    assert_eq!(transcripts[0].messages[0].content, "[encrypted by the provider]");
}

/// A response with a compaction alone is no turn. Its bill belongs to the compaction.
#[test]
fn a_response_with_a_compaction_alone_bills_it() {
    let log = [
        responses(1, None, &[TASK], &["a Nine."]),
        responses(2, None, &[TASK, "a Nine.", "u Go on."], &["x 1"]),
        responses(3, None, &["x 1", "u And ducks?"], &["a Four."]),
    ];
    assert_eq!(outline(&log), "ua1uua3 3:opaque-0,1,2/2");
}

/// A request names the response that it goes on with, also behind a compaction.
#[test]
fn requests_go_on_with_the_response_that_they_name() {
    let log = [
        responses(1, None, &[TASK], &["c c1"]),
        responses(2, Some(1), &["r c1 nine"], &["x 1", "a Nine."]),
        responses(3, Some(2), &["u Sure?"], &["a Yes."]),
        responses(4, Some(3), &["u Well?"], &["x 2"]),
        responses(5, Some(4), &["u Then?"], &["a No."]),
    ];
    assert_eq!(outline(&log), "ua1ra2ua3uua5 3:opaque-0,1,2 7:opaque-0,1,2,3,4,5,6/4");
    // Another request behind the same response is another conversation.
    let log = [
        responses(1, None, &[TASK], &["a Nine."]),
        responses(2, Some(1), &["u And ducks?"], &["a Four."]),
        responses(3, Some(1), &["u And swans?"], &["a One."]),
        responses(4, Some(2), &["u Sure?"], &["a Yes."]),
    ];
    assert_eq!(outline(&log), "ua1ua2ua4 | ua3");
}

/// The provider also clears results after its summary. The model saw these until then.
#[test]
fn results_behind_a_summary_are_cleared() {
    let asked = [TASK, "c t0", "r t0 nine", "c t1", "r t1 four", "x Thirteen. | c t2", "r t2 two"];
    let log = [
        anthropic(1, &asked[..1], "c t0", 0),
        anthropic(2, &asked[..3], "c t1", 0),
        anthropic(3, &asked[..5], "x Thirteen. | c t2", 0),
        anthropic(4, &asked, "a Fifteen.", 1),
    ];
    assert_eq!(outline(&log), "ua1ra2ra3ra4 5:summary-0,1,2,3,4/900 7:clear-0,1,2,3,4,6");
}

/// The tools, the place and the bill of a request behind a summary are its own.
#[test]
fn a_request_behind_a_summary_has_its_own_tools() {
    let tool =
        |name: &str| json!({"name": name, "description": "Counts.", "input_schema": {"type": "object"}});
    let asked = [TASK, "c t0", "r t0 nine", "x Nine. | c t1", "r t1 four"];
    let mut log = [
        anthropic(1, &asked[..1], "c t0", 0),
        anthropic(2, &asked[..3], "x Nine. | c t1", 0),
        anthropic(3, &asked, "a Four.", 0),
    ];
    log[0]["request"]["tools"] = json!([tool("count")]);
    log[1]["request"]["tools"] = json!([tool("count"), tool("weigh")]);
    log[2]["request"]["tools"] = json!([tool("count"), tool("weigh"), tool("feed")]);
    let (transcripts, _) = read_all(&log);
    let names: Vec<&str> = transcripts[0].tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["count", "weigh", "feed"]);
    log[2]["request"]["system"] = "You keep fish.".into();
    let (_, notes) = read_all(&log);
    let expected = "system prompts replaced by the next request left out: 1 (LOG:2)";
    assert!(notes.iter().any(|line| line == expected), "{notes:?}");
}

/// A whole conversation has the bill of its summary too.
#[test]
fn a_summary_in_a_whole_conversation_has_its_bill() {
    let mut all = messages(&[TASK, "a Nine.", "u And ducks?", "x Nine. | Four."]);
    all[1]["usage"] = anthropic_usage(1, false);
    all[3]["usage"] = anthropic_usage(2, true);
    assert_eq!(outline(&[json!({"messages": all})]), "ua1ua2 3:summary-0,1,2/900");
}

/// Results in the text of an answer stay there behind a summary, since dividing them would move its place.
#[test]
fn answers_behind_a_summary_are_not_divided() {
    let call = "I think.\nAction: look\nObservation: found";
    let (plain, summarised) = (format!("a {call}"), format!("x Nine. | {call}"));
    let log = |answer: &str| {
        let asked = [TASK, "a Nine.", "u Go on.", answer];
        [
            anthropic(1, &asked[..1], "a Nine.", 0),
            anthropic(2, &asked[..3], answer, 0),
            anthropic(3, &asked, "a Done.", 0),
        ]
    };
    assert_eq!(outline(&log(&plain)), "ua1ua2ua3");
    assert_eq!(outline(&log(&summarised)), "ua1ua2a3 3:summary-0,1,2/900");
}
