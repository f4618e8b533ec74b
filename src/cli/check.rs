//! `ptc-eval check`: reads and validates scenarios without running them, and tries strategies of the suite's own.

use clap::Args;

use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::suite::{ScenarioChoice, count, not_valid, nothing_selected, print_warnings};
use crate::evaluate::Plan;
use crate::scenario::suite::SuiteVariant;
use crate::scenario::{JsonOptions, Suite};

#[derive(Args)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    choice: ScenarioChoice,
}

pub(super) fn run(CheckArguments { choice }: &CheckArguments) -> CliResult {
    let suite = choice.open()?;
    let selection = choice.selection(&suite);
    let (mut good, mut bad) = (0, broken_strategies(&suite)?);
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

/// Prints why strategies of the suite's own cannot be used. Returns their number.
fn broken_strategies(suite: &Suite) -> Result<usize, CliError> {
    let named = |variant: &SuiteVariant| (variant.strategy.name.clone(), JsonOptions::default());
    let plan = Plan::new(suite, &suite.variants.iter().map(named).collect::<Vec<_>>())?;
    let broken = plan.broken()?;
    broken.iter().for_each(|error| err!("{}", error.diagnostic()));
    Ok(broken.len())
}
