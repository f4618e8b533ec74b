//! A log that a reader loses is refused by name.

use std::ops::ControlFlow;

use agent_logs::{HashedTranscript, Ledger, LogFormat, Repeats, read};
use serde_json::{Value, json};

fn said(values: &[Value]) -> Result<usize, String> {
    let log: String = values.iter().map(|value| format!("{value}\n")).collect();
    let mut number = 0;
    read(log.as_bytes(), "LOG", LogFormat::named("openai-chat"), &mut |_| {
        number += 1;
        ControlFlow::Continue(())
    })
    .map_err(|error| error.to_string())
    .map(|_| number)
}

/// The first line of the notes on a log.
fn first_note(values: &[Value]) -> String {
    let log: String = values.iter().map(|value| format!("{value}\n")).collect();
    let notes = read(log.as_bytes(), "LOG", None, &mut |_| ControlFlow::Continue(()));
    notes.unwrap().lines().next().unwrap_or_default()
}

/// Found = booked + copies + named as missing, in calls and in tokens.
#[test]
fn bills_that_no_conversation_has_are_named() {
    let billed = json!({"role": "assistant", "content": "Rome", "usage": {"prompt_tokens": 5, "completion_tokens": 1}});
    let other = |more: Value| request(json!({"role": "assistant", "content": "Paris"}), more);
    let logged = |more: Value| first_note(&[request(billed.clone(), json!({})), other(more)]);
    assert_eq!(
        logged(json!({"accounting": {"model": "m", "prompt_tokens": 900}, "later": {"inputTokenCount": 70}})),
        "2 billed calls are missing from 1 log: 970 input tokens (LOG:2: accounting.prompt_tokens, LOG:2: later.inputTokenCount)"
    );
    // Sums so far, and what the cache held, are no calls.
    assert!(!logged(json!({"accounting": {"totalTokens": {"prompt_tokens": 900}}})).contains("billed"));
    assert!(!logged(json!({"accounting": {"prompt_cached_tokens": 900}})).contains("billed"));
    // A repeated bill is the same one.
    assert!(!logged(json!({"accounting": {"prompt_tokens": 5}})).contains("billed"));
}

/// The lines of a subagent as a session of Claude Code shows them: its progress, and its last answer beside the result of the call.
#[test]
fn answers_of_subagents_that_are_only_shown_have_bills() {
    let line = |kind: &str, number: usize, more: Value| {
        let parent = number.checked_sub(1).map(|before| format!("u{before}"));
        let mut value =
            json!({"type": kind, "sessionId": "s", "uuid": format!("u{number}"), "parentUuid": parent});
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        value
    };
    let usage = |input: u64| {
        json!({"input_tokens": input, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 20,
            "cache_creation": {"ephemeral_5m_input_tokens": 12, "ephemeral_1h_input_tokens": 8}, "output_tokens": 3})
    };
    let answer = |id: &str, input: u64, part: Value| json!({"id": id, "role": "assistant", "model": "claude-opus-5", "content": [part], "usage": usage(input)});
    let called = json!({"type": "tool_use", "id": "t1", "name": "Task", "input": {}});
    let shown = answer("m2", 7, json!({"type": "text", "text": "I look."}));
    let result = json!([{"type": "tool_result", "tool_use_id": "t1", "content": "It leaks."}]);
    let log: String = [
        line("user", 0, json!({"message": {"role": "user", "content": "Look at the pump."}})),
        line("assistant", 1, json!({"message": answer("m1", 4, called)})),
        line("progress", 2, json!({"data": {"agentId": "a1", "message": {"message": shown}}})),
        line(
            "user",
            3,
            json!({"message": {"role": "user", "content": result}, "toolUseResult": {"agentId": "a1", "usage": usage(9)}}),
        ),
    ]
    .iter()
    .map(|value| format!("{value}\n"))
    .collect();
    let notes = read(log.as_bytes(), "LOG", None, &mut |_| ControlFlow::Continue(())).unwrap();
    let bills: Vec<_> = notes
        .subagents
        .list_bills()
        .map(|bill| {
            let cache = [bill.cached_tokens, bill.cache_write_tokens, bill.cache_write_1h_tokens];
            (bill.model.unwrap(), bill.input_tokens, cache, bill.output_tokens)
        })
        .collect();
    let bill = |input| ("claude-opus-5".to_owned(), Some(input), [Some(1000), Some(20), Some(8)], Some(3));
    assert_eq!(bills, [bill(1027), bill(1029)]);
}

fn request(answer: Value, more: Value) -> Value {
    let mut value = json!({"messages": [{"role": "user", "content": "Which city?"}, answer]});
    value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    value
}

/// A broken log may hold any number.
#[test]
fn counts_that_no_call_has_are_no_overflow() {
    let most = json!({"prompt_tokens": u64::MAX, "completion_tokens": u64::MAX, "prompt_tokens_details": {"cached_tokens": u64::MAX}});
    let answer = |text: &str, usage: &Value| json!({"role": "assistant", "content": text, "usage": usage});
    let usual = json!({"prompt_tokens": 5, "completion_tokens": 1});
    let question = json!({"role": "user", "content": "And the next?"});
    let log =
        json!({"messages": [question, answer("Rome", &usual), question, answer("Paris", &most)]}).to_string();
    let (mut repeats, mut ledger) = (Repeats::default(), Ledger::default());
    let mut number = 0;
    let notes = read(log.as_bytes(), "LOG", None, &mut |transcript| {
        number += 1;
        let mut hashed = HashedTranscript::from(transcript);
        repeats.add(&hashed, number);
        ledger.book(&mut hashed, number, "LOG");
        ControlFlow::Continue(())
    });
    let said = notes.unwrap().lines().collect::<Vec<_>>().join("\n");
    assert!(number == 1 && said.contains("bills with more tokens than a call can have"), "{said}");
}

#[test]
fn a_log_whose_texts_all_come_out_empty_is_refused() {
    let new = |role: &str| json!({"role": role, "content": [{"type": "newer", "words": "Paris"}]});
    let error = said(&[json!({"messages": [new("user"), new("assistant"), new("user"), new("assistant")]})])
        .unwrap_err();
    assert!(error.contains("with mostly empty messages left out"), "{error}");
    assert!(error.contains("--from"), "{error}");
}

/// More than half, with the messages of tools aside.
#[test]
fn a_log_may_have_some_empty_messages() {
    let messages = |empty: usize, all: usize| -> Value {
        let role = |number| if number % 2 == 0 { "user" } else { "assistant" };
        let said =
            |number| json!({"role": role(number), "content": if number < empty { "" } else { "Paris" }});
        (0..all).map(said).collect()
    };
    let is_read = |empty, all| said(&[json!({ "messages": messages(empty, all) })]).is_ok();
    assert!(!is_read(3, 5) && is_read(2, 5) && is_read(2, 4));
}

/// As many conversations wait for the first bill as fit.
#[test]
fn a_hundred_conversations_wait_for_a_bill() {
    let question =
        |number: usize| json!({"role": "user", "content": format!("Which city is number {number}?")});
    let waiting = |number: usize| json!({"messages": [question(number), {"role": "assistant", "content": "Paris"}], "accounting": {"prompt_tokens": 900}});
    let mut values: Vec<Value> = (0..100).map(waiting).collect();
    let billed = json!({"role": "assistant", "content": "Rome", "usage": {"prompt_tokens": 5, "completion_tokens": 1}});
    values.push(request(billed, json!({})));
    assert_eq!(said(&values), Ok(101));
}

#[test]
fn a_log_whose_bills_are_all_lost_is_refused() {
    let answer = json!({"role": "assistant", "content": "Paris"});
    let newer = json!({"accounting": {"inputTokensTotal": 7, "prompt_tokens": 900}});
    let error = said(&[request(answer.clone(), newer)]).unwrap_err();
    assert!(error.contains("with bills in unknown fields left out"), "{error}");
    // Nothing was billed, a text speaks of it, or another request has its bill.
    assert_eq!(said(&[request(answer.clone(), json!({"accounting": {"prompt_tokens": 0}}))]), Ok(1));
    let quoted = json!({"role": "assistant", "content": "{\"prompt_tokens\": 9}"});
    assert_eq!(said(&[request(quoted, json!({}))]), Ok(1));
    let billed = json!({"role": "assistant", "content": "Rome", "usage": {"prompt_tokens": 5, "completion_tokens": 1}});
    let other = json!({"accounting": {"prompt_tokens": 900}});
    assert_eq!(said(&[request(billed, json!({})), request(answer, other)]), Ok(2));
}

/// A bill for fewer than half of the answers is of something else.
#[test]
fn few_bills_are_not_those_of_the_answers() {
    let conversation = |answers: usize| {
        let turn = |number: usize| {
            [
                json!({"role": "user", "content": format!("Which city is number {number}?")}),
                json!({"role": "assistant", "content": "Paris"}),
            ]
        };
        let messages: Vec<Value> = (0..answers).flat_map(turn).collect();
        json!({"messages": messages, "accounting": {"prompt_tokens": 900}})
    };
    assert!(said(&[conversation(2)]).is_err());
    assert_eq!(said(&[conversation(3)]), Ok(1));
    let twice = |answers| {
        let mut value = conversation(answers);
        value["later"] = json!({"prompt_tokens": 800});
        value
    };
    assert!(said(&[twice(3)]).is_err());
    assert_eq!(said(&[twice(5)]), Ok(1));
    // A conversation beside it tells nothing about one that waits, but a bill or a missing call does.
    let mut without = conversation(5);
    without.as_object_mut().unwrap().remove("accounting");
    let billed = json!({"role": "assistant", "content": "Rome", "usage": {"prompt_tokens": 5, "completion_tokens": 1}});
    let alone = json!({"choices": [{"message": {"role": "assistant", "content": "Rome"}}], "usage": {"prompt_tokens": 70}});
    assert_eq!(said(&[conversation(1), without.clone()]), Ok(1));
    assert_eq!(said(&[conversation(1), without, request(billed, json!({}))]), Ok(3));
    assert!(said(&[conversation(1)]).is_err());
    assert_eq!(said(&[conversation(1), alone]), Ok(1));
}

/// pi, opencode, Gemini CLI and Pydantic AI name their tokens in ways of their own.
#[test]
fn bills_without_the_word_tokens_are_found() {
    let answer = json!({"role": "assistant", "content": "Paris"});
    for lost in [
        json!({"tally": {"input": 900, "output": 20, "cacheRead": 0}}),
        json!({"tally": {"output": 20, "cache": 7, "input": 900}}),
        json!({"tally": {"input": 900, "output": 20, "tool": 0}}),
        json!({"tally": {"request_tokens": 900, "response_tokens": 20}}),
    ] {
        let error = said(&[request(answer.clone(), lost)]).unwrap_err();
        assert!(error.contains("with bills in unknown fields left out"), "{error}");
    }
    for other in [
        json!({"cost": {"input": 3, "output": 15}}),
        json!({"tally": {"input": 0.9, "output": 1}}),
        json!({"tally": {"input": 900}}),
        json!({"tally": {"input": {"path": "a"}, "output": 1}}),
    ] {
        assert_eq!(said(&[request(answer.clone(), other)]), Ok(1));
    }
}

/// A conversation waits for the bill of a later one.
#[test]
fn a_bill_behind_a_conversation_without_one_is_found() {
    let answer = json!({"role": "assistant", "content": "Paris"});
    let billed = json!({"role": "assistant", "content": "Rome", "usage": {"prompt_tokens": 5, "completion_tokens": 1}});
    let other = json!({"accounting": {"prompt_tokens": 900}});
    assert_eq!(said(&[request(answer, other), request(billed, json!({}))]), Ok(2));
}

/// A conversation without a bill stays when the log names its missing calls.
#[test]
fn a_conversation_beside_a_missing_call_stays() {
    let span = |id: &str, more: Value| {
        let mut attributes = json!({
            "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Which city?",
            "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "Paris",
            "accounting.prompt_tokens": 900,
        });
        attributes.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"traceId": id, "spanId": id, "name": "chat", "attributes": attributes})
    };
    let cut = json!({
        "traceId": "t2", "spanId": "t2", "name": "chat", "droppedAttributesCount": 9,
        "attributes": {"gen_ai.prompt.4.role": "user", "gen_ai.usage.prompt_tokens": 70},
    });
    let alone = || span("t1", json!({}));
    let logs = [(vec![cut.clone(), alone()], 1), (vec![alone(), cut], 1), (vec![alone()], 0)];
    for (values, conversations) in logs {
        let log: String = values.iter().map(|value| format!("{value}\n")).collect();
        let mut number = 0;
        let read = read(log.as_bytes(), "LOG", None, &mut |_| {
            number += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(number, conversations, "{read:?}");
    }
}
