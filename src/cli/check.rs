//! `ptc-eval check`: reads and validates scenarios, runs nothing.

use clap::Args;

use super::exit::Exit;
use super::suite::{Choice, count, nothing_selected, report, report_warnings};
use crate::scenario::{ScenarioError, Suite};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    choice: Choice,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    check(&arguments.choice).unwrap_or_else(|error| {
        report(&error);
        Exit::Unreadable
    })
}

fn check(choice: &Choice) -> Result<Exit, ScenarioError> {
    let suite = choice.open()?;
    let selection = choice.selection(&suite);
    let (mut good, mut bad) = (0, broken_programs(&suite));
    for scenario in suite.scenarios(&selection)? {
        match scenario {
            Ok(scenario) => {
                report_warnings(&scenario.warnings);
                good += 1;
            }
            Err(error) => {
                report(&error);
                bad += 1;
            }
        }
    }
    Ok(verdict(good, bad).unwrap_or_else(|| nothing_selected(&suite, &selection)))
}

/// Tells which of the suite's strategies in PTC-Lisp cannot be used, and gives how many.
fn broken_programs(suite: &Suite) -> usize {
    let broken = suite.variants.iter().filter_map(|variant| variant.strategy.base.check().err());
    broken.inspect(|error| err!("{}", error.diagnostic())).count()
}

/// Tells how many files are fine and how many are not; none where there were none.
fn verdict(good: usize, bad: usize) -> Option<Exit> {
    let parts = [
        (good > 0).then(|| format!("{}: fine", count(good, "scenario"))),
        (bad > 0).then(|| format!("{} cannot be read", count(bad, "file"))),
    ];
    let said: Vec<String> = parts.into_iter().flatten().collect();
    if said.is_empty() {
        return None;
    }
    outln!("{}", said.join("; "));
    Some(if bad > 0 { Exit::Unreadable } else { Exit::Success })
}
