//! One scenario, replayed for the commands that show it.

use super::exit::Exit;
use super::suite::{Choice, Wanted, count, find, usage_error};
use super::terminal::write_painted;
use super::token_cache::KeptTokenizer;
use crate::replay::{Plan, ScenarioResult, replay};
use crate::scenario::{Options, Scenario, Suite};
use crate::tokens::DEFAULT_TOKENIZER;

/// Why a command shows nothing.
pub(super) type Refused = (Exit, String);

/// The scenario that a name or path means, under these strategies; under its own where none is named, else
/// the suite's baseline.
///
/// # Errors
/// The exit code, and what goes to standard error.
pub(super) fn replayed(name: &str, wanted: &[&Wanted]) -> Result<(ScenarioResult, KeptTokenizer), Refused> {
    let (result, tokenizer) = replay_one(name, wanted).map_err(|message| (Exit::Unreadable, message))?;
    match result.strategies.iter().find_map(|run| run.broken.as_ref()) {
        Some(broken) => Err((Exit::Failed, broken.error.diagnostic())),
        None => Ok((result, tokenizer)),
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

fn replay_one(name: &str, wanted: &[&Wanted]) -> Result<(ScenarioResult, KeptTokenizer), String> {
    let (suite, scenario) = find(name, &Choice { paths: Vec::new(), tag: Vec::new(), filter: None })?;
    let strategies = match wanted {
        [] => vec![strategy_of(None, &scenario, &suite)],
        wanted => wanted.iter().map(|wanted| strategy_of(Some(wanted), &scenario, &suite)).collect(),
    };
    let tokenizer = KeptTokenizer::named(suite.tokenizer.as_deref().unwrap_or(DEFAULT_TOKENIZER))
        .map_err(|error| format!("error: {error}\n"))?;
    let plan = Plan::new(&suite, &strategies).map_err(|error| usage_error(&error))?;
    let result = replay(scenario, &plan, &|text| u64::from(tokenizer.count(text)))
        .map_err(|error| usage_error(&error))?;
    Ok((result, tokenizer))
}

/// The strategy that is asked for, else the scenario's own, else the suite's baseline.
pub(super) fn strategy_of(wanted: Option<&Wanted>, scenario: &Scenario, suite: &Suite) -> (String, Options) {
    match (wanted, &scenario.compression) {
        (Some(wanted), _) => (wanted.name.clone(), wanted.options.clone()),
        (None, Some(own)) => (own.strategy.clone(), Options::default()),
        (None, None) => (suite.baseline.clone(), Options::default()),
    }
}
