//! Opens a conversation from a log as a scenario, for the commands about one scenario.

use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::advise::{Cached, LogSuite, SuiteStrategies, title_of};
use super::error::CliError;
use super::logs::{open_log, shown_path, stem};
use super::priced::{price_table, prices_named};
use super::script::Script;
use super::suite::{Permission, count, for_shell, known};
use crate::scenario::suite::STANDARD_INPUT;
use crate::scenario::{Scenario, ScenarioSource, SourceContent, Suite};
use agent_logs::{Transcript, read};
use ptc_prices::DEFAULT_MODELS;

/// The most conversations of a log to list in an error.
const LISTED: usize = 10;

/// Opens `FILE` with its only conversation, or `FILE#NUMBER`, as a scenario in a suite with the settings of `advise`. `None` if the file
/// is no log.
pub(super) fn find_in_log(
    name: &str,
    permission: &Permission,
) -> Option<Result<(Suite, Scenario), CliError>> {
    let (file, number) = file_and_number(name)?;
    let Found { transcript, count, first } = find_conversation(&file, number)?;
    Some(match transcript {
        Some(transcript) => scenario_of_log(&file, transcript, permission),
        None => {
            let path = file.display().to_string();
            // An argument with a leading hyphen is an option except after `--`.
            let argument =
                if path == STANDARD_INPUT { format!("-- {path}") } else { for_shell(&path).into_owned() };
            Err(CliError::Conversations { log: shown_path(&file), argument, number: count, first })
        }
    })
}

/// Returns true for a logged conversation with programs in all its answers.
pub(super) fn has_programs(name: &str) -> bool {
    let found = file_and_number(name).and_then(|(file, number)| find_conversation(&file, number));
    let transcript = found.and_then(|found| found.transcript);
    transcript.is_some_and(|transcript| transcript.evaluation.is_some() || Script::of(&transcript).is_some())
}

fn file_and_number(name: &str) -> Option<(PathBuf, Option<usize>)> {
    let file = PathBuf::from(name);
    if file.is_file() || file == Path::new(STANDARD_INPUT) {
        return Some((file, None));
    }
    let (file, number) = name.rsplit_once('#')?;
    Some((file.into(), Some(number.parse().ok()?)))
}

/// The result of a search in a log.
struct Found {
    /// The conversation with the wanted number, or the only one.
    transcript: Option<Transcript>,
    /// The number of conversations in the log.
    count: usize,
    /// One line about each of the first conversations.
    first: Vec<String>,
}

fn find_conversation(file: &Path, number: Option<usize>) -> Option<Found> {
    let log = BufReader::new(open_log(file).ok()?);
    let mut found = Found { transcript: None, count: 0, first: Vec::new() };
    let notes = read(log, &shown_path(file), None, &mut |transcript| {
        found.count += 1;
        if found.count <= LISTED {
            found.first.push(describe_transcript(file, found.count, &transcript));
        }
        if found.count == number.unwrap_or(1) {
            found.transcript = Some(transcript);
        }
        ControlFlow::Continue(())
    });
    notes.ok()?.lost_lines().for_each(|line| errln!("note: {line}"));
    if found.count > LISTED {
        found.first.push(format!("and {} more", found.count - LISTED));
    }
    found.transcript = found.transcript.filter(|_| number.is_some() || found.count == 1);
    Some(found)
}

/// `logs/session.jsonl#2  14 turns  Fix the failing test`
fn describe_transcript(file: &Path, number: usize, transcript: &Transcript) -> String {
    let turns = count(transcript.answers().count(), "turn");
    let title = title_of(transcript).unwrap_or_default();
    format!("{}#{number}  {turns}  {title}", file.display()).trim_end().to_owned()
}

fn scenario_of_log(
    file: &Path,
    transcript: Transcript,
    permission: &Permission,
) -> Result<(Suite, Scenario), CliError> {
    let table = price_table(None)?;
    let models = prices_named(&table, &DEFAULT_MODELS.map(str::to_owned))?;
    let strategies = SuiteStrategies { compacted: !transcript.compactions.is_empty(), rewriting: true };
    let mut settings = LogSuite::new(&models, strategies, &[], Cached::default());
    settings.bills = transcript.billed().is_some();
    let suite = settings.open_suite(known(permission, Some(&table)), Vec::new())?;
    let source = ScenarioSource {
        name: Some(stem(file)),
        path: file.display().to_string(),
        folder: PathBuf::from("."),
        line: 1,
        content: SourceContent::Conversation(transcript.into()),
    };
    let scenario = suite.load(&source)?;
    Ok((suite, scenario))
}
