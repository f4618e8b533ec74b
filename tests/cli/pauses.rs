//! Pauses of runs: what providers cached expires meanwhile.

use serde_json::{Value, json};

use super::suite::Suite;

/// Answers with the bill of four requests, ten minutes before the third.
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
    let arguments = ["advise", "log.json", "--no-bills", "--model", "claude-opus-4-5", "--table"];
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

/// Of two logs one has times.
#[test]
fn a_folder_may_have_times_in_some_logs() {
    let suite = Suite::with(&[]);
    suite.write("logs/timed.json", &transcript(true).to_string());
    suite.write("logs/untimed.json", &transcript(false).to_string().replace("gate", "door"));
    let arguments = ["advise", "logs", "--no-bills", "--model", "claude-opus-4-5"];
    for (more, line) in [
        (&[][..], "pauses: as in 1 of 2 logs; claude-opus-4-5 keeps its cache for 5 min"),
        (
            &["--pause", "10m"],
            "pauses: as in the logs; 10 min before each message of a person in 1 without times; claude-opus-4-5 keeps",
        ),
    ] {
        suite.run(&[&arguments, more].concat()).ends(0);
        let summary = suite.read("reports/advice/summary.md");
        assert!(summary.contains(line), "{summary}");
    }
}

/// Reading costs 0.5, writing 6.25 or 10 dollars a million: 20,000 tokens were written again at 5.75 more. For an hour 40,000
/// tokens cost 3.75 more each, and these 20,000 are read for 5.75 less. A request every four minutes costs 2 · 20,000 reads in
/// the pause, and 11 · 40,000 after the last one; it saves what the miss cost.
#[test]
fn the_money_of_a_log_goes_somewhere() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &transcript(true).to_string());
    let out = advise(&suite, &[]);
    let line = "\ncost at API prices: $0.40; 40.0% of the input was read from the cache; $0.12 was paid for text that was no longer in the cache: \
        $0.12 after breaks (a cache for 1 h instead of 5 min: +$0.0350)\n";
    assert!(out.contains(line), "{out}");
    let summary = suite.read("reports/advice/summary.md");
    for text in [
        "4 requests cost $0.40 at API prices. Of 100,000 input tokens, 40.0% were read from the cache, 60.0% were written to it, and 0.0% were not cached.",
        "| after breaks of 10 min | 1 | 20,000 | $0.12 |",
        "| in first requests | 1 | 10,000 | $0.0575 |",
        "- a cache for 1 h instead of 5 min: +$0.0350\n- a request every 4 min during breaks, to keep the cache: +$0.12\n",
        // The cheapest of those that are dearer, where the third request reads 20,000 tokens more: 60,000 reads at 1 dollar a
        // million, 40,000 writes at 12.50, 40 tokens at 50.
        "- the model gpt-6-astra, if it needs as many tokens: +$0.17\n",
        // 40,000 reads at 0.20, 60,000 writes at 5, 40 tokens at 20.
        "- the model claude-opus-5-5, if it needs as many tokens: −$0.0872\n",
    ] {
        assert!(summary.contains(text), "{text}\n{summary}");
    }
}

/// Requests of a conversation with the time in the second line of its system prompt.
fn requests_with_the_time() -> String {
    let mut messages: Vec<Value> = Vec::new();
    let request = |turn: usize| {
        messages.push(json!({"role": "user", "content": format!("Question {turn}?")}));
        let system = format!("You help.\nNow: 12:0{turn}\nBe brief.");
        let sent = [vec![json!({"role": "system", "content": system})], messages.clone()].concat();
        let answer = json!({"role": "assistant", "content": format!("Answer {turn}.")});
        messages.push(answer.clone());
        let cached = if turn == 0 { 0 } else { 1_000 };
        let usage = json!({"prompt_tokens": 10_000 * (turn + 1), "completion_tokens": 0,
            "prompt_tokens_details": {"cached_tokens": cached}});
        let response = json!({"model": "gpt-6.1-sol", "choices": [{"message": answer}], "usage": usage});
        json!({"request": {"model": "gpt-6.1-sol", "messages": sent}, "response": response}).to_string()
    };
    (0..3).map(request).collect::<Vec<_>>().join("\n")
}

/// Of 60,000 tokens, 2,000 are read at $0.10 a million and 58,000 paid at $2; 28,000 of these were before the
/// change.
#[test]
fn a_line_of_the_system_prompt_that_changes_has_its_price() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &requests_with_the_time());
    let out = suite.advise(&["log.json", "--no-bills"]).out.clone();
    assert!(
        out.contains("; $0.0560 was paid for text that was no longer in the cache: $0.0560 after a change of the system prompt\n"),
        "{out}"
    );
    let moved =
        "the changing line \"Now: 12:00\" of the system prompt moved to the end of the request: −$0.0532";
    assert!(out.contains(&format!("\n  {moved}\n")), "{out}");
    let summary = suite.read("reports/advice/summary.md");
    assert!(summary.contains("| after a change of the system prompt | 2 | 28,000 | $0.0532 |"), "{summary}");
    assert!(summary.contains(moved), "{summary}");
}

#[test]
fn a_scenario_file_gives_pauses_to_its_transcript() {
    let cached = |log: &Value, more: &str| {
        let suite = Suite::with(&[("one", &format!("transcript: data/log.json\n{more}"))]);
        suite.write("scenarios/data/log.json", &log.to_string());
        suite.write("scenarios/suite.yaml", "strategies: [full-history]\nmodels: [claude-sonnet-5-5]\n");
        suite.run(&["run"]);
        cached_tokens(&suite)
    };
    let (untimed, timed) = (transcript(false), transcript(true));
    assert!(cached(&timed, "") < cached(&untimed, ""));
    assert_eq!(cached(&untimed, "pauses: {3: 10m}"), cached(&timed, ""));
    assert_eq!(cached(&timed, "pauses: {3: 1m}"), cached(&untimed, ""), "the pauses of the file win");
    let suite = Suite::with(&[("one", "transcript: data/log.json\npauses: {6: 10m}")]);
    suite.write("scenarios/data/log.json", &untimed.to_string());
    suite.run(&["check"]).ends(2).complains("there is no turn 6").complains("the transcript has 5 turns");
}

/// Cached tokens of the only strategy.
fn cached_tokens(suite: &Suite) -> u64 {
    let csv = suite.read("reports/strategies.csv");
    let (names, values) = csv.split_once('\n').unwrap();
    let at = names.split(',').position(|name| name.starts_with("cached_tokens")).unwrap();
    values.split(',').nth(at).unwrap().parse().unwrap()
}

/// The numbers come from `scenarios/sessions/generate/bills.py`, which shares no code with the program.
#[test]
fn generated_sessions_cost_what_their_provider_billed() {
    let suite = Suite::with(&[]);
    let spent = |name: &str| {
        let log = std::fs::read_to_string(format!("scenarios/sessions/data/{name}.json")).unwrap();
        suite.write("log.json", &log);
        let out = suite.advise(&["log.json"]).out.clone();
        explained_as_documented(&suite.read("reports/advice/summary.md"));
        let rows = suite.read("reports/advice/summary.md");
        let costs =
            rows.lines().skip_while(|line| !line.ends_with("| extra cost above a cache read |")).skip(2);
        let costs = costs.map_while(|row| row.trim_end_matches(" |").rsplit_once(" | "));
        let costs: Vec<String> = costs.map(|(_, cost)| cost.to_owned()).collect();
        (
            out.lines().find(|line| line.starts_with("cost at API prices: $")).unwrap().to_owned(),
            costs.join(", "),
        )
    };
    // Writing costs 1.25 of input and reading 0.05, so that the whole price is 1.25 / 1.2 of the difference.
    let (line, costs) = spent("clinic-desk");
    let text = "cost at API prices: $4.30; 95.7% of the input was read from the cache; $1.06 was paid for text that was no longer in the \
        cache: $0.96 after breaks (a cache for 1 h instead of 5 min: +$0.20), $0.10 after compactions";
    assert_eq!((line.as_str(), costs.as_str()), (text, "$0.92, $0.0991, $0.0934"));
    let (line, costs) = spent("harvest-book");
    let text = "cost at API prices: $3.99; 95.9% of the input was read from the cache; $1.34 was paid for text that was no longer in the \
        cache: $0.83 after a switch of the model, $0.51 after breaks (a cache for 1 h instead of 5 min: +$0.36)";
    assert_eq!((line.as_str(), costs.as_str()), (text, "$0.79, $0.50, $0.0356"));
}

/// Asserts that `docs/validation.md` has the figures of the summary of bills.
#[track_caller]
fn explained_as_documented(summary: &str) {
    let page = std::fs::read_to_string("docs/validation.md").unwrap();
    let between = |before: &str, after: &str| {
        let rest = summary.split_once(before).unwrap().1;
        rest.split_once(after).unwrap().0.to_owned()
    };
    let (median, most) = (between("error per request: ", "% (median)"), between("(median), at most ", "%"));
    let cells = [
        between("\n- the logs explain ", " of the "),
        between("not in the log: the first ", " tokens of each request"),
        format!("{median}%, {most}%"),
    ];
    for cell in cells {
        assert!(page.contains(&format!("| {cell} |")), "{cell}");
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
        cached_tokens(&suite)
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
        suite.advise(&["logs", "--no-bills", "--model", "claude-opus-4-5"]).ends(0).out.clone()
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
