//! What a run needs before its first scenario: the suite, the strategies, the prices, the places of the
//! files. All that can be wrong with them is said here.

use std::io;
use std::path::Path;

use super::super::baseline;
use super::super::broken::BrokenStrategies;
use super::super::failures::Failures;
use super::super::progress::Progress;
use super::super::snapshots::{Shelf, Snapshots};
use super::super::suite::{is_partial, usage_error};
use super::super::terminal::Color;
use super::super::token_cache::KeptTokenizer;
use super::arguments::Arguments;
use super::{Findings, Run};
use crate::replay::{Plan, Pool};
use crate::report::{FailedNames, Header, ReportFolder, Tally};
use crate::scenario::suite::Suite;
use crate::scenario::{Names, reason};
use crate::snapshot::store::Store;

impl<'a> Run<'a> {
    pub(super) fn prepare(arguments: &'a Arguments, color: Color) -> Result<Run<'a>, String> {
        let suite = arguments.open_suite()?;
        let mut selection = arguments.selection(&suite);
        let plan =
            Plan::new(&suite, &arguments.wanted_strategies(&suite)).map_err(|error| usage_error(&error))?;
        let tokenizer = KeptTokenizer::of(arguments.tokenizer.as_deref(), &suite)?;
        let models = arguments.models(&suite)?;
        let pool =
            Pool::new(arguments.jobs.into()).map_err(|error| format!("error: no threads: {error}\n"))?;
        let mode = arguments.mode()?;
        let committed = arguments.place(&suite, "reports");
        let failed = failed_names(arguments, &committed)?;
        let is_whole = !is_partial(&selection);
        if arguments.only_failed {
            selection.names = failed.as_ref().map(|failed| failed.before().clone());
        }
        let is_complete =
            !is_partial(&selection) && arguments.keeps_strategies() && !arguments.reads_standard_input();
        let report_dir = arguments.report_folder(&committed, is_complete);
        let against = match is_complete && arguments.shard.is_none() {
            true => Some(baseline::find(arguments.against.as_deref(), &[&report_dir, &committed])?),
            false => None,
        };
        let folder = arguments.snapshot_dir.clone().unwrap_or_else(|| arguments.place(&suite, "snapshots"));
        Ok(Run {
            header: Header {
                suite: suite.root.display().to_string(),
                tokenizer: tokenizer.name().to_string(),
                strategies: plan.names().into_iter().map(str::to_string).collect(),
                baseline: baseline_of(&plan, &suite),
                models,
                thresholds: suite.thresholds.clone(),
                complete: is_complete,
                shard: arguments.shard,
            },
            shelf: Shelf { store: Store { folder }, mode },
            is_overridden: arguments.overrides_options(),
            looks_at_all: is_whole && arguments.shard.is_none(),
            color,
            report_dir,
            against,
            is_complete,
            failed,
            arguments,
            suite,
            selection,
            plan,
            tokenizer,
            pool,
        })
    }

    pub(super) fn begin(&self) -> io::Result<Findings> {
        Ok(Findings {
            tally: Tally::new(self.header.clone()),
            snapshots: Snapshots::new(self.shelf.clone())?,
            names: Names::default(),
            folder: ReportFolder::create(&self.report_dir, self.header.clone())?,
            progress: self.progress(),
            unreadable: Vec::new(),
            failures: Failures::default(),
            broken: BrokenStrategies::default(),
            failed: self.failed.clone(),
        })
    }

    /// A bar for whoever watches, if there is something to wait for.
    fn progress(&self) -> Progress {
        match self.arguments.quiet || self.arguments.verbose {
            true => Progress::hidden(),
            false if self.arguments.reads_standard_input() => Progress::of_stream(),
            false => Progress::of_bytes(|| self.suite.bytes(&self.selection)),
        }
    }
}

/// What failed before; a stream has no names that stay.
fn failed_names(arguments: &Arguments, committed: &Path) -> Result<Option<FailedNames>, String> {
    if arguments.reads_standard_input() {
        return Ok(None);
    }
    let folder = arguments.report_dir.as_deref().unwrap_or(committed);
    FailedNames::read(folder).map(Some).map_err(|error| {
        let (folder, reason) = (folder.display(), reason(&error));
        format!("error: cannot read what failed before from {folder}: {reason}\n  = help: --report-dir names another folder\n")
    })
}

/// The suite's baseline, or the first strategy where that is not run.
fn baseline_of(plan: &Plan, suite: &Suite) -> String {
    let names = plan.names();
    let first = names.first().copied().unwrap_or_default();
    let chosen = names.iter().find(|name| **name == suite.baseline).copied();
    chosen.unwrap_or(first).to_string()
}
