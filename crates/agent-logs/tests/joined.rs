//! Requests that do not repeat the conversation before them: which conversation they go on with, and which text is its summary.

use std::fmt::Write;
use std::ops::ControlFlow;

use agent_logs::{Transcript, TranscriptCompaction, TranscriptRole, read};
use serde_json::{Value, json};

/// A request of an agent, and the answer to it. Messages begin with `u` for the user, `a` for the model, `c` for an answer with a
/// call, or `r` for its result.
struct Request {
    system: &'static str,
    messages: Vec<String>,
    answer: String,
}

impl Request {
    fn new(messages: &[&str], answer: &str) -> Request {
        let messages = messages.iter().map(|&message| message.to_owned()).collect();
        Request { system: "You mend pumps.", messages, answer: answer.to_owned() }
    }

    fn with_system(self, system: &'static str) -> Request {
        Request { system, ..self }
    }

    /// A line of a log. The number of the line is the number of tokens, so that each bill is found again.
    fn line(&self, number: usize) -> Value {
        let mut messages = vec![json!({"role": "system", "content": self.system})];
        for message in &self.messages {
            messages.push(written(message));
        }
        let answer = match self.answer.starts_with("c ") {
            true => written(&self.answer),
            false => written(&format!("a {}", self.answer)),
        };
        let usage = json!({"prompt_tokens": number, "completion_tokens": 1});
        let response = json!({"choices": [{"message": answer}], "usage": usage});
        let request = json!({"model": "m", "messages": messages});
        json!({"request": request, "response": response})
    }
}

fn written(message: &str) -> Value {
    let call = json!({"id": "k1", "type": "function", "function": {"name": "look", "arguments": "{}"}});
    match message.split_once(' ').unwrap() {
        ("u", content) => json!({"role": "user", "content": content}),
        ("a", content) => json!({"role": "assistant", "content": content}),
        ("c", content) => json!({"role": "assistant", "content": content, "tool_calls": [call]}),
        (_, content) => json!({"role": "tool", "tool_call_id": "k1", "content": content}),
    }
}

fn read_all(requests: &[Request]) -> Vec<Transcript> {
    let mut log = String::new();
    for (number, request) in (1..).zip(requests) {
        writeln!(log, "{}", request.line(number)).unwrap();
    }
    let mut transcripts = Vec::new();
    read(log.as_bytes(), "LOG", None, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    })
    .unwrap();
    transcripts
}

/// The roles of the messages of each conversation, and its compactions: `uaua 2:summary/9` has a summary before the third
/// message, billed with 9 tokens.
fn outline(requests: &[Request]) -> String {
    let outlines: Vec<String> = read_all(requests).iter().map(outline_one).collect();
    outlines.join(", ")
}

fn outline_one(transcript: &Transcript) -> String {
    let mut outline = String::new();
    for message in &transcript.messages {
        outline.push(match message.role {
            TranscriptRole::Assistant => 'a',
            TranscriptRole::Tool => 'r',
            _ => 'u',
        });
    }
    for compaction in &transcript.compactions {
        let TranscriptCompaction { before, kind, .. } = compaction;
        let kind = serde_json::to_value(kind).unwrap();
        write!(outline, " {before}:{}", kind.as_str().unwrap()).unwrap();
        if let Some(usage) = &compaction.usage {
            write!(outline, "/{}", usage.input_tokens.unwrap()).unwrap();
        }
    }
    outline
}

const TASK: &str = "u Mend the pump.";

/// The lines of a summary without a name, each long enough to be known again.
fn summary(lines: std::ops::Range<usize>) -> String {
    let parts = ["seal", "valve", "motor", "shaft", "filter", "gauge"];
    let lines = parts[lines].iter().map(|part| format!("the {part} is worn and needs to be replaced\n"));
    lines.collect()
}

/// A request that begins as the conversation did, with a text behind it.
fn is_joined_by(answer: &str, text: &str) -> bool {
    let requests = [Request::new(&[TASK], answer), Request::new(&[TASK, &format!("u {text}")], "Done.")];
    match outline(&requests).as_str() {
        "uaa 2:summary" => true,
        "ua, uua" => false,
        other => panic!("{answer} / {text}: {other}"),
    }
}

/// A text matches a conversation with at least three of its names, and at least half of them.
#[test]
fn names_tell_what_a_text_is_about() {
    let answer = "I read seal_a.py, seal_b.py, seal_c.py and seal_d.py.";
    for (text, is_joined) in [
        ("So far seal_a.py, seal_b.py and seal_c.py are read.", true),
        ("So far seal_a.py and seal_b.py are read.", false),
        ("So far seal_a.py, seal_b.py, seal_c.py, x_one.py, x_two.py and x_three.py are read.", true),
        ("So far seal_a.py, seal_b.py, seal_c.py, x_one.py, x_two.py, x_three.py and x_four.py.", false),
        ("So far x_one.py, x_two.py and x_three.py are read.", false),
    ] {
        assert_eq!(is_joined_by(answer, text), is_joined, "{text}");
    }
}

#[test]
fn names_have_a_sign_a_digit_or_a_capital() {
    for (words, is_joined) in [
        ("salt_a rust_b belt_c", true),
        ("salt-a rust-b belt-c", true),
        ("salt.a rust.b belt.c", true),
        ("salt/a rust/b belt/c", true),
        ("salt:a rust:b belt:c", true),
        ("salt1 rust2 belt3", true),
        ("saltA rustB beltC", true),
        ("sal1 rus2 bel3", true),
        ("sa1 ru2 be3", false),
        ("Salt Rust Belt", false),
        ("salt rust belt", false),
        ("(salt_a) -rust_b- belt_c.", true),
    ] {
        assert_eq!(is_joined_by(words, &words.replace(['(', ')'], "")), is_joined, "{words}");
    }
}

/// Names in calls count like names in words.
#[test]
fn a_text_is_about_the_newest_turns_too() {
    let requests = [
        Request::new(&[TASK], "Which one?"),
        Request::new(&[TASK, "a Which one?", "u That of seal_a.py, seal_b.py and seal_c.py."], "I see."),
        Request::new(&[TASK, "u So far seal_a.py, seal_b.py and seal_c.py."], "Done."),
    ];
    assert_eq!(outline(&requests), "uauaa 4:summary");
}

/// A summary quotes at least half of the lines of the answer that it was.
#[test]
fn a_summary_has_half_of_the_lines_of_its_answer() {
    for (written, quoted, expected) in [
        (0..4, 0..4, "uaa 2:summary/2"),
        (0..4, 0..2, "uaa 2:summary/2"),
        (0..4, 0..1, "uaua, uua"),
        (0..3, 0..2, "uaa 2:summary/2"),
        (0..3, 0..1, "uaua, uua"),
        (0..6, 0..3, "uaa 2:summary/2"),
    ] {
        let (answer, text) = (summary(written.clone()), format!("u Before:\n{}", summary(quoted.clone())));
        let requests = [
            Request::new(&[TASK], "I look."),
            Request::new(&[TASK, "a I look.", "u Summarize the work."], &answer),
            Request::new(&[TASK, &text], "I go on."),
        ];
        assert_eq!(outline(&requests), expected, "{written:?} {quoted:?}");
    }
}

/// An answer becomes a summary when it was asked for one, or when the next request begins with the same message.
#[test]
fn a_report_to_another_agent_is_no_summary() {
    let (answer, text) = (summary(0..2), format!("u Before:\n{}", summary(0..2)));
    for (question, is_begun_alike, system, expected) in [
        ("u Summarize the work.", true, "You mend pumps.", "uaa 2:summary/2"),
        ("u Summarize the work.", false, "You mend pumps.", "uaa 2:summary/2"),
        ("u Tell me all.", true, "You mend pumps.", "uaa 2:summary/2"),
        ("u Tell me all.", false, "You mend pumps.", "uaua, ua"),
        ("u Summarize the work.", true, "You plan.", "uaua, uua"),
    ] {
        let next: &[&str] = if is_begun_alike { &[TASK, &text] } else { &[&text] };
        let requests = [
            Request::new(&[TASK], "I look."),
            Request::new(&[TASK, "a I look.", question], &answer),
            Request::new(next, "I go on.").with_system(system),
        ];
        assert_eq!(outline(&requests), expected, "{question} {is_begun_alike} {system}");
    }
}

#[test]
fn every_word_that_asks_for_a_summary_counts() {
    let (answer, text) = (summary(0..2), format!("u Before:\n{}", summary(0..2)));
    for word in
        ["Summarize", "compact", "condense", "Compress", "a handoff of", "hand over", "make a checkpoint of"]
    {
        let requests = [
            Request::new(&[TASK], "I look."),
            Request::new(&[TASK, "a I look.", &format!("u Please {word} the work.")], &answer),
            Request::new(&[&text], "I go on."),
        ];
        assert_eq!(outline(&requests), "uaa 2:summary/2", "{word}");
    }
}

/// A call of its own that writes the summary is no conversation, and its bill is that of the compaction.
#[test]
fn a_call_that_writes_a_summary_is_no_conversation() {
    let long = "I look at the seal of the pump in the hall now.";
    for (written, quoted, question, expected) in [
        (0..4, 0..2, "u Summarize this.", "uauaua 4:summary/3"),
        (0..6, 0..3, "u Summarize this.", "uauaua 4:summary/3"),
        (0..3, 0..1, "u Summarize this.", "uauaua 4:summary, ua"),
        (0..4, 0..4, "u Tell me all.", "uauaua 4:summary, ua"),
    ] {
        let text = format!("u Before:\n{}", summary(quoted));
        let requests = [
            Request::new(&[TASK], "First the seal."),
            Request::new(&[TASK, "a First the seal.", "u Go on."], long),
            Request::new(&[question], &summary(written)).with_system("You write."),
            Request::new(&[&text, &format!("a {long}"), "u And now?"], "The valve."),
        ];
        assert_eq!(outline(&requests), expected, "{question}");
    }
}

/// The answers of a call of its own go to the earlier conversation that the text is about.
#[test]
fn a_summary_by_another_call_finds_its_conversation() {
    let answer = format!("{}of seal_a.py, seal_b.py and seal_c.py, in the hall\n", summary(0..3));
    let text = format!("u Before:\n{answer}");
    let pumps = || Request::new(&["u Mend the red pump."], "I read seal_a.py, seal_b.py and seal_c.py.");
    let others = || Request::new(&["u Mend the blue pump."], "I read x_one.py, x_two.py and x_three.py.");
    let writer = || Request::new(&["u Summarize this."], &answer);
    for (requests, expected) in [
        // By its first message, or by its names.
        (vec![pumps(), writer(), Request::new(&["u Mend the red pump.", &text], "On.")], "uaa 2:summary/2"),
        (vec![pumps(), writer(), Request::new(&[&text], "On.")], "uaa 2:summary/2"),
        (vec![others(), pumps(), writer(), Request::new(&[&text], "On.")], "ua, uaa 2:summary/3"),
        // The first message has more than names.
        (
            vec![pumps(), others(), writer(), Request::new(&["u Mend the blue pump.", &text], "On.")],
            "ua, uaa 2:summary/3",
        ),
        // Of two that fit alike, it is the earlier one.
        (vec![pumps(), pumps(), writer(), Request::new(&[&text], "On.")], "uaa 2:summary/3, ua"),
        // It has another system prompt.
        (vec![pumps().with_system("You plan."), writer(), Request::new(&[&text], "On.")], "ua, ua, ua"),
        // It is about none.
        (vec![others(), writer(), Request::new(&[&text], "On.")], "ua, ua, ua"),
    ] {
        assert_eq!(outline(&requests), expected);
    }
}

/// Without the first message, only a long answer identifies the conversation.
#[test]
fn a_short_answer_tells_no_conversation() {
    for (length, expected) in [(40, "uauaua 4:summary"), (39, "uaua, uaua")] {
        let answer: String = "the seal of the pump leaks, so it has to go".chars().take(length).collect();
        let requests = [
            Request::new(&[TASK], "First the seal."),
            Request::new(&[TASK, "a First the seal.", "u Go on."], &answer),
            Request::new(&["u The pump is open.", &format!("a {answer}"), "u And now?"], "The valve."),
        ];
        assert_eq!(outline(&requests), expected, "{length}");
    }
}

/// The newest answer of a conversation is looked for among the last four of a request.
#[test]
fn the_newest_answer_may_stand_before_three_others() {
    let long = "I look at the seal of the pump in the hall now.";
    for (further, is_joined) in [(3, true), (4, false)] {
        let mut messages = vec!["u The pump is open.".to_owned(), format!("a {long}")];
        for number in 0..further {
            messages.extend([format!("u Question {number}?"), format!("a Answer {number}.")]);
        }
        messages.push("u And now?".to_owned());
        let messages: Vec<&str> = messages.iter().map(String::as_str).collect();
        let requests = [
            Request::new(&[TASK], "First the seal."),
            Request::new(&[TASK, "a First the seal.", "u Go on."], long),
            Request::new(&messages, "The valve."),
        ];
        assert_eq!(read_all(&requests).len() == 1, is_joined, "{further}");
    }
}

/// Of two conversations with the same newest answer, a request goes on with the one of its first message, or with the newer one.
#[test]
fn of_two_conversations_a_request_goes_on_with_the_nearer() {
    let long = "I look at the seal of the pump in the hall now.";
    let answered = |task| Request::new(&[task], long);
    let shortened =
        |first| Request::new(&[first, "u Shortened.", &format!("a {long}"), "u And now?"], "The valve.");
    for (requests, expected) in [
        (vec![answered("u Red?"), answered("u Blue?"), shortened("u Red?")], "uaua 2:rewrite, ua"),
        (vec![answered("u Red?"), answered("u Blue?"), shortened("u Blue?")], "ua, uaua 2:rewrite"),
        (vec![answered("u Red?"), answered("u Blue?"), shortened("u Green?")], "ua, uaua 2:summary"),
    ] {
        assert_eq!(outline(&requests), expected);
    }
}

/// A request that repeats a conversation up to an earlier answer lacks the newest one: it is another try.
#[test]
fn another_try_from_an_earlier_point_is_a_conversation() {
    let [one, two] =
        ["I look at the seal of the pump in the hall now.", "I look at the valve of the pump in the hall."];
    let requests = [
        Request::new(&[TASK], one),
        Request::new(&[TASK, &format!("a {one}"), "u Go on."], two),
        Request::new(&[TASK, "u Shortened.", &format!("a {one}"), "u Another way."], "The motor."),
    ];
    assert_eq!(outline(&requests), "uaua, uuaua");
}

/// A conversation goes on once: with its own next request, or with the first that rewrites it.
#[test]
fn a_conversation_goes_on_once() {
    let answer = "I read seal_a.py, seal_b.py and seal_c.py.";
    let text = "u So far seal_a.py, seal_b.py and seal_c.py are read.";
    let begun = || Request::new(&[TASK], answer);
    let own = || Request::new(&[TASK, &format!("a {answer}"), "u Go on."], "I go on.");
    let shortened = |last: &str| Request::new(&[TASK, text, last], "Done.");
    for (requests, expected) in [
        (vec![begun(), shortened("u One?")], "uaua 2:summary"),
        (vec![begun(), shortened("u One?"), own()], "uaua, uuua"),
        (vec![begun(), shortened("u One?"), shortened("u Two?")], "uaua 2:summary, uuua"),
    ] {
        assert_eq!(outline(&requests), expected);
    }
}

/// An agent may drop the words beside a call: the identifier of the call identifies the answer.
#[test]
fn an_answer_is_known_by_its_calls() {
    for (shown, expected) in [
        ("c I look at the valve.", "uauara 4:summary"),
        ("c", "uauara 4:summary"),
        ("a I look at the valve.", "uaua, uuaua"),
    ] {
        let shown = if shown == "c" { "c ".to_owned() } else { shown.to_owned() };
        let requests = [
            Request::new(&[TASK], "First the seal."),
            Request::new(&[TASK, "a First the seal.", "u Go on."], "c I look at the valve."),
            Request::new(&[TASK, "u Shortened.", &shown, "r It drips."], "The valve."),
        ];
        assert_eq!(outline(&requests), expected, "{shown:?}");
    }
}

/// Lines of fewer than 24 characters are in many texts.
#[test]
fn short_lines_tell_no_summary() {
    for (line, expected) in
        [("the valve drips too much", "uaa 2:summary/2"), ("the valve drips so much", "uaua, ua")]
    {
        let requests = [
            Request::new(&[TASK], "I look."),
            Request::new(&[TASK, "a I look.", "u Summarize the work."], line),
            Request::new(&[&format!("u Before:\n{line}")], "I go on."),
        ];
        assert_eq!(outline(&requests), expected, "{line}");
    }
}

/// What was kept behind a summary belongs to the conversation so far, and what follows is new.
#[test]
fn messages_behind_a_summary_may_be_kept() {
    let text = format!("u Before:\n{}", summary(0..2));
    let requests = [
        Request::new(&[TASK], "I look."),
        Request::new(&[TASK, "a I look.", "u Summarize the work."], &summary(0..2)),
        Request::new(&[&text, TASK, "u And now?"], "I go on."),
    ];
    assert_eq!(outline(&requests), "uaua 2:summary/2");
}

/// An agent may answer its own summary before it goes on.
#[test]
fn an_answer_to_a_summary_is_a_part_of_it() {
    let text = format!("u Before:\n{}", summary(0..2));
    let requests = [
        Request::new(&[TASK], "I look."),
        Request::new(&[TASK, "a I look.", "u Summarize the work."], &summary(0..2)),
        Request::new(&[TASK, &text, "a I see.", "u And now?"], "I go on."),
    ];
    assert_eq!(outline(&requests), "uaua 2:summary/2");
}

/// Output with the role of the user is matched by its neighbours when a mask replaces it.
#[test]
fn masked_output_between_its_neighbours_is_cleared() {
    let long = "I look at the seal of the pump in the hall now.";
    let masked = |masks: &[usize]| {
        let mut messages = vec![TASK, "a First.", "u Output one.", "a Second.", "u Output two."];
        messages.extend(["a Third.", "u Output three."]);
        for &at in masks {
            messages[at] = if at % 2 == 0 { "u [cleared]" } else { "a [cleared]" };
        }
        messages
    };
    let whole = masked(&[]);
    for (masks, expected) in [
        (vec![2], "uauauauaua 8:clear"),
        (vec![2, 4], "uauauauaua 8:clear"),
        (vec![4, 6], "uauauauaua 8:clear"),
        (vec![1], "uauauauaua 8:rewrite"),
    ] {
        let last = format!("a {long}");
        let next = [masked(&masks), vec![&last, "u And now?"]].concat();
        let requests =
            [Request::new(&[TASK], "First."), Request::new(&whole, long), Request::new(&next, "The valve.")];
        assert_eq!(outline(&requests), expected, "{masks:?}");
    }
}

/// Spans without an identifier may continue any conversation; two identifiers are two conversations.
#[test]
fn a_trace_of_its_own_may_go_on_with_a_conversation() {
    let long = "I look at the seal of the pump in the hall now.";
    let part = |role: &str, text: &str| json!({"role": role, "parts": [{"type": "text", "content": text}]});
    for (id, is_joined) in [(None, true), (Some("c1"), true), (Some("c2"), false)] {
        let span = |trace: &str, id: Option<&str>, input: Value, output: &str| {
            let attributes = json!({
                "gen_ai.operation.name": "chat", "gen_ai.conversation.id": id, "gen_ai.input.messages": input,
                "gen_ai.output.messages": [part("assistant", output)],
            });
            json!({"traceId": trace, "spanId": trace, "name": "chat", "attributes": attributes}).to_string()
        };
        let next = json!([part("user", "Shortened."), part("assistant", long), part("user", "And now?")]);
        let log = [
            span("t1", Some("c1"), json!([part("user", "Mend the pump.")]), long),
            span("t2", id, next, "The valve."),
        ];
        let mut number = 0;
        let read = read(log.join("\n").as_bytes(), "LOG", None, &mut |_| {
            number += 1;
            ControlFlow::Continue(())
        });
        read.unwrap();
        assert_eq!(number == 1, is_joined, "{id:?}");
    }
}

/// A message that only a rewritten request has stays in the requests after it.
#[test]
fn a_summary_is_sent_again_with_later_rewritten_requests() {
    let answer = "I read seal_a.py, seal_b.py and seal_c.py.";
    let text = "u So far seal_a.py, seal_b.py and seal_c.py are read.";
    let requests = [
        Request::new(&[TASK], answer),
        Request::new(&[TASK, text], "Done."),
        Request::new(&[TASK, "u A hint.", text, "a Done.", "u And now?"], "I go on."),
    ];
    let transcripts = read_all(&requests);
    let [transcript] = &transcripts[..] else { panic!("{transcripts:?}") };
    let [_, compaction] = &transcript.compactions[..] else { panic!("{:?}", transcript.compactions) };
    let sent = serde_json::to_string(&compaction.sent).unwrap();
    assert!(sent.contains("A hint.") && sent.contains("So far seal_a.py"), "{sent}");
}
