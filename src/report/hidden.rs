//! Removes secrets in logs from reports. Numbers are measured before, so they don't depend on the rules for
//! secrets.

use std::io;

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use super::record::ScenarioRecord;
use crate::secrets::{Secrets, replace_strings};

/// Appended when two texts would become equal without their secrets, as the pieces of a record have to be
/// distinct.
const APART: char = '\u{200b}';

/// Replaces the secrets in all texts of a record with `[secret 1]` and so on.
///
/// # Errors
/// The record cannot be serialized or parsed again.
pub fn hide_secrets(record: &mut ScenarioRecord) -> io::Result<()> {
    let mut secrets = Secrets::default();
    // The distinct pieces, in conversation order.
    let conversation: String = record.texts.pieces.iter().collect();
    secrets.learn(&conversation, None);
    let mut arguments: FxHashMap<&str, &str> = FxHashMap::default();
    for message in &record.texts.messages {
        if let Some(arguments) = message.call.as_deref().and_then(|id| arguments.get(id))
            && let Some(runs) = &message.runs
        {
            let output: String = runs.numbers().filter_map(|piece| record.texts.pieces.get(piece)).collect();
            secrets.learn_output(arguments, &output);
        }
        for call in &message.tool_calls {
            learn_json(&mut secrets, &call.arguments);
            arguments.insert(&call.id, &call.arguments);
        }
    }
    for text in [&record.name].into_iter().chain(&record.description).chain(&record.tags) {
        secrets.learn(text, None);
    }
    // The last results are in no request.
    learn_json(
        &mut secrets,
        &serde_json::to_string(&(&record.result, record.turns.last(), &record.failures))?,
    );
    record.system.iter().for_each(|system| secrets.learn(system, None));
    // Removed lines may be in no request either.
    for part in record.difference.iter().flat_map(|difference| &difference.parts) {
        let lines = [&part.removed, &part.added].into_iter().flat_map(|lines| &lines.first);
        lines.for_each(|line| secrets.learn(&line.text, None));
        part.worst.iter().for_each(|worst| secrets.learn(&worst.fact, None));
        secrets.learn(&part.cause.title(), None);
    }
    if secrets.is_empty() {
        return Ok(());
    }
    // A multi-line secret spans several pieces.
    secrets.learn_lines();
    let json = serde_json::to_string(record)?;
    let mut texts = FxHashSet::default();
    replace_strings(&json, &mut |string| {
        texts.insert(xxh3_64(string.text.as_bytes()));
        None
    });
    // An item lost by several strategies occurs several times, and has to keep a single text.
    let mut known: FxHashMap<u64, String> = FxHashMap::default();
    let hidden = replace_strings(&json, &mut |string| {
        let hash = xxh3_64(string.text.as_bytes());
        if let Some(hidden) = known.get(&hash) {
            return Some(hidden.clone());
        }
        let (mut hidden, _) = secrets.hidden(string.text)?;
        while !texts.insert(xxh3_64(hidden.as_bytes())) {
            hidden.push(APART);
        }
        known.insert(hash, hidden.clone());
        Some(hidden)
    });
    if let Some(hidden) = hidden {
        *record = serde_json::from_str(&hidden)?;
    }
    Ok(())
}

fn learn_json(secrets: &mut Secrets, json: &str) {
    replace_strings(json, &mut |string| {
        secrets.learn(string.text, string.key);
        None
    });
}
