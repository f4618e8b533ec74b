//! The suite at an earlier revision, alone or with some of the edits since.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use super::{Pipeline, Plan};
use crate::measure::Gauges;
use crate::report::ScenarioRecord;
use crate::scenario::{Known, ScenarioSource, Selection, Suite};
use crate::snapshot::text::{RUN, key};
use crate::snapshot::{Store, repeated_strategy};

/// Golden files of an earlier revision.
pub trait GoldenFiles: Sync {
    /// The body of a golden file.
    fn body(&self, key: &str) -> Option<String>;
}

impl GoldenFiles for Store {
    fn body(&self, key: &str) -> Option<String> {
        let [accepted, _] = self.bodies(key).ok()?;
        accepted
    }
}

/// The suite at an earlier revision, and the edits since.
pub trait EarlierSuite: Sync {
    /// Returns true if the suite is available.
    fn is_known(&self) -> bool;
    /// The indexes of the edits that can affect scenarios in this file. The path is relative to the suite's folder.
    fn reaching(&self, file: &str) -> Vec<usize>;
    /// The title of an edit.
    fn title(&self, edit: usize) -> String;
    /// Number of edits.
    fn count(&self) -> usize;
    /// The suite with only these edits. `None` if it cannot be read.
    fn with(&self, edits: &BTreeSet<usize>) -> Option<Arc<OpenedSuite>>;
}

/// A suite with scenarios ready to replay.
pub struct OpenedSuite {
    suite: Suite,
    plan: Plan,
    sources: BTreeMap<String, ScenarioSource>,
}

impl OpenedSuite {
    /// Opens the suite in a folder. `golden` is the folder of golden texts. `None` if the suite cannot be read.
    pub fn open(folder: &Path, known: Known, golden: &Path) -> Option<OpenedSuite> {
        let suite = Suite::open(folder, known).ok()?;
        let plan = Plan::of(&suite).ok()?.with_golden_texts_in(golden);
        let selection = Selection::default();
        let mut sources = BTreeMap::new();
        for source in suite.sources(&selection).ok()?.flatten() {
            let name = source.name.clone().or_else(|| name_in(source.text()));
            sources.extend(name.map(|name| (name, source)));
        }
        Some(OpenedSuite { suite, plan, sources })
    }

    /// The record of a scenario. `None` if it is missing or cannot be replayed.
    pub fn record(&self, scenario: &str, gauges: Gauges<'_>) -> Option<ScenarioRecord> {
        let scenario = self.suite.load(self.sources.get(scenario)?).ok()?;
        Some(Pipeline::new(&self.plan, gauges).evaluate(scenario, 0).ok()?.record)
    }
}

/// The name of a scenario stored as a line of JSON.
fn name_in(line: &[u8]) -> Option<String> {
    let line: serde_json::Value = serde_json::from_slice(line).ok()?;
    Some(line.get("name")?.as_str()?.to_owned())
}

/// The body of a strategy's golden file. A body that only refers to another strategy is replaced by that strategy's body.
pub(super) fn requests_body(golden: &dyn GoldenFiles, scenario: &str, strategy: &str) -> Option<String> {
    let body = golden.body(&key(scenario, strategy))?;
    match repeated_strategy(&body) {
        Some(other) => golden.body(&key(scenario, other)),
        None => Some(body),
    }
}

/// The body of the golden file of a run.
pub(super) fn run_body(golden: &dyn GoldenFiles, scenario: &str) -> Option<String> {
    golden.body(&key(scenario, RUN))
}
