//! `ptc-eval advise`: reads an agent's logs and recommends a strategy.

mod actions;
mod agents;
mod asked;
mod bills;
mod clearing;
mod compacted;
mod compaction;
mod conversations;
pub(super) mod effect;
mod estimate;
mod layout;
mod limiting;
mod log_times;
mod output;
mod own_lines;
mod recognize;
mod save;
mod screen;
mod session_files;
mod sessions;
mod settings;
mod several;
mod titles;
mod unlogged;
mod verdict;

use std::path::{Path, PathBuf};

use clap::Args;

use self::agents::CodingAgent;
pub(super) use self::asked::planned;
pub(super) use self::conversations::Conversations;
use self::conversations::name_of_place;
pub(super) use self::log_times::Cached;
use self::output::AdviceFormat;
use self::save::SaveFolder;
pub(super) use self::settings::{LogSettings, SuiteStrategies, variant_of_advice};
use self::several::Shared;
pub(super) use self::titles::title_of;
pub(super) use self::verdict::Advised;
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::log_options::LogOptions;
use super::logs::names;
use super::priced::Priced;
use super::scratch::Scratch;
use super::suite::{Permission, StrategyChoice, ToleranceArguments, count, known, price_table};
use super::terminal::{Color, keep_secrets};
use super::today::Today;
use super::token_cache::CachedTokenizer;
use crate::agent::extract::without_blank_ends;
use crate::report::ModelPrices;
use crate::scenario::SuitePrompt;
use crate::scenario::files::{read_to_string, refuse_links_below};
use crate::scenario::suite::Suite;
use agent_logs::ShelvedTranscript;
use ptc_prices::{PriceTable, TimeSpan};

const SUITE_FILE: &str = "suite.yaml";
/// The default folder of reports.
const DEFAULT_REPORTS: &str = "reports/advice";

#[derive(Args, Clone, Default)]
pub(super) struct AdviseArguments {
    /// Logs in any format of `ptc-eval list formats`, folders of logs, or the folder of a suite
    #[arg(required_unless_present = "agent", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read the newest sessions of this coding agent on this machine
    #[arg(long, value_name = "NAME", conflicts_with = "files")]
    agent: Option<CodingAgent>,
    /// Analyse only this agent, if the logs come from several
    #[arg(long, value_name = "NAME")]
    only_agent: Option<String>,
    /// Treat all logs as those of one agent
    #[arg(long, conflicts_with = "only_agent")]
    one_agent: bool,
    /// With --agent: the number of sessions to read, each with its subagents
    #[arg(long, value_name = "N", default_value_t = 20, requires = "agent")]
    last: u16,
    /// The number of sessions found
    #[arg(skip)]
    found: usize,
    #[command(flatten)]
    log: LogOptions,
    /// Use the prices of this model (repeatable; the first decides)
    #[arg(long, value_name = "NAME")]
    model: Vec<String>,
    /// Prices to add to the built-in table, or to replace some of it
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    #[command(flatten)]
    today: Today,
    /// Count tokens with o200k_base or cl100k_base; default: `tokenizer` in suite.yaml, else o200k_base
    #[arg(long, value_name = "NAME")]
    tokenizer: Option<String>,
    /// Compare this strategy too, with these options (repeatable)
    #[arg(long, value_name = "NAME[,OPTION=VALUE...]")]
    strategy: Vec<StrategyChoice>,
    /// Compare with the default of this product too, see `ptc-eval list presets` (repeatable)
    #[arg(long, value_name = "NAME[,OPTION=VALUE...]", value_parser = asked::preset)]
    preset: Vec<StrategyChoice>,
    #[command(flatten)]
    tolerance: ToleranceArguments,
    /// Assume a pause before each message of a person if the logs have no times, such as 10m
    #[arg(long, value_name = "TIME")]
    pause: Option<TimeSpan>,
    /// Cache lifetime, if the model offers this one: 5m or 1h at Anthropic
    #[arg(long, value_name = "TIME")]
    ttl: Option<TimeSpan>,
    /// Also try strategies that rewrite tool calls as text, and show all in a table; the default if the logs have no tool calls
    #[arg(long)]
    all: bool,
    /// Add a table of the strategies and all remarks on the logs
    #[arg(long)]
    table: bool,
    /// Print what could not be read in the logs, with places
    #[arg(long)]
    notes: bool,
    /// Count tokens in the texts and ignore the bills, even if the texts explain less than 90% of them
    #[arg(long)]
    no_bills: bool,
    /// Also price the conversations with the system prompt in this file
    #[arg(long, value_name = "FILE")]
    system_prompt: Option<PathBuf>,
    /// Folder for the page and the reports
    #[arg(long, value_name = "FOLDER", default_value = DEFAULT_REPORTS)]
    report_dir: PathBuf,
    /// Save the logs as a suite in this folder, with thresholds for the recommended strategy
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Don't replace keys and passwords in reports and saved logs
    #[arg(long)]
    keep_secrets: bool,
    /// Number of conversations evaluated at the same time; default: one per core
    #[arg(long, short, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: u16,
    /// Format of standard output
    #[arg(long, value_enum, default_value = "human")]
    format: AdviceFormat,
    #[command(flatten)]
    permission: Permission,
}

impl AdviseArguments {
    /// The title of reports: the agent, or the paths of the logs.
    fn title(&self) -> String {
        match self.agent {
            Some(agent) => format!("{} of {}", count(self.found, "session"), agent.name()),
            None => names(&self.files),
        }
    }

    /// The strategies named on the command line, in addition to the suite's.
    fn asked(&self) -> Vec<StrategyChoice> {
        [self.preset.as_slice(), &self.strategy].concat()
    }

    /// Adds the baseline with the system prompt of `--system-prompt`, if that is set.
    fn with_system_prompt(&self, suite: Suite) -> Result<Suite, CliError> {
        let Some(path) = &self.system_prompt else { return Ok(suite) };
        let text = read_to_string(path)
            .map_err(|error| CliError::UnreadablePrompt { path: path.to_owned(), error })?;
        let name = path.file_stem().map_or_else(|| "other".into(), |stem| stem.to_string_lossy());
        let prompt =
            SuitePrompt { name: name.into_owned(), text: Some(without_blank_ends(&text).to_owned()) };
        let baseline = suite.baseline.clone();
        Ok(suite.with_prompt(prompt, &baseline))
    }

    /// The default arguments, except for the report folder.
    pub(super) fn reporting_to(report_dir: PathBuf) -> AdviseArguments {
        AdviseArguments { report_dir, ..AdviseArguments::default() }
    }
}

pub(super) fn run(arguments: &AdviseArguments, color: Color) -> CliResult {
    if arguments.report_dir == Path::new(DEFAULT_REPORTS) {
        refuse_links_below(Path::new(""), &arguments.report_dir)?;
    }
    if arguments.keep_secrets {
        keep_secrets();
    }
    let Some(agent) = arguments.agent else { return advise(arguments, color) };
    let newest = agent.newest(arguments.last.into())?;
    advise(&AdviseArguments { files: newest.files, found: newest.number, ..arguments.clone() }, color)
}

fn advise(arguments: &AdviseArguments, color: Color) -> CliResult {
    let table = price_table(arguments.prices.as_deref())?;
    if let [folder] = arguments.files.as_slice()
        && folder.join(SUITE_FILE).is_file()
    {
        let suite = Suite::open(folder, known(&arguments.permission, Some(&table)))?;
        let suite = arguments.with_system_prompt(suite)?;
        let priced = Priced::named(&table, &arguments.model, &suite.models)?;
        let none = Conversations::default();
        let tokenizer = CachedTokenizer::of(arguments.tokenizer.as_deref(), &suite)?;
        let advised = Advised::of(&suite, priced, arguments, (&none, &tokenizer))?;
        arguments.format.write_verdict(&advised, arguments, &none, color);
        return Ok(advised.exit());
    }
    // Check names before the slow reading of logs.
    Priced::named(&table, &arguments.model, &[])?;
    planned(&arguments.asked(), |plan| Ok(plan.settled().map(drop)?))?;
    let conversations = Conversations::read(arguments, ModelPrices::of(table.clone()))?;
    if arguments.notes || arguments.format != AdviceFormat::Human {
        conversations.notes.short_lines().iter().for_each(|line| errln!("note: {line}"));
    }
    if conversations.all.is_empty() {
        errln!("there is no conversation in these logs");
        return Ok(Exit::NothingSelected);
    }
    let agents = several::chosen(conversations.agents(), arguments)?;
    let mut logs = conversations.split(&agents);
    let tokenizer = CachedTokenizer::named(arguments.tokenizer.as_deref())?;
    let shared = Shared { table: &table, tokenizer: &tokenizer };
    if let [_, _, ..] = logs.as_slice() {
        return several::advise(logs, &agents, arguments, shared, color);
    }
    let Some(logs) = logs.pop() else { return Ok(Exit::NothingSelected) };
    let saved = arguments.save.as_deref().map(|folder| SaveFolder::open(folder, arguments)).transpose()?;
    let advised = judge(&logs, arguments, shared, saved.as_ref())?;
    arguments.format.write_verdict(&advised, arguments, &logs, color);
    Ok(advised.exit())
}

/// Makes a suite in memory from the conversations of logs, with the settings of `advise`. A conversation is named after its log, so that
/// `show` finds it.
///
/// # Errors
/// A named log cannot be read, or there is no conversation.
pub(super) fn suite_of_logs(
    logs: &[PathBuf],
    permission: &Permission,
    prices: Option<&PriceTable>,
) -> Result<Suite, CliError> {
    let table = prices.map_or_else(|| price_table(None), |table| Ok(table.clone()))?;
    let files = logs.to_vec();
    let arguments = AdviseArguments { files, permission: permission.clone(), ..AdviseArguments::default() };
    let conversations = Conversations::read(&arguments, ModelPrices::of(table.clone()))?;
    conversations.notes.lost_lines().for_each(|line| errln!("note: {line}"));
    if conversations.kept().next().is_none() {
        return Err(CliError::NoConversation { logs: names(logs) });
    }
    let (settings, _) = settings_for(&conversations, &arguments, &table)?;
    let known = known(permission, Some(&table));
    Ok(Suite::of_conversations(settings.file(), known, conversations.into_named_by_log()?)?)
}

/// The folder to prepend to the names from [`suite_of_logs`] to get the paths of the logs.
pub(super) fn folder_of_names(logs: &[PathBuf]) -> Option<PathBuf> {
    let place = logs.first()?.display().to_string();
    let name = name_of_place(&place)?;
    place.strip_suffix(&name).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// The settings for a suite of these conversations, and the prices for the recommendation.
fn settings_for(
    conversations: &Conversations,
    arguments: &AdviseArguments,
    table: &PriceTable,
) -> Result<(LogSettings, Priced), CliError> {
    let named = Priced::named(table, &arguments.model, &[])?;
    let priced = if named.models.is_empty() {
        Priced::of_logs(table, &conversations.answers(), conversations.span())?
    } else {
        named
    };
    let times = conversations.times();
    let cached = Cached { ttl: arguments.ttl.or_else(|| times.ttl()), pause: arguments.pause };
    let priced = priced.kept_for(cached.ttl);
    let strategies = SuiteStrategies {
        compacted: !conversations.compacted().is_none(),
        rewriting: arguments.all || !conversations.kept().any(|conversation| conversation.calls_natively),
    };
    // With prices by log, each log also uses its own cache time to live.
    let cached = if priced.are_logged { Cached { ttl: arguments.ttl, ..cached } } else { cached };
    let mut settings = LogSettings::new(&priced.models, strategies, &arguments.asked(), cached);
    settings.bills = conversations.has_bills(arguments);
    settings.logged_prices = priced.are_logged;
    settings.tolerance = arguments.tolerance;
    Ok((settings, priced))
}

/// Evaluates the conversations of one agent. With `--save`, also writes them as a suite.
fn judge(
    conversations: &Conversations,
    arguments: &AdviseArguments,
    Shared { table, tokenizer }: Shared<'_>,
    saved: Option<&SaveFolder<'_>>,
) -> Result<Advised, CliError> {
    let (settings, priced) = settings_for(conversations, arguments, table)?;
    let suite_of = |transcripts: Vec<ShelvedTranscript>| {
        Suite::of_conversations(settings.file(), known(&arguments.permission, Some(table)), transcripts)
    };
    let transcripts = conversations.transcripts();
    let suite = arguments.with_system_prompt(suite_of(transcripts.clone())?)?;
    let advised = Advised::of(&suite, priced.clone(), arguments, (conversations, tokenizer))?;
    let Some(saved) = saved else { return Ok(advised) };
    let hidden = saved.hide_secrets(&transcripts);
    let hidden = hidden.map_err(|error| CliError::Write { path: saved.logs_file(), error })?;
    let (thresholds, transcripts) = match hidden {
        None => (advised.thresholds(&advised.comparison), transcripts),
        Some(hidden) => {
            // Placeholders and secrets differ in tokens. Thresholds are for the saved conversations, the verdict for the originals.
            let reports = Scratch::new()?;
            let arguments =
                AdviseArguments { report_dir: reports.path().join("reports"), ..arguments.clone() };
            let suite = suite_of(hidden.clone())?;
            let saved = Advised::of(&suite, priced, &arguments, (conversations, tokenizer))?;
            (advised.thresholds(&saved.comparison), hidden)
        }
    };
    saved.write(&(settings.yaml() + &thresholds), &transcripts)?;
    Ok(advised)
}
