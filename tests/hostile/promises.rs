//! The sentences of `SECURITY.md`: `promises.tsv` has the tests of each. A sentence without a row, and a row without a test, fail.

use std::fs;

use super::protections::{names_of_tests, root};

/// Lines of `SECURITY.md` as sentences, without headings and commands.
fn sentences(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    let prose = text.split("```").step_by(2).collect::<String>();
    for block in prose.replace("\n- ", "\n\n").split("\n\n") {
        let block = block.split_whitespace().collect::<Vec<_>>().join(" ");
        if block.is_empty() || block.starts_with('#') {
            continue;
        }
        let mut start = 0;
        for (at, _) in block.match_indices(' ') {
            if block[..at].ends_with(['.', ':', ';']) {
                sentences.push(block[start..at].to_owned());
                start = at + 1;
            }
        }
        sentences.push(block[start..].to_owned());
    }
    sentences
}

#[test]
fn every_sentence_about_security_has_a_test() {
    let tests = names_of_tests();
    let mut rows = Vec::new();
    for row in include_str!("promises.tsv").lines().skip(1) {
        let (sentence, proofs) = row.split_once('\t').unwrap();
        for proof in proofs.split(", ") {
            let is_there = match proof.split_once(" has ") {
                Some((file, text)) => fs::read_to_string(root().join(file)).unwrap().contains(text),
                None => proof.starts_with("no test: ") || tests.contains(proof),
            };
            assert!(is_there, "{sentence}: {proof}");
        }
        rows.push(sentence.to_owned());
    }
    assert_eq!(sentences(include_str!("../../SECURITY.md")), rows);
}

/// Actions by the hash of their commit: a tag can be moved.
#[test]
fn actions_of_workflows_are_pinned() {
    let workflows = fs::read_dir(root().join(".github/workflows")).unwrap();
    let files = workflows.map(|entry| entry.unwrap().path()).chain([root().join("action.yml")]);
    let mut count = 0;
    for file in files {
        for line in fs::read_to_string(&file).unwrap().lines() {
            let Some((_, action)) = line.split_once("uses: ") else { continue };
            let hash =
                action.split_once('@').map_or("", |(_, version)| version.split(' ').next().unwrap_or(""));
            let is_pinned = hash.len() == 40 && hash.chars().all(|c| c.is_ascii_hexdigit());
            assert!(is_pinned || action.starts_with("./"), "{}: {line}", file.display());
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}
