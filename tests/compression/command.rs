//! Strategies that are commands: their input, their answers, and their failures. The programs are shell
//! scripts.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use agent_logs::Transcript;
use ptc_eval::agent::LoggedConversation;
use ptc_eval::agent::{Message, Role};
use ptc_eval::compression::{CommandStrategy, Strategy, Variant, history_of};
use ptc_eval::processes::Environment;
use ptc_lisp::value::Value;
use regex::Regex;
use serde_json::{Value as Json, json};

use super::story::*;

/// Keeps requests in a file, and sends all of their messages.
const ECHO: &str = r#"
while read -r line; do
    printf '%s\n' "$line" >>requests
    printf '%s\n' "$line" | sed 's/{"id":\("[^"]*"\).*"messages":\(.*\),"turns":\[.*/{"id":\1,"messages":\2}/'
done"#;

fn environment() -> Environment {
    Environment::filter(std::env::vars_os(), &[])
}

fn shell(script: &str, folder: &Path) -> CommandStrategy {
    CommandStrategy::new(&["sh", "-c", script].map(str::to_owned), folder, Some(environment()))
}

/// A program with this body in a loop over requests. `$id` is the id of a request as JSON.
fn answering(body: &str) -> String {
    format!("while read -r line; do id=${{line#*:}}; id=${{id%%,*}}; {body}; done")
}

/// The command that writes an object with the id of the request.
fn with_id(object: &str) -> String {
    let rest = object.strip_prefix('{').unwrap();
    let comma = if rest == "}" { "" } else { "," };
    format!("echo '{{\"id\":'$id'{comma}{rest}'")
}

fn story() -> Story {
    let turns = vec![
        ok("(println 1)").prints(&["one"]),
        failed("(oops)", "it \"broke\""),
        ok("(+ 1 2)").gives(Value::Int(3)),
        ok("(return 3)").gives(Value::Int(3)),
    ];
    Story::of(shop_agent(), turns)
}

/// The error of the request after `completed` turns.
fn error(script: &str, completed: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    let command = shell(script, folder.path());
    let variant = Variant::new(&command).with("timeout_seconds", 20_usize).unwrap();
    let error = story().try_after(&variant, completed).unwrap_err().diagnostic();
    let (start, reason) = error.split_once(&format!("sh -c {script}: ")).unwrap_or_else(|| panic!("{error}"));
    assert_eq!(start, "error: ");
    reason.to_owned()
}

/// A conversation with two tool calls, and one with results from the environment.
fn recording() -> LoggedConversation {
    let transcript = json!({"name": "t", "system": "Be brief.", "tools": [{"name": "search", "parameters": {"x": 1.0}}],
      "messages": [
        {"role": "user", "content": "Which is it?"},
        {"role": "assistant", "content": "", "tool_calls": [
          {"id": "a", "name": "search", "arguments": {"q": "ä \"b\"", "n": 9_007_199_254_740_993_u64}},
          {"id": "b", "name": "search", "arguments": {"q": 1.0}}]},
        {"role": "tool", "call": "a", "content": "found"},
        {"role": "tool", "call": "b", "content": "found\nmore", "images": 2},
        {"role": "assistant", "content": "act now"},
        {"role": "user", "content": "door opens", "is_observation": true},
        {"role": "user", "content": "Hurry."},
        {"role": "assistant", "content": "That one."}]});
    LoggedConversation::new(&serde_json::from_value::<Transcript>(transcript).unwrap(), 5, None)
}

fn recorded(variant: &Variant<'_>, completed: usize) -> Vec<Message> {
    let recording = recording();
    let words = |text: &str| text.split_whitespace().count() as u64;
    let history = history_of(recording.past(), &words);
    variant.render(&history.after(completed)).unwrap().messages
}

fn requests(folder: &Path) -> Vec<Json> {
    let text = fs::read_to_string(folder.join("requests")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Parts, calls and the text of arguments come back as they were, from one process, and requests 1 and 4 are asked
/// for twice.
#[test]
fn a_program_that_changes_nothing_sends_the_full_history() {
    let folder = tempfile::tempdir().unwrap();
    let script = format!("echo start >>starts; {ECHO}");
    let command = shell(&script, folder.path());
    let (own, full) = (Variant::new(&command), named("full-history"));
    let story = story();
    for completed in 0..=4 {
        let (own, full) = (story.after(&own, completed), story.after(&full, completed));
        assert_eq!(own.messages, full.messages);
        assert_eq!(own.statistics.turns_compressed, full.statistics.turns_compressed);
        assert_eq!(own.hidden_tool_calls, full.hidden_tool_calls);
    }
    let turns: Vec<Json> = requests(folder.path()).iter().map(|request| request["turn"].clone()).collect();
    assert_eq!(turns, [1, 1, 2, 3, 4, 4, 5]);
    let ids: BTreeSet<String> =
        requests(folder.path()).iter().map(|request| request["id"].to_string()).collect();
    assert_eq!(ids.len(), turns.len());
    for completed in 0..3 {
        assert_eq!(recorded(&own, completed), recorded(&full, completed));
    }
    assert_eq!(fs::read_to_string(folder.path().join("starts")).unwrap(), "start\n");
}

#[test]
fn a_program_is_told_messages_turns_and_options() {
    let folder = tempfile::tempdir().unwrap();
    let command = shell(ECHO, folder.path());
    let options = json!({"options": {"max_tokens": 4000, "trigger": "mine"}, "max_tokens": 100});
    let variant = Variant::new(&command).with_all(options.as_object().unwrap()).unwrap();
    recorded(&variant, 2);
    let request = &requests(folder.path())[0];
    assert_eq!(
        *request,
        json!({"id": request["id"], "turn": 3, "turns_left": 1, "system": "Be brief.",
          "tools": [{"name": "search", "parameters": {"x": 1.0}}],
          "messages": [
            {"role": "system", "content": "Be brief.", "tokens": 6},
            {"role": "user", "content": "Which is it?", "tokens": 7},
            {"role": "assistant", "content": "", "tokens": request["messages"][2]["tokens"], "tool_calls": [
              {"id": "a", "name": "search", "arguments": "{\"q\":\"ä \\\"b\\\"\",\"n\":9007199254740993}"},
              {"id": "b", "name": "search", "arguments": "{\"q\":1.0}"}]},
            {"role": "tool", "content": "found", "call": "a", "tokens": 5},
            {"role": "tool", "content": "found\nmore", "call": "b", "tokens": 16},
            {"role": "assistant", "content": "act now", "tokens": 6},
            {"role": "user", "content": "door opens", "tokens": 6},
            {"role": "user", "content": "Hurry.", "tokens": 5}],
          "turns": [
            {"number": 1, "start": 2, "end": 5, "success": true, "observations": [3, 4]},
            {"number": 2, "start": 5, "end": 8, "success": true, "observations": [6]}],
          "options": {"max_tokens": 100, "trigger": "mine"}})
    );
    let story = story();
    story.after(&variant, 2);
    let request = &requests(folder.path())[1];
    assert_eq!(request["tools"][1]["signature"], "(query :string) -> :string");
    assert_eq!(request["turns"][1]["success"], false);
    assert_eq!(request["turns"][1]["observations"], json!([5]));
    assert_eq!((&request["turn"], &request["turns_left"]), (&json!(3), &json!(3)));
}

/// SYSTEM is put first where it is left out. Arguments may be values.
#[test]
fn answers_may_leave_out_what_is_known() {
    let answer = r#"{"messages":[{"role":"user","content":"a"},
        {"role":"assistant","content":null,"tool_calls":[{"id":"x","name":"f","arguments":{"n": 1}}]},
        {"role":"tool","call":"x","content":"b","tokens":3}]}"#
        .replace('\n', " ");
    let folder = tempfile::tempdir().unwrap();
    let command = shell(&answering(&with_id(&answer)), folder.path());
    let messages = story().after(&Variant::new(&command), 1).messages;
    let roles: Vec<Role> = messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool]);
    assert_eq!(messages[2].calls()[0].arguments, "{\"n\":1}");
    assert_eq!(messages[3].result_of().unwrap(), "x");
}

#[test]
fn broken_programs_are_told_with_their_last_words() {
    let answer = |answer: &str| answering(&with_id(answer));
    let not_json =
        |text: &str| format!("its answer is not JSON; print notes to standard error\n  got {text:?}\n");
    let (full, note, cut) =
        (not_json(&format!("{}...", "x".repeat(80))), not_json("hello"), not_json("{\"messages\": [1"));
    let cases = [
        (
            "echo 'no such \u{1b}file' >&2; exit 3".to_owned(),
            "it ended without an answer (exit status: 3)\n  | no such \u{1b}file\n",
        ),
        (answering("echo hello"), note.as_str()),
        (answering(r#"echo '{"messages": [1'"#), cut.as_str()),
        (answer(r#"{"error":"too few tokens"}"#), "too few tokens\n"),
        (answer("{}"), "wrong answer: there are no messages\n"),
        (answer(r#"{"messages":[]}"#), "wrong answer: there are no messages\n"),
        (
            answer(
                r#"{"messages":[{"role":"assistant","tool_calls":[{"id":"x","name":"f","arguments":"{"}]}]}"#,
            ),
            "wrong answer: messages[0]: the arguments of the call x are not JSON\n",
        ),
        ("exec >&-; exec sleep 3".to_owned(), "it closed its output without an answer\n"),
        (
            answer(r#"{"messages":[{"role":"developer"}]}"#),
            "wrong answer: messages[0].role: unknown variant `developer`, expected one of `system`, `user`, \
             `assistant`, `tool` at line 1 column 56\n",
        ),
        (
            answer(r#"{"messages":[{"role":"tool","content":"x"}]}"#),
            "wrong answer: messages[0]: expected call, the id of the call that it answers\n",
        ),
        (
            answer(r#"{"messages":[{"role":"user","content":"x","call":"a"}]}"#),
            "wrong answer: messages[0]: only the role tool has a call, and no tool_calls\n",
        ),
        (
            format!(
                "n=0; {}",
                answering(
                    r#"n=$((n+1)); echo "{\"id\":$id,\"messages\":[{\"role\":\"user\",\"content\":\"$n\"}]}""#
                )
            ),
            "not deterministic: two answers to the request of turn 1 differ\n",
        ),
        ("head -c 16777216 /dev/zero | tr '\\0' x".to_owned(), full.as_str()),
        ("head -c 17000000 /dev/zero | tr '\\0' x".to_owned(), "its answer has more than 16 MiB\n"),
    ];
    for (script, expected) in cases {
        assert_eq!(error(&script, 0), expected, "{script}");
    }
    let many = "i=0; while [ $i -lt 500 ]; do i=$((i+1)); echo line $i >&2; done";
    let told = error(many, 0);
    assert_eq!(
        told.lines().skip(1).collect::<Vec<_>>(),
        (493..=500).map(|i| format!("  | line {i}")).collect::<Vec<_>>()
    );
}

/// An out-of-step program would pair requests with the wrong answers; detecting it costs nothing.
#[test]
fn an_answer_repeats_the_id_of_its_request() {
    let user = r#""messages":[{"role":"user","content":"x"}]"#;
    let [without, with] = [format!("echo '{{{user}}}'"), with_id(&format!("{{{user}}}"))];
    let [lacks, unasked] =
        ["its answer does not repeat the id of the request", "it wrote a line without a request"];
    let cases = [
        (without, lacks, format!("{{{user}}}")),
        ("echo 7".to_owned(), lacks, "7".to_owned()),
        ("echo '{\"id\": null}'".to_owned(), lacks, "{\"id\": null}".to_owned()),
        (format!("{with}; echo '{{\"note\": 1}}'"), lacks, "{\"note\": 1}".to_owned()),
        (format!("{with}; {with}"), unasked, format!("{{\"id\":ID,{user}}}")),
        ("echo '{\"id\": 1}'".to_owned(), unasked, "{\"id\": 1}".to_owned()),
    ];
    let ids = Regex::new("\"[0-9a-f]{16}\"").unwrap();
    for (body, reason, got) in cases {
        let told = error(&answering(&body), 0);
        let expected = format!("{reason}\n  expected \"id\": ID, as in the request; got {got}\n");
        assert_eq!(ids.replace_all(&told, "ID"), expected, "{body}");
    }
    let note = error(&answering(&format!("{with}; echo cut 3 messages")), 0);
    assert_eq!(note, "its answer is not JSON; print notes to standard error\n  got \"cut 3 messages\"\n");
}

/// A line too many after a request that is asked once is found by the next request.
#[test]
fn a_line_that_nobody_asked_for_breaks_the_next_request() {
    let folder = tempfile::tempdir().unwrap();
    let answer = with_id(r#"{"messages":[{"role":"user","content":"x"}]}"#);
    let body = format!(r#"{answer}; case "$line" in *'"turn":2,'*) {answer};; esac"#);
    let command = shell(&answering(&body), folder.path());
    let variant = Variant::new(&command);
    let story = story();
    for (completed, is_fine) in [(0, true), (1, true), (2, false), (3, true)] {
        assert_eq!(story.try_after(&variant, completed).is_ok(), is_fine, "{completed}");
    }
}

/// Errors that show an id stay the same for any number of threads.
#[test]
fn ids_do_not_depend_on_the_process() {
    let script = answering("echo 7");
    assert_eq!(error(&script, 3), error(&script, 3));
    assert_ne!(error(&script, 3), error(&script, 2));
}

/// It is asked for the first three turns of a sample. An `error` is an answer too.
#[test]
fn a_check_asks_three_requests() {
    let folder = tempfile::tempdir().unwrap();
    let check = |script: &str| {
        let command = shell(script, folder.path());
        let variant = Variant::new(&command).with("timeout_seconds", 20_usize).unwrap();
        command.check(&variant.options).map_err(|error| error.to_string())
    };
    check(ECHO).unwrap();
    let turns: Vec<Json> = requests(folder.path()).iter().map(|request| request["turn"].clone()).collect();
    assert_eq!(turns, [1, 1, 2, 3]);
    check(&answering(&with_id(r#"{"error":"no room"}"#))).unwrap();
    let third = format!(r#"case "$line" in *'"turn":3,'*) exit 1;; esac; {}"#, with_id(r#"{"error":"no"}"#));
    let error = check(&answering(&third)).unwrap_err();
    assert!(error.ends_with("it ended without an answer (exit status: 1)"), "{error}");
    check("exec cat").unwrap();
    assert!(check(&answering(&with_id("{}"))).unwrap_err().ends_with("there are no messages"));
}

/// A program that is slow is ended.
#[test]
fn a_program_has_a_time_limit() {
    let folder = tempfile::tempdir().unwrap();
    let command = shell("echo $$ >pid; exec sleep 60", folder.path());
    let variant = Variant::new(&command).with("timeout_seconds", 1_usize).unwrap();
    let error = story().try_after(&variant, 0).unwrap_err().to_string();
    assert!(error.ends_with("no answer within 1 s; the option timeout_seconds allows more"), "{error}");
    assert!(!is_running(folder.path()));
}

/// After an error the next request starts the program again. No process outlives its strategy.
#[test]
fn processes_are_started_again_and_ended() {
    let folder = tempfile::tempdir().unwrap();
    let answer = with_id(r#"{"messages":[{"role":"user","content":"x"}]}"#);
    let body = format!(r#"case "$line" in *'"turn":2,'*) exit 1;; esac; {answer}"#);
    let command = shell(&format!("echo $$ >pid; {}", answering(&body)), folder.path());
    let variant = Variant::new(&command);
    let story = story();
    for (completed, is_fine) in [(0, true), (1, false), (2, true), (1, false), (3, true)] {
        assert_eq!(story.try_after(&variant, completed).is_ok(), is_fine, "{completed}");
    }
    assert!(is_running(folder.path()));
    drop(command);
    assert!(!is_running(folder.path()));
}

/// What the program started ends with it.
#[test]
fn a_program_ends_with_all_that_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let command = shell("sleep 60 & echo $! >pid; exec sleep 60", folder.path());
    let variant = Variant::new(&command).with("timeout_seconds", 1_usize).unwrap();
    story().try_after(&variant, 0).unwrap_err();
    assert!(!is_running(folder.path()));
    let leaves = shell("sleep 60 <&- >&- 2>&- & echo $! >pid", folder.path());
    story().try_after(&Variant::new(&leaves), 0).unwrap_err();
    assert!(!is_running(folder.path()));
}

/// Keys of the user are no business of a suite, unless the user names them.
#[test]
fn a_program_sees_only_harmless_variables() {
    let folder = tempfile::tempdir().unwrap();
    let variables = [("PATH", std::env::var("PATH").unwrap()), ("LC_TIME", "C".to_owned())];
    let keys = [("OPENAI_API_KEY", "k1".to_owned()), ("OTHER_KEY", "k2".to_owned())];
    let all =
        || variables.clone().into_iter().chain(keys.clone()).map(|(name, value)| (name.into(), value.into()));
    for (named, seen) in [(vec![], "LC_TIME PATH"), (vec!["OTHER_KEY".to_owned()], "LC_TIME OTHER_KEY PATH")]
    {
        let words = ["sh", "-c", "env >env"].map(str::to_owned);
        let environment = Environment::filter(all(), &named);
        let command = CommandStrategy::new(&words, folder.path(), Some(environment));
        story().try_after(&Variant::new(&command), 0).unwrap_err();
        let text = fs::read_to_string(folder.path().join("env")).unwrap();
        let mut names: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        // The shell adds its own.
        names.retain(|name| !["PWD", "SHLVL", "_", "OLDPWD"].contains(name));
        names.sort_unstable();
        assert_eq!(names.join(" "), seen);
    }
}

/// A relative folder of `PATH` may be part of a stranger's suite.
#[test]
fn programs_are_found_in_absolute_folders_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("sh"), "#!/bin/sh\n").unwrap();
    let environment = Environment::filter([("PATH".into(), ".::relative".into())], &[]);
    let command = CommandStrategy::new(&["sh".to_owned()], folder.path(), Some(environment));
    let error = story().try_after(&Variant::new(&command), 0).unwrap_err().to_string();
    assert_eq!(error, "sh: cannot be started: no absolute folder of PATH holds such a program");
}

fn is_running(folder: &Path) -> bool {
    let id = fs::read_to_string(folder.join("pid")).unwrap();
    let is_alive = || {
        // A dead process may wait for its parent to ask for its status.
        let about = Command::new("ps").args(["-o", "stat=", "-p", id.trim()]).output().unwrap();
        !about.stdout.is_empty() && !about.stdout.starts_with(b"Z")
    };
    // The system may take a moment to end it.
    (0..100).all(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        is_alive()
    })
}

#[test]
fn a_command_that_is_not_there_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let command = CommandStrategy::new(&["./no-such-program".to_owned()], folder.path(), Some(environment()));
    assert_eq!(Variant::new(&command).name, "./no-such-program");
    let error = story().try_after(&Variant::new(&command), 0).unwrap_err().to_string();
    assert!(error.starts_with("./no-such-program: cannot be started: "), "{error}");
}

#[test]
fn a_command_without_permission_is_not_started() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["sh", "-c", "echo started >starts"].map(str::to_owned);
    let command = CommandStrategy::new(&words, folder.path(), None);
    let error = story().try_after(&Variant::new(&command), 0).unwrap_err().to_string();
    assert!(error.contains(": not run: ") && error.contains("--allow-commands"), "{error}");
    assert!(!folder.path().join("starts").exists());
}
