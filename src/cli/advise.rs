//! `ptc-eval advise`: reads logs of any agent and says which strategy its owner should use.

mod save;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;
use clap::builder::PossibleValuesParser;

use self::save::SaveFolder;
use super::broken::BrokenStrategies;
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::import::stem;
use super::new::write_file;
use super::priced::{Answers, Priced};
use super::recommendation::recommendation;
use super::suite::{Permission, ToleranceArguments, count, known, price_table, warn_of_images};
use super::terminal::{Color, write_painted};
use super::today::Today;
use super::token_cache::CachedTokenizer;
use crate::evaluate::{EvaluateError, Pipeline, Plan, Pool, RunResults, conclude};
use crate::measure::numbers::grouped;
use crate::report::{Advice, Billed, Comparison, Gauges, ScenarioRecord, TooLittle};
use crate::scenario::suite::{Selection, Suite};
use crate::scenario::{ScenarioSource, files, reason};
use crate::snapshot::atomic::write_atomically;
use crate::transcript::{
    self as transcripts, FORMATS, LogFormat, LogPlace, Notes, Novelty, ReadError, Repeats, Transcript, read,
};
use ptc_tokens::Price;

/// Strategies, variants and settings of a suite that is made of logs. Prices and models follow.
const SUITE: &str = include_str!("advise.yaml");
/// The file of the suite that holds the conversations.
const LOGS: &str = "logs.jsonl";
const SUITE_FILE: &str = "suite.yaml";

#[derive(Args, Default)]
pub(super) struct AdviseArguments {
    /// Logs in any format that ptc-eval list formats shows, folders of them, or the folder of a suite
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format of the logs; default: recognised by the content
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(FORMATS.iter().map(|format| format.name)))]
    from: Option<String>,
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
    #[command(flatten)]
    tolerance: ToleranceArguments,
    /// Do not compare with what the logs say was billed, and recommend even if less than half of it is counted
    #[arg(long)]
    no_bills: bool,
    /// The folder for the page and the reports
    #[arg(long, value_name = "FOLDER", default_value = "reports/advice")]
    report_dir: PathBuf,
    /// Keep the logs as a suite in this folder, with thresholds at today's numbers
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Conversations that are evaluated at the same time; default: one a core
    #[arg(long, short, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: u16,
    #[command(flatten)]
    permission: Permission,
}

impl AdviseArguments {
    /// The defaults, with reports in this folder.
    pub(super) fn reporting_to(report_dir: PathBuf) -> AdviseArguments {
        AdviseArguments { report_dir, ..AdviseArguments::default() }
    }
}

pub(super) fn run(arguments: &AdviseArguments, color: Color) -> CliResult {
    let table = price_table(arguments.prices.as_deref())?;
    if let [folder] = arguments.files.as_slice()
        && folder.join(SUITE_FILE).is_file()
    {
        let suite = Suite::open(folder, known(arguments.permission, Some(&table)))?;
        let priced = Priced::named(&table, &arguments.model, &suite.models)?;
        let none = Conversations::default();
        let advised = Advised::of(&suite, priced, arguments, &none)?;
        return Ok(advised.print(arguments, &none, color));
    }
    let named = Priced::named(&table, &arguments.model, &[])?;
    let scratch = tempfile::tempdir().map_err(CliError::Io)?;
    let folder = scratch.path();
    let saved = arguments.save.as_deref().map(SaveFolder::open).transpose()?;
    let conversations = Conversations::write(&folder.join(LOGS), arguments)?;
    conversations.notes.lines().for_each(|line| errln!("note: {line}"));
    if conversations.written.is_empty() {
        errln!("there is no conversation in these logs");
        return Ok(Exit::NothingSelected);
    }
    let priced =
        if named.models.is_empty() { Priced::of_logs(&table, &conversations.answers())? } else { named };
    let settings = settings(&priced.models) + &arguments.tolerance.settings();
    write_file(&folder.join(SUITE_FILE), &settings)?;
    let suite = Suite::open(folder, known(arguments.permission, Some(&table)))?;
    let advised = Advised::of(&suite, priced, arguments, &conversations)?;
    if let Some(saved) = saved {
        saved.write(&(settings + &advised.thresholds()), &folder.join(LOGS))?;
    }
    Ok(advised.print(arguments, &conversations, color))
}

/// The suite's file for these models. The prices of the first one set those that `fold` decides by.
fn settings(models: &[Price]) -> String {
    let names: Vec<&str> = models.iter().map(|model| model.model.as_str()).collect();
    let mut text = format!("{SUITE}models: [{}]\n", names.join(", "));
    if let Some(model) = models.first().filter(|model| model.input > 0.0) {
        let (read, write) = (model.read / model.input, model.write.unwrap_or(model.input) / model.input);
        text += &format!("compression: {{read: {read}, write: {write}}}\n");
    }
    text
}

/// The conversations of logs, written to one file: each once, however many logs hold it or a beginning of it.
#[derive(Default)]
pub(super) struct Conversations {
    /// By their line in the file, from 0, with those that a later one continues.
    written: Vec<Option<Conversation>>,
    repeats: Repeats,
    /// Notes on all logs, those on lost content first.
    notes: Notes,
    files: usize,
    left_out: usize,
}

/// A conversation without its content.
struct Conversation {
    name: String,
    /// The log that it was read from.
    file: Rc<str>,
    /// Input tokens that the provider billed.
    billed: Option<transcripts::Billed>,
    answers: Answers,
}

impl Conversations {
    fn write(path: &Path, arguments: &AdviseArguments) -> Result<Conversations, CliError> {
        let failed = |error| CliError::Write(path.to_owned(), error);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(failed)?;
        let mut all = Conversations::default();
        let mut files = Vec::new();
        for file in &arguments.files {
            collect(file, &mut files).map_err(|error| CliError::Read(file.clone(), error))?;
        }
        all.files = files.len();
        let mut unreadable = None;
        let written = write_atomically(path, |out| {
            for file in &files {
                let is_named = arguments.files.contains(file);
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

    fn kept(&self) -> impl Iterator<Item = &Conversation> {
        self.written.iter().flatten()
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
        self.kept().filter_map(|one| Some((one.name.as_str(), one.billed.as_ref()?))).collect()
    }

    /// Adds the conversations of one log. One of several files that cannot be read as a log is told and passed over.
    fn add_log(
        &mut self,
        file: &Path,
        is_named: bool,
        arguments: &AdviseArguments,
        out: &mut dyn Write,
    ) -> Result<(), LogError> {
        let name = file.display().to_string();
        let unreadable = |error| LogError::Cli(CliError::Read(file.to_owned(), error));
        let log = match files::open(file) {
            Ok(log) => log,
            Err(error) if is_named => return Err(unreadable(error)),
            Err(error) => {
                self.leave_out(name, ReadError::Io(error));
                return Ok(());
            }
        };
        let from = arguments.from.as_deref().and_then(LogFormat::named);
        let (stem, file_name) = (stem(file), Rc::<str>::from(name.as_str()));
        let (mut number, mut written) = (0, Ok(()));
        let notes = read(BufReader::new(log), &name, from, &mut |mut transcript| {
            number += 1;
            let name = self.unique_name(&stem, number);
            transcript.name = Some(name.clone());
            if self.is_new(&transcript, name, &file_name) {
                written = serde_json::to_writer(&mut *out, &transcript)
                    .map_err(io::Error::from)
                    .and_then(|()| out.write_all(b"\n"));
            }
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        written.map_err(LogError::Write)?;
        match notes {
            Ok(notes) => self.notes.merge(notes),
            Err(ReadError::Io(error)) if is_named => return Err(unreadable(error)),
            Err(error) if is_named && self.files == 1 => {
                return Err(LogError::Cli(CliError::Transcript(file.to_owned(), error)));
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
        let stem: String = stem.chars().map(plain).collect();
        format!("{:04}-{}-{number}", self.written.len() + 1, stem.trim_matches(['.', '-']))
    }

    /// Returns true if no conversation so far equals this one or goes on where it ends. It takes the place of those that
    /// are its beginning.
    fn is_new(&mut self, transcript: &Transcript, name: String, file: &Rc<str>) -> bool {
        match self.repeats.add(transcript, self.written.len()) {
            Novelty::Equal => self.repeated("conversations that equal another one, which counts once", file),
            Novelty::Beginning => self.repeated(BEGINNINGS, file),
            Novelty::New(continued) => {
                for number in continued {
                    let earlier = self.written.get_mut(number).and_then(Option::take);
                    earlier.into_iter().for_each(|earlier| self.repeated(BEGINNINGS, &earlier.file));
                }
                self.written.push(Some(Conversation::of(transcript, name, file)));
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
    fn of(transcript: &Transcript, name: String, file: &Rc<str>) -> Conversation {
        let mut answers = Answers::default();
        let models = transcript.messages.iter().filter_map(|message| message.usage.as_ref()?.model.as_ref());
        models.for_each(|model| answers.add(model, 1));
        Conversation { name, file: Rc::clone(file), billed: transcript.billed(), answers }
    }
}

/// Error while a log is copied.
enum LogError {
    Cli(CliError),
    Write(io::Error),
}

/// A file, or all files below a folder in order of their paths.
pub(super) fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    entries.sort();
    let is_hidden =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    entries.into_iter().filter(|entry| !is_hidden(entry)).try_for_each(|entry| {
        // A link to a folder may lead in a circle, or to logs that are read anyway. As a file it is left out and named.
        if entry.is_symlink() {
            files.push(entry);
            return Ok(());
        }
        collect(&entry, files)
    })
}

/// The comparison of the strategies on logs.
pub(super) struct Advised {
    pub(super) comparison: Comparison,
    pub(super) requests: u64,
    bills: Bills,
    /// The line on the prices.
    prices: Option<String>,
}

/// The conversations of which the log says what was billed.
#[derive(Default)]
struct Bills {
    number: usize,
    billed: u64,
    /// Tokens that were counted, by strategy.
    counted: BTreeMap<String, u64>,
}

impl Bills {
    fn add(&mut self, record: &ScenarioRecord, billed: &transcripts::Billed) {
        self.number += 1;
        self.billed += billed.input_tokens;
        for run in &record.strategies {
            let requests =
                run.requests.iter().filter(|request| billed.unbilled.binary_search(&request.turn).is_err());
            let tokens: u64 = requests.map(|request| u64::from(request.input_tokens)).sum();
            *self.counted.entry(run.name.to_string()).or_default() += tokens;
        }
    }

    /// Input tokens that were billed for the runs, and those counted in the same requests of this strategy.
    fn of(&self, strategy: &str) -> Option<Billed> {
        let counted = self.counted.get(strategy).filter(|_| self.number > 0)?;
        Some(Billed { counted: *counted, billed: self.billed })
    }

    fn print(&self, comparison: &Comparison) {
        let baseline = comparison.header.baseline.as_str();
        let (bills, billed) = (count(self.number, "log"), self.billed);
        let Some(Billed { counted, .. }) = self.of(baseline) else { return };
        outln!(
            "counted {} input tokens where the bills of {bills} say {}",
            grouped(counted),
            grouped(billed)
        );
        let nearest = self.counted.iter().min_by_key(|(_, tokens)| tokens.abs_diff(billed));
        let nearest = nearest.filter(|(_, tokens)| tokens.abs_diff(billed) <= billed / 50);
        match nearest {
            _ if billed > counted + counted / 20 => {
                outln!("  more were billed: another tokenizer, or content that the logs lack");
                if matches!(comparison.too_little, Some(TooLittle::Counted(_))) {
                    outln!("  --no-bills recommends by what is counted");
                }
            }
            _ if counted <= billed + billed / 20 => {}
            Some((name, tokens)) => {
                outln!("  fewer were billed, about what {name} has: {}", grouped(*tokens));
            }
            None => {
                outln!("  fewer were billed: another tokenizer, or an agent that shortens its history");
            }
        }
    }
}

impl Advised {
    pub(super) fn of(
        suite: &Suite,
        priced: Priced,
        arguments: &AdviseArguments,
        conversations: &Conversations,
    ) -> Result<Advised, CliError> {
        let (prices, models) = (priced.line(), priced.models);
        arguments.today.warn(&models);
        let plan = Plan::of(suite).map_err(CliError::Setting)?;
        let tokenizer = CachedTokenizer::of(arguments.tokenizer.as_deref(), suite)?;
        let pool = Pool::new(arguments.jobs.into()).map_err(|error| CliError::Threads(error.to_string()))?;
        let gauges = Gauges { tokenizer: &tokenizer, models: &models, warm_system: suite.warm_system };
        let pipeline = Pipeline::new(&plan, gauges);
        let selection = Selection::default();
        let mut header = pipeline.header(suite);
        header.suite = names(&arguments.files);
        header.lacks_requests = true;
        header.tolerance = arguments.tolerance.over(header.tolerance);
        let failed = |error| CliError::WriteReports(arguments.report_dir.clone(), error);
        let mut results = RunResults::create(&arguments.report_dir, header.clone()).map_err(failed)?;
        let (mut problem, mut bills) = (Ok(()), Bills::default());
        let mut broken = BrokenStrategies::default();
        let billed = if arguments.no_bills { BTreeMap::new() } else { conversations.billed() };
        let sources = suite.sources(&selection)?.map(|source| {
            source.map(|source| {
                let is_copy = !conversations.written.is_empty();
                if is_copy { ScenarioSource { path: LOGS.to_owned(), ..source } } else { source }
            })
        });
        pipeline.run(&pool, (suite, &selection, &header), (0..).zip(sources), |evaluated| {
            match results.add(evaluated, suite) {
                Ok(None) => {}
                Ok(Some(evaluation)) => {
                    let record = &evaluation.record;
                    broken.add(&record.name, evaluation.broken).iter().for_each(|error| err!("{error}"));
                    if let Some(billed) = billed.get(record.name.as_str()) {
                        bills.add(record, billed);
                    }
                }
                Err(EvaluateError::Scenario(error)) => err!("{error}"),
                Err(EvaluateError::Io(error)) => {
                    problem = Err(failed(error));
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        problem?;
        let RunResults { mut tally, destination, verdicts, uncounted_images, .. } = results;
        warn_of_images(uncounted_images);
        tally.billed = bills.of(&header.baseline);
        let mut comparison = tally.compare();
        comparison.verdicts = verdicts;
        conclude(&mut comparison, destination, None, false).map_err(failed)?;
        let requests = comparison.strategies.first().map_or(0, |strategy| strategy.sums.requests);
        Ok(Advised { comparison, requests, bills, prices })
    }

    fn print(&self, arguments: &AdviseArguments, logs: &Conversations, color: Color) -> Exit {
        let conversations = count(self.comparison.scenarios as usize, "conversation");
        let plural = if self.requests == 1 { "" } else { "s" };
        let left_out = match logs.left_out {
            0 => String::new(),
            number => format!("; {number} of {} files left out", logs.files),
        };
        outln!("{conversations}, {} request{plural}{left_out}\n", grouped(self.requests));
        write_painted(&recommendation(&self.comparison, self.prices.as_deref(), color));
        self.bills.print(&self.comparison);
        outln!("page:  {}", arguments.report_dir.join("index.html").display());
        if let Some(folder) = &arguments.save {
            let folder = folder.display();
            match Advice::new(&self.comparison).recommended {
                Some(_) => outln!("suite: {folder}; ptc-eval run {folder} holds its thresholds"),
                None => outln!("suite: {folder}; without thresholds, since nothing is recommended"),
            }
        }
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

fn names(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" ")
}
