//! `requests.csv`: one row a request, for data frames.

use std::io::{self, Write};

use super::evidence::Lost;
use super::header::Header;
use super::measure::{MeasuredRequest, MeasuredRun};
use super::numbers::Cell;
use super::record::ScenarioRecord;
use super::tables::csv_lines;

const COLUMNS: [&str; 23] = [
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
];

pub fn head(header: &Header, out: &mut dyn Write) -> io::Result<()> {
    let fixed = COLUMNS.iter().map(|name| (*name).to_owned());
    let of_model = |model: &str| [format!("cached_tokens:{model}"), format!("cost:{model}")];
    csv_lines(out, [fixed.chain(header.models.iter().flat_map(|price| of_model(&price.model)))])
}

pub fn scenario(header: &Header, record: &ScenarioRecord, out: &mut dyn Write) -> io::Result<()> {
    let runs = &record.strategies;
    let baseline = runs.iter().find(|run| *run.name == *header.baseline);
    let rows = runs.iter().flat_map(|run| {
        run.requests.iter().enumerate().map(move |(index, request)| {
            let rival = baseline.and_then(|baseline| baseline.requests.get(index));
            let larger = rival.is_some_and(|rival| request.is_larger(rival));
            row(&record.name, run, request, larger)
        })
    });
    csv_lines(out, rows)
}

fn row(scenario: &str, run: &MeasuredRun, request: &MeasuredRequest, larger: bool) -> Vec<String> {
    let stats = &request.statistics;
    let lost: Vec<String> = request.evidence.lost.iter().map(describe).collect();
    let mut row = vec![
        scenario.to_owned(),
        run.name.to_string(),
        request.turn.to_string(),
        request.input_tokens.to_string(),
        request.output_tokens.to_string(),
        request.prefix_tokens.to_string(),
        request.break_at.to_string(),
        larger.to_string(),
        Cell::Ratio(Some(request.evidence.share())).plain(),
        lost.join("; "),
        request.hidden_tool_calls.to_string(),
        request.valid.to_string(),
        request.messages.len().to_string(),
        stats.enabled.to_string(),
        stats.turns_compressed.to_string(),
        stats.tool_calls_total.to_string(),
        stats.tool_calls_shown.to_string(),
        stats.tool_calls_dropped.to_string(),
        stats.printlns_total.to_string(),
        stats.printlns_shown.to_string(),
        stats.printlns_dropped.to_string(),
        stats.error_turns_collapsed.to_string(),
        request.evidence.needed.to_string(),
    ];
    for bill in &request.bills {
        row.extend([bill.cached_tokens.to_string(), bill.cost.to_string()]);
    }
    row
}

/// `Laptop (turn 1)`
fn describe(lost: &Lost) -> String {
    match lost.turn {
        Some(turn) => format!("{} (turn {turn})", lost.what),
        None => lost.what.to_string(),
    }
}
