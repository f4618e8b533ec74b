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
        } else if fs::read_to_string(path).unwrap_or_default() != text {
            self.wrong.push(format!("{}:\n{text}", path.display()));
        }
    }

    /// The files that are to be accepted or to be mended; empty if there is none.
    pub fn differences(&self) -> String {
        if self.wrong.is_empty() {
            return String::new();
        }
        format!("PTC_EVAL_BLESS=1 accepts these:\n\n{}", self.wrong.join("\n"))
    }
}
