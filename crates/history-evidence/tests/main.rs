//! Facts of answers, and those that shortened requests lack.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod months;
mod shell_readers;

use conversation::{Conversation, Message, Role};
use history_evidence::{Evidence, Grade, Needs, lost_under};
use history_strategies::{FULL_HISTORY, MASKING, TRIMMING, Variant};

/// A conversation of texts: the opening, then answers and results in turn.
fn conversation(texts: &[&str]) -> (Vec<Message>, Conversation) {
    let roles = [Role::Assistant, Role::Tool].into_iter().cycle();
    let mut messages = vec![Message::new(Role::User, texts[0])];
    messages.extend(texts[1..].iter().zip(roles).map(|(text, role)| Message::new(role, *text)));
    let conversation = Conversation::from_messages(&messages).unwrap();
    (messages, conversation)
}

fn characters(text: &str) -> u64 {
    text.len() as u64
}

/// `48213 (gone, turn 1)`
fn lost(evidence: &Evidence) -> Vec<String> {
    let place = |turn: Option<u32>| turn.map_or("opening".to_owned(), |turn| format!("turn {turn}"));
    evidence.lost.iter().map(|item| format!("{item} ({}, {})", item.grade, place(item.turn))).collect()
}

const PARCEL: [&str; 6] = [
    "Where is my parcel? My order is 771204.",
    "find parcel",
    "parcel 48213 is in depot KX-77",
    "check the weather",
    "It rains.",
    "Parcel 48213 of order 771204 waits in depot KX-77.",
];

#[test]
fn the_whole_history_lacks_nothing() {
    let (messages, conversation) = conversation(&PARCEL);
    let needs = Needs::of(&conversation);
    let all = needs.examine_messages(2, &messages[..5]);
    assert_eq!((all.shown, lost(&all)), (2, vec![]));
    let full = lost_under(&Variant::new(FULL_HISTORY), &conversation, &characters).unwrap();
    assert_eq!(full.iter().map(|answer| answer.lost.len()).sum::<usize>(), 0);
}

#[test]
fn facts_of_dropped_messages_are_gone() {
    let (messages, conversation) = conversation(&PARCEL);
    let needs = Needs::of(&conversation);
    let short = [messages[0].clone(), messages[3].clone(), messages[4].clone()];
    let evidence = needs.examine_messages(2, &short);
    assert_eq!(lost(&evidence), ["48213 (gone, turn 1)", "KX-77 (gone, turn 1)"]);
    assert!(evidence.lacks_fact() && evidence.can_be_read_again());
    // The opening has the order, so the order is lost with the opening alone.
    let evidence = needs.examine_messages(2, &messages[1..5]);
    assert_eq!(lost(&evidence), ["771204 (gone, opening)"]);
}

/// A strategy's requests give what its messages give.
#[test]
fn requests_of_a_strategy_are_examined_as_their_messages() {
    let (_, conversation) = conversation(&PARCEL);
    let needs = Needs::of(&conversation);
    for strategy in [TRIMMING, MASKING] {
        let variant = Variant::new(strategy).with("keep_recent_turns", 1).unwrap();
        let answers = lost_under(&variant, &conversation, &characters).unwrap();
        for (index, answer) in answers.iter().enumerate() {
            let before = Conversation { turns: conversation.turns[..index].to_vec(), ..conversation.clone() };
            let sent = variant.shorten(&before, &characters).unwrap();
            assert_eq!(*answer, needs.examine_messages(index, &sent), "{} {index}", strategy.name);
        }
        assert!(answers[2].lacks_fact(), "{}", strategy.name);
    }
}

#[test]
fn what_only_the_model_had_said_is_its_own() {
    let (messages, conversation) = conversation(&[
        "Book a table.",
        "I name the booking dinner_b7 and ask.",
        "Done.",
        "thanks",
        "ok",
        "The booking dinner_b7 is done.",
    ]);
    let evidence = Needs::of(&conversation).examine_messages(2, &messages[3..5]);
    let grades: Vec<Grade> = evidence.lost.iter().map(|item| item.grade).collect();
    assert_eq!((lost(&evidence), grades), (vec!["dinner_b7 (own, turn 1)".to_owned()], vec![Grade::Own]));
    assert!(evidence.lacks_only_own() && !evidence.can_be_read_again());
}

/// A lost instruction of a person does not count as a missing fact.
#[test]
fn a_lost_instruction_is_listed_apart() {
    let (_, conversation) = conversation(&[
        "Go on until all is well.",
        "look",
        "12 files",
        "look again",
        "12 files",
        "All is well.",
    ]);
    let answers = lost_under(&Variant::new(FULL_HISTORY), &conversation, &characters).unwrap();
    assert!(answers.iter().all(|answer| answer.instructions.is_empty() && !answer.lacks_fact()));
}

/// Numbers are found in any spelling that has the same value.
#[test]
fn numbers_have_several_spellings() {
    for (told, said) in [("1234567 rows", "1,234,567 rows"), ("1,234.50 euros", "1234.5 euros")] {
        let (messages, conversation) = conversation(&["Count.", "count", told, "go", "ok", said]);
        let needs = Needs::of(&conversation);
        assert_eq!(needs.examine_messages(2, &messages[3..5]).gone, 1, "{told}");
        assert_eq!(needs.examine_messages(2, &messages[..5]).gone, 0, "{told}");
    }
}

/// The third conversation with a SYSTEM finds its words in an index that the second one made.
#[test]
fn a_shared_system_prompt_shows_the_same_to_every_conversation() {
    let system = "Depot KX-77 is at tree-sitter-c-sharp.\n12\tlet total = 6203;\n13\treturn total\nOpen since \
                  2026-05-13T10:00.\nEscaped: \\nZU-41, src/depots.rs-12-call";
    let told = "parcel 48213, depot KX-77, tree-sitter-c, 6203, 2026-05-13, ZU-41, src/depots.rs, KX-78";
    let answer = "48213 KX-77 tree-sitter-c 6203 2026-05-13 ZU-41 src/depots.rs KX-78";
    let (mut messages, _) = conversation(&["Where is my parcel?", "find parcel", told, answer]);
    messages.insert(0, Message::new(Role::System, system));
    let conversation = Conversation::from_messages(&messages).unwrap();
    for number in 1..=3 {
        let needs = Needs::of(&conversation);
        let evidence = needs.examine_messages(1, &messages[..3]);
        assert_eq!(
            lost(&evidence),
            ["48213 (gone, turn 1)", "KX-78 (gone, turn 1)"],
            "conversation {number}"
        );
        let evidence = needs.examine_messages(1, &messages[..4]);
        assert_eq!(evidence.shown, 2, "conversation {number}");
    }
}
