//! The results of an evaluation so far: the sums, the reports that are being written, and what failed. An evaluation of scenarios adds to
//! them, and so does a merge of shards.

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

/// Reports, or records in their place, that are being written.
pub enum Destination {
    Reports(ReportFolder),
    Records(RecordsWriter),
}

/// Results of the scenarios that were added, in the order of the suite.
pub struct EvaluationResults {
    pub tally: Tally,
    pub destination: Destination,
    pub verdicts: Verdicts,
    /// The snapshots of the evaluation. None: the results of snapshots are in the records already.
    pub snapshots: Option<EvaluationSnapshots>,
    /// The names of scenarios that failed. None: they are not kept.
    pub failed: Option<FailedNames>,
    /// Images and files of transcripts that count no tokens.
    pub uncounted_images: u64,
    names: Names,
    /// The scenarios that an earlier report has too.
    pub shared: SharedScenarios,
    /// What changed for the model, by scenario.
    pub differences: BTreeMap<String, ScenarioDifference>,
}

/// A source of the suite that was added to the results.
pub enum Added {
    /// The selection leaves the scenario out.
    LeftOut,
    /// The scenario cannot be replayed, or has the name of another, which is noted.
    Unreadable(ScenarioError),
    Scenario(Box<EvaluatedScenario>),
}

impl EvaluationResults {
    /// Begins the reports in a folder.
    pub fn create(folder: &Path, header: Header) -> io::Result<EvaluationResults> {
        let destination = Destination::Reports(ReportFolder::create(folder, header.clone())?);
        Ok(EvaluationResults::new(header, destination))
    }

    /// Begins without scenarios.
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

    /// Adds the result of a source of the suite. Returns what the caller may tell of it.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn add(&mut self, evaluated: EvaluatedSource, suite: &Suite) -> io::Result<Added> {
        let EvaluatedSource { position, hash, result, .. } = evaluated;
        let (mut evaluation, entry) = match result {
            SourceResult::LeftOut => return Ok(Added::LeftOut),
            SourceResult::Scenario(evaluation, entry) => (evaluation, entry),
            SourceResult::Unreadable(error) => {
                // Reports name files the same from wherever the suite was opened; people get the path that they typed.
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
    /// Another scenario has its name, which is noted, or a file cannot be written.
    pub fn add_record(&mut self, record: &ScenarioRecord, entry: ReportEntry) -> Result<(), EvaluateError> {
        // Other records may have the name too, so `merge` looks for it.
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

    /// Notes a scenario that could not be replayed.
    pub fn add_unreadable(&mut self, unreadable: Unreadable) {
        if let Some(failed) = &mut self.failed {
            failed.note_unreadable(&unreadable);
        }
        self.verdicts.unreadable.push(unreadable);
    }

    /// True if nothing was added.
    pub fn is_empty(&self) -> bool {
        self.tally.is_empty() && self.verdicts.unreadable.is_empty()
    }
}

/// Finishes the reports. A comparison of a whole suite is judged: thresholds are checked, and the committed reports are written. If nothing
/// may be written, they are compared. Records are finished without a judgement, which is left to the merge.
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
    // Two evaluations at once must not mix their reports.
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
