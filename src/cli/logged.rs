//! A conversation of a log as a scenario, for the commands that show one.

use std::io::{self, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::advise::{BILLS, Cached, SuiteStrategies, settings};
use super::error::CliError;
use super::logs::{open, stem};
use super::new::write_file;
use super::scratch::Scratch;
use super::suite::{Permission, known, price_table, prices_named};
use crate::scenario::{SUITE_FILE, Scenario, ScenarioSource, SourceFormat, Suite};
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
        Some(transcript) => scenario(&file, &transcript, permission),
        None => Err(CliError::Conversations { log: file, number: count }),
    })
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
    transcript: &Transcript,
    permission: &Permission,
) -> Result<(Suite, Scenario), CliError> {
    let table = price_table(None)?;
    let models = prices_named(&table, &DEFAULT_MODELS.map(str::to_owned))?;
    let strategies = SuiteStrategies { recorded: !transcript.compactions.is_empty(), rewriting: true };
    // A suite is read from its file.
    let folder = Scratch::new()?;
    let bills = if transcript.billed().is_some() { BILLS } else { "" };
    write_file(
        &folder.path().join(SUITE_FILE),
        &(settings(&models, strategies, &[], Cached::default()) + bills),
    )?;
    let suite = Suite::open(folder.path(), known(permission, Some(&table)))?;
    let source = ScenarioSource {
        name: Some(stem(file)),
        path: file.display().to_string(),
        folder: folder.path().to_owned(),
        line: 1,
        text: serde_json::to_vec(transcript).map_err(io::Error::from)?,
        format: SourceFormat::Transcript,
    };
    let scenario = suite.load(&source)?;
    Ok((suite, scenario))
}
