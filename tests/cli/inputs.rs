//! Each command on each kind of input: scenarios, logs, folders of them, standard input.

use super::suite::{SUM, Suite};

/// A session of Claude Code with a call and its result, billed by the API.
fn session(id: &str, file: &str) -> String {
    let line = |uuid: &str, parent: &str, message: &str| {
        format!(
            r#"{{"parentUuid": {parent}, "sessionId": "{id}", "type": {}, "uuid": "{uuid}", "timestamp": "2026-11-01T00:0{}:00Z", "message": {message}}}"#,
            if message.contains("assistant") { "\"assistant\"" } else { "\"user\"" },
            uuid.len()
        )
    };
    let usage = r#""usage": {"input_tokens": 100, "output_tokens": 10, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}"#;
    [
        line("u", "null", r#"{"role": "user", "content": "Which file is broken?"}"#),
        line("uu", "\"u\"", &format!(r#"{{"id": "m1-{id}", "role": "assistant", "model": "claude-sonnet-5-5", "stop_reason": "tool_use", {usage}, "content": [{{"type": "tool_use", "id": "t", "name": "Grep", "input": {{"pattern": "broken"}}}}]}}"#)),
        line("uuu", "\"uu\"", &format!(r#"{{"role": "user", "content": [{{"type": "tool_result", "tool_use_id": "t", "content": "{file}: broken"}}]}}"#)),
        line("uuuu", "\"uuu\"", &format!(r#"{{"id": "m2-{id}", "role": "assistant", "model": "claude-sonnet-5-5", "stop_reason": "end_turn", {usage}, "content": [{{"type": "text", "text": "It is {file}."}}]}}"#)),
    ]
    .join("\n")
        + "\n"
}

/// Two sessions of Claude Code, a request to OpenAI's API over several lines with its secrets, and a file that is no log.
fn with_logs() -> Suite {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("logs/a.jsonl", &session("a", "alpha_4417.rs"));
    suite.write("logs/deep/b.jsonl", &session("b", "beta_9921.rs"));
    suite.write(
        "logs/request.json",
        "{\n  \"model\": \"gpt-5\",\n  \"messages\": [\n    {\"role\": \"user\", \"content\": \"password=hunter2hunter2\"},\n    {\"role\": \"assistant\", \"content\": \"Noted.\"}\n  ]\n}\n",
    );
    suite.write("logs/notes.txt", "no log\n");
    suite.write("logs/settings.yaml", "colour: blue\n");
    suite
}

/// A log is run as `advise` would save it: the same requests, prices and bills.
#[test]
fn run_takes_logs_as_the_suite_that_advise_saves() {
    let suite = with_logs();
    let save = ["advise", "logs", "--one-agent", "--save", "saved/scenarios", "--report-dir", "advice"];
    suite.run(&save).ends(0);
    let strategies = |arguments: &[&str]| {
        let ran = suite.run(&[arguments, &["--format", "json", "--report-dir", "reports-of-run"]].concat());
        let summary: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        summary["strategies"].clone()
    };
    let of_logs = strategies(&["run", "logs"]);
    assert_eq!(of_logs, strategies(&["run", "saved/scenarios", "--locked"]));
    assert_eq!(of_logs[0]["requests"], 5);
    assert!(of_logs[0].get("cost:claude-sonnet-5-5").is_some(), "{of_logs}");
    suite
        .run(&["run", "logs"])
        .ends(0)
        .says("logs have no snapshots: ptc-eval import LOGS makes a suite of them\n")
        .says("3 conversations, 5 requests\n")
        .complains("notes.txt");
    assert!(!suite.read("reports/selection/index.html").contains("hunter2hunter2"));
}

#[test]
fn nothing_is_written_beside_logs() {
    let suite = with_logs();
    let ran = suite.run(&["run", "logs/a.jsonl"]);
    assert!(!ran.ends(0).says("reports/selection/index.html").out.contains("suite as it is"), "{}", ran.out);
    assert!(suite.exists("reports/selection/results.json"));
    for path in ["snapshots", "logs/reports", "logs/snapshots", "reports/summary.md", "reports/.failed"] {
        assert!(!suite.exists(path), "{path}");
    }
    let quiet = suite.run(&["run", "logs/a.jsonl", "--quiet"]);
    assert_eq!(quiet.ends(0).out, "1 conversation, 2 requests\n");
    let ran = suite.run(&["run", "logs/a.jsonl", "--format", "json"]);
    assert!(ran.ends(0).out.starts_with('{'), "{}", ran.out);
}

#[test]
fn logs_are_called_by_their_files_so_that_show_finds_them() {
    let suite = with_logs();
    suite.write("logs/two.jsonl", &(session("c", "gamma_11.rs") + &session("d", "delta_12.rs")));
    let listed = suite.run(&["list", "scenarios", "logs"]).ends(0).out.clone();
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(
        names,
        ["logs/a.jsonl", "logs/deep/b.jsonl", "logs/request.json", "logs/two.jsonl#1", "logs/two.jsonl#2"]
    );
    for name in names {
        suite.run(&["show", name]).ends(0).says("=== Turn 1 ===");
    }
    suite
        .run(&["show", "logs/two.jsonl"])
        .ends(2)
        .complains("  logs/two.jsonl#1  2 turns  Which file is broken?\n  logs/two.jsonl#2  2 turns")
        .complains("  = help: choose one: logs/two.jsonl#1 is the first");
    suite.run(&["run", "logs", "--filter", "two"]).ends(0).says("2 conversations, 4 requests\n");
    suite.run(&["show", "logs"]).ends(2).complains("logs is a folder of logs; expected one scenario or log");
}

#[test]
fn a_search_takes_logs() {
    let suite = with_logs();
    suite.run(&["run", "--tune", "logs"]).ends(0).says(" settings tried on ");
    let written = suite.run(&["run", "--tune", "--write", "logs"]);
    written.ends(2).complains("--write cannot be used with logs").complains("advise LOGS --save FOLDER");
    for option in [&["--accept"][..], &["--only-failed"], &["--shard", "1/2"], &["--snapshot-dir", "x"]] {
        let refused = suite.run(&[&["run", "logs"], option].concat());
        refused.ends(2).complains(&format!("{} cannot be used with logs, which are in no suite", option[0]));
    }
}

/// What a reader found, what numbers need and the log lacks, and what was lost.
#[test]
fn check_says_what_a_log_holds_and_lacks() {
    let suite = with_logs();
    suite
        .run(&["check", "logs/a.jsonl"])
        .ends(0)
        .says("logs/a.jsonl: claude-code, 1 conversation, 2 answers, 1 call\n")
        .says("  missing: the system prompt; the declared tools\n")
        .says("1 log can be read\n");
    let request = suite.run(&["check", "logs/request.json"]);
    request.ends(0).says("openai-chat, 1 conversation").says("billed tokens; ").says("times\n");
    let half = session("a", "alpha_4417.rs").replacen("\"input_tokens\": 100", "\"input_tokens\": 0", 1);
    suite.write("logs/a.jsonl", &(half + "{\"type\": \"assistant\", \"mess"));
    suite
        .run(&["check", "logs/a.jsonl"])
        .ends(0)
        .says("billed tokens of 1 of 2 answers")
        .says("  warning: ")
        .says("1 log can be read; 1 warning");
    let folder = suite.run(&["check", "logs", "scenarios"]);
    folder
        .ends(0)
        .says("1 scenario: fine; 3 logs can be read")
        .complains("note: left out: logs/notes.txt: expected ");
    suite
        .run(&["check", "logs/notes.txt"])
        .ends(2)
        .complains("notes.txt: expected ")
        .says("1 file is not valid");
    // A hook names files of suites, whatever they are.
    suite.run(&["check", "--whole-suites", "scenarios/sum.yaml"]).ends(0).says("1 scenario: fine");
}

/// One error names the format and the way out, in place of one for each line.
#[test]
fn a_log_among_scenarios_is_named_once() {
    let suite = with_logs();
    suite.write("scenarios/session.jsonl", &session("a", "alpha_4417.rs"));
    for command in ["run", "check"] {
        let ran = suite.run(&[command]);
        ran.ends(2)
            .complains("error: scenarios/session.jsonl: a log in the format claude-code, and no scenarios")
            .complains("`ptc-eval import scenarios/session.jsonl` makes scenarios and transcripts of it");
        assert_eq!(ran.err.matches("error:").count(), 1, "{}", ran.err);
    }
    // Named itself, it is read.
    suite.run(&["run", "scenarios/session.jsonl"]).ends(0).says("1 conversation, 2 requests\n");
    suite
        .run(&["run", "logs", "scenarios/sum.yaml"])
        .ends(2)
        .complains("logs is a log, and scenarios/sum.yaml is none");
}

#[test]
fn standard_input_is_scenarios_or_a_log() {
    let suite = with_logs();
    let log = session("a", "alpha_4417.rs");
    let run = |arguments: &[&str], input: &str| suite.run_with(arguments, input, &[]);
    run(&["run", "-"], &log).ends(0).says("1 conversation, 2 requests\n");
    run(&["run", "--tune", "-"], &log).ends(0).says(" settings tried on 1 run");
    run(&["check", "-"], &log).ends(0).says("standard input: claude-code, 1 conversation, 2 answers, 1 call");
    run(&["show", "-", "--turn", "2"], &log).ends(0).says("It is alpha_4417.rs.");
    run(&["advise", "-"], &log).ends(0).says("2 requests");
    run(&["show", "-"], &(log.clone() + &session("b", "beta_9921.rs")))
        .ends(2)
        .complains("standard input holds 2 conversations")
        .complains("choose one: -- -#1 is the first");
    let of_lines = suite.read("logs/request.json");
    run(&["run", "-"], &of_lines).ends(0).says("1 conversation, 1 request\n");
    let scenario = r#"{"name": "s", "mission": "m", "responses": ["```clojure\n(return 1)\n```"]}"#;
    run(&["run", "-"], scenario).ends(0).says("1 scenario, 1 request: expectations met");
    run(&["check", "-"], scenario).ends(2).complains("scenarios on standard input can only be run");
    run(&["run", "-"], "").ends(4).complains("no scenario on standard input is selected");
    run(&["run", "-"], "{\"name\": \"s\", \"mission\": m}").ends(2).complains("-:1:");
}

/// Commands that cannot take an input name its kind, and the command that takes it.
#[test]
fn other_commands_name_the_input_and_the_way_out() {
    let suite = with_logs();
    suite.write("lone.yaml", SUM);
    for (line, message, help) in [
        ("advise lone.yaml", "lone.yaml is a scenario; expected a log", "ptc-eval run lone.yaml replays it"),
        ("import lone.yaml", "lone.yaml is a scenario; expected a log", "ptc-eval show lone.yaml prints it"),
        ("effect lone.yaml logs", "lone.yaml is a scenario; expected a log", "ptc-eval run"),
        ("review logs", "logs is a folder of logs; expected a suite", "ptc-eval import logs"),
        ("merge logs/a.jsonl", "logs/a.jsonl is a log (claude-code); expected records", "--format records"),
        (
            "diff logs/a.jsonl logs/a.jsonl",
            "logs/a.jsonl is a log (claude-code); expected results",
            "ptc-eval effect",
        ),
        (
            "apply logs/a.jsonl",
            "logs/a.jsonl is a log (claude-code); expected the name of a strategy",
            "ptc-eval advise",
        ),
        (
            "new logs/a.jsonl",
            "logs/a.jsonl is a log (claude-code); expected the name of a new",
            "ptc-eval import",
        ),
        ("lisp -e 1 --in logs/a.jsonl", "logs/a.jsonl is a transcript: its answers are not programs", "show"),
        ("lisp -e 1 --in logs", "logs is a folder of logs; expected one scenario or log", "list scenarios"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        suite.run(&words).ends(2).complains(&format!("error: {message}")).complains(help);
    }
    let programs = r#"{"messages": [{"role": "user", "content": "Add."}, {"role": "assistant", "content": "```clojure\n(return 3)\n```"}]}"#;
    suite.write("logs/programs.json", programs);
    let opened = suite.run(&["lisp", "-e", "1", "--in", "logs/programs.json"]);
    opened
        .ends(2)
        .complains("is a log: its tools and data are not known")
        .complains("ptc-eval import logs/programs.json");
}

/// The table of the documentation, each cell tried.
#[test]
fn commands_take_what_the_documentation_says() {
    let suite = with_logs();
    suite.write("scenarios/suite.yaml", "strategies: [full-history, trim]\n");
    suite.write("lone.yaml", SUM);
    suite.write(
        "t.transcript.json",
        r#"{"messages": [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]}"#,
    );
    let log = session("a", "alpha_4417.rs");
    let page = include_str!("../../docs/cli.md");
    let table = page.split("## What a command takes\n\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let mut tried = 0;
    for row in table.lines().skip(2) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        for command in cells[0].split(", ").map(|command| command.trim_matches('`')) {
            if !cfg!(feature = "live") && ["verify", "record"].contains(&command) {
                continue;
            }
            let scenario = if cells[1] == "a suite" { "scenarios" } else { "lone.yaml" };
            let inputs = [scenario, "t.transcript.json", "logs/a.jsonl", "logs", "-"];
            for (input, cell) in inputs.into_iter().zip(&cells[1..]) {
                // The transcript has no bills.
                if *cell == "with bills" && input == "t.transcript.json" {
                    continue;
                }
                let ran = suite.run_with(&words(command, input), &log, &[]);
                let is_refused = ran.code == 2 || ran.err.contains(" is skipped: nothing can run the tools");
                assert_eq!(
                    is_refused,
                    cell.starts_with("no"),
                    "{command} {input}: {cell}\n{}{}",
                    ran.out,
                    ran.err
                );
                tried += 1;
            }
        }
    }
    assert!(tried >= 49, "{tried}");
}

/// The command line of a command with an input.
fn words<'a>(command: &'a str, input: &'a str) -> Vec<&'a str> {
    let mut words: Vec<&str> = command.split(' ').collect();
    match command {
        "diff --strategies" => words.extend(["trim", "fold", input]),
        "effect" => words.extend(["logs/a.jsonl", input]),
        "import" => words.extend([input, "--output", "-"]),
        "lisp --in" => words.extend([input, "-e", "1"]),
        "record" => words.extend([input, "--model", "gpt-5", "--estimate"]),
        "verify" => words.extend([input, "--model", "gpt-5", "--strategy", "trim", "--estimate"]),
        _ => words.push(input),
    }
    words
}
