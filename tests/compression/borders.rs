//! Borders that strategies declare, for caches to be marked there.

use super::story::*;
use ptc_eval::compression::{Rendered, RequestBorder, history_of, recounted};
use ptc_prices::Border;

/// Three turns with a definition, a call and a print each.
fn story() -> Story {
    let turn = |number: usize| {
        ok(&format!("(step {number})"))
            .defines(vec![value(&format!("x{number}"), ptc_lisp::value::Value::Int(number as i64))])
            .calls(vec![call("get-inventory", vec![])])
            .prints(&[format!("printed {number}")])
    };
    Story::of(agent(), (1..=3).map(turn).collect())
}

/// Each border with the last line before it: `opening: Do it`.
fn borders(rendered: &Rendered) -> Vec<String> {
    let before = |border: &RequestBorder| {
        let within = rendered.messages.get(border.messages);
        let within = within.and_then(|message| message.content.get(..border.bytes as usize));
        let whole = rendered.messages[..border.messages].last().map(|message| message.content.as_str());
        let text = within.filter(|text| !text.is_empty()).or(whole).unwrap_or_default();
        text.trim_end().lines().last().unwrap_or_default().to_owned()
    };
    let named = |border: &RequestBorder| format!("{:?}: {}", border.kind, before(border)).to_lowercase();
    let shown = rendered.borders.iter().filter(|border| border.kind != Border::System);
    shown.map(named).collect()
}

fn of(strategy: &str) -> Vec<String> {
    borders(&story().last(&named(strategy)))
}

const TURNS_LEFT: &str = "last: turns left: 2";

#[test]
fn messages_that_only_grow_in_number_have_their_end() {
    assert_eq!(of("full-history"), ["opening: do it", "last: turn 4 of 5"]);
    assert_eq!(of("trim"), ["opening: do it", "last: turn 4 of 5"]);
}

#[test]
fn a_log_is_settled_before_its_last_message() {
    assert_eq!(of("turn-log"), ["opening: do it", "settled: printed 3", TURNS_LEFT]);
}

#[test]
fn one_message_has_a_border_after_each_list() {
    let lists = [
        "opening: do it",
        "definitions: x3                            ; = integer",
        "calls: ;   get-inventory()",
        "output: printed 3",
        TURNS_LEFT,
    ];
    assert_eq!(of("single-user-coalesced"), lists);
    let shop = Story::of(shop_agent(), vec![]).last(&named("single-user-coalesced"));
    assert_eq!(borders(&shop), ["opening: ;; return: [{name :string}]", "last: turns left: 5"]);
    let first = story().after(&named("single-user-coalesced"), 0);
    assert_eq!(borders(&first), ["opening: do it", "last: turns left: 5"]);
    let cache_first = named("single-user-coalesced").with("cache_first", true).unwrap();
    let kinds: Vec<Border> = story().last(&cache_first).borders.iter().map(|border| border.kind).collect();
    use Border::{Calls, Definitions, Last, Opening, Output, System};
    assert_eq!(kinds, [System, Opening, Output, Calls, Definitions, Last]);
}

#[test]
fn the_lines_of_aggressive_have_a_border_each() {
    let lines = [
        "opening: do it",
        "definitions: ;; user: x1 integer x2 integer x3 integer",
        "calls: ;; calls: get-inventory x3",
        "output: ;; output: printed 3",
        TURNS_LEFT,
    ];
    assert_eq!(of("aggressive"), lines);
}

/// The newest turn stays whole; the answer before its feedback stays when the feedback is masked.
#[test]
fn masked_turns_are_settled_with_the_answer_after_them() {
    let masking = named("observation-masking").with("keep_recent_turns", 1_i64).unwrap();
    let settled = |completed: usize| borders(&story().after(&masking, completed))[1].clone();
    assert_eq!(settled(0), "settled: do it");
    assert_eq!(settled(1), "settled: ```");
    assert_eq!(story().after(&masking, 3).borders[2].messages, 7); // SYSTEM, opening, two turns, an answer
    let fold = named("fold").with("keep_recent_turns", 1_i64).unwrap();
    assert_eq!(borders(&story().after(&fold, 0)), ["opening: do it", "settled: do it", "last: do it"]);
}

#[test]
fn summaries_are_settled_before_the_newest() {
    let summaries = story().last(&named("per-turn-summary"));
    let [system, opening, settled, last] = summaries.borders[..] else { panic!("{summaries:?}") };
    assert_eq!((system.messages, opening.messages, settled.messages, last.messages), (1, 2, 6, 8));
}

#[test]
fn a_window_has_borders_in_its_summary() {
    let window = named("rolling-window").with("window", 1_i64).unwrap();
    let expected = [
        "opening: do it",
        "definitions: x2                            ; = integer",
        "calls: ;   get-inventory()",
        "output: printed 2",
        "last: turn 4 of 5",
    ];
    assert_eq!(borders(&story().last(&window)), expected);
}

/// Nothing is known of a user's own strategy.
#[test]
fn any_other_request_has_four_borders() {
    let story = story();
    let full = story.last(&named("full-history")).messages;
    let tokens = |text: &str| text.len() as u64;
    let run = story.run();
    let history = history_of(run.past(), &tokens);
    let kinds = |messages: Vec<ptc_eval::agent::Message>| -> Vec<(Border, usize)> {
        let rendered = recounted("own", &history.after(3), messages);
        rendered.borders.iter().map(|border| (border.kind, border.messages)).collect()
    };
    use Border::{Last, Opening, Settled, System};
    assert_eq!(kinds(full.clone()), [(System, 1), (Opening, 2), (Settled, 7), (Last, 8)]);
    assert_eq!(kinds(full[..1].to_vec()), [(Settled, 0), (System, 1), (Last, 1)]);
    assert_eq!(kinds(full[1..3].to_vec()), [(System, 0), (Opening, 1), (Settled, 1), (Last, 2)]);
}
