//! The CSV reports, with one row per strategy, scenario or request.

use std::io::{self, Write};

use super::comparison::Comparison;
use super::header::Header;
use super::record::ScenarioRecord;
use super::spreadsheet::{push_cell, text_cell};
use crate::measure::MeasuredRequest;
use crate::measure::evidence::EvidenceItem;
use crate::measure::numbers::Cell;
use RequestCell::{Flag, Name, Number, Text};

/// Writes `strategies.csv`: one row per strategy, for spreadsheets, thresholds and the git history.
pub fn strategies(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let mut head = vec!["strategy".to_owned()];
    if let Some(first) = comparison.strategies.first() {
        for (name, _) in first.cells() {
            head.push(name);
        }
    }
    let mut rows = vec![head];
    for strategy in &comparison.strategies {
        let mut row = vec![text_cell(&strategy.name).into_owned()];
        for (_, cell) in strategy.cells() {
            row.push(match cell {
                Cell::Text(text) => text_cell(&text).into_owned(),
                number => number.plain(),
            });
        }
        rows.push(row);
    }
    csv_lines(out, rows)
}

/// The first columns of `scenarios.csv`; tokens and evidence of every strategy follow them.
const SCENARIO_COLUMNS: [&str; 6] =
    ["scenario", "outcome", "turns", "failures", "compression", "output_tokens"];

pub fn scenarios_head(header: &Header, out: &mut dyn Write) -> io::Result<()> {
    let mut head = SCENARIO_COLUMNS.map(str::to_owned).to_vec();
    for name in &header.strategies {
        head.extend([format!("input_tokens:{name}"), format!("evidence_min:{name}")]);
    }
    csv_lines(out, [head])
}

pub fn scenario(_: &Header, record: &ScenarioRecord, out: &mut Vec<u8>) -> io::Result<()> {
    let mut row = vec![
        text_cell(&record.name).into_owned(),
        record.outcome.clone(),
        record.output_tokens.len().to_string(),
        record.failures.len().to_string(),
        text_cell(record.compression.as_deref().unwrap_or("")).into_owned(),
        record.output_tokens.iter().copied().map(u64::from).sum::<u64>().to_string(),
    ];
    for run in &record.strategies {
        row.extend([run.input_tokens().to_string(), Cell::Ratio(run.evidence_min()).plain()]);
    }
    csv_lines(out, [row])
}

/// The data for a row of `requests.csv`.
struct RequestRow<'r> {
    scenario: &'r str,
    strategy: &'r str,
    request: &'r MeasuredRequest,
    is_larger: bool,
}

impl<'r> RequestRow<'r> {
    /// The values of [`REQUEST_COLUMNS`].
    fn cells(&self) -> [RequestCell<'r>; REQUEST_COLUMNS.len()] {
        let request = self.request;
        let (evidence, statistics) = (&request.evidence, &request.statistics);
        [
            Name(self.scenario),
            Name(self.strategy),
            Number(request.turn),
            Number(request.input_tokens),
            Number(request.output_tokens),
            Number(request.prefix_tokens),
            Text(request.break_at.to_string()),
            Flag(self.is_larger),
            Text(Cell::Ratio(evidence.share()).plain()),
            Text(lost_items(&evidence.lost)),
            Number(request.hidden_tool_calls),
            Flag(request.valid),
            Number(request.messages.count() as u32),
            Flag(statistics.enabled),
            Number(statistics.turns_compressed),
            Number(statistics.tool_calls_total),
            Number(statistics.tool_calls_shown),
            Number(statistics.tool_calls_dropped),
            Number(statistics.printlns_total),
            Number(statistics.printlns_shown),
            Number(statistics.printlns_dropped),
            Number(statistics.error_turns_collapsed),
            Number(evidence.needed()),
            Number(evidence.reachable),
            Number(evidence.own),
            Number(evidence.gone),
        ]
    }
}

/// A value in `requests.csv`.
enum RequestCell<'r> {
    Number(u32),
    Flag(bool),
    Name(&'r str),
    Text(String),
}

/// The first columns of `requests.csv`, in the order of [`RequestRow::cells`]; those of the models follow them.
const REQUEST_COLUMNS: [&str; 26] = [
    "scenario",
    "strategy",
    "turn",
    "input_tokens",
    "output_tokens",
    "prefix_tokens",
    "break_at",
    "larger",
    "evidence",
    "lost",
    "hidden_tool_calls",
    "valid",
    "messages",
    "enabled",
    "turns_compressed",
    "tool_calls_total",
    "tool_calls_shown",
    "tool_calls_dropped",
    "printlns_total",
    "printlns_shown",
    "printlns_dropped",
    "error_turns_collapsed",
    "evidence_needed",
    "evidence_reachable",
    "evidence_own",
    "evidence_gone",
];

/// The columns of each model in `requests.csv`.
const BILL_COLUMNS: [&str; 3] = ["cached_tokens", "written_tokens", "cost"];

pub fn requests_head(header: &Header, out: &mut dyn Write) -> io::Result<()> {
    let mut head = REQUEST_COLUMNS.map(str::to_owned).to_vec();
    for price in &header.models {
        head.extend(BILL_COLUMNS.map(|name| format!("{name}:{}", price.model)));
    }
    csv_lines(out, [head])
}

pub fn requests(header: &Header, record: &ScenarioRecord, out: &mut Vec<u8>) -> io::Result<()> {
    let baseline = record.baseline(header);
    let mut digits = itoa::Buffer::new();
    for run in &record.strategies {
        for (index, request) in run.requests.iter().enumerate() {
            let rival = baseline.and_then(|baseline| baseline.requests.get(index));
            let is_larger = rival.is_some_and(|rival| request.is_larger(rival));
            let row = RequestRow { scenario: &record.name, strategy: &run.name, request, is_larger };
            for cell in row.cells() {
                match cell {
                    Number(number) => out.extend_from_slice(digits.format(number).as_bytes()),
                    Flag(flag) => out.extend_from_slice(if flag { b"true" } else { b"false" }),
                    Name(name) => push_cell(out, name),
                    Text(text) => push_cell(out, &text),
                }
                out.push(b',');
            }
            for bill in &request.bills {
                for tokens in [bill.cached_tokens, bill.written_tokens] {
                    out.extend_from_slice(digits.format(tokens).as_bytes());
                    out.push(b',');
                }
                write!(out, "{},", bill.cost)?;
            }
            out.pop();
            out.push(b'\n');
        }
    }
    Ok(())
}

/// `Laptop (gone, turn 1); Mouse (own, turn 2)`
fn lost_items(lost: &[EvidenceItem]) -> String {
    let mut texts = Vec::with_capacity(lost.len());
    for item in lost {
        texts.push(match item.turn {
            Some(turn) => format!("{item} ({}, turn {turn})", item.grade),
            None => format!("{item} ({})", item.grade),
        });
    }
    texts.join("; ")
}

/// Writes rows as lines of CSV.
fn csv_lines<R: IntoIterator<Item = String>>(
    out: &mut dyn Write,
    rows: impl IntoIterator<Item = R>,
) -> io::Result<()> {
    let mut lines = csv::Writer::from_writer(out);
    for row in rows {
        lines.write_record(row)?;
    }
    lines.flush()
}
