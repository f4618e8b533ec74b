//! Functions that keep links out where commands look twice.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use ptc_eval::snapshot::store::Store;

use super::{PROGRAM, files_below, own_suite};

/// A command in a suite of the user.
fn run(shop: &Path, line: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(line).current_dir(shop).env_remove("CI");
    command.env("PTC_EVAL_CACHE", "off").env("PTC_EVAL_TODAY", "2026-11-24").output().unwrap()
}

/// Moves a folder of the suite, and puts a link in its place.
fn replace_by_link(shop: &Path, folder: &str) {
    let elsewhere = shop.with_file_name("elsewhere");
    fs::rename(shop.join(folder), &elsewhere).unwrap();
    symlink(&elsewhere, shop.join(folder)).unwrap();
}

/// Nothing else of the suite is a link, so nothing else refuses it.
#[test]
fn no_report_is_written_through_a_link() {
    for (folder, line) in
        [("reports", ["run"].as_slice()), ("reports/selection", &["run", "scenarios/a.yaml"])]
    {
        let place = own_suite();
        let shop = place.path().join("shop");
        assert!(run(&shop, &["run", "scenarios/a.yaml"]).status.success());
        replace_by_link(&shop, folder);
        fs::write(shop.join("scenarios/a.yaml"), "mission: other\nresponses: []\n").unwrap();
        let elsewhere = shop.with_file_name("elsewhere");
        let there = files_below(&elsewhere);
        let ran = run(&shop, line);
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert!(errors.contains("it is a link"), "{folder}: {errors}");
        assert!(files_below(&elsewhere) == there, "{folder}: written through the link");
    }
}

/// What it leads to is not counted, and the user can name it.
#[test]
fn a_link_out_of_a_folder_of_logs_is_left_out_and_named() {
    let place = tempfile::tempdir().unwrap();
    let logs = place.path().join("logs");
    fs::create_dir(&logs).unwrap();
    let log =
        "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":\"a\"}]}\n";
    fs::write(logs.join("one.jsonl"), log).unwrap();
    fs::write(place.path().join("other.jsonl"), log).unwrap();
    symlink("../other.jsonl", logs.join("two.jsonl")).unwrap();
    let ran = run(place.path(), &["advise", "logs"]);
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(errors.contains("logs/two.jsonl left out: it is a link that leads out of"), "{errors}");
}

/// What waits there for a decision is perhaps of another suite of the user.
#[test]
fn no_snapshot_behind_a_link_is_reviewed() {
    let place = own_suite();
    let shop = place.path().join("shop");
    replace_by_link(&shop, "snapshots");
    let pending = shop.with_file_name("elsewhere").join("a/run.snap");
    fs::write(pending.with_extension("snap.new"), fs::read(&pending).unwrap()).unwrap();
    let ran = run(&shop, &["review", "--print"]);
    assert!(String::from_utf8_lossy(&ran.stderr).contains("it is a symbolic link"), "{ran:?}");
    assert!(ran.stdout.is_empty(), "{ran:?}");
}

/// Runs list all snapshots first, and refuse links.
#[test]
fn no_snapshot_is_removed_through_a_link() {
    let place = tempfile::tempdir().unwrap();
    let (elsewhere, snapshots) = (place.path().join("elsewhere"), place.path().join("snapshots"));
    fs::create_dir(&elsewhere).unwrap();
    fs::create_dir(&snapshots).unwrap();
    let files = ["run.snap", "run.snap.new"].map(|name| elsewhere.join(name));
    for file in &files {
        fs::write(file, "").unwrap();
    }
    symlink(&elsewhere, snapshots.join("a")).unwrap();
    let store = Store::new(snapshots);
    assert!(store.remove("a/run").is_err());
    assert!(store.forget_pending("a/run").is_err());
    assert!(files.iter().all(|file| file.exists()));
}
