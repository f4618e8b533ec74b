//! Compares two results: the numbers of strategies, and the scenarios with a different ending, tokens, cost or evidence, worst first.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::json;

use crate::cli::baseline;
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::Exit;
use crate::cli::terminal::write_json;
use crate::measure::numbers::shortened;
use crate::report::changes::{Changes, StrategyChange};
use crate::report::scenario_changes::{ScenarioChange, ScenarioChanges, ScenarioTable};
use crate::report::{RESULTS, ResultsReader, Totals};

/// Most scenarios to print. `--format json` has all.
const SHOWN: usize = 20;
/// Most names to print of a list. `--format json` has all.
const NAMED: usize = 8;
/// Widest column for metric names. They may contain model names of any length from a file.
const NAMES: usize = 48;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DiffFormat {
    /// Differences, worst first
    Human,
    /// One object
    Json,
}

/// Compares two results. Exits with 1 if they differ, like `diff`.
pub(super) fn run(before: &str, now: &str, report_dir: &Path, format: DiffFormat) -> CliResult {
    let difference = compare_results(before, now, report_dir)?;
    match format {
        DiffFormat::Human => difference.print(),
        DiffFormat::Json => write_json(&difference.to_json()),
    }
    Ok(if difference.is_empty() { Exit::Success } else { Exit::Failed })
}

/// Difference between two results.
struct Difference {
    /// The names of both results.
    names: [String; 2],
    strategies: Changes,
    /// `None` if one of them contains only strategies.
    scenarios: Option<ScenarioChanges>,
}

/// One of the two results.
struct Side {
    totals: Totals,
    scenarios: Option<ScenarioTable>,
}

fn compare_results(before: &str, now: &str, report_dir: &Path) -> Result<Difference, CliError> {
    let names = [before.to_owned(), now.to_owned()];
    let (before, now) = (Side::find(before, report_dir)?, Side::find(now, report_dir)?);
    let scenarios = match (&before.scenarios, &now.scenarios) {
        (Some(before), Some(now)) => Some(before.changes(now)),
        _ => None,
    };
    Ok(Difference { names, strategies: Changes::between(&before.totals, &now.totals), scenarios })
}

impl Side {
    /// Reads a results file, a folder with one, a `strategies.csv`, or the committed results of a revision.
    fn find(name: &str, report_dir: &Path) -> Result<Side, CliError> {
        if let Some(file) = results_file(Path::new(name)) {
            return Ok(Side::read(&file)?);
        }
        let totals =
            baseline::find(Some(name), &[report_dir], &report_dir.with_file_name("snapshots"))?.totals;
        match totals {
            Some(totals) => Ok(Side { totals, scenarios: None }),
            None => Err(CliError::NoBaseline { revision: name.to_owned(), folder: report_dir.to_owned() }),
        }
    }

    fn read(file: &Path) -> Result<Side, crate::report::ResultsError> {
        let mut reader = ResultsReader::open_file(file)?;
        let scenarios = ScenarioTable::read_table(&mut reader)?;
        Ok(Side { totals: reader.finish()?.totals(), scenarios: Some(scenarios) })
    }
}

fn results_file(path: &Path) -> Option<PathBuf> {
    let within = path.join(RESULTS);
    if within.is_file() {
        return Some(within);
    }
    let is_results = path.is_file() && path.extension().is_none_or(|extension| extension != "csv");
    is_results.then(|| path.to_owned())
}

impl Difference {
    fn is_empty(&self) -> bool {
        self.strategies.is_empty() && self.scenarios.as_ref().is_none_or(ScenarioChanges::is_empty)
    }

    fn to_json(&self) -> serde_json::Value {
        let [before, now] = &self.names;
        json!({ "before": before, "now": now, "strategies": self.strategies, "scenarios": self.scenarios })
    }

    fn print(&self) {
        let [before, now] = &self.names;
        if self.is_empty() {
            return outln!("{before} and {now} do not differ");
        }
        outln!("{before} → {now}");
        match &self.scenarios {
            Some(scenarios) if !scenarios.added.is_empty() || !scenarios.removed.is_empty() => {
                // Sums over different scenarios differ for that reason alone.
                print_names("scenarios added", &scenarios.added);
                print_names("scenarios removed", &scenarios.removed);
                outln!("so the sums of the strategies differ: --format json has them");
                print_names("strategies added", &self.strategies.added);
                print_names("strategies removed", &self.strategies.removed);
                print_scenarios(scenarios);
            }
            Some(scenarios) => {
                print_changes(&self.strategies);
                print_scenarios(scenarios);
            }
            None => print_changes(&self.strategies),
        }
    }
}

fn print_changes(changes: &Changes) {
    for change in &changes.strategies {
        outln!();
        outln!("{}", change.name);
        print_numbers(change);
    }
    print_names("strategies added", &changes.added);
    print_names("strategies removed", &changes.removed);
}

fn print_numbers(change: &StrategyChange) {
    let width = change.numbers.iter().map(|number| number.metric.chars().count()).max().unwrap_or(0);
    let width = width.min(NAMES);
    for number in &change.numbers {
        outln!("  {:<width$}  {number}", shortened(&number.metric, width));
    }
}

fn print_scenarios(scenarios: &ScenarioChanges) {
    if !scenarios.changed.is_empty() {
        outln!();
        outln!("changed scenarios:");
    }
    for scenario in scenarios.changed.iter().take(SHOWN) {
        print_scenario(scenario);
    }
    if scenarios.changed.len() > SHOWN {
        outln!("  … and {} more: --format json has all", scenarios.changed.len() - SHOWN);
    }
}

fn print_scenario(scenario: &ScenarioChange) {
    outln!("  {}", scenario.name);
    if let Some([before, now]) = &scenario.outcome {
        outln!("    outcome  {before} → {now}");
    }
    if let Some([before, now]) = &scenario.failures {
        outln!("    failures  {before} → {now}");
    }
    for change in &scenario.changes.strategies {
        outln!("    {}", change.name);
        for number in &change.numbers {
            outln!("      {}  {number}", shortened(&number.metric, NAMES));
        }
    }
}

fn print_names(title: &str, names: &[String]) {
    if names.is_empty() {
        return;
    }
    outln!();
    match names.split_at_checked(NAMED) {
        Some((first, rest @ [_, ..])) => outln!("{title}: {} and {} more", first.join(", "), rest.len()),
        _ => outln!("{title}: {}", names.join(", ")),
    }
}
