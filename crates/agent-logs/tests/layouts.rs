//! How a log is divided into values, and how its format is found.

use std::ops::ControlFlow;

use agent_logs::{LogFormat, Transcript, read};
use serde_json::{Value, json};

/// The conversations of a log, its format, and its notes or its error.
struct Told {
    transcripts: Vec<Transcript>,
    format: Option<&'static str>,
    notes: String,
}

fn tell_file(log: &str, file: &str, from: Option<&'static LogFormat>) -> Told {
    let mut transcripts = Vec::new();
    let notes = read(log.as_bytes(), file, from, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    match notes {
        Ok(notes) => {
            let lines: Vec<String> = notes.lines().collect();
            Told { transcripts, format: notes.format, notes: lines.join("\n") }
        }
        Err(error) => Told { transcripts, format: None, notes: error.to_string() },
    }
}

fn tell(log: &str) -> Told {
    tell_file(log, "LOG", None)
}

fn tell_lines(values: &[Value]) -> Told {
    let lines: Vec<String> = values.iter().map(Value::to_string).collect();
    tell(&lines.join("\n"))
}

impl Told {
    #[track_caller]
    fn assert_has(&self, conversations: usize, note: &str) {
        assert_eq!(self.transcripts.len(), conversations, "{}", self.notes);
        assert!(self.notes.contains(note), "{}", self.notes);
    }
}

/// A conversation with an answer of this length.
fn chat(length: usize) -> Value {
    json!({"messages": [{"role": "user", "content": "Which city?"}, {"role": "assistant", "content": "R".repeat(length)}]})
}

const BROKEN: &str = "{\"messages\": [";

/// A broken line spoils no other, if most lines are whole. The head of a log is 1 MiB, and may cut its last line.
#[test]
fn a_log_of_lines_is_recognised_by_its_head() {
    let (short, half, long) = (chat(9), chat(500_000), chat(1_100_000));
    for log in [
        format!("{short}\n{long}\n{BROKEN}\n{short}"),
        format!("{BROKEN}\n{half}\n{short}"),
        format!("{short}\n{BROKEN}\n{half}\n{short}"),
    ] {
        let told = tell(&log);
        let whole = log.lines().filter(|line| *line != BROKEN).count();
        told.assert_has(whole, "broken JSON left out: EOF while parsing");
    }
    // As many broken lines as whole ones: the last value never ends.
    tell(&format!("{short}\n{BROKEN}")).assert_has(1, "the file ends inside a value");
}

#[test]
fn broken_values_are_named_by_their_lines() {
    let pretty = serde_json::to_string_pretty(&chat(2)).unwrap();
    assert_eq!(pretty.lines().count(), 12);
    let told = tell(&format!("{pretty}\n{{\n  \"messages\": x\n}}\n{pretty}"));
    told.assert_has(2, "broken JSON left out: expected value: 1 (LOG:14: column 15)");
    let told = tell(&format!("{pretty}\n]\n{pretty}"));
    told.assert_has(2, "a closing bracket without an opening one: 1 (LOG:13)");
    let told = tell(&format!("[\n{pretty},\n\"Rome"));
    told.assert_has(1, "the file ends inside a value: 1 (LOG:14)");
}

/// Numbers and words end at a comma, a bracket or a line break.
#[test]
fn values_other_than_objects_have_an_end() {
    let chat = chat(2);
    for list in [
        format!("[12, {chat}]"),
        format!("[12\n, {chat}]"),
        format!("[\n{chat}, 12]"),
        format!("[\n{chat},\n12"),
        format!("[\n{chat}, true\n]\n"),
    ] {
        let told = tell_file(&list, "LOG", LogFormat::named("openai-chat"));
        told.assert_has(1, "values that are not objects: 1 ");
    }
}

/// Lists may hold lists of conversations, and those may be lists of messages.
#[test]
fn lists_are_nested_three_deep_at_most() {
    let chat = chat(2);
    let messages = &chat["messages"];
    tell(&format!("[[{chat}], [{chat}]]")).assert_has(2, "");
    tell(&format!("[{messages}, {messages}]")).assert_has(2, "");
    tell(&format!("[[{messages}]]")).assert_has(0, "found a value that is not an object");
}

/// The name of a file tells the neutral format, and a given format stays.
#[test]
fn a_format_is_given_or_found() {
    let chat = chat(2).to_string();
    assert_eq!(tell(&chat).format, Some("openai-chat"));
    assert_eq!(tell_file(&chat, "a.transcript.json", None).format, Some("transcript"));
    assert_eq!(tell_file(&chat, "a.transcript", None).format, Some("openai-chat"));
    for name in ["transcript", "gemini", "openai-chat"] {
        let told = tell_file(&chat, "LOG", LogFormat::named(name));
        assert!(told.format.is_none_or(|format| format == name), "{name}: {:?}", told.format);
    }
    assert_eq!(tell_file(&chat, "LOG", LogFormat::named("transcript")).format, Some("transcript"));
}

/// A message with a role and a text alone may be of many formats, so the next ones decide.
#[test]
fn plain_messages_wait_for_clearer_ones() {
    let call = json!({"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"});
    for plain in [
        json!({"role": "user", "content": "Look."}),
        json!({"type": "message", "role": "user", "content": "Look."}),
        json!({"id": "m1", "role": "user", "content": "Look."}),
    ] {
        let told = tell_lines(&[plain.clone(), call.clone()]);
        assert_eq!(told.format, Some("openai-responses"), "{plain}: {}", told.notes);
        assert_eq!(told.transcripts[0].messages.len(), 2, "{plain}");
    }
}

/// The first value decides which fields hold the log.
#[test]
fn fields_around_a_log_are_those_of_its_first_value() {
    let (one, other) = (json!({"data": chat(2)}), json!({"data": chat(3), "extra": chat(4)}));
    tell_lines(&[one.clone(), one.clone()]).assert_has(2, "");
    tell_lines(&[one.clone(), other.clone()]).assert_has(2, "fields extra of the log left out: 1 (LOG:2)");
    tell_lines(&[other, one]).assert_has(3, "");
    tell_lines(&[json!({"data": chat(2)}), json!({"cook": chat(3)})]).assert_has(2, "");
}

#[test]
fn text_that_is_no_json_is_refused() {
    tell("a: [\n").assert_has(0, "found text that is not JSON");
    tell("messages: [\n").assert_has(0, "invalid YAML: ");
    tell("a: 1\nrequests: [\n").assert_has(0, "invalid YAML: ");
}

/// What to do with a piece of a known program's log.
#[test]
fn logs_without_conversations_have_advice() {
    let gateway = "log the requests instead, e.g. with a gateway such as Helicone or LiteLLM";
    let cursor = format!("a Cursor transcript, without tool results and bills; {gateway}");
    let editor = format!("chats of the Cursor editor, without requests and bills; {gateway}");
    let run = "the result of a run without its messages; run it with --output-format stream-json";
    let promptfoo = "results of promptfoo: single answers, not conversations; log the agent's own requests, e.g. as OpenTelemetry \
                     spans";
    let opencode = "events of opencode without the user's messages; write the session with opencode export";
    for (value, advice) in [
        (json!({"session_id": "s", "result": "Rome"}), run),
        (json!({"session_id": "s", "response": "Rome"}), run),
        (json!({"evalId": "e", "results": 3}), promptfoo),
        (json!({"promptIdx": 0, "testIdx": 1}), promptfoo),
        (json!({"role": "user", "message": {"content": [1]}}), &cursor),
        (json!({"composerId": "c"}), &editor),
        (json!({"bubbleId": "b"}), &editor),
        (json!({"sessionID": "s", "part": 1}), opencode),
        (json!({"session_id": "s"}), "an object with the fields session_id"),
        (json!({"result": "Rome"}), "an object with the fields result"),
        (json!({"evalId": "e"}), "an object with the fields evalId"),
        (json!({"results": 3}), "an object with the fields results"),
        (json!({"promptIdx": 0}), "an object with the fields promptIdx"),
        (json!({"testIdx": 0}), "an object with the fields testIdx"),
        (json!({"role": "user"}), "an object with the fields role"),
        (json!({"message": {"content": [1]}}), "an object with the fields message"),
        (json!({"sessionID": "s"}), "an object with the fields sessionID"),
        (json!({"part": 1}), "an object with the fields part"),
        (json!(7), "a value that is not an object"),
    ] {
        let told = tell(&format!("[{value}]"));
        assert!(told.notes.ends_with(&format!("found {advice}")), "{}", told.notes);
    }
    let letters = |keys: &str| -> Value { keys.chars().map(|key| (key.to_string(), json!(1))).collect() };
    for (keys, named) in [("abcdefgh", "a, b, c, d, e, f, g, h"), ("abcdefghi", "a, b, c, d, e, f, g, h, …")]
    {
        let told = tell(&letters(keys).to_string());
        assert!(told.notes.ends_with(&format!("an object with the fields {named}")), "{}", told.notes);
    }
}
