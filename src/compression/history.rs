//! A run as strategies see it: the turns before each request, and the messages that requests have in common,
//! formatted once and shared.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::agent::feedback::feedback;
use crate::agent::{Agent, Message, MessagePart, Role, Turn, Turns};
use ptc_lisp::memory::Memory;
use ptc_tokens::{Border, REQUEST_OVERHEAD};

use super::borders::{self, RequestBorder};
use super::cache::{CacheKey, RenderCache};
use super::draft::RequestDraft;
use super::message_builder::MessageBuilder;
use super::program::values::{self, TurnValues};
use super::sections::{conversation, stable};
use super::statistics::{Shown, TurnTotals};

/// Counts the tokens of a text.
pub type TextTokens<'t> = dyn Fn(&str) -> u64 + Sync + 't;

/// A run with the messages that its requests have in common.
pub struct History<'a> {
    agent: &'a Agent,
    turns: &'a Turns,
    tokens: &'a TextTokens<'a>,
    /// The messages before the opening: SYSTEM, or what the log of a recorded conversation has.
    head: Vec<Message>,
    opening: Message,
    exchanges: Vec<OnceLock<Exchange>>,
    totals: Vec<TurnTotals>,
    /// The turns as strategies in PTC-Lisp see them.
    values: OnceLock<Vec<TurnValues>>,
}

/// A turn as messages: the answer, and what the model was told after it.
pub struct Exchange {
    /// The raw answer, every byte of it.
    pub assistant: Message,
    /// The feedback of a program; the replies of a recorded turn.
    pub replies: Vec<Message>,
    pub(super) cache: RenderCache,
    /// Start of the last line of the feedback; recorded turns have no such line.
    turn_line: Option<usize>,
    /// Tokens of the answer and of each reply.
    sizes: OnceLock<Vec<u64>>,
    /// Tokens of the summary that took the place of the turn last, and the numbers that decided it.
    summary_tokens: Mutex<Option<(CacheKey, u64)>>,
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
        let (head, opening) = match &agent.recorded {
            Some(recorded) => (recorded.head.clone(), recorded.opening.clone()),
            None => (vec![system_message(agent)], stable::opening(agent).finish(Role::User)),
        };
        History {
            agent,
            turns,
            tokens,
            head,
            opening,
            exchanges: turns.iter().map(|_| OnceLock::new()).collect(),
            totals: TurnTotals::running(turns),
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
    /// The messages before the opening: the static SYSTEM message (ARC-008), or those of a recorded conversation.
    pub fn head(&self) -> &'a [Message] {
        &self.history.head
    }

    /// Mission, `tool/`, `data/` and Return: the same bytes in every request (ARC-012). In a recorded conversation
    /// it is the last message before the first answer.
    pub fn opening(&self) -> &'a Message {
        &self.history.opening
    }

    /// Counts over the turns of the view.
    pub fn totals(&self) -> TurnTotals {
        self.history.totals.get(self.turns.len()).copied().unwrap_or_default()
    }

    /// The head and the opening, which the messages of the turns follow.
    pub fn start(&self) -> RequestDraft {
        self.started_by(self.opening().clone(), Shown::default())
    }

    /// The head and a message in place of the opening.
    pub fn started_by(&self, message: Message, shown: Shown) -> RequestDraft {
        let mut messages = Vec::with_capacity(self.head().len() + 2 + 2 * self.turns.len());
        messages.extend_from_slice(self.head());
        let mut borders = vec![RequestBorder::after(Border::System, messages.len())];
        borders.extend(borders::of_opening(&message, messages.len()));
        messages.push(message);
        RequestDraft { messages, shown, borders }
    }

    /// The head and the opening with the conversation of the first turns, which are to be left out.
    pub fn start_without(&self, turns: usize) -> RequestDraft {
        let mut conversation = String::new();
        conversation::section(&mut conversation, self.turns.iter().take(turns));
        if conversation.is_empty() {
            return self.start();
        }
        let mut message = MessageBuilder::continuing(self.opening(), conversation.len());
        message.part(MessagePart::Conversation, |out| out.push_str(&conversation));
        self.started_by(message.finish(Role::User), Shown::default())
    }

    /// Returns true if the run was recorded, not executed.
    pub fn is_recorded(&self) -> bool {
        self.agent.recorded.is_some()
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
        let turns = self.exchanges(0).map(|(_, exchange)| self.sizes(exchange).iter().sum::<u64>());
        self.start_tokens() + turns.sum::<u64>()
    }

    /// The `input_tokens` of the request before the first turn.
    pub fn start_tokens(&self) -> u64 {
        let tools = self.agent.recorded.iter().flat_map(|recorded| &recorded.tools);
        let tools: u64 = tools.map(|tool| (self.history.tokens)(tool)).sum();
        let start = self.tokens(self.head()) + self.tokens(std::slice::from_ref(self.opening()));
        u64::from(REQUEST_OVERHEAD) + tools + start
    }

    /// Tokens of the answer of a turn and of each reply, with what the chat format adds.
    pub fn sizes(&self, exchange: &'a Exchange) -> &'a [u64] {
        let all = || std::iter::once(&exchange.assistant).chain(&exchange.replies);
        exchange.sizes.get_or_init(|| all().map(|message| message.tokens(self.history.tokens)).collect())
    }

    /// Tokens of messages, with what the chat format adds.
    pub fn tokens(&self, messages: &[Message]) -> u64 {
        messages.iter().map(|message| message.tokens(self.history.tokens)).sum()
    }
}

impl Exchange {
    fn new(turn: &Turn, max_turns: u32) -> Exchange {
        let (assistant, replies, turn_line) = match &turn.recorded {
            Some(recorded) => {
                let replies = recorded.replies.iter().map(|reply| reply.message.clone()).collect();
                (recorded.answer.clone(), replies, None)
            }
            None => {
                let feedback = feedback(turn, max_turns);
                let turn_line = feedback.content.rfind('\n').map_or(0, |at| at + 1);
                let assistant = Message::new(Role::Assistant, turn.raw_response.clone());
                (assistant, vec![feedback], Some(turn_line))
            }
        };
        Exchange {
            assistant,
            replies,
            turn_line,
            cache: RenderCache::default(),
            sizes: OnceLock::new(),
            summary_tokens: Mutex::default(),
        }
    }

    /// Adds the answer and the observation of the turn.
    pub(super) fn add_whole(&self, turn: &Turn, request: &mut RequestDraft) {
        request.messages.push(self.assistant.clone());
        request.messages.extend_from_slice(&self.replies);
        request.shown.whole(turn);
    }

    /// The last line of the feedback, which announces the next turn; empty for a recorded turn.
    pub fn turn_line(&self) -> &str {
        self.split().map_or("", |(_, line)| line)
    }

    /// The replies; of a feedback, all but its last line and the blank line before it.
    pub fn observations(&self) -> impl Iterator<Item = &str> {
        let of_program = self.split().map(|(before, _)| before.strip_suffix("\n\n").unwrap_or(before));
        let recorded = self.replies.iter().filter(move |_| of_program.is_none());
        of_program.into_iter().chain(recorded.map(|reply| reply.content.as_str()))
    }

    /// Tokens of the summary of the turn, which depends on nothing but the turn and the key.
    pub(super) fn summary_tokens(&self, key: CacheKey, count: impl FnOnce() -> u64) -> u64 {
        let mut last = self.summary_tokens.lock().unwrap_or_else(PoisonError::into_inner);
        match *last {
            Some((known, tokens)) if known == key => tokens,
            _ => last.insert((key, count())).1,
        }
    }

    /// A feedback before and from its last line.
    fn split(&self) -> Option<(&str, &str)> {
        self.replies.first()?.content.split_at_checked(self.turn_line?)
    }
}

fn system_message(agent: &Agent) -> Message {
    let mut message = MessageBuilder::default();
    message.part(MessagePart::System, |out| out.push_str(&agent.system_text()));
    message.finish(Role::System)
}
