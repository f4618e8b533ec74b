//! What a run needs before its first scenario: the suite, the strategies, the prices, the places of the
//! files. All that can be wrong with them is said here.

use std::io;

use super::super::broken::BrokenStrategies;
use super::super::snapshots::{Mode, Snapshots};
use super::super::suite::{beside, is_partial, usage_error};
use super::super::terminal::Color;
use super::arguments::Arguments;
use super::{Findings, Run};
use crate::replay::{Plan, Pool};
use crate::report::comparison::Header;
use crate::report::{ReportFolder, Tally};
use crate::scenario::{Names, Selection};
use crate::snapshot::store::Store;
use crate::tokens::{DEFAULT_TOKENIZER, Tokenizer};

impl<'a> Run<'a> {
    pub(super) fn prepare(arguments: &'a Arguments, color: Color) -> Result<Run<'a>, String> {
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

    pub(super) fn begin(&self) -> io::Result<Findings> {
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
            broken: BrokenStrategies::default(),
        })
    }

    /// The suite's baseline, or the first strategy where that is not run.
    fn baseline(&self) -> String {
        let names = self.plan.names();
        let first = names.first().copied().unwrap_or_default();
        let chosen = names.iter().find(|name| **name == self.suite.baseline).copied();
        chosen.unwrap_or(first).to_string()
    }
}
