//! The sizes of messages and requests: as they are counted, or as the bills of a log say.

use rustc_hash::FxHashMap;

use super::requests::{Requests, SentRequest};
use crate::messages::{MessageId, Table};
use ptc_tokens::REQUEST_OVERHEAD;

/// The sizes of the messages of a run.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    /// Answers whose tokens are billed, reasoning included.
    pub answers: FxHashMap<MessageId, BilledAnswer>,
    /// By the index of the turn; empty if sizes are those that are counted.
    pub turns: Vec<TurnSize>,
}

/// An answer whose output was billed.
#[derive(Clone, Copy, Debug)]
pub struct BilledAnswer {
    pub turn: u32,
    /// Of the whole message with its reasoning.
    pub tokens: u32,
    /// The model that gave it, as [`TurnSize`] has it.
    pub model: usize,
}

/// Properties of the request before one turn that no strategy changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnSize {
    /// Tokens before the conversation that the log does not hold.
    pub unlogged: u32,
    /// The first turn whose answer is sent back with its reasoning.
    pub reasoning_from: u32,
    /// The index of the model that it was sent to.
    pub model: usize,
    /// Tokens of this model for one that is counted.
    pub factor: f64,
}

/// The size of one request.
#[derive(Clone, Copy, Debug)]
pub struct SizedRequest {
    /// Number of messages that the request before begins with too, with the same reasoning.
    pub kept: usize,
    /// Number of those of them that are as large as there: none if another model counts them.
    pub kept_as_large: usize,
    /// Of the kept messages, and of all that stands before them.
    pub kept_tokens: u32,
    /// Of the whole request, with what the chat format adds.
    pub input_tokens: u32,
}

/// The size of a turn of which no bill tells anything.
const COUNTED: TurnSize = TurnSize { unlogged: 0, reasoning_from: 0, model: 0, factor: 1.0 };

impl Sizes {
    /// Tokens of the model of a turn for so many that are counted.
    pub fn scaled(&self, tokens: u32, turn: u32) -> u32 {
        times(tokens, self.turn(turn).factor)
    }

    /// Tokens of declared tools for so many that are counted.
    pub fn of_tools(&self, tokens: u32) -> u32 {
        times(tokens, self.main().map_or(1.0, |main| main.factor))
    }

    /// The sizes that the same run has if one model gives all answers: that of most turns. None if it is so.
    pub fn with_one_model(&self) -> Option<Sizes> {
        let main = self.main()?;
        if self.turns.iter().all(|turn| turn.model == main.model) {
            return None;
        }
        let factor_of = |model: usize| self.turns.iter().find(|turn| turn.model == model);
        let rise = |model: usize| factor_of(model).map_or(1.0, |turn| main.factor / turn.factor);
        let turns = self.turns.iter().map(|turn| TurnSize {
            unlogged: times(turn.unlogged, main.factor / turn.factor),
            reasoning_from: turn.reasoning_from,
            ..main
        });
        let answers = self.answers.iter().map(|(id, answer)| {
            let tokens = times(answer.tokens, rise(answer.model));
            (*id, BilledAnswer { tokens, model: main.model, ..*answer })
        });
        Some(Sizes { answers: answers.collect(), turns: turns.collect() })
    }

    /// The first turn of the model that has most of them.
    fn main(&self) -> Option<TurnSize> {
        let models = self.turns.iter().map(|turn| turn.model).max()? + 1;
        let mut counts = vec![0_usize; models];
        self.turns.iter().for_each(|turn| counts[turn.model] += 1);
        let most = counts.iter().copied().max()?;
        self.turns.iter().find(|turn| counts.get(turn.model) == Some(&most)).copied()
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
            None => self.scaled(table.row(id).tokens(), turn),
        }
    }

    /// The answer, if the request before a turn has it with its reasoning. No model takes the reasoning of another one back:
    /// it is signed or encrypted.
    pub fn with_reasoning(&self, id: MessageId, turn: u32) -> Option<&BilledAnswer> {
        let TurnSize { reasoning_from, model, .. } = self.turn(turn);
        self.answers.get(&id).filter(|answer| reasoning_from <= answer.turn && answer.model == model)
    }

    fn turn(&self, turn: u32) -> TurnSize {
        let index = (turn as usize).saturating_sub(1);
        self.turns.get(index).or(self.turns.last()).copied().unwrap_or(COUNTED)
    }

    /// The sizes of the requests of a strategy, behind declared tools of so many tokens.
    pub fn requests(&self, table: &Table, requests: &Requests, tools_tokens: u32) -> Vec<SizedRequest> {
        let mut sizing =
            Sizing { sizes: self, before: 0, model: COUNTED.model, sums: Vec::new(), answers: Vec::new() };
        requests.map(|request, messages, _| {
            let (kept, kept_as_large) = sizing.next(table, request, messages);
            let start = self.unlogged(request.turn).saturating_add(tools_tokens);
            let up_to = |messages: usize| {
                let last = messages.checked_sub(1).and_then(|last| sizing.sums.get(last));
                start.saturating_add(last.copied().unwrap_or(0))
            };
            SizedRequest {
                kept,
                kept_as_large,
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
    /// The model of the request before.
    model: usize,
    /// Tokens up to the end of each message.
    sums: Vec<u32>,
    /// The index and the turn of each answer that may have reasoning.
    answers: Vec<(usize, u32)>,
}

impl Sizing<'_> {
    /// Sizes the next request. Returns how many messages are those of the request before, and how many of them are as large.
    fn next(&mut self, table: &Table, request: &SentRequest, messages: &[MessageId]) -> (usize, usize) {
        let TurnSize { reasoning_from: from, model, .. } = self.sizes.turn(request.turn);
        // Reasoning goes from the first answer on that had it in the request before and has it no longer.
        let at = self.answers.partition_point(|(_, turn)| *turn < self.before);
        let gone = self.answers.get(at).filter(|(_, turn)| *turn < from).map(|(index, _)| *index);
        let kept = request.kept.min(gone.unwrap_or(usize::MAX));
        self.before = from;
        let as_large = if self.model == model { kept } else { 0 };
        self.model = model;
        self.sums.truncate(as_large);
        self.answers.truncate(self.answers.partition_point(|(index, _)| *index < as_large));
        for (index, id) in messages.iter().enumerate().skip(as_large) {
            let tokens = self.sizes.of(table, *id, request.turn);
            self.sums.push(self.sums.last().copied().unwrap_or(0).saturating_add(tokens));
            if let Some(answer) = self.sizes.answers.get(id) {
                self.answers.push((index, answer.turn));
            }
        }
        (kept, as_large)
    }
}

fn times(tokens: u32, factor: f64) -> u32 {
    (f64::from(tokens) * factor).round() as u32
}
