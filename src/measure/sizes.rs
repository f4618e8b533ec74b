//! The sizes of messages and requests: as they are counted, or as the bills of a log say.

use rustc_hash::FxHashMap;

use super::requests::{Requests, SentRequest};
use crate::messages::{MessageId, Table};
use ptc_tokens::REQUEST_OVERHEAD;

/// The sizes of the messages of a run.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// Tokens of the model for one that is counted.
    pub factor: f64,
    /// Answers whose tokens are billed, reasoning included.
    pub answers: FxHashMap<MessageId, BilledAnswer>,
    /// By the index of the turn.
    pub turns: Vec<TurnSize>,
}

/// An answer whose output was billed.
#[derive(Clone, Copy, Debug)]
pub struct BilledAnswer {
    pub turn: u32,
    /// Of the whole message with its reasoning.
    pub tokens: u32,
}

/// Properties of the request before one turn that no strategy changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnSize {
    /// Tokens before the conversation that the log does not hold.
    pub unlogged: u32,
    /// The first turn whose answer is sent back with its reasoning.
    pub reasoning_from: u32,
}

/// The size of one request.
#[derive(Clone, Copy, Debug)]
pub struct SizedRequest {
    /// Number of messages that the request before begins with too, each as large as there.
    pub kept: usize,
    /// Of these messages, and of all that stands before them.
    pub kept_tokens: u32,
    /// Of the whole request, with what the chat format adds.
    pub input_tokens: u32,
}

/// The sizes that are counted.
impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { factor: 1.0, answers: FxHashMap::default(), turns: Vec::new() }
    }
}

impl Sizes {
    /// Tokens of the model for so many that are counted.
    pub fn scaled(&self, tokens: u32) -> u32 {
        (f64::from(tokens) * self.factor).round() as u32
    }

    /// Tokens before the conversation in the request before a turn that the log does not hold.
    pub fn unlogged(&self, turn: u32) -> u32 {
        self.turn(turn).unlogged
    }

    /// The least of them in any request.
    pub fn least_unlogged(&self) -> u32 {
        self.turns.iter().map(|turn| turn.unlogged).min().unwrap_or(0)
    }

    /// Tokens of a message in the request before a turn.
    pub fn of(&self, table: &Table, id: MessageId, turn: u32) -> u32 {
        match self.with_reasoning(id, turn) {
            Some(answer) => answer.tokens,
            None => self.scaled(table.row(id).tokens()),
        }
    }

    /// The answer, if the request before a turn has it with its reasoning.
    pub fn with_reasoning(&self, id: MessageId, turn: u32) -> Option<&BilledAnswer> {
        self.answers.get(&id).filter(|answer| self.turn(turn).reasoning_from <= answer.turn)
    }

    fn turn(&self, turn: u32) -> TurnSize {
        let index = (turn as usize).saturating_sub(1);
        self.turns.get(index).or(self.turns.last()).copied().unwrap_or_default()
    }

    /// The sizes of the requests of a strategy, behind declared tools of so many tokens.
    pub fn requests(&self, table: &Table, requests: &Requests, tools_tokens: u32) -> Vec<SizedRequest> {
        let mut sizing = Sizing { sizes: self, before: 0, sums: Vec::new(), answers: Vec::new() };
        requests.map(|request, messages, _| {
            let kept = sizing.next(table, request, messages);
            let start = self.unlogged(request.turn).saturating_add(tools_tokens);
            let up_to = |messages: usize| {
                let last = messages.checked_sub(1).and_then(|last| sizing.sums.get(last));
                start.saturating_add(last.copied().unwrap_or(0))
            };
            SizedRequest {
                kept,
                kept_tokens: up_to(kept),
                input_tokens: up_to(messages.len()).saturating_add(REQUEST_OVERHEAD),
            }
        })
    }
}

/// The newest request of a strategy while its requests are sized.
struct Sizing<'s> {
    sizes: &'s Sizes,
    /// The first turn whose answer has its reasoning in the request before.
    before: u32,
    /// Tokens up to the end of each message.
    sums: Vec<u32>,
    /// The index and the turn of each answer that may have reasoning.
    answers: Vec<(usize, u32)>,
}

impl Sizing<'_> {
    /// Sizes the next request. Returns how many messages are those of the request before in the same size.
    fn next(&mut self, table: &Table, request: &SentRequest, messages: &[MessageId]) -> usize {
        let from = self.sizes.turn(request.turn).reasoning_from;
        // Reasoning goes from the first answer on that had it in the request before and has it no longer.
        let at = self.answers.partition_point(|(_, turn)| *turn < self.before);
        let gone = self.answers.get(at).filter(|(_, turn)| *turn < from).map(|(index, _)| *index);
        let kept = request.kept.min(gone.unwrap_or(usize::MAX));
        self.before = from;
        self.sums.truncate(kept);
        self.answers.truncate(self.answers.partition_point(|(index, _)| *index < kept));
        for (index, id) in messages.iter().enumerate().skip(kept) {
            let tokens = self.sizes.of(table, *id, request.turn);
            self.sums.push(self.sums.last().copied().unwrap_or(0).saturating_add(tokens));
            if let Some(answer) = self.sizes.answers.get(id) {
                self.answers.push((index, answer.turn));
            }
        }
        kept
    }
}
