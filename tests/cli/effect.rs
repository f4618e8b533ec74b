//! `ptc-eval effect`: logs from before and after a change.

use serde_json::json;

use super::first_screen::session;
use super::suite::Suite;
use ptc_eval::report::effect::{Effect, MoreSessions, SideSpread};

/// The same sessions cost the same, whatever their number and order.
#[test]
fn equal_sessions_have_no_effect() {
    let suite = Suite::with(&[]);
    for name in ["a", "b", "c"] {
        suite.write(&format!("before/{name}.jsonl"), &session(name, 30, 0));
        suite.write(&format!("after/{name}.jsonl"), &session(&format!("{name}{name}"), 12, 0));
    }
    let ran = suite.run(&["effect", "before", "after"]);
    assert!(ran.ends(0).out.starts_with("Nothing changed: "), "the verdict comes first: {}", ran.out);
    ran.says("before: 3 sessions of Claude Code in before, 90 requests, $").says(", 5 Mar 2026\n");
    ran.says("after:  3 sessions of Claude Code in after, 36 requests, $");
    ran.says("Nothing changed: a request cost the same after the change, between no change and\nno change (95% confidence, or less: a side has only 3 sessions).\n");
    ran.says("What to do: check that the change is on.").says("which is one call of the model: $");
    ran.says("History was shortened: before never; after never.\n");
    assert!(
        !ran.out.contains("Warning"),
        "one model, and no later session before an earlier one: {}",
        ran.out
    );
}

/// Requests later than all before the change are left out, and the screen says why.
#[test]
fn requests_left_out_are_explained() {
    let suite = Suite::with(&[]);
    for name in ["a", "b", "c"] {
        suite.write(&format!("before/{name}.jsonl"), &session(name, 12, 0));
        suite.write(&format!("after/{name}.jsonl"), &session(&format!("{name}{name}"), 30, 0));
    }
    let screen = suite.run(&["effect", "before", "after"]).ends(0).out.replace('\n', " ");
    let sentence = "Requests compared: 36 of 90 after the change. The longest session before it has 12 requests, so \
                    later ones have nothing to be compared with.";
    assert!(screen.contains(sentence), "{screen}");
}

/// Sessions are compared at the same places: longer ones are not dearer because they are longer.
#[test]
fn a_break_after_which_the_cache_expired_is_an_effect() {
    let suite = Suite::with(&[]);
    for name in ["a", "b", "c"] {
        suite.write(&format!("before/{name}.jsonl"), &session(name, 30, 20));
        suite.write(&format!("after/{name}.jsonl"), &session(&format!("{name}{name}"), 30, 0));
    }
    let ran = suite.run(&["effect", "before", "after", "--strategy", "fold"]);
    ran.ends(0);
    assert!(ran.out.starts_with("Requests became cheaper: a request cost "), "{}", ran.out);
    let screen = ran.out.replace('\n', " ");
    for text in [
        "% less after the change; the true change is between ",
        "ptc-eval replayed the 3 sessions from before the change with fold. No model was called.",
        // The cache expired before the change, which no setting explains.
        "What to do: find the cause. The logs show no setting that was switched on",
        "fold may be on, but it was not recognized.",
    ] {
        assert!(screen.contains(text), "{text}: {screen}");
    }
}

/// The verdict that each interval supports, with and without a predicted change.
#[test]
fn a_verdict_says_what_the_interval_allows() {
    let rows = [
        (None, Some(-0.1), "Not enough data: a request cost the same after the change, but with one session"),
        (Some((0.0, 0.0)), None, "Nothing changed: "),
        (Some((0.0, 0.0)), Some(-0.1), "The predicted 10% less was not reached."),
        (
            Some((-0.32, 0.84)),
            None,
            "Cannot tell yet whether the change saves money: a request cost the same after it",
        ),
        (Some((-0.32, 0.84)), Some(-0.1), "anything between 32% less and 84% more (95% confidence)."),
        (
            Some((-0.32, 0.84)),
            Some(-0.1),
            "All of these fit: the predicted 10% less, no change, and 84% more.",
        ),
        (Some((-0.05, 0.04)), Some(-0.2), "Cannot tell yet whether the change saves money: "),
        (Some((-0.05, 0.04)), Some(-0.2), "It is not the predicted 20% less."),
        (
            Some((-0.12, -0.08)),
            Some(-0.1),
            "; the true change is between 12% less and 8% less (95% confidence).",
        ),
        (Some((-0.12, -0.08)), Some(-0.1), "That confirms the predicted 10% less."),
        (
            Some((-0.6, -0.02)),
            Some(-0.3),
            "The predicted 30% less fits, but the range is too wide to confirm it.",
        ),
        (Some((-0.12, -0.08)), Some(-0.2), "The predicted 20% less was not reached."),
        (Some((-0.12, -0.08)), Some(-0.01), "That is better than the predicted 1% less."),
    ];
    for (interval, predicted, text) in rows {
        let effect = Effect { compared: 9, requests: 9, after: 1.0, before: 1.0, interval, fewest: 99 };
        let verdict = effect.verdict(predicted);
        assert!(verdict.contains(text), "{interval:?} {predicted:?}: {verdict}");
    }
    for (after, interval, text) in [
        (0.9, (-0.12, -0.08), "Requests became cheaper: a request cost 10% less after the change; "),
        (1.057, (0.02, 0.09), "Requests became more expensive: a request cost 5.7% more after the change; "),
        (
            1.057,
            (-0.02, 0.09),
            "Cannot tell yet whether the change saves money: a request cost 5.7% more after it, ",
        ),
    ] {
        let effect =
            Effect { compared: 9, requests: 9, after, before: 1.0, interval: Some(interval), fewest: 99 };
        assert!(effect.verdict(None).starts_with(text), "{}", effect.verdict(None));
    }
}

/// The interval narrows with the root of the number of sessions.
#[test]
fn the_number_of_missing_sessions_follows_from_the_interval() {
    let side = |sessions, width| SideSpread { sessions, width };
    let effect =
        |after, interval| Effect { compared: 9, requests: 9, after, before: 1.0, interval, fewest: 99 };
    let rows = [
        // The half below zero change, 20 points, has to become 10: a quarter of the variance, so four times the sessions.
        (0.9, (-0.3, 0.1), None, [side(50, 0.0), side(4, 0.4)], MoreSessions::About { before: 0, after: 12 }),
        (0.9, (-0.3, 0.1), None, [side(4, 0.4), side(50, 0.0)], MoreSessions::About { before: 12, after: 0 }),
        // Each side alone has more than a quarter of the variance.
        (0.9, (-0.3, 0.1), None, [side(5, 0.3), side(5, 0.3)], MoreSessions::About { before: 15, after: 15 }),
        // Sessions after the change alone are preferred, if they are not many more.
        (0.9, (-0.3, 0.1), None, [side(9, 0.2), side(5, 0.4)], MoreSessions::About { before: 0, after: 75 }),
        // Ruling out the prediction needs less than ruling out no change.
        (
            0.99,
            (-0.21, 0.19),
            Some(-0.11),
            [side(50, 0.0), side(4, 0.4)],
            MoreSessions::About { before: 0, after: 12 },
        ),
        // The range is twice as wide as the predicted change.
        (
            0.8,
            (-0.4, -0.01),
            Some(-0.195),
            [side(50, 0.0), side(4, 0.39)],
            MoreSessions::About { before: 0, after: 12 },
        ),
        (0.999, (-0.3, 0.3), None, [side(5, 0.3), side(5, 0.3)], MoreSessions::TooMany),
    ];
    for (after, interval, predicted, sides, expected) in rows {
        let more = MoreSessions::estimate(&effect(after, Some(interval)), predicted, sides);
        assert_eq!(more, Some(expected), "{after} {interval:?} {predicted:?}");
    }
    let decided = effect(0.9, Some((-0.12, -0.08)));
    assert_eq!(MoreSessions::estimate(&decided, Some(-0.1), [side(5, 0.1), side(5, 0.1)]), None);
    assert_eq!(MoreSessions::of(&effect(0.9, None), None, &[], &[]), Some(MoreSessions::Unknown));
    let undecided = effect(0.9, Some((-0.3, 0.1)));
    let sentence = MoreSessions::About { before: 0, after: 12 }.sentence(&undecided, None);
    assert_eq!(sentence, "About 12 more sessions after the change would decide it, if they are like these.");
    let sentence = MoreSessions::About { before: 1, after: 2 }.sentence(&undecided, None);
    assert!(
        sentence.starts_with("About 1 more session from before the change (older logs, or with the change switched off for a while) and 2 after"),
        "{sentence}"
    );
}

/// With as many sessions more as estimated, the same costs decide.
#[test]
fn the_estimated_sessions_decide() {
    let sessions = |number: usize, scale: f64, spread: f64| {
        let mut costs = Vec::new();
        for index in 0..number {
            let part = (index % 4) as f64 / 3.0 - 0.5;
            costs.push(vec![vec![scale * (1.0 + spread * part); 10]]);
        }
        costs
    };
    let (before, after) = (sessions(40, 1.0, 0.1), sessions(4, 0.9, 0.5));
    let effect = Effect::of(&before, &after).unwrap();
    let Some(MoreSessions::About { before: 0, after: more }) =
        MoreSessions::of(&effect, None, &before, &after)
    else {
        panic!("undecided by the sessions after the change: {}", effect.verdict(None));
    };
    assert!((4..40).contains(&more), "{more}");
    let decided = Effect::of(&before, &sessions((4 + more).next_multiple_of(4), 0.9, 0.5)).unwrap();
    assert!(decided.verdict(None).starts_with("Requests became cheaper"), "{}", decided.verdict(None));
    let undecided = Effect::of(&before, &sessions(8, 0.9, 0.5)).unwrap();
    assert!(
        more <= 4 || undecided.verdict(None).starts_with("Cannot tell yet"),
        "{more} {}",
        undecided.verdict(None)
    );
}

/// A strategy that was asked for is not compared with the effect of another change.
#[test]
fn another_change_is_not_compared_with_the_prediction() {
    let suite = Suite::with(&[]);
    for run in 0..3 {
        suite.write(&format!("before/{run}.transcript.json"), &billed(run, 24));
        suite.write(&format!("after/{run}.transcript.json"), &billed(run + 3, 3));
    }
    let ran = suite.run(&["effect", "before", "after", "--strategy", "trim,keep_recent_turns=20"]);
    let screen = ran.ends(0).out.replace('\n', " ");
    assert!(
        screen.contains(
            "trim,keep_recent_turns=20 is not on in the logs after the change, so its prediction ("
        ),
        "{screen}"
    );
    assert!(screen.contains("What changed: observation-masking is on."), "{screen}");
    assert!(!screen.contains("the predicted"), "{screen}");
}

/// The sessions of the two sides have to be sorted before anything else.
#[test]
fn sessions_in_the_wrong_order_come_first() {
    let suite = Suite::with(&[]);
    for name in ["a", "b", "c"] {
        suite.write(
            &format!("before/{name}.jsonl"),
            &session(name, 12, 0).replace("2026-03-05", "2026-03-09"),
        );
        suite.write(&format!("after/{name}.jsonl"), &session(&format!("{name}{name}"), 12, 0));
    }
    let ran = suite.run(&["effect", "before", "after"]);
    ran.ends(0).says("What to do first: swap BEFORE and AFTER: BEFORE begins later than AFTER.");
    assert!(!ran.out.contains("stays the same"), "the result is reversed: {}", ran.out);
}

/// Sessions of another model have another price, so the screen warns.
#[test]
fn another_model_is_no_effect_of_a_setting() {
    let suite = Suite::with(&[]);
    for name in ["a", "b", "c"] {
        suite.write(&format!("before/{name}.jsonl"), &session(name, 30, 0));
        let other = session(&format!("{name}{name}"), 30, 0).replace("claude-sonnet-4-5", "claude-opus-4-5");
        suite.write(&format!("after/{name}.jsonl"), &other);
    }
    let ran = suite.run(&["effect", "before", "after"]);
    ran.ends(0).says("Warning: most answers are by claude-").says("What to do: find the cause.");
    assert!(ran.out.replace('\n', " ").contains("may include that of the price."), "{}", ran.out);
}

#[test]
fn logs_without_bills_are_refused() {
    let suite = Suite::with(&[]);
    suite.write("before.json", &super::advise::log(6));
    suite
        .run(&["effect", "before.json", "before.json"])
        .ends(2)
        .complains("before.json has no costs to compare: no request has token counts");
    // Counts without cache reads have no price.
    let billed = billed(0, 24).replace("\"cached_tokens\":0,", "");
    suite.write("counted.transcript.json", &billed);
    suite
        .run(&["effect", "counted.transcript.json", "counted.transcript.json"])
        .ends(2)
        .complains("24 requests with token counts have no cache counts");
}

/// A conversation billed for the whole history, or for the newest results alone.
pub(super) fn billed(run: usize, kept: usize) -> String {
    let result = 3_000;
    let mut messages = vec![json!({"role": "user", "content": format!("Find the last file of run {run}.")})];
    for turn in 0..24_usize {
        let input = 400 + turn * 33 + result * turn.min(kept) + 7 * turn.saturating_sub(kept);
        let usage =
            json!({"input_tokens": input, "cached_tokens": 0, "output_tokens": 20, "model": "gpt-6.1-sol"});
        let call = json!({"id": format!("c{turn}"), "name": "read", "arguments": {"file": format!("file_{run}_{turn}.txt")}});
        messages.push(json!({"role": "assistant", "content": "", "tool_calls": [call], "usage": usage}));
        let text = format!("file_{run}_{}.txt{}", turn + 1, " filler".repeat(result));
        messages.push(json!({"role": "tool", "call": format!("c{turn}"), "content": text}));
    }
    json!({ "messages": messages }).to_string()
}

/// Logs keep the whole history, even if requests did not have it. The provider's token counts reveal the
/// strategy in use.
#[test]
fn the_strategy_is_recognized_by_the_sizes_of_requests() {
    let suite = Suite::with(&[]);
    for run in 0..3 {
        suite.write(&format!("before/{run}.transcript.json"), &billed(run, 24));
        suite.write(&format!("after/{run}.transcript.json"), &billed(run + 3, 3));
    }
    let ran = suite.run(&["effect", "before", "after"]);
    ran.ends(0).says("What changed: observation-masking is on. It explains the size of ").says(" predicted ");
    ran.says("What to do: keep observation-masking on.");
    let same = suite.run(&["effect", "before", "before"]);
    assert!(same.ends(0).out.contains("What changed: nothing that these logs show."), "{}", same.out);
}

/// Logs with compactions of a product name its strategy, with the size at which it compacted. Lines fit the terminal.
#[test]
fn the_compaction_of_a_product_is_recognized() {
    let suite = Suite::with(&[]);
    let log = include_str!("../compactions/claude-code.kept.jsonl");
    suite.write("same.jsonl", log);
    let ran = suite.run(&["effect", "same.jsonl", "same.jsonl"]);
    ran.ends(0)
        .says("History was shortened: before 1 compaction in 1 session at 1,100 tokens; after 1\ncompaction");
    ran.says(
        "What changed: nothing that these logs show. Claude Code compacts at about the\nsame size as before",
    );
    ran.says("give at least 2 on each side.");
    assert!(!ran.out.contains("redicted"), "nothing changed: {}", ran.out);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 80), "{}", ran.out);
}

/// Sessions with the long cache lifetime after the change are compared with the saving that `advise` computes for it.
#[test]
fn a_longer_cache_is_recognized_and_has_a_prediction() {
    let suite = Suite::with(&[]);
    let written = regex::Regex::new(r#""cache_creation_input_tokens":(\d+)"#).unwrap();
    for name in ["a", "b", "c"] {
        suite.write(&format!("before/{name}.jsonl"), &session(name, 30, 20));
        let long = session(&format!("{name}{name}"), 30, 0);
        let long = written.replace_all(
            &long,
            r#""cache_creation_input_tokens":$1,"cache_creation":{"ephemeral_1h_input_tokens":$1,"ephemeral_5m_input_tokens":0}"#,
        );
        suite.write(&format!("after/{name}.jsonl"), &long);
    }
    let ran = suite.run(&["effect", "before", "after"]);
    let screen = ran.ends(0).out.replace('\n', " ");
    for text in [
        "What changed: the cache is now kept for 1 h, before the change for 5 min.",
        " predicted ",
        "Its setting: \"promptCacheTtl\" in ~/.claude/settings.json.",
        "priced the 3 sessions from before the change as if the cache had been kept for 1 h.",
        "That confirms the predicted 1.4% more.",
        "What to do: remove \"promptCacheTtl\" from ~/.claude/settings.json, unless",
        "Lost facts: not more than before. ",
        "Dollars: the token counts of the logs at API prices",
    ] {
        assert!(screen.contains(text), "{text}: {screen}");
    }
}

/// The input tokens that a provider counts before a turn, with the newest `kept` results of 3,000 words.
fn input_tokens(turn: usize, kept: usize) -> usize {
    400 + turn * 33 + 3_000 * turn.min(kept) + 7 * turn.saturating_sub(kept)
}

/// The messages of a LangChain agent, all of them, with what the provider counted.
fn langchain(run: usize, kept: usize) -> String {
    let mut messages = vec![
        json!({"type": "human", "data": {"type": "human", "content": format!("Find the last file of run {run}.")}}),
    ];
    for turn in 0..24_usize {
        let call = json!({"type": "tool_call", "id": format!("c{turn}"), "name": "read", "args": {"file": format!("file_{run}_{turn}.txt")}});
        let usage = json!({"input_tokens": input_tokens(turn, kept), "output_tokens": 20, "input_token_details": {"cache_read": 0}});
        messages.push(json!({"type": "ai", "data": {"type": "ai", "content": "", "tool_calls": [call], "usage_metadata": usage, "response_metadata": {"model_name": "gpt-6.1-sol"}}}));
        let text = format!("file_{run}_{}.txt{}", turn + 1, " filler".repeat(3_000));
        messages.push(json!({"type": "tool", "data": {"type": "tool", "tool_call_id": format!("c{turn}"), "content": text}}));
    }
    json!(messages).to_string()
}

/// The requests and responses of chat completions, with cleared results in place of old ones.
fn requests(run: usize, kept: usize) -> String {
    let mut history = vec![json!({"role": "user", "content": format!("Find the last file of run {run}.")})];
    let mut lines = String::new();
    for turn in 0..24_usize {
        let mut sent = history.clone();
        for result in 0..turn.saturating_sub(kept) {
            sent[2 + 2 * result]["content"] = json!("[Old tool result cleared]");
        }
        let arguments = json!({"file": format!("file_{run}_{turn}.txt")}).to_string();
        let id = format!("c{run}_{turn}");
        let call =
            json!({"id": id, "type": "function", "function": {"name": "read", "arguments": arguments}});
        let answer = json!({"role": "assistant", "content": null, "tool_calls": [call]});
        let usage = json!({"prompt_tokens": input_tokens(turn, kept), "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 0}});
        let line = json!({
            "request": {"model": "gpt-6.1-sol", "messages": sent},
            "response": {"id": format!("r{run}_{turn}"), "object": "chat.completion", "created": 1_772_700_000 + run * 100_000 + turn * 20,
                "model": "gpt-6.1-sol", "choices": [{"index": 0, "message": answer, "finish_reason": "tool_calls"}], "usage": usage},
        });
        lines += &format!("{line}\n");
        let text = format!("file_{run}_{}.txt{}", turn + 1, " filler".repeat(3_000));
        history.extend([answer, json!({"role": "tool", "tool_call_id": id, "content": text})]);
    }
    lines
}

/// The requests of an agent that runs the code of `ptc-eval apply`: results of old turns are left out in batches, or the turns are dropped.
pub(super) fn applied(run: usize, (kept, step): (usize, usize), drops: bool) -> String {
    let question = json!({"role": "user", "content": format!("Find the last file of run {run}.")});
    let (mut turns, mut lines) = (Vec::new(), String::new());
    for turn in 0..24_usize {
        let old = turn.saturating_sub(kept) / step * step;
        let mut sent = vec![question.clone()];
        let mut size = 0;
        for (index, (answer, result, words)) in turns.iter().enumerate() {
            let (answer, mut result): (&serde_json::Value, serde_json::Value) =
                (answer, serde_json::Value::clone(result));
            if index < old && drops {
                continue;
            }
            if index < old {
                let text = format!("[output of turn {} omitted: {} characters]", index + 1, 7 * words);
                result["content"] = json!(text);
                size += 7;
            } else {
                size += words;
            }
            size += 33;
            sent.extend([answer.clone(), result]);
        }
        let arguments = json!({"file": format!("file_{run}_{turn}.txt")}).to_string();
        let id = format!("c{run}_{turn}");
        let call =
            json!({"id": id, "type": "function", "function": {"name": "read", "arguments": arguments}});
        let answer = json!({"role": "assistant", "content": null, "tool_calls": [call]});
        let usage = json!({"prompt_tokens": 400 + size, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 0}});
        let line = json!({
            "request": {"model": "gpt-6.1-sol", "messages": sent},
            "response": {"id": format!("r{run}_{turn}"), "object": "chat.completion", "created": 1_772_700_000 + run * 100_000 + turn * 20,
                "model": "gpt-6.1-sol", "choices": [{"index": 0, "message": answer, "finish_reason": "tool_calls"}], "usage": usage},
        });
        lines += &format!("{line}\n");
        let words = 1_000 + 500 * (turn * 7 % 5);
        let text = format!("file_{run}_{}.txt{}", turn + 1, " filler".repeat(words));
        turns.push((answer, json!({"role": "tool", "tool_call_id": id, "content": text}), words));
    }
    lines
}

/// Lines that only our own code writes name the strategy, and a log without them names it by its sizes.
#[test]
fn what_apply_printed_is_recognized_in_requests() {
    let cases = [
        (false, (3, 5), "observation-masking,step=5 is on. Requests have the lines"),
        (false, (4, 1), "observation-masking,keep_recent_turns=4 is on. Requests have the lines"),
        (true, (5, 5), "trim,keep_recent_turns=5,step=5 is on. It explains the size of "),
    ];
    for (drops, setting, expected) in cases {
        let suite = Suite::with(&[]);
        for run in 0..3 {
            suite.write(&format!("before/{run}.jsonl"), &applied(run, (24, 1), false));
            suite.write(&format!("after/{run}.jsonl"), &applied(run + 3, setting, drops));
        }
        let ran = suite.run(&["effect", "before", "after"]);
        let said = ran.ends(0).out.replace('\n', " ");
        assert!(said.contains(expected), "{expected}: {}", ran.out);
        let advised = suite.run(&["advise", "after"]);
        let said = advised.ends(0).out.replace('\n', " ");
        let own = expected.split(" is on").next().unwrap();
        let sentence = format!("Your agent already runs {own} of ptc-eval apply (3 of 3 sessions).");
        assert_eq!(said.contains(&sentence), !drops, "{}", advised.out);
    }
}

/// The mod for Claude Code keeps all messages, so the log has them again, with bills of 0.
#[test]
fn the_mod_for_claude_code_is_recognized() {
    let log = include_str!("../../crates/agent-logs/tests/logs/claude-code/kept-by-a-mod.jsonl");
    let suite = Suite::with(&[]);
    suite.write("before.jsonl", &session("a", 12, 0));
    suite.write("after.jsonl", log);
    let ran = suite.run(&["effect", "before.jsonl", "after.jsonl"]);
    ran.ends(0).says("after:  1 session of Claude Code in after.jsonl, 6 requests");
    let said = ran.out.replace('\n', " ");
    assert!(said.contains("after 2 clearings of old results"), "{}", ran.out);
    assert!(
        said.contains("clear-tool-results,keep=1,trigger={tokens: 121000} is on. Requests have the lines"),
        "{}",
        ran.out
    );
}

/// Messages of LangChain have the whole history, logs of requests what was sent. Both name the strategy.
#[test]
fn the_strategy_is_recognized_in_langchain_and_in_requests() {
    for (log, ending) in [(langchain as fn(usize, usize) -> String, "json"), (requests, "jsonl")] {
        let suite = Suite::with(&[]);
        for run in 0..3 {
            suite.write(&format!("before/{run}.{ending}"), &log(run, 24));
            suite.write(&format!("after/{run}.{ending}"), &log(run + 3, 3));
        }
        let ran = suite.run(&["effect", "before", "after"]);
        let screen = ran.ends(0).out.replace('\n', " ");
        assert!(
            screen.contains("observation-masking is on. It explains the size of 72 of 72 requests"),
            "{screen}"
        );
    }
}
