//! Strategies requested on the command line, in addition to those of the suite.

use super::{Cached, LogSettings, SuiteStrategies};
use crate::cli::error::CliError;
use crate::cli::suite::{Permission, StrategyChoice, known};
use crate::compression::presets;
use crate::evaluate::Plan;
use crate::scenario::JsonOptions;
use crate::scenario::suite::Suite;
use ptc_lisp::hint::suggestion;

/// All strategies available for logs.
const ALL: SuiteStrategies = SuiteStrategies { compacted: true, rewriting: true };

/// Calls `then` with a plan of the requested strategies.
///
/// # Errors
/// There is no such strategy, or it has no such option.
pub(in crate::cli) fn planned<T>(
    asked: &[StrategyChoice],
    then: impl FnOnce(&Plan) -> Result<T, CliError>,
) -> Result<T, CliError> {
    let settings = LogSettings::new(&[], ALL, &[], Cached::default());
    let known = known(&Permission::default(), None);
    let suite = Suite::of_conversations(settings.file(), known, Vec::new())?;
    let asked: Vec<_> = asked.iter().map(|choice| (choice.name.clone(), choice.options.clone())).collect();
    then(&Plan::new(&suite, &asked)?)
}

/// The strategies of a suite and the requested ones, without duplicates.
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

/// Parses a preset with options: `codex,tokens=2000`.
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
