//! Logs of each format whose compaction drops one fact that an answer uses two turns later, and twins that keep it.
//! `tests/compactions/generate` writes them.

use std::fs;
use std::path::Path;

use super::suite::Suite;
use crate::golden::Golden;

/// The lines of `advise` on what compactions did, for each log.
#[test]
fn a_fact_that_a_summary_drops_is_named_in_each_format() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compactions");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains(".dropped.") || name.contains(".kept."))
        .collect();
    names.sort();
    assert!(names.len() >= 28);
    let mut said = String::new();
    for name in names {
        let suite = Suite::with(&[]);
        suite.write(&name, &fs::read_to_string(folder.join(&name)).unwrap());
        let advice = suite.run(&["advise", &name, "--no-bills"]);
        let is_told =
            |line: &&str| line.starts_with("compactions:") || line.starts_with("not in the request");
        let told: Vec<&str> = advice.out.lines().filter(is_told).collect();
        let has_fact = told
            .iter()
            .any(|line| line.contains("stg-eu-west-7 of turn 1, which ") && line.contains("@4 uses"));
        assert_eq!(has_fact, name.contains(".dropped."), "{name}\n{}\n{}", advice.out, advice.err);
        said += &format!("{name}\n{}\n\n", told.join("\n"));
    }
    let mut golden = Golden::default();
    golden.holds(&folder.join("expected.txt"), &said);
    golden.assert_none_differs();
}
