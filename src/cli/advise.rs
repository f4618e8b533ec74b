//! `ptc-eval advise`: reads logs of any agent and says which strategy its owner should use.

mod agents;
mod asked;
mod bills;
mod compacted;
mod log_times;
mod save;
mod several;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;

use self::agents::CodingAgent;
pub(super) use self::asked::planned;
use self::bills::Bills;
use self::compacted::Compacted;
pub(super) use self::log_times::Cached;
use self::log_times::{DailyCost, LogTimes, days_of};
use self::save::SaveFolder;
use self::several::{AgentLogs, OtherAgents, Shared};
use super::apply;
use super::broken::BrokenStrategies;
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::log_options::LogOptions;
use super::logs::{collect, names, open, read_until_error, stem};
use super::new::write_file;
use super::priced::{Answers, Priced};
use super::recommendation::{look_at_log, recommendation};
use super::scratch::Scratch;
use super::secrets::Secrets;
use super::suite::{
    Permission, StrategyChoice, ToleranceArguments, count, kept_for, known, logged_prices, price_table,
    warn_of_images,
};
use super::terminal::{Color, write_painted};
use super::today::Today;
use super::token_cache::CachedTokenizer;
use crate::compression::{BASELINE, Form, RECORDED, STRATEGIES};
use crate::evaluate::{Added, EvaluatedScenario, EvaluationResults, Pipeline, Plan, Pool, conclude};
use crate::measure::numbers::grouped;
use crate::report::{Advice, Comparison, Gauges, ModelPrices, Spending, write_committed};
use crate::scenario::names::scenario_called;
use crate::scenario::suite::{Selection, Suite};
use crate::scenario::{ScenarioSource, reason};
use crate::snapshot::atomic::write_atomically;
use agent_logs::{self as transcripts, AgentMarks, LogPlace, Notes, Novelty, ReadError, Repeats, Transcript};
use ptc_tokens::{Price, TimeSpan};

/// The file of a suite that is made of logs, with names in braces where they differ. Prices follow.
const SUITE: &str = include_str!("advise.yaml");
/// The file of the suite that holds the conversations.
const LOGS: &str = "logs.jsonl";
const SUITE_FILE: &str = "suite.yaml";

#[derive(Args, Clone, Default)]
pub(super) struct AdviseArguments {
    /// Logs in any format that ptc-eval list formats shows, folders of them, or the folder of a suite
    #[arg(required_unless_present = "agent", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Take the newest sessions of a coding agent on this machine
    #[arg(long, value_name = "NAME", conflicts_with = "files")]
    agent: Option<CodingAgent>,
    /// Judge only this agent of several whose logs lie together
    #[arg(long, value_name = "NAME")]
    only_agent: Option<String>,
    /// Take all logs for those of one agent
    #[arg(long, conflicts_with = "only_agent")]
    one_agent: bool,
    /// The number of these sessions
    #[arg(long, value_name = "N", default_value_t = 20, requires = "agent")]
    last: u16,
    #[command(flatten)]
    log: LogOptions,
    /// The model whose prices decide (repeatable; the first one decides)
    #[arg(long, value_name = "NAME")]
    model: Vec<String>,
    /// A file of prices that replaces and extends the built-in table
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    #[command(flatten)]
    today: Today,
    /// The tokenizer: o200k_base or cl100k_base; default: that of the suite, else o200k_base
    #[arg(long, value_name = "NAME")]
    tokenizer: Option<String>,
    /// Compare this strategy too, with these options (repeatable)
    #[arg(long, value_name = "NAME[,OPTION=VALUE...]")]
    strategy: Vec<StrategyChoice>,
    /// Compare with what this product does, with these options; see ptc-eval list presets (repeatable)
    #[arg(long, value_name = "NAME[,OPTION=VALUE...]", value_parser = asked::preset)]
    preset: Vec<StrategyChoice>,
    #[command(flatten)]
    tolerance: ToleranceArguments,
    /// Assume a pause before each message of a person, where the logs have no times; such as 10m
    #[arg(long, value_name = "TIME")]
    pause: Option<TimeSpan>,
    /// The time for which caches keep their entries, if the model offers it: 5m or 1h at Anthropic
    #[arg(long, value_name = "TIME")]
    ttl: Option<TimeSpan>,
    /// Also try strategies that rewrite tool calls as text; they are tried anyway where the logs have no tool calls
    #[arg(long)]
    all: bool,
    /// Count tokens as they are in the logs, and recommend even if less than 90% of what was billed is explained
    #[arg(long)]
    no_bills: bool,
    /// The folder for the page and the reports
    #[arg(long, value_name = "FOLDER", default_value = "reports/advice")]
    report_dir: PathBuf,
    /// Keep the logs as a suite in this folder, with thresholds at today's numbers
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Save keys and passwords as they are in the logs
    #[arg(long, requires = "save")]
    keep_secrets: bool,
    /// Conversations that are evaluated at the same time; default: one a core
    #[arg(long, short, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: u16,
    #[command(flatten)]
    permission: Permission,
}

impl AdviseArguments {
    /// The name of the logs in reports.
    fn title(&self) -> String {
        match self.agent {
            Some(agent) => format!("{} sessions of {}", self.files.len(), agent.name()),
            None => names(&self.files),
        }
    }

    /// The strategies that are asked for besides those of the suite.
    fn asked(&self) -> Vec<StrategyChoice> {
        [self.preset.as_slice(), &self.strategy].concat()
    }

    /// The defaults, with reports in this folder.
    pub(super) fn reporting_to(report_dir: PathBuf) -> AdviseArguments {
        AdviseArguments { report_dir, ..AdviseArguments::default() }
    }
}

pub(super) fn run(arguments: &AdviseArguments, color: Color) -> CliResult {
    let Some(agent) = arguments.agent else { return advise(arguments, color) };
    let files = agent.newest(arguments.last.into())?;
    advise(&AdviseArguments { files, ..arguments.clone() }, color)
}

fn advise(arguments: &AdviseArguments, color: Color) -> CliResult {
    let table = price_table(arguments.prices.as_deref())?;
    if let [folder] = arguments.files.as_slice()
        && folder.join(SUITE_FILE).is_file()
    {
        let suite = Suite::open(folder, known(arguments.permission, Some(&table)))?;
        let priced = Priced::named(&table, &arguments.model, &suite.models)?;
        let none = Conversations::default();
        let tokenizer = CachedTokenizer::of(arguments.tokenizer.as_deref(), &suite)?;
        let advised = Advised::of(&suite, priced, arguments, (&none, &tokenizer))?;
        advised.print(arguments, &none, color);
        return Ok(advised.exit());
    }
    // Names that are wrong are told before logs are read.
    Priced::named(&table, &arguments.model, &[])?;
    planned(&arguments.asked(), |plan| Ok(plan.settled().map(drop)?))?;
    let scratch = Scratch::new()?;
    let path = scratch.path().join(LOGS);
    let conversations = Conversations::write(&path, arguments, ModelPrices::of(table.clone()))?;
    conversations.notes.short_lines().iter().for_each(|line| errln!("note: {line}"));
    if conversations.written.is_empty() {
        errln!("there is no conversation in these logs");
        return Ok(Exit::NothingSelected);
    }
    let agents = several::chosen(conversations.agents(), arguments)?;
    let mut logs = conversations.split(&agents, scratch.path())?;
    let tokenizer = CachedTokenizer::named(arguments.tokenizer.as_deref())?;
    let shared = Shared { table: &table, tokenizer: &tokenizer };
    if let [_, _, ..] = logs.as_slice() {
        return several::advise(logs, &agents, arguments, shared, color);
    }
    let Some(logs) = logs.pop() else { return Ok(Exit::NothingSelected) };
    let saved = arguments.save.as_deref().map(SaveFolder::open).transpose()?;
    let advised = judge(&logs, arguments, shared, saved.as_ref())?;
    advised.print(arguments, &logs.conversations, color);
    Ok(advised.exit())
}

/// Judges the conversations of one agent, and saves them as a suite if that is asked for.
fn judge(
    logs: &AgentLogs,
    arguments: &AdviseArguments,
    Shared { table, tokenizer }: Shared<'_>,
    saved: Option<&SaveFolder<'_>>,
) -> Result<Advised, CliError> {
    let AgentLogs { folder, conversations, .. } = logs;
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
        recorded: !conversations.compacted().is_none(),
        rewriting: arguments.all || !conversations.kept().any(|conversation| conversation.calls_natively),
    };
    let bills = if conversations.has_bills(arguments) { BILLS } else { "" };
    // Where each log is priced as it was billed, none has the time of another one.
    let cached = if priced.are_logged { Cached { ttl: arguments.ttl, ..cached } } else { cached };
    let settings = settings(&priced.models, strategies, &arguments.asked(), cached)
        + bills
        + priced.settings()
        + &arguments.tolerance.settings();
    write_file(&folder.join(SUITE_FILE), &settings)?;
    let suite = Suite::open(folder, known(arguments.permission, Some(table)))?;
    let advised = Advised::of(&suite, priced, arguments, (conversations, tokenizer))?;
    if let Some(saved) = saved {
        saved.write(&(settings + &advised.thresholds()), &folder.join(LOGS))?;
    }
    Ok(advised)
}

/// The setting of suites whose requests are sized by what was billed for them.
pub(super) const BILLS: &str = "bills: true\n";

/// Strategies of a suite that is made of logs, besides those that keep tool calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct SuiteStrategies {
    /// True if an agent shortened its history: what it does today is then the baseline.
    pub recorded: bool,
    /// True for those that rewrite tool calls as text.
    pub rewriting: bool,
}

/// The suite's file for these models. The prices of the first one set those that `fold` decides by.
pub(super) fn settings(
    models: &[Price],
    strategies: SuiteStrategies,
    asked: &[StrategyChoice],
    cached: Cached,
) -> String {
    let models_in_words: Vec<&str> = models.iter().map(|model| model.model.as_str()).collect();
    let is_tried = |form| match form {
        Form::Native => true,
        Form::Text => strategies.rewriting,
        Form::Recorded => strategies.recorded,
        Form::Written => false,
    };
    let is_asked = |name: &str| asked.iter().any(|choice| choice.name == name && choice.options.is_empty());
    let tried = STRATEGIES.iter().filter(|strategy| is_tried(strategy.form) && !is_asked(strategy.name));
    let names: Vec<String> =
        asked::names(asked).chain(tried.map(|strategy| strategy.name.to_owned())).collect();
    let mut text = SUITE
        .replace("{strategies}", &names.join(", "))
        .replace("{baseline}", if strategies.recorded { RECORDED.name() } else { BASELINE.name() })
        .replace("{models}", &models_in_words.join(", "))
        .replace("{variants}\n", &asked::variants(asked));
    text += &cached.settings();
    if let Some(model) = models.first().filter(|model| model.input > 0.0) {
        let (read, write) = (model.read / model.input, model.write.unwrap_or(model.input) / model.input);
        let ttl = model.ttl.map_or(0, TimeSpan::seconds);
        text += &format!("compression: {{read: {read}, write: {write}, ttl: {ttl}}}\n");
    }
    text
}

/// The conversations of logs, written to one file: each once, however many logs hold it or a beginning of it.
#[derive(Default)]
pub(super) struct Conversations {
    /// The conversations in the order of the file's lines. None: a later one continues it.
    written: Vec<Option<Conversation>>,
    repeats: Repeats,
    prices: ModelPrices,
    /// The secrets that are replaced in what is saved.
    secrets: Option<Secrets>,
    /// Notes on all logs, those on lost content first.
    notes: Notes,
    files: usize,
    left_out: usize,
    /// The name of the agent, if there are others beside it.
    agent: Option<String>,
    others: OtherAgents,
}

/// A conversation without its content.
struct Conversation {
    name: String,
    /// The log that it was read from.
    file: Rc<str>,
    /// The name of the reader.
    format: Option<String>,
    /// Input tokens that the provider billed.
    billed: Option<transcripts::Billed>,
    answers: Answers,
    /// The days of the first and the last message that have a time.
    days: Option<(i64, i64)>,
    compacted: Compacted,
    times: LogTimes,
    spending: Spending,
    marks: AgentMarks,
    /// True if the agent calls tools, and its answers are no programs.
    calls_natively: bool,
}

impl Conversations {
    fn write(
        path: &Path,
        arguments: &AdviseArguments,
        prices: ModelPrices,
    ) -> Result<Conversations, CliError> {
        let failed = |error| CliError::Write { path: path.to_owned(), error };
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(failed)?;
        let hides = arguments.save.is_some() && !arguments.keep_secrets;
        let mut all =
            Conversations { prices, secrets: hides.then(Secrets::default), ..Conversations::default() };
        let mut files = Vec::new();
        for file in &arguments.files {
            collect(file, &mut files).map_err(|error| CliError::Read { path: file.clone(), error })?;
        }
        all.files = files.len();
        let mut unreadable = None;
        let written = write_atomically(path, |out| {
            for file in &files {
                let is_named = arguments.agent.is_none() && arguments.files.contains(file);
                match all.add_log(file, is_named, arguments, out) {
                    Ok(()) => {}
                    Err(LogError::Write(error)) => return Err(error),
                    Err(LogError::Cli(error)) => {
                        unreadable = Some(error);
                        return Err(io::Error::other("a log cannot be read"));
                    }
                }
            }
            Ok(())
        });
        // What was lost is read first.
        all.notes.notes.sort_by_key(|note| !note.is_lost);
        match unreadable {
            Some(error) => Err(error),
            None => written.and_then(|()| all.leave_out_continued(path)).map(|()| all).map_err(failed),
        }
    }

    /// Writes the file anew without the conversations that a later one continues.
    fn leave_out_continued(&mut self, path: &Path) -> io::Result<()> {
        if self.written.iter().all(Option::is_some) {
            return Ok(());
        }
        let before = BufReader::new(fs::File::open(path)?);
        write_atomically(path, |out| {
            let kept = before.split(b'\n').zip(&self.written).filter(|(_, kept)| kept.is_some());
            kept.map(|(line, _)| line).try_for_each(|line| {
                out.write_all(&line?)?;
                out.write_all(b"\n")
            })
        })?;
        self.written.retain(Option::is_some);
        Ok(())
    }

    /// True if requests are sized by what was billed for them.
    fn has_bills(&self, arguments: &AdviseArguments) -> bool {
        !arguments.no_bills && self.kept().any(|conversation| conversation.billed.is_some())
    }

    fn compacted(&self) -> Compacted {
        let mut all = Compacted::default();
        self.kept().for_each(|conversation| all.add(&conversation.compacted));
        all
    }

    /// The format of all conversations, if they have one.
    fn format(&self) -> Option<&str> {
        let mut formats = self.kept().map(|conversation| conversation.format.as_deref());
        let first = formats.next()??;
        formats.all(|format| format == Some(first)).then_some(first)
    }

    fn times(&self) -> LogTimes {
        let mut all = LogTimes::default();
        self.kept().for_each(|conversation| all.add(conversation.times));
        all
    }

    fn spending(&self) -> Spending {
        let mut all = Spending::default();
        self.kept().for_each(|conversation| all.merge(&conversation.spending));
        all
    }

    fn kept(&self) -> impl Iterator<Item = &Conversation> {
        self.written.iter().flatten()
    }

    /// The first and the last day of the logs that are known.
    fn span(&self) -> Option<(i64, i64)> {
        let days = self.kept().filter_map(|conversation| conversation.days);
        days.reduce(|(first, last), (from, to)| (first.min(from), last.max(to)))
    }

    /// The days of conversations with times, by name.
    fn days(&self) -> BTreeMap<&str, (i64, i64)> {
        self.kept().filter_map(|kept| Some((kept.name.as_str(), kept.days?))).collect()
    }

    /// The answers of all conversations by their model.
    fn answers(&self) -> Answers {
        let mut all = Answers::default();
        let models = self.kept().flat_map(|conversation| conversation.answers.iter());
        models.for_each(|(model, answers)| all.add(model, answers));
        all
    }

    /// Input tokens that providers billed, by the name of the conversation.
    fn billed(&self) -> BTreeMap<&str, &transcripts::Billed> {
        self.kept().filter_map(|kept| Some((kept.name.as_str(), kept.billed.as_ref()?))).collect()
    }

    /// Adds the conversations of one log. A file that is not named itself and cannot be read as a log is noted and left out.
    fn add_log(
        &mut self,
        file: &Path,
        is_named: bool,
        arguments: &AdviseArguments,
        out: &mut dyn Write,
    ) -> Result<(), LogError> {
        let name = file.display().to_string();
        let unreadable = |error| LogError::Cli(CliError::Read { path: file.to_owned(), error });
        let log = match open(file) {
            Ok(log) => log,
            Err(error) if is_named => return Err(unreadable(error)),
            Err(error) => {
                self.leave_out(name, ReadError::Io(error));
                return Ok(());
            }
        };
        let options = arguments.log.read_options();
        let (stem, file_name) = (stem(file), Rc::<str>::from(name.as_str()));
        let mut number = 0;
        let mut hidden = Notes { file: name.clone(), ..Notes::default() };
        let (notes, written) = read_until_error(BufReader::new(log), &name, options, |mut transcript| {
            number += 1;
            let name = self.unique_name(&stem, number);
            transcript.name = Some(name.clone());
            if self.is_new(&transcript, name, &file_name) {
                // The thresholds are those of what is saved.
                if let Some(secrets) = &mut self.secrets {
                    secrets.hide_in(&mut transcript, number, &mut hidden);
                }
                serde_json::to_writer(&mut *out, &transcript)?;
                out.write_all(b"\n")?;
            }
            Ok(())
        });
        written.map_err(LogError::Write)?;
        match notes {
            Ok(mut notes) => {
                notes.merge(hidden);
                self.notes.merge(notes);
            }
            Err(ReadError::Io(error)) if is_named => return Err(unreadable(error)),
            // There is nothing else to advise on.
            Err(error) if is_named && self.files == 1 => {
                return Err(LogError::Cli(CliError::Transcript { path: file.to_owned(), error }));
            }
            Err(error) => self.leave_out(name, error),
        }
        Ok(())
    }

    fn leave_out(&mut self, file: String, error: ReadError) {
        self.left_out += 1;
        let kind = match &error {
            ReadError::Io(error) => format!("files left out: {}", reason(error)),
            ReadError::UnknownFormat(found) => format!("files left out, found {found}"),
            ReadError::Nothing(_) => "files left out, without a conversation".to_owned(),
        };
        let mut notes = Notes { file, ..Notes::default() };
        notes.lost(kind, LogPlace::default());
        self.notes.merge(notes);
        if let ReadError::Nothing(notes) = error {
            self.notes.merge(*notes);
        }
    }

    /// A name that snapshots can have.
    fn unique_name(&self, stem: &str, number: usize) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        let stem: String = scenario_called(stem).chars().map(plain).collect();
        format!("{:04}-{}-{number}", self.written.len() + 1, stem.trim_matches(['.', '-']))
    }

    /// Returns true for a conversation that no earlier one equals or continues. Earlier ones that it continues are taken out.
    fn is_new(&mut self, transcript: &Transcript, name: String, file: &Rc<str>) -> bool {
        match self.repeats.add(transcript, self.written.len()) {
            Novelty::Equal => self.repeated("conversations that equal another one, which counts once", file),
            Novelty::Beginning => self.repeated(BEGINNINGS, file),
            Novelty::New(continued) => {
                for number in continued {
                    let earlier = self.written.get_mut(number).and_then(Option::take);
                    earlier.into_iter().for_each(|earlier| self.repeated(BEGINNINGS, &earlier.file));
                }
                self.written.push(Some(Conversation::of(transcript, name, file, &mut self.prices)));
                return true;
            }
        }
        false
    }

    fn repeated(&mut self, kind: &str, file: &Rc<str>) {
        let mut notes = Notes { file: file.to_string(), ..Notes::default() };
        notes.note(kind, LogPlace::default());
        self.notes.merge(notes);
    }
}

const BEGINNINGS: &str = "conversations that are the beginning of another one, which counts once";

impl Conversation {
    fn of(transcript: &Transcript, name: String, file: &Rc<str>, prices: &mut ModelPrices) -> Conversation {
        let mut spending = Spending::default();
        spending.add(transcript, prices);
        let mut answers = Answers::default();
        let models = transcript.messages.iter().filter_map(|message| message.usage.as_ref()?.model.as_ref());
        models.for_each(|model| answers.add(model, 1));
        Conversation {
            name,
            file: Rc::clone(file),
            format: transcript.source.as_ref().map(|source| source.format.clone()),
            billed: transcript.billed(),
            answers,
            days: days_of(transcript),
            compacted: Compacted::of(transcript),
            times: LogTimes::of(transcript),
            spending,
            marks: AgentMarks::of(transcript),
            calls_natively: !transcript.is_of_journal()
                && transcript.answers().any(|answer| !answer.tool_calls.is_empty()),
        }
    }
}

/// Error while a log is copied.
enum LogError {
    Cli(CliError),
    Write(io::Error),
}

/// The comparison of the strategies on logs.
pub(super) struct Advised {
    pub(super) comparison: Comparison,
    pub(super) requests: u64,
    /// The line on the prices.
    prices: Option<String>,
    /// The command that prints the recommended strategy for an agent, if it can be copied.
    apply: Option<String>,
}

impl Advised {
    pub(super) fn of(
        suite: &Suite,
        priced: Priced,
        arguments: &AdviseArguments,
        (conversations, tokenizer): (&Conversations, &CachedTokenizer),
    ) -> Result<Advised, CliError> {
        let (prices, models) = (priced.line(), kept_for(priced.models, arguments.ttl.or(suite.ttl)));
        arguments.today.warn(&models);
        let is_suite = conversations.written.is_empty();
        let asked = if is_suite { arguments.asked() } else { Vec::new() };
        let plan = Plan::new(suite, &asked::wanted(suite, &asked))?;
        let pool = Pool::new(arguments.jobs.into())?;
        let logged = logged_prices(suite, &arguments.model, arguments.ttl.or(suite.ttl));
        let (logged, warm_system) = (logged.as_ref(), suite.warm_system);
        let gauges = Gauges { tokenizer, models: &models, logged, warm_system };
        let pipeline = Pipeline::new(&plan, gauges);
        let selection = Selection::default();
        let mut header = pipeline.header(suite);
        header.suite = match &conversations.agent {
            Some(agent) => format!("{}: {agent}", arguments.title()),
            None => arguments.title(),
        };
        header.lacks_requests = true;
        header.tolerance = arguments.tolerance.over(header.tolerance);
        let failed = |error| CliError::WriteReports { folder: arguments.report_dir.clone(), error };
        let mut results = EvaluationResults::create(&arguments.report_dir, header.clone()).map_err(failed)?;
        let mut bills = Bills::default();
        let mut daily = DailyCost::default();
        let days = conversations.days();
        let mut broken = BrokenStrategies::default();
        let billed = if arguments.no_bills { BTreeMap::new() } else { conversations.billed() };
        let sources = suite.sources(&selection)?.map(|source| {
            source.map(|source| {
                // Errors must not name the temporary folder of the copy.
                let is_copy = !conversations.written.is_empty();
                if is_copy { ScenarioSource { path: LOGS.to_owned(), ..source } } else { source }
            })
        });
        let added = pipeline.run(&pool, (suite, &selection, &header), (0..).zip(sources), |all| {
            for evaluated in all {
                match results.add(evaluated?, suite)? {
                    Added::LeftOut => {}
                    Added::Unreadable(error) => err!("{error}"),
                    Added::Scenario(evaluation) => {
                        let EvaluatedScenario { record, explained, broken: strategies, stale, .. } =
                            *evaluation;
                        daily.add(days.get(record.name.as_str()).copied(), record.baseline(&header));
                        stale.iter().for_each(|stale| errln!("warning: {}", stale.describe()));
                        broken.add(&record.name, strategies).iter().for_each(|error| err!("{error}"));
                        match (explained, billed.get(record.name.as_str())) {
                            (Some(explained), _) => bills.add_requests(&explained),
                            (None, Some(billed)) => bills.add_run(&record, billed),
                            (None, None) => {}
                        }
                    }
                }
            }
            Ok(())
        });
        added.map_err(failed)?;
        let EvaluationResults { mut tally, destination, verdicts, uncounted_images, .. } = results;
        warn_of_images(uncounted_images);
        tally.billed = bills.of(&header.baseline);
        tally.spending = conversations.spending();
        for (model, tokens) in bills.factors() {
            tally.spending.others.set_factor(model, &header.tokenizer, tokens);
        }
        let mut comparison = tally.compare();
        comparison.verdicts = verdicts;
        comparison.facts = conversations.facts(arguments, &comparison, &daily);
        comparison.facts.extend(bills.facts(&comparison));
        conversations.add_agents(&mut comparison);
        conclude(&mut comparison, destination, None, false).map_err(failed)?;
        write_committed(&arguments.report_dir, &comparison).map_err(failed)?;
        let requests = comparison.strategies.first().map_or(0, |strategy| strategy.sums.requests);
        let apply = apply_command(&comparison, &plan, conversations.format())?;
        Ok(Advised { comparison, requests, prices, apply })
    }

    fn print(&self, arguments: &AdviseArguments, logs: &Conversations, color: Color) {
        let conversations = count(self.comparison.scenarios as usize, "conversation");
        let plural = if self.requests == 1 { "" } else { "s" };
        let left_out = match logs.left_out {
            0 => String::new(),
            number => {
                format!("; {} of {} files left out", grouped(number as u64), grouped(logs.files as u64))
            }
        };
        let agent = logs.agent.as_ref().map(|agent| format!("{agent}: ")).unwrap_or_default();
        outln!("{agent}{conversations}, {} request{plural}{left_out}\n", grouped(self.requests));
        write_painted(&recommendation(&self.comparison, self.prices.as_deref(), color));
        let facts = self.comparison.facts.iter().filter(|fact| fact.decides);
        facts.for_each(|fact| outln!("{}", fact.text));
        look_at_log(&self.comparison, arguments.save.as_deref()).iter().for_each(|line| outln!("{line}"));
        outln!("page:  {}", arguments.report_dir.join("index.html").display());
        self.apply.iter().for_each(|command| outln!("apply: {command}"));
        if let Some(folder) = &arguments.save {
            let folder = folder.display();
            match Advice::new(&self.comparison).recommended {
                Some(_) => {
                    outln!("suite: {folder}; ptc-eval run {folder} fails if its thresholds are crossed")
                }
                None => outln!("suite: {folder}; without thresholds, since nothing is recommended"),
            }
        }
    }

    fn exit(&self) -> Exit {
        Exit::of(&self.comparison)
    }

    /// Thresholds at the numbers of the recommended strategy; none if there is none.
    fn thresholds(&self) -> String {
        let advice = Advice::new(&self.comparison);
        let Some(strategy) = advice.recommended else { return String::new() };
        let bound = |metric: &str, bound: &str, value: String| {
            format!("  - {{strategy: {}, metric: {metric}, {bound}: {value}}}\n", strategy.name)
        };
        let tokens = bound("input_tokens", "max", strategy.sums.input_tokens.to_string());
        let lost = bound("lost", "max", strategy.sums.lost().to_string());
        format!("thresholds:\n{tokens}{lost}")
    }
}

/// The command that prints the recommended strategy for an agent whose logs have this format.
fn apply_command(
    comparison: &Comparison,
    plan: &Plan,
    format: Option<&str>,
) -> Result<Option<String>, CliError> {
    let Some(recommended) = Advice::new(comparison).recommended else { return Ok(None) };
    let variants = plan.settled()?;
    let variant = variants.iter().find(|variant| variant.name == recommended.name);
    Ok(variant.and_then(|variant| apply::command_line(variant, format)))
}
