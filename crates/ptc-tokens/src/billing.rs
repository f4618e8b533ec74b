//! Costs of the requests of a run under a provider's caching rules. Requests are charged in order, since each
//! may be cached for the next.

use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use super::money::Money;
use super::prices::{BreakpointRule, PrefixRule, Price};

/// A request as a provider sees it.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'r> {
    /// A number and the tokens of each message, [`MESSAGE_OVERHEAD`](crate::MESSAGE_OVERHEAD) included. Equal
    /// messages have equal numbers.
    pub messages: &'r [(u32, u32)],
    /// Tokens at the start that the request before began with too.
    pub prefix_tokens: u32,
    /// Tokens of the whole request, [`REQUEST_OVERHEAD`](crate::REQUEST_OVERHEAD) included.
    pub input_tokens: u32,
    /// Tokens of the answer.
    pub output_tokens: u32,
}

/// Costs of one request.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Bill {
    /// Input tokens read from the cache.
    pub cached_tokens: u32,
    /// Input tokens written to it.
    pub written_tokens: u32,
    /// Cost of the request and its answer.
    pub cost: Money,
}

/// Charges the requests of one run, in order.
pub struct Ledger<'p> {
    price: &'p Price,
    /// Hashes of the starts of requests that the provider has cached.
    written: FxHashSet<u64>,
}

impl<'p> Ledger<'p> {
    /// A ledger for a run that has sent no request yet.
    pub fn new(price: &'p Price) -> Ledger<'p> {
        Ledger { price, written: FxHashSet::default() }
    }

    /// The bill for the next request.
    pub fn charge(&mut self, request: Sent<'_>) -> Bill {
        let price = self.price;
        let (cached, written) = match (&price.cache.prefix, &price.cache.breakpoints) {
            (Some(rule), _) => (prefix_cached(*rule, request.prefix_tokens), 0),
            (None, Some(rule)) => self.breakpoints(rule, request.messages),
            (None, None) => (0, 0),
        };
        let cached_tokens = cached.min(request.input_tokens);
        let written_tokens = written.min(request.input_tokens - cached_tokens);
        let fresh = request.input_tokens - cached_tokens - written_tokens;
        let at = |tokens: u32, price| Money::of_tokens(u64::from(tokens), price);
        let cost = at(fresh, price.input)
            + at(cached_tokens, price.read)
            + at(written_tokens, price.write.unwrap_or(price.input))
            + at(request.output_tokens, price.output);
        Bill { cached_tokens, written_tokens, cost }
    }

    /// Tokens read from and written to the cache.
    fn breakpoints(&mut self, rule: &BreakpointRule, messages: &[(u32, u32)]) -> (u32, u32) {
        let starts = starts(messages);
        let marks: Vec<usize> = rule.at.iter().filter_map(|&at| position(at, starts.len())).collect();
        let looked_up = |mark: usize| {
            let from = rule.look_back.map_or(0, |back| mark.saturating_sub(back as usize));
            starts.get(from..=mark).unwrap_or_default().iter()
        };
        let hits = marks.iter().flat_map(|&mark| looked_up(mark));
        let hits = hits.filter(|(start, _)| self.written.contains(start)).map(|(_, tokens)| *tokens);
        let cached = hits.max().unwrap_or(0);
        let marked = marks.iter().filter_map(|&mark| starts.get(mark));
        let kept: Vec<(u64, u32)> = marked.filter(|(_, tokens)| *tokens >= rule.minimum).copied().collect();
        let reach = kept.iter().map(|(_, tokens)| *tokens).max().unwrap_or(0);
        self.written.extend(kept.iter().map(|(start, _)| *start));
        (cached, reach.saturating_sub(cached))
    }
}

fn prefix_cached(rule: PrefixRule, prefix_tokens: u32) -> u32 {
    match prefix_tokens.checked_sub(rule.minimum) {
        Some(beyond) => rule.minimum + beyond - beyond % rule.step.max(1),
        None => 0,
    }
}

/// The index of the message that a breakpoint names, if there is one.
fn position(at: i32, messages: usize) -> Option<usize> {
    let distance = at.unsigned_abs() as usize;
    if at < 1 {
        return messages.checked_sub(distance);
    }
    distance.checked_sub(1).filter(|&index| index < messages)
}

/// For each message, the hash and the tokens of the start that ends with it.
fn starts(messages: &[(u32, u32)]) -> Vec<(u64, u32)> {
    let (mut start, mut tokens) = (0_u64, 0_u32);
    let extended = messages.iter().map(|(message, size)| {
        start = xxh3_64(&(u128::from(start) << 32 | u128::from(*message)).to_le_bytes());
        tokens = tokens.saturating_add(*size);
        (start, tokens)
    });
    extended.collect()
}
