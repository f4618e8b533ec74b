//! A conversation as strategies see it: the turns before each request, and the messages that requests have in common,
//! formatted once and shared.

use std::any::Any;
use std::borrow::Cow;
use std::cell::OnceCell;

use conversation::{
    Conversation, Message, MessageBuilder, MessageId, MessagePart, Messages, Role, TextTokens, Turn,
    system_message,
};
use ecow::EcoString;
use ptc_prices::Border;
use ptc_tokens::REQUEST_OVERHEAD;

use super::borders::{self, RequestBorder};
use super::draft::RequestDraft;
use super::gauge::{Gauge, SizedRequest};
use super::options::Options;
use super::statistics::{Shown, TurnTotals};
use super::turn_memo::{LeftOfTurn, TurnMemo};
use super::words::write_words;

/// The run behind a conversation whose turns are more than their messages, such as programs with definitions.
pub trait Run: Any {
    /// The messages that stand for the turn at an index, which has succeeded.
    fn summarize_turn(&self, view: &View<'_>, index: usize, options: &Options) -> RequestDraft;
}

/// A conversation with the messages that its requests have in common.
pub struct History<'a> {
    conversation: Cow<'a, Conversation>,
    run: Option<&'a dyn Run>,
    tokens: &'a TextTokens<'a>,
    /// The table of the messages of all requests.
    messages: Messages<'a>,
    /// The starts of requests: that of the agent, and one for each other text of the SYSTEM message.
    heads: Vec<Head>,
    opening_id: MessageId,
    /// By the index of the turn. Written when a strategy first needs the turn.
    exchanges: Vec<OnceCell<Exchange>>,
    /// By the number of completed turns.
    totals: Vec<TurnTotals>,
    /// Prefix sums: entry `k` is the token count of the first `k` turns.
    turn_tokens: OnceCell<Vec<u64>>,
    /// The sizes of requests in billed tokens, if the log has bills.
    gauge: OnceCell<Gauge>,
    /// By the number of completed turns, the largest `full-history` request so far in billed tokens.
    largest_billed: OnceCell<Vec<u64>>,
    /// A value that a strategy of somebody else computed.
    kept: OnceCell<Box<dyn Any>>,
}

/// The start of requests with one text of the SYSTEM message.
struct Head {
    /// The messages before the opening: SYSTEM, or what a log has.
    messages: Vec<Message>,
    ids: Vec<MessageId>,
    /// By the number of turns that are left out, the start of requests without them. The words in these turns may be long, and any
    /// number of strategies and requests leave out the same.
    starts_without: Vec<OnceCell<RequestDraft>>,
}

/// The messages of a turn in the table.
pub struct Exchange {
    /// The answer, then the replies.
    ids: Vec<MessageId>,
    /// Tokens of each of them, with what the chat format adds.
    sizes: OnceCell<Vec<u64>>,
}

/// A conversation with its first turns: all that a strategy sees.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Number of completed turns.
    completed: usize,
    history: &'a History<'a>,
    head: &'a Head,
    /// Messages that the strategy wrote in place of turns before. None: everything is written anew.
    memo: Option<&'a TurnMemo>,
}

impl<'a> History<'a> {
    /// `tokens` counts the tokens of a text, for triggers on the size of a request.
    pub fn new(conversation: Cow<'a, Conversation>, tokens: &'a TextTokens<'a>) -> History<'a> {
        let messages = Messages::new(tokens);
        let turns = conversation.turns.len();
        let heads = vec![Head::new(conversation.head.clone(), &messages, turns)];
        History {
            run: None,
            tokens,
            heads,
            opening_id: messages.add(&conversation.opening),
            messages,
            exchanges: (0..turns).map(|_| OnceCell::new()).collect(),
            totals: TurnTotals::running(&conversation.turns),
            turn_tokens: OnceCell::new(),
            gauge: OnceCell::new(),
            largest_billed: OnceCell::new(),
            kept: OnceCell::new(),
            conversation,
        }
    }

    /// The same for a conversation with a run behind it.
    pub fn with_run(mut self, run: &'a dyn Run) -> History<'a> {
        self.run = Some(run);
        self
    }

    /// The same for variants with these other texts of the SYSTEM message.
    pub fn with_systems<'t>(mut self, texts: impl Iterator<Item = &'t EcoString>) -> History<'a> {
        for text in texts {
            if self.head_with(text).is_none() {
                let mut head = self.heads.first().map_or_else(Vec::new, |head| head.messages.clone());
                match head.iter_mut().find(|message| message.role == Role::System) {
                    Some(message) => *message = system_message(text),
                    None => head.insert(0, system_message(text)),
                }
                self.heads.push(Head::new(head, &self.messages, self.exchanges.len()));
            }
        }
        self
    }

    /// The start of requests with this text of the SYSTEM message.
    fn head_with(&self, text: &str) -> Option<&Head> {
        self.heads.iter().find(|head| head.system() == text)
    }

    /// Sizes the requests of strategies with billed triggers from now on. A second gauge changes nothing.
    pub fn set_gauge(&self, gauge: Gauge) {
        // Requests that were rendered already keep their sizes, so the first gauge stays.
        drop(self.gauge.set(gauge));
    }

    /// The view after all turns.
    pub fn whole(&'a self) -> View<'a> {
        self.after(self.exchanges.len())
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
        let completed = completed.min(self.exchanges.len());
        View { completed, history: self, head: &self.heads[0], memo }
    }
}

impl Head {
    fn new(messages: Vec<Message>, table: &Messages<'_>, turns: usize) -> Head {
        let ids = messages.iter().map(|message| table.add(message)).collect();
        Head { messages, ids, starts_without: (0..=turns).map(|_| OnceCell::new()).collect() }
    }

    /// The text of the SYSTEM message; empty if there is none.
    fn system(&self) -> &str {
        let system = self.messages.iter().find(|message| message.role == Role::System);
        system.map_or("", |message| &message.content)
    }
}

impl<'a> View<'a> {
    /// The number of completed turns.
    pub fn completed(&self) -> usize {
        self.completed
    }

    /// The whole conversation, later turns included.
    pub fn conversation(&self) -> &'a Conversation {
        &self.history.conversation
    }

    /// The run behind the conversation, if there is one.
    pub fn run(&self) -> Option<&'a dyn Run> {
        self.history.run
    }

    /// A value that a strategy makes once for a conversation. It depends on the conversation alone and serves all requests. `None` if a
    /// value of another type is kept.
    pub fn keep<T: Any>(&self, make: impl FnOnce() -> T) -> Option<&'a T> {
        self.history.kept.get_or_init(|| Box::new(make())).downcast_ref()
    }

    /// The completed turns, oldest first.
    pub fn turns(&self) -> &'a [Turn] {
        &self.conversation().turns[..self.completed]
    }

    /// The table of the messages of all requests.
    pub fn messages(&self) -> &'a Messages<'a> {
        &self.history.messages
    }

    /// The messages before the opening: the static SYSTEM message, or those of the log.
    pub fn head(&self) -> &'a [Message] {
        &self.head.messages
    }

    /// The text of the SYSTEM message; empty if there is none.
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

    /// The last message before the first answer, the same bytes in every request.
    pub fn opening(&self) -> &'a Message {
        &self.conversation().opening
    }

    /// Counts over the turns of the view.
    pub fn totals(&self) -> TurnTotals {
        self.history.totals[self.completed]
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
        let left_out = turns.min(self.completed);
        let start = &self.head.starts_without[left_out];
        let start = start.get_or_init(|| {
            let mut start = self.started_without(&self.turns()[..left_out]);
            // There is room for all turns, which a run of 10,000 has no memory for in each start.
            start.messages.shrink_to_fit();
            start
        });
        let mut request = start.clone();
        request.messages.reserve(2 * (self.completed - left_out));
        request
    }

    fn started_without(&self, left_out: &[Turn]) -> RequestDraft {
        let mut words = String::new();
        write_words(&mut words, left_out);
        if words.is_empty() {
            return self.start();
        }
        let mut message = MessageBuilder::continuing(self.opening(), words.len());
        message.part(MessagePart::Conversation, |out| out.push_str(&words));
        let start = self.started_by(&message.finish(Role::User), Shown::default());
        // The start is kept for other strategies.
        self.messages().share();
        start
    }

    /// Milliseconds from the answer of a turn to the next request. Whoever sends that request knows them, so strategies may use them.
    pub fn pause_after(&self, completed: usize) -> u64 {
        self.conversation().pauses.before(completed as u32 + 1)
    }

    /// The view after fewer completed turns.
    pub fn earlier(&self, completed: usize) -> View<'a> {
        View { head: self.head, ..self.history.view(completed.min(self.completed()), self.memo) }
    }

    /// The turns from this index on, each with its messages.
    pub fn exchanges(&self, from: usize) -> impl Iterator<Item = (&'a Turn, &'a Exchange)> + use<'a> {
        let history = self.history;
        let turns = self.turns().iter().zip(&history.exchanges).skip(from);
        turns.map(|(turn, exchange)| {
            let exchange = exchange.get_or_init(|| {
                let exchange = Exchange::new(turn, &history.messages);
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

    /// The last of the turns, if it failed.
    pub fn failed_last(&self) -> Option<&'a Turn> {
        self.turns().last().filter(|turn| !turn.has_succeeded())
    }

    /// The `input_tokens` of the request that `full-history` sends.
    pub fn full_history_tokens(&self) -> u64 {
        self.start_tokens() + self.turn_tokens().last().copied().unwrap_or(0)
    }

    /// The tokens of a request by which a trigger of these options goes: billed ones, if they are asked for and known.
    pub(crate) fn trigger_size(&self, options: &Options, request: SizedRequest) -> u64 {
        match self.history.gauge.get().filter(|_| options.has_billed_trigger()) {
            Some(gauge) => gauge.size(request),
            None => request.counted,
        }
    }

    /// The largest `full-history` request so far in the tokens of a trigger. A request that is billed as smaller than one before lost
    /// what the log does not hold.
    pub(crate) fn largest_trigger_size(&self, options: &Options) -> u64 {
        let history = self.history;
        let Some(gauge) = history.gauge.get().filter(|_| options.has_billed_trigger()) else {
            return self.full_history_tokens();
        };
        let all = history.largest_billed.get_or_init(|| {
            let (start, turns, mut largest) = (self.start_tokens(), history.whole().turn_tokens(), 0);
            let mut sizes = Vec::with_capacity(turns.len());
            for (completed, tokens) in turns.iter().enumerate() {
                let request =
                    SizedRequest { completed, counted: start + tokens, first: 0, shortened_at: None };
                largest = gauge.size(request).max(largest);
                sizes.push(largest);
            }
            sizes
        });
        all.get(self.completed).or(all.last()).copied().unwrap_or(0)
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
        let tools: u64 = self.conversation().tools.iter().map(|tool| (self.history.tokens)(tool)).sum();
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
    fn new(turn: &Turn, messages: &Messages<'_>) -> Exchange {
        let ids = turn.messages().map(|message| messages.add(message)).collect();
        Exchange { ids, sizes: OnceCell::new() }
    }

    /// The answer and the replies in the table.
    pub fn ids(&self) -> &[MessageId] {
        &self.ids
    }

    /// Adds the answer and the observation of the turn.
    pub fn add_whole(&self, turn: &Turn, request: &mut RequestDraft) {
        request.messages.extend_from_slice(&self.ids);
        request.shown.whole(turn);
    }
}
