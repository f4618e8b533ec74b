//! What a request with another history says of its conversation: which messages are gone, masked or replaced, and by what.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::ControlFlow;

use agent_logs::{Transcript, TranscriptRole, read};
use serde_json::{Value, json};

/// A message: `s` of the system, `u` of the user, `a` of the model, `c ID` an answer with a call, `r ID` its result. The arguments of a
/// call stand behind `@`.
fn written(message: &str) -> Value {
    let (kind, rest) = message.split_once(' ').unwrap();
    match kind {
        "s" => json!({"role": "system", "content": rest}),
        "u" => json!({"role": "user", "content": rest}),
        "a" => json!({"role": "assistant", "content": rest}),
        "c" => {
            let (id, text) = rest.split_once(' ').unwrap();
            let (text, arguments) = text.split_once(" @").unwrap_or((text, "{}"));
            let call =
                json!({"id": id, "type": "function", "function": {"name": "look", "arguments": arguments}});
            json!({"role": "assistant", "content": text, "tool_calls": [call]})
        }
        _ => {
            let (id, text) = rest.split_once(' ').unwrap();
            json!({"role": "tool", "tool_call_id": id, "content": text})
        }
    }
}

/// The lines of a log. The last message of each request is its answer, billed with the number of the line.
fn log_of(requests: &[&[&str]]) -> String {
    let mut log = String::new();
    for (number, request) in (1..).zip(requests) {
        let (answer, asked) = request.split_last().unwrap();
        let messages: Vec<Value> = asked.iter().map(|message| written(message)).collect();
        let usage = json!({"prompt_tokens": number, "completion_tokens": 1});
        let response = json!({"choices": [{"message": written(answer)}], "usage": usage});
        let line = json!({"request": {"model": "m", "messages": messages}, "response": response});
        writeln!(log, "{line}").unwrap();
    }
    log
}

fn read_all(log: &str) -> (Vec<Transcript>, Vec<String>) {
    let mut transcripts = Vec::new();
    let notes = read(log.as_bytes(), "LOG", None, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    (transcripts, notes.unwrap().lines().collect())
}

/// The roles of the messages of each conversation, and its compactions with the messages that they remove: `uaua 2:summary-0,1`.
fn outline(requests: &[&[&str]]) -> String {
    let (transcripts, _) = read_all(&log_of(requests));
    let outlines: Vec<String> = transcripts.iter().map(outline_one).collect();
    outlines.join(" | ")
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
        let kind = serde_json::to_value(compaction.kind).unwrap();
        let removed: Vec<String> = compaction.indices().map(|index| index.to_string()).collect();
        write!(outline, " {}:{}-{}", compaction.before, kind.as_str().unwrap(), removed.join(",")).unwrap();
    }
    outline
}

const TASK: &str = "u Mend the pump.";
const LONG: &str = "a I look at the seal of the pump in the hall now.";

/// A masked result is known by its call, also where its neighbours are gone.
#[test]
fn masked_results_are_known_by_their_calls() {
    let before: &[&str] = &[TASK, "c k1 Look.", "r k1 The seal leaks.", "a So it does.", "u Go on.", LONG];
    let first: Vec<&[&str]> = (1..=2).map(|turn| &before[..2 * turn]).collect();
    let [one, two] = first[..] else { panic!() };
    let masked = &[TASK, "c k1 Look.", "r k1 [cleared]", LONG, "u And now?", "a The valve."];
    assert_eq!(outline(&[one, two, before, masked]), "uarauaua 6:drop-2,3,4");
    // Two masks differ, so neither is the text of all.
    let both: &[&str] = &[TASK, "c k1 One.", "r k1 Seal.", "c k2 Two.", "r k2 Valve.", LONG];
    for (masks, text) in [(["[gone]", "[gone]"], Some("[gone]")), (["[gone]", "[also gone]"], None)] {
        let [one, two] = [format!("r k1 {}", masks[0]), format!("r k2 {}", masks[1])];
        let next: &[&str] = &[TASK, "c k1 One.", &one, "c k2 Two.", &two, LONG, "u And now?", "a Yes."];
        let requests = [&both[..2], &both[..4], both, next];
        assert_eq!(outline(&requests), "uararaua 6:clear-2,4", "{masks:?}");
        let (transcripts, _) = read_all(&log_of(&requests));
        assert_eq!(transcripts[0].compactions[0].text.as_deref(), text);
    }
}

/// A server that repeats an identifier gets new ones, also in the messages of a rewritten request.
#[test]
fn rewritten_messages_have_the_identifiers_of_the_conversation() {
    let before: &[&str] = &[TASK, "c k1 One.", "r k1 Seal.", "c k1 Two.", "r k1 Valve.", LONG];
    let next: &[&str] =
        &[TASK, "c k1 One.", "r k1 Seal.", "c k1 Two.", "r k1 [gone]", LONG, "u And now?", "a Yes."];
    let (transcripts, _) = read_all(&log_of(&[&before[..2], &before[..4], before, next]));
    let sent = serde_json::to_value(&transcripts[0].compactions[0].sent).unwrap();
    assert_eq!((&sent[0], &sent[1]["message"]["call"]), (&json!({"same": 4}), &json!("call-2")), "{sent}");
}

/// Messages between known ones stand for as many of the same roles.
#[test]
fn replaced_messages_have_the_roles_of_the_old_ones() {
    let before: &[&str] = &[TASK, "a The seal.", "u Go on.", LONG];
    for (put, expected) in [
        (["a The old seal.", "u Please go on."], "uauaua 4:rewrite-1,2"),
        (["u So far.", "u The seal."], "uauaua 4:summary-1,2"),
    ] {
        let next: &[&str] = &[TASK, put[0], put[1], LONG, "u And now?", "a Yes."];
        assert_eq!(outline(&[&before[..2], before, next]), expected);
    }
}

/// What stands behind the newest answer is new, also if it was said before.
#[test]
fn words_said_again_are_new() {
    let before: &[&str] = &[TASK, "a The seal.", "u Go on.", LONG];
    let next: &[&str] = &["u So far.", LONG, "u Go on.", "a Yes."];
    assert_eq!(outline(&[&before[..2], before, next]), "uauaua 4:summary-0,1,2");
    // In one with a call too.
    let before: &[&str] =
        &[TASK, "a The seal.", "u Go on.", "c k1 I look at the seal of the pump in the hall."];
    let next: &[&str] = &["u So far.", before[3], "r k1 Seal.", "u Go on.", "a Yes."];
    assert_eq!(outline(&[&before[..2], before, next]), "uauarua 4:summary-0,1,2");
}

/// Of equal messages a request keeps the newest, but in its order.
#[test]
fn equal_messages_keep_their_order() {
    let before: &[&str] = &[TASK, "a The seal.", "u Go on.", "a The valve.", "u Go on.", LONG];
    let next: &[&str] = &["u So far.", "u Go on.", "a The valve.", LONG, "u And now?", "a Yes."];
    assert_eq!(outline(&[&before[..2], &before[..4], before, next]), "uauauaua 6:summary-0,1,4");
}

/// Long arguments tell a conversation as a long answer does.
#[test]
fn an_answer_is_long_with_its_arguments() {
    for (length, expected) in [(25, "uauara 4:summary-0,1,2"), (24, "uaua | uara")] {
        // With `I look.` and `{"a":""}` there are 15 more characters.
        let call = format!("c k1 I look. @{{\"a\":\"{}\"}}", "x".repeat(length));
        let before: &[&str] = &[TASK, "a The seal.", "u Go on.", &call];
        let next: &[&str] = &["u So far.", &call, "r k1 Seal.", "a Yes."];
        assert_eq!(outline(&[&before[..2], before, next]), expected, "{length}");
    }
}

/// Clients write answers again in their own way: without marks of their end, and numbers in another form.
#[test]
fn answers_written_in_another_way_are_the_same() {
    for (one, other, is_same) in [
        ("a Code.<end_code>", "a Code.", true),
        ("a Code.</code>", "a Code.", true),
        ("a Code.", "a Code!", false),
        ("c k1 Look. @{\"n\": -0.0}", "c k1 Look. @{\"n\":0}", true),
        ("c k1 Look. @{\"n\": 1.0, \"m\": null}", "c k1 Look. @{\"m\":null,\"n\":1}", true),
    ] {
        let last = if one.starts_with('a') { "u Go on." } else { "r k1 Seal." };
        let expected = if one.starts_with('a') { "uaua" } else { "uara" };
        let found = outline(&[&[TASK, one], &[TASK, other, last, "a Yes."]]);
        assert_eq!(found == expected, is_same, "{one}: {found}");
    }
}

/// The identifiers of calls tell an answer whose words were changed.
#[test]
fn an_answer_is_known_by_its_calls() {
    let before: &[&str] = &[TASK, "c k1 I look."];
    let next: &[&str] = &[TASK, "c k1 [shortened]", "r k1 Seal.", "a Yes."];
    assert_eq!(outline(&[before, next]), "uara 2:rewrite-1");
    let next: &[&str] = &[TASK, "c k2 [shortened]", "r k2 Seal.", "a Yes."];
    assert_eq!(outline(&[before, next]), "ua | uara");
}

/// The system prompt is the first one. A compaction has the newest of those behind it.
#[test]
fn a_changed_prompt_belongs_to_its_compaction() {
    let first = "s You mend pumps.\nIt is nine.";
    let (second, third) = ("s You mend pumps.\nThe seal leaks.", "s You mend pumps.\nThe valve leaks.");
    let before: &[&str] = &[first, TASK, "a The seal.", "u Go on.", LONG];
    let cut: &[&str] = &[second, LONG, "u And now?", "a Yes."];
    let later: &[&str] = &[third, LONG, "u And now?", "a Yes.", "u And then?", "a No."];
    for (requests, newest) in [
        (vec![&before[..3], before, cut], "You mend pumps.\nThe seal leaks."),
        (vec![&before[..3], before, cut, later], "You mend pumps.\nThe valve leaks."),
    ] {
        let (transcripts, _) = read_all(&log_of(&requests));
        let [transcript] = &transcripts[..] else { panic!("{}", transcripts.len()) };
        assert_eq!(transcript.system.as_deref(), Some("You mend pumps.\nIt is nine."));
        assert_eq!(transcript.compactions[0].system.as_deref(), Some(newest));
    }
}

/// The first line that the next request changed, as it was.
#[test]
fn changes_of_the_prompt_are_kept() {
    let with = |prompt: &'static str, turns: usize| -> Vec<&str> {
        let all = [TASK, "a The seal.", "u Go on.", "a The valve.", "u And now?", "a Yes."];
        [&[prompt], &all[..2 * turns]].concat()
    };
    let [one, two] = ["s You mend.\nIt is 9.\nBe brief.", "s You mend.\nIt is 10.\nBe brief."];
    let appended = "s You mend.\nIt is 10.\nBe brief.\nBe kind.";
    let changes = |requests: &[Vec<&str>]| {
        let requests: Vec<&[&str]> = requests.iter().map(Vec::as_slice).collect();
        let (transcripts, _) = read_all(&log_of(&requests));
        assert_eq!(transcripts.len(), 1);
        transcripts[0].system_changes.clone()
    };
    assert_eq!(changes(&[with(one, 1), with(one, 2)]), BTreeMap::new());
    assert_eq!(
        changes(&[with(one, 1), with(two, 2), with(appended, 3)]),
        BTreeMap::from([(3, "It is 9.".to_owned())])
    );
    assert_eq!(
        changes(&[with(two, 1), with(appended, 2), with(one, 3)]),
        BTreeMap::from([(5, "It is 10.".to_owned())])
    );
}

/// A chain of conversations: each begins with the task and a summary of the one before.
#[test]
fn all_openings_of_a_continued_conversation_count() {
    let told = |part: &str| format!("u So far {part}_a.py, {part}_b.py and {part}_c.py.");
    let read = |part: &str| format!("a I read {part}_a.py, {part}_b.py and {part}_c.py.");
    let (seals, valves) = (told("seal"), told("valve"));
    let requests: [&[&str]; 3] =
        [&[TASK, &read("seal")], &[TASK, &seals, &read("valve")], &[TASK, &valves, "a Done."]];
    assert_eq!(outline(&requests), "uaaa 2:summary-1 3:summary-1,2");
}

/// A rewritten conversation between an earlier and a later one.
#[test]
fn compactions_of_a_continued_conversation_are_moved() {
    let long = "a I read valve_a.py, valve_b.py and valve_c.py in the hall.";
    let first: &[&str] = &[TASK, "a I read seal_a.py, seal_b.py and seal_c.py."];
    let second: &[&str] =
        &[TASK, "u So far seal_a.py, seal_b.py and seal_c.py.", "a The valve.", "u Go on.", long];
    let cut: &[&str] = &[TASK, "u Shortened.", long, "u And now?", "a Yes."];
    let third: &[&str] = &[TASK, "u So far valve_a.py, valve_b.py and valve_c.py.", "a Done."];
    let requests = [first, &second[..3], second, cut];
    assert_eq!(outline(&requests), "uaauaua 2:summary-1 5:summary-1,2,3");
    let requests = [first, &second[..3], second, cut, third];
    assert_eq!(outline(&requests), "uaauauaa 2:summary-1 5:summary-1,2,3 7:summary-1,2,3,4,5,6");
    let (transcripts, _) = read_all(&log_of(&requests));
    for (compaction, put) in
        transcripts[0].compactions.iter().zip(["So far seal", "Shortened", "So far valve"])
    {
        let sent = serde_json::to_value(&compaction.sent).unwrap();
        assert_eq!(sent[0], json!({"same": 1}));
        assert!(sent[1]["message"]["content"].as_str().unwrap().starts_with(put), "{sent}");
    }
}

/// Of many names in an answer none stands for another one.
#[test]
fn names_that_were_not_said_do_not_count() {
    let names = |range: std::ops::Range<usize>| -> String {
        range.map(|number| format!("part_{number}.py ")).collect()
    };
    let answer = format!("a {}", names(0..120));
    for (range, expected) in [(100..120, "uaa 2:summary-1"), (120..140, "ua | uua")] {
        let text = format!("u So far {}", names(range.clone()));
        assert_eq!(outline(&[&[TASK, &answer], &[TASK, &text, "a Done."]]), expected, "{range:?}");
    }
}

/// The lines of a summary.
const SUMMARY: &str = "the seal is worn and needs to be replaced\nthe valve is worn and needs to be replaced";

/// Only the newest answer of a conversation can be a summary.
#[test]
fn an_older_answer_is_no_summary() {
    let (answer, text) = (format!("a {SUMMARY}"), format!("u Before:\n{SUMMARY}"));
    let all = [TASK, "a I look.", "u Summarize the work.", &answer, "u Go on.", "a Fine."];
    let next: &[&str] = &[TASK, &text, "a On."];
    assert_eq!(outline(&[&all[..2], &all[..4], next]), "uaa 2:summary-1");
    assert_eq!(outline(&[&all[..2], &all[..4], &all, next]), "uauaua | uua");
}

/// A call of its own for a summary has one request.
#[test]
fn a_longer_conversation_writes_no_summary() {
    let (answer, text) = (format!("a {SUMMARY}"), format!("u Before:\n{SUMMARY}"));
    let before: &[&str] = &[TASK, "a First the seal.", "u Go on.", LONG];
    let writer: &[&str] = &["s You write.", "u Hello.", "a Yes?", "u Summarize this.", &answer];
    let lone: &[&str] = &["s You write.", "u Summarize this.", &answer];
    let shorter: &[&str] =
        &["s You write.", "u Summarize this.", &answer, "u Shorter.", "a The seal and the valve."];
    let next: &[&str] = &[&text, LONG, "u And now?", "a The valve."];
    assert_eq!(outline(&[&before[..2], before, lone, next]), "uauaua 4:summary-0,1,2");
    assert_eq!(outline(&[&before[..2], before, &writer[..3], writer, next]), "uauaua 4:summary-0,1,2 | uaua");
    // It stays when it goes on.
    assert_eq!(outline(&[&before[..2], before, lone, next, shorter]), "uauaua 4:summary-0,1,2 | uaua");
}

/// The notes name the request that was rewritten first.
#[test]
fn compactions_are_noted_with_their_lines() {
    let answer = "a I read seal_a.py, seal_b.py and seal_c.py.";
    let text = "u So far seal_a.py, seal_b.py and seal_c.py.";
    let (_, notes) = read_all(&log_of(&[&["u Hello.", "a Yes?"], &[TASK, answer], &[TASK, text, "a On."]]));
    assert_eq!(notes[0], "1 compaction in 1 session (LOG:3)");
}

/// A request repeats the newest calls of a conversation, but not the messages before them.
#[test]
fn requests_that_continue_nothing_are_noted() {
    let one: &[&str] = &["u Red?", "c k1 Look.", "r k1 It is.", "c k2 More."];
    let other: &[&str] = &["u Blue?", "c k1 Look.", "r k1 It is.", "c k3 More."];
    let stray: &[&str] = &["u Green?", "c k1 Look.", "r k1 It is.", "a Done."];
    let count = |requests: &[&[&str]]| {
        let (_, notes) = read_all(&log_of(requests));
        let kind = "requests that do not continue the previous one, so each starts a transcript: ";
        let number = notes.iter().find_map(|line| line.strip_prefix(kind)?.split(' ').next());
        number.map_or(0, |number| number.parse::<usize>().unwrap())
    };
    assert_eq!(count(&[&one[..2], stray]), 1);
    assert_eq!(count(&[&one[..2], one, stray]), 0);
    assert_eq!(count(&[&one[..2], &other[..2], one, stray]), 2);
    assert_eq!(count(&[&one[..2], &other[..2], one, other, stray]), 1);
}
