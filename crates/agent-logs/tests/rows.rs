//! The rows of the tables of readers. Each row has a datum: without the row, a test here fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use agent_logs::{Transcript, TranscriptRole, read};
use serde_json::{Map, Value, json};

use crate::golden::Golden;
use crate::readers::files;

/// A name that no format has.
const UNHEARD: &str = "unheard";

/// The transcripts of a log as JSON, and its notes.
fn read_values(values: &[Value]) -> (Vec<String>, Vec<String>) {
    let log = match values {
        [one] => one.to_string(),
        _ => values.iter().map(|value| format!("{value}\n")).collect(),
    };
    let mut transcripts = Vec::new();
    let notes = read(log.as_bytes(), "LOG", None, &mut |transcript| {
        transcripts.push(serde_json::to_string(&transcript).unwrap());
        ControlFlow::Continue(())
    });
    match notes {
        Ok(notes) => (transcripts, notes.lines().collect()),
        Err(error) => (transcripts, vec![format!("error: {error}")]),
    }
}

fn parse_values(file: &Path) -> Option<Vec<Value>> {
    let bytes = fs::read(file).unwrap();
    serde_json::Deserializer::from_slice(&bytes).into_iter::<Value>().collect::<Result<_, _>>().ok()
}

/// The JSON pointers to all objects in a value.
fn find_objects(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.push(pointer.to_owned());
            for (key, inner) in fields {
                let key = key.replace('~', "~0").replace('/', "~1");
                find_objects(inner, &format!("{pointer}/{key}"), found);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                find_objects(inner, &format!("{pointer}/{index}"), found);
            }
        }
        _ => {}
    }
}

/// An object of a log in which fields have to be known.
struct Place {
    values: Vec<Value>,
    index: usize,
    pointer: String,
}

impl Place {
    fn object<'v>(&self, values: &'v mut [Value]) -> &'v mut Map<String, Value> {
        values[self.index].pointer_mut(&self.pointer).unwrap().as_object_mut().unwrap()
    }

    /// The transcripts and notes of the log with a new field of this name.
    fn read_with(&self, name: &str) -> (Vec<String>, Vec<String>) {
        let mut values = self.values.clone();
        self.object(&mut values).insert(name.to_owned(), "Words that nobody heard.".into());
        read_values(&values)
    }

    /// Returns true if an unknown field is noted in these words.
    fn notes_unknown(&self, of: &str) -> bool {
        let noted = format!("fields {UNHEARD} of {of} left out");
        self.read_with(UNHEARD).1.iter().any(|line| line.starts_with(&noted))
    }

    /// Returns true if the reader passes over a field of this name.
    fn passes_over(&self, name: &str) -> bool {
        self.read_with(name) == read_values(&self.values)
    }

    fn has_field(&self, name: &str) -> bool {
        self.object(&mut self.values.clone()).contains_key(name)
    }
}

/// The text of a field with the kind of an object.
fn kind_of<'v>(key: &str, value: &'v Value) -> &'v str {
    value.as_str().filter(|_| ["type", "role", "kind"].contains(&key)).unwrap_or_default()
}

/// The objects of the logs of a format in which an unknown field is noted in these words.
fn find_places(format: &str, of: &str) -> Vec<Place> {
    let folder = Path::new("tests/logs").join(format);
    let (mut places, mut seen) = (Vec::new(), BTreeSet::new());
    for file in files().iter().filter(|file| file.starts_with(&folder)) {
        let Some(values) = parse_values(file) else { continue };
        for index in 0..values.len() {
            let mut pointers = Vec::new();
            find_objects(&values[index], "", &mut pointers);
            for pointer in pointers {
                // One object of each shape is enough.
                let fields = values[index].pointer(&pointer).unwrap().as_object().unwrap();
                let shape: Vec<String> =
                    fields.iter().map(|(key, value)| format!("{key} {}", kind_of(key, value))).collect();
                let path: String = pointer.chars().filter(|c| !c.is_ascii_digit()).collect();
                if !seen.insert((file, path, shape)) {
                    continue;
                }
                let place = Place { values: values.clone(), index, pointer };
                if place.notes_unknown(of) {
                    places.push(place);
                }
            }
        }
    }
    places
}

/// The lines `FORMAT, OBJECT: NAME …` of a file.
fn parse_rows(file: &str) -> BTreeMap<(String, String), Vec<String>> {
    let mut rows: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for line in fs::read_to_string(file).unwrap().lines().filter(|line| !line.starts_with('#')) {
        let (place, names) = line.split_once(": ").unwrap();
        let (format, of) = place.split_once(", ").unwrap();
        let names = names.split(' ').map(str::to_owned);
        rows.entry((format.to_owned(), of.to_owned())).or_default().extend(names);
    }
    rows
}

/// The golden files hold no note on a field that a log has, so a name is guarded there or by a place that lacks it.
#[test]
fn known_fields_are_not_noted() {
    let mut unknown = String::new();
    for ((format, of), names) in parse_rows("tests/rows/fields.txt") {
        let places = find_places(&format, &of);
        for name in names {
            let is_known = places.iter().any(|place| place.has_field(&name) || place.passes_over(&name));
            if !is_known {
                writeln!(unknown, "{format}, {of}: {name}").unwrap();
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown}");
}

/// A group of kinds of lines or parts, each put into the same place of a log.
struct Kinds<'t> {
    title: &'t str,
    /// A log, or `-` for none.
    log: &'t str,
    /// The index of a value and the JSON pointer of a list or an object in it, or nothing for a line of its own at the end.
    pointer: &'t str,
    /// The value with `NAME` for the name.
    template: &'t str,
    names: Vec<&'t str>,
}

/// The groups of a file: a line `== TITLE`, one with the log, one with the pointer, one with the template, and one with names.
fn parse_kinds(text: &str) -> Vec<Kinds<'_>> {
    let mut groups = Vec::new();
    for group in text.split("\n== ").skip(1) {
        let [title, log, pointer, template, names] = group.lines().collect::<Vec<_>>()[..5] else {
            panic!("{group}");
        };
        groups.push(Kinds { title, log, pointer, template, names: names.split(" | ").collect() });
    }
    groups
}

impl Kinds<'_> {
    fn values(&self) -> Vec<Value> {
        match self.log {
            "-" => Vec::new(),
            log => parse_values(&Path::new("tests/logs").join(log)).unwrap(),
        }
    }

    /// The transcripts of a log with the value of this name, beyond those without it.
    fn describe(&self, name: &str) -> String {
        let mut values = self.values();
        let (before, notes) = read_values(&values);
        let template = self.template.replace("NAME", name);
        match self.pointer {
            "" => values.push(serde_json::from_str(&template).unwrap()),
            pointer => {
                let (index, pointer) = pointer.split_at(pointer.find('/').unwrap_or(pointer.len()));
                let value = values[index.parse::<usize>().unwrap()].pointer_mut(pointer).unwrap();
                match value {
                    Value::Array(items) => items.push(serde_json::from_str(&template).unwrap()),
                    value => {
                        let more: Map<String, Value> = serde_json::from_str(&template).unwrap();
                        value.as_object_mut().unwrap().extend(more);
                    }
                }
            }
        }
        let (after, new) = read_values(&values);
        let mut said = format!("{name}\n");
        for transcript in after.iter().filter(|after| !before.contains(after)) {
            match self.log {
                "-" => writeln!(said, "  {transcript}").unwrap(),
                _ => said += &added_lines(&before, transcript),
            }
        }
        for line in new.iter().filter(|line| !notes.contains(line)) {
            writeln!(said, "  {line}").unwrap();
        }
        said
    }
}

/// The lines that a transcript has beyond those before.
fn added_lines(before: &[String], transcript: &str) -> String {
    let pretty = |transcript: &str| {
        let value: Value = serde_json::from_str(transcript).unwrap();
        serde_json::to_string_pretty(&value).unwrap()
    };
    let before: String = before.iter().map(|transcript| pretty(transcript)).collect();
    let after = pretty(transcript);
    let mut added = String::new();
    for change in similar::TextDiff::from_lines(before.as_str(), after.as_str()).iter_all_changes() {
        if change.tag() == similar::ChangeTag::Insert {
            writeln!(added, "  + {}", change.value().trim()).unwrap();
        }
    }
    added
}

/// Kinds of lines and parts, with what each adds to the transcripts and notes.
#[test]
fn every_kind_has_its_effect() {
    let text = fs::read_to_string("tests/rows/kinds.txt").unwrap();
    let mut all = String::new();
    for group in parse_kinds(&text) {
        writeln!(all, "== {}", group.title).unwrap();
        for name in &group.names {
            all += &group.describe(name);
        }
        // Some names are pieces of JSON.
        if serde_json::from_str::<Value>(&group.template.replace("NAME", UNHEARD)).is_ok() {
            all += &group.describe(UNHEARD);
        }
    }
    let mut golden = Golden::default();
    golden.holds(Path::new("tests/rows/kinds.golden"), &all);
    golden.assert_none_differs();
}

/// A conversation with tags described in the prompt, a call in an answer, and a reply with the role `user`.
fn replied(call: &str, replies: &[&str]) -> Vec<bool> {
    let mut messages = vec![
        json!({"role": "system", "content": "Write one <execute> block for each tool. Execute nothing else."}),
        json!({"role": "user", "content": "Why does the pump stop?"}),
    ];
    for reply in replies {
        messages.push(json!({"role": "assistant", "content": call}));
        messages.push(json!({"role": "user", "content": reply}));
    }
    let mut replies = Vec::new();
    let log = json!({"messages": messages}).to_string();
    let read = read(log.as_bytes(), "LOG", None, &mut |transcript: Transcript| {
        let said = transcript.messages.iter().filter(|message| message.role == TranscriptRole::User);
        replies.extend(said.skip(1).map(|message| message.is_observation));
        ControlFlow::Continue(())
    });
    read.unwrap();
    replies
}

/// The texts of a file, each behind a line `== `.
fn parse_texts(file: &str) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    text.split("\n== \n").skip(1).map(|text| text.trim_end().to_owned()).collect()
}

const CALL: &str = "<execute>ls</execute>";
/// A person interrupts too often for a reply to be a result by its place alone.
const WORDS: &str = "I think that you should look at the valve first, please.";

#[test]
fn every_form_of_a_result_is_recognised() {
    assert_eq!(replied(CALL, &[WORDS, WORDS]), [false, false]);
    for form in parse_texts("tests/rows/results.txt") {
        assert_eq!(replied(CALL, &[WORDS, &form]), [false, true], "{form}");
    }
}

/// A complaint is no word of a person, once the agent has results at all.
#[test]
fn every_complaint_is_recognised() {
    let result = "<tool_response>\nvalve.txt";
    for complaint in parse_texts("tests/rows/complaints.txt") {
        assert_eq!(replied(CALL, &[WORDS, result, &complaint]), [false, true, true], "{complaint}");
        assert_eq!(replied(CALL, &[WORDS, &complaint]), [false, false], "{complaint}");
    }
}

/// Returns true if the last reply is a result. `prompt` describes how calls are written.
fn last_is_result(prompt: &str, exchanges: &[(&str, &str)]) -> bool {
    let mut messages =
        vec![json!({"role": "system", "content": prompt}), json!({"role": "user", "content": "Begin."})];
    for (call, reply) in exchanges {
        messages.push(json!({"role": "assistant", "content": call}));
        messages.push(json!({"role": "user", "content": reply}));
    }
    let mut is_result = false;
    let log = json!({"messages": messages}).to_string();
    let read = read(log.as_bytes(), "LOG", None, &mut |transcript: Transcript| {
        is_result = transcript.messages.last().unwrap().is_observation;
        ControlFlow::Continue(())
    });
    read.unwrap();
    is_result
}

/// Checks that each word, and not an unknown one, makes the difference.
#[track_caller]
fn check_words(words: &str, is_recognised: impl Fn(&str) -> bool) {
    assert!(!is_recognised(UNHEARD));
    for word in words.split(" | ") {
        assert!(is_recognised(word), "{word}");
    }
}

const RESULT: &str = "<tool_response>valve.txt";

#[test]
fn every_word_of_the_forms_of_calls_counts() {
    let tags = "execute | solution | action | command | bash | shell | terminal | tool | search | python | code | run | query | invoke";
    check_words(tags, |tag| last_is_result("Help.", &[(&format!("So <{tag}>ls</{tag}>"), RESULT)]));
    let code = |tag: &str| last_is_result("Help.", &[(&format!("So <{tag}_bash>ls"), RESULT)]);
    check_words("execute", code);
    let lines = "action: | act: | action input: | next action:";
    check_words(lines, |line| last_is_result("Help.", &[(&format!("{line} search[valve]"), RESULT)]));
    let fields = "action | action_input | tool | tool_name | function | command | tool_calls";
    check_words(fields, |key| last_is_result("Help.", &[(&format!("{{\"{key}\": \"ls\"}}"), RESULT)]));
}

#[test]
fn every_word_of_a_prompt_that_tells_of_calls_counts() {
    let reply = "valve.txt, 200 bytes";
    let block = [("```\nls\n```", reply)];
    let one = "exactly one | one command | single command | one action | one code block | a single code block | will be executed | \
               will execute | special interface | one discussion and one command";
    check_words(one, |words| last_is_result(&format!("Write ``` with {words} of the tool."), &block));
    let told =
        "observation | tool | api | environment | execute | operating system | available action | function";
    check_words(told, |word| last_is_result(&format!("Write ``` with exactly one {word}."), &block));
    let thoughts = "thought | think | observation | action input | available action";
    check_words(thoughts, |word| {
        last_is_result(&format!("Write action: after a {word} for each tool."), &[("Action: ls", reply)])
    });
}

/// A tag of an agent's own needs its name in the prompt.
#[test]
fn a_prompt_tells_of_the_tags_of_its_calls() {
    let exchange = [("<look_up>pump</look_up>", "valve.txt, 200 bytes")];
    assert!(last_is_result("Write <look_up> to look up.", &exchange));
    assert!(!last_is_result("Look up the pump.", &exchange));
    assert!(!last_is_result("Write <execute_bash> to look up.", &exchange));
}

/// Calls that speak to a person, and results that hold words of one.
#[test]
fn every_word_to_and_of_a_person_counts() {
    let prompt = "Write \"action\" for each tool.";
    let speaking = "respond | reply | final | finish | answer | ask | human | message | attempt_completion | plan_mode | say | talk";
    check_words(speaking, |name| {
        !last_is_result(prompt, &[(&format!("{{\"action\": \"{name}_x\"}}"), "valve.txt, 200 bytes")])
    });
    let words = "<feedback> | <answer> | <user_message> | \nNew task:\n | \nExpert feedback:\n";
    check_words(words, |tag| !last_is_result("Help.", &[(CALL, &format!("{RESULT}\n{tag}Look there"))]));
}

/// Where results have a form, a sentence without it is of a person.
#[test]
fn every_spoken_word_counts() {
    let is_spoken = |reply: &str| {
        let mut exchanges = vec![(CALL, RESULT); 6];
        exchanges.push((CALL, reply));
        !last_is_result("Write <execute> for each tool.", &exchanges)
    };
    let spoken = "i | you | it | the | a | is | are | to | please | can | could | what | how | why | this | that | we | my | me | \
                  not | now | but | do | does | ich | du | das | ist | bitte | nicht | je | le | la | est | que | el | es | por | \
                  il | che";
    check_words(spoken, |word| is_spoken(&format!("valve {word} pump drain")));
    let short = "yes | no | ok | okay | thanks | continue | sure | go | next | done | stop | great";
    check_words(short, is_spoken);
    assert!(is_spoken("バルブを見て"));
    // Output with paths and numbers among the words is none of a person, however many words it has.
    assert!(!is_spoken("the valve 12 /srv/pump 0x7f is 3"));
}

/// If the prompt does not describe calls, replies are results when four of five answers hold a call, at least
/// three do, and at most a fifth of the replies reads like words of a person.
#[test]
fn replies_to_most_answers_are_results() {
    let call = ("Action: look", "valve.txt, 200 bytes");
    for (calls, spoken, others, is_result) in [
        (3, 0, 0, true),
        (2, 0, 0, false),
        (4, 0, 1, true),
        (4, 0, 2, false),
        (8, 0, 2, true),
        (8, 0, 3, false),
        (5, 1, 0, true),
        (4, 1, 0, false),
        (10, 2, 0, true),
        (9, 2, 0, false),
    ] {
        let mut exchanges = vec![("I think.", "valve.txt, 200 bytes"); others];
        exchanges.extend(vec![("Action: look", WORDS); spoken]);
        exchanges.extend(vec![call; calls - spoken]);
        assert_eq!(last_is_result("Help.", &exchanges), is_result, "{calls} {spoken} {others}");
    }
    // Short phrases may be words of a person too.
    for (phrases, is_result) in [(2, true), (3, false)] {
        let mut exchanges = vec![("Action: look", "kitchen too"); phrases];
        exchanges.extend(vec![call; 4 - phrases]);
        assert_eq!(last_is_result("Help.", &exchanges), is_result, "{phrases}");
    }
}

/// Replies to JSON are results when the prompt asks for JSON, and few of them read like words of a person.
#[test]
fn replies_to_json_are_results_where_a_prompt_tells_of_it() {
    let prompt = "Write \"action\" for each tool.";
    let call = "{\"action\": \"ls\"}";
    let plain = "valve.txt, 200 bytes";
    for (prompt, replies, is_result) in [
        (prompt, vec![plain], true),
        ("Help.", vec![plain], false),
        (prompt, vec![WORDS, plain], false),
        (prompt, vec!["kitchen too", "hall too", plain], false),
    ] {
        let exchanges: Vec<(&str, &str)> = replies.iter().map(|&reply| (call, reply)).collect();
        assert_eq!(last_is_result(prompt, &exchanges), is_result, "{prompt} {replies:?}");
    }
}

/// A tag in a fenced block is an example; behind the block it is a call.
#[test]
fn a_call_stands_outside_of_fenced_blocks() {
    let reply =
        |answer: &str| last_is_result("Write <execute> for each tool.", &[(answer, "valve.txt, 200 bytes")]);
    assert!(reply("```\nls\n```\n<execute>ls</execute>"));
    assert!(!reply("```\n<execute>ls</execute>\n```\nSo you do it."));
}

/// Files that are no text, with what the error advises.
#[test]
fn every_foreign_file_is_named() {
    let sqlite = |tables: &str| [b"SQLite format 3\0".as_slice(), tables.as_bytes()].concat();
    let rows: [(Vec<u8>, &str); 9] = [
        (b"PK\x03\x04rest".to_vec(), "a zip file; unpack it first"),
        (b"PAR1rest".to_vec(), "a Parquet file"),
        (sqlite("CREATE TABLE t"), "a SQLite database; write its rows as JSON first"),
        (sqlite("session message part project"), "the database of opencode"),
        (sqlite("working_dir accumulated_ messages"), "the database of Goose"),
        (sqlite("ItemTable"), "a database of VS Code"),
        (b"data: {}".to_vec(), "a streamed response"),
        (b"event: x".to_vec(), "a streamed response"),
        (b"plain words".to_vec(), "text that is not JSON"),
    ];
    for (bytes, advice) in rows {
        let error = read(bytes.as_slice(), "LOG", None, &mut |_| ControlFlow::Continue(())).unwrap_err();
        assert!(error.to_string().contains(advice), "{advice}: {error}");
    }
}

/// Up to a hundred headers and settings may come before the first message of a session.
#[test]
fn a_format_is_looked_for_in_a_hundred_values() {
    let session = r#"{"type": "user", "sessionId": "s", "uuid": "u1", "message": {"role": "user", "content": "Which city?"}}
{"type": "assistant", "sessionId": "s", "uuid": "u2", "parentUuid": "u1", "message": {"role": "assistant", "content": "Paris"}}"#;
    for (before, is_read) in [(0, true), (98, true), (99, true), (100, false)] {
        let log = "{\"colour\": 1}\n".repeat(before) + session;
        let read = read(log.as_bytes(), "LOG", None, &mut |_| ControlFlow::Continue(()));
        assert_eq!(read.is_ok(), is_read, "{before}");
    }
}

const REPLY: &str = "valve.txt, 200 bytes";

/// Which tags of an answer are calls: with the form of a result, the reply to a call is one.
#[test]
fn a_tag_is_a_call_by_its_name_and_place() {
    for (answer, is_call) in [
        ("<look_up>pump</look_up>", true),
        ("So:\n  <look_up>pump</look_up>", true),
        ("<look_up>pump", false),
        ("<look_up x='1'>pump</look_up>", false),
        ("So <look_up>pump</look_up>", false),
        ("<pump>red</pump>", false),
        ("So <execute>ls</execute>", true),
        ("So `<execute>`", false),
        ("So <execute ls", false),
        ("<function=look>", true),
        ("<function>", false),
        ("<invoke name=\"look\">", true),
        ("<invoke of=\"look\">", false),
        ("<a name=\"look\">", false),
        ("<a=look>", false),
    ] {
        assert_eq!(last_is_result("Help.", &[(answer, RESULT)]), is_call, "{answer}");
    }
}

/// A call is to a tool, unless its name speaks to a person.
#[test]
fn the_name_of_a_call_is_found_in_every_form() {
    let lines = "Write action: after a thought for each tool.";
    for (prompt, call, other) in [
        (lines, "**Action:** NAME", true),
        (lines, "Action:\n{\"tool\": \"NAME\"}", true),
        ("Write \"action\" for each tool.", "{\"action\": \"NAME\"}", true),
        ("Write \"action\" for each tool.", "```json\n{\"action\": \"NAME\"}\n```", true),
        ("Write \"action\" for each tool.", "```json\n{\"action\": \"NAME\"}", false),
        ("Write \"tool\" for each tool.", "{\"tool\": \"NAME\"}", true),
        ("Write \"tool_name\" for each tool.", "{\"tool_name\": \"NAME\"}", true),
    ] {
        assert_eq!(last_is_result(prompt, &[(&call.replace("NAME", "look"), REPLY)]), other, "{call}");
        assert!(!last_is_result(prompt, &[(&call.replace("NAME", "respond"), REPLY)]), "{call}");
    }
}

/// A prompt explains a form of calls with the form itself, and with words of tools.
#[test]
fn a_prompt_explains_one_form_of_calls() {
    let (line, json, block) = ("Action: ls", "{\"action\": \"ls\"}", "```\nls\n```");
    for (prompt, call, is_result) in [
        ("Write act: after a thought for each tool.", line, true),
        ("Use action input after a thought for each tool.", line, true),
        ("Write after a thought for each tool.", line, false),
        ("Write action: after a thought.", line, false),
        ("Write action: for each tool.", line, false),
        ("Write \"action\" for each tool.", json, true),
        ("Write for each tool.", json, false),
        ("Write \"action\".", json, false),
        ("Write exactly one code block of the tool.", block, true),
        ("Write exactly one backtick of the tool.", block, true),
        ("Write exactly one of the tool.", block, false),
    ] {
        assert_eq!(last_is_result(prompt, &[(call, REPLY)]), is_result, "{prompt} {call}");
    }
    // smolagents ends its code with a mark.
    let prompt = "Write ``` with exactly one command of the tool.";
    assert!(last_is_result(prompt, &[("```\nls\n```\n<end_code>", REPLY)]));
    assert!(!last_is_result(prompt, &[("```\nls\n```\nSo you do it.", REPLY)]));
    // The form of a result is known where the prompt has its label.
    assert!(last_is_result("After it you get Observation: and so on.", &[(block, "Observation: valve.txt")]));
    assert!(!last_is_result("Help.", &[(block, "Observation: valve.txt")]));
}

/// Words of a person are none of a result, where two of three replies have the form of one.
#[test]
fn words_are_no_results_where_most_results_have_a_form() {
    let prompt = "Write <execute> for each tool.";
    for (formed, others, is_result) in [(4, 1, false), (4, 2, true), (3, 3, true), (5, 1, false)] {
        let mut exchanges = vec![(CALL, RESULT); formed];
        exchanges.extend(vec![(CALL, REPLY); others]);
        exchanges.push((CALL, WORDS));
        assert_eq!(last_is_result(prompt, &exchanges), is_result, "{formed} {others}");
    }
}

/// A phrase has at most eight words, and signs between them are none.
#[test]
fn long_replies_are_no_phrases() {
    for (reply, is_phrase) in [
        ("valve pump drain seal lamp hall door wall", true),
        ("valve, pump, drain, seal, lamp, hall, door, wall!", true),
        ("valve pump drain seal lamp hall door wall roof", false),
        ("valve pump 7", false),
    ] {
        let exchanges = vec![("Action: look", reply); 4];
        assert_eq!(last_is_result("Help.", &exchanges), !is_phrase, "{reply}");
    }
}

/// Replies are judged by the kind of their tag: one known to all agents, or one of the agent's own.
#[test]
fn known_tags_and_own_tags_are_judged_apart() {
    let mut exchanges = vec![("<look_up>pump</look_up>", RESULT); 10];
    exchanges.extend(vec![(CALL, REPLY); 4]);
    exchanges.push((CALL, WORDS));
    assert!(last_is_result("Write <execute> or <look_up> for each tool.", &exchanges));
}
