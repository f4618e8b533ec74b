//! What a run needs before its first scenario: the suite, the strategies, the prices, the places of the
//! files. All that can be wrong with them is said here.

use std::io;
use std::path::Path;

use super::super::baseline;
use super::super::broken::BrokenStrategies;
use super::super::failures::Failures;
use super::super::progress::Progress;
use super::super::snapshots::{Mode, Shelf, Snapshots};
use super::super::suite::{is_partial, usage_error};
use super::super::terminal::Color;
use super::super::token_cache::KeptTokenizer;
use super::arguments::Arguments;
use super::{Findings, Run};
use crate::replay::{Plan, Pool};
use crate::report::comparison::{Header, Shard};
use crate::report::{FailedNames, ReportFolder, Tally};
use crate::scenario::suite::Suite;
use crate::scenario::{Names, Selection};
use crate::snapshot::store::Store;
use crate::tokens::DEFAULT_TOKENIZER;

impl<'a> Run<'a> {
    pub(super) fn prepare(arguments: &'a Arguments, color: Color) -> Result<Run<'a>, String> {
        let suite = arguments.open_suite()?;
        let mut selection = match arguments.reads_standard_input() {
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
        let tokenizer = KeptTokenizer::named(name).map_err(|error| format!("error: {error}\n"))?;
        let models = arguments.models(&suite)?;
        let pool = Pool::new(arguments.jobs).map_err(|error| format!("error: no threads: {error}\n"))?;
        let is_locked = arguments.locked || std::env::var("CI").is_ok_and(|value| value == "true");
        if is_locked && arguments.accept {
            return Err("error: nothing can be accepted with CI=true\n".to_string());
        }
        let committed = arguments.place(&suite, "reports");
        let failed = match arguments.reads_standard_input() {
            true => None,
            false => Some(failed_names(arguments.report_dir.as_ref().unwrap_or(&committed))?),
        };
        let looks_at_all = !is_partial(&selection) && arguments.shard.is_none();
        if arguments.only_failed {
            selection.names = failed.as_ref().map(|failed| failed.before().clone());
        }
        let is_overridden = arguments.overrides_options();
        let is_complete =
            !is_partial(&selection) && arguments.keeps_strategies() && !arguments.reads_standard_input();
        let report_dir = match (&arguments.report_dir, arguments.shard) {
            (Some(folder), _) => folder.clone(),
            (None, Some(Shard { number, of })) => committed.join(format!("shard-{number}-of-{of}")),
            (None, None) if is_complete => committed.clone(),
            (None, None) => committed.join("selection"),
        };
        let against = match is_complete && arguments.shard.is_none() {
            true => Some(baseline::find(arguments.against.as_deref(), &[&report_dir, &committed])?),
            false => None,
        };
        let snapshot_dir =
            arguments.snapshot_dir.clone().unwrap_or_else(|| arguments.place(&suite, "snapshots"));
        let mode = match (arguments.accept, is_locked) {
            (true, _) => Mode::Accept,
            (false, true) => Mode::Locked,
            (false, false) => Mode::Pend,
        };
        let header = Header {
            suite: suite.root.display().to_string(),
            tokenizer: tokenizer.name().to_string(),
            strategies: plan.names().into_iter().map(str::to_string).collect(),
            baseline: baseline_of(&plan, &suite),
            models,
            thresholds: suite.thresholds.clone(),
            complete: is_complete,
            shard: arguments.shard,
        };
        Ok(Run {
            color,
            header,
            report_dir,
            against,
            shelf: Shelf { store: Store { folder: snapshot_dir }, mode },
            is_locked,
            is_complete,
            is_overridden,
            failed,
            looks_at_all,
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

fn failed_names(folder: &Path) -> Result<FailedNames, String> {
    FailedNames::read(folder)
        .map_err(|error| format!("error: cannot read what failed before from {}: {error}\n  = help: --report-dir names another folder\n", folder.display()))
}

/// The suite's baseline, or the first strategy where that is not run.
fn baseline_of(plan: &Plan, suite: &Suite) -> String {
    let names = plan.names();
    let first = names.first().copied().unwrap_or_default();
    let chosen = names.iter().find(|name| **name == suite.baseline).copied();
    chosen.unwrap_or(first).to_string()
}
