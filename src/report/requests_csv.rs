//! `requests.csv`: one row a request, for data frames.

use std::io::{self, Write};

use super::evidence::EvidenceItem;
use super::header::Header;
use super::measure::MeasuredRequest;
use super::numbers::Cell;
use super::record::ScenarioRecord;
use super::tables::csv_lines;

/// The values of which a row is made.
struct Row<'r> {
    scenario: &'r str,
    strategy: &'r str,
    request: &'r MeasuredRequest,
    is_larger: bool,
}

/// A name and the text of a row under it.
type Column = (&'static str, fn(&Row<'_>) -> String);

/// The columns of every file; those of the models follow them.
const COLUMNS: &[Column] = &[
    ("scenario", |row| row.scenario.to_owned()),
    ("strategy", |row| row.strategy.to_owned()),
    ("turn", |row| row.request.turn.to_string()),
    ("input_tokens", |row| row.request.input_tokens.to_string()),
    ("output_tokens", |row| row.request.output_tokens.to_string()),
    ("prefix_tokens", |row| row.request.prefix_tokens.to_string()),
    ("break_at", |row| row.request.break_at.to_string()),
    ("larger", |row| row.is_larger.to_string()),
    ("evidence", |row| Cell::Ratio(Some(row.request.evidence.share())).plain()),
    ("lost", |row| row.request.evidence.lost.iter().map(describe).collect::<Vec<_>>().join("; ")),
    ("hidden_tool_calls", |row| row.request.hidden_tool_calls.to_string()),
    ("valid", |row| row.request.valid.to_string()),
    ("messages", |row| row.request.messages.len().to_string()),
    ("enabled", |row| row.request.statistics.enabled.to_string()),
    ("turns_compressed", |row| row.request.statistics.turns_compressed.to_string()),
    ("tool_calls_total", |row| row.request.statistics.tool_calls_total.to_string()),
    ("tool_calls_shown", |row| row.request.statistics.tool_calls_shown.to_string()),
    ("tool_calls_dropped", |row| row.request.statistics.tool_calls_dropped.to_string()),
    ("printlns_total", |row| row.request.statistics.printlns_total.to_string()),
    ("printlns_shown", |row| row.request.statistics.printlns_shown.to_string()),
    ("printlns_dropped", |row| row.request.statistics.printlns_dropped.to_string()),
    ("error_turns_collapsed", |row| row.request.statistics.error_turns_collapsed.to_string()),
    ("evidence_needed", |row| row.request.evidence.needed.to_string()),
];

pub fn head(header: &Header, out: &mut dyn Write) -> io::Result<()> {
    let fixed = COLUMNS.iter().map(|(name, _)| (*name).to_owned());
    let of_model = |model: &str| [format!("cached_tokens:{model}"), format!("cost:{model}")];
    csv_lines(out, [fixed.chain(header.models.iter().flat_map(|price| of_model(&price.model)))])
}

pub fn scenario(header: &Header, record: &ScenarioRecord, out: &mut dyn Write) -> io::Result<()> {
    let baseline = record.baseline(header);
    let rows = record.strategies.iter().flat_map(|run| {
        run.requests.iter().enumerate().map(move |(index, request)| {
            let rival = baseline.and_then(|baseline| baseline.requests.get(index));
            let is_larger = rival.is_some_and(|rival| request.is_larger(rival));
            let row = Row { scenario: &record.name, strategy: &run.name, request, is_larger };
            let bills = request.bills.iter();
            let bills = bills.flat_map(|bill| [bill.cached_tokens.to_string(), bill.cost.to_string()]);
            COLUMNS.iter().map(|(_, cell)| cell(&row)).chain(bills).collect::<Vec<_>>()
        })
    });
    csv_lines(out, rows)
}

/// `Laptop (turn 1)`
fn describe(lost: &EvidenceItem) -> String {
    match lost.turn {
        Some(turn) => format!("{} (turn {turn})", lost.what),
        None => lost.what.to_string(),
    }
}
