//! Calls of a model that a strategy makes itself.

use std::sync::Arc;

use ecow::EcoString;
use serde::Deserialize;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::borders::RequestBorder;
use conversation::Message;
use ptc_prices::{Bill, Price};

/// A call of a model that a strategy makes before a request. The text that the model answers stands in the request.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyCall<M = Message> {
    pub messages: Vec<M>,
    /// True if its messages continue the agent's own request, whose start a provider then reads from the cache. False if it is a
    /// request of its own, without the declared tools.
    pub goes_on: bool,
    /// From left to right; the last one is the end of the call.
    pub borders: Vec<RequestBorder>,
    /// The most tokens that the text may have.
    pub most_tokens: u32,
    /// Tokens of the text, or of the placeholder for it.
    pub output_tokens: u32,
    /// False if the request has a placeholder for the text.
    pub is_text_known: bool,
    /// The identity of the text that it asks for. None for a call that a program made and reports.
    pub key: Option<TextKey>,
    /// The bill of the call, if a program made it and says what it was.
    pub usage: Option<ReportedUsage>,
}

/// A text that was written for a strategy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenText {
    pub text: EcoString,
    /// The bill of the call, if the program that wrote it says what it was.
    pub usage: Option<ReportedUsage>,
}

impl From<EcoString> for WrittenText {
    fn from(text: EcoString) -> WrittenText {
        WrittenText { text, usage: None }
    }
}

/// Tokens that a program was billed for calls of a model that it made itself.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ReportedUsage {
    /// The model. None: the model that answers the agent.
    pub model: Option<EcoString>,
    /// All input tokens, those of caches included.
    pub input_tokens: u32,
    /// Input tokens that were read from a cache.
    #[serde(default)]
    pub cached_tokens: u32,
    /// Input tokens that were written to a cache.
    #[serde(default)]
    pub cache_write_tokens: u32,
    pub output_tokens: u32,
    /// The price of the model, once it was looked up.
    #[serde(skip)]
    pub price: Option<Arc<Price>>,
}

impl ReportedUsage {
    /// Refuses more tokens of caches than there are.
    ///
    /// # Errors
    /// The reason.
    pub fn check(&self) -> Result<(), String> {
        let of_caches = u64::from(self.cached_tokens) + u64::from(self.cache_write_tokens);
        if of_caches <= u64::from(self.input_tokens) {
            return Ok(());
        }
        let input = self.input_tokens;
        Err(format!("usage: {of_caches} tokens of the cache are more than all input_tokens, {input}"))
    }

    /// The bill at the price of the model that was called, else at this price.
    pub fn bill(&self, price: &Price) -> Bill {
        let ReportedUsage { input_tokens, cached_tokens, cache_write_tokens, output_tokens, .. } = *self;
        let fresh = input_tokens.saturating_sub(cached_tokens).saturating_sub(cache_write_tokens);
        let tokens = [fresh, cached_tokens, cache_write_tokens, output_tokens].map(u64::from);
        let cost = self.price.as_deref().unwrap_or(price).cost_of(input_tokens, tokens);
        Bill { cached_tokens, written_tokens: cache_write_tokens, cost }
    }
}

/// The identity of a text that a model writes for a strategy. A text of an earlier evaluation fits as long as its key is the same.
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
    /// The call with its messages in another form.
    pub fn map<N>(self, message: impl FnMut(M) -> N) -> StrategyCall<N> {
        let messages = self.messages.into_iter().map(message).collect();
        let StrategyCall { goes_on, borders, most_tokens, output_tokens, is_text_known, key, usage, .. } =
            self;
        StrategyCall { messages, goes_on, borders, most_tokens, output_tokens, is_text_known, key, usage }
    }

    /// A call that a program made itself, of which only the bill is known.
    pub fn reported(usage: ReportedUsage) -> StrategyCall<M> {
        StrategyCall {
            messages: Vec::new(),
            goes_on: false,
            borders: Vec::new(),
            most_tokens: 0,
            output_tokens: usage.output_tokens,
            is_text_known: true,
            key: None,
            usage: Some(usage),
        }
    }
}
