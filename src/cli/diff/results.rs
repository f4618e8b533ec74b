//! Two results next to each other: the strategies' numbers, and the scenarios whose ending, tokens, cost or
//! evidence differ, worst first.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::json;

use crate::cli::baseline;
use crate::cli::exit::Exit;
use crate::cli::terminal::write_json;
use crate::report::changes::{Changes, StrategyChange};
use crate::report::scenario_changes::{ScenarioChange, ScenarioChanges, ScenarioTable};
use crate::report::terminal::shortened;
use crate::report::{ResultsReader, Totals};

const RESULTS: &str = "results.json";
/// How many scenarios are told; `--format json` has all.
const SHOWN: usize = 20;
/// Names of metrics are in a column of at most this width, since those of models come from a file.
const NAMES: usize = 48;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Format {
    /// What differs, worst first
    Human,
    /// One object
    Json,
}

/// Compares two results; exits with 1 if they differ, as `diff` does.
pub(super) fn run(before: &str, now: &str, report_dir: &Path, format: Format) -> Exit {
    match compare(before, now, report_dir) {
        Ok(difference) => {
            match format {
                Format::Human => difference.tell(),
                Format::Json => write_json(&difference.to_json()),
            }
            if difference.is_empty() { Exit::Success } else { Exit::Failed }
        }
        Err(message) => {
            err!("{message}");
            Exit::Unreadable
        }
    }
}

/// What differs between two results.
struct Difference {
    /// What they are called.
    names: [String; 2],
    strategies: Changes,
    /// None: one of the two knows only strategies.
    scenarios: Option<ScenarioChanges>,
}

/// One of the two.
struct Side {
    totals: Totals,
    scenarios: Option<ScenarioTable>,
}

fn compare(before: &str, now: &str, report_dir: &Path) -> Result<Difference, String> {
    let (one, other) = (Side::find(before, report_dir)?, Side::find(now, report_dir)?);
    let scenarios = match (&one.scenarios, &other.scenarios) {
        (Some(one), Some(other)) => Some(one.changes(other)),
        _ => None,
    };
    Ok(Difference {
        names: [before.to_owned(), now.to_owned()],
        strategies: Changes::between(&one.totals, &other.totals),
        scenarios,
    })
}

impl Side {
    /// A results file, a folder that holds one, a `strategies.csv`, or what a revision has committed.
    fn find(name: &str, report_dir: &Path) -> Result<Side, String> {
        if let Some(file) = results_file(Path::new(name)) {
            let help = "  = help: write it anew with ptc-eval run\n";
            return Side::read(&file).map_err(|error| format!("error: {error}\n{help}"));
        }
        let found = baseline::find(Some(name), &[report_dir])?;
        let none = || {
            let report_dir = report_dir.display();
            format!(
                "error: {name} has no report in {report_dir}\n  = help: --report-dir names another folder\n"
            )
        };
        Ok(Side { totals: found.totals.ok_or_else(none)?, scenarios: None })
    }

    fn read(file: &Path) -> Result<Side, crate::report::ResultsError> {
        let mut reader = ResultsReader::open(file)?;
        let scenarios = ScenarioTable::read(&mut reader)?;
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

    fn tell(&self) {
        let [before, now] = &self.names;
        if self.is_empty() {
            return outln!("{before} and {now} do not differ");
        }
        outln!("{before} → {now}");
        tell_changes(&self.strategies);
        if let Some(scenarios) = &self.scenarios {
            tell_scenarios(scenarios);
        }
    }
}

fn tell_changes(changes: &Changes) {
    for change in &changes.strategies {
        outln!();
        outln!("{}", change.name);
        tell_numbers(change);
    }
    tell_names("strategies added", &changes.added);
    tell_names("strategies removed", &changes.removed);
}

fn tell_numbers(change: &StrategyChange) {
    let width = change.numbers.iter().map(|number| number.metric.chars().count()).max().unwrap_or(0);
    let width = width.min(NAMES);
    for number in &change.numbers {
        outln!("  {:<width$}  {number}", shortened(&number.metric, width));
    }
}

fn tell_scenarios(scenarios: &ScenarioChanges) {
    if !scenarios.changed.is_empty() {
        outln!();
        outln!("scenarios, worst first:");
    }
    scenarios.changed.iter().take(SHOWN).for_each(tell_scenario);
    if scenarios.changed.len() > SHOWN {
        outln!("  … and {} more: --format json has all", scenarios.changed.len() - SHOWN);
    }
    tell_names("scenarios added", &scenarios.added);
    tell_names("scenarios removed", &scenarios.removed);
}

fn tell_scenario(scenario: &ScenarioChange) {
    outln!("  {}", scenario.name);
    if let Some([before, now]) = &scenario.outcome {
        outln!("    outcome  {before} → {now}");
    }
    if let Some([before, now]) = &scenario.failures {
        outln!("    failures  {before} → {now}");
    }
    for change in &scenario.changes.strategies {
        let numbers =
            change.numbers.iter().map(|number| format!("{}  {number}", shortened(&number.metric, NAMES)));
        outln!("    {}", change.name);
        numbers.for_each(|number| outln!("      {number}"));
    }
}

fn tell_names(title: &str, names: &[String]) {
    if !names.is_empty() {
        outln!();
        outln!("{title}: {}", names.join(", "));
    }
}
