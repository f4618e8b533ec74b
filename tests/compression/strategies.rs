//! The requests of each strategy for one run.

use std::sync::Arc;

use super::story::*;
use ptc_eval::agent::{Pauses, PromptFrame, Role};
use ptc_eval::compression::{STRATEGIES, history_of};
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;
use serde_json::{Value as Json, json};

/// Two successful turns, a failed one, and one that corrects it.
fn shopping() -> Story {
    let search = call("search-reviews", vec![Value::from("Electronics")]);
    let first = ok("(def electronics (pick))")
        .defines(vec![
            documented(value("electronics", products(4)), "In this category"),
            documented(function("pricey?", &["[p]"]), "Costs over 100"),
        ])
        .calls(vec![search])
        .gives(Value::Var(ptc_lisp::symbol::Symbol::new("electronics")));
    let second = ok("(println …)").prints(&["Found 5", "matching"]).gives(Value::Nil);
    let third = failed("(oops)", "Undefined name: oops")
        .calls(vec![call("get-inventory", vec![])])
        .prints(&["so far"]);
    let fourth = ok("(def total 3)").defines(vec![value("total", Value::Int(3))]).gives(Value::Int(3));
    let mut agent = agent();
    agent.max_turns = 6;
    Story::of(agent, vec![first, second, third, fourth])
}

/// S2-22, S3-16, ARC-010: raw responses unchanged, observations with the prints.
#[test]
fn full_history_sends_everything() {
    assert_eq!(
        shopping().messages("full-history"),
        "[user]
Do it
[assistant]
```clojure
(def electronics (pick))
```
[user]
Result: #'electronics

Turn 2 of 6
[assistant]
```clojure
(println …)
```
[user]
Result: nil

;; Output:
Found 5
matching

Turn 3 of 6
[assistant]
```clojure
(oops)
```
[user]
Error: Undefined name: oops

;; Output:
so far

Turn 4 of 6
[assistant]
```clojure
(def total 3)
```
[user]
Result: 3

Turn 5 of 6"
    );
}

/// ARC-008, ARC-011, AMB-012, MIG-004, MSG-006: SYSTEM is the same under every strategy, on every turn, for
/// every agent.
#[test]
fn system_is_static() {
    let story = shopping();
    let expected = story.after(&named("full-history"), 0).messages[0].clone();
    assert_eq!(expected.role, Role::System);
    for strategy in STRATEGIES {
        for completed in 0..=4 {
            let messages = story.after(&named(strategy.name), completed).messages;
            assert_eq!(messages[0], expected, "{} after {completed}", strategy.name);
        }
    }
    assert_eq!(Story::of(shop_agent(), vec![]).last(&named("aggressive")).messages[0], expected);
    let mut framed = agent();
    framed.system_prompt = PromptFrame {
        prefix: Some("Be careful.".into()),
        suffix: Some("Be brief.".into()),
        ..PromptFrame::default()
    };
    let system = Story::of(framed, vec![]).last(&named("aggressive")).messages[0].content.clone();
    assert_eq!(system, format!("Be careful.\n\n{}\n\nBe brief.", expected.content));
}

/// S1-16, S1-17, S1-20, S1-27, S2-25: the failed turn and the one before it stay whole.
#[test]
fn per_turn_summary_replaces_programs_by_what_they_left() {
    assert_eq!(
        shopping().messages("per-turn-summary"),
        r#"[user]
Do it
[assistant]
; Tool calls:
;   search-reviews("Electronics")
; Function: pricey? - "Costs over 100"
; Defined: electronics - "In this category" = list[4], sample: {:name "Laptop", :price 1200, :category "Electronics"}
[user]
Turn 2 of 6
[assistant]
```clojure
(println …)
```
[user]
Result: nil

;; Output:
Found 5
matching

Turn 3 of 6
[assistant]
```clojure
(oops)
```
[user]
Error: Undefined name: oops

;; Output:
so far

Turn 4 of 6
[assistant]
; Defined: total = integer, sample: 3
[user]
Turn 5 of 6"#
    );
}

/// Limits apply to all summarized turns, names are listed at their last definition, a turn may leave nothing.
#[test]
fn per_turn_summary_keeps_the_newest() {
    let story = Story::plain(vec![
        ok("").prints(&["a", "b"]).defines(vec![value("x", Value::Int(1))]).calls(vec![call("t", vec![])]),
        ok("").prints(&["c"]).defines(vec![function("f", &["[]"])]).calls(vec![call("u", vec![])]),
        ok("").defines(vec![value("x", Value::Int(2))]).calls(vec![loose_call("v", vec![], Value::Int(1))]),
    ]);
    let variant = named("per-turn-summary").with("println_limit", 1i64).unwrap();
    let rendered = story.last(&variant.with("tool_call_limit", 2i64).unwrap());
    assert_eq!(
        script(&rendered.messages),
        "[user]
Do it
[assistant]
; Nothing to show
[user]
Turn 2 of 5
[assistant]
; Tool calls:
;   u()
; Function: f
; Output:
c
[user]
Turn 3 of 5
[assistant]
; Tool calls:
;   v() -> integer, sample: 1
; Defined: x = integer, sample: 2
[user]
Turn 4 of 5"
    );
}

/// S2-24
#[test]
fn rolling_window_shows_the_last_turns_whole() {
    let story = shopping();
    let rendered = story.last(&named("rolling-window").with("window", 1i64).unwrap());
    assert_eq!(
        script(&rendered.messages),
        r#"[user]
Do it

;; === user/ (your prelude) ===
(pricey? [p])                 ; "Costs over 100"
electronics                   ; "In this category" = list[4]

;; Tool calls made:
;   search-reviews("Electronics")

;; Output:
Found 5
matching
[assistant]
```clojure
(def total 3)
```
[user]
Result: 3

Turn 5 of 6"#
    );
    // Only the older turns decide about samples: here the print is inside the window.
    let rendered = story.last(&named("rolling-window"));
    assert!(rendered.messages[1].content.contains("list[4], sample: {:name"));
    // With no older turns it is full-history.
    let early = story.after(&named("rolling-window"), 3).messages;
    assert_eq!(early, story.after(&named("full-history"), 3).messages);
}

/// S2-26
#[test]
fn aggressive_shows_shapes_only() {
    let search = || call("search-reviews", vec![]);
    let wide =
        map((0..9).map(|index| (["a", "b", "c", "d", "e", "f", "g", "h", "i"][index], Value::Nil)).collect());
    let turn = ok("")
        .defines(vec![
            value("electronics", products(4)),
            value("total", Value::Int(3)),
            function("pricey?", &["[p]"]),
            value("wide", wide),
            value("none", Value::vector(vec![])),
            value("empty", map(vec![])),
        ])
        .calls(vec![search(), call("get-inventory", vec![]), search(), search()])
        .prints(&["not this", "two\r\n\nlines"]);
    let failure = failed("(oops)", &format!("bad\n{}", "é".repeat(250)));
    let mut agent = shop_agent();
    agent.tools.push(tool("zip", None, Some("Not shown")));
    agent.data = bindings(vec![("category", Value::from("x")), ("products", products(7))]);
    let expected = format!(
        r#"[user]
Find well-reviewed products in stock

;; tool: get-inventory() -> :map, search-reviews(query :string) -> :string, zip(...)
;; data: category string products list[7]{{:name :price :category}}
;; return: [{{name :string}}]
;; user: (pricey? [p]) electronics list[4]{{:name :price :category}} total integer wide map[9]{{"a" "b" "c" "d" "e" "f" "g" "h" ...}} none list[0] empty map[0]
;; calls: search-reviews x3, get-inventory
;; output: two lines
;; error: bad {}...

Turns left: 3"#,
        "é".repeat(196)
    );
    assert_eq!(Story::of(agent, vec![turn, failure]).messages("aggressive"), expected);
    assert_eq!(Story::plain(vec![]).messages("aggressive"), "[user]\nDo it\n\nTurns left: 5");
}

/// One message per successful turn, as it was when the turn ended.
#[test]
fn turn_log_appends() {
    let story = shopping();
    assert_eq!(
        script(&story.after(&named("turn-log"), 3).messages),
        r#"[user]
Do it
[user]
;; === turn 1 ===
(pricey? [p])                 ; "Costs over 100"
electronics                   ; "In this category" = list[4], sample: {:name "Laptop", :price 1200, :category "Electronics"}
;; Tool calls made:
;   search-reviews("Electronics")
[user]
;; === turn 2 ===
;; Output:
Found 5
matching
[user]
---
Your previous attempt:
```clojure
(oops)
```

Error: Undefined name: oops
---

Turns left: 3"#
    );
    let last = story.messages("turn-log");
    assert!(last.ends_with(
        "[user]\n;; === turn 4 ===\ntotal                         ; = integer, sample: 3\n[user]\nTurns left: 2"
    ));
    let idle = Story::plain(vec![ok(""), ok("")]);
    assert_eq!(idle.messages("turn-log"), "[user]\nDo it\n[user]\nTurns left: 3");
}

/// A log does not change when a later turn redefines a name.
#[test]
fn turn_log_shows_what_each_turn_defined() {
    let story = Story::plain(vec![
        ok("").defines(vec![value("x", Value::Int(1)), value("y", Value::Int(1))]),
        ok("").defines(vec![value("z", Value::Nil), value("x", Value::Nil)]),
    ]);
    assert_eq!(
        story.messages("turn-log"),
        "[user]
Do it
[user]
;; === turn 1 ===
x                             ; = integer, sample: 1
y                             ; = integer, sample: 1
[user]
;; === turn 2 ===
x                             ; = nil
z                             ; = nil
[user]
Turns left: 3"
    );
}

#[test]
fn trim_forgets_older_turns() {
    let story = shopping();
    let all = story.last(&named("full-history")).messages;
    let kept = story.last(&named("trim").with("keep_recent_turns", 1i64).unwrap()).messages;
    assert_eq!(kept, [&all[..2], &all[all.len() - 2..]].concat());
    assert_eq!(story.after(&named("trim"), 3).messages, story.after(&named("full-history"), 3).messages);
}

#[test]
fn observation_masking_forgets_older_feedback() {
    let rendered = shopping().last(&named("observation-masking").with("keep_recent_turns", 1i64).unwrap());
    assert_eq!(
        script(&rendered.messages),
        "[user]
Do it
[assistant]
```clojure
(def electronics (pick))
```
[user]
[output of turn 1 omitted: 21 characters]

Turn 2 of 6
[assistant]
```clojure
(println …)
```
[user]
[output of turn 2 omitted: 40 characters]

Turn 3 of 6
[assistant]
```clojure
(oops)
```
[user]
[output of turn 3 omitted: 46 characters]

Turn 4 of 6
[assistant]
```clojure
(def total 3)
```
[user]
Result: 3

Turn 5 of 6"
    );
}

/// SS-001, S1-22, S4-18: one turn, nothing to compress.
#[test]
fn a_single_shot_is_never_compressed() {
    let mut single = shop_agent();
    single.max_turns = 1;
    let story = Story::of(single, vec![]);
    let expected = story.last(&named("full-history")).messages;
    for strategy in STRATEGIES {
        let rendered = story.last(&named(strategy.name));
        assert_eq!(rendered.messages, expected);
        assert!(!rendered.statistics.enabled);
        assert_eq!(rendered.statistics.strategy, strategy.name);
    }
    assert!(expected[1].content.ends_with(";; Return: [{name :string}]"));
}

/// Sampling never walks a whole value: one that holds itself twice, sixty levels deep, has more elements
/// than could ever be walked, and every strategy shows it at once.
#[test]
fn values_of_any_size_are_shown() {
    let deep = |empty: Value| (0..60).fold(empty, |inner, _| Value::vector(vec![inner.clone(), inner]));
    let huge = map(vec![(":rows", deep(Value::from("row")))]);
    let turns = vec![
        ok("(def huge …)").gives(huge.clone()).defines(vec![value("huge", huge.clone())]),
        ok("(tool/look huge)").calls(vec![loose_call("look", vec![huge.clone()], huge.clone())]),
        ok("(set huge)").gives(deep(huge.clone())).defines(vec![value("deep", deep(huge))]),
    ];
    let story = Story::plain(turns);
    for strategy in STRATEGIES {
        let rendered = story.last(&named(strategy.name));
        assert!(rendered.messages.iter().map(|message| message.content.len()).sum::<usize>() < 20_000);
    }
}

#[test]
fn aggressive_shows_eight_keys() {
    let shown = |count: i64| {
        let keys: Map = (0..count).map(|key| (Value::Int(key), Value::Nil)).collect();
        Story::plain(vec![ok("").defines(vec![value("x", Value::map(keys))])]).middle(&named("aggressive"))
    };
    assert_eq!(shown(8), ";; user: x map[8]{0 1 2 3 4 5 6 7}");
    assert_eq!(shown(9), ";; user: x map[9]{0 1 2 3 4 5 6 7 ...}");
}

/// Each summary shows the state at the end of its turn. Failed turns stay whole, and so do turns shorter than
/// their summary.
#[test]
fn fold_puts_summaries_in_place_of_turns() {
    let long = || ok(&"(step) ".repeat(60));
    let story = Story::plain(vec![
        failed("(oops)", "no"),
        long().defines(vec![value("old", Value::Int(1)), value("all", ints(0..300))]),
        long().defines(vec![value("old", Value::Int(2))]),
        ok("").prints(&["a"]),
    ]);
    let tokens = |text: &str| text.len() as u64;
    let run = story.run();
    let history = history_of(run.past(), &tokens);
    let fold = |items: i64| {
        let fold = named("fold").with("into", "summary").unwrap().with("keep_recent_turns", 1_i64).unwrap();
        fold.with("write", 0_i64).unwrap().with("sample_limit", items).unwrap()
    };
    let after = |items: i64, completed: usize| fold(items).render(&history.after(completed)).unwrap();
    assert_eq!(after(300, 3).messages, story.after(&named("full-history"), 3).messages);
    assert_ne!(after(1, 3).messages, after(300, 3).messages);
    let folded = after(1, 4);
    assert_eq!(folded.messages[2].content, "```clojure\n(oops)\n```");
    assert_eq!(
        folded.messages[4].content,
        "; Defined: old = integer, sample: 1\n; Defined: all = list[300], sample: [0 ...] (300 items, showing first 1)"
    );
    assert_eq!(folded.messages[6].content, "; Defined: old = integer, sample: 2");
    assert_eq!((folded.statistics.turns_compressed, folded.statistics.error_turns_collapsed), (2, 0));
}

/// A turn has 49 tokens, 21 of them in its answer, and a mask removes 12. With `n` turns since the last fold the rent is
/// 0.6 · 12 · (1 + … + (n - 1)), and 37n - 58 tokens are sent again at 0.6 each: 72 < 76.2 for 5, 108 > 98.4 for 6.
#[test]
fn fold_waits_until_it_pays() {
    let mut story = Story::plain(vec![ok("pp"); 6]);
    story.agent.max_turns = 9;
    let fold = named("fold").with("keep_recent_turns", 1_i64).unwrap();
    let fold = fold.with("read", 0.6).unwrap().with("write", 1.2).unwrap();
    let folded = |completed| script(&story.after(&fold, completed).messages).matches("omitted").count();
    assert_eq!([0, 1, 2, 3, 4, 5, 6].map(folded), [0, 0, 0, 0, 0, 0, 5]);
}

/// A pause is one to compress after if it is long enough, and the request before it large enough.
#[test]
fn a_trigger_by_idle_time_waits_for_a_pause() {
    let trimmed = |pause: &str, bounds: Json, completed: usize| {
        let mut story = Story::plain(vec![ok("pp"); 6]);
        story.agent.max_turns = 9;
        story.agent.pauses = Arc::new(Pauses::from_turns([(4, pause.parse().unwrap())]));
        let trim = named("trim").with("keep_recent_turns", 1_i64).unwrap().with("trigger", bounds).unwrap();
        story.after(&trim, completed).statistics.enabled
    };
    let idle = json!({"idle": "54m"});
    assert_eq!([2, 3, 4].map(|completed| trimmed("54m", idle.clone(), completed)), [false, true, true]);
    assert_eq!([3, 4].map(|completed| trimmed("53m", idle.clone(), completed)), [false, false]);
    let large = |tokens: i64| json!({"idle": "54m", "idle_tokens": tokens});
    assert!(trimmed("54m", large(1), 3) && !trimmed("54m", large(1_000_000), 3));
    // Either bound is enough.
    assert!(trimmed("1m", json!({"idle": "54m", "turns": 2}), 3));
}

/// What the cache does not hold any more is sent again anyway, so leaving it out costs nothing.
#[test]
fn fold_leaves_out_all_that_it_can_after_a_pause() {
    let folded = |pause: &str, ttl: i64, completed: usize| {
        let mut story = Story::plain(vec![ok("pp"); 6]);
        story.agent.max_turns = 9;
        story.agent.pauses = Arc::new(Pauses::from_turns([(4, pause.parse().unwrap())]));
        let fold = named("fold").with("keep_recent_turns", 1_i64).unwrap();
        let fold = fold.with("read", 0.6).unwrap().with("write", 1.2).unwrap();
        let fold = fold.with("ttl", ttl).unwrap();
        script(&story.after(&fold, completed).messages).matches("omitted").count()
    };
    assert_eq!([2, 3, 4, 5].map(|completed| folded("301s", 300, completed)), [0, 2, 2, 2]);
    assert_eq!([3, 4].map(|completed| folded("300s", 300, completed)), [0, 0]);
    assert_eq!([3, 4].map(|completed| folded("24h", 0, completed)), [0, 0]);
}

/// The first turn has nothing to leave out, so only what follows the second is sent again: 0.6 · 28 > 0.6 · 16.
#[test]
fn fold_counts_from_the_first_turn_that_changes() {
    let tokens = |text: &str| text.len() as u64 / 2;
    let printed = ok("pp").prints(&["x".repeat(43)]);
    let story = Story::plain(vec![ok("pp"), printed.clone(), printed]);
    let run = story.run();
    let history = history_of(run.past(), &tokens);
    let fold = named("fold").with("keep_recent_turns", 1_i64).unwrap();
    let fold = fold.with("read", 0.6).unwrap().with("write", 1.2).unwrap();
    let request = fold.render(&history.after(3)).unwrap();
    assert_eq!(script(&request.messages).matches("omitted").count(), 1);
}

/// The same numbers decide what both write of a turn that left nothing.
#[test]
fn strategies_share_a_history() {
    let story = Story::plain(vec![ok(""), ok("")]);
    let tokens = |text: &str| text.len() as u64;
    let run = story.run();
    let history = history_of(run.past(), &tokens);
    for strategy in ["turn-log", "per-turn-summary"] {
        let shared = named(strategy).render(&history.after(2)).unwrap();
        assert_eq!(script(&shared.messages), story.messages(strategy), "{strategy}");
    }
}

#[test]
fn results_of_excluded_tools_stay() {
    let turn = |tool: &str| ok("(f)").calls(vec![call(tool, vec![])]).prints(&[format!("from {tool}")]);
    let story = Story::plain(vec![turn("a"), turn("b"), turn("a"), turn("c")]);
    let clear = named("clear-tool-results").with("keep", 1_i64).unwrap();
    let clear = clear.with("trigger", json!({"tokens": 1})).unwrap();
    let clear = clear.with("exclude_tools", json!(["a"])).unwrap();
    let text = script(&story.last(&clear).messages);
    assert_eq!(["from a", "from b", "from c"].map(|print| text.matches(print).count()), [2, 0, 1]);
}

/// Results go once a request is larger than the trigger, and only until it is not.
#[test]
fn results_are_cleared_above_the_trigger() {
    let turn = |print: &str| ok("(f)").calls(vec![call("t", vec![])]).prints(&[print]);
    let story = Story::plain(vec![turn(&"long ".repeat(100)), turn("b"), turn("c")]);
    let tokens = |text: &str| text.len() as u64;
    let run = story.run();
    let history = history_of(run.past(), &tokens);
    let size = history.after(2).full_history_tokens() as i64;
    let omitted = |trigger: i64, completed: usize| {
        let trigger = json!({"tokens": trigger});
        let clear =
            named("clear-tool-results").with("keep", 1_i64).unwrap().with("trigger", trigger).unwrap();
        script(&clear.render(&history.after(completed)).unwrap().messages).matches("omitted").count()
    };
    assert_eq!((omitted(size, 2), omitted(size - 1, 2), omitted(size - 1, 3)), (0, 1, 1));
    // A share of the window counts as its tokens do.
    let omitted = |tokens: u32| {
        let trigger = json!({"window": 0.5});
        let clear =
            named("clear-tool-results").with("keep", 1_i64).unwrap().with("trigger", trigger).unwrap();
        let clear = clear.for_window(Some(2 * tokens));
        script(&clear.render(&history.after(2)).unwrap().messages).matches("omitted").count()
    };
    let size = size as u32;
    assert_eq!((omitted(size), omitted(size - 1)), (0, 1));
}
