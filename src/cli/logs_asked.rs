//! Raw logs whose turns are asked again.

use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::error::CliError;
use super::logged::scenario;
use super::logs::{collect, open};
use super::suite::Permission;
use crate::scenario::suite::{find_root, is_transcript, is_within_suite};
use crate::scenario::{Scenario, Suite};
use agent_logs::{Transcript, read};

/// Returns true for a file or folder outside of any suite, which holds no file that only a suite has.
pub(super) fn are_logs(path: &Path) -> bool {
    let mut files = Vec::new();
    let is_there = path.exists() && !is_within_suite(&find_root(path));
    let is_of_suite = |file: &PathBuf| {
        file.extension().is_some_and(|end| end == "yaml" || end == "yml") || is_transcript(file)
    };
    is_there && collect(path, &mut files).is_ok() && !files.iter().any(is_of_suite)
}

/// All conversations of logs, in a suite as `advise` makes it.
///
/// # Errors
/// A log that is named cannot be read. Other files of a folder are left out and named.
pub(super) fn open_logs(
    paths: &[PathBuf],
    permission: &Permission,
) -> Result<(Suite, Vec<Scenario>), CliError> {
    let mut scenarios = Vec::new();
    let mut suite = None;
    for path in paths {
        let mut files = Vec::new();
        collect(path, &mut files).map_err(|error| CliError::Read { path: path.clone(), error })?;
        for file in files {
            match transcripts(&file) {
                Ok(transcripts) => {
                    let several = transcripts.len() > 1;
                    for (transcript, number) in transcripts.into_iter().zip(1..) {
                        let (made, mut scenario) = scenario(&file, transcript, permission)?;
                        if several {
                            scenario.name = format!("{}#{number}", scenario.name);
                        }
                        suite.get_or_insert(made);
                        scenarios.push(scenario);
                    }
                }
                Err(error) if file == *path => return Err(error),
                Err(error) => errln!("note: left out: {}", error.report()),
            }
        }
    }
    let nothing = || CliError::Conversations { log: paths.first().cloned().unwrap_or_default(), number: 0 };
    Ok((suite.ok_or_else(nothing)?, scenarios))
}

/// The conversations of a log.
fn transcripts(file: &Path) -> Result<Vec<Transcript>, CliError> {
    let log = open(file).map_err(|error| CliError::Read { path: file.to_owned(), error })?;
    let mut transcripts = Vec::new();
    let notes = read(BufReader::new(log), &file.display().to_string(), None, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    let notes = notes.map_err(|error| CliError::Transcript { path: file.to_owned(), error })?;
    notes.lost_lines().for_each(|line| errln!("note: {line}"));
    Ok(transcripts)
}
