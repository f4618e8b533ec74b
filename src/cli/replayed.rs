//! Replays one scenario with all its requests, for the commands about one scenario.

use std::path::Path;

use super::error::CliError;
use super::input::other_input;
use super::logged::find_in_log;
use super::suite::{Permission, StrategyChoice, count, find, path_for_shell};
use super::token_cache::CachedTokenizer;
use crate::evaluate::{Pipeline, Plan, ReplayedScenario, replay_with_bills};
use crate::measure::{Gauges, MeasuredRun};
use crate::report::verdicts::SnapshotRecord;
use crate::scenario::{JsonOptions, Scenario, Suite};

/// A replayed scenario.
pub(super) struct Replayed {
    pub suite: Suite,
    plan: Plan,
    pub result: ReplayedScenario,
    pub tokenizer: CachedTokenizer,
}

impl Replayed {
    /// The measures of the answered requests, as in reports: one entry for each strategy, in the order of the choice.
    pub fn measured(&self, gauges: Gauges<'_>) -> Result<Vec<MeasuredRun>, CliError> {
        let evaluated = Pipeline::new(&self.plan, gauges).evaluate(self.result.scenario.clone(), 0)?;
        Ok(evaluated.record.strategies)
    }

    /// The same without costs.
    pub fn sized(&self) -> Result<Vec<MeasuredRun>, CliError> {
        let warm_system = self.suite.warm_system;
        self.measured(Gauges { tokenizer: &self.tokenizer, models: &[], logged: None, warm_system })
    }
}

/// Finds a scenario by name or path, and replays it under the strategies from `choose`.
pub(super) fn replayed(
    name: &str,
    permission: &Permission,
    choose: impl FnOnce(&Scenario, &Suite) -> Vec<(String, JsonOptions)>,
) -> Result<Replayed, CliError> {
    let (suite, scenario) = find_anywhere(name, permission)?;
    let plan = Plan::new(&suite, &choose(&scenario, &suite))?;
    let tokenizer = CachedTokenizer::of(None, &suite)?;
    let result = replay_with_bills(scenario, &plan, &tokenizer)?;
    for run in &result.strategies {
        if let Some(stale) = run.stale {
            let key = format!("{}/{}", result.scenario.name, run.name);
            errln!("warning: {}", SnapshotRecord::stale(key, stale.sentence()).describe());
        }
    }
    match result.strategies.iter().find_map(|run| run.broken.as_ref()) {
        Some(broken) => Err(CliError::BrokenStrategy { error: broken.error.clone() }),
        None => Ok(Replayed { suite, plan, result, tokenizer }),
    }
}

/// `shop/join@3` is the third turn of `shop/join`.
pub(super) fn name_and_turn(text: &str) -> (&str, Option<u32>) {
    match text.rsplit_once('@').map(|(name, turn)| (name, turn.parse())) {
        Some((name, Ok(turn))) => (name, Some(turn)),
        // A name may contain an @.
        _ => (text, None),
    }
}

/// Finds a scenario by name, by path or as a conversation in a log. Returns its suite too.
pub(super) fn find_anywhere(name: &str, permission: &Permission) -> Result<(Suite, Scenario), CliError> {
    let found = find(name, permission);
    found.or_else(|error| {
        let in_log = find_in_log(name, permission);
        in_log.unwrap_or_else(|| Err(of_folder(Path::new(name)).unwrap_or(error)))
    })
}

/// The error for a folder instead of one scenario or log.
fn of_folder(path: &Path) -> Option<CliError> {
    let instead = format!("name one of what ptc-eval list scenarios {} lists", path_for_shell(path));
    if path.is_dir() { other_input(path, "one scenario or log", instead) } else { None }
}

/// The error for a turn after the end of the conversation.
pub(super) fn no_such_turn(result: &ReplayedScenario) -> CliError {
    let turns = count(result.conversation.past().len(), "turn");
    CliError::NoSuchTurn { scenario: result.scenario.name.clone(), turns }
}

/// The wanted strategy, else the scenario's own, else the suite's baseline.
pub(super) fn strategy_of(
    wanted: Option<&StrategyChoice>,
    scenario: &Scenario,
    suite: &Suite,
) -> (String, JsonOptions) {
    match (wanted, &scenario.compression) {
        (Some(wanted), _) => wanted.in_suite(suite),
        (None, Some(chosen)) => (chosen.strategy.clone(), JsonOptions::default()),
        (None, None) => (suite.baseline.clone(), JsonOptions::default()),
    }
}
