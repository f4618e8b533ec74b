//! Parts of a session: a compaction replaces the conversation by a summary, with which the next part begins.

use super::content::Content;
use super::draft::Draft;
use super::notes::Notes;
use super::place::LogPlace;
use super::transcript::{Transcript, TranscriptMessage, TranscriptRole};

impl Draft {
    /// Begins the next part of the session, with the same system prompt and tools, and returns the one that ends. Nothing
    /// ends if the log begins with the summary.
    pub(super) fn compact(&mut self, place: &LogPlace, notes: &mut Notes) -> Option<Draft> {
        if self.transcript.messages.is_empty() {
            return None;
        }
        let part = *self.part.get_or_insert(1);
        notes.compaction(part, place);
        let Transcript { source, system, tools, .. } = &self.transcript;
        let next = Draft {
            transcript: Transcript {
                source: source.clone(),
                system: system.clone(),
                tools: tools.clone(),
                ..Transcript::default()
            },
            line: place.line,
            part: Some(part + 1),
            ..Draft::default()
        };
        Some(std::mem::replace(self, next))
    }

    /// Adds a message of an earlier part that the compaction kept. It is no turn of this part, so an answer and a result
    /// become observations.
    pub(super) fn keep(&mut self, kept: TranscriptMessage, place: &LogPlace, notes: &mut Notes) {
        if kept.role == TranscriptRole::Assistant {
            notes.note("answers that a compaction kept, taken as observations", place.clone());
        }
        let is_observation = kept.is_observation || kept.role != TranscriptRole::User;
        let calls = kept.tool_calls.iter().map(|call| format!("{}({})", call.name, call.arguments.get()));
        let said = Some(kept.content).filter(|text| !text.is_empty());
        let content = said.into_iter().chain(calls).collect::<Vec<_>>().join("\n");
        self.user(Content { images: kept.images, ..Content::of(content) }, is_observation, place.clone());
    }
}
