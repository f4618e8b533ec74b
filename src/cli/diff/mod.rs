//! `ptc-eval diff`: two of something, next to each other. Here is what the command line may say; what is
//! compared, and how it looks, has a file for each kind.

mod side_by_side;
mod strategies;

use clap::Args;

use super::exit::Exit;
use super::suite::Wanted;
use super::terminal::Color;

#[derive(Args)]
pub(super) struct Arguments {
    /// The scenario whose requests are compared
    #[arg(value_name = "SCENARIO", num_args = 1)]
    what: Vec<String>,
    /// Compare the requests of two strategies
    #[arg(long, value_names = ["X", "Y"], num_args = 2)]
    strategies: Vec<Wanted>,
    /// Only the request for this turn
    #[arg(long, value_name = "N", requires = "strategies")]
    turn: Option<u32>,
}

pub(super) fn run(arguments: &Arguments, color: Color) -> Exit {
    match (arguments.strategies.as_slice(), arguments.what.as_slice()) {
        ([left, right], [scenario]) => strategies::run(scenario, [left, right], arguments.turn, color),
        _ => {
            errln!(
                "error: expected two strategies and one scenario\n  = help: ptc-eval diff --strategies X Y SCENARIO"
            );
            Exit::Unreadable
        }
    }
}
