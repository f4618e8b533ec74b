//! `ptc-eval run`, the main job: replay, measure, compare with snapshots and expectations, write reports.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::exit::Exit;
use super::snapshots::{Mode, Snapshots};
use super::suite::{Choice, Wanted, beside, count, is_partial, report, report_warnings, usage_error};
use super::terminal::{Color, INTERRUPTED, Paint};
use crate::replay::{Plan, Pool, ScenarioResult, in_order, replay};
use crate::report::comparison::{Comparison, Header};
use crate::report::{
    Gauges, Measured, ReportFolder, Tally, crossed, measure, stale, terminal, write_committed,
};
use crate::scenario::suite::{Bound, Source, Suite};
use crate::scenario::{Names, Options, Scenario, ScenarioError, Selection};
use crate::snapshot::store::Store;
use crate::snapshot::text::{self, Snapshot};
use crate::tokens::{DEFAULT_TOKENIZER, Price, PriceTable, Tokenizer};

/// Scenarios that are read from standard input.
const STANDARD_INPUT: &str = "-";

#[derive(Args, Clone, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    choice: Choice,
    /// Only this strategy, with these options (repeatable)
    #[arg(long, value_name = "NAME[,OPTION=VALUE…]")]
    strategy: Vec<Wanted>,
    /// What counts the tokens
    #[arg(long, value_name = "NAME")]
    tokenizer: Option<String>,
    /// A file of prices that replaces and extends the built-in table
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Threads; default: one a core. The results are the same for any number
    #[arg(long, short, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: usize,
    /// Where snapshots lie; default: beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    snapshot_dir: Option<PathBuf>,
    /// Where reports are written; default: beside the suite's folder
    #[arg(long, value_name = "FOLDER")]
    report_dir: Option<PathBuf>,
    /// Accept new and changed snapshots, remove those that nobody claims
    #[arg(long, conflicts_with = "locked")]
    accept: bool,
    /// Write no snapshots and no committed reports; stale ones fail. CI=true means the same
    #[arg(long)]
    locked: bool,
    /// What goes to standard output
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Say only what failed
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,
    /// Name every scenario as it is done
    #[arg(long, short)]
    verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table and what failed
    Human,
    /// One object
    Json,
    /// One line a scenario, the object last
    Jsonl,
}

/// Set by Ctrl-C.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

pub(super) fn run(arguments: &Arguments, color: Color) -> ExitCode {
    let started = Instant::now();
    // Without a handler Ctrl-C ends the process at once, which leaves whole files too.
    let _ = ctrlc::set_handler(|| INTERRUPT.store(true, Ordering::Relaxed));
    match Run::prepare(arguments, color).and_then(Run::go) {
        Ok(_) if INTERRUPT.load(Ordering::Relaxed) => {
            errln!("interrupted: snapshots so far are kept, reports are as they were");
            ExitCode::from(INTERRUPTED)
        }
        Ok(exit) => {
            if arguments.format == Format::Human && !arguments.quiet {
                outln!("{}", color.paint(Paint::Quiet, &format!("{:.2} s", started.elapsed().as_secs_f64())));
            }
            exit.into()
        }
        Err(message) => {
            err!("{message}");
            Exit::Unreadable.into()
        }
    }
}

/// Everything that a run needs, checked.
struct Run<'a> {
    arguments: &'a Arguments,
    color: Color,
    suite: Suite,
    selection: Selection,
    plan: Plan,
    tokenizer: Tokenizer,
    models: Vec<Price>,
    pool: Pool,
    report_dir: PathBuf,
    snapshot_dir: PathBuf,
    is_locked: bool,
    is_whole: bool,
    /// An option of the command line changes what strategies render or tokens count.
    is_overridden: bool,
}

/// What a worker made of one text.
enum Done {
    /// Not wanted.
    Skipped,
    Unreadable(ScenarioError),
    Replayed(Box<Finished>),
}

struct Finished {
    result: ScenarioResult,
    measured: Measured,
    snapshots: Vec<Snapshot>,
}

/// What a run has found so far.
struct Findings {
    tally: Tally,
    snapshots: Snapshots,
    names: Names,
    folder: ReportFolder,
    replayed: usize,
    unreadable: usize,
    failures: Vec<String>,
}

impl<'a> Run<'a> {
    fn prepare(arguments: &'a Arguments, color: Color) -> Result<Run<'a>, String> {
        let suite = arguments.open_suite()?;
        let selection = match arguments.reads_standard_input() {
            true => Selection {
                tags: arguments.choice.tag.clone(),
                filter: arguments.choice.filter.clone(),
                ..Selection::default()
            },
            false => arguments.choice.selection(&suite),
        };
        let wanted = arguments.wanted_strategies(&suite);
        let plan = Plan::new(&suite, &wanted).map_err(|error| usage_error(&error))?;
        let name = arguments.tokenizer.as_deref().or(suite.tokenizer.as_deref()).unwrap_or(DEFAULT_TOKENIZER);
        let tokenizer = Tokenizer::named(name).map_err(|error| format!("error: {error}\n"))?;
        let models = arguments.models(&suite)?;
        let pool = Pool::new(arguments.jobs).map_err(|error| format!("error: no threads: {error}\n"))?;
        let is_locked = arguments.locked || std::env::var("CI").is_ok_and(|value| value == "true");
        if is_locked && arguments.accept {
            return Err("error: nothing can be accepted with CI=true\n".to_string());
        }
        let is_overridden = arguments.tokenizer.is_some()
            || arguments.prices.is_some()
            || arguments.strategy.iter().any(|wanted| !wanted.options.is_empty());
        Ok(Run {
            color,
            report_dir: arguments.report_dir.clone().unwrap_or_else(|| beside(&suite, "reports")),
            snapshot_dir: arguments.snapshot_dir.clone().unwrap_or_else(|| beside(&suite, "snapshots")),
            is_locked,
            is_whole: !is_partial(&selection)
                && arguments.strategy.is_empty()
                && !arguments.reads_standard_input(),
            is_overridden,
            arguments,
            suite,
            selection,
            plan,
            tokenizer,
            models,
            pool,
        })
    }

    fn go(self) -> Result<Exit, String> {
        let mut findings = self.begin().map_err(|error| self.cannot_write(&error))?;
        self.replay_all(&mut findings)?;
        if INTERRUPT.load(Ordering::Relaxed) {
            return Ok(Exit::Failed);
        }
        if findings.replayed == 0 && findings.unreadable == 0 {
            errln!("no scenario matches the selection; ptc-eval list scenarios shows what there is");
            return Ok(Exit::NothingSelected);
        }
        self.conclude(findings)
    }

    fn begin(&self) -> io::Result<Findings> {
        let header = Header {
            tokenizer: self.tokenizer.name().to_string(),
            strategies: self.plan.names().into_iter().map(str::to_string).collect(),
            baseline: self.baseline(),
            models: self.models.clone(),
        };
        let mode = match (self.arguments.accept, self.is_locked) {
            (true, _) => Mode::Accept,
            (false, true) => Mode::Locked,
            (false, false) => Mode::Pend,
        };
        Ok(Findings {
            tally: Tally::new(header.clone()),
            snapshots: Snapshots::new(Store { folder: self.snapshot_dir.clone() }, mode),
            names: Names::default(),
            folder: ReportFolder::create(&self.report_dir, header)?,
            replayed: 0,
            unreadable: 0,
            failures: Vec::new(),
        })
    }

    /// The suite's baseline, or the first strategy where that is not run.
    fn baseline(&self) -> String {
        let names = self.plan.names();
        let first = names.first().copied().unwrap_or_default();
        let chosen = names.iter().find(|name| **name == self.suite.baseline).copied();
        chosen.unwrap_or(first).to_string()
    }

    fn replay_all(&self, findings: &mut Findings) -> Result<(), String> {
        let mut problem = None;
        let take = |done: Done| match self.take(done, findings) {
            Ok(()) if INTERRUPT.load(Ordering::Relaxed) => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                problem = Some(self.cannot_write(&error));
                ControlFlow::Break(())
            }
        };
        if self.arguments.reads_standard_input() {
            let scenarios = self.suite.lines(io::stdin().lock(), &self.selection);
            in_order(
                &self.pool,
                scenarios.collect::<Vec<_>>().into_iter(),
                |scenario| self.work(scenario),
                take,
            );
        } else {
            let sources = self.suite.sources(&self.selection).map_err(|error| error.to_string())?;
            let load =
                |source: Result<Source, ScenarioError>| source.and_then(|source| self.suite.load(&source));
            in_order(&self.pool, sources, |source| self.work(load(source)), take);
        }
        problem.map_or(Ok(()), Err)
    }

    /// All that can be done for one scenario without the others; runs on the pool.
    fn work(&self, scenario: Result<Scenario, ScenarioError>) -> Done {
        let scenario = match scenario {
            Ok(scenario) if !self.selection.admits(&scenario) => return Done::Skipped,
            Ok(scenario) => scenario,
            Err(error) => return Done::Unreadable(error),
        };
        let origin = scenario.origin.clone();
        match replay(scenario, &self.plan, &|text| u64::from(self.tokenizer.count(text))) {
            Ok(result) => {
                let gauges = Gauges { tokenizer: &self.tokenizer, models: &self.models };
                let measured = measure(&result, &gauges);
                let snapshots =
                    if self.compares_snapshots() { text::of_scenario(&result) } else { Vec::new() };
                Done::Replayed(Box::new(Finished { result, measured, snapshots }))
            }
            Err(error) => {
                let problem = crate::scenario::Problem::of_file(
                    &origin.path,
                    error.to_string(),
                    "see ptc-eval list strategies",
                );
                Done::Unreadable(problem.into())
            }
        }
    }

    /// Takes in what a worker made, in the order of the suite.
    fn take(&self, done: Done, findings: &mut Findings) -> io::Result<()> {
        let finished = match done {
            Done::Skipped => return Ok(()),
            Done::Unreadable(error) => {
                report(&error);
                findings.unreadable += 1;
                return Ok(());
            }
            Done::Replayed(finished) => finished,
        };
        let Finished { result, measured, snapshots } = *finished;
        if let Err(error) = findings.names.claim(&result.scenario) {
            report(&error);
            findings.unreadable += 1;
            return Ok(());
        }
        report_warnings(&result.scenario);
        findings.replayed += 1;
        findings.tally.add(&measured);
        findings.folder.scenario(&result, &measured)?;
        for snapshot in &snapshots {
            findings.snapshots.take(snapshot)?;
        }
        self.tell(&result, &measured, findings);
        Ok(())
    }

    fn tell(&self, result: &ScenarioResult, measured: &Measured, findings: &mut Findings) {
        let origin = &result.scenario.origin;
        if result.unused_responses > 0 {
            let (count, path) = (result.unused_responses, &origin.path);
            errln!("warning: {path}: the run ended before {count} of its responses");
        }
        for failure in &measured.failures {
            let (what, expected, found) = (&failure.what, &failure.expected, &failure.found);
            let line = origin.line_of_expectation(what);
            findings
                .failures
                .push(format!("{}:{line}: {what}: expected {expected}, found {found}", origin.path));
        }
        if self.arguments.format == Format::Jsonl {
            outln!("{}", scenario_line(measured));
        } else if self.arguments.verbose {
            errln!("{}: {}", measured.name, measured.outcome);
        }
    }

    /// Snapshots say what strategies render by themselves, not what the command line makes of them.
    fn compares_snapshots(&self) -> bool {
        !self.is_overridden && !self.arguments.reads_standard_input()
    }

    fn conclude(&self, findings: Findings) -> Result<Exit, String> {
        let Findings { tally, mut snapshots, folder, replayed, unreadable, failures, .. } = findings;
        let is_judged = self.is_whole && !self.is_overridden && unreadable == 0;
        if is_judged {
            snapshots.finish_suite().map_err(|error| self.cannot_write(&error))?;
        }
        let comparison = tally.compare();
        folder.finish(&comparison).map_err(|error| self.cannot_write(&error))?;
        let crossed = if is_judged { self.crossed(&comparison)? } else { Vec::new() };
        let stale = self.committed(&comparison, is_judged).map_err(|error| self.cannot_write(&error))?;
        let exit = [
            (unreadable > 0, Exit::Unreadable),
            (!failures.is_empty() || !crossed.is_empty() || snapshots.has_changed(), Exit::Failed),
            (!stale.is_empty() || snapshots.has_orphans(), Exit::Stale),
            (snapshots.has_new(), Exit::Unreviewed),
        ]
        .into_iter()
        .find_map(|(is_so, exit)| is_so.then_some(exit))
        .unwrap_or(Exit::Success);
        let closing = Closing {
            run: self,
            comparison,
            snapshots,
            replayed,
            unreadable,
            failures,
            crossed,
            stale,
            is_judged,
            exit,
        };
        closing.tell();
        Ok(exit)
    }

    fn crossed(&self, comparison: &Comparison) -> Result<Vec<String>, String> {
        let needs_baseline =
            self.suite.thresholds.iter().any(|row| matches!(row.bound, Bound::MaxIncrease(_)));
        let baseline = if needs_baseline { super::baseline::committed(&self.report_dir) } else { None };
        crossed(comparison, &self.suite.thresholds, baseline.as_deref())
            .map(|crossed| crossed.iter().map(ToString::to_string).collect())
            .map_err(|error| format!("error: {error}\n"))
    }

    /// Writes the committed reports, or says which of them are stale where nothing may be written.
    fn committed(&self, comparison: &Comparison, is_judged: bool) -> io::Result<Vec<&'static str>> {
        if !is_judged {
            return Ok(Vec::new());
        }
        if self.is_locked {
            return stale(&self.report_dir, comparison);
        }
        write_committed(&self.report_dir, comparison)?;
        Ok(Vec::new())
    }

    fn cannot_write(&self, error: &io::Error) -> String {
        let (reports, snapshots) = (self.report_dir.display(), self.snapshot_dir.display());
        format!(
            "error: cannot write to {reports} or {snapshots}: {error}\n  = help: --report-dir and --snapshot-dir name other folders\n"
        )
    }
}

impl Arguments {
    fn reads_standard_input(&self) -> bool {
        matches!(self.choice.paths.as_slice(), [path] if path.as_os_str() == STANDARD_INPUT)
    }

    fn open_suite(&self) -> Result<Suite, String> {
        let choice = match self.reads_standard_input() {
            true => Choice { paths: Vec::new(), ..self.choice.clone() },
            false => self.choice.clone(),
        };
        choice.open().map_err(|error| error.to_string())
    }

    fn wanted_strategies(&self, suite: &Suite) -> Vec<(String, Options)> {
        if self.strategy.is_empty() {
            return suite.strategies.iter().map(|name| (name.clone(), Options::default())).collect();
        }
        self.strategy.iter().map(|wanted| (wanted.name.clone(), wanted.options.clone())).collect()
    }

    /// The prices of the suite's models.
    fn models(&self, suite: &Suite) -> Result<Vec<Price>, String> {
        let mut table = PriceTable::built_in().map_err(|error| format!("error: {error}\n"))?;
        if let Some(path) = &self.prices {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(path)
                .map_err(|error| format!("error: cannot read {name}: {error}\n"))?;
            table.extend(&name, &text).map_err(|error| format!("error: {error}\n"))?;
        }
        let find = |name: &String| {
            let unknown =
                || format!("error: the price table has no model '{name}'; see ptc-eval list models\n");
            table.find(name).cloned().ok_or_else(unknown)
        };
        suite.models.iter().map(find).collect()
    }
}

/// What a run says at its end.
struct Closing<'r> {
    run: &'r Run<'r>,
    comparison: Comparison,
    snapshots: Snapshots,
    replayed: usize,
    unreadable: usize,
    failures: Vec<String>,
    crossed: Vec<String>,
    stale: Vec<&'static str>,
    /// Whether the committed reports were judged or written.
    is_judged: bool,
    exit: Exit,
}

impl Closing<'_> {
    fn tell(&self) {
        if self.run.arguments.format != Format::Human {
            return outln!("{}", self.summary());
        }
        let color = self.run.color;
        if !self.run.arguments.quiet {
            outln!("{}", terminal::strategy_table(&self.comparison));
        }
        for row in self.snapshots.report() {
            outln!("{}", color.row(&row));
        }
        self.list("failed:", &self.failures);
        self.list("thresholds crossed:", &self.crossed);
        for file in &self.stale {
            outln!("{} is stale: run ptc-eval and commit it", self.run.report_dir.join(file).display());
        }
        let paint = if self.exit == Exit::Success { Paint::Good } else { Paint::Bad };
        outln!("{}", color.paint(paint, &self.verdict()));
        if let Some(next) = self.next() {
            outln!("{next}");
        }
    }

    fn list(&self, title: &str, lines: &[String]) {
        if !lines.is_empty() {
            outln!("{title}");
            lines.iter().for_each(|line| outln!("  {line}"));
            outln!();
        }
    }

    fn verdict(&self) -> String {
        let mut parts =
            vec![count(self.replayed, "scenario"), count(self.comparison.strategies.len(), "strategy")];
        if self.snapshots.same() > 0 {
            parts.push(format!("{} unchanged", count(self.snapshots.same(), "snapshot")));
        }
        if self.comparison.failed > 0 {
            parts.push(format!("{} failed", self.comparison.failed));
        }
        if self.unreadable > 0 {
            parts.push(format!("{} cannot be read", count(self.unreadable, "file")));
        }
        if self.exit == Exit::Success {
            parts.push("all as expected".to_string());
        }
        parts.join(", ")
    }

    /// What to do now.
    fn next(&self) -> Option<String> {
        let reports = self.run.report_dir.join("summary.md");
        match self.exit {
            Exit::Success if self.run.arguments.quiet => None,
            Exit::Success if !self.is_judged => {
                let results = self.run.report_dir.join("results.json");
                Some(format!(
                    "reports: {} (not of the whole suite as it is, so summary.md stays)",
                    results.display()
                ))
            }
            Exit::Success => Some(format!("reports: {}", reports.display())),
            _ if self.snapshots.has_changed() || self.snapshots.has_new() => {
                Some("next: ptc-eval review".to_string())
            }
            _ if self.snapshots.has_orphans() => {
                Some("next: ptc-eval run --accept removes snapshots that nobody claims".to_string())
            }
            Exit::Unreadable => Some("next: ptc-eval check".to_string()),
            _ => Some(format!("next: look at {}", reports.display())),
        }
    }

    fn summary(&self) -> serde_json::Value {
        let strategies = self.comparison.strategies.iter().map(|strategy| {
            let cells = strategy.cells().into_iter().map(|(name, cell)| (name, cell.to_json()));
            std::iter::once(("name".to_string(), json!(strategy.name)))
                .chain(cells)
                .collect::<serde_json::Map<_, _>>()
        });
        json!({
            "exit_code": self.exit.code(),
            "scenarios": self.replayed,
            "failed": self.comparison.failed,
            "unreadable": self.unreadable,
            "failures": self.failures,
            "thresholds_crossed": self.crossed,
            "strategies": strategies.collect::<Vec<_>>(),
        })
    }
}

/// One scenario as a line of JSON.
fn scenario_line(measured: &Measured) -> serde_json::Value {
    let tokens = measured
        .strategies
        .iter()
        .map(|run| (run.name.to_string(), json!({"input_tokens": run.input_tokens()})));
    json!({
        "scenario": measured.name,
        "outcome": measured.outcome,
        "failures": measured.failures.iter().map(|failure| &failure.what).collect::<Vec<_>>(),
        "strategies": tokens.collect::<serde_json::Map<_, _>>(),
    })
}
