//! Conversations that a log holds at the same time: what one of them becomes does not depend on the others, on the
//! order of their requests, or on the memory that there is.

use std::fmt::Write;
use std::ops::ControlFlow;

use agent_logs::{Transcript, read_within};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The transcripts of a log, and its notes.
fn read(memory: usize, log: &str) -> (Vec<Transcript>, Vec<String>) {
    let mut transcripts = Vec::new();
    let notes = read_within(memory, log.as_bytes(), "LOG", None, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    (transcripts, notes.unwrap().lines().collect())
}

/// The transcripts as lines, in an order of their own.
fn sorted(transcripts: &[Transcript]) -> Vec<String> {
    let mut lines: Vec<String> = transcripts.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
    lines.sort();
    lines
}

/// One turn of a conversation.
#[derive(Clone, Debug)]
struct Turn {
    /// The words of the user or a tool before it.
    told: u8,
    answer: u8,
    is_call: bool,
    /// Requests before it that got no answer.
    failures: u8,
}

fn turn() -> impl Strategy<Value = Turn> {
    // Few words, so that conversations begin alike.
    (0..3_u8, 0..3_u8, any::<bool>(), prop_oneof![4 => Just(0_u8), 1 => 1..3_u8])
        .prop_map(|(told, answer, is_call, failures)| Turn { told, answer, is_call, failures })
}

/// The requests of a conversation. Every other one writes the JSON of calls and results in another way.
fn requests(system: u8, turns: &[Turn]) -> Vec<String> {
    let mut messages = vec![json!({"role": "system", "content": format!("You are agent {system}.")})];
    let mut open_call = None;
    let mut lines = Vec::new();
    for (number, turn) in turns.iter().enumerate() {
        let result = format!("{{\"rows\": [{}, 1.0], \"more\": null}}", turn.told);
        messages.push(match open_call.take() {
            Some(id) => json!({"role": "tool", "tool_call_id": id, "content": result}),
            None => json!({"role": "user", "content": format!("Question {}?", turn.told)}),
        });
        let request = json!({"model": "m", "messages": written(&messages, number)});
        for _ in 0..turn.failures {
            lines.push(json!({"request": request, "response": null}).to_string());
        }
        let arguments = json!({"page": turn.answer, "size": 2}).to_string();
        let id = format!("call-{number}");
        let call =
            json!({"id": id, "type": "function", "function": {"name": "read", "arguments": arguments}});
        let answer = match turn.is_call {
            true => json!({"role": "assistant", "content": null, "tool_calls": [call]}),
            false => json!({"role": "assistant", "content": format!("Answer {}.", turn.answer)}),
        };
        open_call = turn.is_call.then_some(id);
        // Equal conversations are billed alike, because a continuation could belong to either.
        let usage = json!({"prompt_tokens": json!(messages).to_string().len(), "completion_tokens": 1});
        messages.push(answer.clone());
        let response = json!({"choices": [{"message": answer}], "usage": usage});
        lines.push(json!({"request": request, "response": response}).to_string());
    }
    lines
}

/// The messages as a client writes them in its request of this number.
fn written(messages: &[Value], number: usize) -> Value {
    let mut messages = json!(messages);
    if number.is_multiple_of(2) {
        return messages;
    }
    for message in messages.as_array_mut().unwrap() {
        for call in message["tool_calls"].as_array_mut().into_iter().flatten() {
            let arguments: Value =
                serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
            let (page, size) = (&arguments["page"], &arguments["size"]);
            call["function"]["arguments"] = format!("{{ \"size\": {size}.0,\n \"page\": {page} }}").into();
        }
        if message["role"] == "tool" {
            let rows = message["content"].as_str().unwrap().replace("\"more\": null", "\"more\" :null ");
            message["content"] = rows.into();
        }
    }
    messages
}

/// One line after the other, each from the conversation that the next number chooses.
fn interleaved(conversations: &[Vec<String>], order: &[usize]) -> String {
    let mut open: Vec<std::slice::Iter<String>> = conversations.iter().map(|lines| lines.iter()).collect();
    let mut log = String::new();
    let mut order = order.iter().cycle();
    while !open.is_empty() {
        let at = order.next().unwrap() % open.len();
        match open[at].next() {
            Some(line) => writeln!(log, "{line}").unwrap(),
            None => drop(open.remove(at)),
        }
    }
    log
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn interleaved_requests_are_those_of_one_conversation_at_a_time(
        all in prop::collection::vec((0..2_u8, prop::collection::vec(turn(), 1..6)), 1..50),
        order in prop::collection::vec(any::<usize>(), 1..40),
        memory in prop_oneof![Just(usize::MAX), 0..40_000_usize],
    ) {
        let conversations: Vec<Vec<String>> =
            all.iter().map(|(system, turns)| requests(*system, turns)).collect();
        let alone: Vec<Transcript> =
            conversations.iter().flat_map(|lines| read(usize::MAX, &(lines.join("\n") + "\n")).0).collect();
        prop_assert_eq!(alone.len(), conversations.len());
        let (together, notes) = read(memory, &interleaved(&conversations, &order));
        prop_assert_eq!(sorted(&together), sorted(&alone), "{:?}", notes);
    }
}

/// The requests of a conversation that its provider compacts before some answers. The client sends all messages again, or those from
/// the newest compaction on.
fn compacted(number: usize, compacts: &[bool], keeps: bool) -> Vec<String> {
    let mut messages = vec![json!({"role": "user", "content": format!("Question {number}?")})];
    let mut lines = Vec::new();
    for (turn, compacts) in compacts.iter().enumerate() {
        let block = json!({"type": "compaction", "content": format!("{turn} answers to question {number}.")});
        let call =
            json!({"type": "tool_use", "id": format!("c{turn}"), "name": "read", "input": {"page": turn}});
        let content = if *compacts { json!([block, call]) } else { json!([call]) };
        let iteration = |kind: &str| json!({"type": kind, "input_tokens": 10 + turn, "output_tokens": 1});
        let kinds = if *compacts { &["compaction", "message"][..] } else { &["message"][..] };
        let iterations: Vec<Value> = kinds.iter().map(|kind| iteration(kind)).collect();
        let usage = json!({"input_tokens": 10 + turn, "output_tokens": 1, "iterations": iterations});
        let response = json!({"type": "message", "role": "assistant", "content": content, "usage": usage});
        let request = json!({"model": "m", "system": "You read.", "messages": messages});
        lines.push(json!({"request": request, "response": response}).to_string());
        if *compacts && !keeps {
            messages.clear();
        }
        let result = json!({"type": "tool_result", "tool_use_id": format!("c{turn}"), "content": "read"});
        messages.push(json!({"role": "assistant", "content": content}));
        messages.push(json!({"role": "user", "content": [result]}));
    }
    lines
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_compaction_by_the_provider_divides_no_conversation(
        all in prop::collection::vec((any::<bool>(), prop::collection::vec(any::<bool>(), 1..6)), 1..12),
        order in prop::collection::vec(any::<usize>(), 1..40),
        memory in prop_oneof![Just(usize::MAX), 0..20_000_usize],
    ) {
        let numbered = || all.iter().enumerate();
        let mut alone = Vec::new();
        for (number, (keeps, compacts)) in numbered() {
            let read_as = |keeps: bool| read(usize::MAX, &(compacted(number, compacts, keeps).join("\n") + "\n")).0;
            let (own, other) = (read_as(*keeps), read_as(!keeps));
            prop_assert_eq!(sorted(&own), sorted(&other));
            prop_assert_eq!(own.len(), 1);
            prop_assert_eq!(own[0].messages.len(), 2 * compacts.len());
            let expected = compacts.iter().enumerate().filter(|(_, compacts)| **compacts);
            let expected: Vec<(usize, Option<u64>)> =
                expected.map(|(turn, _)| (2 * turn + 1, Some(10 + turn as u64))).collect();
            let found = own[0].compactions.iter();
            let found: Vec<(usize, Option<u64>)> =
                found.map(|one| (one.before, one.usage.as_ref().and_then(|usage| usage.input_tokens))).collect();
            prop_assert_eq!(found, expected);
            alone.extend(own);
        }
        let logs: Vec<Vec<String>> =
            numbered().map(|(number, (keeps, compacts))| compacted(number, compacts, *keeps)).collect();
        let (together, notes) = read(memory, &interleaved(&logs, &order));
        prop_assert_eq!(sorted(&together), sorted(&alone), "{:?}", notes);
    }
}

/// 33 open conversations; an earlier version kept 32.
#[test]
fn any_number_of_conversations_is_open_at_once() {
    let turns = |number: usize| {
        let turn = Turn { told: 0, answer: 1, is_call: true, failures: 0 };
        requests(0, &vec![turn; 10])
            .into_iter()
            .map(move |line| line.replace("Question", &format!("{number}")))
    };
    for number in [33, 500] {
        let conversations: Vec<Vec<String>> = (0..number).map(|number| turns(number).collect()).collect();
        let (transcripts, _) =
            read(usize::MAX, &interleaved(&conversations, &(0..number).collect::<Vec<_>>()));
        assert_eq!(transcripts.len(), number);
        assert!(transcripts.iter().all(|one| one.messages.len() == 20));
    }
}

/// Responses with `previous_response_id` contain only the new messages, whatever comes between them.
#[test]
fn requests_that_name_a_response_are_joined_on_disk_too() {
    let line = |conversation: usize, turn: usize| {
        let id = format!("r{conversation}-{turn}");
        let before = (turn > 0).then(|| format!("r{conversation}-{}", turn - 1));
        // A short request may fit where a longer one before it did not.
        let long = "x".repeat((7 * turn + conversation) % 5 * 300);
        json!({
            "request": {"model": "m", "input": format!("{long} {conversation} asks {turn}"), "previous_response_id": before},
            "response": {"object": "response", "id": id, "output": [
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]},
            ]},
        })
        .to_string()
    };
    let conversations: Vec<Vec<String>> =
        (0..40).map(|conversation| (0..5).map(|turn| line(conversation, turn)).collect()).collect();
    let log = interleaved(&conversations, &[3, 1, 4, 1, 5, 9, 2, 6]);
    let (transcripts, _) = read(usize::MAX, &log);
    assert_eq!(transcripts.len(), 40);
    for transcript in &transcripts {
        let words: Vec<&str> = transcript.messages.iter().map(|message| message.content.as_str()).collect();
        assert!(words.len() == 10 && words[8].ends_with(" asks 4"), "{words:?}");
    }
    for memory in [0, 5_000, 50_000] {
        assert_eq!(sorted(&read(memory, &log).0), sorted(&transcripts), "{memory}");
    }
}

/// Lines of formats that hold one value of a conversation each; `#` is its identifier, `@` its number.
const LINES: [(&str, [&str; 3]); 4] = [
    (
        "openai-chat",
        [
            r##"{"conversation_id": "#", "role": "user", "content": "# asks @"}"##,
            r##"{"conversation_id": "#", "role": "assistant", "content": "# answers @"}"##,
            r##"{"conversation_id": "#", "message": {"role": "user", "content": "# says @"}}"##,
        ],
    ),
    (
        "claude-code",
        [
            r##"{"sessionId": "#", "uuid": "#-@a", "type": "user", "message": {"role": "user", "content": "# asks @"}}"##,
            r##"{"sessionId": "#", "uuid": "#-@b", "type": "assistant", "message": {"id": "m#-@", "role": "assistant", "content": [{"type": "tool_use", "id": "c#-@", "name": "look", "input": {"at": @}}]}}"##,
            r##"{"sessionId": "#", "uuid": "#-@c", "type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c#-@", "content": "# sees @"}]}}"##,
        ],
    ),
    (
        "pydantic-ai",
        [
            r##"{"conversation_id": "#", "kind": "request", "parts": [{"part_kind": "user-prompt", "content": "# asks @"}]}"##,
            r##"{"conversation_id": "#", "kind": "response", "parts": [{"part_kind": "tool-call", "tool_name": "look", "args": "{}", "tool_call_id": "c@"}]}"##,
            r##"{"conversation_id": "#", "kind": "request", "parts": [{"part_kind": "tool-return", "tool_name": "look", "content": "# sees @", "tool_call_id": "c@"}]}"##,
        ],
    ),
    (
        "ptc-journal",
        [
            r##"{"run_id": "#", "record_type": "evaluation-source", "correlation": {}, "payload": {"evaluation_id": "e@", "environment": "x", "source": "(tool/look {:at @})"}}"##,
            r##"{"run_id": "#", "record_type": "capability-input", "correlation": {}, "payload": {"evaluation_id": "e@", "capability_id": "c@", "name": "look", "arguments": {"at": @}}}"##,
            r##"{"run_id": "#", "record_type": "capability-output", "correlation": {}, "payload": {"capability_id": "c@", "result": "# sees @"}}"##,
        ],
    ),
];

#[test]
fn lines_of_any_number_of_conversations_may_alternate() {
    for (format, parts) in LINES {
        let line =
            |id: &str, number: usize, part: &str| part.replace('#', id).replace('@', &number.to_string());
        let of = |id: &str| -> Vec<String> {
            let lines = (0..4).flat_map(|number| parts.map(|part| line(id, number, part)));
            lines.collect()
        };
        let conversations: Vec<Vec<String>> = (0..60).map(|number| of(&format!("id{number}"))).collect();
        let alone: Vec<Transcript> =
            conversations.iter().flat_map(|lines| read(usize::MAX, &(lines.join("\n") + "\n")).0).collect();
        for order in [(0..60).collect::<Vec<_>>(), vec![7, 7, 0, 31, 3]] {
            let log = interleaved(&conversations, &order);
            let (together, notes) = read(usize::MAX, &log);
            assert_eq!(together[0].source.as_ref().unwrap().format, format);
            assert_eq!(sorted(&together), sorted(&alone), "{format}");
            for memory in [0, 20_000] {
                let (on_disk, notes_on_disk) = read(memory, &log);
                let lines = |all: &[Transcript]| -> Vec<String> {
                    all.iter().map(|one| serde_json::to_string(one).unwrap()).collect()
                };
                assert_eq!(lines(&on_disk), lines(&together), "{format} {memory}");
                assert_eq!(notes_on_disk.len(), notes.len(), "{notes_on_disk:?}");
            }
        }
    }
}
