//! The ten statistics (S4-15, S4-16) and the calls that a request hides.

use super::story::*;
use ptc_eval::compression::{Program, STRATEGIES, Variant};
use ptc_lisp::value::Value;
use serde_json::json;

/// A success, a failure that is corrected, and one that is not.
fn story() -> Story {
    let calls = |count: i64| (0..count).map(|index| call("t", vec![Value::Int(index)])).collect();
    Story::plain(vec![
        ok("").calls(calls(3)).prints(&["a", "b"]),
        failed("(oops)", "no").calls(calls(1)).prints(&["lost"]),
        ok("").calls(calls(2)).prints(&["c"]),
        failed("(oops)", "no").calls(calls(1)),
    ])
}

fn check(variant: Variant<'_>, expected: [u32; 5]) {
    let rendered = story().last(&variant);
    let statistics = rendered.statistics;
    let name = variant.name;
    let [turns, calls, prints, errors, hidden] = expected;
    assert_eq!(statistics.turns_compressed, turns, "turns of {name}");
    assert_eq!((statistics.tool_calls_total, statistics.tool_calls_shown), (5, calls), "calls of {name}");
    assert_eq!((statistics.printlns_total, statistics.printlns_shown), (3, prints), "prints of {name}");
    assert_eq!(statistics.error_turns_collapsed, errors, "errors of {name}");
    assert_eq!(rendered.hidden_tool_calls, hidden, "hidden calls of {name}");
}

/// S4-16: turns compressed, calls shown, prints shown, errors collapsed, calls hidden.
#[test]
fn statistics_say_what_is_shown() {
    let of = |name: &str, option: &str, value: i64| named(name).with(option, value).unwrap();
    check(named("full-history"), [0, 5, 3, 0, 0]);
    check(named("single-user-coalesced"), [4, 5, 3, 1, 2]);
    check(of("single-user-coalesced", "tool_call_limit", 4), [4, 4, 3, 1, 3]);
    check(of("single-user-coalesced", "println_limit", 1), [4, 5, 1, 1, 2]);
    check(named("per-turn-summary"), [0, 5, 3, 0, 0]);
    check(of("per-turn-summary", "error_context", 0), [2, 5, 3, 0, 0]);
    check(named("rolling-window"), [1, 5, 3, 0, 0]);
    check(of("rolling-window", "window", 1), [3, 5, 3, 1, 1]);
    check(named("aggressive"), [4, 5, 1, 1, 2]);
    check(named("turn-log"), [4, 5, 3, 1, 2]);
    check(of("trim", "keep_recent_turns", 2), [2, 2, 1, 1, 4]);
    check(of("observation-masking", "keep_recent_turns", 2), [2, 5, 1, 1, 0]);
}

/// S4-15: these ten keys and no others.
#[test]
fn statistics_have_ten_keys() {
    let statistics = story().last(&named("single-user-coalesced").called("mine")).statistics;
    assert_eq!(
        serde_json::to_value(statistics).unwrap(),
        json!({
            "enabled": true, "strategy": "mine", "turns_compressed": 4,
            "tool_calls_total": 5, "tool_calls_shown": 5, "tool_calls_dropped": 0,
            "printlns_total": 3, "printlns_shown": 3, "printlns_dropped": 0,
            "error_turns_collapsed": 1,
        })
    );
}

/// `enabled` is false for `full-history`, and true for others from the first request on.
#[test]
fn enabled_says_whether_the_strategy_compresses() {
    for strategy in STRATEGIES {
        let statistics = story().after(&named(strategy.name), 0).statistics;
        assert_eq!(statistics.enabled, strategy.name != "full-history");
    }
}

/// An empty print makes no line under `aggressive`, so it is not shown.
#[test]
fn prints_without_a_line_are_not_counted() {
    let story = Story::plain(vec![ok("").prints(&["a", ""])]);
    let rendered = story.last(&named("aggressive"));
    assert_eq!(rendered.statistics.printlns_shown, 0);
    assert!(!rendered.messages[1].content.contains("output"));
}

/// A strategy in PTC-Lisp does not count: a print is shown where it has lines of its own, each place once.
#[test]
fn prints_are_found_in_texts() {
    let shown = |print: &str, content: &str| {
        let text = format!("(defn to-messages [turns memory opts] [{{:role :user :content {content:?}}}])");
        let program = Program::new("own.clj", &text);
        Story::plain(vec![ok("").prints(&[print, print])])
            .last(&Variant::new(&program))
            .statistics
            .printlns_shown
    };
    for (print, content, expected) in [
        ("one", "one", 1),
        ("one", "a one\none\none\none", 2),
        ("one\ntwo", "one\ntwo", 1),
        ("one\ntwo", "a\none\ntwo\nb\none\ntwo", 2),
        ("one\ntwo", "a one\ntwo", 0),
        ("one\ntwo", "one\ntwo b", 0),
        ("one\ntwo", "a one\ntwo\nb", 0),
    ] {
        assert_eq!(shown(print, content), expected, "{print:?} in {content:?}");
    }
}
