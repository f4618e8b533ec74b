//! Classifies paths on the command line by content: scenarios, or logs of an agent.

use std::path::{Path, PathBuf};

use super::error::CliError;
use super::logs::{Collected, kind_of_standard_input};
use crate::report::RESULTS;
use crate::scenario::suite::{STANDARD_INPUT, find_root, is_within_suite};
use crate::scenario::{FileKind, SUITE_FILE, log_format};

/// Returns true for a log, and for a folder of logs without scenarios outside of any suite.
///
/// # Errors
/// Standard input cannot be read.
pub(super) fn holds_logs(path: &Path) -> Result<bool, CliError> {
    if path == Path::new(STANDARD_INPUT) {
        return Ok(kind_of_standard_input()? == Some(FileKind::Log));
    }
    if path.is_dir() {
        return Ok(!is_within_suite(&find_root(path)) && is_folder_of_logs(path));
    }
    Ok(path.is_file() && FileKind::of_file(path) == FileKind::Log)
}

fn is_folder_of_logs(folder: &Path) -> bool {
    // Errors are reported when the folder is opened.
    let Ok(collected) = Collected::below(folder) else { return false };
    let mut has_log = false;
    for file in &collected.files {
        if file.file_name().is_some_and(|name| name == SUITE_FILE) {
            return false;
        }
        match FileKind::of_file(file) {
            FileKind::Scenario => return false,
            FileKind::Log => has_log = true,
            FileKind::OtherYaml => {}
        }
    }
    has_log
}

/// Returns true if all paths are logs.
///
/// # Errors
/// Some paths are logs and others scenarios.
pub(super) fn are_logs(paths: &[PathBuf]) -> Result<bool, CliError> {
    let (mut log, mut scenario) = (None, None);
    for path in paths {
        let first = if holds_logs(path)? { &mut log } else { &mut scenario };
        first.get_or_insert(path);
    }
    match (log, scenario) {
        (Some(log), Some(scenario)) => {
            Err(CliError::LogsAndScenarios { log: log.clone(), scenario: scenario.clone() })
        }
        (log, _) => Ok(log.is_some()),
    }
}

/// A description of a path, such as `a log (claude-code)`. `None` for a missing path or another kind of file.
fn describe_found(path: &Path) -> Option<String> {
    if path.is_dir() {
        let what = if is_folder_of_logs(path) { "a folder of logs" } else { "a folder" };
        return Some(what.to_owned());
    }
    if !path.is_file() || path.file_name().is_some_and(|name| name == RESULTS) {
        return None;
    }
    match FileKind::of_file(path) {
        FileKind::Scenario => Some("a scenario".to_owned()),
        FileKind::Log => Some(format!("a log ({})", log_format(path)?)),
        FileKind::OtherYaml => None,
    }
}

/// The error for a path with the wrong kind of content. `None` for an unknown kind.
pub(super) fn other_input(path: &Path, expected: &'static str, instead: String) -> Option<CliError> {
    Some(CliError::OtherInput { path: path.to_owned(), found: describe_found(path)?, expected, instead })
}
