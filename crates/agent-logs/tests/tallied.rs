//! What the notes on several logs become together.

use std::collections::BTreeSet;

use agent_logs::{Notes, Places, grouped};

/// Places in the first lines of a log.
fn places(file: &str, number: usize) -> Places {
    let first = (1..=number.min(3)).map(|line| format!("{file}:{line}")).collect();
    Places { files: BTreeSet::from([file.to_owned()]), number, first }
}

fn late(file: &str, sessions: u64, billed: Option<(u64, u64)>) -> Notes {
    let mut notes = Notes::default();
    notes.tallies.late_starts.sessions = sessions;
    notes.tallies.late_starts.billed = billed;
    notes.tallies.late_starts.places = places(file, usize::try_from(sessions).unwrap());
    notes
}

fn merged(all: Vec<Notes>) -> Vec<String> {
    let mut notes = Notes::default();
    all.into_iter().for_each(|one| notes.merge(one));
    notes.lines().collect()
}

#[test]
fn late_starts_are_added() {
    assert_eq!(merged(vec![late("a", 1, None)]), ["1 session begins in the middle (a:1)"]);
    assert_eq!(merged(vec![late("a", 2, None)]), ["2 sessions begin in the middle (a:1, a:2)"]);
    // One log has its first three places, and each of several logs its first one.
    assert_eq!(merged(vec![late("a", 4, None)]), ["4 sessions begin in the middle (a:1, a:2, a:3, …)"]);
    assert_eq!(
        merged(vec![late("a", 4, Some((7, 9))), late("b", 2, None), late("c", 1, Some((5, 5)))]),
        [
            "7 sessions begin in the middle, with 5 to 9 input tokens in the first logged request (a:1, b:1, c:1, …)"
        ]
    );
    assert_eq!(
        merged(vec![late("a", 1, None), late("a", 1, None)]),
        ["2 sessions begin in the middle (a:1, a:1)"]
    );
}

#[test]
fn observations_of_all_logs_are_added() {
    let told = |file: &str, are_all: bool| {
        let mut notes = Notes::default();
        notes.tallies.observations.number = 2;
        notes.tallies.observations.are_all = are_all;
        notes.tallies.observations.places = places(file, 2);
        notes
    };
    let of_calls = "observations: 4 user messages with the result of a call written as text (a:1, b:1, …)";
    assert_eq!(merged(vec![told("a", false), told("b", false)]), [of_calls]);
    let all = "observations: 4 user messages after the first answer (a:1, b:1, …)";
    assert_eq!(merged(vec![told("a", false), told("b", true)]), [all]);
    assert_eq!(merged(vec![told("a", true), told("b", false)]), [all]);
}

#[test]
fn numbers_are_grouped_by_thousands() {
    for (number, text) in
        [(0, "0"), (999, "999"), (1_000, "1,000"), (123_456, "123,456"), (1_234_567, "1,234,567")]
    {
        assert_eq!(grouped(number), text);
    }
}
