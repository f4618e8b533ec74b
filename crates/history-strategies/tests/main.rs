//! Strategies over conversations made by hand: messages in, messages out.

#![allow(clippy::unwrap_used)]

mod carried;

use std::collections::HashSet;
use std::sync::Arc;

use conversation::bodies::anthropic;
use conversation::{Conversation, Message, Native, NativeCall, Role};
use history_strategies::{
    BASELINE, CLEARING, FOLDING, FULL_HISTORY, MASKING, STRATEGIES, SUMMARIES, TRIMMING, Variant, find,
};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

fn count(text: &str) -> u64 {
    text.len() as u64
}

fn call(id: usize) -> NativeCall {
    NativeCall {
        id: format!("c{id}").into(),
        name: "read".into(),
        arguments: json!({ "page": id }).to_string().into(),
    }
}

fn result(id: usize, text: &str) -> Message {
    let native = Some(Arc::new(Native::ResultOf(format!("c{id}").into())));
    Message { native, ..Message::new(Role::Tool, text) }
}

/// An opening, then turns, each with this many calls with results of this many characters, or with words of a
/// person if it has no call.
fn messages(turns: &[(usize, usize)]) -> Vec<Message> {
    let mut messages =
        vec![Message::new(Role::System, "Be brief."), Message::new(Role::User, "Read the book.")];
    let mut id = 0;
    for (turn, (calls, characters)) in turns.iter().enumerate() {
        let ids = id..id + calls;
        id += calls;
        let native = (*calls > 0).then(|| Arc::new(Native::Calls(ids.clone().map(call).collect())));
        messages.push(Message { native, ..Message::new(Role::Assistant, format!("answer {turn}")) });
        messages.extend(ids.map(|id| result(id, &"x".repeat(*characters))));
        if *calls == 0 {
            messages.push(Message::new(Role::User, format!("words {turn}")));
        }
    }
    messages
}

fn shorten(variant: &Variant<'_>, messages: &[Message]) -> Vec<Message> {
    variant.shorten(&Conversation::from_messages(messages).unwrap(), &count).unwrap()
}

fn size(messages: &[Message]) -> u64 {
    messages.iter().map(|message| message.tokens(count)).sum()
}

proptest! {
    #[test]
    fn the_full_history_is_all_messages(turns in prop::collection::vec((0..4usize, 0..90usize), 0..12)) {
        let messages = messages(&turns);
        prop_assert_eq!(shorten(&Variant::new(FULL_HISTORY), &messages), messages);
    }

    /// Providers refuse a result without its call, and a call without a result.
    #[test]
    fn results_and_calls_stay_together(turns in prop::collection::vec((0..4usize, 0..90usize), 0..12)) {
        let messages = messages(&turns);
        for strategy in STRATEGIES {
            let mut variant = Variant::new(*strategy);
            for (option, value) in [("keep_recent_turns", json!(1)), ("keep", json!(1))] {
                variant = variant.clone().with(option, value).unwrap_or(variant);
            }
            if strategy.name == SUMMARIES.name || strategy.name == CLEARING.name {
                variant = variant.with("trigger", json!({"tokens": 60})).unwrap();
            }
            let sent = shorten(&variant, &messages);
            let calls: HashSet<&str> = sent.iter().flat_map(Message::calls).map(|call| call.id.as_str()).collect();
            let results: HashSet<&str> = sent.iter().filter_map(Message::result_of).map(|id| id.as_str()).collect();
            prop_assert_eq!(calls, results, "{}", strategy.name);
            prop_assert_eq!(&sent, &shorten(&variant, &messages));
            // Words of people stay in all of them but a summary.
            let text: String = sent.iter().map(|message| format!("{}\n", message.content)).collect();
            for words in messages.iter().skip(2).filter(|message| message.role == Role::User) {
                prop_assert!(strategy.name == SUMMARIES.name || text.contains(words.content.as_str()), "{}", strategy.name);
            }
        }
    }
}

#[test]
fn old_results_are_masked_and_old_turns_dropped() {
    let messages = messages(&[(1, 50), (1, 50), (1, 50)]);
    let masking = Variant::new(MASKING).with("keep_recent_turns", 1).unwrap();
    let sent = shorten(&masking, &messages);
    let masked = sent.iter().filter(|message| message.content.contains("omitted: 50 characters")).count();
    assert_eq!((sent.len(), masked), (messages.len(), 2));
    let trim = Variant::new(TRIMMING).with("keep_recent_turns", 1).unwrap();
    assert_eq!(shorten(&trim, &messages), [&messages[..2], &messages[6..]].concat());
}

/// Folding waits until carrying old results has cost as much as sending the rest again, and then folds all at once.
#[test]
fn folding_pays() {
    let fold = Variant::new(FOLDING).with("keep_recent_turns", 5).unwrap();
    let folded = |turns: usize| {
        let sent = shorten(&fold, &messages(&vec![(1, 400); turns]));
        sent.iter().filter(|message| message.content.contains("omitted")).count()
    };
    let counts: Vec<usize> = (0..30).map(folded).collect();
    assert_eq!(counts[..10], [0; 10], "{counts:?}");
    assert!(counts.windows(2).all(|pair| pair[1] == pair[0] || pair[1] >= pair[0] + 5), "{counts:?}");
    assert!(counts[29] >= 10, "{counts:?}");
    let free = fold.with("read", 0).unwrap();
    let all = messages(&[(1, 400); 12]);
    assert_eq!(shorten(&free, &all), all, "carrying costs nothing");
}

/// The summary of a turn with native calls has the calls and no long result, so that folding saves tokens.
#[test]
fn folding_into_summaries_leaves_out_results_of_native_calls() {
    let fold = Variant::new(FOLDING).with("keep_recent_turns", 5).unwrap().with("into", "summary").unwrap();
    let all = messages(&[(1, 400); 29]);
    let sent = shorten(&fold, &all);
    let summaries: Vec<&Message> = sent.iter().filter(|one| one.content.contains("omitted")).collect();
    assert!(summaries.len() >= 10, "{}", summaries.len());
    assert_eq!(summaries[0].content, "; Output:\n[output of turn 1 omitted: 400 characters]");
    assert_eq!(sent[2].content, "; Tool calls:\n;   read({\"page\":0})");
    assert!(size(&sent) + 3_000 < size(&all));
    // A short result is no longer than the line in its place.
    let short = shorten(&fold.with("write", 0).unwrap(), &messages(&[(1, 20); 29]));
    assert!(short.iter().all(|message| !message.content.contains("omitted")));
}

#[test]
fn strategies_wait_for_their_trigger() {
    let messages = messages(&[(1, 50); 6]);
    let at = |tokens: u64| Variant::new(MASKING).with("trigger", json!({ "tokens": tokens })).unwrap();
    // The chat format adds three tokens to a request.
    let whole = size(&messages) + 3;
    assert_eq!(shorten(&at(whole + 1), &messages), messages);
    assert!(size(&shorten(&at(whole), &messages)) < whole);
}

#[test]
fn a_body_of_anthropic_is_shortened() {
    let answer = |id: &str| json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "read", "input": {}}]});
    let result = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": [{"type": "text", "text": "a page"}]});
    let user = |block: Json| json!({"role": "user", "content": [block]});
    let body = [
        json!({"role": "user", "content": "Read."}),
        answer("a"),
        user(result("a")),
        answer("b"),
        user(result("b")),
    ];
    let read = anthropic::read_messages(None, &body).unwrap();
    let sent = shorten(&Variant::new(MASKING).with("keep_recent_turns", 1).unwrap(), read.messages());
    let mut expected = body.to_vec();
    let line = "[output of turn 1 omitted: 6 characters]";
    expected[2] = user(json!({"type": "tool_result", "tool_use_id": "a", "content": line}));
    assert_eq!(anthropic::write_messages(&read, &sent), (None, expected));
}

#[test]
fn names_and_options_are_checked() {
    for strategy in STRATEGIES {
        assert_eq!(find(strategy.name).unwrap().name, strategy.name);
    }
    assert_eq!(BASELINE.name(), FULL_HISTORY.name);
    let error =
        |option: &str, value: Json| Variant::new(TRIMMING).with(option, value).err().unwrap().to_string();
    assert_eq!(
        error("keep", json!(1)),
        "trim has no option 'keep'; expected one of: keep_recent_turns, step, trigger"
    );
    assert_eq!(error("step", json!(0)), "step: expected a whole number from 1, found 0");
    let error = find("fold-it").err().unwrap().to_string();
    assert!(error.starts_with("unknown strategy 'fold-it'; expected one of: full-history, trim"), "{error}");
}
