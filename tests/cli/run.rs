//! Running, reviewing and the smaller commands.

use std::fs;

use ptc_eval::compression::{STRATEGIES, is_default};

use super::suite::{Ran, SUM, Suite, chained, git};

/// From nothing to an accepted snapshot, then a change on purpose and its review.
#[test]
fn a_suite_is_replayed_accepted_changed_and_reviewed() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&[]).ends(3).says("new snapshots in snapshots wait for review").says("next:  ptc-eval review");
    assert!(suite.exists("snapshots/sum/run.snap.new"));
    suite.run(&["--accept"]).ends(0).says("snapshots accepted");
    suite.run(&[]).ends(0).says("expectations met");
    suite.write("scenarios/sum.yaml", &SUM.replace("seen", "looked at"));
    let changed = suite.run(&[]);
    changed.ends(1).says("− seen [1 2]").says("+ looked at [1 2]").says("next:  ptc-eval review");
    suite.run(&["review", "--print"]).ends(1).says("+ looked at [1 2]");
    suite.run(&["review", "--accept-all"]).ends(0);
    assert!(suite.read("snapshots/sum/single-user-coalesced.snap").contains("looked at [1 2]"));
    assert!(!suite.exists("snapshots/sum/single-user-coalesced.snap.new"));
    suite.run(&[]).ends(0);
}

#[test]
fn a_rejected_change_leaves_the_accepted_snapshot() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["--accept"]).ends(0);
    suite.write("scenarios/sum.yaml", &SUM.replace("seen", "looked at"));
    suite.run(&[]).ends(1);
    suite.run(&["review", "--reject-all"]).ends(0).says("rejected");
    assert!(suite.read("snapshots/sum/full-history.snap").contains("seen [1 2]"));
    assert!(!suite.exists("snapshots/sum/full-history.snap.new"));
}

#[test]
fn an_edit_that_shows_in_many_snapshots_is_one_change() {
    let scenarios: Vec<(String, String)> = (0..5).map(|n| (format!("s{n}"), SUM.to_string())).collect();
    let scenarios: Vec<(&str, &str)> = scenarios.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let suite = Suite::with(&scenarios);
    suite.run(&["--strategy", "full-history", "--accept"]).ends(0);
    git(suite.path(), &["init", "--quiet"]);
    git(suite.path(), &["add", "--all"]);
    git(suite.path(), &["commit", "--quiet", "--message", "one"]);
    for (name, _) in &scenarios {
        suite.write(&format!("scenarios/{name}.yaml"), &SUM.replace("Add the numbers", "Sum the numbers"));
    }
    suite
        .run(&["--strategy", "full-history"])
        .ends(1)
        .says("1 change for the model\n\n1  s0.yaml  mission Add the numbers. → Sum the numbers., and 4 like it   10 requests in 5 scenarios")
        .says("   − Add the numbers.\n   + Sum the numbers.\n");
}

#[test]
fn a_failed_expectation_says_where_and_what() {
    let more = "\nexpect:\n  # comment\n  turns: 3\n  value: 4\n  tokens: {trim: {max_total: 1}}\n";
    let suite = Suite::with(&[
        ("sum", &SUM.replace("value: 3", "value: 4")),
        ("more", &SUM.replace("\nexpect: {value: 3}\n", more)),
        ("default", &SUM.replace("(return (reduce + data/numbers))", "(fail 3)")),
    ]);
    suite.write("scenarios/suite.yaml", "strategies: [full-history, trim]");
    suite
        .run(&["--accept"])
        .ends(1)
        .says("scenarios/sum.yaml:8:10: value: expected 4, found 3")
        .says("scenarios/more.yaml:10:3: turns: expected 3, found 2")
        .says("scenarios/more.yaml:11:3: value: expected 4, found 3")
        .says("scenarios/more.yaml:12:19: tokens.trim.max_total: expected at most 1, found")
        .says("scenarios/default.yaml:8:1: outcome: expected return, found fail: 3")
        .says("\n  8 │ expect: {value: 4}\n    │          ^^^^^\n")
        .says("\n  12 │   tokens: {trim: {max_total: 1}}\n     │                   ^^^^^^^^^\n")
        .says("3 failed");
}

/// Snapshots show the end of each print, the frame of SYSTEM and the unanswered request.
#[test]
fn snapshots_leave_nothing_out() {
    let odd = "
mission: m
system_prompt: {prefix: Be careful., suffix: Be brief.}
responses:
  - program: (println \"one\\ntwo\") (println \"three\")
  - program: (println \"one\") (println \"\")
  - error: rate limited
expect: {outcome: error}
";
    let suite = Suite::with(&[("odd", odd)]);
    suite.run(&["--strategy", "single-user-coalesced", "--accept"]).ends(0);
    let (run, requests) =
        (suite.read("snapshots/odd/run.snap"), suite.read("snapshots/odd/single-user-coalesced.snap"));
    assert!(run.contains("--- print 1 ---\none\ntwo\n--- print 2 ---\nthree\n--- "), "{run}");
    assert!(run.contains("--- prints ---\none\n\n--- "), "{run}");
    let frame = "=== 3 requests, the last unanswered ===\n1-| --- system ---\n1-| Be careful.\n1-|\n\
                 1-| = all lines of system-prompt.snap\n1-|\n1-| Be brief.\n1-| --- user ---\n";
    assert!(requests.contains(frame), "{requests}");
    assert!(requests.ends_with("3-| Turns left: 3\n"), "{requests}");
}

#[test]
fn locked_runs_write_nothing_and_say_what_is_stale() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run_with(&[], "", &[("CI", "true")]).ends(5).says("is stale");
    assert!(!suite.exists("snapshots") && !suite.exists("reports/summary.md"));
    suite.run(&["--accept"]).ends(0);
    suite.run(&["--locked"]).ends(0).says("expectations met");
    suite.write("reports/summary.md", "old");
    suite.run(&["--locked"]).ends(5).says("summary.md is stale");
    assert_eq!(suite.read("reports/summary.md"), "old");
}

#[test]
fn a_snapshot_that_nobody_claims_is_an_error() {
    let suite = Suite::with(&[("sum", SUM), ("other", SUM)]);
    suite.run(&["--accept"]).ends(0);
    fs::remove_file(suite.path().join("scenarios/other.yaml")).unwrap();
    suite.run(&[]).ends(5).says("the snapshot other/");
    suite.run(&["--filter", "sum"]).ends(0);
    suite.run(&["--accept", "--prune"]).ends(0);
    assert!(!suite.exists("snapshots/other/run.snap"));
}

#[test]
fn a_broken_file_does_not_stop_the_others() {
    let suite = Suite::with(&[("sum", SUM), ("typo", &SUM.replace("mission:", "mision:"))]);
    let ran = suite.run(&[]);
    ran.ends(2).says("1 file is not valid").complains("scenarios/typo.yaml:3").complains("mission");
    assert!(suite.exists("snapshots/sum/run.snap.new"));
    suite.run(&["check"]).ends(2).says("1 scenario: fine; 1 file is not valid");
}

#[test]
fn bad_input_of_every_kind_gets_an_error_with_a_place() {
    let cases: &[(&str, &[u8], &str)] = &[
        ("empty", b"", "empty"),
        ("utf8", b"mission: \xff\xfe", "UTF-8"),
        ("type", b"mission: [1]\nresponses: []", "mission"),
        ("data", b"mission: m\ndata_files: {a: missing.csv}\nresponses: [{program: '1'}]", "missing.csv"),
        (
            "escape",
            b"mission: m\ndata_files: {a: ../../../etc/passwd}\nresponses: [{program: '1'}]",
            "leads out of",
        ),
    ];
    for (name, bytes, expected) in cases {
        let suite = Suite::with(&[("good", SUM)]);
        let path = suite.path().join("scenarios/bad.yaml");
        fs::write(path, bytes).unwrap();
        let ran = suite.run(&[]);
        ran.ends(2).complains("scenarios/bad.yaml").says("1 scenario,");
        assert!(ran.err.contains(expected), "{name}: no {expected:?} in\n{}", ran.err);
    }
}

#[test]
fn endless_programs_end_with_an_error() {
    let endless = SUM.replace("(println \\\"seen\\\" data/numbers)", "(loop [] (recur))");
    let endless = endless.replace("(println \"seen\" data/numbers)", "(loop [] (recur))");
    let deep = SUM.replace("(println \"seen\" data/numbers)", "(do (defn f [x] (inc (f x))) (f 1))");
    let prose = SUM.replace("program: (println \"seen\" data/numbers)", "I would add them.");
    let suite = Suite::with(&[("endless", &endless), ("deep", &deep), ("prose", &prose)]);
    suite.run(&["--accept"]).ends(0);
    assert!(
        suite
            .read("snapshots/endless/full-history.snap")
            .contains("evaluation limit exceeded: 1000000 ticks")
    );
    assert!(suite.read("snapshots/deep/full-history.snap").contains("call depth exceeded: 1000"));
    assert!(suite.read("snapshots/prose/full-history.snap").contains("No PTC-Lisp code found"));
}

/// ARC-004, invariant 6.
#[test]
fn any_number_of_jobs_writes_the_same_bytes() {
    let scenarios: Vec<(String, String)> =
        (0..40).map(|n| (format!("s{n:02}"), SUM.replace('1', &n.to_string()))).collect();
    let scenarios: Vec<(&str, &str)> = scenarios.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let suite = Suite::with(&scenarios);
    let written = |jobs: &str| {
        let ran = suite.run(&["--accept", "--requests-csv", "--jobs", jobs]);
        let files =
            ["index.html", "results.json", "requests.csv", "scenarios.csv", "strategies.csv", "summary.md"];
        let table = ran.out.lines().filter(|line| !line.ends_with(" s")).collect::<Vec<_>>().join("\n");
        (ran.code, table, files.map(|file| suite.read(&format!("reports/{file}"))))
    };
    // On the first run the page has no report to compare with, and mentions it.
    written("2");
    let (_, _, one) = written("1");
    let (_, _, four) = written("4");
    assert_eq!(one, four);
}

/// API-007, S4-03
#[test]
fn an_overridden_option_neither_compares_nor_writes() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["--accept"]).ends(0);
    let before = suite.read("reports/summary.md");
    suite.run(&["--strategy", "single-user-coalesced,println_limit=0"]).ends(0);
    assert!(!suite.exists("snapshots/sum/single-user-coalesced.snap.new"));
    assert_eq!(suite.read("reports/summary.md"), before);
    suite.run(&["--strategy", "single-user-coalesced,printn_limit=0"]).ends(2).complains("println_limit");
    suite.run(&["--strategy", "single-user"]).ends(2).complains("single-user-coalesced");
}

#[test]
fn selections_and_their_codes() {
    let suite = Suite::with(&[("sum", SUM), ("shop/other", SUM)]);
    suite.run(&["--accept"]).ends(0);
    suite.run(&["--filter", "nothing"]).ends(4);
    suite.run(&["run", "scenarios/shop"]).ends(0).says("1 scenario,");
    suite.run(&["scenarios/sum.yaml"]).ends(0).says("1 scenario,");
    suite.run(&["scenarios/missing.yaml"]).ends(2).complains("missing.yaml");
    suite.run(&["list", "scenarios"]).ends(0).says("shop/other");
    suite.run(&["list", "strategies"]).ends(0).says("println_limit");
    let models = suite.run(&["list", "models", "--today", "2027-10-13"]);
    models.ends(0).says(
        "gpt-6.1-sol                     2     0.1     2.5      10   1,050,000  2026-11-23  324 days  sure\n",
    );
    models.says("  above 272,000                 4     0.2       5      15\n");
    let argon = suite.run(&["list", "models", "--filter", "^gemini-4-argon"]);
    argon.ends(0).says("gemini-4-argon                  2     0.1       -      10   1,048,576  2026-11-23");
    assert!(
        argon.out.ends_with("\n  from 2026-12-01               4     0.2       -      20\n"),
        "{}",
        argon.out
    );
    assert_eq!(argon.out.lines().count(), 3, "{}", argon.out);
    suite.run(&["list", "models", "--filter", "^nothing$"]).ends(4).complains("no model matches");
    suite.run(&["list", "models", "--today", "soon"]).ends(2).complains("expected a day such as 2026-11-22");
    suite.run(&["list", "builtins"]).ends(0).says("group-by");
    let json = suite.run(&["list", "builtins", "--filter", "^json/parse-s"]);
    assert!(
        json.ends(0).out.lines().count() == 2 && json.out.contains("  json/parse-string "),
        "{}",
        json.out
    );
    suite.run(&["list", "builtins", "--filter", "^nothing$"]).ends(4).complains("no builtin matches");
}

#[test]
fn json_lines_from_standard_input_have_no_snapshots() {
    let suite = Suite::with(&[("sum", SUM)]);
    let line = r#"{"name": "one", "mission": "m", "responses": [{"program": "(return 1)"}]}"#;
    suite.run_with(&["run", "-"], &format!("{line}\n"), &[]).ends(0).says("1 scenario,");
    assert!(!suite.exists("snapshots"));
    let broken = format!("{line}\n{{\"name\": \"two\"\n");
    suite.run_with(&["run", "-"], &broken, &[]).ends(2).complains("-:2");
    let fails = line.replace("]}", "], \"expect\": {\"value\": 2}}");
    suite.run_with(&["run", "-"], &fails, &[]).ends(1).says("failed:\n  -:1:");
    Suite::with(&[]).run_with(&["run", "-"], &fails, &[]).ends(1).says("failed:\n  -:1:");
}

#[test]
fn formats_for_programs() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["--accept"]).ends(0);
    let json: serde_json::Value =
        serde_json::from_str(&suite.run(&["--format", "json"]).ends(0).out).unwrap();
    assert_eq!(json["exit_code"], 0);
    let lines = suite.run(&["--format", "jsonl"]);
    let lines: Vec<serde_json::Value> =
        lines.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["scenario"], "sum");
    assert_eq!(lines.len(), 2);
}

/// BRK-009, MIG-006, DBG-005, DBG-007, DBG-008, DBG-010, S0-02, S4-13
#[test]
fn show_has_all_views_in_any_combination() {
    let suite = Suite::with(&[("sum", SUM)]);
    let plain = suite.run(&["show", "sum"]);
    plain.ends(0).says("Program:\n(println \"seen\" data/numbers)").says("Returned: 3");
    assert!(!plain.out.contains("```clojure") && !plain.out.contains("Tokens:"), "{}", plain.out);
    suite.run(&["show", "sum", "--raw"]).ends(0).says("```clojure");
    suite.run(&["show", "sum", "--usage"]).ends(0).says("Tokens: ");
    for refused in ["--messages", "--system", "--debug"] {
        suite.run(&["show", "sum", refused]).ends(2).complains(refused);
    }
    let compressed =
        suite.run(&["show", "sum", "--view", "compressed", "--strategy", "single-user-coalesced"]);
    compressed.ends(0).says(";; Output:\nseen [1 2]").says("Turns left: 4");
    for raw in [&[][..], &["--raw"]] {
        for usage in [&[][..], &["--usage"]] {
            for view in ["turns", "compressed"] {
                let arguments = [&["show", "sum", "--view", view][..], raw, usage].concat();
                suite.run(&arguments).ends(0);
            }
        }
    }
    suite.run(&["show", "sun"]).ends(2).complains("Did you mean 'sum'?");
    suite.run(&["show", "sum", "--turn", "9"]).ends(2);
}

/// The full record of the first scenario.
fn first_record(suite: &Suite) -> serde_json::Value {
    let records = suite.run(&["run", "--format", "full-records"]);
    serde_json::from_str(records.out.lines().nth(1).unwrap()).unwrap()
}

/// DBG-004, DBG-009, S4-12, ARC-010, MIG-005: the view is the sent request, with SYSTEM named and not repeated.
#[test]
fn the_compressed_view_is_the_request_that_was_sent() {
    let prose = SUM.replace(
        "  - program: (println \"seen\" data/numbers)",
        "  - \"Let me think.\\n```clojure\\n(println \\\"seen\\\" data/numbers)\\n```\"",
    );
    let tools = "tools: {note: {signature: \"(text :string) -> :any\", returns: ok}}\n";
    let suite = Suite::with(&[("sum", &format!("{prose}{tools}compression: true\n"))]);
    suite.run(&["--accept"]).ends(0);
    let record = first_record(&suite);
    let scenario = &record["scenario"];
    let strategies = scenario["strategies"].as_array().unwrap();
    let coalesced = strategies.iter().find(|run| run["name"] == "single-user-coalesced").unwrap();
    for request in coalesced["requests"].as_array().unwrap() {
        let turn = request[0].to_string();
        let shown = suite.run(&["show", "sum", "--view", "compressed", "--turn", &turn]);
        let user = request[1].as_array().unwrap().last().unwrap();
        let texts = &scenario["texts"];
        let runs = &texts["messages"][user.as_u64().unwrap() as usize]["runs"];
        let runs: Vec<usize> = serde_json::from_value(runs.clone()).unwrap();
        let pieces = runs.chunks(2).flat_map(|run| run[0]..run[0] + run[1]);
        let sent: String = pieces.map(|piece| texts["pieces"][piece].as_str().unwrap()).collect();
        shown.ends(0).says(&format!("[USER]\n{sent}\n"));
        assert!(!shown.out.contains("Let me think."), "{}", shown.out);
    }
    let first = suite.run(&["show", "sum", "--view", "compressed", "--turn", "1"]);
    let (system, user) = first.out.split_once("[USER]").unwrap();
    assert!(!system.contains("note") && !system.contains("numbers"), "{system}");
    assert!(user.contains("tool/note(text :string)") && user.contains("data/numbers"), "{user}");
    suite.run(&["show", "sum", "--raw", "--turn", "1"]).ends(0).says("Let me think.");
}

/// S4-14, SS-001, S4-18, S4-11, S1-28
#[test]
fn the_statistics_box_says_what_was_dropped() {
    let many = "
mission: m
max_turns: 3
responses:
  - program: (dotimes [i 18] (println i))
  - program: (return 1)
";
    let suite =
        Suite::with(&[("many", many), ("single", "mission: m\nmax_turns: 1\nresponses: [{program: '1'}]")]);
    let shown = suite.run(&["show", "many", "--usage", "--strategy", "single-user-coalesced"]);
    shown.ends(0).says(
        "+- Compression -------------------------------------------+\n\
         |   Strategy:     single-user-coalesced\n\
         |   Turns:        1 compressed\n\
         |   Printlns:     15/18 shown (3 dropped)\n\
         +---------------------------------------------------------+\n",
    );
    let single = suite.run(&["show", "single", "--usage", "--strategy", "single-user-coalesced"]);
    single.ends(0);
    assert!(!single.out.contains("Compression"));
    suite.run(&["--accept"]).ends(0);
    assert_eq!(first_record(&suite)["scenario"]["turns"][0]["prints"].as_array().unwrap().len(), 18);
}

#[test]
fn lisp_evaluates_expressions_files_and_lines() {
    let suite = Suite::with(&[]);
    let ran = suite.run(&["lisp", "-e", "(println 1) (+ 1 2)"]);
    assert_eq!(ran.ends(0).out, "1\n3\n");
    suite.run(&["lisp", "-e", "(+ 1 \"a\")"]).ends(1).complains("type_error").complains("expression:1:1");
    suite.write("sum.clj", "(reduce + (range 5))");
    assert_eq!(suite.run(&["lisp", "sum.clj"]).ends(0).out, "10\n");
    assert_eq!(suite.run_with(&["lisp"], "(inc 1)", &[]).ends(0).out, "2\n");
    suite.run(&["lisp", "none.clj"]).ends(2).complains("none.clj");
    let lines = "{\"id\": 1, \"program\": \"(str data/x)\", \"data\": {\"x\": [1, \"a\"]}}\n\
                 {\"id\": \"b\", \"program\": \"(/ 1 0)\"}\nnonsense\n";
    let ran = suite.run_with(&["lisp", "--jsonl"], lines, &[]);
    let answers: Vec<serde_json::Value> =
        ran.ends(0).out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["value"], "\"[1 \\\"a\\\"]\"");
    assert_eq!(answers[1]["error"]["kind"], "arithmetic_error");
    assert_eq!(answers[2]["ok"], false);
}

#[test]
fn wrong_usage_ends_with_two() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["--nonsense"]).ends(2);
    suite.run(&["run", "--tokenizer", "none"]).ends(2).complains("o200k_base");
    suite.run(&["--filter", "("]).ends(2);
}

/// Several settings of a strategy are listed side by side under their options, beside the baseline.
#[test]
fn settings_of_a_strategy_are_compared_with_the_baseline() {
    let suite = Suite::with(&[("sum", SUM)]);
    let one = "trim,keep_recent_turns=1";
    let settings = ["--strategy", one, "--strategy", "trim,keep_recent_turns=2", "--strategy", one];
    let ran = suite.run(&settings);
    let rows = ran.out.lines().filter(|line| line.contains("trim,keep_recent_turns="));
    assert_eq!(rows.count(), 2, "{}", ran.out);
    ran.says("\n  full-history ").says("trim,keep_recent_turns=2 ");
}

/// A scenario that is copied under another name is the same run.
/// A scenario of a stranger puts no link into the report.
#[test]
fn a_name_becomes_no_markdown() {
    let suite = Suite::with(&[("one", &chained("one"))]);
    suite.write("scenarios/zoo/[a](b).yaml", &chained("one"));
    suite.run(&["--accept"]).ends(0).says("1 run equals another and counts once: `zoo/[a](b)`.\n");
    let summary = suite.read("reports/summary.md");
    assert!(summary.contains("counts once: `zoo/[a](b)`."), "{summary}");
}

#[test]
fn equal_scenarios_are_one_run() {
    let suite = Suite::with(&[("one", &chained("one")), ("two", &chained("two"))]);
    let ran = suite.run(&["--accept"]);
    let verdict = |ran: &Ran| ran.out.split("\n\n").nth(1).unwrap().to_owned();
    assert!(ran.ends(0).out.contains("\n> ") && !verdict(&ran).contains("equal"), "{}", ran.out);
    let copy = chained("one").replace("mission:", "description: a copy\nmission:");
    suite.write("scenarios/zoo/copy.yaml", &copy);
    suite.write("scenarios/zoo/other.yaml", &copy.replace("max_turns: 9", "max_turns: 12"));
    let copied = suite.run(&["--accept"]);
    copied.ends(0).says("4 scenarios, 32 requests").says("1 run equals another and counts once: zoo/copy.\n");
    let row = |ran: &Ran| ran.out.lines().find(|line| line.starts_with("  full-history")).unwrap().to_owned();
    assert!(row(&copied).contains("0 of 28"), "the table counts them all: {}", copied.out);
    let json = suite.run(&["--format", "json", "scenarios/one.yaml", "scenarios/zoo/copy.yaml"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&json["recommended"], &json["scenarios"]), (&serde_json::Value::Null, &2.into()));
    // The parts of a suite are merged to the same reports.
    for shard in ["1/2", "2/2"] {
        let folder = format!("parts/{}", &shard[..1]);
        suite.run(&["--shard", shard, "--report-dir", &folder]).ends(0);
    }
    let merged = suite.run(&["merge", "parts/1", "parts/2", "--report-dir", "merged"]);
    assert_eq!(verdict(&merged), verdict(&copied));
}

/// The first failed turn is reported before the expectation that fails because of it.
#[test]
fn a_failure_begins_with_its_first_error() {
    let wrong = SUM.replace("data/numbers))", "data/nombers))");
    let suite = Suite::with(&[("sum", &wrong)]);
    let place = "scenarios/sum.yaml:7:32: turn 2: data_not_found: ";
    let ran = suite.run(&["--accept"]);
    ran.ends(1).says(&format!("failed:\n  {place}")).says("next:  ptc-eval show sum\n");
    ran.says("\n  since then:\n    scenarios/sum.yaml:8:");
}

/// A run accepted with an error now fails elsewhere: only the first differing turn is reported, not the
/// failures that follow from it. An entry of `needs` without a source before it is reported separately, with
/// its remedy.
#[test]
fn a_failure_begins_with_the_first_turn_that_is_not_as_accepted() {
    let scenario = "mission: Count.\ndata: {numbers: [1, 2, 3]}\nresponses:\n  \
        - program: (println (oops))\n  \
        - program: (println \"all\" (count data/numbers))\n  \
        - program: (println \"seen\")\n  \
        - program: (return 3)\n    needs: [all 3]\nexpect: {value: 3, prints: [all 3, seen]}\n";
    let suite = Suite::with(&[("count", scenario)]);
    suite.run(&["--accept"]).ends(0);
    suite.write("scenarios/count.yaml", &scenario.replace("count data/numbers", "first data/numbers"));
    let ran = suite.run(&["run"]);
    ran.ends(1).says("failed:\n  scenarios/count.yaml:5:14: turn 2: not as accepted: program\n");
    ran.says("  since then:\n    scenarios/count.yaml:9:").says("responses[3].needs[0]");
    assert!(!ran.out.contains("remove it") && !ran.out.contains("oops"), "{}", ran.out);
    let junit = suite.read("reports/junit.xml");
    assert!(junit.contains("scenarios/count.yaml:5:14: turn 2: not as accepted"), "{junit}");
    // Nothing before it differs: the entry itself is wrong.
    suite.write("scenarios/count.yaml", &scenario.replace("needs: [all 3]", "needs: [zebra quagga]"));
    let own = suite.run(&["run"]);
    own.ends(1).says("found \"zebra quagga\"; remove it");
    assert!(!own.out.contains("since then"), "{}", own.out);
}

#[test]
fn the_tolerance_comes_from_the_suite_or_the_command_line() {
    let suite = Suite::with_evidence();
    suite.write("scenarios/suite.yaml", "max_short: 12.5%\nmin_saving: 1%\n");
    suite.run(&["--accept"]).ends(0).says("the limit is\n12.5%.");
    suite.run(&["--max-short", "0.02"]).ends(0).says("the limit is\n2%.");
    suite.run(&["--max-short", "200%"]).ends(2).complains("expected a share such as 5%");
    let kept = "Keep full-history: nothing is at least 99.5% cheaper.";
    suite.run(&["--min-saving", "99.5%"]).ends(0).says(kept);
    suite.write("scenarios/suite.yaml", "min_saving: 99.5%\n");
    suite.run(&[]).ends(0).says(kept);
    suite.write("scenarios/suite.yaml", "max_short: 7\n");
    suite.run(&[]).ends(2).complains("a share is between 0 and 1").complains("suite.yaml:1:12");
}

/// 180 days after 2026-11-23 is 2027-05-22.
#[test]
fn old_prices_are_told_once() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("scenarios/suite.yaml", "models: [claude-sonnet-5-5]\n");
    let young = suite.run(&["--accept", "--today", "2027-05-22"]);
    assert!(!young.ends(0).err.contains("prices"), "{}", young.err);
    let told = "warning: prices are older than 180 days: claude-sonnet-5-5 (2026-11-23); --prices FILE";
    suite.run(&["--today", "2027-05-23"]).ends(0).complains(told);
}

/// Models that a suite names in other spellings have the names of their rows in reports, each once.
#[test]
fn a_model_has_one_name_in_reports() {
    let suite = Suite::with(&[("sum", SUM)]);
    let models = "models: [us.anthropic.claude-sonnet-5-5, claude-5.5-sonnet, claude-sonnet-5-5]\n";
    let thresholds = "thresholds:\n  - {strategy: trim, metric: \"cost:claude-sonnet-5.5[1m]\", max: 0}\n  \
                      - {strategy: trim, metric: \"cost:us.anthropic.claude-sonnet-5-5\", max: 1}\n";
    suite.write("scenarios/suite.yaml", &format!("{models}{thresholds}"));
    let crossed = suite.run(&["--accept"]);
    crossed.says("trim: cost:claude-sonnet-5-5 is 0.0");
    assert!(!crossed.out.contains("not measured"), "{}", crossed.out);
    let csv = suite.read("reports/strategies.csv");
    let costs: Vec<&str> =
        csv.lines().next().unwrap().split(',').filter(|name| name.starts_with("cost:")).collect();
    assert_eq!(costs, ["cost:bedrock/us/claude-sonnet-5-5", "cost:claude-sonnet-5-5"]);
    suite.run(&["explain", "sum", "--model", "azure/eu/gpt-5.5"]).ends(0).says("azure/eu/gpt-5.5");
}

/// The prices of the newest check count. Later prices that already hold are mentioned, not used.
#[test]
fn announced_prices_are_told_and_not_taken() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("scenarios/suite.yaml", "models: [own]\nstrategies: [full-history]\n");
    let run = |checked: &str, today: &str| {
        let row = format!("model: own, date: {checked}, source: s, read: 0, output: 0");
        suite.write("p.yaml", &format!("- {{{row}, input: 1}}\n- {{{row}, input: 3, from: 2037-03-01}}\n"));
        let out = ["run", "--prices", "p.yaml", "--report-dir", "out", "--today", today];
        let warnings = suite.run(&out).ends(0).err.clone();
        let results: serde_json::Value = serde_json::from_str(&suite.read("out/results.json")).unwrap();
        (results["models"][0]["input"].as_f64().unwrap(), warnings)
    };
    let told = "warning: prices have changed since: own (2037-03-01); --prices FILE replaces them\n";
    assert_eq!(run("2037-02-01", "2037-02-28"), (1.0, String::new()));
    assert_eq!(run("2037-02-01", "2037-03-01"), (1.0, told.to_owned()));
    assert_eq!(run("2037-03-01", "2037-03-01"), (3.0, String::new()));
}

/// A file that lies anywhere gets a table, and no folders beside it.
#[test]
fn a_scenario_in_no_suite_is_replayed_without_snapshots() {
    let suite = Suite::with(&[]);
    suite.write("x/out.yaml", SUM);
    let ran = suite.run(&["x/out.yaml"]);
    ran.ends(0).says("no snapshots, since x/out.yaml is in no suite: --snapshot-dir FOLDER keeps them\n");
    ran.says("Nothing to recommend yet: no answer needs anything from earlier turns. Cheapest:\n")
        .says("page:  reports/selection/index.html");
    assert!(!suite.exists("snapshots") && !suite.exists("x/snapshots") && !suite.exists("x/reports"));
    assert!(!suite.exists("reports/failed.txt"));
    suite
        .run(&["x/out.yaml", "--snapshot-dir", "kept"])
        .ends(3)
        .says("new snapshots in kept wait for review");
    assert!(suite.exists("kept/out/run.snap.new"));
    suite.run(&["x/out.yaml", "--only-failed"]).ends(2).complains("x/out.yaml is in no suite");
    suite.write("x/suite.yaml", "");
    suite.run(&["x/out.yaml"]).ends(3).says("new snapshots in snapshots wait for review");
}

/// The first screen names requests that an API would reject under the full history.
#[test]
fn a_baseline_that_a_model_would_refuse_is_told() {
    let empty = SUM.replace("  - program: (println", "  - \"\"\n  - program: (println");
    let suite = Suite::with(&[("sum", SUM), ("empty", &empty.replace("expect: {value: 3}", ""))]);
    let accepted = suite.run(&["--accept"]);
    let rejected = "Warning: a chat API would reject 2 requests of full-history, such as empty@2\n(message 3 is empty).\n";
    accepted.ends(0).says("Passed. 2 scenarios, 5 requests: expectations met\n").says(rejected);
    suite.run(&["explain", "empty@2"]).ends(0).says("Refused\n  by a chat model: message 3 is empty\n");
    assert!(!suite.run(&["explain", "sum@2"]).out.contains("Refused"));
    assert!(!suite.run(&["scenarios/sum.yaml"]).out.contains("API would reject"));
    suite.run(&["--quiet"]).ends(0).says(rejected);
}

#[test]
fn the_verdict_names_the_checks_that_passed() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["--accept"]).ends(0);
    suite.write("scenarios/suite.yaml", "thresholds: [{strategy: trim, metric: ratio, max: 2}]\n");
    suite.run(&[]).says("1 scenario, 2 requests: expectations and 1 threshold met, ");
    // Thresholds are not judged on a part of the suite.
    suite.run(&["scenarios/sum.yaml"]).says("1 scenario, 2 requests: expectations met, ");
}

#[test]
fn a_response_that_the_run_never_reached_is_a_warning() {
    let longer = SUM.replace("expect:", "  - program: (println 9)\nexpect:");
    let suite = Suite::with(&[("longer", &longer)]);
    let warning = "warning: longer: the run ended with 1 scripted response unused";
    suite.run(&["--accept"]).ends(0).complains(warning);
}

#[test]
fn a_variant_is_listed_with_its_options() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("scenarios/suite.yaml", "variants: {late: {strategy: trim, keep_recent_turns: 1}}\n");
    suite
        .run(&["list", "strategies"])
        .ends(0)
        .says("\nlate                    variant of trim,keep_recent_turns=1\n");
}

/// As pre-commit does in a repository of several suites, where there is no folder `scenarios`.
#[test]
fn files_of_several_suites_are_checked() {
    let suite = Suite::with(&[]);
    suite.write("shop/scenarios/sum.yaml", SUM);
    suite.write("shop/scenarios/other.yaml", SUM);
    suite.write("shop/scenarios/data/n.csv", "a\n1\n");
    suite.write("support/suite.yaml", "baseline: trim\n");
    suite.write("support/bad.yaml", "misson: x\n");
    let files = ["shop/scenarios/data/n.csv", "support/suite.yaml", "shop/scenarios/sum.yaml"];
    let check = |more: &[&str]| suite.run(&[&["check"], more].concat());
    let ran = check(&[&["--whole-suites"], &files[..]].concat());
    ran.ends(2).says("2 scenarios: fine; 1 file is not valid").complains("support/bad.yaml:1:1");
    check(&["--whole-suites", files[0]]).ends(0).says("2 scenarios: fine");
    check(&[files[2], "support/bad.yaml"]).ends(2).says("1 scenario: fine; 1 file is not valid");
    check(&["--whole-suites"]).ends(2).complains("PATH");
    check(&["shop/scenarios", "--tag", "none"]).ends(4);
    let hook = include_str!("../../.pre-commit-hooks.yaml");
    assert!(hook.contains("entry: ptc-eval check --whole-suites\n") && !hook.contains("pass_filenames"));
}

/// A crossed threshold is reported with its place and with the scenarios that contribute most.
#[test]
fn a_crossed_threshold_names_its_place_and_the_largest_scenarios() {
    let suite = Suite::with(&[("one", &chained("one")), ("sum", SUM)]);
    let thresholds = "strategies: [default]\nthresholds:\n  - {strategy: trim, metric: input_tokens, max: 10}\n  \
                      - {strategy: aggressive, metric: evidence, max: 0.5}\n";
    suite.write("scenarios/suite.yaml", thresholds);
    let ran = suite.run(&["--accept"]);
    ran.ends(1).says("\n  scenarios/suite.yaml:3:5: trim: input_tokens is ");
    ran.says("\n  3 │   - {strategy: trim, metric: input_tokens, max: 10}\n    │     ^\n  most input tokens: one (");
    ran.says(", sum (").says("\n  scenarios/suite.yaml:4:5: aggressive: evidence is ");
}

/// Options as written by somebody who does not know the notation.
#[test]
fn a_slip_on_the_command_line_says_what_is_meant() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["--max-short", "8"]).ends(2).complains("expected a share such as 5%; did you mean 8%?");
    suite.run(&["--strategy", "trim,keep=2"]).ends(2).complains("did you mean 'keep_recent_turns'?");
    suite.run(&["--strategy", "trim,trigger={turns:4}"]).ends(0).says("1 scenario, 2 requests");
    suite.write("scenarios/sum.yaml", &SUM.replace("mission:", "max_turns: -1\nmission:"));
    suite.run(&["check"]).ends(2).complains("expected a whole number from 1, found -1");
    suite.write("scenarios/sum.yaml", &SUM.replace("program: (return", "programm: (return"));
    suite.run(&["check"]).ends(2).complains("did you mean 'program'?");
    let ran = suite.run(&["run"]);
    ran.ends(2).says("0 scenarios, 0 requests: 1 file is not valid\n");
}

/// `default` means the built-in strategies; `check` and `run` report a variant that no list uses.
#[test]
fn a_variant_is_added_to_the_built_in_strategies() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("scenarios/suite.yaml", "variants: {late: {strategy: trim, trigger: {turns: 4}}}\n");
    let told = "scenarios/suite.yaml:1:12\n";
    suite
        .run(&["check"])
        .ends(0)
        .says("1 warning")
        .complains("no run has the variant 'late'")
        .complains(told);
    suite.run(&["--accept"]).ends(0).complains("write `strategies: [default, late]`");
    assert_eq!(suite.run(&["--strategy", "late"]).ends(3).err, "");
    suite.write(
        "scenarios/suite.yaml",
        "strategies: [default, late]\nvariants: {late: {strategy: trim, keep: 4}}\n",
    );
    suite.run(&["check"]).ends(2).complains("did you mean 'keep_recent_turns'?");
    suite.write(
        "scenarios/suite.yaml",
        "strategies: [default, late, trim]\nvariants: {late: {strategy: trim, trigger: {turns: 4}}}\n",
    );
    suite.write("scenarios/sum.yaml", SUM);
    let ran = suite.run(&["--accept"]);
    assert_eq!(ran.ends(0).err, "");
    let csv = suite.read("reports/strategies.csv");
    let built_in = STRATEGIES.iter().map(|strategy| strategy.name).filter(|name| is_default(name));
    let expected: Vec<&str> = ["strategy"].into_iter().chain(built_in).chain(["late"]).collect();
    let rows: Vec<&str> = csv.lines().filter_map(|line| line.split(',').next()).collect();
    assert_eq!(rows, expected);
    suite.write("scenarios/suite.yaml", "variants: {default: {strategy: trim}}\n");
    suite.run(&["check"]).ends(2).complains("'default' means all built-in strategies");
    suite.write("scenarios/sum.yaml", &SUM.replace("seen", "looked at"));
    suite.write("scenarios/suite.yaml", "strategies: [full-history]\n");
    suite.run(&["run"]).ends(1).says("1 scenario, 2 requests: 2 golden files changed");
}

#[test]
fn help_wraps_at_words() {
    let suite = Suite::with(&[]);
    for (columns, wide) in [("50", 50), ("80", 80)] {
        let help = suite.run_with(&["run", "--help"], "", &[("COLUMNS", columns)]);
        let longest = help.out.lines().map(|line| line.chars().count()).max();
        assert!(longest.is_some_and(|longest| longest <= wide), "{longest:?} {}", help.out);
        assert!(help.out.contains("Scenarios, logs of an agent"), "{}", help.out);
    }
}
