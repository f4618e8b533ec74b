//! Calls of a model that a strategy makes itself.

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
}

impl<M> StrategyCall<M> {
    /// The same with other messages in place of its own.
    pub fn map<N>(self, message: impl FnMut(M) -> N) -> StrategyCall<N> {
        let StrategyCall { messages, goes_on, borders, most_tokens, output_tokens, is_text_known } = self;
        let messages = messages.into_iter().map(message).collect();
        StrategyCall { messages, goes_on, borders, most_tokens, output_tokens, is_text_known }
    }
}
