//! Messages about wrong input name the place and what to try.

use super::suite::{SUM, Suite};

#[track_caller]
fn complains(files: &[(&str, &str)], arguments: &[&str], texts: &[&str]) {
    let suite = Suite::with(&[]);
    files.iter().for_each(|(name, text)| suite.write(name, text));
    let ran = suite.run(arguments);
    ran.ends(2);
    texts.iter().for_each(|text| {
        ran.complains(text);
    });
}

#[test]
fn wrong_input_says_what_to_try() {
    let sum = ("scenarios/sum.yaml", SUM);
    let first = Suite::with(&[]).run(&[]);
    first.ends(2).complains("scenarios: there is no such folder here");
    assert_eq!(first.err.lines().count(), 4, "{}", first.err);
    for command in
        ["ptc-eval new --demo", "ptc-eval new --suite", "ptc-eval new NAME", "ptc-eval advise LOGS"]
    {
        first.complains(command);
    }
    assert_eq!(Suite::with(&[]).run(&["check"]).ends(2).err, first.err);
    Suite::with(&[]).run(&["--help"]).ends(0).says("\nSuites ");
    complains(&[sum], &["reveiw"], &["there is no command 'reveiw'", "did you mean 'review'?"]);
    complains(
        &[sum],
        &["explain", "sum", "--model", "gpt-55"],
        &["no model 'gpt-55'", "did you mean 'gpt-5.5', 'gpt-5' or 'gpt-5.6-sol'?"],
    );
    complains(&[sum], &["run", "--prices", "no.yaml"], &["cannot read no.yaml", "rows such as"]);
    complains(&[sum], &["diff", "reports"], &["'reports'", "ptc-eval run writes the folder reports"]);
    complains(&[sum, ("reports", "")], &["run"], &["what failed before from reports", "--report-dir"]);
    complains(&[sum, ("snapshots", "")], &["run"], &["snapshots/sum/", "--snapshot-dir"]);
    let folder = ("snapshots/sum/trim.snap/x", "");
    complains(&[sum, folder], &["run"], &["snapshots/sum/trim.snap: it is a folder", "--snapshot-dir"]);
    let wrong = [("scenarios/a.yaml", "mission: [1]\n")];
    complains(
        &wrong,
        &["show", "a"],
        &["scenarios/a.yaml:1:10", "expected text, found a list", "key: some text"],
    );
}

#[cfg(not(feature = "live"))]
#[test]
fn a_build_without_network_code_says_how_to_get_it() {
    let sum = ("scenarios/sum.yaml", SUM);
    let advice = ["this build cannot ask a model", "cargo install --path . --features live"];
    complains(&[sum], &["record", "sum", "--model", "m"], &advice);
    complains(&[sum], &["verify", "sum", "--model", "m", "--strategy", "trim"], &advice);
}

#[test]
fn every_command_reports_a_missing_file_alike() {
    let sum = ("scenarios/sum.yaml", SUM);
    for arguments in [
        &["check", "no.yaml"][..],
        &["run", "--prices", "no.yaml"],
        &["merge", "no"],
        &["lisp", "no.clj"],
        &["lisp", "--jsonl", "no.jsonl"],
        &["import", "no.json"],
    ] {
        complains(&[sum], arguments, &["there is no such file"]);
    }
}

#[test]
fn a_name_that_means_several_scenarios_names_them() {
    let suite = Suite::with(&[("a/sum", SUM), ("b/sum", SUM), ("b/one", SUM)]);
    suite
        .run(&["show", "sum"])
        .ends(2)
        .complains("'sum' means 2 scenarios\n  = help: choose one of: a/sum, b/sum\n");
    suite.run(&["show", "one"]).ends(0);
    suite.run(&["show", "b/sum"]).ends(0);
    suite.run(&["show", "tow"]).ends(2).complains("no scenario is called 'tow'");
}

/// One line that is not UTF-8 does not stop the others.
#[test]
fn every_line_of_programs_is_answered() {
    let suite = Suite::with(&[]);
    let lines = b"{\"program\": \"1\"}\r\n\xff\n\n{\"program\": \"2\"}";
    std::fs::write(suite.path().join("lines.jsonl"), lines).unwrap();
    let ran = suite.run(&["lisp", "--jsonl", "lines.jsonl"]);
    ran.ends(0).says("\"value\":\"1\"").says("invalid_request").says("\"value\":\"2\"");
    assert_eq!(ran.out.lines().count(), 3, "{}", ran.out);
    suite.run(&["lisp", "lines.jsonl"]).ends(2).complains("cannot read lines.jsonl: it is not UTF-8");
}

#[test]
fn nothing_to_do_says_what_to_try() {
    let empty = Suite::with(&[]);
    empty.write("scenarios/suite.yaml", "");
    for command in [&["run"][..], &["check"], &["list", "scenarios"]] {
        empty.run(command).ends(4).complains("there is no scenario below scenarios; ptc-eval new NAME");
    }
    let suite = Suite::with(&[("sum", SUM)]);
    for command in [&["run"][..], &["check"], &["list", "scenarios"]] {
        let selection = [command, &["--filter", "shop"]].concat();
        suite.run(&selection).ends(4).complains("no scenario matches the selection; ptc-eval list");
    }
    suite.run(&["run", "-"]).ends(4).complains("no scenario on standard input is selected");
}

#[test]
fn only_as_many_threads_as_a_machine_could_use() {
    complains(&[("scenarios/sum.yaml", SUM)], &["run", "--jobs", "1000000"], &["--jobs", "0..=1024"]);
}

#[test]
fn a_value_that_is_no_number_is_told_what_it_should_be() {
    for (arguments, named) in [
        (&["run", "--jobs", "x"][..], "'x' for '--jobs <N>'"),
        (&["show", "a", "--turn", ""], "'' for '--turn <N>'"),
        (&["record", "a", "--model", "m", "--timeout", "0.5"], "'0.5' for '--timeout <SECONDS>'"),
    ] {
        complains(&[], arguments, &[&format!("error: invalid value {named}: expected a whole number")]);
    }
}

/// `show` takes names, so they are tried with the other commands too.
#[test]
fn a_name_in_the_place_of_a_path_is_told_its_path() {
    let suite = Suite::with(&[("shop/sum", SUM)]);
    for (path, meant) in [("shop/sum", "scenarios/shop/sum.yaml?"), ("shop", "scenarios/shop?")] {
        for command in ["check", "run"] {
            let ran = suite.run(&[command, path]);
            ran.ends(2).complains("there is no such file or folder").complains(meant);
        }
    }
}

/// Each problem is reported once, at its place.
#[test]
fn a_broken_variant_is_no_missing_strategy() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write(
        "scenarios/suite.yaml",
        "strategies: [full-history, own, few]\nvariants:\n  own: {program: none.clj}\n  few: {strategy: trim, options: {a: 1}}\n",
    );
    let ran = suite.run(&["check"]);
    ran.ends(2).complains("cannot read 'none.clj'").complains("the strategy few has no option 'options'");
    ran.complains("help: write each option beside the name of the strategy");
    assert_eq!(ran.err.matches("error: ").count(), 2, "{}", ran.err);
}

/// A message about standard input does not suggest to check it again.
#[test]
fn standard_input_cannot_be_checked_again() {
    let suite = Suite::with(&[("sum", SUM)]);
    let ran = suite.run_with(&["run", "-"], "misson: m\n", &[]);
    ran.ends(2).complains("this is not JSON").says("next:  fix the errors in standard input listed above\n");
}

#[test]
fn a_line_on_standard_input_is_a_log_or_a_scenario_with_a_mistyped_key() {
    let suite = Suite::with(&[("sum", SUM)]);
    let line = r#"{"parentUuid":null,"type":"user","message":{"role":"user","content":"m"},"uuid":"u1"}"#;
    let ran = suite.run_with(&["run", "-"], line, &[]);
    ran.ends(2).complains("standard input: no conversation (read as claude-code)");
    let ran = suite.run_with(&["run", "-"], r#"{"colour": "blue"}"#, &[]);
    ran.ends(2).complains("unknown key 'colour'").complains("ptc-eval import LOG --output - --transcripts");
    let ran = suite.run_with(&["run", "-"], r#"{"misson": "m"}"#, &[]);
    ran.ends(2).complains("did you mean 'mission'?");
}

/// Fixing a failure may change the snapshots to review.
#[test]
fn failures_come_before_reviews() {
    let wrong = SUM.replace("value: 3", "value: 4");
    let suite = Suite::with(&[("sum", &wrong)]);
    suite.run(&[]).ends(1).says("next:  ptc-eval show sum, then ptc-eval review\n");
    suite.run(&["review", "--accept-all"]).ends(0);
    suite.run(&[]).ends(1).says("next:  ptc-eval show sum\n");
    suite.write("scenarios/sum.yaml", SUM);
    suite.write("scenarios/other.yaml", SUM);
    suite.run(&["--locked"]).ends(5);
    suite.run(&["--accept"]).ends(0);
    suite.write("scenarios/third.yaml", SUM);
    suite.run(&["--locked", "scenarios/third.yaml"]).ends(3);
    suite
        .run(&["--locked", "scenarios/third.yaml"])
        .says("next:  ptc-eval run without --locked, then ptc-eval review\n");
    suite.run(&["scenarios/third.yaml"]).ends(3).says("next:  ptc-eval review\n");
}

#[test]
fn a_snapshot_that_is_no_text_is_a_change_like_any_other() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["--accept"]).ends(0);
    std::fs::write(suite.path().join("snapshots/sum/trim.snap"), b"\xff\xfe").unwrap();
    suite.run(&[]).ends(1).says("2 requests in 1 scenario, 2 new").says("next:  ptc-eval review");
    suite.run(&["review", "--accept-all"]).ends(0);
    suite.run(&[]).ends(0);
}

/// A broken symbolic link is an error, not a skipped scenario.
#[cfg(unix)]
#[test]
fn a_broken_link_is_reported() {
    let suite = Suite::with(&[("sum", SUM)]);
    std::os::unix::fs::symlink("gone.yaml", suite.path().join("scenarios/link.yaml")).unwrap();
    suite
        .run(&["check"])
        .ends(2)
        .says("1 scenario: fine; 1 file is not valid")
        .complains("scenarios/link.yaml");
}

#[test]
fn each_suite_is_run_by_itself() {
    let files = [("scenarios/sum.yaml", SUM), ("other/scenarios/sum.yaml", SUM)];
    complains(
        &files,
        &["run", "scenarios", "other/scenarios"],
        &["other/scenarios: this is not below the suite's"],
    );
    let suite = Suite::with(&[("sum", SUM), ("shop/sum", SUM)]);
    suite
        .run(&["run", "scenarios/shop", "scenarios", "--accept"])
        .ends(0)
        .says("2 scenarios")
        .says("reports/index.html");
}

#[test]
fn messages_use_singular_for_one() {
    let suite = Suite::with(&[("bad", "misson: m\n")]);
    let ran = suite.run(&[]);
    ran.ends(2)
        .says("1 new snapshot in snapshots waits for review\n")
        .says(": 1 file is not valid\n")
        .says("next:  ptc-eval check\n");
    suite.run(&["review", "--accept-all"]).ends(0).says("1 snapshot accepted, 0 rejected");
    suite.write("scenarios/bad.yaml", SUM);
    suite
        .run(&["--accept"])
        .ends(0)
        .says("snapshots accepted")
        .says("1 scenario, 2 requests: expectations met");
    assert!(suite.read("reports/summary.md").contains("\n1 scenario, 0 with failures."));
    assert!(suite.read("reports/summary.md").contains("| 1 to 4 turns (1 run) |"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let suite = Suite::with(&[("sum", SUM)]);
    for line in [
        "run",
        "run --format jsonl",
        "run --format json",
        "list models",
        "man",
        "completions bash",
        "--help",
        "lisp -e -1",
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = suite.command(&arguments, &[]).stdout(full).output().unwrap();
        let ran = super::suite::Ran::from(output);
        ran.ends(2).complains("error: cannot write to standard output: No space left on device");
    }
}

#[test]
fn a_name_without_its_folder_is_suggested() {
    let suite = Suite::with(&[("shop/well-reviewed", SUM)]);
    suite.run(&["show", "well-reviewd"]).ends(2).complains("Did you mean 'well-reviewed'?");
    suite.run(&["show", "shop/well-reviewd"]).ends(2).complains("Did you mean 'shop/well-reviewed'?");
}

#[test]
fn a_tab_is_explained() {
    let tabs = [("scenarios/a.yaml", "mission: m\nexpect:\n\tvalue: 1\n")];
    complains(
        &tabs,
        &["check"],
        &["scenarios/a.yaml:3:1", "YAML does not allow tabs", "help: indent with spaces"],
    );
}

/// Like a repository of git.
#[test]
fn a_suite_is_found_from_a_folder_below() {
    let suite = Suite::with(&[("shop/sum", SUM)]);
    let mut command = suite.command(&["--accept"], &[]);
    command.current_dir(suite.path().join("scenarios/shop"));
    super::suite::Ran::from(command.output().unwrap()).ends(0).says("1 scenario");
    assert!(suite.exists("snapshots/shop/sum/run.snap") && suite.exists("reports/index.html"));
}
