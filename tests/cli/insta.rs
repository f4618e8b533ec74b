//! Snapshots are in insta's format, so that `cargo insta` reviews them too.

use std::fs;
use std::path::Path;

use super::suite::{SUM, Suite};

/// Texts that look like a header, a ruler or an escape, and invisible ones.
const ODD: &str = "
mission: |
  ---
  source: x
  --- user ---
  \\ backslash
data: {text: \"\\e[2J\\u202e \\r\\n---\\n\"}
responses:
  - program: (println data/text)
  - program: (return 1)
";

/// Snapshots as insta reads them, accepted ones and new ones.
#[test]
fn insta_reads_what_is_written() {
    let suite = Suite::with(&[("sum", SUM), ("odd: name #1", ODD), ("odd", ODD)]);
    suite.run(&[]).ends(2);
    fs::remove_file(suite.path().join("scenarios/odd: name #1.yaml")).unwrap();
    suite.run(&["--accept"]).ends(0);
    suite.write("scenarios/sum.yaml", &SUM.replace("Add", "Sum"));
    suite.run(&[]).ends(1);
    let mut files = Vec::new();
    collect(&suite.path().join("snapshots"), &mut files);
    assert!(files.iter().any(|file| file.ends_with("sum/full-history.snap.new")), "{files:?}");
    assert!(files.iter().any(|file| file.ends_with("odd/run.snap")), "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let snapshot = insta::Snapshot::from_file(&file).unwrap();
        let source = if file.ends_with("system-prompt.snap") { "SYSTEM" } else { "scenarios/" };
        assert!(snapshot.metadata().source().is_some_and(|found| found.starts_with(source)), "{text}");
        let body = text.splitn(3, "---\n").nth(2).unwrap();
        let insta::internals::SnapshotContents::Text(contents) = snapshot.contents() else {
            panic!("{text}")
        };
        assert_eq!(format!("{contents}\n"), body, "{}", file.display());
    }
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
