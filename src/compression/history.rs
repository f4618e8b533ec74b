//! A run as strategies see it: the turns before each request, and the messages that requests have in common,
//! formatted once and shared.

use std::sync::OnceLock;

use crate::agent::feedback::feedback;
use crate::agent::{Agent, Message, MessagePart, Role, SystemPrompt, Turn, Turns};
use ptc_lisp::memory::Memory;
use ptc_tokens::{MESSAGE_OVERHEAD, REQUEST_OVERHEAD};

use super::cache::RenderCache;
use super::draft::RequestDraft;
use super::message_builder::MessageBuilder;
use super::program::values::{self, TurnValues};
use super::sections::stable;
use super::statistics::{Shown, Totals};

/// Counts the tokens of a text.
pub type TextTokens<'t> = dyn Fn(&str) -> u64 + Sync + 't;

/// A run with the messages that its requests have in common.
pub struct History<'a> {
    agent: &'a Agent,
    turns: &'a Turns,
    tokens: &'a TextTokens<'a>,
    system: Message,
    opening: Message,
    exchanges: Vec<OnceLock<Exchange>>,
    totals: Vec<Totals>,
    /// The turns as strategies in PTC-Lisp see them.
    values: OnceLock<Vec<TurnValues>>,
}

/// A turn as two messages: the answer and the observation.
pub struct Exchange {
    /// The raw answer, every byte of it.
    pub assistant: Message,
    pub feedback: Message,
    pub(super) cache: RenderCache,
    /// Start of the last line of the feedback.
    turn_line: usize,
    tokens: OnceLock<u64>,
}

/// The agent and its first turns: all that a strategy sees of a run.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub agent: &'a Agent,
    /// The completed turns, oldest first.
    pub turns: &'a [Turn],
    /// `user/` after the last of them.
    pub memory: &'a Memory,
    /// Counted before the turn: the first request of five says 5 (S2-04).
    pub turns_left: u32,
    history: &'a History<'a>,
}

impl<'a> History<'a> {
    /// `tokens` is the suite's tokenizer, for triggers on the size of a request.
    pub fn new(agent: &'a Agent, turns: &'a Turns, tokens: &'a TextTokens<'a>) -> History<'a> {
        History {
            agent,
            turns,
            tokens,
            system: system_message(agent),
            opening: stable::opening(agent).finish(Role::User),
            exchanges: turns.iter().map(|_| OnceLock::new()).collect(),
            totals: Totals::running(turns),
            values: OnceLock::new(),
        }
    }

    /// The view before the turn that follows the first `completed` ones (ARC-006, S2-04).
    pub fn after(&'a self, completed: usize) -> View<'a> {
        let turns = self.turns.get(..completed).unwrap_or(self.turns);
        View {
            agent: self.agent,
            turns,
            memory: self.turns.memory_after(turns.len()),
            turns_left: self.agent.max_turns.saturating_sub(turns.len() as u32),
            history: self,
        }
    }
}

impl<'a> View<'a> {
    /// The static SYSTEM message (ARC-008).
    pub fn system(&self) -> &'a Message {
        &self.history.system
    }

    /// Mission, `tool/`, `data/` and Return: the same bytes in every request (ARC-012).
    pub fn opening(&self) -> &'a Message {
        &self.history.opening
    }

    /// Counts over the turns of the view.
    pub fn totals(&self) -> Totals {
        self.history.totals.get(self.turns.len()).copied().unwrap_or_default()
    }

    /// SYSTEM and the opening, which the messages of the turns follow.
    pub fn start(&self) -> RequestDraft {
        let mut messages = Vec::with_capacity(3 + 2 * self.turns.len());
        messages.extend([self.system().clone(), self.opening().clone()]);
        RequestDraft::new(messages, Shown::default())
    }

    /// The view before an earlier turn.
    pub fn earlier(&self, completed: usize) -> View<'a> {
        self.history.after(completed.min(self.turns.len()))
    }

    /// The turns from this index on, each with its messages.
    pub fn exchanges(&self, from: usize) -> impl Iterator<Item = (&'a Turn, &'a Exchange)> + use<'a> {
        let history = self.history;
        let turns = self.turns.iter().zip(&history.exchanges).skip(from);
        turns.map(|(turn, exchange)| {
            (turn, exchange.get_or_init(|| Exchange::new(turn, history.agent.max_turns)))
        })
    }

    /// Adds the turns from this index on as they stand in `full-history`.
    pub fn add_whole(&self, from: usize, request: &mut RequestDraft) {
        self.exchanges(from).for_each(|(turn, exchange)| exchange.add_whole(turn, request));
    }

    /// The last `limit` entries of successful turns, oldest first. Stops once `limit` entries are found.
    pub fn newest<T>(&self, limit: usize, entries: fn(&'a Turn) -> &'a [T]) -> Vec<&'a T> {
        let newest_first = self.turns.iter().rev().filter(|turn| turn.success);
        let entries = newest_first.flat_map(|turn| entries(turn).iter().rev());
        let mut newest: Vec<&T> = entries.take(limit).collect();
        newest.reverse();
        newest
    }

    /// The turns as strategies in PTC-Lisp see them.
    pub(super) fn turn_values(&self) -> &'a [TurnValues] {
        let history = self.history;
        let all = history.values.get_or_init(|| values::turns(history.turns));
        all.get(..self.turns.len()).unwrap_or(all)
    }

    /// The last of the turns, if it failed.
    pub fn failed_last(&self) -> Option<&'a Turn> {
        self.turns.last().filter(|turn| !turn.success)
    }

    /// The `input_tokens` of the request that `full-history` sends.
    pub fn full_history_tokens(&self) -> u64 {
        let count = self.history.tokens;
        let of_message = |message: &Message| count(&message.content) + u64::from(MESSAGE_OVERHEAD);
        let of_exchange = |exchange: &Exchange| {
            *exchange.tokens.get_or_init(|| of_message(&exchange.assistant) + of_message(&exchange.feedback))
        };
        let start = u64::from(REQUEST_OVERHEAD) + of_message(self.system()) + of_message(self.opening());
        start + self.exchanges(0).map(|(_, exchange)| of_exchange(exchange)).sum::<u64>()
    }
}

impl Exchange {
    fn new(turn: &Turn, max_turns: u32) -> Exchange {
        let feedback = feedback(turn, max_turns);
        Exchange {
            assistant: Message::new(Role::Assistant, turn.raw_response.clone()),
            turn_line: feedback.content.rfind('\n').map_or(0, |at| at + 1),
            feedback,
            cache: RenderCache::default(),
            tokens: OnceLock::new(),
        }
    }

    /// Adds the answer and the observation of the turn.
    pub(super) fn add_whole(&self, turn: &Turn, request: &mut RequestDraft) {
        request.messages.extend([self.assistant.clone(), self.feedback.clone()]);
        request.shown.whole(turn);
    }

    /// The last line of the feedback, which announces the next turn.
    pub fn turn_line(&self) -> &str {
        self.feedback.content.get(self.turn_line..).unwrap_or_default()
    }

    /// The feedback without its last line and the blank line before it.
    pub fn observation(&self) -> &str {
        let before = self.feedback.content.get(..self.turn_line).unwrap_or_default();
        before.strip_suffix("\n\n").unwrap_or(before)
    }
}

fn system_message(agent: &Agent) -> Message {
    let mut message = MessageBuilder::default();
    message.part(MessagePart::System, |out| out.push_str(&SystemPrompt::framed(&agent.system_prompt)));
    message.finish(Role::System)
}
