//! `ptc-eval advise`: reads an agent's logs and recommends a strategy.

mod actions;
mod agents;
mod bills;
mod clearing;
mod compacted;
mod compaction;
mod conversations;
pub(super) mod effect;
mod estimate;
mod layout;
mod limiting;
mod log_suite;
mod log_sums;
mod log_times;
mod output;
mod own_lines;
mod reading;
mod recognize;
mod save;
mod screen;
mod session_files;
mod sessions;
mod settings;
mod several;
mod sweeps;
mod titles;
mod unlogged;
mod verdict;

use std::path::Path;

pub(super) use self::agents::{logs_of, usual_folder_of};
pub(super) use self::conversations::{Conversations, folder_of_names};
pub(super) use self::log_suite::{LogSuite, SuiteStrategies, planned, suite_of_logs, variant_of_advice};
pub(super) use self::log_times::Cached;
use self::output::AdviceFormat;
use self::reading::read_logs;
pub(super) use self::settings::{AdviseArguments, AdviseInput, JudgeSettings};
use self::settings::{LogInput, Settings};
use self::several::{FoundAgents, open_save_folders, report_folder};
pub(super) use self::titles::title_of;
pub(super) use self::verdict::{Advised, Case, ReportPlace};
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::priced::Priced;
use super::recommendation::wrapped;
use super::terminal::{Color, columns};
use super::token_cache::CachedTokenizer;
use crate::scenario::suite::Suite;
use ptc_tokens::Tokenizer;

const SUITE_FILE: &str = "suite.yaml";

/// Reads logs, splits their conversations by agent, judges each agent, and prints the verdict on the largest.
pub(super) fn run(input: &LogInput, settings: &Settings, color: Color) -> CliResult {
    let conversations = read_logs(&input.sources, &settings.judging.known.prices)?;
    // Without a conversation, the notes are all that there is to say.
    if settings.output.prints_notes() || conversations.all.is_empty() {
        conversations.logs.notes.short_lines().iter().for_each(|line| errln!("note: {line}"));
    }
    if conversations.all.is_empty() {
        errln!("there is no conversation in these logs{}", conversations.logs.left_out_in_words());
        if conversations.logs.left_out > 0 {
            errln!(
                "  = help: unpack or split a file that is too large; ptc-eval list formats shows what can be read"
            );
        }
        return Ok(Exit::NothingSelected);
    }
    let found = FoundAgents::choose(&conversations, &input.agents)?;
    let agents = found.split(conversations);
    let mut others = found.unjudged(agents.len());
    let folders = open_save_folders(&agents, input.save.as_deref(), settings.judging.keeps_secrets)?;
    let mut agents = agents.into_iter().zip(folders);
    let Some((largest, saved)) = agents.next() else { return Ok(Exit::NothingSelected) };
    // The largest agent is judged last: its page includes the verdicts on all others.
    let mut exits = Vec::new();
    for (agent, saved) in agents {
        let name = agent.agent.as_deref().unwrap_or_default();
        let place = ReportPlace { saved, ..ReportPlace::in_folder(report_folder(&settings.reports, name)) };
        let advised = judge_logs(&agent, &place, &settings.judging, &input.tokenizer)?;
        settings.output.write_other(&advised, &agent);
        others.add_verdict(name, &advised.comparison);
        exits.push(advised.exit());
    }
    let has_others = !exits.is_empty();
    let place = ReportPlace { saved, others, ..ReportPlace::in_folder(settings.reports.clone()) };
    let advised = judge_logs(&largest, &place, &settings.judging, &input.tokenizer)?;
    if has_others && settings.output.format == AdviceFormat::Human {
        let (agents, command) = found.in_words(&largest.logs.left_out_in_words(), &input.arguments);
        outln!("{}", wrapped(&agents, columns()));
        command.iter().for_each(|command| outln!("{command}"));
        outln!();
    }
    settings.output.write_verdict(&advised, &largest, color);
    exits.insert(0, advised.exit());
    Ok(exits.into_iter().find(|exit| *exit != Exit::Success).unwrap_or(Exit::Success))
}

/// Judges the scenarios of a suite.
pub(super) fn run_on_suite(
    folder: &Path,
    tokenizer: Option<&str>,
    settings: &Settings,
    color: Color,
) -> CliResult {
    let choices = &settings.judging.suite;
    let suite = Suite::open(folder, settings.judging.known.clone())?.with_prompt(choices.prompt.clone());
    let priced = match choices.models.as_slice() {
        [] => Priced::of_suite(&suite, choices.ttl)?,
        models => Priced::of_command_line(models).kept_for(choices.ttl.or(suite.ttl)),
    };
    let tokenizer = CachedTokenizer::of(tokenizer, &suite)?;
    let conversations = &Conversations::default();
    let place = ReportPlace::in_folder(settings.reports.clone());
    let case = Case { suite: &suite, priced: &priced, conversations, tokenizer: &tokenizer, place: &place };
    let advised = Advised::judge(&case, &settings.judging)?;
    settings.output.write_verdict(&advised, conversations, color);
    Ok(advised.exit())
}

/// Judges the conversations of one agent. With `--save`, also writes them as a suite.
fn judge_logs(
    conversations: &Conversations,
    place: &ReportPlace,
    settings: &JudgeSettings,
    tokenizer: &Tokenizer,
) -> Result<Advised, CliError> {
    let JudgeSettings { known, suite: choices, jobs, .. } = settings;
    let (log_suite, priced) = LogSuite::of_conversations(conversations, choices, &known.prices)?;
    let transcripts = conversations.transcripts();
    let suite = log_suite.open_suite(known.clone(), transcripts.clone())?;
    let suite = suite.with_prompt(choices.prompt.clone());
    let case = Case { suite: &suite, priced: &priced, conversations, tokenizer, place };
    let advised = Advised::judge(&case, settings)?;
    let Some(saved) = &place.saved else { return Ok(advised) };
    let hidden = saved.hide_secrets(&transcripts);
    let hidden = hidden.map_err(|error| CliError::Write { path: saved.logs_file(), error })?;
    let Some(hidden) = hidden else {
        saved.write(&(log_suite.to_yaml() + &advised.thresholds(&advised.comparison)), &transcripts)?;
        return Ok(advised);
    };
    // Placeholders and secrets differ in tokens. Thresholds are for the saved conversations, the verdict for the originals.
    let suite = log_suite.open_suite(known.clone(), hidden.clone())?;
    let of_hidden = Case { suite: &suite, ..case }.compare_strategies(*jobs)?;
    saved.write(&(log_suite.to_yaml() + &advised.thresholds(&of_hidden)), &hidden)?;
    Ok(advised)
}
