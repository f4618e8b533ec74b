//! The numbers of every strategy as in `strategies.csv`, from an earlier file or from an evaluation. Changes
//! are differences between two of them.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::spreadsheet::text_of;

/// The numbers of every strategy, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// By strategy, then by column, in file order.
    rows: IndexMap<String, IndexMap<String, String>>,
}

/// A report to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Against {
    /// For example `HEAD`, or the path of a folder.
    pub name: String,
    /// `None` if there is no report yet.
    pub totals: Option<Totals>,
    /// The names of its scenarios; `None` if unknown.
    pub scenarios: Option<BTreeSet<String>>,
}

/// The scenarios of this evaluation against those of an earlier report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioSets {
    /// Scenarios missing from the earlier report.
    pub new: Vec<String>,
    /// Scenarios only in the earlier report.
    pub removed: Vec<String>,
    /// The numbers over the scenarios of both. `None` if those are all scenarios.
    pub shared: Option<Totals>,
}

impl Totals {
    /// Builds the numbers from strategies and their cells.
    pub fn of_rows<C: IntoIterator<Item = (String, String)>>(
        rows: impl Iterator<Item = (String, C)>,
    ) -> Totals {
        Totals { rows: rows.map(|(name, cells)| (name, cells.into_iter().collect())).collect() }
    }

    /// Parses a `strategies.csv`.
    ///
    /// # Errors
    /// The text is not such a file.
    pub fn parse(text: &str) -> Result<Totals, String> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names = reader.headers().map_err(refuse_report)?.clone();
        if names.get(0) != Some("strategy") {
            return Err(refuse_report("expected 'strategy' as its first column"));
        }
        let mut rows = IndexMap::new();
        for record in reader.records() {
            let record = record.map_err(refuse_report)?;
            let mut cells = names.iter().zip(&record).map(|(name, cell)| (name, text_of(cell).to_owned()));
            // A CSV record always has at least one cell.
            let Some((_, strategy)) = cells.next() else { continue };
            rows.insert(strategy, cells.map(|(name, cell)| (name.to_owned(), cell)).collect());
        }
        Ok(Totals { rows })
    }

    /// The strategies, in file order.
    pub fn strategies(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }

    /// The columns of a strategy, in order.
    pub fn metrics(&self, strategy: &str) -> impl Iterator<Item = &str> {
        self.rows.get(strategy).into_iter().flat_map(|row| row.keys().map(String::as_str))
    }

    /// The text of a cell; `None` if there is no such strategy or column.
    pub fn cell(&self, strategy: &str, metric: &str) -> Option<&str> {
        self.rows.get(strategy)?.get(metric).map(String::as_str)
    }

    /// The number in a cell; `None` without one.
    pub fn number(&self, strategy: &str, metric: &str) -> Option<f64> {
        self.cell(strategy, metric)?.parse().ok()
    }
}

fn refuse_report(reason: impl std::fmt::Display) -> String {
    format!("the baseline report is no strategies.csv: {reason}; write it anew with `ptc-eval run`")
}
