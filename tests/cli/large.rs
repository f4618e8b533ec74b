//! Large suites: scenarios stream, counts are kept between runs, an interrupt leaves whole files.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Child;

use serde_json::json;

use super::suite::Suite;

/// More scenarios than are in progress at once.
const MANY: usize = 2_000;

fn line(number: usize) -> String {
    let program = r#"[{"program": "(return 1)"}]"#;
    format!("{{\"name\": \"s{number}\", \"mission\": \"Give {number}.\", \"responses\": {program}}}\n")
}

fn feed(child: &mut Child, numbers: impl Iterator<Item = usize>) {
    let input = child.stdin.as_mut().unwrap();
    for number in numbers {
        // The reader may have gone, which is what some tests are about.
        let _ = input.write_all(line(number).as_bytes());
    }
    let _ = input.flush();
}

/// Asserts that no partial report is left.
fn has_no_leftovers(suite: &Suite) -> bool {
    let folders = ["reports", "reports/selection"].map(|folder| suite.path().join(folder));
    let files = folders.iter().flat_map(fs::read_dir).flatten().flatten();
    files.into_iter().all(|file| !file.file_name().to_string_lossy().starts_with(".ptc-eval-"))
}

/// Results arrive while the input is still open.
#[test]
fn scenarios_stream_from_standard_input() {
    let suite = Suite::with(&[]);
    let mut child = suite.start(&["run", "-", "--format", "jsonl", "-j", "1"], &[]);
    feed(&mut child, 0..40);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: serde_json::Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(first["scenario"], "s0");
    feed(&mut child, 40..60);
    drop(child.stdin.take());
    assert_eq!(lines.count(), 59 + 1, "the other scenarios and the summary");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(suite.exists("reports/selection/results.json") || suite.exists("reports/results.json"));
}

/// A suite of a million scenarios may fail in each.
#[test]
fn the_first_failures_are_listed_and_the_others_counted() {
    let suite = Suite::with(&[]);
    let failing = |number| line(number).replace("}\n", ", \"expect\": {\"value\": 2}}\n");
    let input: String = (0..1_007).map(failing).collect();
    let ran = suite.run_with(&["run", "-", "--format", "json"], &input, &[]);
    let summary: serde_json::Value = serde_json::from_str(&ran.ends(1).out).unwrap();
    assert_eq!(summary["failures"].as_array().unwrap().len(), 1_000);
    assert_eq!([&summary["failed"], &summary["more_failures"]], [1_007, 7]);
    let ran = suite.run_with(&["run", "-", "--report-dir", "all"], &input, &[]);
    ran.ends(1).says("-:5:").says("more: junit.xml has them all");
    assert_eq!(suite.read("all/junit.xml").matches("<failure").count(), 1_007);
}

#[test]
fn the_number_of_threads_changes_no_byte_of_a_stream() {
    let input: String = (0..200).map(line).collect();
    let reports = ["1", "2", "5"].map(|jobs| {
        let suite = Suite::with(&[("a", "mission: Count.")]);
        suite.run_with(&["run", "-", "-j", jobs, "--requests-csv"], &input, &[]).ends(0);
        let folder = suite.path().join("reports/selection");
        ["results.json", "requests.csv", "scenarios.csv"].map(|file| fs::read(folder.join(file)).unwrap())
    });
    assert!(reports.iter().all(|other| *other == reports[0]));
    assert_eq!(reports[0][2].iter().filter(|byte| **byte == b'\n').count(), 201);
}

/// Reports of logs took thirteen times the room of the logs, since they had the texts of each request.
#[test]
fn reports_of_logs_take_less_room_than_the_logs() {
    let suite = Suite::with(&[]);
    let mut size = 0;
    for log in 0..4 {
        let mut messages =
            vec![json!({"role": "user", "content": format!("Read the files of module {log}.")})];
        for turn in 0..60 {
            let line = |line: usize| {
                format!("{}: let value_{turn}_{line} = {};\n", line * 7, (turn * 31 + line) * 7_919)
            };
            let text: String = (0..50).map(line).collect();
            let (id, path) = (format!("c{turn}"), format!("src/module_{log}/file_{turn}.rs"));
            let function = json!({"name": "read", "arguments": json!({ "path": path }).to_string()});
            let call = json!({"id": id, "type": "function", "function": function});
            messages.push(json!({"role": "assistant", "tool_calls": [call]}));
            messages.push(json!({"role": "tool", "tool_call_id": id, "content": text}));
        }
        messages.push(json!({"role": "assistant", "content": "done"}));
        let text = json!({ "messages": messages }).to_string();
        size += text.len() as u64;
        suite.write(&format!("logs/{log}.json"), &text);
    }
    suite.advise(&["logs"]).ends(0);
    let files = fs::read_dir(suite.path().join("reports/advice")).unwrap().map(|file| file.unwrap());
    let sizes: Vec<_> = files.map(|file| (file.file_name(), file.metadata().unwrap().len())).collect();
    let all: u64 = sizes.iter().map(|(_, size)| size).sum();
    assert!(size > 300_000 && all < size, "{all} bytes of reports for {size} bytes of logs: {sizes:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_whole_files() {
    let suite = Suite::with(&[("a", "mission: Count.")]);
    let mut child = suite.start(&["run", "-", "--format", "jsonl"], &[]);
    feed(&mut child, 0..100);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    // Ctrl-C also ends the process that writes the scenarios.
    drop(child.stdin.take());
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(has_no_leftovers(&suite));
    assert!(!suite.exists("reports/selection/results.json"), "a part of a report is none");
}

#[test]
fn a_closed_output_ends_the_run() {
    let suite = Suite::with(&[("a", "mission: Count.")]);
    let mut child = suite.start(&["run", "-", "--format", "jsonl"], &[]);
    drop(child.stdout.take());
    feed(&mut child, 0..MANY);
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(141));
    assert!(has_no_leftovers(&suite));
}

/// A damaged cache is rewritten and does not affect counts.
#[test]
fn counts_are_kept_in_a_file_that_may_be_lost_or_damaged() {
    let suite = Suite::with(&[("a", "mission: Count the orders.\nresponses: [{program: (return 1)}]")]);
    let cache = suite.path().join("cache");
    let file = cache.join("o200k_base.counts");
    let run = |arguments: &[&str]| {
        suite.run_with(arguments, "", &[("PTC_EVAL_CACHE", cache.to_str().unwrap())]).ends(0);
        suite.read("reports/results.json")
    };
    let results = run(&["--accept"]);
    let counts = fs::read(&file).unwrap();
    assert_eq!(run(&[]), results);
    assert_eq!(fs::read(&file).unwrap(), counts, "nothing new was counted");
    let mut damaged = counts.clone();
    damaged[100] ^= 1;
    for bytes in [&b""[..], b"nonsense", &counts[..counts.len() / 2], &damaged] {
        fs::write(&file, bytes).unwrap();
        assert_eq!(run(&[]), results);
        assert_eq!(fs::read(&file).unwrap(), counts, "it was written again");
    }
    fs::remove_dir_all(&cache).unwrap();
    suite.run_with(&[], "", &[("PTC_EVAL_CACHE", "off")]).ends(0);
    assert_eq!(suite.read("reports/results.json"), results);
    assert!(!cache.exists());
}

/// No environment variable is set, not even HOME.
#[test]
fn runs_without_a_cache_folder() {
    let suite = Suite::with(&[("a", "mission: Count.\nresponses: [{program: (return 1)}]")]);
    let nowhere = [("PTC_EVAL_CACHE", "/dev/null/nowhere"), ("HOME", ""), ("XDG_CACHE_HOME", "")];
    let ran = suite.run_with(&["--accept"], "", &nowhere);
    ran.ends(0);
    assert_eq!(ran.err, "", "no progress and no complaint where nobody watches");
}

/// Parsing and counting would outlive any time limit.
#[test]
fn a_scenario_of_hundreds_of_megabytes_is_refused_by_name() {
    let suite = Suite::with(&[("a", &format!("mission: {}\nresponses: []\n", "x".repeat(33 << 20)))]);
    let ran = suite.run(&["run", "--accept"]);
    ran.ends(2)
        .complains("a.yaml")
        .complains("a scenario takes at most 32 MiB, found 33")
        .complains("data_files");
}

/// A line of a file is a scenario too.
#[test]
fn a_line_of_hundreds_of_megabytes_is_refused_by_name() {
    let suite = Suite::with(&[]);
    let large = format!("{{\"mission\": \"{}\", \"responses\": []}}\n", "x".repeat(33 << 20));
    suite.write("scenarios/many.jsonl", &large);
    let ran = suite.run(&["run", "--accept"]);
    ran.ends(2).complains("many.jsonl").complains("a scenario takes at most 32 MiB, found 33");
}

/// A sparse file takes no disk, and its zeros would take all memory.
#[cfg(target_os = "linux")]
#[test]
fn a_sparse_transcript_is_not_read() {
    let suite = Suite::with(&[]);
    suite.write("scenarios/a.transcript.json", "");
    let file =
        fs::File::options().write(true).open(suite.path().join("scenarios/a.transcript.json")).unwrap();
    file.set_len(1 << 40).unwrap();
    let ran = suite.run_in_one_heap(600, &["run", "--accept"]);
    ran.ends(2).complains("a.transcript.json").complains("it has more than 1024 MiB");
}

/// The settings of a session are read beside its log.
#[cfg(target_os = "linux")]
#[test]
fn a_sparse_file_beside_a_log_is_not_read() {
    let suite = Suite::with(&[]);
    suite.write("logs/s.jsonl", "{\"type\":\"session_start\",\"id\":\"s\"}\n");
    suite.write("logs/s.settings.json", "");
    let settings = fs::File::options().write(true).open(suite.path().join("logs/s.settings.json")).unwrap();
    settings.set_len(1 << 40).unwrap();
    suite.run_in_one_heap(600, &["advise", "logs/s.jsonl"]).complains("it has more than 1024 MiB");
}
