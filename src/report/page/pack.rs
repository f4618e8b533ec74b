//! The texts and requests of one scenario, packed: each distinct line once, as JSON, deflated, in base64.
//! The page unpacks them when somebody opens the scenario.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use super::lines::Lines;
use crate::agent::Role;
use crate::report::comparison::Header;
use crate::report::evidence::Lost;
use crate::report::format::Part;
use crate::report::measure::{MeasuredRequest, MeasuredRun};
use crate::report::record::{EndingRecord, FailureRecord, Json, MessageRecord, TurnRecord};
use crate::report::verdicts::SnapshotRecord;

/// What stands behind an opened scenario. A text is a list of runs, see [`Lines::runs`].
#[derive(Serialize)]
struct Packed<'r> {
    description: &'r Option<String>,
    origin: String,
    max_turns: u32,
    compression: &'r Option<String>,
    result: &'r EndingRecord,
    failures: &'r [FailureRecord],
    snapshots: &'r [SnapshotRecord],
    lines: Vec<&'r str>,
    messages: Vec<PackedMessage>,
    turns: Vec<PackedTurn<'r>>,
    /// In the order of the suite.
    strategies: Vec<Vec<PackedRequest<'r>>>,
}

/// Without a text it is the SYSTEM text that all scenarios share.
#[derive(Serialize)]
struct PackedMessage(Role, Option<Vec<u32>>);

/// What the model answered, and what came of it where that was an error.
#[derive(Serialize)]
struct PackedTurn<'r> {
    answer: Vec<u32>,
    output_tokens: u32,
    error: Option<&'r Json>,
}

/// What stands in the rows of [`PackedRequest`], which is named once for the whole page.
pub const REQUEST_FIELDS: [&str; 13] = [
    "messages",
    "input_tokens",
    "prefix_tokens",
    "break_at",
    "needed",
    "shown",
    "lost",
    "hidden_tool_calls",
    "valid",
    "larger",
    "tool_calls",
    "printlns",
    "bills",
];

/// One request, a field for each of [`REQUEST_FIELDS`]. Calls and prints are those shown, of how many; bills are
/// by model: tokens read from the cache, and dollars.
#[derive(Serialize)]
struct PackedRequest<'r>(
    &'r [u32],
    u32,
    u32,
    String,
    u32,
    u32,
    &'r [Lost],
    u32,
    bool,
    bool,
    [u32; 2],
    [u32; 2],
    Vec<(u32, String)>,
);

/// # Errors
/// What the encoder says; writing to memory, it has nothing to say.
pub fn packed(part: &Part<'_>) -> io::Result<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    // In one piece: the encoder clears a buffer for every piece that it is given.
    encoder.write_all(&serde_json::to_vec(&contents(part))?)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

fn contents<'r>(part: &Part<'r>) -> Packed<'r> {
    let record = part.record;
    let mut lines = Lines::default();
    let messages = record.messages.iter();
    let messages = messages.map(|text| message(text, record.system.as_deref(), &mut lines)).collect();
    let turns = record.turns.iter().zip(&record.output_tokens);
    let turns = turns.map(|(ran, &tokens)| turn(ran, tokens, &mut lines)).collect();
    Packed {
        description: &record.description,
        origin: format!("{}:{}", record.origin.path, record.origin.line),
        max_turns: record.max_turns,
        compression: &record.compression,
        result: &record.result,
        failures: &record.failures,
        snapshots: &record.snapshots,
        lines: lines.lines,
        messages,
        turns,
        strategies: runs(&record.strategies, part.header),
    }
}

fn message<'r>(message: &'r MessageRecord, system: Option<&'r str>, lines: &mut Lines<'r>) -> PackedMessage {
    let text = message.content.as_deref().or(system);
    PackedMessage(message.role, text.map(|text| lines.runs(text)))
}

fn turn<'r>(turn: &'r TurnRecord, output_tokens: u32, lines: &mut Lines<'r>) -> PackedTurn<'r> {
    let error = (!turn.success).then_some(&turn.result);
    PackedTurn { answer: lines.runs(&turn.raw_response), output_tokens, error }
}

fn runs<'r>(runs: &'r [MeasuredRun], header: &Header) -> Vec<Vec<PackedRequest<'r>>> {
    let baseline = runs.iter().find(|run| *run.name == *header.baseline);
    let of_run = |run: &'r MeasuredRun| {
        let rival = |index: usize| baseline.and_then(|baseline| baseline.requests.get(index));
        let requests = run.requests.iter().enumerate();
        requests.map(|(index, measured)| request(measured, rival(index))).collect()
    };
    runs.iter().map(of_run).collect()
}

fn request<'r>(request: &'r MeasuredRequest, rival: Option<&MeasuredRequest>) -> PackedRequest<'r> {
    let (evidence, statistics) = (&request.evidence, &request.statistics);
    PackedRequest(
        &request.messages,
        request.input_tokens,
        request.prefix_tokens,
        request.break_at.to_string(),
        evidence.needed,
        evidence.shown,
        &evidence.lost,
        request.hidden_tool_calls,
        request.valid,
        rival.is_some_and(|rival| request.is_larger(rival)),
        [statistics.tool_calls_shown, statistics.tool_calls_total],
        [statistics.printlns_shown, statistics.printlns_total],
        request.bills.iter().map(|bill| (bill.cached_tokens, bill.cost.to_string())).collect(),
    )
}
