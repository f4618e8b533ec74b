//! Predicts the cost of a run's requests under a provider's caching rules. Requests are added in order, since each may
//! fill the cache for the next.

use std::cmp::Reverse;
use std::ops::AddAssign;

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::money::Money;
use crate::prices::{CacheRule, PrefixRule, Price, Rates};
use crate::time_span::TimeSpan;

/// Grace period in milliseconds after the lifetime of a cache entry. Public sessions hit a 5-minute cache up to 302 seconds after the
/// write, and never from 313 seconds on.
pub const GRACE: u64 = 7_000;

/// A place in a request for a cache breakpoint, see [`Sent`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Border {
    /// After SYSTEM and the declared tools.
    System,
    /// After the opening, shared by all requests of a run.
    Opening,
    /// After the list of definitions.
    Definitions,
    /// After the user's messages and the answers to them.
    Conversation,
    /// After the list of calls.
    Calls,
    /// After the list of prints.
    Output,
    /// After the messages that do not change again.
    Settled,
    /// After the last message.
    Last,
    /// After the blocks shared with the previous request. The ledger adds it to each request that shares any.
    Shared,
}

/// A bit set of borders.
type Borders = u16;

/// Number of kinds of borders: those of [`Border`], and [`WARM`] as the last one.
const KINDS: usize = 10;
/// A cache breakpoint after SYSTEM, set by another client before the run began.
const WARM: Borders = 1 << (KINDS - 1);

impl Border {
    fn to_bit(self) -> Borders {
        1 << self as u8
    }
}

/// A request as sent to a provider, for [`Ledger::add_request`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Sent<'r> {
    /// An identifier and the token count of each block: a message, a part of one, or the declared tools. Equal blocks
    /// have equal identifiers. Tokens of the chat format are included.
    pub blocks: &'r [(u64, u32)],
    /// Number of leading blocks already known to equal those of the previous request; 0 if not compared yet.
    pub kept: usize,
    /// Each border with the number of blocks before it, from left to right.
    pub borders: &'r [(Border, usize)],
    /// Tokens before the first block, missing from the log. They are cached with the first block and never compared.
    pub unlogged_tokens: u32,
    /// Tokens of the prefix shared with the previous request.
    pub prefix_tokens: u32,
    /// Tokens of the whole request, including the chat format's start of the answer.
    pub input_tokens: u32,
    /// Tokens of the answer.
    pub output_tokens: u32,
    /// Milliseconds since the previous answer was complete.
    pub pause: u64,
    /// Milliseconds until this request's answer was complete.
    pub duration: u64,
}

/// Costs of one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bill {
    /// Input tokens read from the cache.
    pub cached_tokens: u32,
    /// Input tokens written to it.
    pub written_tokens: u32,
    /// Cost of the request and its answer.
    pub cost: Money,
}

/// Costs of the same requests under other assumptions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "costs of a run under other assumptions")]
pub struct OtherCosts {
    /// Nothing is cached before the run.
    pub cold: Money,
    /// SYSTEM and the declared tools are cached before the run.
    pub warm: Money,
    /// Only the ends of SYSTEM and of the last message are marked.
    pub naive: Money,
}

impl AddAssign for OtherCosts {
    fn add_assign(&mut self, other: OtherCosts) {
        self.cold += other.cold;
        self.warm += other.warm;
        self.naive += other.naive;
    }
}

/// The requests of one run, in order, with the state of the provider's cache.
///
/// ```
/// use ptc_prices::{Border, Ledger, PriceTable, Sent};
///
/// let prices = PriceTable::built_in()?;
/// let price = prices.find("claude-sonnet-4-5", prices.day())?;
/// let mut ledger = Ledger::new(price.ttl);
/// // The second request repeats the first block.
/// for blocks in [&[(1, 2_000)][..], &[(1, 2_000), (2, 500)]] {
///     let input_tokens = blocks.iter().map(|(_, tokens)| tokens).sum();
///     let borders = [(Border::Last, blocks.len())];
///     ledger.add_request(Sent { blocks, borders: &borders, input_tokens, ..Sent::default() });
/// }
/// let (bills, _) = ledger.bills(&price, false);
/// assert_eq!([bills[0].written_tokens, bills[1].cached_tokens], [2_000, 2_000]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Cache lifetime in milliseconds after the last use; `None` if nothing expires.
    ttl: Option<u64>,
    /// Milliseconds from the first request to the end of the newest answer.
    now: u64,
    /// The prefixes of the newest request, one per block, shortest first.
    starts: Vec<Start>,
    /// Prefixes of earlier requests by hash. The cache may still have them.
    kept: FxHashMap<u64, Kept>,
    /// For each kind of border: the prefixes of the newest request that end at such a border of any request, shortest
    /// first.
    places: [Vec<Place>; KINDS],
    requests: Vec<Entry>,
}

/// The prefix of a request up to the end of one block.
#[derive(Clone, Copy, Debug)]
struct Start {
    block: u64,
    hash: u64,
    tokens: u32,
}

/// A prefix that may be cached.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    /// Kinds of borders at its end, in any request so far.
    marked: Borders,
    /// End of the answer to the last request with this prefix. Set by the first request without it.
    used: u64,
}

/// A prefix ending at a border: its number of blocks, and its tokens.
type Place = (usize, u32);

/// All inputs of a request's bill except the price and the placement of cache breakpoints.
#[derive(Clone, Debug)]
struct Entry {
    /// Each border with the tokens before it, from left to right.
    borders: Vec<(Border, u32)>,
    /// Longest first.
    hits: Vec<Hit>,
    /// Tokens of the prefix already cached when a warm run begins.
    warm_tokens: u32,
    prefix_tokens: u32,
    input_tokens: u32,
    output_tokens: u32,
}

/// A prefix that a request may read from the cache. It ends at a border of an earlier request, at or before a border of
/// this one. For each kind of earlier border, the ledger keeps only the nearest.
#[derive(Clone, Copy, Debug)]
struct Hit {
    /// Both borders. The prefix is cached if the earlier one has a breakpoint, and found if the later one has a
    /// breakpoint.
    needs: Borders,
    /// Number of blocks between the two borders. Some providers limit it.
    back: u32,
    /// Tokens of the prefix.
    tokens: u32,
}

impl Ledger {
    /// An empty ledger. Without `ttl` nothing expires.
    pub fn new(ttl: Option<TimeSpan>) -> Ledger {
        Ledger { ttl: ttl.map(TimeSpan::milliseconds), ..Ledger::default() }
    }

    /// Adds the next request.
    pub fn add_request(&mut self, sent: Sent<'_>) {
        let shared = self.count_shared_blocks(&sent);
        self.truncate_newest(shared);
        let answered = self.now;
        self.now = self.now.saturating_add(sent.pause);
        let is_expired = self.has_expired(answered);
        if is_expired {
            // Nothing was used later than the previous request, so the whole cache has expired.
            self.kept = FxHashMap::default();
            self.places = Default::default();
        }
        for &(block, tokens) in sent.blocks.iter().skip(self.starts.len()) {
            self.push_block(block, tokens);
        }
        // Other clients keep sending SYSTEM, so in a warm run it is cached at the start and after each break.
        if (self.requests.is_empty() || is_expired)
            && let Some(&(_, blocks)) = sent.borders.iter().find(|(border, _)| *border == Border::System)
        {
            self.mark_border(blocks, WARM);
        }
        let borders = with_shared(sent.borders, shared);
        let (mut tokens_at, mut hits) = self.find_hits(&borders);
        for (_, tokens) in &mut tokens_at {
            *tokens = tokens.saturating_add(sent.unlogged_tokens);
        }
        for hit in &mut hits {
            hit.tokens = hit.tokens.saturating_add(sent.unlogged_tokens);
        }
        let warm_tokens = match self.places.last().and_then(|places| places.last()) {
            Some((_, tokens)) => tokens.saturating_add(sent.unlogged_tokens),
            None => 0,
        };
        self.requests.push(Entry {
            borders: tokens_at,
            hits,
            warm_tokens,
            prefix_tokens: if is_expired { 0 } else { sent.prefix_tokens },
            input_tokens: sent.input_tokens,
            output_tokens: sent.output_tokens,
        });
        for (border, blocks) in borders {
            self.mark_border(blocks, border.to_bit());
        }
        self.now = self.now.saturating_add(sent.duration);
    }

    /// Number of leading blocks equal to those of the newest request.
    fn count_shared_blocks(&self, sent: &Sent<'_>) -> usize {
        let mut shared = sent.kept;
        while let (Some(start), Some((block, _))) = (self.starts.get(shared), sent.blocks.get(shared))
            && start.block == *block
        {
            shared += 1;
        }
        shared
    }

    /// Appends a block to the newest request, and records the prefix up to there.
    fn push_block(&mut self, block: u64, block_tokens: u32) {
        let (hash, tokens) = self.starts.last().map_or((0, 0), |before| (before.hash, before.tokens));
        let hash = xxh3_64(&(u128::from(hash) << 64 | u128::from(block)).to_le_bytes());
        let tokens = tokens.saturating_add(block_tokens);
        self.starts.push(Start { block, hash, tokens });
        let marked = self.marks_at(hash);
        for (kind, places) in self.places.iter_mut().enumerate() {
            if marked >> kind & 1 != 0 {
                places.push((self.starts.len(), tokens));
            }
        }
    }

    /// Truncates the newest request to its first `length` blocks. The longer prefixes were last used when it was
    /// answered.
    fn truncate_newest(&mut self, length: usize) {
        for start in self.starts.drain(length.min(self.starts.len())..) {
            if let Some(kept) = self.kept.get_mut(&start.hash) {
                kept.used = self.now;
            }
        }
        for places in &mut self.places {
            places.truncate(places.partition_point(|(blocks, _)| *blocks <= length));
        }
    }

    /// Returns true if a prefix last used at this time has expired.
    fn has_expired(&self, used: u64) -> bool {
        self.ttl.is_some_and(|ttl| self.now.saturating_sub(used) > ttl)
    }

    /// Kinds of borders at the end of this prefix in earlier requests. Removes the prefix if it has expired.
    fn marks_at(&mut self, hash: u64) -> Borders {
        let Some(kept) = self.kept.get(&hash).copied() else { return 0 };
        if self.has_expired(kept.used) {
            self.kept.remove(&hash);
            return 0;
        }
        kept.marked
    }

    /// The bill of each request under the cheapest placement of cache breakpoints, and the costs under other
    /// assumptions. With `is_warm`, SYSTEM and the declared tools are already cached when the run begins.
    pub fn bills(&self, price: &Price, is_warm: bool) -> (Vec<Bill>, OtherCosts) {
        self.bills_at(&[(0, price)], is_warm)
    }

    /// Like [`Ledger::bills`], with prices that change during the run. Each comes with the index of its first request.
    pub fn bills_at(&self, prices: &[(usize, &Price)], is_warm: bool) -> (Vec<Bill>, OtherCosts) {
        let stretches = self.split_at_prices(prices);
        let Some(first) = stretches.first() else { return <(Vec<Bill>, OtherCosts)>::default() };
        let placements = self.list_placements(first.rule);
        let (cold, cold_placement) = find_cheapest(&stretches, &placements, 0);
        let (warm, warm_placement) = find_cheapest(&stretches, &placements, WARM);
        let (chosen, seeded) = if is_warm { (warm_placement, WARM) } else { (cold_placement, 0) };
        let naive = sum_costs(&stretches, Border::System.to_bit() | Border::Last.to_bit() | seeded);
        let mut bills = Vec::with_capacity(self.requests.len());
        for stretch in &stretches {
            bills.extend(stretch.make_bills(chosen));
        }
        (bills, OtherCosts { cold, warm, naive })
    }

    fn split_at_prices<'l>(&'l self, prices: &[(usize, &'l Price)]) -> Vec<Stretch<'l>> {
        let mut stretches = Vec::with_capacity(prices.len());
        let mut rest = self.requests.as_slice();
        let mut done = 0;
        for (index, (_, price)) in prices.iter().enumerate() {
            let end = match prices.get(index + 1) {
                Some((start, _)) => *start,
                None => self.requests.len(),
            };
            let (requests, others) = rest.split_at(end.saturating_sub(done).min(rest.len()));
            (rest, done) = (others, done + requests.len());
            stretches.push(Stretch { tariff: Tariff::of_price(price), rule: &price.cache, requests });
        }
        stretches
    }

    /// Candidates for the cheapest placement.
    fn list_placements(&self, rule: &CacheRule) -> Vec<Borders> {
        let (marks, last) = match (&rule.breakpoints, &rule.newest) {
            (Some(rule), _) => (rule.marks as usize, 0),
            (None, Some(rule)) => (rule.marks as usize, Border::Last.to_bit()),
            (None, None) => return vec![0],
        };
        let mut placements = self.declared_placements(marks, last);
        // The shared prefix ends left of a declared border in one request and right of it in the next, so its end needs
        // a breakpoint of its own. The first request shares nothing. Without a breakpoint at a declared border too,
        // none of it would be cached.
        if let Some(others) = marks.checked_sub(1) {
            for placement in self.declared_placements(others, last) {
                placements.push(placement | Border::Shared.to_bit());
            }
        }
        placements
    }

    /// Candidates for the cheapest placement at declared borders, each including `last`.
    // Everything up to the rightmost breakpoint is written anyway, so a breakpoint left of it is free and may be read
    // later. Hence only placements with all allowed breakpoints are tried.
    fn declared_placements(&self, marks: usize, last: Borders) -> Vec<Borders> {
        let order = self.borders_in_order(last | Border::Shared.to_bit());
        let mut placements = Vec::new();
        if last != 0 {
            for placement in list_subsets(&order, marks) {
                placements.push(placement | last);
            }
            return placements;
        }
        let Some(others) = marks.checked_sub(1) else { return placements };
        for (index, rightmost) in order.iter().enumerate() {
            for placement in list_subsets(&order[..index], others) {
                placements.push(placement | rightmost);
            }
        }
        placements
    }

    /// The borders of all requests, except those in `without`. Their order is that of the request with the most
    /// borders.
    fn borders_in_order(&self, without: Borders) -> Vec<Borders> {
        let most = self.requests.iter().max_by_key(|request| request.borders.len());
        let mut order: Vec<Borders> = Vec::new();
        for request in most.into_iter().chain(&self.requests) {
            for (border, _) in &request.borders {
                let bit = border.to_bit();
                if bit & without == 0 && !order.contains(&bit) {
                    order.push(bit);
                }
            }
        }
        order
    }

    /// Each border of a request with the tokens before it, and the prefixes it may read from the cache, longest first.
    fn find_hits(&self, borders: &[(Border, usize)]) -> (Vec<(Border, u32)>, Vec<Hit>) {
        let (mut tokens_at, mut hits) = (Vec::with_capacity(borders.len()), Vec::new());
        for &(border, blocks) in borders {
            let Some(start) = blocks.checked_sub(1).and_then(|last| self.starts.get(last)) else { continue };
            tokens_at.push((border, start.tokens));
            let nearest = self.places.each_ref().map(|places| {
                let after = places.partition_point(|(place, _)| *place <= blocks);
                places.get(..after).and_then(<[Place]>::last).copied()
            });
            let of_own_kind = nearest.get(border as usize).copied().flatten();
            let own_tokens = of_own_kind.map_or(0, |(_, tokens)| tokens);
            for (kind, place) in nearest.into_iter().enumerate() {
                let Some((at, tokens)) = place else { continue };
                // A prefix at an earlier border of the same kind needs no second breakpoint. Of the other kinds only
                // longer ones matter.
                if kind == border as usize || tokens > own_tokens {
                    hits.push(Hit { needs: border.to_bit() | 1 << kind, back: (blocks - at) as u32, tokens });
                }
            }
        }
        hits.sort_unstable_by_key(|hit| Reverse(hit.tokens));
        (tokens_at, hits)
    }

    /// Records a border of the newest request after this many blocks.
    fn mark_border(&mut self, blocks: usize, border: Borders) {
        if let Some(start) = blocks.checked_sub(1).and_then(|index| self.starts.get(index)) {
            self.kept.entry(start.hash).or_default().marked |= border;
            for (kind, places) in self.places.iter_mut().enumerate() {
                let at = places.partition_point(|(place, _)| *place < blocks);
                let is_known = places.get(at).is_some_and(|(place, _)| *place == blocks);
                if border >> kind & 1 != 0 && !is_known {
                    places.insert(at, (blocks, start.tokens));
                }
            }
        }
    }
}

/// The prices of a model as [`Money`] per token.
#[derive(Clone, Copy)]
struct Tariff {
    /// Prices of input, cache reads, cache writes and output.
    usual: [Money; 4],
    /// Most input tokens of a request at the usual prices.
    threshold: u32,
    above: [Money; 4],
}

/// Consecutive requests with the same prices.
struct Stretch<'l> {
    tariff: Tariff,
    rule: &'l CacheRule,
    requests: &'l [Entry],
}

impl Stretch<'_> {
    fn sum_cost(&self, placement: Borders) -> Money {
        let mut sums = [[0_u64; 4]; 2];
        for request in self.requests {
            let sums = &mut sums[usize::from(request.input_tokens > self.tariff.threshold)];
            let tokens = request.split_tokens(self.rule, placement);
            sums.iter_mut().zip(tokens).for_each(|(sum, tokens)| *sum += u64::from(tokens));
        }
        sum_products(self.tariff.usual, sums[0]) + sum_products(self.tariff.above, sums[1])
    }

    fn make_bills(&self, placement: Borders) -> impl Iterator<Item = Bill> {
        self.requests
            .iter()
            .map(move |request| request.make_bill(&self.tariff, request.split_tokens(self.rule, placement)))
    }
}

impl Tariff {
    fn of_price(price: &Price) -> Tariff {
        Tariff {
            usual: to_money(price.rates(0)),
            threshold: price.above.map_or(u32::MAX, |tier| tier.tokens),
            above: to_money(price.rates(u32::MAX)),
        }
    }
}

/// The prices of one token.
fn to_money(rates: Rates) -> [Money; 4] {
    [rates.input, rates.read, rates.write, rates.output].map(Money::of_token)
}

impl Price {
    /// The cost of `tokens`, part of a request with `input_tokens` in all. The counts are fresh tokens, those read from
    /// the cache, those written to it, and output.
    pub fn cost_of(&self, input_tokens: u32, tokens: [u64; 4]) -> Money {
        let tariff = Tariff::of_price(self);
        sum_products(if input_tokens > tariff.threshold { tariff.above } else { tariff.usual }, tokens)
    }

    /// Tokens of a request that the next one can read from the cache, if it begins with the same text and follows at
    /// once.
    pub fn readable_tokens(&self, input_tokens: u32, bill: &Bill) -> u32 {
        match self.cache.prefix {
            Some(rule) => prefix_cached(rule, input_tokens),
            None => bill.cached_tokens.saturating_add(bill.written_tokens).min(input_tokens),
        }
    }
}

impl Entry {
    /// Fresh tokens, tokens read from the cache, tokens written to it, and output tokens.
    fn split_tokens(&self, rule: &CacheRule, placement: Borders) -> [u32; 4] {
        let CacheRule { prefix, breakpoints, newest } = rule;
        let (cached, written) = match (prefix, breakpoints, newest) {
            (Some(rule), ..) => {
                let warm = if placement & WARM == 0 { 0 } else { self.warm_tokens };
                (prefix_cached(*rule, self.prefix_tokens.max(warm)), 0)
            }
            (None, Some(rule), _) => {
                self.count_marked(placement, known_or(rule.minimum, 0), rule.look_back.unwrap_or(u32::MAX))
            }
            (None, None, Some(rule)) => {
                self.count_marked(placement | Border::Last.to_bit(), known_or(rule.minimum, 0), u32::MAX)
            }
            (None, None, None) => (0, 0),
        };
        let fresh = self.input_tokens.saturating_sub(cached).saturating_sub(written);
        [fresh, cached, written, self.output_tokens]
    }

    fn make_bill(&self, tariff: &Tariff, tokens: [u32; 4]) -> Bill {
        let prices = if self.input_tokens > tariff.threshold { tariff.above } else { tariff.usual };
        let [_, cached_tokens, written_tokens, _] = tokens;
        Bill { cached_tokens, written_tokens, cost: sum_products(prices, tokens.map(u64::from)) }
    }

    /// Tokens read from and written to a cache with breakpoints.
    fn count_marked(&self, placement: Borders, minimum: u32, look_back: u32) -> (u32, u32) {
        let mut cached = 0;
        for hit in &self.hits {
            if hit.needs & !placement == 0 && hit.back <= look_back {
                cached = hit.tokens;
                break;
            }
        }
        let mut reach = 0;
        for (border, tokens) in &self.borders {
            if border.to_bit() & placement != 0 {
                reach = *tokens;
            }
        }
        if cached < minimum {
            cached = 0;
        }
        if reach < minimum {
            reach = 0;
        }
        (cached, reach.saturating_sub(cached))
    }
}

fn sum_products(prices: [Money; 4], tokens: [u64; 4]) -> Money {
    prices.iter().zip(tokens).map(|(price, tokens)| price.times(tokens)).sum()
}

/// A limit of a caching rule. Undocumented limits are assumed favourable, so costs are lower bounds.
fn known_or(number: Option<u32>, most_favourable: u32) -> u32 {
    number.unwrap_or(most_favourable)
}

fn prefix_cached(rule: PrefixRule, prefix_tokens: u32) -> u32 {
    let (minimum, step) = (known_or(rule.minimum, 0), known_or(rule.step, 1).max(1));
    match prefix_tokens.checked_sub(minimum) {
        Some(beyond) => minimum + beyond - beyond % step,
        None => 0,
    }
}

/// The borders of a request from left to right, including the end of the blocks shared with the previous request, if
/// any.
fn with_shared(borders: &[(Border, usize)], shared: usize) -> Vec<(Border, usize)> {
    let mut all = borders.to_vec();
    if shared > 0 {
        all.insert(all.partition_point(|(_, blocks)| *blocks <= shared), (Border::Shared, shared));
    }
    all
}

/// All subsets with `most` of the borders; the whole set if it has fewer.
fn list_subsets(borders: &[Borders], most: usize) -> Vec<Borders> {
    let size = most.min(borders.len()) as u32;
    let mut subsets = Vec::new();
    for choice in 0..1_u32 << borders.len() {
        if choice.count_ones() != size {
            continue;
        }
        let mut subset = 0;
        for (index, border) in borders.iter().enumerate() {
            if choice >> index & 1 != 0 {
                subset |= border;
            }
        }
        subsets.push(subset);
    }
    subsets
}

/// The cost of all requests under a placement of cache breakpoints.
fn sum_costs(stretches: &[Stretch<'_>], placement: Borders) -> Money {
    stretches.iter().map(|stretch| stretch.sum_cost(placement)).sum()
}

/// The lowest cost and its placement, each placement with the breakpoint `warm` added.
fn find_cheapest(stretches: &[Stretch<'_>], placements: &[Borders], warm: Borders) -> (Money, Borders) {
    let mut cheapest: Option<(Money, Borders)> = None;
    for placement in placements {
        let placement = placement | warm;
        let cost = sum_costs(stretches, placement);
        if cheapest.is_none_or(|(least, _)| cost < least) {
            cheapest = Some((cost, placement));
        }
    }
    // If a rule allows no breakpoints, there is no placement to choose from.
    cheapest.unwrap_or_else(|| (sum_costs(stretches, warm), warm))
}
