//! Strategies that the command line asks for besides those of the suite.

use super::{Cached, SuiteStrategies, settings};
use crate::cli::error::CliError;
use crate::cli::new::write_file;
use crate::cli::scratch::Scratch;
use crate::cli::suite::{Permission, StrategyChoice, known, spelled};
use crate::compression::presets;
use crate::evaluate::Plan;
use crate::scenario::suite::Suite;
use crate::scenario::{JsonOptions, SUITE_FILE};
use ptc_lisp::hint::suggestion;

/// Every strategy that logs can have.
const ALL: SuiteStrategies = SuiteStrategies { recorded: true, rewriting: true };

/// The strategies that the command line names, as a plan.
///
/// # Errors
/// There is no such strategy, or it has no such option.
pub(in crate::cli) fn planned<T>(
    asked: &[StrategyChoice],
    then: impl FnOnce(&Plan) -> Result<T, CliError>,
) -> Result<T, CliError> {
    // A suite is read from its file.
    let folder = Scratch::new()?;
    write_file(&folder.path().join(SUITE_FILE), &settings(&[], ALL, &[], Cached::default()))?;
    let suite = Suite::open(folder.path(), known(&Permission::default(), None))?;
    let asked: Vec<_> = asked.iter().map(|choice| (choice.name.clone(), choice.options.clone())).collect();
    then(&Plan::new(&suite, &asked)?)
}

/// The names of these strategies in the list of a suite's file.
pub(super) fn names(asked: &[StrategyChoice]) -> impl Iterator<Item = String> {
    asked.iter().map(|choice| quoted(&name(choice)))
}

/// The variants of a suite's file for those with options, so that a suite that is saved has them too.
pub(super) fn variants(asked: &[StrategyChoice]) -> String {
    let variants = asked.iter().filter(|choice| !choice.options.is_empty()).map(|choice| {
        let options = choice.options.iter().map(|(option, value)| format!(", {}: {value}", quoted(option)));
        let options: String = options.collect();
        format!("  {}: {{strategy: {}{options}}}\n", quoted(&name(choice)), quoted(&choice.name))
    });
    variants.collect()
}

/// The strategies of a suite, and these.
pub(super) fn wanted(suite: &Suite, asked: &[StrategyChoice]) -> Vec<(String, JsonOptions)> {
    let own = suite.strategies.iter().map(|name| (name.clone(), JsonOptions::default()));
    let mut wanted: Vec<(String, JsonOptions)> = own.collect();
    for StrategyChoice { name, options } in asked {
        let choice = (name.clone(), options.clone());
        if !wanted.contains(&choice) {
            wanted.push(choice);
        }
    }
    wanted
}

/// The strategy that a preset is, with options of its own: `codex,tokens=2000`.
pub(super) fn preset(text: &str) -> Result<StrategyChoice, String> {
    let choice: StrategyChoice = text.parse().map_err(|error: String| match text.split_once(',') {
        Some((_, other)) if is_preset(other) => format!("give each its own --preset: --preset {other}"),
        _ => error,
    })?;
    if is_preset(&choice.name) {
        return Ok(choice);
    }
    let names: Vec<&str> = presets().into_iter().map(|preset| &*preset.name).collect();
    Err(format!("there is no such preset; {}", suggestion(&choice.name, &names)))
}

fn is_preset(name: &str) -> bool {
    presets().iter().any(|preset| preset.name == name)
}

fn name(choice: &StrategyChoice) -> String {
    spelled(&choice.name, &choice.options)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
