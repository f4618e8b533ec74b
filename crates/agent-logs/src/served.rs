//! Context edits made by the provider. Answers report them; the request seen by the model is reconstructed.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::content::Content;
use super::draft::{Answer, Draft, Origin, observation_of};
use super::notes::Notes;
use super::place::LogPlace;
use super::server_side::{Clearing, ServerCompaction, ServerSide};
use super::transcript::{
    CompactionKind, Transcript, TranscriptCompaction, TranscriptMessage, TranscriptRole, TranscriptUsage,
    to_ranges,
};
use super::viewed::Viewed;

/// Placeholder for encrypted content, readable only by the provider. The hash keeps different contents distinct.
fn encrypted_text(hash: Option<String>) -> String {
    match hash {
        Some(hash) => format!("[encrypted by the provider: {hash}]"),
        None => "[encrypted by the provider]".to_owned(),
    }
}

impl Draft {
    /// Records the provider's summary of all messages before an answer.
    pub(super) fn summarized_by_server(&mut self, text: String, answer: &Answer, place: &LogPlace) {
        self.compacted_by_server((text, false), answer, place);
    }

    /// Records an encrypted compaction of all messages before an answer. The hash keeps different ones distinct.
    pub(super) fn encrypted_by_server(&mut self, hash: Option<String>, answer: &Answer, place: &LogPlace) {
        self.compacted_by_server((encrypted_text(hash), true), answer, place);
    }

    fn compacted_by_server(&mut self, (text, is_opaque): (String, bool), answer: &Answer, place: &LogPlace) {
        let before = self.place_of(answer);
        // At the start of a log there is nothing to replace.
        if before == 0 {
            return self.add_user_text(Content::of(text), is_opaque, place.clone());
        }
        let window = vec![observation_of(text)];
        let (place, cut) = (place.clone(), before);
        let compaction = ServerCompaction { place, before, cut, window, is_opaque, usage: None };
        self.server.compactions.push(compaction);
    }

    /// Records a compaction by a client program, made when the draft had `before` messages. Later requests omit the first `cut` messages.
    pub(super) fn summarized_for_requests(
        &mut self,
        text: String,
        (cut, before): (usize, usize),
        place: &LogPlace,
    ) {
        let window = vec![observation_of(text)];
        let place = place.clone();
        let compaction = ServerCompaction { place, before, cut, window, is_opaque: false, usage: None };
        self.server.compactions.push(compaction);
    }

    /// Records a compaction by a separate call; `window` is the complete replacement for all messages so far.
    pub(super) fn replaced_by_server(
        &mut self,
        window: Draft,
        usage: Option<TranscriptUsage>,
        place: &LogPlace,
    ) {
        let (before, window) = (self.transcript.messages.len(), window.with_encrypted());
        let (place, cut) = (place.clone(), before);
        let compaction = ServerCompaction { place, before, cut, window, is_opaque: true, usage };
        self.server.compactions.push(compaction);
        self.written = None;
    }

    /// The messages, with the encrypted ones in their places.
    fn with_encrypted(mut self) -> Vec<TranscriptMessage> {
        while let Some(by) = self.server.compactions.pop() {
            self.insert_compaction(by);
        }
        self.transcript.messages
    }

    /// Bills the compaction right before the answer written last, or at the end. Returns false if there is no such compaction, or it
    /// already has a bill.
    pub(super) fn bill_compaction(&mut self, usage: Option<TranscriptUsage>) -> bool {
        let answer = self.written.unwrap_or(self.transcript.messages.len());
        if let Some(newest) = self.server.compactions.last_mut()
            && newest.before == answer
            && newest.usage.is_none()
            && usage.is_some()
        {
            newest.usage = usage;
            return true;
        }
        false
    }

    /// Returns true if nothing follows the newest compaction: its call returned only the compaction. Then no answer can be billed.
    pub(super) fn ends_compacted(&mut self) -> bool {
        let Some(newest) = self.server.compactions.last() else { return false };
        if newest.before != self.transcript.messages.len() {
            return false;
        }
        self.written = None;
        true
    }

    /// Records that the provider cleared the first `calls` results in the request of the newest answer.
    pub(super) fn cleared_by_server(&mut self, calls: u64, place: &LogPlace, notes: &mut Notes) {
        let Some(answer) = self.written else { return };
        let seen = self.server.compactions.last().map_or(0, |newest| newest.before);
        let shown = self.transcript.messages.get(seen..answer).unwrap_or_default();
        let asked = shown.iter().flat_map(|message| &message.tool_calls);
        let clearable = asked.filter(|call| !self.server.excluded.contains(&call.name));
        let calls = usize::try_from(calls).unwrap_or(usize::MAX);
        let ids: FxHashSet<&str> = clearable.take(calls).map(|call| call.id.as_str()).collect();
        let mut results = Vec::new();
        for (index, message) in (seen..).zip(shown) {
            if message.role == TranscriptRole::Tool
                && let Some(id) = &message.call
                && ids.contains(id.as_str())
            {
                results.push(index);
            }
        }
        if results.len() < calls {
            notes.lost("results cleared by the provider, but missing from the log", place.clone());
        }
        if !results.is_empty() {
            self.server.clearings.push(Clearing { place: place.clone(), answer, results });
        }
    }

    /// Removes and returns the newest compaction by the provider.
    pub(super) fn take_server_compaction(&mut self) -> Option<ServerCompaction> {
        self.server.compactions.pop()
    }

    /// Returns true if only user messages precede an encrypted compaction. The provider then keeps them next to it.
    pub(super) fn has_words_alone(&self, by: &ServerCompaction) -> bool {
        let mut before = self.transcript.messages.iter().take(by.before);
        by.is_opaque && before.all(|message| message.role == TranscriptRole::User)
    }

    /// All messages of the draft with the compaction's window inserted, as if the earlier messages stayed.
    pub(super) fn with_window<'d>(
        &'d self,
        by: &'d ServerCompaction,
    ) -> impl Iterator<Item = &'d TranscriptMessage> {
        let (before, after) =
            self.transcript.messages.split_at(by.before.min(self.transcript.messages.len()));
        before.iter().chain(&by.window).chain(after)
    }

    /// Inserts the compaction's window after the messages before it, keeping those.
    pub(super) fn insert_compaction(&mut self, by: ServerCompaction) {
        let at = by.before.min(self.transcript.messages.len());
        let origins = vec![Origin::at(by.place); by.window.len()];
        drop(self.origins.splice(at..at, origins));
        drop(self.transcript.messages.splice(at..at, by.window));
    }

    /// Splits the request into the part before a compaction, and the request seen by the model after it.
    pub(super) fn divide_at(mut self, by: &ServerCompaction) -> (Draft, Draft) {
        let at = by.cut.min(self.transcript.messages.len());
        let later: Vec<_> = self.transcript.messages.iter().skip(at).cloned().collect();
        let later_origins: Vec<_> = self.origins.iter().skip(at).cloned().collect();
        self.transcript.messages.truncate(by.before);
        self.origins.truncate(by.before);
        let Transcript { system, tools, source, .. } = &self.transcript;
        let seen = Transcript {
            system: system.clone(),
            tools: tools.clone(),
            source: source.clone(),
            outcome: self.transcript.outcome.take(),
            messages: by.window.iter().cloned().chain(later).collect(),
            ..Transcript::default()
        };
        let mut clearings = Vec::new();
        for Clearing { place, answer, results } in self.take_clearings() {
            let Some(answer) = shifted_index(answer, at, by) else { continue };
            let results = results.into_iter().filter_map(|index| shifted_index(index, at, by)).collect();
            clearings.push(Clearing { place, answer, results });
        }
        let place = Origin::at(by.place.clone());
        let seen = Draft {
            transcript: seen,
            origins: vec![place; by.window.len()].into_iter().chain(later_origins).collect(),
            line: self.line,
            response: self.response.take(),
            server: ServerSide { clearings, ..ServerSide::default() },
            ..Draft::default()
        };
        (self, seen)
    }

    /// Removes and returns the clearings of the newest request.
    pub(super) fn take_clearings(&mut self) -> Vec<Clearing> {
        std::mem::take(&mut self.server.clearings)
    }

    /// Adds clearings of a request. Their indices refer to the view.
    pub(super) fn add_clearings(&mut self, clearings: Vec<Clearing>) {
        for clearing in clearings {
            self.add_clearing(clearing);
        }
    }

    /// Translates an index of the view to the transcript. `None` for a message inserted by a compaction.
    fn viewed_index(&self, index: usize) -> Option<usize> {
        match &self.view {
            Some(view) => view.get(index).and_then(Viewed::index),
            None => Some(index),
        }
    }

    fn add_clearing(&mut self, Clearing { place, answer, results }: Clearing) {
        let Some(before) = self.viewed_index(answer) else { return };
        let mut removed: BTreeSet<usize> =
            results.into_iter().filter_map(|index| self.viewed_index(index)).collect();
        if removed.is_empty() {
            return;
        }
        if let Some(known) = self.transcript.compactions.iter().rfind(|known| known.before <= before) {
            // Each request repeats the clearings of the previous one.
            if removed.iter().all(|index| known.removes(*index)) {
                return;
            }
            removed.extend(known.indices());
        }
        let kind = CompactionKind::Clear;
        let removed = to_ranges(removed);
        self.transcript.compactions.push(TranscriptCompaction {
            before,
            kind,
            removed,
            ..TranscriptCompaction::default()
        });
        self.transcript.compactions.sort_by_key(|compaction| compaction.before);
        self.server.uncounted.push(place);
    }

    /// Converts all context edits of the provider into compactions of the transcript, and counts them.
    pub(super) fn settle_compactions(&mut self, notes: &mut Notes) {
        for by in std::mem::take(&mut self.server.compactions) {
            let keeps = self.has_words_alone(&by);
            let removed = if keeps { Vec::new() } else { to_ranges(0..by.cut) };
            let kind = if by.is_opaque { CompactionKind::Opaque } else { CompactionKind::Summary };
            let text = match by.window.into_iter().next() {
                Some(window) if !by.is_opaque => Some(window.content),
                _ => None,
            };
            let (before, usage) = (by.before, by.usage);
            let compaction = TranscriptCompaction {
                before,
                kind,
                removed,
                text,
                usage,
                ..TranscriptCompaction::default()
            };
            self.transcript.compactions.push(compaction);
            self.server.uncounted.push(by.place);
        }
        self.transcript.compactions.sort_by_key(|compaction| compaction.before);
        let clearings = self.take_clearings();
        self.add_clearings(clearings);
        let counted = self.transcript.compactions.len().saturating_sub(self.server.uncounted.len());
        for (number, place) in (counted..).zip(std::mem::take(&mut self.server.uncounted)) {
            notes.count_compaction(number == 0, &place);
        }
    }
}

/// Translates an index to the request after a compaction. `None` for a message before the compaction.
fn shifted_index(index: usize, at: usize, by: &ServerCompaction) -> Option<usize> {
    Some(index.checked_sub(at)? + by.window.len())
}
