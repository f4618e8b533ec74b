//! Requests that are being written.

use super::borders::RequestBorder;
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
}

impl RequestDraft {
    pub fn new(messages: Vec<MessageId>, shown: Shown) -> RequestDraft {
        RequestDraft { messages, shown, borders: Vec::new() }
    }

    /// Declares that the messages so far and the next `more` ones do not change again.
    pub fn settle(&mut self, more: usize) {
        self.borders.retain(|border| border.kind != Border::Settled);
        self.borders.push(RequestBorder::after(Border::Settled, self.messages.len() + more));
    }

    /// Adds the messages and counts of another draft.
    pub fn extend(&mut self, other: &RequestDraft) {
        self.messages.extend_from_slice(&other.messages);
        self.shown.add(other.shown);
    }
}
