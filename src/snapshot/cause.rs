//! Changed snapshots, as hunks of lines.

use super::differences::differences;

/// A changed snapshot and its hunks.
#[derive(Clone, Debug, Default)]
pub struct Change {
    pub key: String,
    pub old: String,
    pub new: String,
    /// In the order of the text.
    pub hunks: Vec<Hunk>,
}

/// Consecutive lines, replaced by other lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The first line in the old text, from 0.
    pub line: usize,
    pub removed: Vec<String>,
    pub added: Vec<String>,
}

impl Change {
    pub fn new(key: String, old: String, new: String) -> Change {
        let (old, new) = (old.trim_end().to_string(), new.trim_end().to_string());
        let hunks = hunks(&old, &new);
        Change { key, old, new, hunks }
    }

    /// The changed lines, each prefixed with `-` or `+`.
    pub fn signed_lines(&self) -> String {
        let mut lines = Vec::new();
        for hunk in &self.hunks {
            lines.extend(hunk.removed.iter().map(|line| format!("-{line}")));
            lines.extend(hunk.added.iter().map(|line| format!("+{line}")));
        }
        lines.join("\n")
    }
}

fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    let old: Vec<&str> = old.split('\n').collect();
    let new: Vec<&str> = new.split('\n').collect();
    let mut hunks = Vec::new();
    for (removed, added) in differences(&old, &new) {
        hunks.push(Hunk {
            line: removed.start,
            removed: owned_lines(&old[removed]),
            added: owned_lines(&new[added]),
        });
    }
    hunks
}

fn owned_lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(ToString::to_string).collect()
}
