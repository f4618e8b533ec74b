//! `results.json`: everything, for programs; the input of `diff` and `merge`. One line a scenario, written
//! as it comes, so that no texts are kept. What stands on the lines is in `record`.

use std::io::{self, Write};

use serde::Serialize;

use super::comparison::{Comparison, Header};
use super::format::Part;
use super::record::{Head, StrategyRecord, Tail};

pub fn head(header: &Header, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(open(&Head::new(header))?.as_bytes())?;
    out.write_all(b",\n\"scenarios\":[\n")
}

pub fn scenario(part: &Part<'_>, out: &mut dyn Write) -> io::Result<()> {
    Ok(serde_json::to_writer(out, part.record)?)
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
        .into_root_schema_for::<super::record::Results>()
}
