//! A conversation from a strategy's view: the turns before each request, and shared messages, each formatted once.

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
use super::shown_turns::ShownTurns;
use super::statistics::{Shown, TurnTotals};
use super::turn_memo::{LeftOfTurn, TurnMemo};
use super::words::{has_words, write_words};

/// The agent run of a conversation, for turns that are more than messages, such as programs with definitions.
pub trait Run: Any {
    /// Summarizes the successful turn at `index`, as the messages to send in its place.
    fn summarize_turn(&self, view: &View<'_>, index: usize, options: &Options) -> RequestDraft;
}

/// A conversation with the messages common to its requests.
///
/// Render many strategies from one history: each message is formatted and counted once.
///
/// ```
/// use std::borrow::Cow;
///
/// use conversation::{Conversation, Message, Role};
/// use history_strategies::{History, MASKING, TRIMMING, Variant};
///
/// let conversation = Conversation::from_messages(&[
///     Message::new(Role::User, "Read the file."),
///     Message::new(Role::Assistant, "read a.txt"),
///     Message::new(Role::Tool, "first line"),
///     Message::new(Role::Assistant, "read b.txt"),
///     Message::new(Role::Tool, "second line"),
/// ])?;
/// let count_words = |text: &str| text.split_whitespace().count() as u64;
/// let history = History::new(Cow::Owned(conversation), &count_words);
/// for (strategy, sent) in [(MASKING, 5), (TRIMMING, 3)] {
///     let variant = Variant::new(strategy).with("keep_recent_turns", 1)?;
///     // The request after two turns.
///     let request = variant.render(&history.after(2))?;
///     assert_eq!(request.messages.len(), sent);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct History<'a> {
    conversation: Cow<'a, Conversation>,
    run: Option<&'a dyn Run>,
    tokens: &'a TextTokens<'a>,
    /// The table of the messages of all requests.
    messages: Messages<'a>,
    /// One request start per distinct text of the SYSTEM message, the agent's first.
    heads: Vec<Head>,
    opening_id: MessageId,
    /// By turn index. Filled when a strategy first needs the turn.
    exchanges: Vec<OnceCell<Exchange>>,
    /// Indexed by the number of completed turns.
    totals: Vec<TurnTotals>,
    /// Prefix sums: entry `k` is the token count of the first `k` turns.
    turn_tokens: OnceCell<Vec<u64>>,
    /// Billed sizes of requests, if the log has bills.
    gauge: OnceCell<Gauge>,
    /// Indexed by the number of completed turns: the billed size of the largest `full-history` request so far.
    largest_billed: OnceCell<Vec<u64>>,
    /// A value cached by a user's own strategy.
    kept: OnceCell<Box<dyn Any>>,
}

/// The start of requests with a given text of the SYSTEM message.
struct Head {
    /// The messages before the opening: SYSTEM, or the logged ones.
    messages: Vec<Message>,
    ids: Vec<MessageId>,
    /// Indexed by the number of omitted turns: the start of requests without them. Cached because the words in these turns may be long, and
    /// many strategies and requests omit the same turns.
    starts_without: Vec<OnceCell<RequestDraft>>,
    /// The `input_tokens` of the request before the first turn.
    start_tokens: OnceCell<u64>,
}

/// The messages of a [`Turn`] in the table.
pub struct Exchange {
    /// The message of the answer, then of each reply.
    ids: Vec<MessageId>,
    /// Tokens of each message, including the chat format's overhead.
    sizes: OnceCell<Vec<u64>>,
}

/// The first turns of a [`Conversation`]: all that a [`Strategy`](crate::Strategy) may use.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Number of completed turns.
    completed: usize,
    history: &'a History<'a>,
    head: &'a Head,
    /// Messages already written in place of earlier turns. `None`: write everything anew.
    memo: Option<&'a TurnMemo>,
    extends: Extends,
}

/// The earlier request whose messages a request may leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extends {
    /// The request is whole, and the next one does not extend it.
    Nothing,
    /// The request is whole. The next one may extend it.
    Whole,
    /// The previous request, rendered by the same strategy.
    Previous,
}

impl<'a> History<'a> {
    /// `tokens` counts the tokens of a text, for size triggers.
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
            totals: TurnTotals::running_totals(&conversation.turns),
            turn_tokens: OnceCell::new(),
            gauge: OnceCell::new(),
            largest_billed: OnceCell::new(),
            kept: OnceCell::new(),
            conversation,
        }
    }

    /// Attaches the agent [`Run`].
    pub fn with_run(mut self, run: &'a dyn Run) -> History<'a> {
        self.run = Some(run);
        self
    }

    /// Prepares request starts for variants with other texts of the SYSTEM message.
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

    /// Lets strategies with billed triggers use billed sizes. Only the first call has an effect.
    pub fn set_gauge(&self, gauge: Gauge) {
        // Requests already rendered keep their sizes, so the first gauge stays.
        drop(self.gauge.set(gauge));
    }

    /// The [`View`] after all turns.
    pub fn whole(&'a self) -> View<'a> {
        self.after(self.exchanges.len())
    }

    /// The messages of all requests rendered so far.
    pub fn messages(&self) -> &Messages<'a> {
        &self.messages
    }

    /// The [`View`] after the first `completed` turns.
    pub fn after(&'a self, completed: usize) -> View<'a> {
        self.view(completed, None)
    }

    /// Like [`History::after`], with a memo of the strategy's messages.
    pub fn view(&'a self, completed: usize, memo: Option<&'a TurnMemo>) -> View<'a> {
        let completed = completed.min(self.exchanges.len());
        View { completed, history: self, head: &self.heads[0], memo, extends: Extends::Nothing }
    }
}

impl Head {
    fn new(messages: Vec<Message>, table: &Messages<'_>, turns: usize) -> Head {
        let ids = messages.iter().map(|message| table.add(message)).collect();
        let starts_without = (0..=turns).map(|_| OnceCell::new()).collect();
        Head { messages, ids, starts_without, start_tokens: OnceCell::new() }
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

    /// The agent run, if the conversation has one.
    pub fn run(&self) -> Option<&'a dyn Run> {
        self.history.run
    }

    /// Computes a value once per conversation and caches it for all requests. It may depend on the conversation only. `None` if a value of
    /// another type is already cached.
    pub fn keep<T: Any>(&self, make: impl FnOnce() -> T) -> Option<&'a T> {
        self.history.kept.get_or_init(|| Box::new(make())).downcast_ref()
    }

    /// The completed turns, oldest first.
    pub fn turns(&self) -> &'a [Turn] {
        &self.conversation().turns[..self.completed]
    }

    /// The message table of all requests: [`Messages`].
    pub fn messages(&self) -> &'a Messages<'a> {
        &self.history.messages
    }

    /// The messages before the opening: the static SYSTEM message, or the logged ones.
    pub fn head(&self) -> &'a [Message] {
        &self.head.messages
    }

    /// The text of the SYSTEM message; empty if there is none.
    pub fn system_text(&self) -> &'a str {
        self.head.system()
    }

    /// Uses another text of the SYSTEM message, if it was passed to [`History::with_systems`].
    pub fn with_system(&self, text: Option<&EcoString>) -> View<'a> {
        let head = text.and_then(|text| self.history.head_with(text)).unwrap_or(self.head);
        View { head, ..*self }
    }

    /// Returns true if the text of the SYSTEM message differs from the agent's.
    pub fn has_other_system(&self) -> bool {
        self.head.system() != self.history.heads[0].system()
    }

    /// The last message before the first answer, identical in every request.
    pub fn opening(&self) -> &'a Message {
        &self.conversation().opening
    }

    /// Counts over the completed turns.
    pub fn totals(&self) -> TurnTotals {
        self.history.totals[self.completed]
    }

    /// Lets the request leave out messages of an earlier one.
    pub(crate) fn extending(&self, extends: Extends) -> View<'a> {
        View { extends, ..*self }
    }

    /// The memo of the strategy's messages.
    pub(crate) fn memo(&self) -> Option<&'a TurnMemo> {
        self.memo
    }

    /// A request with the usual start, then `turns`. Leaves out the messages that the previous request begins with, if it may.
    pub fn request_of(&self, turns: &mut ShownTurns) -> RequestDraft {
        let kept = match self.extends {
            Extends::Previous => turns.take_kept(),
            Extends::Whole => turns.take_kept().and(None),
            Extends::Nothing => None,
        };
        let mut request = self.start();
        if let Some(kept) = kept {
            request.kept = request.messages.len() + kept;
            request.messages.clear();
        }
        turns.add_to(&mut request, kept.unwrap_or(0));
        request
    }

    /// Starts a request with the head and the opening.
    pub fn start(&self) -> RequestDraft {
        self.begin(self.opening(), self.history.opening_id, Shown::default())
    }

    /// Starts a request with the system prompt only.
    pub fn start_without_opening(&self) -> RequestDraft {
        let systems = self.first_messages().filter(|(_, message)| message.role == Role::System);
        let messages: Vec<MessageId> = systems.map(|(id, _)| id).collect();
        let borders = vec![RequestBorder::after(Border::System, messages.len())];
        RequestDraft { borders, ..RequestDraft::new(messages, Shown::default()) }
    }

    /// The messages before the first answer, without the system prompt.
    pub fn replaceable_start(&self) -> impl Iterator<Item = (MessageId, &'a Message)> + use<'a> {
        self.first_messages().filter(|(_, message)| message.role != Role::System)
    }

    fn first_messages(&self) -> impl Iterator<Item = (MessageId, &'a Message)> + use<'a> {
        self.start_ids().zip(self.head().iter().chain([self.opening()]))
    }

    /// Starts a request with the head, and `message` in place of the opening.
    pub fn started_by(&self, message: &Message, shown: Shown) -> RequestDraft {
        self.begin(message, self.messages().add(message), shown)
    }

    fn begin(&self, message: &Message, id: MessageId, shown: Shown) -> RequestDraft {
        let turns = if self.extends == Extends::Previous { 0 } else { 2 * self.completed() };
        let mut messages = Vec::with_capacity(self.head().len() + 2 + turns);
        messages.extend_from_slice(&self.head.ids);
        let mut borders = vec![RequestBorder::after(Border::System, messages.len())];
        borders.extend(borders::of_opening(message, messages.len()));
        messages.push(id);
        RequestDraft { borders, ..RequestDraft::new(messages, shown) }
    }

    /// Starts a request without the first `turns` turns: the head, then the opening with the words of people from these turns. No strategy
    /// omits such words.
    pub fn start_without(&self, turns: usize) -> RequestDraft {
        let left_out = turns.min(self.completed);
        let start = &self.head.starts_without[left_out];
        let mut request = start.get_or_init(|| self.make_start_without(left_out)).clone();
        request.messages.reserve(2 * (self.completed - left_out));
        request
    }

    fn make_start_without(&self, left_out: usize) -> RequestDraft {
        if let Some(known) = self.known_start(left_out) {
            return known.clone();
        }
        let mut start = self.started_without(&self.turns()[..left_out]);
        // Its capacity fits all turns; in a run of 10,000 turns, keeping it in every start would need too much memory.
        start.messages.shrink_to_fit();
        start
    }

    /// The start without fewer turns, if the others have no words.
    fn known_start(&self, left_out: usize) -> Option<&'a RequestDraft> {
        for fewer in (0..left_out).rev() {
            if has_words(&self.turns()[fewer]) {
                return None;
            }
            if let Some(known) = self.head.starts_without[fewer].get() {
                if known.messages.last() != Some(&self.history.opening_id) {
                    // Other strategies reuse this start.
                    self.messages().share();
                }
                return Some(known);
            }
        }
        None
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
        // Other strategies reuse this start.
        self.messages().share();
        start
    }

    /// The pause in milliseconds between a turn's answer and the next request. The sender of the request can measure it, so strategies may
    /// use it.
    pub fn pause_after(&self, completed: usize) -> u64 {
        self.conversation().pauses.before(completed as u32 + 1)
    }

    /// A view with fewer completed turns.
    pub fn earlier(&self, completed: usize) -> View<'a> {
        View { head: self.head, ..self.history.view(completed.min(self.completed()), self.memo) }
    }

    /// Calls `advance` with the strategy's state after an earlier request of the same memo, or with the initial state. The state may depend
    /// only on the completed turns and the strategy's options. A strategy with a state writes only what changes from request to request, so
    /// long conversations take linear time.
    pub fn carry<S: Any + Default, T>(&self, advance: impl FnOnce(&mut S) -> T) -> T {
        let Some(memo) = self.memo else { return advance(&mut S::default()) };
        let mut state = memo.take_state::<S>(self.completed);
        let result = advance(&mut state);
        memo.keep_state(self.completed, state);
        result
    }

    /// The turns from index `from` on, each with its messages.
    pub fn exchanges(&self, from: usize) -> impl Iterator<Item = (&'a Turn, &'a Exchange)> + use<'a> {
        let history = self.history;
        let from = from.min(self.completed);
        let turns = self.turns()[from..].iter().zip(&history.exchanges[from..]);
        turns.map(|(turn, exchange)| {
            let exchange = exchange.get_or_init(|| {
                let exchange = Exchange::new(turn, &history.messages);
                // Other strategies send this turn too. Sharing also keeps the messages added so far by this strategy: only a few, since
                // only the first strategy gets here.
                history.messages.share();
                exchange
            });
            (turn, exchange)
        })
    }

    /// Adds messages in place of the turn at index `turn`. `write` makes them. The result is cached for later requests, so it may depend
    /// only on the turn, `left` and the strategy's options.
    pub fn add_instead(
        &self,
        turn: usize,
        left: LeftOfTurn,
        request: &mut RequestDraft,
        write: impl FnOnce() -> RequestDraft,
    ) {
        match self.memo {
            Some(memo) => memo.add_turn(turn, left, request, write),
            None => request.extend(&write()),
        }
    }

    /// Adds the turns from index `from` on as `full-history` sends them.
    pub fn add_whole(&self, from: usize, request: &mut RequestDraft) {
        for (turn, exchange) in self.exchanges(from) {
            exchange.add_whole(turn, request);
        }
    }

    /// The last turn, if it failed.
    pub fn failed_last(&self) -> Option<&'a Turn> {
        self.turns().last().filter(|turn| !turn.has_succeeded())
    }

    /// The `input_tokens` of the `full-history` request.
    pub fn full_history_tokens(&self) -> u64 {
        self.start_tokens() + self.turn_tokens().last().copied().unwrap_or(0)
    }

    /// The size of a request for a trigger: billed tokens if the options ask for them and the log has bills, otherwise counted tokens.
    pub(crate) fn trigger_size(&self, options: &Options, request: SizedRequest) -> u64 {
        match self.history.gauge.get() {
            Some(gauge) if options.has_billed_trigger() => gauge.size(request),
            _ => request.counted,
        }
    }

    /// The size of the largest `full-history` request so far, in the trigger's tokens. A drop in billed size means that the agent removed
    /// something not in the log.
    pub(crate) fn largest_trigger_size(&self, options: &Options) -> u64 {
        let history = self.history;
        let Some(gauge) = history.gauge.get().filter(|_| options.has_billed_trigger()) else {
            return self.full_history_tokens();
        };
        let all = history.largest_billed.get_or_init(|| self.largest_billed_sizes(gauge));
        all.get(self.completed).or(all.last()).copied().unwrap_or(0)
    }

    /// By number of completed turns: the billed size of the largest `full-history` request so far.
    fn largest_billed_sizes(&self, gauge: &Gauge) -> Vec<u64> {
        let (start, turns, mut largest) = (self.start_tokens(), self.history.whole().turn_tokens(), 0);
        let mut sizes = Vec::with_capacity(turns.len());
        for (completed, tokens) in turns.iter().enumerate() {
            let request = SizedRequest { completed, counted: start + tokens, first: 0, shortened_at: None };
            largest = gauge.size(request).max(largest);
            sizes.push(largest);
        }
        sizes
    }

    /// Prefix sums: entry `k` is the token count of the first `k` turns.
    pub fn turn_tokens(&self) -> &'a [u64] {
        let history = self.history;
        let all = history.turn_tokens.get_or_init(|| history.whole().sum_turns());
        all.get(..=self.completed()).unwrap_or(all)
    }

    fn sum_turns(&self) -> Vec<u64> {
        let mut sum = 0;
        let mut sums = vec![sum];
        for (_, exchange) in self.exchanges(0) {
            sum += self.sizes(exchange).iter().sum::<u64>();
            sums.push(sum);
        }
        sums
    }

    /// The `input_tokens` of the request before the first turn.
    pub fn start_tokens(&self) -> u64 {
        *self.head.start_tokens.get_or_init(|| {
            let tools: u64 = self.conversation().tools.iter().map(|tool| (self.history.tokens)(tool)).sum();
            let start = self.tokens(&self.head.ids) + self.tokens(&[self.history.opening_id]);
            u64::from(REQUEST_OVERHEAD) + tools + start
        })
    }

    /// Tokens of a turn's answer and of each reply, including the chat format's overhead.
    pub fn sizes(&self, exchange: &'a Exchange) -> &'a [u64] {
        exchange.sizes.get_or_init(|| exchange.ids.iter().map(|id| self.tokens(&[*id])).collect())
    }

    /// Tokens of a text.
    pub fn count(&self, text: &str) -> u64 {
        (self.history.tokens)(text)
    }

    /// Tokens of messages, including the chat format's overhead.
    pub fn tokens(&self, ids: &[MessageId]) -> u64 {
        ids.iter().map(|id| u64::from(self.messages().tokens(*id))).sum()
    }

    /// The identifiers of the messages before the opening, then of the opening.
    pub fn start_ids(&self) -> impl Iterator<Item = MessageId> + use<'a> {
        self.head.ids.iter().copied().chain([self.history.opening_id])
    }
}

impl Exchange {
    fn new(turn: &Turn, messages: &Messages<'_>) -> Exchange {
        let ids = turn.messages().map(|message| messages.add(message)).collect();
        Exchange { ids, sizes: OnceCell::new() }
    }

    /// The identifiers of the answer and the replies.
    pub fn ids(&self) -> &[MessageId] {
        &self.ids
    }

    /// Adds the answer and the replies, unchanged.
    pub fn add_whole(&self, turn: &Turn, request: &mut RequestDraft) {
        request.messages.extend_from_slice(&self.ids);
        request.shown.show_whole(turn);
    }
}
