//! The prices of the models in a log, on the day of each answer.

use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::scenario::bills::AnsweredBy;
use ptc_prices::{GRACE, Price, PriceTable, TimeSpan};

/// The prices of models on any day.
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
    pub fn new(table: PriceTable, ttl: Option<TimeSpan>, day: i64) -> DatedPrices {
        DatedPrices { table, ttl, day, known: RwLock::default() }
    }

    /// The price of a model on the day of an answer; `None` if unknown.
    fn of(&self, answered_by: &AnsweredBy) -> Option<Arc<Price>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).get(answered_by).cloned();
        known.unwrap_or_else(|| {
            let price = self.look_up(answered_by);
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            known.insert(answered_by.clone(), price.clone());
            price
        })
    }

    fn look_up(&self, answered_by: &AnsweredBy) -> Option<Arc<Price>> {
        let day = answered_by.day.unwrap_or(self.day);
        let price = self.table.find(&answered_by.model, day).ok()?.on(&answered_by.terms());
        let mut price = match answered_by.read_grid {
            Some(grid) => grid.applied(price),
            None => price,
        };
        let ttl_of_log = if answered_by.is_kept_for_hour { price.long.map(|long| long.ttl) } else { None };
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

/// A price whose cache lives as long as the log's reads prove: the model's longer lifetime, or else the pause that was survived. Writes cost
/// what they were billed at, because a log without lifetimes bills the shorter one.
fn kept_as_read(price: Price, survived: u32) -> Price {
    if !price.ttl.is_some_and(|ttl| outlives(survived, ttl)) {
        return price;
    }
    let ttl = match price.long {
        Some(long) if !outlives(survived, long.ttl) => Some(long.ttl),
        _ => TimeSpan::of_seconds(survived),
    };
    Price { ttl, ..price }
}

/// The price of each turn of a log.
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
            if let Some(by) = by.as_ref().filter(|by| *by != answering) {
                answering = by;
                newest = priced_turn(by, prices, &otherwise, &mut caches);
            }
            turns.push(newest.clone());
        }
        let has_other = turns.iter().any(|turn| turn.cache > 0 || turn.price != otherwise);
        has_other.then_some(LoggedPrices { turns })
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
    let price = prices.of(by);
    let model = price.as_ref().map_or(by.model.as_str(), |price| price.model.as_str());
    let cache = match caches.iter().position(|known| known == model) {
        Some(cache) => cache,
        None => {
            caches.push(model.to_owned());
            caches.len() - 1
        }
    };
    LoggedTurn { cache, price: price.unwrap_or_else(|| Arc::clone(otherwise)) }
}

/// The prices of some columns of a report.
#[derive(Clone, Copy)]
pub enum Tariff<'t> {
    /// One column per model. The model gets all requests.
    Models(&'t [Price]),
    /// One column. Each request has the price of the model in the log.
    Logged(&'t LoggedPrices),
}

impl<'t> Tariff<'t> {
    pub fn columns(self) -> usize {
        match self {
            Tariff::Models(models) => models.len(),
            Tariff::Logged(_) => 1,
        }
    }

    /// The price of a turn's request in a column.
    pub fn price(self, column: usize, turn: u32) -> Option<&'t Price> {
        match self {
            Tariff::Models(models) => models.get(column),
            Tariff::Logged(logged) => logged.at(turn).map(|turn| &*turn.price),
        }
    }

    /// Index of the cache used by a turn's request.
    pub fn cache_at(self, turn: u32) -> usize {
        match self {
            Tariff::Models(_) => 0,
            Tariff::Logged(logged) => logged.at(turn).map_or(0, |turn| turn.cache),
        }
    }
}

/// The prices of all columns of a report for one run.
#[derive(Clone, Copy)]
pub struct RunPrices<'p> {
    pub models: &'p [Price],
    /// The prices of the first column, if they vary by turn.
    pub logged: Option<&'p LoggedPrices>,
}

impl<'p> RunPrices<'p> {
    /// The columns, grouped by shared caches, in order.
    pub fn tariffs(self) -> impl Iterator<Item = Tariff<'p>> {
        let others =
            if self.logged.is_some() { self.models.get(1..).unwrap_or_default() } else { self.models };
        self.logged.map(Tariff::Logged).into_iter().chain([Tariff::Models(others)])
    }

    /// The price of a turn's request in a column.
    pub fn price(self, column: usize, turn: u32) -> Option<&'p Price> {
        match self.logged {
            Some(logged) if column == 0 => Tariff::Logged(logged).price(column, turn),
            _ => self.models.get(column),
        }
    }

    /// The prices of a turn's request, one per column.
    pub fn at(self, turn: u32) -> impl Iterator<Item = &'p Price> {
        (0..self.models.len()).filter_map(move |column| self.price(column, turn))
    }
}
