//! Costs of the requests of a strategy.

use serde::{Deserialize, Serialize};

use crate::blocks::Blocks;
use crate::model_cache::ModelCache;
use crate::prefix::{Prefix, find_prefixes};
use crate::sizes::{SizedRequest, Sizes};
use crate::tariff::Tariff;
use conversation::{MessageId, Pauses, Table};
use history_strategies::{Requests, SentRequest, StrategyCall};
use ptc_prices::{Bill, Money, OtherCosts, Sent};
use ptc_tokens::{REQUEST_OVERHEAD, Tokenizer};

/// A strategy's [`Requests`], and what is needed to size them as a [`SizedRun`].
#[derive(Clone, Copy)]
pub struct SentRun<'c> {
    /// The table with the messages of the requests.
    pub table: &'c Table,
    /// The requests, in order.
    pub requests: &'c Requests,
    /// Tokens of the answer to each request. A request beyond the last one has no answer.
    pub outputs: &'c [u32],
    /// Tokens of the tool declarations, which are sent before all messages.
    pub tools_tokens: u32,
    /// The time before each request.
    pub pauses: &'c Pauses,
    /// Counts the tokens of shared prefixes.
    pub tokenizer: &'c Tokenizer,
}

/// A strategy's requests with their [`SizedRequest`]s, ready for [`SizedRun::charge`].
pub struct SizedRun<'c> {
    /// The requests.
    pub sent: SentRun<'c>,
    /// The sizes of their messages.
    pub sizes: &'c Sizes,
    /// The size of each request.
    pub requests: Vec<SizedRequest>,
    /// Each request's prefix shared with the previous request.
    pub prefixes: Vec<Prefix>,
}

/// The [`Bill`]s of a run, with one column per price.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunBills {
    /// For each request, one bill per column. The cost includes the strategy's own call before the request.
    pub requests: Vec<Vec<Bill>>,
    /// The strategy's own model calls, in order.
    pub calls: Vec<MeasuredCall>,
    /// For each column, the costs of the run under other assumptions.
    pub other_costs: Vec<OtherCosts>,
}

/// The measures of a strategy's own model call. Its cost is included in the cost of the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredCall {
    /// The turn of the request that needed the call.
    pub turn: u32,
    /// All messages, including the overhead of the chat format.
    pub input_tokens: u32,
    /// Tokens of the summary.
    pub output_tokens: u32,
    /// One entry per model, in the order of the models at the top of the file.
    pub bills: Vec<Bill>,
}

impl<'c> SizedRun<'c> {
    /// Sizes the requests.
    pub fn new(sent: SentRun<'c>, sizes: &'c Sizes) -> SizedRun<'c> {
        let SentRun { table, requests, tools_tokens, tokenizer, .. } = sent;
        let sized = sizes.size_requests(table, requests, tools_tokens);
        let prefixes = find_prefixes(table, requests, &sized, sizes, tokenizer);
        SizedRun { sent, sizes, requests: sized, prefixes }
    }

    /// The [`RunBills`] without bills, but with the sizes of the strategy's own calls.
    pub fn unbilled(&self) -> RunBills {
        let requests = vec![Vec::new(); self.requests.len()];
        RunBills { requests, calls: self.size_calls(), other_costs: Vec::new() }
    }

    /// Adds the bills of the tariff's columns. `warm_system` is true if SYSTEM and the tool declarations are cached before
    /// the run.
    pub fn charge(&self, bills: &mut RunBills, tariff: Tariff<'_>, warm_system: bool) {
        let columns = tariff.columns();
        if columns == 0 {
            return;
        }
        let caches = self.fill_caches(&bills.calls, tariff);
        for column in 0..columns {
            self.add_bills(bills, &caches, tariff, column, warm_system);
        }
    }

    /// Simulates the cache of each model over all requests. Indexed by the tariff's cache number.
    fn fill_caches(&self, calls: &[MeasuredCall], tariff: Tariff<'_>) -> Vec<ModelCache<'_>> {
        let SentRun { requests, outputs, tools_tokens, pauses, .. } = self.sent;
        let mut caches: Vec<ModelCache<'_>> = Vec::new();
        let mut measures = self.requests.iter().zip(&self.prefixes);
        let mut outputs = outputs.iter().copied();
        let mut calls = calls.iter();
        requests.map(|request, messages, replaced| {
            let Some((sized, shared)) = measures.next() else { return };
            let output_tokens = outputs.next().unwrap_or(0);
            let pause = pauses.before(request.turn);
            for cache in &mut caches {
                cache.wait(pause, sized.kept);
            }
            let asked = tariff.cache_at(request.turn);
            while caches.len() <= asked {
                let blocks = Blocks::new(self, self.sizes.least_unlogged(), tools_tokens);
                caches.push(ModelCache::new(blocks));
            }
            let Some(cache) = caches.get_mut(asked) else { return };
            if cache.ledgers.is_empty() {
                cache.ledgers = tariff.ledgers(request.turn, pauses);
            }
            // Calls and their measures are in the same order.
            let call = match &request.call {
                Some(call) => calls.next().map(|measured| (call, measured)),
                None => None,
            };
            let sending = Sending { request, messages, replaced, sized, shared, output_tokens };
            self.send_request(cache, sending, call);
            let duration = pauses.while_answering(request.turn);
            for (number, cache) in caches.iter_mut().enumerate() {
                if number == asked { cache.sent() } else { cache.wait(duration, usize::MAX) }
            }
        });
        caches
    }

    /// Adds a request to its model's cache. If the strategy made its own call for the request, adds the call first.
    fn send_request(
        &self,
        cache: &mut ModelCache<'_>,
        sending: Sending<'_>,
        call: Option<(&StrategyCall<MessageId>, &MeasuredCall)>,
    ) {
        let Sending { request, messages, .. } = sending;
        let (mut kept, borders) =
            cache.blocks.cut_at(request.turn, &request.borders, cache.kept_messages, messages);
        let unlogged_tokens = self.sizes.unlogged(request.turn) - self.sizes.least_unlogged();
        // If another model got the previous request, this cache does not contain the prefix shared with it.
        let prefix_tokens = if cache.is_interrupted {
            cache.blocks.tokens(kept, unlogged_tokens)
        } else {
            sending.shared.tokens
        };
        // A call with reported usage has its own bill, and the state of its cache is unknown.
        if let Some((call, measured)) = call
            && call.usage.is_none()
        {
            let before = if cache.is_interrupted { Vec::new() } else { sending.messages_before() };
            self.add_call(cache, (call, measured), &before);
            // The ledger compares with the last entry, and this is the call. The request follows without a pause.
            (kept, cache.pause) = (0, 0);
        }
        let sent = Sent {
            blocks: &cache.blocks.blocks,
            kept,
            borders: &borders,
            unlogged_tokens,
            prefix_tokens,
            input_tokens: sending.sized.input_tokens,
            output_tokens: sending.output_tokens,
            pause: cache.pause,
            duration: self.sent.pauses.while_answering(request.turn),
        };
        for (_, ledger) in &mut cache.ledgers {
            ledger.add_request(sent);
        }
        cache.turns.push(request.turn);
    }

    /// Adds the bills of one column.
    fn add_bills(
        &self,
        run: &mut RunBills,
        caches: &[ModelCache<'_>],
        tariff: Tariff<'_>,
        column: usize,
        warm_system: bool,
    ) {
        let mut other_costs = OtherCosts::default();
        let mut bills: Vec<std::vec::IntoIter<Bill>> = Vec::with_capacity(caches.len());
        for cache in caches {
            let (of_cache, others) = cache.bills(tariff, column, self.sent.pauses, warm_system);
            bills.push(of_cache.into_iter());
            other_costs += others;
        }
        let mut calls = run.calls.iter_mut();
        for (request, of_request) in self.sent.requests.iter().zip(&mut run.requests) {
            // Calls and their measures are in the same order.
            let call = match &request.call {
                Some(call) => calls.next().map(|measured| (call, measured)),
                None => None,
            };
            let Some(price) = tariff.price(column, request.turn) else { continue };
            let Some(bills) = bills.get_mut(tariff.cache_at(request.turn)) else { continue };
            let mut cost_of_call = Money::default();
            if let Some((call, measured)) = call {
                let reported = call.usage.as_ref().map(|usage| usage.bill(price));
                if let Some(Bill { cost, .. }) = reported {
                    // Reported costs are the same under all assumptions.
                    other_costs += OtherCosts { cold: cost, warm: cost, naive: cost };
                }
                let Some(bill) = reported.or_else(|| bills.next()) else { break };
                cost_of_call = bill.cost;
                measured.bills.push(bill);
            }
            let Some(mut bill) = bills.next() else { break };
            bill.cost += cost_of_call;
            of_request.push(bill);
        }
        run.other_costs.push(other_costs);
    }

    /// Adds the strategy's own call to its model's cache. `before` are the messages of the model's previous request.
    fn add_call(
        &self,
        cache: &mut ModelCache<'_>,
        (call, measured): (&StrategyCall<MessageId>, &MeasuredCall),
        before: &[MessageId],
    ) {
        let tools_tokens = self.sent.tools_tokens;
        let (least_unlogged, turn) = (self.sizes.least_unlogged(), measured.turn);
        let unlogged = self.sizes.unlogged(turn);
        let shared = call.messages.iter().zip(before).take_while(|(now, before)| now == before).count();
        let prefix_tokens = match call.messages.get(..shared) {
            Some(shared) if call.goes_on && !shared.is_empty() => {
                self.sum_messages(shared, turn, unlogged.saturating_add(tools_tokens))
            }
            _ => 0,
        };
        // A separate call has neither the agent's system prompt nor its tools.
        let (start, tools, unlogged_tokens) =
            if call.goes_on { (least_unlogged, tools_tokens, unlogged - least_unlogged) } else { (0, 0, 0) };
        let mut blocks = Blocks::new(self, start, tools);
        let (_, borders) = blocks.cut_at(turn, &call.borders, 0, &call.messages);
        let sent = Sent {
            blocks: &blocks.blocks,
            kept: 0,
            borders: &borders,
            unlogged_tokens,
            prefix_tokens,
            input_tokens: measured.input_tokens,
            output_tokens: measured.output_tokens,
            pause: cache.pause,
            duration: 0,
        };
        for (_, ledger) in &mut cache.ledgers {
            ledger.add_request(sent);
        }
        cache.turns.push(turn);
    }

    /// The measures of the strategy's own calls, without bills.
    fn size_calls(&self) -> Vec<MeasuredCall> {
        let mut calls = Vec::new();
        for request in self.sent.requests.iter() {
            let Some(call) = &request.call else { continue };
            let turn = request.turn;
            let (input_tokens, output_tokens) = match &call.usage {
                Some(usage) => (usage.input_tokens, usage.output_tokens),
                None => {
                    let unlogged = self.sizes.unlogged(turn);
                    let start =
                        if call.goes_on { unlogged.saturating_add(self.sent.tools_tokens) } else { 0 };
                    let start = start.saturating_add(REQUEST_OVERHEAD);
                    (self.sum_messages(&call.messages, turn, start), call.output_tokens)
                }
            };
            calls.push(MeasuredCall { turn, input_tokens, output_tokens, bills: Vec::new() });
        }
        calls
    }

    /// Tokens of messages in the request before a turn, plus `more`.
    fn sum_messages(&self, messages: &[MessageId], turn: u32, more: u32) -> u32 {
        let mut sum = more;
        for id in messages {
            sum = sum.saturating_add(self.sizes.size_of(self.sent.table, *id, turn));
        }
        sum
    }
}

/// A request being billed.
#[derive(Clone, Copy)]
struct Sending<'s> {
    request: &'s SentRequest,
    /// All its messages.
    messages: &'s [MessageId],
    /// The messages of the previous request from the first difference on.
    replaced: &'s [MessageId],
    sized: &'s SizedRequest,
    shared: &'s Prefix,
    output_tokens: u32,
}

impl Sending<'_> {
    /// The messages of the previous request.
    fn messages_before(&self) -> Vec<MessageId> {
        self.messages.iter().take(self.request.kept()).chain(self.replaced).copied().collect()
    }
}
