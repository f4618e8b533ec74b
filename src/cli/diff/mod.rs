//! `ptc-eval diff`: compares two results, or the requests of two strategies or with two prompts.

mod prompts;
mod results;
mod side_by_side;
mod strategies;

use std::path::{Path, PathBuf};

use clap::Args;

use super::error::{CliError, CliResult};
use super::input::{holds_logs, other_input};
use super::replayed::name_and_turn;
use super::suite::{Permission, StrategyChoice};
use super::terminal::Color;
use crate::report::RESULTS;
use results::DiffFormat;

#[derive(Args)]
pub(super) struct DiffArguments {
    /// Two results, each a file, a report folder or a git revision; the second defaults to --report-dir. With --strategies or --prompt, the
    /// scenario to compare
    #[arg(value_name = "A B | SCENARIO", num_args = 1..=2, required_unless_present = "prompt")]
    what: Vec<String>,
    /// Compare the requests of two strategies
    #[arg(long, value_names = ["X", "Y"], num_args = 2, group = "sides")]
    strategies: Vec<StrategyChoice>,
    /// Compare two system prompts of the suite
    #[arg(long, value_names = ["X", "Y"], num_args = 2, group = "sides")]
    prompt: Vec<String>,
    /// Compare only the request before this turn
    #[arg(long, value_name = "N", requires = "sides")]
    turn: Option<u32>,
    /// Folder of reports, also within a revision
    #[arg(long, value_name = "FOLDER", default_value = "reports", conflicts_with = "sides")]
    report_dir: PathBuf,
    /// Format of standard output
    #[arg(long, value_enum, default_value = "human", conflicts_with = "sides")]
    format: DiffFormat,
    #[command(flatten)]
    permission: Permission,
}

/// The error for unreadable results. If one of the paths is a scenario or a log, the error says so.
fn not_results<'n>(names: impl IntoIterator<Item = &'n String>, error: CliError) -> CliError {
    for path in names.into_iter().map(Path::new) {
        let is_log =
            path.is_dir() && !path.join(RESULTS).exists() && holds_logs(path).is_ok_and(|holds| holds);
        if path.is_file() || is_log {
            let instead =
                "ptc-eval effect BEFORE AFTER compares logs; ptc-eval run writes the results of scenarios";
            if let Some(other) = other_input(path, "results", instead.to_owned()) {
                return other;
            }
        }
    }
    error
}

/// Prints the requests of two strategies side by side. `None` is the scenario's own strategy.
pub(super) fn side_by_side(
    scenario: (&str, &Permission),
    strategies: [Option<&StrategyChoice>; 2],
    turn: Option<u32>,
    color: Color,
) -> CliResult {
    strategies::run(scenario, strategies, turn, color)
}

pub(super) fn run(arguments: &DiffArguments, color: Color) -> CliResult {
    let DiffArguments { what, strategies, prompt, turn, report_dir, format, permission } = arguments;
    if let [left, right] = prompt.as_slice() {
        let compared = prompts::PromptComparison { prompts: [left, right], permission, turn: *turn, color };
        return match what.as_slice() {
            [] => compared.of_suite(),
            [scenario] => compared.of_scenario(scenario),
            _ => Err(CliError::DiffUsage),
        };
    }
    match (strategies.as_slice(), what.as_slice()) {
        ([left, right], [scenario]) => {
            let (name, of_name) = name_and_turn(scenario);
            side_by_side((name, permission), [Some(left), Some(right)], turn.or(of_name), color)
        }
        ([], [before, now]) => {
            results::run(before, now, report_dir, *format).map_err(|error| not_results([before, now], error))
        }
        ([], [before]) => results::run(before, &report_dir.to_string_lossy(), report_dir, *format)
            .map_err(|error| not_results([before], error)),
        _ => Err(CliError::DiffUsage),
    }
}
