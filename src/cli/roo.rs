//! Tasks of Roo Code and Cline's extension. They log bills in a separate file: `ui_messages.json` next to `api_conversation_history.json`.
//! Each bill is inserted into its answer.

use std::collections::VecDeque;
use std::io;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::scenario::files;

const HISTORY: &str = "api_conversation_history.json";
const SHOWN: &str = "ui_messages.json";

/// The bill of a request in Roo Code's log.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bill {
    /// The time of the request, in milliseconds since 1970.
    #[serde(skip)]
    sent: u64,
    tokens_in: Option<u64>,
    tokens_out: Option<u64>,
    cache_writes: Option<u64>,
    cache_reads: Option<u64>,
    cost: Option<f64>,
}

/// Returns true for a file of bills with a history next to it.
pub(super) fn is_shown(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name == SHOWN) && file.with_file_name(HISTORY).is_file()
}

/// The history of a task with its bills inserted. `None` for any other file.
pub(super) fn with_bills(file: &Path) -> Option<io::Result<Vec<u8>>> {
    let shown = file.with_file_name(SHOWN);
    let is_history = file.file_name().is_some_and(|name| name == HISTORY);
    let is_there = shown.is_file() && !files::leads_out(file.parent()?, &shown);
    (is_history && is_there).then(|| {
        let (history, shown) = (files::read(file)?, files::read(&shown)?);
        let (mut messages, shown) = match (serde_json::from_slice(&history), serde_json::from_slice(&shown)) {
            (Ok(Value::Array(messages)), Ok(Value::Array(shown))) => (messages, shown),
            // Leave the error to the log reader.
            _ => return Ok(history),
        };
        bill(&mut messages, shown.iter().filter_map(Bill::of).collect());
        Ok(serde_json::to_vec(&messages)?)
    })
}

impl Bill {
    fn of(shown: &Value) -> Option<Bill> {
        let is_request = shown.get("say").is_some_and(|say| say == "api_req_started");
        let bill: Bill = serde_json::from_str(shown.get("text").filter(|_| is_request)?.as_str()?).ok()?;
        bill.tokens_in?;
        Some(Bill { sent: shown.get("ts")?.as_u64()?, ..bill })
    }

    fn cached(&self) -> u64 {
        self.cache_reads.unwrap_or(0).saturating_add(self.cache_writes.unwrap_or(0))
    }

    /// The bill in Anthropic's format, where `input_tokens` excludes cache reads and writes.
    fn usage(&self, includes_cached: bool) -> Value {
        let cached = if includes_cached { self.cached() } else { 0 };
        json!({
            "input_tokens": self.tokens_in.map(|tokens| tokens.saturating_sub(cached)),
            "cache_read_input_tokens": self.cache_reads,
            "cache_creation_input_tokens": self.cache_writes,
            "output_tokens": self.tokens_out,
            "total_cost": self.cost,
        })
    }
}

/// Inserts the bills into the answers of a history.
fn bill(messages: &mut [Value], bills: Vec<Bill>) {
    // Newer versions include cached tokens in the input, older ones exclude them. No field distinguishes them, so check if the cached
    // tokens fit into the input.
    let includes_cached = bills.iter().all(|bill| Some(bill.cached()) <= bill.tokens_in);
    let answers = messages.iter().filter(|message| has_role(message, "assistant")).count();
    // Histories of older versions have no times, so match by order.
    let are_in_order = answers == bills.len();
    let mut bills = VecDeque::from(bills);
    let mut model = None;
    for message in messages {
        if has_role(message, "user") {
            model = model_in(message).or(model);
            continue;
        }
        let Some(fields) = message.as_object_mut().filter(|fields| is_answer(fields)) else { continue };
        let ended = fields.get("ts").and_then(Value::as_u64);
        // Of several requests before an answer, all but the last one failed.
        let sent = bills.iter().take_while(|bill| Some(bill.sent) <= ended).count();
        let bill = match ended {
            Some(_) => bills.drain(..sent).next_back(),
            None => bills.pop_front().filter(|_| are_in_order),
        };
        if let Some(bill) = bill {
            fields.insert("usage".to_owned(), bill.usage(includes_cached));
            fields.extend(model.clone().map(|model| ("model".to_owned(), Value::from(model))));
        }
    }
}

fn has_role(message: &Value, role: &str) -> bool {
    message.get("role").is_some_and(|own| own == role)
}

/// Returns true for an answer, but false for the summary of a compaction.
fn is_answer(fields: &Map<String, Value>) -> bool {
    let is_summary = fields.get("isSummary").is_some_and(|value| value == true);
    fields.get("role").is_some_and(|role| role == "assistant") && !is_summary
}

/// The model name that the editor adds to messages: `<model>anthropic/claude-sonnet-4.5</model>`.
fn model_in(message: &Value) -> Option<String> {
    let text = message.get("content")?.to_string();
    let (_, details) = text.rsplit_once("<environment_details>")?;
    let (_, name) = details.split_once("<model>")?;
    Some(name.split_once("</model>")?.0.to_owned())
}
