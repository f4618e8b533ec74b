//! Broken files and their whole error messages. Each `tests/malformed/*.yaml` or `.jsonl` has its message beside
//! it; `PTC_EVAL_BLESS=1` rewrites it.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use ptc_eval::scenario::{
    Known, Problem, Scenario, ScenarioError, ScenarioSource, Selection, SourceContent, SourceFormat, Suite,
    extend_prices, problem,
};

use crate::golden::Golden;
use ptc_prices::PriceTable;

const FOLDER: &str = "tests/malformed";

/// NS-006, S2-10, API-006: among them names that hide builtins, a missing mission, contradictory settings.
#[test]
fn every_broken_file_is_explained() {
    let mut goldens = Golden::default();
    for file in broken_files() {
        let said = explain(&file);
        let golden = PathBuf::from(format!("{}.txt", file.display()));
        goldens.holds(&golden, &said);
    }
    goldens.assert_none_differs();
}

#[test]
fn every_explanation_has_its_file() {
    for file in files(&["txt"]) {
        let explained = file.with_extension("");
        assert!(explained.is_file(), "{} explains nothing", file.display());
    }
}

fn broken_files() -> Vec<PathBuf> {
    files(&["yaml", "jsonl"])
}

fn files(extensions: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let wanted =
        |path: &PathBuf| extensions.iter().any(|wanted| path.extension().is_some_and(|e| e == *wanted));
    let mut files: Vec<PathBuf> = entries.filter(wanted).collect();
    files.sort();
    files
}

/// `suite-*.yaml` are suites, `prices-*.yaml` prices, all others scenarios.
fn explain(file: &Path) -> String {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    if name.starts_with("suite-") {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("suite.yaml");
        fs::copy(file, &suite).unwrap();
        let error = Suite::open(folder.path(), known()).err().map(|error| error.to_string());
        let said = error.unwrap_or_else(|| "nothing is wrong\n".to_owned());
        return said.replace(&folder.path().display().to_string(), "FOLDER");
    }
    if name.starts_with("prices-") {
        let text = fs::read_to_string(file).unwrap();
        let error = extend_prices(&mut PriceTable::default(), &name, &text).err();
        return error.map_or("nothing is wrong\n".to_owned(), |error| error.to_string());
    }
    let suite = Suite::open(Path::new(FOLDER), known()).unwrap();
    let selection = Selection { paths: vec![file.to_owned()], ..Selection::default() };
    let found: Vec<Result<Scenario, ScenarioError>> = suite.scenarios(&selection).unwrap().collect();
    let problems: Vec<Problem> = found
        .into_iter()
        .flat_map(|scenario| match scenario {
            Ok(scenario) => scenario.warnings,
            Err(error) => error.problems,
        })
        .collect();
    if problems.is_empty() { "nothing is wrong\n".to_owned() } else { problem::render(&problems) }
}

fn known() -> Known {
    Known {
        tokenizers: vec!["cl100k_base".to_owned(), "o200k_base".to_owned()],
        prices: PriceTable::built_in().unwrap(),
        model_metrics: vec!["cost".to_owned()],
        metrics: vec!["evidence".to_owned(), "input_tokens".to_owned()],
        ..Known::default()
    }
}

fn load(text: &[u8], format: SourceFormat) -> Result<Scenario, ScenarioError> {
    let suite = Suite::open(Path::new(FOLDER), known())?;
    suite.load(&ScenarioSource {
        name: Some("a".to_owned()),
        path: "a.yaml".to_owned(),
        folder: PathBuf::from(FOLDER),
        line: 1,
        content: SourceContent::Text { bytes: text.to_vec(), format },
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in [SourceFormat::Yaml, SourceFormat::JsonLine] {
            if let Err(error) = load(&bytes, format) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    #[test]
    fn random_yaml_never_panics(text in "(mission|tools|data|expect|responses|[a-z é]{0,5}|[-:\\[\\]{}&*!|>'\"#%@,?\n\t \u{85}\u{feff}0-9~<]){0,60}") {
        if let Err(error) = load(text.as_bytes(), SourceFormat::Yaml) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn a_file_that_is_cut_anywhere_never_panics(cut in 0..WHOLE.len()) {
        if let Some(text) = WHOLE.get(..cut) {
            let _ = load(text.as_bytes(), SourceFormat::Yaml);
        }
    }
}

/// A file that uses the whole format.
const WHOLE: &str = include_str!("malformed/whole.yaml");
