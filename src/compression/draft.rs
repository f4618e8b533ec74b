//! Requests that are being written.

use super::statistics::Shown;
use crate::agent::Message;

/// Messages of a request with the counts of what they show.
#[derive(Clone, Debug, Default)]
pub struct RequestDraft {
    pub messages: Vec<Message>,
    pub shown: Shown,
}

impl RequestDraft {
    pub fn new(messages: Vec<Message>, shown: Shown) -> RequestDraft {
        RequestDraft { messages, shown }
    }

    /// Adds the messages and counts of another draft.
    pub fn extend(&mut self, other: &RequestDraft) {
        self.messages.extend_from_slice(&other.messages);
        self.shown.add(other.shown);
    }
}
