//! A run as strategies see it: the turns before each request, and the messages that requests have in common,
//! formatted once and shared.

use std::cell::OnceCell;

use crate::agent::feedback::feedback;
use crate::agent::{Agent, Message, MessagePart, Role, Turn, Turns};
use crate::messages::{MessageId, Messages, TextTokens};
use ptc_lisp::memory::Memory;
use ptc_tokens::{Border, REQUEST_OVERHEAD};

use super::borders::{self, RequestBorder};
use super::draft::RequestDraft;
use super::message_builder::MessageBuilder;
use super::program::values::{self, TurnValues};
use super::sections::{conversation, stable};
use super::statistics::{Shown, TurnTotals};
use super::turn_memo::{LeftOfTurn, TurnMemo};

/// A run with the messages that its requests have in common.
pub struct History<'a> {
    agent: &'a Agent,
    turns: &'a Turns,
    tokens: &'a TextTokens<'a>,
    /// The table of the messages of all requests.
    messages: Messages<'a>,
    /// The messages before the opening: SYSTEM, or what the log of a recorded conversation has.
    head: Vec<Message>,
    head_ids: Vec<MessageId>,
    opening: Message,
    opening_id: MessageId,
    /// By the index of the turn. Written when a strategy first needs the turn.
    exchanges: Vec<OnceCell<Exchange>>,
    /// By the number of completed turns.
    totals: Vec<TurnTotals>,
    /// By the number of turns, the tokens of so many at the start.
    turn_tokens: OnceCell<Vec<u64>>,
    /// By the number of turns that are left out, the start of requests without them. The words in these turns may be long, and any
    /// number of strategies and requests leave out the same.
    starts_without: Vec<OnceCell<RequestDraft>>,
    /// The turns as strategies in PTC-Lisp see them.
    values: OnceCell<Vec<TurnValues>>,
}

/// A turn as messages: the answer, and what the model was told after it.
pub struct Exchange {
    /// The raw answer, every byte of it.
    pub assistant: Message,
    /// The feedback of a program; the replies of a recorded turn.
    pub replies: Vec<Message>,
    /// The answer and the replies in the table.
    ids: Vec<MessageId>,
    /// Tokens of the answer and of each reply, with what the chat format adds.
    sizes: OnceCell<Vec<u64>>,
    /// The byte at which the last line of the feedback starts. None for recorded turns, which have no such line.
    turn_line: Option<usize>,
}

/// The agent and its first turns: all that a strategy sees of a run.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub agent: &'a Agent,
    /// The completed turns, oldest first.
    pub turns: &'a [Turn],
    /// `user/` after the last of them.
    pub memory: &'a Memory,
    /// Number of turns that are left, the next one included: the first request of five says 5.
    pub turns_left: u32,
    history: &'a History<'a>,
    /// Messages that the strategy wrote in place of turns before. None: everything is written anew.
    memo: Option<&'a TurnMemo>,
}

impl<'a> History<'a> {
    /// `tokens` is the suite's tokenizer, for triggers on the size of a request.
    pub fn new(agent: &'a Agent, turns: &'a Turns, tokens: &'a TextTokens<'a>) -> History<'a> {
        let (head, opening) = match &agent.recorded {
            Some(recorded) => (recorded.head.clone(), recorded.opening.clone()),
            None => (vec![system_message(agent)], stable::opening(agent).finish(Role::User)),
        };
        let messages = Messages::new(tokens);
        let head_ids = head.iter().map(|message| messages.add(message)).collect();
        let opening_id = messages.add(&opening);
        History {
            agent,
            turns,
            tokens,
            messages,
            head,
            head_ids,
            opening,
            opening_id,
            exchanges: turns.iter().map(|_| OnceCell::new()).collect(),
            totals: TurnTotals::running(turns),
            turn_tokens: OnceCell::new(),
            starts_without: (0..=turns.len()).map(|_| OnceCell::new()).collect(),
            values: OnceCell::new(),
        }
    }

    /// The view after all turns.
    pub fn whole(&'a self) -> View<'a> {
        self.after(self.turns.len())
    }

    pub fn turns(&self) -> &'a Turns {
        self.turns
    }

    /// The messages of all requests that were rendered so far.
    pub fn messages(&self) -> &Messages<'a> {
        &self.messages
    }

    /// The view before the turn that follows the first `completed` ones.
    pub fn after(&'a self, completed: usize) -> View<'a> {
        self.view(completed, None)
    }

    /// The same view for a strategy with a memo.
    pub fn view(&'a self, completed: usize, memo: Option<&'a TurnMemo>) -> View<'a> {
        let turns = self.turns.get(..completed).unwrap_or(self.turns);
        View {
            agent: self.agent,
            turns,
            memory: self.turns.memory_after(turns.len()),
            turns_left: self.agent.max_turns.saturating_sub(turns.len() as u32),
            history: self,
            memo,
        }
    }
}

impl<'a> View<'a> {
    /// The table of the messages of all requests.
    pub fn messages(&self) -> &'a Messages<'a> {
        &self.history.messages
    }

    /// The messages before the opening: the static SYSTEM message, or those of a recorded conversation.
    pub fn head(&self) -> &'a [Message] {
        &self.history.head
    }

    /// Mission, `tool/`, `data/` and Return: the same bytes in every request. In a recorded conversation
    /// it is the last message before the first answer.
    pub fn opening(&self) -> &'a Message {
        &self.history.opening
    }

    /// Counts over the turns of the view.
    pub fn totals(&self) -> TurnTotals {
        self.history.totals[self.turns.len()]
    }

    /// A request that begins with the head and the opening.
    pub fn start(&self) -> RequestDraft {
        self.begin(self.opening(), self.history.opening_id, Shown::default())
    }

    /// A request that begins with the system prompt alone.
    pub fn start_without_opening(&self) -> RequestDraft {
        let systems = self.first_messages().filter(|(_, message)| message.role == Role::System);
        let messages: Vec<MessageId> = systems.map(|(id, _)| id).collect();
        let borders = vec![RequestBorder::after(Border::System, messages.len())];
        RequestDraft { borders, ..RequestDraft::new(messages, Shown::default()) }
    }

    /// The messages before the first answer that are no system prompt.
    pub fn replaceable_start(&self) -> impl Iterator<Item = (MessageId, &'a Message)> + use<'a> {
        self.first_messages().filter(|(_, message)| message.role != Role::System)
    }

    fn first_messages(&self) -> impl Iterator<Item = (MessageId, &'a Message)> + use<'a> {
        self.start_ids().zip(self.head().iter().chain([self.opening()]))
    }

    /// A request that begins with the head and a message in place of the opening.
    pub fn started_by(&self, message: &Message, shown: Shown) -> RequestDraft {
        self.begin(message, self.messages().add(message), shown)
    }

    fn begin(&self, message: &Message, id: MessageId, shown: Shown) -> RequestDraft {
        let mut messages = Vec::with_capacity(self.head().len() + 2 + 2 * self.turns.len());
        messages.extend_from_slice(&self.history.head_ids);
        let mut borders = vec![RequestBorder::after(Border::System, messages.len())];
        borders.extend(borders::of_opening(message, messages.len()));
        messages.push(id);
        RequestDraft { borders, ..RequestDraft::new(messages, shown) }
    }

    /// A request without the first turns: the head, and the opening with the words of people in these turns, which no strategy
    /// leaves out.
    pub fn start_without(&self, turns: usize) -> RequestDraft {
        let left_out = self.turns.get(..turns).unwrap_or(self.turns);
        let start = &self.history.starts_without[left_out.len()];
        let start = start.get_or_init(|| {
            let mut start = self.started_without(left_out);
            // There is room for all turns, which a run of 10,000 has no memory for in each start.
            start.messages.shrink_to_fit();
            start
        });
        let mut request = start.clone();
        request.messages.reserve(2 * (self.turns.len() - left_out.len()));
        request
    }

    fn started_without(&self, left_out: &[Turn]) -> RequestDraft {
        let mut conversation = String::new();
        conversation::section(&mut conversation, left_out);
        if conversation.is_empty() {
            return self.start();
        }
        let mut message = MessageBuilder::continuing(self.opening(), conversation.len());
        message.part(MessagePart::Conversation, |out| out.push_str(&conversation));
        let start = self.started_by(&message.finish(Role::User), Shown::default());
        // The start is kept for other strategies.
        self.messages().share();
        start
    }

    /// Milliseconds from the answer of a turn to the next request. Whoever sends that request knows them, so strategies may use them.
    pub fn pause_after(&self, completed: usize) -> u64 {
        self.agent.pauses.before(completed as u32 + 1)
    }

    /// Returns true if the run was recorded, not executed.
    pub fn is_recorded(&self) -> bool {
        self.agent.recorded.is_some()
    }

    /// The view after fewer completed turns.
    pub fn earlier(&self, completed: usize) -> View<'a> {
        self.history.view(completed.min(self.turns.len()), self.memo)
    }

    /// The turns from this index on, each with its messages.
    pub fn exchanges(&self, from: usize) -> impl Iterator<Item = (&'a Turn, &'a Exchange)> + use<'a> {
        let history = self.history;
        let turns = self.turns.iter().zip(&history.exchanges).skip(from);
        turns.map(|(turn, exchange)| {
            let exchange = exchange.get_or_init(|| {
                let exchange = Exchange::new(turn, history.agent.max_turns, &history.messages);
                // Other strategies send it too. What this one has added so far is kept with it: a few messages, since only the first
                // strategy comes here.
                history.messages.share();
                exchange
            });
            (turn, exchange)
        })
    }

    /// Adds the messages that stand in place of the turn at an index. `write` makes them. Its result may depend on nothing but the
    /// turn, `left` and the options of the strategy, since it is kept for later requests.
    pub fn add_instead(
        &self,
        turn: usize,
        left: LeftOfTurn,
        request: &mut RequestDraft,
        write: impl FnOnce() -> RequestDraft,
    ) {
        match self.memo {
            Some(memo) => memo.add(turn, left, request, write),
            None => request.extend(&write()),
        }
    }

    /// Adds the turns from this index on as they stand in `full-history`.
    pub fn add_whole(&self, from: usize, request: &mut RequestDraft) {
        self.exchanges(from).for_each(|(turn, exchange)| exchange.add_whole(turn, request));
    }

    /// The last `limit` entries of successful turns, oldest first.
    pub fn newest<T>(&self, limit: usize, entries: fn(&'a Turn) -> &'a [T]) -> Vec<&'a T> {
        // From the end, so that a request of a long run does not walk all of it.
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
        self.start_tokens() + self.turn_tokens().last().copied().unwrap_or(0)
    }

    /// Tokens of the first turns: entry `k` has those of `k` turns.
    pub fn turn_tokens(&self) -> &'a [u64] {
        let history = self.history;
        let all = history.turn_tokens.get_or_init(|| {
            let (whole, mut sum) = (history.whole(), 0);
            let mut sums = vec![sum];
            for (_, exchange) in whole.exchanges(0) {
                sum += whole.sizes(exchange).iter().sum::<u64>();
                sums.push(sum);
            }
            sums
        });
        all.get(..=self.turns.len()).unwrap_or(all)
    }

    /// The `input_tokens` of the request before the first turn.
    pub fn start_tokens(&self) -> u64 {
        let tools = self.agent.recorded.iter().flat_map(|recorded| &recorded.tools);
        let tools: u64 = tools.map(|tool| (self.history.tokens)(tool)).sum();
        let start = self.tokens(&self.history.head_ids) + self.tokens(&[self.history.opening_id]);
        u64::from(REQUEST_OVERHEAD) + tools + start
    }

    /// Tokens of the answer of a turn and of each reply, with what the chat format adds.
    pub fn sizes(&self, exchange: &'a Exchange) -> &'a [u64] {
        exchange.sizes.get_or_init(|| exchange.ids.iter().map(|id| self.tokens(&[*id])).collect())
    }

    /// Tokens of a text.
    pub fn count(&self, text: &str) -> u64 {
        (self.history.tokens)(text)
    }

    /// Tokens of messages, with what the chat format adds.
    pub fn tokens(&self, ids: &[MessageId]) -> u64 {
        ids.iter().map(|id| u64::from(self.messages().tokens(*id))).sum()
    }

    /// The messages before the opening, and the opening.
    pub fn start_ids(&self) -> impl Iterator<Item = MessageId> + use<'a> {
        self.history.head_ids.iter().copied().chain([self.history.opening_id])
    }
}

impl Exchange {
    fn new(turn: &Turn, max_turns: u32, messages: &Messages<'_>) -> Exchange {
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
        let ids = std::iter::once(&assistant).chain(&replies).map(|message| messages.add(message)).collect();
        Exchange { assistant, replies, ids, sizes: OnceCell::new(), turn_line }
    }

    /// The answer and the replies in the table.
    pub fn ids(&self) -> &[MessageId] {
        &self.ids
    }

    /// Adds the answer and the observation of the turn.
    pub(super) fn add_whole(&self, turn: &Turn, request: &mut RequestDraft) {
        request.messages.extend_from_slice(&self.ids);
        request.shown.whole(turn);
    }

    /// The last line of the feedback, which announces the next turn; empty for a recorded turn.
    pub fn turn_line(&self) -> &str {
        self.split().map_or("", |(_, line)| line)
    }

    /// The texts of the replies. That of a feedback comes without its last line and the blank line before that.
    pub fn observations(&self) -> impl Iterator<Item = &str> {
        let of_program = self.split().map(|(before, _)| before.strip_suffix("\n\n").unwrap_or(before));
        let recorded = self.replies.iter().filter(move |_| of_program.is_none());
        of_program.into_iter().chain(recorded.map(|reply| reply.content.as_str()))
    }

    /// The text of a feedback before its last line, and the last line.
    fn split(&self) -> Option<(&str, &str)> {
        self.replies.first()?.content.split_at_checked(self.turn_line?)
    }
}

fn system_message(agent: &Agent) -> Message {
    let mut message = MessageBuilder::default();
    message.part(MessagePart::System, |out| out.push_str(&agent.system_text()));
    message.finish(Role::System)
}
