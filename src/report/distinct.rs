//! Runs without duplicates, the evidence for a recommendation. A duplicate costs money again, so the tables
//! count it, but it makes the evidence no stronger.

use rustc_hash::FxHashSet;

use super::cliffs::Courses;
use super::fingerprint::Fingerprint;
use super::header::Header;
use super::recommend::{Standing, Standings};
use super::record::ScenarioRecord;
use super::walk::TaskSums;

/// Sums over distinct runs.
#[derive(Clone, Debug, Default)]
pub(super) struct DistinctRuns {
    seen: FxHashSet<Fingerprint>,
    /// The number of distinct runs.
    pub runs: u64,
    pub copies: Copies,
    /// One per strategy.
    pub standings: Vec<Standings>,
    pub tasks: TaskSums,
    pub courses: Courses,
}

/// Duplicates of earlier runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    pub runs: u64,
    /// The name of the first duplicate.
    pub first: Option<String>,
}

impl DistinctRuns {
    /// Empty sums for the strategies of a header.
    pub fn for_header(header: &Header) -> DistinctRuns {
        let none = Standings {
            first: Standing::default(),
            further: further_models(header, |_| Standing::default()),
        };
        DistinctRuns {
            standings: vec![none; header.strategies.len()],
            courses: Courses::for_strategies(header.strategies.len()),
            ..DistinctRuns::default()
        }
    }

    /// Adds a run, or counts it as a duplicate.
    pub fn add_record(&mut self, record: &ScenarioRecord, header: &Header) {
        if record.fingerprint.is_some_and(|fingerprint| !self.seen.insert(fingerprint)) {
            self.copies.runs += 1;
            self.copies.first.get_or_insert_with(|| record.name.clone());
            return;
        }
        self.runs += 1;
        let (mut first, mut all) = (Vec::new(), Vec::new());
        for (sums, run) in self.standings.iter_mut().zip(&record.strategies) {
            let of_run = Standings {
                first: ScenarioRecord::standing(run, 0),
                further: further_models(header, |model| ScenarioRecord::standing(run, model)),
            };
            first.push(of_run.first);
            sums.add(&of_run);
            all.push(of_run);
        }
        self.courses.add_record(record, &first, header.baseline_index());
        self.tasks.add(record.task(), all);
    }
}

/// Applies `standing` to every model but the first.
fn further_models(header: &Header, standing: impl Fn(usize) -> Standing) -> Vec<Standing> {
    (1..header.models.len()).map(standing).collect()
}
