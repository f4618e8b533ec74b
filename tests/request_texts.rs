//! Requests as their snapshots write them, and read back.

use std::sync::Arc;

use ecow::EcoString;
use proptest::prelude::*;
use ptc_eval::agent::{Message, Native, NativeCall, PromptFrame, Role, SystemPrompt};
use ptc_eval::report::impact::Impact;
use ptc_eval::snapshot::escape::write_content;
use ptc_eval::snapshot::requests::{ReadRequest, requests_of};
use ptc_eval::snapshot::{RunSections, body_of};
use ptc_tokens::Tokenizer;

fn run(requests: Vec<Vec<Message>>, unanswered: Option<Vec<Message>>) -> Vec<ReadRequest> {
    let answered = requests.into_iter().map(|messages| (messages, true));
    let all = answered.chain(unanswered.map(|messages| (messages, false)));
    (1..)
        .zip(all)
        .map(|(turn, (messages, is_answered))| ReadRequest { turn, messages, is_answered })
        .collect()
}

fn framed(prefix: &str, suffix: &str) -> Message {
    let frame = PromptFrame { prefix: Some(prefix.into()), suffix: Some(suffix.into()) };
    Message::new(Role::System, SystemPrompt::framed(&frame))
}

/// Writes the requests, reads them back, and returns the text. It survives an editor that strips blanks, unless the
/// messages have some to lose.
#[track_caller]
fn check(run: &[ReadRequest], run_body: &str) -> String {
    let sections = RunSections::of(run_body);
    let text = body_of(run, Some(&sections));
    assert_eq!(requests_of(text.trim_end(), &sections).as_deref(), Ok(run), "{text}");
    let whole = body_of(run, None);
    assert_eq!(requests_of(whole.trim_end(), &RunSections::default()).as_deref(), Ok(run), "{whole}");
    let messages = || run.iter().flat_map(|request| &request.messages);
    let arguments = messages().flat_map(|message| message.calls()).map(|call| &call.arguments);
    let mut lines =
        messages().map(|message| &message.content).chain(arguments).flat_map(|text| text.split('\n'));
    if !lines.any(|line| line.ends_with([' ', '\t'])) {
        let stripped: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches([' ', '\t'])).collect();
        assert_eq!(requests_of(&stripped.join("\n"), &sections).as_deref(), Ok(run), "{text}");
    }
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
    assert!(
        text.contains("--- system, changed ---\n-Be careful.\n-\n...\n - Where there is only one turn, the value of the program is the result.\n+\n+Be brief.\n+\n+- really\n"),
        "{text}"
    );
}

#[test]
fn an_unanswered_request_is_marked() {
    let first = vec![framed("", ""), user("do it")];
    let more = vec![Message::new(Role::Assistant, "(f)"), user("Result: 1")];
    let text = check(&run(vec![first.clone()], Some([first, more].concat())), "");
    assert!(
        text.contains("=== turn 2, unanswered ====") && text.contains("= all messages as in turn 1\n"),
        "{text}"
    );
}

/// A run whose first turns print two pages, with what the file writes of them.
fn printed() -> String {
    let prints = format!("--- print 1 ---\n{}--- print 2 ---\n{}", page(2, 20), page(3, 20));
    format!(
        "=== turn 1 ===\n--- program ---\n(f)\n--- prints ---\n{}\n=== turn 2 ===\n{prints}\n=== outcome ===\nreturn 1",
        page(1, 40)
    )
}

#[test]
fn a_request_is_written_as_what_differs_from_the_one_before() {
    let (opening, last) = (user(page(0, 6)), user("Turns left: 3"));
    let shown = |text: String| user(format!(";; Output:\n{text}end"));
    let both = format!("{}{}", page(2, 20), page(3, 20));
    let text = check(
        &run(
            vec![
                vec![framed("", ""), opening.clone()],
                vec![framed("", ""), opening.clone(), shown(page(1, 40)), last.clone()],
                vec![
                    framed("", ""),
                    opening.clone(),
                    shown(page(1, 40)),
                    shown(both.clone()),
                    user("Turns left: 2"),
                ],
                vec![framed("", ""), shown(both.replace("page 2 line 0", "masked")), user("Turns left: 2")],
            ],
            None,
        ),
        &printed(),
    );
    let expected = [
        "= all messages as in turn 1\n--- user ---\n;; Output:\n= prints of turn 1 in run.snap\nend\n--- user ---\nTurns left: 3\n\n",
        "= 3 messages as in turn 2\n- 1 message of turn 2 left out\n--- user ---\n;; Output:\n= prints of turn 2 in run.snap\nend\n--- user ---\nTurns left: 2\n\n",
        "= 1 message as in turn 3\n- 3 messages of turn 3 left out\n--- user ---\n;; Output:\nmasked\npage 2 line 1\n",
    ];
    expected.iter().for_each(|expected| assert!(text.contains(expected), "{expected}\n{text}"));
    assert!(text.ends_with("page 3 line 19\nend\n= 1 message as in turn 3\n"), "{text}");
}

#[test]
fn a_changed_message_is_a_diff_without_numbers() {
    let old = format!("mission\n\nreturn\n\n{}x\n\nx\n{}Turns left: 3", page(1, 40), page(5, 9));
    let new = old
        .replace("return\n", "return\n\ncalls\n")
        .replace("x\n\nx\n", "x\n\nx\ny\n")
        .replace("left: 3", "left: 2");
    let shorter = new.replace(&page(5, 9), "");
    let run_body = printed();
    let requests = run([&old, &new, &shorter].map(|text| vec![user(text.as_str())]).to_vec(), None);
    let text = check(&requests, &run_body);
    let (_, first) = text.split_once("--- user, changed ---\n").unwrap();
    let (first, second) = first.split_once("--- user, changed ---\n").unwrap();
    assert_eq!(
        first.split_once("\n\n=== ").unwrap().0,
        "...\n return\n\n+calls\n+\n = prints of turn 1 in run.snap\n x\n\n x\n+y\n...\n page 5 line 8\n-Turns left: 3\n+Turns left: 2",
        "{text}"
    );
    assert_eq!(second, "...\n y\n-page 5 line 0\n-...\n-page 5 line 8\n Turns left: 2\n", "{text}");

    let sections = RunSections::of(&run_body);
    let broken = [
        ("--- user, changed ---", "--- system, changed ---", "--- system, changed ---"),
        (" page 5 line 8\n-Turns", " page 5 line 9\n-Turns", "..."),
        ("-Turns left: 3", "-Turns left: 4", "..."),
        ("+y\n...", "+y\n", "..."),
        ("+calls", "calls", "calls"),
        (" = prints of turn 1", " = prints of turn 9", " = prints of turn 9 in run.snap"),
    ];
    for (there, wrong, line) in broken {
        let error = requests_of(&text.replacen(there, wrong, 1), &sections).unwrap_err();
        assert!(error.to_string().contains(&format!("the line '{line}'")), "{wrong}: {error}");
    }
    for wrong in [
        "= 4294967295 messages as in turn 1",
        "= 1 message as in turn 4294967295",
        "= 0x1 messages",
        "= x",
        "- 3 messages of turn 1 left out",
    ] {
        let broken = text.replacen("--- user, changed ---", &format!("{wrong}\n--- user, changed ---"), 1);
        assert!(requests_of(&broken, &sections).is_err(), "{wrong}");
    }
}

/// A list on one line that each turn adds to.
#[test]
fn a_change_of_a_long_line_is_a_diff_of_its_parts() {
    let list = |names: usize, changed: &str| {
        let name =
            |number| if number == 300 { changed.to_owned() } else { format!("name-{number} \\ :int,") };
        format!(";; user: {}\nend", (0..names).map(name).collect::<Vec<_>>().join(" "))
    };
    let lists = [list(600, "name-300 :int,"), list(600, "name-300 :float,"), list(601, "name-300 :float,")];
    let text = check(&run(lists.map(|list| vec![user(list)]).to_vec(), None), "");
    let changes: Vec<&str> = text.split("--- user, changed ---\n").skip(1).collect();
    assert_eq!(changes.len(), 2, "{text}");
    for change in changes {
        let marked = |mark: &str| change.lines().filter(|line| line.starts_with(mark)).collect::<Vec<_>>();
        let [removed, added] = [marked("-"), marked("+")];
        assert_eq!((removed.len(), added.len()), (1, 1), "{change}");
        assert!(removed[0].starts_with("-\\\\> ") && added[0].starts_with("+\\\\> "), "{change}");
        assert!(change.len() < 3_000, "{change}");
    }
    // A part is no line, and a line is no part.
    let lines = |text: &str| vec![user(text)];
    let [whole, apart] = [list(600, "a"), list(600, "a").replace(" name-", "\n name-")];
    check(&run(vec![lines(&whole), lines(&apart), lines(&whole)], None), "");
    let requests = requests_of("=== turn 1 ===\n--- user ---\n\\\\> a part", &RunSections::default());
    assert!(requests.unwrap_err().to_string().contains("a part"));
}

/// An output that is no longer shown, and one that is, are named instead of written.
#[test]
fn prints_that_come_and_go_are_named() {
    let text = |prints: String| vec![user(format!("{};; Output:\n{prints}end", page(0, 9)))];
    let requests = run(
        vec![text(String::new()), text(page(1, 40)), text(format!("{}{}", page(2, 20), page(3, 20)))],
        None,
    );
    let written = check(&requests, &printed());
    assert!(written.contains("...\n ;; Output:\n+= prints of turn 1 in run.snap\n end\n"), "{written}");
    assert!(
        written.ends_with(
            "...\n ;; Output:\n-= prints of turn 1 in run.snap\n+= prints of turn 2 in run.snap\n end\n"
        ),
        "{written}"
    );
}

/// Three lines are read faster than a reference to another file.
#[test]
fn short_prints_are_repeated() {
    let run_body = format!("=== turn 1 ===\n--- prints ---\n{}\n=== outcome ===\nreturn 1", page(1, 3));
    let requests = run(vec![vec![user("a")], vec![user("a"), user(page(1, 3))]], None);
    assert!(check(&requests, &run_body).ends_with("page 1 line 2\n\\\n"));
}

/// Lines that look like rulers, references, lines of diffs and escapes, with invisible characters, or long.
const LINE: &str = "-\\.\\.\\.|\\.\\.\\.|-- user ---| 2 messages of turn 1 left out|- 2 messages of turn 1 left out|= prints of turn 1 in run.snap|\\+|-|- a|=== turn 2 ===|--- user ---|= 2 messages as in turn 1|= all lines of system-prompt.snap|= |\\\\|;;|\\[~L\\]|é|\u{200b}| |\t|\r|a |\u{3000}|(\\[~L\\]|= |x ){2}|";

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

/// An edit of the messages of a request: which message, what happens to it, at which line, with which other line.
type Edit = (prop::sample::Index, usize, prop::sample::Index, usize);

/// Requests whose messages change by a few lines from one to the next.
fn edited(mut messages: Vec<Vec<String>>, edits: &[Vec<Edit>], pool: &[String]) -> Vec<Vec<Message>> {
    let mut requests = Vec::new();
    for edits in edits {
        for (message, kind, place, line) in edits {
            let line = pool[line % pool.len()].clone();
            let at = message.index(messages.len() + 1);
            let Some(lines) = messages.get_mut(at) else {
                messages.push(vec![line]);
                continue;
            };
            let place = place.index(lines.len() + 1);
            match kind {
                0 => drop(messages.remove(at)),
                1 => messages.insert(at, vec![line]),
                2..5 => lines.insert(place, line),
                5 => lines.truncate(place.max(1)),
                6 => lines.extend_from_within(..place),
                _ => drop(lines.splice(place.saturating_sub(2)..place, [line])),
            }
        }
        let role = |at: usize| [Role::User, Role::Assistant][at % 2];
        requests.push(
            messages.iter().enumerate().map(|(at, lines)| Message::new(role(at), lines.join("\n"))).collect(),
        );
    }
    requests
}

proptest! {
    #[test]
    fn every_changed_request_is_read_as_it_was_sent(
        pool in prop::collection::vec(LINE, 1..8),
        messages in prop::collection::vec(prop::collection::vec(0_usize..8, 1..60), 1..4),
        edits in prop::collection::vec(prop::collection::vec((any::<prop::sample::Index>(), 0_usize..9, any::<prop::sample::Index>(), 0_usize..8), 0..5), 1..6),
        printed in prop::collection::vec(0_usize..8, 0..20),
    ) {
        let long: String = (0..400).map(|word| format!("long\\ {} ", word % 29 * 7)).collect();
        let pool: Vec<String> = pool.iter().map(|line| line.replace("[~L]", &long)).collect();
        let lines = |numbers: &Vec<usize>| numbers.iter().map(|line| pool[line % pool.len()].clone()).collect::<Vec<_>>();
        let prints = lines(&printed).join("\n");
        let mut run_body = "=== turn 1 ===\n--- prints ---\n".to_owned();
        write_content(&mut run_body, &prints);
        let mut messages: Vec<Vec<String>> = messages.iter().map(lines).collect();
        messages[0].insert(0, prints);
        check(&run(edited(messages, &edits, &pool), None), &run_body);
    }
}

/// Else a review would say that neither tokens nor evidence change.
#[test]
fn a_change_of_a_text_that_cannot_be_read_has_an_unknown_effect() {
    let messages = vec![Message::new(Role::User, "Go.")];
    let text = body_of(&[ReadRequest { turn: 1, messages, is_answered: true }], None);
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    let impact = |new: &str| {
        let mut impact = Impact::default();
        impact.add("shop/trim", (&text, new), None, &tokenizer);
        impact
    };
    assert!(impact(&text).is_nothing());
    assert_eq!(impact(&text.replace("Go.", "Go on.")).unread, 0);
    let broken = impact(&format!("{text}= 3 messages as in turn 7\n"));
    assert!(broken.unread == 1 && !broken.is_nothing(), "{broken:?}");
}
