//! Requests as their snapshots write them, and read back.

use std::sync::Arc;

use ecow::EcoString;
use proptest::prelude::*;
use ptc_eval::agent::{Message, Native, NativeCall, PromptFrame, Role, SystemPrompt};
use ptc_eval::compression::{Request, Statistics};
use ptc_eval::snapshot::RunLines;
use ptc_eval::snapshot::escape::write_content;
use ptc_eval::snapshot::requests::{ReadRequest, requests_of};
use ptc_eval::snapshot::text::requests_text;

fn request(turn: u32, messages: Vec<Message>, is_answered: bool) -> Request {
    let statistics = Statistics {
        enabled: false,
        strategy: "s".into(),
        turns_compressed: 0,
        tool_calls_total: 0,
        tool_calls_shown: 0,
        tool_calls_dropped: 0,
        printlns_total: 0,
        printlns_shown: 0,
        printlns_dropped: 0,
        error_turns_collapsed: 0,
    };
    Request { turn, messages, borders: Vec::new(), statistics, hidden_tool_calls: 0, is_answered }
}

fn run(requests: Vec<Vec<Message>>, unanswered: Option<Vec<Message>>) -> Vec<Request> {
    let answered = requests.into_iter().map(|messages| (messages, true));
    let all = answered.chain(unanswered.map(|messages| (messages, false)));
    (1..).zip(all).map(|(turn, (messages, is_answered))| request(turn, messages, is_answered)).collect()
}

fn framed(prefix: &str, suffix: &str) -> Message {
    let frame = PromptFrame { prefix: Some(prefix.into()), suffix: Some(suffix.into()) };
    Message::new(Role::System, SystemPrompt::framed(&frame))
}

/// Writes the requests, reads them back, and returns the text.
#[track_caller]
fn check(run: &[Request], run_body: &str) -> String {
    let lines = RunLines::of(run_body);
    let text = requests_text(run, &lines);
    let sent: Vec<ReadRequest> = run
        .iter()
        .map(|request| ReadRequest {
            turn: request.turn,
            messages: request.messages.clone(),
            is_answered: request.is_answered,
        })
        .collect();
    assert_eq!(requests_of(text.trim_end(), &lines).as_ref(), Ok(&sent), "{text}");
    text
}

fn user(content: impl Into<EcoString>) -> Message {
    Message::new(Role::User, content)
}

fn page(number: usize, lines: usize) -> String {
    (0..lines).map(|line| format!("page {number} line {line}\n")).collect()
}

#[test]
fn system_texts_of_all_kinds_are_written_and_read() {
    let answer = Message::new(Role::Assistant, "(f)");
    let own = Message::new(Role::System, "You are a pirate.");
    let (careful, brief) = (framed("Be careful.", ""), framed("", "Be brief.\n\n- really"));
    let first = vec![careful.clone(), user("do it")];
    let run = run(
        vec![
            first.clone(),
            [first, vec![answer, user("do it")]].concat(),
            vec![careful, user("do it")],
            vec![brief, user("do it")],
            vec![own.clone(), own, user("do it")],
            vec![user("do it")],
            vec![Message::new(Role::System, SystemPrompt::text()), user("do it")],
        ],
        None,
    );
    let text = check(&run, "");
    let system = "--- system ---\nBe careful.\n\n= all lines of system-prompt.snap\n--- user ---";
    assert_eq!(text.matches(system).count(), 1, "{text}");
    assert!(text.contains("=\n--- system ---\n= all lines of system-prompt.snap\n--- user ---"), "{text}");
}

#[test]
fn an_unanswered_request_is_marked() {
    let first = vec![framed("", ""), user("do it")];
    let more = vec![Message::new(Role::Assistant, "(f)"), user("Result: 1")];
    let text = check(&run(vec![first.clone()], Some([first, more].concat())), "");
    assert!(
        text.contains("=== turn 2, unanswered ====") && text.contains("= 2 messages as in turn 1\n"),
        "{text}"
    );
}

#[test]
fn a_request_refers_to_the_one_before_and_to_the_run() {
    let run_body = format!(
        "=== turn 1 ===\n--- program ---\n(f)\n--- prints ---\n{}\n=== turn 2 ===\n--- print 1 ---\n{}--- print 2 ---\n{}\n=== outcome ===\nreturn 1",
        page(1, 9),
        page(2, 5),
        page(3, 5)
    );
    let opening = user(page(0, 6));
    let shown = |text: String| user(format!(";; Output:\n{text}end"));
    let both = format!("{}{}", page(2, 5), page(3, 5));
    let requests = run(
        vec![
            vec![framed("", ""), opening.clone()],
            vec![framed("", ""), opening.clone(), shown(page(1, 9))],
            vec![framed("", ""), opening.clone(), shown(both.clone()), shown("x\n".to_owned())],
            vec![framed("", ""), shown(format!("new\n{}", both.replace("page 2 line 0", "masked")))],
        ],
        None,
    );
    let text = check(&requests, &run_body);
    let expected = [
        "= 2 messages as in turn 1\n--- user ---\n;; Output:\n= 9 lines as in run.snap: turn 1, prints\nend\n",
        "= 2 messages as in turn 2\n--- user ---\n;; Output:\n= 10 lines as in run.snap: turn 2, prints\nend\n--- user ---\n;; Output:\nx\nend\n",
        "= 1 message as in turn 3\n--- user ---\n;; Output:\nnew\nmasked\n= 10 lines as in turn 3, skipping 9\n",
    ];
    expected.iter().for_each(|expected| assert!(text.contains(expected), "{expected}\n{text}"));
    for huge in [
        "= 4294967295 lines as in turn 0, skipping 4294967295",
        "= 1 line as in turn 4294967295",
        "= 0x1 lines",
    ] {
        let broken = text.replace("= 9 lines as in run.snap: turn 1, prints", huge);
        assert!(requests_of(&broken, &RunLines::of(&run_body)).is_err(), "{huge}");
    }
    let broken = text.replace("= 9 lines as in run", "= 10 lines as in run");
    let error = requests_of(&broken, &RunLines::of(&run_body)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("turn 2: nothing belongs to the line '= 10 lines as in run.snap: turn 1, prints'"),
        "{error}"
    );
}

/// Two or three short lines are read faster than a reference.
#[test]
fn short_messages_are_repeated() {
    let requests = run(vec![vec![user("a\nb")], vec![user("a\nb"), user("c")], vec![user("c")]], None);
    assert!(!check(&requests, "").contains("\n= "));
}

#[test]
fn long_lines_are_not_repeated() {
    let line = "0123456789".repeat(60);
    let requests = run(vec![vec![user(format!("a\n{line}\nb"))], vec![user(format!("c\n{line}\nd"))]], None);
    let text = check(&requests, "");
    assert!(text.ends_with("--- user ---\nc\n= 1 line as in turn 1, skipping 1\nd\n"), "{text}");
}

#[test]
fn a_line_that_grows_is_written_as_what_is_new() {
    let word = |number: usize| format!("name-{number} integer, ");
    let line =
        |words: usize, changed: &str| (0..words).map(word).collect::<String>().replace("name-70 ", changed);
    let requests = [line(300, "name-70 "), line(301, "name-70 longer "), line(301, "name-70 longer ")];
    let requests = run(requests.map(|line| vec![user(format!("a\n{line}\nb"))]).to_vec(), None);
    let text = check(&requests, "");
    let [first, second, third] = [0, 1, 2].map(|turn| text.split("=== turn ").nth(turn + 1).unwrap());
    assert!(first.len() > 4_000 && second.len() < 1_500 && third.len() < 200, "{second}{third}");
    assert!(second.contains("\n= part of a line: ") && second.contains(" lines as in turn 1, skipping "));
}

/// Lines that look like rulers, references and escapes, with invisible characters, or long.
const LINE: &str = "=== turn 2 ===|--- user ---|= 2 messages as in turn 1|= all lines of system-prompt.snap|= |\\\\|;;|\\[~L\\]|é|\u{200b}| |\t|\r|a |\u{3000}|(\\[~L\\]|= |x ){2}|";

proptest! {
    #[test]
    fn every_request_is_read_as_it_was_sent(
        pool in prop::collection::vec(prop::collection::vec(LINE, 0..7), 1..6),
        requests in prop::collection::vec(prop::collection::vec((0_usize..5, prop::collection::vec(0_usize..6, 0..5)), 0..7), 1..6),
        printed in prop::collection::vec(0_usize..6, 0..4),
    ) {
        let long: String = (0..400).map(|word| format!("long {} ", word % 29 * 7)).collect();
        let text = |parts: &[usize]| {
            let lines = parts.iter().flat_map(|part| pool.get(part % pool.len()).into_iter().flatten());
            lines.map(|line| line.replace("[~L]", &long)).collect::<Vec<_>>().join("\n")
        };
        let message = |(role, parts): &(usize, Vec<usize>)| {
            let message = Message::new([Role::System, Role::User, Role::Assistant][*role % 3], text(parts));
            let id: EcoString = if parts.len() > 2 { text(parts).into() } else { "c1".into() };
            let call = |number: &usize| NativeCall {
                id: format!("{id}{number}").into(),
                name: "look".into(),
                arguments: text(&[*number]).into(),
            };
            match role {
                3 => Message { role: Role::Tool, native: Some(Arc::new(Native::ResultOf(id))), ..message },
                4 if !parts.is_empty() => {
                    let calls = Native::Calls(parts.iter().map(call).collect());
                    Message { role: Role::Assistant, native: Some(Arc::new(calls)), ..message }
                }
                _ => message,
            }
        };
        let requests: Vec<Vec<Message>> = requests.iter().map(|all| all.iter().map(message).collect()).collect();
        let mut run_body = "=== turn 1 ===\n--- prints ---\n".to_owned();
        write_content(&mut run_body, &text(&printed));
        let last = requests.last().cloned();
        check(&run(requests, last), &run_body);
    }
}
