//! The models whose prices an advice takes, and why: those of the command line, of a suite, or the one of the logs.

use super::error::CliError;
use super::suite::prices_named;
use ptc_tokens::{DEFAULT_MODELS, Price, PriceTable};

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

    /// The model of most answers, the first of several.
    fn most(&self) -> Option<&str> {
        let most = self.by_model.iter().rev().max_by_key(|(_, answers)| answers)?;
        Some(&most.0)
    }

    /// `, as in the logs`; with the share of the model where others answered too.
    fn origin(&self, model: &str) -> String {
        let all: u64 = self.iter().map(|(_, answers)| answers).sum();
        let own: u64 = self.iter().filter(|(name, _)| *name == model).map(|(_, answers)| answers).sum();
        let share = if own == all { String::new() } else { format!(" ({own} of {all} answers)") };
        format!(", as in the logs{share}")
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
        let origin = match answers.most().map(|model| (model, table.find(model, table.day()))) {
            None => "; the logs do not say which model answered".to_owned(),
            Some((model, Err(unknown))) => {
                let nearest = match unknown.nearest.as_slice() {
                    [] => String::new(),
                    nearest => format!(", nearest: {}", nearest.join(", ")),
                };
                format!("; {model} of the logs has no price here{nearest}")
            }
            Some((model, Ok(price))) => {
                models.retain(|other| other.model != price.model);
                models.insert(0, price.clone());
                answers.origin(model)
            }
        };
        Ok(Priced { models, origin })
    }

    /// `prices: claude-sonnet-5-5 of 2026-10-07, as in the logs`
    pub(super) fn line(&self) -> Option<String> {
        let first = self.models.first()?;
        Some(format!("prices: {} of {}{}", first.model, first.date, self.origin))
    }
}
