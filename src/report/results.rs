//! `results.json`: everything that a run found, for programs; the input of `diff`. The same types
//! write, read and describe it. One line a scenario, written as it comes, so that no texts are kept.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::comparison::{Comparison, LengthRow, StrategyComparison, TurnRow};
use super::header::Header;
use super::record::ScenarioRecord;
use super::totals::Totals;
use super::verdicts::Verdicts;
use crate::agent::SystemPrompt;
use crate::measure::measured::Fields;
use crate::measure::numbers::Cell;

/// Version of the format. It changes when the meaning of a field changes.
pub const VERSION: u32 = 2;

/// Everything that a run found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "ptc-eval results")]
pub struct Results {
    #[serde(flatten)]
    pub head: Head,
    /// In the order of the suite.
    pub scenarios: Vec<ScenarioRecord>,
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
    /// The SYSTEM text; a scenario with prefix or suffix has its own.
    pub system: String,
}

/// The part after the scenarios.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tail {
    #[serde(flatten)]
    pub verdicts: Verdicts,
    /// Over all scenarios, in the order of the suite.
    pub strategies: Vec<StrategyRecord>,
}

/// One strategy over all scenarios.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StrategyRecord {
    pub name: String,
    /// The columns of `strategies.csv`.
    pub totals: serde_json::Map<String, serde_json::Value>,
    pub by_turns_of_run: Vec<LengthRow>,
    pub by_turn: Vec<TurnRow>,
    /// Models whose own tokenizer is not the one that counted.
    pub estimates: Vec<String>,
}

pub fn head(header: &Header, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(open(&Head::new(header))?.as_bytes())?;
    out.write_all(b",\n\"scenarios\":[\n")
}

pub fn scenario(_: &Header, record: &ScenarioRecord, out: &mut Vec<u8>) -> io::Result<()> {
    Ok(serde_json::to_writer(out, record)?)
}

pub fn tail(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let tail = Tail {
        verdicts: comparison.verdicts.clone(),
        strategies: comparison.strategies.iter().map(StrategyRecord::of).collect(),
    };
    let tail = serde_json::to_string(&tail)?;
    writeln!(out, "\n],{}", tail.strip_prefix('{').unwrap_or(&tail))
}

/// An object without its closing brace.
fn open(object: &impl Serialize) -> io::Result<String> {
    let mut text = serde_json::to_string(object)?;
    text.pop();
    Ok(text)
}

/// The JSON Schema of the file.
pub fn schema() -> schemars::Schema {
    schemars::generate::SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<Results>()
}

impl Head {
    pub fn new(header: &Header) -> Head {
        Head {
            version: VERSION,
            header: header.clone(),
            fields: Fields::default(),
            system: SystemPrompt::text().to_owned(),
        }
    }
}

impl Tail {
    /// The numbers of the strategies as `strategies.csv` has them.
    pub fn totals(&self) -> Totals {
        Totals::of_rows(self.strategies.iter().map(|record| {
            let cells = record.totals.iter().map(|(metric, value)| (metric.clone(), plain(value)));
            (record.name.clone(), cells)
        }))
    }
}

impl StrategyRecord {
    pub fn of(strategy: &StrategyComparison) -> StrategyRecord {
        let cells = strategy.cells().into_iter().map(|(name, cell)| (name, number(cell)));
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

fn number(cell: Cell) -> serde_json::Value {
    match cell {
        Cell::Count(count) => count.into(),
        Cell::Ratio(ratio) => ratio.into(),
        Cell::Money(money) => money.to_string().into(),
        Cell::Text(text) => text.into(),
    }
}

/// A number of `results.json` as `strategies.csv` has it.
fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Number(number) => match number.as_u64() {
            Some(count) => count.to_string(),
            None => Cell::Ratio(number.as_f64()).plain(),
        },
        _ => String::new(),
    }
}
