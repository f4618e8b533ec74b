//! Requests that are being written.

use super::borders::RequestBorder;
use super::call::StrategyCall;
use super::statistics::Shown;
use crate::messages::MessageId;
use ptc_tokens::Border;

/// Messages of a request with the counts of what they show.
#[derive(Clone, Debug, Default)]
pub struct RequestDraft {
    pub messages: Vec<MessageId>,
    pub shown: Shown,
    /// All but the one after the last message.
    pub borders: Vec<RequestBorder>,
    /// The call of the strategy's own before the request.
    pub call: Option<StrategyCall<MessageId>>,
}

impl RequestDraft {
    pub fn new(messages: Vec<MessageId>, shown: Shown) -> RequestDraft {
        RequestDraft { messages, shown, ..RequestDraft::default() }
    }

    /// Declares that the messages so far and the next `more` ones do not change again.
    pub fn settle(&mut self, more: usize) {
        self.borders.retain(|border| border.kind != Border::Settled);
        self.borders.push(RequestBorder::after(Border::Settled, self.messages.len() + more));
    }

    /// Declares that the request is complete.
    pub fn end(&mut self) {
        let end = self.messages.len();
        self.borders.retain(|border| border.messages <= end);
        self.borders.sort_by_key(|border| (border.messages, border.bytes));
        self.borders.push(RequestBorder::after(Border::Last, end));
    }

    /// Adds the messages and counts of another draft.
    pub fn extend(&mut self, other: &RequestDraft) {
        self.messages.extend_from_slice(&other.messages);
        self.shown.add(other.shown);
    }
}
