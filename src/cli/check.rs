//! `ptc-eval check`: reads and validates scenarios, runs nothing.

use clap::Args;

use super::exit::Exit;
use super::suite::{Choice, count, report, report_warnings};

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    choice: Choice,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let suite = match arguments.choice.open() {
        Ok(suite) => suite,
        Err(error) => {
            report(&error);
            return Exit::Unreadable;
        }
    };
    let selection = arguments.choice.selection(&suite);
    let scenarios = match suite.scenarios(&selection) {
        Ok(scenarios) => scenarios,
        Err(error) => {
            report(&error);
            return Exit::Unreadable;
        }
    };
    let (mut good, mut bad) = (0, 0);
    for error in suite.variants.iter().filter_map(|variant| variant.strategy.base.check().err()) {
        err!("{}", error.diagnostic());
        bad += 1;
    }
    for scenario in scenarios {
        match scenario {
            Ok(scenario) => {
                report_warnings(&scenario);
                good += 1;
            }
            Err(error) => {
                report(&error);
                bad += 1;
            }
        }
    }
    match (good, bad) {
        (0, 0) => {
            errln!("no scenario matches the selection");
            Exit::NothingSelected
        }
        (good, 0) => {
            outln!("{}: fine", count(good, "scenario"));
            Exit::Success
        }
        (good, bad) => {
            outln!("{}: fine; {} cannot be read", count(good, "scenario"), count(bad, "file"));
            Exit::Unreadable
        }
    }
}
