//! Sessions of Cline's SDK (`SESSION.messages.json`): messages of Anthropic, with the model and the bill of each answer. What
//! the model sees after a compaction stands in a second file, `SESSION.compaction.json`.

use super::providers::anthropic;
use crate::content::Content;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Reader, Whole};
use crate::json::{Json, Object};
use crate::listed::listed;
use crate::names::{Dialect, Names, PartKind, PartNames, UsageNames};
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::TranscriptUsage;

const NAME: &str = "cline";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "sessions of Cline's SDK: messages as in anthropic, with modelInfo and metrics",
    recognises: |object| {
        let message = || object.list("messages").into_iter().flatten().filter_map(Json::object);
        object.has("system_prompt") && object.has("sessionId") && object.list("messages").is_some()
            || message().any(|message| {
                message.has("role") && message.object("metrics").is_some_and(|bill| bill.has("inputTokens"))
            })
    },
    reader: || Box::new(Whole(session)) as Box<dyn Reader>,
};

/// Messages are those of Anthropic, beside which Cline keeps files and bills.
static DIALECT: Dialect = Dialect(&[&NAMES, &anthropic::NAMES]);

/// The names of Cline. The input includes that of the cache.
static NAMES: Names = Names {
    parts: PartNames { types: &[("file", PartKind::File)], text: &["content"], ..PartNames::NONE },
    usage: UsageNames {
        input: &["inputTokens"],
        read: &["cacheReadTokens"],
        written: &["cacheWriteTokens"],
        output: &["outputTokens"],
        cost: &["cost"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// Fields of a session that are read, or that say how it was kept.
const FIELDS: [&str; 6] = ["version", "updated_at", "agent", "sessionId", "system_prompt", "messages"];

/// Fields of a message that messages of Anthropic lack.
const OWN: [&str; 4] = ["ts", "modelInfo", "metrics", "metadata"];

fn session(object: &Object, place: LogPlace, sink: &mut Sink) {
    let messages = listed(object, "messages", "messages", &place, &mut sink.notes);
    if is_compaction(object, &messages) {
        let kind = "compaction states of Cline (SESSION.compaction.json), which repeat messages of SESSION.messages.json; \
                    read that file";
        return sink.notes.lost(kind, place);
    }
    for (key, _) in object.fields().filter(|(key, value)| !FIELDS.contains(key) && !value.is_empty()) {
        sink.notes.note(format!("fields {key} of the log left out"), place.clone());
    }
    let mut draft = Draft::new(NAME, object.text("sessionId"), place.line);
    if let Some(system) = object.text("system_prompt") {
        draft.system(Content::of(system), place.key("system_prompt"), &mut sink.notes);
    }
    for (mut message, place) in messages {
        let usage = billed(&message);
        draft.now = LogTime::of(&message);
        message.remove(&OWN);
        DIALECT.message(&message, Answer::Whole, false, &place, &mut draft, &mut sink.notes);
        if message.text("role").is_some_and(|role| role == "assistant") {
            draft.usage(usage);
        }
    }
    sink.give(draft);
}

/// Returns true for what the model sees in place of the first messages of a session.
fn is_compaction(object: &Object, messages: &[(Object, LogPlace)]) -> bool {
    let is_own = |(message, _): &(Object, LogPlace)| {
        let metadata = message.below("metadata");
        metadata.has("compaction") || metadata.text("kind").is_some_and(|kind| kind.starts_with("compaction"))
    };
    object.has("source_message_count") || messages.iter().any(is_own)
}

/// The bill of an answer.
fn billed(message: &Object) -> Option<TranscriptUsage> {
    let model = message.object("modelInfo").and_then(|model| model.text("id"));
    DIALECT.usage_of(&message.object("metrics")?, model)
}
