//! Compares the scenarios of two results files, worst change first: outcomes, and the numbers of each
//! strategy. Keeps only the numbers of each scenario in memory.

use ecow::EcoString;
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::changes::Changes;
use super::results::StrategyResult;
use super::results_reader::{ResultsError, ResultsReader};
use super::totals::Totals;
use crate::measure::numbers::Cell;

/// The numbers of the scenarios in a results file, by name.
pub struct ScenarioTable {
    models: Vec<String>,
    scenarios: IndexMap<String, ScenarioNumbers>,
}

/// A scenario with differences.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct ScenarioChange {
    pub name: String,
    /// Outcome before and now, if they differ.
    pub outcome: Option<[String; 2]>,
    /// Number of failed expectations before and now, if they differ.
    pub failures: Option<[u64; 2]>,
    pub changes: Changes,
}

/// All differences between the scenarios.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct ScenarioChanges {
    /// Worst first: more failures or another outcome, then lost evidence, then more tokens.
    pub changed: Vec<ScenarioChange>,
    pub added: Vec<String>,
    pub removed: Vec<String>,
}

/// The compared metrics; the costs by model follow them.
const METRICS: [&str; 5] = ["input_tokens", "evidence", "evidence_min", "lost", "hidden_tool_calls"];

#[derive(Clone, Debug, PartialEq)]
struct ScenarioNumbers {
    outcome: EcoString,
    failures: u64,
    /// By strategy: the metrics, then the cost with each model.
    strategies: Vec<(String, Vec<Cell>)>,
}

/// The fields read from a scenario.
#[derive(Deserialize)]
struct Line {
    name: String,
    outcome: EcoString,
    failures: Vec<IgnoredAny>,
    strategies: Vec<StrategyResult>,
}

/// The numbers of each strategy with this entry.
fn number_cells(strategy: StrategyResult) -> impl Iterator<Item = (String, Vec<Cell>)> {
    let metrics = [
        Cell::Count(strategy.input_tokens),
        Cell::Ratio(strategy.evidence()),
        Cell::Ratio(strategy.evidence_min),
        Cell::Count(strategy.lost()),
        Cell::Count(strategy.hidden_tool_calls),
    ];
    let costs = strategy.cost.into_iter().map(Cell::Money);
    let cells: Vec<Cell> = metrics.into_iter().chain(costs).collect();
    let names = std::iter::once(strategy.name).chain(strategy.also);
    names.map(move |name| (name, cells.clone()))
}

impl ScenarioTable {
    /// Reads all scenarios of a results file.
    ///
    /// # Errors
    /// The file cannot be read or parsed.
    pub fn read_table(reader: &mut ResultsReader) -> Result<ScenarioTable, ResultsError> {
        let models = reader.head.header.models.iter().map(|price| price.model.clone()).collect();
        let mut scenarios = IndexMap::new();
        while let Some(Line { name, outcome, failures, strategies }) = reader.scenario()? {
            let failures = failures.len() as u64;
            let strategies = strategies.into_iter().flat_map(number_cells).collect();
            scenarios.insert(name, ScenarioNumbers { outcome, failures, strategies });
        }
        Ok(ScenarioTable { models, scenarios })
    }

    /// Compares these scenarios with those of a later file.
    pub fn changes(&self, now: &ScenarioTable) -> ScenarioChanges {
        let mut changed: Vec<ScenarioChange> = Vec::new();
        for (name, after) in &now.scenarios {
            let Some(before) = self.scenarios.get(name) else { continue };
            // Most scenarios are equal, and building the metric names would cost more than this comparison.
            if before == after && self.models == now.models {
                continue;
            }
            let change = ScenarioChange {
                name: name.clone(),
                outcome: if_different(before.outcome.to_string(), after.outcome.to_string()),
                failures: if_different(before.failures, after.failures),
                changes: Changes::between(&before.sum_totals(&self.models), &after.sum_totals(&now.models)),
            };
            if !change.is_empty() {
                changed.push(change);
            }
        }
        changed.sort_by(|left, right| super::changes::worse_first(&left.severity(), &right.severity()));
        ScenarioChanges { changed, added: now.names_without(self), removed: self.names_without(now) }
    }

    /// The names of scenarios missing in the other table.
    fn names_without(&self, other: &ScenarioTable) -> Vec<String> {
        self.scenarios.keys().filter(|name| !other.scenarios.contains_key(*name)).cloned().collect()
    }
}

impl ScenarioNumbers {
    /// The numbers under the column names of `strategies.csv`.
    fn sum_totals(&self, models: &[String]) -> Totals {
        let costs = models.iter().map(|model| format!("cost:{model}"));
        let metrics: Vec<String> = METRICS.map(str::to_owned).into_iter().chain(costs).collect();
        Totals::of_rows(
            self.strategies.iter().map(|(name, cells)| {
                (name.clone(), metrics.iter().cloned().zip(cells.iter().map(Cell::plain)))
            }),
        )
    }
}

impl ScenarioChanges {
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.added.is_empty() && self.removed.is_empty()
    }
}

impl ScenarioChange {
    fn is_empty(&self) -> bool {
        self.outcome.is_none() && self.failures.is_none() && self.changes.is_empty()
    }

    /// Increase of failures, change of outcome, then the severity of its worst strategy.
    fn severity(&self) -> [f64; 6] {
        let failures = self.failures.map_or(0.0, |[before, now]| now as f64 - before as f64);
        let outcome = if self.outcome.is_some() { 1.0 } else { 0.0 };
        let [short, lost, evidence, tokens] =
            self.changes.strategies.first().map_or([0.0; 4], super::changes::StrategyChange::severity);
        [failures, outcome, short, lost, evidence, tokens]
    }
}

fn if_different<T: PartialEq>(before: T, now: T) -> Option<[T; 2]> {
    (before != now).then_some([before, now])
}
