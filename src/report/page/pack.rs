//! Packs the texts and requests of one scenario: each distinct piece once, as JSON, deflated, in base64. The page
//! unpacks them when the scenario is opened.

use std::io::{self, BufWriter, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::agent::Role;
use crate::measure::{MeasuredRequest, MeasuredRun};
use crate::report::header::Header;
use crate::report::record::{EndingRecord, FailureRecord, Json, ScenarioRecord, TurnRecord, WrongTurn};
use crate::report::texts::{Pieces, runs};
use crate::report::verdicts::SnapshotRecord;
use agent_logs::CompactionKind;
use conversation::Runs;
use history_evidence::refetches::Refetch;

/// Role, text and native calls. `None` means the SYSTEM text.
type PackedMessage<'r> = (Role, Option<&'r Runs>, Vec<String>);

/// The data of an opened scenario. A text is a list of runs, see [`Runs`].
#[derive(Serialize)]
pub struct Packed<'r, R> {
    description: &'r Option<String>,
    origin: String,
    max_turns: u32,
    compression: &'r Option<String>,
    result: &'r EndingRecord,
    /// The first turn at which the run went wrong.
    wrong_turn: &'r Option<WrongTurn>,
    failures: &'r [FailureRecord],
    snapshots: &'r [SnapshotRecord],
    pieces: Vec<&'r str>,
    messages: Vec<PackedMessage<'r>>,
    turns: Vec<PackedTurn<'r>>,
    /// In the order of the suite.
    strategies: Vec<Vec<R>>,
    /// Turn number, and seconds before its request.
    pauses: &'r [(u32, u64)],
    /// The first turn with a shorter request, and how the agent of the log shortened it.
    compactions: Vec<(u32, CompactionKind)>,
    /// By strategy: the turns of its own model calls. Each is made before the turn's request.
    own_calls: Vec<Vec<u32>>,
    /// Logged calls for a result fetched before.
    refetches: &'r [Refetch],
}

/// The answer of a turn, and its error.
#[derive(Serialize)]
struct PackedTurn<'r> {
    answer: Runs,
    /// Names and arguments of the calls of a logged answer; empty for a program, since its text contains them.
    calls: Vec<(&'r str, &'r Json)>,
    output_tokens: u32,
    error: Option<&'r Json>,
}

/// Field names of a packed request, written once for the whole page.
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

/// Bytes passed to the encoder at once.
const BLOCK: usize = 1 << 20;
/// Takes a little more than half the time of the default level, for pages that are 6% larger.
const LEVEL: Compression = Compression::new(3);

/// The hash that links a scenario to its SYSTEM text.
pub fn system_hash(system: &str) -> u64 {
    xxh3_64(system.as_bytes())
}

/// The same hash as a part of an element's id.
pub fn system_id(system: &str) -> String {
    format!("{:016x}", system_hash(system))
}

/// Writes a value as JSON, deflated and in base64.
///
/// # Errors
/// Errors of the writer.
pub fn write_packed(contents: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let encoder = DeflateEncoder::new(EncoderWriter::new(out, &STANDARD), LEVEL);
    // Large blocks, since the encoder clears a buffer for each one.
    let mut packing = BufWriter::with_capacity(BLOCK, encoder);
    serde_json::to_writer(&mut packing, contents)?;
    let encoder = packing.into_inner().map_err(|error| error.into_error())?;
    encoder.finish()?.finish()?;
    Ok(())
}

/// The texts and requests of a scenario.
pub fn contents<'r>(header: &Header, record: &'r ScenarioRecord) -> Packed<'r, impl Serialize + use<'r>> {
    let messages = &record.texts.messages;
    let runs = messages.iter().filter_map(|message| message.runs.as_ref()).flat_map(Runs::iter);
    let used = runs.map(|(first, count)| first + count).max().unwrap_or(0);
    let mut pieces = AllPieces { known: &record.texts.pieces, used, of_answers: IndexSet::default() };
    let messages = messages
        .iter()
        .map(|message| {
            let calls = message.tool_calls.iter().map(|call| format!("-> {}({})", call.name, call.arguments));
            (message.role, message.runs.as_ref(), calls.collect())
        })
        .collect();
    let turns = record.turns.iter().zip(&record.output_tokens);
    let turns = turns.map(|(ran, &tokens)| page_turn(ran, tokens, &mut pieces)).collect();
    Packed {
        description: &record.description,
        origin: format!("{}:{}", record.origin.path, record.origin.line),
        max_turns: record.max_turns,
        compression: &record.compression,
        result: &record.result,
        failures: &record.failures,
        wrong_turn: &record.wrong_turn,
        snapshots: &record.snapshots,
        pieces: pieces.known.iter().take(used as usize).chain(pieces.of_answers).collect(),
        messages,
        turns,
        strategies: record.strategies.iter().map(|run| requests_of(run, record.baseline(header))).collect(),
        pauses: &record.pauses,
        compactions: record.compactions.iter().map(|compaction| (compaction.turn, compaction.kind)).collect(),
        own_calls: record.strategies.iter().map(own_calls).collect(),
        refetches: list_refetches(record),
    }
}

impl<R> Packed<'_, R> {
    /// The texts that a search looks at, in lower case, as in `searchableOf` of the page's `list.js`.
    pub fn searched_text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.description.as_deref().unwrap_or_default(), self.origin);
        text.extend(self.pieces.iter().copied());
        text.to_lowercase()
    }
}

fn own_calls(run: &MeasuredRun) -> Vec<u32> {
    run.calls.iter().map(|call| call.turn).collect()
}

fn list_refetches(record: &ScenarioRecord) -> &[Refetch] {
    let rework = record.strategies.iter().find_map(|run| run.rework.as_ref());
    rework.map_or(&[], |rework| &rework.refetches)
}

/// The pieces of messages, then those found only in answers.
struct AllPieces<'r> {
    known: &'r Pieces,
    /// The messages use only known pieces below this number. The others belong to prints and results, which the page
    /// does not show.
    used: u32,
    of_answers: IndexSet<&'r str, FxBuildHasher>,
}

impl<'r> AllPieces<'r> {
    fn number_text(&mut self, text: &'r str) -> Runs {
        runs(text, |piece| match self.known.number(piece).filter(|known| *known < self.used) {
            Some(known) => known,
            None => self.used + self.of_answers.insert_full(piece).0 as u32,
        })
    }
}

fn page_turn<'r>(turn: &'r TurnRecord, output_tokens: u32, pieces: &mut AllPieces<'r>) -> PackedTurn<'r> {
    let error = (!turn.success).then_some(&turn.result);
    let calls = if turn.program.is_empty() { &turn.tool_calls[..] } else { &[] };
    let calls = calls.iter().map(|call| (&*call.name, &call.arguments)).collect();
    PackedTurn { answer: pieces.number_text(&turn.raw_response), calls, output_tokens, error }
}

fn requests_of<'r>(run: &'r MeasuredRun, baseline: Option<&MeasuredRun>) -> Vec<impl Serialize + use<'r>> {
    let mut requests = Vec::with_capacity(run.requests.len());
    for (index, measured) in run.requests.iter().enumerate() {
        let rival = baseline.and_then(|baseline| baseline.requests.get(index));
        requests.push(page_request(measured, rival));
    }
    requests
}

/// One request: a tuple with a value for each of [`REQUEST_FIELDS`]. `messages` is the number shared with the start of
/// the previous request, and the identifiers of the others. `tool_calls` and `printlns` are pairs of shown and total
/// counts. `bills` has the cached tokens and the dollars, by model.
fn page_request<'r>(
    request: &'r MeasuredRequest,
    rival: Option<&MeasuredRequest>,
) -> impl Serialize + use<'r> {
    let (evidence, statistics) = (&request.evidence, &request.statistics);
    let bills = request.bills.iter().map(|bill| (bill.cached_tokens, bill.cost.to_string()));
    (
        &request.messages,
        request.input_tokens,
        request.prefix_tokens,
        &request.break_at,
        evidence.needed(),
        evidence.shown,
        &evidence.lost,
        request.hidden_tool_calls,
        request.valid,
        rival.is_some_and(|rival| request.is_larger(rival)),
        [statistics.tool_calls_shown, statistics.tool_calls_total],
        [statistics.printlns_shown, statistics.printlns_total],
        bills.collect::<Vec<_>>(),
    )
}
