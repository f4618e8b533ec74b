//! Columns of prices, and the model's price in each for a request.

use crate::logged_prices::LoggedPrices;
use ptc_prices::Price;

/// The prices of some columns of [`RunBills`](crate::RunBills).
#[derive(Clone, Copy)]
pub enum Tariff<'t> {
    /// One column per model. The model gets all requests.
    Models(&'t [Price]),
    /// One column. Each request has the price of the model in the log.
    Logged(&'t LoggedPrices),
}

impl<'t> Tariff<'t> {
    /// Number of columns.
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
            Tariff::Logged(logged) => logged.price_at(turn),
        }
    }

    /// Index of the cache used by a turn's request.
    pub fn cache_at(self, turn: u32) -> usize {
        match self {
            Tariff::Models(_) => 0,
            Tariff::Logged(logged) => logged.cache_at(turn),
        }
    }
}

/// The prices of all columns of one run: [`Price`]s, or [`LoggedPrices`] in the first column.
#[derive(Clone, Copy)]
pub struct RunPrices<'p> {
    /// The price of each column.
    pub models: &'p [Price],
    /// The prices of the first column, if they vary by turn.
    pub logged: Option<&'p LoggedPrices>,
}

impl<'p> RunPrices<'p> {
    /// The columns, grouped by shared caches, in order.
    pub fn tariffs(self) -> impl Iterator<Item = Tariff<'p>> {
        let others = match self.logged {
            Some(_) => self.models.get(1..).unwrap_or_default(),
            None => self.models,
        };
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
