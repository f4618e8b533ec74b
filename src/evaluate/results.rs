//! The results of an evaluation so far: sums, reports in progress, and failures. Both an evaluation and a merge of shards add to them.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::shared::SharedScenarios;
use super::{EvaluateError, EvaluatedScenario, EvaluatedSource, EvaluationSnapshots, SourceResult};
use crate::report::change::ScenarioDifference;
use crate::report::verdicts::{Unreadable, Verdicts};
use crate::report::{
    Against, Comparison, FailedNames, Header, RecordsWriter, ReportEntry, ReportFolder, ScenarioRecord,
    Tally, crossed, stale, write_committed,
};
use crate::scenario::{Names, ScenarioError, Suite};
use crate::snapshot::atomic::lock_folder;

/// Output in progress: reports, or a shard's records.
pub enum Destination {
    Reports(ReportFolder),
    Records(RecordsWriter),
}

/// Results of the scenarios added so far, in suite order.
pub struct EvaluationResults {
    pub tally: Tally,
    pub destination: Destination,
    pub verdicts: Verdicts,
    /// The snapshots of the evaluation. `None` if the records already contain the results of snapshots.
    pub snapshots: Option<EvaluationSnapshots>,
    /// The names of failed scenarios. `None`: not collected.
    pub failed: Option<FailedNames>,
    /// Images and files in transcripts without a token count.
    pub uncounted_images: u64,
    names: Names,
    /// The scenarios also present in an earlier report.
    pub shared: SharedScenarios,
    /// Changes for the model, by scenario.
    pub differences: BTreeMap<String, ScenarioDifference>,
}

/// A source of the suite, after it was added to the results.
pub enum Added {
    /// The selection excludes the scenario.
    LeftOut,
    /// The scenario cannot be replayed, or has another one's name. It counts as unreadable.
    Unreadable(ScenarioError),
    Scenario(Box<EvaluatedScenario>),
}

impl EvaluationResults {
    /// Starts the reports in a folder.
    pub fn create(folder: &Path, header: Header) -> io::Result<EvaluationResults> {
        let destination = Destination::Reports(ReportFolder::create(folder, header.clone())?);
        Ok(EvaluationResults::new(header, destination))
    }

    /// Starts without scenarios.
    pub fn new(header: Header, destination: Destination) -> EvaluationResults {
        EvaluationResults {
            tally: Tally::new(header),
            destination,
            verdicts: Verdicts::default(),
            snapshots: None,
            failed: None,
            uncounted_images: 0,
            names: Names::default(),
            shared: SharedScenarios::default(),
            differences: BTreeMap::new(),
        }
    }

    /// Adds the result of a source of the suite. Returns its outcome, for messages of the caller.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn add(&mut self, evaluated: EvaluatedSource, suite: &Suite) -> io::Result<Added> {
        let EvaluatedSource { position, hash, result, .. } = evaluated;
        let (mut evaluation, entry) = match result {
            SourceResult::LeftOut => return Ok(Added::LeftOut),
            SourceResult::Scenario(evaluation, entry) => (evaluation, entry),
            SourceResult::Unreadable(error) => {
                // Reports name files independently of where the suite was opened; users see the path as typed.
                let name = suite.name_of(&error.path);
                let noted =
                    ScenarioError { path: suite.place_of(&error.path), problems: error.problems.clone() };
                self.add_unreadable(Unreadable::new(position, name, hash, &noted));
                return Ok(Added::Unreadable(error));
            }
        };
        match self.add_record(&evaluation.record, entry) {
            Ok(()) => {}
            Err(EvaluateError::Scenario(error)) => return Ok(Added::Unreadable(error)),
            Err(EvaluateError::Io(error)) => return Err(error),
        }
        self.uncounted_images += evaluation.uncounted_images;
        if let Some(difference) = &evaluation.record.difference {
            self.differences.insert(evaluation.record.name.clone(), difference.clone());
        }
        if let Some(snapshots) = &mut self.snapshots {
            evaluation.snapshots.drain(..).try_for_each(|compared| snapshots.take(compared))?;
            evaluation.stale.drain(..).try_for_each(|stale| snapshots.take_stale(stale))?;
            for broken in &evaluation.record.broken_strategies {
                snapshots.keep(&format!("{}/{}", evaluation.record.name, broken.strategy));
            }
        }
        Ok(Added::Scenario(evaluation))
    }

    /// Adds the record of a scenario.
    ///
    /// # Errors
    /// A file cannot be written, or another scenario has the same name, which counts as unreadable.
    pub fn add_record(&mut self, record: &ScenarioRecord, entry: ReportEntry) -> Result<(), EvaluateError> {
        // For records, `merge` checks the names: other shards may contain the name too.
        if let Destination::Reports(_) = self.destination
            && let Err(error) = self.names.claim(&record.name, &record.origin)
        {
            self.add_unreadable(Unreadable::new(record.position, record.name.clone(), 0, &error));
            return Err(error.into());
        }
        if let Some(failed) = &mut self.failed {
            failed.note(record);
        }
        self.shared.add(record, &self.tally);
        self.tally.add(record);
        match &mut self.destination {
            Destination::Reports(folder) => folder.add(entry)?,
            Destination::Records(writer) => writer.add(&entry)?,
        }
        Ok(())
    }

    /// Records a scenario that could not be replayed.
    pub fn add_unreadable(&mut self, unreadable: Unreadable) {
        if let Some(failed) = &mut self.failed {
            failed.note_unreadable(&unreadable);
        }
        self.verdicts.unreadable.push(unreadable);
    }

    /// Returns true if nothing was added.
    pub fn is_empty(&self) -> bool {
        self.tally.is_empty() && self.verdicts.unreadable.is_empty()
    }
}

/// Finishes the reports. For a whole suite, checks thresholds and writes the committed reports, or compares them if `is_locked`. Records
/// are finished without a verdict, since that is the merge's task.
pub fn conclude(
    comparison: &mut Comparison,
    destination: Destination,
    against: Option<Against>,
    is_locked: bool,
) -> io::Result<()> {
    let folder = match destination {
        Destination::Reports(folder) => folder,
        Destination::Records(writer) => return writer.finish(comparison),
    };
    comparison.note_system_change();
    // Concurrent evaluations must not mix their reports.
    let _lock = lock_folder(folder.path());
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
