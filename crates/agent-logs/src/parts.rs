//! Compactions of a session, while it is being read.

use rustc_hash::FxHashSet;

use super::content::Content;
use super::draft::Draft;
use super::notes::Notes;
use super::place::LogPlace;
use super::transcript::{CompactionKind, TranscriptCompaction, TranscriptMessage, TranscriptRole, to_ranges};

impl Draft {
    /// Adds a compaction of the messages so far. `stays` returns true for messages kept in later requests. If the log starts with the
    /// compaction, its text becomes a message.
    pub(super) fn add_compaction(
        &mut self,
        compaction: TranscriptCompaction,
        stays: impl Fn(usize) -> bool,
        place: &LogPlace,
        notes: &mut Notes,
    ) {
        let before = self.transcript.messages.len();
        if before == 0 {
            if let Some(text) = compaction.text {
                self.add_user_text(Content::of(text), false, place.clone());
            }
            return;
        }
        notes.count_compaction(self.transcript.compactions.is_empty(), place);
        let removed = to_ranges((0..before).filter(|index| !stays(*index)));
        self.transcript.compactions.push(TranscriptCompaction { before, removed, ..compaction });
    }

    /// Adds the clearing of these calls' results.
    pub(super) fn clear_results(
        &mut self,
        compaction: TranscriptCompaction,
        calls: &[String],
        place: &LogPlace,
        notes: &mut Notes,
    ) {
        let before = self.transcript.messages.len();
        let calls: FxHashSet<&str> = calls.iter().map(String::as_str).collect();
        // The same compaction may drop messages too.
        let dropped = self.transcript.compactions.last().filter(|dropped| dropped.before == before);
        let mut removed = Vec::new();
        for (index, message) in self.transcript.messages.iter().enumerate() {
            let is_cleared = match &message.call {
                Some(call) => message.role == TranscriptRole::Tool && calls.contains(call.as_str()),
                None => false,
            };
            if is_cleared || dropped.is_some_and(|dropped| dropped.removes(index)) {
                removed.push(index);
            }
        }
        let removed = to_ranges(removed);
        // A boundary that drops messages and clears results is one compaction. Another boundary may follow without a message between.
        let is_same_boundary = dropped.is_some_and(|dropped| dropped.time == compaction.time);
        if !is_same_boundary {
            notes.count_compaction(self.transcript.compactions.is_empty(), place);
        }
        let kind = CompactionKind::Clear;
        self.transcript.compactions.push(TranscriptCompaction { before, removed, kind, ..compaction });
    }

    /// Adds a message sent again after a compaction. It is not a new turn, so answers and results become observations.
    pub(super) fn add_sent_again(&mut self, message: TranscriptMessage, place: &LogPlace, notes: &mut Notes) {
        if message.is_answer() {
            notes.note("answers sent again after a compaction, taken as observations", place.clone());
        }
        let is_observation = message.is_observation || message.role != TranscriptRole::User;
        let mut text = message.content;
        for call in &message.tool_calls {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&format!("{}({})", call.name, call.arguments.get()));
        }
        let content = Content { images: message.images, ..Content::of(text) };
        self.add_user_text(content, is_observation, place.clone());
        if let Some(last) = self.last_message() {
            last.reinjected = true;
        }
    }
}

/// Indices of the newest user messages that fit into `bytes`.
pub(super) fn newest_words(draft: &Draft, bytes: usize) -> FxHashSet<usize> {
    let mut left = bytes;
    let mut words = FxHashSet::default();
    for (index, message) in draft.transcript.messages.iter().enumerate().rev() {
        // Programs add their own instructions again, and results are dropped.
        if message.role != TranscriptRole::User || message.is_observation {
            continue;
        }
        let Some(rest) = left.checked_sub(message.content.len()) else { break };
        left = rest;
        words.insert(index);
    }
    words
}
