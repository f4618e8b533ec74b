//! The report that increases are measured from: the committed one.

use std::path::Path;
use std::process::Command;

/// The text of the committed `strategies.csv`: that of `HEAD`, or without a repository the file as it
/// stands. None: there is none yet.
pub(super) fn committed(report_dir: &Path) -> Option<String> {
    of_head(report_dir).or_else(|| std::fs::read_to_string(report_dir.join("strategies.csv")).ok())
}

fn of_head(report_dir: &Path) -> Option<String> {
    let output =
        Command::new("git").current_dir(report_dir).args(["show", "HEAD:./strategies.csv"]).output().ok()?;
    if !output.status.success() {
        return None;
    }
    String::from_utf8(output.stdout).ok()
}
