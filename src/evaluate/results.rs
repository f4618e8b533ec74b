//! Results of a run so far: the sums, the reports that are being written, and what failed. A run over scenarios and
//! a merge of shards add to the same.

use std::io;
use std::path::Path;

use super::{EvaluateError, Evaluated, Evaluation, RunSnapshots};
use crate::report::verdicts::{Unreadable, Verdicts};
use crate::report::{
    Against, Comparison, Entry, FailedNames, Header, ReportFolder, ScenarioRecord, Tally, crossed, stale,
    write_committed,
};
use crate::scenario::{Names, ScenarioError, Suite};

/// Results of the scenarios that were added, in the order of the suite.
pub struct RunResults {
    pub tally: Tally,
    pub folder: ReportFolder,
    pub verdicts: Verdicts,
    /// None: the results of snapshots are in the records already.
    pub snapshots: Option<RunSnapshots>,
    /// None: the names of scenarios that failed are not kept.
    pub failed: Option<FailedNames>,
    names: Names,
}

impl RunResults {
    /// Begins the reports in a folder.
    pub fn create(
        folder: &Path,
        header: Header,
        snapshots: Option<RunSnapshots>,
        failed: Option<FailedNames>,
    ) -> io::Result<RunResults> {
        Ok(RunResults {
            tally: Tally::new(header.clone()),
            folder: ReportFolder::create(folder, header)?,
            verdicts: Verdicts::default(),
            snapshots,
            failed,
            names: Names::default(),
        })
    }

    /// Adds the result of a source of the suite. Returns the evaluation, to be told; none where the selection leaves
    /// the scenario out.
    ///
    /// # Errors
    /// The scenario cannot be replayed, which is noted, or a file cannot be written.
    pub fn add(&mut self, evaluated: Evaluated, suite: &Suite) -> Result<Option<Evaluation>, EvaluateError> {
        let Some(result) = evaluated.result else { return Ok(None) };
        let (mut evaluation, entry) = result.inspect_err(|error| {
            if let EvaluateError::Scenario(error) = error {
                self.refuse(evaluated.position, suite.name_of(&error.path), error);
            }
        })?;
        self.add_record(&evaluation.record, entry)?;
        if let Some(snapshots) = &mut self.snapshots {
            evaluation.snapshots.drain(..).try_for_each(|compared| snapshots.take(compared))?;
            for broken in &evaluation.record.broken_strategies {
                snapshots.keep(&format!("{}/{}", evaluation.record.name, broken.strategy));
            }
        }
        Ok(Some(evaluation))
    }

    /// Adds the record of a scenario.
    ///
    /// # Errors
    /// Another scenario has its name, which is noted, or a file cannot be written.
    pub fn add_record(&mut self, record: &ScenarioRecord, entry: Entry) -> Result<(), EvaluateError> {
        if let Err(error) = self.names.claim(&record.name, &record.origin) {
            self.refuse(record.position, record.name.clone(), &error);
            return Err(error.into());
        }
        if let Some(failed) = &mut self.failed {
            failed.note(record);
        }
        self.tally.add(record);
        Ok(self.folder.add(entry)?)
    }

    /// Notes files that cannot be read.
    pub fn add_unreadable(&mut self, unreadable: Vec<Unreadable>) {
        if let Some(failed) = &mut self.failed {
            unreadable.iter().for_each(|unreadable| failed.note_unreadable(unreadable));
        }
        self.verdicts.unreadable.extend(unreadable);
    }

    fn refuse(&mut self, position: u64, name: String, error: &ScenarioError) {
        self.add_unreadable(vec![Unreadable::new(position, name, error)]);
    }

    /// True if nothing was added.
    pub fn is_empty(&self) -> bool {
        self.tally.is_empty() && self.verdicts.unreadable.is_empty()
    }
}

/// Finishes the reports. A comparison of a whole suite is judged: thresholds are checked, and the committed reports
/// are written or, where nothing may be written, compared.
pub fn conclude(
    comparison: &mut Comparison,
    folder: ReportFolder,
    against: Option<Against>,
    is_locked: bool,
) -> io::Result<()> {
    if comparison.is_judged() {
        let before = against.as_ref().and_then(|against| against.totals.as_ref());
        comparison.verdicts.thresholds_crossed = crossed(comparison, &comparison.header.thresholds, before);
        comparison.against = against;
        if is_locked {
            let stale = stale(folder.path(), comparison)?;
            comparison.verdicts.stale_reports = stale.into_iter().map(str::to_owned).collect();
        } else {
            write_committed(folder.path(), comparison)?;
        }
    }
    folder.finish(comparison)
}
