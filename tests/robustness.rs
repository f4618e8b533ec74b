//! Any response, scenario file, snapshot, log, data file or record ends in a value or an error. Fuzz targets call the same
//! functions.

#[path = "../fuzz/files.rs"]
mod files;
#[path = "../crates/ptc-lisp/tests/language/inputs.rs"]
mod language;
#[path = "../fuzz/packed.rs"]
mod packed;

use proptest::prelude::*;
use proptest::sample::Index;
use ptc_eval::scenario::names::{refuse_scenario, scenario_called};

/// A scenario file that uses the whole format.
const SCENARIO: &str = include_str!("malformed/whole.yaml");

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        files::response(&bytes);
        files::snapshot(&bytes);
        files::import(&bytes);
        files::csv(&bytes);
        files::merge(&bytes);
        files::prices(&bytes);
    }

    #[test]
    fn random_responses_end(text in "(```(clojure|clj|lisp|)|~~~|[ \t\r\n]|\\(|\\)|a|\u{feff}|\u{2028}){0,40}") {
        files::response(text.as_bytes());
    }

    #[test]
    fn any_log_gives_a_name(log in "\\PC{0,200}|[.:/ a]{0,9}|(con|aux|com1)[. ]{0,2}(snap)?") {
        assert_eq!(refuse_scenario(&scenario_called(&log)), None, "{log:?}");
    }

    #[test]
    fn random_lines_differ_and_are_put_back(text in "([ab]\n|\0|\r|\u{85}|é){0,40}") {
        files::snapshot(text.as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn changed_scenarios_end(changes in prop::collection::vec((any::<Index>(), 0..20usize, inserted()), 1..4)) {
        let text = changes.iter().fold(SCENARIO.to_owned(), |text, (place, removed, added)| {
            let mut characters: Vec<char> = text.chars().collect();
            let start = place.index(characters.len() + 1);
            let end = (start + removed).min(characters.len());
            characters.splice(start..end, added.chars());
            characters.into_iter().collect()
        });
        files::scenario(text.as_bytes());
    }
}

/// Text that means something in YAML or in a program, or a word.
fn inserted() -> impl Strategy<Value = String> {
    "[-\\[\\]{}():;,#&*!|>'\"%@`?~^\\\\ \t\n]{1,2}|[a-z]{1,8}|-?[0-9]{1,20}(\\.[0-9])?|\n *[a-z]{1,6}: |\\(inc 1\\)|#\\{1 2\\}"
}

#[test]
fn the_whole_format_loads() {
    files::scenario(SCENARIO.as_bytes());
}

/// Inputs that fuzzing found, which reach different code.
pub fn corpus(target: &str) -> impl Iterator<Item = Vec<u8>> {
    packed::inputs(env!("CARGO_MANIFEST_DIR"), target).into_iter()
}

#[test]
fn inputs_that_fuzzing_found_end() {
    corpus("response").for_each(|bytes| files::response(&bytes));
    corpus("scenario").for_each(|bytes| files::scenario(&bytes));
    corpus("snapshot").for_each(|bytes| files::snapshot(&bytes));
    corpus("import").for_each(|bytes| files::import(&bytes));
    corpus("csv").for_each(|bytes| files::csv(&bytes));
    corpus("merge").for_each(|bytes| files::merge(&bytes));
    corpus("prices").for_each(|bytes| files::prices(&bytes));
    corpus("reader").for_each(|bytes| language::reader(&bytes));
    corpus("evaluator").for_each(|bytes| language::evaluator(&bytes));
}
