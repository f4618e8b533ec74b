//! The strategy `summary`: what a summary replaces and when, and the call that writes it.

use ecow::EcoString;
use proptest::collection::vec;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use serde_json::json;

use super::recorded::{any_said, conversation, read, refusal, text, words};
use super::story::named;
use ptc_eval::agent::{LoggedConversation, Message};
use ptc_eval::compression::{Rendered, Variant, history_of};

/// A conversation of calls with results of ten words each, and two messages of a person.
fn ten_turns() -> LoggedConversation {
    let mut messages = vec![json!({"role": "user", "content": "Find the train."})];
    for turn in 1..=10 {
        let (id, result) = (format!("c{turn}"), vec![format!("r{turn}"); 10].join(" "));
        let call = json!([{"id": id, "name": "look", "arguments": {"n": turn}}]);
        messages.push(json!({"role": "assistant", "content": format!("a{turn}"), "tool_calls": call}));
        messages.push(json!({"role": "tool", "call": id, "content": result}));
        if turn == 2 || turn == 5 {
            messages.push(json!({"role": "assistant", "content": "Is it fast?"}));
            messages.push(json!({"role": "user", "content": format!("words {turn}")}));
        }
    }
    read(json!({"system": "Be brief.", "messages": messages}))
}

fn rendered(recording: &LoggedConversation, variant: &Variant<'_>) -> Vec<Rendered> {
    let history = history_of(recording.past(), &words);
    let turns = recording.conversation.turns.len();
    (0..=turns).map(|completed| variant.render(&history.after(completed)).unwrap()).collect()
}

fn after_turns(turns: i64) -> Variant<'static> {
    named("summary").with("trigger", json!({"turns": turns})).unwrap()
}

fn after_tokens(tokens: i64) -> Variant<'static> {
    named("summary").with("trigger", json!({"tokens": tokens})).unwrap()
}

/// The first words of the messages of a request.
fn outline(request: &Rendered) -> String {
    let of = |message: &Message| {
        let first = message.content.split_whitespace().next().unwrap_or_default();
        if first == "[summary" { message.content.to_string() } else { first.to_owned() }
    };
    request.messages.iter().map(of).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_summary_replaces_old_turns_until_the_next_one_is_due() {
    let requests = rendered(&ten_turns(), &after_turns(5).with("keep_recent_turns", 2_i64).unwrap());
    assert_eq!(outline(&requests[5]), "Be Find a1 r1 a2 r2 Is words a3 r3 a4 r4");
    assert_eq!(outline(&requests[6]), "Be Find [summary of turns 1 to 4] a4 r4 a5 r5");
    assert_eq!(outline(&requests[9]), "Be Find [summary of turns 1 to 4] a4 r4 a5 r5 Is words a6 r6 a7 r7");
    assert_eq!(outline(&requests[10]), "Be Find [summary of turns 1 to 8] a7 r7 a8 r8");
    let calls: Vec<usize> = (0..requests.len()).filter(|turn| requests[*turn].call.is_some()).collect();
    assert_eq!(calls, [6, 10]);
}

/// The texts of the messages of the call for a summary.
fn call_text(request: &Rendered) -> String {
    let call = request.call.as_ref().unwrap();
    call.messages.iter().map(|message| format!("{}\n", message.content)).collect()
}

#[test]
fn an_opening_that_is_not_kept_is_summarized() {
    let recording = ten_turns();
    let variant = after_turns(5).with("keep_recent_turns", 2_i64).unwrap();
    let variant = variant.with("keep_opening", false).unwrap();
    let requests = rendered(&recording, &variant);
    assert_eq!(outline(&requests[5]), "Be Find a1 r1 a2 r2 Is words a3 r3 a4 r4");
    assert_eq!(outline(&requests[6]), "Be [summary of turns 1 to 4] a4 r4 a5 r5");
    assert_eq!(outline(&requests[10]), "Be [summary of turns 1 to 8] a7 r7 a8 r8");
    // The call for the first summary sees the opening. That for the next one sees the first summary in its place.
    for reuse_prefix in [true, false] {
        let requests = rendered(&recording, &variant.clone().with("reuse_prefix", reuse_prefix).unwrap());
        let (first, next) = (call_text(&requests[6]), call_text(&requests[10]));
        assert!(first.contains("Find the train.") && !next.contains("Find the train."), "{first}\n{next}");
        assert!(next.contains("[summary of turns 1 to 4]"), "{next}");
    }
    // Its text is another one than of the same turns with the opening.
    let key = |variant: &Variant<'_>| rendered(&recording, variant)[6].call.as_ref().unwrap().key.unwrap();
    let kept = variant.clone().with("keep_opening", true).unwrap();
    assert_eq!(key(&variant).turns, key(&kept).turns);
    assert!(key(&variant).messages != key(&kept).messages);
}

/// An opening of 500 words alone is above a trigger of 400. Once it is gone there is room.
#[test]
fn an_opening_that_was_summarized_counts_no_longer() {
    let mut messages: Vec<_> =
        ["Rules ", "Find "].map(|word| json!({"role": "user", "content": word.repeat(250)})).into();
    for turn in 1..=10 {
        let (id, result) = (format!("c{turn}"), vec![format!("r{turn}"); 60].join(" "));
        let call = json!([{"id": id, "name": "look", "arguments": {"n": turn}}]);
        messages.push(json!({"role": "assistant", "content": format!("a{turn}"), "tool_calls": call}));
        messages.push(json!({"role": "tool", "call": id, "content": result}));
    }
    let recording = read(json!({"system": "Be brief.", "messages": messages}));
    let variant = after_tokens(400).with("keep_recent_turns", 1_i64).unwrap().with("tokens", 50_i64).unwrap();
    let calls = |keeps: bool| {
        let requests = rendered(&recording, &variant.clone().with("keep_opening", keeps).unwrap());
        (0..requests.len()).filter(|turn| requests[*turn].call.is_some()).collect::<Vec<_>>()
    };
    assert_eq!(calls(true), (2..=10).collect::<Vec<_>>());
    assert_eq!(calls(false), [2, 6, 10]);
}

#[test]
fn what_is_kept_is_kept_whole() {
    let recording = ten_turns();
    let first = after_turns(5).with("keep_first", 1_i64).unwrap().with("keep_recent_turns", 0_i64).unwrap();
    let last = |variant: &Variant<'_>| outline(rendered(&recording, variant).last().unwrap());
    assert_eq!(last(&first), "Be Find a1 r1 [summary of turns 2 to 7] a6 r6 a7 r7 a8 r8 a9 r9 a10 r10");
    let words = first.with("keep_words", true).unwrap().with("keep_first", 0_i64).unwrap();
    assert_eq!(last(&words), "Be Find words words [summary of turns 1 to 12]");
    // Of five turns only three fit, of four the first has no result.
    let tokens = after_turns(5).with("keep_recent_tokens", 100_i64).unwrap();
    let expected = "Be Find [summary of turns 1 to 2] Is words a3 r3 a4 r4 a5 r5";
    assert_eq!(outline(&rendered(&recording, &tokens)[6]), expected);
}

#[test]
fn a_share_of_the_turns_and_the_newest_words_are_kept() {
    let recording = ten_turns();
    let share = |share: f64| {
        let variant = after_turns(5).with("keep_recent_turns", 0_i64).unwrap();
        outline(&rendered(&recording, &variant.with("keep_recent_share", share).unwrap())[6])
    };
    assert_eq!(share(0.5), "Be Find [summary of turns 1 to 4] a4 r4 a5 r5");
    assert_eq!(share(0.6), "Be Find [summary of turns 1 to 3] a3 r3 a4 r4 a5 r5");
    assert_eq!(
        share(0.0),
        outline(&rendered(&recording, &after_turns(5).with("keep_recent_turns", 0_i64).unwrap())[6])
    );
    let refused = after_turns(5).with("keep_recent_share", 1.5).err().unwrap().to_string();
    assert!(refused.contains("a number from 0 to 1"), "{refused}");
    let words = |tokens: i64| {
        let variant =
            after_turns(8).with("keep_recent_turns", 1_i64).unwrap().with("keep_words", true).unwrap();
        text(&rendered(&recording, &variant.with("words_tokens", tokens).unwrap())[9].messages)
    };
    // Each has two words, and four tokens of the format.
    assert!(words(0).contains("words 2") && words(12).contains("words 2"));
    assert!(!words(11).contains("words 2") && words(11).contains("words 5"));
}

#[test]
fn a_call_of_its_own_sees_as_much_as_the_options_say() {
    let recording = ten_turns();
    let own = after_turns(5).with("keep_recent_turns", 2_i64).unwrap().with("reuse_prefix", false).unwrap();
    let seen = |variant: &Variant<'_>| {
        let request = rendered(&recording, variant).remove(6);
        request.call.unwrap().messages[0].content.clone()
    };
    assert!(seen(&own).contains("r1 r1 r1") && seen(&own).contains("r3 r3 r3"));
    let cut = own.clone().with("call_result_characters", 5_i64).unwrap();
    assert!(seen(&cut).contains("[TOOL]\nr1 r1...") && seen(&cut).contains("a1"));
    let newest = own.with("call_tokens", 20_i64).unwrap();
    assert!(!seen(&newest).contains("r1") && seen(&newest).contains("r3 r3 r3"), "{}", seen(&newest));
}

#[test]
fn the_call_goes_on_from_the_request_or_begins_anew() {
    let recording = ten_turns();
    let variant = after_turns(5).with("keep_recent_turns", 2_i64).unwrap();
    let texts = ["It is fast.", "It is red."].map(EcoString::from);
    let requests = rendered(&recording, &variant.clone().with_texts(texts.clone()));
    assert_eq!(outline(&requests[10]), "Be Find [summary of turns 1 to 8]\nIt is red. a7 r7 a8 r8");
    let call = requests[10].call.as_ref().unwrap();
    // The summary of a summary sees the first one and the turns after it.
    let seen: Vec<&str> = call.messages.iter().map(|message| message.content.as_str()).collect();
    assert_eq!(seen[2], "[summary of turns 1 to 4]\nIt is fast.");
    assert!(seen.last().unwrap().starts_with("Summarize the conversation"), "{seen:?}");
    assert_eq!(seen.len(), requests[9].messages.len() + 2 + 1);
    assert!(call.goes_on && call.is_text_known);
    assert_eq!((call.most_tokens, call.output_tokens), (1000, 3));
    let anew = variant.with("reuse_prefix", false).unwrap().with_texts(texts);
    let requests = rendered(&recording, &anew);
    let call = requests[10].call.as_ref().unwrap();
    let [message] = call.messages.as_slice() else { panic!("{call:?}") };
    assert!(message.content.contains("It is fast.") && message.content.contains("r6 r6"), "{message:?}");
    assert!(!message.content.contains("r1 r1") && !message.content.contains("a7"), "{message:?}");
    assert!(!call.goes_on);
}

/// The text of a summary changes neither what it replaces nor when.
#[test]
fn summaries_of_any_text_are_due_at_the_same_time() {
    let recording = ten_turns();
    let variant = after_tokens(90).with("tokens", 20_i64).unwrap().with("keep_recent_turns", 1_i64).unwrap();
    let calls = |variant: &Variant<'_>| -> Vec<bool> {
        rendered(&recording, variant).iter().map(|request| request.call.is_some()).collect()
    };
    let placeholders = calls(&variant);
    assert!(placeholders.iter().filter(|is| **is).count() > 2, "{placeholders:?}");
    assert_eq!(calls(&variant.clone().with("writer", "empty").unwrap()), placeholders);
    let texts = (0..12).map(|number| EcoString::from(vec!["word"; number * 30].join(" ")));
    assert_eq!(calls(&variant.with_texts(texts)), placeholders);
}

#[test]
fn a_placeholder_has_the_size_of_the_summary() {
    let sum = |request: &Rendered| request.messages.iter().map(|message| message.tokens(words)).sum::<u64>();
    let recording = ten_turns();
    let of = |variant: Variant<'static>| sum(rendered(&recording, &variant).last().unwrap());
    let empty = of(after_turns(5).with("writer", "empty").unwrap());
    assert_eq!(of(after_turns(5)), empty + 1000);
    assert_eq!(of(after_turns(5).with("tokens", 7_i64).unwrap()), empty + 7);
}

#[test]
fn the_trigger_is_a_share_of_the_window() {
    let recording = ten_turns();
    let calls = |variant: &Variant<'_>| {
        rendered(&recording, variant).iter().filter(|request| request.call.is_some()).count()
    };
    let variant = named("summary").with("tokens", 10_i64).unwrap();
    // The default is 0.8 of the window.
    let due = |variant: &Variant<'static>, window: u32| calls(&variant.clone().for_window(Some(window))) > 0;
    let history = history_of(recording.past(), &words);
    let size = history.whole().full_history_tokens() as u32;
    assert!(due(&variant, size * 10 / 8) && !due(&variant, size * 10 / 8 + 10));
    assert_eq!(calls(&variant), 0, "200,000 tokens where the window is not known");
    let half = variant.with("trigger", json!({"window": 0.5})).unwrap();
    assert!(due(&half, size * 2) && !due(&half, size * 2 + 10));
    let trim = named("trim").with("trigger", json!({"window": 0.5})).unwrap();
    let trimmed = |window: u32| {
        rendered(&recording, &trim.clone().for_window(Some(window))).last().unwrap().statistics.enabled
    };
    assert!(trimmed(size * 2) && !trimmed(size * 2 + 10));
}

proptest! {
    #[test]
    fn no_call_is_cut_from_its_result(
        said in vec(any_said(), 1..24),
        system in any::<bool>(),
        tokens in 1..200i64,
        (recent, first) in (0..4i64, 0..3i64),
        keep_words in any::<bool>(),
    ) {
        let (transcript, people) = conversation(&said, system);
        let recording = read(transcript);
        let variant = after_tokens(tokens).with("tokens", 10_i64).unwrap();
        let variant = variant.with("keep_recent_turns", recent).unwrap().with("keep_first", first).unwrap();
        let variant = variant.with("keep_words", keep_words).unwrap();
        let history = history_of(recording.past(), &words);
        for completed in 0..recording.conversation.turns.len() {
            let request = variant.render(&history.after(completed)).unwrap();
            let shown = text(&request.messages);
            prop_assert_eq!(refusal(&request.messages), None, "{}", shown);
            if let Some(call) = request.call {
                prop_assert_eq!(refusal(&call.messages), None, "{}", text(&call.messages));
            }
            let answers = said.iter().enumerate().filter(|(_, one)| matches!(one, super::recorded::Said::Assistant(..)));
            let end = answers.map(|(index, _)| index).nth(completed).unwrap();
            let spoken = said[..end].iter().filter(|one| matches!(one, super::recorded::Said::User(_))).count();
            for words in people.iter().take(spoken).filter(|_| keep_words) {
                prop_assert!(shown.contains(words.as_str()), "lost {words}\n{shown}");
            }
        }
    }
}
