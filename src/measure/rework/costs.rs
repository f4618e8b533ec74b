//! Costs of re-reading lost results, and of the compactions that lost them.

use std::ops::AddAssign;

use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agent::LoggedCompaction;
use crate::measure::measured::MeasuredRun;
use agent_logs::CompactionKind;
use conversation::MessageId;
use conversation_bills::{RunPrices, SizedRun};
use history_evidence::refetches::{Calls, Refetch};
use history_strategies::SentRequest;
use ptc_prices::{Bill, CacheRule, Money, Price};

/// Sums over the compactions of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "calls that shorten a history")]
pub struct CompactionCosts {
    /// Calls that wrote a summary.
    pub calls: u64,
    /// Those of them with a bill in the log.
    pub billed: u64,
    /// Those of them without a summary in the log; their output is not counted.
    pub without_output: u64,
    /// Tokens of the requests after a compaction that are not new, and do not stand where they stood before.
    pub rewritten_tokens: u64,
}

/// Costs of rework with one model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "costs of rework")]
pub struct ReworkCosts {
    /// Of calls that fetched again what was gone: the answers, their results, and carrying these.
    #[schemars(with = "String")]
    pub refetched: Money,
    /// Of the tokens that compactions rewrote.
    #[schemars(with = "String")]
    pub rewritten: Money,
    /// Of the calls that wrote the summaries. Where the log has no bill, if the history was read from the cache,
    #[schemars(with = "String")]
    pub calls_least: Money,
    /// and if it was not.
    #[schemars(with = "String")]
    pub calls_most: Money,
}

impl AddAssign for CompactionCosts {
    fn add_assign(&mut self, other: CompactionCosts) {
        self.calls += other.calls;
        self.billed += other.billed;
        self.without_output += other.without_output;
        self.rewritten_tokens += other.rewritten_tokens;
    }
}

impl AddAssign for ReworkCosts {
    fn add_assign(&mut self, other: ReworkCosts) {
        self.refetched += other.refetched;
        self.rewritten += other.rewritten;
        self.calls_least += other.calls_least;
        self.calls_most += other.calls_most;
    }
}

impl ReworkCosts {
    /// Lower bound for compactions: the summary calls and the rewritten tokens.
    pub fn compactions_least(&self) -> Money {
        self.calls_least + self.rewritten
    }

    /// Upper bound for compactions.
    pub fn compactions_most(&self) -> Money {
        self.calls_most + self.rewritten
    }
}

/// The parts of requests caused by calls that re-read lost results.
pub struct Carried {
    /// Turns with only such calls: their whole request counts.
    whole: FxHashSet<u32>,
    /// For each other turn, the number of such calls and of all calls in its answer.
    parts: FxHashMap<u32, (u64, u64)>,
    /// The messages added by such calls.
    messages: FxHashSet<MessageId>,
}

impl Carried {
    pub fn of_calls(gone: &[&(Refetch, MessageId)], calls: &Calls) -> Carried {
        let mut again: FxHashMap<u32, u64> = FxHashMap::default();
        let mut messages: FxHashSet<MessageId> = FxHashSet::default();
        for (refetch, message) in gone {
            *again.entry(refetch.turn).or_default() += 1;
            messages.insert(*message);
        }
        let (mut whole, mut parts) = (FxHashSet::default(), FxHashMap::default());
        for (turn, again) in again {
            let Some(of_turn) = calls.of_turn(turn) else { continue };
            let all = of_turn.calls.len() as u64;
            if again < all {
                parts.insert(turn, (again, all));
                continue;
            }
            whole.insert(turn);
            messages.extend(of_turn.messages.first());
        }
        Carried { whole, parts, messages }
    }

    /// The cost of these calls with the model at index `model`.
    pub fn sum_costs(
        &self,
        run: &MeasuredRun,
        sized: &SizedRun<'_>,
        (model, prices): (usize, RunPrices<'_>),
    ) -> Money {
        let mut positions = Positions::default();
        let mut measured = run.requests.iter().zip(&sized.requests);
        let costs = sized.sent.requests.map(|request, messages, _| {
            let Some((measured, size)) = measured.next() else { return Money::default() };
            positions.send_request(size.kept_as_large, messages, |id| {
                (sized.sizes.size_of(sized.sent.table, id, request.turn), self.messages.contains(&id))
            });
            let before = sized.sizes.unlogged(request.turn).saturating_add(sized.sent.tools_tokens);
            let price = prices.price(model, request.turn);
            let (Some(bill), Some(price)) = (measured.bills.get(model), price) else {
                return Money::default();
            };
            if self.whole.contains(&request.turn) {
                return bill.cost;
            }
            let (again, all) = self.parts.get(&request.turn).copied().unwrap_or((0, 1));
            let output = u64::from(measured.output_tokens) * again / all;
            let reach = bill.cached_tokens.saturating_add(bill.written_tokens);
            let [read, reached, every] = [bill.cached_tokens, reach, u32::MAX]
                .map(|tokens| positions.carried_tokens(tokens.saturating_sub(before)));
            price.cost_of(measured.input_tokens, [every - reached, read, reached - read, output])
        });
        costs.into_iter().sum()
    }
}

/// The messages of the newest request, as prefix sums.
#[derive(Default)]
struct Positions {
    /// For each message, the tokens up to its end, in total and from re-reading.
    ends: Vec<(u32, u64)>,
}

impl Positions {
    /// Adds the next request. Its first `kept` messages are unchanged from the previous request, size included.
    fn send_request(&mut self, kept: usize, messages: &[MessageId], of: impl Fn(MessageId) -> (u32, bool)) {
        self.ends.truncate(kept);
        for id in messages.iter().skip(kept) {
            let (end, carried) = self.ends.last().copied().unwrap_or((0, 0));
            let (tokens, is_carried) = of(*id);
            let more = if is_carried { u64::from(tokens) } else { 0 };
            self.ends.push((end.saturating_add(tokens), carried + more));
        }
    }

    /// Tokens from re-reading among the first `tokens` of the request. Only complete messages count.
    fn carried_tokens(&self, tokens: u32) -> u64 {
        let after = self.ends.partition_point(|(end, _)| *end <= tokens);
        let Some(last) = after.checked_sub(1) else { return 0 };
        self.ends.get(last).map_or(0, |(_, carried)| *carried)
    }
}

/// The compactions of a run with their sizes.
pub struct Events(Vec<Event>);

struct Event {
    /// Index of the first request after the compaction.
    request: usize,
    /// Uncached tokens of this request, except new ones: text moved or replaced by the compaction.
    rewritten: u64,
    /// Cache writes of this request, if billed.
    written: Option<u64>,
    call: Option<Call>,
}

/// A call that wrote a summary.
enum Call {
    /// A call with a bill in the log: tokens of the whole input, cache reads, cache writes and output.
    Billed([u64; 4]),
    /// A call without a bill: tokens of the previous request, of the messages after it, and of the summary.
    Silent { before: u64, after: u64, output: Option<u64> },
}

impl Events {
    pub fn of_run(
        run: &MeasuredRun,
        compactions: &[LoggedCompaction],
        calls: &Calls,
        sized: &SizedRun<'_>,
    ) -> Events {
        let requests: Vec<&SentRequest> = sized.sent.requests.iter().collect();
        let mut events: Vec<Event> = Vec::with_capacity(compactions.len());
        for compaction in compactions {
            let turns = compaction.turns;
            let request = requests.get(turns);
            let newest = match calls.of_turn(turns as u32) {
                Some(turn) => &turn.messages[..],
                None => &[],
            };
            let (mut new, mut new_and_sent) = (0, 0);
            for id in newest {
                let tokens = u64::from(sized.sizes.size_of(sized.sent.table, *id, turns as u32 + 1));
                new += tokens;
                if let Some(request) = request
                    && request.added().any(|added| added == *id)
                {
                    new_and_sent += tokens;
                }
            }
            let is_counted = events.last().is_some_and(|event| event.request == turns);
            let rewritten = match (run.requests.get(turns), request) {
                // A request is rewritten once, by however many compactions.
                _ if is_counted => 0,
                (Some(measured), Some(_)) => {
                    let counted = u64::from(measured.input_tokens.saturating_sub(measured.prefix_tokens));
                    // If the log starts in the middle, it lacks most of the cleared text. The bill includes it.
                    let uncached = match compaction.uncached {
                        Some([all, _]) => all,
                        None => counted,
                    };
                    uncached.saturating_sub(new_and_sent)
                }
                // A compaction after the last request rewrites nothing.
                _ => 0,
            };
            let written = compaction.uncached.map(|[_, written]| written);
            let before = turns.checked_sub(1).and_then(|last| run.requests.get(last));
            let call = match before {
                Some(before) => summary_call(compaction, u64::from(before.input_tokens), new, &|text| {
                    u64::from(sized.sizes.scaled(sized.sent.tokenizer.count(text), turns as u32))
                }),
                None => None,
            };
            events.push(Event { request: turns, rewritten, written, call });
        }
        Events(events)
    }

    pub fn sums(&self) -> CompactionCosts {
        let mut costs = CompactionCosts::default();
        for event in &self.0 {
            costs.rewritten_tokens += event.rewritten;
            let Some(call) = &event.call else { continue };
            costs.calls += 1;
            costs.billed += u64::from(matches!(call, Call::Billed(_)));
            costs.without_output += u64::from(matches!(call, Call::Silent { output: None, .. }));
        }
        costs
    }

    /// The costs with the model at index `model`. `refetched` is the cost of re-reading.
    pub fn sum_costs(
        &self,
        run: &MeasuredRun,
        (model, prices): (usize, RunPrices<'_>),
        refetched: Money,
    ) -> ReworkCosts {
        let mut costs = ReworkCosts { refetched, ..ReworkCosts::default() };
        for event in &self.0 {
            let Some(price) = prices.price(model, event.request as u32 + 1) else { continue };
            let has_cache = price.cache != CacheRule::default();
            if let Some(request) = run.requests.get(event.request)
                && has_cache
            {
                let written = match request.bills.get(model) {
                    // Models without cache writes charge everything as plain input.
                    None | Some(Bill { written_tokens: 0, .. }) => 0,
                    Some(bill) => event.written.unwrap_or(bill.written_tokens.into()),
                };
                let written = written.min(event.rewritten);
                costs.rewritten +=
                    price.cost_of(request.input_tokens, [event.rewritten - written, 0, written, 0]);
            }
            if let Some(call) = &event.call {
                let [least, most] = call.cost_range(price, has_cache);
                costs.calls_least += least;
                costs.calls_most += most;
            }
        }
        costs
    }
}

/// The summary call of a compaction. `None` if the compaction needs no call.
fn summary_call(
    compaction: &LoggedCompaction,
    before: u64,
    after: u64,
    count: &dyn Fn(&str) -> u64,
) -> Option<Call> {
    let logged = &compaction.logged;
    if !matches!(logged.kind, CompactionKind::Summary | CompactionKind::Opaque) {
        return None;
    }
    if let Some(usage) = &logged.usage
        && let Some(input) = usage.input_tokens
    {
        let read = usage.cached_tokens.unwrap_or(0);
        let written = usage.cache_write_tokens.unwrap_or(0);
        return Some(Call::Billed([input, read, written, usage.output_tokens.unwrap_or(0)]));
    }
    let output = match &logged.text {
        Some(text) => Some(count(text)),
        None => logged.tokens,
    };
    Some(Call::Silent { before, after, output })
}

impl Call {
    /// Lower and upper bound of the cost: with the history read from the cache, and without.
    fn cost_range(&self, price: &Price, has_cache: bool) -> [Money; 2] {
        match *self {
            Call::Billed([input, read, written, output]) => {
                let fresh = input.saturating_sub(read).saturating_sub(written);
                [price.cost_of(as_u32(input), [fresh, read, written, output]); 2]
            }
            Call::Silent { before, after, output } => {
                let (input, output) = (before + after, output.unwrap_or(0));
                let most = price.cost_of(as_u32(input), [input, 0, 0, output]);
                let read = price.cost_of(as_u32(input), [after, before, 0, output]);
                [if has_cache { read } else { most }, most]
            }
        }
    }
}

fn as_u32(tokens: u64) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}
