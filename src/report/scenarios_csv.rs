//! `scenarios.csv`: one row a scenario, with the tokens and the evidence of every strategy.

use std::io::{self, Write};

use super::header::Header;
use super::measure::MeasuredRun;
use super::numbers::Cell;
use super::record::ScenarioRecord;
use super::tables::csv_lines;

const COLUMNS: [&str; 6] = ["scenario", "outcome", "turns", "failures", "compression", "output_tokens"];

pub fn head(header: &Header, out: &mut dyn Write) -> io::Result<()> {
    let fixed = COLUMNS.iter().map(|name| (*name).to_owned());
    let of_strategy = |name: &String| [format!("input_tokens:{name}"), format!("evidence_min:{name}")];
    csv_lines(out, [fixed.chain(header.strategies.iter().flat_map(of_strategy))])
}

pub fn scenario(_: &Header, record: &ScenarioRecord, out: &mut dyn Write) -> io::Result<()> {
    let mut row = vec![
        record.name.clone(),
        record.outcome.clone(),
        record.output_tokens.len().to_string(),
        record.failures.len().to_string(),
        record.compression.clone().unwrap_or_default(),
        record.output_tokens.iter().map(|&tokens| u64::from(tokens)).sum::<u64>().to_string(),
    ];
    row.extend(record.strategies.iter().flat_map(of_run));
    csv_lines(out, [row])
}

fn of_run(run: &MeasuredRun) -> [String; 2] {
    [run.input_tokens().to_string(), Cell::Ratio(run.evidence_min()).plain()]
}
