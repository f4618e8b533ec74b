//! The prices of the models in a log, on the day of each answer.

use std::sync::{Arc, PoisonError, RwLock};

use ecow::EcoString;
use rustc_hash::FxHashMap;

use ptc_prices::{GRACE, HourOfWeek, Price, PriceTable, ReadGrid, Terms, TimeSpan};

/// The model of an answer, and the [`Terms`] for its price.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnsweredBy {
    /// The name as spelt in the log.
    pub model: EcoString,
    /// Days since 1970-01-01. `None` if the log has no time.
    pub day: Option<i64>,
    /// The hour of the week. `None` if the log has no time.
    pub hour: Option<HourOfWeek>,
    /// The service tier. `None` for the standard tier.
    pub tier: Option<EcoString>,
    /// The location of the model, such as `us`.
    pub geography: Option<EcoString>,
    /// True if the log wrote most of its cache entries with a lifetime of one hour.
    pub is_kept_for_hour: bool,
    /// The grid of the model's cache reads in the log.
    pub read_grid: Option<ReadGrid>,
    /// The longest pause in seconds after which the model's cache was still read in the log.
    pub survived: Option<u32>,
}

impl AnsweredBy {
    /// The conditions for its price.
    pub fn terms(&self) -> Terms<'_> {
        Terms { tier: self.tier.as_deref(), geography: self.geography.as_deref(), hour: self.hour }
    }
}

/// The prices of models on any day, from a [`PriceTable`].
pub struct DatedPrices {
    table: PriceTable,
    /// Time to live of cache entries. `None` to use the one in the log.
    ttl: Option<TimeSpan>,
    /// The day of answers without a date in their log.
    day: i64,
    /// Cached lookups.
    known: RwLock<FxHashMap<AnsweredBy, Option<Arc<Price>>>>,
}

impl DatedPrices {
    /// Uses the prices of a table. `ttl` replaces the lifetime of cache entries in the log, and `day` is the day of answers
    /// without a date.
    pub fn new(table: PriceTable, ttl: Option<TimeSpan>, day: i64) -> DatedPrices {
        DatedPrices { table, ttl, day, known: RwLock::default() }
    }

    /// The price of a model on the day of an answer; `None` if unknown.
    fn find_price(&self, answered_by: &AnsweredBy) -> Option<Arc<Price>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).get(answered_by).cloned();
        if let Some(known) = known {
            return known;
        }
        let price = self.look_up(answered_by);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(answered_by.clone(), price.clone());
        price
    }

    fn look_up(&self, answered_by: &AnsweredBy) -> Option<Arc<Price>> {
        let day = answered_by.day.unwrap_or(self.day);
        let price = self.table.find(&answered_by.model, day).ok()?.on(&answered_by.terms());
        let mut price = match answered_by.read_grid {
            Some(grid) => grid.apply_to(price),
            None => price,
        };
        let ttl_of_log = match price.long {
            Some(long) if answered_by.is_kept_for_hour => Some(long.ttl),
            _ => None,
        };
        if let Some(ttl) = self.ttl.or(ttl_of_log) {
            price = price.kept_for(ttl).unwrap_or(price);
        }
        if let (Some(survived), None) = (answered_by.survived, self.ttl) {
            price = kept_as_read(price, survived);
        }
        Some(Arc::new(price))
    }
}

/// Returns true if an entry was read later (in seconds) than this lifetime allows.
fn outlives(survived: u32, ttl: TimeSpan) -> bool {
    u64::from(survived) * 1000 > ttl.milliseconds() + GRACE
}

/// A price with the cache lifetime that the log's reads prove: the model's longer lifetime, or else the pause that was survived. The price
/// of writes stays, because a log without lifetimes is billed for the shorter one.
fn kept_as_read(price: Price, survived: u32) -> Price {
    match price.ttl {
        Some(ttl) if outlives(survived, ttl) => {}
        _ => return price,
    }
    let ttl = match price.long {
        Some(long) if !outlives(survived, long.ttl) => Some(long.ttl),
        _ => TimeSpan::of_seconds(survived),
    };
    Price { ttl, ..price }
}

/// The [`Price`] of each turn of a log.
#[derive(Clone, Debug)]
pub struct LoggedPrices {
    /// Indexed by turn; never empty.
    turns: Vec<LoggedTurn>,
}

/// The price of one turn.
#[derive(Clone, Debug)]
struct LoggedTurn {
    /// Index of the model's cache.
    cache: usize,
    price: Arc<Price>,
}

impl LoggedPrices {
    /// The prices of a log's turns. A turn without a model has the model of the previous turn. A model without a price
    /// costs `otherwise`. `None` if all turns have this price.
    pub fn of_turns(
        answered_by: &[Option<AnsweredBy>],
        prices: &DatedPrices,
        otherwise: &Price,
    ) -> Option<LoggedPrices> {
        let mut answering = answered_by.iter().flatten().next()?;
        let otherwise = Arc::new(otherwise.clone());
        let mut caches: Vec<String> = Vec::new();
        let mut newest = priced_turn(answering, prices, &otherwise, &mut caches);
        let mut turns: Vec<LoggedTurn> = Vec::with_capacity(answered_by.len());
        for by in answered_by {
            if let Some(by) = by
                && by != answering
            {
                answering = by;
                newest = priced_turn(by, prices, &otherwise, &mut caches);
            }
            turns.push(newest.clone());
        }
        let has_other = turns.iter().any(|turn| turn.cache > 0 || turn.price != otherwise);
        if has_other { Some(LoggedPrices { turns }) } else { None }
    }

    /// The price of a turn's request.
    pub(crate) fn price_at(&self, turn: u32) -> Option<&Price> {
        self.at(turn).map(|turn| &*turn.price)
    }

    /// Index of the cache used by a turn's request.
    pub(crate) fn cache_at(&self, turn: u32) -> usize {
        self.at(turn).map_or(0, |turn| turn.cache)
    }

    fn at(&self, turn: u32) -> Option<&LoggedTurn> {
        self.turns.get((turn as usize).saturating_sub(1)).or(self.turns.last())
    }
}

/// A turn with the price of its model. `caches` has a name for each cache; models don't share one.
fn priced_turn(
    by: &AnsweredBy,
    prices: &DatedPrices,
    otherwise: &Arc<Price>,
    caches: &mut Vec<String>,
) -> LoggedTurn {
    let price = prices.find_price(by);
    let model = match &price {
        Some(price) => price.model.as_str(),
        None => by.model.as_str(),
    };
    let cache = match caches.iter().position(|known| known == model) {
        Some(cache) => cache,
        None => {
            caches.push(model.to_owned());
            caches.len() - 1
        }
    };
    LoggedTurn { cache, price: price.unwrap_or_else(|| Arc::clone(otherwise)) }
}
