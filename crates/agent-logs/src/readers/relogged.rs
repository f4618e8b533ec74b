//! Messages of Claude Code that a compaction logs again, because a mod kept them instead of writing a summary.

use rustc_hash::FxHashSet;

use crate::draft::Draft;
use crate::json::Object;
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::time::LogTime;
use crate::transcript::{CompactionKind, Transcript, TranscriptCompaction, TranscriptRole};

/// The messages logged again after a compaction so far.
#[derive(Default)]
pub(super) struct Relogged {
    /// Indices of the messages.
    kept: FxHashSet<usize>,
    /// Calls whose results have another text now, and the first such text.
    changed: Vec<String>,
    text: Option<String>,
}

impl Relogged {
    /// Returns true if the line repeats a message from before the compaction of `time`, and records it. The line has another identifier
    /// than before, and the bill of an answer is 0.
    pub(super) fn see(
        &mut self,
        line: &Object,
        dialect: Dialect,
        draft: &Draft,
        time: Option<LogTime>,
    ) -> bool {
        let is_earlier =
            LogTime::of_object(line).zip(time).is_some_and(|(line, compaction)| line <= compaction);
        if !is_earlier {
            return false;
        }
        if let Some(id) = line.object("message").and_then(|message| message.text("id")) {
            let known = draft.answers.get(&id).copied();
            self.kept.extend(known);
            return known.is_some();
        }
        let Some(message) = line.object("message") else {
            // An attachment. Those of a summary come before any message.
            return !self.is_empty();
        };
        let results = list_results(&message, dialect);
        if results.is_empty() {
            return self.see_words(&message, dialect, draft);
        }
        results.into_iter().all(|(call, text)| self.see_result(call, text, draft))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    fn see_result(&mut self, call: String, text: String, draft: &Draft) -> bool {
        let messages = &draft.transcript.messages;
        let Some(at) = messages.iter().rposition(|message| message.call.as_ref() == Some(&call)) else {
            return false;
        };
        self.kept.insert(at);
        if messages.get(at).is_some_and(|message| message.content != text) {
            self.changed.push(call);
            self.text.get_or_insert(text);
        }
        true
    }

    /// Records the words of a person.
    fn see_words(&mut self, message: &Object, dialect: Dialect, draft: &Draft) -> bool {
        let given = dialect.read_content(message.get("content"), &LogPlace::default(), &mut Notes::default());
        let text = given.text();
        // The newest one: people repeat words such as "continue".
        for (index, message) in draft.transcript.messages.iter().enumerate().rev() {
            if message.role == TranscriptRole::User && message.content == text && self.kept.insert(index) {
                return true;
            }
        }
        false
    }

    /// Adds the compaction: messages were dropped, results were cleared, or both.
    pub(super) fn settle(
        self,
        compaction: TranscriptCompaction,
        draft: &mut Draft,
        place: &LogPlace,
        notes: &mut Notes,
    ) {
        let drops = self.drops_messages(draft);
        if drops {
            let dropped = TranscriptCompaction { kind: CompactionKind::Drop, ..compaction.clone() };
            draft.add_compaction(dropped, |index| self.kept.contains(&index), place, notes);
        }
        if !self.changed.is_empty() {
            let cleared = TranscriptCompaction { text: self.text, ..compaction };
            draft.clear_results(cleared, &self.changed, place, notes);
        } else if !drops {
            notes.note("compactions that kept all messages", place.clone());
        }
    }

    /// Returns true if messages are missing. Beside cleared results, those missing since an earlier compaction don't count.
    fn drops_messages(&self, draft: &Draft) -> bool {
        let Transcript { messages, compactions, .. } = &draft.transcript;
        let earlier = compactions.iter().rfind(|earlier| earlier.kind != CompactionKind::Clear);
        let earlier = earlier.filter(|_| !self.changed.is_empty());
        messages.iter().enumerate().any(|(index, message)| {
            // Attachments are logged anew, not again.
            !message.is_observation
                && !self.kept.contains(&index)
                && !earlier.is_some_and(|earlier| earlier.removes(index))
        })
    }
}

/// The results in a message: call and text of each.
fn list_results(message: &Object, dialect: Dialect) -> Vec<(String, String)> {
    let mut results = Vec::new();
    for part in message.list("content").into_iter().flatten() {
        let Some(object) = part.object().filter(|_| dialect.is_result(part)) else { continue };
        let Some(call) = object.text("tool_use_id") else { continue };
        let content =
            dialect.read_content(object.get("content"), &LogPlace::default(), &mut Notes::default());
        results.push((call, content.text()));
    }
    results
}
