//! One scenario, replayed for the commands that show it.

use super::exit::Exit;
use super::suite::{Wanted, count, find, usage_error};
use super::terminal::write_painted;
use super::token_cache::KeptTokenizer;
use crate::replay::{Plan, ScenarioResult, replay};
use crate::scenario::{Options, Scenario, Suite};

/// Why a command shows nothing.
pub(super) type Refused = (Exit, String);

/// A scenario that was replayed.
pub(super) struct Replayed {
    pub suite: Suite,
    pub result: ScenarioResult,
    pub tokenizer: KeptTokenizer,
}

/// The scenario that a name or path means, under the strategies that are chosen for it.
///
/// # Errors
/// The exit code, and what goes to standard error.
pub(super) fn replayed(
    name: &str,
    choose: impl FnOnce(&Scenario, &Suite) -> Vec<(String, Options)>,
) -> Result<Replayed, Refused> {
    let replayed = replay_one(name, choose).map_err(|message| (Exit::Unreadable, message))?;
    match replayed.result.strategies.iter().find_map(|run| run.broken.as_ref()) {
        Some(broken) => Err((Exit::Failed, broken.error.diagnostic())),
        None => Ok(replayed),
    }
}

/// That a scenario which took so many turns has none of this number.
pub(super) fn no_such_turn(result: &ScenarioResult) -> Refused {
    let (name, turns) = (&result.scenario.name, count(result.step.turns.turns().len(), "turn"));
    (Exit::Unreadable, format!("error: {name} has no such turn, it took {turns}\n"))
}

/// Writes what is shown, which is visible already, or says why nothing is.
pub(super) fn tell(shown: Result<String, Refused>) -> Exit {
    match shown {
        Ok(text) => {
            write_painted(&text);
            Exit::Success
        }
        Err((exit, message)) => {
            err!("{message}");
            exit
        }
    }
}

fn replay_one(
    name: &str,
    choose: impl FnOnce(&Scenario, &Suite) -> Vec<(String, Options)>,
) -> Result<Replayed, String> {
    let (suite, scenario) = find(name)?;
    let plan = Plan::new(&suite, &choose(&scenario, &suite)).map_err(|error| usage_error(&error))?;
    let tokenizer = KeptTokenizer::of(None, &suite)?;
    let result = replay(scenario, &plan, &|text| u64::from(tokenizer.count(text)))
        .map_err(|error| usage_error(&error))?;
    Ok(Replayed { suite, result, tokenizer })
}

/// The strategy that is asked for, else the scenario's own, else the suite's baseline.
pub(super) fn strategy_of(wanted: Option<&Wanted>, scenario: &Scenario, suite: &Suite) -> (String, Options) {
    match (wanted, &scenario.compression) {
        (Some(wanted), _) => (wanted.name.clone(), wanted.options.clone()),
        (None, Some(own)) => (own.strategy.clone(), Options::default()),
        (None, None) => (suite.baseline.clone(), Options::default()),
    }
}
