//! Pauses of runs: what providers cached expires meanwhile.

use serde_json::{Value, json};

use super::suite::Suite;

/// Answers that say where a bill of four requests went, ten minutes before the third.
fn transcript(has_times: bool) -> Value {
    let bill = |input: u64, cached: u64, written: u64| {
        json!({"model": "claude-opus-4-5", "input_tokens": input, "cached_tokens": cached,
            "cache_write_tokens": written, "output_tokens": 10})
    };
    let clock = ["12:00:00", "12:01:00", "12:11:00", "12:12:00"];
    let bills = [
        bill(10_000, 0, 10_000),
        bill(20_000, 10_000, 10_000),
        bill(30_000, 0, 30_000),
        bill(40_000, 30_000, 10_000),
    ];
    let mut messages = vec![json!({"role": "user", "content": "Look at the gate."})];
    for (turn, (clock, bill)) in clock.into_iter().zip(bills).enumerate() {
        let mut answer = json!({"role": "assistant", "content": "I look.", "usage": bill,
            "tool_calls": [{"id": format!("c{turn}"), "name": "look", "arguments": {"at": turn}}]});
        if has_times {
            answer["time"] = json!(format!("2026-10-02T{clock}Z"));
        }
        messages.push(answer);
        let seen = format!("gate_{turn}_7 {}", "rust and paint ".repeat(2000));
        messages.push(json!({"role": "tool", "call": format!("c{turn}"), "content": seen}));
        if turn == 1 {
            messages.push(json!({"role": "user", "content": "And the hinges?"}));
        }
    }
    messages.push(json!({"role": "assistant", "content": "It is rusty."}));
    json!({"messages": messages})
}

/// The first number of dollars in the row of full-history.
fn cost(out: &str) -> f64 {
    let row = out.lines().find(|line| line.trim_start().starts_with("full-history ")).unwrap();
    row.split('$').nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap().parse().unwrap()
}

fn advise(suite: &Suite, more: &[&str]) -> String {
    let arguments = ["advise", "log.json", "--no-bills", "--model", "claude-opus-4-5"];
    suite.run(&[&arguments, more].concat()).out.clone()
}

#[test]
fn a_log_is_billed_with_its_pauses() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &transcript(false).to_string());
    let untimed = advise(&suite, &[]);
    assert!(untimed.contains("\nno pauses: the logs have no times\n"), "{untimed}");
    let assumed = advise(&suite, &["--pause", "10m"]);
    assert!(
        assumed.contains(
            "\npauses: 10 min before each message of a person; claude-opus-4-5 keeps its cache for 5 min\n"
        ),
        "{assumed}"
    );
    suite.write("log.json", &transcript(true).to_string());
    let timed = advise(&suite, &[]);
    assert!(!timed.contains("pauses:"), "known pauses change no decision: {timed}");
    let summary = || suite.read("reports/advice/summary.md");
    let known = "\n- pauses: as in the logs; claude-opus-4-5 keeps its cache for 5 min\n";
    assert!(summary().contains(known), "{}", summary());
    assert!(cost(&timed) > cost(&untimed));
    assert_eq!(cost(&timed), cost(&assumed));
    let short = advise(&suite, &["--pause", "4m"]);
    assert_eq!(cost(&short), cost(&timed), "a log with times has its own pauses");
    let for_hour = advise(&suite, &["--ttl", "1h"]);
    assert!(summary().contains("claude-opus-4-5 keeps its cache for 1 h\n"), "{}", summary());
    assert_ne!(cost(&for_hour), cost(&timed));
}

/// Reading costs 0.5, writing 6.25 or 10 dollars a million: 20,000 tokens were written again at 5.75 more. For an hour 40,000
/// tokens cost 3.75 more each, and these 20,000 are read for 5.75 less. A request every four minutes costs 2 · 20,000 reads in
/// the pause, and 11 · 40,000 after the last one; it saves what the miss cost.
#[test]
fn the_money_of_a_log_goes_somewhere() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &transcript(true).to_string());
    let out = advise(&suite, &[]);
    let line = "\nbilled $0.40: read 40.0% of input; misses cost $0.12: expired $0.12 (with 1 h instead of 5 min: +$0.0350)\n";
    assert!(out.contains(line), "{out}");
    let summary = suite.read("reports/advice/summary.md");
    for text in [
        "Billed $0.40 for 4 requests. Of 100,000 tokens of input 40.0% were read from a cache, 60.0% written to it and 0.0% sent afresh.",
        "| expired after 10 min | 1 | 20,000 | $0.12 |",
        "| first request | 1 | 10,000 | $0.0575 |",
        "with 1 h instead of 5 min: +$0.0350; with a request every 4 min in pauses: +$0.12.",
    ] {
        assert!(summary.contains(text), "{text}\n{summary}");
    }
}

const SCENARIO: &str = "
mission: Follow.
max_turns: 4
data: {numbers: [1, 2]}
responses:
  - program: (println (range 400))
  - program: (println (range 400))
  - program: (return 3)
";

#[test]
fn a_scenario_says_its_pauses() {
    let run = |more: &str| {
        let suite = Suite::with(&[("one", &format!("{SCENARIO}{more}"))]);
        suite.write("scenarios/suite.yaml", "strategies: [full-history]\nmodels: [claude-sonnet-5-5]\n");
        suite.run(&["run"]);
        let csv = suite.read("reports/strategies.csv");
        let (names, values) = csv.split_once('\n').unwrap();
        let at = names.split(',').position(|name| name.starts_with("cached_tokens")).unwrap();
        values.split(',').nth(at).unwrap().parse::<u64>().unwrap()
    };
    assert!(run("") > 0);
    assert!(run("pauses: {3: 6m}") < run(""));
    assert_eq!(run("pauses: {3: 5m}"), run(""));
    assert_eq!(run("pauses: {2: 6m, 3: 1h}"), 0);
}

/// Of two logs of the same week one has no times.
#[test]
fn the_cost_of_a_day_is_that_of_the_logs_with_times() {
    let suite = Suite::with(&[]);
    let on = |day: &str| transcript(true).to_string().replace("2026-10-02", day);
    let out = |logs: &[(&str, String)]| {
        logs.iter().for_each(|(name, log)| suite.write(&format!("logs/{name}"), log));
        suite.run(&["advise", "logs", "--no-bills", "--model", "claude-opus-4-5"]).ends(0).out.clone()
    };
    let line = |out: &str| out.lines().find(|line| line.starts_with("cost: ")).unwrap().to_owned();
    let one = line(&out(&[("a.json", on("2026-10-02"))]));
    assert!(!one.contains(" a day"), "a day that may not be over: {one}");
    let dollars =
        |text: &str| text.split('$').nth(1).unwrap().split(' ').next().unwrap().parse::<f64>().unwrap();
    let two = line(&out(&[("b.json", on("2026-10-05").replace("hinges", "locks"))]));
    let (each, a_day) = two.split_once("; $").unwrap();
    let a_day = a_day.strip_suffix(" a day over 4 days").unwrap();
    assert!((a_day.parse::<f64>().unwrap() - dollars(each) * 2.0 / 4.0).abs() < 0.0005, "{two}");
    let untimed = transcript(false).to_string().replace("hinges", "posts");
    let three = line(&out(&[("c.json", untimed)]));
    assert!(three.ends_with(&format!("; ${a_day} a day over 4 days (2 of 3 logs)")), "{three}");
}
