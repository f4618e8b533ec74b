//! A reader of tomorrow's log, with other names for tokens or texts, names its losses or refuses the log.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use agent_logs::{Transcript, TranscriptUsage, read};
use serde_json::Value;

use crate::readers::files;

/// Words in the names of token counts.
const TOKENS: [&str; 6] = ["token", "Token", "input", "output", "cache", "Cache"];

/// Renamings that stay unnamed: the start of a file's name and the field, with the reason.
const SILENT: &[(&str, &str)] = &[
    // A text for people, which has no fields.
    ("aider/", "Tokens"),
    ("aider/", "all"),
    // The same numbers occur elsewhere in the log, where they are read.
    ("anthropic/requests.jsonl", "cache_read_input_tokens"),
    ("atif/", "completion_tokens"),
    ("claude-code/forked.jsonl", "cache_read_input_tokens"),
    ("claude-code/times.jsonl", "cache_read_input_tokens"),
    ("copilot-cli/shutdowns.jsonl", "cacheReadTokens"),
    ("kimi-code/", "inputCacheCreation"),
    ("otel-genai/cut-at-128.jsonl", "llm.token_count.completion"),
    ("swe-agent/mini-rejected.json", "completion_tokens"),
    // A total, from which the reader derives what other fields lack.
    ("qwen-code/", "totalTokenCount"),
    // Traces and records of requests, which programs fill as they wish.
    ("langfuse/", "system_instruction"),
];

fn is_silent(file: &Path, name: &str) -> bool {
    let file = file.strip_prefix("tests/logs").unwrap().display().to_string();
    SILENT.iter().any(|(start, own)| file.starts_with(start) && name == *own)
}

fn is_exempt(file: &Path) -> bool {
    file.starts_with("tests/logs/broken")
}

/// The outcome of reading a log.
struct Told {
    transcripts: Vec<Transcript>,
    /// The notes, or the error.
    notes: String,
    is_refused: bool,
}

fn tell(log: &[u8]) -> Told {
    let mut transcripts = Vec::new();
    let notes = read(log, "LOG", None, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    let is_refused = notes.is_err();
    let notes =
        notes.map_or_else(|error| error.to_string(), |notes| notes.lines().collect::<Vec<_>>().join("\n"));
    Told { transcripts, notes, is_refused }
}

/// All token counts of the transcripts.
fn counts(transcripts: &[Transcript]) -> Vec<u64> {
    let of_messages =
        transcripts.iter().flat_map(|one| &one.messages).filter_map(|message| message.usage.as_ref());
    let of_summaries =
        transcripts.iter().flat_map(|one| &one.compactions).filter_map(|one| one.usage.as_ref());
    let of_runs = transcripts.iter().filter_map(|one| one.outcome.as_ref()?.usage.as_ref());
    let of_usage = |usage: &TranscriptUsage| {
        [usage.input_tokens, usage.cached_tokens, usage.cache_write_tokens, usage.output_tokens]
    };
    let mut counts: Vec<u64> = of_messages
        .chain(of_summaries)
        .chain(of_runs)
        .flat_map(of_usage)
        .flatten()
        .filter(|count| *count > 0)
        .collect();
    counts.sort_unstable();
    counts
}

/// Names of token counts in a text of JSON or YAML: keys with a count behind, also in strings and in attributes of OTLP.
fn names_of_counts(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    for (at, _) in text.match_indices(':') {
        let (before, after) = (&text[..at], &text[at + 1..]);
        let before = before.trim_end_matches(['"', '\\', ' ']);
        let name: String = before.chars().rev().take_while(|c| is_name(*c)).collect();
        let name: String = name.chars().rev().collect();
        let is_otlp = name == "intValue";
        let name = match is_otlp {
            true => before
                .rsplit_once("\"key\":")
                .map(|(_, rest)| {
                    rest.trim_start().trim_start_matches('"').split('"').next().unwrap().to_owned()
                })
                .unwrap(),
            false => name,
        };
        let value = after.trim_start().trim_start_matches(['"', '\\']);
        let is_count = value.starts_with(|c: char| ('1'..='9').contains(&c));
        if is_count && TOKENS.iter().any(|word| name.contains(word)) && !name.contains("max_") {
            names.insert(name);
        }
    }
    names
}

/// Renames a field everywhere in a text.
fn renamed(text: &str, name: &str, other: &str) -> String {
    let quoted = text.replace(&format!("\"{name}\""), &format!("\"{other}\""));
    let escaped = quoted.replace(&format!("\\\"{name}\\\""), &format!("\\\"{other}\\\""));
    escaped.replace(&format!(" {name}:"), &format!(" {other}:"))
}

/// Another name for a count, as a new version of a format could have it.
fn later_name(name: &str, style: usize) -> String {
    match style {
        0 => format!("{name}_v2"),
        _ => name
            .replace("input", "prompt_in")
            .replace("prompt_tokens", "tokens_of_prompt")
            .replace("promptToken", "inputToken")
            .replace("output", "answer_out")
            .replace("completion_tokens", "tokens_of_completion"),
    }
}

/// Returns true if a count is gone. If the same number occurs elsewhere in the log, its bill looks like a
/// copy.
fn is_lost(before: &Told, after: &Told) -> bool {
    let left = counts(&after.transcripts);
    counts(&before.transcripts).iter().any(|count| !left.contains(count))
}

#[test]
fn renamed_token_counts_are_named_or_refused() {
    let mut silent = Vec::new();
    for file in files().into_iter().filter(|file| !is_exempt(file)) {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let before = tell(text.as_bytes());
        let names = names_of_counts(&text);
        for style in 0..2 {
            // All at once, as a new version does, and each alone.
            let all = names
                .iter()
                .rev()
                .fold(text.clone(), |text, name| renamed(&text, name, &later_name(name, style)));
            let alone =
                names.iter().map(|name| (name.as_str(), renamed(&text, name, &later_name(name, style))));
            for (name, log) in alone.chain([("all", all.clone())]) {
                let after = tell(log.as_bytes());
                if is_lost(&before, &after)
                    && !after.is_refused
                    && after.notes == before.notes
                    && !is_silent(&file, name)
                {
                    silent.push(format!("{}: {name} as {}", file.display(), later_name(name, style)));
                }
            }
        }
    }
    assert!(silent.is_empty(), "{} in silence:\n{}", silent.len(), silent.join("\n"));
}

/// Texts of a transcript, by key.
fn texts_by_key(value: &Value, told: &str, texts: &mut BTreeMap<String, Vec<String>>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| texts_by_key(item, told, texts)),
        Value::Object(fields) => {
            for (key, value) in fields {
                if let Some(text) = value.as_str().filter(|text| text.contains(' ') && told.contains(*text)) {
                    texts.entry(key.clone()).or_default().push(text.to_owned());
                }
                texts_by_key(value, told, texts);
            }
        }
        _ => {}
    }
}

/// Renames a key with texts in all objects.
fn rename_key(value: &mut Value, key: &str) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| rename_key(item, key)),
        Value::Object(fields) => {
            if fields.get(key).is_some_and(|value| value.is_string()) {
                let value = fields.remove(key).unwrap();
                fields.insert(format!("{key}_v2"), value);
            }
            fields.values_mut().for_each(|value| rename_key(value, key));
        }
        _ => {}
    }
}

/// All texts of the transcripts, and the arguments of calls as texts.
fn texts(transcripts: &[Transcript]) -> String {
    let mut texts = String::new();
    for transcript in transcripts {
        texts += transcript.system.as_deref().unwrap_or("");
        for message in &transcript.messages {
            texts += &message.content;
            texts.push('\n');
            message.tool_calls.iter().for_each(|call| texts += call.arguments.get());
        }
        transcript.compactions.iter().filter_map(|one| one.text.as_ref()).for_each(|text| texts += text);
    }
    texts
}

#[test]
fn renamed_texts_are_named_or_refused() {
    let mut silent = Vec::new();
    for file in files().into_iter().filter(|file| !is_exempt(file)) {
        let parsed: Result<Vec<Value>, _> =
            serde_json::Deserializer::from_slice(&fs::read(&file).unwrap()).into_iter::<Value>().collect();
        let Ok(values) = parsed else { continue };
        let log_of = |values: &[Value]| match values {
            [one] => one.to_string(),
            _ => values.iter().map(|value| format!("{value}\n")).collect(),
        };
        let before = tell(log_of(&values).as_bytes());
        let told = texts(&before.transcripts);
        let mut by_key = BTreeMap::new();
        values.iter().for_each(|value| texts_by_key(value, &told, &mut by_key));
        for (key, own) in by_key {
            let mut values = values.clone();
            values.iter_mut().for_each(|value| rename_key(value, &key));
            let after = tell(log_of(&values).as_bytes());
            let left = texts(&after.transcripts);
            // Parts of an unknown kind are kept as JSON.
            let is_gone = |text: &String| {
                let escaped = Value::from(text.as_str()).to_string();
                !left.contains(text) && !left.contains(escaped.trim_matches('"'))
            };
            if own.iter().any(is_gone)
                && !after.is_refused
                && after.notes == before.notes
                && !is_silent(&file, &key)
            {
                silent.push(format!("{}: {key}", file.display()));
            }
        }
    }
    assert!(silent.is_empty(), "{} in silence:\n{}", silent.len(), silent.join("\n"));
}
