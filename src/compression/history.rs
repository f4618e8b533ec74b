//! A conversation as strategies see it: the turns before each request, and the messages that requests have in common,
//! formatted once and shared.

use std::cell::OnceCell;

use ecow::EcoString;

use crate::agent::feedback::feedback;
use crate::agent::{Call, Message, MessagePart, Past, Role, Turn};
use crate::messages::{MessageId, Messages, TextTokens};
use ptc_tokens::{Border, REQUEST_OVERHEAD};

use super::borders::{self, RequestBorder};
use super::draft::RequestDraft;
use super::message_builder::MessageBuilder;
use super::program::values::{self, TurnValues};
use super::sections::{conversation, stable};
use super::statistics::{Shown, TurnTotals};
use super::turn_memo::{LeftOfTurn, TurnMemo};

/// A conversation with the messages that its requests have in common.
pub struct History<'a> {
    past: Past<'a>,
    tokens: &'a TextTokens<'a>,
    /// The table of the messages of all requests.
    messages: Messages<'a>,
    /// The starts of requests: that of the agent, and one for each other text of the SYSTEM message.
    heads: Vec<Head>,
    opening: Message,
    opening_id: MessageId,
    /// By the index of the turn. Written when a strategy first needs the turn.
    exchanges: Vec<OnceCell<Exchange>>,
    /// By the number of completed turns.
    totals: Vec<TurnTotals>,
    /// By the number of turns, the tokens of so many at the start.
    turn_tokens: OnceCell<Vec<u64>>,
    /// The turns as strategies in PTC-Lisp see them.
    values: OnceCell<Vec<TurnValues>>,
}

/// The start of requests with one text of the SYSTEM message.
struct Head {
    /// The messages before the opening: SYSTEM, or what the log of a recorded conversation has.
    messages: Vec<Message>,
    ids: Vec<MessageId>,
    /// By the number of turns that are left out, the start of requests without them. The words in these turns may be long, and any
    /// number of strategies and requests leave out the same.
    starts_without: Vec<OnceCell<RequestDraft>>,
}

/// A turn as messages: the answer, and what the model was told after it.
pub struct Exchange {
    /// The raw answer, every byte of it.
    pub assistant: Message,
    /// The feedback of a program; the replies of a logged turn.
    pub replies: Vec<Message>,
    /// The answer and the replies in the table.
    ids: Vec<MessageId>,
    /// Tokens of the answer and of each reply, with what the chat format adds.
    sizes: OnceCell<Vec<u64>>,
    /// The byte at which the last line of the feedback starts. `None` for logged turns, which have no such line.
    turn_line: Option<usize>,
}

/// A conversation with its first turns: all that a strategy sees.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The conversation with its completed turns.
    pub past: Past<'a>,
    /// Number of turns that are left, the next one included: the first request of five says 5.
    pub turns_left: u32,
    history: &'a History<'a>,
    head: &'a Head,
    /// Messages that the strategy wrote in place of turns before. None: everything is written anew.
    memo: Option<&'a TurnMemo>,
}

impl<'a> History<'a> {
    /// `tokens` is the suite's tokenizer, for triggers on the size of a request.
    pub fn new(past: Past<'a>, tokens: &'a TextTokens<'a>) -> History<'a> {
        let (head, opening) = match past {
            Past::Program { agent, .. } => {
                (vec![message_of_system(&agent.system_text())], stable::opening(agent).finish(Role::User))
            }
            Past::Logged { logged, .. } => (logged.head.clone(), logged.opening.clone()),
        };
        let messages = Messages::new(tokens);
        let heads = vec![Head::new(head, &messages, past.len())];
        let opening_id = messages.add(&opening);
        History {
            past,
            tokens,
            messages,
            heads,
            opening,
            opening_id,
            exchanges: past.turns().map(|_| OnceCell::new()).collect(),
            totals: TurnTotals::running(past),
            turn_tokens: OnceCell::new(),
            values: OnceCell::new(),
        }
    }

    /// The same for variants with these other texts of the SYSTEM message.
    pub fn with_systems<'t>(mut self, texts: impl Iterator<Item = &'t EcoString>) -> History<'a> {
        for text in texts {
            if self.head_with(text).is_none() {
                let mut head = self.heads.first().map_or_else(Vec::new, |head| head.messages.clone());
                match head.iter_mut().find(|message| message.role == Role::System) {
                    Some(message) => *message = message_of_system(text),
                    None => head.insert(0, message_of_system(text)),
                }
                self.heads.push(Head::new(head, &self.messages, self.past.len()));
            }
        }
        self
    }

    /// The start of requests with this text of the SYSTEM message.
    fn head_with(&self, text: &str) -> Option<&Head> {
        self.heads.iter().find(|head| head.system() == text)
    }

    /// The view after all turns.
    pub fn whole(&'a self) -> View<'a> {
        self.after(self.past.len())
    }

    /// The whole conversation.
    pub fn past(&self) -> Past<'a> {
        self.past
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
        let past = self.past.first(completed);
        let turns_left = past.max_turns().saturating_sub(past.len() as u32);
        View { past, turns_left, history: self, head: &self.heads[0], memo }
    }
}

impl Head {
    fn new(messages: Vec<Message>, table: &Messages<'_>, turns: usize) -> Head {
        let ids = messages.iter().map(|message| table.add(message)).collect();
        Head { messages, ids, starts_without: (0..=turns).map(|_| OnceCell::new()).collect() }
    }

    /// The text of the SYSTEM message; empty if a recorded conversation has none.
    fn system(&self) -> &str {
        let system = self.messages.iter().find(|message| message.role == Role::System);
        system.map_or("", |message| &message.content)
    }
}

impl<'a> View<'a> {
    /// The number of completed turns.
    pub fn completed(&self) -> usize {
        self.past.len()
    }

    /// The completed turns, oldest first.
    pub fn turns(&self) -> impl DoubleEndedIterator<Item = Turn<'a>> + use<'a> {
        self.past.turns()
    }

    /// The table of the messages of all requests.
    pub fn messages(&self) -> &'a Messages<'a> {
        &self.history.messages
    }

    /// The messages before the opening: the static SYSTEM message, or those of the log.
    pub fn head(&self) -> &'a [Message] {
        &self.head.messages
    }

    /// The text of the SYSTEM message; empty if a recorded conversation has none.
    pub fn system_text(&self) -> &'a str {
        self.head.system()
    }

    /// The same with another text of the SYSTEM message, one of those for which [`History::with_systems`] was called.
    pub fn with_system(&self, text: Option<&EcoString>) -> View<'a> {
        let head = text.and_then(|text| self.history.head_with(text)).unwrap_or(self.head);
        View { head, ..*self }
    }

    /// Returns true if the SYSTEM message has another text than that of the agent.
    pub fn has_other_system(&self) -> bool {
        self.head.system() != self.history.heads[0].system()
    }

    /// Mission, `tool/`, `data/` and Return: the same bytes in every request. In a log it is the last message before the first
    /// answer.
    pub fn opening(&self) -> &'a Message {
        &self.history.opening
    }

    /// Counts over the turns of the view.
    pub fn totals(&self) -> TurnTotals {
        self.history.totals[self.completed()]
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
        let mut messages = Vec::with_capacity(self.head().len() + 2 + 2 * self.completed());
        messages.extend_from_slice(&self.head.ids);
        let mut borders = vec![RequestBorder::after(Border::System, messages.len())];
        borders.extend(borders::of_opening(message, messages.len()));
        messages.push(id);
        RequestDraft { borders, ..RequestDraft::new(messages, shown) }
    }

    /// A request without the first turns: the head, and the opening with the words of people in these turns, which no strategy
    /// leaves out.
    pub fn start_without(&self, turns: usize) -> RequestDraft {
        let left_out = self.past.first(turns);
        let start = &self.head.starts_without[left_out.len()];
        let start = start.get_or_init(|| {
            let mut start = self.started_without(left_out);
            // There is room for all turns, which a run of 10,000 has no memory for in each start.
            start.messages.shrink_to_fit();
            start
        });
        let mut request = start.clone();
        request.messages.reserve(2 * (self.completed() - left_out.len()));
        request
    }

    fn started_without(&self, left_out: Past<'_>) -> RequestDraft {
        let mut conversation = String::new();
        conversation::section(&mut conversation, left_out.turns());
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
        self.past.pauses().before(completed as u32 + 1)
    }

    /// The view after fewer completed turns.
    pub fn earlier(&self, completed: usize) -> View<'a> {
        View { head: self.head, ..self.history.view(completed.min(self.completed()), self.memo) }
    }

    /// The turns from this index on, each with its messages.
    pub fn exchanges(&self, from: usize) -> impl Iterator<Item = (Turn<'a>, &'a Exchange)> + use<'a> {
        let history = self.history;
        let turns = self.turns().zip(&history.exchanges).skip(from);
        turns.map(|(turn, exchange)| {
            let exchange = exchange.get_or_init(|| {
                let exchange = Exchange::new(turn, history.past.max_turns(), &history.messages);
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

    /// The last `limit` calls of successful turns, oldest first.
    pub fn newest_calls(&self, limit: usize) -> Vec<Call<'a>> {
        let calls = self.successful_from_end().flat_map(|turn| turn.calls().rev());
        let mut newest: Vec<Call<'a>> = calls.take(limit).collect();
        newest.reverse();
        newest
    }

    /// The last `limit` prints of successful turns, oldest first.
    pub fn newest_prints(&self, limit: usize) -> Vec<&'a EcoString> {
        let prints = self.successful_from_end().flat_map(|turn| turn.prints().iter().rev());
        let mut newest: Vec<&EcoString> = prints.take(limit).collect();
        newest.reverse();
        newest
    }

    /// Newest first, so that a request of a long run does not walk all of it.
    fn successful_from_end(&self) -> impl Iterator<Item = Turn<'a>> + use<'a> {
        self.turns().rev().filter(|turn| turn.has_succeeded())
    }

    /// The turns as strategies in PTC-Lisp see them.
    pub(super) fn turn_values(&self) -> &'a [TurnValues] {
        let history = self.history;
        let all = history.values.get_or_init(|| values::turns(history.past));
        all.get(..self.completed()).unwrap_or(all)
    }

    /// The last of the turns, if it failed.
    pub fn failed_last(&self) -> Option<Turn<'a>> {
        self.turns().next_back().filter(|turn| !turn.has_succeeded())
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
        all.get(..=self.completed()).unwrap_or(all)
    }

    /// The `input_tokens` of the request before the first turn.
    pub fn start_tokens(&self) -> u64 {
        let tools: u64 = self.past.declared_tools().iter().map(|tool| (self.history.tokens)(tool)).sum();
        let start = self.tokens(&self.head.ids) + self.tokens(&[self.history.opening_id]);
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
        self.head.ids.iter().copied().chain([self.history.opening_id])
    }
}

impl Exchange {
    fn new(turn: Turn<'_>, max_turns: u32, messages: &Messages<'_>) -> Exchange {
        let (assistant, replies, turn_line) = match turn {
            Turn::Logged(turn) => {
                let replies = turn.replies.iter().map(|reply| reply.message.clone()).collect();
                (turn.answer.clone(), replies, None)
            }
            Turn::Program(turn) => {
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
    pub(super) fn add_whole(&self, turn: Turn<'_>, request: &mut RequestDraft) {
        request.messages.extend_from_slice(&self.ids);
        request.shown.whole(turn);
    }

    /// The last line of the feedback, which announces the next turn; empty for a logged turn.
    pub fn turn_line(&self) -> &str {
        self.split().map_or("", |(_, line)| line)
    }

    /// The texts of the replies. That of a feedback comes without its last line and the blank line before that.
    pub fn observations(&self) -> impl Iterator<Item = &str> {
        let of_program = self.split().map(|(before, _)| before.strip_suffix("\n\n").unwrap_or(before));
        let logged = self.replies.iter().filter(move |_| of_program.is_none());
        of_program.into_iter().chain(logged.map(|reply| reply.content.as_str()))
    }

    /// The text of a feedback before its last line, and the last line.
    fn split(&self) -> Option<(&str, &str)> {
        self.replies.first()?.content.split_at_checked(self.turn_line?)
    }
}

fn message_of_system(text: &str) -> Message {
    let mut message = MessageBuilder::default();
    message.part(MessagePart::System, |out| out.push_str(text));
    message.finish(Role::System)
}
