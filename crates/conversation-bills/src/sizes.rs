//! Sizes of messages and requests: counted, or derived from the bills of a log.

use rustc_hash::FxHashMap;

use conversation::{MessageId, Table};
use history_strategies::{Requests, SentRequest};
use ptc_tokens::REQUEST_OVERHEAD;

/// The sizes of a run's messages: a [`TurnSize`] per turn, and the [`BilledAnswer`]s.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    /// Answers with billed output tokens, including reasoning.
    pub answers: FxHashMap<MessageId, BilledAnswer>,
    /// Indexed by turn; empty if sizes are only counted.
    pub turns: Vec<TurnSize>,
}

/// An answer whose output was billed.
#[derive(Clone, Copy, Debug)]
pub struct BilledAnswer {
    /// The turn of the answer.
    pub turn: u32,
    /// Tokens of the whole message, including reasoning.
    pub tokens: u32,
    /// Index of the model, as in [`TurnSize`].
    pub model: usize,
}

/// Properties of a turn's request that are the same under every strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnSize {
    /// Unlogged tokens before the conversation.
    pub unlogged: u32,
    /// The first turn whose answer is sent with its reasoning.
    pub reasoning_from: u32,
    /// Index of the model that answers.
    pub model: usize,
    /// Tokens of this model per counted token.
    pub factor: f64,
}

/// The size of one request in a [`SizedRun`](crate::SizedRun).
#[derive(Clone, Copy, Debug)]
pub struct SizedRequest {
    /// Number of leading messages shared with the previous request, with the same reasoning.
    pub kept: usize,
    /// Number of kept messages with unchanged size. 0 if another model counts them.
    pub kept_as_large: usize,
    /// Tokens of the kept messages and of everything before them.
    pub kept_tokens: u32,
    /// Tokens of the whole request, including the overhead of the chat format.
    pub input_tokens: u32,
}

/// The size of a turn without any bill.
const COUNTED: TurnSize = TurnSize { unlogged: 0, reasoning_from: 0, model: 0, factor: 1.0 };

impl Sizes {
    /// Scales counted tokens to the model of a turn.
    pub fn scaled(&self, tokens: u32, turn: u32) -> u32 {
        scale_by(tokens, self.size_of_turn(turn).factor)
    }

    /// Scales the counted tokens of the tool declarations to the main model.
    pub fn scale_tools(&self, tokens: u32) -> u32 {
        match self.main() {
            Some(main) => scale_by(tokens, main.factor),
            None => tokens,
        }
    }

    /// The sizes if the main model gave all answers of the run. `None` if it did.
    pub fn with_one_model(&self) -> Option<Sizes> {
        let main = self.main()?;
        if self.turns.iter().all(|turn| turn.model == main.model) {
            return None;
        }
        let mut sizes = Sizes { answers: FxHashMap::default(), turns: Vec::with_capacity(self.turns.len()) };
        for turn in &self.turns {
            let unlogged = scale_by(turn.unlogged, main.factor / turn.factor);
            sizes.turns.push(TurnSize { unlogged, reasoning_from: turn.reasoning_from, ..main });
        }
        for (id, answer) in &self.answers {
            let tokens = match self.turns.iter().find(|turn| turn.model == answer.model) {
                Some(turn) => scale_by(answer.tokens, main.factor / turn.factor),
                None => answer.tokens,
            };
            sizes.answers.insert(*id, BilledAnswer { tokens, model: main.model, ..*answer });
        }
        Some(sizes)
    }

    /// The first turn of the main model: the one with the most turns.
    fn main(&self) -> Option<TurnSize> {
        let models = self.turns.iter().map(|turn| turn.model).max()? + 1;
        let mut counts = vec![0_usize; models];
        for turn in &self.turns {
            counts[turn.model] += 1;
        }
        let most = counts.iter().copied().max()?;
        self.turns.iter().find(|turn| counts.get(turn.model) == Some(&most)).copied()
    }

    /// Unlogged tokens before the conversation in the request of a turn.
    pub fn unlogged(&self, turn: u32) -> u32 {
        self.size_of_turn(turn).unlogged
    }

    /// The minimum of the unlogged tokens over all requests.
    pub fn least_unlogged(&self) -> u32 {
        self.turns.iter().map(|turn| turn.unlogged).min().unwrap_or(0)
    }

    /// Tokens of a message in the request of a turn.
    pub fn size_of(&self, table: &Table, id: MessageId, turn: u32) -> u32 {
        match self.with_reasoning(id, turn) {
            Some(answer) => answer.tokens,
            None => self.scaled(table.row(id).tokens(), turn),
        }
    }

    /// The billed answer, if the request of `turn` includes its reasoning.
    pub fn with_reasoning(&self, id: MessageId, turn: u32) -> Option<&BilledAnswer> {
        let TurnSize { reasoning_from, model, .. } = self.size_of_turn(turn);
        // Reasoning is signed or encrypted, so models only accept their own.
        let answer = self.answers.get(&id)?;
        if reasoning_from <= answer.turn && answer.model == model { Some(answer) } else { None }
    }

    /// The size of a turn. Turns after the last one have the size of the last.
    fn size_of_turn(&self, turn: u32) -> TurnSize {
        let index = (turn as usize).saturating_sub(1);
        self.turns.get(index).or(self.turns.last()).copied().unwrap_or(COUNTED)
    }

    /// The sizes of a strategy's requests, each with tool declarations of `tools_tokens` before its messages.
    pub(crate) fn size_requests(
        &self,
        table: &Table,
        requests: &Requests,
        tools_tokens: u32,
    ) -> Vec<SizedRequest> {
        let mut sizing = Sizing {
            sizes: self,
            reasoning_from: 0,
            model: COUNTED.model,
            sums: Vec::new(),
            answers: Vec::new(),
        };
        requests.map(|request, messages, _| {
            let (kept, kept_as_large) = sizing.size_next(table, request, messages);
            let start = self.unlogged(request.turn).saturating_add(tools_tokens);
            let all = start.saturating_add(sizing.sum_of_first(messages.len()));
            SizedRequest {
                kept,
                kept_as_large,
                kept_tokens: start.saturating_add(sizing.sum_of_first(kept)),
                input_tokens: all.saturating_add(REQUEST_OVERHEAD),
            }
        })
    }
}

/// The newest request, while a strategy's requests are sized in order.
struct Sizing<'s> {
    sizes: &'s Sizes,
    /// The first turn whose answer has its reasoning in this request.
    reasoning_from: u32,
    /// Index of the model for this request.
    model: usize,
    /// Prefix sums of the message tokens.
    sums: Vec<u32>,
    /// Message index and turn of each answer that may have reasoning.
    answers: Vec<(usize, u32)>,
}

impl Sizing<'_> {
    fn sum_of_first(&self, messages: usize) -> u32 {
        let Some(last) = messages.checked_sub(1) else { return 0 };
        self.sums.get(last).copied().unwrap_or(0)
    }

    /// Sizes the next request. Returns [`SizedRequest::kept`] and [`SizedRequest::kept_as_large`].
    fn size_next(&mut self, table: &Table, request: &SentRequest, messages: &[MessageId]) -> (usize, usize) {
        let TurnSize { reasoning_from, model, .. } = self.sizes.size_of_turn(request.turn);
        // If an answer lost its reasoning since the previous request, the shared prefix ends before it.
        let at = self.answers.partition_point(|(_, turn)| *turn < self.reasoning_from);
        let kept = match self.answers.get(at) {
            Some((index, turn)) if *turn < reasoning_from => request.kept().min(*index),
            _ => request.kept(),
        };
        self.reasoning_from = reasoning_from;
        // Another model counts the same messages differently.
        let as_large = if self.model == model { kept } else { 0 };
        self.model = model;
        self.sums.truncate(as_large);
        self.answers.truncate(self.answers.partition_point(|(index, _)| *index < as_large));
        for (index, id) in messages.iter().enumerate().skip(as_large) {
            let tokens = self.sizes.size_of(table, *id, request.turn);
            self.sums.push(self.sums.last().copied().unwrap_or(0).saturating_add(tokens));
            if let Some(answer) = self.sizes.answers.get(id) {
                self.answers.push((index, answer.turn));
            }
        }
        (kept, as_large)
    }
}

fn scale_by(tokens: u32, factor: f64) -> u32 {
    (f64::from(tokens) * factor).round() as u32
}
