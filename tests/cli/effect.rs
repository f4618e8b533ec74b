//! `ptc-eval effect`: logs from before and after a change.

use serde_json::json;

use super::first_screen::session;
use super::suite::Suite;
use ptc_eval::report::effect::Effect;

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
    ran.says("after:  3 sessions of Claude Code in after, 36 requests, $").says(" session:\n+0.0%\n");
    ran.says("Nothing changed: the true change is between +0.0% and +0.0% (95% confidence).\n");
    ran.says("History was shortened: before never; after never\n");
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
    let sentence = "Compared: 36 of 90 requests after the change. The longest session before it has 12 requests, so \
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
    let change = ran.out.split("A request cost $").nth(1).unwrap().split(" session:").nth(1).unwrap();
    let change = change.trim_start().lines().next().unwrap();
    assert!(change.starts_with('-') && change.ends_with('%') && change != "-0.0%", "{}", ran.out);
    ran.says("The cost of a request fell by ").says(" predicted ");
}

/// The verdict that each interval supports, with and without a predicted change.
#[test]
fn a_verdict_says_what_the_interval_allows() {
    let rows = [
        (None, Some(-0.1), "Not enough data: one session is too few."),
        (Some((0.0, 0.0)), None, "Nothing changed: "),
        (Some((-0.32, 0.84)), None, "Cannot tell whether the cost changed: "),
        (Some((-0.32, 0.84)), Some(-0.1), "Both the predicted -10.0% and no change fit. Add sessions."),
        (Some((-0.05, 0.04)), Some(-0.2), "Cannot tell whether the cost changed: "),
        (Some((-0.05, 0.04)), Some(-0.2), "The predicted -20.0% was not reached."),
        (Some((-0.12, -0.08)), Some(-0.1), "The cost of a request fell by "),
        (Some((-0.12, -0.08)), Some(-0.1), "That confirms the predicted -10.0%."),
        (
            Some((-0.6, -0.02)),
            Some(-0.3),
            "The predicted -30.0% fits, but the range is too wide to confirm it.",
        ),
        (Some((-0.12, -0.08)), Some(-0.2), "The predicted -20.0% was not reached."),
        (Some((-0.12, -0.08)), Some(-0.01), "That is better than the predicted -1.0%."),
        (Some((0.02, 0.05)), Some(-0.2), "The cost of a request rose by "),
    ];
    for (interval, predicted, text) in rows {
        let effect = Effect { compared: 9, requests: 9, after: 1.0, before: 1.0, interval };
        let verdict = effect.verdict(predicted);
        assert!(verdict.contains(text), "{interval:?} {predicted:?}: {verdict}");
    }
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
fn billed(run: usize, kept: usize) -> String {
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
    ran.ends(0).says("observation-masking is on: it explains the size of ").says(" predicted ");
    let same = suite.run(&["effect", "before", "before"]);
    assert!(!same.ends(0).out.contains(" is on: "), "{}", same.out);
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
    ran.says("The agent compacts at about the same size as before");
    assert!(!ran.out.contains("predicted"), "nothing changed: {}", ran.out);
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
    ran.ends(0).says("The cache is now kept for 1 h; before the change it was not.\n").says(" predicted ");
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
fn applied(run: usize, (kept, step): (usize, usize), drops: bool) -> String {
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
        (false, (3, 5), "observation-masking,step=5 is on: its lines replace old results"),
        (false, (4, 1), "observation-masking,keep_recent_turns=4 is on: its lines replace"),
        (true, (5, 5), "trim,keep_recent_turns=5,step=5 is on: it explains the size of "),
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
        said.contains("clear-tool-results,keep=1,trigger={tokens: 121000} is on: its lines"),
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
        ran.ends(0).says("observation-masking is on: it explains the size of 72 of 72 requests");
    }
}
