//! Logs of agents that shorten their own history.

use serde_json::{Value, json};

use super::suite::Suite;

const HOST: &str = "stg-eu-west-7";

fn line(number: usize, kind: &str, more: Value) -> String {
    let parent = number.checked_sub(1).map(|parent| format!("u{parent}"));
    let mut line = json!({"uuid": format!("u{number}"), "parentUuid": parent, "sessionId": "s", "type": kind,
        "timestamp": format!("2026-10-02T11:{:02}:00.000Z", number)});
    line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("{line}\n")
}

/// A session of Claude Code that looks up a host, is compacted, and uses the host two turns later.
fn session(summary: &str) -> String {
    let user = |number, content: Value| {
        line(number, "user", json!({"message": {"role": "user", "content": content}}))
    };
    let answer = |number, content: Value| {
        let usage = json!({"input_tokens": 10, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 90, "output_tokens": 40});
        let said = json!({"id": format!("m{number}"), "role": "assistant", "model": "claude-sonnet-4-5", "content": content, "usage": usage});
        line(number, "assistant", json!({"message": said}))
    };
    let asked = |id: &str, command: &str| json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]);
    let told =
        |id: &str, content: &str| json!([{"type": "tool_result", "tool_use_id": id, "content": content}]);
    let metadata = json!({"trigger": "auto", "preTokens": 167200});
    [
        user(0, json!("Restart the staging host.")),
        answer(1, asked("t1", "hosts --staging")),
        user(2, told("t1", &format!("{HOST} staging {}", "up 12 days\n".repeat(40)))),
        line(
            3,
            "system",
            json!({"parentUuid": null, "subtype": "compact_boundary", "compactMetadata": metadata}),
        ),
        line(4, "user", json!({"isCompactSummary": true, "message": {"role": "user", "content": summary}})),
        answer(5, asked("t2", "date")),
        user(6, told("t2", "Friday")),
        answer(7, asked("t3", &format!("restart {HOST}"))),
        user(8, told("t3", "restarted")),
        answer(9, json!("It is restarted.")),
    ]
    .concat()
}

#[test]
fn a_fact_that_a_summary_drops_is_named() {
    let suite = Suite::with(&[]);
    suite.write("log.jsonl", &session("The staging host has to be restarted."));
    let advice = suite.advise(&["log.jsonl"]);
    advice
        .ends(0)
        .complains("note: 1 compaction in 1 session (log.jsonl:5)")
        .says("1 session of Claude Code, 4 requests");
    advice.says("cost vs as-recorded").says("as-recorded").says("1 of 1");
    advice.says("\ncompactions: 1 in 1 run, 1,100 → 1,100 tokens each; $");
    let explained = suite.run(&["explain", "log.jsonl@3", "--strategy", "as-recorded"]);
    explained.ends(0).says(HOST).says("turn 1").says("gone");
    assert!(!explained.out.contains("Refused"), "{}", explained.out);

    suite.write("log.jsonl", &session(&format!("The staging host {HOST} has to be restarted.")));
    suite
        .run(&["explain", "log.jsonl@3", "--strategy", "as-recorded"])
        .ends(0)
        .says("Facts that the answer uses: the request shows 1 of 1");
}

/// `import` keeps the compactions, and nothing is compared with them unless the suite asks for it.
#[test]
fn an_imported_log_keeps_its_compactions() {
    let suite = Suite::with(&[]);
    suite.write("log.jsonl", &session("The staging host has to be restarted."));
    suite.run(&["import", "log.jsonl"]).ends(0);
    let written: Value = serde_json::from_str(&suite.read("scenarios/imported/log.transcript.json")).unwrap();
    let compaction = &written["compactions"][0];
    assert_eq!(compaction["before"], 3);
    assert_eq!(compaction["removed"], json!([[0, 2]]));
    assert_eq!((&compaction["tokens_before"], &compaction["trigger"]), (&json!(167200), &json!("auto")));
    suite.run(&["run", "--accept"]).ends(0);
    assert!(!suite.exists("snapshots/imported/log/as-recorded.snap"));
    let shown = suite.run(&["show", "imported/log", "--view", "compressed", "--strategy", "as-recorded"]);
    shown.ends(0).says("The staging host has to be restarted.");
}

/// What a provider encrypts is not known to be lost.
#[test]
fn an_encrypted_summary_is_named() {
    let suite = Suite::with(&[]);
    let log = include_str!("../../crates/agent-logs/tests/logs/codex/exported.jsonl");
    suite.write("log.jsonl", log);
    let advice = suite.advise(&["log.jsonl"]);
    advice.ends(0).says("\ncompactions: 1 in 1 run; $");
    let summary = suite.read("reports/advice/summary.md");
    let encrypted = "\n  - 1 encrypted by the provider: later answers may lack fewer facts than counted\n";
    assert!(summary.contains(encrypted), "{summary}");
    suite.run(&["explain", "log.jsonl@2", "--strategy", "as-recorded"]).ends(0);
}

/// Ranges that no conversation can have are an error, however large they are.
#[test]
fn ranges_of_a_compaction_lie_before_it() {
    let suite = Suite::with(&[]);
    let messages = json!([
        {"role": "user", "content": "Count."}, {"role": "assistant", "content": "One."},
        {"role": "user", "content": "On."}, {"role": "assistant", "content": "Two."},
    ]);
    let write = |before: u64, removed: Value| {
        let compactions = json!([{"before": before, "kind": "summary", "removed": removed, "text": "s"}]);
        let log = json!({"messages": messages, "compactions": compactions}).to_string();
        suite.write("scenarios/log.transcript.json", &log);
    };
    for removed in [json!([[0, u64::MAX]]), json!([[0, 2]]), json!([[1, 0]]), json!([[1, 1], [0, 0]])] {
        write(2, removed);
        let why = "expected ranges in order, all before message 2";
        suite.run(&["check"]).ends(2).complains(why).complains("compactions[0] removes [");
        suite.advise(&["scenarios/log.transcript.json"]).ends(2).complains(why);
    }
    // A compaction behind the last message holds for no request, and costs no time.
    write(u64::MAX, json!([[0, u64::MAX - 1]]));
    suite.run(&["check"]).ends(0);
}

/// A transcript of twelve calls; the last one uses a fact of the first.
fn long_log() -> String {
    let mut messages = vec![json!({"role": "user", "content": "Restart the staging host."})];
    for turn in 0..12 {
        let (id, used) = (format!("c{turn}"), if turn == 11 { HOST } else { "" });
        let calls =
            json!([{"id": id, "name": "shell", "arguments": {"command": format!("step {turn} {used}")}}]);
        messages.push(json!({"role": "assistant", "tool_calls": calls}));
        let told = if turn == 0 { HOST.to_owned() } else { "up 12 days\n".repeat(40) };
        messages.push(json!({"role": "tool", "call": id, "content": told}));
    }
    messages.push(json!({"role": "assistant", "content": "It is restarted."}));
    json!({"messages": messages}).to_string()
}

#[test]
fn advise_compares_with_a_summary_that_is_asked_for() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &long_log());
    let plain = suite.advise(&["log.json"]);
    assert!(!plain.ends(0).out.contains("summary"), "{}", plain.out);
    let asked = "summary,trigger={tokens: 1200},tokens=100";
    let advice = suite.advise(&["log.json", "--strategy", asked, "--save", "saved"]);
    advice.ends(0).says("summary,trigger=tokens=1200,tokens=100 makes 3 calls of its own: ").says("  0–1\n");
    advice.says("0–9: with the best text of this size, and with none");
    suite.run(&["check", "saved"]).ends(0);
    let saved = suite.read("saved/suite.yaml");
    assert!(saved.contains(r#"{strategy: "summary", "trigger": {"tokens":1200}, "tokens": 100}"#), "{saved}");
    // A suite gets it besides its own.
    let again = suite.advise(&["saved", "--strategy", "summary"]);
    again.ends(0).says("summary,trigger=tokens=1200,tokens=100").says("  summary ");
}

#[test]
fn products_are_strategies_of_their_name() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &long_log());
    let advice = suite.advise(&["log.json", "--preset", "openhands", "--preset", "codex", "--save", "saved"]);
    advice.ends(0).says("\n  openhands ").says("\n  codex ");
    suite.run(&["check", "saved"]).ends(0);
    let unknown = suite.advise(&["log.json", "--preset", "codec"]);
    unknown.ends(2).complains("there is no such preset; did you mean 'codex'?");
    // A preset takes options as every strategy does.
    let early =
        ["advise", "log.json", "--preset", "openhands,trigger={turns: 4},keep_recent_turns=2", "--table"];
    suite.run(&early).ends(0).says("\nopenhands,trigger=turns=4,keep_recent_turns=2 makes ");
    let both = suite.advise(&["log.json", "--preset", "codex,openhands"]);
    both.ends(2).complains("give each its own --preset: --preset openhands");
    let listed = suite.run(&["list", "presets", "--filter", "^claude-code$"]);
    let expected = "claude-code                summary,trigger=free=33000,trigger_tokens=billed,keep_opening=false,keep_recent_turns=0,tokens=3600";
    listed.ends(0).says(expected).says("Claude Code 2.1.25 and later");
    assert_eq!(listed.out.lines().count(), 3, "{}", listed.out);
    suite.run(&["list", "presets", "--filter", "nobody"]).ends(4);
}

#[test]
fn suites_name_presets_and_change_their_options() {
    let suite = Suite::with(&[]);
    suite.write("scenarios/log.transcript.json", &long_log());
    // In a variant a preset is named as it is above it.
    let settings = "strategies: [full-history, {preset: codex}, early]\n\
        variants: {early: {preset: openhands, trigger: {turns: 4}, keep_recent_turns: 2}}\n";
    suite.write("scenarios/suite.yaml", settings);
    suite.run(&["run"]).says("\n  codex ").says("\n  early ").says("early makes ");
    let shown = suite.run(&["show", "log", "--view", "compressed", "--strategy", "early"]);
    // The option that it does not change is that of the preset.
    shown.ends(0).says("[summary of turns 2 to ");
    for (wrong, why) in [
        ("{preset: codec}", "there is no strategy 'codec'"),
        ("{product: codex}", "product"),
        ("{}", "preset"),
        (
            "{trigger: {window: 0.7}, preset: codex}",
            "variants: {codex-changed: {strategy: codex, trigger: {\"window\":0.7}}}, and list codex-changed here",
        ),
        ("{strategy: codex, tokens: 5}", "variants: {codex-changed: {strategy: codex, tokens: 5}}, and list"),
        ("{preset: [codex, openhands]}", "list each on its own: {preset: codex}, {preset: claude-code}"),
        ("[codex]", "the name of a strategy, or a preset such as {preset: codex}"),
    ] {
        suite.write("scenarios/suite.yaml", &format!("strategies: [full-history, {wrong}]\n"));
        suite.run(&["check"]).ends(2).complains(why);
    }
}

/// A program gets the messages of the call and those texts that it wrote before.
#[cfg(unix)]
#[test]
fn a_program_writes_summaries() {
    let suite = Suite::with(&[]);
    suite.write("scenarios/log.transcript.json", &long_log());
    let script = r#"n=0; while read -r line; do n=$((n+1)); id=${line#*:}; id=${id%%,*}; printf '%s\n' "$line" >>asked
        case $n in 3) echo 'no idea' >&2; exit 4;; esac; echo "{\"id\":$id,\"text\":\"text $n: stg-eu-west-7\"}"; done"#;
    suite.write("scenarios/write.sh", script);
    let settings = |turns: u32| {
        let options =
            format!("trigger: {{turns: {turns}}}, keep_recent_turns: 2, writer: {{command: [sh, write.sh]}}");
        format!("strategies: [full-history, own]\nvariants: {{own: {{strategy: summary, {options}}}}}\n")
    };
    suite.write("scenarios/suite.yaml", &settings(6));
    suite.run(&["run"]).ends(1).says("sh write.sh: not run: a command may do anything on this machine");
    let ran = suite.run(&["run", "--allow-commands"]);
    ran.ends(3).says("own makes 2 calls of its own: ");
    let asked = suite.read("scenarios/asked");
    let asked: Vec<Value> = asked.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0]["most_tokens"], 1000);
    assert_eq!(asked[1]["messages"][1]["content"], "[summary of turns 1 to 5]\ntext 1: stg-eu-west-7");
    let show = ["show", "log", "--view", "compressed", "--strategy", "own", "--allow-commands"];
    suite.run(&show).ends(0).says("text 2: stg-eu-west-7");
    // The third text is none.
    suite.write("scenarios/suite.yaml", &settings(3));
    let broken = suite.run(&["run", "--allow-commands"]);
    broken.ends(1).says("it ended without an answer (exit status: 4)").says("| no idea");
    suite.write("scenarios/suite.yaml", &settings(6).replace("[sh, write.sh]", "[]"));
    suite.run(&["check"]).ends(2).complains("or {command: [PROGRAM, ARGUMENT …]}");
}

/// The bill of a program's own calls is that which it reports, at the prices of the model that it names.
#[cfg(unix)]
#[test]
fn programs_report_what_their_calls_of_a_model_cost() {
    let suite = Suite::with(&[]);
    suite.write("scenarios/log.transcript.json", &long_log());
    let script = r#"while read -r line; do id=${line#*:}; id=${id%%,*}; echo "{\"id\":$id,$1}"; done"#;
    suite.write("scenarios/tell.sh", script);
    let write = |said: &str, usage: &str| {
        let text = format!("{{command: [sh, tell.sh, '\"text\":\"t\",\"usage\":{usage}']}}");
        let summary =
            format!("{{strategy: summary, trigger: {{turns: 6}}, keep_recent_turns: 2, writer: {text}}}");
        let messages = r#""messages":[{"role":"user","content":"go"}]"#;
        let own = format!("{{command: [sh, tell.sh, '{messages}{said}']}}");
        let variants = format!(
            "models: [gpt-6.1-sol, claude-sonnet-4-5]\nstrategies: [full-history, text, own]\nvariants:\n  text: {summary}\n  own: {own}\n"
        );
        suite.write("scenarios/suite.yaml", &variants);
    };
    let cells = |strategy: usize, names: &[&str]| -> Vec<f64> {
        let table = suite.read("reports/strategies.csv");
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
        let place = |name: &&str| lines[0].iter().position(|known| known == name).unwrap();
        names.iter().map(|name| lines[strategy][place(name)].parse().unwrap()).collect()
    };
    let costs = ["strategy_call_cost:gpt-6.1-sol", "strategy_call_cost:claude-sonnet-4-5"];
    let tokens = ["strategy_calls", "strategy_call_input", "strategy_call_output"];
    let usage = r#"{"input_tokens":1000,"cached_tokens":900,"output_tokens":10}"#;
    write(&format!(",\"usage\":{usage}"), usage);
    suite
        .run(&["run", "--allow-commands"])
        .ends(3)
        .says("text makes 2 calls of its own: 2,000 tokens in, 20 out");
    assert_eq!(cells(2, &tokens), [2.0, 2000.0, 20.0]);
    assert_eq!(cells(3, &tokens), [13.0, 13_000.0, 130.0]);
    let of_columns = cells(2, &costs);
    assert!(of_columns[0] != of_columns[1], "each column has its own prices: {of_columns:?}");
    let [own, all] = [cells(3, &costs), cells(3, &["cost:gpt-6.1-sol", "cost_cold:gpt-6.1-sol"])];
    assert!(own[0] > 0.0 && all[0] > own[0] && all[1] > own[0], "{own:?} {all:?}");
    // A named model has the same price in all columns.
    write("", &usage.replace('{', r#"{"model":"claude-sonnet-4-5","#));
    suite.run(&["run", "--allow-commands"]).ends(3);
    let named = cells(2, &costs);
    assert_eq!(named, [of_columns[1]; 2]);
    for (usage, why) in [
        (
            r#"{"model":"nobody","input_tokens":1,"output_tokens":1}"#,
            "usage.model: there is no model 'nobody'",
        ),
        (r#"{"input_tokens":-1,"output_tokens":1}"#, "wrong answer: usage.input_tokens: "),
        (
            r#"{"input_tokens":1,"cached_tokens":2,"output_tokens":1}"#,
            "2 tokens of the cache are more than all input_tokens, 1",
        ),
        (r#"{"output_tokens":1}"#, "wrong answer: usage: missing field"),
    ] {
        write("", usage);
        suite.run(&["run", "--allow-commands"]).ends(1).says(why);
    }
}

/// The texts of the log, at the places where it has them.
#[test]
fn summaries_of_the_log_are_sent_with_other_options() {
    let suite = Suite::with(&[]);
    suite.write("log.jsonl", &session(&format!("The staging host {HOST} has to be restarted.")));
    suite.run(&["import", "log.jsonl"]).ends(0);
    let settings = "strategies: [full-history, of-log, by-default, of-size, elsewhere]\nvariants:\n  \
        of-log: {strategy: summary, writer: recorded, keep_recent_turns: 0}\n  \
        by-default: {strategy: summary, keep_recent_turns: 0}\n  \
        of-size: {strategy: summary, writer: size, keep_recent_turns: 0}\n  \
        elsewhere: {strategy: summary, trigger: {window: 0.8}, keep_recent_turns: 0}\n";
    suite.write("scenarios/suite.yaml", settings);
    suite.run(&["run"]).says("of-log makes 1 call of its own: ");
    let shown = suite.run(&["show", "imported/log", "--view", "compressed", "--strategy", "of-log"]);
    let expected = format!("[summary of turns 1 to 1]\nThe staging host {HOST} has to be restarted.");
    shown.ends(0).says(&expected);
    let shown = suite.run(&["show", "imported/log", "--view", "compressed", "--strategy", "by-default"]);
    shown.ends(0).says(&expected);
    // A trigger moves the compactions to other turns than logged.
    for strategy in ["of-size", "elsewhere"] {
        let full = suite.run(&["show", "imported/log", "--view", "compressed", "--strategy", strategy]);
        assert!(!full.ends(0).out.contains("[summary"), "{}", full.out);
    }
}

/// Cline keeps what the model sees after a compaction in a second file, which is read with the session.
#[test]
fn a_session_of_cline_has_the_compactions_of_the_file_beside_it() {
    let bird = |id: &str, role: &str, minute: i64, text: &str| json!({"id": id, "role": role, "ts": 1_791_190_000_000 + minute * 60_000, "content": [{"type": "text", "text": text}]});
    let said = [
        bird("u0", "user", 0, "Count the geese."),
        bird("a0", "assistant", 1, "Nine."),
        bird("u1", "user", 5, "And the ducks?"),
        bird("a1", "assistant", 6, "Four."),
    ];
    let summary = json!({"role": "user", "content": [{"type": "text", "text": "Nine geese."}],
        "metadata": {"kind": "compaction_summary", "generatedAt": 1_791_190_000_000_i64 + 120_000}});
    let file = |messages: Value| {
        json!({"sessionId": "g", "system_prompt": "You keep birds.", "messages": messages}).to_string()
    };
    let suite = Suite::with(&[]);
    suite.write("logs/g.messages.json", &file(json!(said)));
    suite.write("logs/g.compaction.json", &file(json!([summary])));
    let imported = suite.run(&["import", "logs", "--output", "-"]);
    let transcript: Value = serde_json::from_str(&imported.out).unwrap();
    assert_eq!(transcript["compactions"][0]["removed"], json!([[0, 1]]));
    assert_eq!(transcript["compactions"][0]["text"], "Nine geese.");
}

/// Droid keeps the tokens of a session in its settings, a second file.
#[test]
fn a_session_of_droid_has_the_tokens_of_its_settings() {
    let said = |id: &str, role: &str, text: &str| {
        let message = json!({"role": role, "content": [{"type": "text", "text": text}]});
        json!({"type": "message", "id": id, "timestamp": "2026-06-01T08:00:00Z", "message": message})
    };
    let lines = [
        json!({"type": "session_start", "id": "d", "cwd": "/w"}),
        said("m1", "user", "Count the geese."),
        said("m2", "assistant", "Nine."),
    ];
    let tokens =
        json!({"inputTokens": 7, "cacheReadTokens": 30, "cacheCreationTokens": 5, "outputTokens": 2});
    let settings = json!({"model": "glm-4.6", "tokenUsage": tokens});
    let suite = Suite::with(&[]);
    suite.write("logs/d.jsonl", &lines.map(|line| format!("{line}\n")).concat());
    suite.write("logs/d.settings.json", &serde_json::to_string_pretty(&settings).unwrap());
    let imported = suite.run(&["import", "logs", "--output", "-"]);
    let transcript: Value = serde_json::from_str(&imported.out).unwrap();
    assert_eq!(transcript["outcome"]["usage"]["input_tokens"], 42);
    assert_eq!(transcript["outcome"]["usage"]["model"], "glm-4.6");
}
