//! `strategies.csv`: one row a strategy, for spreadsheets, thresholds and the history of the repository.

use std::io::{self, Write};

use super::comparison::Comparison;
use super::format::csv_line;

pub fn write(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let Some(first) = comparison.strategies.first() else { return csv_line(out, ["strategy".to_owned()]) };
    let names = first.cells().into_iter().map(|(name, _)| name);
    csv_line(out, std::iter::once("strategy".to_owned()).chain(names))?;
    for strategy in &comparison.strategies {
        let cells = strategy.cells().into_iter().map(|(_, cell)| cell.plain());
        csv_line(out, std::iter::once(strategy.name.clone()).chain(cells))?;
    }
    Ok(())
}
