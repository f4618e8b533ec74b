//! The runs that equal no other one, which alone are evidence for a recommendation. A copy of a run costs money once more,
//! so it counts in the tables, but it does not make a choice surer.

use rustc_hash::FxHashSet;

use super::cliffs::Courses;
use super::fingerprint::Fingerprint;
use super::header::Header;
use super::recommend::Standing;
use super::record::ScenarioRecord;
use super::resample::Halves;

/// Sums over runs, each counted once however often it occurs.
#[derive(Clone, Debug, Default)]
pub(super) struct DistinctRuns {
    seen: FxHashSet<Fingerprint>,
    pub runs: u64,
    pub copies: Copies,
    /// By strategy.
    pub standings: Vec<Vec<Standing>>,
    pub halves: Halves,
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
    /// Adds a run with a standing for each model; one in input tokens without models.
    pub fn add(&mut self, record: &ScenarioRecord, header: &Header) {
        if record.fingerprint.is_some_and(|fingerprint| !self.seen.insert(fingerprint)) {
            self.copies.runs += 1;
            self.copies.first.get_or_insert_with(|| record.name.clone());
            return;
        }
        self.runs += 1;
        let of = |run, model| record.standing(run, model, header.tolerance);
        let by_model = |run| (0..header.models.len().max(1)).map(|model| of(run, model)).collect();
        let standings: Vec<Vec<Standing>> = record.strategies.iter().map(by_model).collect();
        let first: Vec<Standing> = standings.iter().filter_map(|own| own.first().copied()).collect();
        self.halves.add(record.task(), &first);
        let base = first.get(header.baseline_index()).map_or(0, |base| base.without_rework().cost);
        self.courses.add(record, base);
        if self.standings.is_empty() {
            self.standings = standings;
            return;
        }
        for (sum, one) in self.standings.iter_mut().flatten().zip(standings.iter().flatten()) {
            sum.add(one);
        }
    }
}
