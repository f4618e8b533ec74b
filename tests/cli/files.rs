//! Files that the program reads and writes: their names and places, links, pipes, and what a killed run leaves.

use std::collections::BTreeMap;
use std::fs;

use serde_json::json;

use super::suite::{Ran, SUM, Suite};

/// The files below a folder with their bytes.
fn files(suite: &Suite, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(suite.path().join(folder)).unwrap().map(Result::unwrap) {
        let name = format!("{folder}/{}", entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(suite, &name));
        } else {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    found
}

#[test]
fn files_are_the_same_however_the_suite_is_named() {
    let suite =
        Suite::with(&[("sum", SUM), ("shop/wrong", &SUM.replace("value: 3", "value: 4")), ("no", "x: 1")]);
    suite.write("scenarios/lines.jsonl", "{\"name\": \"line\", \"mission\": \"m\", \"responses\": []}\n{}\n");
    suite.write("scenarios/own.clj", "(fn [_] (boom))");
    suite.write(
        "scenarios/suite.yaml",
        "strategies: [trim, own]\nvariants: {own: {program: own.clj}}\nbaseline: trim\n",
    );
    suite.write("x/notes.txt", "");
    #[cfg(unix)]
    std::os::unix::fs::symlink("scenarios", suite.path().join("link")).unwrap();
    let whole = suite.path().join("scenarios").display().to_string();
    let mut first = None;
    for (folder, named) in [
        ("", "scenarios"),
        ("", "./x/../scenarios"),
        ("", whole.as_str()),
        ("", "./scenarios/"),
        ("", if cfg!(unix) { "link" } else { "scenarios" }),
        ("scenarios", "."),
        ("scenarios/shop", ".."),
        ("x", "../scenarios"),
        ("x", whole.as_str()),
    ] {
        let mut run = suite.command(&["run", named, "--accept"], &[]);
        Ran::from(run.current_dir(suite.path().join(folder)).output().unwrap()).ends(2);
        let written: Vec<_> =
            ["reports", "snapshots"].into_iter().flat_map(|folder| files(&suite, folder)).collect();
        assert_eq!(*first.get_or_insert(written.clone()), written, "{named} in {folder:?}");
        for folder in ["reports", "snapshots"] {
            fs::remove_dir_all(suite.path().join(folder)).unwrap();
        }
    }
    let first = first.unwrap();
    let has = |text: &[u8]| first.iter().any(|(_, bytes)| bytes.windows(text.len()).any(|part| part == text));
    assert!(has(b"scenarios/shop/wrong.yaml:8") && !has(suite.path().as_os_str().as_encoded_bytes()));
}

/// Its settings would count for nothing.
#[test]
fn a_suite_within_a_suite_is_refused() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("scenarios/suite.yaml", "strategies: [trim]\nbaseline: trim\n");
    suite.write("a.yaml", SUM);
    suite.run(&["check", "."]).ends(2).complains(
        "./scenarios/suite.yaml: a suite of its own, within the suite in .\n  = help: run each suite by itself",
    );
    suite.run(&["run", "."]).ends(2).says("1 scenario, ").complains("a suite of its own");
    suite.run(&["check", "scenarios"]).ends(0);
}

#[test]
fn accepting_names_what_it_removes_and_asks_before_it_removes_much() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let suite = Suite::with(&names.map(|name| (name, SUM)));
    suite.write("scenarios/suite.yaml", "strategies: [full-history]\n");
    suite.run(&["--accept"]).ends(0);
    fs::remove_file(suite.path().join("scenarios/a.yaml")).unwrap();
    let removed = suite.run(&["--accept"]);
    removed
        .ends(0)
        .complains("removed snapshots/a/run.snap\n")
        .complains("removed snapshots/a/full-history.snap\n");
    for name in ["b", "c", "d"] {
        fs::remove_file(suite.path().join(format!("scenarios/{name}.yaml"))).unwrap();
    }
    suite.run(&["--accept"]).ends(5).says("--prune");
    assert!(suite.exists("snapshots/b/run.snap"));
    suite.run(&["--prune"]).ends(2).complains("--accept");
    let pruned = suite.run(&["--accept", "--prune", "--format", "json"]);
    pruned.ends(0);
    assert_eq!(pruned.err.matches("removed snapshots/").count(), 6, "{}", pruned.err);
    assert!(!suite.exists("snapshots/b/run.snap") && suite.exists("snapshots/e/run.snap"));
}

const LOG: &str =
    "[{\"role\": \"user\", \"content\": \"hi\"}, {\"role\": \"assistant\", \"content\": \"ho\"}]";

#[test]
fn names_that_files_cannot_have_are_refused_and_other_scenarios_run() {
    let long = "x".repeat(240);
    let lines = [long.as_str(), "a/sum.snap", "SUM", "E\u{301}t\u{e9}", "\u{c9}TE\u{301}", "fine"];
    let lines =
        lines.map(|name| json!({"name": name, "mission": "m", "responses": ["(return 1)"]}).to_string());
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("scenarios/lines.jsonl", &lines.join("\n"));
    let check = suite.run(&["check"]);
    check.ends(2).says("3 scenarios: fine; 4 files are not valid");
    check.complains("scenarios/lines.jsonl:1").complains("at most 239 bytes");
    check.complains("scenarios/lines.jsonl:2").complains("end in .snap");
    check.complains("another name differs from 'sum' in upper and lower case only");
    check.complains("scenarios/lines.jsonl:5");
    suite.run(&["--accept"]).ends(2).says("3 scenarios");
    assert!(suite.exists("snapshots/fine/run.snap") && suite.exists("snapshots/SUM/run.snap"));
    for (variant, said) in [("Run", "run.snap"), ("TRIM", "'TRIM' differs from 'trim'"), (&long, "239 bytes")]
    {
        suite.write("scenarios/suite.yaml", &format!("variants:\n  {variant}: {{strategy: trim}}\n"));
        suite.run(&["check"]).ends(2).complains("scenarios/suite.yaml:2").complains(said);
    }
    // The folder of a suite that cannot be read takes no scenarios.
    suite.write("log.json", LOG);
    suite.run(&["import", "log.json"]).ends(2).complains("scenarios/suite.yaml:2");
}

/// Other systems have no such files.
#[cfg(unix)]
#[test]
fn logs_are_called_as_their_agent_likes() {
    let suite = Suite::with(&[]);
    let long = format!("{}.json", "l".repeat(200));
    let logs =
        ["2026-11-24T10:11:12.json", "con.json", " x.snap.json", "a?b.json", "a*b.json", "a:b.json", &long];
    logs.iter().for_each(|log| suite.write(&format!("logs/{log}"), LOG));
    suite.run(&["import", "logs", "-o", "out"]).ends(0);
    let names = ["2026-11-24T10-11-12", "log-con", "log-x-snap", "a-b", "a-b-2", "a-b-3", &"l".repeat(100)];
    names.iter().for_each(|name| assert!(suite.exists(&format!("out/{name}.transcript.json")), "{name}"));
    suite.run(&["check", "out"]).ends(0);
}

#[test]
fn names_are_text_in_every_report() {
    let suite = Suite::with(&[("sum", SUM), ("=1+1", SUM)]);
    suite.write(
        "scenarios/suite.yaml",
        "strategies: [full-history, \"@team\", \"-1\", \"a`b\"]\nvariants:\n  \"@team\": {strategy: trim}\n  \"-1\": {strategy: trim}\n  \"a`b\": {strategy: trim}\n",
    );
    suite.run(&["--accept"]).ends(0);
    let [summary, strategies] =
        ["summary.md", "strategies.csv"].map(|file| suite.read(&format!("reports/{file}")));
    assert!(summary.contains("\n| `@team` |") && summary.contains("\n| ``a`b`` |"), "{summary}");
    assert!(strategies.contains("\n'@team,") && strategies.contains("\n'-1,"), "{strategies}");
    assert!(suite.read("reports/scenarios.csv").contains("\n'=1+1,"));
    suite.run(&["--against", "reports"]).ends(0);
    assert!(suite.read("reports/changes.md").contains("No number changed."));
}

/// Characters that YAML refuses or reads as line breaks, and invisible ones.
const NASTY: &str =
    "\u{7f}\u{9f}\u{85}\u{2028}\u{2029}\u{feff}\u{fffe}\u{ffff}\u{202e}\u{200b}\u{1f600}\u{e0001}\r";

#[test]
fn logs_with_any_character_become_scenarios_that_can_be_read() {
    let answer = format!("```clojure\n(println \"{NASTY}\" (tool/ask {{:q \"\u{1f600}\u{7f}\"}}))\n```");
    let arguments = "{\n  \"q\": \"\\ud83d\\ude00\\u007f\"\n}";
    let chat = json!({"messages": [
        {"role": "user", "content": format!("Ask: {NASTY}")},
        {"role": "assistant", "content": answer, "tool_calls": [{"id": "a", "function": {"name": "ask", "arguments": arguments}}]},
        {"role": "tool", "tool_call_id": "a", "content": json!({NASTY: NASTY}).to_string()},
        {"role": "assistant", "content": format!("(return \"{NASTY}\")")},
    ]});
    let suite = Suite::with(&[]);
    suite.write("chat.json", &chat.to_string());
    suite.run(&["import", "chat.json", "-o", "scenarios"]).ends(0);
    suite.run(&["import", "chat.json", "-o", "scenarios/logs", "--transcripts"]).ends(0);
    suite.run(&["check"]).ends(0).says("2 scenarios: fine");
    let yaml = suite.read("scenarios/chat.yaml");
    assert!(!yaml.contains(|c| NASTY.replace('\u{1f600}', "").contains(c)), "{yaml:?}");
    suite.run(&["--accept"]);
    suite.run(&["--locked"]).ends(0);
    for (name, bytes) in files(&suite, "snapshots") {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains(|c| NASTY.replace('\u{1f600}', "").contains(c)), "{name}: {text:?}");
    }
}

#[test]
fn a_run_removes_what_a_killed_one_left() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["--accept"]).ends(0);
    let [left, other] = ["snapshots/sum/.ptc-eval-a", "reports/.ptc-eval-b"];
    suite.write(left, "");
    suite.write(other, "");
    suite.write("reports/.ptc-eval-c", "");
    let running = fs::File::open(suite.path().join("reports/.ptc-eval-c")).unwrap();
    running.lock().unwrap();
    suite.run(&[]).ends(0);
    assert!(!suite.exists(left) && !suite.exists(other) && suite.exists("reports/.ptc-eval-c"));
}

/// Folders that a run of the whole suite never writes to: those of commands, selections and shards.
#[test]
fn every_command_removes_what_a_killed_one_left() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["--accept"]).ends(0);
    let plant = |folder: &str| suite.write(&format!("{folder}/.ptc-eval-a"), "");
    let is_left = |folder: &str| suite.exists(&format!("{folder}/.ptc-eval-a"));
    let cases: [(&[&str], &[&str]); 4] = [
        (&["new", "shop/more"], &["scenarios/shop", "scenarios/.schema"]),
        (&["run", "scenarios/sum.yaml", "--accept"], &["reports/selection"]),
        (&["run"], &["reports/shard-1-of-2", "reports/selection", "reports"]),
        (&["run", "--shard", "1/2"], &["reports/shard-1-of-2"]),
    ];
    for (arguments, folders) in cases {
        folders.iter().for_each(|folder| plant(folder));
        suite.run(arguments);
        folders.iter().for_each(|folder| assert!(!is_left(folder), "{arguments:?} {folder}"));
    }
}

/// A name with a line break could write a line of its own: here one that GitHub takes for a command.
#[cfg(unix)]
#[test]
fn names_stay_on_one_line() {
    let name = "a\n::error::b";
    let suite = Suite::with(&[("sum", SUM), (name, SUM), (&format!("{name}c"), "misson: x\n")]);
    suite.write(&format!("logs/{name}.txt"), "no log");
    suite.write(
        &format!("logs/{name}.json"),
        r#"{"messages": [{"role": "user", "content": [{"type": "zz"}]}]}"#,
    );
    suite.write("scenarios/suite.yaml", "models: [\"a\\n::error::b\"]\n");
    let (log, yaml) = (format!("logs/{name}.json"), format!("scenarios/{name}c.yaml"));
    let commands: [&[&str]; 10] = [
        &["run"],
        &["check"],
        &["list", "scenarios"],
        &["advise", "logs"],
        &["import", &log, "--strict"],
        &["run", name],
        &["run", &yaml],
        &["run", "--strategy", name],
        &["merge", name],
        &["run", "--prices", name],
    ];
    let mut escaped = 0;
    for command in commands.iter().chain(&commands) {
        let ran = suite.run(command);
        assert!(!ran.err.contains("\n::error::"), "{command:?}\n{}", ran.err);
        escaped += ran.err.matches("\\n::error::").count();
        suite.write("scenarios/suite.yaml", "");
    }
    assert!(escaped > 15, "{escaped}");
}

/// Two names would look the same, and text in another order than it is.
#[test]
fn what_nobody_sees_in_a_name_is_escaped() {
    let suite = Suite::with(&[("sum", SUM), ("a", "mission: m\nresponses: []\nx\u{200b}y\u{202e}z: 1\n")]);
    suite.run(&["check"]).ends(2).complains(r"error: unknown key 'x\u{200b}y\u{202e}z'");
    suite.run(&["run", "su\u{feff}m"]).ends(2).complains(r"su\u{feff}m");
    suite.run(&["show", "👩\u{200d}💻"]).ends(2).complains("👩\u{200d}💻");
}

/// `root` may read and write everything.
#[cfg(unix)]
#[test]
fn what_may_not_be_read_or_written_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("logs/a.json", "{}");
    suite.run(&["--accept"]).ends(0);
    suite.write("reports/failed.txt", "");
    let allow = |path: &str, mode| {
        fs::set_permissions(suite.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    allow("logs/a.json", 0o000);
    if fs::read(suite.path().join("logs/a.json")).is_ok() {
        return;
    }
    suite.advise(&["logs"]).ends(4).complains("files left out: permission denied: 1 (logs/a.json)");
    let cases = [
        ("reports/.gitignore", 0o000, &["run"][..]),
        ("reports/failed.txt", 0o000, &["run"]),
        ("reports", 0o555, &["run"]),
        ("reports/strategies.csv", 0o000, &["run", "--locked"]),
        ("snapshots/sum/run.snap", 0o000, &["run"]),
        ("scenarios/sum.yaml", 0o000, &["check"]),
    ];
    for (path, mode, arguments) in cases {
        allow(path, mode);
        suite.run(arguments).ends(2).complains(&format!("{path}: ")).complains("permission denied");
        allow(path, 0o755);
    }
}

#[test]
fn files_that_stay_the_same_are_not_written() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["--accept"]).ends(0);
    let times = |suite: &Suite| {
        let files = files(suite, "reports").into_keys().chain(files(suite, "snapshots").into_keys());
        let time = |file: &String| fs::metadata(suite.path().join(file)).unwrap().modified().unwrap();
        files.map(|file| (time(&file), file)).collect::<Vec<_>>()
    };
    suite.run(&["--accept"]).ends(0);
    let before = times(&suite);
    suite.run(&["--accept"]).ends(0);
    assert_eq!(times(&suite), before);
}

#[test]
fn what_no_scenario_has_does_not_wait_for_review() {
    let suite = Suite::with(&[("sum", SUM), ("gone", SUM)]);
    suite.run(&[]).ends(3);
    fs::remove_file(suite.path().join("scenarios/gone.yaml")).unwrap();
    suite.run(&["scenarios/sum.yaml"]).ends(3);
    suite.run(&["--locked"]);
    assert!(suite.exists("snapshots/gone/run.snap.new"));
    suite.run(&[]).ends(3);
    assert!(!suite.exists("snapshots/gone/run.snap.new") && suite.exists("snapshots/sum/run.snap.new"));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::path::Path;
    use std::process::Command;

    use super::*;

    fn pipe(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    #[test]
    fn pipes_devices_and_sockets_are_refused_wherever_a_file_is_read() {
        let suite = Suite::with(&[
            ("sum", SUM),
            ("data", &SUM.replace("data: {", "data_files: {rows: rows.csv}\ndata: {")),
        ]);
        suite.write("scenarios/named.yaml", "transcript: log.json\n");
        for file in
            ["scenarios/pipe.yaml", "scenarios/lines.jsonl", "scenarios/rows.csv", "scenarios/log.json"]
        {
            pipe(&suite.path().join(file));
        }
        symlink("/dev/zero", suite.path().join("zero")).unwrap();
        let _socket = UnixListener::bind(suite.path().join("scenarios/socket.yaml")).unwrap();
        let check = suite.run(&["check"]);
        check.ends(2).says("1 scenario: fine; 5 files are not valid");
        for said in ["pipe.yaml: cannot be read: it is a pipe", "lines.jsonl: cannot be read: it is a pipe"] {
            check.complains(said);
        }
        check
            .complains("cannot read 'rows.csv': it is a pipe")
            .complains("cannot read 'log.json': it is a pipe");
        check.complains("socket.yaml: cannot be read: it is a socket");
        let commands: &[&[&str]] = &[
            &["run", "--prices", "zero"],
            &["run", "--against", "zero"],
            &["import", "zero"],
            &["advise", "zero"],
            &["lisp", "zero"],
            &["diff", "zero", "zero"],
            &["run", "/dev/zero"],
            &["check", "/dev/zero"],
        ];
        for command in commands {
            suite.run(command).ends(2).complains("it is a device");
        }
        let log =
            "[{\"role\": \"user\", \"content\": \"hi\"}, {\"role\": \"assistant\", \"content\": \"ho\"}]";
        suite.run_with(&["import", "/dev/stdin", "-o", "out"], log, &[]).ends(0);
        pipe(&suite.path().join("scenarios/suite.yaml"));
        suite.run(&["check"]).ends(2).complains("suite.yaml: cannot be read: it is a pipe");
    }

    #[test]
    fn links_among_snapshots_are_not_followed_and_those_that_lead_nowhere_are_not_absent() {
        let suite = Suite::with(&[("sum", SUM)]);
        suite.write("elsewhere/notes.txt", "");
        suite.write("snapshots/other/run.snap", "");
        symlink("../elsewhere", suite.path().join("snapshots/sum")).unwrap();
        suite.run(&["--accept"]).ends(2).complains("snapshots/sum: links among snapshots are not followed");
        assert_eq!(files(&suite, "elsewhere").len(), 1);
        fs::remove_dir_all(suite.path().join("snapshots")).unwrap();
        symlink("nowhere", suite.path().join("snapshots")).unwrap();
        suite.run(&["--locked"]).ends(2).complains("it is a link that leads nowhere");
        fs::remove_file(suite.path().join("snapshots")).unwrap();
        symlink("nowhere", suite.path().join("scenarios/suite.yaml")).unwrap();
        suite.run(&[]).ends(2).complains("suite.yaml: cannot be read: it is a link that leads nowhere");
        fs::remove_file(suite.path().join("scenarios/suite.yaml")).unwrap();
        symlink("nowhere", suite.path().join("scenarios/new.yaml")).unwrap();
        suite.run(&["new", "new"]).ends(2).complains("is there already");
    }
}

#[test]
fn a_name_too_long_for_windows_is_a_warning() {
    let [short, long] = [156, 161].map(|length| "a".repeat(80) + "/" + &"b".repeat(length - 81));
    let suite = Suite::with(&[(&short, SUM), (&long, SUM)]);
    let ran = suite.run(&["check"]);
    ran.ends(0).says("2 scenarios: fine; 1 warning");
    ran.complains(&format!("scenarios/{long}.yaml: the name has 161 characters, more than 160"));
}
