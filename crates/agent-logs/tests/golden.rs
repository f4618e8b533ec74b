//! Golden files: `PTC_EVAL_BLESS=1` rewrites them, which is read with `git diff`.

#![allow(clippy::disallowed_methods)] // the flag is read from the environment

use std::fs;
use std::path::Path;

/// True if golden files are to be rewritten.
pub fn is_blessing() -> bool {
    std::env::var_os("PTC_EVAL_BLESS").is_some()
}

/// Files that are not what they should be.
#[derive(Default)]
pub struct Golden {
    wrong: Vec<String>,
}

impl Golden {
    /// Compares a file, or rewrites it.
    pub fn holds(&mut self, path: &Path, text: &str) {
        if is_blessing() {
            fs::write(path, text).unwrap();
            return;
        }
        let kept = fs::read_to_string(path).unwrap_or_default();
        if kept != text {
            let difference = similar::TextDiff::from_lines(kept.as_str(), text);
            let difference = difference.unified_diff().context_radius(1).to_string();
            self.wrong.push(format!("{}:\n{difference}", path.display()));
        }
    }

    /// Fails with the differences, if there are any.
    #[track_caller]
    pub fn assert_none_differs(&self) {
        assert!(self.wrong.is_empty(), "PTC_EVAL_BLESS=1 accepts these:\n\n{}", self.wrong.join("\n"));
    }
}
