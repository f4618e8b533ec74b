//! Builds messages from parts.

use super::message::{Message, MessagePart, Role};

/// Estimate of the bytes of a short message. A wrong guess costs one copy.
const SHORT: usize = 512;

/// A [`Message`] under construction. Empty parts are discarded.
#[derive(Clone, Debug, Default)]
pub struct MessageBuilder {
    text: String,
    parts: Vec<(MessagePart, u32)>,
}

impl MessageBuilder {
    /// Continues a message, with room for `more` bytes.
    pub fn continuing(message: &Message, more: usize) -> MessageBuilder {
        let mut text = String::with_capacity(message.content.len() + more);
        text.push_str(&message.content);
        MessageBuilder { text, parts: message.parts.to_vec() }
    }

    /// Adds the part written by `write`, after a blank line. Returns its result.
    pub fn part<T>(&mut self, part: MessagePart, write: impl FnOnce(&mut String) -> T) -> T {
        self.joined_by("\n\n", part, write)
    }

    /// Adds the part written by `write`, on the next line. Returns its result.
    pub fn line<T>(&mut self, part: MessagePart, write: impl FnOnce(&mut String) -> T) -> T {
        self.joined_by("\n", part, write)
    }

    /// Starts with a text outside any part.
    pub fn with_heading(heading: &str) -> MessageBuilder {
        let mut text = String::with_capacity(SHORT);
        text.push_str(heading);
        MessageBuilder { text, parts: Vec::new() }
    }

    /// Adds all parts of another message after one blank line.
    pub fn append_parts(&mut self, other: MessageBuilder) {
        if other.text.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        let offset = self.text.len() as u32;
        self.text.push_str(&other.text);
        self.parts.extend(other.parts.into_iter().map(|(part, start)| (part, start + offset)));
    }

    /// Returns true if anything but a heading was written.
    pub fn has_parts(&self) -> bool {
        !self.parts.is_empty()
    }

    pub fn finish(self, role: Role) -> Message {
        Message::with_parts(role, self.text, self.parts)
    }

    fn joined_by<T>(&mut self, glue: &str, part: MessagePart, write: impl FnOnce(&mut String) -> T) -> T {
        let end = self.text.len();
        if end > 0 {
            self.text.push_str(glue);
        }
        let start = self.text.len();
        let written = write(&mut self.text);
        if self.text.len() == start {
            self.text.truncate(end);
        } else {
            self.parts.push((part, start as u32));
        }
        written
    }
}
