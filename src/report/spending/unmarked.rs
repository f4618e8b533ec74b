//! The saving of cache breakpoints in conversations without any, where the provider caches nothing else.

use super::Rates;
use crate::log_bills::call_dollars::has_cache_counts;
use crate::log_bills::misses::BilledRequest;
use ptc_prices::{GRACE, Price, TimeSpan};

/// The saving of a cache breakpoint at the end of each request, by the rules of the price table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UnmarkedCache {
    /// Requests of conversations that neither read nor wrote the cache.
    pub requests: u64,
    /// Dollars.
    pub saved: f64,
}

/// A cache that needs breakpoints.
#[derive(Clone, Copy)]
pub(super) struct MarkedCache {
    /// Fewest tokens of a cached prefix.
    minimum: u64,
    /// Milliseconds after which an entry expires.
    lifetime: u64,
}

impl MarkedCache {
    /// `None` if the provider caches without breakpoints, or for an unknown time.
    pub(super) fn of(price: &Price) -> Option<MarkedCache> {
        price.cache.breakpoints.as_ref()?;
        let lifetime = price.ttl.map(TimeSpan::milliseconds)? + GRACE;
        Some(MarkedCache { minimum: price.cache.minimum().into(), lifetime })
    }
}

impl UnmarkedCache {
    /// Adds the requests of one conversation, in order, with their prices and caches.
    pub(super) fn add(&mut self, requests: &[(&BilledRequest<'_>, Rates)], caches: &[Option<MarkedCache>]) {
        for (request, _) in requests {
            if !has_cache_counts(request.usage) || request.read() + request.written() > 0 {
                return;
            }
        }
        let mut before: Option<&BilledRequest<'_>> = None;
        for ((request, rates), cache) in requests.iter().zip(caches) {
            let Some(cache) = cache else { return };
            let input = request.input();
            let is_kept = request.foreseen.is_none()
                && request.changed_line.is_none()
                && request.pause.is_none_or(|pause| pause <= cache.lifetime);
            let cached = before.filter(|_| is_kept).map_or(0, BilledRequest::input);
            let read = if cached < cache.minimum { 0 } else { cached.min(input) };
            self.requests += 1;
            if input >= cache.minimum {
                let fresh = (input - read) as f64 * (rates.write - rates.input);
                self.saved += read as f64 * (rates.input - rates.read) - fresh;
            }
            before = Some(request);
        }
    }

    pub(super) fn merge(&mut self, other: UnmarkedCache) {
        self.requests += other.requests;
        self.saved += other.saved;
    }
}
