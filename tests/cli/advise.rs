//! Logs of agents: the advice on them, and transcripts as scenarios of a suite.

use serde_json::{Value, json};

use super::suite::{Ran, Suite};

/// A run of `turns` calls with results of some 2,500 characters, as a log of OpenAI's API.
pub(super) fn log(turns: usize) -> String {
    let mut messages = vec![
        json!({"role": "system", "content": "You find errors. ".repeat(200)}),
        json!({"role": "user", "content": "Which order failed first?"}),
    ];
    for turn in 0..turns {
        // Each page is found in the result before, each order in one some turns before.
        let order = format!("ord_{}_7", turn.saturating_sub(4));
        let arguments = json!({"page": format!("log-{turn}"), "order": order}).to_string();
        let call = json!({"id": format!("c{turn}"), "type": "function", "function": {"name": "read", "arguments": arguments}});
        messages.push(json!({"role": "assistant", "content": null, "tool_calls": [call]}));
        let line = |line: usize| {
            format!("{turn:02}:{line:02} order ord_{turn}_{line} is fine, see log-{}\n", turn + 1)
        };
        let content: String = (0..50).map(line).collect();
        messages.push(json!({"role": "tool", "tool_call_id": format!("c{turn}"), "content": content}));
    }
    messages.push(json!({"role": "assistant", "content": "None failed."}));
    json!({ "messages": messages }).to_string()
}

/// The error for a wrong name points into the command line, not into the suite built from the logs.
#[test]
fn strategies_of_the_command_line_are_told_as_they_are_there() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &log(3));
    for (strategy, message) in [
        ("fodl", "did you mean 'fold'?"),
        ("trim,keep=2", "trim has no option 'keep'; did you mean 'keep_recent_turns'?"),
    ] {
        let ran = suite.advise(&["log.json", "--strategy", strategy]);
        ran.ends(2).complains(message);
        assert!(!ran.err.contains("suite.yaml"), "{}", ran.err);
    }
    suite.advise(&["log.json", "--strategy", "trim", "--save", "kept"]).ends(0);
    let kept = suite.read("kept/suite.yaml");
    let listed = kept.lines().find(|line| line.starts_with("strategies:")).unwrap();
    assert_eq!(listed.matches("trim").count(), 2, "trim and trim-step-10: {listed}");
}

/// Reports that lie beside the logs are no logs.
#[test]
fn a_folder_is_read_again_without_its_reports() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &log(3));
    let first = suite.advise(&["."]);
    first.ends(0);
    let again = suite.advise(&["."]);
    again.ends(0);
    assert!(suite.exists("reports/advice/results.json"));
    assert_eq!((first.out, first.err), (again.out, again.err));
}

/// Prices are those of the model with most answers, however its name is spelled.
#[test]
fn the_model_of_the_logs_decides() {
    let suite = Suite::with(&[]);
    let answered_by = |models: &[&str]| {
        let answers = models.iter().enumerate().flat_map(|(number, model)| {
            let usage = json!({"input_tokens": 900, "output_tokens": 5});
            let message = json!({"id": format!("m{number}"), "role": "assistant", "model": model, "usage": usage,
                "content": [{"type": "text", "text": format!("Answer {number}")}]});
            let prompt = json!({"role": "user", "content": format!("Question {number}")});
            [("user", prompt), ("assistant", message)]
        });
        let line = |(number, (kind, message)): (usize, (&str, serde_json::Value))| {
            let before = number.checked_sub(1).map(|before| format!("u{before}"));
            let line = json!({"sessionId": "s", "uuid": format!("u{number}"), "parentUuid": before, "type": kind, "message": message});
            format!("{line}\n")
        };
        answers.enumerate().map(line).collect::<String>()
    };
    let says = |models: &[&str], line: &str| {
        suite.write("log.jsonl", &answered_by(models));
        suite.advise(&["log.jsonl"]).ends(0).says(line);
    };
    let [haiku, sonnet] = ["claude-haiku-4-5-20251001", "anthropic/claude-sonnet-5.5"];
    says(
        &[haiku, haiku, "claude-sonnet-5-5"],
        "prices: claude-haiku-4-5 of 2026-11-23, as in the logs (2 of 3 answers)",
    );
    says(
        &[haiku, haiku, "claude-sonnet-5-5", sonnet, sonnet],
        "prices: claude-sonnet-5-5 of 2026-11-23, as in the logs (3 of 5 answers)",
    );
    says(&[sonnet], "prices: claude-sonnet-5-5 of 2026-11-23, as in the logs\n");
    says(
        &["a-model-of-ours"],
        "prices: gpt-6.1-sol of 2026-11-23; a-model-of-ours of the logs has no price here\n",
    );
    suite
        .advise(&["log.jsonl", "--model", "gpt-5"])
        .ends(0)
        .says("prices: gpt-5 of 2026-11-23, chosen by --model");
}

/// Each reason has a line of its own.
#[test]
fn a_log_without_a_conversation_says_why() {
    let suite = Suite::with(&[]);
    suite.write("log.json", r#"{"messages": [{"role": "assistant", "content": "Red."}]}"#);
    let why = "error: log.json: no conversation (read as openai-chat)\n  responses without a request left out: 1 (log.json:1)\n";
    suite.advise(&["log.json"]).ends(2).complains(why);
    suite.run(&["import", "log.json"]).ends(2).complains(why);
    suite.write("logs/log.json", r#"{"messages": [{"role": "assistant", "content": "Red."}]}"#);
    suite
        .run(&["import", "logs"])
        .complains("log.json left out: no conversation (read as openai-chat); responses without a request");
}

#[test]
fn logs_are_advised_on_without_a_suite() {
    let suite = Suite::with(&[]);
    suite.write("logs/long.jsonl", &format!("{}\n{}\n", log(40), log(36)));
    suite.write("logs/nested/short.json", &log(2));
    suite.write("logs/README.md", "# Not a log\n");
    #[cfg(unix)]
    for (to, link) in [("nowhere", "logs/link"), ("..", "logs/nested/above")] {
        std::os::unix::fs::symlink(to, suite.path().join(link)).unwrap();
    }
    let advice = suite.advise(&["logs"]);
    let left_out = if cfg!(unix) { "3 of 5 files left out (2 not" } else { "1 of 3 files left out (no" };
    advice.ends(0).says(&format!("3 conversations, 81 requests; {left_out}"));
    // The saving would be used up by as many more turns as in public, so it is named and not recommended.
    advice
        .says("2  fold: shortens old tool results to a line, in batches, when     up to $0.0135\n   that saves money\n");
    advice.says(
        "\nKeep full-history: fold saves 4.1% at the same turns, but costs 34.3% more if\nthe agent takes 1.4 times the turns, the most \
         published for a similar method (if\nyou measured yours: --turns).\n",
    );
    advice.says("\n     ptc-eval apply fold,read=0.05\n");
    let at_equal_turns = suite.advise(&["logs", "--turns", "1"]);
    at_equal_turns.ends(0).says("\nTry fold: it costs 4.1% less than full-history with gpt-6.1-sol.");
    assert_eq!(advice.out.matches("conversations, 81 requests").count(), 1, "{}", advice.out);
    assert_eq!(advice.out.matches("Keep full-history: ").count(), 1, "{}", advice.out);
    assert_eq!(advice.out.matches("Weak evidence: ").count(), 1, "{}", advice.out);
    advice.says("\nWeak evidence: the runs are of 3 tasks. Log 5 more tasks and run this again.\n");
    let text = "note: files left out, found text that is not JSON: 1 (logs/README.md)\n";
    assert!(advice.err.contains(text), "{}", advice.err);
    let links =
        ["it is a link that leads nowhere: 1 (logs/link)", "it is a link to a folder: 1 (logs/nested/above)"];
    let has_links = links.iter().all(|link| advice.err.contains(&format!("note: files left out: {link}\n")));
    assert!(!cfg!(unix) || has_links, "{}", advice.err);
    let marked: Vec<&str> = advice.out.lines().filter(|row| row.starts_with("> ")).collect();
    assert!(marked.len() == 1 && marked[0].starts_with("> full-history  "), "{}", advice.out);
    assert!(advice.out.lines().all(|line| line.chars().count() <= 80), "{}", advice.out);
    let full = advice.out.lines().find(|line| line.starts_with("> full-history")).unwrap();
    assert!(full.contains('$') && full.contains("0 of 75"), "{full}");
    assert!(suite.exists("reports/advice/index.html") && !suite.exists("scenarios"));
    let results: Value = serde_json::from_str(&suite.read("reports/advice/results.json")).unwrap();
    assert!(results["scenarios"][0]["origin"]["path"] == "logs.jsonl" && results["suite"] == "logs");
    assert_eq!(suite.advise(&["logs"]).out, advice.out);
    let strict = suite.advise(&["logs", "--max-short", "0%", "--model", "gpt-5"]);
    strict.ends(0);
    assert!(!strict.out.contains("observation-masking: "), "{}", strict.out);
}

/// Arguments are text where they are nested deeper than a scenario's file may be.
#[test]
fn arguments_of_any_depth_are_read() {
    let suite = Suite::with(&[]);
    for depth in [90, 101, 115, 130, 100_000] {
        let nested = "[".repeat(depth) + &"]".repeat(depth);
        let call = json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": nested}})
            .to_string();
        let bare = call.replace(&format!("\"{nested}\""), &nested);
        for call in [call, bare] {
            let asked = r#"{"role": "user", "content": "m"}, {"role": "assistant", "tool_calls": "#;
            let log = format!(r#"{{"messages": [{asked}[{call}]}}]}}"#);
            suite.write("log.json", &log);
            suite.advise(&["log.json"]).ends(0).says("1 conversation, 1 request\n");
            suite
                .run(&["import", "log.json", "--output", &format!("scenarios/{}-{depth}", log.len())])
                .ends(0);
        }
    }
    suite.run(&["check"]).ends(0);
}

#[test]
fn advice_is_saved_as_a_suite_with_thresholds() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &format!("{}\n{}\n", log(12), log(11)));
    suite.advise(&["log.json", "--save", "strict", "--max-short", "0", "--min-saving", "12.5%"]).ends(0);
    assert!(suite.read("strict/suite.yaml").contains("\nmax_short: 0\nmin_saving: 0.125\n"));
    let kept = suite.advise(&["log.json", "--save", "kept"]);
    let look = kept.ends(0).says("suite: kept;").out.lines().find_map(|line| line.strip_prefix("look:  "));
    suite.run_typed(look.unwrap()).ends(0).says("=== Request ").says("  gone: ");
    suite.advise(&["log.json"]).ends(0).says(" (page)\npage:  reports/advice/index.html\n");
    let settings = suite.read("kept/suite.yaml");
    assert!(
        settings.contains("metric: input_tokens, max: ") && settings.contains("read: 0.05"),
        "{settings}"
    );
    let accepted = suite.run(&["run", "kept", "--accept"]);
    let (snapshots, _) = accepted.ends(0).out.split_once(" snapshots accepted").unwrap();
    // SYSTEM, two runs, and at least the baseline and the two variants of each.
    assert!(snapshots.parse::<usize>().unwrap() >= 1 + 2 + 2 * 3, "{snapshots}");
    suite.run(&["run", "kept"]).ends(0).says(&format!("thresholds met, {snapshots} golden\nfiles unchanged"));
    suite.advise(&["kept"]).ends(0).says("2 conversations, 25 requests");
    // In a suite of the user's own the file keeps its name, and a folder of a suite is a folder of logs.
    suite.advise(&["kept/logs.jsonl", "missing.json", "--save", "other"]).ends(2).complains("missing.json");
    assert!(!suite.exists("other/suite.yaml") && !suite.exists("other/logs.jsonl"));
    let results = suite.read("reports/advice/results.json");
    assert!(results.contains("kept/logs.jsonl"), "the place is that of the suite");
    suite.write("kept/more/log.json", &log(2));
    suite.advise(&["kept/more"]).ends(0).says("1 conversation, 3 requests");
    std::fs::remove_dir_all(suite.path().join("kept/more")).unwrap();
}

/// The logs are the truth: the same command brings a suite up to date. It replaces nothing that it did not write.
#[test]
fn advice_is_saved_again() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &log(12));
    let save = ["advise", "log.json", "--save", "kept"];
    suite.run(&save).ends(0);
    let first = ["suite.yaml", "logs.jsonl"].map(|file| suite.read(&format!("kept/{file}")));
    suite.write("log.json", &log(14));
    suite.run(&save).ends(0).says("1 conversation, 15 requests");
    let second = ["suite.yaml", "logs.jsonl"].map(|file| suite.read(&format!("kept/{file}")));
    // One run recommends nothing, so the suite has no thresholds that could differ.
    assert!(first[0] == second[0] && first[1] != second[1]);
    suite.run(&["run", "kept", "--accept"]).ends(0);
    // Killed between its two files, or by another version of git with other line ends.
    std::fs::remove_file(suite.path().join("kept/logs.jsonl")).unwrap();
    suite.write("kept/suite.yaml", &second[0].replace('\n', "\r\n"));
    suite.run(&save).ends(0);
    assert_eq!(["suite.yaml", "logs.jsonl"].map(|file| suite.read(&format!("kept/{file}"))), second);
    // A change of the user's own.
    let changed = format!("image_tokens: 765\n{}", second[0]);
    suite.write("kept/suite.yaml", &changed);
    suite.run(&save).ends(2).complains("kept/suite.yaml is there already").complains("--save");
    assert_eq!(suite.read("kept/suite.yaml"), changed);
    // A suite, and logs, of somebody else.
    suite.write("own/suite.yaml", "models: []\n");
    suite.advise(&["log.json", "--save", "own"]).ends(2).complains("own/suite.yaml is there already");
    suite.write("logs/logs.jsonl", &log(2));
    suite.advise(&["logs", "--save", "logs"]).ends(2).complains("logs/logs.jsonl is there already");
    assert!(suite.read("logs/logs.jsonl") == log(2) && !suite.exists("logs/suite.yaml"));
}

/// One log with a mistake does not hide the advice on all others, and notes do not repeat themselves for each log.
#[test]
fn notes_on_many_logs_are_one_line_a_kind() {
    let suite = Suite::with(&[]);
    for name in ["a", "b", "c", "d"] {
        let said = r#"{"messages": [{"role": "user", "content": [{"type": "smell"}, {"type": "smell"}]}, "#;
        suite.write(
            &format!("{name}.json"),
            &format!(r#"{said}{{"role": "assistant", "content": "Yes, {name}."}}]}}"#),
        );
    }
    suite.write("e.json", "");
    suite.write("f.json", r#"{"greeting": 1}"#);
    let advice = suite.advise(&["a.json", "b.json", "c.json", "d.json", "e.json", "f.json"]);
    advice.ends(0).says("4 conversations, 4 requests; 2 of 6 files left out (no conversation)\n");
    let place = |name| format!("{name}.json:1: messages[0].content[0]");
    let expected = format!(
        "note: parts of the type smell left out: 8 in 4 logs ({}, {}, {}, …)\n\
         note: files left out, without a conversation: 1 (e.json)\n\
         note: files left out, found an object with the fields greeting: 1 (f.json)\n",
        place("a"),
        place("b"),
        place("c")
    );
    assert_eq!(advice.err, expected);
    suite.advise(&["e.json", "f.json"]).ends(4).complains("there is no conversation in these logs");
}

/// The bill of requests that the log does not hold is not compared.
#[test]
fn bills_are_compared_with_what_they_are_for() {
    let suite = Suite::with(&[]);
    let log = |tokens: u64, calls: u64| {
        let message = |role: &str, content: &str| json!({"role": role, "content": content});
        let statistics = json!({"tokens_sent": tokens, "api_calls": calls});
        let history = [message("user", "Mend it."), message("assistant", "ls"), message("user", "a.py")];
        let last = message("assistant", "submit");
        let history = [&history[..], &[last]].concat();
        json!({"history": history, "info": {"model_stats": statistics}}).to_string()
    };
    suite.write("log.traj", &log(30, 2));
    let advice = suite.advise(&["log.traj"]);
    advice.ends(0);
    let summary = || suite.read("reports/advice/summary.md");
    let counted: u64 =
        summary().split("counted ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let line = |tokens: u64| format!("counted {counted} input tokens; the bills of 1 log have {tokens}\n");
    for (tokens, says) in [(counted * 2, "  more were billed:"), (counted / 2, "  fewer were billed:")] {
        suite.write("log.traj", &log(tokens, 2));
        suite.advise(&["log.traj"]).ends(0).says(&(line(tokens) + says));
    }
    // A bill that fits changes nothing.
    suite.write("log.traj", &log(counted, 2));
    let advice = suite.advise(&["log.traj"]);
    assert!(!advice.ends(0).out.contains("counted ") && summary().contains(&line(counted)), "{}", advice.out);
    let history: Vec<Value> = (0..62)
        .map(|number| match number % 2 {
            0 => json!({"role": "user", "content": format!("{number}: {}", "a line of output\n".repeat(40))}),
            _ => json!({"role": "assistant", "content": format!("cat file-{number}")}),
        })
        .collect();
    let long = |tokens: u64| {
        let statistics = json!({"tokens_sent": tokens, "api_calls": 31});
        json!({"history": history, "info": {"model_stats": statistics}}).to_string()
    };
    suite.write("long.traj", &long(30));
    suite.advise(&["long.traj"]).ends(0);
    let results: Value = serde_json::from_str(&suite.read("reports/advice/results.json")).unwrap();
    let mut strategies = results["strategies"].as_array().unwrap().iter();
    let masked = strategies.find(|strategy| strategy["name"] == "observation-masking").unwrap();
    suite.write("long.traj", &long(masked["totals"]["input_tokens"].as_u64().unwrap()));
    let says = "\n  fewer were billed, about as many as observation-masking sends: ";
    suite.advise(&["long.traj"]).ends(0).says(says);
    suite.write("log.traj", &log(90, 3));
    let advice = suite.advise(&["log.traj"]);
    assert!(!advice.out.contains("counted ") && !summary().contains("counted "));
    let missing = "note: 1 billed call is missing from 1 log: 90 input tokens in bills of whole runs";
    advice.complains(missing);
    suite.write("logs/one.traj", &log(90_000, 1203));
    suite.write("logs/two.traj", &log(10_000, 2005));
    suite.write("logs/whole.traj", &log(30, 2));
    suite.advise(&["logs"]).complains(
        "note: 3,204 billed calls are missing from 2 logs: 100,000 input tokens in bills of whole runs (logs/one.traj:1, \
         logs/two.traj:1)\n",
    );
}

/// Answers without a bill, such as the last one of a log that ends early, are left out of the comparison.
#[test]
fn requests_without_a_bill_are_not_compared() {
    let suite = Suite::with(&[]);
    let said = |role: &str, content: &str| json!({"role": role, "content": content});
    let mut messages = vec![said("user", "Mend it."), said("assistant", "ls"), said("user", "a.py")];
    messages[1]["usage"] = json!({"prompt_tokens": 100});
    suite.write("short.json", &json!({ "messages": messages }).to_string());
    messages.push(said("assistant", &"submit ".repeat(50)));
    suite.write("long.json", &json!({ "messages": messages }).to_string());
    let explained = |log: &str| {
        let advice = suite.advise(&[log]).out;
        advice.split_once("the logs explain ").map(|(_, rest)| rest.split('\n').next().unwrap().to_owned())
    };
    assert_eq!(explained("short.json").unwrap(), "11.0% of the 100 billed tokens");
    assert_eq!(explained("long.json"), explained("short.json"));
}

#[test]
fn what_is_no_log_is_told() {
    let suite = Suite::with(&[]);
    suite.write("notes.txt", "no log");
    suite.write("empty/readme.txt", "no log");
    suite.advise(&["notes.txt"]).ends(2).complains("notes.txt");
    suite.advise(&["missing.json"]).ends(2).complains("missing.json");
    suite.advise(&["empty"]).ends(4).complains("there is no conversation in these logs");
    suite.advise(&["notes.txt", "--max-short", "much"]).ends(2).complains("expected a share such as 5%");
}

const TRANSCRIPT: &str = r#"{"name": "in-the-log", "system": "Be brief.", "tools": [{"name": "look"}],
 "messages": [{"role": "user", "content": "Which town?"},
  {"role": "assistant", "content": "", "tool_calls": [{"id": "a 1", "name": "look", "arguments": {"q": "town"}}]},
  {"role": "tool", "call": "a 1", "content": "Bern_77 and\nothers"},
  {"role": "assistant", "content": "It is Bern_77."}, {"role": "user", "content": "Sure?"},
  {"role": "assistant", "content": "Yes."}], "outcome": {"success": true}}"#;

#[test]
fn a_transcript_is_a_scenario_in_three_ways() {
    let suite =
        Suite::with(&[("named", "transcript: logs/town.json\ntags: [towns]\nneeds: {2: [Bern_77]}\n")]);
    suite.write("scenarios/logs/town.json", TRANSCRIPT);
    suite.write("scenarios/alone.transcript.json", TRANSCRIPT);
    suite.write("scenarios/many.jsonl", &format!("{}\n", TRANSCRIPT.replace('\n', " ")));
    suite.write("scenarios/suite.yaml", "strategies: [full-history, single-user-coalesced]\n");
    suite.run(&["run", "--accept"]).ends(0).says("3 scenarios, ").says(" requests: expectations met");
    let run = suite.read("snapshots/alone/run.snap");
    let expected = "=== turn 1 =====================================================================
--- call [\"a 1\",\"look\"] ---
{\"q\":\"town\"}
--- result [\"a 1\"] ---
Bern_77 and
others
";
    assert!(run.contains(expected) && run.ends_with("success\n"), "{run}");
    let full = suite.read("snapshots/in-the-log/full-history.snap");
    assert!(full.contains("\n2-| --- tool [\"a 1\"] ---\n2-| Bern_77 and\n2-| others\n"), "{full}");
    let golden = suite.read("snapshots/named/single-user-coalesced.snap");
    let lines = golden.lines().map(|line| line.split_once("| ").map_or(line, |(_, text)| text));
    let coalesced = lines.collect::<Vec<_>>().join("\n");
    for part in [
        ";; === conversation ===\nAssistant: It is Bern_77.\nUser: Sure?",
        ";   look({\"q\": \"town\"})",
        ";; Output:\nBern_77 and\nothers",
    ] {
        assert!(coalesced.contains(part), "{part}\n{coalesced}");
    }
    suite.run(&["run"]).ends(0).says("10 golden files unchanged");
    let show = suite.run(&["show", "alone", "--view", "compressed", "--strategy", "full-history"]);
    show.ends(0).says("-> look({\"q\":\"town\"})");
    suite.run(&["explain", "named@2", "--strategy", "full-history"]).ends(0);
}

/// No suite and no import is needed to look at a log.
#[test]
fn a_log_is_a_scenario_for_the_commands_that_show_one() {
    let suite = Suite::with(&[]);
    suite.write("logs/run0.json", &log(12));
    let explained = suite.run(&["explain", "logs/run0.json@7"]);
    explained.ends(0).says("=== Request 7 of run0 under full-history ===").says("message 3, calls");
    let (parts, total) = explained.out.split_once("  input tokens").unwrap();
    let tokens = |line: &str| line.split_whitespace().last()?.replace(',', "").parse::<u32>().ok();
    let sum: u32 = parts.lines().skip_while(|line| !line.starts_with("Tokens")).filter_map(tokens).sum();
    assert!(total.contains(" 6,109\n") && sum == 6109, "{}", explained.out);
    suite.run(&["show", "logs/run0.json", "--turn", "7", "--usage"]).ends(0).says("Tokens: 6109 input");
    let clear = "clear-tool-results,trigger={tokens: 1},keep=0";
    let inputs = format!("{clear},clear_tool_inputs=true");
    let sides = suite.run(&["diff", "logs/run0.json", "--turn", "7", "--strategies", clear, &inputs]);
    let row = sides.ends(0).out.lines().find(|line| line.contains(" tokens")).unwrap().to_owned();
    let tokens: Vec<&str> = row.split_whitespace().filter(|word| word.parse::<u32>().is_ok()).collect();
    assert!(matches!(tokens[..], [left, right] if left != right), "{row}");
    let inputs = inputs.replace("keep=0", "keep=1");
    let without_inputs =
        suite.run(&["explain", "logs/run0.json@7", "--strategy", &inputs]).ends(0).out.clone();
    let (_, from_call) = without_inputs.split_once("before: -> read({\"page\"").unwrap();
    assert!(from_call.lines().nth(1).unwrap().ends_with("now:    -> read({})"), "{without_inputs}");
    let in_files = "clear-tool-results,trigger={tokens: 1},keep=1,to_file=true";
    suite
        .run(&["explain", "logs/run0.json@7", "--strategy", in_files])
        .ends(0)
        .says("  reachable: ord_2_7; turn 3");
    let masked = suite.run(&["explain", "logs/run0.json@7", "--strategy", "masking-step-10"]);
    masked.ends(0).says("under masking-step-10");
    suite.run(&["show", "logs/run0.json", "--turn", "2"]).ends(0).says("=== Turn 2 ===");
    suite.run(&["explain", "logs/run0.json@70"]).ends(2).complains("run0 has no such turn");
    suite.write("logs/two.jsonl", &format!("{}\n{}\n", log(2), log(3)));
    suite.run(&["explain", "logs/two.jsonl"]).ends(2).complains("two.jsonl holds 2 conversations");
    suite.run(&["explain", "logs/two.jsonl#2@4"]).ends(0).says("=== Request 4 of two ");
    suite.run(&["explain", "logs/two.jsonl#1@4"]).ends(2).complains("two has no such turn");
    suite.run(&["explain", "logs/two.jsonl#3"]).ends(2).complains("two.jsonl#1 is the first");
    // A file that is no log gets the same error as before.
    suite.write("scenarios/broken.yaml", "misson: m\n");
    suite.run(&["explain", "scenarios/broken.yaml"]).ends(2).complains("unknown key 'misson'");
}

#[test]
fn a_broken_transcript_is_told_with_its_place() {
    let suite = Suite::with(&[("named", "transcript: town.json\nneeds: {9: [x]}\n")]);
    suite.write("scenarios/town.json", &TRANSCRIPT.replace("\"role\": \"tool\"", "\"role\": \"tol\""));
    suite.write("scenarios/alone.transcript.json", "{\"messages\": [\n  {\"rol\": \"user\"}]}");
    let check = suite.run(&["check"]);
    check.ends(2);
    for said in [
        "scenarios/town.json:4:",
        "unknown variant `tol`",
        "alone.transcript.json:2:",
        "unknown field `rol`",
        "there is no turn 9",
        "`ptc-eval import` makes transcripts of other logs",
    ] {
        assert!(check.err.contains(said), "{said} in {}", check.err);
    }
}

#[test]
fn images_that_count_nothing_are_told_once() {
    let suite = Suite::with(&[]);
    let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}});
    let log = json!({"messages": [
        {"role": "user", "content": [{"type": "text", "text": "Which town is this?"}, image, image]},
        {"role": "assistant", "content": "Bern."},
    ]});
    suite.write("log.json", &log.to_string());
    let told = "images and files in transcripts count no tokens (2 here); image_tokens in suite.yaml sets";
    let advice = suite.run(&["advise", "log.json", "--save", "kept"]);
    assert!(!advice.ends(0).err.contains("image"), "{}", advice.err);
    suite.run(&["advise", "log.json"]).ends(0).says("2 notes: --notes; ");
    suite
        .run(&["advise", "log.json", "--notes"])
        .ends(0)
        .complains("note: images and files counted as 0 tokens: 2; ");
    suite.run(&["run", "kept"]).complains(told);
    suite.write("kept/suite.yaml", &format!("{}image_tokens: 765\n", suite.read("kept/suite.yaml")));
    assert!(!suite.run(&["run", "kept"]).err.contains("image"));
}

/// A price file may name a model that the built-in table lacks.
#[test]
fn models_of_a_price_file_are_known() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &log(2));
    let own = "- {model: own-1, date: 2024-04-30, source: a bill, input: 10, read: 10, output: 30}\n";
    suite.write("prices.yaml", own);
    let advise = ["advise", "log.json", "--prices", "prices.yaml", "--model", "own-1", "--save", "kept"];
    suite.run(&advise).ends(0).says(" own-1");
    suite.run(&["run", "kept", "--prices", "prices.yaml"]).ends(0).says(" own-1");
    suite.run(&["run", "kept"]).ends(2).complains("there is no model 'own-1'");
}

/// A session that still runs may be logged before its bills are.
#[test]
fn the_copy_with_the_bills_is_kept() {
    let suite = Suite::with(&[]);
    let mut billed: Value = serde_json::from_str(&log(3)).unwrap();
    billed["messages"][2]["usage"] = json!({"prompt_tokens": 900, "completion_tokens": 20});
    suite.write("logs/a.json", &log(3));
    suite.write("logs/b.json", &billed.to_string());
    let advice = suite.advise(&["logs"]);
    advice.ends(0).says("1 conversation, 4 requests");
    advice.complains("note: conversations equal to another, counted once: 1 (logs/a.json)\n");
    assert!(!advice.err.contains("beginning"), "{}", advice.err);
}

/// A folder holds copies of logs, and logs of later rounds that begin with earlier ones: each conversation is one run.
#[test]
fn equal_conversations_and_beginnings_count_once() {
    let suite = Suite::with(&[]);
    let cut = |turns: usize, messages: usize| {
        let mut log: Value = serde_json::from_str(&log(turns)).unwrap();
        log["messages"].as_array_mut().unwrap().truncate(messages);
        log
    };
    suite.write("alone/long.json", &log(12));
    suite.write("alone/other.json", &log(11));
    let alone = suite.advise(&["alone", "--save", "kept"]);
    alone.ends(0).says("2 conversations, 25 requests\n");
    assert_eq!(alone.err, "");
    suite.write("logs/a-round-1.json", &cut(12, 10).to_string());
    // What follows the last answer is in no request.
    let mut told = cut(12, 14);
    told["messages"][13]["content"] = "interrupted".into();
    suite.write("logs/b-round-2.json", &told.to_string());
    suite.write("logs/long.json", &log(12));
    suite.write("logs/other.json", &log(11));
    suite.write("logs/x-copy.json", &log(12));
    suite.write("logs/y-copy.json", &cut(12, 27).to_string());
    suite.write("logs/z-round-3.json", &cut(12, 20).to_string());
    let advice = suite.advise(&["logs", "--save", "merged"]);
    advice
        .ends(0)
        .complains("conversations equal to another, counted once: 2 (logs/x-copy.json, logs/y-copy.");
    let beginnings = "note: conversations that are the beginning of another, counted once: 3 (logs/a-round-1.json, \
         logs/b-round-2.json, logs/z-round-3.json)\n";
    advice.complains(beginnings);
    let screen = |ran: &Ran| ran.out.split("look:").next().unwrap().to_owned();
    assert_eq!(screen(&advice), screen(&alone));
    let contents = |folder: &str| {
        let transcripts = suite.read(&format!("{folder}/logs.jsonl"));
        let messages = |line: &str| serde_json::from_str::<Value>(line).unwrap()["messages"].clone();
        transcripts.lines().map(messages).collect::<Vec<_>>()
    };
    assert_eq!(contents("merged"), contents("kept"));
    suite.run(&["run", "merged"]).ends(3).says("2 scenarios, 25 requests");
    // Another system prompt makes another run.
    let other = log(12).replace("You find errors. ", "You seek errors. ");
    suite.write("logs/other-system.json", &other);
    suite.advise(&["logs"]).ends(0).says("2 agents: find-errors (2 conversations), seek-errors (1).");
    suite.advise(&["logs", "--one-agent"]).ends(0).says("3 conversations, 38 requests\n");
}

/// A constant and a factor do not explain bills that are now four times as large as before and now not.
#[test]
fn bills_that_are_not_explained_are_no_recommendation() {
    let suite = Suite::with(&[]);
    let billed = |turns: usize, tokens: usize| {
        let mut log: Value = serde_json::from_str(&log(turns)).unwrap();
        let messages = log["messages"].as_array_mut().unwrap().iter_mut();
        let answers = messages.filter(|message| message["role"] == "assistant");
        let tokens = [tokens / 4, tokens].into_iter().cycle();
        answers.zip(tokens).for_each(|(answer, tokens)| answer["usage"] = json!({ "prompt_tokens": tokens }));
        log.to_string()
    };
    suite.write("log.json", &format!("{}\n{}\n", billed(30, 2_000_000), billed(31, 2_000_000)));
    let advice = suite.advise(&["log.json", "--save", "kept"]);
    advice.ends(0).says("\n\nCounted ").says(" of 78.0 M billed tokens: no recommendation.\n");
    advice.says("\n  --no-bills recommends from the counted").says("\nsuite: kept; without thresholds");
    assert!(
        !advice.out.contains("\n> ") && !suite.read("kept/suite.yaml").contains("thresholds"),
        "{}",
        advice.out
    );
    let page = suite.read("reports/advice/index.html");
    assert!(page.contains(" of 78.0 M billed tokens: no recommendation."));
    let without = suite.advise(&["log.json", "--no-bills", "--save", "judged"]);
    without.ends(0).says("\n> ").says("judged fails if its thresholds are crossed");
    assert!(!without.out.contains("billed"), "{}", without.out);
    assert!(suite.read("judged/suite.yaml").contains("metric: input_tokens"));
}

/// A strategy of the user's own that breaks, or may not run, costs nothing because it sent nothing.
#[test]
fn a_strategy_without_requests_is_told_and_not_compared() {
    let suite = Suite::with(&[]);
    suite.write("logs.jsonl", &format!("{}\n{}\n", log(12), log(13)));
    suite.advise(&["logs.jsonl", "--save", "kept", "--model", "gpt-5"]).ends(0);
    let settings = suite.read("kept/suite.yaml").split("thresholds:").next().unwrap().to_owned();
    let own = "variants:\n  mine: {command: [sh, own.sh]}\n  late: {program: late.clj}\n";
    let settings = settings.replace("variants:\n", own).replace("strategies: [", "strategies: [mine, late, ");
    suite.write("kept/suite.yaml", &settings);
    suite.write("kept/late.clj", "(defn to-messages [turns memory opts] (missing turns))");
    for command in ["advise", "run", "tune"] {
        let ran = if command == "advise" { suite.advise(&["kept"]) } else { suite.run(&[command, "kept"]) };
        assert!([1, 2].contains(&ran.code), "{command}: {}", ran.code);
        let all = [ran.err.as_str(), &ran.out].concat();
        assert_eq!(all.matches("sh own.sh: not run: a command may do anything on").count(), 1, "{all}");
        let row = ran.out.lines().find(|line| line.starts_with("  mine ")).unwrap();
        assert!(row.contains("no requests") && !row.contains('$') && !row.contains('%'), "{row}");
        assert!(!ran.out.contains("would reject") && !ran.out.contains("> mine"), "{}", ran.out);
    }
    let results: Value = serde_json::from_str(&suite.read("reports/advice/results.json")).unwrap();
    let cost = |name: &str| {
        let mut strategies = results["strategies"].as_array().unwrap().iter();
        strategies.find(|strategy| strategy["name"] == name).unwrap()["totals"]["cost:gpt-5"].clone()
    };
    assert!(cost("mine").is_null() && cost("fold").is_string(), "{} {}", cost("mine"), cost("fold"));
}

/// Scratch folders of a command are below the system's temporary folder.
#[cfg(unix)]
#[test]
fn folders_of_killed_processes_are_removed() {
    let suite = Suite::with(&[]);
    for file in ["ptc-eval-killed/.lock", "ptc-eval-killed/logs.jsonl", "ptc-eval-used/.lock", "other/.lock"]
    {
        suite.write(&format!("tmp/{file}"), "");
    }
    std::fs::create_dir(suite.path().join("tmp/ptc-eval-empty")).unwrap();
    let used = std::fs::File::open(suite.path().join("tmp/ptc-eval-used/.lock")).unwrap();
    used.lock().unwrap();
    let place = suite.path().join("tmp").display().to_string();
    suite.run_with(&["demo"], "", &[("TMPDIR", &place)]).ends(0);
    let left = std::fs::read_dir(suite.path().join("tmp")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut left: Vec<_> = left.collect();
    left.sort();
    assert_eq!(left, ["other", "ptc-eval-used"]);
}

/// The newest sessions of a coding agent are read; other files in its folders are not.
#[test]
fn sessions_of_an_agent_are_found() {
    let suite = Suite::with(&[]);
    let day = std::time::Duration::from_secs(86_400);
    for (number, name) in ["a/old", "b/new", "c/newest"].iter().enumerate() {
        let file = format!("claude/projects/{name}.jsonl");
        let line = |role: &str, content: &str| json!({"type": role, "uuid": format!("{role}-{number}"), "sessionId": name, "message": {"role": role, "content": content}});
        suite.write(&file, &format!("{}\n{}\n", line("user", name), line("assistant", "Done.")));
        let written = std::time::SystemTime::UNIX_EPOCH + day * (20_000 + number as u32);
        std::fs::File::options()
            .write(true)
            .open(suite.path().join(&file))
            .unwrap()
            .set_modified(written)
            .unwrap();
    }
    suite.write("claude/projects/a/notes.txt", "no session");
    let advise = |arguments: &[&str]| {
        let arguments = [&["advise", "--agent", "claude-code", "--table"], arguments].concat();
        suite.run_with(&arguments, "", &[("CLAUDE_CONFIG_DIR", "claude"), ("HOME", "nowhere")])
    };
    advise(&[]).ends(0).says("3 sessions of Claude Code, 3 requests");
    let summary = |file: &str| suite.read(&format!("reports/advice/{file}"));
    assert!(
        summary("results.json").contains("\"suite\":\"3 sessions of claude-code\""),
        "{}",
        summary("results.json")
    );
    advise(&["--last", "2"]).ends(0).says("2 sessions of Claude Code, 2 requests");
    let found = summary("results.json");
    assert!(
        found.contains("0001-newest-1") && found.contains("0002-new-1") && !found.contains("old-1"),
        "{found}"
    );
    advise(&["log.jsonl"]).ends(2).complains("cannot be used with");
}
/// Logs cost what their model cost on their last day.
#[test]
fn prices_are_those_of_the_day_of_the_logs() {
    let suite = Suite::with(&[]);
    let says = |day: &str, line: &str| {
        let messages = json!([
            {"role": "user", "content": "Which?", "time": format!("{day}T09:00:00Z")},
            {"role": "assistant", "content": "That.", "time": format!("{day}T10:00:00Z"), "usage": {"model": "claude-sonnet-5-5"}}
        ]);
        suite.write("log.transcript.json", &json!({ "messages": messages }).to_string());
        let advice = suite.advise(&["log.transcript.json"]);
        advice.ends(0).says(line);
        assert!(!advice.err.contains("prices"), "{}", advice.err);
        let results: Value = serde_json::from_str(&suite.read("reports/advice/results.json")).unwrap();
        results["models"][0]["read"].as_f64().unwrap()
    };
    let before = "prices: claude-sonnet-5-5 of 2026-11-23, which held until 2026-10-07, as in the\nlogs\n";
    assert_eq!(says("2026-10-06", before), 0.2);
    assert_eq!(says("2026-10-07", "prices: claude-sonnet-5-5 of 2026-11-23, as in the logs\n"), 0.1);
}
