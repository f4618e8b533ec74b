//! Clones in which git writes CR LF at the end of each line, as it does by default on Windows.

use super::suite::{SUM, Suite, git};

const LINES: &str = r#"
description: Reads texts of several lines from files
mission: |
  Read the notes.
  Say how many lines they have.
data:
  notes: {file: notes.txt}
  table: {file: table.csv}
responses:
  - |
    I look.

    ```clojure
    (println (pr-str data/notes) (pr-str data/table))
    (println (count (str/split data/notes "\n")))
    ```
  - program: |
      (def two "first
      second")
      (return (count two))
"#;

const OWN: &str = "(defn to-messages [turns memory opts]
  [{:role :user :content (str (:mission opts) \"
on two lines\")}])
";

const SUITE: &str = "strategies: [full-history, turn-log, own]
variants: {own: {program: own.clj}}
thresholds: [{strategy: full-history, metric: requests, max: 100}]
";

/// A suite that is committed here, and cloned into another folder as on Windows.
fn cloned(suite: &Suite) -> Suite {
    git(suite.path(), &["init", "--quiet"]);
    git(suite.path(), &["add", "--all"]);
    git(suite.path(), &["commit", "--quiet", "--message", "one"]);
    let clone = Suite::with(&[]);
    let from = suite.path().to_str().unwrap();
    git(clone.path(), &["clone", "--quiet", "--config", "core.autocrlf=true", from, "."]);
    clone
}

#[test]
fn a_clone_with_other_line_ends_is_as_accepted() {
    let suite = Suite::with(&[("lines", LINES), ("sum", SUM)]);
    suite.write("scenarios/suite.yaml", SUITE);
    suite.write("scenarios/own.clj", OWN);
    suite.write("scenarios/notes.txt", "one\ntwo\n\nfour\n");
    suite.write("scenarios/table.csv", "name,text\nfirst,\"of two\nlines\"\nsecond,of one\n");
    suite.write(".gitattributes", "own.sh text eol=lf\n");
    suite.write("scenarios/talk.transcript.json", "{\"messages\": [\n{\"role\": \"user\", \"content\": \"a\\nb\"},\n{\"role\": \"assistant\", \"content\": \"c\"}]}\n");
    suite.write(
        "scenarios/more.jsonl",
        "{\"name\": \"one\", \"mission\": \"m\", \"responses\": [{\"program\": \"(return 1)\"}]}\n\n",
    );
    suite.run(&["run", "--accept"]).ends(0);
    suite.run(&["run", "--locked"]).ends(0);
    let clone = cloned(&suite);
    for file in ["reports/.gitignore", "snapshots/sum/run.snap", "scenarios/notes.txt", "scenarios/own.clj"] {
        assert!(clone.read(file).contains("\r\n"), "{file}");
    }
    clone.run(&["check"]).ends(0);
    let ran = clone.run(&["run", "--locked"]);
    ran.ends(0).says("expectations and 1 threshold met");
    assert_eq!(ran.err, "");
    clone.run(&["run", "--locked", "--against", "reports"]).ends(0);
    clone.run(&["review"]).ends(0).says("nothing to review");
    clone.advise(&["scenarios/talk.transcript.json"]).ends(0);
    // What both machines write can be merged, since they ran the same.
    suite.run(&["run", "--shard", "1/2", "--report-dir", "shards/1"]).ends(0);
    clone.run(&["run", "--shard", "2/2", "--report-dir", "shards/2"]).ends(0);
    std::fs::rename(suite.path().join("shards/1"), clone.path().join("shards/1")).unwrap();
    clone.run(&["merge", "shards/1", "shards/2", "--locked"]).ends(0);
    std::fs::remove_dir_all(clone.path().join("shards")).unwrap();
    clone.run(&["run"]).ends(0);
    clone.run(&["run", "--accept"]).ends(0);
    assert_eq!(git(clone.path(), &["status", "--porcelain"]), "");
    // Only the change is one.
    clone.write("scenarios/sum.yaml", &SUM.replace("seen", "looked at").replace('\n', "\r\n"));
    clone.run(&["run"]).ends(1);
    let changed = clone.run(&["review", "--print"]);
    changed.says("\n   − seen [1 2]\n").says("\n   + looked at [1 2]\n");
    assert!(!changed.out.contains("\\r"), "{}", changed.out);
    clone.run(&["run", "--accept"]).ends(0);
    assert!(git(clone.path(), &["diff", "--stat"]).contains("sum"));
    clone.run(&["run", "--locked"]).ends(0);
}

/// What `new --suite` writes beside the suite keeps git from changing it, in any folder.
#[test]
fn a_new_suite_keeps_its_line_ends() {
    let suite = Suite::with(&[]);
    suite.run(&["new", "--suite", "an agent"]).ends(0);
    suite.run(&["new", "--suite"]).ends(0);
    for scenarios in ["an agent/scenarios", "scenarios"] {
        suite.run(&["run", scenarios, "--accept"]).ends(0);
    }
    let clone = cloned(&suite);
    for file in [
        "an agent/scenarios/suite.yaml",
        "scenarios/suite.yaml",
        "reports/.gitignore",
        "snapshots/system-prompt.snap",
    ] {
        assert_eq!(clone.read(file), suite.read(file));
    }
    assert!(clone.read(".gitattributes").contains("\r\n"));
    suite.write("of-others/.gitattributes", "* text\n");
    suite
        .run(&["new", "--suite", "of-others"])
        .ends(0)
        .says("of-others/.gitattributes stays as it is; add to it:\n/scenarios/** text=auto");
    assert_eq!(suite.read("of-others/.gitattributes"), "* text\n");
}
