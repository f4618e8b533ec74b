//! The reports in CSV: one row a strategy, a scenario or a request.

use std::io::{self, Write};

use super::comparison::Comparison;
use super::evidence::EvidenceItem;
use super::header::Header;
use super::measure::{MeasuredRequest, MeasuredRun};
use super::numbers::Cell;
use super::record::ScenarioRecord;

/// Writes `strategies.csv`: one row a strategy, for spreadsheets, thresholds and the history of the repository.
pub fn strategies(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let named = |first: &str, cells: Vec<String>| std::iter::once(first.to_owned()).chain(cells);
    let names = comparison.strategies.first().map(|first| first.cells().into_iter().map(|(name, _)| name));
    let head = named("strategy", names.into_iter().flatten().collect());
    let rows = comparison.strategies.iter().map(|strategy| {
        named(&strategy.name, strategy.cells().into_iter().map(|(_, cell)| cell.plain()).collect())
    });
    csv_lines(out, std::iter::once(head).chain(rows))
}

/// The columns of `scenarios.csv`; tokens and evidence of every strategy follow them.
const SCENARIO_COLUMNS: [&str; 6] =
    ["scenario", "outcome", "turns", "failures", "compression", "output_tokens"];

pub fn scenarios_head(header: &Header, out: &mut dyn Write) -> io::Result<()> {
    let fixed = SCENARIO_COLUMNS.iter().map(|name| (*name).to_owned());
    let of_strategy = |name: &String| [format!("input_tokens:{name}"), format!("evidence_min:{name}")];
    csv_lines(out, [fixed.chain(header.strategies.iter().flat_map(of_strategy))])
}

pub fn scenario(_: &Header, record: &ScenarioRecord, out: &mut Vec<u8>) -> io::Result<()> {
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

/// The values of which a row of `requests.csv` is made.
struct RequestRow<'r> {
    scenario: &'r str,
    strategy: &'r str,
    request: &'r MeasuredRequest,
    is_larger: bool,
}

/// A name and the text of a row under it.
type RequestColumn = (&'static str, fn(&RequestRow<'_>) -> String);

/// The columns of `requests.csv`; those of the models follow them.
const REQUEST_COLUMNS: &[RequestColumn] = &[
    ("scenario", |row| row.scenario.to_owned()),
    ("strategy", |row| row.strategy.to_owned()),
    ("turn", |row| row.request.turn.to_string()),
    ("input_tokens", |row| row.request.input_tokens.to_string()),
    ("output_tokens", |row| row.request.output_tokens.to_string()),
    ("prefix_tokens", |row| row.request.prefix_tokens.to_string()),
    ("break_at", |row| row.request.break_at.to_string()),
    ("larger", |row| row.is_larger.to_string()),
    ("evidence", |row| Cell::Ratio(Some(row.request.evidence.share())).plain()),
    ("lost", |row| row.request.evidence.lost.iter().map(lost_item).collect::<Vec<_>>().join("; ")),
    ("hidden_tool_calls", |row| row.request.hidden_tool_calls.to_string()),
    ("valid", |row| row.request.valid.to_string()),
    ("messages", |row| row.request.messages.count().to_string()),
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

pub fn requests_head(header: &Header, out: &mut dyn Write) -> io::Result<()> {
    let fixed = REQUEST_COLUMNS.iter().map(|(name, _)| (*name).to_owned());
    let of_model = |model: &str| [format!("cached_tokens:{model}"), format!("cost:{model}")];
    csv_lines(out, [fixed.chain(header.models.iter().flat_map(|price| of_model(&price.model)))])
}

pub fn requests(header: &Header, record: &ScenarioRecord, out: &mut Vec<u8>) -> io::Result<()> {
    let baseline = record.baseline(header);
    let rows = record.strategies.iter().flat_map(|run| {
        run.requests.iter().enumerate().map(move |(index, request)| {
            let rival = baseline.and_then(|baseline| baseline.requests.get(index));
            let is_larger = rival.is_some_and(|rival| request.is_larger(rival));
            let row = RequestRow { scenario: &record.name, strategy: &run.name, request, is_larger };
            let bills = request.bills.iter();
            let bills = bills.flat_map(|bill| [bill.cached_tokens.to_string(), bill.cost.to_string()]);
            REQUEST_COLUMNS.iter().map(|(_, cell)| cell(&row)).chain(bills).collect::<Vec<_>>()
        })
    });
    csv_lines(out, rows)
}

/// `Laptop (turn 1)`
fn lost_item(lost: &EvidenceItem) -> String {
    match lost.turn {
        Some(turn) => format!("{} (turn {turn})", lost.what),
        None => lost.what.to_string(),
    }
}

/// Lines of a CSV file.
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
