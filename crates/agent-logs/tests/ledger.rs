//! Calls are booked once, however many logs hold a copy of them.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use agent_logs::{HashedTranscript, Ledger, Transcript, read};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::booked::Books;

fn transcripts(log: &str) -> Vec<Transcript> {
    let mut transcripts = Vec::new();
    let read = read(log.as_bytes(), "LOG", None, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    read.unwrap();
    transcripts
}

fn count_copied(transcript: &Transcript) -> usize {
    let usages = transcript.messages.iter().filter_map(|message| message.usage.as_ref());
    usages.filter(|usage| usage.copied_from.is_some()).count()
}

/// Booked calls, and their input and output tokens.
fn booked<'l>(logs: impl IntoIterator<Item = &'l String>) -> (usize, u64, u64) {
    let mut ledger = Ledger::default();
    let (mut calls, mut input, mut output) = (0, 0, 0);
    for (number, log) in logs.into_iter().enumerate() {
        for (at, transcript) in transcripts(log).into_iter().enumerate() {
            let known = count_copied(&transcript);
            let mut hashed = HashedTranscript::from(transcript);
            let copies = ledger.book(&mut hashed, number * 100 + at, &format!("{number}-{at}"));
            let transcript = hashed.transcript;
            let usages = transcript.messages.iter().filter_map(|message| message.usage.as_ref());
            assert_eq!(known + copies, count_copied(&transcript));
            for usage in usages.filter(|usage| usage.copied_from.is_none()) {
                calls += 1;
                input += usage.input_tokens.unwrap();
                output += usage.output_tokens.unwrap();
            }
        }
    }
    (calls, input, output)
}

fn lines(values: impl IntoIterator<Item = Value>) -> String {
    values.into_iter().map(|value| format!("{value}\n")).collect()
}

/// A rollout of Codex. `at` are seconds since nine o'clock.
#[derive(Clone)]
struct Rollout {
    lines: Vec<Value>,
    total: [u64; 3],
}

impl Rollout {
    fn new(id: &str, at: u64, more: &Value) -> Rollout {
        let mut head =
            json!({"id": id, "cwd": "/srv", "source": "cli", "base_instructions": {"text": "Repair."}});
        let more = more.as_object().unwrap().clone();
        head.as_object_mut().unwrap().extend(more);
        let mut rollout = Rollout { lines: Vec::new(), total: [0; 3] };
        rollout.add(at, "session_meta", head);
        rollout
    }

    fn add(&mut self, at: u64, kind: &str, payload: Value) {
        self.lines.push(json!({"timestamp": time(at * 1000), "type": kind, "payload": payload}));
    }

    /// A turn of a person: a question, an answer and its bill.
    fn turn(&mut self, at: u64, words: &str, [input, read, output]: [u64; 3]) {
        let said = |role: &str, kind: &str| json!({"type": "message", "role": role, "content": [{"type": kind, "text": words}]});
        self.add(at, "response_item", said("user", "input_text"));
        self.add(at + 5, "response_item", said("assistant", "output_text"));
        self.total = [self.total[0] + input, self.total[1] + read, self.total[2] + output];
        let tokens = |[input, read, output]: [u64; 3]| json!({"input_tokens": input, "cached_input_tokens": read, "output_tokens": output});
        let info = json!({"total_token_usage": tokens(self.total), "last_token_usage": tokens([input, read, output])});
        self.add(at + 6, "event_msg", json!({"type": "token_count", "info": info}));
    }

    /// Copies the lines of a parent, with the time of the fork, or with their own.
    fn copy(&mut self, parent: &Rollout, at: Option<u64>) {
        for (number, line) in (0..).zip(&parent.lines) {
            let mut line = line.clone();
            if let Some(at) = at {
                line["timestamp"] = json!(time(at * 1000 + number));
            }
            self.lines.push(line);
        }
        self.total = parent.total;
    }

    fn text(&self) -> String {
        lines(self.lines.clone())
    }
}

fn time(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (hour, minute, second) = (9 + seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("2026-10-05T{hour:02}:{minute:02}:{second:02}.{:03}Z", milliseconds % 1000)
}

fn parent() -> Rollout {
    let mut parent = Rollout::new("aa", 0, &json!({}));
    parent.turn(10, "Which valve leaks?", [9000, 0, 120]);
    parent.turn(30, "And which seal?", [9300, 8900, 90]);
    parent
}

/// A fork repeats the bills of its parent under new times, or under the old ones.
#[test]
fn a_fork_of_codex_costs_what_it_adds() {
    for at in [Some(600), None] {
        let mut fork = Rollout::new("bb", 600, &json!({"forked_from_id": "aa"}));
        fork.copy(&parent(), at);
        fork.turn(700, "Now write a test.", [9600, 9200, 50]);
        let logs = [parent().text(), fork.text()];
        assert_eq!(booked(&logs), (3, 27_900, 260), "{at:?}");
        assert_eq!(booked(logs.iter().rev()), (3, 27_900, 260), "{at:?}");
        // The copies are messages of the fork all the same.
        assert_eq!(transcripts(&fork.text())[0].messages.len(), 6);
    }
    let mut alone = Rollout::new("bb", 600, &json!({"forked_from_id": "aa"}));
    alone.copy(&parent(), Some(600));
    alone.turn(700, "Now write a test.", [9600, 9200, 50]);
    assert_eq!(booked([&alone.text()]), (1, 9600, 50));
}

/// A fork that goes on from the end of its parent has all its messages, and none of its bills.
#[test]
fn a_parent_keeps_its_bills_beside_a_fork_that_continues_it() {
    let mut fork = Rollout::new("bb", 600, &json!({"forked_from_id": "aa"}));
    fork.copy(&parent(), Some(600));
    fork.turn(700, "Now write a test.", [9600, 9200, 50]);
    let mut idle = Rollout::new("cc", 900, &json!({"forked_from_id": "aa"}));
    idle.copy(&parent(), Some(900));
    let mut logs = [parent().text(), fork.text(), idle.text()];
    for _ in 0..3 {
        let mut books = Books::default();
        logs.iter().for_each(|log| books.add_log(log));
        assert_eq!(books.total(), (3, 27_900, 260));
        logs.rotate_left(1);
    }
}

/// A session may be resumed with a count before the line that names the model.
#[test]
fn a_bill_before_the_name_of_its_model_has_it() {
    let mut rollout = Rollout::new("aa", 0, &json!({}));
    rollout.turn(10, "Which valve leaks?", [9000, 0, 120]);
    rollout.add(20, "turn_context", json!({"model": "gpt-5.5"}));
    rollout.turn(30, "And which seal?", [9300, 8900, 90]);
    rollout.add(40, "turn_context", json!({"cwd": "/srv"}));
    rollout.turn(50, "And which pump?", [9600, 9300, 90]);
    let read = transcripts(&rollout.text());
    let models = read[0].answers().map(|answer| answer.usage.as_ref().unwrap().model.as_deref());
    assert!(models.collect::<Vec<_>>() == [Some("gpt-5.5"); 3]);
}

/// Two subagents with equal bills are two, each under its own identifier.
#[test]
fn subagents_of_codex_keep_their_identifiers() {
    let child = |id: &str, at: u64| {
        let spawn = json!({"subagent": {"thread_spawn": {"parent_thread_id": "aa", "depth": 1}}});
        let mut child = Rollout::new(id, at, &json!({"source": spawn, "forked_from_id": "aa"}));
        child.copy(&parent(), Some(at));
        child.turn(at + 5, "Look at the seal.", [9700, 9200, 40]);
        child
    };
    let logs = [parent().text(), child("c1", 600).text(), child("c2", 900).text()];
    assert_eq!(booked(&logs), (4, 9000 + 9300 + 2 * 9700, 120 + 90 + 2 * 40));
    let of_child = transcripts(&logs[1]);
    let source = of_child[0].source.as_ref().unwrap();
    assert!(of_child.len() == 1 && source.is_subagent && source.id.as_deref() == Some("c1"));
    let copied = |transcript: &Transcript| -> Vec<Option<String>> {
        transcript.answers().map(|answer| answer.usage.as_ref().unwrap().copied_from.clone()).collect()
    };
    assert_eq!(copied(&of_child[0]), [Some("aa".to_owned()), Some("aa".to_owned()), None]);
}

/// Two rollouts in one file are two conversations.
#[test]
fn rollouts_one_after_the_other_are_not_forks() {
    let mut other = Rollout::new("dd", 700, &json!({}));
    other.turn(710, "Which pump?", [8000, 0, 10]);
    let both = parent().text() + &other.text();
    assert_eq!((transcripts(&both).len(), booked([&both])), (2, (3, 26_300, 220)));
}

/// A session of Claude Code with these answers; an answer is known by its identifier.
fn claude(session: &str, answers: &[u32]) -> String {
    let mut said = Vec::new();
    for (number, answer) in answers.iter().enumerate() {
        let line = |kind: &str, half: u32, parent: Option<String>, message: Value| {
            json!({
                "type": kind, "uuid": format!("{session}-{number}-{half}"), "parentUuid": parent, "sessionId": session,
                "timestamp": time(u64::from(*answer) * 60_000 + u64::from(half) * 9000), "message": message,
            })
        };
        let parent = number.checked_sub(1).map(|before| format!("{session}-{before}-1"));
        let question = json!({"role": "user", "content": format!("Question {answer}?")});
        said.push(line("user", 0, parent, question));
        let usage = json!({
            "input_tokens": 4, "cache_read_input_tokens": 1000 * answer, "cache_creation_input_tokens": 100,
            "output_tokens": 30 + answer,
        });
        let message = json!({
            "role": "assistant", "id": format!("msg_{answer}"), "model": "claude-opus-5", "usage": usage,
            "content": [{"type": "text", "text": format!("Answer {answer} of the model, which is long enough.")}],
        });
        said.push(line("assistant", 1, Some(format!("{session}-{number}-0")), message));
    }
    lines(said)
}

/// A session that is resumed under another identifier in the same file is one conversation.
#[test]
fn a_session_with_two_identifiers_is_one() {
    let whole = claude("s", &[1, 2, 3, 4]);
    let renamed: Vec<String> = whole
        .lines()
        .enumerate()
        .map(|(number, line)| {
            if number < 4 {
                line.to_owned()
            } else {
                line.replace("\"sessionId\":\"s\"", "\"sessionId\":\"t\"")
            }
        })
        .collect();
    let read = transcripts(&renamed.join("\n"));
    assert_eq!((read.len(), read[0].messages.len()), (1, 8));
    assert_eq!(read[0].source.as_ref().unwrap().id.as_deref(), Some("s"));
}

/// Premiums of a bill: fast mode, where the model ran, searches, and a pass before the last one.
#[test]
fn a_bill_has_its_terms() {
    let log = claude("s", &[1]).replace(
        "\"input_tokens\":4",
        "\"speed\":\"fast\",\"service_tier\":\"standard\",\"inference_geo\":\"us\",\"server_tool_use\":{\"web_search_requests\":5},\
         \"iterations\":[{\"type\":\"message\",\"input_tokens\":1,\"cache_read_input_tokens\":300,\"output_tokens\":9},\
         {\"type\":\"advisor_message\",\"model\":\"claude-fable-5\",\"input_tokens\":700,\"output_tokens\":90},\
         {\"type\":\"message\",\"input_tokens\":3,\"cache_read_input_tokens\":700,\"cache_creation_input_tokens\":100,\"output_tokens\":22}],\
         \"input_tokens\":4",
    );
    let read = transcripts(&log);
    let usage = read[0].answers().next().unwrap().usage.clone().unwrap();
    assert_eq!((usage.tier.as_deref(), usage.geography.as_deref()), (Some("fast"), Some("us")));
    assert_eq!(usage.web_searches, Some(5));
    // The request is that of the last pass, and the output that of all.
    assert_eq!(
        (usage.input_tokens, usage.cached_tokens, usage.output_tokens),
        (Some(803), Some(700), Some(31))
    );
    let beside: Vec<_> =
        usage.beside.iter().map(|call| (call.model.as_deref().unwrap(), call.input_tokens)).collect();
    assert_eq!(beside, [("claude-opus-5", Some(301)), ("claude-fable-5", Some(700))]);
}

/// Bedrock lists what it wrote to the cache by lifetime.
#[test]
fn bedrock_tells_what_it_keeps_for_an_hour() {
    let usage = json!({
        "inputTokens": 30, "outputTokens": 9, "cacheReadInputTokens": 700, "cacheWriteInputTokens": 120,
        "cacheDetails": [{"ttl": "1h", "inputTokens": 100}, {"ttl": "5m", "inputTokens": 20}],
    });
    let said = |role: &str, text: &str| json!({"role": role, "content": [{"text": text}]});
    let response = json!({"output": {"message": said("assistant", "Three euros.")}, "usage": usage, "stopReason": "end_turn"});
    let request = json!({"modelId": "anthropic.claude-opus-4-8-v1:0", "messages": [said("user", "What does tea cost?")]});
    let read = transcripts(&json!({"request": request, "response": response}).to_string());
    let usage = read[0].answers().next().unwrap().usage.clone().unwrap();
    assert_eq!((usage.cache_write_tokens, usage.cache_write_1h_tokens), (Some(120), Some(100)));
}

proptest! {
    /// Copies, beginnings and repetitions of sessions, in any order, change nothing of what is booked.
    #[test]
    fn copies_are_booked_once(
        cuts in proptest::collection::vec((1_usize..6, 0_u32..3), 1..6),
        order in any::<prop::sample::Index>(),
    ) {
        let whole: Vec<u32> = (1..=6).collect();
        let mut logs = vec![claude("whole", &whole)];
        let mut own = BTreeSet::new();
        for (number, (kept, added)) in (0_u32..).zip(&cuts) {
            let mut answers = whole[..*kept].to_vec();
            let added: Vec<u32> = (0..*added).map(|index| 10 + number * 10 + index).collect();
            own.extend(added.iter().copied());
            answers.extend(added);
            logs.push(claude(&format!("fork-{number}"), &answers));
        }
        let turn = order.index(logs.len());
        logs.rotate_left(turn);
        let all: Vec<u64> = whole.iter().chain(&own).map(|answer| u64::from(*answer)).collect();
        let input = all.iter().map(|answer| 104 + 1000 * answer).sum();
        let output = all.iter().map(|answer| 30 + answer).sum();
        prop_assert_eq!(booked(&logs), (all.len(), input, output));
    }
}
