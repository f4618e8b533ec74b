//! The words of `ptc-eval effect` for changes that the logs show in part, or not at all.

use super::coding_agents::claude_session;
use super::effect::{applied, billed};
use super::first_screen::session;
use super::suite::Suite;
use ptc_eval::report::effect::{Effect, MoreSessions, SideSpread, may_be_chance};

const PI: &str = include_str!("../compactions/pi.kept.jsonl");
const OPENCODE: &str = include_str!("../compactions/opencode.kept.json");
const CLAUDE_CODE: &str = include_str!("../compactions/claude-code.kept.jsonl");

/// The screen of `effect` in one line.
fn screen_of(suite: &Suite, options: &[&str]) -> String {
    let ran = suite.run(&[&["effect", "before", "after"], options].concat());
    ran.ends(0).out.replace('\n', " ")
}

fn assert_words(screen: &str, present: &[&str], absent: &[&str]) {
    for text in present {
        assert!(screen.contains(text), "{text}: {screen}");
    }
    for text in absent {
        assert!(!screen.contains(text), "not {text}: {screen}");
    }
}

/// The same log with each match of a pattern replaced.
fn replaced(log: &str, pattern: &str, by: &str) -> String {
    regex::Regex::new(pattern).unwrap().replace_all(log, by).into_owned()
}

fn effect(after: f64, interval: (f64, f64)) -> Effect {
    Effect { compared: 9, requests: 9, after, before: 1.0, interval: Some(interval), fewest: 99 }
}

#[test]
fn a_verdict_agrees_with_its_interval() {
    let rows = [
        // Dearer than an extra cost that was predicted.
        (1.03, (0.02, 0.05), Some(0.01), "It is more than the predicted 1% more.", "was not reached"),
        (1.03, (0.02, 0.05), Some(-0.1), "The predicted 10% less was not reached.", "It is more"),
        // An end that prints as no change is none.
        (0.9, (-0.2, 0.000_3), Some(-0.1), "Both fit: the predicted 10% less, and no change.", "0% more"),
        (0.97, (-0.05, -0.000_3), None, "Cannot tell yet", "became cheaper"),
        (1.03, (0.000_3, 0.05), None, "Cannot tell yet", "became more"),
        // The interval decides, not the measured change.
        (1.0, (-0.05, -0.01), None, "Requests became cheaper: a request cost the same", "expensive"),
    ];
    for (after, interval, predicted, present, absent) in rows {
        let verdict = effect(after, interval).verdict(predicted);
        assert_words(&verdict, &[present], &[absent]);
    }
    // An interval from few sessions is too narrow.
    for (fewest, confidence) in
        [(10, "(95% confidence)"), (9, "(95% confidence, or less: a side has only 9 sessions)")]
    {
        let verdict = Effect { fewest, ..effect(0.9, (-0.12, -0.08)) }.verdict(None);
        assert_words(&verdict, &[confidence], &[]);
    }
    let sessions = |number| vec![vec![vec![1.0, 2.0]]; number];
    assert_eq!(Effect::of(&sessions(12), &sessions(3)).unwrap().fewest, 3);
}

#[test]
fn more_sessions_answer_the_open_question() {
    let side = |sessions, width| SideSpread { sessions, width };
    // Both sides need 300 together, those after it alone more than anyone is asked for.
    let undecided = effect(0.9, (-0.3, 0.1));
    let more = MoreSessions::estimate(&undecided, None, [side(50, 0.1876), side(50, 0.4)]);
    assert_eq!(more, Some(MoreSessions::About { before: 150, after: 150 }));
    // The cost fell, and only the prediction is open.
    let fell = effect(0.8, (-0.4, -0.01));
    let sentence = MoreSessions::TooMany.sentence(&fell, Some(-0.195));
    assert_words(&sentence, &["show whether the prediction is reached"], &["decide it", "too small"]);
    // The prediction needs fewer sessions than no change.
    let near = effect(0.99, (-0.21, 0.19));
    let sentence = MoreSessions::About { before: 0, after: 12 }.sentence(&near, Some(-0.11));
    assert!(
        sentence.starts_with("About 12 more sessions after the change would show whether the prediction is"),
        "{sentence}"
    );
    let sentence = MoreSessions::TooMany.sentence(&effect(0.999, (-0.3, 0.3)), None);
    assert_words(&sentence, &["decide it: the measured change is too small"], &["prediction"]);
}

#[test]
fn few_lost_facts_more_may_be_chance() {
    for (one, other, is_chance) in [
        ((0, 40), (1, 60), true),
        ((0, 40), (30, 60), false),
        ((2, 3), (3, 3), true),
        ((40, 40), (60, 60), true),
        ((0, 500), (20, 500), false),
    ] {
        assert_eq!(may_be_chance(one, other), is_chance, "{one:?} {other:?}");
        assert_eq!(may_be_chance(other, one), is_chance, "{other:?} {one:?}");
    }
}

/// The same log, whose results name each file three turns before an answer uses it.
fn named_early(log: &str) -> String {
    let named = regex::Regex::new(r"_(\d+)\.txt filler").unwrap();
    let name = |found: &regex::Captures<'_>| {
        let turn: usize = found[1].parse().unwrap();
        format!("_{}.txt filler", turn + 2)
    };
    named.replace_all(log, name).into_owned()
}

#[test]
fn lost_facts_are_compared_if_both_sides_have_answers_with_facts() {
    let suite = Suite::with(&[]);
    let nameless = |run: usize| replaced(&billed(run, 24), r#""file":"[^"]*""#, r#""file":"x""#);
    for run in 0..3 {
        suite.write(&format!("before/{run}.jsonl"), &named_early(&applied(run, (24, 1), false)));
        suite.write(&format!("after/{run}.jsonl"), &named_early(&applied(run + 3, (1, 1), false)));
        suite.write(&format!("nameless/{run}.transcript.json"), &nameless(run));
    }
    let screen = screen_of(&suite, &[]);
    assert_words(&screen, &["Lost facts: more than before. "], &[]);
    let ran = suite.run(&["effect", "nameless", "after"]);
    assert_words(
        &ran.ends(0).out.replace('\n', " "),
        &["Lost facts: unknown before the change, since no answer there", "Of those after it, "],
        &["on both sides"],
    );
    let ran = suite.run(&["effect", "before", "nameless"]);
    let known = "Of those before it, 0 of ";
    assert_words(&ran.ends(0).out.replace('\n', " "), &["Lost facts: unknown after the change", known], &[]);
    let ran = suite.run(&["effect", "nameless", "nameless"]);
    assert_words(&ran.ends(0).out, &["Lost facts: unknown on both sides"], &["Of those"]);
}

/// A session and its subagents are one sample, and a session without token counts is none.
#[test]
fn a_subagent_is_no_session() {
    let suite = Suite::with(&[]);
    for (side, name) in [("before", "a"), ("after", "b")] {
        suite.write(&format!("{side}/{name}.jsonl"), &claude_session(name, None, 6));
        let agent = format!("a-{name}");
        let place = format!("{side}/{name}/subagents/agent-{agent}.jsonl");
        suite.write(&place, &claude_session(name, Some(&agent), 5));
        let unbilled = replaced(&session(&format!("{name}x"), 6, 0), r#","usage":\{[^}]*\}"#, "");
        suite.write(&format!("{side}/unbilled.jsonl"), &unbilled);
    }
    let screen = screen_of(&suite, &[]);
    assert_words(
        &screen,
        &["Not enough data: ", "1 session of Claude Code with 1 subagent in before, 11 requests"],
        &["confidence"],
    );
}

/// Folders with one session too many are no reason to swap them.
#[test]
fn overlapping_folders_are_not_swapped() {
    let suite = Suite::with(&[]);
    for (place, day) in [("before/a", 5), ("before/b", 9), ("after/c", 4), ("after/d", 20)] {
        let log = session(&place.replace('/', "-"), 12, 0);
        suite.write(&format!("{place}.jsonl"), &log.replace("2026-03-05", &format!("2026-03-{day:02}")));
    }
    assert_words(
        &screen_of(&suite, &[]),
        &["the folders overlap: BEFORE ends on 9 Mar 2026, and AFTER begins on 4 Mar 2026."],
        &["swap"],
    );
}

/// A nested setting is named by its inner key: removing the outer one would remove other settings.
#[test]
fn a_nested_setting_is_removed_alone() {
    let cases = [
        ("jsonl", PI, "\"reserveTokens\"", "~/.pi/agent/settings.json"),
        ("json", OPENCODE, "\"input\"", "~/.config/opencode/opencode.json"),
        ("jsonl", CLAUDE_CODE, "\"autoCompactWindow\"", "~/.claude/settings.json"),
    ];
    for (ending, log, key, file) in cases {
        let suite = Suite::with(&[]);
        for name in ["a", "b"] {
            let free = replaced(&session(name, 12, 0), r#"(_tokens"):\d+"#, "$1:1");
            suite.write(&format!("before/{name}.jsonl"), &free);
            suite.write(&format!("after/{name}.{ending}"), log);
        }
        let setting = format!("Its setting: {key} in {file}.");
        assert_words(&screen_of(&suite, &[]), &[&setting], &[]);
    }
    let suite = Suite::with(&[]);
    for name in ["a", "b"] {
        let cheap = replaced(&session(name, 12, 0), r#"(_tokens"):\d+"#, "$1:9");
        suite.write(&format!("before/{name}.jsonl"), &cheap);
        let own = replaced(CLAUDE_CODE, r#""(u|mc|c)(\d+)""#, &format!("\"{name}-$1$2\""));
        let own = own
            .replace("staging host", &format!("host of {name}"))
            .replace(r#""sessionId": "s""#, &format!("\"sessionId\": \"{name}\""));
        suite.write(&format!("after/{name}.jsonl"), &own);
    }
    let undo = "What to do: remove \"autoCompactWindow\" from ~/.claude/settings.json, unless";
    assert_words(&screen_of(&suite, &[]), &[undo], &[]);
}

/// Nothing is denied where nobody looked.
#[test]
fn an_unknown_strategy_is_not_denied() {
    let suite = Suite::with(&[]);
    suite.write("before/a.jsonl", &session("a", 12, 0));
    suite.write("after/a.jsonl", CLAUDE_CODE);
    let other = "fold was not recognized, and the logs show another change, so its prediction";
    assert_words(&screen_of(&suite, &["--strategy", "fold"]), &[other], &["not on", "predicted"]);
    let same = Suite::with(&[]);
    same.write("before/a.jsonl", CLAUDE_CODE);
    same.write("after/a.jsonl", CLAUDE_CODE);
    let open = "fold may be on, but it was not recognized.";
    assert_words(&screen_of(&same, &["--strategy", "fold"]), &[open], &["not on"]);
    let preset = |tokens: u32| format!("claude-code,trigger={{tokens: {tokens}}}");
    assert_words(&screen_of(&same, &["--strategy", &preset(1_100)]), &[], &["not on", "not recognized"]);
    assert_words(&screen_of(&same, &["--strategy", &preset(100_000)]), &["is not on in the logs"], &[]);
}

/// Some lines belong to two strategies, so the given one is on. Another number of turns is another strategy.
#[test]
fn lines_and_sizes_are_compared_with_the_given_strategy() {
    let suite = Suite::with(&[]);
    for run in 0..3 {
        suite.write(&format!("before/{run}.jsonl"), &applied(run, (24, 1), false));
        suite.write(&format!("after/{run}.jsonl"), &applied(run + 3, (3, 8), false));
    }
    let on = "What changed: fold is on. Requests have the lines";
    assert_words(&screen_of(&suite, &["--strategy", "fold"]), &[on], &["not on"]);
    let regular = Suite::with(&[]);
    for run in 0..3 {
        // Before the change, requests had next to nothing.
        regular.write(&format!("before/{run}.jsonl"), &applied(run, (1, 1), true));
        regular.write(&format!("after/{run}.jsonl"), &applied(run + 3, (3, 5), false));
    }
    let masking = |step: u32| format!("observation-masking,step={step}");
    let undo = "What to do: remove the code that ptc-eval apply printed, unless";
    assert_words(&screen_of(&regular, &["--strategy", &masking(5)]), &[undo], &["not on"]);
    let denied = "observation-masking,step=10 is not on in the logs";
    assert_words(&screen_of(&regular, &["--strategy", &masking(10)]), &[denied], &[]);
}

/// Logs without cache writes do not show how long a cache was kept.
#[test]
fn an_unknown_lifetime_is_not_five_minutes() {
    let suite = Suite::with(&[]);
    let written = r#""cache_creation_input_tokens":(\d+)"#;
    for name in ["a", "b", "c"] {
        let unwritten = replaced(&session(name, 12, 0), written, r#""cache_creation_input_tokens":0"#);
        suite.write(&format!("before/{name}.jsonl"), &unwritten);
        let long = r#""cache_creation_input_tokens":$1,"cache_creation":{"ephemeral_1h_input_tokens":$1,"ephemeral_5m_input_tokens":0}"#;
        let log = replaced(&session(&format!("{name}{name}"), 12, 0), written, long);
        suite.write(&format!("after/{name}.jsonl"), &log);
    }
    assert_words(&screen_of(&suite, &[]), &["before the change not, as far as the logs show."], &["5 min"]);
}

/// The warning names the side whose cost is missing.
#[test]
fn answers_without_token_counts_are_missing_on_their_side() {
    let suite = Suite::with(&[]);
    for run in 0..3 {
        suite.write(&format!("before/{run}.transcript.json"), &billed(run, 24));
        let uncounted = billed(run + 3, 24).replace("\"output_tokens\":20,", "");
        suite.write(&format!("after/{run}.transcript.json"), &uncounted);
    }
    let warning = "Warning: 0% of the answers before and 100% after have no token count in the logs, so more of the \
                   cost is missing after the change. The real saving is smaller";
    assert_words(&screen_of(&suite, &[]), &[warning], &[]);
    let swapped = suite.run(&["effect", "after", "before"]).ends(0).out.replace('\n', " ");
    assert_words(&swapped, &["missing before the change. The real saving is larger"], &[]);
}
