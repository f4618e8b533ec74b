//! `ptc-eval check`: validates scenarios and their programs without running them, tests custom strategies, and describes logs.

mod logs;

use std::path::PathBuf;

use clap::Args;
use indexmap::IndexMap;

use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::input::holds_logs;
use super::suite::{ScenarioChoice, beside, count, not_valid, nothing_selected, print_warnings};
use crate::compression::AnyStrategy;
use crate::evaluate::{Plan, replay};
use crate::scenario::suite::{STANDARD_INPUT, find_root};
use crate::scenario::{JsonOptions, Problem, Scenario, Selection, Severity, Suite, programs};
use crate::snapshot::Store;
use crate::snapshot::run_turns::failed_turns;
use crate::snapshot::text::keys;

/// The longest name of a scenario without a warning, in characters. Windows opens no path of 260 characters unless long paths are enabled.
/// The rest is for the folder of a clone and the name of a strategy.
const PORTABLE_NAME: usize = 160;

#[derive(Args)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    choice: ScenarioChoice,
    /// Check the whole suites of the given files
    #[arg(long, requires = "paths")]
    whole_suites: bool,
}

/// The numbers of valid and invalid scenarios, strategies and logs.
#[derive(Default)]
struct Checked {
    good: usize,
    bad: usize,
    good_logs: usize,
    bad_logs: usize,
    warnings: usize,
}

pub(super) fn run(arguments: &CheckArguments) -> CliResult {
    let mut checked = Checked::default();
    let mut exit = Exit::NothingSelected;
    let [logs, paths] = arguments.logs_and_others()?;
    for log in &logs {
        checked.add_logs(log)?;
        exit = Exit::Success;
    }
    for choice in arguments.choices_by_suite(&paths) {
        let suite = choice.open()?;
        let selection = choice.selection(&suite);
        let before = checked.good + checked.bad;
        checked.add(&suite, &selection)?;
        if checked.good + checked.bad == before {
            nothing_selected(&suite, &selection);
        } else {
            exit = Exit::Success;
        }
    }
    let Checked { good, bad, good_logs, bad_logs, warnings } = checked;
    let bad = bad + bad_logs;
    let notes = [
        (good > 0).then(|| format!("{}: fine", count(good, "scenario"))),
        (good_logs > 0).then(|| format!("{} can be read", count(good_logs, "log"))),
        (bad > 0).then(|| not_valid(bad)),
        (warnings > 0).then(|| count(warnings, "warning")),
    ];
    if good + good_logs + bad > 0 {
        outln!("{}", notes.into_iter().flatten().collect::<Vec<_>>().join("; "));
    }
    Ok(if bad > 0 { Exit::Unreadable } else { exit })
}

impl CheckArguments {
    /// Splits the paths into logs and others. With `--whole-suites`, any file of a suite may name it.
    fn logs_and_others(&self) -> Result<[Vec<PathBuf>; 2], CliError> {
        let [mut logs, mut others] = [Vec::new(), Vec::new()];
        for path in &self.choice.paths {
            let is_log = !self.whole_suites && holds_logs(path)?;
            if !is_log && path.as_os_str() == STANDARD_INPUT {
                return Err(CliError::ScenariosOnStandardInput);
            }
            let list = if is_log { &mut logs } else { &mut others };
            list.push(path.clone());
        }
        Ok([logs, others])
    }

    /// Groups the paths by suite, in the order of the first paths. Without paths it is the default folder.
    fn choices_by_suite(&self, paths: &[PathBuf]) -> Vec<ScenarioChoice> {
        let mut suites: IndexMap<PathBuf, Vec<PathBuf>> = IndexMap::new();
        for path in paths {
            let root = find_root(path);
            let chosen = if self.whole_suites { root.clone() } else { path.clone() };
            // Two spellings of one folder are one suite.
            let real = root.canonicalize().unwrap_or(root);
            suites.entry(real).or_default().push(chosen);
        }
        if self.choice.paths.is_empty() {
            return vec![self.choice.clone()];
        }
        suites.into_values().map(|paths| ScenarioChoice { paths, ..self.choice.clone() }).collect()
    }
}

impl Checked {
    /// Validates the scenarios of a suite and prints problems.
    fn add(&mut self, suite: &Suite, selection: &Selection) -> Result<(), CliError> {
        print_warnings(&suite.warnings);
        self.warnings += suite.warnings.len();
        self.bad += broken_strategies(suite)?;
        let store = Store::new(beside(&suite.root, "snapshots"));
        let mut is_tried = false;
        for scenario in suite.scenarios(selection)? {
            match scenario {
                Ok(scenario) => {
                    let mut warnings = scenario.warnings.clone();
                    warnings.extend(of_programs(&scenario, &store));
                    warnings.extend(of_name(&scenario));
                    print_warnings(&warnings);
                    if !is_tried && !scenario.responses().is_empty() {
                        is_tried = true;
                        self.bad += breaking_strategies(suite, &scenario)?;
                    }
                    self.good += 1;
                    self.warnings += warnings.len();
                }
                Err(error) => {
                    err!("{error}");
                    self.bad += 1;
                }
            }
        }
        Ok(())
    }
}

/// Warnings about the programs of a scenario, except for turns that fail in the accepted run: there the model is meant to err.
fn of_programs(scenario: &Scenario, store: &Store) -> Vec<Problem> {
    let mut warnings = programs::warnings(scenario);
    if let (false, Some(run)) = (warnings.is_empty(), keys(&scenario.name, &[]).next()) {
        // If the accepted run is unreadable, keep all warnings; `run` reports the error.
        let accepted = store.bodies(&run).ok().and_then(|[accepted, _]| accepted);
        let failed = accepted.as_deref().map_or_else(Vec::new, failed_turns);
        warnings.retain(|warning| !failed.contains(&warning.turn));
    }
    warnings.into_iter().map(|warning| warning.problem).collect()
}

/// The warning about a name too long for Windows.
fn of_name(scenario: &Scenario) -> Option<Problem> {
    let length = scenario.name.chars().count();
    if length <= PORTABLE_NAME {
        return None;
    }
    let message = format!("the name has {length} characters, more than {PORTABLE_NAME}");
    let help = "Windows opens no paths of 260 characters, and snapshots are called by it; shorten it";
    Some(Problem { severity: Severity::Warning, ..Problem::of_file(&scenario.file, message, help) })
}

/// Prints errors in the definitions of custom strategies. Returns their number.
fn broken_strategies(suite: &Suite) -> Result<usize, CliError> {
    let mut wanted = Vec::with_capacity(suite.variants.len());
    for variant in &suite.variants {
        wanted.push((variant.strategy.name.clone(), JsonOptions::default()));
    }
    let broken = Plan::new(suite, &wanted)?.broken()?;
    for error in &broken {
        err!("{}", error.diagnostic());
    }
    Ok(broken.len())
}

/// Renders the requests of one scenario with custom strategies, because a valid program may still return invalid messages. Prints the
/// errors and returns their number.
fn breaking_strategies(suite: &Suite, scenario: &Scenario) -> Result<usize, CliError> {
    let mut sound = Vec::new();
    for variant in &suite.variants {
        let named = (variant.strategy.name.clone(), JsonOptions::default());
        let is_own = matches!(variant.strategy.base, AnyStrategy::Own(_));
        if is_own && Plan::new(suite, std::slice::from_ref(&named))?.broken()?.is_empty() {
            sound.push(named);
        }
    }
    if sound.is_empty() {
        return Ok(0);
    }
    let result = replay(scenario.clone(), &Plan::new(suite, &sound)?, &|text| text.len() as u64 / 4)?;
    let mut broken = 0;
    for error in result.strategies.iter().filter_map(|run| Some(&run.broken.as_ref()?.error)) {
        err!("{}", error.diagnostic());
        broken += 1;
    }
    Ok(broken)
}
