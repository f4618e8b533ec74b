//! Control codes in texts of scenarios, models and tools are escaped on a terminal.

use super::suite::{Ran, Suite};

/// Control codes and direction marks in YAML and PTC-Lisp; a number identifies each place.
fn hostile(number: u32) -> String {
    format!("x{number}\\u001b[2J\\u001b]0;owned\\u0007\\u009b31m\\u202e\\u2066\\u200f\\r")
}

fn scenario() -> String {
    let mut number = 0;
    let mut text = TEMPLATE.to_owned();
    while text.contains("EVIL") {
        number += 1;
        text = text.replacen("EVIL", &hostile(number), 1);
    }
    text
}

const TEMPLATE: &str = r#"
description: "EVIL"
tags: ["EVIL", odd]
mission: "EVIL {{who}}"
max_turns: 5
system_prompt: {prefix: "EVIL", suffix: "EVIL"}
data: {who: "EVIL", "k EVIL": 1, rows: [{"EVIL": "EVIL"}]}
tools:
  ask: {description: "EVIL", returns: {"EVIL": "EVIL"}}
  refuse: {description: "EVIL", fails: "EVIL"}
responses:
  - "EVIL (println \"EVIL\")"
  - program: "(println \"EVIL\") (def thing \"EVIL\" (tool/ask {:q \"EVIL\"})) ;; EVIL"
    needs: ["EVIL", "never shown EVIL"]
  - program: "(tool/refuse {:q \"EVIL\"})"
  - program: "(undefined \"EVIL\")"
  - program: "(fail {:reason \"EVIL\"})"
  - error: "EVIL"
expect: {value: "EVIL", prints: ["EVIL"], turns: 9}
"#;

/// Asserts that a text has no control codes but line breaks, tabs and requested colours.
#[track_caller]
fn obeys_nothing(ran: &Ran) {
    let colours = regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
    for text in [&ran.out, &ran.err] {
        let plain = colours.replace_all(text, "");
        let orders = |c: char| {
            (c.is_control() && c != '\n' && c != '\t')
                || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!plain.contains(orders), "{plain:?}");
        assert!(!text.contains("panicked"), "{text}");
    }
}

/// The user copies what a message suggests.
#[test]
fn names_in_suggested_commands_are_quoted() {
    let suite = Suite::with(&[]);
    let log =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":\"a\"}]}\n";
    suite.write("scenarios/b;id.jsonl", log);
    suite.run(&["check"]).complains("`ptc-eval import 'scenarios/b;id.jsonl'`");
    for (name, quoted) in [("#1", "'#1'"), ("~root", "'~root'"), ("", "''"), ("a-1.yaml", "a-1.yaml")] {
        assert_eq!(ptc_eval::report::for_shell(name), quoted);
    }
    let options = [
        ("poet", "--only-agent poet"),
        ("old poet", "--only-agent 'old poet'"),
        ("-poet", "--only-agent='-poet'"),
        ("-it's", r"--only-agent='-it'\''s'"),
    ];
    for (name, quoted) in options {
        assert_eq!(ptc_eval::report::option_for_shell("--only-agent", name), quoted);
    }
}

#[test]
fn no_text_sends_control_codes_to_a_terminal() {
    let text = without_key(&scenario());
    let suite = Suite::with(&[("evil", &text)]);
    suite.write(
        "scenarios/suite.yaml",
        "strategies: [full-history, single-user-coalesced, own]\nvariants: {own: {program: own.clj}}\n",
    );
    suite.write("scenarios/own.clj", "(fn [view] [{:role :user :content (:mission view)}])");
    suite.run(&["--accept"]).ends(1);
    suite.write("scenarios/evil.yaml", &text.replace("owned", "changed"));
    let commands: &[&[&str]] = &[
        &["run"],
        &["run", "--verbose"],
        &["run", "--locked"],
        &["run", "--format", "json"],
        &["run", "--format", "jsonl"],
        &["run", "--shard", "1/1", "--report-dir", "shards/1"],
        &["merge", "shards/1", "--report-dir", "joined"],
        &["check"],
        &["review", "--print"],
        &["show", "evil", "--raw", "--usage"],
        &["show", "evil", "--view", "compressed"],
        &["show", "evil", "--view", "compressed", "--strategy", "own"],
        &["explain", "evil"],
        &["explain", "evil", "--strategy", "single-user-coalesced"],
        &["list", "scenarios"],
        &["list", "tools"],
        &["list", "strategies"],
        &["diff", "--strategies", "full-history", "single-user-coalesced", "evil"],
        &["diff", "reports", "joined"],
        &["lisp", "-e", "(fail \"\u{1b}[2J\u{202e}\")"],
        &["lisp", "-e", "(str \"\u{1b}[2J\u{202e}\" (boom \"\u{1b}[2J\"))"],
        &["lisp", "\u{1b}[2J.clj"],
        &["show", "\u{1b}[2J"],
        &["run", "\u{1b}[2J\u{202e}"],
        &["run", "--against", "\u{1b}[2J\u{202e}"],
    ];
    for command in commands {
        let ran = suite.run(command);
        assert!(!ran.out.is_empty() || !ran.err.is_empty(), "{command:?}");
        obeys_nothing(&ran);
        obeys_nothing(&suite.run(&[command, &["--color", "always"][..]].concat()));
    }
    suite.run(&["run"]).says("\\u{1b}[2J").says("evil.yaml:");
    let line = suite.run_with(
        &["lisp", "--jsonl"],
        "{\"program\": \"(println \\\"\\u001b[2J\\u202e\\u009b\\\")\"}",
        &[],
    );
    obeys_nothing(&line);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&line.out).unwrap()["prints"][0],
        "\u{1b}[2J\u{202e}\u{9b}"
    );
    // A program that reads what `lisp` writes gets every byte.
    assert_eq!(suite.run(&["lisp", "-e", "(println \"\\u001b[2J\")"]).out, "\u{1b}[2J\nnil\n");
}

/// Lines where a prefix breaks are escaped as everywhere else: hidden characters by number, a backslash
/// unchanged. Entries of `needs:` count like facts in the answer. An entry not produced by an earlier turn is
/// reported with its place.
#[test]
fn listed_needs_are_counted_and_checked() {
    let scenario = r#"
mission: m
responses:
  - program: (println "alpha" "beta") "gamma"
  - program: (return "gamma")
    needs: [alpha, bete]
"#;
    let suite = Suite::with(&[("needs", scenario)]);
    let ran = suite.run(&["explain", "needs@2", "--strategy", "aggressive"]);
    ran.ends(0).says("Facts that the answer uses: the request shows 1 of 2\n  gone: gamma; turn 1 had produced it, turn 2 uses it\n");
    let ran = suite.run(&["run"]);
    let said = "scenarios/needs.yaml:6:20: responses[1].needs[1]: expected a text that an earlier turn produced, \
                found \"bete\"; did you mean 'beta'?";
    assert!(ran.out.contains(said) || ran.err.contains(said), "{}{}", ran.out, ran.err);
    assert!(format!("{}{}", ran.out, ran.err).contains("^^^^"), "{}{}", ran.out, ran.err);
}

#[test]
fn explain_shows_the_lines_where_a_prefix_breaks() {
    let text = r#"
mission: m
responses:
  - program: (println "one")
  - program: "(println \"a\\\\b\u001b[2J\u202e\")"
  - program: (return 1)
"#;
    let suite = Suite::with(&[("lines", text)]);
    let ran = suite.run(&["explain", "lines@3", "--strategy", "single-user-coalesced"]);
    ran.ends(0).says("    before: (an empty line)\n    now:    a\\b\\u{1b}[2J\\u{202e}\n");
    suite.run(&["explain", "lines@9"]).ends(2).complains("error: lines has no such turn, it took 3 turns");
}

/// The message that refuses data keys which programs could not write escapes them.
fn without_key(text: &str) -> String {
    let suite = Suite::with(&[("evil", text)]);
    let ran = suite.run(&["check"]);
    obeys_nothing(ran.ends(2));
    let key = regex::Regex::new("\"k [^\"]*\": 1, ").unwrap();
    key.replace(text, "").into_owned()
}

#[test]
fn messages_about_broken_files_contain_no_control_codes() {
    for (name, text) in [
        ("key", "misson\\u001b: 1"),
        ("key", "\"a\\u001b[2J\\u202e\": 1"),
        ("kind", "mission: [\"\\u001b[2J\\u202e\"]\nresponses: []"),
        ("strategy", "mission: m\nresponses: []\ncompression: \"\\u001b[2J\\u202e\""),
        ("file", "mission: m\nresponses: []\ndata_files: {a: \"\\u001b[2J\\u202e.csv\"}"),
        ("tool", "mission: m\nresponses: []\ntools: {\"\\u001b[2J\\u202e\": {returns: 1}}"),
        ("signature", "mission: m\nresponses: []\nsignature: \"\\u001b[2J\\u202e\""),
        ("raw", "mission: \u{202e}\u{1b}[2J\nresponses: []"),
        ("direction", "mission: \u{202e} m\nresponses: [\u{2066}]\nnope: 1"),
        ("\u{1b}[2J\u{202e}", "mission: m\nresponses: []"),
    ] {
        let suite = Suite::with(&[(name, text)]);
        for command in ["check", "run", "list"] {
            let ran = suite.run(if command == "list" {
                &["list", "scenarios"]
            } else {
                std::slice::from_ref(&command)
            });
            obeys_nothing(&ran);
            if command == "check" {
                ran.ends(2);
            }
        }
    }
}
