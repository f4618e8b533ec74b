//! Unknown fields, kinds and elements of a log, as in future versions, are noted or kept in a transcript.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use agent_logs::{Notes, read};
use serde_json::{Value, json};

use crate::readers::files;

/// A name that no format has.
const UNHEARD: &str = "unheard";
/// A text that no log has.
const WORDS: &str = "Words that nobody heard.";
/// Fields with the kind of an object.
const KINDS: [&str; 8] =
    ["type", "role", "kind", "event", "message_type", "part_kind", "content_type", "subtype"];

/// Objects in which an unknown field may stay unnoted: the start of their file's name, and a part of their shape.
const SILENT: &[(&str, &str)] = &[
    // Traces and records of requests, which programs fill as they wish; the messages in them are read by other readers.
    ("agents-sdk/", ""),
    ("langfuse/", ""),
    // A copy of the input.
    ("openai-responses/messages.jsonl", ".request.messages"),
    ("langsmith/", ""),
    ("mlflow/", ""),
    ("braintrust/", ""),
    ("helicone/", ""),
    ("bedrock-invocations/", ""),
    ("otel-genai/", ""),
    ("ptc-journal/", ""),
    ("langchain/", ".inputs"),
    ("langchain/", ".outputs"),
    // Updates and states hold whatever a node of a graph writes.
    ("langchain/updates.jsonl", ".cook"),
    ("langchain/updates.jsonl", ".tools"),
    ("langchain/removals.jsonl", ".__start__"),
    ("langchain/removals.jsonl", ".cook"),
    ("langchain/removals.jsonl", ".tools"),
    ("langchain/removals.jsonl", ".trim"),
    ("langchain/removals.jsonl", ".summarize"),
    ("langchain/deepagents-updates.jsonl", ".model"),
    ("langchain/deepagents-updates.jsonl", ".__start__"),
    ("openai-chat/checkpoints.jsonl", ".tasks"),
    // Bills and settings, in which a text was found by chance.
    ("bedrock/", ".toolConfig"),
    ("openai-chat/litellm.jsonl", ".model_parameters"),
    // A step has its messages once more as parts, as messages before the pruning, and in the words of the provider.
    ("ai-sdk/pruned-of-", "].content"),
    ("ai-sdk/steps-of-7.json", "[].content"),
    ("ai-sdk/pruned-of-", "[].request"),
    ("ai-sdk/pruned-of-", "[].response.body"),
    // Keys are identifiers.
    ("chatgpt/", ".mapping"),
    ("inspect/", ".attachments"),
    // One note for all of them.
    ("gemini/session.json", ".thoughts"),
    ("opencode/", ".attachments"),
    // The envelope of a response in a batch.
    ("openai-chat/batch.jsonl", ".response"),
    // They repeat messages that are read elsewhere in the log.
    ("copilot-cli/", "(tool.execution_start)"),
    ("gemini-cli/", ".toolCalls"),
    ("pydantic-ai/deltas.json", "(instruction"),
    ("gemini-cli/compressed-at-end.jsonl", ".$set"),
    ("langchain/history.jsonl", ".values"),
    ("openhands/terminal.json", ".action(TerminalAction)"),
    ("openhands/terminal.json", ".metadata"),
    ("smolagents/planned.json", ".tool_calls"),
    ("codex/", ".retained_context"),
    ("pi/stream.jsonl", "(message_start)"),
    ("pi/stream.jsonl", "(turn_end)"),
    ("pi/stream.jsonl", "(agent_end)"),
    ("pi/stream.jsonl", "(tool_execution_start)"),
    ("pi/stream.jsonl", "(tool_execution_end)"),
    ("claude-code/subagent-progress.jsonl", "(progress)"),
    // `rendered` has the attachment as it was sent.
    ("claude-code/kept-by-a-mod.jsonl", ".attachment(total_tokens_reminder)"),
    ("claude-code/attachment-before-summary.jsonl", ".attachment(total_tokens_reminder)"),
    ("claude-code/kept-around-an-error.jsonl", ".attachment(total_tokens_reminder)"),
    ("cli-events/", "(item.started)"),
    ("cursor-cli/", "(completed).tool_call.shellToolCall.args"),
    ("cline/compacted.messages.json", ".metadata"),
    ("codex/", "(event_msg)"),
    ("inspect/", ".events[](model)"),
    ("openhands/", ".tool_call_metadata"),
    ("swe-agent/attempts.json", ".history[]"),
    ("swe-agent/mini", ".extra"),
    ("adk/session.json", "content(model)"),
    // Later changes replace the list.
    ("vscode-chat/changed-lists.jsonl", ".v.requests"),
    // The messages of a sample with compactions are read from its events.
    ("inspect/scores.json", ".messages[]"),
    // Steps beside a history repeat it.
    ("swe-agent/results-of-several.json", ".trajectory"),
    // A tree with the texts of a request as it was sent.
    ("vscode-chat/requests.jsonl", ".renderedUserMessage"),
];

/// The transcripts of a log, as JSON, and its notes.
fn said(values: &[Value]) -> (String, String) {
    let log = match values {
        [one] => one.to_string(),
        _ => values.iter().map(|value| format!("{value}\n")).collect(),
    };
    let mut transcripts = String::new();
    let notes = read(log.as_bytes(), "LOG", None, &mut |transcript| {
        transcripts += &serde_json::to_string(&transcript).unwrap();
        ControlFlow::Continue(())
    });
    let lines = |notes: Notes| notes.lines().collect::<Vec<_>>().join("\n");
    (transcripts, notes.map_or_else(|error| error.to_string(), lines))
}

/// Without an identifier, two calls of Cursor would be taken for the start and the end of one.
#[test]
fn calls_of_cursor_without_an_identifier_are_named() {
    let message = |kind: &str, text: &str| {
        let content = json!([{"type": "text", "text": text}]);
        json!({"type": kind, "message": {"role": kind, "content": content}, "session_id": "c-1"})
    };
    let call = json!({"type": "tool_call", "subtype": "completed", "session_id": "c-1",
        "tool_call": {"readToolCall": {"args": {"path": "a"}, "result": {"success": {"content": "b"}}}}});
    let start = json!({"type": "system", "subtype": "init", "apiKeySource": "login", "cwd": "/w", "session_id": "c-1"});
    let question = message("user", "Which drawer holds the lupins?");
    let (transcripts, notes) =
        said(&[start, question, call.clone(), call, message("assistant", "Drawer 3.")]);
    assert!(transcripts.contains("Drawer 3."), "{notes}");
    assert!(notes.contains("calls without an identifier left out"), "{notes}");
}

/// An object of a log that holds texts of its transcripts.
struct Holder {
    /// The JSON pointer to it.
    pointer: String,
    /// The same without numbers, with the kinds of objects.
    shape: String,
    /// The texts, as JSON without quotes.
    texts: Vec<String>,
}

/// Collects the holders below a value, and returns the texts that it holds.
fn holders(
    value: &Value,
    told: &str,
    (pointer, shape): (&str, &str),
    found: &mut Vec<Holder>,
) -> Vec<String> {
    match value {
        Value::String(text) if text.contains(' ') => {
            let text = value.to_string();
            let text = text[1..text.len() - 1].to_owned();
            if told.contains(&text) { vec![text] } else { Vec::new() }
        }
        Value::Array(items) => {
            let of_item = |(index, item)| {
                holders(item, told, (&format!("{pointer}/{index}"), &format!("{shape}[]")), found)
            };
            items.iter().enumerate().flat_map(of_item).collect()
        }
        Value::Object(fields) => {
            let kinds = KINDS.iter().filter_map(|key| Some(format!("({})", fields.get(*key)?.as_str()?)));
            let shape = format!("{shape}{}", kinds.collect::<String>());
            let mut texts = Vec::new();
            for (key, value) in fields {
                let escaped = key.replace('~', "~0").replace('/', "~1");
                texts.extend(holders(
                    value,
                    told,
                    (&format!("{pointer}/{escaped}"), &format!("{shape}.{key}")),
                    found,
                ));
            }
            if !texts.is_empty() {
                found.push(Holder { pointer: pointer.to_owned(), shape, texts: texts.clone() });
            }
            texts
        }
        _ => Vec::new(),
    }
}

/// The changes of one log that its reader passes over in silence.
fn silent(file: &str, values: &[Value]) -> Vec<String> {
    let (told, noted) = said(values);
    let mut silent = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, value) in values.iter().enumerate() {
        let mut found = Vec::new();
        holders(value, &told, ("", ""), &mut found);
        for Holder { pointer, shape, texts } in found {
            let is_exempt = |shape: &str| {
                SILENT.iter().any(|(start, part)| file.starts_with(start) && shape.contains(part))
            };
            if is_exempt(&shape) || !seen.insert(shape.clone()) {
                continue;
            }
            let changed = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
                let mut values = values.to_vec();
                change(values[index].pointer_mut(&pointer).unwrap().as_object_mut().unwrap());
                said(&values)
            };
            let (now, notes) = changed(&|object| {
                object.insert(UNHEARD.to_owned(), WORDS.into());
            });
            if !now.contains(WORDS) && !notes.contains(UNHEARD) {
                silent.push(format!("{file}: an unknown field of {shape}"));
            }
            let object = value.pointer(&pointer).unwrap().as_object().unwrap();
            for key in KINDS.iter().filter(|key| object.get(**key).is_some_and(Value::is_string)) {
                let (now, notes) = changed(&|object| object[*key] = UNHEARD.into());
                if notes == noted && texts.iter().any(|text| !now.contains(text)) {
                    silent.push(format!("{file}: an unknown {key} of {shape}"));
                }
            }
            let is_list =
                |value: &Value| value.as_array().is_some_and(|list| list.iter().any(Value::is_object));
            for (key, _) in object.iter().filter(|(_, value)| is_list(value)) {
                let unknown = json!({"type": UNHEARD, "words": WORDS});
                let (now, notes) =
                    changed(&|object| object[key].as_array_mut().unwrap().push(unknown.clone()));
                if now == told && notes == noted && !is_exempt(&format!("{shape}.{key}")) {
                    silent.push(format!("{file}: an unknown element of {shape}.{key}"));
                }
            }
        }
    }
    silent
}

#[test]
fn what_a_reader_does_not_know_is_noted() {
    let mut all = Vec::new();
    for file in files() {
        let name = file.strip_prefix("tests/logs").unwrap().display().to_string();
        let parsed: Result<Vec<Value>, _> =
            serde_json::Deserializer::from_slice(&fs::read(&file).unwrap()).into_iter::<Value>().collect();
        // Texts, compressed files and YAML hold the same JSON as other logs.
        if let Some(values) = parsed.ok().filter(|_| !file.starts_with(Path::new("tests/logs/broken"))) {
            all.extend(silent(&name, &values));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
