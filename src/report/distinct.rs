//! The runs that equal no other one, which alone are evidence for a recommendation. A copy of a run costs money once more,
//! so it counts in the tables, but it does not make a choice surer.

use rustc_hash::FxHashSet;

use super::cliffs::Courses;
use super::fingerprint::Fingerprint;
use super::header::Header;
use super::recommend::{Standing, Standings};
use super::record::ScenarioRecord;
use super::walk::TaskSums;

/// Sums over runs. Runs that are equal count once.
#[derive(Clone, Debug, Default)]
pub(super) struct DistinctRuns {
    seen: FxHashSet<Fingerprint>,
    /// Number of runs that differ.
    pub runs: u64,
    pub copies: Copies,
    /// By strategy.
    pub standings: Vec<Standings>,
    pub tasks: TaskSums,
    pub courses: Courses,
}

/// Runs that equal an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    pub runs: u64,
    /// The name of the first.
    pub first: Option<String>,
}

impl DistinctRuns {
    /// No run of the strategies of a header.
    pub fn of(header: &Header) -> DistinctRuns {
        let none = Standings {
            first: Standing::default(),
            further: further_models(header, |_| Standing::default()),
        };
        DistinctRuns {
            standings: vec![none; header.strategies.len()],
            courses: Courses::of(header.strategies.len()),
            ..DistinctRuns::default()
        }
    }

    /// Adds a run.
    pub fn add(&mut self, record: &ScenarioRecord, header: &Header) {
        if record.fingerprint.is_some_and(|fingerprint| !self.seen.insert(fingerprint)) {
            self.copies.runs += 1;
            self.copies.first.get_or_insert_with(|| record.name.clone());
            return;
        }
        self.runs += 1;
        let (mut first, mut all) = (Vec::new(), Vec::new());
        for (sums, run) in self.standings.iter_mut().zip(&record.strategies) {
            let standing = |model| ScenarioRecord::standing(run, model);
            let of_run = Standings { first: standing(0), further: further_models(header, standing) };
            first.push(of_run.first);
            sums.add(&of_run);
            all.push(of_run);
        }
        self.courses.add(record, &first, header.baseline_index());
        self.tasks.add(record.task(), all);
    }
}

/// The standings with the models after the first.
fn further_models(header: &Header, standing: impl Fn(usize) -> Standing) -> Vec<Standing> {
    (1..header.models.len()).map(standing).collect()
}
