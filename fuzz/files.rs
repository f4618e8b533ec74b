//! Robustness of the harness: any response, scenario file or snapshot ends in a value or an error, or the
//! function panics. Fuzz targets call these functions on what they find, and `cargo test` on seeds and random
//! input.

use std::path::{Path, PathBuf};

use ptc_eval::agent::extract;
use ptc_eval::scenario::{self, Format, Known, Suite};
use ptc_eval::snapshot::Change;

/// The program in a response is part of the response.
pub fn response(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(program) = extract::program_in(&text) {
        assert!(program.len() <= text.len());
    }
}

/// A scenario file in either format loads, or an error says why not.
pub fn scenario(bytes: &[u8]) {
    for format in [Format::Yaml, Format::JsonLine] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let Ok(suite) = Suite::open(folder, Known::default()) else { return };
        let source = scenario::Source {
            name: Some("fuzz".to_owned()),
            path: "fuzz.yaml".to_owned(),
            folder: PathBuf::from(folder),
            line: 1,
            text: bytes.to_vec(),
            format,
        };
        if let Err(error) = suite.load(&source) {
            assert!(!error.to_string().is_empty());
        }
    }
}

/// Of two snapshots, divided by a zero byte, accepting all hunks gives the new one and accepting none the old
/// one.
pub fn snapshot(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (old, new) = text.split_once('\0').unwrap_or((&text, ""));
    let change = Change::new("fuzz".to_owned(), old.to_owned(), new.to_owned());
    assert_eq!(change.with_hunks(|_| true), new.trim_end());
    assert_eq!(change.with_hunks(|_| false), old.trim_end());
}
