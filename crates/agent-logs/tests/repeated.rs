//! Conversations and calls that several logs repeat.

use std::ops::ControlFlow;

use agent_logs::{HashedTranscript, Ledger, Notes, Novelty, Repeats, Transcript, read};
use serde_json::{Value, json};

/// A conversation whose answers have these input tokens.
fn billed(answers: &[u64]) -> Value {
    let mut messages = Vec::new();
    for (turn, tokens) in answers.iter().enumerate() {
        messages.push(json!({"role": "user", "content": format!("Question {turn}?")}));
        messages.push(json!({"role": "assistant", "content": "Yes.", "usage": {"input_tokens": tokens}}));
    }
    json!({"messages": messages})
}

fn parse(value: &Value) -> HashedTranscript {
    HashedTranscript::from(serde_json::from_value::<Transcript>(value.clone()).unwrap())
}

/// The log of a running session may lack bills, so the one with more is kept.
#[test]
fn the_log_with_more_bills_is_kept() {
    let add = |all: &[Value]| -> Vec<Novelty> {
        let mut repeats = Repeats::default();
        all.iter().enumerate().map(|(number, one)| repeats.add(&parse(one), number)).collect()
    };
    let new = |continued: &[usize]| Novelty::New(continued.to_vec());
    let run = |tokens: u64| {
        let mut value = billed(&[5, 7]);
        value["outcome"] = json!({"usage": {"input_tokens": tokens}});
        value
    };
    assert_eq!(add(&[billed(&[5, 7]), billed(&[5, 7])]), [new(&[]), Novelty::Equal]);
    assert_eq!(add(&[billed(&[5, 7]), billed(&[5, 9])]), [new(&[]), new(&[0])]);
    assert_eq!(add(&[billed(&[5, 7]), billed(&[5, 6])]), [new(&[]), Novelty::Equal]);
    // A beginning, also with the same bills, unless it has more.
    assert_eq!(add(&[billed(&[5, 7]), billed(&[5])]), [new(&[]), Novelty::Beginning]);
    assert_eq!(add(&[billed(&[5, 7]), billed(&[4])]), [new(&[]), Novelty::Beginning]);
    assert_eq!(add(&[billed(&[5, 7]), billed(&[6])]), [new(&[]), new(&[])]);
    assert_eq!(add(&[billed(&[5]), billed(&[5, 7])]), [new(&[]), new(&[0])]);
    assert_eq!(add(&[billed(&[6]), billed(&[5, 7])]), [new(&[]), new(&[])]);
    // Bills of the whole run.
    assert_eq!(add(&[run(10), run(10), run(9)]), [new(&[]), Novelty::Equal, Novelty::Equal]);
    assert_eq!(add(&[run(10), run(20), run(15)]), [new(&[]), new(&[0]), Novelty::Equal]);
}

/// A call is booked once: by its identifiers, or else by the conversation so far and its tokens.
#[test]
fn a_call_is_booked_by_its_identity() {
    let copies = |one: &Value, other: &Value, calls: [Option<&str>; 2]| {
        let mut ledger = Ledger::default();
        let mut found = 0;
        for (number, (value, call)) in [one, other].into_iter().zip(calls).enumerate() {
            let mut hashed = parse(value);
            for message in &mut hashed.transcript.messages {
                if let Some(usage) = &mut message.usage {
                    usage.call = call.map(str::to_owned);
                }
            }
            found = ledger.book(&mut hashed, number, "LOG");
        }
        found
    };
    let (one, same, other) = (billed(&[5]), billed(&[5]), billed(&[6]));
    assert_eq!(copies(&one, &same, [None, None]), 1);
    assert_eq!(copies(&one, &other, [None, None]), 0);
    assert_eq!(copies(&one, &same, [Some("a"), Some("b")]), 0);
    assert_eq!(copies(&one, &other, [Some("a"), Some("a")]), 1);
    // A call without tokens is none.
    assert_eq!(copies(&billed(&[0]), &billed(&[0]), [Some("a"), Some("a")]), 0);
}

/// A note on several logs has the first place of each.
#[test]
fn notes_on_several_logs_have_a_place_of_each() {
    let good =
        json!({"messages": [{"role": "user", "content": "Look."}, {"role": "assistant", "content": "b"}]});
    let notes = |file: &str, broken: usize| {
        let log = format!("{good}\n{good}\n{good}\n{good}\n{}", "{\"a\"\n".repeat(broken));
        read(log.as_bytes(), file, None, &mut |_| ControlFlow::Continue(())).unwrap()
    };
    let merged = |files: &[(&str, usize)]| {
        let mut all = Notes::default();
        files.iter().for_each(|(file, broken)| all.merge(notes(file, *broken)));
        assert_eq!(all.has_losses(), files.iter().any(|(_, broken)| *broken > 0));
        all.lines().collect::<Vec<_>>()
    };
    let of = |rest: &str| vec![format!("broken JSON left out: EOF while parsing an object: {rest}")];
    assert_eq!(merged(&[("a", 0)]), Vec::<String>::new());
    let places: Vec<String> = (5..7).map(|line| format!("a:{line}: column 4")).collect();
    assert_eq!(merged(&[("a", 2)]), of(&format!("2 ({})", places.join(", "))));
    assert_eq!(merged(&[("a", 2), ("b", 2)]), of("4 in 2 logs (a:5: column 4, b:5: column 4, …)"));
    assert_eq!(
        merged(&[("a", 1), ("b", 2), ("c", 1)]),
        of("4 in 3 logs (a:5: column 4, b:5: column 4, c:5: column 4, …)")
    );
}

/// An object with an identifier in each key makes no note of each.
#[test]
fn notes_have_a_limit_of_kinds() {
    let mut message = json!({"role": "user", "content": "Look."});
    for number in 0..600 {
        message[format!("later_{number}")] = "In a note.".into();
    }
    let log = json!({"messages": [message, {"role": "assistant", "content": "b"}, message, {"role": "assistant", "content": "c"}]});
    let notes = read(log.to_string().as_bytes(), "LOG", None, &mut |_| ControlFlow::Continue(())).unwrap();
    let lines: Vec<String> = notes.lines().collect();
    assert!(lines.len() < 600, "{}", lines.len());
    // A known kind is counted again, and all others together.
    let of = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(of("fields later_0 of messages left out: 2 "), 1, "{}", lines[0]);
    assert_eq!(
        lines.iter().map(|line| line.contains(": 2 (")).filter(|is_twice| *is_twice).count(),
        lines.len() - 1
    );
}
