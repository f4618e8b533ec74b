//! Token counts of the texts of this repository equal those of `tiktoken-rs`.

use std::fs;
use std::path::Path;

use ptc_tokens::Tokenizer;

/// Snapshots and pages of this repository, every second one in each encoding.
#[test]
fn tokens_of_what_is_shipped_are_those_of_the_reference() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["snapshots", "scenarios", "docs", "src", "tests"];
    let texts: Vec<String> = folders.iter().flat_map(|folder| files(&root.join(folder))).collect();
    assert!(texts.len() > 1_000, "{} files", texts.len());
    let references = [
        ("o200k_base", tiktoken_rs::o200k_base_singleton()),
        ("cl100k_base", tiktoken_rs::cl100k_base_singleton()),
    ];
    for (start, (name, reference)) in references.into_iter().enumerate() {
        let tokenizer = Tokenizer::named(name).unwrap();
        for text in texts.iter().skip(start).step_by(2) {
            assert_eq!(tokenizer.count(text) as usize, reference.count_ordinary(text), "{name} {text:?}");
        }
    }
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = entries.flat_map(|path| match path.is_dir() {
        true => files(&path),
        false => fs::read_to_string(&path).into_iter().collect(),
    });
    texts.collect()
}
