//! Scenarios also present in an earlier report. Only their sums are comparable with it: a new scenario is no regression.

use std::collections::BTreeSet;

use crate::report::{Against, ScenarioRecord, ScenarioSets, Tally, Totals};

/// Sums over the scenarios also present in an earlier report.
#[derive(Default)]
pub struct SharedScenarios {
    before: Option<BTreeSet<String>>,
    /// Names from `before` found in this evaluation.
    seen: BTreeSet<String>,
    new: Vec<String>,
    /// `None` while no scenario is new: until then, the sums over all scenarios are the same.
    tally: Option<Box<Tally>>,
}

impl SharedScenarios {
    /// Starts without scenarios.
    pub fn with(against: Option<&Against>) -> SharedScenarios {
        let before = against.and_then(|against| against.scenarios.clone());
        SharedScenarios { before, ..SharedScenarios::default() }
    }

    /// Adds a record. `all` must not include it yet.
    pub(super) fn add(&mut self, record: &ScenarioRecord, all: &Tally) {
        let Some(before) = &self.before else { return };
        if !before.contains(&record.name) {
            self.new.push(record.name.clone());
            self.tally.get_or_insert_with(|| Box::new(all.clone()));
            return;
        }
        self.seen.insert(record.name.clone());
        if let Some(tally) = &mut self.tally {
            tally.add(record);
        }
    }

    /// The scenarios present on one side only, and the sums of the others, if these differ from the sums of all.
    pub fn finish(self) -> ScenarioSets {
        let before = self.before.unwrap_or_default();
        let removed = before.difference(&self.seen).cloned().collect();
        let shared: Option<Totals> = self.tally.map(|tally| tally.compare().totals());
        ScenarioSets { new: self.new, removed, shared }
    }
}
