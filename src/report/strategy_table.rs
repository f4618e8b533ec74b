//! The table of `changes.md`: each strategy's numbers over the whole suite before and now, and their sums.

use std::io::{self, Write};

use super::changes::{Changes, LOST, SHORT, TOKENS};
use super::comparison::Comparison;
use super::suite_numbers::{COST, SuiteNumbers, cell, changed_cell};
use super::tables::{left_out, name, table};

/// The first columns; the costs of the models follow them.
const COLUMNS: [(&str, &str); 3] =
    [(SHORT, "answers that would lack a fact"), (LOST, "facts not shown"), (TOKENS, "input tokens")];

/// The strategies with changed numbers.
pub(super) struct StrategyTable {
    titles: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) together: SuiteNumbers,
}

impl StrategyTable {
    /// The strategies with a change in any column, in the order of `changes`.
    pub(super) fn of(comparison: &Comparison, changes: &Changes) -> StrategyTable {
        let models = comparison.header.model_names();
        let costs =
            models.iter().map(|model| (format!("{COST}{model}"), format!("cost with {}", name(model))));
        let fixed = COLUMNS.iter().map(|(metric, title)| ((*metric).to_owned(), (*title).to_owned()));
        let (metrics, titles): (Vec<String>, Vec<String>) = fixed.chain(costs).unzip();
        let now = match comparison.against.as_ref().and_then(|against| against.totals.as_ref()) {
            Some(before) => comparison.comparable(before),
            None => comparison.totals(),
        };
        let mut together = SuiteNumbers::new(&metrics, models.clone());
        let mut unaffected = SuiteNumbers::new(&metrics, models);
        let (mut rows, mut unaffected_rows) = (Vec::new(), Vec::new());
        for change in &changes.strategies {
            if metrics.iter().all(|metric| change.number(metric).is_none()) {
                continue;
            }
            let mut row = vec![name(&change.name).into_owned()];
            row.extend(metrics.iter().map(|metric| match change.number(metric) {
                Some(number) => changed_cell(number),
                None => cell(metric, now.cell(&change.name, metric).unwrap_or("")),
            }));
            together.add(change, &now);
            // A number that was 0 before has no share. Others did not change if rounded.
            if row.iter().any(|cell| cell.contains(['(', '→']) && !cell.ends_with("(±0%)")) {
                rows.push(row);
            } else {
                unaffected.add(change, &now);
                unaffected_rows.push(row);
            }
        }
        match unaffected_rows.len() {
            0 | 1 => rows.append(&mut unaffected_rows),
            number => rows.push(unaffected.row(format!("{number} others"))),
        }
        let titles = std::iter::once("strategy".to_owned()).chain(titles).collect();
        StrategyTable { titles, rows, together }
    }

    /// Returns true if the table has a column for this metric.
    pub(super) fn has_column(metric: &str) -> bool {
        metric.starts_with(COST) || COLUMNS.iter().any(|(column, _)| *column == metric)
    }

    /// Writes the table. `fit` removes rows without room and returns their number.
    pub(super) fn write_table(
        &self,
        fit: impl FnOnce(&mut Vec<Vec<String>>) -> usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut rows = self.rows.clone();
        let more = fit(&mut rows);
        if self.rows.len() > 1 {
            rows.push(self.together.row(format!("**sum of these {}**", self.together.strategies.len())));
        }
        let titles: Vec<&str> = self.titles.iter().map(String::as_str).collect();
        table(out, &titles, rows.into_iter())?;
        left_out(more, "strategies", out)
    }
}
