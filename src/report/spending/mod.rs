//! Spending read from logs: tokens read from caches, written and sent afresh, the cost of cache misses, and the cost
//! with another cache lifetime.

mod breaks;
mod other_models;
mod parts;
mod text;
mod unlogged;
mod unmarked;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::log_bills::call_dollars::{KnownPrices, summary_calls, terms};
use crate::log_bills::misses::lifetime;
use agent_logs::{LogTime, Transcript, TranscriptUsage};
use conversation_bills::CallDollars;
use ptc_prices::{Price, PriceTable, TimeSpan, date_of_day};

pub use crate::log_bills::misses::{BilledRequest, MissCause, billed_requests};
pub use breaks::{BreakSaving, LEFT_BY_COMPACTION};
pub use other_models::{OtherModel, OtherModels};
pub use parts::MoneyParts;
pub use text::miss_words;
pub use unlogged::{UncountedOutput, UnloggedCalls};
use unmarked::MarkedCache;
pub use unmarked::UnmarkedCache;

/// Milliseconds between keep-alive requests: a minute less than the short cache lifetime.
const KEEP_ALIVE: u64 = 240_000;
/// The short cache lifetime in milliseconds.
const SHORT: u64 = 300_000;

/// Sums over the billed requests of models with a known price. Money is in dollars.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spending {
    pub requests: u64,
    pub read: u64,
    pub written: u64,
    pub fresh: u64,
    /// The cost of all input, and of all output with a known size.
    pub billed: f64,
    /// Requests without an output count in the log.
    pub without_output: u64,
    /// Estimated cost of their output.
    pub uncounted_output: UncountedOutput,
    /// Calls missing from the logs: those that wrote summaries, and those visible only in later cache reads.
    pub unlogged_summaries: UnloggedCalls,
    pub unlogged_calls: UnloggedCalls,
    pub causes: BTreeMap<MissCause, Missed>,
    /// The cost by use.
    pub parts: MoneyParts,
    /// The cost by model, and by day for requests with a time.
    pub by_model: BTreeMap<String, f64>,
    pub by_day: BTreeMap<i64, f64>,
    /// The saving of a compaction before each break.
    pub breaks: BreakSaving,
    /// The saving of cache breakpoints where there are none.
    pub unmarked: UnmarkedCache,
    /// The requests of subagents.
    pub subagents: SubagentSpending,
    /// Change of the cost if everything written with the short cache lifetime had been written with the long one.
    pub with_long: Option<WhatIf>,
    /// Change of the cost in the opposite case.
    pub with_short: Option<WhatIf>,
    /// Change of the cost with a keep-alive request every four minutes, as long as these cost less than writing the
    /// cache again.
    pub with_keep_alive: Option<f64>,
    /// System prompt lines that changed between requests, by their text before the first digit. Lines with the same key
    /// count as one.
    moved: BTreeMap<String, MovedLine>,
    /// The cost of the same requests with other models.
    pub others: OtherModels,
    /// Terms of calls without a known price, such as `tier turbo of gpt-5.5`, with the number of calls.
    pub unknown_terms: BTreeMap<String, u64>,
    /// Dollars billed at unconfirmed prices, by model.
    pub unconfirmed: BTreeMap<String, f64>,
    /// Requests with a miss cause, or the absence of a miss, reported by the provider.
    pub told: u64,
    /// Requests among them for which times and bills alone lead to the same result.
    pub agreeing: u64,
}

/// Spending of subagents: agents started by other agents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubagentSpending {
    pub calls: usize,
    /// Dollars.
    pub billed: f64,
    /// The cost of the same requests with other models.
    pub others: OtherModels,
    /// Their part of [`Spending::with_long`], in dollars.
    pub with_long: f64,
}

/// The same requests with another cache lifetime.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WhatIf {
    pub ttl: TimeSpan,
    pub instead_of: TimeSpan,
    /// Change of the cost in dollars.
    pub change: f64,
}

/// A system prompt line that changes between the requests of a conversation, so everything after it misses the cache.
#[derive(Clone, Debug, PartialEq)]
pub struct MovedLine {
    /// Its text before the first change.
    pub line: String,
    /// Dollars saved if the line came after the conversation, where nothing follows it.
    pub saved: f64,
}

/// The cache misses of one cause, and their cost above that of cache reads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Missed {
    pub requests: u64,
    pub tokens: u64,
    pub cost: f64,
    /// The shortest and the longest pause before these requests, in milliseconds.
    pub pauses: Option<(u64, u64)>,
}

/// The prices of one request, in dollars per token.
#[derive(Clone, Copy)]
struct Rates {
    input: f64,
    read: f64,
    write: f64,
    write_long: f64,
    output: f64,
}

/// Finds the price of a call by model, day and terms.
#[derive(Default)]
pub struct ModelPrices {
    table: PriceTable,
    known: KnownPrices,
    others: Rc<[Price]>,
}

impl ModelPrices {
    pub fn of(table: PriceTable) -> ModelPrices {
        let today = date_of_day(table.day());
        // Assumed prices or caching rules are too weak a basis for advice.
        let mut others = Vec::new();
        for price in table.rows_on(&today) {
            if price.confidence.as_deref() == Some("sure") && price.ttl.is_some() {
                others.push(price.clone());
            }
        }
        ModelPrices { table, known: KnownPrices::default(), others: others.into() }
    }

    /// Prices of all models with a sure price and caching rule, on the newest day of the table.
    fn other_prices(&self) -> &[Price] {
        &self.others
    }

    /// The price of a call on its terms; `None` if unknown.
    fn of_call(&mut self, usage: &TranscriptUsage, time: Option<LogTime>) -> Option<Price> {
        self.known.of_call(&self.table, usage, time)
    }

    /// Dollars billed for a call; 0 if the model has no price.
    pub fn dollars(&mut self, usage: &TranscriptUsage, time: Option<LogTime>) -> f64 {
        self.known.dollars(&self.table, usage, time).map_or(0.0, CallDollars::total)
    }
}

/// Dollars billed for each request of a transcript, in order: 0 for copied requests, and no entry if the model has no
/// price.
pub fn request_costs(transcript: &Transcript, prices: &mut ModelPrices) -> Vec<f64> {
    let mut costs = Vec::new();
    for request in &billed_requests(transcript, |_| None) {
        if request.usage.copied_from.is_some() {
            costs.push(0.0);
        } else if prices.of_call(request.usage, request.time).is_some() {
            costs.push(prices.dollars(request.usage, request.time));
        }
    }
    costs
}

impl Spending {
    /// Adds the requests of a transcript, except those of models without a price.
    pub fn add(&mut self, transcript: &Transcript, prices: &mut ModelPrices) {
        let requests = billed_requests(transcript, |request| {
            let price = prices.of_call(request.usage, request.time)?;
            lifetime(&price, request)
        });
        let is_subagent = matches!(&transcript.source, Some(source) if source.is_subagent);
        let mut keeps_long = false;
        let mut priced = Vec::with_capacity(requests.len());
        let mut caches = Vec::with_capacity(requests.len());
        for (index, request) in requests.iter().enumerate() {
            // The session it was copied from has paid for it.
            if request.usage.copied_from.is_some() {
                continue;
            }
            let Some(price) = prices.of_call(request.usage, request.time) else { continue };
            let price = &price;
            self.add_terms(request, price);
            let billed = prices.dollars(request.usage, request.time);
            self.billed += billed;
            *self.by_model.entry(price.model.clone()).or_default() += billed;
            if let Some(time) = request.time {
                *self.by_day.entry(time.day()).or_default() += billed;
            }
            self.others.add_request(request, price, prices);
            if is_subagent {
                self.subagents.calls += 1;
                self.subagents.billed += billed;
                self.subagents.others.add_request(request, price, prices);
            }
            if let (Some(line), Some(MissCause::System)) = (request.changed_line, request.cause) {
                self.move_line(&MovedLine {
                    line: line.to_owned(),
                    saved: Rates::of(price, request).miss_cost(request),
                });
            }
            let rates = Rates::of(price, request);
            priced.push((request, rates));
            caches.push(MarkedCache::of(price));
            if is_without_output(request) {
                self.uncounted_output.add_answer(transcript, (request, &rates), requests.get(index + 1));
            }
            if price.cache.breakpoints.is_some() {
                self.unlogged_calls.add_call_before(request, &rates);
            }
            if !price.is_confirmed() && request.usage.cost.is_none() {
                *self.unconfirmed.entry(price.model.clone()).or_default() += billed;
            }
            self.add_request(request, (rates, billed), price.cache.minimum());
            let kept_long = keeps_long;
            if request.written() > 0 {
                keeps_long = request.written_for_hour() > 0;
            }
            let with_long = change_of(self.with_long);
            self.add_what_ifs(request, price, rates, kept_long);
            if is_subagent {
                self.subagents.with_long += change_of(self.with_long) - with_long;
            }
            if !kept_long && price.ttl.map(TimeSpan::milliseconds) == Some(SHORT) {
                self.keep_alive(request, rates);
                if index + 1 == requests.len() {
                    // A keep-alive cannot know that no request follows.
                    let left = request.read() + request.written();
                    *self.with_keep_alive.get_or_insert(0.0) +=
                        rates.most_pings() as f64 * left as f64 * rates.read;
                }
            }
        }
        self.unlogged_summaries.add_summaries(transcript, &priced);
        self.unmarked.add(&priced, &caches);
        // A subagent gets no messages of people.
        if !is_subagent {
            self.breaks.add_requests(&priced);
        }
        for (usage, time) in summary_calls(transcript) {
            self.add_summary(&usage, time, prices);
        }
    }

    /// Adds the call that wrote a summary.
    fn add_summary(&mut self, usage: &TranscriptUsage, time: Option<LogTime>, prices: &mut ModelPrices) {
        let billed = prices.dollars(usage, time);
        self.billed += billed;
        self.parts.summaries += billed;
        if let Some(model) = &usage.model {
            let row = match prices.of_call(usage, time) {
                Some(price) => price.model,
                None => model.clone(),
            };
            *self.by_model.entry(row).or_default() += billed;
        }
        if let Some(time) = time {
            *self.by_day.entry(time.day()).or_default() += billed;
        }
    }

    /// Counts the terms of a call without a known price.
    fn add_terms(&mut self, request: &BilledRequest<'_>, price: &Price) {
        let usage = request.usage;
        for unknown in terms(usage, request.time).unknown_terms(price) {
            *self.unknown_terms.entry(format!("{unknown} of {}", price.model)).or_default() += 1;
        }
        if usage.cost.is_some() {
            return;
        }
        if usage.web_searches.is_some() && price.web_search.is_none() {
            *self.unknown_terms.entry(format!("web searches of {}", price.model)).or_default() += 1;
        }
        for kind in usage.server_tools.keys() {
            if !price.server_tools.contains_key(kind) {
                *self.unknown_terms.entry(format!("{kind} of {}", price.model)).or_default() += 1;
            }
        }
    }

    /// Adds a request. `minimum` is the fewest tokens that its provider caches.
    fn add_request(&mut self, request: &BilledRequest<'_>, (rates, billed): (Rates, f64), minimum: u32) {
        self.requests += 1;
        self.parts.add_request(request, &rates, billed);
        self.read += request.read();
        self.written += request.written();
        self.fresh += request.fresh();
        self.without_output += u64::from(is_without_output(request));
        self.told += u64::from(request.agrees.is_some());
        self.agreeing += u64::from(request.agrees == Some(true));
        let is_first = request.cause == Some(MissCause::FirstRequest);
        if request.missed == 0 || !is_first && request.cached_before < u64::from(minimum) {
            return;
        }
        let cause = request.cause.unwrap_or(MissCause::NotKept);
        let pauses = request.pause.zip(request.pause);
        let missed = Missed { requests: 1, tokens: request.missed, cost: rates.miss_cost(request), pauses };
        self.causes.entry(cause).or_default().add_misses(&missed);
    }

    /// Adds the request's change of cost with the other cache lifetime.
    fn add_what_ifs(&mut self, request: &BilledRequest<'_>, price: &Price, rates: Rates, kept_long: bool) {
        let (Some(short), Some(long)) = (price.ttl, price.long) else { return };
        let between = short.milliseconds()..=long.ttl.milliseconds();
        let was_between = matches!(request.pause, Some(pause) if between.contains(&pause));
        let rise = rates.write_long - rates.write;
        let for_short = request.written() - request.written_for_hour();
        let missed =
            if was_between && request.cause == Some(MissCause::Expired) { request.missed } else { 0 };
        let read_instead = if kept_long { 0 } else { missed.min(for_short) };
        let longer =
            (for_short - read_instead) as f64 * rise - read_instead as f64 * (rates.write - rates.read);
        let lost = if was_between && kept_long && missed == 0 {
            request.read().min(request.cached_before)
        } else {
            0
        };
        let shorter = lost as f64 * (rates.write - rates.read) - request.written_for_hour() as f64 * rise;
        let (with_long, with_short) = (&mut self.with_long, &mut self.with_short);
        if for_short > 0 {
            let what_if = WhatIf { ttl: long.ttl, instead_of: short, change: 0.0 };
            with_long.get_or_insert(what_if).change += longer;
        }
        if request.written_for_hour() > 0 || lost > 0 {
            let what_if = WhatIf { ttl: short, instead_of: long.ttl, change: 0.0 };
            with_short.get_or_insert(what_if).change += shorter;
        }
    }

    /// Adds the cost of keep-alive requests in the pause before a request, minus the cost of a miss that they prevent.
    fn keep_alive(&mut self, request: &BilledRequest<'_>, rates: Rates) {
        let Some(pause) = request.pause else { return };
        if pause <= KEEP_ALIVE {
            return;
        }
        let pings = (pause / KEEP_ALIVE).min(rates.most_pings());
        let is_alive = pause <= pings * KEEP_ALIVE + SHORT;
        let cost = pings as f64 * request.cached_before as f64 * rates.read;
        let saved = if is_alive && request.cause == Some(MissCause::Expired) {
            rates.miss_cost(request)
        } else {
            0.0
        };
        *self.with_keep_alive.get_or_insert(0.0) += cost - saved;
    }

    /// Adds the cost of a changed line.
    fn move_line(&mut self, other: &MovedLine) {
        match self.moved.get_mut(&other.text_before_digits()) {
            Some(moved) => moved.saved += other.saved,
            None => drop(self.moved.insert(other.text_before_digits(), other.clone())),
        }
    }

    /// The changing system prompt line with the highest cost.
    pub fn moved(&self) -> Option<&MovedLine> {
        self.moved.values().max_by(|left, right| left.saved.total_cmp(&right.saved))
    }

    pub fn merge(&mut self, other: &Spending) {
        self.requests += other.requests;
        self.read += other.read;
        self.written += other.written;
        self.fresh += other.fresh;
        self.billed += other.billed;
        self.without_output += other.without_output;
        self.uncounted_output.merge(other.uncounted_output);
        self.unlogged_summaries.merge(other.unlogged_summaries);
        self.unlogged_calls.merge(other.unlogged_calls);
        self.told += other.told;
        self.agreeing += other.agreeing;
        self.others.merge_models(&other.others);
        self.parts.merge(&other.parts);
        self.breaks.merge_saving(other.breaks);
        self.unmarked.merge(other.unmarked);
        self.subagents.calls += other.subagents.calls;
        self.subagents.billed += other.subagents.billed;
        self.subagents.with_long += other.subagents.with_long;
        self.subagents.others.merge_models(&other.subagents.others);
        for moved in other.moved.values() {
            self.move_line(moved);
        }
        for (model, dollars) in &other.by_model {
            *self.by_model.entry(model.clone()).or_default() += dollars;
        }
        for (day, dollars) in &other.by_day {
            *self.by_day.entry(*day).or_default() += dollars;
        }
        for (terms, calls) in &other.unknown_terms {
            *self.unknown_terms.entry(terms.clone()).or_default() += calls;
        }
        for (model, dollars) in &other.unconfirmed {
            *self.unconfirmed.entry(model.clone()).or_default() += dollars;
        }
        for (cause, missed) in &other.causes {
            self.causes.entry(*cause).or_default().add_misses(missed);
        }
        for (own, others) in
            [(&mut self.with_long, other.with_long), (&mut self.with_short, other.with_short)]
        {
            if let Some(others) = others {
                own.get_or_insert(WhatIf { change: 0.0, ..others }).change += others.change;
            }
        }
        if let Some(change) = other.with_keep_alive {
            *self.with_keep_alive.get_or_insert(0.0) += change;
        }
    }

    pub fn input(&self) -> u64 {
        self.read + self.written + self.fresh
    }

    /// Misses by cause, except those of first requests, most expensive first.
    pub fn misses(&self) -> Vec<(MissCause, Missed)> {
        let mut misses = Vec::new();
        for (cause, missed) in &self.causes {
            if *cause != MissCause::FirstRequest {
                misses.push((*cause, *missed));
            }
        }
        misses.sort_by(|(_, one), (_, other)| other.cost.total_cmp(&one.cost));
        misses
    }

    /// Returns true if some prices are unknown or unconfirmed.
    pub fn is_uncertain(&self) -> bool {
        !self.unknown_terms.is_empty() || !self.unconfirmed.is_empty()
    }

    /// The cost of all [`Spending::misses`] above that of cache reads.
    pub fn lost(&self) -> f64 {
        self.misses().iter().map(|(_, missed)| missed.cost).sum()
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn change_of(what_if: Option<WhatIf>) -> f64 {
    match what_if {
        Some(what_if) => what_if.change,
        None => 0.0,
    }
}

/// Returns true if the log has neither an output count nor a cost.
fn is_without_output(request: &BilledRequest<'_>) -> bool {
    request.usage.output_tokens.is_none() && request.usage.cost.is_none()
}

impl MovedLine {
    /// The text before the first digit, such as `Now: `. If the line begins with a digit, all characters except digits.
    fn text_before_digits(&self) -> String {
        match self.line.find(is_digit) {
            Some(0) => self.line.replace(is_digit, ""),
            Some(digit) => self.line[..digit].to_owned(),
            None => self.line.clone(),
        }
    }
}

impl Missed {
    fn add_misses(&mut self, other: &Missed) {
        self.requests += other.requests;
        self.tokens += other.tokens;
        self.cost += other.cost;
        self.pauses = match (self.pauses, other.pauses) {
            (Some((least, most)), Some((less, more))) => Some((least.min(less), most.max(more))),
            (own, others) => own.or(others),
        };
    }
}

impl Rates {
    fn of(price: &Price, request: &BilledRequest<'_>) -> Rates {
        let rates = price.rates(u32::try_from(request.input()).unwrap_or(u32::MAX));
        // All prices of large requests rise by the same factor.
        let rise = if price.input > 0.0 { rates.input / price.input } else { 1.0 };
        let write_long = match price.long {
            Some(long) => long.write * rise,
            None => rates.write,
        };
        Rates {
            input: rates.input / 1e6,
            read: rates.read / 1e6,
            write: rates.write / 1e6,
            write_long: write_long / 1e6,
            output: rates.output / 1e6,
        }
    }

    /// The cost of all input not read from the cache.
    fn beside_read(&self, request: &BilledRequest<'_>) -> f64 {
        let for_short = request.written() - request.written_for_hour();
        request.fresh() as f64 * self.input
            + for_short as f64 * self.write
            + request.written_for_hour() as f64 * self.write_long
    }

    /// The cost of the missed tokens above that of reading them from the cache.
    fn miss_cost(&self, request: &BilledRequest<'_>) -> f64 {
        let beside = request.input() - request.read();
        let paid = if beside == 0 { 0.0 } else { self.beside_read(request) / beside as f64 };
        request.missed as f64 * (paid - self.read)
    }

    /// The most keep-alive requests that cost no more than writing the cache again.
    fn most_pings(&self) -> u64 {
        if self.read > 0.0 { ((self.write - self.read) / self.read) as u64 } else { 0 }
    }
}
