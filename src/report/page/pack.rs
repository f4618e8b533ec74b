//! The texts and requests of one scenario, packed: each distinct line once, as JSON, deflated, in base64.
//! The page unpacks them when somebody opens the scenario.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde_json::Value as Json;

use super::lines::Lines;
use crate::agent::{Message, Role, SystemPrompt, Turn};
use crate::report::comparison::Header;
use crate::report::evidence::Lost;
use crate::report::format::Part;
use crate::report::measure::{MeasuredRequest, MeasuredRun};
use crate::report::results_json;

/// What stands behind an opened scenario. A text is a list of runs, see [`Lines::runs`].
#[derive(Serialize)]
struct Packed<'r> {
    description: &'r Option<String>,
    origin: String,
    max_turns: u32,
    compression: &'r Option<String>,
    result: Json,
    failures: Vec<Json>,
    lines: Vec<&'r str>,
    messages: Vec<PackedMessage>,
    turns: Vec<PackedTurn>,
    /// In the order of the suite.
    strategies: Vec<Vec<PackedRequest<'r>>>,
}

/// Without a text it is the SYSTEM text that all scenarios share.
#[derive(Serialize)]
struct PackedMessage(Role, Option<Vec<u32>>);

/// What the model answered, and the error that came of it.
#[derive(Serialize)]
struct PackedTurn {
    answer: Vec<u32>,
    output_tokens: u32,
    error: Option<String>,
}

/// What stands in the rows of [`PackedRequest`], which is named once for the whole page.
pub const REQUEST_FIELDS: [&str; 14] = [
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
    "turns_compressed",
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
    u32,
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
    let (result, measured) = (part.result, part.measured);
    let scenario = &result.scenario;
    let mut lines = Lines::default();
    let framed = SystemPrompt::framed(&scenario.agent.system_prompt);
    let is_shared = framed == SystemPrompt::text();
    let distinct = measured.messages.iter().filter_map(|place| place.find(result));
    let messages = distinct.map(|text| message(text, &framed, is_shared, &mut lines)).collect();
    let turns = result.step.turns.turns().iter().zip(&measured.output_tokens);
    let turns = turns.map(|(ran, &tokens)| turn(ran, tokens, &mut lines)).collect();
    Packed {
        description: &scenario.description,
        origin: format!("{}:{}", scenario.origin.path, scenario.origin.line),
        max_turns: scenario.agent.max_turns,
        compression: &measured.compression,
        result: results_json::ending(&result.step.ending),
        failures: results_json::failures(part),
        lines: lines.lines,
        messages,
        turns,
        strategies: runs(&measured.strategies, part.header),
    }
}

fn message<'r>(message: &'r Message, framed: &str, is_shared: bool, lines: &mut Lines<'r>) -> PackedMessage {
    let is_system = is_shared && message.role == Role::System && message.content == framed;
    PackedMessage(message.role, (!is_system).then(|| lines.runs(&message.content)))
}

fn turn<'r>(turn: &'r Turn, output_tokens: u32, lines: &mut Lines<'r>) -> PackedTurn {
    let error = turn.result.as_ref().err().map(|error| format!("{}: {}", error.kind, error.message));
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
        statistics.turns_compressed,
        [statistics.tool_calls_shown, statistics.tool_calls_total],
        [statistics.printlns_shown, statistics.printlns_total],
        request.bills.iter().map(|bill| (bill.cached_tokens, bill.cost.to_string())).collect(),
    )
}
