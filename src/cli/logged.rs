//! A conversation of a log as a scenario, for the commands that show one.

use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::advise::{Cached, LogSettings, SuiteStrategies};
use super::error::CliError;
use super::logs::{open, stem};
use super::suite::{Permission, known, price_table, prices_named};
use crate::scenario::{Scenario, ScenarioSource, SourceContent, Suite};
use agent_logs::{Transcript, read};
use ptc_prices::DEFAULT_MODELS;

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

pub(super) fn scenario(
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
