//! `strategies.csv`: one row a strategy, for spreadsheets, thresholds and the history of the repository.

use std::io::{self, Write};

use super::comparison::Comparison;
use super::tables::csv_lines;

pub fn write(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let named = |first: &str, cells: Vec<String>| std::iter::once(first.to_owned()).chain(cells);
    let names = comparison.strategies.first().map(|first| first.cells().into_iter().map(|(name, _)| name));
    let head = named("strategy", names.into_iter().flatten().collect());
    let rows = comparison.strategies.iter().map(|strategy| {
        named(&strategy.name, strategy.cells().into_iter().map(|(_, cell)| cell.plain()).collect())
    });
    csv_lines(out, std::iter::once(head).chain(rows))
}
