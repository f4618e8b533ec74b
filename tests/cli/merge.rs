//! `merge`: shards, streams of records, and what is refused.

use std::fs;
use std::path::PathBuf;

use proptest::collection::vec;
use proptest::prelude::*;
use ptc_eval::report::{Record, Records};
use serde_json::json;

use super::reports::{TWO, same_files, several};
use super::suite::{Ran, SUM, Suite, git};

/// Runs three shards, and merges them and compares with the whole run.
#[track_caller]
fn merges_to_the_same_bytes(suite: &Suite, code: i32, options: &[&str]) {
    let run = |more: &[&str]| suite.run(&[more, options].concat());
    let whole = run(&["run", "--report-dir", "whole", "--format", "jsonl"]);
    whole.ends(code);
    for shard in ["1", "2", "3"] {
        let (of, folder) = (format!("{shard}/3"), format!("shards/{shard}"));
        run(&["run", "--shard", &of, "--report-dir", &folder]);
        assert!(!suite.exists(&format!("{folder}/summary.md")));
    }
    let shards = ["merge", "shards/3", "shards/1", "shards/2", "--report-dir", "joined", "--format", "jsonl"];
    let scenarios = |ran: &Ran| ran.out.rsplit_once("\n{\"exit_code\"").unwrap().0.to_owned();
    assert_eq!(scenarios(run(&shards).ends(code)), scenarios(&whole));
    same_files(suite, "whole", "joined");
    for folder in ["whole", "joined", "shards"] {
        fs::remove_dir_all(suite.path().join(folder)).unwrap();
    }
}

#[test]
fn merged_shards_are_the_whole_run() {
    let suite = several();
    suite.run(&["--accept"]).ends(0);
    merges_to_the_same_bytes(&suite, 0, &[]);
    merges_to_the_same_bytes(&suite, 5, &["--locked"]);
    // A failed expectation, changed, new and unclaimed snapshots, and a threshold.
    let text = suite.read("scenarios/e.yaml");
    suite.write("scenarios/e.yaml", &text.replace("seen", "looked at").replace("value: 8", "value: 9"));
    suite.write("scenarios/g.yaml", SUM);
    fs::remove_file(suite.path().join("scenarios/a.yaml")).unwrap();
    let limit = "thresholds: [{strategy: full-history, metric: requests, max: 1}]\n";
    suite.write("scenarios/suite.yaml", &format!("{TWO}{limit}"));
    merges_to_the_same_bytes(&suite, 1, &[]);
    merges_to_the_same_bytes(&suite, 1, &["--locked"]);
    // A strategy that breaks in one of the scenarios.
    suite.write(
        "scenarios/own.clj",
        "(fn [view] (if (= 5 (count (:mission view))) [] [{:role :user :content (:mission view)}]))",
    );
    let own = "strategies: [full-history, own]\nvariants: {own: {program: own.clj}}\n";
    suite.write("scenarios/suite.yaml", own);
    suite.write("scenarios/h.yaml", &SUM.replace("Add the numbers.", "Five!"));
    merges_to_the_same_bytes(&suite, 1, &[]);
    // A file that cannot be read, and a name that two scenarios have.
    suite.write("scenarios/bad.yaml", "misson: x\n");
    suite.write(
        "scenarios/lines.jsonl",
        r#"{"name": "g", "mission": "m", "responses": [{"program": "(return 1)"}]}"#,
    );
    merges_to_the_same_bytes(&suite, 2, &[]);
}

/// Records of shards include the changes since a revision. A merge against another revision would be wrong.
#[test]
fn merged_shards_list_the_changes_since_a_revision() {
    let suite = several();
    suite.run(&["--accept"]).ends(0);
    let commit = || {
        git(suite.path(), &["add", "scenarios", "snapshots", "reports/strategies.csv", "reports/summary.md"]);
        git(suite.path(), &["commit", "--quiet", "--message", "more"]);
    };
    git(suite.path(), &["init", "--quiet"]);
    commit();
    for name in ["b/c", "e"] {
        let path = format!("scenarios/{name}.yaml");
        suite.write(&path, &suite.read(&path).replace("mission: ", "mission: Soon. "));
    }
    suite.write("scenarios/new.yaml", SUM);
    merges_to_the_same_bytes(&suite, 1, &[]);
    suite.run(&["--accept"]).ends(0);
    commit();
    merges_to_the_same_bytes(&suite, 5, &["--locked", "--against", "HEAD~1"]);
    let whole = suite.run(&["--locked", "--against", "HEAD~1"]);
    whole.ends(0).says(" for the model");
    suite.run(&["--locked", "--shard", "1/1", "--report-dir", "shards/1", "--against", "HEAD~1"]);
    let merged = suite.run(&["merge", "shards/1", "--locked", "--against", "HEAD~1"]);
    merged.ends(0).says("change for the model").says("mission");
    for other in [&[][..], &["--against", "HEAD"]] {
        suite
            .run(&[&["merge", "shards/1", "--locked"], other].concat())
            .ends(2)
            .complains("the shards list the changes since 'HEAD~1', and the merge is asked for those since");
    }
}

/// Shards hold the path of their suite, so that its snapshots and reports are found from anywhere.
#[test]
fn a_suite_in_a_folder_of_its_own_is_merged_there() {
    let suite = Suite::with(&[]);
    suite.write("agents/shop/scenarios/sum.yaml", SUM);
    suite.write("agents/shop/scenarios/bad.yaml", "misson: x\n");
    suite.run(&["agents/shop/scenarios", "--accept"]).ends(2);
    suite.run(&["agents/shop/scenarios"]).ends(2);
    fs::remove_dir_all(suite.path().join("agents/shop/snapshots/sum")).unwrap();
    suite.write("agents/shop/snapshots/gone/run.snap", "---\nsource: x\n---\n1\n");
    suite.run(&["agents/shop/scenarios"]).ends(2).says("next:  ptc-eval check");
    fs::rename(suite.path().join("agents/shop/reports"), suite.path().join("whole")).unwrap();
    for shard in ["1/2", "2/2"] {
        suite.run(&[
            "agents/shop/scenarios",
            "--shard",
            shard,
            "--report-dir",
            &format!("shards/{}", &shard[..1]),
        ]);
    }
    suite.run(&["merge", "shards/1", "shards/2"]).ends(2);
    assert!(!suite.exists("reports") && !suite.exists("snapshots"));
    assert_eq!(suite.read("whole/failed.txt"), "bad\n");
    same_files(&suite, "whole", "agents/shop/reports");
    let mut from_below = suite.command(&["run", "--shard", "2/2", "--report-dir", "../../../shards/3"], &[]);
    from_below.current_dir(suite.path().join("agents/shop/scenarios")).output().unwrap();
    suite
        .run(&["merge", "shards/1", "shards/3"])
        .ends(2)
        .complains("comes from standard input or another folder");
    fs::rename(suite.path().join("agents"), suite.path().join("moved")).unwrap();
    suite
        .run(&["merge", "shards/1", "shards/2"])
        .ends(2)
        .complains("the suite agents/shop/scenarios, which is not");
}

/// The line of the settings and the records that a run writes to standard output.
#[track_caller]
fn records(suite: &Suite, arguments: &[&str], input: &str) -> Vec<String> {
    let ran = suite.run_with(&[&["run", "--format", "full-records"], arguments].concat(), input, &[]);
    assert!((0..=2).contains(&ran.code), "{}", ran.err);
    ran.out.split_inclusive('\n').map(str::to_owned).collect()
}

/// Records lie in the storage of an engine between two steps of it. Those of ten tiny turns took 24 times as much as their input.
#[test]
fn records_take_at_most_six_times_their_input() {
    let turn = |number: usize| {
        let program =
            format!("(def n{number} (inc {number}))\n(println \"turn {number}:\" n{number} \"items\")");
        json!({ "program": program })
    };
    let responses: Vec<_> = (1..10).map(turn).chain([json!({ "program": "(return n9)" })]).collect();
    let scenario = |number| {
        let name = format!("orders-{number:07}");
        json!({ "name": name, "mission": "Count.", "max_turns": 10, "responses": responses }).to_string()
            + "\n"
    };
    let input: String = (0..20).map(scenario).collect();
    let ran = Suite::with(&[]).run_with(&["run", "-", "--format", "records"], &input, &[]);
    let settings: Vec<&str> =
        ran.ends(0).out.lines().filter(|line| line.contains("strategy_names")).collect();
    assert!(settings.len() == 1 && settings[0] == ran.out.lines().next().unwrap(), "{settings:?}");
    let (records, bytes) = (ran.out.len() - settings[0].len(), input.len());
    assert!(records < 6 * bytes, "{records} bytes of records for {bytes} bytes");
    let full = Suite::with(&[]).run_with(&["run", "-", "--format", "full-records"], &input, &[]);
    let record: serde_json::Value = serde_json::from_str(full.ends(0).out.lines().nth(1).unwrap()).unwrap();
    assert!(!record["scenario"]["strategies"].as_array().unwrap().is_empty());
}

/// Runs that share a disk may have folders of reports below the suite's, which are no input.
#[test]
fn shards_that_do_not_belong_together_are_refused() {
    let suite = several();
    suite.run(&["--accept"]).ends(0);
    for shard in ["1/2", "2/2", "1/3"] {
        let folder = format!("scenarios/{}", shard.replace('/', "-"));
        suite.run(&["--shard", shard, "--report-dir", &folder]).ends(0);
    }
    let merge = |parts: &[&str]| {
        let folders = parts.iter().map(|part| format!("scenarios/{part}")).collect::<Vec<_>>();
        let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
        suite.run(&[&["merge", "--report-dir", "joined"], folders.as_slice()].concat())
    };
    merge(&["1-2"]).ends(2).complains("shard 2/2 is missing");
    merge(&["2-2"]).ends(2).complains("shard 1/2 is missing");
    merge(&["1-2", "1-3"]).ends(2).complains("is of shard 1/3, ").complains("of one of 2 shards");
    merge(&["nowhere"]).ends(2).complains("cannot read scenarios/nowhere: there is no such file");
    merge(&["../reports"]).ends(2).complains("cannot read scenarios/../reports/records.ndjson");
    merge(&["../reports/results.json"]).ends(2).complains("results.json:1: no record, or a damaged one");
    suite.run(&["--shard", "2/2", "--report-dir", "scenarios/other", "--strategy", "full-history"]).ends(0);
    merge(&["1-2", "other"])
        .ends(2)
        .complains("scenarios/other/records.ndjson:1: the record is of another run than the first");
    suite.run(&["--shard", "3/2"]).ends(2).complains("such as 1/4");
    suite.run(&["--shard", "1/2"]).ends(0).says("next:  ptc-eval merge");
    assert!(suite.exists("reports/shard-1-of-2/records.ndjson"));
    assert!(!suite.exists("joined/results.json"));
    let text = suite.read("scenarios/1-2/records.ndjson");
    let version = text.strip_prefix("{\"version\":").and_then(|rest| rest.split(',').next()).unwrap();
    let [now, old] = [version, "1"].map(|version| format!("{{\"version\":{version},"));
    suite.write("scenarios/old/records.ndjson", &resealed(&text.replace(&now, &old)));
    let expected = format!("old/records.ndjson:1: expected a record of version {version}, found version 1");
    merge(&["old"]).ends(2).complains(&expected);
    merge(&["1-2", "2-2", "1-2"]).ends(0).says("5 scenarios");
}

/// The lines with the checksums of their texts.
fn resealed(text: &str) -> String {
    let sealed = text.lines().map(|line| {
        let body = line.split(",\"checksum\"").next().unwrap();
        format!("{body},\"checksum\":\"{:016x}\"}}\n", xxhash_rust::xxh3::xxh3_64(body.as_bytes()))
    });
    sealed.collect()
}

/// Records that name another folder for their suite.
fn with_folder(records: &str, folder: &str) -> String {
    let (name, folder) = ("\"folder\":\"scenarios\"", format!("\"folder\":{}", json!(folder)));
    let (_, settings) = records.lines().next().unwrap().split_once(",\"input\"").unwrap();
    let settings = format!("\"input\"{}", settings.rsplit_once(",\"checksum\"").unwrap().0);
    let [old, new] = [settings.clone(), settings.replacen(name, &folder, 1)]
        .map(|text| format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes())));
    assert!(records.contains(&old) && old != new, "{old} {new}");
    resealed(&records.replacen(name, &folder, 1).replace(&old, &new))
}

/// Each of four machines has a quarter of the suite, and takes it for all of it.
#[test]
fn shards_of_other_files_are_refused() {
    let suite = several();
    suite.run(&["--accept"]).ends(0);
    suite.write(
        "scenarios/a.yaml",
        &SUM.replace("data: {numbers: [1, 2]}", "data: {numbers: {file: n.json}}"),
    );
    suite.write("scenarios/n.json", "[1, 2]");
    let shard = |number: &str| {
        let folder = format!("shards/{}", &number[..1]);
        suite.run(&["--shard", number, "--report-dir", &folder, "--quiet"])
    };
    let refused = || {
        shard("2/2");
        suite
            .run(&["merge", "shards/1", "shards/2", "--report-dir", "joined"])
            .ends(2)
            .complains("shards/2/records.ndjson:1: the record is of other input than the first: expected ")
            .complains("run all parts on the same files");
        assert!(!suite.exists("joined"));
    };
    let e = suite.read("scenarios/e.yaml");
    let hidden = suite.path().join("hidden.yaml");
    shard("1/2");
    fs::rename(suite.path().join("scenarios/e.yaml"), &hidden).unwrap();
    refused();
    suite.write("scenarios/e.yaml", &e.replace("seen", "looked at"));
    refused();
    suite.write("scenarios/e.yaml", &e);
    suite.write("scenarios/n.json", "[2, 1]");
    refused();
    suite.write("scenarios/n.json", "[1, 2]");
    let two = suite.read("scenarios/suite.yaml");
    suite.write("scenarios/suite.yaml", &format!("{two}limits: {{ticks: 1000000}}\n"));
    refused();
    suite.write("scenarios/suite.yaml", &two);
    shard("2/2");
    suite.run(&["merge", "shards/1", "shards/2", "--report-dir", "joined"]).ends(1);
}

#[test]
fn shards_of_a_selection_may_spell_it_differently() {
    let suite = several();
    suite.run(&["--accept"]).ends(0);
    let spelt =
        [["scenarios/a.yaml", "scenarios/e.yaml"], ["./scenarios/e.yaml", "scenarios/../scenarios/a.yaml"]];
    for (shard, paths) in ["1/2", "2/2"].iter().zip(spelt) {
        suite.run(&["run", paths[0], paths[1], "--shard", shard, "--report-dir", &shard[..1]]).ends(0);
    }
    suite.run(&["run", "scenarios/a.yaml", "scenarios/e.yaml", "--report-dir", "whole"]).ends(0);
    suite.run(&["merge", "1", "2", "--report-dir", "joined"]).ends(0);
    same_files(&suite, "whole", "joined");
}

/// Another machine can merge without the suite, given its path.
#[test]
fn records_of_a_suite_that_is_not_there_need_folders() {
    let suite = several();
    suite.run(&["--shard", "1/1", "--report-dir", "shard", "-q"]);
    fs::rename(suite.path().join("scenarios"), suite.path().join("elsewhere")).unwrap();
    suite
        .run(&["merge", "shard"])
        .ends(2)
        .complains("the records are of the suite scenarios, which is not to be found");
    // Records of a stranger do not choose where their reader writes.
    let elsewhere = tempfile::tempdir().unwrap();
    fs::rename(suite.path().join("elsewhere"), elsewhere.path().join("scenarios")).unwrap();
    let scenarios = elsewhere.path().join("scenarios").display().to_string();
    suite.run(&["run", &scenarios, "--shard", "1/1", "--report-dir", "strange", "-q"]);
    suite.run(&["merge", "strange"]).ends(2).complains("suite scenarios, which is not to be found");
    let records = suite.read("strange/records.ndjson");
    suite.write("strange/records.ndjson", &with_folder(&records, &scenarios));
    suite.run(&["merge", "strange"]).ends(2).complains("which is not below this folder");
    assert!(!elsewhere.path().join("reports").exists());
    suite.run(&["merge", "shard", "--report-dir", "joined", "--snapshot-dir", "snapshots"]).ends(3);
    assert!(suite.exists("joined/results.json"));
}

/// Changes of one bit anywhere, and lines that are gone.
#[test]
fn a_damaged_shard_is_refused() {
    let suite = Suite::with(&[("a", SUM), ("b", SUM)]);
    suite.write("scenarios/suite.yaml", TWO);
    for shard in ["1/2", "2/2"] {
        suite.run(&["--shard", shard, "--report-dir", &shard[..1], "--quiet"]).ends(3);
    }
    let paths: Vec<PathBuf> = ["1", "2"].map(|folder| suite.path().join(folder)).to_vec();
    let merge = || {
        let read = Records::read(&paths);
        read.and_then(|records| records.check_complete()).map_err(|error| error.message)
    };
    assert_eq!(merge(), Ok(()));
    let file = suite.path().join("2/records.ndjson");
    let whole = fs::read(&file).unwrap();
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&file, damaged).unwrap();
        let message = merge().expect_err("a byte differs");
        assert!(message.contains("2/records.ndjson:"), "{at}: {message}");
    }
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    fs::write(&file, [lines[0], lines[2]].concat()).unwrap();
    assert!(merge().unwrap_err().ends_with("2/records.ndjson:2: expected 1 records of shard 2/2, found 0"));
    fs::write(&file, [lines[0], lines[1]].concat()).unwrap();
    assert_eq!(merge().unwrap_err(), "shard 2/2 is missing");
    // All shards must have the same settings, and at least one must have them at all.
    fs::write(&file, [lines[1], lines[2]].concat()).unwrap();
    assert_eq!(merge(), Ok(()));
    let alone = Records::read(&paths[1..]).map(|_| ()).unwrap_err().message;
    assert!(alone.ends_with("/2: the settings of the run are missing, which its first line has"), "{alone}");
    fs::write(&file, lines[0]).unwrap();
    let none = Records::read(&paths[1..]).map(|_| ()).unwrap_err().message;
    assert!(none.starts_with("there are no records in "), "{none}");
    let text = suite.read("1/records.ndjson");
    let other = resealed(&text.replace("\"description\":\"adds", "\"description\":\"Adds"));
    suite.write("2/records.ndjson", &other);
    let message = merge().unwrap_err();
    assert!(message.starts_with("there are two different records of a: "), "{message}");
    assert!(
        message.contains("1/records.ndjson:2 and ") && message.ends_with("2/records.ndjson:2"),
        "{message}"
    );
}

/// Records in no order, in two files and each twice, in one stream and in several.
#[test]
fn many_records_are_sorted() {
    const ALL: usize = 2_000;
    let suite = Suite::with(&[]);
    suite.write("scenarios/suite.yaml", "strategies: [full-history, trim]\n");
    let [settings, record, _] = &records(&suite, &["-"], &line("b"))[..] else { panic!("one record") };
    let place = r#""position":0,"name":"b","source":0,"line":1,"#;
    let clone = |number: usize, position: usize| {
        let line = position + 1;
        let key = format!(r#""position":{position},"name":"n{number:05}","source":0,"line":{line},"#);
        assert!(record.contains(place), "{record}");
        resealed(&record.replacen(place, &key, 1))
    };
    let read = |position: fn(usize) -> usize| {
        // All numbers below ALL, in no order.
        let clones = (0..ALL).map(|number| number * 7_919 % ALL);
        let text: String = clones.map(|number| clone(number, position(number))).collect();
        suite.write("one", &format!("{text}{settings}"));
        suite.write("two", &text);
        let paths = ["one", "two"].map(|file| suite.path().join(file));
        let read = Records::read(&paths).map_err(|error| error.message).unwrap();
        let texts: Vec<_> = read.texts().collect::<Result<_, _>>().map_err(|error| error.message).unwrap();
        assert_eq!(texts.len(), ALL);
        for position in (0..ALL).step_by(97) {
            let Ok(Record::Scenario(record)) = texts[position].parse() else { panic!("{position}") };
            assert_eq!((record.position, record.origin.line), (position as u64, position as u32 + 1));
        }
    };
    read(|number| number);
    // Of several streams, each with one record.
    read(|_| 0);
}

#[test]
fn records_of_a_suite_are_merged_in_any_order_and_number() {
    let suite = several();
    suite.run(&["--accept"]).ends(0);
    suite.write("scenarios/bad.yaml", "misson: x\n");
    let text = suite.read("scenarios/e.yaml");
    suite.write("scenarios/e.yaml", &text.replace("seen", "looked at").replace("value: 8", "value: 9"));
    suite.run(&["run", "--report-dir", "whole"]).ends(2);
    let mut lines = records(&suite, &["--shard", "1/2"], "");
    let settings = lines.remove(0);
    lines.extend(records(&suite, &["--shard", "2/2"], "").split_off(1));
    assert_eq!(lines.len(), 6 + 2);
    let parts = vec(vec(0..lines.len(), 0..12), 1..4);
    let config = ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() };
    let test = |parts: Vec<Vec<usize>>, is_nested: bool| {
        let mut files = Vec::new();
        // What no part has is in the last, so that every record is somewhere.
        let rest = (0..lines.len()).rev().filter(|line| !parts.iter().flatten().any(|other| other == line));
        for (number, part) in parts.iter().chain([&rest.collect()]).enumerate() {
            let file = format!("{number}.jsonl");
            let text: String = part.iter().map(|line| lines[*line].as_str()).collect();
            // Another file has the settings too.
            suite.write(&file, &if number % 2 == 0 { format!("{text}{settings}") } else { text });
            if is_nested && number % 2 == 0 && !part.is_empty() {
                let merged = suite.run(&["merge", &file, "--format", "records"]);
                suite.write(&file, &merged.ends(0).out);
            }
            files.push(file);
        }
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        suite.run(&[&["merge", "--report-dir", "joined"], files.as_slice()].concat()).ends(2);
        same_files(&suite, "whole", "joined");
        fs::remove_dir_all(suite.path().join("joined")).unwrap();
    };
    proptest!(config, |(parts in parts, is_nested: bool)| test(parts, is_nested));
}

#[test]
fn records_of_numbers_make_all_reports_but_the_page() {
    let suite = several();
    suite.run(&["--accept"]).ends(0);
    // Otherwise each would be compared with the report that is already in its folder.
    let against = ["--against", "reports", "--report-dir"];
    let run = |folder: &str| suite.run(&[&["run", "--requests-csv"], &against[..], &[folder]].concat());
    run("whole").ends(0);
    run("joined").ends(0);
    assert!(suite.exists("joined/index.html"));
    let ran = suite.run(&["run", "--format", "records"]);
    ran.ends(0).complains(
        "5 scenarios, 10 requests: expectations met, 16 golden files unchanged; ptc-eval merge judges",
    );
    assert!(!ran.out.contains("looking at them: seen") && !suite.exists("reports/selection"));
    suite
        .run_with(&[&["merge", "-", "--requests-csv"], &against[..], &["joined"]].concat(), &ran.out, &[])
        .ends(0)
        .says("results: joined/results.json");
    let files = ["changes.md", "junit.xml", "requests.csv", "results.json", "scenarios.csv"];
    for file in files.into_iter().chain(["strategies.csv", "summary.md"]) {
        assert_eq!(suite.read(&format!("whole/{file}")), suite.read(&format!("joined/{file}")), "{file}");
    }
    assert!(!suite.exists("joined/index.html"));
    suite.run(&["diff", "whole", "joined"]).ends(0).says("whole and joined do not differ");
    suite.run_with(&["merge", "-"], "", &[]).ends(2).complains("there are no records in -");
}

/// A line of standard input: a program or a transcript.
fn line(name: &str) -> String {
    let number = name.len();
    let content = if name.starts_with('t') {
        let answer = r#"{"role": "assistant", "content": "It is there."}"#;
        format!(r#""messages": [{{"role": "user", "content": "Find {name}."}}, {answer}]"#)
    } else {
        let wrong = r#""expect": {"value": 2}"#;
        format!(r#""mission": "Give {number}.", "responses": [{{"program": "(return {number})"}}], {wrong}"#)
    };
    format!("{{\"name\": \"{name}\", {content}}}\n")
}

/// Reports of one stream in its order, and of several in that of the names, without a folder of scenarios.
#[test]
fn streams_are_merged_like_one() {
    let suite = Suite::with(&[]);
    let whole = |names: &[&str], code| {
        let input: String = names.iter().map(|name| line(name)).collect();
        suite.run_with(&["run", "-", "--report-dir", "whole"], &input, &[]).ends(code);
        input
    };
    let merge = |lines: &[String], code| -> Ran {
        let ran = suite.run_with(&["merge", "-", "--report-dir", "joined"], &lines.concat(), &[]);
        ran.ends(code);
        ran
    };
    let input = whole(&["zz", "b", "t1", "aa"], 1);
    let mut lines = records(&suite, &["-"], &format!("\n{input}"));
    assert_eq!(merge(&records(&suite, &["-"], &input), 1).err, "");
    same_files(&suite, "whole", "joined");
    lines.reverse();
    merge(&lines, 1).says("a part of the suite, or changed by options");

    whole(&["aa", "b", "t1", "t2", "zz"], 1);
    let parts = [&["zz", "aa", "t1"][..], &["t2"], &["b", "t1"], &["aa"]];
    let part =
        |names: &&[&str]| records(&suite, &["-"], &names.iter().map(|name| line(name)).collect::<String>());
    merge(&parts.iter().flat_map(part).collect::<Vec<_>>(), 1);
    same_files(&suite, "whole", "joined");

    // Engines deliver a line twice, to another process or to the same one.
    let parts = [&["zz", "aa", "zz"][..], &["t1", "t2"], &["b", "t1"]];
    merge(&parts.iter().flat_map(part).collect::<Vec<_>>(), 1);
    same_files(&suite, "whole", "joined");

    // Names that are equal on some file systems, in two streams or in one.
    whole(&["B", "aa", "b"], 2);
    for parts in [[&["b"][..], &["B", "aa"]], [&["b", "B"], &["aa"]]] {
        merge(&parts.iter().flat_map(part).collect::<Vec<_>>(), 2)
            .says("1 file is not valid")
            .complains("error: -:3: another name differs from 'b' in upper and lower case only");
        same_files(&suite, "whole", "joined");
    }

    // The same mistake on the same line of two streams is two mistakes; twice the same record is one.
    let broken = |name: &str| records(&suite, &["-"], &line(name).replace("mission", "misson"));
    let lines = [broken("x"), broken("y"), broken("y")].concat();
    merge(&lines, 2).says("2 files are not valid");
    let other = line("aa").replace("Give", "Say");
    let lines = [records(&suite, &["-"], &line("aa")), records(&suite, &["-"], &other)].concat();
    merge(&lines, 2).complains("two different records of aa: -:2 and -:5");
}

#[cfg(target_os = "linux")]
#[test]
fn records_that_cannot_be_written_are_an_error() {
    let suite = several();
    for arguments in [&["run", "--format", "records"][..], &["merge", "1", "--format", "records"]] {
        suite.run(&["run", "--shard", "1/1", "--report-dir", "1"]);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ptc-eval"));
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ran = command.current_dir(suite.path()).args(arguments).stdout(full).output().unwrap();
        Ran::from(ran).ends(2).complains("cannot write to standard output: No space left");
    }
}

#[test]
fn a_stream_says_that_it_judges_no_thresholds() {
    let suite = Suite::with(&[("sum", SUM)]);
    let limit = "thresholds: [{strategy: full-history, metric: requests, max: 1}]\n";
    suite.write("scenarios/suite.yaml", &format!("{TWO}{limit}"));
    suite.run(&["--accept"]).ends(1);
    let ran = suite.run_with(&["run", "-", "--format", "records"], &line("t1"), &[]);
    ran.ends(0).complains("no thresholds are checked");
    suite.run_with(&["merge", "-"], &ran.out, &[]).ends(0).says("no threshold is checked");
    suite.run_with(&["merge", "-", "--format", "json"], &ran.out, &[]).ends(0).says("\"judged\":false");
    assert!(suite.exists("reports/selection/results.json"));
    suite.run_with(&["run", "-", "--format", "json"], &line("t1"), &[]).ends(0).says("\"judged\":false");
    let ran = suite.run(&["run", "--format", "records"]);
    ran.ends(0).complains("ptc-eval merge judges thresholds");
    suite.run_with(&["merge", "-"], &ran.out, &[]).ends(1).says("requests is 2, expected at most 1");
}

/// Each of two machines has a half of the lines, and takes it for all of them: half of the scenarios are in no record.
#[test]
fn shards_of_a_stream_are_offered_the_same() {
    let suite = Suite::with(&[]);
    let names = ["ab", "t1", "c", "def", "t2", "gh"];
    let input = |names: &[&str]| names.iter().map(|name| line(name)).collect::<String>();
    let [all, half, rest] = [input(&names), input(&names[..3]), input(&names[3..])];
    let shard = |number: &str, input: &str| records(&suite, &["-", "--shard", number], input);
    let merge =
        |lines: &[String]| suite.run_with(&["merge", "-", "--report-dir", "joined"], &lines.concat(), &[]);
    let refuses = |parts: &[&[String]], message: &str| {
        merge(&parts.concat()).ends(2).complains(message);
        assert!(!suite.exists("joined"));
    };
    let offered = "-:4: shard 1/2 was offered 3 lines; -:7: shard 2/2 was offered 3 lines, others than these";
    refuses(&[&shard("1/2", &half), &shard("2/2", &rest)], offered);
    suite.run_with(&["run", "-", "--shard", "1/2", "--report-dir", "1"], &half, &[]).ends(1);
    suite.run_with(&["run", "-", "--shard", "2/2", "--report-dir", "2"], &all, &[]).ends(1);
    suite
        .run(&["merge", "1", "2", "--report-dir", "joined"])
        .ends(2)
        .complains(
            "1/records.ndjson:4: shard 1/2 was offered 3 lines; 2/records.ndjson:5: shard 2/2 was offered 6",
        )
        .complains("give every shard all lines of standard input");
    let [one, two] = ["1/2", "2/2"].map(|number| shard(number, &all));
    refuses(&[&one], "shard 2/2 is missing");
    refuses(&[&one, &shard("1/3", &all)], "is of shard 1/3, ");
    refuses(&[&one, &two[..4]], "shard 2/2 is missing");
    refuses(&[&one[..4], &two[..4]], "-: the last record of the run is missing");
    refuses(&[&one[2..], &two], "-:3: expected 3 records of shard 1/2, found 2");

    suite.run_with(&["run", "-", "--report-dir", "whole"], &all, &[]).ends(1);
    merge(&[&two[..], &one].concat()).ends(1);
    same_files(&suite, "whole", "joined");
    // Line ends and blank lines are no part of the scenarios.
    merge(&[&two[..], &shard("1/2", &all.replace('\n', "\r\n\r\n"))].concat()).ends(1);
    // Two streams in two shards each, and one as it is.
    let parts = [("1/2", &half), ("2/2", &rest), ("2/2", &half), ("1/2", &rest), ("1/1", &all)];
    let lines: Vec<String> = parts.iter().flat_map(|(number, input)| shard(number, input)).collect();
    let sorted = {
        let mut names = names;
        names.sort();
        input(&names)
    };
    suite.run_with(&["run", "-", "--report-dir", "sorted"], &sorted, &[]).ends(1);
    merge(&lines).ends(1);
    same_files(&suite, "sorted", "joined");
}
