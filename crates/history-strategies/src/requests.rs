//! The requests of one strategy. Most repeat the start of the one before, so each is kept as what it adds.

use std::hash::Hash;

use xxhash_rust::xxh3::Xxh3;

use conversation::{Extension, MessageId, Stretches, Table};

use crate::{Request, RequestBorder, Statistics, StrategyCall};

/// The requests of one strategy, in order.
#[derive(Debug, Default)]
pub struct Requests {
    requests: Vec<SentRequest>,
    /// The positions of the messages of the newest request.
    last: Vec<u32>,
    /// Stretches of messages that several requests add, each stored once.
    stretches: Stretches,
}

/// A request as what it adds to the start of the one before.
#[derive(Debug)]
pub struct SentRequest {
    /// The turn after the request, from 1.
    pub turn: u32,
    /// The positions of its messages.
    messages: Extension,
    /// From left to right.
    pub borders: Vec<RequestBorder>,
    pub statistics: Statistics,
    /// Calls of all turns, failed ones included, that the request does not show.
    pub hidden_tool_calls: u32,
    /// The call that the strategy itself makes before it.
    pub call: Option<StrategyCall<MessageId>>,
}

impl SentRequest {
    /// Number of messages that the request before begins with too.
    pub fn kept(&self) -> usize {
        self.messages.kept as usize
    }

    /// The messages after the kept ones.
    pub fn added(&self) -> impl Iterator<Item = MessageId> + '_ {
        self.messages.added.numbers().map(MessageId::at)
    }
}

impl Requests {
    /// Adds the next request.
    pub fn push(&mut self, request: Request<MessageId>) {
        let Request { turn, messages, borders, statistics, hidden_tool_calls, call, .. } = request;
        let positions: Vec<u32> = messages.iter().map(|id| id.index() as u32).collect();
        let messages = Extension::new(&self.last, &positions, &mut self.stretches);
        self.last = positions;
        self.requests.push(SentRequest { turn, messages, borders, statistics, hidden_tool_calls, call });
    }

    /// A hash of all that measures depend on but the counts of the strategy. None if a program says what its calls cost.
    pub fn hash(&self, table: &Table) -> Option<u128> {
        let mut hasher = Xxh3::new();
        for request in &self.requests {
            // All fields are named, so that a new one is not forgotten here.
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

    /// Folds the messages of each request, beginning with `initial`. The start that a request shares with the one before is not
    /// folded again. `of` gets each request, the state after its kept messages, and the state after all of them.
    pub fn fold<S: Clone, T>(
        &self,
        initial: S,
        mut step: impl FnMut(&S, MessageId) -> S,
        mut of: impl FnMut(&SentRequest, &S, &S) -> T,
    ) -> Vec<T> {
        // The states after each message of the newest request.
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

    /// Calls a function for each request, in order. It gets the request, all its messages, and the messages that it replaces:
    /// those of the request before from the first that differs on.
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
