//! The arguments of `advise`, and the settings made of them.

use std::path::{Path, PathBuf};

use clap::Args;

use super::SUITE_FILE;
use super::agents::CodingAgent;
use super::log_suite::planned;
use super::output::AdviceFormat;
use crate::agent::extract::without_blank_ends;
use crate::cli::error::CliError;
use crate::cli::log_options::LogOptions;
use crate::cli::logs::{collect, names};
use crate::cli::priced::{price_table, prices_named};
use crate::cli::suite::{Permission, StrategyChoice, ToleranceArguments, count, known, path_for_shell};
use crate::cli::terminal::keep_secrets;
use crate::cli::today::Today;
use crate::cli::token_cache::CachedTokenizer;
use crate::compression::presets;
use crate::scenario::files::{read_to_string, refuse_links_below};
use crate::scenario::{Known, SuitePrompt};
use agent_logs::ReadOptions;
use ptc_lisp::hint::suggestion;
use ptc_prices::{Price, TimeSpan};

/// The default folder of reports.
const DEFAULT_REPORTS: &str = "reports/advice";
/// The default number of sessions of `--agent`.
const LAST: u16 = 20;

#[derive(Args)]
pub(in crate::cli) struct AdviseArguments {
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
    #[arg(long, value_name = "N", default_value_t = LAST, requires = "agent")]
    last: u16,
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
    #[arg(long, value_name = "NAME[,OPTION=VALUE...]", value_parser = parse_preset)]
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

/// What to judge: everything is found and checked, except the content of logs and scenarios.
pub(in crate::cli) enum AdviseInput {
    /// The scenarios of the suite in this folder, with a tokenizer if one was named.
    Suite(PathBuf, Option<String>),
    Logs(Box<LogInput>),
}

/// Logs to judge by agent.
pub(in crate::cli) struct LogInput {
    pub(super) sources: LogSources,
    /// The arguments that name the logs and how to read them, for a shell.
    pub(super) arguments: String,
    pub(super) agents: AgentChoice,
    pub(super) tokenizer: CachedTokenizer,
    /// The folder to save the logs in as a suite.
    pub(super) save: Option<PathBuf>,
}

/// The settings of `advise`: its arguments, with the files that they name already read.
pub(in crate::cli) struct Settings {
    pub(super) judging: JudgeSettings,
    /// The folder of the page and the reports.
    pub(super) reports: PathBuf,
    pub(super) output: Output,
}

/// How strategies are judged.
#[derive(Default)]
pub(in crate::cli) struct JudgeSettings {
    /// The title of reports: the agent, or the paths of the logs.
    pub(super) title: String,
    /// The names allowed in suites, and the prices.
    pub(super) known: Known,
    pub(super) suite: SuiteChoices,
    pub(super) today: Today,
    pub(super) keeps_secrets: bool,
    /// The number of threads. 0: one per core.
    pub(super) jobs: usize,
    /// True if a line is printed for each conversation.
    pub(super) prints_conversations: bool,
}

/// The logs to read.
#[derive(Default)]
pub(super) struct LogSources {
    pub(super) files: Vec<PathBuf>,
    /// The files on the command line. An unreadable one is an error.
    pub(super) named: Vec<PathBuf>,
    pub(super) options: ReadOptions,
    /// The number of threads. 0: one per core.
    pub(super) jobs: usize,
}

impl LogSources {
    /// The logs with these paths, or in these folders.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub(super) fn find(paths: &[PathBuf]) -> Result<LogSources, CliError> {
        let mut files = Vec::new();
        for path in paths {
            collect(path, &mut files).map_err(|error| CliError::Read { path: path.clone(), error })?;
        }
        Ok(LogSources { files, named: paths.to_vec(), ..LogSources::default() })
    }
}

/// The agents to judge, if the logs come from several.
#[derive(Default)]
pub(super) enum AgentChoice {
    #[default]
    Each,
    Only(String),
    /// All conversations as those of one agent.
    Merged,
}

/// How conversations are rendered and priced.
#[derive(Default)]
pub(super) struct SuiteChoices {
    /// The prices of the models on the command line. Empty: those of the suite or the logs.
    pub(super) models: Vec<Price>,
    /// Strategies in addition to those of the suite.
    pub(super) strategies: Vec<StrategyChoice>,
    /// True to also try strategies that rewrite tool calls as text.
    pub(super) rewriting: bool,
    pub(super) tolerance: ToleranceArguments,
    pub(super) ttl: Option<TimeSpan>,
    pub(super) pause: Option<TimeSpan>,
    /// True to ignore the bills in the logs.
    pub(super) no_bills: bool,
    pub(super) prompt: Option<SuitePrompt>,
}

/// How results are printed.
#[derive(Clone, Copy, Default)]
pub(super) struct Output {
    pub(super) format: AdviceFormat,
    /// True to print the table of strategies.
    pub(super) table: bool,
    /// True to print what could not be read.
    pub(super) notes: bool,
}

impl AdviseArguments {
    /// Looks up models, and reads prices and the system prompt.
    ///
    /// # Errors
    /// A model has no price, or a file cannot be read.
    pub(in crate::cli) fn settings(&self) -> Result<Settings, CliError> {
        if self.report_dir == Path::new(DEFAULT_REPORTS) {
            refuse_links_below(Path::new(""), &self.report_dir)?;
        }
        if self.keep_secrets {
            keep_secrets();
        }
        let prices = price_table(self.prices.as_deref())?;
        let suite = SuiteChoices {
            models: prices_named(&prices, &self.model)?,
            strategies: [self.preset.as_slice(), &self.strategy].concat(),
            rewriting: self.all,
            tolerance: self.tolerance,
            ttl: self.ttl,
            pause: self.pause,
            no_bills: self.no_bills,
            prompt: self.system_prompt.as_deref().map(read_prompt).transpose()?,
        };
        let output = Output { format: self.format, table: self.table || self.all, notes: self.notes };
        let judging = JudgeSettings {
            title: names(&self.files),
            known: known(&self.permission, Some(&prices)),
            suite,
            today: self.today,
            keeps_secrets: self.keep_secrets,
            jobs: self.jobs.into(),
            prints_conversations: output.prints_conversations(),
        };
        Ok(Settings { judging, reports: self.report_dir.clone(), output })
    }

    /// Finds the suite, the logs, or the newest sessions of `--agent`. Sets the title of their reports.
    ///
    /// # Errors
    /// There are no sessions, a folder cannot be read, or there is no such tokenizer or strategy.
    pub(in crate::cli) fn find_input(&self, settings: &mut Settings) -> Result<AdviseInput, CliError> {
        if let [folder] = self.files.as_slice()
            && folder.join(SUITE_FILE).is_file()
        {
            return Ok(AdviseInput::Suite(folder.clone(), self.tokenizer.clone()));
        }
        // Check names before the slow reading of logs.
        let tokenizer = CachedTokenizer::named(self.tokenizer.as_deref())?;
        planned(&settings.judging.suite.strategies, |plan| Ok(plan.settled().map(drop)?))?;
        let found = match self.agent {
            None => LogSources::find(&self.files)?,
            Some(agent) => {
                let newest = agent.newest(self.last.into())?;
                settings.judging.title = format!("{} of {}", count(newest.number, "session"), agent.name());
                LogSources { files: newest.files, ..LogSources::default() }
            }
        };
        let mut arguments = match self.agent {
            Some(agent) if self.last == LAST => format!("--agent {}", agent.name()),
            Some(agent) => format!("--agent {} --last {}", agent.name(), self.last),
            None => self.files.iter().map(|file| path_for_shell(file)).collect::<Vec<_>>().join(" "),
        };
        arguments += &self.log.arguments();
        let agents = match &self.only_agent {
            _ if self.one_agent => AgentChoice::Merged,
            Some(name) => AgentChoice::Only(name.clone()),
            None => AgentChoice::Each,
        };
        let logs = LogInput {
            sources: LogSources { options: self.log.read_options(), jobs: self.jobs.into(), ..found },
            arguments,
            agents,
            tokenizer,
            save: self.save.clone(),
        };
        Ok(AdviseInput::Logs(Box::new(logs)))
    }
}

/// Reads a system prompt, named after its file.
fn read_prompt(path: &Path) -> Result<SuitePrompt, CliError> {
    let text =
        read_to_string(path).map_err(|error| CliError::UnreadablePrompt { path: path.to_owned(), error })?;
    let name = path.file_stem().map_or_else(|| "other".into(), |stem| stem.to_string_lossy());
    Ok(SuitePrompt { name: name.into_owned(), text: Some(without_blank_ends(&text).to_owned()) })
}

/// Parses a preset with options: `codex,tokens=2000`.
fn parse_preset(text: &str) -> Result<StrategyChoice, String> {
    let choice: StrategyChoice = text.parse().map_err(|error: String| match text.split_once(',') {
        Some((_, other)) if is_preset(other) => format!("give each its own --preset: --preset {other}"),
        _ => error,
    })?;
    if is_preset(&choice.name) {
        return Ok(choice);
    }
    let names: Vec<&str> = presets().into_iter().map(|preset| &*preset.name).collect();
    Err(format!("there is no such preset; {}", suggestion(&choice.name, &names)))
}

fn is_preset(name: &str) -> bool {
    presets().iter().any(|preset| preset.name == name)
}
