//! `ptc-eval check`: reads and validates scenarios, runs nothing.

use clap::Args;

use super::error::CliResult;
use super::exit::Exit;
use super::suite::{ScenarioChoice, count, not_valid, nothing_selected, print_warnings};
use crate::scenario::Suite;

#[derive(Args)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    choice: ScenarioChoice,
}

pub(super) fn run(CheckArguments { choice }: &CheckArguments) -> CliResult {
    let suite = choice.open()?;
    let selection = choice.selection(&suite);
    let (mut good, mut bad) = (0, broken_programs(&suite));
    for scenario in suite.scenarios(&selection)? {
        match scenario {
            Ok(scenario) => {
                print_warnings(&scenario.warnings);
                good += 1;
            }
            Err(error) => {
                err!("{error}");
                bad += 1;
            }
        }
    }
    let said =
        [(good > 0).then(|| format!("{}: fine", count(good, "scenario"))), (bad > 0).then(|| not_valid(bad))];
    if good + bad == 0 {
        return Ok(nothing_selected(&suite, &selection));
    }
    outln!("{}", said.into_iter().flatten().collect::<Vec<_>>().join("; "));
    Ok(if bad > 0 { Exit::Unreadable } else { Exit::Success })
}

/// Prints why strategies in PTC-Lisp cannot be used. Returns their number.
fn broken_programs(suite: &Suite) -> usize {
    let broken = suite.variants.iter().filter_map(|variant| variant.strategy.base.check().err());
    broken.inspect(|error| err!("{}", error.diagnostic())).count()
}
