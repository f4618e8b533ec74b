//! Tasks of Roo Code with a condensed or truncated history (`api_conversation_history.json`): Anthropic messages. A message left
//! out of later requests has the id of the summary or marker that replaces it. Other tasks are read as `anthropic`.

use rustc_hash::FxHashSet;

use super::providers::CHATS;
use crate::draft::{Answer, Draft};
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::listed::list_objects;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::transcript::{CompactionKind, TranscriptCompaction};

const NAME: &str = "roo";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "tasks of Roo Code (api_conversation_history.json): messages of anthropic with condenseParent or isSummary",
    recognises: |object| {
        let first = object.list("messages").and_then(|list| list.first()?.object());
        is_own(object) || first.is_some_and(|first| is_own(&first))
    },
    reader: || Box::new(Tasks::default()),
};

/// Roo's own fields of a message, unknown to Anthropic.
const OWN: [&str; 7] = [
    "ts",
    "isSummary",
    "condenseId",
    "condenseParent",
    "isTruncationMarker",
    "truncationId",
    "truncationParent",
];

/// Fields with the id of the summary or marker that replaces a message.
const PARENTS: [&str; 2] = ["condenseParent", "truncationParent"];

fn is_own(object: &Object) -> bool {
    object.has("role") && OWN.iter().skip(1).any(|key| object.has(key))
}

#[derive(Default)]
struct Tasks(Option<Task>);

struct Task {
    draft: Draft,
    /// For each message of the conversation, the ids of its summaries and markers.
    hidden_by: Vec<Vec<String>>,
    /// Ids of the summaries and markers read so far; only these hide messages.
    seen: FxHashSet<String>,
}

impl Reader for Tasks {
    fn read_value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let Some(object) = sink.read_object(value, &place) else { return };
        if !object.has("messages") {
            return self.read_message(object, &place, sink);
        }
        CHATS.note_unread(&object, &["messages"], "tasks", &place, &mut sink.notes);
        for (said, place) in list_objects(&object, "messages", "messages", &place, &mut sink.notes) {
            self.read_message(said, &place, sink);
        }
        self.finish_log(sink);
    }

    fn finish_log(&mut self, sink: &mut Sink) {
        if let Some(task) = self.0.take() {
            sink.give(task.draft);
        }
    }
}

impl Tasks {
    fn read_message(&mut self, mut said: Object, place: &LogPlace, sink: &mut Sink) {
        let task = self.0.get_or_insert_with(|| Task {
            draft: Draft::new(NAME, None, place.line),
            hidden_by: Vec::new(),
            seen: FxHashSet::default(),
        });
        task.draft.now = LogTime::of_object(&said);
        if said.is_true("isSummary") || said.is_true("isTruncationMarker") {
            return task.read_compaction(&said, place, sink);
        }
        let parents: Vec<String> = PARENTS.iter().filter_map(|key| said.text(key)).collect();
        said.remove_keys(&OWN);
        if said.is_a("reasoning") {
            return crate::content::note_reasoning(place, &mut sink.notes);
        }
        CHATS.read_message(&said, Answer::Whole, false, place, &mut task.draft, &mut sink.notes);
        task.hidden_by.resize(task.draft.transcript.messages.len(), parents);
    }
}

impl Task {
    /// Reads a summary or truncation marker. Both are logged before the first message kept.
    fn read_compaction(&mut self, said: &Object, place: &LogPlace, sink: &mut Sink) {
        let is_summary = said.is_true("isSummary");
        let (key, kind) = match is_summary {
            true => ("condenseId", CompactionKind::Summary),
            false => ("truncationId", CompactionKind::Drop),
        };
        self.seen.extend(said.text(key));
        let compaction = TranscriptCompaction {
            kind,
            text: Some(CHATS.read_content(said.get("content"), place, &mut sink.notes).text()),
            time: self.draft.now.map(|time| time.to_string()),
            ..TranscriptCompaction::default()
        };
        let (seen, hidden_by) = (&self.seen, &self.hidden_by);
        self.draft.add_compaction(
            compaction,
            |index| hidden_by.get(index).into_iter().flatten().all(|parent| !seen.contains(parent)),
            place,
            &mut sink.notes,
        );
    }
}
