//! Files of older versions: each is read, and `migrate` writes it as this version does.

use std::process::Command;

use super::suite::{SUM, Suite};

/// The oldest files of each kind that are read. Nothing writes them anew: a file that is no longer read breaks what
/// `docs/stability.md` promises.
const OLDEST: &str = "tests/formats/0.1";

fn oldest() -> Suite {
    let suite = Suite::with(&[]);
    assert!(
        Command::new("cp").args(["-r", OLDEST]).arg(suite.path().join("old")).status().unwrap().success()
    );
    suite
}

#[test]
fn the_oldest_files_of_each_kind_are_read() {
    let suite = oldest();
    suite.run(&["check", "old/scenarios"]).ends(0).says("2 scenarios: fine");
    suite.run(&["run", "old/scenarios", "--snapshot-dir", "new"]).ends(3).says("2 scenarios, 8 requests");
    let reports = format!("{}/{OLDEST}/reports", env!("CARGO_MANIFEST_DIR"));
    let results = format!("{reports}/results.json");
    suite.run(&["diff", &results, &results]).ends(0).says("do not differ");
    let csv = format!("{reports}/strategies.csv");
    suite.run(&["diff", &csv, &results]).ends(0).says("do not differ");
    suite.run(&["run", "old/scenarios", "--snapshot-dir", "new", "--against", &reports]).ends(3);
}

#[test]
fn snapshots_are_migrated_once() {
    let suite = oldest();
    let trim = "old/snapshots/support/late-parcel/trim.snap";
    let whole = suite.read(trim);
    let migrated = suite.run(&["migrate", "old/scenarios"]);
    migrated.ends(0).says(&format!("rewritten: {trim}\n")).says("1 snapshot rewritten, 1 left as they are\n");
    let short = suite.read(trim);
    assert!(short.contains("= all messages as in turn 1") && !whole.contains("as in turn 1"), "{short}");
    suite.run(&["migrate", "old/scenarios"]).ends(0).says("0 snapshots rewritten, 2 left as they are\n");
    assert_eq!(suite.read(trim), short);

    suite.write(trim, &whole.replace("=== turn 2 ", "=== turn 2 adds "));
    let refused = suite.run(&["migrate", "old/scenarios"]);
    refused.ends(1).complains("not every section of trim is a request; ptc-eval run writes it anew");
    suite.write("old/reports/results.json", "{\"version\":1,\n");
    suite.run(&["migrate", "old"]).ends(2).complains("old is in no suite");
    suite
        .run(&["migrate", "old/scenarios"])
        .complains("found version 1; write them anew with `ptc-eval run`");
    suite.run(&["migrate", "nowhere"]).ends(2).complains("cannot read nowhere");
}

/// Snapshots of this version stay as they are.
#[test]
fn fresh_snapshots_need_no_migration() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["--accept"]).ends(0);
    suite.run(&["migrate"]).ends(0).says("0 snapshots rewritten");
    let shipped = Command::new(env!("CARGO_BIN_EXE_ptc-eval")).arg("migrate").output().unwrap();
    let said = String::from_utf8(shipped.stdout).unwrap();
    assert!(said.starts_with("0 snapshots rewritten, 1"), "{said}");
}
