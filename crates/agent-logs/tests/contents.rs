//! Values of messages: what becomes of them, and what is noted.

use std::ops::ControlFlow;

use agent_logs::{LogFormat, Transcript, TranscriptRole, read};
use serde_json::{Value, json};

/// The conversations of a log, and its notes or its error.
fn tell_text(log: &str, from: Option<&'static LogFormat>) -> (Vec<Transcript>, Vec<String>) {
    let mut transcripts = Vec::new();
    let notes = read(log.as_bytes(), "LOG", from, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    match notes {
        Ok(notes) => (transcripts, notes.lines().collect()),
        Err(error) => (transcripts, error.to_string().lines().map(|line| line.trim().to_owned()).collect()),
    }
}

fn tell(values: &[Value]) -> (Vec<Transcript>, Vec<String>) {
    let lines: Vec<String> = values.iter().map(Value::to_string).collect();
    tell_text(&lines.join("\n"), None)
}

/// A conversation with a question of these parts.
fn asked(parts: &Value) -> Value {
    json!({"messages": [{"role": "user", "content": parts}, {"role": "assistant", "content": [{"type": "text", "text": "Rome"}]}]})
}

#[track_caller]
fn check_note(value: &Value, expected: &str) {
    let (_, notes) = tell(std::slice::from_ref(value));
    assert!(notes.iter().any(|line| line == expected), "{value}: {notes:?}");
}

#[test]
fn unknown_fields_of_parts_are_noted() {
    let text = json!({"type": "text", "text": "Which city?"});
    let lost = "fields later of parts left out: 1 (LOG:1: messages[0].content[1])";
    let inner = json!([{"type": "text", "text": "The Tiber."}]);
    for part in [
        json!({"type": "text", "text": "It is old.", "later": "In a note."}),
        json!({"type": "text", "text": "It is old.", "later": ["In a note."]}),
        json!({"type": "text", "text": "It is old.", "later": {"deep": {"words": "In a note."}}}),
        json!({"type": "search_result", "source": "s", "title": "t", "content": inner, "later": "In a note."}),
        json!({"type": "document", "source": {"type": "text", "data": "The Tiber."}, "later": "In a note."}),
    ] {
        check_note(&asked(&json!([text, part])), lost);
    }
}

#[test]
fn declared_tools_need_a_name() {
    let with = |tools: Value| {
        let mut value = asked(&json!([{"type": "text", "text": "Which city?"}]));
        value["tools"] = tools;
        value
    };
    check_note(&with(json!(7)), "declared tools that are not a list: 1 (LOG:1: tools)");
    check_note(&with(json!([7])), "declared tools without a name left out: 1 (LOG:1: tools[0])");
    let tool = json!({"name": "look", "description": "Looks.", "input_schema": {"type": "object"}, "later": "In a note."});
    check_note(&with(json!([tool])), "fields later of declared tools left out: 1 (LOG:1: tools[0])");
}

#[test]
fn texts_with_half_a_character_are_noted() {
    let noted = |text: &str| {
        let log = format!(
            "{{\"messages\": [{{\"role\": \"user\", \"content\": \"{text}\"}}, {{\"role\": \"assistant\", \"content\": \"b\"}}]}}"
        );
        let (transcripts, notes) = tell_text(&log, None);
        let is_noted = notes.iter().any(|line| line.starts_with("texts with half a surrogate pair"));
        (transcripts[0].messages[0].content.clone(), is_noted)
    };
    for (text, read, is_noted) in [
        ("a\\ud83d\\ude00", "a\u{1f600}", false),
        ("a\\uD83D\\uDE00", "a\u{1f600}", false),
        ("a\\ud83d", "a\u{fffd}", true),
        ("a\\uD83D", "a\u{fffd}", true),
        ("a\\\\ud83d", "a\\ud83d", false),
        ("a\\ud7ff", "a\u{d7ff}", false),
    ] {
        assert_eq!(noted(text), (read.to_owned(), is_noted), "{text}");
    }
}

/// Python writes numbers that JSON lacks.
#[test]
fn numbers_without_a_form_in_json_are_null() {
    let messages =
        json!([{"role": "user", "content": "NaN or Infinity?"}, {"role": "assistant", "content": "b"}]);
    for number in ["NaN", "Infinity", "-Infinity"] {
        let (transcripts, notes) =
            tell_text(&format!("{{\"messages\": {messages}, \"cost\": {number}}}"), None);
        assert_eq!(transcripts[0].messages[0].content, "NaN or Infinity?");
        assert!(
            notes.iter().any(|line| line.starts_with("values NaN or Infinity, read as null")),
            "{notes:?}"
        );
    }
}

/// A prompt template whose last slot is empty was never sent.
#[test]
fn unfilled_templates_are_left_out() {
    let ending = |text: &str| {
        let [question, answer] =
            [json!({"role": "user", "content": "Look."}), json!({"role": "assistant", "content": "b"})];
        tell(&[json!({"messages": [question, answer, {"role": "user", "content": text}]})]).0.len()
    };
    for text in ["", "{city}", "{{ city }}", "{$city_1}"] {
        assert_eq!(ending(text), 0, "{text}");
    }
    for text in ["city", "{city", "city}", "{a city?}"] {
        assert_eq!(ending(text), 1, "{text}");
    }
}

#[test]
fn answers_alone_are_no_conversation() {
    let answer = |text: &str| json!({"role": "assistant", "content": text});
    let (transcripts, notes) = tell(&[json!({"messages": [answer("Rome"), answer("Paris")]})]);
    assert_eq!(transcripts.len(), 0);
    assert!(notes.iter().any(|line| line.starts_with("responses without a request left out")), "{notes:?}");
    // A bill of 0 is none of a missing call.
    let alone =
        |tokens: u64| json!({"choices": [{"message": answer("Rome")}], "usage": {"prompt_tokens": tokens}});
    for (tokens, is_named) in [(0, false), (1, true)] {
        let (_, notes) = tell(&[alone(tokens)]);
        assert_eq!(
            notes.iter().any(|line| line.starts_with("1 billed call is missing")),
            is_named,
            "{notes:?}"
        );
    }
}

fn gemini(contents: &[Value], answer: &Value, tokens: u64) -> Value {
    json!({
        "request": {"contents": contents},
        "response": {"candidates": [{"content": answer}], "usageMetadata": {"promptTokenCount": tokens, "candidatesTokenCount": 2}},
    })
}

fn said(role: &str, text: &str) -> Value {
    json!({"role": role, "parts": [{"text": text}]})
}

/// Many versions of Gemini's CLI shorten their history in silence.
#[test]
fn bills_that_fall_below_half_are_noted() {
    let all = [said("user", "Hi."), said("model", "Ho."), said("user", "And?"), said("model", "No.")];
    for (tokens, is_noted) in [(50, false), (49, true)] {
        let (transcripts, notes) =
            tell(&[gemini(&all[..1], &all[1], 100), gemini(&all[..3], &all[3], tokens)]);
        assert_eq!(transcripts.len(), 1);
        let noted = notes
            .iter()
            .any(|line| line.starts_with("requests billed for less than half of the previous one"));
        assert_eq!(noted, is_noted, "{tokens}: {notes:?}");
    }
}

/// Without identifiers, results are paired with the calls of their tool.
#[test]
fn results_of_several_calls_are_paired_in_order() {
    let call = |name: &str, city: &str| json!({"functionCall": {"name": name, "args": {"city": city}}});
    let result =
        |name: &str, text: &str| json!({"functionResponse": {"name": name, "response": {"result": text}}});
    let noted = |calls: Vec<Value>, results: Vec<Value>| {
        let contents = [
            said("user", "Look."),
            json!({"role": "model", "parts": calls}),
            json!({"role": "user", "parts": results}),
        ];
        let (transcripts, notes) = tell(&[gemini(&contents, &said("model", "Done."), 9)]);
        let ids: Vec<String> =
            transcripts[0].messages[1].tool_calls.iter().map(|call| call.id.clone()).collect();
        let paired: Vec<String> =
            transcripts[0].messages.iter().filter_map(|message| message.call.clone()).collect();
        let kind = "results that match several calls, paired with the first";
        (ids == paired, notes.iter().any(|line| line.starts_with(kind)))
    };
    let (oslo, rome) = (call("look", "Oslo"), call("look", "Rome"));
    assert_eq!(noted(vec![oslo.clone(), rome], vec![result("look", "a"), result("look", "b")]), (true, true));
    assert_eq!(
        noted(vec![oslo, call("walk", "Rome")], vec![result("look", "a"), result("walk", "b")]),
        (true, false)
    );
}

/// A result without a call is an observation, noted with its place.
#[test]
fn results_without_a_call_are_observations() {
    let log = json!({"messages": [
        {"role": "user", "content": "Look."}, {"role": "tool", "content": "found", "call": "x"}, {"role": "assistant", "content": "b"},
    ]});
    for (from, place) in [("transcript", "LOG:1: messages[1]"), ("openai-chat", "LOG:1: messages[1]")] {
        let (transcripts, notes) = tell_text(&log.to_string(), LogFormat::named(from));
        assert_eq!(transcripts[0].messages[1].role, TranscriptRole::User);
        let expected = format!("results without a call, taken as observations: 1 ({place})");
        assert!(notes.contains(&expected), "{from}: {notes:?}");
    }
}

/// A call is known again by its identifier, or else by all that was sent, unless it has a time.
#[test]
fn calls_have_an_identity() {
    let usage = json!({"prompt_tokens": 9, "completion_tokens": 2});
    let request = |more: Value| {
        let mut value = json!({
            "request": {"messages": [{"role": "user", "content": "Look."}]},
            "response": {"choices": [{"message": {"role": "assistant", "content": "b"}}], "usage": usage},
        });
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        tell(&[value]).0[0].messages[1].usage.clone().unwrap().call
    };
    assert!(request(json!({})).unwrap().starts_with("request "));
    assert_eq!(request(json!({"timestamp": "2026-11-20T10:00:00Z"})), None);
    let line = |kind: &str, number: usize, message: Value| {
        let parent = number.checked_sub(1).map(|before| format!("u{before}"));
        json!({"type": kind, "sessionId": "s", "uuid": format!("u{number}"), "parentUuid": parent, "requestId": "req_1", "message": message})
    };
    let usage = |cached: u64, output: u64| json!({"input_tokens": 5, "cache_read_input_tokens": cached, "output_tokens": output});
    let piece = |text: &str, usage: Value| json!({"id": "m1", "role": "assistant", "model": "claude-opus-5", "content": [{"type": "text", "text": text}], "usage": usage});
    let log = [
        line("user", 0, json!({"role": "user", "content": "Look."})),
        line("assistant", 1, piece("One.", usage(7, 9))),
        line("assistant", 2, piece("Two.", usage(8, 2))),
    ];
    let (transcripts, _) = tell(&log);
    let bill = transcripts[0].messages[1].usage.as_ref().unwrap();
    // The newest bill of the pieces, with the largest output.
    assert_eq!((bill.cached_tokens, bill.output_tokens), (Some(8), Some(9)));
    assert!(bill.call.is_some());
}

/// A bill without a model is of the model of all others.
#[test]
fn bills_have_the_model_of_the_others() {
    let models = |given: [Option<&str>; 3]| {
        let mut messages = Vec::new();
        for model in given {
            let usage = json!({"input_tokens": 9, "output_tokens": 2, "model": model});
            messages.push(json!({"role": "user", "content": "Look."}));
            messages.push(json!({"role": "assistant", "content": "b", "usage": usage}));
        }
        let log = json!({"messages": messages}).to_string();
        let (transcripts, _) = tell_text(&log, LogFormat::named("transcript"));
        let bills = transcripts[0].answers().map(|answer| answer.usage.clone().unwrap().model);
        bills.map(Option::unwrap_or_default).collect::<Vec<String>>()
    };
    assert_eq!(models([Some("m"), None, Some("m")]), ["m", "m", "m"]);
    assert_eq!(models([Some("m"), None, Some("n")]), ["m", "", "n"]);
}
