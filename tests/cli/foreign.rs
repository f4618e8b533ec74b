//! Folders in which other tools keep snapshots and reports.

use super::suite::{SUM, Suite};

const INSTA: &str = "---\nsource: src/lib.rs\nexpression: x\n---\nvalue\n";

/// Insta keeps its snapshots in `snapshots` too, with the same ends of names.
#[test]
fn snapshots_of_other_tools_are_neither_removed_nor_mixed_with_ours() {
    for (name, text) in [
        ("foo.snap", INSTA),
        ("foo.snap", "---\nsource: tests/x.rs\n---\nvalue\n"),
        ("foo.test.js.snap", "// Jest Snapshot v1\n\nexports[`x`] = `1`;\n"),
        ("foo.snap.new", INSTA),
    ] {
        let suite = Suite::with(&[("sum", SUM)]);
        suite.write(&format!("snapshots/{name}"), text);
        for arguments in [&["run", "--accept"][..], &["run"], &["review", "--print"]] {
            let ran = suite.run(arguments);
            ran.ends(2).complains(&format!("snapshots/{name}: it is a snapshot of another tool"));
            assert_eq!(suite.read(&format!("snapshots/{name}")), text, "{arguments:?}");
            assert!(!suite.exists("snapshots/sum"), "{arguments:?}");
        }
    }
    // Below our folder they are left alone.
    let suite = Suite::with(&[("sum", SUM)]);
    let [accepted, waiting] = ["snapshots/deep/foo.snap", "snapshots/deep/bar.snap.new"];
    suite.write(accepted, INSTA);
    suite.write(waiting, INSTA);
    suite.run(&["run", "--accept"]).ends(0);
    assert_eq!((suite.read(accepted), suite.read(waiting)), (INSTA.to_owned(), INSTA.to_owned()));
    assert!(
        suite
            .read("snapshots/sum/run.snap")
            .starts_with("---\nsource: scenarios/sum.yaml\ntool: ptc-eval\n---\n")
    );
}

/// Snapshots of earlier versions name no owner.
#[test]
fn snapshots_without_an_owner_are_ours() {
    let suite = Suite::with(&[("sum", SUM), ("other", SUM)]);
    suite.run(&["--accept"]).ends(0);
    let old = suite.read("snapshots/sum/run.snap").replace("tool: ptc-eval\n", "");
    suite.write("snapshots/sum/run.snap", &old);
    suite.run(&["--locked"]).ends(0);
    std::fs::remove_file(suite.path().join("scenarios/sum.yaml")).unwrap();
    suite.run(&["--accept", "--prune"]).ends(0).complains("removed snapshots/sum/run.snap");
}

#[test]
fn reports_of_other_programs_are_not_overwritten() {
    for name in ["summary.md", "index.html", "junit.xml", "results.json", "strategies.csv"] {
        let suite = Suite::with(&[("sum", SUM)]);
        suite.write(&format!("reports/{name}"), "mine\n");
        for arguments in
            [&["run", "--accept"][..], &["run"], &["run", "--shard", "1/2", "--report-dir", "reports"]]
        {
            suite
                .run(arguments)
                .ends(2)
                .complains(&format!("reports/{name}: it is a file of another program"));
            assert_eq!(suite.read(&format!("reports/{name}")), "mine\n");
        }
    }
    // A clone may lack the file that ignores the others.
    let suite = Suite::with(&[("sum", SUM)]);
    suite.run(&["--accept", "--requests-csv"]).ends(0);
    for name in [".gitignore", "index.html", "junit.xml", "results.json", "requests.csv", "scenarios.csv"] {
        std::fs::remove_file(suite.path().join("reports").join(name)).unwrap();
    }
    suite.run(&["--locked"]).ends(0);
}
