//! Reconstructs the requests of an agent after compactions: removed messages and their replacements.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use ecow::EcoString;

use super::logged::LoggedCompaction;
use super::logged_messages::{native_call, result, user};
use agent_logs::{
    CompactionKind, SentPart, Transcript, TranscriptCompaction, TranscriptMessage, TranscriptRole,
};
use conversation::{
    Change, LoggedSummary, Message, MessagePart, MessagePlace, Native, ReplyKind, Role, Sent, SentStart,
    Turn, system_message,
};

/// Replaces a removed result if its call stays. Providers reject a call without a result.
const REMOVED: &str = "[removed]";
/// Replaces a compaction encrypted by the provider.
const OPAQUE: &str = "[encrypted by the provider]";

/// Maps messages of a transcript to their places in the conversation.
pub(super) struct Places {
    /// By the index of the message in the transcript.
    of_messages: Vec<MessagePlace>,
    /// Number of turns so far.
    turns: usize,
}

impl Places {
    /// These messages, as sent unchanged.
    fn sent_in(&self, range: Range<usize>) -> impl Iterator<Item = Sent> {
        self.of_messages.get(range).unwrap_or_default().iter().map(|place| Sent::At(*place))
    }

    /// The mapping for the messages before the first answer.
    pub(super) fn of_opening(messages: usize) -> Places {
        let of_messages = (0..messages).map(|index| MessagePlace { turn: 0, index }).collect();
        Places { of_messages, turns: 0 }
    }

    /// Adds an answer and its replies, in the order of the conversation. Each reply has the index of its message among those after the
    /// answer, or `None` if it is not in the log.
    pub(super) fn add_turn(&mut self, replies: Vec<Option<usize>>) {
        self.turns += 1;
        let turn = self.turns;
        // In the conversation, results precede all other replies. In the transcript, they have their original order.
        let mut in_transcript = Vec::with_capacity(replies.len());
        for (index, message) in (1..).zip(replies) {
            if let Some(message) = message {
                in_transcript.push((message, index));
            }
        }
        in_transcript.sort_unstable();
        self.of_messages.push(MessagePlace { turn, index: 0 });
        for (_, index) in in_transcript {
            self.of_messages.push(MessagePlace { turn, index });
        }
    }
}

type Changes = BTreeMap<MessagePlace, Vec<Change>>;

/// The changes by all compactions, keyed by the place of the message.
pub(super) fn changes(transcript: &Transcript, places: &Places, turns: &[Turn]) -> Changes {
    let mut changes = Changes::new();
    for compaction in &transcript.compactions {
        if compaction.sent.is_some() {
            continue;
        }
        let completed = completed_before(transcript, compaction);
        let removed: Vec<MessagePlace> =
            compaction.indices().map_while(|index| places.of_messages.get(index).copied()).collect();
        let mut shortening = Shortening { turns, completed, changes: &mut changes };
        match compaction.kind {
            CompactionKind::Clear => {
                shortening.clear_results(&removed, compaction.text.as_deref().unwrap_or(REMOVED));
            }
            _ => shortening.remove_messages(&removed, summary_message(compaction)),
        }
    }
    changes
}

/// The request prefixes logged verbatim.
pub(super) fn starts(transcript: &Transcript, places: &Places, image_tokens: u32) -> Vec<SentStart> {
    let (mut sent, mut known, mut prompt) = (Vec::new(), 0, None);
    let mut starts = Vec::new();
    for compaction in &transcript.compactions {
        let Some(parts) = &compaction.sent else { continue };
        let end = compaction.before.min(places.of_messages.len());
        sent.extend(places.sent_in(known..end));
        known = end;
        sent.truncate(match parts.first() {
            Some(SentPart::Same(number)) => *number,
            _ => 0,
        });
        for part in parts {
            match part {
                SentPart::Same(_) => {}
                SentPart::Range([first, last]) => {
                    sent.extend(places.sent_in(*first..last.saturating_add(1).min(end)))
                }
                SentPart::Message(message) => {
                    sent.push(Sent::Put(Arc::new(sent_message(message, image_tokens))))
                }
            }
        }
        prompt = compaction.system.as_deref().map(system_message).or(prompt);
        let next = MessagePlace { turn: places.turns + 1, index: 0 };
        starts.push(SentStart {
            turns: completed_before(transcript, compaction),
            system: prompt.clone(),
            messages: sent.clone(),
            after: places.of_messages.get(end).copied().unwrap_or(next),
        });
    }
    starts
}

/// A message from a logged request only, outside the conversation.
fn sent_message(message: &TranscriptMessage, image_tokens: u32) -> Message {
    let tokens = message.images.saturating_mul(image_tokens);
    let sent = match (message.role, &message.call) {
        (TranscriptRole::Assistant, _) => {
            let calls: Vec<_> = message.tool_calls.iter().map(native_call).collect();
            let native = (!calls.is_empty()).then(|| Arc::new(Native::Calls(calls)));
            Message { native, ..Message::new(Role::Assistant, message.content.as_str()) }
        }
        (TranscriptRole::Tool, Some(call)) => result(&call.as_str().into(), &message.content),
        _ => user(&message.content, MessagePart::Conversation),
    };
    Message { image_tokens: tokens, ..sent }
}

/// All compactions, with the uncached tokens of their first requests.
pub(super) fn compactions(transcript: &Transcript) -> Vec<LoggedCompaction> {
    let mut compactions = Vec::with_capacity(transcript.compactions.len());
    for logged in &transcript.compactions {
        compactions.push(LoggedCompaction {
            turns: completed_before(transcript, logged),
            logged: logged.clone(),
            uncached: uncached_tokens(transcript, logged),
        });
    }
    compactions
}

/// The uncached input tokens of the first request after a compaction, and how many of them were written to the cache. `None` if not
/// logged.
fn uncached_tokens(transcript: &Transcript, compaction: &TranscriptCompaction) -> Option<[u64; 2]> {
    let mut later = transcript.messages.iter().skip(compaction.before);
    let usage = later.find(|message| message.role == TranscriptRole::Assistant)?.usage.as_ref()?;
    let uncached = usage.input_tokens?.checked_sub(usage.cached_tokens?)?;
    Some([uncached, usage.cache_write_tokens.unwrap_or(0).min(uncached)])
}

/// The agent's summaries, used in place of the removed messages.
pub(super) fn summaries(transcript: &Transcript) -> Vec<LoggedSummary> {
    let mut summaries = Vec::new();
    for compaction in &transcript.compactions {
        if compaction.kind == CompactionKind::Summary
            && let Some(text) = compaction.text.as_deref()
        {
            summaries
                .push(LoggedSummary { turns: completed_before(transcript, compaction), text: text.into() });
        }
    }
    summaries
}

/// The number of turns before a compaction.
fn completed_before(transcript: &Transcript, compaction: &TranscriptCompaction) -> usize {
    let mut completed = 0;
    for message in transcript.messages.iter().take(compaction.before) {
        completed += usize::from(message.role == TranscriptRole::Assistant);
    }
    completed
}

/// The replacement for the removed messages, if any.
fn summary_message(compaction: &TranscriptCompaction) -> Option<Message> {
    let is_opaque = compaction.kind == CompactionKind::Opaque;
    let text = compaction.text.as_deref().or(is_opaque.then_some(OPAQUE))?;
    let message = Message::with_parts(Role::User, text, vec![(MessagePart::Conversation, 0)]);
    // A logged text is counted like any other. For an encrypted one, the log may contain a token count.
    let hidden = if compaction.text.is_none() { compaction.tokens.unwrap_or(0) } else { 0 };
    Some(Message { image_tokens: u32::try_from(hidden).unwrap_or(u32::MAX), ..message })
}

/// A compaction in progress.
struct Shortening<'a> {
    turns: &'a [Turn],
    /// The number of turns before the compaction.
    completed: usize,
    changes: &'a mut Changes,
}

impl Shortening<'_> {
    fn clear_results(&mut self, results: &[MessagePlace], text: &str) {
        for place in results {
            // Each clearing lists the results of earlier ones again.
            let is_settled = match self.newest_change(*place) {
                Some(Change { message: Some(message), .. }) => message.content == text,
                Some(Change { message: None, .. }) => true,
                None => false,
            };
            if !is_settled && let Some(cleared) = self.with_text(*place, text) {
                self.change_message(*place, Some(cleared));
            }
        }
    }

    fn remove_messages(&mut self, removed: &[MessagePlace], summary: Option<Message>) {
        for place in removed {
            self.change_message(*place, None);
        }
        // Put the summary in the place of the last removed message, after any kept messages.
        if let Some(last) = removed.last()
            && summary.is_some()
        {
            self.change_message(*last, summary);
        }
        let mut touched: Vec<usize> = removed.iter().map(|place| place.turn).collect();
        touched.dedup();
        for turn in touched {
            self.keep_pairs(turn);
        }
    }

    /// Removes results without a call, and replaces removed results of kept calls. Providers reject both.
    fn keep_pairs(&mut self, turn: usize) {
        let Some(earlier) = turn.checked_sub(1) else { return };
        let Some(logged) = self.turns.get(earlier) else { return };
        let is_answer_gone = self.is_changed(MessagePlace { turn, index: 0 });
        for (index, reply) in (1..).zip(&logged.replies) {
            let place = MessagePlace { turn, index };
            match (is_answer_gone, reply.kind) {
                (true, ReplyKind::Result | ReplyKind::Filler) if !self.is_changed(place) => {
                    self.change_message(place, None);
                }
                (false, ReplyKind::Result) if self.is_gone(place) => {
                    self.change_message(place, Some(reply.message.with_content(REMOVED)));
                }
                _ => {}
            }
        }
    }

    /// The reply at a place, with a new text.
    fn with_text(&self, place: MessagePlace, text: &str) -> Option<Message> {
        let logged = self.turns.get(place.turn.checked_sub(1)?)?;
        let reply = logged.replies.get(place.index.checked_sub(1)?)?;
        Some(reply.message.with_content(EcoString::from(text)))
    }

    fn newest_change(&self, place: MessagePlace) -> Option<&Change> {
        self.changes.get(&place)?.last()
    }

    fn is_changed(&self, place: MessagePlace) -> bool {
        self.newest_change(place).is_some()
    }

    fn is_gone(&self, place: MessagePlace) -> bool {
        matches!(self.newest_change(place), Some(Change { message: None, .. }))
    }

    fn change_message(&mut self, place: MessagePlace, message: Option<Message>) {
        if message.is_none() && self.is_gone(place) {
            return;
        }
        let of_message = self.changes.entry(place).or_default();
        // The last change before a request replaces earlier ones.
        of_message.retain(|change| change.turns < self.completed);
        of_message.push(Change { turns: self.completed, message });
    }
}
