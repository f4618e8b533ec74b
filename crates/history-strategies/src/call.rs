//! Model calls made by a strategy itself.

use std::sync::Arc;

use ecow::EcoString;
use serde::Deserialize;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::borders::RequestBorder;
use conversation::Message;
use ptc_prices::{Bill, Price};

/// A model call that a strategy makes before a request. The request contains the model's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyCall<M = Message> {
    pub messages: Vec<M>,
    /// True if the call continues the agent's own request, so that a provider reads its start from the cache. False if it is a separate
    /// request, without the declared tools.
    pub goes_on: bool,
    /// From left to right; the last is the end of the call.
    pub borders: Vec<RequestBorder>,
    /// Token limit of the text.
    pub most_tokens: u32,
    /// Tokens of the text, or of its placeholder.
    pub output_tokens: u32,
    /// False if the request has a placeholder instead of the text.
    pub is_text_known: bool,
    /// The identity of the requested text. `None` for a call reported by a user's program.
    pub key: Option<TextKey>,
    /// The usage, if a user's program made the call and reports it.
    pub usage: Option<ReportedUsage>,
}

/// A text written for a strategy, see [`Variant::with_texts`](crate::Variant::with_texts).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenText {
    pub text: EcoString,
    /// The usage, if the program that wrote the text reports it.
    pub usage: Option<ReportedUsage>,
}

impl From<EcoString> for WrittenText {
    fn from(text: EcoString) -> WrittenText {
        WrittenText { text, usage: None }
    }
}

/// Tokens billed to a user's program for its own model calls: the usage of a [`StrategyCall`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ReportedUsage {
    /// The model. `None`: the agent's model.
    pub model: Option<EcoString>,
    /// All input tokens, cached ones included.
    pub input_tokens: u32,
    /// Input tokens read from a cache.
    #[serde(default)]
    pub cached_tokens: u32,
    /// Input tokens written to a cache.
    #[serde(default)]
    pub cache_write_tokens: u32,
    pub output_tokens: u32,
    /// The model's price, after its look-up.
    #[serde(skip)]
    pub price: Option<Arc<Price>>,
}

impl ReportedUsage {
    /// Checks the sums: cached tokens are part of the input tokens.
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

    /// The bill at the called model's price, or else at `price`.
    pub fn bill(&self, price: &Price) -> Bill {
        let ReportedUsage { input_tokens, cached_tokens, cache_write_tokens, output_tokens, .. } = *self;
        let fresh = input_tokens.saturating_sub(cached_tokens).saturating_sub(cache_write_tokens);
        let tokens = [fresh, cached_tokens, cache_write_tokens, output_tokens].map(u64::from);
        let cost = self.price.as_deref().unwrap_or(price).cost_of(input_tokens, tokens);
        Bill { cached_tokens, written_tokens: cache_write_tokens, cost }
    }
}

/// The identity of a text that a model writes for a strategy. A text of an earlier evaluation is reused while its key is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextKey {
    /// The first and last turn replaced by the text, from 1.
    pub turns: (usize, usize),
    /// Hash of the replaced messages, including an earlier text.
    pub messages: u64,
    /// Hash of the instruction.
    pub prompt: u64,
}

impl TextKey {
    /// The key of a text in place of these [`Message`]s.
    pub fn new<'m>(
        turns: (usize, usize),
        messages: impl IntoIterator<Item = &'m Message>,
        prompt: &str,
    ) -> TextKey {
        let mut hasher = Xxh3::new();
        for message in messages {
            hash_text(&mut hasher, message.role.name());
            hash_text(&mut hasher, &message.content);
            for call in message.calls() {
                hash_text(&mut hasher, &call.name);
                hash_text(&mut hasher, &call.arguments);
            }
        }
        TextKey { turns, messages: hasher.digest(), prompt: xxh3_64(prompt.as_bytes()) }
    }
}

impl<M> StrategyCall<M> {
    /// Converts the messages to another form.
    pub fn map<N>(self, message: impl FnMut(M) -> N) -> StrategyCall<N> {
        let messages = self.messages.into_iter().map(message).collect();
        let StrategyCall { goes_on, borders, most_tokens, output_tokens, is_text_known, key, usage, .. } =
            self;
        StrategyCall { messages, goes_on, borders, most_tokens, output_tokens, is_text_known, key, usage }
    }

    /// A call made by a user's program, known only by its usage.
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

fn hash_text(hasher: &mut Xxh3, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}
