//! The strategy table at the end of a run: plain text of at most 80 columns.

use super::comparison::{Comparison, StrategyComparison};
use super::numbers::{grouped, percent};

/// The least width of a terminal.
const WIDTH: usize = 80;
/// Blanks between two columns.
const GAP: usize = 2;
const HEADINGS: [&str; 6] = ["strategy", "tokens", "of base", "worst", "prefix", "evidence min"];

/// The table, each line ended.
pub fn strategy_table(comparison: &Comparison) -> String {
    let headings = HEADINGS.map(str::to_owned);
    let rows: Vec<[String; 6]> =
        std::iter::once(headings).chain(comparison.strategies.iter().map(row)).collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..HEADINGS.len()).map(width).collect();
    let numbers: usize = widths.iter().skip(1).map(|width| width + GAP).sum();
    if let Some(name) = widths.first_mut() {
        *name = (*name).min(WIDTH.saturating_sub(numbers));
    }
    rows.iter().map(|row| line(row, &widths)).collect()
}

fn row(strategy: &StrategyComparison) -> [String; 6] {
    let worst = strategy.request_tokens.map_or("–".to_owned(), |spread| grouped(spread.worst.into()));
    [
        strategy.name.clone(),
        grouped(strategy.sums.input_tokens),
        percent(strategy.ratio),
        worst,
        percent(strategy.stable_prefix),
        percent(strategy.sums.evidence_min),
    ]
}

/// Names to the left, numbers to the right.
fn line(row: &[String; 6], widths: &[usize]) -> String {
    let mut line = String::new();
    for (index, (cell, &width)) in row.iter().zip(widths).enumerate() {
        match index {
            0 => line.push_str(&format!("{:<width$}", shortened(cell, width))),
            _ => line.push_str(&format!("{:GAP$}{cell:>width$}", "")),
        }
    }
    line.push('\n');
    line
}

/// A name in a column of this width: cut where it is longer.
pub fn shortened(name: &str, width: usize) -> String {
    if name.chars().count() <= width {
        return name.to_owned();
    }
    name.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}
