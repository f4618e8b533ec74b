//! `ptc-eval run`, the main command: evaluates a suite and writes reports.

mod arguments;
mod input;
mod neighbour;
mod prepare;
mod rejected;
mod report;
mod summary;
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::advise::folder_of_names;
use super::apply;
use super::broken::BrokenStrategies;
use super::crossed::Contributions;
use super::earlier::{CommittedGolden, CommittedSuite};
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::failures::Failures;
use super::interrupt;
use super::logs::standard_input;
use super::progress::Progress;
use super::suite::{beside, count, named_folder, nothing_selected, warn_of_images};
use super::terminal::{Color, QUIET, keep_secrets, write_painted};
use super::token_cache::CachedTokenizer;
use super::tune;
use crate::evaluate::{
    Added, Destination, DifferenceFinder, EarlierSuite, EvaluatedSource, EvaluationResults,
    EvaluationSnapshots, Pipeline, Plan, Pool, SnapshotComparer, SnapshotMode, TimeLimit, conclude,
};
use crate::measure::DatedPrices;
use crate::report::change::{ScenarioDifference, WaitingChanges};
use crate::report::{Advice, Against, Comparison, FailedNames, Gauges, Header, Offered, Usage};
use crate::scenario::suite::Suite;
use crate::scenario::{SUITE_FILE, ScenarioError, ScenarioSource, Selection};
use crate::snapshot::store::Listing;
use crate::snapshot::view::{Row, Tint};
pub(super) use arguments::{OutputFormat, ReportFiles, RunArguments, is_locked, place};
use prepare::Scope;
use rejected::rejection_reason;
pub(super) use report::scenario_line;
pub(super) use summary::{
    EvaluationSummary, describe_variant, description_of, price_in_words, print_usage, strategies_json,
    usage_of,
};

/// Set by Ctrl-C.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

/// True if the output pipe is closed. Ends the evaluation like Ctrl-C.
static OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// The exit code of an interrupted evaluation.
fn exit_of_interruption() -> Exit {
    if OUTPUT_CLOSED.load(Ordering::Relaxed) { Exit::OutputClosed } else { Exit::Interrupted }
}

pub(super) fn run(arguments: &RunArguments, color: Color) -> CliResult {
    let arguments = &arguments.with_accepted_path();
    if arguments.keep_secrets {
        keep_secrets();
    }
    // Ctrl-C would be safe without a handler, too: no file is ever truncated. With it, running scenarios are finished first. A second
    // Ctrl-C does not wait for them, and neither does the first if scenarios are typed on a terminal.
    let is_typed = arguments.reads_standard_input() && io::stdin().is_terminal();
    interrupt::handle(move || {
        if INTERRUPT.swap(true, Ordering::Relaxed) || is_typed {
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
    if let Some(tuning) = arguments.tuning() {
        return tune::run(&tuning, color);
    }
    arguments.check()?;
    if arguments.watch {
        return Ok(watch::watch(arguments, || run_once(arguments, color).unwrap_or_else(CliError::tell)));
    }
    run_once(arguments, color)
}

fn run_once(arguments: &RunArguments, color: Color) -> CliResult {
    let started = Instant::now();
    let exit = Evaluation::prepare(arguments, color)?.go()?;
    if INTERRUPT.load(Ordering::Relaxed) {
        errln!("interrupted: snapshots so far are kept, reports are as they were");
        return Ok(exit_of_interruption());
    }
    if arguments.format == OutputFormat::Human && !arguments.quiet {
        let took = format!("took {:.2} s", started.elapsed().as_secs_f64());
        write_painted(&(color.paint(QUIET, &took) + "\n"));
    }
    Ok(exit)
}

/// A prepared evaluation with validated input.
struct Evaluation<'a> {
    arguments: &'a RunArguments,
    color: Color,
    suite: Suite,
    selection: Selection,
    scope: Scope,
    plan: Plan,
    tokenizer: CachedTokenizer,
    /// Prices for the answers of transcripts, if the suite asks for them.
    logged: Option<DatedPrices>,
    /// The time limit of each scenario.
    time_limit: Option<TimeLimit>,
    header: Header,
    pool: Pool,
    report_dir: PathBuf,
    /// The report to compare a complete evaluation with.
    against: Option<Against>,
    /// The suite at the revision of the golden files.
    earlier: CommittedSuite,
    /// The golden files of the revision given to `--against`. `None`: compare with the accepted ones.
    committed_golden: Option<CommittedGolden>,
    comparer: SnapshotComparer,
    /// The files of the snapshot folder, if it was listed.
    listing: Option<Arc<Listing>>,
    /// Scenarios that failed in earlier runs. `None` for standard input.
    failed: Option<FailedNames>,
}

/// Progress, and the errors and findings of scenarios to print at the end.
struct Output {
    progress: Progress,
    failures: Failures,
    broken: BrokenStrategies,
    contributions: Contributions,
}

impl Evaluation<'_> {
    fn go(self) -> CliResult {
        if self.selection.names.as_ref().is_some_and(BTreeSet::is_empty) {
            errln!("nothing failed in the last run");
            return Ok(Exit::Success);
        }
        let failures = Failures::below(beside(&self.suite.root, ""));
        let contributions = Contributions::new(self.suite.root.join(SUITE_FILE), &self.header);
        let broken = BrokenStrategies::default();
        let mut output = Output { progress: self.progress(), failures, broken, contributions };
        let results = self.evaluate_all(&mut output)?;
        output.progress.end();
        if INTERRUPT.load(Ordering::Relaxed) {
            return Ok(exit_of_interruption());
        }
        self.keep_failed(&results).map_err(|error| self.folder_error(error))?;
        if results.is_empty() && self.header.part.is_none() {
            return Ok(self.nothing_selected());
        }
        self.conclude(results, output).map_err(|error| self.folder_error(error))
    }

    fn evaluate_all(&self, output: &mut Output) -> Result<EvaluationResults, CliError> {
        let mut results = self.begin().map_err(|error| self.folder_error(error))?;
        let pipeline = Pipeline {
            plan: &self.plan,
            gauges: Gauges {
                tokenizer: &self.tokenizer,
                models: &self.header.models,
                logged: self.logged.as_ref(),
                warm_system: self.header.warm_system,
            },
            comparer: self.compares_snapshots().then_some(&self.comparer),
            time_limit: self.time_limit.as_ref(),
            differences: self.compares_snapshots().then(|| self.difference_finder()),
            hides_secrets: !self.arguments.keep_secrets,
            beside: None,
        };
        if let Scope::Stream { .. } = self.scope {
            let mut offered = Offered::default();
            let lines = self.suite.lines(standard_input()).inspect(|line| {
                let _ = line.as_ref().map(|line| offered.add(line.text()));
            });
            self.evaluate_sources(&pipeline, lines, &mut results, output)?;
            if let Destination::Records(writer) = &mut results.destination {
                writer.offered = offered;
            }
        } else {
            self.evaluate_sources(&pipeline, self.suite.sources(&self.selection)?, &mut results, output)?;
        }
        Ok(results)
    }

    /// Finds changes since the accepted golden files, or since those of `--against`.
    fn difference_finder(&self) -> DifferenceFinder<'_> {
        let earlier = self.scope.is_of_suite().then_some(&self.earlier as &dyn EarlierSuite);
        match &self.committed_golden {
            Some(golden) => DifferenceFinder { golden, earlier, compares_all: true },
            None => DifferenceFinder { golden: &self.comparer.store, earlier, compares_all: false },
        }
    }

    fn evaluate_sources(
        &self,
        pipeline: &Pipeline<'_>,
        sources: impl Iterator<Item = Result<ScenarioSource, ScenarioError>>,
        results: &mut EvaluationResults,
        output: &mut Output,
    ) -> Result<(), CliError> {
        let shard = self.arguments.shard;
        let sources = (0..).zip(sources);
        let sources = sources.filter(|(position, _)| shard.is_none_or(|shard| shard.holds(*position)));
        let whole = (&self.suite, &self.selection, &self.header);
        let taken = pipeline.run(&self.pool, whole, sources, |all| {
            for evaluated in all {
                self.take_result(evaluated?, results, output)?;
                if INTERRUPT.load(Ordering::Relaxed) {
                    break;
                }
            }
            Ok(())
        });
        taken.map_err(|error| self.folder_error(error))
    }

    /// Adds a result, in the order of the suite, and prints its messages.
    fn take_result(
        &self,
        evaluated: EvaluatedSource,
        results: &mut EvaluationResults,
        output: &mut Output,
    ) -> io::Result<()> {
        output.progress.advance(evaluated.bytes);
        match results.add(evaluated, &self.suite)? {
            Added::LeftOut => {}
            Added::Scenario(evaluation) => report::print_scenario(*evaluation, self.arguments, output),
            Added::Unreadable(error) => output.progress.pause(|| err!("{error}")),
        }
        Ok(())
    }

    fn nothing_selected(&self) -> Exit {
        if let Scope::Stream { .. } = self.scope {
            errln!(
                "no scenario on standard input is selected; each line is one, as JSON: ptc-eval generate schema scenario"
            );
            return Exit::NothingSelected;
        }
        nothing_selected(&self.suite, &self.selection)
    }

    /// How to use the recommended strategy with the options of the suite.
    fn usage_of_recommended(&self, comparison: &Comparison) -> Option<Usage> {
        let chosen = Advice::new(comparison).recommended?;
        // Preparation has already checked the settings.
        let variants = self.plan.settled().ok()?;
        let variant = variants.iter().find(|variant| variant.name == chosen.name)?;
        let usage = usage_of(&apply::command_line(variant, None)?);
        Some(Usage { strategy: self.describe_strategy(&chosen.name), ..usage })
    }

    /// Why a chat API would reject the first such request of the baseline. `None` for scenarios from standard input, which cannot be read
    /// again: one of the suite may have the same name. `None` for formats without it, too.
    fn why_rejected(&self, comparison: &Comparison) -> Option<String> {
        if matches!(self.scope, Scope::Stream { .. }) || self.arguments.format != OutputFormat::Human {
            return None;
        }
        let baseline = comparison.strategy(&comparison.header.baseline)?;
        let (scenario, turn) = baseline.sums.first_invalid.as_ref()?;
        rejection_reason(&self.suite, &self.tokenizer, (scenario, *turn))
    }

    /// A strategy or a variant of the suite in a line.
    fn describe_strategy(&self, name: &str) -> Option<String> {
        let variant = self.suite.variants.iter().find(|variant| variant.strategy.name == name);
        match variant {
            Some(variant) => Some(format!("{name}: {}", describe_variant(variant))),
            None => description_of(name),
        }
    }

    fn conclude(&self, results: EvaluationResults, output: Output) -> io::Result<Exit> {
        let EvaluationResults { tally, destination, verdicts, mut snapshots, uncounted_images, .. } = results;
        let EvaluationResults { shared, differences, .. } = results;
        warn_of_images(uncounted_images);
        let mut comparison = tally.compare();
        comparison.verdicts = verdicts;
        comparison.sets = shared.finish();
        comparison.usage = self.usage_of_recommended(&comparison);
        if let Some(snapshots) = &mut snapshots {
            if self.header.complete {
                comparison.verdicts.snapshots.extend(snapshots.take_system_prompt()?);
            }
            if comparison.is_judged() {
                comparison.verdicts.snapshots.extend(snapshots.take_orphans(|keys| self.may_remove(keys))?);
                let store = &self.comparer.store;
                snapshots.removed.iter().for_each(|key| errln!("removed {}", store.path_of(key).display()));
            }
            self.comparer.store.sync()?;
        }
        let is_locked = self.comparer.mode == SnapshotMode::Locked;
        conclude(&mut comparison, destination, self.against.clone(), is_locked)?;
        if self.comparer.leaves_pending()
            && self.committed_golden.is_none()
            && !matches!(self.scope, Scope::Logs)
        {
            self.keep_changes(differences)?;
        }
        let mut exit = Exit::of(&comparison);
        if let Some(name) = &self.comparer.accepted_name
            && !snapshots.as_ref().is_some_and(|snapshots| snapshots.has_named)
        {
            errln!("nothing accepted: this run has no scenario and no snapshot called '{name}'");
            errln!(
                "  = help: a name is SCENARIO or SCENARIO/STRATEGY, like the files in the folder of snapshots"
            );
            exit = Exit::Unreadable;
        }
        let is_of_logs = matches!(self.scope, Scope::Logs);
        let folder = folder_of_names(&self.arguments.choice.paths);
        let summary = EvaluationSummary {
            format: self.arguments.format,
            is_quiet: self.arguments.quiet,
            color: self.color,
            report_dir: &self.report_dir,
            suite: if is_of_logs { folder.as_deref() } else { named_folder(&self.suite.root) },
            is_of_logs,
            comparison: &comparison,
            snapshots: self.snapshot_rows(snapshots.as_ref()),
            same_snapshots: snapshots.as_ref().map_or(0, |snapshots| snapshots.same),
            failures: output.failures,
            contributions: output.contributions,
            broken: match self.arguments.format {
                OutputFormat::Human => output.broken.drawn(),
                _ => output.broken.lines(),
            },
            exit,
            is_locked,
            rejected_because: self.why_rejected(&comparison),
        };
        summary.print();
        Ok(summary.exit)
    }

    fn snapshot_rows(&self, snapshots: Option<&EvaluationSnapshots>) -> Vec<Row> {
        match &self.scope {
            Scope::One(path) if !self.compares_snapshots() => {
                let path = path.display();
                let line =
                    format!("no snapshots, since {path} is in no suite: --snapshot-dir FOLDER keeps them");
                vec![Row::new(Tint::Quiet, line)]
            }
            Scope::Logs if self.arguments.quiet => Vec::new(),
            Scope::Logs => {
                let line = "logs have no snapshots: ptc-eval import LOGS makes a suite of them";
                vec![Row::new(Tint::Quiet, line.to_owned())]
            }
            _ => snapshots.map_or_else(Vec::new, |snapshots| {
                report::snapshot_rows(snapshots, &self.comparer.store.folder)
            }),
        }
    }

    /// Returns true if these snapshots may be removed, by `--prune` or by confirmation on a terminal.
    fn may_remove(&self, keys: &[String]) -> bool {
        let asks = io::stdin().is_terminal() && io::stderr().is_terminal();
        if self.arguments.prune || !asks {
            return self.arguments.prune;
        }
        let (number, first) = (count(keys.len(), "snapshot"), keys.first().map_or("", String::as_str));
        err!("{number} belong to no scenario and strategy, such as {first}. Remove them? [y/N] ");
        let mut answer = String::new();
        // While `read_line` blocks, the first Ctrl-C must end the process.
        INTERRUPT.store(true, Ordering::Relaxed);
        let is_read = io::stdin().read_line(&mut answer).is_ok();
        INTERRUPT.store(false, Ordering::Relaxed);
        is_read && matches!(answer.trim(), "y" | "Y" | "yes")
    }

    /// Writes the changed requests next to the reports, for `review`.
    fn keep_changes(&self, scenarios: BTreeMap<String, ScenarioDifference>) -> io::Result<()> {
        let folder = beside(&self.suite.root, "reports");
        // With `--report-dir`, do not create the default folder.
        if !folder.is_dir() {
            return Ok(());
        }
        let changes = WaitingChanges { models: self.header.model_names(), scenarios };
        changes.update(&folder, || self.comparer.store.pending_keys())
    }

    /// Writes the names of failed scenarios, for `--only-failed`.
    fn keep_failed(&self, results: &EvaluationResults) -> io::Result<()> {
        let Some(failed) = &results.failed else { return Ok(()) };
        if !self.arguments.keeps_strategies() {
            return failed.write(&failed.now_or_before());
        }
        // Scenarios outside the selection may still fail.
        failed.write(&match (&self.scope, self.arguments.shard) {
            (Scope::Whole | Scope::Failed, None) => failed.now(),
            _ => failed.now_or_not_replayed(),
        })
    }

    /// Returns false if the command line changes requests or token counts: snapshots are made with the options of the suite. A scenario
    /// outside any suite has snapshots only with `--snapshot-dir`.
    fn compares_snapshots(&self) -> bool {
        let has_place = match self.scope {
            Scope::One(_) => self.arguments.snapshot_dir.is_some(),
            _ => self.scope.is_of_suite(),
        };
        has_place && !self.arguments.overrides_options()
    }

    fn folder_error(&self, error: io::Error) -> CliError {
        let (reports, snapshots) = (self.report_dir.clone(), self.comparer.store.folder.clone());
        CliError::Folders { reports, snapshots, error }
    }
}
