//! How scenarios differ between two results files, worst first: how they ended, and what each strategy's
//! requests measure. Of a scenario only numbers are kept.

use ecow::EcoString;
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::changes::Changes;
use super::measure::MeasuredRun;
use super::numbers::Cell;
use super::results_reader::{ResultsError, ResultsReader};
use super::totals::Totals;
use ptc_tokens::Money;

/// What is compared of the scenarios of a results file, by name.
pub struct ScenarioTable {
    models: Vec<String>,
    scenarios: IndexMap<String, ScenarioNumbers>,
}

/// One scenario that differs.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct ScenarioChange {
    pub name: String,
    /// How it ended before and how it ends now, if that differs.
    pub outcome: Option<[String; 2]>,
    /// Expectations that did not and do not hold, if their number differs.
    pub failures: Option<[u64; 2]>,
    pub changes: Changes,
}

/// All scenarios that differ.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct ScenarioChanges {
    /// Worst first: what ends otherwise or fails, then lost evidence, then more tokens.
    pub changed: Vec<ScenarioChange>,
    pub added: Vec<String>,
    pub removed: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
struct ScenarioNumbers {
    outcome: EcoString,
    failures: u64,
    strategies: Vec<StrategyNumbers>,
}

#[derive(Clone, Debug, PartialEq)]
struct StrategyNumbers {
    name: EcoString,
    input_tokens: u64,
    evidence: Option<f64>,
    evidence_min: Option<f64>,
    lost: u64,
    hidden_tool_calls: u64,
    /// By model.
    costs: Vec<Money>,
}

/// What is read of the line of a scenario.
#[derive(Deserialize)]
struct Line {
    name: String,
    outcome: EcoString,
    failures: Vec<IgnoredAny>,
    strategies: Vec<MeasuredRun>,
}

impl StrategyNumbers {
    fn of(run: &MeasuredRun) -> StrategyNumbers {
        let requests = run.requests.as_slice();
        let shares = || requests.iter().map(|request| request.evidence.share());
        let mut costs: Vec<Money> = Vec::new();
        for request in requests {
            costs.resize(costs.len().max(request.bills.len()), Money::default());
            for (sum, bill) in costs.iter_mut().zip(&request.bills) {
                *sum += bill.cost;
            }
        }
        StrategyNumbers {
            name: run.name.clone(),
            input_tokens: run.input_tokens(),
            evidence: (!requests.is_empty()).then(|| shares().sum::<f64>() / requests.len() as f64),
            evidence_min: shares().reduce(f64::min),
            lost: requests.iter().map(|request| request.evidence.lost.len() as u64).sum(),
            hidden_tool_calls: requests.iter().map(|request| u64::from(request.hidden_tool_calls)).sum(),
            costs,
        }
    }

    /// As `strategies.csv` would have them.
    fn cells(&self, models: &[String]) -> Vec<(String, String)> {
        let fixed = [
            ("input_tokens", Cell::Count(self.input_tokens)),
            ("evidence", Cell::Ratio(self.evidence)),
            ("evidence_min", Cell::Ratio(self.evidence_min)),
            ("lost", Cell::Count(self.lost)),
            ("hidden_tool_calls", Cell::Count(self.hidden_tool_calls)),
        ];
        let fixed = fixed.into_iter().map(|(metric, cell)| (metric.to_owned(), cell.plain()));
        let costs = models.iter().zip(&self.costs);
        fixed.chain(costs.map(|(model, cost)| (format!("cost:{model}"), cost.to_string()))).collect()
    }
}

impl ScenarioTable {
    /// The scenarios of a results file.
    ///
    /// # Errors
    /// The file cannot be read, or is not as it was written.
    pub fn read(reader: &mut ResultsReader) -> Result<ScenarioTable, ResultsError> {
        let models = reader.head.header.models.iter().map(|price| price.model.clone()).collect();
        let mut scenarios = IndexMap::new();
        while let Some(Line { name, outcome, failures, strategies }) = reader.scenario()? {
            let failures = failures.len() as u64;
            let strategies = strategies.iter().map(StrategyNumbers::of).collect();
            scenarios.insert(name, ScenarioNumbers { outcome, failures, strategies });
        }
        Ok(ScenarioTable { models, scenarios })
    }

    /// How the scenarios of a later file differ from these.
    pub fn changes(&self, now: &ScenarioTable) -> ScenarioChanges {
        let only = |one: &ScenarioTable, other: &ScenarioTable| {
            one.scenarios.keys().filter(|name| !other.scenarios.contains_key(*name)).cloned().collect()
        };
        let pairs =
            now.scenarios.iter().filter_map(|(name, now)| Some((name, self.scenarios.get(name)?, now)));
        let mut changed: Vec<ScenarioChange> = pairs
            .filter(|(_, before, after)| before != after || self.models != now.models)
            .map(|(name, before, after)| ScenarioChange {
                name: name.clone(),
                outcome: differing(before.outcome.to_string(), after.outcome.to_string()),
                failures: differing(before.failures, after.failures),
                changes: Changes::between(&before.totals(&self.models), &after.totals(&now.models)),
            })
            .filter(|change| !change.is_empty())
            .collect();
        changed.sort_by(|one, other| super::changes::worse_first(&one.severity(), &other.severity()));
        ScenarioChanges { changed, added: only(now, self), removed: only(self, now) }
    }
}

impl ScenarioNumbers {
    fn totals(&self, models: &[String]) -> Totals {
        Totals::of_rows(self.strategies.iter().map(|one| (one.name.to_string(), one.cells(models))))
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

    /// More failures, another ending, then what its worst strategy weighs.
    fn severity(&self) -> [f64; 5] {
        let failures = self.failures.map_or(0.0, |[before, now]| now as f64 - before as f64);
        let outcome = if self.outcome.is_some() { 1.0 } else { 0.0 };
        let [evidence, lost, tokens] =
            self.changes.strategies.first().map_or([0.0; 3], super::changes::StrategyChange::severity);
        [failures, outcome, evidence, lost, tokens]
    }
}

fn differing<T: PartialEq>(before: T, now: T) -> Option<[T; 2]> {
    (before != now).then_some([before, now])
}
