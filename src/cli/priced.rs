//! The models and prices for a recommendation, and their origin: the command line, a suite, or the logs.

use std::cmp::Reverse;
use std::path::Path;

use super::error::CliError;
use crate::measure::DatedPrices;
use crate::measure::numbers::grouped;
use crate::scenario::{Suite, extend_prices, files};
use ptc_prices::{DEFAULT_MODELS, Price, PriceTable, TimeSpan, UnknownModel, day_number};

/// The models with their prices. The first one decides.
pub(super) struct Priced {
    pub(super) models: Vec<Price>,
    /// The prices of logged answers, if each is priced by its own model. Answers of models without a price use the first one.
    pub(super) logged: Option<DatedPrices>,
    /// The origin of the first one, with punctuation before it: `, as in the logs`.
    origin: String,
}

/// The number of answers of each model.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    by_model: Vec<(String, u64)>,
}

impl Answers {
    pub(super) fn add(&mut self, model: &str, answers: u64) {
        match self.by_model.iter_mut().find(|(known, _)| known == model) {
            Some((_, sum)) => *sum += answers,
            None => self.by_model.push((model.to_owned(), answers)),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.by_model.iter().map(|(model, answers)| (model.as_str(), *answers))
    }

    fn number(&self) -> u64 {
        self.iter().map(|(_, answers)| answers).sum()
    }

    /// Looks up the price of each model, most answers first. Adds up the answers of different spellings of a model.
    fn priced(&self, table: &PriceTable, day: i64) -> Vec<PricedAnswers> {
        let mut priced: Vec<PricedAnswers> = Vec::new();
        for (model, answers) in self.iter() {
            let price = table.find(model, day);
            match priced.iter_mut().find(|(known, _)| is_same(known, &price)) {
                Some((_, sum)) => *sum += answers,
                None => priced.push((price, answers)),
            }
        }
        priced.sort_by_key(|(_, answers)| Reverse(*answers));
        priced
    }
}

/// The price of a model, or the lookup error, and the number of its answers.
type PricedAnswers = (Result<Price, UnknownModel>, u64);

fn is_same(left: &Result<Price, UnknownModel>, right: &Result<Price, UnknownModel>) -> bool {
    match (left, right) {
        (Ok(left), Ok(right)) => left.model == right.model,
        (Err(left), Err(right)) => left.name == right.name,
        _ => false,
    }
}

impl Priced {
    /// The models named on the command line.
    pub(super) fn of_command_line(models: &[Price]) -> Priced {
        Priced { models: models.to_vec(), logged: None, origin: ", chosen by --model".to_owned() }
    }

    /// The models of a suite, with prices for this cache time to live, or that of the suite.
    pub(super) fn of_suite(suite: &Suite, ttl: Option<TimeSpan>) -> Result<Priced, CliError> {
        let ttl = ttl.or(suite.ttl);
        let models = kept_for(prices_named(&suite.known.prices, &suite.models)?, ttl);
        let logged = logged_prices(suite, &[], ttl);
        Ok(Priced { models, logged, origin: ", as in the suite".to_owned() })
    }

    /// The model with the most answers, at the prices of the last day of the logs, if known, then the default models. `days` are the first
    /// and last day. `ttl` is the cache time to live of each answer, if it is not the one in its log.
    pub(super) fn of_logs(
        table: &PriceTable,
        answers: &Answers,
        days: Option<(i64, i64)>,
        ttl: Option<TimeSpan>,
    ) -> Result<Priced, CliError> {
        let mut models = prices_named(table, &DEFAULT_MODELS.map(str::to_owned))?;
        let day = days.map_or_else(|| table.day(), |(_, last)| last);
        let mut all = answers.priced(table, day).into_iter();
        let (are_logged, origin) = match all.next() {
            None => (false, "; the logs do not say which model answered".to_owned()),
            Some((Err(unknown), _)) => {
                let nearest = match unknown.nearest.as_slice() {
                    [] => String::new(),
                    nearest => format!(", nearest: {}", nearest.join(", ")),
                };
                (false, format!("; {} of the logs has no price here{nearest}", unknown.name))
            }
            Some((Ok(mut price), of_model)) => {
                // The price has changed since. Clear the date to avoid a warning.
                let ended = price.until.take_if(|until| day_number(until) <= Some(table.day()));
                let held = ended.map_or(String::new(), |day| format!(", which held until {day}"));
                let since = days.filter(|(first, _)| {
                    table.find(&price.model, *first).is_ok_and(|before| before.from != price.from)
                });
                let each = since.map_or("", |_| ", each answer at the price of its day");
                let others = others(&all.collect::<Vec<_>>());
                models.retain(|named| named.model != price.model);
                models.insert(0, price);
                let of_all = match answers.number() {
                    all if of_model < all => format!(" ({} of {} answers)", grouped(of_model), grouped(all)),
                    _ => String::new(),
                };
                (true, format!("{held}, as in the logs{of_all}{each}{others}"))
            }
        };
        let logged = are_logged.then(|| DatedPrices::new(table.clone(), ttl, table.day()));
        Ok(Priced { models, logged, origin })
    }

    /// The same models, with prices for this cache time to live.
    pub(super) fn kept_for(self, ttl: Option<TimeSpan>) -> Priced {
        Priced { models: kept_for(self.models, ttl), ..self }
    }

    /// `prices: claude-sonnet-5-5 of 2026-10-07, as in the logs`
    pub(super) fn line(&self) -> Option<String> {
        let first = self.models.first()?;
        Some(format!("prices: {} of {}{}", first.model, first.date, self.origin))
    }
}

/// The most other models to list by name.
const NAMED: usize = 3;

/// `; claude-haiku-4-5 (20) at its own; foo (3), without a price here, at the same`: the models of the other answers, with their prices.
fn others(models: &[PricedAnswers]) -> String {
    let mut with_price: Vec<(&str, u64)> = Vec::new();
    let mut without: Vec<(&str, u64)> = Vec::new();
    for (price, answers) in models {
        match price {
            Ok(price) => with_price.push((&price.model, *answers)),
            Err(unknown) => without.push((&unknown.name, *answers)),
        }
    }
    let mut text = match with_price.len() {
        0 => String::new(),
        1 => format!("; {} at its own", listed(&with_price)),
        _ => format!("; {} at their own", listed(&with_price)),
    };
    if !without.is_empty() {
        text += &format!("; {}, without a price here, at the same", listed(&without));
    }
    text
}

/// `claude-haiku-4-5 (20), foo (3), 2 more`: models and their numbers of answers.
fn listed(models: &[(&str, u64)]) -> String {
    let first = models.iter().take(NAMED).map(|(name, answers)| format!("{name} ({})", grouped(*answers)));
    let more = models.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("{more} more"));
    first.chain(more).collect::<Vec<_>>().join(", ")
}

/// The built-in prices, replaced and extended by those of a file.
pub(super) fn price_table(file: Option<&Path>) -> Result<PriceTable, CliError> {
    let mut table = PriceTable::built_in()?;
    if let Some(path) = file {
        let text = files::read_to_string(path)
            .map_err(|error| CliError::UnreadablePrices { path: path.to_owned(), error })?;
        extend_prices(&mut table, &path.display().to_string(), &text)?;
    }
    Ok(table)
}

/// The prices of each logged answer, if the suite asks for them and the user names no model.
pub(super) fn logged_prices(suite: &Suite, models: &[String], ttl: Option<TimeSpan>) -> Option<DatedPrices> {
    let table = &suite.known.prices;
    let is_wanted = suite.logged_prices && models.is_empty();
    is_wanted.then(|| DatedPrices::new(table.clone(), ttl, table.day()))
}

/// Finds the prices of models by name, without duplicates.
pub(super) fn prices_named(table: &PriceTable, names: &[String]) -> Result<Vec<Price>, CliError> {
    let (mut prices, day): (Vec<Price>, i64) = (Vec::with_capacity(names.len()), table.day());
    for name in names {
        let price = table.find(name, day)?;
        if prices.iter().all(|known| known.model != price.model) {
            prices.push(price);
        }
    }
    Ok(prices)
}

/// The prices for a cache with this time to live, for models with such a price. Other prices stay unchanged.
pub(super) fn kept_for(prices: Vec<Price>, ttl: Option<TimeSpan>) -> Vec<Price> {
    let Some(ttl) = ttl else { return prices };
    prices.into_iter().map(|price| price.kept_for(ttl).unwrap_or(price)).collect()
}
