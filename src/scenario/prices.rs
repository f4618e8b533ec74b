//! Price files: rows that replace and extend the built-in price table.

use super::document::{Document, Step, Target, trail};
use super::problem::Problem;
use super::shape::fit;
use ptc_tokens::{Price, PriceTable};

/// Adds the rows of a price file to a table.
///
/// # Errors
/// The first problem of the file. The table is unchanged.
pub fn extend_prices(table: &mut PriceTable, path: &str, text: &str) -> Result<(), Problem> {
    let document = Document::new(path, text);
    let rows: Vec<Price> = fit(&document.yaml()?).map_err(|misfit| misfit.into_problem(&document))?;
    table.extend(rows).map_err(|error| {
        let keys = error.keys.into_iter().map(Step::from);
        let trail: Vec<Step> = trail![error.row].into_iter().chain(keys).collect();
        document.problem(&trail, Target::Value, error.message, error.help)
    })
}
