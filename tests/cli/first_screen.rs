//! The first screen of `advise`: the money, the actions, the evidence.

use serde_json::{Value, json};

use super::advise::log;
use super::suite::Suite;

/// Tokens added by each turn of a session, and tokens of its first request.
const STEP: u64 = 2_200;
const FIRST: u64 = 20_000;

/// A session of Claude Code with this many turns of a minute each. A person comes back after a break of this many minutes in the
/// middle of it, when the cache has expired.
pub(super) fn session(name: &str, turns: u64, break_minutes: u64) -> String {
    session_with_breaks(name, turns, &[(turns / 2, break_minutes)])
}

/// The same with several breaks, each before a turn.
fn session_with_breaks(name: &str, turns: u64, breaks: &[(u64, u64)]) -> String {
    let mut lines = String::new();
    let (mut minutes, mut total) = (0, 0);
    let mut push = |number: u64, minutes: u64, kind: &str, message: Value| {
        let parent = number.checked_sub(1).map(|before| format!("{name}-{before}"));
        let time = format!("2026-03-05T{:02}:{:02}:00.000Z", 8 + minutes / 60, minutes % 60);
        let line = json!({"sessionId": name, "uuid": format!("{name}-{number}"), "parentUuid": parent, "type": kind,
            "timestamp": time, "version": "2.1.332", "message": message});
        lines += &format!("{line}\n");
    };
    push(
        0,
        0,
        "user",
        json!({"role": "user", "content": format!("Find the order that failed first in {name}.")}),
    );
    for turn in 0..turns {
        minutes += 1;
        let break_minutes: u64 =
            breaks.iter().filter(|(before, _)| *before == turn).map(|(_, minutes)| minutes).sum();
        let comes_back = break_minutes > 0;
        if comes_back {
            minutes += break_minutes;
            push(2 * turn, minutes, "user", json!({"role": "user", "content": "Go on, please."}));
        }
        let (read, written) = match total {
            0 => (0, FIRST),
            _ if comes_back => (0, total + STEP),
            _ => (total, STEP),
        };
        total = read + written;
        let usage = json!({"input_tokens": 4, "cache_read_input_tokens": read, "cache_creation_input_tokens": written,
            "output_tokens": 60});
        // Each page is found in the result before, each order in one some turns before.
        let input = json!({"file_path": format!("/{name}/log-{turn}"), "order": format!("ord_{name}_{}_7", turn.saturating_sub(4))});
        let call =
            json!({"type": "tool_use", "id": format!("{name}-c{turn}"), "name": "Read", "input": input});
        let answer = json!({"id": format!("{name}-m{turn}"), "role": "assistant", "model": "claude-sonnet-4-5",
            "usage": usage, "content": [call]});
        push(2 * turn + 1, minutes, "assistant", answer);
        let row = |row: usize| {
            format!("{turn:02}:{row:02} order ord_{name}_{turn}_{row} is fine, see log-{}\n", turn + 1)
        };
        let result = json!({"type": "tool_result", "tool_use_id": format!("{name}-c{turn}"),
            "content": (0..88).map(row).collect::<String>()});
        push(2 * turn + 2, minutes, "user", json!({"role": "user", "content": [result]}));
    }
    lines
}

/// The dollars of the rows of a screen.
fn amounts(out: &str) -> Vec<f64> {
    let row = regex::Regex::new(r"(?m)^ +\$([0-9.]+) +\d+%  ").unwrap();
    row.captures_iter(out).map(|found| found[1].parse().unwrap()).collect()
}

/// The total of a screen.
fn total(screen: &str) -> f64 {
    screen.split("API prices: $").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn an_owner_of_a_coding_agent_sees_the_money_and_what_can_be_set() {
    let suite = Suite::with(&[]);
    for name in ["alpha", "beta", "gamma"] {
        suite.write(&format!("logs/{name}.jsonl"), &session(name, 70, 20));
    }
    let ran = suite.run(&["advise", "logs"]);
    let screen = &ran.ends(0).out;
    assert!(screen.lines().count() <= 25, "{screen}");
    assert!(screen.lines().all(|line| line.chars().count() <= 80), "{screen}");
    ran.says("3 sessions of Claude Code, 210 requests, 5 Mar 2026\nCost at API prices: $");
    let total = total(screen);
    let parts: f64 = amounts(screen).iter().sum();
    assert!(amounts(screen).len() == 4 && (parts - total).abs() < 0.03, "{screen}");
    ran.says("re-reading the conversation from the cache")
        .says("after breaks")
        .says("costliest session: \"Find the order")
        .says(".jsonl)\n");
    // A subscription is billed otherwise, and each action names its price besides money.
    ran.says(" (with a subscription: your use, not your bill)\n");
    ran.says("Type /compact before a break that outlasts the cache (5 min)")
        .says("3 such breaks; the summaries are deducted\n")
        .says("loses what the summary leaves out (not measured); for a new task: /clear\n");
    ran.says("Not recommended, since it saves less than 1%: cutting Bash output at 4,000 to")
        .says("a longer cache.")
        .says("Saving 1 assumes that compactions leave 33,000 to 61,000 tokens.");
    assert!(
        !screen.contains("fold") && !screen.contains("trim"),
        "nobody can switch these on there: {screen}"
    );
    assert!(ran.err.is_empty(), "{}", ran.err);
    // A compaction that loses too much is no action, and what it loses is what the table shows.
    assert!(!screen.contains("autoCompactWindow"), "{screen}");
    let refused = screen.split("Not recommended: compacting at ").nth(1).unwrap();
    let size = refused.split(' ').next().unwrap().replace(',', "");
    let most = refused.split("up to ").nth(1).unwrap().split(' ').next().unwrap();
    let setting = format!("claude-code,trigger={{tokens: {size}}}");
    let row = compaction_row(&suite, &setting);
    assert!(row.starts_with("x ") && row.ends_with(&format!("–{most}")), "{row}: {refused}");
    assert_eq!(suite.run(&["advise", "logs"]).out, *screen, "the same bytes");
}

/// The row of a compaction in the table.
fn compaction_row(suite: &Suite, setting: &str) -> String {
    let table = suite.run(&["advise", "logs", "--preset", setting, "--table"]);
    let mut rows = table.ends(0).out.lines().skip_while(|line| !line.contains("cost vs"));
    // The numbers of a setting with a long name are in the line below it.
    let name = rows.find(|line| line.contains("=tokens=")).unwrap_or_else(|| panic!("{}", table.out));
    format!("{name} {}", rows.next().unwrap_or_default())
}

#[test]
fn a_compaction_is_offered_with_its_setting_and_its_evidence() {
    let suite = Suite::with(&[]);
    suite.write("logs/alpha.jsonl", &session("alpha", 70, 20));
    // One session is enough to try sizes, and weak evidence.
    let ran = suite.run(&["advise", "logs", "--max-short", "50%"]);
    ran.ends(0).says("Compact at ").says("Weak evidence for 1: all runs are of one task.");
    ran.says("A fact: a name, number or line of earlier text.");
    // A compaction and a habit both shorten what is read again, so their savings do not add up.
    ran.says("What you can change (savings overlap: do not add them)");
    // The setting is that of `apply`, and its loss that of the table.
    let action = ran.out.split("Compact at ").nth(1).unwrap();
    let size = action.split(' ').next().unwrap().replace(',', "");
    let setting = format!("claude-code,trigger={{tokens: {size}}}");
    let applied = suite.run(&["apply", &setting, "--for", "claude-code"]);
    let line = applied.ends(0).out.lines().find(|line| line.contains("autoCompactWindow")).unwrap();
    ran.says(line.trim());
    let most: u64 =
        action.split("they use: up to ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let row = compaction_row(&suite, &setting);
    let of_table: u64 = row.split('–').nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(of_table <= most, "{row}: {action}");
    // Nobody published summaries that keep so little, and this agent has not begun with them.
    let usual = suite.run(&["advise", "logs"]);
    assert!(!usual.ends(0).out.contains("autoCompactWindow"), "{}", usual.out);
}

#[test]
fn an_owner_of_a_library_sees_the_strategy_to_apply() {
    let suite = Suite::with(&[]);
    suite.write("logs/long.jsonl", &format!("{}\n{}\n", log(40), log(36)));
    let ran = suite.run(&["advise", "logs"]);
    ran.ends(0).says("2 conversations, 78 requests").says("about $0.32 (no counts per request)");
    ran.says("2  fold: ").says("\n     ptc-eval apply fold");
    let command = ran.out.lines().find(|line| line.trim_start().starts_with("ptc-eval apply")).unwrap();
    suite.run_typed(command.trim()).ends(0).says("def shorter(");
    assert!(ran.out.lines().count() <= 25, "{}", ran.out);
    ran.says("all strategies: --table; page: ");
    suite.run(&["advise", "logs", "--table"]).ends(0).says("  trim-step-10 ");
}

#[test]
fn notes_are_one_line_until_they_are_asked_for() {
    let suite = Suite::with(&[]);
    let broken = session("alpha", 12, 0) + "{\"type\": \"user\", \"message\": \n";
    suite.write("log.jsonl", &broken);
    let ran = suite.run(&["advise", "log.jsonl"]);
    ran.ends(0).says("1 note: --notes; ");
    assert!(!ran.err.contains("note: "), "{}", ran.err);
    suite.run(&["advise", "log.jsonl", "--notes"]).ends(0).complains("note: ");
}

/// The simulation uses the prices of one model, the sessions were billed at those of several. The screen must
/// make clear whether the cost includes all answers.
#[test]
fn answers_without_output_counts_are_not_in_the_cost() {
    let suite = Suite::with(&[]);
    let (log, count) = (session("boiler", 12, 30), r#""output_tokens":60"#);
    assert!(log.contains(count));
    suite.write("some.jsonl", &log.replacen(count, r#""output_tokens":null"#, 2));
    suite.write("all.jsonl", &log.replace(count, r#""output_tokens":null"#));
    suite.advise(&["some.jsonl"]).says(" for 2 requests without an output count");
    suite.advise(&["all.jsonl"]).says(" for the answers: no request has an output count");
}

#[test]
fn no_action_saves_more_than_was_spent() {
    let suite = Suite::with(&[]);
    for session in std::fs::read_dir("scenarios/sessions/data").unwrap() {
        let path = session.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        suite.write(&format!("logs/{name}"), &std::fs::read_to_string(&path).unwrap());
    }
    let ran = suite.run(&["advise", "logs", "--one-agent"]);
    let screen = &ran.ends(0).out;
    let total = total(screen);
    let action = regex::Regex::new(r"(?m)^[1-9]  .*\$([0-9.]+)$").unwrap();
    let most: Vec<f64> = action.captures_iter(screen).map(|found| found[1].parse().unwrap()).collect();
    assert!(!most.is_empty() && most.iter().all(|saved| *saved < total), "{screen}");
}

/// The log of an agent that calls Anthropic's API without cache breakpoints: each line has a whole request.
fn without_cache(run: usize, turns: usize) -> String {
    let (mut messages, mut lines) = (
        vec![json!({"role": "user", "content": format!("Find the last file of run {run}.")})],
        String::new(),
    );
    let system = "You are a careful agent. ".repeat(300);
    for turn in 0..turns {
        let input = (json!(messages).to_string().len() + system.len()) / 4;
        let call = json!({"type": "tool_use", "id": format!("c{run}-{turn}"), "name": "read", "input": {"file": format!("file-{run}-{turn}")}});
        let usage = json!({"input_tokens": input, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0, "output_tokens": 60});
        let response = json!({"id": format!("m{run}-{turn}"), "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
            "content": [call], "stop_reason": "tool_use", "usage": usage});
        let request =
            json!({"model": "claude-sonnet-4-5", "max_tokens": 1000, "system": system, "messages": messages});
        let time = format!("2026-10-{:02}T12:{turn:02}:00Z", run + 5);
        lines += &format!("{}\n", json!({"request": request, "response": response, "timestamp": time}));
        messages.push(json!({"role": "assistant", "content": [call]}));
        let text =
            format!("next is file-{run}-{}\n", turn + 1) + &format!("line {turn} of {run}\n").repeat(60);
        let result = json!({"type": "tool_result", "tool_use_id": format!("c{run}-{turn}"), "content": text});
        messages.push(json!({"role": "user", "content": [result]}));
    }
    lines
}

/// At Anthropic, nothing is cached without a breakpoint.
#[test]
fn an_agent_without_cache_breakpoints_is_told_the_line_to_set() {
    let suite = Suite::with(&[]);
    for run in 0..3 {
        suite.write(&format!("logs/{run}.jsonl"), &without_cache(run, 20));
    }
    let ran = suite.run(&["advise", "logs"]);
    ran.ends(0)
        .says("1  Set cache breakpoints: 60 requests read nothing")
        .says("\n     \"cache_control\": {\"type\": \"ephemeral\"}\n");
    // Of the input, all but the newest part is read at a tenth of the price, and the rest is written at 1.25 times of it.
    let (mut now, mut then) = (0.0, 0.0);
    for log in (0..3).map(|run| without_cache(run, 20)) {
        let mut before = 0.0;
        for line in log.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let input = line["response"]["usage"]["input_tokens"].as_f64().unwrap();
            now += input * 3e-6;
            then += before * 3e-7 + (input - before) * 3.75e-6;
            before = input;
        }
    }
    let saved = ran.out.split("read nothing").nth(1).unwrap().split('$').nth(1).unwrap();
    let saved: f64 = saved.split_whitespace().next().unwrap().parse().unwrap();
    assert!((saved - (now - then)).abs() < 0.006, "{saved} {}", now - then);
}

/// Tokens of the unused part of a long result, two a line.
const LONG: u64 = 4_000;

/// A session of Claude Code with long command output; each call needs only its start.
fn long_outputs(name: &str, turns: u64) -> String {
    let (mut lines, mut total) = (String::new(), 0);
    for line in session(name, turns, 0).lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let message = &mut line["message"];
        if message["role"] == "assistant" {
            message["content"][0]["name"] = json!("Bash");
            let written = if total == 0 { FIRST } else { STEP + LONG };
            message["usage"]["cache_read_input_tokens"] = json!(total);
            message["usage"]["cache_creation_input_tokens"] = json!(written);
            total += written;
        } else if let Some(text) = message["content"][0]["content"].as_str() {
            let text = text.to_owned() + &"checked\n".repeat(LONG as usize / 2);
            message["content"][0]["content"] = json!(text);
        }
        lines += &format!("{line}\n");
    }
    lines
}

/// What lies beyond the limit of a product is read again in every request.
#[test]
fn long_results_of_commands_are_cut_as_the_product_cuts_them() {
    let suite = Suite::with(&[]);
    for name in ["alpha", "beta", "gamma"] {
        suite.write(&format!("logs/{name}.jsonl"), &long_outputs(name, 30));
    }
    let ran = suite.run(&["advise", "logs"]);
    ran.ends(0)
        .says("Cut Bash output at ")
        .says("     \"bashOutputMaxChars\": ")
        .says("longer output goes to a file");
    let table = suite.run(&[
        "advise",
        "logs",
        "--table",
        "--strategy",
        "as-recorded,result_limit=4000,keep_start=2000,only_tools=[Bash]",
    ]);
    // The numbers of a setting with a long name are in the line below it.
    let mut rows = table.ends(0).out.lines().skip_while(|line| !line.contains("as-recorded,"));
    let row = rows.nth(1).unwrap();
    assert!(row.contains('%'), "{row}");
    // No result is one of Grep.
    suite.run(&["advise", "logs", "--strategy", "as-recorded,result_limit=4000,only_tools=[Grep]"]).ends(0);
    let results: Value = serde_json::from_str(&suite.read("reports/advice/results.json")).unwrap();
    let tokens_of = |name: &str| {
        let strategies = results["strategies"].as_array().unwrap();
        strategies.iter().find(|one| one["name"].as_str().unwrap().contains(name)).unwrap()["input_tokens"]
            .clone()
    };
    assert_eq!(tokens_of("Grep"), tokens_of("full-history"));
}

/// What a program cannot do is recommended nowhere: not on the screen, not above the table, not on the page.
#[test]
fn a_program_without_settings_is_offered_nothing() {
    let suite = Suite::with(&[]);
    for name in ["alpha", "beta", "gamma"] {
        suite.write(&format!("logs/{name}.jsonl"), &session(name, 70, 0));
    }
    let table = suite.run(&["advise", "logs", "--table"]);
    table.ends(0).says("These strategies cannot be switched on in this program.");
    for word in ["Use ", "Try ", "Nearest: ", "Cheapest "] {
        assert!(!table.out.contains(&format!("\n{word}")), "{}", table.out);
    }
    let results: Value = serde_json::from_str(&suite.read("reports/advice/results.json")).unwrap();
    assert!(results["recommended"].is_null(), "{}", results["recommended"]);
}

/// With a cache of one hour, only longer breaks need a compaction. So both together save what the cache saves, and what compactions
/// save before the longer breaks.
#[test]
fn the_savings_of_a_compaction_and_a_longer_cache_add_up_beyond_an_hour() {
    let bound = |breaks: &[(u64, u64)]| {
        let suite = Suite::with(&[]);
        for name in ["alpha", "beta", "gamma"] {
            suite.write(&format!("logs/{name}.jsonl"), &session_with_breaks(name, 70, breaks));
        }
        let ran = suite.run(&["advise", "logs"]);
        let screen = ran.ends(0).out.clone();
        let amount = |start: &str| -> f64 {
            let rest = screen.split(start).nth(1).unwrap_or_else(|| panic!("no {start:?} in\n{screen}"));
            let digits = rest.split('$').nth(1).unwrap().split([' ', '\n', ')', ',']).next().unwrap();
            digits.parse().unwrap()
        };
        let both = amount("both: at least");
        (both, amount("Keep the cache for 1 h instead of 5 min"), amount("Type /compact"))
    };
    let (both, cache, _) = bound(&[(20, 20), (30, 20), (40, 40), (50, 40)]);
    assert!((both - cache).abs() < 0.02, "no break is longer than an hour: {both} {cache}");
    let (more, cache, compact) = bound(&[(15, 20), (25, 20), (35, 20), (50, 90)]);
    assert!(more > cache && more < cache + compact, "{more} {cache} {compact}");
}

/// Each numbered action has a sentence on its evidence, and none is lost beside another.
#[test]
fn each_action_has_its_evidence() {
    let suite = Suite::with(&[]);
    for name in ["alpha", "beta", "gamma"] {
        // Two breaks with an expired cache, one of them longer than an hour.
        let breaks = [(20, 20), (30, 20), (40, 20), (50, 90)];
        suite.write(&format!("logs/{name}.jsonl"), &session_with_breaks(name, 70, &breaks));
    }
    let screen = suite.run(&["advise", "logs"]).ends(0).out.clone();
    assert!(
        screen.contains("Type /compact before a break") && screen.contains("Keep the cache for 1 h"),
        "{screen}"
    );
    let numbered = regex::Regex::new(r"(?m)^([0-9])  ").unwrap();
    let numbers: Vec<String> = numbered.captures_iter(&screen).map(|found| found[1].to_owned()).collect();
    assert!(numbers.len() >= 2, "{screen}");
    let flowing = screen.replace('\n', " ");
    let evidence = regex::Regex::new(r"(?:Saving|[Ee]vidence for|;) ([0-9][0-9, and]*)").unwrap();
    let named: String = evidence.captures_iter(&flowing).map(|found| found[1].to_owned()).collect();
    for number in numbers {
        assert!(named.contains(&number), "no evidence for {number}: {screen}");
    }
}
