//! Measures of one request as results hold them, and texts and numbers of reports.

use std::hash::BuildHasher;
use std::sync::Arc;

use conversation::{Extension, Messages, Runs, Stretches};
use proptest::prelude::*;
use ptc_eval::agent::{Agent, Message, MessagePart, ProgramRun, Role};
use ptc_eval::compression::Statistics;
use ptc_eval::measure::evidence::Evidence;
use ptc_eval::measure::measured::{BILL, REQUEST, STATISTICS};
use ptc_eval::measure::numbers::{percentage, shortened};
use ptc_eval::measure::{BreakAt, MeasuredRequest, refusal};
use ptc_eval::report::{RECORDS_VERSION, SentTexts, Texts};
use ptc_prices::{Bill, Money};
use ptc_tokens::Key;
use rustc_hash::FxBuildHasher;

/// Reading takes the fields of a list in the order of the type.
#[test]
fn the_lists_of_a_request_are_in_the_order_of_their_names() {
    let statistics = Statistics {
        enabled: true,
        strategy: "trim".into(),
        turns_compressed: 2,
        tool_calls_total: 3,
        tool_calls_shown: 4,
        tool_calls_dropped: 5,
        printlns_total: 6,
        printlns_shown: 7,
        printlns_dropped: 8,
        error_turns_collapsed: 9,
    };
    let bill = Bill { cached_tokens: 1, written_tokens: 2, cost: Money::default() };
    let request = MeasuredRequest {
        turn: 1,
        messages: Extension::default(),
        input_tokens: 2,
        output_tokens: 3,
        prefix_tokens: 4,
        break_at: BreakAt::Nowhere,
        evidence: Evidence::default(),
        hidden_tool_calls: 5,
        valid: true,
        statistics: statistics.clone(),
        bills: vec![bill],
    };
    let written = serde_json::to_value(&request).unwrap();
    let named = |names: &[&str], list: &serde_json::Value| -> serde_json::Value {
        assert_eq!(names.len(), list.as_array().unwrap().len());
        names.iter().map(ToString::to_string).zip(list.as_array().unwrap().iter().cloned()).collect()
    };
    let row = named(&REQUEST, &written);
    assert_eq!(named(&STATISTICS, &row["stats"]), serde_json::to_value(&statistics).unwrap());
    assert_eq!(named(&BILL, &row["bills"][0]), serde_json::to_value(bill).unwrap());
    let documented = include_str!("../docs/metrics.md").split_whitespace().collect::<Vec<_>>().join(" ");
    for names in [&REQUEST[..], &STATISTICS, &BILL] {
        let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        assert!(documented.contains(&list), "{list}");
    }
    // The package for Python reads records.
    let package = include_str!("../python/ptc_eval/_result.py");
    for (list, names) in [("_REQUEST = (", &REQUEST[..]), ("_COUNTS = (", &STATISTICS[2..])] {
        let list = package.split(list).nth(1).unwrap().split(')').next().unwrap();
        let read: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
        assert_eq!(read, names);
    }
    assert!(package.contains(&format!("_VERSION = {RECORDS_VERSION}\n")));
    let numbers = ["turn", "input_tokens", "output_tokens", "prefix_tokens", "hidden_tool_calls"];
    assert_eq!(numbers.map(|name| row[name].as_u64().unwrap()), [1, 2, 3, 4, 5]);
    assert_eq!(serde_json::from_value::<MeasuredRequest>(written).unwrap(), request);
}

#[test]
fn a_difference_lies_in_the_part_that_began_last() {
    let parts = [(MessagePart::Mission, 2), (MessagePart::User, 10)];
    let message = Message { parts: parts.into(), ..Message::new(Role::User, "# mission\n\nuser") };
    let messages = Messages::new(&|_| 0);
    let id = messages.add(&message);
    let table = messages.table();
    assert_eq!(table.row(id).part_at(0), None);
    assert_eq!(table.row(id).part_at(9), Some(MessagePart::Mission));
    assert_eq!(table.row(id).part_at(10), Some(MessagePart::User));
}

#[test]
fn requests_that_a_chat_model_would_refuse() {
    use Role::{Assistant, System, User};
    let cases: [(&[(Role, &str)], &str); 7] = [
        (&[(System, "s"), (User, "do it")], ""),
        (&[(System, "s"), (User, "do it"), (Assistant, "a"), (User, "u"), (User, "v")], ""),
        (
            &[(System, "s"), (User, "do it"), (Assistant, "a"), (Assistant, "b"), (User, "u")],
            "message 4 is the model's, as the one before",
        ),
        (
            &[(System, "s"), (Assistant, "a"), (User, "do it")],
            "message 2 is the model's, before any message of the user",
        ),
        (&[(System, "s"), (User, "do it"), (Assistant, "a")], "message 3 is the last, and not the user's"),
        (&[(System, "s"), (User, "do it"), (User, "")], "message 3 is empty"),
        (&[(System, "do it"), (User, "what?")], "message 2 is the last, and the mission is in none"),
    ];
    let agent = Agent { mission: "do it".into(), ..Agent::default() };
    let run = ProgramRun { agent: Arc::new(agent), turns: Vec::new() };
    for (texts, expected) in cases {
        let messages: Vec<Message> = texts.iter().map(|&(role, text)| Message::new(role, text)).collect();
        assert_eq!(refusal(&messages, run.past()).unwrap_or_default(), expected);
    }
}

#[test]
fn percentages_have_at_most_one_decimal() {
    assert_eq!([0.05, 0.025, 0.0, 1.0].map(percentage), ["5%", "2.5%", "0%", "100%"]);
}

#[test]
fn long_names_are_cut() {
    assert_eq!(shortened("trim", 4), "trim");
    assert_eq!(shortened("observation-masking", 12), "observation…");
}

fn text(texts: &Texts, runs: &Runs) -> String {
    let all: Vec<&str> = texts.pieces.iter().collect();
    runs.numbers().map(|piece| all[piece as usize]).collect()
}

proptest! {
    /// Lists that share stretches are the lists that they were made of, in memory and in a file.
    #[test]
    fn lists_of_numbers_come_back(lists in prop::collection::vec(prop::collection::vec((0_u32..3_000, 0_u32..5), 0..200), 1..5)) {
        let mut stretches = Stretches::default();
        for list in lists {
            let numbers: Vec<u32> = list.iter().flat_map(|(first, count)| *first..first + count).collect();
            let (shared, own) = (stretches.numbers(numbers.iter().copied()), Runs::of_numbers(numbers.iter().copied()));
            prop_assert!(shared.numbers().eq(numbers.iter().copied()));
            prop_assert_eq!(shared.count(), numbers.len());
            prop_assert_eq!(&shared, &own);
            let json = serde_json::to_string(&shared).unwrap();
            prop_assert_eq!(&json, &serde_json::to_string(&own).unwrap());
            prop_assert_eq!(&serde_json::from_str::<Runs>(&json).unwrap(), &own);
        }
    }
}

#[test]
fn a_run_without_its_length_is_refused() {
    let error = serde_json::from_str::<Runs>("[0, 2, 5]").unwrap_err();
    assert!(error.to_string().contains("expected pairs"), "{error}");
}

/// Identifiers are given again, so what is kept of a message is its identity.
#[test]
fn a_table_forgets_what_one_strategy_alone_sends() {
    let messages = Messages::new(&|text| text.len() as u64);
    let add = |text: &str| messages.add(&Message::new(Role::User, text));
    let hash = |id| FxBuildHasher.hash_one(messages.table().identity(id));
    let long = |word: &str| format!("{}{word}", "a list of many words ".repeat(200));
    let shared = add(&long("shared"));
    messages.share();
    let (own, identities) = (add(&long("own")), [hash(shared), hash(add(&long("own")))]);
    let tokens = messages.tokens(own);
    messages.forget();
    assert_eq!(messages.table().len(), 2, "a few stay");
    for number in 0..600 {
        add(&number.to_string());
    }
    messages.forget();
    assert_eq!(messages.table().len(), 1);
    let other = add(&long("other"));
    assert_eq!((other, add(&long("shared"))), (own, shared));
    assert_eq!(messages.message(other).content, long("other"));
    assert_eq!(messages.tokens(other), tokens + 2);
    assert_eq!(hash(shared), identities[0]);
    assert_ne!(hash(other), identities[1]);
    assert_eq!(hash(add(&long("own"))), identities[1]);
}

#[test]
fn a_line_stands_once() {
    let mut texts = Texts::default();
    assert_eq!(texts.pieces.runs("a\nb\n"), Runs::of([(0, 2)]));
    assert_eq!(texts.pieces.runs("b\n\nc\na\nb"), Runs::of([(1, 3), (0, 1), (4, 1)]));
    assert!(texts.pieces.iter().eq(["a\n", "b\n", "\n", "c\n", "b"]));
}

#[test]
fn a_line_that_every_turn_adds_to_takes_the_room_of_what_is_new() {
    let word = |number: usize| format!("name-{number} integer, ");
    let line =
        |words: usize, changed: &str| (0..words).map(word).collect::<String>().replace("name-9 ", changed);
    let mut texts = Texts::default();
    let mut last = 0;
    for words in 0..1_000 {
        let line = line(words, if words % 2 == 0 { "name-9 " } else { "name-9 longer " });
        last = line.len();
        let runs = texts.pieces.runs(&line);
        assert_eq!(text(&texts, &runs), line);
    }
    let kept: usize = texts.pieces.iter().map(str::len).sum();
    assert!(kept < 30 * last, "{kept} of {last}");
}

#[test]
fn texts_come_back_as_they_were() {
    let contents = [Some("a\nb\n"), None, Some(""), Some("\n\nb\na"), Some("a\r\nb")];
    let messages = Messages::new(&|_| 0);
    let message = |content: Option<&str>| match content {
        Some(content) => Message::new(Role::User, content),
        None => Message::new(Role::System, "SYSTEM"),
    };
    let ids = contents.map(|content| messages.add(&message(content)));
    let mut sent = SentTexts::default();
    for id in ids {
        sent.number(id, &messages.table(), Key::of("SYSTEM"));
    }
    let texts = sent.texts;
    let json = serde_json::to_string(&texts).unwrap();
    let read: Texts = serde_json::from_str(&json).unwrap();
    assert_eq!(read, texts);
    let back: Vec<Option<String>> =
        read.messages.iter().map(|message| message.runs.as_ref().map(|runs| text(&read, runs))).collect();
    assert_eq!(back, contents.map(|content| content.map(str::to_owned)));
    let twice = json.replace("\"b\\n\"", "\"a\\n\"");
    assert!(serde_json::from_str::<Texts>(&twice).unwrap_err().to_string().contains("each piece once"));
}
