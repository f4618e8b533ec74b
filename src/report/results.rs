//! `results.json`: the numbers of an evaluation for other programs, and the input of `diff`. The same types
//! write it, read it and generate its schema. Each scenario is one line, written as soon as it is evaluated.
//! The numbers of each request are in `requests.csv`. Texts are in full records and, compressed, in the page:
//! as plain text they would make reports larger than the logs themselves.

use std::borrow::Cow;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::agents::{AgentVerdict, UnjudgedAgent};
use super::comparison::{Comparison, LengthRow, StrategyComparison, TURN_FIELDS, TurnRow};
use super::fingerprint::Fingerprint;
use super::header::Header;
use super::own_calls::OwnCalls;
use super::record::{BrokenRecord, EndingRecord, FailureRecord, ScenarioRecord, WrongTurn};
use super::rework::ReworkSums;
use super::tally::RunTally;
use super::totals::Totals;
use super::verdicts::{SnapshotRecord, Verdicts};
use crate::measure::MeasuredRun;
use crate::measure::numbers::Cell;
use crate::scenario::Origin;
use ptc_prices::Money;

/// Version of the format, increased when the meaning of a field changes.
pub const VERSION: u32 = 4;

/// The findings of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "ptc-eval results")]
pub struct Results {
    #[serde(flatten)]
    pub head: Head,
    /// In the order of the suite.
    pub scenarios: Vec<ScenarioResult<'static>>,
    #[serde(flatten)]
    pub tail: Tail,
}

/// The part before the scenarios.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Head {
    /// Changes when the meaning of a field changes.
    #[schemars(extend("const" = VERSION))]
    pub version: u32,
    #[serde(flatten)]
    pub header: Header,
    pub fields: Fields,
}

/// Names of the values in lists, in their order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "fields of lists")]
pub struct Fields {
    /// Of a row under `by_turn`: the last three are the tokens of its requests.
    pub by_turn: Vec<String>,
}

/// One scenario: how its run ended, and the numbers of each strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "scenario")]
pub struct ScenarioResult<'r> {
    pub name: Cow<'r, str>,
    /// Position among all scenarios of the selection, from 0.
    pub position: u64,
    pub origin: Cow<'r, Origin>,
    pub description: Cow<'r, Option<String>>,
    pub tags: Cow<'r, [String]>,
    /// The strategy of the agent itself.
    pub compression: Cow<'r, Option<String>>,
    pub max_turns: u32,
    /// `return`, `fail`, or the kind of the error at the end of the run.
    pub outcome: Cow<'r, str>,
    pub result: Cow<'r, EndingRecord>,
    /// Failed expectations.
    pub failures: Cow<'r, [FailureRecord]>,
    /// The first turn that went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong_turn: Option<Cow<'r, WrongTurn>>,
    /// Snapshots that differ from the accepted ones.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub snapshots: Cow<'r, [SnapshotRecord]>,
    /// User-defined strategies that failed and made no requests.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub broken_strategies: Cow<'r, [BrokenRecord]>,
    /// Equal for scenarios with the same answers and the same requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
    /// Of each turn's raw response; the same under every strategy.
    pub output_tokens: Cow<'r, [u32]>,
    /// In the order of the suite. Strategies with the same numbers share an entry, as most do in a short run.
    pub strategies: Vec<StrategyResult>,
}

/// The numbers of one strategy in one scenario: sums over its requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "strategy of a scenario")]
pub struct StrategyResult {
    pub name: String,
    /// The other strategies with these numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    pub requests: u64,
    pub input_tokens: u64,
    /// Facts needed by the answers.
    pub needed: u64,
    /// How many of them the requests show.
    pub shown: u64,
    /// The share shown on the worst turn; none if no answer needs a fact.
    pub evidence_min: Option<f64>,
    /// The turns of the answers missing a fact.
    pub short: Vec<u32>,
    pub hidden_tool_calls: u64,
    /// Requests rejected by an API.
    pub invalid_requests: u64,
    /// Tokens read from the cache, for each model in the order of `models`.
    pub cached_tokens: Vec<u64>,
    /// For each model in the order of `models`.
    #[schemars(with = "Vec<String>")]
    pub cost: Vec<Money>,
    /// True if a request shows native tool calls of the log as text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rewrites_calls: bool,
    /// Results fetched again; only of `as-recorded`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rework: Option<ReworkSums>,
    /// Model calls by the strategy itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_calls: Option<OwnCalls>,
}

/// The part after the scenarios.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tail {
    #[serde(flatten)]
    pub verdicts: Verdicts,
    /// Over all scenarios, in the order of the suite.
    pub strategies: Vec<StrategyRecord>,
    /// All agents of the logs, the one of this report first; none for a single agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentVerdict>,
    /// Smaller agents without a recommendation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unjudged_agents: Vec<UnjudgedAgent>,
}

/// One strategy over all scenarios.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StrategyRecord {
    pub name: String,
    /// The columns of `strategies.csv`.
    pub totals: serde_json::Map<String, serde_json::Value>,
    pub by_turns_of_run: Vec<LengthRow>,
    /// Each as a list, in the order of `fields` at the top.
    pub by_turn: Vec<TurnRow>,
    /// Models with another tokenizer than the one used, so their counts are estimates.
    pub estimates: Vec<String>,
}

pub fn head(header: &Header, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(open_object(&Head::new(header))?.as_bytes())?;
    out.write_all(b",\n\"scenarios\":[\n")
}

pub fn scenario(_: &Header, record: &ScenarioRecord, out: &mut Vec<u8>) -> io::Result<()> {
    Ok(serde_json::to_writer(out, &ScenarioResult::of(record))?)
}

pub fn tail(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let tail = Tail {
        verdicts: comparison.verdicts.clone(),
        strategies: comparison.strategies.iter().map(StrategyRecord::of).collect(),
        agents: comparison.agents.clone(),
        unjudged_agents: comparison.unjudged_agents.clone(),
    };
    let tail = serde_json::to_string(&tail)?;
    writeln!(out, "\n],{}", tail.strip_prefix('{').unwrap_or(&tail))
}

/// Serializes an object without its closing brace.
fn open_object(object: &impl Serialize) -> io::Result<String> {
    let mut text = serde_json::to_string(object)?;
    text.pop();
    Ok(text)
}

/// The JSON Schema of `results.json`.
pub fn schema() -> schemars::Schema {
    schemars::generate::SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<Results>()
}

impl Head {
    pub fn new(header: &Header) -> Head {
        Head { version: VERSION, header: header.clone(), fields: Fields::default() }
    }
}

impl Default for Fields {
    fn default() -> Fields {
        Fields { by_turn: TURN_FIELDS.map(str::to_owned).to_vec() }
    }
}

impl<'r> ScenarioResult<'r> {
    pub fn of(record: &'r ScenarioRecord) -> ScenarioResult<'r> {
        ScenarioResult {
            name: Cow::from(&record.name),
            position: record.position,
            origin: Cow::Borrowed(&record.origin),
            description: Cow::Borrowed(&record.description),
            tags: Cow::from(&record.tags),
            compression: Cow::Borrowed(&record.compression),
            max_turns: record.max_turns,
            outcome: Cow::from(&record.outcome),
            result: Cow::Borrowed(&record.result),
            failures: Cow::from(&record.failures),
            wrong_turn: record.wrong_turn.as_ref().map(Cow::Borrowed),
            snapshots: Cow::from(&record.snapshots),
            broken_strategies: Cow::from(&record.broken_strategies),
            fingerprint: record.fingerprint,
            output_tokens: Cow::from(&record.output_tokens),
            strategies: group_runs(record),
        }
    }
}

/// The numbers of all strategies; strategies with equal numbers share an entry.
fn group_runs(record: &ScenarioRecord) -> Vec<StrategyResult> {
    let mut all: Vec<StrategyResult> = Vec::new();
    for run in &record.strategies {
        let result = StrategyResult::of(run);
        match all.iter_mut().find(|known| known.equals_result(&result)) {
            Some(known) => known.also.push(result.name),
            None => all.push(result),
        }
    }
    all
}

impl StrategyResult {
    fn of(run: &MeasuredRun) -> StrategyResult {
        let mut sums = RunTally::default();
        sums.add_run(run);
        let short = run.requests.iter().filter(|request| request.evidence.lacks_fact());
        StrategyResult {
            name: run.name.to_string(),
            also: Vec::new(),
            requests: sums.requests,
            input_tokens: sums.input_tokens,
            needed: sums.needed,
            shown: sums.shown,
            evidence_min: sums.evidence_min,
            short: short.map(|request| request.turn).collect(),
            hidden_tool_calls: sums.hidden_tool_calls,
            invalid_requests: sums.invalid_requests,
            cached_tokens: sums.models.iter().map(|model| model.cached_tokens).collect(),
            cost: sums.models.iter().map(|model| model.cost).collect(),
            rewrites_calls: run.rewrites_calls,
            rework: sums.rework,
            own_calls: OwnCalls::of_run(run),
        }
    }

    /// Compares the numbers, not the names.
    fn equals_result(&self, other: &StrategyResult) -> bool {
        let renamed = StrategyResult { name: self.name.clone(), also: self.also.clone(), ..other.clone() };
        renamed == *self
    }

    /// The share of needed facts in the requests; `None` if no answer needs any.
    pub fn evidence(&self) -> Option<f64> {
        (self.needed > 0).then(|| self.shown as f64 / self.needed as f64)
    }

    /// Needed facts missing from the requests.
    pub fn lost(&self) -> u64 {
        self.needed.saturating_sub(self.shown)
    }
}

impl Tail {
    /// The numbers of all strategies, formatted as in `strategies.csv`.
    pub fn totals(&self) -> Totals {
        Totals::of_rows(self.strategies.iter().map(|record| {
            let cells = record.totals.iter().map(|(metric, value)| (metric.clone(), plain_text(value)));
            (record.name.clone(), cells)
        }))
    }
}

impl StrategyRecord {
    pub fn of(strategy: &StrategyComparison) -> StrategyRecord {
        let cells = strategy.cells().into_iter().map(|(name, cell)| (name, number_of_cell(cell)));
        let estimates = strategy.costs.iter().filter(|row| row.is_estimate);
        StrategyRecord {
            name: strategy.name.clone(),
            totals: cells.collect(),
            by_turns_of_run: strategy.by_length.clone(),
            by_turn: strategy.by_turn.clone(),
            estimates: estimates.map(|row| row.model.clone()).collect(),
        }
    }
}

fn number_of_cell(cell: Cell) -> serde_json::Value {
    match cell {
        Cell::Count(count) => count.into(),
        Cell::Ratio(ratio) => ratio.into(),
        Cell::Money(money) => money.to_string().into(),
        Cell::Text(text) => text.into(),
    }
}

/// Formats a number as in `strategies.csv`.
fn plain_text(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Number(number) => match number.as_u64() {
            Some(count) => count.to_string(),
            None => Cell::Ratio(number.as_f64()).plain(),
        },
        _ => String::new(),
    }
}
