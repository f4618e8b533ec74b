//! The table of protections: `protections.tsv` names the threat and the test for each. `remove.py` removes
//! one after the other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::KINDS;

/// Functions that keep links out. A new call needs a row.
const GUARDS: &[&str] = &["refuse_link(", "refuse_links_below(", "refuse_outside(", "leads_out("];

struct Protection {
    name: String,
    test: String,
    kinds: String,
    file: PathBuf,
    /// With `‹` and `›` around the part that goes.
    code: String,
}

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn protections() -> Vec<Protection> {
    let mut protections = Vec::new();
    for line in include_str!("protections.tsv").lines().skip(1) {
        let columns: Vec<String> =
            line.split('\t').map(|column| column.replace("\\n", "\n").replace("\\t", "\t")).collect();
        let [name, _, test, kinds, file, code, _] = columns.try_into().unwrap();
        protections.push(Protection { name, test, kinds, file: root().join(file), code });
    }
    protections
}

/// All files of Rust below a folder.
fn rust_below(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// The functions of all tests, without their modules.
pub(super) fn names_of_tests() -> BTreeSet<String> {
    let mut tests = BTreeSet::new();
    for file in
        ["tests", "crates/agent-logs/tests"].iter().flat_map(|folder| rust_below(&root().join(folder)))
    {
        for line in fs::read_to_string(file).unwrap().lines() {
            if let Some(name) = line.trim_start().strip_prefix("fn ").and_then(|rest| rest.split('(').next())
            {
                tests.insert(name.to_owned());
            }
        }
    }
    tests
}

#[test]
fn each_protection_is_in_the_code_and_has_a_test() {
    let tests = names_of_tests();
    for Protection { name, test, kinds, file, code } in protections() {
        let text = fs::read_to_string(&file).unwrap();
        let code = code.replace(['‹', '›'], "");
        assert_eq!(text.matches(&code).count(), 1, "{name}: {code} in {}", file.display());
        assert!(tests.contains(test.rsplit("::").next().unwrap()), "{name}: {test}");
        assert!(kinds.split_whitespace().all(|kind| KINDS.contains(&kind)), "{name}: {kinds}");
    }
}

#[test]
fn each_guard_against_links_has_a_row() {
    let protections = protections();
    let mut without_row = Vec::new();
    for file in rust_below(&root().join("src")) {
        let text = fs::read_to_string(&file).unwrap();
        let mut rest = text.clone();
        for protection in protections.iter().filter(|protection| protection.file == file) {
            rest = rest.replace(&protection.code.replace(['‹', '›'], ""), "");
        }
        for line in rest.lines().filter(|line| GUARDS.iter().any(|guard| line.contains(guard))) {
            let is_definition = line.contains("fn ");
            if !is_definition {
                without_row.push(format!("{}: {}", file.display(), line.trim()));
            }
        }
    }
    assert!(without_row.is_empty(), "{}", without_row.join("\n"));
}
