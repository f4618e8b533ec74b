//! The requests of one strategy, stored as differences: each request keeps only what it adds to the previous one.

use std::hash::Hash;

use xxhash_rust::xxh3::Xxh3;

use conversation::{Extension, MessageId, Stretches, Table};

use crate::{Request, RequestBorder, Statistics, StrategyCall};

/// The [`Request`]s of one strategy, in order.
#[derive(Debug, Default)]
pub struct Requests {
    requests: Vec<SentRequest>,
    /// Table positions of the newest request's messages.
    last: Vec<u32>,
    /// Stretches of added messages shared by several requests, each stored once.
    stretches: Stretches,
}

/// A request in [`Requests`], stored as an extension of the previous one.
#[derive(Debug)]
pub struct SentRequest {
    /// The turn answering the request, from 1.
    pub turn: u32,
    /// Table positions of its messages.
    messages: Extension,
    /// From left to right.
    pub borders: Vec<RequestBorder>,
    pub statistics: Statistics,
    /// Tool calls not shown in the request, failed ones included.
    pub hidden_tool_calls: u32,
    /// The model call made by the strategy before the request.
    pub call: Option<StrategyCall<MessageId>>,
}

impl SentRequest {
    /// Length of the prefix shared with the previous request, in messages.
    pub fn kept(&self) -> usize {
        self.messages.kept as usize
    }

    /// The messages after the shared prefix.
    pub fn added(&self) -> impl Iterator<Item = MessageId> + '_ {
        self.messages.added.numbers().map(MessageId::at)
    }
}

impl Requests {
    /// Adds the next request.
    pub fn push(&mut self, request: Request<MessageId>) {
        let Request { turn, kept, messages, borders, statistics, hidden_tool_calls, call, .. } = request;
        let positions: Vec<u32> = messages.iter().map(|id| id.index() as u32).collect();
        let messages = Extension::after(&mut self.last, kept, &positions, &mut self.stretches);
        self.requests.push(SentRequest { turn, messages, borders, statistics, hidden_tool_calls, call });
    }

    /// A hash of all inputs of the measures, without the strategy's statistics. `None` if a user's program reports the cost of its calls.
    pub fn hash(&self, table: &Table) -> Option<u128> {
        let mut hasher = Xxh3::new();
        for request in &self.requests {
            // Destructured in full, so that a new field cannot be forgotten here.
            let SentRequest { turn, messages, borders, statistics: _, hidden_tool_calls: _, call } = request;
            (turn, request.kept(), borders, call.is_some()).hash(&mut hasher);
            messages.added.count().hash(&mut hasher);
            request.added().for_each(|id| table.identity(id).hash(&mut hasher));
            let Some(call) = call else { continue };
            let StrategyCall {
                messages,
                goes_on,
                borders,
                most_tokens,
                output_tokens,
                is_text_known,
                key: _,
                usage,
            } = call;
            if usage.is_some() {
                return None;
            }
            messages.len().hash(&mut hasher);
            messages.iter().for_each(|id| table.identity(*id).hash(&mut hasher));
            (goes_on, borders, most_tokens, output_tokens, is_text_known).hash(&mut hasher);
        }
        Some(hasher.digest128())
    }

    pub fn iter(&self) -> std::slice::Iter<'_, SentRequest> {
        self.requests.iter()
    }

    /// Folds the messages of each request, starting from `initial`. States of the prefix shared with the previous request are reused. `of`
    /// gets each request, the state after the shared prefix, and the final state.
    pub fn fold<S: Clone, T>(
        &self,
        initial: S,
        mut step: impl FnMut(&S, MessageId) -> S,
        mut of: impl FnMut(&SentRequest, &S, &S) -> T,
    ) -> Vec<T> {
        // The state after each message of the newest request.
        let mut states: Vec<S> = Vec::new();
        let mut results = Vec::with_capacity(self.requests.len());
        for request in &self.requests {
            states.truncate(request.kept());
            let kept = states.last().unwrap_or(&initial).clone();
            let mut state = kept.clone();
            for id in request.added() {
                state = step(&state, id);
                states.push(state.clone());
            }
            results.push(of(request, &kept, &state));
        }
        results
    }

    /// Calls `of` for each request, in order, with all its messages and the messages it drops: the previous request's after the shared
    /// prefix.
    pub fn map<T>(&self, mut of: impl FnMut(&SentRequest, &[MessageId], &[MessageId]) -> T) -> Vec<T> {
        let mut messages: Vec<MessageId> = Vec::new();
        let mut results = Vec::with_capacity(self.requests.len());
        for request in &self.requests {
            let replaced = messages.split_off(request.kept().min(messages.len()));
            messages.extend(request.added());
            results.push(of(request, &messages, &replaced));
        }
        results
    }
}
