//! What agents fetch again after they have shortened their history.

use serde_json::{Value, json};

use super::suite::Suite;

/// A call: tool, arguments and result.
type Step<'s> = (&'s str, Value, &'s str);

const FILE: &str = "retries = 3\nregion = \"eu-west-7\"\ntimeout = 40\n";

/// A conversation that sends a summary of its history from this answer on. A last answer follows the calls.
fn log(steps: &[Step<'_>], compacted: usize, compaction: Value) -> String {
    let mut messages = vec![json!({"role": "user", "content": "Look at the settings."})];
    for (number, (name, arguments, result)) in steps.iter().enumerate() {
        let id = format!("c{number}");
        let call = json!({"id": id, "name": name, "arguments": arguments});
        messages.push(json!({"role": "assistant", "content": "", "tool_calls": [call]}));
        let is_error = result.starts_with("Error");
        messages.push(json!({"role": "tool", "call": id, "content": result, "is_error": is_error}));
    }
    messages.push(json!({"role": "assistant", "content": "Done."}));
    let before = 1 + 2 * (compacted - 1);
    let mut logged = json!({"before": before, "kind": "summary", "removed": [[0, before - 1]], "text": "Settings were read."});
    logged.as_object_mut().unwrap().extend(compaction.as_object().unwrap().clone());
    json!({"messages": messages, "compactions": [logged]}).to_string()
}

/// The rework under `as-recorded` of a log that sends a summary of its history from this answer on.
fn rework_after(steps: &[Step<'_>], compacted: usize) -> Value {
    let suite = Suite::with(&[]);
    suite.write("log.json", &log(steps, compacted, json!({})));
    suite.advise(&["log.json", "--report-dir", "out"]).ends(0);
    let results: Value = serde_json::from_str(&suite.read("out/results.json")).unwrap();
    let strategies = results["scenarios"][0]["strategies"].as_array().unwrap();
    let (own, others): (Vec<&Value>, Vec<&Value>) =
        strategies.iter().partition(|strategy| strategy["name"] == "as-recorded");
    assert!(others.iter().all(|strategy| strategy["rework"].is_null()));
    own[0]["rework"].clone()
}

/// Calls that fetched again what was gone, and what was shown.
fn again(steps: &[Step<'_>]) -> (u64, u64) {
    let rework = rework_after(steps, 3);
    let number = |name: &str| rework[name].as_u64().unwrap();
    (number("refetches"), number("repeats"))
}

fn other() -> Step<'static> {
    ("Bash", json!({"command": "date"}), "Friday")
}

#[test]
fn a_file_that_is_gone_and_read_again_is_rework() {
    let readers = [
        ("Read", json!({"file_path": "/p/a.toml"})),
        ("read", json!({"filePath": "/p/a.toml"})),
        ("read", json!({"path": "a.toml"})),
        ("read_file", json!({"absolute_path": "/p/a.toml"})),
        ("str_replace_editor", json!({"command": "view", "path": "/p/a.toml"})),
        ("exec_command", json!({"cmd": "cat a.toml", "workdir": "/p"})),
        (
            "exec",
            json!(
                "const r = await tools.exec_command({\n  cmd: \"cat a.toml\",\n  workdir: \"/p\"});\ntext(r.output);"
            ),
        ),
        ("shell", json!({"command": ["bash", "-lc", "cat /p/a.toml"]})),
    ];
    for (name, arguments) in readers {
        let read = || (name, arguments.clone(), FILE);
        assert_eq!(again(&[read(), other(), read()]), (1, 0), "{name}");
        // The summary is of the first two answers.
        assert_eq!(again(&[other(), other(), read(), read()]), (0, 1), "{name}");
    }
}

#[test]
fn what_was_written_in_between_is_no_rework() {
    let read = || ("Read", json!({"file_path": "/p/a.toml"}), FILE);
    let writers = [
        ("Edit", json!({"file_path": "/p/a.toml", "old_string": "3", "new_string": "4"})),
        ("write", json!({"path": "a.toml", "content": "retries = 4"})),
        ("str_replace_editor", json!({"command": "str_replace", "path": "/p/a.toml"})),
        ("apply_patch", json!({"input": "*** Begin Patch\n*** Update File: a.toml\n@@\n"})),
        ("Bash", json!({"command": "sed -i 's/3/4/' a.toml"})),
        ("Bash", json!({"command": "echo 'retries = 4' > /p/a.toml"})),
    ];
    for (name, arguments) in writers {
        assert_eq!(again(&[read(), (name, arguments.clone(), "done"), read()]), (0, 0), "{name} {arguments}");
    }
    let elsewhere = ("Edit", json!({"file_path": "/p/b.toml", "old_string": "3", "new_string": "4"}), "done");
    assert_eq!(again(&[read(), elsewhere, read()]), (1, 0));
}

/// A range of lines counts only if at least half of it had been read.
#[test]
fn other_lines_of_a_file_are_no_rework() {
    let page = "line\n".repeat(50);
    let read = |offset: u32, limit: u32| {
        ("Read", json!({"file_path": "a.toml", "offset": offset, "limit": limit}), page.as_str())
    };
    assert_eq!(again(&[read(1, 50), other(), read(51, 50)]), (0, 0));
    assert_eq!(again(&[read(1, 50), other(), read(46, 50)]), (0, 0));
    assert_eq!(again(&[read(1, 50), other(), read(21, 50)]), (1, 0));
    let whole = || ("Read", json!({"file_path": "a.toml"}), FILE);
    assert_eq!(again(&[whole(), other(), read(200, 5)]), (1, 0));
    let sed =
        |lines: &str| ("exec_command", json!({"cmd": format!("sed -n '{lines}p' a.toml")}), page.as_str());
    assert_eq!(again(&[sed("1,40"), other(), sed("41,80")]), (0, 0));
    assert_eq!(again(&[sed("1,40"), other(), sed("40,12")]), (1, 0), "sed prints line 40");
    let long = "line\n".repeat(100);
    let longer = ("Read", json!({"file_path": "a.toml"}), long.as_str());
    assert_eq!(again(&[read(1, 40), other(), longer.clone()]), (0, 0));
    assert_eq!(again(&[read(1, 60), other(), longer]), (1, 0));
    let numbered = ("exec_command", json!({"cmd": "nl -ba a.toml | sed -n '10,20p'"}), FILE);
    assert_eq!(again(&[sed("1,40"), other(), numbered]), (1, 0));
}

/// A command counts without the description of it; what it searches may be another after anything that may have written.
#[test]
fn searches_are_rework_until_something_is_written() {
    let search = |why: &str| {
        (
            "Bash",
            json!({"command": "grep -rn 'a|b' src 2>/dev/null | head -5", "description": why}),
            "src/a.rs:1",
        )
    };
    assert_eq!(
        again(&[search("find a"), other(), search("find it again")]),
        (0, 0),
        "date is a command that may write"
    );
    let look = ("Bash", json!({"command": "ls -la && git status --short"}), "a.toml");
    assert_eq!(again(&[search("find a"), look.clone(), search("find it again")]), (1, 0));
    let commit = ("Bash", json!({"command": "git commit -m x"}), "done");
    assert_eq!(again(&[look.clone(), commit, look]), (0, 0));
}

/// The side effects of other agents' tools are unknown, so their results have to be equal.
#[test]
fn calls_of_unknown_tools_are_rework_if_nothing_is_new() {
    let order = |result: &'static str| ("get_order", json!({"id": "W-7"}), result);
    assert_eq!(again(&[order("pending"), other(), order("pending")]), (1, 0));
    assert_eq!(again(&[order("pending"), other(), order("cancelled")]), (0, 0));
}

#[test]
fn failures_lists_and_waiting_are_no_rework() {
    let read = |result: &'static str| ("Read", json!({"file_path": "a.toml"}), result);
    assert_eq!(again(&[read("Error: no such file"), other(), read(FILE)]), (0, 0));
    let plan = || ("TodoWrite", json!({"todos": []}), "done");
    assert_eq!(again(&[plan(), other(), plan()]), (0, 0));
    let wait = || ("write_stdin", json!({"session_id": 1, "chars": ""}), "");
    assert_eq!(again(&[wait(), other(), wait()]), (0, 0));
}

/// Each result counts once among those that are gone, and its requests by their age.
#[test]
fn results_are_counted_by_age() {
    let read = |name: &str| ("Read", json!({"file_path": name}), FILE);
    let rework = rework_after(&[read("a"), read("b"), other(), read("a"), read("a")], 4);
    assert_eq!(rework["gone"], json!({"number": 2, "again": 1}));
    assert_eq!(rework["shown"], json!({"number": 4, "again": 1}));
    let row = |shown: (u64, u64), gone: (u64, u64)| {
        let watched = |(requests, again): (u64, u64)| json!({"requests": requests, "again": again});
        json!({"shown": watched(shown), "gone": watched(gone)})
    };
    // Ages 1: all four results once while they are shown. 2 and 3: the first `a` shown and gone, `b` gone twice. 4: `b`.
    assert_eq!(rework["ages"], json!([row((4, 1), (0, 0)), row((1, 0), (3, 1)), row((0, 0), (1, 0))]));
}

/// Without a cache each token costs the same: the request of the call, its answer, and both messages in each later request.
#[test]
fn rework_and_the_call_for_a_summary_are_billed() {
    let suite = Suite::with(&[]);
    let price = "- {model: plain, date: 2026-11-01, source: none, tokenizer: o200k_base, input: 10, read: 10, output: 100}\n";
    suite.write("prices.yaml", price);
    let read = || ("Read", json!({"file_path": "a.toml"}), FILE);
    suite.write("log.json", &log(&[read(), other(), read(), other()], 3, json!({})));
    let arguments = [
        "advise",
        "log.json",
        "--report-dir",
        "out",
        "--prices",
        "prices.yaml",
        "--model",
        "plain",
        "--table",
    ];
    let advice = suite.run(&arguments);
    let results: Value = serde_json::from_str(&suite.read("out/results.json")).unwrap();
    let strategy = |name: &str| {
        results["strategies"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap()
    };
    let input = |name: &str, turn: usize| strategy(name)["by_turn"][turn - 1][2].as_f64().unwrap();
    let own = &strategy("as-recorded")["totals"];
    let dollars = |name: &str| own[name].as_str().unwrap().parse::<f64>().unwrap();
    let carried = input("as-recorded", 4) - input("as-recorded", 3);
    let answer = results["scenarios"][0]["output_tokens"][2].as_f64().unwrap();
    let refetches = input("as-recorded", 3) * 10e-6 + answer * 100e-6 + 2.0 * carried * 10e-6;
    assert!((dollars("cost_refetches:plain") - refetches).abs() < 1e-9, "{refetches}");
    let counts = ["refetches", "results_gone", "results_gone_again"].map(|name| own[name].as_u64().unwrap());
    assert_eq!(counts, [1, 1, 1]);
    assert!(strategy("full-history")["totals"]["refetches"].is_null());
    // The call sends what the next request would have had. Its output is the summary.
    let least = dollars("cost_compactions_least:plain");
    let output = (least - input("full-history", 3) * 10e-6) / 100e-6;
    assert!((output - 4.0).abs() < 1e-6, "{output}");
    assert!((dollars("cost_compactions_most:plain") - least).abs() < 1e-9);
    let costs = "for the calls and the rewritten cache; 1 result fetched again after it was dropped ($";
    advice.ends(0).says(costs).says("), 0 while still sent");
    let summary = suite.read("out/summary.md");
    assert!(summary.contains(", fetched again in 0001-log-1@3: "), "{summary}");
    let rates = "fetched again: 1 of 1 dropped results, 0 of 2 results still sent; too few to see a difference at equal age";
    assert!(summary.contains(&format!("\n  - {rates}\n")), "{summary}");
}

/// If bills reveal a model's tokens and those before the conversation, rework costs what was billed for it.
#[test]
fn rework_is_billed_in_tokens_of_the_model() {
    let suite = Suite::with(&[]);
    let price = "- {model: plain, date: 2026-11-01, source: none, input: 10, read: 10, output: 100}\n";
    suite.write("prices.yaml", price);
    let page = "settings of the region eu-west-7\n".repeat(100);
    let read = |name: &str| ("Read", json!({"file_path": name}), page.as_str());
    let steps = [read("a"), read("b"), read("a"), read("c"), read("d"), read("e"), read("f")];
    let log: Value = serde_json::from_str(&log(&steps, 3, json!({}))).unwrap();
    let results = |log: &Value| -> Value {
        suite.write("log.json", &log.to_string());
        let arguments = [
            "advise",
            "log.json",
            "--report-dir",
            "out",
            "--prices",
            "prices.yaml",
            "--model",
            "plain",
            "--table",
        ];
        suite.run(&arguments).ends(0);
        serde_json::from_str(&suite.read("out/results.json")).unwrap()
    };
    let recorded = |results: &Value| {
        let strategies = results["strategies"].as_array().unwrap();
        strategies.iter().find(|one| one["name"] == "as-recorded").unwrap().clone()
    };
    let counted = recorded(&results(&log));
    // The model makes two tokens of one, and 5,000 tokens come before the conversation.
    let mut billed = log.clone();
    let answers = billed["messages"].as_array_mut().unwrap().iter_mut();
    for (turn, answer) in answers.filter(|message| message["role"] == "assistant").enumerate() {
        let tokens = counted["by_turn"][turn][2].as_u64().unwrap();
        answer["usage"] = json!({"model": "plain", "input_tokens": 2 * tokens + 5_000});
    }
    let billed = results(&billed);
    let (own, output) = (recorded(&billed), billed["scenarios"][0]["output_tokens"][2].as_f64().unwrap());
    let input = |turn: usize| own["by_turn"][turn - 1][2].as_f64().unwrap();
    let carried = input(4) - input(3);
    assert!(input(3) > 5_000.0 && carried > 1_500.0, "{carried}");
    let expected = (input(3) * 10.0 + output * 100.0 + 5.0 * carried * 10.0) * 1e-6;
    let cost = own["totals"]["cost_refetches:plain"].as_str().unwrap().parse::<f64>().unwrap();
    assert!((cost - expected).abs() < 1e-9, "{cost} {expected}");
}

/// A call that no log bills read its history from the cache, or did not.
#[test]
fn the_cost_of_a_call_that_no_log_has_is_a_range() {
    let suite = Suite::with(&[]);
    let filler = "word ".repeat(3_000);
    let read = || ("Read", json!({"file_path": "a.toml"}), filler.as_str());
    let advise = |compaction: Value| {
        suite.write("log.json", &log(&[read(), other(), other(), other()], 3, compaction));
        suite.advise(&["log.json", "--model", "claude-sonnet-4-5"])
    };
    let range = advise(json!({}));
    let line = range.out.lines().find(|line| line.starts_with("compactions: ")).unwrap();
    assert!(line.contains(" to $") && line.contains(" for the calls and the rewritten cache"), "{line}");
    let usage = json!({"input_tokens": 4000, "cached_tokens": 3000, "output_tokens": 50});
    let exact = advise(json!({"usage": usage}));
    let line = exact.out.lines().find(|line| line.starts_with("compactions: ")).unwrap();
    assert!(!line.contains(" to $") && line.contains(" for the calls and the rewritten cache"), "{line}");
    let cleared = advise(json!({"kind": "drop", "text": null}));
    cleared.says(
        " for the rewritten cache; 0 results fetched again after they were dropped, 0 while still sent",
    );
    let opaque = advise(json!({"kind": "opaque", "text": null}));
    opaque.ends(0);
    let summary = suite.read("reports/advice/summary.md");
    assert!(summary.contains("\n  - without the output of 1 summary, which no log has\n"), "{summary}");
}

/// A compaction may drop messages and clear a result: the next request is rewritten once.
#[test]
fn a_request_after_two_changes_is_rewritten_once() {
    let suite = Suite::with(&[]);
    let usage = json!({"model": "claude-sonnet-4-5", "input_tokens": 9_000, "cached_tokens": 2_000,
        "cache_write_tokens": 7_000, "output_tokens": 5});
    let drop = json!({"before": 5, "kind": "drop", "removed": [[1, 2]]});
    let clear = json!({"before": 5, "kind": "clear", "removed": [[4, 4]], "text": "[cleared]"});
    let [once, twice] = [vec![drop.clone()], vec![drop, clear]].map(|compactions| {
        let mut log: Value =
            serde_json::from_str(&log(&[other(), other(), other(), other()], 3, json!({}))).unwrap();
        log["compactions"] = compactions.into();
        for message in log["messages"].as_array_mut().unwrap() {
            if message["role"] == "assistant" {
                message["usage"] = usage.clone();
            }
        }
        suite.write("log.json", &log.to_string());
        suite.advise(&["log.json", "--report-dir", "out"]).ends(0);
        let results: Value = serde_json::from_str(&suite.read("out/results.json")).unwrap();
        let strategies = results["scenarios"][0]["strategies"].as_array().unwrap();
        let own = strategies.iter().find(|strategy| strategy["name"] == "as-recorded").unwrap();
        own["rework"]["compactions"]["rewritten_tokens"].as_u64().unwrap()
    });
    // The cleared text is not new, so a few tokens more were rewritten.
    assert!(once > 5_000 && twice - once < 100, "{once} {twice}");
}

/// The error rate of the measure of lost evidence on real compactions.
#[test]
fn short_answers_of_what_happened_are_told_as_false_alarms() {
    let suite = Suite::with(&[]);
    let read = ("Read", json!({"file_path": "a.toml"}), FILE);
    let used = ("Bash", json!({"command": "deploy eu-west-7"}), "done");
    suite.write("log.json", &log(&[read.clone(), other(), used], 3, json!({})));
    let what = "used text missing in their request: remembered, guessed or read again";
    suite.advise(&["log.json"]).ends(0);
    let summary = || suite.read("reports/advice/summary.md");
    assert!(summary().contains(&format!("\n- 1 of 1 answers (100.0%) {what}\n")), "{}", summary());
    let used = ("Bash", json!({"command": "deploy"}), "done");
    suite.write("log.json", &log(&[read, other(), used], 3, json!({})));
    suite.advise(&["log.json"]).ends(0);
    assert!(!summary().contains(what), "{}", summary());
}

/// A request that no model takes is no way to save anything, however little it costs. What happened was possible.
#[test]
fn a_strategy_over_the_window_is_marked() {
    let suite = Suite::with(&[]);
    let price = "{model: small, date: 2026-11-01, source: none, tokenizer: o200k_base, input: 10, read: 10, output: 100";
    let filler = "word ".repeat(3_000);
    let read = |name: &str| ("Read", json!({"file_path": name}), filler.as_str());
    suite.write("log.json", &log(&[read("a"), other(), read("b"), other()], 3, json!({})));
    let advise = |window: u32| {
        suite.write("prices.yaml", &format!("- {price}, window: {window}}}\n"));
        suite.advise(&["log.json", "--prices", "prices.yaml", "--model", "small"])
    };
    let legend = "^ over the window of the model, so impossible";
    for window in [4_000, 100] {
        let small = advise(window);
        small.ends(0).says(" full-history^ ").says(legend).says(" as-recorded ");
    }
    let large = advise(7_000);
    assert!(!large.ends(0).out.contains('^'), "{}", large.out);
}
