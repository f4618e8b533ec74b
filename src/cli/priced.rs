//! The models whose prices an advice takes, and why: those of the command line, of a suite, or the one of the logs.

use super::error::CliError;
use super::suite::{kept_for, prices_named};
use ptc_tokens::{DEFAULT_MODELS, Price, PriceTable, TimeSpan, UnknownModel};

/// The models, the first of which decides.
pub(super) struct Priced {
    pub(super) models: Vec<Price>,
    /// The origin of the first one, with the sign before it: `, as in the logs`.
    origin: String,
}

/// Answers by the model that gave them.
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

    /// The prices of the model that gave most answers, or the reason why it has none. Of equal ones the first counts. Spellings
    /// of one model are counted together.
    fn most(&self, table: &PriceTable) -> Option<(Result<Price, UnknownModel>, u64)> {
        let mut priced: Vec<(Result<Price, UnknownModel>, u64)> = Vec::new();
        for (model, answers) in self.iter() {
            let price = table.find(model, table.day());
            match priced.iter_mut().find(|(known, _)| is_same(known, &price)) {
                Some((_, sum)) => *sum += answers,
                None => priced.push((price, answers)),
            }
        }
        // The last of equal ones is the greatest for `max_by_key`.
        priced.into_iter().rev().max_by_key(|(_, answers)| *answers)
    }
}

fn is_same(left: &Result<Price, UnknownModel>, right: &Result<Price, UnknownModel>) -> bool {
    match (left, right) {
        (Ok(left), Ok(right)) => left.model == right.model,
        (Err(left), Err(right)) => left.name == right.name,
        _ => false,
    }
}

impl Priced {
    /// The models that the command line names, or those of a suite.
    pub(super) fn named(table: &PriceTable, names: &[String], suite: &[String]) -> Result<Priced, CliError> {
        let (names, origin) =
            if names.is_empty() { (suite, "as in the suite") } else { (names, "as --model says") };
        Ok(Priced { models: prices_named(table, names)?, origin: format!(", {origin}") })
    }

    /// The model of most answers, if its prices are known, then the default ones.
    pub(super) fn of_logs(table: &PriceTable, answers: &Answers) -> Result<Priced, CliError> {
        let mut models = prices_named(table, &DEFAULT_MODELS.map(str::to_owned))?;
        let origin = match answers.most(table) {
            None => "; the logs do not say which model answered".to_owned(),
            Some((Err(unknown), _)) => {
                let nearest = match unknown.nearest.as_slice() {
                    [] => String::new(),
                    nearest => format!(", nearest: {}", nearest.join(", ")),
                };
                format!("; {} of the logs has no price here{nearest}", unknown.name)
            }
            Some((Ok(price), of_model)) => {
                models.retain(|named| named.model != price.model);
                models.insert(0, price);
                match answers.number() {
                    all if of_model < all => format!(", as in the logs ({of_model} of {all} answers)"),
                    _ => ", as in the logs".to_owned(),
                }
            }
        };
        Ok(Priced { models, origin })
    }

    /// The same models with caches that keep their entries for a time.
    pub(super) fn kept_for(self, ttl: Option<TimeSpan>) -> Priced {
        Priced { models: kept_for(self.models, ttl), ..self }
    }

    /// `prices: claude-sonnet-5-5 of 2026-10-07, as in the logs`
    pub(super) fn line(&self) -> Option<String> {
        let first = self.models.first()?;
        Some(format!("prices: {} of {}{}", first.model, first.date, self.origin))
    }
}
