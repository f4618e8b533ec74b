//! Calls of a model that a strategy makes itself.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::borders::RequestBorder;
use crate::agent::Message;

/// A call of a model that a strategy makes before a request, for a text that this request has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyCall<M = Message> {
    pub messages: Vec<M>,
    /// True if it goes on from the agent's own request, with the declared tools.
    pub goes_on: bool,
    /// From left to right; the last one is the end of the call.
    pub borders: Vec<RequestBorder>,
    /// The most tokens that the text may have.
    pub most_tokens: u32,
    /// Tokens of the text.
    pub output_tokens: u32,
    /// False if the request has a placeholder for the text.
    pub is_text_known: bool,
    /// The identity of the text that it asks for.
    pub key: TextKey,
}

/// The identity of a text that a model writes for a strategy. A text that was kept fits as long as its key is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextKey {
    /// The first and the last turn that the text replaces, from 1.
    pub turns: (usize, usize),
    /// Hash of the messages that it replaces, an earlier text among them.
    pub messages: u64,
    /// Hash of the instruction.
    pub prompt: u64,
}

impl TextKey {
    /// The key of a text in place of these messages.
    pub fn new<'m>(
        turns: (usize, usize),
        messages: impl IntoIterator<Item = &'m Message>,
        prompt: &str,
    ) -> TextKey {
        let mut hasher = Xxh3::new();
        let mut add = |text: &str| {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        for message in messages {
            add(message.role.name());
            add(&message.content);
            for call in message.calls() {
                add(&call.name);
                add(&call.arguments);
            }
        }
        TextKey { turns, messages: hasher.digest(), prompt: xxh3_64(prompt.as_bytes()) }
    }
}

impl<M> StrategyCall<M> {
    /// The same with other messages in place of its own.
    pub fn map<N>(self, message: impl FnMut(M) -> N) -> StrategyCall<N> {
        let StrategyCall { messages, goes_on, borders, most_tokens, output_tokens, is_text_known, key } =
            self;
        let messages = messages.into_iter().map(message).collect();
        StrategyCall { messages, goes_on, borders, most_tokens, output_tokens, is_text_known, key }
    }
}
