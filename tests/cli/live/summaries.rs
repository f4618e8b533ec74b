//! `record --summaries` asks for the texts that strategies need, and keeps each under what it replaces.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::server::{Reply, endpoint, said, serve};
use crate::cli::suite::{Ran, Suite};

const TEXTS: &str = "snapshots/trains/short.summaries.yaml";
const SHORT: &str = "strategies: [full-history, short]\nvariants:\n  short: {strategy: summary, trigger: {turns: 3}, keep_recent_turns: 1, tokens: 60";

/// A conversation in which each of twelve turns looks at a station, and the last uses the first two results.
fn trains(first: &str) -> String {
    let mut messages = vec![json!({"role": "user", "content": "Find the late trains."})];
    for turn in 1..=12 {
        let (id, number) = (format!("c{turn}"), turn * 41 + 100);
        let call = json!([{"id": id, "name": "look", "arguments": {"station": turn}}]);
        let told = if turn == 1 { first.to_owned() } else { format!("train paris-{number} is late") };
        messages.push(json!({"role": "assistant", "content": "", "tool_calls": call}));
        messages.push(json!({"role": "tool", "call": id, "content": told}));
    }
    messages.push(json!({"role": "assistant", "content": "lyon-141 and paris-182 are late."}));
    json!({"messages": messages}).to_string()
}

fn suite(options: &str) -> Suite {
    let suite = Suite::with(&[]);
    suite.write("scenarios/trains.transcript.json", &trains("train lyon-141 is late"));
    suite.write("scenarios/suite.yaml", &format!("{SHORT}{options}}}\n"));
    suite
}

fn record(suite: &Suite, url: &str, options: &[&str]) -> Ran {
    let arguments = ["record", "--summaries", "trains", "--model", "m", "--url", url, "--retry-wait", "0"];
    suite.run(&[&arguments[..], options].concat())
}

fn texts(suite: &Suite) -> Vec<Value> {
    serde_yaml::from_str(&suite.read(TEXTS)).unwrap()
}

/// The messages of a request to OpenAI's API.
fn messages(body: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(body).unwrap()["messages"].as_array().unwrap().clone()
}

#[test]
fn summaries_are_recorded_and_stale_once_the_run_is_another() {
    let suite = suite("");
    suite.run(&["run", "--accept"]).ends(0);
    assert!(suite.read("snapshots/trains/short.snap").contains("[summary of turns 1 to 3]"));
    let usage =
        json!({"prompt_tokens": 90, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 5}});
    let (url, calls) = serve(move |call, _| {
        let message = json!({"content": format!("{call}: lyon-141 and paris-182")});
        Reply::json(&json!({"model": "m-1", "choices": [{"message": message}], "usage": usage}))
    });
    let ran = record(&suite, &url, &["--temperature", "0.5"]);
    ran.ends(0).says(&format!("{TEXTS}: 3 texts, 3 new\nNext: ptc-eval run scenarios\n"));
    let kept = texts(&suite);
    let first = &kept[0];
    let expected = json!({"input_tokens": 90, "cached_tokens": 5, "output_tokens": 7});
    assert_eq!(
        (first["repeat"].clone(), first["turns"].clone(), first["usage"].clone()),
        (1.into(), json!([1, 3]), expected)
    );
    assert_eq!(
        [&first["model"], &first["date"], &first["text"]],
        ["m-1", "2026-11-24", "0: lyon-141 and paris-182"]
    );
    assert_eq!(first["temperature"], 0.5);

    // The first text of a place is that of the row, and of the snapshot.
    suite.run(&["run"]).ends(1).says("lyon-141 and paris-182");
    suite.run(&["run", "--accept"]).ends(0);
    record(&suite, &url, &[]).ends(0).says("3 texts, all there already");
    assert_eq!(calls.load(Ordering::SeqCst), 3);
    let whole = suite.read("snapshots/trains/short.snap");
    suite.run(&["show", "trains", "--strategy", "short", "--view", "compressed"]).says("2: lyon-141");

    // Another message in the first three turns, which the first summary replaces. The others rest on that one.
    suite.write("scenarios/trains.transcript.json", &trains("train lyon-141 is very late"));
    let ran = suite.run(&["run"]);
    ran.ends(1).says(
        "summaries of trains/short are stale: the summary of turns 1 to 3 was written for other messages",
    );
    ran.says("next:  ptc-eval record --summaries --model NAME trains\n");
    assert!(!ran.out.contains("changed: trains/short"), "{}", ran.out);
    let accepted = suite.run(&["run", "--accept"]);
    accepted.ends(3).says("summaries of trains/short are stale");
    assert_eq!(suite.read("snapshots/trains/short.snap"), whole, "never compared, never replaced");
    assert_eq!(texts(&suite), kept);
    suite.run(&["run"]).ends(3).says("full-history").says("short");
    suite.run(&["run", "--locked"]).ends(3).says("next:  ptc-eval record --summaries");
    assert!(suite.read("reports/junit.xml").contains("summaries of trains/short are stale"));
    assert!(suite.read("reports/changes.md").contains("1 run with stale summaries"));
    suite.run(&["show", "trains", "--strategy", "short"]).complains("summaries of trains/short are stale");

    let ran = record(&suite, &url, &[]);
    ran.ends(0).says("3 texts, 3 new");
    ran.complains(
        "trains/short: the summary of turns 1 to 3 was written for other messages, so it is asked for again",
    );
    assert_eq!((texts(&suite).len(), calls.load(Ordering::SeqCst)), (3, 6));
    let ran = suite.run(&["run"]);
    ran.ends(1).says("3: lyon-141 and paris-182");
    assert!(!ran.out.contains("stale"), "{}", ran.out);
}

/// The model sees the call that is billed, with calls and results as its API has them.
#[test]
fn the_model_is_sent_the_call() {
    let suite = suite("");
    let (url, server) = endpoint((0..3).map(|call| said(&format!("text {call}"))).collect());
    record(&suite, &url, &[]).ends(0);
    let requests = server.join().unwrap();
    let first = messages(&requests[0].body);
    assert_eq!(first[0], json!({"role": "user", "content": "Find the late trains."}));
    let function = json!({"name": "look", "arguments": "{\"station\":1}"});
    let calls = json!([{"id": "c1", "type": "function", "function": function}]);
    assert_eq!(first[1], json!({"role": "assistant", "content": "", "tool_calls": calls}));
    assert_eq!(first[2], json!({"role": "tool", "content": "train lyon-141 is late", "tool_call_id": "c1"}));
    let last = first.last().unwrap()["content"].as_str().unwrap();
    assert!(last.starts_with("Summarize the conversation") && last.contains("at most 60 tokens"), "{last}");
    // A later call sees the summary before, and the turns after it.
    let second = messages(&requests[1].body);
    assert_eq!(second[1]["content"], "[summary of turns 1 to 3]\ntext 0");
    assert!(!requests[1].body.contains("lyon-141"), "{}", requests[1].body);
}

#[test]
fn anthropic_takes_results_of_calls_together() {
    let two = json!({"messages": [
        {"role": "user", "content": "go"},
        {"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": {"x": 1}}, {"id": "b", "name": "g", "arguments": {}}]},
        {"role": "tool", "call": "a", "content": "one"}, {"role": "tool", "call": "b", "content": "two"},
        {"role": "assistant", "content": "more"}, {"role": "user", "content": "on"}, {"role": "assistant", "content": "done"}]});
    let suite = Suite::with(&[]);
    suite.write("scenarios/trains.transcript.json", &two.to_string());
    suite.write("scenarios/suite.yaml", &format!("{}}}\n", SHORT.replace("turns: 3", "turns: 1")));
    let (url, server) = endpoint(vec![Reply::json(&json!({"content": [{"type": "text", "text": "t"}]}))]);
    record(&suite, &url, &["--api", "anthropic"]).ends(0);
    let requests = server.join().unwrap();
    let body: Value = serde_json::from_str(&requests[0].body).unwrap();
    let use_of = |id: &str, name: &str, input: Value| json!({"type": "tool_use", "id": id, "name": name, "input": input});
    assert_eq!(
        body["messages"][1]["content"],
        json!([use_of("a", "f", json!({"x": 1})), use_of("b", "g", json!({}))])
    );
    let result =
        |id: &str, content: &str| json!({"type": "tool_result", "tool_use_id": id, "content": content});
    assert_eq!(
        body["messages"][2],
        json!({"role": "user", "content": [result("a", "one"), result("b", "two")]})
    );
    assert_eq!(body["tools"][1], json!({"name": "g", "input_schema": {"type": "object"}}));
    assert_eq!(body["tool_choice"], json!({"type": "none"}));
}

#[test]
fn several_texts_of_each_show_their_spread() {
    let suite = suite("");
    // Three calls each: the first sequence forgets both trains, the second one, the third none.
    let (url, calls) = serve(|call, _| said(["", "lyon-141", "lyon-141 and paris-182"][call / 3 % 3]));
    record(&suite, &url, &["--repeat", "3"]).ends(0).says("9 texts, 9 new");
    let kept = texts(&suite);
    let numbers: Vec<u64> = kept.iter().map(|text| text["repeat"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 1, 1, 2, 2, 2, 3, 3, 3]);
    let ran = suite.run(&["run", "--accept"]);
    ran.ends(0).says("short with each of 3 texts: 0 to 1 answers would lack a fact (median 1), $");
    ran.says("It depends on the text: with 1 of 3 texts of short few enough answers lack a\nfact.");
    let table = suite.read("reports/strategies.csv");
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let cell = |name: &str| lines[2][lines[0].iter().position(|known| *known == name).unwrap()];
    assert_eq!(
        ["texts", "texts_short_least", "texts_short_median", "texts_short_most"].map(cell),
        ["3", "0", "1", "1"]
    );
    let dollars = |name: &str| cell(&format!("texts_cost_{name}:gpt-6.1-sol")).parse::<f64>().unwrap();
    assert!(dollars("least") < dollars("most") && dollars("least") <= dollars("median"), "{table}");
    let page = suite.read("reports/summary.md");
    assert!(page.contains("with each of 3 texts: 0 to 1 answers would lack a fact"), "{page}");

    // One text more of each asks for that alone.
    record(&suite, &url, &["--repeat", "4"]).ends(0).says("12 texts, 3 new");
    assert_eq!(calls.load(Ordering::SeqCst), 12);
    // Fewer are no reason to drop any.
    record(&suite, &url, &["--repeat", "2"]).ends(0).says("12 texts, all there already");
    record(&suite, &url, &["--again"]).ends(0).says("12 texts, 12 new");
    assert_eq!(calls.load(Ordering::SeqCst), 24);
}

#[test]
fn what_came_before_a_failure_is_kept() {
    let suite = suite("");
    let (url, _) =
        serve(|call, _| if call == 2 { Reply::error("400", "no") } else { said(&format!("text {call}")) });
    let ran = record(&suite, &url, &[]);
    ran.ends(1).complains("answered 400: no").complains("short.summaries.yaml keeps 2 texts");
    ran.complains("1 of 1 failed: trains/short\nthe same command goes on where it stopped");
    suite.run(&["run"]).ends(3).says("summaries of trains/short are stale: there is no summary of turns ");
    let (url, calls) = serve(|_, _| said("text"));
    record(&suite, &url, &[]).ends(0).says("3 texts, 1 new");
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[test]
fn a_prompt_of_ones_own_is_sent_counted_and_part_of_the_key() {
    let suite = suite(", prompt: prompts/short.md");
    suite.run(&["run"]).ends(2).complains("prompt: prompts/short.md").complains("there is no such file");
    suite.write("scenarios/prompts/short.md", "Name the trains.\n");
    let (url, server) = endpoint((0..3).map(|_| said("lyon-141")).collect());
    record(&suite, &url, &[]).ends(0);
    let sent = messages(&server.join().unwrap()[0].body);
    assert_eq!(sent.last().unwrap()["content"], "Name the trains.");
    let input = || {
        let ran = suite.run(&["run", "--strategy", "short"]);
        let note = ran.out.lines().find(|line| line.contains("calls of its own: ")).unwrap().to_owned();
        note.split("own: ")
            .nth(1)
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .replace(',', "")
            .parse::<u64>()
            .unwrap()
    };
    let before = input();
    suite.write("scenarios/prompts/short.md", "Name all of the trains that were late.\n");
    suite
        .run(&["run", "--accept"])
        .ends(3)
        .says("the summary of turns 1 to 3 was written for another prompt");
    let (url, _) = serve(|_, _| said("lyon-141"));
    record(&suite, &url, &[]).ends(0).complains("was written for another prompt, so it is asked for again");
    // Five words more in each of three calls.
    assert_eq!(input(), before + 3 * 5);
    suite.write("scenarios/suite.yaml", &format!("{SHORT}, prompt: ../../secret}}\n"));
    suite.run(&["run"]).ends(2).complains("leads out of the suite's folder");
}

#[test]
fn texts_are_kept_for_strategies_of_the_suite_alone() {
    let suite = suite(", writer: size");
    let (url, calls) = serve(|_, _| said("text"));
    record(&suite, &url, &[]).ends(0).complains("trains/short is skipped: its writer is another");
    record(&suite, &url, &["--strategy", "summary,trigger={turns: 3}"])
        .ends(2)
        .complains("make it a variant in suite.yaml");
    record(&suite, &url, &["--strategy", "fold"]).ends(2).complains("no strategy has summaries to record");
    record(&suite, &url, &["--strategy", "summary"]).ends(0).complains("trains/summary needs no summaries");
    assert_eq!(calls.load(Ordering::SeqCst), 0);
    // What if: other options have no texts, so both bounds are shown.
    suite.write("scenarios/suite.yaml", &format!("{SHORT}}}\n"));
    record(&suite, &url, &[]).ends(0);
    suite.run(&["run", "--strategy", "short,keep_recent_turns=2"]).ends(0).says("0–1");
    suite.write(TEXTS, "- repeat: [\n");
    suite.run(&["run"]).ends(1).says("short.summaries.yaml").says("record its texts again");
}

#[test]
fn a_text_that_is_longer_than_asked_for_is_told() {
    let suite = suite("");
    let (url, _) = serve(|_, _| said(&"word ".repeat(80)));
    record(&suite, &url, &[]).ends(0).complains("more than the option tokens: 60");
}

/// Neither asks for what the other has, and neither loses it.
#[test]
fn two_that_record_at_once_share_the_texts() {
    let suite = suite("");
    let (url, calls) = serve(move |call, _| {
        std::thread::sleep(std::time::Duration::from_millis(200));
        said(&format!("{call}: lyon-141 and paris-182"))
    });
    let arguments = ["record", "--summaries", "trains", "--model", "m", "--url", &url];
    let both = [(), ()].map(|()| suite.start(&arguments, &[]));
    let both = both.map(|child| Ran::from(child.wait_with_output().unwrap()));
    both.iter().for_each(|ran| {
        ran.ends(0).says("3 texts");
    });
    assert!(both.iter().any(|ran| ran.err.contains("waits for another process that records in")));
    assert_eq!((texts(&suite).len(), calls.load(Ordering::SeqCst)), (3, 3));
}

#[cfg(unix)]
#[test]
fn no_summary_is_written_through_a_link() {
    let suite = suite("");
    suite.write("elsewhere/mine", "");
    std::fs::create_dir_all(suite.path().join("snapshots")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", suite.path().join("snapshots/trains")).unwrap();
    let (url, _) = serve(|_, _| said("lyon-141"));
    record(&suite, &url, &[]).complains("snapshots/trains: it is a link");
    assert!(!suite.exists("elsewhere/short.summaries.yaml"));
}
