//! A conversation of a log as a scenario, for the commands that show one.

use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::advise::{Cached, LogSettings, SuiteStrategies};
use super::error::CliError;
use super::logs::{collect, open, stem};
use super::suite::{Permission, known, price_table, prices_named};
use crate::scenario::suite::{find_root, is_transcript, is_within_suite};
use crate::scenario::{Scenario, ScenarioSource, SourceContent, Suite};
use agent_logs::{Transcript, read};
use ptc_tokens::DEFAULT_MODELS;

/// The scenario of `FILE`, which holds one conversation, or of `FILE#NUMBER`, in a suite as `advise` makes it. Nothing for
/// a file that is no log.
pub(super) fn find_in_log(
    name: &str,
    permission: &Permission,
) -> Option<Result<(Suite, Scenario), CliError>> {
    let (file, number) = file_and_number(name)?;
    let (transcript, count) = conversation(&file, number)?;
    Some(match transcript {
        Some(transcript) => scenario(&file, transcript, permission),
        None => Err(CliError::Conversations { log: file, number: count }),
    })
}

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

fn file_and_number(name: &str) -> Option<(PathBuf, Option<usize>)> {
    let file = PathBuf::from(name);
    if file.is_file() {
        return Some((file, None));
    }
    let (file, number) = name.rsplit_once('#')?;
    Some((file.into(), Some(number.parse().ok()?)))
}

/// The conversation of this number, or the only one, and how many the log holds.
fn conversation(file: &Path, number: Option<usize>) -> Option<(Option<Transcript>, usize)> {
    let log = BufReader::new(open(file).ok()?);
    let (mut wanted, mut count) = (None, 0);
    let notes = read(log, &file.display().to_string(), None, &mut |transcript| {
        count += 1;
        if count == number.unwrap_or(1) {
            wanted = Some(transcript);
        }
        ControlFlow::Continue(())
    });
    notes.ok()?.lost_lines().for_each(|line| errln!("note: {line}"));
    Some((wanted.filter(|_| number.is_some() || count == 1), count))
}

fn scenario(
    file: &Path,
    transcript: Transcript,
    permission: &Permission,
) -> Result<(Suite, Scenario), CliError> {
    let table = price_table(None)?;
    let models = prices_named(&table, &DEFAULT_MODELS.map(str::to_owned))?;
    let strategies = SuiteStrategies { compacted: !transcript.compactions.is_empty(), rewriting: true };
    let mut settings = LogSettings::new(&models, strategies, &[], Cached::default());
    settings.bills = transcript.billed().is_some();
    let suite = Suite::of_conversations(settings.file(), known(permission, Some(&table)), Vec::new())?;
    let source = ScenarioSource {
        name: Some(stem(file)),
        path: file.display().to_string(),
        folder: PathBuf::from("."),
        line: 1,
        content: SourceContent::Conversation(Arc::new(transcript)),
    };
    let scenario = suite.load(&source)?;
    Ok((suite, scenario))
}
