//! Reads and checks the input of a run: the suite, the strategies, the prices, the folders.

use std::io;
use std::path::Path;

use super::arguments::{OutputFormat, RunArguments, suite_of_stream};
use super::{Run, input};
use crate::cli::baseline;
use crate::cli::error::CliError;
use crate::cli::progress::Progress;
use crate::cli::suite::{is_partial, price_table, prices_named};
use crate::cli::terminal::{Color, StandardOutput};
use crate::cli::token_cache::CachedTokenizer;
use crate::evaluate::{Destination, Pipeline, Plan, Pool, RunResults, RunSnapshots, SnapshotComparer};
use crate::report::{FailedNames, Gauges, InputPart, RecordsWriter, ReportFolder, RunInput};
use crate::snapshot::store::Store;

impl<'a> Run<'a> {
    pub(super) fn prepare(arguments: &'a RunArguments, color: Color) -> Result<Run<'a>, CliError> {
        let table = price_table(arguments.prices.as_deref())?;
        let suite = arguments.open_suite(&table)?;
        let mut selection = arguments.selection(&suite);
        let plan = Plan::new(&suite, &arguments.wanted_strategies(&suite))?;
        let tokenizer = CachedTokenizer::of(arguments.tokenizer.as_deref(), &suite)?;
        let models = prices_named(&table, &suite.models)?;
        arguments.today.warn(&models);
        let pool = Pool::new(arguments.jobs.into())?;
        let mode = arguments.mode()?;
        let committed = arguments.place(&suite, "reports");
        let failed = failed_names(arguments, &committed)?;
        let is_whole = !is_partial(&selection);
        if arguments.only_failed {
            selection.names = failed.as_ref().map(|failed| failed.before().clone());
        }
        let complete =
            !is_partial(&selection) && arguments.keeps_strategies() && !arguments.reads_standard_input();
        let report_dir = arguments.report_folder(&committed, complete);
        let writes_records = arguments.format.is_records();
        let is_part = writes_records || arguments.shard.is_some();
        let against = if complete && !is_part {
            Some(baseline::find(arguments.against.as_deref(), &[&report_dir, &committed])?)
        } else {
            None
        };
        let snapshot_dir =
            arguments.snapshot_dir.clone().unwrap_or_else(|| arguments.place(&suite, "snapshots"));
        let gauges = Gauges { tokenizer: &tokenizer, models: &models, warm_system: suite.warm_system };
        let mut header = Pipeline::new(&plan, gauges).header(&suite);
        header.tolerance = arguments.tolerance.over(header.tolerance);
        header.complete = complete;
        let is_stream = arguments.reads_standard_input();
        let has_suite = !is_stream || suite_of_stream().is_none();
        if !has_suite {
            header.suite = ".".to_owned();
        }
        if is_part {
            let root = arguments.lone_scenario().or(has_suite.then_some(suite.root.as_path()));
            let input = RunInput {
                hash: input::hash(root, &[&report_dir, &snapshot_dir], &selection, &header)?,
                folder: suite.folder(),
                is_stream,
                has_texts: arguments.format != OutputFormat::Records,
            };
            header.part = Some(InputPart { shard: arguments.shard.unwrap_or_default(), input });
        }
        Ok(Run {
            header,
            comparer: SnapshotComparer { store: Store::new(snapshot_dir), mode },
            has_all_scenarios: is_whole && arguments.shard.is_none(),
            color,
            report_dir,
            against,
            failed: failed.filter(|_| !writes_records),
            arguments,
            suite,
            selection,
            plan,
            tokenizer,
            pool,
        })
    }

    pub(super) fn begin(&self) -> io::Result<RunResults> {
        let (folder, header) = (&self.report_dir, self.header.clone());
        let destination = if self.arguments.format.is_records() {
            Destination::Records(RecordsWriter::stream(Box::new(StandardOutput), header.clone()))
        } else if header.part.is_some() {
            Destination::Records(RecordsWriter::create(folder, header.clone())?)
        } else {
            Destination::Reports(ReportFolder::create(folder, header.clone())?)
        };
        let mut results = RunResults::new(header, destination);
        results.snapshots = Some(RunSnapshots::new(self.comparer.clone())?);
        results.failed = self.failed.clone();
        Ok(results)
    }

    /// A progress bar, on a terminal only.
    pub(super) fn progress(&self) -> Progress {
        if self.arguments.quiet || self.arguments.verbose {
            Progress::hidden()
        } else if self.arguments.reads_standard_input() {
            Progress::of_stream()
        } else {
            Progress::of_bytes(|| self.suite.bytes(&self.selection))
        }
    }
}

/// The scenarios that failed before; names of a stream, or outside of a suite, do not stay.
fn failed_names(arguments: &RunArguments, committed: &Path) -> Result<Option<FailedNames>, CliError> {
    if arguments.reads_standard_input() || arguments.lone_scenario().is_some() {
        return Ok(None);
    }
    let folder = arguments.report_dir.as_deref().unwrap_or(committed);
    let failed = FailedNames::read(folder);
    failed.map(Some).map_err(|error| CliError::ReadFailedNames { folder: folder.to_owned(), error })
}
