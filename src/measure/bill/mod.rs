//! Costs of the requests of a strategy.

mod blocks;
mod closing;
mod model_cache;

use super::logged_prices::Tariff;
use super::measured::{MeasuredCall, MeasuredRequest, MeasuredRun};
use super::prefix::Prefix;
use super::sizes::{SizedRequest, Sizes};
use crate::agent::Pauses;
use crate::compression::StrategyCall;
use blocks::Blocks;
use conversation::{MessageId, Table};
use history_strategies::{Requests, SentRequest};
use model_cache::ModelCache;
use ptc_prices::{Bill, Money, OtherCosts, Sent};
use ptc_tokens::REQUEST_OVERHEAD;

pub use closing::{InputDollars, close};

/// A strategy's requests with their sizes, ready for billing.
pub struct Charged<'c> {
    pub table: &'c Table,
    pub requests: &'c Requests,
    pub sizes: &'c Sizes,
    pub sized: &'c [SizedRequest],
    pub pauses: &'c Pauses,
}

/// The prefixes of requests, as input for billing.
#[derive(Clone, Copy)]
pub struct Starts<'s> {
    /// Each request's prefix shared with the previous request.
    pub shared: &'s [Prefix],
    /// Tokens of the tool declarations.
    pub tools_tokens: u32,
}

impl Charged<'_> {
    /// Adds the bills of the tariff's columns to the requests of the run.
    pub fn charge(&self, run: &mut MeasuredRun, tariff: Tariff<'_>, starts: Starts<'_>, warm_system: bool) {
        let columns = tariff.columns();
        if columns == 0 {
            return;
        }
        let mut caches = self.fill_caches(run, tariff, starts);
        for column in 0..columns {
            self.add_bills(run, &mut caches, tariff, column, warm_system);
        }
    }

    /// Simulates the cache of each model over all requests. Indexed by the tariff's cache number.
    fn fill_caches(&self, run: &MeasuredRun, tariff: Tariff<'_>, starts: Starts<'_>) -> Vec<ModelCache<'_>> {
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
            self.send_request(cache, sending, call, starts.tools_tokens);
            let duration = self.pauses.while_answering(measured.turn);
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
        tools_tokens: u32,
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
        if let Some((call, measured)) = call.filter(|(call, _)| call.usage.is_none()) {
            let before = if cache.is_interrupted { Vec::new() } else { sending.messages_before() };
            self.add_call(cache, (call, measured), &before, tools_tokens);
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
            output_tokens: sending.measured.output_tokens,
            pause: cache.pause,
            duration: self.pauses.while_answering(sending.measured.turn),
        };
        cache.ledgers.iter_mut().for_each(|(_, ledger)| ledger.add_request(sent));
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
                // Reported costs are the same under all assumptions.
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

    /// Adds the strategy's own call to its model's cache. `before` are the messages of the model's previous request.
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
        // A separate call has neither the agent's system prompt nor its tools.
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
        cache.ledgers.iter_mut().for_each(|(_, ledger)| ledger.add_request(sent));
        cache.turns.push(turn);
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
    measured: &'s MeasuredRequest,
    sized: &'s SizedRequest,
    shared: &'s Prefix,
}

impl Sending<'_> {
    /// The messages of the previous request.
    fn messages_before(&self) -> Vec<MessageId> {
        self.messages.iter().take(self.request.kept()).chain(self.replaced).copied().collect()
    }
}

/// The measures of the strategy's own calls, without bills.
pub fn calls(table: &Table, requests: &Requests, sizes: &Sizes, tools_tokens: u32) -> Vec<MeasuredCall> {
    let mut calls = Vec::new();
    for request in requests.iter() {
        let Some(call) = &request.call else { continue };
        let turn = request.turn;
        let (input_tokens, output_tokens) = match &call.usage {
            Some(usage) => (usage.input_tokens, usage.output_tokens),
            None => {
                let start = if call.goes_on { sizes.unlogged(turn).saturating_add(tools_tokens) } else { 0 };
                let start = start.saturating_add(REQUEST_OVERHEAD);
                (tokens_of(table, sizes, (&call.messages, turn), start), call.output_tokens)
            }
        };
        calls.push(MeasuredCall { turn, input_tokens, output_tokens, bills: Vec::new() });
    }
    calls
}

/// Tokens of messages in the request before a turn, plus `more`.
fn tokens_of(table: &Table, sizes: &Sizes, (messages, turn): (&[MessageId], u32), more: u32) -> u32 {
    messages.iter().fold(more, |sum, id| sum.saturating_add(sizes.of(table, *id, turn)))
}
