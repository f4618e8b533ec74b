//! Replaces secrets in all texts of logged conversations: messages, calls and their identifiers, tools, file names, compactions.

use rustc_hash::FxHashMap;
use serde_json::value::RawValue;

use crate::secrets::{Secrets, replace_strings};
use agent_logs::{LogPlace, Notes, SentPart, Transcript, TranscriptMessage};

/// The note on replaced secrets. It must not promise that all were found.
const NOTE: &str = "secrets replaced by [secret NUMBER], which --keep-secrets keeps; others may be left, since no rule knows all";

/// Replaces the secrets in a conversation by `[secret 1]` and so on, and notes their places. A secret detected by its context is replaced
/// everywhere. `conversation` is its number in the log.
pub(super) fn hide_in(
    secrets: &mut Secrets,
    transcript: &mut Transcript,
    conversation: usize,
    notes: &mut Notes,
) {
    each_text(transcript, &mut |text| {
        secrets.learn(text.text, text.key);
        None
    });
    learn_outputs(secrets, &transcript.messages);
    if secrets.is_empty() {
        return;
    }
    each_text(transcript, &mut |text| {
        let (hidden, count) = secrets.hidden(text.text)?;
        for _ in 0..count {
            let place = LogPlace { line: 0, path: format!("conversation {conversation}, {}", text.place) };
            notes.note(NOTE, place);
        }
        Some(hidden)
    });
}

/// Learns the secrets printed by tools.
fn learn_outputs(secrets: &mut Secrets, messages: &[TranscriptMessage]) {
    let mut arguments: FxHashMap<&str, &str> = FxHashMap::default();
    for message in messages {
        if let Some(arguments) = message.call.as_deref().and_then(|id| arguments.get(id)) {
            secrets.learn_output(arguments, &message.content);
        }
        for call in &message.tool_calls {
            arguments.insert(&call.id, call.arguments.get());
        }
    }
}

/// A text of a conversation.
struct Text<'a> {
    place: &'a str,
    /// The key of an object in the arguments of a call.
    key: Option<&'a str>,
    text: &'a str,
}

type Visit<'a> = dyn FnMut(&Text) -> Option<String> + 'a;

/// Visits all texts of a conversation in order. A returned text replaces the visited one.
fn each_text(transcript: &mut Transcript, visit: &mut Visit) {
    transcript.name.iter_mut().for_each(|text| replace("name", text, visit));
    if let Some(source) = &mut transcript.source {
        source.file.iter_mut().chain(&mut source.id).for_each(|text| replace("source", text, visit));
    }
    transcript.system.iter_mut().for_each(|text| replace("system", text, visit));
    transcript.system_changes.values_mut().for_each(|text| replace("system", text, visit));
    for (number, tool) in transcript.tools.iter_mut().enumerate() {
        let place = format!("tools[{number}]");
        tool.description.iter_mut().for_each(|text| replace(&place, text, visit));
        tool.parameters.iter_mut().for_each(|json| replace_in_json(&place, json, visit));
    }
    for (number, message) in transcript.messages.iter_mut().enumerate() {
        each_text_of(&format!("messages[{number}]"), message, visit);
    }
    for (number, compaction) in transcript.compactions.iter_mut().enumerate() {
        let place = format!("compactions[{number}]");
        compaction
            .text
            .iter_mut()
            .chain(&mut compaction.system)
            .for_each(|text| replace(&place, text, visit));
        for part in compaction.sent.iter_mut().flatten() {
            if let SentPart::Message(message) = part {
                each_text_of(&place, message, visit);
            }
        }
    }
    let Some(evaluation) = &mut transcript.evaluation else { return };
    let texts = evaluation.preludes.iter_mut().chain([&mut evaluation.program]);
    let texts = texts.chain(evaluation.prints.iter_mut().flatten());
    let texts = texts.chain(&mut evaluation.told);
    texts.for_each(|text| replace("evaluation", text, visit));
}

fn each_text_of(place: &str, message: &mut TranscriptMessage, visit: &mut Visit) {
    replace(place, &mut message.content, visit);
    message.call.iter_mut().for_each(|text| replace(place, text, visit));
    for call in &mut message.tool_calls {
        replace(place, &mut call.id, visit);
        replace(place, &mut call.name, visit);
        replace_in_json(place, &mut call.arguments, visit);
    }
}

fn replace(place: &str, text: &mut String, visit: &mut Visit) {
    if let Some(new) = visit(&Text { place, key: None, text }) {
        *text = new;
    }
}

/// Visits the strings of a JSON text. Its other bytes stay unchanged.
fn replace_in_json(place: &str, json: &mut Box<RawValue>, visit: &mut Visit) {
    let new =
        replace_strings(json.get(), &mut |string| visit(&Text { place, key: string.key, text: string.text }));
    if let Some(new) = new.and_then(|new| RawValue::from_string(new).ok()) {
        *json = new;
    }
}
