//! Requests as their snapshots write them, and read back.

use std::sync::Arc;

use ecow::EcoString;
use proptest::prelude::*;
use ptc_eval::agent::{Message, Native, NativeCall, PromptFrame, Role, SystemPrompt};
use ptc_eval::snapshot::escape::write_content;
use ptc_eval::snapshot::requests::{ReadRequest, requests_of};
use ptc_eval::snapshot::{RunSections, body_of};

fn run(requests: Vec<Vec<Message>>, unanswered: Option<Vec<Message>>) -> Vec<ReadRequest> {
    let answered = requests.into_iter().map(|messages| (messages, true));
    let all = answered.chain(unanswered.map(|messages| (messages, false)));
    (1..)
        .zip(all)
        .map(|(turn, (messages, is_answered))| ReadRequest { turn, messages, is_answered })
        .collect()
}

fn framed(prefix: &str, suffix: &str) -> Message {
    let frame =
        PromptFrame { prefix: Some(prefix.into()), suffix: Some(suffix.into()), ..PromptFrame::default() };
    Message::new(Role::System, SystemPrompt::frame_prompt(&frame))
}

/// Writes the requests, reads them back, and returns the text. It survives an editor that strips blanks.
#[track_caller]
fn check(run: &[ReadRequest], run_body: &str) -> String {
    let sections = RunSections::of(run_body);
    let text = body_of(run, Some(&sections));
    assert_eq!(requests_of(text.trim_end(), &sections).as_deref(), Ok(run), "{text}");
    let whole = body_of(run, None);
    assert_eq!(requests_of(whole.trim_end(), &RunSections::default()).as_deref(), Ok(run), "{whole}");
    let stripped: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches([' ', '\t'])).collect();
    assert_eq!(requests_of(&stripped.join("\n"), &sections).as_deref(), Ok(run), "{text}");
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
    let start = "=== 7 requests ===
1-5| --- system ---
1-3| Be careful.
1-3|
1-4| = all lines of system-prompt.snap
4|
4| Be brief.
4|
4| - really
5| You are a pirate.
5| --- system ---
5| You are a pirate.
7-| --- system ---
7-| = all lines of system-prompt.snap
1-| --- user ---
";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn an_unanswered_request_is_marked() {
    let first = vec![framed("", ""), user("do it")];
    let more = vec![Message::new(Role::Assistant, "(f)"), user("Result: 1")];
    let text = check(&run(vec![first.clone()], Some([first, more].concat())), "");
    assert!(text.starts_with("=== 2 requests, the last unanswered ===\n1-| --- system ---\n"), "{text}");
    assert!(
        text.ends_with("1-| do it\n2-| --- assistant ---\n2-| (f)\n2-| --- user ---\n2-| Result: 1\n"),
        "{text}"
    );
}

/// A run with first turns that print two pages, and their text in the file.
fn printed() -> String {
    let prints = format!("--- print 1 ---\n{}--- print 2 ---\n{}", page(2, 20), page(3, 20));
    format!(
        "=== turn 1 ===\n--- program ---\n(f)\n--- prints ---\n{}\n=== turn 2 ===\n{prints}\n=== outcome ===\nreturn 1",
        page(1, 40)
    )
}

/// Each line is written once, with the requests that contain it. Long prints are named.
#[test]
fn a_line_has_the_span_of_the_requests_that_show_it() {
    let shown = |text: &str| user(format!(";; Output:\n{text}end"));
    let [second, third] = [page(2, 20), page(3, 20)];
    let requests = run(
        vec![
            vec![user("go")],
            vec![user("go"), shown(&page(1, 2)), user("Turns left: 3")],
            vec![user("go"), shown(&page(1, 2)), shown(&second), user("Turns left: 2")],
            vec![user("go"), shown(&format!("{second}{third}")), user("Turns left: 1")],
        ],
        None,
    );
    let expected = "=== 4 requests ===
1-| --- user ---
1-| go
2-| --- user ---
2-| ;; Output:
2-3| page 1 line 0
2-3| page 1 line 1
2-3| end
2-3| --- user ---
2| Turns left: 3
3| ;; Output:
3-| = print 1 of turn 2 in run.snap
4-| = print 2 of turn 2 in run.snap
3-| end
3-| --- user ---
3| Turns left: 2
4-| Turns left: 1
";
    assert_eq!(check(&requests, &printed()), expected);
}

/// A line that leaves a request is a line with `-` in the diff of two golden files, or its span is shorter.
#[test]
fn a_loss_is_a_removed_line_of_a_diff() {
    let requests = |limit: usize| {
        let pages: Vec<String> = (1..6).map(|page| format!("page {page} says {}", page * 711)).collect();
        let request = |turn: usize| {
            let first = turn.saturating_sub(limit);
            vec![user(format!("go\n{}", pages[first..turn].join("\n")))]
        };
        body_of(&run((0..5).map(request).collect(), None), None)
    };
    let (old, new) = (requests(9), requests(2));
    assert!(old.contains("2-| page 1 says 711\n3-| page 2 says 1422\n"), "{old}");
    assert!(new.contains("2-3| page 1 says 711\n3-4| page 2 says 1422\n"), "{new}");
}

/// The error for a damaged file names the unreadable line.
#[test]
fn a_broken_file_is_refused_with_its_line() {
    let run_body = printed();
    let sections = RunSections::of(&run_body);
    let go = vec![user("go")];
    let requests = run(vec![go.clone(), go.clone(), [go, vec![user(page(2, 20))]].concat()], None);
    let text = check(&requests, &run_body);
    let broken = [
        ("1-| go", "0-| go"),
        ("1-| go", "1-4| go"),
        ("1-| go", "2-1| go"),
        ("1-| go", "one| go"),
        ("1-| go", "1-|go"),
        ("1-| go", "go"),
        ("1-| --- user ---", "1-| --- nobody ---"),
        ("1-| --- user ---", "1-| before"),
        ("3-| = print 1 of turn 2 in run.snap", "3-| = print 1 of turn 9 in run.snap"),
        ("3-| = print 1 of turn 2 in run.snap", "3-| = x"),
    ];
    for (there, wrong) in broken {
        assert!(text.contains(there), "{there}: {text}");
        let error = requests_of(&text.replacen(there, wrong, 1), &sections).unwrap_err().to_string();
        let line = wrong.split_once("| ").map_or(wrong, |(_, line)| line);
        assert!(error.contains(&format!("{line}'")), "{wrong}: {error}");
    }
    let earlier = requests_of("=== turn 1 ===\n--- user ---\ngo", &sections).unwrap_err().to_string();
    assert!(earlier.contains("earlier version"), "{earlier}");
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
    for span in ["1| ", "2-| ", "1-2| ", "3-| "] {
        let parts: Vec<&str> = text.lines().filter(|line| line.starts_with(span)).collect();
        assert!(parts.len() == 1 && parts[0].starts_with(&format!("{span}\\\\> ")), "{span}: {text}");
    }
    // A part is no line, and a line is no part.
    let lines = |text: &str| vec![user(text)];
    let [whole, apart] = [list(600, "a"), list(600, "a").replace(" name-", "\n name-")];
    check(&run(vec![lines(&whole), lines(&apart), lines(&whole)], None), "");
    let requests =
        requests_of("=== 1 request ===\n1-| --- user ---\n1-| \\\\> a part", &RunSections::default());
    assert!(requests.unwrap_err().to_string().contains("a part"));
}

/// A short print is read faster than a reference to another file.
#[test]
fn short_prints_are_repeated() {
    let run_body = format!("=== turn 1 ===\n--- print 1 ---\n{}\n=== outcome ===\nreturn 1", page(1, 2));
    let requests = run(vec![vec![user("a")], vec![user("a"), user(page(1, 2))]], None);
    assert!(check(&requests, &run_body).ends_with("2-| page 1 line 1\n2-|\n"));
}

/// Lines that look like rulers, references, lines of diffs and escapes, with invisible characters, or long.
const LINE: &str = "2-5\\| a|1\\||-- user ---|--- call a b ---|=== 2 requests ===|= print 1 of turn 1 in run.snap|\\+|-|- a|=== turn 2 ===|--- user ---|= 2 messages as in turn 1|= all lines of system-prompt.snap|= |\\\\|;;|\\[~L\\]|é|\u{200b}| |\t|\r|a |\u{3000}|(\\[~L\\]|= |x ){2}|";

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

/// Requests with messages that change by a few lines from one to the next.
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
