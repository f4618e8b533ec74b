//! Requests under construction.

use super::borders::{self, RequestBorder};
use super::call::StrategyCall;
use super::shown_turns::ShownTurns;
use super::statistics::Shown;
use conversation::MessageId;
use ptc_prices::Border;

/// Messages of a request, with counts of the entries they show. [`Rendered::new`](crate::Rendered::new) completes it.
#[derive(Clone, Debug, Default)]
pub struct RequestDraft {
    /// Number of leading messages of the previous request that are left out of `messages`. See [`Rendered::kept`](crate::Rendered::kept).
    pub kept: usize,
    pub messages: Vec<MessageId>,
    pub shown: Shown,
    /// All borders but the one after the last message, which [`RequestDraft::end`] adds.
    pub borders: Vec<RequestBorder>,
    /// The model call made by the strategy before the request.
    pub call: Option<StrategyCall<MessageId>>,
}

impl RequestDraft {
    pub fn new(messages: Vec<MessageId>, shown: Shown) -> RequestDraft {
        RequestDraft { messages, shown, ..RequestDraft::default() }
    }

    /// Declares that the messages so far and the next `more` messages do not change in later requests.
    pub fn settle(&mut self, more: usize) {
        self.borders.retain(|border| border.kind != Border::Settled);
        self.borders.push(RequestBorder::after(Border::Settled, self.kept + self.messages.len() + more));
    }

    /// Declares that the first `settled` of the request's `turns` do not change in later requests, nor the next `more` messages.
    pub fn settle_at(&mut self, turns: &ShownTurns, settled: usize, more: usize) {
        let start = self.kept + self.messages.len() - turns.count_messages(turns.len());
        self.borders.retain(|border| border.kind != Border::Settled);
        self.borders
            .push(RequestBorder::after(Border::Settled, start + turns.count_messages(settled) + more));
    }

    /// Declares that the request is complete.
    pub fn end(&mut self) {
        self.borders =
            borders::complete_borders(std::mem::take(&mut self.borders), self.kept + self.messages.len());
    }

    /// Adds the messages and counts of another draft.
    pub fn extend(&mut self, other: &RequestDraft) {
        self.messages.extend_from_slice(&other.messages);
        self.shown.add_shown(other.shown);
    }
}
