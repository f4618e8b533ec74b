//! Costs of the requests of a strategy.

use super::logged_prices::Tariff;
use super::measured::{MeasuredCall, MeasuredRequest, MeasuredRun};
use super::prefix::Prefix;
use super::requests::{Requests, SentRequest};
use super::sizes::{SizedRequest, Sizes};
use crate::agent::{Pauses, Role};
use crate::compression::{RequestBorder, StrategyCall};
use crate::messages::{MessageId, Table};
use ptc_tokens::{Bill, Border, Key, Ledger, Money, OtherCosts, Price, REQUEST_OVERHEAD, Sent, TimeSpan};
use xxhash_rust::xxh3::xxh3_64;

/// The identity and the tokens of a part of a request that a provider caches as a whole.
type Block = (u64, u32);

/// The identity of the block of declared tools.
const TOOLS: u64 = 0;
/// The identity of the block of what a log does not hold, such as its system prompt.
const UNLOGGED: u64 = u64::MAX;
/// The bit in the identity of an answer that is sent with its reasoning. Without it the answer is another block.
const REASONING: u64 = 1 << 63;

/// The requests of a strategy with their sizes, to be charged.
pub struct Charged<'c> {
    pub table: &'c Table,
    pub requests: &'c Requests,
    pub sizes: &'c Sizes,
    pub sized: &'c [SizedRequest],
    pub pauses: &'c Pauses,
}

/// The tokens at the start of requests that bills are made from.
#[derive(Clone, Copy)]
pub struct Starts<'s> {
    /// The start that each request has in common with the one before.
    pub shared: &'s [Prefix],
    /// Tokens of the declared tools.
    pub tools_tokens: u32,
}

impl Charged<'_> {
    /// Adds the bills of a tariff's columns to the measured requests of the run.
    pub fn charge(&self, run: &mut MeasuredRun, tariff: Tariff<'_>, starts: Starts<'_>, warm_system: bool) {
        let columns = tariff.columns();
        if columns == 0 {
            return;
        }
        let mut caches = self.caches(run, tariff, starts);
        for column in 0..columns {
            self.add_bills(run, &mut caches, tariff, column, warm_system);
        }
    }

    /// The cache of each model after all requests, by its number in the tariff.
    fn caches(&self, run: &MeasuredRun, tariff: Tariff<'_>, starts: Starts<'_>) -> Vec<ModelCache<'_>> {
        let mut caches: Vec<ModelCache<'_>> = Vec::new();
        let mut measures = run.requests.iter().zip(self.sized).zip(starts.shared);
        let mut calls = run.calls.iter();
        self.requests.map(|request, messages, replaced| {
            let Some(((measured, sized), shared)) = measures.next() else { return };
            let pause = self.pauses.before(measured.turn);
            caches.iter_mut().for_each(|cache| cache.wait(pause, sized.kept));
            let asked = tariff.cache_at(request.turn);
            while caches.len() <= asked {
                let blocks = Blocks::new(self, self.sizes.least_unlogged(), starts.tools_tokens);
                caches.push(ModelCache::new(blocks));
            }
            let Some(cache) = caches.get_mut(asked) else { return };
            if cache.ledgers.is_empty() {
                cache.ledgers = tariff.ledgers(request.turn, self.pauses);
            }
            let sending = Sending { request, messages, replaced, measured, sized, shared };
            // Calls and their measures are in the same order.
            let call = request.call.as_ref().and_then(|call| Some((call, calls.next()?)));
            self.send(cache, sending, call, starts.tools_tokens);
            let duration = self.pauses.answering(measured.turn);
            for (number, cache) in caches.iter_mut().enumerate() {
                if number == asked { cache.sent() } else { cache.wait(duration, usize::MAX) }
            }
        });
        caches
    }

    /// Adds a request to the cache of the model that it asks, and before it the strategy's own call for it.
    fn send(
        &self,
        cache: &mut ModelCache<'_>,
        sending: Sending<'_>,
        call: Option<(&StrategyCall<MessageId>, &MeasuredCall)>,
        tools_tokens: u32,
    ) {
        let Sending { request, messages, .. } = sending;
        let (mut kept, borders) =
            cache.blocks.cut_at(request.turn, &request.borders, cache.kept_messages, messages);
        let unlogged_tokens = self.sizes.unlogged(request.turn) - self.sizes.least_unlogged();
        // What the request shares with the one before is no start in this cache if another model got that one.
        let prefix_tokens = if cache.is_interrupted {
            cache.blocks.tokens(kept, unlogged_tokens)
        } else {
            sending.shared.tokens
        };
        // A call that is reported has a bill of its own, and a cache of which nothing is known.
        if let Some((call, measured)) = call.filter(|(call, _)| call.usage.is_none()) {
            let before = if cache.is_interrupted { Vec::new() } else { sending.messages_before() };
            self.add_call(cache, (call, measured), &before, tools_tokens);
            // The ledger compares with what was sent last, which is the call. The request follows it at once.
            (kept, cache.pause) = (0, 0);
        }
        let sent = Sent {
            blocks: &cache.blocks.blocks,
            kept,
            borders: &borders,
            unlogged_tokens,
            prefix_tokens,
            input_tokens: sending.sized.input_tokens,
            output_tokens: sending.measured.output_tokens,
            pause: cache.pause,
            duration: self.pauses.answering(sending.measured.turn),
        };
        cache.ledgers.iter_mut().for_each(|(_, ledger)| ledger.add(sent));
        cache.turns.push(request.turn);
    }

    /// Adds the bills of one column.
    fn add_bills(
        &self,
        run: &mut MeasuredRun,
        caches: &mut [ModelCache<'_>],
        tariff: Tariff<'_>,
        column: usize,
        warm_system: bool,
    ) {
        let mut other_costs = OtherCosts::default();
        let mut bills: Vec<std::vec::IntoIter<Bill>> = Vec::with_capacity(caches.len());
        for cache in caches.iter() {
            let (of_cache, others) = cache.bills(tariff, column, self.pauses, warm_system);
            bills.push(of_cache.into_iter());
            other_costs += others;
        }
        let own_calls = self.requests.iter().filter_map(|request| request.call.as_ref());
        let mut calls = run.calls.iter_mut().zip(own_calls).peekable();
        for request in &mut run.requests {
            let Some(price) = tariff.price(column, request.turn) else { continue };
            let Some(bills) = bills.get_mut(tariff.cache_at(request.turn)) else { continue };
            let call = calls.next_if(|(call, _)| call.turn == request.turn);
            let of_call = call.and_then(|(measured, call)| {
                let reported = call.usage.as_ref().map(|usage| usage.bill(price));
                let cost = reported.map_or_else(Money::default, |bill| bill.cost);
                // No other assumption changes what was billed.
                other_costs += OtherCosts { cold: cost, warm: cost, naive: cost };
                Some((measured, reported.or_else(|| bills.next())?))
            });
            let Some(mut bill) = bills.next() else { break };
            if let Some((call, of_call)) = of_call {
                bill.cost += of_call.cost;
                call.bills.push(of_call);
            }
            request.bills.push(bill);
        }
        run.other_costs.push(other_costs);
    }

    /// Adds a call of the strategy itself to the cache of the model that it asks. `before` are the messages that the model
    /// was sent last.
    fn add_call(
        &self,
        cache: &mut ModelCache<'_>,
        (call, measured): (&StrategyCall<MessageId>, &MeasuredCall),
        before: &[MessageId],
        tools_tokens: u32,
    ) {
        let Charged { table, sizes, .. } = self;
        let least_unlogged = sizes.least_unlogged();
        let turn = measured.turn;
        let shared = call.messages.iter().zip(before).take_while(|(now, before)| now == before).count();
        let prefix_tokens = match call.messages.get(..shared) {
            Some(shared) if call.goes_on && !shared.is_empty() => {
                tokens_of(table, sizes, (shared, turn), sizes.unlogged(turn).saturating_add(tools_tokens))
            }
            _ => 0,
        };
        // A call of its own has neither the agent's system prompt nor its tools.
        let (unlogged, tools, more) = if call.goes_on {
            (least_unlogged, tools_tokens, sizes.unlogged(turn) - least_unlogged)
        } else {
            (0, 0, 0)
        };
        let mut blocks = Blocks::new(self, unlogged, tools);
        let (_, borders) = blocks.cut_at(turn, &call.borders, 0, &call.messages);
        let sent = Sent {
            blocks: &blocks.blocks,
            kept: 0,
            borders: &borders,
            unlogged_tokens: more,
            prefix_tokens,
            input_tokens: measured.input_tokens,
            output_tokens: measured.output_tokens,
            pause: cache.pause,
            duration: 0,
        };
        cache.ledgers.iter_mut().for_each(|(_, ledger)| ledger.add(sent));
        cache.turns.push(turn);
    }
}

/// A request that is charged.
#[derive(Clone, Copy)]
struct Sending<'s> {
    request: &'s SentRequest,
    /// All its messages.
    messages: &'s [MessageId],
    /// The messages of the request before from the first that differs on.
    replaced: &'s [MessageId],
    measured: &'s MeasuredRequest,
    sized: &'s SizedRequest,
    shared: &'s Prefix,
}

impl Sending<'_> {
    /// The messages of the request before.
    fn messages_before(&self) -> Vec<MessageId> {
        self.messages.iter().take(self.request.kept).chain(self.replaced).copied().collect()
    }
}

/// The requests that one model was sent. Models do not share what they cache.
struct ModelCache<'c> {
    blocks: Blocks<'c>,
    /// By the time for which entries are kept. Columns of one time share a ledger.
    ledgers: Vec<(Option<TimeSpan>, Ledger)>,
    /// The turn of each entry of a ledger.
    turns: Vec<u32>,
    /// Number of messages that the newest request to the model has in common, at their start, with all later requests.
    kept_messages: usize,
    /// Milliseconds since the answer to the newest request to the model.
    pause: u64,
    /// True if the request before went to another model, or there was none.
    is_interrupted: bool,
}

impl<'c> ModelCache<'c> {
    fn new(blocks: Blocks<'c>) -> ModelCache<'c> {
        let (ledgers, turns) = (Vec::new(), Vec::new());
        ModelCache { blocks, ledgers, turns, kept_messages: 0, pause: 0, is_interrupted: true }
    }

    /// Lets time pass until a request, to any model, that begins with `kept` messages of the one before.
    fn wait(&mut self, milliseconds: u64, kept: usize) {
        self.pause = self.pause.saturating_add(milliseconds);
        self.kept_messages = self.kept_messages.min(kept);
    }

    /// Notes that the newest request of all went to this model.
    fn sent(&mut self) {
        (self.kept_messages, self.pause, self.is_interrupted) = (usize::MAX, 0, false);
    }

    /// The bills of all entries in one column, whose prices may change from day to day.
    fn bills(
        &self,
        tariff: Tariff<'_>,
        column: usize,
        pauses: &Pauses,
        warm_system: bool,
    ) -> (Vec<Bill>, OtherCosts) {
        let mut prices: Vec<(usize, &Price)> = Vec::new();
        for (index, turn) in self.turns.iter().enumerate() {
            let Some(price) = tariff.price(column, *turn) else { continue };
            if prices.last().is_none_or(|(_, last)| *last != price) {
                prices.push((index, price));
            }
        }
        let ttl = prices.first().and_then(|(_, price)| ttl_of(price, pauses));
        let ledger = self.ledgers.iter().find(|(known, _)| *known == ttl);
        ledger.map(|(_, ledger)| ledger.bills_at(&prices, warm_system)).unwrap_or_default()
    }
}

impl Tariff<'_> {
    /// Ledgers for the columns, from the request before a turn on.
    fn ledgers(self, turn: u32, pauses: &Pauses) -> Vec<(Option<TimeSpan>, Ledger)> {
        let mut ledgers: Vec<(Option<TimeSpan>, Ledger)> = Vec::new();
        for price in (0..self.columns()).filter_map(|column| self.price(column, turn)) {
            let ttl = ttl_of(price, pauses);
            if ledgers.iter().all(|(known, _)| *known != ttl) {
                ledgers.push((ttl, Ledger::new(ttl)));
            }
        }
        ledgers
    }
}

/// The measures of the calls that the strategy made itself, without bills.
pub fn calls(table: &Table, requests: &Requests, sizes: &Sizes, tools_tokens: u32) -> Vec<MeasuredCall> {
    let of_request = |request: &SentRequest| {
        let call = request.call.as_ref()?;
        let turn = request.turn;
        let start = if call.goes_on { sizes.unlogged(turn).saturating_add(tools_tokens) } else { 0 };
        let start = start.saturating_add(REQUEST_OVERHEAD);
        let counted = || tokens_of(table, sizes, (&call.messages, turn), start);
        let input_tokens = call.usage.as_ref().map_or_else(counted, |usage| usage.input_tokens);
        let reported = call.usage.as_ref().map(|usage| usage.output_tokens);
        Some(MeasuredCall {
            turn,
            input_tokens,
            output_tokens: reported.unwrap_or(call.output_tokens),
            bills: Vec::new(),
        })
    };
    requests.iter().filter_map(of_request).collect()
}

/// Tokens of messages in the request before a turn, and of so many more.
fn tokens_of(table: &Table, sizes: &Sizes, (messages, turn): (&[MessageId], u32), more: u32) -> u32 {
    messages.iter().fold(more, |sum, id| sum.saturating_add(sizes.of(table, *id, turn)))
}

/// The time for which a model's cache keeps its entries in a run; none if the run has no pauses.
fn ttl_of(price: &Price, pauses: &Pauses) -> Option<TimeSpan> {
    price.ttl.filter(|_| pauses.are_known())
}

/// The newest request as blocks.
struct Blocks<'c> {
    charged: &'c Charged<'c>,
    blocks: Vec<Block>,
    /// Number of blocks before each message, and of all.
    before: Vec<usize>,
    /// Borders inside messages, each of which cuts one.
    cuts: Vec<RequestBorder>,
}

impl<'c> Blocks<'c> {
    /// The tokens that a log does not hold, and the declared tools, which stand before all messages.
    fn new(charged: &'c Charged<'c>, unlogged: u32, tools: u32) -> Blocks<'c> {
        let blocks: Vec<Block> =
            [(UNLOGGED, unlogged), (TOOLS, tools)].into_iter().filter(|(_, tokens)| *tokens > 0).collect();
        Blocks { charged, before: vec![blocks.len()], blocks, cuts: Vec::new() }
    }

    /// Tokens of the first blocks, and `more` if there is any.
    fn tokens(&self, blocks: usize, more: u32) -> u32 {
        match self.blocks.get(..blocks) {
            Some([]) | None => 0,
            Some(blocks) => blocks.iter().fold(more, |sum, (_, tokens)| sum.saturating_add(*tokens)),
        }
    }

    /// Cuts the next request at its borders. Its first `kept` messages are those of the request before. Returns the number of
    /// blocks that are those of the request before, and each border with the number of blocks before it.
    fn cut_at(
        &mut self,
        turn: u32,
        borders: &[RequestBorder],
        kept: usize,
        messages: &[MessageId],
    ) -> (usize, Vec<(Border, usize)>) {
        let cuts: Vec<RequestBorder> = borders.iter().filter(|border| border.bytes > 0).copied().collect();
        // A message that both requests have may be cut elsewhere now.
        let equal = self.cuts.iter().zip(&cuts).take_while(|(before, now)| before == now).count();
        let changed = [&self.cuts, &cuts].into_iter().filter_map(|cuts| cuts.get(equal));
        let changed = changed.map(|border| border.messages).min().unwrap_or(usize::MAX);
        let kept = kept.min(changed);
        self.before.truncate(kept + 1);
        let kept_blocks = self.before.last().copied().unwrap_or(0);
        self.blocks.truncate(kept_blocks);
        for (index, id) in messages.iter().enumerate().skip(kept) {
            self.add(turn, *id, cuts.iter().filter(|border| border.messages == index));
            self.before.push(self.blocks.len());
        }
        self.cuts = cuts;
        let borders = borders.iter().map(|border| (border.kind, self.place(border)));
        (kept_blocks, borders.collect())
    }

    fn add<'b>(&mut self, turn: u32, id: MessageId, cuts: impl Iterator<Item = &'b RequestBorder>) {
        let Charged { table, sizes, .. } = self.charged;
        let mut ends = cuts.map(|border| border.bytes as usize).peekable();
        match (sizes.with_reasoning(id, turn), ends.peek()) {
            (Some(answer), _) => self.blocks.push((block_of(table, id) ^ REASONING, answer.tokens)),
            (None, None) => self.blocks.push((block_of(table, id), sizes.of(table, id, turn))),
            (None, Some(_)) => self.blocks.extend(cut(table, sizes, (id, turn), ends)),
        }
    }

    /// Number of blocks before a border.
    fn place(&self, border: &RequestBorder) -> usize {
        let Some(&before) = self.before.get(border.messages) else { return self.blocks.len() };
        let cuts = self.cuts.iter().filter(|cut| cut.messages == border.messages);
        before + cuts.take_while(|cut| cut.bytes <= border.bytes).count()
    }
}

/// The identity of a whole message as a block. That of a message of text alone comes from its text, since a part of another
/// message may be the same block.
fn block_of(table: &Table, id: MessageId) -> u64 {
    let row = table.row(id);
    if row.is_text() { number_of(row.role, row.text) } else { id.index() as u64 + 1 }
}

fn number_of(role: Role, text: Key) -> u64 {
    xxh3_64(&text.to_bytes()) ^ role as u64
}

/// The blocks of a message that borders cut at these bytes of its text. Tokens of a piece that is cut count after the border;
/// what the chat format adds, and images, count with the first block.
fn cut(
    table: &Table,
    sizes: &Sizes,
    (id, turn): (MessageId, u32),
    ends: impl Iterator<Item = usize>,
) -> Vec<Block> {
    let (row, text) = (table.row(id), table.text(id));
    let mut pieces = table.texts(id).peekable();
    // Bytes of the pieces before the border, and tokens of those behind it.
    let (mut before, mut of_text) = (0, table.texts(id).map(|(_, tokens)| tokens).sum::<u32>());
    // The byte at which the next block begins, and the tokens from there on.
    let (mut start, mut left) = (0, row.tokens());
    // A border lies where a part of the message begins, so it cuts no character.
    let block = |from: usize, to: usize| number_of(row.role, Key::of(&text[from..to]));
    let mut blocks = Vec::new();
    for end in ends {
        while let Some((piece, tokens)) = pieces.next_if(|(piece, _)| before + piece.len() <= end) {
            (before, of_text) = (before + piece.len(), of_text.saturating_sub(tokens));
        }
        blocks
            .push((block(start, end), sizes.scaled(left, turn).saturating_sub(sizes.scaled(of_text, turn))));
        (start, left) = (end, of_text);
    }
    blocks.push((block(start, text.len()), sizes.scaled(left, turn)));
    blocks
}
