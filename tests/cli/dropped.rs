//! Logs of each format whose compaction drops one fact that an answer uses two turns later, and twins that keep it. Some logs do
//! not tell what the model saw in its place. `tests/compactions/generate` writes them.

use std::fs;
use std::path::Path;

use super::suite::Suite;
use crate::golden::Golden;

/// The lines of `advise` on what compactions did, for each log.
#[test]
fn a_fact_that_a_summary_drops_is_named_in_each_format() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compactions");
    let kinds = [".dropped.", ".kept.", ".unknown."];
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| kinds.iter().any(|kind| name.contains(kind)))
        .collect();
    names.sort();
    let mut said = String::new();
    // Cline keeps what the model sees in a file beside the session.
    let (beside, logs): (Vec<_>, Vec<_>) = names.iter().partition(|name| name.ends_with(".compaction.json"));
    assert!(logs.len() >= 52);
    for name in logs {
        let suite = Suite::with(&[]);
        let start = name.trim_end_matches(".messages.json");
        for name in beside.iter().chain([&name]).filter(|name| name.starts_with(start)) {
            suite.write(name, &fs::read_to_string(folder.join(name)).unwrap());
        }
        let advice = suite.run(&["advise", name, "--no-bills"]);
        let is_told =
            |line: &&str| line.starts_with("compactions:") || line.starts_with("not in the request");
        let told: Vec<&str> = advice.out.lines().filter(is_told).collect();
        let has_fact = told
            .iter()
            .any(|line| line.contains("stg-eu-west-7 of turn 1, which ") && line.contains("@4 uses"));
        assert_eq!(has_fact, name.contains(".dropped."), "{name}\n{}\n{}", advice.out, advice.err);
        let noted = |line: &&str| name.contains(".unknown.") && line.starts_with("note: ");
        let noted = advice.err.lines().filter(noted);
        let told: Vec<&str> = told.iter().copied().chain(noted).collect();
        said += &format!("{name}\n{}\n\n", told.join("\n"));
    }
    let mut golden = Golden::default();
    golden.holds(&folder.join("expected.txt"), &said);
    golden.assert_none_differs();
}
