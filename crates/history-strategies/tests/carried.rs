//! A request rendered with the state of earlier requests equals the one rendered anew.

use std::borrow::Cow;

use conversation::Conversation;
use history_strategies::{History, Rendered, STRATEGIES, TurnMemo, Variant};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{count, messages};

/// Every strategy with its defaults, then variants with options that decide from turn to turn.
fn variants() -> Vec<Variant<'static>> {
    let options: &[(&str, Json)] = &[
        ("observation-masking", json!({"keep_recent_turns": 2})),
        ("observation-masking", json!({"keep_recent_turns": 1, "step": 3})),
        ("observation-masking", json!({"keep_recent_turns": 1, "trigger": {"tokens": 400}})),
        ("trim", json!({"keep_recent_turns": 2, "step": 2})),
        ("fold", json!({"keep_recent_turns": 1})),
        ("fold", json!({"keep_recent_turns": 2, "write": 0.2})),
        ("fold", json!({"keep_recent_turns": 1, "into": "summary", "write": 0.2})),
        ("clear-tool-results", json!({"keep": 1, "trigger": {"tokens": 200}})),
        (
            "clear-tool-results",
            json!({"keep": 2, "trigger": {"tokens": 200}, "keep_start": 4, "keep_end": 5}),
        ),
        ("clear-tool-results", json!({"keep": 0, "trigger": {"tokens": 100}, "clear_tool_inputs": true})),
        ("clear-tool-results", json!({"keep": 1, "keep_tokens": 150, "trigger": {"tokens": 100}})),
        ("clear-tool-results", json!({"keep": 1, "clear_at_least": 120, "trigger": {"tokens": 300}})),
        ("clear-tool-results", json!({"keep": 1, "every_request": true, "trigger": {"tokens": 300}})),
        ("clear-tool-results", json!({"keep": 3, "trigger": {"turns": 4}, "exclude_tools": ["write"]})),
    ];
    let mut variants: Vec<Variant<'static>> =
        STRATEGIES.iter().map(|strategy| Variant::new(*strategy)).collect();
    for (name, options) in options {
        let options = options.as_object().unwrap();
        variants.push(Variant::named(name).unwrap().with_all(options).unwrap());
    }
    variants
}

proptest! {
    // A case renders hundreds of requests.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_carried_request_equals_one_rendered_anew(
        turns in prop::collection::vec((0..4usize, prop_oneof![0..20usize, 40..400usize]), 0..24),
        skipped in prop::collection::vec(0..4usize, 24),
    ) {
        let conversation = Conversation::from_messages(&messages(&turns)).unwrap();
        for variant in variants() {
            let (history, memo) = (History::new(Cow::Borrowed(&conversation), &count), TurnMemo::default());
            let (next_memo, mut sent) = (TurnMemo::default(), Vec::new());
            // Every request in order, then some, with a step back after each.
            let every = 0..=conversation.turns.len();
            let some = skipped.iter().scan(0, |at, skipped| { *at += skipped; Some(*at) });
            for completed in every.chain(some.flat_map(|at| [at, at / 2])) {
                let completed = completed.min(conversation.turns.len());
                let anew = History::new(Cow::Borrowed(&conversation), &count);
                let anew = variant.render(&anew.after(completed)).unwrap();
                let carried = variant.render(&history.view(completed, Some(&memo))).unwrap();
                prop_assert_eq!(&carried, &anew, "{} {:?} after {}", variant.name, variant.options, completed);
                let next = variant.render_next(&history.view(completed, Some(&next_memo))).unwrap();
                sent.truncate(next.kept);
                sent.extend(next.messages.iter().copied());
                let whole = Rendered { kept: 0, messages: sent.clone(), ..next };
                let whole = whole.map(|id| history.messages().message(id));
                prop_assert_eq!(whole, anew, "{} {:?} after {}", variant.name, variant.options, completed);
            }
        }
    }
}
