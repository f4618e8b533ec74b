//! Reads and checks the input of an evaluation: suite, strategies, prices and folders.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::arguments::{OutputFormat, RunArguments, suite_of_stream};
use super::{Evaluation, input, neighbour};
use crate::cli::baseline;
use crate::cli::earlier::{CommittedGolden, CommittedSuite};
use crate::cli::error::CliError;
use crate::cli::priced::{kept_for, logged_prices, price_table, prices_named};
use crate::cli::progress::Progress;
use crate::cli::suite::{beside, is_partial, known, print_warnings};
use crate::cli::terminal::{Color, JsonOutput};
use crate::cli::token_cache::CachedTokenizer;
use crate::evaluate::{
    Destination, EvaluationResults, EvaluationSnapshots, Pipeline, Plan, Pool, SharedScenarios,
    SnapshotComparer, TimeLimit,
};
use crate::report::{FailedNames, Gauges, Header, InputPart, RecordsWriter, ReportFolder, RunInput};
use crate::scenario::{Selection, Suite, files};
use crate::snapshot::atomic::folder_of;
use crate::snapshot::store::Store;

/// The scenarios to evaluate. A shard takes every Nth of them.
pub(super) enum Scope {
    /// A whole suite.
    Whole,
    /// The scenarios of a suite that failed in the last run.
    Failed,
    /// A part of a suite.
    Selection,
    /// Standard input.
    Stream { has_suite: bool },
    /// The file of a scenario outside any suite. Nothing is written next to it.
    One(PathBuf),
    /// Logs of an agent. They have no golden files, and nothing is written next to them.
    Logs,
}

impl Scope {
    fn of(arguments: &RunArguments, suite: &Suite, selection: &Selection) -> Scope {
        if suite.is_in_memory() {
            return Scope::Logs;
        }
        if arguments.reads_standard_input() {
            return Scope::Stream { has_suite: suite_of_stream().is_none() };
        }
        match arguments.lone_scenario() {
            Some(path) => Scope::One(path.to_owned()),
            None if is_partial(selection) => Scope::Selection,
            None if arguments.only_failed => Scope::Failed,
            None => Scope::Whole,
        }
    }

    /// Returns true if all scenarios come from the files of a suite.
    pub(super) fn is_of_suite(&self) -> bool {
        matches!(self, Scope::Whole | Scope::Failed | Scope::Selection)
    }

    /// The folder `name` next to the suite's, or in the working directory if there is no suite.
    fn place(&self, suite: &Suite, name: &str) -> PathBuf {
        match self {
            Scope::One(_) | Scope::Logs | Scope::Stream { has_suite: false } => PathBuf::from(name),
            _ => beside(&suite.root, name),
        }
    }

    /// The file or folder with all input. `None` for logs, and for standard input without a suite.
    fn root<'r>(&'r self, suite: &'r Suite) -> Option<&'r Path> {
        match self {
            Scope::One(path) => Some(path),
            Scope::Logs | Scope::Stream { has_suite: false } => None,
            _ => Some(&suite.root),
        }
    }
}

impl<'a> Evaluation<'a> {
    pub(super) fn prepare(arguments: &'a RunArguments, color: Color) -> Result<Evaluation<'a>, CliError> {
        let table = price_table(arguments.prices.as_deref())?;
        let suite = arguments.open_suite(&table)?;
        let mut selection = arguments.selection(&suite);
        let scope = Scope::of(arguments, &suite, &selection);
        if let Scope::Logs = scope {
            arguments.check_for_logs()?;
        }
        if arguments.strategy.is_empty() {
            print_warnings(&suite.warnings);
        }
        let plan = Plan::new(&suite, &arguments.wanted_strategies(&suite))?;
        let tokenizer = CachedTokenizer::of(arguments.tokenizer.as_deref(), &suite)?;
        let models = kept_for(prices_named(&table, &suite.models)?, suite.ttl);
        arguments.today.warn(&models);
        let pool = Pool::new(arguments.jobs.into()).map_err(|error| CliError::Threads { error })?;
        let mode = arguments.mode()?;
        let logged = logged_prices(&suite, &[], suite.ttl);
        let gauges = Gauges {
            tokenizer: &tokenizer,
            models: &models,
            logged: logged.as_ref(),
            warm_system: suite.warm_system,
        };
        let mut header = report_header(arguments, &suite, &scope, &Pipeline::new(&plan, gauges));
        let committed = scope.place(&suite, "reports");
        let failed = failed_names(arguments, &scope, &committed)?;
        if arguments.only_failed {
            selection.names = failed.as_ref().map(|failed| failed.before().clone());
        }
        let report_dir = arguments.report_folder(&committed, header.complete);
        let snapshot_dir = arguments.snapshot_dir.clone().unwrap_or_else(|| scope.place(&suite, "snapshots"));
        let store = Store::new(&snapshot_dir);
        let mut listing = None;
        if scope.is_of_suite() {
            let listed = store.list();
            let listed = listed.map_err(|error| CliError::Read { path: store.folder.clone(), error })?;
            let reports = arguments.report_dir.is_none().then_some(report_dir.as_path());
            neighbour::refuse(&suite, (&store, &listed), reports)?;
            listing = Some(Arc::new(listed));
        }
        let plan = plan.with_golden_texts_in(&snapshot_dir);
        let named = arguments.against_revision();
        let revision = named.unwrap_or(baseline::HEAD);
        let earlier = CommittedSuite::at(
            revision,
            &suite,
            known(&arguments.choice.permission, Some(&table)),
            &snapshot_dir,
        );
        let committed_golden = named.and_then(|named| CommittedGolden::at(named, &snapshot_dir));
        let mut against = None;
        if arguments.shard.is_some() || arguments.format.is_records() {
            let written = [report_dir.as_path(), &snapshot_dir];
            let hash = input::hash(scope.root(&suite), &written, &selection, &header)?;
            header.part = Some(input_part(arguments, &scope, &suite, hash));
        } else if header.complete {
            against = Some(baseline::find(
                arguments.against.as_deref(),
                &[&report_dir, &committed],
                &snapshot_dir,
            )?);
        }
        Ok(Evaluation {
            header,
            comparer: SnapshotComparer { store, mode, accepted_name: arguments.accepted_name() },
            listing,
            color,
            report_dir,
            against,
            earlier,
            committed_golden,
            failed: failed.filter(|_| !arguments.format.is_records()),
            arguments,
            suite,
            selection,
            scope,
            plan,
            tokenizer,
            logged,
            time_limit: time_limit(arguments.timeout)?,
            pool,
        })
    }

    /// Rejects symbolic links in place of the default folders, and of the folders below for parts of a suite.
    fn refuse_links(&self) -> io::Result<()> {
        if self.arguments.report_dir.is_none() {
            let reports = self.scope.place(&self.suite, "reports");
            files::refuse_links_below(folder_of(&reports), &self.report_dir)?;
        }
        match self.arguments.snapshot_dir {
            None => files::refuse_link(&self.comparer.store.folder),
            Some(_) => Ok(()),
        }
    }

    pub(super) fn begin(&self) -> io::Result<EvaluationResults> {
        self.refuse_links()?;
        let (folder, header) = (&self.report_dir, self.header.clone());
        let destination = if self.arguments.format.is_records() {
            Destination::Records(RecordsWriter::stream(Box::new(JsonOutput), header.clone()))
        } else if header.part.is_some() {
            Destination::Records(RecordsWriter::create(folder, header.clone())?)
        } else {
            Destination::Reports(ReportFolder::create(folder, header.clone())?)
        };
        let mut results = EvaluationResults::new(header, destination);
        let listing = match &self.listing {
            Some(listing) => Arc::clone(listing),
            None => Arc::new(self.comparer.store.list()?),
        };
        results.snapshots = Some(EvaluationSnapshots::new(self.comparer.clone(), listing)?);
        results.failed = self.failed.clone();
        results.shared = SharedScenarios::with(self.against.as_ref());
        Ok(results)
    }

    /// A progress bar, shown only on a terminal and hidden with `--quiet` and `--verbose`.
    pub(super) fn progress(&self) -> Progress {
        if self.arguments.quiet || self.arguments.verbose {
            Progress::hidden()
        } else if let Scope::Stream { .. } | Scope::Logs = self.scope {
            Progress::of_stream()
        } else {
            Progress::of_bytes(|| self.suite.bytes(&self.selection))
        }
    }
}

/// The settings of the evaluation.
fn report_header(arguments: &RunArguments, suite: &Suite, scope: &Scope, pipeline: &Pipeline<'_>) -> Header {
    let mut header = arguments.files.over(pipeline.header(suite));
    header.tolerance = arguments.tolerance.over(header.tolerance);
    header.complete = matches!(scope, Scope::Whole) && arguments.keeps_strategies();
    if let Scope::Stream { has_suite: false } | Scope::Logs = scope {
        header.suite = ".".to_owned();
    }
    header
}

/// Identifies the input of these records. The hash covers all input, not just the shard.
fn input_part(arguments: &RunArguments, scope: &Scope, suite: &Suite, hash: String) -> InputPart {
    let input = RunInput {
        hash,
        folder: suite.folder(),
        is_stream: matches!(scope, Scope::Stream { .. } | Scope::Logs),
        has_texts: arguments.format != OutputFormat::Records,
        against: arguments.against_revision().map(str::to_owned),
    };
    // Without `--shard`, there is only one shard.
    InputPart { shard: arguments.shard.unwrap_or_default(), input }
}

/// The scenarios that failed in the last run. `None` for a stream, because its names are not unique, and for scenarios or logs outside a
/// suite, because nothing is written next to them.
fn failed_names(
    arguments: &RunArguments,
    scope: &Scope,
    committed: &Path,
) -> Result<Option<FailedNames>, CliError> {
    if let Scope::Stream { .. } | Scope::One(_) | Scope::Logs = scope {
        return Ok(None);
    }
    let folder = arguments.report_dir.as_deref().unwrap_or(committed);
    let failed = FailedNames::read(folder);
    failed.map(Some).map_err(|error| CliError::ReadFailedNames { folder: folder.to_owned(), error })
}

/// The time limit for each scenario. `None` for 0 seconds.
fn time_limit(seconds: u32) -> Result<Option<TimeLimit>, CliError> {
    if seconds == 0 {
        return Ok(None);
    }
    let limit = TimeLimit::start(Duration::from_secs(seconds.into()));
    limit.map(Some).map_err(|error| CliError::Threads { error })
}
